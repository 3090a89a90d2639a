// `analyze` with nothing changed answers from what it remembers, and never when anything did change
// (docs/reference/analysis.md, "Cache").
#include <sys/inotify.h>
#include <unistd.h>

#include "ops/analysis_ops.h"
#include "ops/operation.h"
#include "report/look.h"
#include "tests/later_env.h"
#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

/// Sees whether a file is opened.
class Watched {
 public:
  explicit Watched(const std::string& path) : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(::inotify_add_watch(fd_, path.c_str(), IN_OPEN), 0) << path;
  }
  ~Watched() { ::close(fd_); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  bool was_opened() const {
    alignas(inotify_event) char event[4096];
    return ::read(fd_, event, sizeof event) > 0;
  }

 private:
  int fd_;
};

using Options = std::map<std::string, std::vector<std::string>, std::less<>>;

struct RememberedAnswers : ::testing::Test {
  RememberedAnswers() {
    world.repo.write("pkg/a.py", python_copy("one"));
    first = said({});
  }
  /// What `analyze` says to a person.
  std::string said(Options options) {
    auto request = ops::Request::make(*ops::find_operation("analyze"),
                                      {.options = std::move(options), .operands = {}});
    EXPECT_TRUE(request) << request.error().message;
    ops::Context context{.env = env,
                         .cwd = world.repo.root(),
                         .read_input = {},
                         .stream = {},
                         .progress = [](std::string_view) {},
                         .notice = {},
                         .interrupted = {}};
    auto reply = ops::analyze(*request, context);
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? reply->text(report::Look{}) : std::string();
  }
  /// Does the same question open a file of the sources?
  bool reads_sources() {
    const Watched source(world.repo.at("pkg/core.py"));
    EXPECT_EQ(said({}), first);
    return source.was_opened();
  }
  LaterEnv env{};
  RunsWorld world{};
  std::string first;
};

TEST_F(RememberedAnswers, NothingChangedIsTheSameAnswerWithoutReading) {
  EXPECT_EQ(said({}), first);
  EXPECT_FALSE(reads_sources());
  EXPECT_NE(said({{"min-stmt", {"50"}}}), first);
  EXPECT_EQ(said({}), first);
}

TEST_F(RememberedAnswers, AFileThatIsWatchedIsSeenToBeRead) {
  const Watched source(world.repo.at("pkg/core.py"));
  EXPECT_NE(world.run_id({"--rev", "HEAD"}), "");
  EXPECT_FALSE(source.was_opened());
  world.repo.write("pkg/a.py", python_copy("two"));
  std::filesystem::remove_all(world.repo.at(".git/gatehouse/cache"));
  EXPECT_NE(said({}), first);
  EXPECT_TRUE(source.was_opened());
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

/// Another time, and not another byte.
void touch_all(const GitSandbox& repo) {
  const auto now = std::filesystem::file_time_type::clock::now();
  for (const char* path : {"pkg/__init__.py", "pkg/core.py", "pkg/use.py", "pkg/a.py", "app.py"})
    std::filesystem::last_write_time(repo.at(path), now - std::chrono::seconds(9));
}

TEST_F(RememberedAnswers, FilesThatWereOnlyTouchedAreReadOnceMoreAndNotAgain) {
  touch_all(world.repo);
  EXPECT_TRUE(reads_sources()) << "nobody can know that they are the same";
  EXPECT_FALSE(reads_sources());
  EXPECT_FALSE(reads_sources());
}

TEST_F(RememberedAnswers, ARunOfItsOwnLearnsThatFilesWereOnlyTouched) {
  touch_all(world.repo);
  EXPECT_NE(said({{"min-stmt", {"50"}}}), first);
  EXPECT_FALSE(reads_sources());
}

TEST_F(RememberedAnswers, ARunToldFromAnotherLearnsThatFilesWereOnlyTouched) {
  touch_all(world.repo);
  world.repo.write("pkg/a.py", python_copy("two"));
  EXPECT_NE(said({}), first);
  world.repo.write("pkg/a.py", python_copy("one"));
  EXPECT_FALSE(reads_sources());
}

TEST_F(RememberedAnswers, AGateIsNeverAnsweredFromMemory) {
  EXPECT_EQ(world.ask({"analyze", "--fail-complexity", "50"}).code, 0);
  EXPECT_EQ(world.ask({"analyze", "--fail-complexity", "1"}).code, 1);
  EXPECT_EQ(world.ask({"analyze", "--fail-on-new-security-surface", "process_boundary"}).code, 0);
}

TEST_F(RememberedAnswers, TheRunIsTheLatestAgainAndAForgottenLedgerIsFilledAgain) {
  const std::string id = world.field({"runs", "list"}, "runs.0.run_id");
  EXPECT_NE(said({{"min-stmt", {"50"}}}), first);
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
