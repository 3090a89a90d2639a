#pragma once
// The agent host configuration diff for programs and for people.
#include <string>
#include <vector>

#include "model/value.h"
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

/// The same for people, from the document: worst first, each row with its place and why.
std::string host_diff_text(const Value& document, const Look&);

}  // namespace gh::report
