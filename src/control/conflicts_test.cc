#include "control/conflicts.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "control/test_intent.h"
#include "model/peek.h"
#include "policy/glob.h"

namespace gh::control {
namespace {

using policy::ConflictMatching;
using Strings = std::vector<std::string>;

Intent other(std::string id, std::vector<std::string> allowed,
             std::vector<std::string> related = {}, std::vector<std::string> forbidden = {}) {
  Intent intent = test_intent(std::move(id));
  intent.scope = scope_of(std::move(allowed), std::move(related), std::move(forbidden));
  return intent;
}

Strings strings(const Value& list) {
  Strings out;
  for (const Value& item : Peek(list).list())
    out.emplace_back(Peek(item).text());
  return out;
}

Conflicts conflicts_with(const Scope& scope, const Intent& intent,
                         Ownership ownership = Ownership::foreign_active,
                         ConflictMatching matching = ConflictMatching::prefix) {
  static std::vector<Held> records;
  records = {Held{&intent, ownership, Liveness::alive}};
  return find_conflicts(scope, records, matching);
}

// change-control 5.5: allowed with allowed is hard, allowed with related is soft.
TEST(Conflicts, AnOverlapIsHardSoftOrBoth) {
  struct Case {
    Strings allowed, related, their_allowed, their_related;
    const char* type;  // "": no conflict
    Strings hard, soft;
  };
  const Case kCases[] = {
      {{"a"}, {}, {"a"}, {}, "hard", {"a"}, {}},
      {{"a"}, {}, {"x"}, {"a"}, "soft", {}, {"a"}},
      {{"x"}, {"a"}, {"a"}, {}, "soft", {}, {"a"}},
      {{"x"}, {"a"}, {"y"}, {"a"}, "", {}, {}},
      {{"a", "b"}, {"c"}, {"a", "c"}, {"b"}, "both", {"a"}, {"b", "c"}},
      {{"a"}, {}, {"b"}, {}, "", {}, {}},
      {{"pkg"}, {}, {"pkg/a.py"}, {}, "hard", {"pkg/a.py"}, {}},
      {{"pkg/a.py"}, {}, {"pkg"}, {}, "hard", {"pkg/a.py"}, {}},
      {{"pkg/a.py"}, {}, {"x"}, {"pkg"}, "soft", {}, {"pkg/a.py"}},
      {{"pk"}, {}, {"pkg/a.py"}, {}, "", {}, {}},
  };
  for (const Case& c : kCases) {
    const Intent intent = other("their", c.their_allowed, c.their_related);
    const Conflicts found = conflicts_with(scope_of(c.allowed, c.related), intent);
    ASSERT_EQ(found.any(), *c.type != '\0') << &c - kCases;
    EXPECT_EQ(found.concurrent_intents.size(), found.any() ? 1u : 0u);
    if (!found.any()) continue;
    const Peek entry(found.concurrent_intents[0]);
    EXPECT_EQ(entry["overlap_type"].text(), c.type) << &c - kCases;
    EXPECT_EQ(found.overlaps[0].hard, c.hard);
    EXPECT_EQ(found.overlaps[0].soft, c.soft);
  }
}

TEST(Conflicts, ExactMatchingKnowsNoFolders) {
  const Intent intent = other("their", {"pkg", "lib/x"}, {});
  EXPECT_FALSE(conflicts_with(scope_of({"pkg/a.py"}), intent, Ownership::foreign_active,
                              ConflictMatching::exact)
                   .any());
  EXPECT_TRUE(conflicts_with(scope_of({"lib/x"}), intent, Ownership::foreign_active,
                             ConflictMatching::exact)
                  .any());
}

TEST(Conflicts, OnlyLiveForeignOpenRecordsStopAScope) {
  struct Case {
    IntentStatus status;
    Ownership ownership;
    bool stops;
  };
  using S = IntentStatus;
  using O = Ownership;
  const Case kCases[] = {
      {S::active, O::foreign_active, true},   {S::active, O::foreign_stale, true},
      {S::expanded, O::foreign_active, true}, {S::violated, O::foreign_active, true},
      {S::queued, O::foreign_active, false},  {S::clean, O::foreign_active, false},
      {S::expired, O::foreign_active, false}, {S::orphaned, O::foreign_active, false},
      {S::active, O::own_active, false},      {S::active, O::own_stale, false},
      {S::active, O::recoverable, false},     {S::active, O::expired, false},
  };
  for (const Case& c : kCases) {
    Intent intent = other("their", {"a"});
    intent.status = c.status;
    const Conflicts found = conflicts_with(scope_of({"a"}), intent, c.ownership);
    EXPECT_EQ(found.any(), c.stops) << &c - kCases;
    EXPECT_EQ(found.workspace_relations.size(), c.stops ? 1u : 0u);
    EXPECT_EQ(found.queued_context.size(), c.status == S::queued ? 1u : 0u) << &c - kCases;
  }
}

TEST(Conflicts, AnEntrySaysWhoHoldsWhatAndWhatToDo) {
  Intent intent = other("their", {"a"}, {"b"});
  const Conflicts found = conflicts_with(scope_of({"a", "b"}), intent);
  const Map& entry = *found.concurrent_intents.at(0).as_map();
  const std::set<std::string> want{
      "intent_id",    "agent_pid",       "agent_start_epoch",  "agent_label",  "intent",
      "ownership",    "severity",        "recommended_action", "overlap_type", "hard_overlap",
      "soft_overlap", "declared_at_utc", "expires_at_utc"};
  std::set<std::string> have;
  for (const auto& member : entry.entries())
    have.insert(member.first);
  EXPECT_EQ(have, want);
  EXPECT_EQ(*entry.find("severity"), Value("active"));
  EXPECT_EQ(*entry.find("recommended_action"), Value("stop_and_coordinate"));
  EXPECT_EQ(*entry.find("ownership"), Value("foreign_active"));
  EXPECT_EQ(*entry.find("declared_at_utc"), Value("2027-01-15T08:00:00Z"));
  Map related = *found.workspace_relations.at(0).as_map();
  EXPECT_EQ(*related.find("relation"), Value("edit_overlap"));
  related.erase("relation");
  EXPECT_EQ(related, entry);
  const Conflicts stale = conflicts_with(scope_of({"a"}), intent, Ownership::foreign_stale);
  EXPECT_EQ(Peek(stale.concurrent_intents[0])["severity"].text(), "stale");
  EXPECT_EQ(Peek(stale.concurrent_intents[0])["recommended_action"].text(),
            "coordinate_or_recover");
  EXPECT_TRUE(stale.any_of(Ownership::foreign_stale));
  EXPECT_FALSE(stale.any_of(Ownership::foreign_active));
  const Map& blocker = *found.blocked_by.at(0).as_map();
  EXPECT_EQ(blocker, (Map{{"intent_id", "their"},
                          {"agent_pid", 4711},
                          {"agent_label", "agent/1.0"},
                          {"ownership", "foreign_active"},
                          {"overlapping_files", string_list({"a", "b"})}}));
}

// change-control 5.5: the first case that applies.
TEST(Conflicts, ForbiddenPatternsOfEitherSideAreToldButStopNobody) {
  struct Case {
    Scope mine;
    Intent theirs;
    const char* relation;
    Strings patterns;
  };
  const Case kCases[] = {
      {scope_of({"db/m.sql"}, {}, {"pkg/*"}),
       other("t", {"pkg/a"}, {}, {"db/**", "*.sql", "x"}),
       "foreign_excludes_target",
       {"*.sql", "db/**"}},
      {scope_of({"db/m.sql"}, {}, {"pkg/*", "q"}),
       other("t", {"pkg/a"}),
       "target_excludes_foreign",
       {"pkg/*"}},
      {scope_of({"db/m.sql"}, {}, {"db/m.sql"}),
       other("t", {"db/m.sql"}, {}, {"**"}),
       "edit_overlap",
       {}},
      {scope_of({"db/m.sql"}, {}, {"q"}), other("t", {"pkg/a"}, {"db/x"}, {"z"}), "", {}},
      // patterns are asked about allowed files alone
      {scope_of({"db/m.sql"}, {"lib/r"}, {"rel/*"}),
       other("t", {"pkg/a"}, {"rel/a"}, {"lib/*"}),
       "",
       {}},
  };
  for (const Case& c : kCases) {
    const Conflicts found = conflicts_with(c.mine, c.theirs);
    ASSERT_EQ(found.workspace_relations.size(), *c.relation == '\0' ? 0u : 1u) << &c - kCases;
    if (found.workspace_relations.empty()) continue;
    const Peek entry(found.workspace_relations[0]);
    EXPECT_EQ(entry["relation"].text(), c.relation);
    if (c.patterns.empty()) continue;
    EXPECT_FALSE(found.any());
    EXPECT_EQ(entry["severity"].text(), "info");
    EXPECT_EQ(entry["intent_id"].text(), "t");
    EXPECT_EQ(strings(*found.workspace_relations[0].as_map()->find("matching_patterns")),
              c.patterns);
  }
}

TEST(Conflicts, RelationsAreSortedBySeverityRelationTypeLabelPidAndId) {
  std::vector<Intent> intents;
  const auto add = [&](const char* id, Strings allowed, Strings related, const char* label,
                       std::int64_t pid, Strings forbidden = {}) {
    intents.push_back(other(id, std::move(allowed), std::move(related), std::move(forbidden)));
    intents.back().agent_label = label;
    intents.back().agent_pid = pid;
  };
  add("i9", {"zzz"}, {}, "a", 1, {"a"});  // info, foreign_excludes_target
  add("i8", {"a"}, {}, "b", 2);           // hard
  add("i7", {"a"}, {}, "b", 2);           // hard, same agent
  add("i6", {"a"}, {}, "b", 1);           // hard, smaller pid
  add("i5", {"a"}, {}, "a", 9);           // hard, earlier label
  add("i4", {"a"}, {"b"}, "z", 1);        // both
  add("i3", {"q"}, {"a"}, "a", 1);        // soft
  add("i2", {"a"}, {}, "a", 1);           // stale
  add("i1", {"no/x"}, {}, "a", 1);        // info, target_excludes_foreign
  std::vector<Held> records;
  for (const Intent& intent : intents)
    records.push_back({&intent,
                       intent.id == "i2" ? Ownership::foreign_stale : Ownership::foreign_active,
                       Liveness::alive});
  const Conflicts found =
      find_conflicts(scope_of({"a", "b"}, {}, {"no/*"}), records, ConflictMatching::prefix);
  Strings relations, concurrent;
  for (const Value& entry : found.workspace_relations)
    relations.emplace_back(Peek(entry)["intent_id"].text());
  for (const Value& entry : found.concurrent_intents)
    concurrent.emplace_back(Peek(entry)["intent_id"].text());
  EXPECT_EQ(concurrent, (Strings{"i4", "i5", "i6", "i7", "i8", "i3", "i2"}));
  EXPECT_EQ(relations, (Strings{"i4", "i5", "i6", "i7", "i8", "i3", "i9", "i1", "i2"}));
}

TEST(Conflicts, WhoWaitsForAnAllowedFileIsNamedBeside) {
  Intent waiting = other("w", {"pkg/a.py", "x"}, {"b"});
  waiting.status = IntentStatus::queued;
  const Conflicts found = conflicts_with(scope_of({"pkg", "b"}), waiting);
  ASSERT_EQ(found.queued_context.size(), 1u);
  const Map& entry = *found.queued_context[0].as_map();
  EXPECT_EQ(entry.size(), 3u);
  EXPECT_EQ(*entry.find("intent_id"), Value("w"));
  EXPECT_EQ(*entry.find("overlapping_files"), string_list({"pkg/a.py"}));
  EXPECT_FALSE(found.any());
  const Value value = workspace_value(found, {.total_agents = 3, .stale_count = 1});
  EXPECT_EQ(value.as_map()->size(), 5u);
  EXPECT_EQ(Peek(value)["total_agents"].number(), 3);
  EXPECT_EQ(Peek(value)["stale_count"].number(), 1);
  EXPECT_EQ(Peek(value)["queued_context"].list().size(), 1u);
}

// change-control 10.5
TEST(Conflicts, TheQueueIsOrderedByDeclarationThenId) {
  std::vector<Intent> intents;
  const auto add = [&](const char* id, std::int64_t at, IntentStatus status) {
    intents.push_back(test_intent(id));
    intents.back().declared_at = {at};
    intents.back().status = status;
  };
  add("b", 100, IntentStatus::queued);
  add("a", 100, IntentStatus::queued);
  add("c", 99, IntentStatus::queued);
  add("d", 98, IntentStatus::active);
  add("e", 97, IntentStatus::queued);
  std::vector<Held> records;
  for (const Intent& intent : intents)
    records.push_back(
        {&intent, intent.id == "e" ? Ownership::expired : Ownership::own_active, Liveness::alive});
  EXPECT_EQ(queue_position(intents[2], records), 1);
  EXPECT_EQ(queue_position(intents[1], records), 2);
  EXPECT_EQ(queue_position(intents[0], records), 3);
  Intent later = test_intent("0");
  later.declared_at = {101};
  EXPECT_EQ(queue_position(later, records), 4);
  EXPECT_EQ(queue_position(later, {}), 1);
}

/// Pairs, compared as the rule says.
Strings overlap_by_pairs(const Strings& a, const Strings& b, ConflictMatching matching) {
  std::set<std::string> out;
  for (const std::string& x : a)
    for (const std::string& y : b) {
      if (x == y) out.insert(x);
      if (matching == ConflictMatching::exact) continue;
      if (policy::matches_prefix(x, y)) out.insert(x);
      if (policy::matches_prefix(y, x)) out.insert(y);
    }
  return {out.begin(), out.end()};
}

TEST(Conflicts, AgreeWithTheComparisonOfEveryPair) {
  std::mt19937 random(20'261'117);
  const auto list = [&] {
    Strings out;
    for (int i = 0; i < 6; ++i) {
      std::string path(1, static_cast<char>('a' + random() % 3));
      while (random() % 3 != 0)
        path += std::string("/") + static_cast<char>('a' + random() % 3);
      out.push_back(path);
    }
    return out;
  };
  for (int round = 0; round < 500; ++round)
    for (const ConflictMatching matching : {ConflictMatching::exact, ConflictMatching::prefix}) {
      const Scope mine = scope_of(list(), list());
      const Intent theirs = other("t", list(), list());
      const Conflicts found = conflicts_with(mine, theirs, Ownership::foreign_active, matching);
      const Strings hard =
          overlap_by_pairs(mine.allowed_files, theirs.scope.allowed_files, matching);
      Strings soft = overlap_by_pairs(mine.allowed_files, theirs.scope.allowed_related, matching);
      const Strings more =
          overlap_by_pairs(mine.allowed_related, theirs.scope.allowed_files, matching);
      std::set<std::string> both(soft.begin(), soft.end());
      both.insert(more.begin(), more.end());
      soft.assign(both.begin(), both.end());
      ASSERT_EQ(found.any(), !hard.empty() || !soft.empty());
      if (!found.any()) continue;
      EXPECT_EQ(found.overlaps[0].hard, hard);
      EXPECT_EQ(found.overlaps[0].soft, soft);
    }
}

TEST(Conflicts, WhoeverWasPassedStopsNobody) {
  Intent intent = other("their", {"a"});
  EXPECT_TRUE(conflicts_with(scope_of({"a"}), intent).any());
  intent.passed_by = 9;
  EXPECT_FALSE(conflicts_with(scope_of({"a"}), intent).any());
}

// Taken from is who is gone and had one of the files; whoever lives is in the way instead.
TEST(Conflicts, AScopeOvertakesWhoeverIsGoneAndHadAFileOfIt) {
  struct Case {
    Ownership ownership;
    IntentStatus status;
    std::int64_t passed_by;
    Strings allowed, related;
    bool overtaken;
  };
  using O = Ownership;
  using S = IntentStatus;
  const Case kCases[] = {
      {O::recoverable, S::active, 0, {"a"}, {}, true},
      {O::recoverable, S::violated, 0, {"a"}, {}, true},
      {O::recoverable, S::active, 0, {"x"}, {"a"}, true},
      {O::recoverable, S::active, 0, {"x"}, {"b"}, false},
      {O::expired, S::active, 0, {"a"}, {}, true},
      {O::recoverable, S::active, 4, {"a"}, {}, false},
      {O::recoverable, S::queued, 0, {"a"}, {}, false},
      {O::recoverable, S::clean, 0, {"a"}, {}, false},
      {O::foreign_active, S::active, 0, {"a"}, {}, false},
      {O::foreign_stale, S::active, 0, {"a"}, {}, false},
      {O::own_active, S::active, 0, {"a"}, {}, false},
      {O::own_stale, S::active, 0, {"a"}, {}, false},
  };
  for (const Case& c : kCases) {
    Intent intent = other("their", c.allowed, c.related);
    intent.status = c.status;
    intent.passed_by = c.passed_by;
    const std::vector<Held> records{Held{&intent, c.ownership, Liveness::dead}};
    EXPECT_EQ(overtaken(scope_of({"a"}, {"b"}), records, ConflictMatching::prefix).size(),
              c.overtaken ? 1u : 0u)
        << &c - kCases;
  }
}

}  // namespace
}  // namespace gh::control
