#pragma once
// Members that several answers of change control share.
#include "analysis/blast_radius.h"
#include "analysis/run_extract.h"
#include "control/scope_check.h"
#include "model/intent.h"
#include "ops/change_registry.h"
#include "policy/control_policy.h"

namespace gh::ops {

/// Member of a record: the number in the audit chain of the row that says it was declared.
inline constexpr std::string_view kDeclaredSequence = "declared_audit_sequence";

/// A time that was asked for and is not what is used; null: it is. `what` is ttl or lease.
Value clamp_warning(std::string_view what, const policy::SecondsRange&,
                    std::optional<std::int64_t> asked);
/// Names that were given with a backslash, and what they were taken for.
/// All files that a scope lists.
std::vector<std::string> entries_of(const gh::Scope&);
/// `known`: the paths as they were understood. A name that is there to the letter was not
/// rewritten.
List rewriting_warnings(const Request&, std::initializer_list<std::string_view> options,
                        const std::vector<std::string>& known);

/// The record as its session sees it: the status is what the last check said.
Map intent_payload(const Intent&);

/// Who is concerned when the files of a scope change, straight from a run.
struct Concerned {
  analysis::BlastQuestion question{};
  analysis::BlastRadius radius{};
  Map document{}, summary{};
};
Result<Concerned> concerned_by(const gh::Scope&, analysis::RunExtract&);

/// What a scope check leaves behind: status, last_check and an audit row. Nothing is closed.
void record_check(Registry&, Intent, const control::ScopeCheck&);

/// `workspace_intents`, `recovery_available`, counts and dirt: who holds what.
Result<Map> workspace_payload(ChangeSession&, const Workspace&, const DirtySnapshot*);

}  // namespace gh::ops
