#include "sys/process.h"

#include <chrono>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/files.h"

namespace gh::sys {
namespace {

using std::chrono::milliseconds;

Command shell(std::string script) {
  return {.argv = {"/bin/sh", "-c", std::move(script)},
          .environment = {"PATH=/usr/bin:/bin"},
          .cwd = "/"};
}

TEST(Process, GivesExitCodeAndBothStreams) {
  const auto done = run(shell("echo out; echo err >&2; exit 7"));
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_code, 7);
  EXPECT_EQ(done->out, "out\n");
  EXPECT_EQ(done->err, "err\n");
  EXPECT_FALSE(done->timed_out);
  EXPECT_FALSE(done->output_cut);
}

TEST(Process, PassesExactlyTheGivenEnvironment) {
  auto command = shell("");
  command.argv = {"/usr/bin/env"};
  command.environment = {"ONE=1", "TWO=with space"};
  const auto done = run(command);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out, "ONE=1\nTWO=with space\n");
}

TEST(Process, RunsInTheGivenFolder) {
  auto command = shell("pwd");
  command.cwd = "/usr";
  EXPECT_EQ(run(command)->out, "/usr\n");
}

TEST(Process, FeedsMoreInputThanAPipeHoldsWhileDrainingOutput) {
  const std::string input(4u << 20, 'x');
  auto command = shell("");
  command.argv = {"/bin/cat"};
  command.input = input;
  command.max_output = 8u << 20;
  const auto done = run(command);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out, input);
}

TEST(Process, SurvivesAChildThatDoesNotReadItsInput) {
  const std::string input(4u << 20, 'x');
  auto command = shell("exec 0<&-; echo done");
  command.input = input;
  const auto done = run(command);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_code, 0);
  EXPECT_EQ(done->out, "done\n");
}

TEST(Process, KeepsTheLimitOfEachStreamAndReadsTheRest) {
  auto command = shell("head -c 300000 /dev/zero; head -c 10 /dev/zero >&2; exit 3");
  command.max_output = 1000;
  const auto done = run(command);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_code, 3);
  EXPECT_EQ(done->out.size(), 1000u);
  EXPECT_EQ(done->err.size(), 10u);
  EXPECT_TRUE(done->output_cut);
}

TEST(Process, KillsTheWholeGroupWhenTimeIsUp) {
  auto command = shell("sleep 600 & echo $!; wait");
  command.timeout = milliseconds{300};
  const auto done = run(command);
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->timed_out);
  EXPECT_EQ(done->exit_code, 128 + SIGKILL);
  const std::string grandchild = done->out.substr(0, done->out.find('\n'));
  ASSERT_FALSE(grandchild.empty());
  // Killed: gone, or a zombie that nobody has reaped yet. On a busy machine the kernel takes a
  // moment.
  const auto dead = [&] {
    const auto status = read_file("/proc/" + grandchild + "/stat", 4096);
    return !status || contains(*status, ") Z") || contains(*status, ") X");
  };
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!dead() && std::chrono::steady_clock::now() < give_up)
    std::this_thread::yield();
  EXPECT_TRUE(dead());
}

TEST(Process, DoesNotWaitForAGrandchildThatOutlivesTheChild) {
  auto command = shell("sleep 600 & echo $!; exit 5");
  command.timeout = milliseconds{60'000};
  const auto done = run(command);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->exit_code, 5);
  EXPECT_FALSE(done->timed_out);
  EXPECT_LT(done->duration, milliseconds{30'000});
}

TEST(Process, ReportsDeathBySignal) {
  EXPECT_EQ(run(shell("kill -TERM $$"))->exit_code, 128 + SIGTERM);
}

TEST(Process, NamesAProgramThatCannotBeStarted) {
  auto command = shell("");
  command.argv = {"/nonexistent/program"};
  const auto done = run(command);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::io_error);
  EXPECT_TRUE(contains(done.error().message, "/nonexistent/program"));
  EXPECT_TRUE(contains(done.error().message, "No such file or directory"));
}

TEST(Process, NamesAFolderThatDoesNotExist) {
  auto command = shell("true");
  command.cwd = "/nonexistent";
  const auto done = run(command);
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().message, "/nonexistent"));
}

TEST(Process, GivesTheChildDefaultSignalsAndAnEmptyMask) {
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
  const auto killed = run(shell("kill -PIPE $$; echo alive"));
  sigaction(SIGPIPE, &before, nullptr);
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->exit_code, 128 + SIGPIPE);
  EXPECT_EQ(run(shell("grep ^SigBlk /proc/self/status"))->out, "SigBlk:\t0000000000000000\n");
}

