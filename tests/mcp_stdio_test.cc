// MCP over standard input and output, through the real program: bytes in, frames out.
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/git_sandbox.h"
#include "tests/mcp_kit.h"
#include "tests/schema_kit.h"

namespace gh {
namespace {

using testing::gatehouse;
using testing::GitSandbox;
using testing::McpProcess;

std::int64_t code(const Value& answer) { return Peek(answer)["error"]["code"].number(); }

class McpStdio : public ::testing::Test {
 protected:
  McpStdio() {
    repo.write("pkg/a.py", "def load(x):\n    return x + 1\n");
    repo.write("notes.txt", "one\n");
    repo.commit("begin");
  }
  GitSandbox repo;
};

TEST_F(McpStdio, AnswersWhatItIsAsked) {
  McpProcess mcp(repo.root());
  const Value hello = mcp.initialize();
  EXPECT_EQ(Peek(hello)["result"]["serverInfo"]["name"].text(), "gatehouse");
  const Value status = mcp.call(1, "status");
  const Peek document = Peek(status)["result"]["structuredContent"];
  EXPECT_EQ(document["schema"].text(), "gatehouse.status/1");
  EXPECT_EQ(document["next"]["tool"].text(), "analyze_repository");
}

TEST_F(McpStdio, ToleratesCarriageReturnsAndBlankLines) {
  McpProcess mcp(repo.root());
  mcp.send_bytes("\n  \r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r\n");
  EXPECT_TRUE(Peek(mcp.answer(1))["result"].exists());
}

TEST_F(McpStdio, GoesOnAfterMalformedFrames) {
  McpProcess mcp(repo.root());
  struct Row {
    std::string_view line;
    std::int64_t code;
  };
  for (const Row& row : {Row{"{", -32700}, Row{"nonsense", -32700}, Row{"{\"a\":\"\xff\"}", -32700},
                         Row{"[]", -32600}, Row{"7", -32600},
                         Row{R"({"jsonrpc":"2.0","id":null,"method":"x"})", -32700},
                         Row{R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", -32600}}) {
    mcp.send(std::string(row.line));
    const Value answer = mcp.next();
    EXPECT_EQ(code(answer), row.code) << row.line;
    EXPECT_FALSE(Peek(answer)["id"].exists()) << row.line;
  }
  EXPECT_TRUE(Peek(mcp.ask(1, "ping"))["result"].exists());
}

TEST_F(McpStdio, TakesBatchesInOneRevisionAlone) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},)"
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"explain","arguments":{"id":"max_files"}}}])";
  McpProcess old(repo.root());
  old.initialize("2025-03-26");
  old.send(batch);
  const Value answers = old.next();
  ASSERT_NE(answers.as_list(), nullptr);
  EXPECT_EQ(answers.as_list()->size(), 2U);
  McpProcess later(repo.root());
  later.initialize("2025-06-18");
  later.send(batch);
  EXPECT_EQ(code(later.next()), -32600);
}

TEST_F(McpStdio, HoldsTenThousandNotifications) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  std::string many;
  for (int i = 0; i < 10'000; ++i)
    many += "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/whatever\",\"params\":{\"n\":1}}\n";
  mcp.send_bytes(many);
  EXPECT_TRUE(Peek(mcp.ask(1, "ping"))["result"].exists());
  EXPECT_TRUE(mcp.others.empty());
}

TEST_F(McpStdio, RefusesALineThatIsTooLongAndEnds) {
  McpProcess mcp(repo.root());
  const std::string chunk(1u << 20, 'x');
  for (int i = 0; i < 17; ++i)
    mcp.send_bytes(chunk);
  const Value answer = mcp.next();
  EXPECT_EQ(code(answer), -32600);
  EXPECT_FALSE(Peek(answer)["id"].exists());
  EXPECT_TRUE(mcp.next().is_null());
  EXPECT_EQ(mcp.wait(), 0);
}

TEST_F(McpStdio, EndsWhenItsHostHangsUp) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  mcp.send(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"analyze_repository","arguments":{}}})");
  mcp.close_input();
  EXPECT_EQ(mcp.wait(), 0);
  EXPECT_LT(mcp.took, std::chrono::seconds(20));
}

TEST_F(McpStdio, EndsInGoodOrderOnSigterm) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  mcp.signal(SIGTERM);
  EXPECT_EQ(mcp.wait(), 0);
}

