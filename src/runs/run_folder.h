#pragma once
// The evidence folder of one patch run (docs/formats/run-folder.md). It proves, it never decides:
// the ledger is the authority. Every file is replaced as a whole or appended to by one write, so a
// kill at any moment leaves the old or the new.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"
#include "sys/env.h"

namespace gh::runs {

/// How a rejection is filed.
struct Filing {
  std::int64_t attempt = 0;  // 1-based number of the attempt it uses up; 0: it uses up none
  bool frozen = false;       // no retry until somebody clears the alarm
  bool blocked = false;      // the attempts are used up
};

/// One block of TRACE.md.
struct TraceBlock {
  std::vector<std::string> argv;
  std::optional<int> rc;          // absent: did not end by itself
  std::vector<std::string> logs;  // names below logs/
};

class RunFolder {
 public:
  /// Makes what is missing and keeps what is there. Refuses a sub-folder that is a symbolic link.
  static Result<RunFolder> open_or_create(const std::string& path, sys::Env&);

  const std::string& path() const { return path_; }
  std::string file(std::string_view relative) const;

  /// artifacts/diff.patch, byte exact: before anything is judged.
  Status keep_submission(std::string_view bytes);
  /// artifacts/patch_policy.json, the narrowing that was handed in, byte exact.
  Status keep_narrowing(std::string_view bytes);

  /// patch_rejection.json (here and with the bytes below attempts/NNN), the review and the prompt
  /// for the fixer. `document` is gatehouse.patch_rejection/1.
  Status write_rejection(const Map& document, std::string_view submission, const Filing&);
  /// The review of an accepted patch. `document` is gatehouse.patch_result/1.
  Status write_acceptance(const Map& document);
  Status write_candidate(std::string_view canonical_patch, const Map& candidate);
  Status write_verify_report(const Map&);
  Status write_retry_state(const Map&);

  /// logs/<name>.stdout.log and .stderr.log, with secrets masked.
  Status log_command(std::string_view name, std::string_view out, std::string_view err);
  Status append_event(std::string_view role, std::string_view event, std::string_view path,
                      const Map& fields = {});
  Status trace(const TraceBlock&);

 private:
  RunFolder(std::string path, sys::Env* env) : path_(std::move(path)), env_(env) {}
  Status make_skeleton();
  Status write_prompt(const Map& document, const Filing&);

  std::string path_;
  sys::Env* env_;
};

}  // namespace gh::runs
