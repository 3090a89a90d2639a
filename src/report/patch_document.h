#pragma once
// The patch gate's answer as documents (patch-gate 10): gatehouse.patch_result/1 and
// gatehouse.patch_rejection/1, with every member present whatever the outcome, and the form that
// consumers of the older contract read.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/value.h"
#include "patch/outcome.h"
#include "policy/patch_policy.h"

namespace gh::report {

struct DocumentContext {
  const policy::PatchPolicy* policy = nullptr;  // null: the policy could not be loaded
  std::string policy_source{}, policy_sha256{};
  std::string run_id{}, actor{};  // empty: null
  std::int64_t attempt = 0, max_attempts = 0;
  std::string created_utc{};
};

/// The founding code of an outcome: PATCH_OK, PATCH_PARSE_INVALID, ..., PATCH_ENV_INVALID.
std::string_view patch_code(const patch::Outcome&);

/// "parse", "policy", "git_check", "apply"; "env" or "config" for faults.
std::string_view patch_stage(const patch::Outcome&);

/// A fault of the gate's own (env, config), as opposed to one of the call (a wrong option).
bool is_patch_fault(Code);

/// One sentence of at most 240 characters that names the file and the limit.
std::string patch_message(const patch::Outcome&);

/// The document as it is written to disk; doors add the member `verdict`.
Map patch_document(const patch::Outcome&, const DocumentContext&);

/// SHA-256 of the reproducible part: without run, created_utc, durations, verdict and itself.
std::string evidence_sha256(const Map& document);

/// gatehouse.verify_report/1 (patch-gate 9.4).
Map verify_report_document(const patch::VerifyReport&);

/// `--format ctcp`: the ten members that older consumers read, from a patch document.
Map ctcp_document(const Map& patch_document);

/// Path bytes as text: escaped where they are not printable UTF-8.
std::string path_text(std::string_view path);

}  // namespace gh::report
