#include "hooks/message.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/text.h"

namespace gh::hooks {
namespace {

Intent intent_of_a() {
  Intent out{.id = "intent-14d82d39-001-abcdef", .agent_label = "cli/ann"};
  out.run_id = "14d82d39" + std::string(56, '0');
  out.description = "fix the parser";
  out.scope.allowed_files = {"src/api.c"};
  return out;
}

TEST(HookMessage, EachRuleSaysTheFactTheNextCallAndWhereToRead) {
  const Intent own = intent_of_a();
  const auto told = [&](std::string_view rule) {
    return Told{.rule = rule, .path = "src/db.c", .root = "/r", .session = "s1", .own = &own};
  };
  EXPECT_EQ(
      refusal_message({.rule = "GH-INTENT-001", .path = "src/db.c", .root = "/r", .session = "s1"}),
      "Gatehouse: src/db.c may not be written: this session has declared no change.\n"
      "Next: start_controlled_change {\"analyze\":true,\"intent\":\"what and "
      "why\",\"root\":\"/r\",\"scope\":"
      "{\"allowed_files\":[\"src/db.c\"]}}, or: gatehouse change start --analyze --goal 'what and "
      "why' "
      "--allow src/db.c --session s1\n"
      "More: gatehouse explain GH-INTENT-001");
  Told lapsed = told("GH-INTENT-001");
  lapsed.lapsed = true;
  EXPECT_EQ(refusal_message(lapsed),
            "Gatehouse: src/db.c may not be written: the lease of intent-14d82d39-001-abcdef ran "
            "out.\n"
            "Next: manage_change_intent {\"action\":\"renew\",\"intent_id\":"
            "\"intent-14d82d39-001-abcdef\"}, or: gatehouse change renew "
            "intent-14d82d39-001-abcdef --session s1\n"
            "More: gatehouse explain GH-INTENT-001");
  EXPECT_EQ(refusal_message(told("GH-INTENT-002")),
            "Gatehouse: src/db.c may not be written yet: intent-14d82d39-001-abcdef still waits in "
            "the queue.\n"
            "Next: manage_change_intent {\"action\":\"promote\",\"intent_id\":"
            "\"intent-14d82d39-001-abcdef\"}, or: gatehouse change promote "
            "intent-14d82d39-001-abcdef --session s1\n"
            "More: gatehouse explain GH-INTENT-002");
  Told held = told("GH-INTENT-003");
  held.holder = &own;
  held.holder_age = "12 min";
  EXPECT_EQ(
      refusal_message(held),
      "Gatehouse: src/db.c is held by cli/ann for 12 min (intent-14d82d39-001-abcdef: fix "
      "the parser).\n"
      "Next: start_controlled_change {\"analyze\":true,\"intent\":\"what and "
      "why\",\"on_conflict\":\"queue\","
      "\"root\":\"/r\",\"scope\":{\"allowed_files\":[\"src/db.c\"]}}, or: gatehouse change "
      "start --analyze --goal 'what and why' --allow src/db.c --on-conflict queue --session s1\n"
      "More: gatehouse explain GH-INTENT-003");
  EXPECT_EQ(refusal_message(told("GH-SCOPE-001")),
            "Gatehouse: src/db.c is outside of the declared scope.\n"
            "Next: manage_change_intent {\"action\":\"declare\",\"intent\":\"fix the parser\","
            "\"run_id\":\"14d82d39\",\"scope\":{\"allowed_files\":[\"src/api.c\",\"src/db.c\"]}}, "
            "or: gatehouse change extend --add src/db.c --session s1\n"
            "More: gatehouse explain GH-SCOPE-001");
  EXPECT_EQ(refusal_message(told("GH-SCOPE-002")),
            "Gatehouse: src/db.c is forbidden by the declared scope.\n"
            "Next: leave it alone, or declare the change anew without that pattern: "
            "manage_change_intent {\"action\":\"declare\",\"intent\":\"fix the parser\",\"run_id\":"
            "\"14d82d39\",\"scope\":{\"allowed_files\":[\"src/api.c\",\"src/db.c\"]}}\n"
            "More: gatehouse explain GH-SCOPE-002");
  EXPECT_EQ(refusal_message(told("GH-PROTECT-001")),
            "Gatehouse: src/db.c is protected: it steers git, the gate or the agents.\n"
            "Next: leave it alone and tell the user what you wanted; no intent can open it\n"
            "More: gatehouse explain GH-PROTECT-001");
  EXPECT_TRUE(contains(
      refusal_message({.rule = "GH-BYPASS-001", .words = "gatehouse hook uninstall is for people"}),
      "Next: ask a person to run it\n"));
  EXPECT_EQ(refusal_message({.rule = "GH-BYPASS-001", .words = "git commit --no-verify"}),
            "Gatehouse: The command goes around the gate: git commit --no-verify.\n"
            "Next: run it without that, and mend what the gate objects to\n"
            "More: gatehouse explain GH-BYPASS-001");
  EXPECT_EQ(
      refusal_message({.rule = "GH-GATE-001", .fault = "ledger x: damaged", .mirror = "12 s"}),
      "Gatehouse: The gate cannot decide: ledger x: damaged.\n"
      "Next: gatehouse doctor; until it is mended nothing may be written\n"
      "More: gatehouse explain GH-GATE-001 (registry as it was 12 s ago)");
  EXPECT_EQ(refusal_message({.rule = "GH-GATE-001", .words = "python3"}),
            "Gatehouse: Nobody can tell what this command writes: python3.\n"
            "Next: use the edit tools, or commands that name the files they write\n"
            "More: gatehouse explain GH-GATE-001");
}

TEST(HookMessage, CommandsOfAnotherWorkTreeNameItsFolder) {
  const Intent own = intent_of_a();
  const auto next = [&](std::string_view rule, bool has_own) {
    const std::string text = refusal_message({.rule = rule,
                                              .path = "src/db.c",
                                              .root = "/o t",
                                              .folder = "/o t",
                                              .session = "s1",
                                              .own = has_own ? &own : nullptr});
    return text.substr(text.find(", or: ") + 6, text.rfind('\n') - text.find(", or: ") - 6);
  };
  EXPECT_EQ(next("GH-INTENT-001", false),
            "gatehouse -C '/o t' change start --analyze --goal 'what and why' --allow src/db.c "
            "--session s1");
  EXPECT_EQ(next("GH-INTENT-002", true),
            "gatehouse -C '/o t' change promote intent-14d82d39-001-abcdef --session s1");
  EXPECT_EQ(next("GH-SCOPE-001", true),
            "gatehouse -C '/o t' change extend --add src/db.c --session s1");
  EXPECT_NE(
      refusal_message(
          {.rule = "GH-SCOPE-001", .path = "src/db.c", .root = "/o", .folder = "/o", .own = &own})
          .find("\"root\":\"/o\""),
      std::string::npos);
  const std::string strays = stray_message({.outside = {"a", "b"},
                                            .fresh = {"b"},
                                            .session = "s1",
                                            .folder = "/o",
                                            .rule = "GH-SCOPE-001"});
  EXPECT_NE(strays.find("Next: gatehouse -C /o change extend --add a b --session s1 (then keep it, "
                        "or: git -C /o restore --source HEAD --staged --worktree -- a && rm -- "
                        "/o/b)\n"),
            std::string::npos)
      << strays;
  const std::string open = unfinished_message(own, {"a"}, "s1", "/o");
  EXPECT_NE(open.find(", or: gatehouse -C /o change finish intent-14d82d39-001-abcdef --files a "
                      "--analyze --session s1\n"),
            std::string::npos)
      << open;
}

TEST(HookMessage, IsShortWhateverThePathsAreCalled) {
  Intent own = intent_of_a();
  own.description = std::string(3'000, 'd');
  for (int i = 0; i < 500; ++i)
    own.scope.allowed_files.push_back("folder/" + std::string(200, 'x') + std::to_string(i));
  const std::vector<std::string> many(500, "folder/" + std::string(3'000, 'y'));
  for (const char* rule : {"GH-INTENT-001", "GH-INTENT-002", "GH-INTENT-003", "GH-SCOPE-001",
                           "GH-SCOPE-002", "GH-PROTECT-001", "GH-BYPASS-001", "GH-GATE-001"}) {
    const std::string text = refusal_message({.rule = rule,
                                              .path = std::string(4'000, 'p'),
                                              .root = std::string(4'000, 'r'),
                                              .session = "s",
                                              .words = std::string(4'000, 'w'),
                                              .own = &own,
                                              .holder = &own,
                                              .holder_age = "2 h",
                                              .mirror = "3 min"});
    EXPECT_LE(text.size(), kMaxMessage) << text;
    EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;
  }
  EXPECT_LE(
      stray_message({.outside = many, .external = many, .session = "s", .rule = "GH-SCOPE-001"})
          .size(),
      kMaxMessage);
  EXPECT_LE(unfinished_message(own, many, "s").size(), kMaxMessage);
  std::string wide;
  for (int i = 0; i < 500; ++i)
    wide += "\xF0\x9F\x98\x80";
  const std::string text =
      refusal_message({.rule = "GH-GATE-001", .fault = wide, .mirror = "3 min"});
  EXPECT_LE(text.size(), kMaxMessage);
  EXPECT_LE(stray_message({.outside = {wide, wide, wide, wide}, .rule = "GH-SCOPE-001"}).size(),
            kMaxMessage);
}

TEST(HookMessage, AWordForTheShellIsQuoted) {
  const std::string text = refusal_message(
      {.rule = "GH-INTENT-001", .path = "a b's.c", .root = "/r", .session = "s; rm -rf /"});
  EXPECT_NE(text.find(R"(--allow 'a b'\''s.c' --session 's; rm -rf /')"), text.npos) << text;
}

TEST(HookMessage, StraysAreNamedWithTheWayBack) {
  EXPECT_EQ(stray_message({.outside = {"a.c", "b.c"},
                           .external = {"c.c"},
                           .session = "s1",
                           .rule = "GH-SCOPE-001"}),
            "Gatehouse: the call changed what it may not: a.c, b.c. Changed by somebody else "
            "meanwhile: c.c.\n"
            "Next: gatehouse change extend --add a.c b.c --session s1 (then keep it, or: git "
            "restore --source HEAD --staged --worktree -- a.c b.c)\n"
            "More: gatehouse explain GH-SCOPE-001");
  EXPECT_EQ(
      stray_message(
          {.outside = {"a.c", "b.c"}, .fresh = {"b.c"}, .session = "s1", .rule = "GH-INTENT-001"}),
      "Gatehouse: the call changed what it may not: a.c, b.c.\n"
      "Next: gatehouse change start --analyze --goal 'what and why' --continue-own-wip "
      "--allow a.c b.c --session s1 (then keep it, or: git restore --source HEAD --staged "
      "--worktree -- a.c && rm -- b.c)\n"
      "More: gatehouse explain GH-INTENT-001");
  EXPECT_EQ(stray_message({.outside = {".git/x"}, .fresh = {".git/x"}, .rule = "GH-PROTECT-001"}),
            "Gatehouse: the call changed what it may not: .git/x.\n"
            "Next: tell the user, who may take it back: rm -- .git/x\n"
            "More: gatehouse explain GH-PROTECT-001");
  EXPECT_EQ(unfinished_message(intent_of_a(), {"src/api.c"}, "s1"),
            "Gatehouse: intent-14d82d39-001-abcdef is still open, with one file changed.\n"
            "Next: finish_controlled_change {\"analyze\":true,\"changed_files\":[\"src/api.c\"],"
            "\"intent_id\":\"intent-14d82d39-001-abcdef\"}, or: gatehouse change finish "
            "intent-14d82d39-001-abcdef --files src/api.c --analyze --session s1\n"
            "More: gatehouse help change finish");
}

}  // namespace
}  // namespace gh::hooks
