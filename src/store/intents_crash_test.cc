// The registry under many processes and under kills: one winner per path, whole records, no fence
// twice. Both back ends.
#include <algorithm>
#include <csignal>
#include <ctime>
#include <set>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/ledger.h"
#include "tests/ledger_kit.h"

namespace gh::store {
namespace {

using testing::BackEnd;
using testing::intent_event;
using testing::intent_row;
using testing::LedgerPlace;

constexpr Timestamp kOurs{1'767'323'045};
constexpr std::int64_t kPatientMs = 120'000;  // a loaded machine is not what is tested

class IntentProcesses : public ::testing::TestWithParam<BackEnd> {
 protected:
  LedgerPlace place{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(, IntentProcesses, ::testing::Values(BackEnd::sqlite, BackEnd::postgres),
                         testing::name_of);

/// A pipe whose ends close with it.
struct Pipe {
  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  ~Pipe() {
    close_reader();
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_reader() { close_end(0); }
  void close_writer() { close_end(1); }
  void close_end(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
  int ends[2] = {-1, -1};
};

bool holds(const std::vector<IntentRow>& rows, const std::string& path) {
  for (const IntentRow& row : rows)
    if (row.payload.value() == Value(Map{{"path", path}})) return true;
  return false;
}

/// true: declared. false: somebody holds the path already.
Result<bool> declare(Ledger& ledger, const std::string& id, const std::string& path) {
  return ledger
      .change_intents(standing_at(kOurs), Durability::durable,
                      [&](IntentView& view) -> Result<IntentChange> {
                        GH_TRY(open, view.open());
                        if (holds(open, path)) return IntentChange{};
                        IntentRow row = intent_row(id);
                        GH_TRY(fence, view.next_fence());
                        row.fence = fence;
                        row.payload = Map{{"path", path}};
                        return IntentChange{.put = {row},
                                            .events = {intent_event("intent.declared")}};
                      })
      .map([](std::int64_t seq) { return seq != 0; });
}

constexpr int kContenders = 100;
constexpr int kLost = 10, kWon = 11;

/// What one of many processes does once `start` is closed: the path that all want, then its own.
int contend(const LedgerPlace& place, int number, int start) {
  char none = 0;
  (void)!read(start, &none, 1);
  auto ledger = place.try_open(kPatientMs);
  if (!ledger) return 2;
  const std::string id = "i-" + std::to_string(number);
  const auto won = declare(**ledger, id, "src/wanted.cc");
  if (!won) return 3;
  const auto own = declare(**ledger, id + "-own", "src/own" + std::to_string(number) + ".cc");
  if (!own || !*own) return 4;
  return *won ? kWon : kLost;
}

TEST_P(IntentProcesses, OfAHundredThatWantOnePathExactlyOneGetsIt) {
  (void)place.open();
  Pipe start;
  std::vector<pid_t> contenders;
  for (int number = 0; number < kContenders; ++number) {
    const pid_t child = fork();
    if (child == 0) {
      start.close_writer();
      _exit(contend(place, number, start.ends[0]));
    }
    contenders.push_back(child);
  }
  start.close_writer();
  std::vector<int> answers;
  for (const pid_t child : contenders) {
    int status = -1;
    waitpid(child, &status, 0);
    answers.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  EXPECT_EQ(std::ranges::count(answers, kWon), 1);
  EXPECT_EQ(std::ranges::count(answers, kLost), kContenders - 1);

  const auto ledger = place.open();
  const auto rows = ledger->open_intents().value();
  EXPECT_EQ(rows.size(), kContenders + 1U);
  std::set<std::int64_t> fences;
  for (const IntentRow& row : rows)
    fences.insert(row.fence);
  EXPECT_EQ(fences.size(), rows.size());
  EXPECT_EQ(*fences.rbegin(), kContenders + 1);
  EXPECT_EQ(ledger->last_seq().value(), kContenders + 1);
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

// --- kills ---

/// The next state of two records that always change together, with a document and a fence. A
/// third kind is written closed and removed later, so that every kind of statement is among them.
Result<IntentChange> next_state(IntentView& view) {
  GH_TRY(a, view.find("i-a"));
  GH_TRY(b, view.find("i-b"));
  GH_TRY(fence, view.next_fence());
  const std::int64_t n = a ? a->rev + 1 : 1;
  IntentChange out;
  for (const auto& [found, id] : {std::pair{&a, "i-a"}, std::pair{&b, "i-b"}}) {
    IntentRow row = *found ? **found : intent_row(id);
    row.fence = fence;
    row.payload = Map{{"n", n}, {"fence", fence}, {"text", std::string(3000, 'x')}};
    out.put.push_back(row);
  }
  IntentRow once = intent_row("once-" + std::to_string(n));
  once.closed_at_utc = "2026-01-02T03:04:05Z";
  out.put.push_back(once);
  out.remove = {"once-" + std::to_string(n - 2)};
  out.events = {intent_event("intent.declared"), intent_event("intent.cleared")};
  out.events[0].payload = Map{{"n", n}, {"fence", fence}};
  out.documents = {{"sha256:" + std::to_string(n), "trail", Map{{"n", n}}}};
  return out;
}

void arm_kill(std::int64_t nanoseconds) {
  timer_t timer{};
  sigevent how{};
  how.sigev_notify = SIGEV_SIGNAL;
  how.sigev_signo = SIGKILL;
  const itimerspec when{{}, {nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000}};
  if (timer_create(CLOCK_MONOTONIC, &how, &timer) != 0 || timer_settime(timer, 0, &when, nullptr))
    _exit(5);
}

std::int64_t nanoseconds_now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

/// Opens, and is killed that long after the change began, unless the change is done before.
/// Returns the fence that was acknowledged, 0 for none.
std::int64_t change_and_die(const LedgerPlace& place, std::int64_t nanoseconds) {
  Pipe words;
  const pid_t child = fork();
  if (child == 0) {
    auto ledger = place.try_open(kPatientMs);
    if (!ledger) _exit(2);
    std::int64_t fence = 0;
    arm_kill(nanoseconds);
    const auto seq =
        (*ledger)->change_intents(standing_at(kOurs), Durability::durable, [&](IntentView& view) {
          auto change = next_state(view);
          if (change) fence = change->put[0].fence;
          return change;
        });
    if (!seq || write(words.ends[1], &fence, sizeof fence) != sizeof fence) _exit(3);
    _exit(0);
  }
  words.close_writer();
  std::int64_t fence = 0;
  if (read(words.ends[0], &fence, sizeof fence) != static_cast<ssize_t>(sizeof fence)) fence = 0;
  int status = -1;
  waitpid(child, &status, 0);
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  EXPECT_TRUE(killed || status == 0) << WEXITSTATUS(status);
  return fence;
}

/// Everything that belongs to state n is there, and nothing of a later one. Returns n.
std::int64_t check_state(Ledger& ledger) {
  const auto a = ledger.intent("i-a").value(), b = ledger.intent("i-b").value();
  EXPECT_EQ(a.has_value(), b.has_value());
  if (!a || !b) return 0;
  const std::int64_t n = a->rev;
  EXPECT_EQ(b->rev, n);
  EXPECT_EQ(a->payload.value(), b->payload.value());
  EXPECT_EQ(a->fence, b->fence);
  EXPECT_EQ(a->payload.value(),
            Value(Map{{"n", n}, {"fence", a->fence}, {"text", std::string(3000, 'x')}}));
  EXPECT_EQ(ledger.last_seq().value(), 2 * n);
  const auto last = ledger.audit_rows(2 * n - 1, 9).value();
  EXPECT_EQ(last.size(), 2U);
  EXPECT_EQ(last.at(0).event.payload, Value(Map{{"n", n}, {"fence", a->fence}}));
  EXPECT_TRUE(ledger.document("sha256:" + std::to_string(n)).value().has_value());
  EXPECT_FALSE(ledger.document("sha256:" + std::to_string(n + 1)).value().has_value());
  EXPECT_TRUE(ledger.intent("once-" + std::to_string(n)).value().has_value());
  EXPECT_FALSE(ledger.intent("once-" + std::to_string(n - 2)).value().has_value());
  EXPECT_FALSE(ledger.intent("once-" + std::to_string(n + 1)).value().has_value());
  return n;
}

void check_fences(Ledger& ledger) {
  std::int64_t before = 0;
  const auto rows = ledger.audit_of_event("intent.declared").value();
  for (const AuditRow& row : rows) {
    const std::int64_t fence = *row.event.payload.as_map()->find("fence")->as_int();
    EXPECT_GT(fence, before) << "row " << row.seq;
    before = fence;
  }
}

constexpr int kTimed = 5;

/// The shortest of some, each through a new connection as in the child; the kills are spread over
/// it.
std::int64_t time_of_one_change(const LedgerPlace& place) {
  std::int64_t shortest = 1'000'000'000;
  for (int i = 0; i < kTimed; ++i) {
    const auto ledger = place.open();
    const std::int64_t start = nanoseconds_now();
    EXPECT_TRUE(
        ledger->change_intents(standing_at(kOurs), Durability::durable, next_state).has_value());
    shortest = std::min(shortest, nanoseconds_now() - start);
  }
  return shortest;
}

/// A server may still be about to end what a client that is dead by now has asked for.
void wait_for_others(Ledger& ledger) {
  EXPECT_TRUE(
      ledger
          .change_intents(standing_at(kOurs), Durability::soft,
                          [](IntentView&) -> Result<IntentChange> { return IntentChange{}; })
          .has_value());
}

TEST_P(IntentProcesses, AKillAtAnyStatementLeavesTheOldRecordOrTheNewOne) {
  constexpr int kRounds = 80;
  const std::int64_t whole = time_of_one_change(place);
  std::int64_t acknowledged = 0, n = kTimed;
  int unanswered = 0;
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    const std::int64_t fence = change_and_die(place, 1 + whole * 5 * round / (4 * kRounds));
    const auto ledger = place.open();
    wait_for_others(*ledger);
    EXPECT_EQ(ledger->first_broken_link().value(), 0);
    const std::int64_t now = check_state(*ledger);
    EXPECT_GE(now, n);
    EXPECT_LE(now, n + 1);
    if (fence == 0)
      ++unanswered;
    else
      EXPECT_EQ(now, n + 1);  // what was acknowledged is there
    if (fence != 0) {
      EXPECT_GT(fence, acknowledged);
      acknowledged = fence;
    }
    n = now;
  }
  EXPECT_GT(unanswered, 0);  // the first kills come before anything can be done
  const auto ledger = place.open();
  check_fences(*ledger);
  EXPECT_EQ(ledger->check().value(), std::vector<std::string>{});
}

}  // namespace
}  // namespace gh::store
