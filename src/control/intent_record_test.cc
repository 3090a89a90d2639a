#include "control/intent_record.h"

#include <functional>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "control/test_intent.h"
#include "wire/json.h"

namespace gh::control {
namespace {

/// The record with one change, sealed again so that only the change can be at fault.
Value changed(Value record, const std::function<void(Map&)>& change) {
  Map& map = *record.as_map();
  map.erase("integrity");
  change(map);
  std::string digest = digest_of(wire::canonical_json(map)).hex();
  map.set("integrity", Map{{"payload_sha256", std::move(digest)}});
  return record;
}

std::string verdict(const Value& record) {
  const auto intent = from_record(record);
  return intent ? "accepted" : intent.error().message;
}

Intent full_intent() {
  Intent intent = test_intent();
  intent.blast_radius_summary = Map{{"radius_level", "low"}};
  intent.dirty_snapshot = DirtySnapshot{.captured_at = kDeclared, .paths_count = 2};
  intent.dirty_snapshot->entries["a.py"] = {" M", std::string(64, 'c')};
  intent.dirty_snapshot->entries["n\xC3\xA9w \"q\".py"] = {"??", std::nullopt};
  intent.owner = Owner{.kind = OwnerKind::session,
                       .host_id = "h",
                       .boot_id = "b",
                       .pid = 4711,
                       .start_ticks = 55,
                       .session_id = "s",
                       .host_pid = 9,
                       .host_start_ticks = 10};
  intent.fence = 3;
  intent.passed_by = 5;
  intent.landing = true;
  intent.last_check = LastCheck{"clean", kDeclared};
  intent.checked_files = {"a.py", "b.py"};
  intent.worktree = "worktrees/x";
  intent.expected_effects = {"faster", "smaller"};
  intent.dirty_scope_policy = "continue_own_wip";
  return intent;
}

TEST(IntentRecord, WhatIsWrittenIsReadBack) {
  for (const Intent& intent : {test_intent(), full_intent()}) {
    const auto back = from_record(to_record(intent));
    ASSERT_TRUE(back.has_value()) << back.error().message;
    EXPECT_EQ(*back, intent);
    const std::string text = wire::canonical_json(to_record(intent));
    EXPECT_EQ(
        wire::canonical_json(to_record(from_record(wire::read_own_json(text).value()).value())),
        text);
  }
}

// change-control 4.1: the members by name.
TEST(IntentRecord, HasTheseMembers) {
  const auto names = [](const Value& record) {
    std::string out;
    for (const auto& entry : record.as_map()->entries())
      out += entry.first + ' ';
    return out;
  };
  EXPECT_EQ(names(to_record(test_intent())),
            "registry_version intent_id agent_pid agent_start_epoch agent_label run_id "
            "declared_at_utc expires_at_utc ttl_seconds status intent scope scope_digest "
            "blast_radius_summary lease_renewed_at_utc lease_seconds report_digest integrity ");
  EXPECT_EQ(names(to_record(full_intent())),
            "registry_version intent_id agent_pid agent_start_epoch agent_label run_id "
            "declared_at_utc expires_at_utc ttl_seconds status intent scope scope_digest "
            "blast_radius_summary lease_renewed_at_utc lease_seconds report_digest dirty_snapshot "
            "owner fence passed_by last_check checked_files worktree landing expected_effects "
            "dirty_scope_policy integrity ");
  EXPECT_EQ(names(*to_record(full_intent()).as_map()->find("owner")),
            "kind host_id boot_id pid start_ticks session_id host_pid host_start_ticks ");
}

TEST(IntentRecord, IsOfVersion3AsSoonAsAMemberBeyond2IsThere) {
  const auto version = [](const Intent& intent) {
    return *to_record(intent).as_map()->find("registry_version")->as_string();
  };
  EXPECT_EQ(version(test_intent()), "2");
  const std::function<void(Intent&)> kBeyond[] = {
      [](Intent& i) { i.owner = Owner{}; },
      [](Intent& i) { i.fence = 1; },
      [](Intent& i) { i.passed_by = 2; },
      [](Intent& i) { i.landing = true; },
      [](Intent& i) {
        i.last_check = LastCheck{"clean", kDeclared};
      },
      [](Intent& i) { i.checked_files.emplace(); },
      [](Intent& i) { i.worktree = "w"; },
      [](Intent& i) { i.expected_effects = {"x"}; },
      [](Intent& i) { i.dirty_scope_policy = "block"; },
      [](Intent& i) { i.unknown.set("later", 1); },
      [](Intent& i) { i.dirty_snapshot = DirtySnapshot{.partial = true, .paths_count = 30'000}; },
  };
  for (const auto& beyond : kBeyond) {
    Intent intent = test_intent();
    beyond(intent);
    EXPECT_EQ(version(intent), "3") << &beyond - kBeyond;
    EXPECT_EQ(from_record(to_record(intent)).value(), intent);
  }
  Intent with_snapshot = test_intent();
  with_snapshot.dirty_snapshot = DirtySnapshot{.captured_at = kDeclared};
  EXPECT_EQ(version(with_snapshot), "2");
}

TEST(IntentRecord, DigestsAreThoseOfCanonicalJson) {
  Scope scope;
  scope.allowed_files = {"a", "b"};
  scope.forbidden = {"c"};
  EXPECT_EQ(
      scope_digest(scope),
      digest_of(R"({"allowed_files":["a","b"],"allowed_related":[],"forbidden":["c"]})").hex());
  Value record = to_record(test_intent());
  const std::string stated =
      *record.as_map()->find("integrity")->as_map()->find("payload_sha256")->as_string();
  record.as_map()->erase("integrity");
  EXPECT_EQ(stated, digest_of(wire::canonical_json(record)).hex());
}

TEST(IntentRecord, OneBrokenRuleMakesItCorrupted) {
  struct Case {
    const char* name;
    Value value;
  };
  const Case kBad[] = {
      {"registry_version", "0"},
      {"registry_version", "4"},
      {"registry_version", 2},
      {"intent_id", ""},
      {"intent_id", "-x"},
      {"intent_id", "a/b"},
      {"intent_id", std::string(129, 'a')},
      {"intent_id", 7},
      {"agent_pid", 0},
      {"agent_pid", -1},
      {"agent_pid", "1"},
      {"agent_start_epoch", 0},
      {"agent_label", Value()},
      {"run_id", "0a1b2c3d"},
      {"run_id", std::string(64, 'A')},
      {"declared_at_utc", "yesterday"},
      {"declared_at_utc", "2026-11-17"},
      {"expires_at_utc", "2026-11-17T10:00:00"},
      {"expires_at_utc", "1999-01-01T00:00:00Z"},
      {"ttl_seconds", 59},
      {"ttl_seconds", 86'401},
      {"ttl_seconds", true},
      {"status", "blocked"},
      {"status", "unverified"},
      {"status", ""},
      {"intent", ""},
      {"intent", std::string(4001, 'x')},
      {"scope", List{}},
      {"scope", Map{{"allowed_files", List{Value("a")}}}},
      {"scope_digest", std::string(64, '0')},
      {"scope_digest", "0"},
      {"blast_radius_summary", List{}},
      {"lease_renewed_at_utc", "x"},
      {"lease_seconds", 59},
      {"lease_seconds", 601},
      {"report_digest", 1},
      {"dirty_snapshot", List{}},
      {"fence", 0},
      {"fence", -1},
      {"passed_by", 0},
      {"landing", false},
      {"landing", 1},
      {"owner", Map{{"kind", "robot"}}},
      {"owner", Map{{"kind", "process"}, {"pid", "x"}}},
      {"owner", Map{}},
      {"last_check", Map{{"status", "clean"}}},
      {"last_check", Map{{"status", "clean"}, {"at_utc", "x"}}},
      {"checked_files", "a"},
      {"checked_files", List{Value("b"), Value("a")}},
      {"worktree", ""},
      {"expected_effects", List{Value("b"), Value("a")}},
      {"dirty_scope_policy", 3},
  };
  const Value good = to_record(full_intent());
  ASSERT_EQ(verdict(good), "accepted");
  for (const Case& c : kBad) {
    const std::string said =
        verdict(changed(good, [&](Map& record) { record.set(c.name, c.value); }));
    EXPECT_NE(said, "accepted") << c.name;
    EXPECT_NE(said.find(c.name), said.npos) << c.name << ": " << said;
  }
  for (const char* member :
       {"registry_version", "intent_id", "agent_pid", "agent_start_epoch", "agent_label", "run_id",
        "declared_at_utc", "expires_at_utc", "ttl_seconds", "status", "intent", "scope",
        "scope_digest", "blast_radius_summary", "lease_renewed_at_utc", "lease_seconds",
        "report_digest"})
    EXPECT_NE(verdict(changed(good, [&](Map& record) { record.erase(member); })), "accepted")
        << member;
  for (const char* member :
       {"dirty_snapshot", "owner", "fence", "passed_by", "last_check", "checked_files", "worktree",
        "landing", "expected_effects", "dirty_scope_policy"})
    EXPECT_EQ(verdict(changed(good, [&](Map& record) { record.erase(member); })), "accepted")
        << member;
  EXPECT_NE(verdict(Value()), "accepted");
  EXPECT_NE(verdict(changed(good, [](Map& record) { record.set("unknown", 1); })),
            verdict(changed(good, [](Map& record) { record.set("intent", 1); })));
}

TEST(IntentRecord, AScopeThatIsNotNormalIsCorrupted) {
  const Value good = to_record(test_intent());
  const std::function<void(Scope&)> kBad[] = {
      [](Scope& s) { s.allowed_files = {"b", "a"}; },
      [](Scope& s) { s.allowed_files = {"a", "a"}; },
      [](Scope& s) { s.allowed_files = {}; },
      [](Scope& s) { s.allowed_files = {"/a"}; },
      [](Scope& s) { s.allowed_files = {"./a"}; },
      [](Scope& s) { s.forbidden = {}; },
  };
  for (const auto& bad : kBad) {
    Scope scope = test_intent().scope;
    bad(scope);
    EXPECT_NE(verdict(changed(good,
                              [&](Map& record) {
                                record.set("scope", scope_value(scope));
                                record.set("scope_digest", scope_digest(scope));
                              })),
              "accepted")
        << &bad - kBad;
  }
}

TEST(IntentRecord, ABadEntryOfTheSnapshotIsCorrupted) {
  const Value good = to_record(full_intent());
  const auto with = [&](const Value& entry) {
    return verdict(changed(good, [&](Map& record) {
      record.set("dirty_snapshot", Map{{"git_available", true},
                                       {"captured_at_utc", "2027-01-15T08:00:00Z"},
                                       {"entries", Map{{"a", entry}}}});
    }));
  };
  const Value hex(std::string(64, 'c'));
  EXPECT_EQ(with(Map{{"status_xy", " M"}, {"digest", hex}, {"digest_status", "ok"}}), "accepted");
  EXPECT_EQ(with(Map{{"status_xy", "??"}, {"digest", Value()}, {"digest_status", "unavailable"}}),
            "accepted");
  for (const Value& bad : {
           Value(Map{{"status_xy", "M"}, {"digest", hex}, {"digest_status", "ok"}}),
           Value(Map{{"status_xy", " M"}, {"digest", Value()}, {"digest_status", "ok"}}),
           Value(Map{{"status_xy", " M"}, {"digest", "abc"}, {"digest_status", "ok"}}),
           Value(Map{{"status_xy", " M"}, {"digest", hex}, {"digest_status", "perhaps"}}),
           Value(Map{{"status_xy", " M"}, {"digest", hex}}),
           Value(Map{{"digest", hex}, {"digest_status", "ok"}}),
           Value(Map{{"status_xy", " M"}, {"digest", hex}, {"digest_status", "ok"}, {"x", 1}}),
           Value("x"),
       })
    EXPECT_NE(with(bad), "accepted");
}

TEST(IntentRecord, UnknownMembersAreRefusedBeforeVersion3AndKeptFromThereOn) {
  const Value two = to_record(test_intent()), three = to_record(full_intent());
  const auto add = [](Map& record) { record.set("colour", "red"); };
  EXPECT_EQ(verdict(changed(two, add)), "intent record: colour: unknown in version 2");
  EXPECT_EQ(verdict(changed(two, [](Map& record) { record.set("fence", 4); })),
            "intent record: fence: unknown in version 2");
  const Intent kept = from_record(changed(three, add)).value();
  EXPECT_EQ(*kept.unknown.find("colour")->as_string(), "red");
  EXPECT_EQ(*to_record(kept).as_map()->find("colour")->as_string(), "red");
}

TEST(IntentRecord, Version1HasNoLeaseAndNoReport) {
  const Value one = changed(to_record(test_intent()), [](Map& record) {
    record.set("registry_version", "1");
    for (const char* later : {"lease_renewed_at_utc", "lease_seconds", "report_digest"})
      record.erase(later);
  });
  const auto intent = from_record(one);
  ASSERT_TRUE(intent.has_value()) << intent.error().message;
  EXPECT_EQ(intent->lease_renewed_at, intent->declared_at);
  EXPECT_EQ(intent->lease_seconds, 300);
  EXPECT_EQ(intent->report_digest, "");
  EXPECT_EQ(*to_record(*intent).as_map()->find("registry_version")->as_string(), "2");
  EXPECT_EQ(verdict(changed(one, [](Map& record) { record.set("lease_seconds", 300); })),
            "intent record: lease_seconds: unknown in version 1");
}

TEST(IntentRecord, EveryFlippedByteOfTheIntegrityIsNoticed) {
  Value record = to_record(test_intent());
  EXPECT_EQ(verdict(record), "accepted");
  record.as_map()->set("intent", "Something else");
  EXPECT_EQ(verdict(record),
            "intent record: integrity.payload_sha256: is not the digest of the record");
  record = to_record(test_intent());
  record.as_map()->set("integrity", Map{{"payload_sha256", "0"}});
  EXPECT_NE(verdict(record), "accepted");
  record.as_map()->erase("integrity");
  EXPECT_NE(verdict(record), "accepted");
  Value float_inside = to_record(full_intent());
  float_inside.as_map()->set("later", Number{1e300, "1e300"});
  EXPECT_NE(verdict(float_inside), "accepted");
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  for (const char* other : {"abd", "bbc", "ab", "abcd", ""})
    EXPECT_FALSE(equal_in_constant_time(other, "abc")) << other;
  EXPECT_FALSE(equal_in_constant_time("abc", ""));
}

// change-control 2.1
TEST(IntentId, NamesTheRunTheCountAndTheOwner) {
  const std::string identity = owner_identity(4711, 1'799'990'000, nullptr);
  const std::string id = compose_intent_id("0a1b2c3d4e5f", 1, identity);
  EXPECT_EQ(id, "intent-0a1b2c3d-001-" + digest_of(identity).hex().substr(0, 6));
  EXPECT_TRUE(is_safe_intent_id(id));
  EXPECT_EQ(compose_intent_id("0a1b2c3d", 1234, "x").substr(0, 21), "intent-0a1b2c3d-1234-");
  const Owner one{.session_id = "s1"}, two{.session_id = "s2"},
      far{.host_id = "h", .session_id = "s1"};
  EXPECT_NE(owner_identity(1, 2, &one), owner_identity(1, 2, &two));
  EXPECT_NE(owner_identity(1, 2, &one), owner_identity(1, 2, &far));
  EXPECT_NE(owner_identity(1, 2, &one), owner_identity(1, 3, &one));
  EXPECT_NE(owner_identity(1, 2, nullptr), owner_identity(12, 2, nullptr));
}

TEST(IntentId, IsSafeAsAFileNameAndAWord) {
  for (const std::string& safe : {std::string("a"), std::string("A.b_c-9"), std::string(128, 'z')})
    EXPECT_TRUE(is_safe_intent_id(safe)) << safe;
  for (const std::string& unsafe :
       {std::string(), std::string(129, 'z'), std::string(".a"), std::string("-a"),
        std::string("_a"), std::string("a b"), std::string("a/b"), std::string("a\nb"),
        std::string("\xC3\xA9"), std::string("a\0", 2)})
    EXPECT_FALSE(is_safe_intent_id(unsafe)) << unsafe;
}

TEST(IntentRecord, ADescriptionIsTrimmedAndCutBetweenCharacters) {
  EXPECT_EQ(stored_description("  tidy \n"), "tidy");
  EXPECT_EQ(stored_description(std::string(4000, 'x')).size(), 4000u);
  EXPECT_EQ(stored_description(std::string(5000, 'x')).size(), 4000u);
  std::string accents;
  for (int i = 0; i < 4001; ++i)
    accents += "\xC3\xA9";
  EXPECT_EQ(stored_description(accents).size(), 8000u);
}

// A renewal changes the text where the lease stands, and is the record that is made anew.
TEST(IntentRecord, ARenewedTextIsTheRecordMadeAnew) {
  Intent plain = test_intent();
  Intent full = test_intent();
  full.fence = 7;
  full.owner = Owner{.kind = OwnerKind::session, .session_id = "\"lease_seconds\":1,"};
  full.description = R"(x","lease_renewed_at_utc":"2026 "integrity":{"payload_sha256":")";
  for (const Intent& intent : {plain, full})
    for (const std::int64_t seconds : {60, 300, 600}) {
      Intent renewed = intent;
      renewed.lease_renewed_at = {kDeclared.seconds + 77};
      renewed.lease_seconds = seconds;
      const std::string text = wire::canonical_json(to_record(intent));
      const std::string again = with_lease(text, renewed);
      EXPECT_EQ(again, wire::canonical_json(to_record(renewed)));
      EXPECT_EQ(from_record(wire::read_own_json(again, "intent").value(), again).value(), renewed);
    }
}

TEST(IntentRecord, ATextThatNamesItsLeaseTwiceOrNeverIsNotChangedInPlace) {
  Intent twice = test_intent();
  twice.unknown.set("later", Map{{"lease_seconds", 5}, {"z", 1}});
  EXPECT_EQ(with_lease(wire::canonical_json(to_record(twice)), twice), "");
  const std::string text = wire::canonical_json(to_record(test_intent()));
  for (const char* gone :
       {"lease_renewed_at_utc", "lease_seconds", "integrity", "payload_sha256"}) {
    std::string other = text;
    other.replace(other.find(gone), 1, "X");
    EXPECT_EQ(with_lease(other, test_intent()), "") << gone;
  }
  for (const char* bad : {"", "{}", "null"})
    EXPECT_EQ(with_lease(bad, test_intent()), "");
}

}  // namespace
}  // namespace gh::control
