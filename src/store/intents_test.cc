// The registry of intents over both back ends: one decision at a time, whole records, fences that
// never come twice, and readers that disturb nobody.
#include <algorithm>

#include <gtest/gtest.h>

#include "store/ledger.h"
#include "tests/ledger_kit.h"

namespace gh::store {
namespace {

using testing::append_many;
using testing::BackEnd;
using testing::event;
using testing::intent_event;
using testing::intent_row;
using testing::LedgerPlace;

constexpr Timestamp kOurs{1'767'323'045};  // 2026-01-02T03:04:05Z

class LedgerIntents : public ::testing::TestWithParam<BackEnd> {
 protected:
  Result<std::int64_t> change(const DecideIntents& decide) {
    return ledger->change_intents(standing_at(kOurs), Durability::durable, decide);
  }
  Result<std::int64_t> put(const std::vector<IntentRow>& rows) {
    return change([&](IntentView&) -> Result<IntentChange> {
      return IntentChange{.put = rows, .events = {intent_event("intent.declared")}};
    });
  }
  Result<std::int64_t> remove(const std::vector<std::string>& ids) {
    return change([&](IntentView&) -> Result<IntentChange> {
      return IntentChange{.remove = ids, .events = {intent_event("workspace.gc_completed")}};
    });
  }
  static std::string ids(const std::vector<IntentRow>& rows) {
    std::string out;
    for (const IntentRow& row : rows)
      out += row.intent_id + " ";
    return out;
  }
  std::string open_ids() { return ids(ledger->open_intents().value()); }
  IntentRow stored(const std::string& id) { return ledger->intent(id).value().value(); }

  LedgerPlace place{GetParam()};
  std::unique_ptr<Ledger> ledger = place.open();
};
INSTANTIATE_TEST_SUITE_P(, LedgerIntents, ::testing::Values(BackEnd::sqlite, BackEnd::postgres),
                         testing::name_of);

TEST_P(LedgerIntents, EveryColumnComesBack) {
  IntentRow row = intent_row("intent-01234567-001-abcdef");
  row.agent_pid = 1LL << 40;
  row.agent_start_epoch = 1'700'000'000;
  row.fence = 7;
  row.payload = Map{{"intent", "\"quoted\" \xC3\xA4 ? $1"}, {"scope", List{"src/a.cc"}}};
  ASSERT_EQ(put({row}).value(), 1);
  const IntentRow got = stored(row.intent_id);
  EXPECT_EQ(got.intent_id, row.intent_id);
  EXPECT_EQ(got.agent_pid, row.agent_pid);
  EXPECT_EQ(got.agent_start_epoch, row.agent_start_epoch);
  EXPECT_EQ(got.declared_at_utc, "2026-01-02T03:04:05Z");
  EXPECT_EQ(got.payload.value(), row.payload.value());
  EXPECT_EQ(got.fence, 7);
  EXPECT_EQ(got.rev, 1);
  EXPECT_EQ(got.closed_at_utc, "");
  EXPECT_FALSE(ledger->intent("intent-2").value().has_value());
}

TEST_P(LedgerIntents, OpenOnesComeInTheOrderOfRecords) {
  // declared_at_utc, then agent_pid as a number, then the id by its bytes
  const auto row = [](const char* id, const char* day, std::int64_t pid) {
    IntentRow out = intent_row(id);
    out.declared_at_utc = std::string("2026-01-0") + day + "T00:00:00Z";
    out.agent_pid = pid;
    return out;
  };
  ASSERT_TRUE(put({row("i-a", "3", 1), row("i-b", "2", 10), row("i-c", "2", 9), row("i-d", "2", 9),
                   row("i-Z", "2", 9), row("i-e", "1", 99)})
                  .has_value());
  EXPECT_EQ(open_ids(), "i-e i-Z i-c i-d i-b i-a ");
  std::string seen;
  ASSERT_EQ(change([&](IntentView& view) -> Result<IntentChange> {
              seen = ids(view.open().value());
              return IntentChange{};
            }).value(),
            0);
  EXPECT_EQ(seen, "i-e i-Z i-c i-d i-b i-a ");
}

TEST_P(LedgerIntents, ARecordIsDeclaredOnceAndChangedOnlyFromItsLatestRevision) {
  ASSERT_TRUE(put({intent_row("i-1")}).has_value());
  EXPECT_EQ(put({intent_row("i-1")}).error().code, Code::conflict);
  IntentRow row = stored("i-1");
  const IntentRow stale = row;
  row.payload = Map{{"status", "violated"}};
  ASSERT_TRUE(put({row}).has_value());
  EXPECT_EQ(put({stale}).error().code, Code::conflict);
  EXPECT_EQ(stored("i-1").rev, 2);
  EXPECT_EQ(stored("i-1").payload.value(), Value(Map{{"status", "violated"}}));
  row.intent_id = "i-2";
  EXPECT_EQ(put({row}).error().code, Code::conflict);  // of a revision, but not there
  EXPECT_EQ(ledger->last_seq().value(), 2);            // refused changes left no audit row
}

TEST_P(LedgerIntents, AnOwnerMayChangeAndTheOrderFollows) {
  ASSERT_TRUE(put({intent_row("i-1"), intent_row("i-2")}).has_value());
  IntentRow row = stored("i-1");
  row.agent_pid = 5000;
  row.agent_start_epoch = 6000;
  row.declared_at_utc = "2026-01-05T00:00:00Z";
  ASSERT_TRUE(put({row}).has_value());
  EXPECT_EQ(open_ids(), "i-2 i-1 ");
  EXPECT_EQ(stored("i-1").agent_pid, 5000);
  EXPECT_EQ(stored("i-1").agent_start_epoch, 6000);
  EXPECT_EQ(stored("i-1").declared_at_utc, "2026-01-05T00:00:00Z");
}

TEST_P(LedgerIntents, AnOlderFenceThanTheStoredOneHasLostTheIntent) {
  IntentRow row = intent_row("i-1");
  row.fence = 8;
  ASSERT_TRUE(put({row}).has_value());
  row = stored("i-1");
  row.fence = 7;
  EXPECT_EQ(put({row}).error().code, Code::ownership_lost);
  EXPECT_EQ(stored("i-1").fence, 8);
  row.closed_at_utc = "2026-01-02T03:04:05Z";  // nor may it be closed by that owner
  EXPECT_EQ(put({row}).error().code, Code::ownership_lost);
  row.fence = 9;
  EXPECT_TRUE(put({row}).has_value());
}

TEST_P(LedgerIntents, AClosedRecordIsKeptAndMakesRoomForANewOne) {
  ASSERT_TRUE(put({intent_row("i-1"), intent_row("i-2")}).has_value());
  IntentRow row = stored("i-1");
  row.closed_at_utc = "2026-01-03T00:00:00Z";
  ASSERT_TRUE(put({row}).has_value());
  EXPECT_EQ(open_ids(), "i-2 ");
  EXPECT_EQ(ids(ledger->closed_intents(10).value()), "i-1 ");
  EXPECT_EQ(stored("i-1").closed_at_utc, "2026-01-03T00:00:00Z");
  EXPECT_EQ(stored("i-1").rev, 2);
  ASSERT_TRUE(put({intent_row("i-1")}).has_value());
  EXPECT_EQ(stored("i-1").closed_at_utc, "");
  EXPECT_EQ(stored("i-1").rev, 3);  // whoever still holds revision 1 or 2 cannot write
  EXPECT_EQ(put({row}).error().code, Code::conflict);
}

TEST_P(LedgerIntents, ClosedOnesAreListedFromTheLastAndFoundByTheirTime) {
  for (const char* day : {"2", "4", "3"}) {
    IntentRow row = intent_row(std::string("i-") + day);
    row.closed_at_utc = std::string("2026-01-0") + day + "T00:00:00Z";
    ASSERT_TRUE(put({row, intent_row(std::string("o-") + day)}).has_value());
  }
  EXPECT_EQ(ids(ledger->closed_intents(10).value()), "i-4 i-3 i-2 ");
  EXPECT_EQ(ids(ledger->closed_intents(2).value()), "i-4 i-3 ");
  std::vector<std::string> old;
  const Timestamp fourth{1'767'225'600 + 3 * 86'400};  // 2026-01-04T00:00:00Z
  ASSERT_TRUE(change([&](IntentView& view) -> Result<IntentChange> {
                old = view.closed_before(fourth).value();
                return IntentChange{.remove = old,
                                    .events = {intent_event("workspace.gc_completed")}};
              }).has_value());
  EXPECT_EQ(old, (std::vector<std::string>{"i-2", "i-3"}));
  EXPECT_EQ(ids(ledger->closed_intents(10).value()), "i-4 ");
  EXPECT_EQ(open_ids(), "o-2 o-3 o-4 ");
  EXPECT_FALSE(ledger->intent("i-2").value().has_value());
}

TEST_P(LedgerIntents, ARemovedRecordIsGoneAndRemovingItAgainIsNoError) {
  ASSERT_TRUE(put({intent_row("i-1"), intent_row("i-2")}).has_value());
  ASSERT_TRUE(remove({"i-1"}).has_value());
  EXPECT_EQ(open_ids(), "i-2 ");
  EXPECT_TRUE(remove({"i-1"}).has_value());
  // One change may remove a record and declare it anew.
  ASSERT_TRUE(change([&](IntentView&) -> Result<IntentChange> {
                return IntentChange{.put = {intent_row("i-2")},
                                    .remove = {"i-2"},
                                    .events = {intent_event("intent.declared")}};
              }).has_value());
  EXPECT_EQ(stored("i-2").rev, 1);
}

TEST_P(LedgerIntents, AnErrorOfTheDecisionIsReturnedAndNothingWasWritten) {
  int calls = 0;
  const auto result = change([&](IntentView& view) -> Result<IntentChange> {
    ++calls;
    (void)view.next_fence();
    return fail(Code::unknown_intent, "told so");
  });
  EXPECT_EQ(result.error().code, Code::unknown_intent);
  EXPECT_EQ(result.error().message, "told so");
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(ledger->last_seq().value(), 0);
  EXPECT_TRUE(put({intent_row("i-1")}).has_value());  // the transaction has ended
}

TEST_P(LedgerIntents, AChangeWithoutEventsWritesNothing) {
  append_many(*ledger, 3);
  EXPECT_EQ(change([](IntentView& view) -> Result<IntentChange> {
              (void)view.next_fence();
              return IntentChange{};
            }).value(),
            0);
  EXPECT_EQ(ledger->last_seq().value(), 3);
  std::int64_t fence = 0;
  ASSERT_TRUE(change([&](IntentView& view) -> Result<IntentChange> {
                fence = view.next_fence().value();
                return IntentChange{.events = {intent_event("intent.promoted")}};
              }).has_value());
  EXPECT_EQ(fence, 1);  // nobody was given the one before
}

TEST_P(LedgerIntents, AChangeIsWholeOrNothing) {
  ASSERT_TRUE(put({intent_row("i-1")}).has_value());
  const auto result = change([](IntentView& view) -> Result<IntentChange> {
    (void)view.next_fence();
    return IntentChange{.put = {intent_row("i-2"), intent_row("i-1")},  // the second is refused
                        .remove = {"i-1x"},
                        .events = {intent_event("intent.declared")},
                        .documents = {{"sha256:aa", "trail", Map{}}},
                        .blobs = {{digest_of("x").hex(), "x"}}};
  });
  EXPECT_EQ(result.error().code, Code::conflict);
  EXPECT_EQ(open_ids(), "i-1 ");
  EXPECT_EQ(ledger->last_seq().value(), 1);
  EXPECT_FALSE(ledger->document("sha256:aa").value().has_value());
  EXPECT_FALSE(ledger->blob(digest_of("x").hex()).value().has_value());
  EXPECT_EQ(ledger->first_broken_link().value(), 0);
}

TEST_P(LedgerIntents, TheNumbersOfItsAuditRowsAreKnownWhileItIsDecided) {
  append_many(*ledger, 4);
  std::int64_t last = 0;
  const auto seq = change([&](IntentView& view) -> Result<IntentChange> {
    last = view.last_seq();
    IntentChange out{
        .put = {intent_row("i-1")},
        .events = {intent_event("intent.cleared"), intent_event("patch_trail.computed"),
                   intent_event("review_receipt.created")},
        .blobs = {{digest_of("x").hex(), "x"}}};
    out.events[1].payload = Map{{"seq", last + 2}};
    out.documents = {{"sha256:aa", "trail", Map{{"seq", last + 2}}},
                     {"sha256:bb", "receipt", Map{{"meta", Map{{"audit_seq", nullptr}}}}}};
    return out;
  });
  EXPECT_EQ(last, 4);
  EXPECT_EQ(seq.value(), 7);
  const auto row = ledger->audit_rows(6, 1).value().at(0);
  EXPECT_EQ(row.event.event, "patch_trail.computed");
  EXPECT_EQ(row.event.payload, Value(Map{{"seq", 6}}));
  EXPECT_EQ(ledger->document("sha256:aa").value().value(), Value(Map{{"seq", 6}}));
  EXPECT_EQ(ledger->document("sha256:bb").value().value(),
            Value(Map{{"meta", Map{{"audit_seq", 7}}}}));
  EXPECT_EQ(ledger->blob(digest_of("x").hex()).value(), "x");
}

TEST_P(LedgerIntents, AFenceIsLargerThanEveryOneBefore) {
  std::vector<std::int64_t> fences;
  for (int i = 0; i < 3; ++i) {
    ledger = place.open();  // the last one is not in memory
    ASSERT_TRUE(change([&](IntentView& view) -> Result<IntentChange> {
                  fences.push_back(view.next_fence().value());
                  fences.push_back(view.next_fence().value());
                  return IntentChange{.events = {intent_event("intent.recovered")}};
                }).has_value());
  }
  EXPECT_EQ(fences, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
  place.edit("UPDATE meta SET value = 'x' WHERE key = 'intent_fence'");
  const auto damaged = change([](IntentView& view) -> Result<IntentChange> {
    GH_TRY(fence, view.next_fence());
    return IntentChange{.put = {}, .events = {intent_event(std::to_string(fence))}};
  });
  EXPECT_EQ(damaged.error().code, Code::ledger_unavailable);
}

TEST_P(LedgerIntents, TheClockIsReadOnceNobodyElseCanWrite) {
  bool holds_the_lock = false;
  int asked = 0;
  const auto clock = [&] {
    EXPECT_TRUE(holds_the_lock);
    ++asked;
    return kOurs;
  };
  ASSERT_TRUE(ledger
                  ->change_intents(clock, Durability::durable,
                                   [&](IntentView& view) -> Result<IntentChange> {
                                     holds_the_lock = true;
                                     EXPECT_TRUE(view.now().has_value());
                                     EXPECT_TRUE(view.now().has_value());
                                     return IntentChange{};
                                   })
                  .has_value());
  EXPECT_EQ(asked, GetParam() == BackEnd::sqlite ? 1 : 0);
}

TEST_P(LedgerIntents, TheTimeIsTheServersWhereThereIsOne) {
  Timestamp in_view{}, again{};
  ASSERT_TRUE(change([&](IntentView& view) -> Result<IntentChange> {
                in_view = view.now().value();
                again = view.now().value();
                return IntentChange{};
              }).has_value());
  const Timestamp plain = ledger->now(kOurs).value();
  EXPECT_EQ(in_view, again);
  if (GetParam() == BackEnd::sqlite) {
    EXPECT_EQ(in_view, kOurs);
    EXPECT_EQ(plain, kOurs);
    return;
  }
  // The server of the tests runs on this machine: its clock is ours.
  const std::int64_t machine = sys::real_env().now().seconds;
  EXPECT_LE(in_view.seconds, plain.seconds);
  EXPECT_LE(plain.seconds, machine);
  EXPECT_GT(in_view.seconds, machine - 600);
}

TEST_P(LedgerIntents, ATextThatCannotBeReadIsSeenByWhoCleansUp) {
  ASSERT_TRUE(put({intent_row("i-1"), intent_row("i-2")}).has_value());
  place.edit("UPDATE intents SET payload_json = '{' WHERE intent_id = 'i-1'");
  const auto rows = ledger->open_intents().value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_TRUE(rows[0].payload.value().is_null());
  EXPECT_FALSE(rows[1].payload.value().is_null());
  EXPECT_EQ(ledger->check().value(), std::vector<std::string>{"intent i-1 cannot be read"});
  ASSERT_TRUE(remove({"i-1"}).has_value());
  EXPECT_EQ(ledger->check().value(), std::vector<std::string>{});
}

TEST_P(LedgerIntents, ABackupHoldsThem) {
  IntentRow closed = intent_row("i-2");
  closed.closed_at_utc = "2026-01-03T00:00:00Z";
  ASSERT_TRUE(put({intent_row("i-1"), closed}).has_value());
  const std::string file = place.folder() + "/copy.db";
  ASSERT_EQ(ledger->back_up(file).value().rows, 1);
  const auto copy = std::move(*Ledger::open_sqlite(file, testing::kBusyMs));
  EXPECT_EQ(ids(copy->open_intents().value()), "i-1 ");
  EXPECT_EQ(ids(copy->closed_intents(9).value()), "i-2 ");
}

TEST_P(LedgerIntents, ALockThatIsHeldTooLongIsBusyAndADecisionIsNotAskedFor) {
  const auto holder = place.back_door();
  ASSERT_TRUE(holder->begin(Durability::soft).has_value());
  ledger = place.open(50);
  bool asked = false;
  const auto result = change([&](IntentView&) -> Result<IntentChange> {
    asked = true;
    return IntentChange{};
  });
  EXPECT_EQ(result.error().code, Code::registry_busy);
  EXPECT_NE(result.error().message.find("holds its lock"), std::string::npos)
      << result.error().message;
  EXPECT_FALSE(asked);
  holder->roll_back();
  EXPECT_TRUE(put({intent_row("i-1")}).has_value());
}

TEST_P(LedgerIntents, AWriteThatFailsSaysSoWithItsCause) {
  place.edit("DROP TABLE intents");
  const auto result = put({intent_row("i-1")});
  EXPECT_EQ(result.error().code, Code::registry_write_failed);
  EXPECT_NE(result.error().message.find("intents"), std::string::npos) << result.error().message;
  EXPECT_EQ(ledger->last_seq().value(), 0);
}

TEST_P(LedgerIntents, ASoftChangeIsThereForTheNextReader) {
  ASSERT_TRUE(put({intent_row("i-1")}).has_value());
  ASSERT_TRUE(ledger
                  ->change_intents(standing_at(kOurs), Durability::soft,
                                   [](IntentView& view) -> Result<IntentChange> {
                                     GH_TRY(row, view.find("i-1"));
                                     row->payload = Map{{"lease_seconds", 60}};
                                     return IntentChange{
                                         .put = {*row}, .events = {intent_event("intent.renewed")}};
                                   })
                  .has_value());
  ledger = place.open();
  EXPECT_EQ(stored("i-1").payload.value(), Value(Map{{"lease_seconds", 60}}));
  EXPECT_EQ(ledger->audit_rows(2, 1).value().at(0).event.event, "intent.renewed");
}

TEST_P(LedgerIntents, AFenceInASoftChangeIsABrokenPromise) {
  // The server belongs to the parent; the child that dies must not take it along.
  ::testing::FLAGS_gtest_death_test_style = "fast";
  EXPECT_DEATH((void)ledger->change_intents(standing_at(kOurs), Durability::soft,
                                            [](IntentView& view) -> Result<IntentChange> {
                                              (void)view.next_fence();
                                              return IntentChange{
                                                  .events = {intent_event("intent.renewed")}};
                                            }),
               "durable");
  EXPECT_DEATH((void)change([](IntentView&) -> Result<IntentChange> {
                 return IntentChange{.put = {intent_row("i-1")}};
               }),
               "holds_nothing");
}

TEST_P(LedgerIntents, OpenOnesAreFoundThroughTheirOwnIndex) {
  const auto door = place.back_door();
  const bool sqlite = GetParam() == BackEnd::sqlite;
  if (!sqlite) {
    ASSERT_TRUE(door->execute("SET enable_seqscan = off; SET enable_sort = off").has_value());
  }
  auto query = door->query(std::string(sqlite ? "EXPLAIN QUERY PLAN " : "EXPLAIN ") +
                           "SELECT intent_id FROM intents WHERE repo_id = coalesce((SELECT value "
                           "FROM meta WHERE key = 'repo_id'), '') AND closed_at_utc IS NULL "
                           "ORDER BY declared_at_utc, agent_pid, intent_id");
  std::string plan;
  while (query->step().value())
    plan += query->text(sqlite ? 3 : 0) + "\n";
  EXPECT_NE(plan.find("intents_open"), std::string::npos) << plan;
  EXPECT_EQ(plan.find("B-TREE"), std::string::npos) << plan;  // no sorting behind it
}

TEST(IntentPayloadText, IsReadWhenItIsAskedForAndStaysWhatItWas) {
  IntentPayload read = IntentPayload::of_text(R"({"a":1})");
  EXPECT_EQ(read.text(), R"({"a":1})");
  EXPECT_EQ(read.value(), Value(Map{{"a", 1}}));
  const IntentPayload copy = read;
  EXPECT_EQ(copy.text(), R"({"a":1})");
  Value value = std::move(read).take();
  value.as_map()->set("b", 2);
  EXPECT_EQ(IntentPayload(value).text(), R"({"a":1,"b":2})");
  // A record that cannot be read is not mended by looking at it.
  for (const char* bad : {"", "{", R"({"a":1e400})"}) {
    const IntentPayload damaged = IntentPayload::of_text(bad);
    EXPECT_TRUE(damaged.value().is_null()) << bad;
    if (*bad != '\0') {
      EXPECT_EQ(damaged.text(), bad);
    }
  }
  EXPECT_EQ(IntentPayload().text(), "null");
}

// --- extracts ---

/// A row with a head and keys of two kinds.
IntentRow extracted(std::string id, std::string head, std::vector<IntentKey> keys) {
  IntentRow row = intent_row(std::move(id));
  row.extract = IntentExtract{.head = std::move(head), .keys = std::move(keys)};
  return row;
}

std::string heads(IntentIndex& index) {
  std::vector<std::string> all;
  const auto found = index.heads().value();
  for (const IntentHead& head : found)
    all.push_back(head.intent_id + "=" + head.head + " ");
  std::ranges::sort(all);
  std::string out;
  for (const std::string& one : all)
    out += one;
  return out;
}

std::string with(IntentIndex& index, std::int64_t kind, const std::vector<std::string>& keys) {
  std::vector<std::string> ids = index.with_keys(kind, keys).value();
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::string out;
  for (const std::string& id : ids)
    out += id + " ";
  return out;
}

TEST_P(LedgerIntents, AreFoundByTheirKeysWithoutBeingRead) {
  const std::string bytes("a\0b\xFF'\"?", 7);
  ASSERT_TRUE(put({extracted("i-1", "one", {{1, "src"}, {1, bytes}, {2, "x"}}),
                   extracted("i-2", bytes, {{1, "src"}, {2, "src"}}), intent_row("i-3")})
                  .has_value());
  const auto index = ledger->intent_index().value();
  EXPECT_EQ(heads(*index), "i-1=one i-2=" + bytes + " i-3= ");
  EXPECT_EQ(with(*index, 1, {"src"}), "i-1 i-2 ");
  EXPECT_EQ(with(*index, 1, {bytes}), "i-1 ");
  EXPECT_EQ(with(*index, 2, {"src", "y"}), "i-2 ");
  EXPECT_EQ(with(*index, 1, {"Src", "sr", "src/"}), "");
  EXPECT_EQ(with(*index, 1, {}), "");
  EXPECT_EQ(index->without_extract().value(), std::vector<std::string>{"i-3"});
  EXPECT_EQ(index->find("i-1").value()->intent_id, "i-1");
  EXPECT_EQ(ids(index->open().value()), "i-1 i-2 i-3 ");
}

TEST_P(LedgerIntents, AreFoundByAnyOfManyKeys) {
  std::vector<IntentRow> rows;
  std::vector<std::string> keys;
  std::string all;
  for (int n = 100; n < 200; ++n) {
    const std::string name = std::to_string(n);
    rows.push_back(extracted("i-" + name, "h", {{1, name}}));
    keys.push_back(name);
    all += "i-" + name + " ";
  }
  ASSERT_TRUE(put(rows).has_value());
  const auto index = ledger->intent_index().value();
  EXPECT_EQ(with(*index, 1, keys), all);
  EXPECT_EQ(index->keys(1, "120", "123").value(), (std::vector<std::string>{"120", "121", "122"}));
  EXPECT_EQ(index->keys(1, "", "\xFF").value(), keys);
  EXPECT_TRUE(index->keys(2, "", "\xFF").value().empty());
}

TEST_P(LedgerIntents, AnExtractGoesWhenTheRecordClosesAndChangesWithIt) {
  ASSERT_TRUE(
      put({extracted("i-1", "old", {{1, "a"}, {1, "b"}}), extracted("i-2", "h", {{1, "a"}})})
          .has_value());
  const auto index = ledger->intent_index().value();
  IntentRow row = stored("i-1");
  row.extract = IntentExtract{.head = "new"};  // the keys stay
  ASSERT_TRUE(put({row}).has_value());
  EXPECT_EQ(heads(*index), "i-1=new i-2=h ");
  EXPECT_EQ(with(*index, 1, {"b"}), "i-1 ");
  row = stored("i-1");
  row.extract = IntentExtract{.head = "third", .keys = std::vector<IntentKey>{{1, "c"}}};
  ASSERT_TRUE(put({row}).has_value());
  EXPECT_EQ(with(*index, 1, {"a", "b"}), "i-2 ");
  EXPECT_EQ(with(*index, 1, {"c"}), "i-1 ");
  row = stored("i-1");
  row.closed_at_utc = "2026-01-03T00:00:00Z";
  ASSERT_TRUE(put({row}).has_value());
  ASSERT_TRUE(remove({"i-2"}).has_value());
  EXPECT_EQ(heads(*index), "");
  EXPECT_EQ(with(*index, 1, {"a", "b", "c"}), "");
}

TEST_P(LedgerIntents, AWriterThatExtractsNothingLeavesNothingBehind) {
  ASSERT_TRUE(put({extracted("i-1", "h", {{1, "a"}})}).has_value());
  ASSERT_TRUE(put({stored("i-1")}).has_value());
  const auto index = ledger->intent_index().value();
  EXPECT_EQ(heads(*index), "i-1= ");
  EXPECT_EQ(with(*index, 1, {"a"}), "");
  IntentRow row = stored("i-1");
  row.extract = IntentExtract{.head = "h"};  // without keys it could not be found
  ASSERT_TRUE(put({row}).has_value());
  EXPECT_EQ(index->without_extract().value(), std::vector<std::string>{"i-1"});
  ASSERT_TRUE(change([&](IntentView&) -> Result<IntentChange> {
                return IntentChange{
                    .extracts = {{"i-1", {.head = "h2", .keys = std::vector<IntentKey>{{1, "a"}}}}},
                    .events = {intent_event("intent.declared")}};
              }).has_value());
  EXPECT_EQ(heads(*index), "i-1=h2 ");
  EXPECT_EQ(with(*index, 1, {"a"}), "i-1 ");
  EXPECT_EQ(stored("i-1").rev, 3);  // of the record, which stayed as it was
}

TEST_P(LedgerIntents, ARecordThatIsEditedByHandLosesItsExtract) {
  ASSERT_TRUE(put({extracted("i-1", "h", {{1, "a"}}), extracted("i-2", "h", {})}).has_value());
  place.edit("UPDATE intents SET payload_json = '{}' WHERE intent_id = 'i-1'");
  const auto index = ledger->intent_index().value();
  EXPECT_EQ(heads(*index), "i-1= i-2=h ");
  EXPECT_EQ(index->without_extract().value(), std::vector<std::string>{"i-1"});
}

TEST_P(LedgerIntents, ALedgerOfVersionFourGetsExtractsAsRecordsAreWritten) {
  ASSERT_TRUE(put({intent_row("i-1")}).has_value());
  ledger.reset();
  if (GetParam() == BackEnd::sqlite) place.edit("DROP TRIGGER intents_edited");
  if (GetParam() == BackEnd::postgres) place.edit("DROP TRIGGER intents_edited ON intents");
  place.edit("DROP INDEX intents_open_ids");
  place.edit("DROP TABLE intent_heads");
  place.edit("DROP TABLE intent_keys");
  place.edit("UPDATE meta SET value = '4' WHERE key = 'schema_version'");
  const auto reader = place.open_to_read().value();
  EXPECT_EQ(reader->intent_index().value(), nullptr);  // nothing is made by looking
  EXPECT_EQ(ids(reader->open_intents().value()), "i-1 ");
  ledger = place.open();
  EXPECT_EQ(ledger->facts().found_version, 4);
  EXPECT_EQ(ledger->intent_index().value()->without_extract().value(),
            std::vector<std::string>{"i-1"});
  EXPECT_NE(reader->intent_index().value(), nullptr);
  IntentRow row = stored("i-1");
  row.extract = IntentExtract{.head = "h", .keys = std::vector<IntentKey>{{1, "a"}}};
  ASSERT_TRUE(put({row}).has_value());
  EXPECT_EQ(with(*reader->intent_index().value(), 1, {"a"}), "i-1 ");
}

// --- readers ---

TEST_P(LedgerIntents, AReaderSeesWhatIsThereAndCannotWrite) {
  ASSERT_TRUE(put({intent_row("i-1")}).has_value());
  const auto reader = place.open_to_read().value();
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(ids(reader->open_intents().value()), "i-1 ");
  EXPECT_EQ(reader->last_seq().value(), 1);
  EXPECT_EQ(reader->facts().schema_version, 5);
  EXPECT_EQ(reader->append(event(), Durability::soft).error().code, Code::ledger_unavailable);
  EXPECT_EQ(reader
                ->change_intents(standing_at(kOurs), Durability::durable,
                                 [](IntentView&) -> Result<IntentChange> {
                                   return IntentChange{.put = {intent_row("i-2")},
                                                       .events = {intent_event("intent.declared")}};
                                 })
                .error()
                .code,
            Code::registry_write_failed);
  ASSERT_TRUE(put({intent_row("i-2")}).has_value());
  EXPECT_EQ(ids(reader->open_intents().value()), "i-1 i-2 ");
}

TEST_P(LedgerIntents, AConnectionToReadTakesNoStatementThatWrites) {
  append_many(*ledger, 1);
  const auto door = place.back_door(Access::read);
  for (const char* sql : {"DELETE FROM audit", "CREATE TABLE x(a TEXT)", "DROP TABLE meta"}) {
    const Status done = door->execute(sql);
    ASSERT_FALSE(done.has_value()) << sql;
    EXPECT_NE(done.error().message.find("cannot be written"), std::string::npos)
        << done.error().message;
  }
  EXPECT_EQ(ledger->last_seq().value(), 1);
}

TEST_P(LedgerIntents, AReaderDoesNotWaitForAWriter) {
  ASSERT_TRUE(put({intent_row("i-1")}).has_value());
  const auto writer = place.back_door();
  ASSERT_TRUE(writer->begin(Durability::durable).has_value());
  ASSERT_TRUE(writer->execute("DELETE FROM intents").has_value());
  EXPECT_EQ(ids(place.open_to_read().value()->open_intents().value()), "i-1 ");
  writer->roll_back();
}

TEST_P(LedgerIntents, AReaderGivesUpSoonWhenEverythingIsLocked) {
  ledger.reset();
  const auto holder = place.back_door();
  const bool sqlite = GetParam() == BackEnd::sqlite;
  ASSERT_TRUE(holder
                  ->execute(sqlite ? "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"
                                   : "BEGIN; LOCK TABLE meta IN ACCESS EXCLUSIVE MODE")
                  .has_value());
  const std::int64_t before = sys::real_env().monotonic_ms();
  const auto reader = place.open_to_read();
  const std::int64_t waited = sys::real_env().monotonic_ms() - before;
  ASSERT_FALSE(reader.has_value());
  EXPECT_EQ(reader.error().code, Code::ledger_unavailable);
  EXPECT_NE(reader.error().message.find("holds its lock"), std::string::npos)
      << reader.error().message;
  EXPECT_LT(waited, testing::kBusyMs);  // 250 ms, and what a busy machine adds
}

TEST_P(LedgerIntents, AReaderMakesNoLedger) {
  const LedgerPlace empty(GetParam());
  const auto reader = empty.open_to_read();
  ASSERT_TRUE(reader.has_value()) << reader.error().message;
  EXPECT_EQ(*reader, nullptr);
  if (GetParam() == BackEnd::sqlite) {
    EXPECT_EQ(sys::info(empty.file()).kind, sys::FileKind::missing);
    // Another process has made the file and is about to make the tables.
    ASSERT_TRUE(sys::write_file_atomic(empty.file(), "").has_value());
    EXPECT_EQ(empty.open_to_read().value(), nullptr);
    EXPECT_EQ(sys::read_file(empty.file(), 100).value(), "");
  } else {
    EXPECT_EQ(empty.back_door()->tables().value().first, 0);
  }
}

TEST_P(LedgerIntents, AReaderBringsNothingForward) {
  append_many(*ledger, 2);
  place.edit("ALTER TABLE analysis_runs DROP COLUMN extract_sha256");
  place.edit("DROP TABLE intents");
  place.edit("DROP TABLE intent_heads");
  place.edit("DROP TABLE intent_keys");
  place.edit("DROP TABLE run_parts");
  place.edit("UPDATE meta SET value = '3' WHERE key = 'schema_version'");
  const auto reader = place.open_to_read().value();
  ASSERT_NE(reader, nullptr);
  EXPECT_EQ(reader->facts().schema_version, 3);
  EXPECT_TRUE(reader->open_intents().value().empty());
  EXPECT_TRUE(reader->closed_intents(9).value().empty());
  EXPECT_FALSE(reader->intent("i-1").value().has_value());
  EXPECT_EQ(reader->last_seq().value(), 2);
  ledger = place.open();  // brought forward by somebody who writes
  ASSERT_TRUE(put({intent_row("i-1")}).has_value());
  EXPECT_EQ(ids(reader->open_intents().value()), "i-1 ");
}

TEST_P(LedgerIntents, AReaderRefusesWhatItDoesNotKnow) {
  place.edit("UPDATE meta SET value = '6' WHERE key = 'schema_version'");
  EXPECT_EQ(place.open_to_read().error().code, Code::ledger_too_new);
  place.edit("DROP TABLE meta");
  EXPECT_EQ(place.open_to_read().error().code, Code::ledger_unavailable);
}

// --- whose they are ---

TEST(SqliteIntents, RecordsFromBeforeTheRepositoryWasKnownStayItsOwn) {
  const LedgerPlace place(BackEnd::sqlite);
  const auto ledger = place.open();
  const auto declare = [&](const char* id) {
    return ledger
        ->change_intents(standing_at(kOurs), Durability::durable,
                         [&](IntentView&) -> Result<IntentChange> {
                           return IntentChange{.put = {intent_row(id)},
                                               .events = {intent_event("intent.declared")}};
                         })
        .has_value();
  };
  ASSERT_TRUE(declare("i-1"));
  ASSERT_TRUE(ledger->set_repo_id("0123").has_value());
  ASSERT_TRUE(declare("i-2"));
  EXPECT_EQ(ledger->open_intents().value().size(), 2U);
  const auto door = place.back_door();
  auto query = door->query("SELECT count(*) FROM intents WHERE repo_id = '0123'");
  ASSERT_TRUE(query->step().value());
  EXPECT_EQ(query->number(0), 2);
}

TEST(PostgresIntents, AReaderOfAnotherRepositoryWithTheSameStartIsRefused) {
  const LedgerPlace place(BackEnd::postgres);
  (void)place.open();
  std::string other = place.repo_id();
  other.back() = other.back() == '0' ? '1' : '0';
  const auto reader = Ledger::open_postgres_to_read(testing::postgres_server().url(), other);
  EXPECT_EQ(reader.error().code, Code::conflict);
}

}  // namespace
}  // namespace gh::store
