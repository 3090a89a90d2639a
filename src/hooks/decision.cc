#include "hooks/decision.h"

#include <algorithm>
#include <array>

namespace gh::hooks {
namespace {

using C = Call;
using T = Target;
using enum Outcome;
using policy::HookMode;
using policy::OpaqueShell;
using shell::ShellClass;

bool is_shell(const C& c, ShellClass shell_class) {
  return c.tool_class == ToolClass::shell && c.shell_class == shell_class;
}
bool is_opaque(const C& c, OpaqueShell setting) {
  return is_shell(c, ShellClass::opaque) && c.shell_opaque == setting;
}
bool may_write(const C& c, const T* t) {
  return t != nullptr || c.tool_class == ToolClass::write ||
         (c.tool_class == ToolClass::shell && c.shell_class != ShellClass::read_only);
}

// clang-format off
// table: hook_decisions
constexpr std::array kRows{
    Row{"not_gated",     [](const C& c, const T* t) { return !c.gated || (t != nullptr && t->is_external); }, pass, ""},
    Row{"off",           [](const C& c, const T*)   { return c.mode == HookMode::off; }, pass, ""},
    Row{"reads",         [](const C& c, const T*)   { return c.tool_class == ToolClass::read || c.of_gatehouse; }, pass, ""},
    Row{"unreadable",    [](const C& c, const T* t) { return !c.readable && may_write(c, t); }, deny, "GH-GATE-001"},
    Row{"bypass",        [](const C& c, const T*)   { return c.bypass; }, deny, "GH-BYPASS-001"},
    Row{"protected",     [](const C&,   const T* t) { return t != nullptr && t->is_protected; }, deny, "GH-PROTECT-001"},
    Row{"folder",        [](const C&,   const T* t) { return t != nullptr && t->is_folder; }, pass, ""},
    Row{"queued",        [](const C& c, const T* t) { return t != nullptr && c.require_intent && c.standing == Standing::queued; }, deny, "GH-INTENT-002"},
    Row{"no_intent",     [](const C& c, const T* t) { return t != nullptr && c.require_intent && c.standing == Standing::none; }, deny, "GH-INTENT-001"},
    Row{"in_scope",      [](const C&,   const T* t) { return t != nullptr && t->in_scope; }, pass, ""},
    Row{"held",          [](const C&,   const T* t) { return t != nullptr && t->is_held; }, deny, "GH-INTENT-003"},
    Row{"forbidden",     [](const C& c, const T* t) { return t != nullptr && c.standing == Standing::active && t->is_forbidden; }, deny, "GH-SCOPE-002"},
    Row{"outside",       [](const C& c, const T* t) { return t != nullptr && c.standing == Standing::active; }, deny, "GH-SCOPE-001"},
    Row{"undeclared",    [](const C&,   const T* t) { return t != nullptr; }, pass, ""},
    Row{"read_only",     [](const C& c, const T*)   { return is_shell(c, ShellClass::read_only); }, pass, ""},
    Row{"writes",        [](const C& c, const T*)   { return is_shell(c, ShellClass::writes); }, pass, ""},
    Row{"reconciled",    [](const C& c, const T*)   { return is_opaque(c, OpaqueShell::allow_and_reconcile); }, pass, ""},
    Row{"opaque_asks",   [](const C& c, const T*)   { return is_opaque(c, OpaqueShell::ask) && c.host_asks; }, ask, "GH-GATE-001"},
    Row{"opaque_denied", [](const C& c, const T*)   { return is_shell(c, ShellClass::opaque); }, deny, "GH-GATE-001"},
    Row{"other",         [](const C&,   const T*)   { return true; }, pass, ""},
};
// table: hook_outcomes
constexpr std::array<std::string_view, 3> kOutcomes{"pass", "ask", "deny"};
// clang-format on

}  // namespace

std::string_view to_string(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

std::span<const Row> rows() { return kRows; }

const Row& decide(const Call& call, const Target* target) {
  return *std::ranges::find_if(kRows, [&](const Row& row) { return row.applies(call, target); });
}

const Row& worse(const Row& a, const Row& b) {
  if (a.outcome != b.outcome) return a.outcome > b.outcome ? a : b;
  return &a <= &b ? a : b;
}

}  // namespace gh::hooks
