// An agent over MCP keeps its repository and its ledger open between calls (ops/session_keeper.h).
// What it keeps must be what everybody else would open.
#include <filesystem>

#include "tests/change_kit.h"
#include "tests/mcp_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class KeptSession : public ChangeWorld {
 protected:
  KeptSession() : agent(repo.root()) {
    agent.initialize();
    const Value started = told("start_controlled_change",
                               R"({"scope":{"allowed_files":["pkg/a.py"]},"intent":"less"})");
    EXPECT_EQ(Peek(started)["status"].text(), "active") << wire::canonical_json(started);
    EXPECT_EQ(renewed(90), "90") << "the session is open, and kept";
  }
  Value told(const std::string& tool, const std::string& arguments) {
    const Value answer = agent.call(++calls, tool, arguments);
    return Value(Peek(answer)["result"]["structuredContent"].map());
  }
  /// What the agent is told of a renewal: the seconds of the lease, or the code of an error.
  std::string renewed(int seconds) {
    const Value answer = told("manage_change_intent", R"({"action":"renew","lease_seconds":)" +
                                                          std::to_string(seconds) + "}");
    const std::string code(Peek(answer)["code"].text());
    return code.empty() ? std::to_string(Peek(answer)["lease_seconds"].number()) : code;
  }
  /// What somebody else sees of the one intent there is.
  std::string lease_seconds() const {
    return field({"change", "list"}, "B", "workspace_intents.0.lease_seconds");
  }

  McpProcess agent;
  int calls = 0;
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, KeptSession,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

class KeptLedgerFile : public KeptSession {};
INSTANTIATE_TEST_SUITE_P(Ledger, KeptLedgerFile, ::testing::Values(BackEnd::sqlite), name_of);

TEST_P(KeptLedgerFile, ALedgerThatWasPutInItsPlaceIsTheOneThatIsWritten) {
  must({"db", "backup", repo.folder() + "/copy.db"});
  const std::string ledger = repo.at(".git/gatehouse/ledger.db");
  for (const char* end : {"", "-wal", "-shm"})
    fs::remove(ledger + end);
  fs::rename(repo.folder() + "/copy.db", ledger);
  EXPECT_EQ(lease_seconds(), "90");
  EXPECT_EQ(renewed(120), "120");
  EXPECT_EQ(lease_seconds(), "120") << "it was written where nobody reads";
}

TEST_P(KeptSession, ALedgerThatIsConfiguredElsewhereIsTheOneThatIsAsked) {
  // The other kind, where this intent was never heard of.
  repo.write("gatehouse.yaml", GetParam() == BackEnd::postgres
                                   ? "patch:\n  max_files: 50\n"
                                   : "store:\n  url: \"" + postgres_server().url() + "\"\n");
  repo.commit("another ledger");
  EXPECT_EQ(renewed(120), "no_active_intent");
}

TEST_P(KeptSession, APolicyThatIsCommittedMeanwhileHolds) {
  repo.write("gatehouse.yaml", "store: {urk: x}\n");
  repo.commit("a fault");
  EXPECT_EQ(renewed(120), "registry_config_invalid");
  configure("");
  EXPECT_EQ(renewed(120), "120");
  repo.git({"checkout", "-q", "-b", "side"});
  repo.write("gatehouse.yaml", "change_control: {conflict_matching: odd}\n");
  repo.commit("a fault on another branch");
  EXPECT_EQ(renewed(121), "policy_bad_value");
  repo.git({"checkout", "-q", "main"});
  EXPECT_EQ(renewed(122), "122");
  repo.git({"pack-refs", "--all"});
  EXPECT_EQ(renewed(123), "123");
  EXPECT_EQ(lease_seconds(), "123");
}

}  // namespace
}  // namespace gh::testing
