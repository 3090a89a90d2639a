// A start, a promotion and a finish are killed from outside at the n-th system call that writes to
// the ledger, for one n after the other: each is done with its audit rows, or not at all, and what
// comes next works. On SQLite these calls are what a commit consists of, on PostgreSQL each
// statement is one.
#include <cstdlib>

#include <fmt/format.h>

#include "model/peek.h"
#include "tests/change_kit.h"

namespace gh::testing {
namespace {

struct Call {
  const char* name;
  int stride;  // of n in a short run
};

class ChangeFaults : public ChangeWorld {
 protected:
  std::vector<Call> calls() const {
    if (GetParam() == BackEnd::postgres) return {{"sendto", 7}};
    return {{"pwrite64", 7}, {"fdatasync", 2}};
  }

  /// Does `once` for one n after the other, until the command comes to its end.
  template <class Once>
  void kill_at_every(const Once& once) {
    for (const Call& call : calls()) {
      const int stride = std::getenv("GH_LONG") != nullptr ? 1 : call.stride;
      bool ended = false;
      int n = 1;
      for (; n < 600 && !ended && !HasFailure(); n += stride) {
        SCOPED_TRACE(fmt::format("killed at {} number {}", call.name, n));
        call_ = call.name;
        n_ = n;
        ended = once(fmt::format("{}{}", call.name, n));
        EXPECT_EQ(ask({"audit", "verify"}).code, 0);
      }
      EXPECT_TRUE(ended) << "it never ran to its end";
      EXPECT_GT(n, stride + 1) << "it was never killed";
    }
  }
  /// True: it ran to its end.
  bool killed(Words words, const std::string& session) const {
    words.insert(words.begin(),
                 {"/usr/bin/strace", "-o", "/dev/null", "-e", "trace=" + call_, "-e",
                  fmt::format("inject={}:signal=KILL:when={}", call_, n_), gatehouse_path()});
    words.insert(words.end(), {"--session", session});
    return run_program(std::move(words), repo.root()).code == 0;
  }
  std::size_t open_intents() const {
    return Peek(document({"change", "list"}, "looker"))["workspace_intents"].list().size();
  }

 private:
  std::string call_{};
  int n_ = 0;
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeFaults,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

const Words kGuide{"docs/guide.md"};

TEST_P(ChangeFaults, AStartThatIsKilledAnywhereHoldsTheFilesOrNothing) {
  std::size_t declared = 0;
  kill_at_every([&](const std::string& who) {
    const bool ended = killed({"change", "start", "--goal", "g", "--allow", kGuide[0]}, who);
    const std::size_t open = open_intents();
    EXPECT_LE(open, 1u);
    EXPECT_TRUE(open == 1 || !ended);
    EXPECT_EQ(events("intent.declared"), declared + open);
    if (open == 0) {
      EXPECT_EQ(start(who, kGuide), "active");
    }
    ++declared;
    EXPECT_EQ(field({"change", "status"}, who, "status"), "active");
    EXPECT_EQ(start("other", kGuide), "blocked");
    must({"change", "abandon"}, who);
    return ended;
  });
}

TEST_P(ChangeFaults, APromotionThatIsKilledAnywhereIsDoneOrNotDone) {
  std::size_t promoted = 0;
  kill_at_every([&](const std::string& who) {
    EXPECT_EQ(start("holder", kGuide), "active");
    EXPECT_EQ(start(who, kGuide, {"--on-conflict", "queue"}), "queued");
    const std::string id = id_of(who);
    must({"change", "abandon"}, "holder");
    const bool ended = killed({"change", "promote", id}, who);
    const std::string status = field({"change", "status"}, who, "status");
    EXPECT_TRUE(status == "active" || (status == "queued" && !ended)) << status;
    EXPECT_EQ(events("intent.promoted"), promoted + (status == "active" ? 1 : 0));
    if (status == "queued") {
      EXPECT_EQ(field({"change", "promote", id}, who, "edit_allowed"), "true");
    }
    ++promoted;
    EXPECT_EQ(start("other", kGuide), "blocked");
    must({"change", "abandon"}, who);
    return ended;
  });
}

TEST_P(ChangeFaults, AFinishThatIsKilledAnywhereHasItsReceiptAndItsEndTogetherOrNeither) {
  std::size_t finished = 0;
  kill_at_every([&](const std::string& who) {
    EXPECT_EQ(start(who, kGuide), "active");
    repo.write(kGuide[0], "read this, " + who + "\n");
    const bool ended = killed(finishing(kGuide), who);
    const std::size_t open = open_intents();
    EXPECT_TRUE(open == 0 || !ended);
    const auto expect_told = [&](std::size_t times) {
      for (const char* event : {"review_receipt.created", "patch_trail.computed", "intent.cleared"})
        EXPECT_EQ(events(event), times) << event;
    };
    expect_told(finished + (open == 0 ? 1 : 0));
    if (open == 1) {
      EXPECT_EQ(finish(who, kGuide), "accepted");
    }
    expect_told(++finished);
    EXPECT_EQ(open_intents(), 0u);
    repo.git({"checkout", "-q", "--", kGuide[0]});
    return ended;
  });
}

}  // namespace
}  // namespace gh::testing
