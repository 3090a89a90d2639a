#include "sys/process_identity.h"

#include <limits>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/files.h"

namespace gh::sys {
namespace {

/// The real world but for what a test sets.
class GivenEnv final : public Env {
 public:
  Timestamp now() override { return real_env().now(); }
  std::int64_t monotonic_ms() override { return real_env().monotonic_ms(); }
  std::string random_hex(std::size_t digits) override { return real_env().random_hex(digits); }
  std::string variable(std::string_view name) override {
    return name == "GATEHOUSE_HOST_ID" ? given : "";
  }
  std::uint32_t user_id() override { return real_env().user_id(); }
  std::int64_t process_id() override { return real_env().process_id(); }
  std::string host_name() override { return "host"; }

  std::string given;
};

/// A child that waits until it is told to end; named as asked.
class Child {
 public:
  explicit Child(const std::string& name = "child") {
    int ready[2], end[2];
    EXPECT_EQ(::pipe(ready), 0);
    EXPECT_EQ(::pipe(end), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(end[1]);
      ::prctl(PR_SET_NAME, name.c_str());
      char byte = 'x';
      (void)!::write(ready[1], &byte, 1);
      (void)!::read(end[0], &byte, 1);
      ::_exit(0);
    }
    ::close(ready[1]);
    ::close(end[0]);
    char byte;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    end_ = Fd(end[1]);
  }
  ~Child() {
    if (pid_ > 0) reap();
  }
  std::int64_t pid() const { return pid_; }
  /// Ends it and waits until it has, but leaves it to its parent.
  void end() {
    end_ = Fd();
    siginfo_t info{};
    EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT), 0);
  }
  void reap() {
    end_ = Fd();
    EXPECT_EQ(::waitpid(pid_, nullptr, 0), pid_);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  Fd end_;
};

const std::string kRest =
    " 4242 4242 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 987654 1000 10 18446744073709551615 1 1";

TEST(ProcessStat, ReadsStateParentAndStart) {
  const ProcessStat expected{.state = 'S', .parent = 17, .start_ticks = 987654};
  for (const std::string name : {"cat", "", "a b", "a) b", ") R 1 1", "(((", "x\ny) Z 9 9 9",
                                 ") S 17 4242 4242", "\xff\xfe"})
    EXPECT_EQ(parse_process_stat("4242 (" + name + ") S 17" + kRest + "\n"), expected) << name;
}

TEST(ProcessStat, RefusesWhatIsNoStat) {
  for (const std::string& bad :
       {std::string(), std::string("4242"), std::string("4242 (cat)"), "4242 (cat S 17" + kRest,
        std::string("4242 (cat) S 17 1 2 3"), "4242 (cat) S -1" + kRest, "4242 (cat) SS 17" + kRest,
        "4242 (cat) S x" + kRest,
        std::string("1 (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19x 20"),
        std::string("1 (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 99999999999999999999")})
    EXPECT_FALSE(parse_process_stat(bad)) << bad;
}

TEST(ProcessIdentity, OfOurselvesStaysTheSame) {
  GivenEnv env;
  const ProcessIdentity me = self(env);
  EXPECT_EQ(me.pid, ::getpid());
  EXPECT_GT(me.start_ticks, 0);
  EXPECT_EQ(me.boot_id.size(), 36u);
  EXPECT_EQ(me.host_id.size(), 32u);
  EXPECT_EQ(me.host_id.find_first_not_of("0123456789abcdef"), std::string::npos);
  const ProcessIdentity again = self(env);
  EXPECT_EQ(again.start_ticks, me.start_ticks);
  EXPECT_EQ(again.boot_id, me.boot_id);
  EXPECT_EQ(again.host_id, me.host_id);
  // The kernel computes the time of the boot from the clock, to the second.
  EXPECT_NEAR(static_cast<double>(again.start_epoch), static_cast<double>(me.start_epoch), 2);
  EXPECT_LE(me.start_epoch, env.now().seconds + 2);
  EXPECT_GT(me.start_epoch, env.now().seconds - 24 * 3600);
}

TEST(ProcessIdentity, TheMachineIdIsNotToldToOthers) {
  GivenEnv env;
  const auto machine = read_file("/etc/machine-id", 100);
  ASSERT_NE(host_id(env), "");
  if (machine && machine->size() > 8) {
    EXPECT_EQ(host_id(env).find(machine->substr(0, 8)), std::string::npos);
  }
}

TEST(ProcessIdentity, AHostIdCanBeGiven) {
  GivenEnv env;
  const std::string real = host_id(env);
  env.given = "other-host.example_1";
  EXPECT_EQ(host_id(env), "other-host.example_1");
  EXPECT_EQ(self(env).host_id, "other-host.example_1");
  env.given = "two words\n";
  const std::string odd = host_id(env);
  EXPECT_EQ(odd.size(), 32u) << "never as it stands";
  EXPECT_NE(odd, real);
  env.given = std::string(65, 'a');
  EXPECT_EQ(host_id(env).size(), 32u);
  EXPECT_NE(host_id(env), odd);
}

TEST(ProcessIdentity, ThereIsNoneOfAProcessThatIsNot) {
  GivenEnv env;
  for (const std::int64_t pid : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    EXPECT_EQ(identity_of(pid, env).start_ticks, 0);
    EXPECT_EQ(identity_of(pid, env).start_epoch, 0);
  }
}

TEST(Probe, SeesALivingProcessAndItsStart) {
  GivenEnv env;
  EXPECT_EQ(probe(::getpid()),
            (ProbedProcess{.exists = true, .start_ticks = self(env).start_ticks}));
  const Child child("odd) R 1 (\nname");
  const ProbedProcess seen = probe(child.pid());
  EXPECT_TRUE(seen.exists);
  EXPECT_GE(seen.start_ticks, self(env).start_ticks) << "younger than its parent";
  EXPECT_EQ(identity_of(child.pid(), env).start_ticks, seen.start_ticks);
}

TEST(Probe, AProcessThatEndedDoesNotExist) {
  Child child;
  const std::int64_t pid = child.pid();
  child.end();
  EXPECT_EQ(probe(pid), ProbedProcess{}) << "though its parent has not looked yet";
  child.reap();
  EXPECT_EQ(probe(pid), ProbedProcess{});
}

TEST(Probe, NoNumberIsAskedForThatIsNoProcess) {
  for (const std::int64_t pid :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{-::getpgrp()},
        std::int64_t{1} << 32 | ::getpid(), std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()})
    EXPECT_EQ(probe(pid), ProbedProcess{}) << pid;
}

TEST(Ancestors, BeginWithTheParent) {
  GivenEnv env;
  const Child child;
  const auto found = ancestors(child.pid());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], (Ancestor{::getpid(), self(env).start_ticks}));
  if (found.size() > 1) {
    EXPECT_EQ(found[1].pid, ::getppid());
  }
  EXPECT_LE(found.size(), 8u);
  EXPECT_EQ(ancestors(child.pid(), 1), std::vector<Ancestor>{found[0]});
  EXPECT_TRUE(ancestors(child.pid(), 0).empty());
  for (const Ancestor& one : found)
    EXPECT_EQ(probe(one.pid).start_ticks, one.start_ticks);
}

TEST(Ancestors, ThereAreNoneOfAProcessThatIsNot) {
  for (const std::int64_t pid : {std::int64_t{0}, std::int64_t{-5}, std::int64_t{1} << 40})
    EXPECT_TRUE(ancestors(pid).empty());
}

}  // namespace
}  // namespace gh::sys
