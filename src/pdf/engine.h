#pragma once
// The program that prints: gatehouse-pdf, which lies beside this one. Most runs never need it, so
// its libraries cost a process of its own and not every start (docs/adr/0029).
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "pdf/document.h"

namespace gh::pdf {

/// Beside `self` (the absolute path of this program), or in ../libexec/gatehouse. Nothing when it
/// is not installed: a document without its PDF is complete, so that is no failure.
std::optional<std::string> find_engine(const std::string& self);

/// The bytes of the file; the same document gives the same bytes. bad_argument when the document is
/// too large, io_error when the program fails or takes longer than it may.
Result<std::string> render(const std::string& engine, const Document&,
                           std::function<bool()> give_up = {});

}  // namespace gh::pdf
