#pragma once
// --format and --report: the one Verdict of a command in the forms that other programs read, on
// standard output or in files. A command that fails leaves reports, too: they say so.
#include <optional>
#include <string>
#include <vector>

#include "ops/operation.h"
#include "report/formats.h"

namespace gh::ops {

struct AskedReport {
  const report::FormatRow* form = nullptr;
  std::string path{};  // absolute; "-": standard output
};
/// FORMAT=FILE, as often as one likes, but one to standard output at most.
Result<std::vector<AskedReport>> asked_reports(const Request&, const Context&);

/// Runs the command, and writes what its options ask for from what it answers.
Result<Reply> with_reports(const Request&, Context&, Run);

/// The Verdict in the answer of a command, whatever document it is part of. `manifest`: where that
/// of a release report lies, from the top.
std::optional<Value> verdict_in(const Value& document, std::string_view manifest = kConfigFile);
/// Nobody could decide, and this is why.
Value verdict_of_fault(const Error&, Context&);

Status write_report(const AskedReport&, const Value& verdict, const report::FormatFrame&);

}  // namespace gh::ops
