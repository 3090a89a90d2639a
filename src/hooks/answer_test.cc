// The table "Outputs" of interfaces 2.1, byte for byte.
#include "hooks/answer.h"

#include <gtest/gtest.h>

namespace gh::hooks {
namespace {

struct Case {
  Host host;
  std::string_view event;
  Saying saying;
  std::string_view out;  // empty: on standard error
};

// clang-format off
constexpr Case kCases[] = {
    {Host::claude, "PreToolUse", Saying::deny, R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}})"},
    {Host::claude, "PreToolUse", Saying::ask, R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}})"},
    {Host::claude, "PreToolUse", Saying::advise, R"({"hookSpecificOutput":{"additionalContext":"why","hookEventName":"PreToolUse"}})"},
    {Host::claude, "PostToolUse", Saying::context, R"({"hookSpecificOutput":{"additionalContext":"why","hookEventName":"PostToolUse"}})"},
    {Host::claude, "PostToolUse", Saying::object, R"({"decision":"block","reason":"why"})"},
    {Host::claude, "Stop", Saying::go_on, R"({"decision":"block","reason":"why"})"},
    {Host::claude, "SubagentStop", Saying::go_on, R"({"decision":"block","reason":"why"})"},
    {Host::codex, "PreToolUse", Saying::deny, R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}})"},
    {Host::codex, "PreToolUse", Saying::ask, R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}})"},
    {Host::codex, "PreToolUse", Saying::advise, ""},
    {Host::codex, "PostToolUse", Saying::context, R"({"hookSpecificOutput":{"additionalContext":"why","hookEventName":"PostToolUse"}})"},
    {Host::codex, "PostToolUse", Saying::object, R"({"decision":"block","reason":"why"})"},
    {Host::codex, "Stop", Saying::go_on, R"({"decision":"block","reason":"why"})"},
    {Host::cursor, "preToolUse", Saying::deny, R"({"agent_message":"why","permission":"deny","user_message":"why"})"},
    {Host::cursor, "beforeShellExecution", Saying::deny, R"({"agent_message":"why","permission":"deny","user_message":"why"})"},
    {Host::cursor, "beforeShellExecution", Saying::ask, R"({"agent_message":"why","permission":"ask","user_message":"why"})"},
    {Host::cursor, "preToolUse", Saying::advise, R"({"agent_message":"why","permission":"allow"})"},
    {Host::cursor, "postToolUse", Saying::context, R"({"additional_context":"why"})"},
    {Host::cursor, "postToolUse", Saying::object, R"({"additional_context":"why"})"},
    {Host::cursor, "afterFileEdit", Saying::context, ""},
    {Host::cursor, "stop", Saying::go_on, R"({"followup_message":"why"})"},
    {Host::vscode, "PreToolUse", Saying::deny, R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}})"},
    {Host::vscode, "PreToolUse", Saying::ask, R"({"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}})"},
    {Host::vscode, "PreToolUse", Saying::advise, R"({"hookSpecificOutput":{"additionalContext":"why","hookEventName":"PreToolUse"}})"},
    {Host::vscode, "PostToolUse", Saying::context, R"({"hookSpecificOutput":{"additionalContext":"why","hookEventName":"PostToolUse"}})"},
    {Host::vscode, "PostToolUse", Saying::object, R"({"decision":"block","reason":"why"})"},
    {Host::vscode, "Stop", Saying::go_on, R"({"decision":"block","reason":"why"})"},
    {Host::gemini, "BeforeTool", Saying::deny, R"({"decision":"deny","reason":"why"})"},
    {Host::gemini, "BeforeTool", Saying::ask, R"({"decision":"deny","reason":"why"})"},
    {Host::gemini, "BeforeTool", Saying::advise, ""},
    {Host::gemini, "AfterTool", Saying::context, R"({"hookSpecificOutput":{"additionalContext":"why"}})"},
    {Host::gemini, "AfterTool", Saying::object, R"({"hookSpecificOutput":{"additionalContext":"why"}})"},
    {Host::gemini, "AfterAgent", Saying::go_on, R"({"decision":"deny","reason":"why"})"},
};
// clang-format on

TEST(HookAnswer, EveryHostIsToldInItsOwnForm) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(to_string(c.host)) + " " + std::string(c.event) + " " +
                 std::to_string(static_cast<int>(c.saying)));
    const Answer answer = render(c.host, c.event, c.saying, "why");
    EXPECT_EQ(answer.exit, 0);
    EXPECT_EQ(answer.out, c.out.empty() ? "" : std::string(c.out) + "\n");
    EXPECT_EQ(answer.err, c.out.empty() ? "why\n" : "");
  }
}

TEST(HookAnswer, WhereNothingCanBeSaidTheStatusIsTwo) {
  EXPECT_EQ(block("why"), (Answer{"", "why\n", 2}));
}

TEST(HookAnswer, OnlySomeHostsCanAskAPerson) {
  EXPECT_TRUE(can_ask(Host::claude));
  EXPECT_TRUE(can_ask(Host::cursor));
  EXPECT_TRUE(can_ask(Host::vscode));
  EXPECT_FALSE(can_ask(Host::codex));
  EXPECT_FALSE(can_ask(Host::gemini));
}

TEST(HookAnswer, ACallThatFailedIsToldOfInWordsAlone) {
  EXPECT_EQ(render(Host::claude, "PostToolUseFailure", Saying::object, "x").out,
            "{\"hookSpecificOutput\":{\"additionalContext\":\"x\",\"hookEventName\":"
            "\"PostToolUseFailure\"}}\n");
  EXPECT_EQ(render(Host::claude, "PostToolUse", Saying::object, "x").out,
            "{\"decision\":\"block\",\"reason\":\"x\"}\n");
}

}  // namespace
}  // namespace gh::hooks