TEST_F(McpStdio, EndsWhenItsFramesCannotBeWritten) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  mcp.close_output();
  mcp.send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_EQ(mcp.wait(), 0);
}

TEST_F(McpStdio, KeepsWhatOthersPrintOffItsFrames) {
  // Whatever git, a hook or a verify command prints, the stream holds frames: `next` looks at every
  // byte of it.
  repo.write("gatehouse.yaml",
             "patch:\n  verify:\n    - name: noise\n"
             "      argv: [\"sh\", \"-c\", \"echo NOISE; echo NOISE >&2\"]\n      timeout_s: 20\n");
  repo.commit("noisy");
  const std::string hooks = repo.root() + "/.git/hooks/";
  for (const char* name : {"post-checkout", "reference-transaction", "post-index-change"}) {
    std::ofstream(hooks + name) << "#!/bin/sh\necho NOISE\n";
    std::filesystem::permissions(hooks + name, std::filesystem::perms::owner_all);
  }
  McpProcess mcp(repo.root(), {}, {"GIT_TRACE=1", "GIT_TRACE2=1"});
  mcp.initialize();
  mcp.call(1, "analyze_repository");
  const Value start = mcp.call(2, "start_controlled_change",
                               R"({"scope":{"allowed_files":["notes.txt"]},"intent":"two lines"})");
  EXPECT_FALSE(Peek(start)["result"]["isError"].is_true()) << wire::canonical_json(start);
  const Value applied = mcp.call(
      3, "patch_apply",
      R"({"patch":"diff --git a/notes.txt b/notes.txt\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n one\n+two\n"})");
  EXPECT_FALSE(Peek(applied)["result"]["isError"].is_true()) << wire::canonical_json(applied);
  mcp.call(4, "check");
  mcp.close_input();
  EXPECT_TRUE(mcp.next().is_null());
  EXPECT_EQ(mcp.wait(), 0);
}

TEST_F(McpStdio, GivesOldClientsTheDocumentAsText) {
  McpProcess old(repo.root());
  old.initialize("2024-11-05");
  const Value answer = old.call(1, "explain", R"({"id":"max_files"})");
  const Peek result = Peek(answer)["result"];
  EXPECT_FALSE(result["structuredContent"].exists());
  const std::string text{Peek(result["content"].list().front())["text"].text()};
  const auto document = wire::read_json(text, "text");
  ASSERT_TRUE(document);
  EXPECT_EQ(Peek(*document)["schema"].text(), "gatehouse.rule/1");
}

TEST_F(McpStdio, TellsArgumentFaultsToTheModelOrToOldClientsAsErrors) {
  McpProcess now(repo.root());
  now.initialize("2025-11-25");
  const Value told = now.call(1, "findings", R"({"severity":"huge"})");
  EXPECT_TRUE(Peek(told)["result"]["isError"].is_true());
  EXPECT_EQ(Peek(told)["result"]["structuredContent"]["code"].text(), "invalid_choice");
  McpProcess old(repo.root());
  old.initialize("2025-06-18");
  const Value refused = old.call(1, "findings", R"({"severity":"huge"})");
  EXPECT_EQ(code(refused), -32602);
  EXPECT_EQ(Peek(refused)["error"]["data"]["code"].text(), "invalid_choice");
  EXPECT_EQ(code(old.call(2, "nothing")), -32602);
}

// What a tool says of arguments that it could read has its code in every revision.
TEST_F(McpStdio, ContractErrorsOfChangeControlCarryTheirCode) {
  for (const char* revision : {"2025-03-26", "2025-06-18", "2025-11-25"}) {
    McpProcess agent(repo.root());
    agent.initialize(revision);
    const auto told = [&](const char* tool, const char* arguments) {
      const Value answer = agent.call(7, tool, arguments);
      EXPECT_TRUE(Peek(answer)["result"]["isError"].is_true()) << revision << " " << tool;
      const Peek content = Peek(answer)["result"]["content"];
      const std::string text(content.list().empty() ? ""
                                                    : Peek(content.list().front())["text"].text());
      EXPECT_FALSE(contains(text, "--")) << text;
      return text;
    };
    EXPECT_TRUE(contains(
        told("finish_controlled_change", R"({"intent_id":"intent-x","changed_files":["a"]})"),
        "unknown_intent"))
        << revision;
    EXPECT_TRUE(contains(
        told("start_controlled_change", R"({"scope":{"allowed_files":["../x"]},"intent":"x"})"),
        "path_traversal"))
        << revision;
    EXPECT_TRUE(contains(told("manage_change_intent", R"({"action":"get"})"), "no_active_intent"))
        << revision;
  }
}

