#pragma once
// The Verdict (interfaces 0.1): made from a gate's outcome, printed as gatehouse.verdict/1.
#include <string>
#include <string_view>

#include "model/value.h"
#include "model/verdict.h"
#include "patch/outcome.h"
#include "report/patch_document.h"

namespace gh::report {

struct VerdictContext {
  std::string_view gate = "patch";  // patch, or check for the front door
  std::string_view repo_id{};       // object id of the root commit; empty: null
  std::string_view head{};          // 40-hex or "worktree"; empty: null
  std::string_view started{};       // meta
  std::int64_t duration_ms = 0;     // meta
};

/// One part per gate in the order of the design, one reason per violation.
Verdict patch_verdict(const patch::Outcome&, const DocumentContext&, const VerdictContext&);

/// Reasons sorted (severity, path, line, id), fingerprints and digests.verdict filled in.
Map verdict_document(const Verdict&);

/// First 32 hex digits of SHA-256 over id \0 identity, or id \0 path \0 context \0 ordinal where
/// there is no finding (interfaces 0.3).
std::string reason_fingerprint(const Reason&, std::int64_t ordinal);

/// "gatehouse: exit 1: ..." tail for a verdict that is not allow: gate, first rule, place.
std::string why_not_allowed(const Verdict&);

}  // namespace gh::report
