#pragma once
// Can a baseline be trusted? Its file against the log of its saves (release-gate 5.3, 5.5).
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "release/baseline.h"

namespace gh::release {

/// One save, as a line of the log.
struct AuditRow {
  std::string timestamp, run_id, scanner_version, baseline_path, hash_before{}, hash_after;
  std::vector<std::string> added{}, removed{};
};
std::string audit_line(const AuditRow&);  // without its line feed
/// json_invalid for a line that does not parse or has other keys.
Result<std::vector<AuditRow>> read_audit_log(std::string_view text, std::string_view name);

/// A save as the audit chain of a repository has it, which is not rewritten with the file.
struct ChainedSave {
  std::string run_id, hash_after;
};

struct BaselineFile {
  Baseline baseline;
  std::string bytes, path;
  std::optional<std::string> log{};  // nullopt: there is none
  std::string log_path{};
  std::vector<ChainedSave> chain{};  // saves of this file, oldest first; branches have their own
};

struct BaselineIssue {
  std::string kind, check_id;
  FindingSeverity severity;
  std::string title;
  const BaselineEntry* entry = nullptr;  // nullptr: about the file
  Map evidence{};
};
/// What the file and its log say by themselves. `today` is YYYY-MM-DD.
std::vector<BaselineIssue> baseline_issues(const BaselineFile&, std::string_view today);
/// Entries that no finding of this run, active or suppressed, is.
std::vector<BaselineIssue> resolved_issues(const BaselineFile&, const Findings&);

/// As findings; in strict mode a mismatch blocks.
std::vector<Finding> integrity_findings(const std::vector<BaselineIssue>&, bool strict);

}  // namespace gh::release
