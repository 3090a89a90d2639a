// `hook test`, the write gate by hand: every row of its table, on both ledgers (change control
// reference, "Write gate").
#include <filesystem>

#include "control/intent_record.h"
#include "store/sqlite.h"
#include "tests/change_kit.h"

namespace gh::testing {
namespace {

class WriteGate : public ChangeWorld {
 public:
  struct Answer {
    int exit;
    std::string reason, rule;
    bool operator==(const Answer&) const = default;
  };

 protected:
  Answer test(const Words& paths, const std::string& session = "", Words environment = {}) const {
    Words words{"hook", "test"};
    if (!paths.empty()) words.emplace_back("--path");
    words.insert(words.end(), paths.begin(), paths.end());
    Words shown = words;
    shown.insert(shown.end(), {"--field", "reason"});
    const Ran ran = ask(shown, session, environment);
    words.insert(words.end(), {"--field", "rule_id"});
    const Ran rule = ask(words, session, environment);
    return {ran.code, ran.out.substr(0, ran.out.find('\n')),
            rule.out.substr(0, rule.out.find('\n'))};
  }
  /// The record of an intent as if its owner had last been heard of that long ago.
  void age(const std::string& id, std::int64_t lease, std::int64_t life = 0) const {
    auto ledger =
        GetParam() == BackEnd::sqlite
            ? store::Ledger::open_sqlite(repo.at(".git/gatehouse/ledger.db"), kBusyMs)
            : store::Ledger::open_postgres(postgres_server().url(), root_commit(), kBusyMs);
    ASSERT_TRUE(ledger.has_value()) << ledger.error().message;
    const auto done = (*ledger)->change_intents(
        store::standing_at(sys::real_env().now()), store::Durability::durable,
        [&](store::IntentView& view) -> Result<store::IntentChange> {
          GH_TRY(row, view.find(id));
          GH_TRY(intent, control::from_record(row->payload));
          intent.lease_renewed_at.seconds -= lease;
          intent.declared_at.seconds -= life;
          intent.expires_at.seconds -= life;
          row->payload = control::to_record(intent);
          return store::IntentChange{.put = {*row}, .events = {intent_event("intent.reset")}};
        });
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  std::string id_of(const std::string& session) const {
    return field({"change", "status"}, session, "intent_id");
  }
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, WriteGate,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(WriteGate, AnActiveIntentOfOnesOwnLetsItsFilesBeWritten) {
  EXPECT_EQ(test({"pkg/a.py"}, "A"), (Answer{1, "no_active_intent", "GH-INTENT-001"}));
  EXPECT_EQ(start("A", {"pkg/a.py"}, {"--related", "pkg/b.py", "--forbid", "pkg/c*"}), "active");
  const Answer yes{0, "active_intent", "null"};
  EXPECT_EQ(test({"pkg/a.py"}, "A"), yes);
  EXPECT_EQ(test({"pkg/a.py", "pkg/b.py"}, "A"), yes) << "related files too";
  EXPECT_EQ(test({repo.at("pkg/a.py")}, "A"), yes) << "by its whole name";
  EXPECT_EQ(test({}, "A"), yes) << "anything at all";
  EXPECT_EQ(test({"pkg/a.py", "docs/guide.md"}, "A"),
            (Answer{1, "path_outside_scope", "GH-SCOPE-001"}));
  EXPECT_EQ(test({"pkg"}, "A"), (Answer{1, "path_outside_scope", "GH-SCOPE-001"}))
      << "letter by letter";
  EXPECT_EQ(test({"pkg/core.py"}, "A"), (Answer{1, "path_outside_scope", "GH-SCOPE-002"}))
      << "forbidden";
  EXPECT_EQ(ask({"hook", "test", "--path", "../x"}, "A").code, 2);
  EXPECT_EQ(ask({"hook", "test", "--path", "/etc/passwd"}, "A").code, 2);
}

TEST_P(WriteGate, AQueuedIntentLetsNothingBeWritten) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(start("B", {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
  EXPECT_EQ(test({"pkg/a.py"}, "B"), (Answer{1, "queued_intent_not_editable", "GH-INTENT-002"}));
}

TEST_P(WriteGate, ForeignIntentsCountOnlyForWhoDoesNotKnowItsSession) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const Answer yes{0, "active_intent", "null"}, no{1, "no_active_intent", "GH-INTENT-001"};
  EXPECT_EQ(test({"pkg/a.py"}, "B"), no);
  EXPECT_EQ(test({"pkg/a.py"}), yes);
  EXPECT_EQ(test({"pkg/a.py"}, "", {"GATEHOUSE_SESSION=B"}), no);
  EXPECT_EQ(test({"pkg/a.py"}, "", {"GATEHOUSE_SESSION=A"}), yes);
  for (const char* name :
       {"GATEHOUSE_HOOK_AUTHORIZE_FOREIGN", "CODECLONE_HOOK_AUTHORIZE_FOREIGN"}) {
    EXPECT_EQ(test({"pkg/a.py"}, "", {std::string(name) + "=0"}), no) << name;
    EXPECT_EQ(test({"pkg/a.py"}, "B", {std::string(name) + "=1"}), yes) << name;
    EXPECT_EQ(test({"pkg/a.py"}, "B", {std::string(name) + "=yes"}), yes) << name;
  }
  EXPECT_EQ(test({"pkg/a.py"}, "B",
                 {"GATEHOUSE_HOOK_AUTHORIZE_FOREIGN=no", "CODECLONE_HOOK_AUTHORIZE_FOREIGN=1"}),
            no)
      << "the older name counts when the other is unset";
}

TEST_P(WriteGate, WhatIsStaleDeadOrOverLetsNothingBeWritten) {
  const Answer no{1, "no_active_intent", "GH-INTENT-001"};
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  age(id_of("A"), 400);
  EXPECT_EQ(test({"pkg/a.py"}, "A"), no) << "the lease ran out";
  EXPECT_EQ(test({"pkg/a.py"}), no) << "of somebody else too";
  EXPECT_EQ(ask({"change", "renew"}, "A").code, 0);
  EXPECT_EQ(test({"pkg/a.py"}, "A").exit, 0);
  age(id_of("A"), 2'000);
  EXPECT_EQ(test({"pkg/a.py"}, "A"), no) << "its owner is gone";
  EXPECT_EQ(ask({"change", "renew"}, "A").code, 0);
  const std::string id = id_of("A");
  age(id, 0, 5'000);
  EXPECT_EQ(test({"pkg/a.py"}, "A"), no) << "its life is over";
  EXPECT_EQ(field({"change", "list"}, "B", "workspace_intents"), "[]");
}

TEST_P(WriteGate, AnIntentHoldsInItsOwnTreeAlone) {
  const std::string tree = start("A", {"docs/guide.md"}, {"--worktree"}, "worktree.path");
  EXPECT_EQ(test({"docs/guide.md"}, "A").exit, 1) << "in the main tree it holds nothing";
  const Ran there = gatehouse({"hook", "test", "--path", "docs/guide.md", "--session", "A"}, tree);
  EXPECT_EQ(there.code, 0) << there.out << there.err;
}

TEST_P(WriteGate, ItReadsAndNeverWrites) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const std::string lease =
      field({"change", "list"}, "B", "workspace_intents.0.lease_renewed_at_utc");
  const Ran before = ask({"audit", "export"});
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(test({"pkg/a.py"}, "A").exit, 0);
  EXPECT_EQ(ask({"audit", "export"}).out, before.out);
  EXPECT_EQ(field({"change", "list"}, "B", "workspace_intents.0.lease_renewed_at_utc"), lease);
  GitSandbox fresh;
  fresh.write("a.txt", "one\n");
  fresh.commit("first");
  const Ran nothing = gatehouse({"hook", "test", "--path", "a.txt"}, fresh.root());
  EXPECT_EQ(nothing.code, 1) << nothing.err;
  EXPECT_FALSE(std::filesystem::exists(fresh.at(".git/gatehouse/ledger.db")));
  const Ran outside = gatehouse({"hook", "test", "--path", "a.txt"}, "/");
  EXPECT_EQ(outside.code, 4);
  EXPECT_TRUE(contains(outside.err, "root_not_a_repository")) << outside.err;
}

TEST_P(WriteGate, WhatCannotBeReadLetsNothingBeWritten) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const Answer fault{4, "registry_error", "GH-GATE-001"};
  repo.write("gatehouse.yaml", "change_control:\n  no_such_key: 1\n");
  repo.commit("broken");
  EXPECT_EQ(test({"pkg/a.py"}, "A"), fault) << "the configuration";
  repo.git({"revert", "--no-edit", "HEAD"});
  EXPECT_EQ(test({"pkg/a.py"}, "A").exit, 0);
  if (GetParam() == BackEnd::postgres) {
    repo.write("gatehouse.yaml", "store:\n  url: \"postgresql://127.0.0.1:1/none\"\n");
    repo.commit("elsewhere");
  } else {
    for (const char* rest : {"-wal", "-shm"})
      std::filesystem::remove(repo.at(".git/gatehouse/ledger.db") + rest);
    ASSERT_TRUE(sys::write_file_atomic(repo.at(".git/gatehouse/ledger.db"), "no database at all")
                    .has_value());
  }
  EXPECT_EQ(test({"pkg/a.py"}, "A"), fault) << "the ledger";
}

// A writer that holds the lock keeps a reader of SQLite waiting for a quarter of a second at most.
TEST(WriteGateLock, ALockIsNotWaitedFor) {
  GitSandbox repo;
  repo.write("a.py", "x = 1\n");
  repo.write("gatehouse.yaml", "store:\n  busy_timeout_ms: 60000\n");
  repo.commit("first");
  ASSERT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  ASSERT_EQ(gatehouse({"change", "start", "--goal", "g", "--allow", "a.py", "--session", "A"},
                      repo.root())
                .code,
            0);
  auto door =
      store::connect_sqlite(repo.at(".git/gatehouse/ledger.db"), kBusyMs, store::Access::write);
  ASSERT_TRUE(door.has_value());
  ASSERT_TRUE((*door)->execute("PRAGMA locking_mode=EXCLUSIVE").has_value());
  ASSERT_TRUE((*door)->execute("BEGIN EXCLUSIVE").has_value());
  const std::int64_t began = sys::real_env().monotonic_ms();
  const Ran ran = gatehouse(
      {"hook", "test", "--path", "a.py", "--session", "A", "--field", "reason"}, repo.root());
  const std::int64_t took = sys::real_env().monotonic_ms() - began;
  EXPECT_EQ(ran.code, 4) << ran.out << ran.err;
  EXPECT_EQ(ran.out, "registry_error\n");
  EXPECT_LT(took, 30'000) << "a writer would have waited for a minute";
}

}  // namespace
}  // namespace gh::testing