TEST_F(McpStdio, ArgumentsOfChangeControlHaveTheirOwnCodes) {
  McpProcess agent(repo.root());
  agent.initialize("2025-11-25");
  const char* start = "start_controlled_change";
  const char* kCases[][3] = {
      {start, R"({"scope":"a","intent":"x"})", "scope_invalid"},
      {start, R"({"scope":{"allowed_files":"a"},"intent":"x"})", "scope_invalid"},
      {start, R"({"scope":{"allowed_files":[1]},"intent":"x"})", "scope_invalid"},
      {start, R"({"scope":{"allowed_files":["a"],"allowed_related":"b"},"intent":"x"})",
       "scope_invalid"},
      {start, R"({"scope":{"allowed_files":["a"],"forbidden":"b"},"intent":"x"})", "scope_invalid"},
      {start, R"({"scope":{},"intent":"x"})", "scope_empty"},
      {start, R"({"scope":{"allowed_files":["a"]}})", "intent_text_required"},
      {start, R"({"scope":{"allowed_files":["a"]},"intent":" "})", "intent_text_required"},
      {start, R"({"scope":{"allowed_files":["a"]},"intent":"x","expected_effects":"y"})",
       "expected_effects_invalid"},
      {"validate_review_claims", R"({"text":5})", "text_not_string"},
      {"validate_review_claims", R"({"text":" "})", "text_empty"},
      {"get_blast_radius", R"({"files":5})", "bad_argument"},
  };
  for (const auto& [tool, arguments, code] : kCases) {
    const Value told = agent.call(1, tool, arguments);
    EXPECT_TRUE(Peek(told)["result"]["isError"].is_true()) << arguments;
    EXPECT_EQ(Peek(told)["result"]["structuredContent"]["code"].text(), code) << arguments;
  }
}

TEST_F(McpStdio, NextStepsNameToolsAndNoCommands) {
  GitSandbox fresh;
  fresh.write("pkg/a.py", "x = 1\n");
  fresh.commit("one");
  McpProcess ada(fresh.root()), bob(fresh.root());
  ada.initialize("2025-06-18");
  bob.initialize("2025-06-18");
  const char* start = R"({"scope":{"allowed_files":["pkg/a.py"]},"intent":"x"})";
  const auto step = [](const Value& answer) {
    return std::string(Peek(answer)["result"]["structuredContent"]["next_step"].text());
  };
  EXPECT_EQ(step(ada.call(1, "start_controlled_change", start)),
            "Call analyze_repository, then start again.");
  (void)ada.call(2, "analyze_repository", "{}");
  (void)ada.call(3, "start_controlled_change", start);
  EXPECT_EQ(step(bob.call(4, "start_controlled_change", start)),
            "Another live agent holds part of this scope. Ask the user, narrow the scope, or start "
            "again with on_conflict \"queue\".");
  const Value queued =
      bob.call(5, "start_controlled_change",
               R"({"scope":{"allowed_files":["pkg/a.py"]},"intent":"x","on_conflict":"queue"})");
  EXPECT_TRUE(contains(step(queued), "manage_change_intent with action promote and intent_id "))
      << step(queued);
}

TEST_F(McpStdio, LetsADenyBeAnAnswerExceptWhereItWouldHaveLanded) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  const std::string bad =
      R"({"patch":"diff --git a/notes.txt b/notes.txt\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n none\n+two\n"})";
  const Value checked = mcp.call(1, "patch_check", bad);
  EXPECT_FALSE(Peek(checked)["result"]["isError"].is_true());
  EXPECT_EQ(Peek(checked)["result"]["structuredContent"]["verdict"]["decision"].text(), "deny");
  const Value applied = mcp.call(2, "patch_apply", bad);
  EXPECT_TRUE(Peek(applied)["result"]["isError"].is_true());
}