TEST(Process, LeaksNoDescriptorIntoTheChild) {
  const Fd open_without_cloexec(::open("/dev/null", O_RDONLY));
  EXPECT_EQ(run(shell("ls /proc/self/fd | wc -l"))->out, "4\n");  // 0, 1, 2 and the folder itself
}

TEST(Process, RunsTwoChildrenAtTheSameTime) {
  // The first child ends only after the second, started later, has written into the FIFO.
  const auto folder = TempDir::create("/tmp", "gh-process-");
  ASSERT_TRUE(folder);
  const std::string fifo = folder->path() + "/fifo";
  ASSERT_EQ(run(shell("mkfifo " + fifo))->exit_code, 0);
  auto first = Running::start(shell("cat " + fifo));
  auto second = Running::start(shell("echo hello >" + fifo));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->wait()->out, "hello\n");
  EXPECT_EQ(second->wait()->exit_code, 0);
}

TEST(Process, FeedsAChildThatWasStartedBeforeItsInputWasKnown) {
  auto command = shell("cat");
  command.timeout = milliseconds{1};
  auto waiting = Running::start(command);
  ASSERT_TRUE(waiting);
  const auto done = waiting->wait("late", milliseconds{30'000});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out, "late");
  EXPECT_EQ(done->exit_code, 0);
}

TEST(Process, DoesSomethingElseWhileTheChildWorksOnItsInput) {
  const auto folder = TempDir::create("/tmp", "gh-process-");
  ASSERT_TRUE(folder);
  const std::string fifo = folder->path() + "/fifo";
  ASSERT_EQ(run(shell("mkfifo " + fifo))->exit_code, 0);
  // The child ends only when it has seen the end of its input and then heard from us.
  auto started = Running::start(shell("cat; cat " + fifo));
  ASSERT_TRUE(started);
  int calls = 0;
  const auto done = started->wait("input ", milliseconds(20000), [&] {
    ++calls;
    const int to = ::open(fifo.c_str(), O_WRONLY);
    EXPECT_EQ(::write(to, "word", 4), 4);
    ::close(to);
  });
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out, "input word");
  EXPECT_EQ(calls, 1);
}

TEST(Conversation, AsksAndAnswersByLineAndByCount) {
  auto talk =
      Conversation::start(shell("while read a; do echo \"got $a\"; printf '%s' \"$a\"; done"));
  ASSERT_TRUE(talk);
  ASSERT_TRUE(talk->write("one\n"));
  EXPECT_EQ(talk->read_line(), "got one");
  EXPECT_EQ(talk->read_exact(3), "one");
  ASSERT_TRUE(talk->write("two\nthree\n"));
  EXPECT_EQ(talk->read_line(), "got two");
  EXPECT_EQ(talk->read_exact(3), "two");
  EXPECT_EQ(talk->read_line(), "got three");
}

TEST(Conversation, WritesMoreThanPipesHoldWithoutDeadlock) {
  auto command = shell("");
  command.argv = {"/bin/cat"};
  auto talk = Conversation::start(command);
  ASSERT_TRUE(talk);
  const std::string much(2u << 20, 'y');
  ASSERT_TRUE(talk->write(much));
  EXPECT_EQ(talk->read_exact(much.size()), much);
}

TEST(Conversation, FailsWithTheMessageOfAChildThatEnds) {
  auto talk = Conversation::start(shell("echo broken pipe dream >&2; exit 1"));
  ASSERT_TRUE(talk);
  const auto line = talk->read_line();
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().code, Code::io_error);
  EXPECT_TRUE(contains(line.error().message, "broken pipe dream"));
}

TEST(Conversation, FailsWhenAnAnswerTakesTooLong) {
  auto command = shell("sleep 600");
  command.timeout = milliseconds{100};
  auto talk = Conversation::start(command);
  ASSERT_TRUE(talk);
  const auto line = talk->read_line();
  ASSERT_FALSE(line);
  EXPECT_TRUE(contains(line.error().message, "in time"));
}

TEST(Conversation, RefusesALineOverTheLimit) {
  auto talk = Conversation::start(shell("head -c 5000 /dev/zero | tr '\\0' x; echo; cat"));
  ASSERT_TRUE(talk);
  EXPECT_FALSE(talk->read_line(4000));
}

}  // namespace
}  // namespace gh::sys
