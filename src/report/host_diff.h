#pragma once
// The agent host configuration diff for programs and for people.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "model/verdict.h"
#include "powers/compare.h"
#include "report/look.h"

namespace gh::report {

/// What was compared.
struct HostDiffSides {
  std::string base_ref{}, base_commit{};
  std::string head_ref{}, head_commit{};  // no commit: the work tree
  std::int64_t files = 0;                 // that hosts read and that differ
};

/// gatehouse.release_diff/1. Secrets are masked.
Map host_diff_document(const std::vector<powers::Row>&, const HostDiffSides&);

/// The surface gate's answer about the rows: one reason for each, GH-POWER-001 to -003. Rows of
/// files that a person let in (`is_let_in`, by path) are told and decide nothing.
GateAnswer host_answer(const std::vector<powers::Row>&,
                       const std::function<bool(std::string_view path)>& is_let_in = {});

/// The same for people, from the document: worst first, each row with its place and why.
std::string host_diff_text(const Value& document, const Look&);

}  // namespace gh::report
