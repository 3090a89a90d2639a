// A hundred real commands that want one file at the same time (change control reference,
// "Registry"): whatever their order, one of them gets it.
#include "model/peek.h"
#include "tests/change_kit.h"

namespace gh::testing {
namespace {

using ChangeCrowd = ChangeWorld;
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeCrowd,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

constexpr std::size_t kContenders = 100;

/// All of them wait for one lock, and go when it is let go of.
constexpr const char* kScript =
    "exec 9>../gate; flock -x 9\n"
    "for n in $(seq $0); do\n"
    "  (exec 9>&-; flock -s ../gate true; exec gatehouse change start --goal \"by $n\" "
    "--allow docs/guide.md --session s$n --json >../said.$n 2>../err.$n; ) &\n"
    "done\n"
    "flock -u 9\n"
    "wait\n";

TEST_P(ChangeCrowd, OfAHundredStartsOnOneFileExactlyOneIsActive) {
  configure("", "  busy_timeout_ms: 60000\n");  // each waits for all that came before it
  const Ran ran =
      run_program({"/bin/bash", "-c", kScript, std::to_string(kContenders)}, repo.root());
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::vector<std::string> winners;
  std::size_t blocked = 0;
  for (std::size_t n = 1; n <= kContenders; ++n) {
    const std::string file = repo.folder() + "/said." + std::to_string(n);
    const auto said = wire::read_own_json(bytes_of(file), "answer");
    ASSERT_TRUE(said.has_value()) << n << bytes_of(repo.folder() + "/err." + std::to_string(n));
    const Peek answer(*said);
    if (answer["status"].text() == "active") {
      EXPECT_TRUE(answer["edit_allowed"].is_true());
      winners.emplace_back(answer["intent_id"].text());
      continue;
    }
    EXPECT_EQ(answer["status"].text(), "blocked") << n;
    EXPECT_FALSE(answer["edit_allowed"].is_true()) << n;
    EXPECT_FALSE(answer["workspace_registered"].is_true()) << n;
    ++blocked;
  }
  ASSERT_EQ(winners.size(), 1u);
  EXPECT_EQ(blocked, kContenders - 1);
  const Value list = document({"change", "list"}, "looker");
  ASSERT_EQ(Peek(list)["workspace_intents"].list().size(), 1u);
  EXPECT_EQ(Peek(Peek(list)["workspace_intents"].list()[0])["intent_id"].text(), winners[0]);
  EXPECT_EQ(events("intent.declared"), 1u);
  EXPECT_EQ(events("intent.blocked"), kContenders - 1);
  EXPECT_EQ(ask({"audit", "verify"}).code, 0);
}

}  // namespace
}  // namespace gh::testing