TEST_F(McpStdio, AnswersConformToTheirSchemas) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  const auto document = [&](std::int64_t id, const std::string& tool,
                            const std::string& arguments = "{}") {
    const Value answer = mcp.call(id, tool, arguments);
    const Value* content = Peek(answer)["result"].map().find("structuredContent");
    return content == nullptr ? std::string("none")
                              : wire::canonical_json(testing::with_decimals(*content));
  };
  EXPECT_EQ(testing::judged("status", document(1, "status")), "");
  const std::string summary = document(2, "analyze_repository");
  EXPECT_EQ(testing::judged("run_summary", summary), "");
  EXPECT_EQ(testing::judged("stored_document", document(3, "report_get", R"({"digest":"latest"})")),
            "");
  EXPECT_EQ(testing::judged("change_start",
                            document(4, "start_controlled_change",
                                     R"({"scope":{"allowed_files":["notes.txt"]},"intent":"x"})")),
            "");
  EXPECT_EQ(
      testing::judged("intent", document(5, "manage_change_intent",
                                         R"({"action":"declare","intent":"y",)"
                                         R"("scope":{"allowed_files":["notes.txt","more.txt"]}})")),
      "");
  EXPECT_EQ(testing::judged("status", document(6, "status")), "");
}

TEST_F(McpStdio, TellsSubscribersWhatOthersDo) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  mcp.call(1, "analyze_repository");
  mcp.ask(2, "resources/subscribe", R"({"uri":"gatehouse://intents"})");
  const auto ran =
      gatehouse({"change", "start", "--goal", "x", "--allow", "notes.txt", "--session", "another"},
                repo.root());
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Value told = mcp.next();
  EXPECT_EQ(Peek(told)["method"].text(), "notifications/resources/updated");
  EXPECT_EQ(Peek(told)["params"]["uri"].text(), "gatehouse://intents");
}

TEST_F(McpStdio, AReceiptThatNobodyHasIsNoResource) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  for (const std::string& name : {std::string("X"), std::string(64, 'a')}) {
    const std::string uri = "gatehouse://receipt/" + name;
    const Value answer = mcp.ask(1, "resources/read", R"({"uri":")" + uri + R"("})");
    EXPECT_EQ(code(answer), -32002) << wire::canonical_json(answer);
    EXPECT_EQ(Peek(answer)["error"]["data"]["uri"].text(), uri);
  }
}

TEST_F(McpStdio, RefusesToApplyAPatchWithoutAnIntent) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  mcp.call(1, "analyze_repository");
  const std::string patch =
      R"({"patch":"diff --git a/notes.txt b/notes.txt\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n one\n+two\n"})";
  const Value refused = mcp.call(2, "patch_apply", patch);
  EXPECT_TRUE(Peek(refused)["result"]["isError"].is_true());
  EXPECT_EQ(Peek(refused)["result"]["structuredContent"]["reason"].text(), "no_active_intent");
  EXPECT_EQ(testing::bytes_of(repo.root() + "/notes.txt"), "one\n");
  mcp.call(3, "start_controlled_change",
           R"({"scope":{"allowed_files":["notes.txt"]},"intent":"x"})");
  const Value applied = mcp.call(4, "patch_apply", patch);
  EXPECT_FALSE(Peek(applied)["result"]["isError"].is_true()) << wire::canonical_json(applied);
  EXPECT_EQ(testing::bytes_of(repo.root() + "/notes.txt"), "one\ntwo\n");
}

/// hooks.require_intent of the last commit decides, not what the work tree says.
TEST_F(McpStdio, AppliesAPatchWithoutAnIntentWhereThePolicyAsksForNone) {
  const std::string patch =
      R"({"patch":"diff --git a/notes.txt b/notes.txt\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n one\n+two\n"})";
  repo.write("gatehouse.yaml", "hooks:\n  require_intent: true\n");
  repo.commit("wanted");
  {
    McpProcess mcp(repo.root());
    mcp.initialize();
    EXPECT_TRUE(Peek(mcp.call(1, "patch_apply", patch))["result"]["isError"].is_true());
  }
  repo.write("gatehouse.yaml", "hooks:\n  require_intent: false\n");
  repo.commit("not wanted");
  McpProcess mcp(repo.root());
  mcp.initialize();
  const Value applied = mcp.call(1, "patch_apply", patch);
  EXPECT_FALSE(Peek(applied)["result"]["isError"].is_true()) << wire::canonical_json(applied);
  EXPECT_EQ(testing::bytes_of(repo.root() + "/notes.txt"), "one\ntwo\n");
}

