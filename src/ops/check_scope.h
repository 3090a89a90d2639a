#pragma once
// The scope gate of `check`: who declared what, and whether a change stays inside of it.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "control/scope_gate.h"
#include "model/verdict.h"
#include "ops/change_registry.h"
#include "ops/patch_session.h"
#include "policy/control_policy.h"
#include "report/diagnostics.h"

namespace gh::ops {

/// Open records, sorted into the author's own and those of others. They point into `workspace`.
struct DeclaredHere {
  Workspace workspace{};
  control::ScopeGateFacts facts{};  // without what was changed
  std::string folder{};             // of the only intent, when that works in a tree of its own
  std::string base{};               // the commit that it began with; empty: HEAD
  bool is_work_tree = false;        // what was changed is whatever lies there, of whoever it is

  /// The one intent that may edit; null when there is none or more than one.
  const Intent* only() const;
};

/// Those of --intent, else of the session of the caller. unknown_intent. Asking makes no ledger.
/// `changed`: the paths of the change; of others only the records that meet them are read. Null:
/// not known yet.
Result<DeclaredHere> read_declared(const Request&, Context&, PatchSession&,
                                   const policy::ControlPolicy&,
                                   const std::vector<std::string>* changed);

/// The first line that a diff adds to each file, and the one before it: the place that a reason
/// names. By path as records name it; nothing for files that only lose lines.
using AddedLines = std::map<std::string, std::vector<report::SourceLine>, std::less<>>;
AddedLines first_added_lines(std::string_view diff);

GateAnswer scope_answer(const control::ScopeGate&, const DeclaredHere&, const AddedLines&);

/// A gate that could not decide: unverified, GH-GATE-001.
GateAnswer undecided(std::string_view gate, const Error&);

}  // namespace gh::ops
