// `analyze` with nothing changed answers from what it remembers, and never when anything did change
// (docs/reference/analysis.md, "Cache").
#include <chrono>
#include <thread>

#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

struct RememberedAnswers : ::testing::Test {
  RememberedAnswers() {
    world.repo.write("pkg/a.py", python_copy("one"));
    // Files that changed just now are read again; these are two seconds old.
    std::this_thread::sleep_for(std::chrono::milliseconds(3100));
    first = said({});
  }
  std::string said(std::vector<std::string> more) const {
    more.insert(more.begin(), "analyze");
    const Ran ran = world.ask(std::move(more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  }
  /// Does the program open a file of the sources?
  bool reads_sources() const {
    const std::string trace = world.repo.at(".git/trace");
    const Ran ran = run_program({"/usr/bin/strace", "-f", "-o", trace, "-e", "trace=openat,open",
                                 gatehouse_path(), "analyze"},
                                world.repo.root());
    EXPECT_EQ(ran.out, first);
    return contains(bytes_of(trace), "core.py");
  }
  RunsWorld world{};
  std::string first;
};

TEST_F(RememberedAnswers, NothingChangedIsTheSameAnswerWithoutReading) {
  EXPECT_EQ(said({}), first);
  EXPECT_FALSE(reads_sources());
  EXPECT_NE(said({"--min-stmt", "50"}), first);
  EXPECT_EQ(said({}), first);
}

TEST_F(RememberedAnswers, AnythingThatChangedMakesAnotherOne) {
  const std::string path = world.repo.at("pkg/a.py");
  const auto before = std::filesystem::last_write_time(path);
  std::string bytes = bytes_of(path);
  bytes.replace(bytes.find("h0(a)"), 5, "k0(a)");  // as long as it was
  world.repo.write("pkg/a.py", bytes);
  std::filesystem::last_write_time(path, before);  // and as old
  EXPECT_NE(said({}), first);
  world.repo.write("gatehouse.yaml", "analysis:\n  exclude: [pkg/a.py]\n");
  EXPECT_FALSE(contains(said({}), "pkg.a:one"));
  std::filesystem::remove(world.repo.at("gatehouse.yaml"));
  std::filesystem::remove(path);
  EXPECT_NE(said({}), first);
}

TEST_F(RememberedAnswers, AGateIsNeverAnsweredFromMemory) {
  EXPECT_EQ(world.ask({"analyze", "--fail-complexity", "50"}).code, 0);
  EXPECT_EQ(world.ask({"analyze", "--fail-complexity", "1"}).code, 1);
  EXPECT_EQ(world.ask({"analyze", "--fail-on-new-security-surface", "process_boundary"}).code, 0);
}

TEST_F(RememberedAnswers, TheRunIsTheLatestAgainAndAForgottenLedgerIsFilledAgain) {
  const std::string id = world.field({"runs", "list"}, "runs.0.run_id");
  (void)world.run_id({"--min-stmt", "50"});
  EXPECT_NE(world.field({"runs", "list"}, "runs.0.run_id"), id);
  EXPECT_EQ(said({}), first);
  EXPECT_EQ(world.field({"runs", "list"}, "runs.0.run_id"), id);
  for (const char* end : {"", "-wal", "-shm"})
    std::filesystem::remove(world.repo.at(std::string(".git/gatehouse/ledger.db") + end));
  EXPECT_EQ(said({}), first);
  EXPECT_EQ(world.field({"runs", "list"}, "runs.0.run_id"), id);
}

}  // namespace
}  // namespace gh::testing