TEST_F(McpStdio, TakesLinesAsLongAsThePolicySays) {
  repo.write("gatehouse.yaml", "server:\n  stdio_max_line_bytes: 2000\n");
  McpProcess mcp(repo.root());
  mcp.initialize();
  mcp.send(R"({"jsonrpc":"2.0","id":5,"method":"ping","params":{"x":")" + std::string(3'000, 'x') +
           "\"}}");
  const Value refused = mcp.next();
  EXPECT_TRUE(contains(Peek(refused)["error"]["message"].text(), "2000"))
      << wire::canonical_json(refused);
}

TEST_F(McpStdio, MakesTheRunItselfWhenItIsAskedTo) {
  McpProcess mcp(repo.root());
  mcp.initialize();
  const Value none = mcp.call(1, "start_controlled_change",
                              R"({"scope":{"allowed_files":["notes.txt"]},"intent":"x"})");
  EXPECT_EQ(Peek(none)["result"]["structuredContent"]["status"].text(), "needs_analysis");
  const Value started =
      mcp.call(2, "start_controlled_change",
               R"({"analyze":true,"scope":{"allowed_files":["notes.txt"]},"intent":"x"})");
  EXPECT_EQ(Peek(started)["result"]["structuredContent"]["status"].text(), "active")
      << wire::canonical_json(started);
}

/// Both workers analyse; only when those stop is there one for another question. What was stopped
/// is not kept.
TEST_F(McpStdio, AnAnalysisThatIsCancelledReallyStops) {
  std::string source;
  for (int i = 0; i < 100; ++i)
    source += "def f" + std::to_string(i) +
              "(a, b):\n    if a:\n        return b\n    return a + " + std::to_string(i) + "\n\n";
  for (int i = 0; i < 400; ++i)
    repo.write("src/m" + std::to_string(i) + ".py", source + "x = " + std::to_string(i) + "\n");
  repo.commit("much");
  McpProcess mcp(repo.root());
  mcp.initialize();
  for (const char* id : {"10", "11"})
    mcp.send(
        std::string(R"({"jsonrpc":"2.0","id":)") + id +
        R"(,"method":"tools/call","params":{"name":"analyze_repository","arguments":{},"_meta":{"progressToken":"p)" +
        id + R"("}}})");
  std::set<std::string> begun;
  while (begun.size() < 2) {
    const Value frame = mcp.next();
    ASSERT_FALSE(frame.is_null());
    ASSERT_EQ(Peek(frame)["method"].text(), "notifications/progress")
        << wire::canonical_json(frame);
    begun.emplace(Peek(frame)["params"]["progressToken"].text());
  }
  for (const char* id : {"10", "11"})
    mcp.send(std::string(
                 R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)") +
             id + "}}");
  EXPECT_FALSE(Peek(mcp.call(12, "status"))["result"]["isError"].is_true());
  for (const Value& other : mcp.others)
    EXPECT_EQ(Peek(other)["method"].text(), "notifications/progress")
        << wire::canonical_json(other);
  mcp.close_input();
  EXPECT_EQ(mcp.wait(), 0);
  const testing::Ran runs = testing::gatehouse({"runs", "list", "--json"}, repo.root());
  EXPECT_TRUE(contains(runs.out, "\"runs\":[]") || contains(runs.out, "\"runs\": []")) << runs.out;
}

TEST_F(McpStdio, WritesItsLogWhereItIsTold) {
  const std::string log = repo.root() + "/.git/mcp.log";
  McpProcess mcp(repo.root(), {"--log-file", log});
  mcp.initialize();
  mcp.close_input();
  EXPECT_EQ(mcp.wait(), 0);
  EXPECT_TRUE(std::filesystem::exists(log));
}

TEST_F(McpStdio, ServesNoOtherRepositoryThanTheOneItWasGiven) {
  GitSandbox other;
  McpProcess mcp(repo.root(), {"--repo", repo.root()});
  mcp.initialize();
  const Value answer = mcp.call(1, "status", R"({"root":")" + other.root() + "\"}");
  EXPECT_EQ(Peek(answer)["result"]["structuredContent"]["code"].text(), "not_permitted");
  const Value relative = mcp.call(2, "status", R"({"root":"somewhere"})");
  EXPECT_EQ(Peek(relative)["result"]["structuredContent"]["code"].text(), "root_required_absolute");
}

}  // namespace
}  // namespace gh
