#pragma once
// gatehouse.error/1: a failure of Gatehouse itself, for programs and for people.
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/value.h"
#include "report/look.h"

namespace gh::report {

/// A message as it may leave the process: secrets masked, every line safe to print. Lines of a list
/// (`- one`) stay lines.
std::string told_message(const Error&);

/// {schema, code, message, details, next, tool}; `incident` is filled for internal errors. `action`
/// is what is known to help here (agent_error.h); without it the code's own help is told.
Map error_document(const Error&, std::string_view incident = {}, const Map* action = nullptr);

/// The diagnostic that people see on standard error.
std::string render_error(const Error&, const Look&, std::string_view incident = {},
                         const Map* action = nullptr);

/// "CODE: message" in one line: what follows "gatehouse: exit N: ".
std::string error_line(const Error&, std::string_view incident = {});

}  // namespace gh::report
