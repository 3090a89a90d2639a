// The tools release_scan and release_verify, findings of a release report and explain for its
// checks, as a host calls them.
#include <filesystem>
#include <string>

#include "tests/mcp_kit.h"
#include "tests/release_verify_kit.h"

namespace gh::testing {
namespace {

class McpRelease : public VerifiedRepository {
 protected:
  McpRelease() {
    base();
    sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
    head();
  }
};

TEST_F(McpRelease, VerifiesAChangeAndWritesNothing) {
  McpProcess mcp(sandbox_.root());
  (void)mcp.initialize();
  const Value answer = mcp.call(1, "release_verify", R"({"base":"main","head":"HEAD"})");
  const Peek result = Peek(answer)["result"], said = result["structuredContent"];
  EXPECT_FALSE(result["isError"].is_true());
  EXPECT_EQ(said["merge_verdict"].text(), "blocked");
  EXPECT_EQ(said["decision"].text(), "blocked");
  EXPECT_FALSE(said["can_merge_without_human"].is_true());
  EXPECT_FALSE(said["release_decision"]["blockers"].list().empty());
  EXPECT_EQ(said["changed_files"].list().size(), 1u);
  EXPECT_FALSE(said["release_decision"]["contribution_rules"].exists());
  const Peek text(result["content"].list().front());
  EXPECT_TRUE(contains(text["text"].text(), "blocked")) << text["text"].text();
  const std::string bytes = wire::canonical_json(answer);
  EXPECT_LE(bytes.size(), 25'000u);
  EXPECT_FALSE(contains(bytes, sandbox_.root())) << "no absolute path";
  EXPECT_FALSE(std::filesystem::exists(sandbox_.at("agents-shipgate-reports")));
  // The same question on the command line has the same answer.
  (void)verify();
  EXPECT_EQ(verified()["headline"].text(), said["headline"].text());
  EXPECT_EQ(wire::canonical_json(verified()["capability_review"].map()),
            wire::canonical_json(said["capability_review"].map()));
}

TEST_F(McpRelease, ScansAndWritesNothing) {
  sandbox_.write("shipgate.yaml",
                 agent_manifest("orders:read",
                                "risk_overrides:\n  tools:\n    payments.create_refund: "
                                "{tags: [financial_action], reason: moves money}\n"));
  McpProcess mcp(sandbox_.root());
  (void)mcp.initialize();
  const Value answer = mcp.call(1, "release_scan");
  const Peek result = Peek(answer)["result"], said = result["structuredContent"];
  EXPECT_FALSE(result["isError"].is_true()) << wire::canonical_json(answer);
  const std::string bytes = wire::canonical_json(answer);
  EXPECT_LE(bytes.size(), 25'000u);
  EXPECT_FALSE(contains(bytes, sandbox_.root())) << "no absolute path";
  EXPECT_FALSE(std::filesystem::exists(sandbox_.at("agents-shipgate-reports")));
  // The same question on the command line has the same answer.
  const Ran ran = run({"scan", "--config", "shipgate.yaml", "--json"});
  const Value report = *wire::read_json(ran.out, "report");
  EXPECT_EQ(said["release_decision"]["decision"].text(),
            Peek(report)["release_decision"]["decision"].text());
  const auto ids = [](const Peek& document) {
    std::string out;
    for (const Value& finding : document["findings"].list())
      out += std::string(Peek(finding)["fingerprint"].text()) + "\n";
    return out;
  };
  EXPECT_EQ(ids(said), ids(Peek(report)));
  EXPECT_NE(ids(said), "");
  // In pages, and the report that was written now as findings does them.
  const Value first = mcp.call(2, "release_scan", R"({"limit":1})");
  const Peek page = Peek(first)["result"]["structuredContent"];
  EXPECT_EQ(page["findings"].list().size(), 1u);
  EXPECT_FALSE(page["next_cursor"].text().empty()) << wire::canonical_json(first);
  const Value stored = mcp.call(3, "findings", R"({"release":true})");
  EXPECT_EQ(ids(Peek(stored)["result"]["structuredContent"]), ids(Peek(report)))
      << wire::canonical_json(stored);
  const std::string check(Peek(said["findings"].list().front())["check_id"].text());
  const Value explained = mcp.call(4, "explain", R"({"id":")" + check + R"("})");
  EXPECT_EQ(Peek(explained)["result"]["structuredContent"]["kind"].text(), "check")
      << wire::canonical_json(explained);
  const std::string print(Peek(said["findings"].list().front())["fingerprint"].text());
  const Value finding = mcp.call(5, "explain", R"({"id":")" + print + R"("})");
  EXPECT_EQ(Peek(finding)["result"]["structuredContent"]["check_id"].text(), check)
      << wire::canonical_json(finding);
  const Value prompt =
      mcp.ask(6, "prompts/get",
              R"({"name":"explain_finding","arguments":{"fingerprint":")" + print + R"("}})");
  const Value message = Peek(prompt)["result"]["messages"].list().front();
  EXPECT_TRUE(contains(Peek(message)["content"]["text"].text(), "Explain the finding " + print));
  EXPECT_TRUE(contains(Peek(message)["content"]["text"].text(),
                       bytes_of("data/release/explain-finding-to-user.md")))
      << "the same text that init writes";
}

/// Tools read files of the repository that they are asked about, and say of others nothing, not
/// even whether they are there.
TEST_F(McpRelease, NothingOutsideOfTheRepositoryIsRead) {
  namespace fs = std::filesystem;
  const std::string out = sandbox_.folder() + "/foreign";
  fs::create_directories(out);
  fs::copy(sandbox_.at("shipgate.yaml"), out + "/shipgate.yaml");
  (void)run({"scan", "--config", "shipgate.yaml", "--out", out});
  ASSERT_TRUE(fs::exists(out + "/report.json"));
  fs::create_symlink(out + "/shipgate.yaml", sandbox_.at("link.yaml"));
  fs::create_symlink(out + "/nothing.yaml", sandbox_.at("dangling.yaml"));
  fs::create_directory_symlink(out, sandbox_.at("way"));
  McpProcess mcp(sandbox_.root());
  (void)mcp.initialize();
  int id = 0;
  const auto said = [&](const std::string& tool, const std::string& key, const std::string& path) {
    const std::string more = tool == "findings" ? R"("release":true,)" : "";
    const Value answer = mcp.call(++id, tool, "{" + more + "\"" + key + "\":\"" + path + "\"}");
    EXPECT_TRUE(Peek(answer)["result"]["isError"].is_true()) << tool << " " << path;
    std::string text = wire::canonical_json(answer);
    EXPECT_TRUE(contains(text, "is outside of the repository")) << text;
    return text;
  };
  for (const auto& [tool, key, file] : {std::tuple{"release_scan", "config", "shipgate.yaml"},
                                        std::tuple{"release_scan", "baseline", "report.json"},
                                        std::tuple{"release_scan", "diff_from", "report.json"},
                                        std::tuple{"findings", "report", "report.json"},
                                        std::tuple{"release_verify", "config", "shipgate.yaml"}}) {
    const std::string name = file;
    (void)said(tool, key, out + "/" + name);
    (void)said(tool, key, "../foreign/" + name);
    if (std::string_view(tool) != "release_verify") (void)said(tool, key, "way/" + name);
    (void)said(tool, key, out + "/nothing");
  }
  (void)said("release_scan", "config", "link.yaml");
  (void)said("release_scan", "config", "dangling.yaml");
  (void)said("release_scan", "config", out + "/*.yaml");
  // Nor is it where no argument names it.
  fs::remove(sandbox_.at("shipgate.yaml"));
  fs::create_symlink(out + "/shipgate.yaml", sandbox_.at("shipgate.yaml"));
  const Value usual = mcp.call(++id, "release_scan");
  EXPECT_TRUE(Peek(usual)["result"]["isError"].is_true()) << wire::canonical_json(usual);
}

TEST_F(McpRelease, SaysWhatIsMissingAndPreviews) {
  McpProcess mcp(sandbox_.root());
  (void)mcp.initialize();
  const Value gone = mcp.call(1, "release_verify", R"({"base":"origin/gone","head":"HEAD"})");
  const Peek said = Peek(gone)["result"]["structuredContent"];
  EXPECT_EQ(said["merge_verdict"].text(), "unknown");
  EXPECT_EQ(said["first_next_action"]["command"].text(),
            "git fetch origin gone:refs/remotes/origin/gone");
  const Value first = mcp.call(2, "release_verify", R"({"preview":true})");
  EXPECT_EQ(Peek(first)["result"]["structuredContent"]["mode"].text(), "preview");
  const Value wrong = mcp.call(3, "release_verify", R"({"base":"-x","head":"HEAD"})");
  EXPECT_TRUE(Peek(wrong)["result"]["isError"].is_true());
}

TEST_F(McpRelease, ACheckHasTheSurfaceGateToo) {
  McpProcess mcp(sandbox_.root());
  (void)mcp.initialize();
  const Value answer = mcp.call(1, "check", R"({"range":"main..pr","gates":"surface"})");
  const Peek said = Peek(answer)["result"]["structuredContent"];
  EXPECT_EQ(said["decision"].text(), "deny");
  EXPECT_FALSE(Peek(answer)["result"]["isError"].is_true()) << "the tool worked; the answer was no";
}

}  // namespace
}  // namespace gh::testing
