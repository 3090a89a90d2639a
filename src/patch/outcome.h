#pragma once
// What the patch gate found out about one submission. Documents, verdict and run folder are made
// from this and nothing else.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/object_id.h"
#include "model/patch_rule.h"

namespace gh::patch {

struct CommandRecord {
  std::vector<std::string> argv;
  std::optional<int> rc;
  std::string stdout_tail, stderr_tail;  // patch-gate 8.3: 20 lines, 4,096 bytes, escaped, <repo>
  std::int64_t duration_ms = 0;
};

struct TouchedEntry {
  std::string path;                            // bytes
  std::optional<FileMode> old_mode, new_mode;  // absent: no entry on that side
  std::optional<ObjectId> old_id, new_id;
};

struct Candidate {
  ObjectId base_commit, base_tree, tree;
  std::vector<TouchedEntry> entries;  // sorted by path, unique
};

struct SplitPart {
  std::vector<std::string> paths;
  std::int64_t files = 0, added_lines = 0, deleted_lines = 0, deleted_files = 0, hunks = 0,
               bytes = 0;
};
struct SplitAdvice {
  std::vector<SplitPart> parts;
  std::vector<std::string> indivisible;  // sections over a budget by themselves
};

struct Landed {
  std::string mode;             // worktree, commit
  std::string ref{}, commit{};  // commit only
};

struct VerifyResult {
  std::string name;
  std::vector<std::string> argv;
  std::optional<int> rc;
  std::string error;  // not_found, timeout, not_run, or empty
  std::int64_t duration_ms = 0;
  std::string stdout_tail, stderr_tail;
};
struct VerifyReport {
  std::optional<bool> ok;              // absent: nothing was run
  std::vector<std::string> isolation;  // network, filesystem, environment: what was really in force
  std::vector<VerifyResult> results;
  std::vector<std::string> changed_paths;
};

struct RepoFacts {
  std::string head, base_commit, base_tree, git_version;  // empty when not known yet
};

struct Outcome {
  std::optional<Error> error;  // environment or configuration fault: no judgement was reached
  std::vector<Violation> violations;  // at most 50; the first one is details.rule
  std::int64_t violations_total = 0;
  Stage stage = Stage::parse;  // last step run
  std::optional<CommandRecord> command;
  std::vector<Note> notes;
  std::vector<std::string> touched_files;  // raw bytes, sorted
  std::int64_t added_lines = 0, deleted_lines = 0;
  std::string sha256;  // of the submitted bytes
  std::int64_t bytes = 0;
  std::string canonical;  // canonical patch; empty before parsing succeeded
  std::string canonical_sha256;
  std::optional<Candidate> candidate;
  std::optional<SplitAdvice> split;
  std::optional<VerifyReport> verify;
  std::optional<Landed> landed;
  std::vector<std::string>
      problem_paths;  // worktree_dirty, rollback_incomplete, retry_channel, ...
  RepoFacts repo;

  bool ok() const { return !error && violations.empty(); }
  bool alarm() const { return !violations.empty() && is_alarm(violations.front().rule); }
};

inline constexpr std::size_t kMaxViolations = 50;

}  // namespace gh::patch
