// The tool release_verify, as a host calls it.
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
