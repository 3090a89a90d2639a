// The table "Decision for pre_tool" of interfaces 2.1, typed out again: one block per row of it.
#include "hooks/decision.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gh::hooks {
namespace {

using policy::HookMode;
using policy::OpaqueShell;
using shell::ShellClass;

struct Case {
  std::string_view row, outcome, rule;  // what is expected
  Call call;
  const Target* target = nullptr;
};

constexpr Target kOutside{}, kInScope{.in_scope = true}, kHeld{.is_held = true},
    kOwnAndHeld{.in_scope = true, .is_held = true}, kForbidden{.is_forbidden = true},
    kProtected{.is_protected = true}, kProtectedInScope{.is_protected = true, .in_scope = true},
    kExternal{.is_external = true}, kFolder{.is_folder = true},
    kProtectedFolder{.is_protected = true, .is_folder = true},
    kHeldAndForbidden{.is_held = true, .is_forbidden = true};

Call writing(Standing standing) { return {.tool_class = ToolClass::write, .standing = standing}; }
Call in_shell(ShellClass shell_class, Standing standing = Standing::active) {
  return {.tool_class = ToolClass::shell, .shell_class = shell_class, .standing = standing};
}
template <class Change>
Call but(Call call, Change change) {
  change(call);
  return call;
}

std::vector<Case> cases() {
  const Call nobody = writing(Standing::none), waiting = writing(Standing::queued),
             editor = writing(Standing::active);
  const Call reader = in_shell(ShellClass::read_only), writer = in_shell(ShellClass::writes),
             dark = in_shell(ShellClass::opaque);
  const auto ungated = [](Call& c) { c.gated = false; };
  const auto off = [](Call& c) { c.mode = HookMode::off; };
  const auto blind = [](Call& c) { c.readable = false; };
  const auto around = [](Call& c) { c.bypass = true; };
  const auto free = [](Call& c) { c.require_intent = false; };
  return {
      // Not inside a git work tree with a gatehouse.yaml: pass
      {"not_gated", "pass", "", but(nobody, ungated), &kOutside},
      {"not_gated", "pass", "", but(but(dark, ungated), around)},
      {"not_gated", "pass", "", but(nobody, blind), &kExternal},
      {"not_gated", "pass", "", nobody, &kExternal},
      // hooks.mode: off: pass
      {"off", "pass", "", but(nobody, off), &kProtected},
      {"off", "pass", "", but(but(writer, off), around)},
      // class read, or MCP tool of server gatehouse: pass
      {"reads", "pass", "", but({.tool_class = ToolClass::read}, blind)},
      {"reads", "pass", "", but({.tool_class = ToolClass::mcp, .of_gatehouse = true}, blind)},
      // ledger or policy unreadable (write, or shell not read-only): deny GH-GATE-001
      {"unreadable", "deny", "GH-GATE-001", but(editor, blind), &kInScope},
      {"unreadable", "deny", "GH-GATE-001", but(editor, blind)},
      {"unreadable", "deny", "GH-GATE-001", but(writer, blind)},
      {"unreadable", "deny", "GH-GATE-001", but(dark, blind)},
      {"unreadable", "deny", "GH-GATE-001", but(but(dark, blind), around)},
      {"read_only", "pass", "", but(reader, blind)},
      {"other", "pass", "", but({.tool_class = ToolClass::other}, blind)},
      // shell classified hook_bypass: deny GH-BYPASS-001
      {"bypass", "deny", "GH-BYPASS-001", but(reader, around)},
      {"bypass", "deny", "GH-BYPASS-001", but(writer, around), &kProtected},
      {"bypass", "deny", "GH-BYPASS-001", but(dark, around)},
      // write to a protected path: deny GH-PROTECT-001, no intent can grant it
      {"protected", "deny", "GH-PROTECT-001", nobody, &kProtected},
      {"protected", "deny", "GH-PROTECT-001", editor, &kProtectedInScope},
      {"protected", "deny", "GH-PROTECT-001", editor, &kProtectedFolder},
      {"protected", "deny", "GH-PROTECT-001", but(nobody, free), &kProtected},
      // git keeps no folders: making one is no change
      {"folder", "pass", "", nobody, &kFolder},
      // write, no active intent for this session, hooks.require_intent: deny GH-INTENT-001, or
      // GH-INTENT-002 when queued
      {"no_intent", "deny", "GH-INTENT-001", nobody, &kOutside},
      {"no_intent", "deny", "GH-INTENT-001", nobody, &kHeld},
      {"no_intent", "deny", "GH-INTENT-001", in_shell(ShellClass::writes, Standing::none),
       &kOutside},
      {"queued", "deny", "GH-INTENT-002", waiting, &kOutside},
      // write, target in scope of own intent: pass
      {"in_scope", "pass", "", editor, &kInScope},
      {"in_scope", "pass", "", editor, &kOwnAndHeld},
      {"in_scope", "pass", "", writer, &kInScope},
      // write, target held by a live foreign intent: deny GH-INTENT-003
      {"held", "deny", "GH-INTENT-003", editor, &kHeld},
      {"held", "deny", "GH-INTENT-003", editor, &kHeldAndForbidden},
      {"held", "deny", "GH-INTENT-003", but(nobody, free), &kHeld},
      {"held", "deny", "GH-INTENT-003", but(waiting, free), &kHeld},
      // write, target outside scope (EXACT) or GLOB-forbidden: deny GH-SCOPE-001 / GH-SCOPE-002
      {"outside", "deny", "GH-SCOPE-001", editor, &kOutside},
      {"outside", "deny", "GH-SCOPE-001", but(editor, free), &kOutside},
      {"forbidden", "deny", "GH-SCOPE-002", editor, &kForbidden},
      // nothing was declared, and nothing need be
      {"undeclared", "pass", "", but(nobody, free), &kOutside},
      {"undeclared", "pass", "", but(waiting, free), &kForbidden},
      // shell classified read_only: pass
      {"read_only", "pass", "", reader},
      {"read_only", "pass", "", in_shell(ShellClass::read_only, Standing::none)},
      // shell classified writes(paths): each path as above
      {"writes", "pass", "", writer},
      {"outside", "deny", "GH-SCOPE-001", writer, &kOutside},
      {"protected", "deny", "GH-PROTECT-001", writer, &kProtected},
      // shell classified opaque: allow_and_reconcile (default), deny, ask (deny where nobody asks)
      {"reconciled", "pass", "", dark},
      {"reconciled", "pass", "", in_shell(ShellClass::opaque, Standing::none)},
      {"opaque_denied", "deny", "GH-GATE-001",
       but(dark, [](Call& c) { c.shell_opaque = OpaqueShell::deny; })},
      {"opaque_asks", "ask", "GH-GATE-001",
       but(dark, [](Call& c) { c.shell_opaque = OpaqueShell::ask; })},
      {"opaque_denied", "deny", "GH-GATE-001",
       but(dark,
           [](Call& c) {
             c.shell_opaque = OpaqueShell::ask;
             c.host_asks = false;
           })},
      {"protected", "deny", "GH-PROTECT-001", dark, &kProtected},
      // what names no file and is no shell
      {"other", "pass", "", {.tool_class = ToolClass::other}},
      {"other", "pass", "", {.tool_class = ToolClass::mcp}},
  };
}

TEST(HookDecision, EveryRowOfTheDocumentHolds) {
  std::size_t n = 0;
  for (const Case& c : cases()) {
    SCOPED_TRACE("case " + std::to_string(n++) + " " + std::string(c.row));
    const Row& row = decide(c.call, c.target);
    EXPECT_EQ(row.name, c.row);
    EXPECT_EQ(to_string(row.outcome), c.outcome);
    EXPECT_EQ(row.rule, c.rule);
  }
}

TEST(HookDecision, EveryRowIsReached) {
  std::vector<std::string_view> reached;
  for (const Case& c : cases())
    reached.push_back(c.row);
  for (const Row& row : rows())
    EXPECT_NE(std::ranges::find(reached, row.name), reached.end()) << row.name;
  EXPECT_EQ(rows().size(), 20u);
}

TEST(HookDecision, OfSeveralRowsTheWorstIsTold) {
  const Call editor = writing(Standing::active);
  const Row &pass = decide(editor, &kInScope), &scope = decide(editor, &kOutside),
            &protected_row = decide(editor, &kProtected);
  const Row& asks = decide({.tool_class = ToolClass::shell,
                            .shell_class = ShellClass::opaque,
                            .shell_opaque = OpaqueShell::ask},
                           nullptr);
  EXPECT_EQ(worse(pass, scope).name, "outside");
  EXPECT_EQ(worse(scope, pass).name, "outside");
  EXPECT_EQ(worse(scope, protected_row).name, "protected");
  EXPECT_EQ(worse(asks, pass).name, "opaque_asks");
  EXPECT_EQ(worse(asks, scope).name, "outside");
}

}  // namespace
}  // namespace gh::hooks
