#pragma once
// May this step of an agent happen? The table of docs/hooks.md, "Before a tool runs": facts in, the
// first row that applies out. Nothing here reads a file, a clock or the registry.
#include <cstdint>
#include <span>
#include <string_view>

#include "hooks/event.h"
#include "policy/hook_policy.h"
#include "shell/classify.h"

namespace gh::hooks {

/// What the session that asks has declared in this tree.
enum class Standing : std::uint8_t { none, queued, active };

/// The step as a whole.
struct Call {
  bool gated = true;  // inside of a work tree with a gatehouse.yaml
  policy::HookMode mode = policy::HookMode::enforce;
  ToolClass tool_class = ToolClass::other;
  bool of_gatehouse = false;                                     // a tool of our own MCP server
  bool readable = true;                                          // the ledger and the policy
  shell::ShellClass shell_class = shell::ShellClass::read_only;  // of a shell tool
  bool bypass = false;                                           // of a shell tool
  bool require_intent = true;
  policy::OpaqueShell shell_opaque = policy::OpaqueShell::allow_and_reconcile;
  bool host_asks = true;  // the host has a third answer
  Standing standing = Standing::none;
};

/// One path that is written, by a tool or as a command says.
struct Target {
  bool is_external = false;  // in no work tree with a gate
  bool is_protected = false;
  bool is_folder = false;  // only a folder is made, and git keeps none
  bool in_scope = false;   // of an intent of this session, and not forbidden
  bool is_held = false;    // by somebody else who lives
  bool is_forbidden = false;
};

enum class Outcome : std::uint8_t { pass, ask, deny };
std::string_view to_string(Outcome);

struct Row {
  std::string_view name;
  bool (*applies)(const Call&, const Target*);  // null: the call as a whole
  Outcome outcome;
  std::string_view rule;  // of a refusal
};
std::span<const Row> rows();

/// The first row that applies. With a target: is it written? Without: is anything else said of the
/// call?
const Row& decide(const Call&, const Target*);

/// Of several rows the one that the answer is made from: no before perhaps before yes, then the
/// earlier one.
const Row& worse(const Row&, const Row&);

}  // namespace gh::hooks
