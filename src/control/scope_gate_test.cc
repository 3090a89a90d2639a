// docs/check.md, "The scope gate".
#include "control/scope_gate.h"

#include <deque>

#include <gtest/gtest.h>

#include "control/start_decision.h"
#include "control/test_intent.h"

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

struct World {
  std::deque<Intent> intents{};
  ScopeGateFacts facts{};

  Intent& declare(std::vector<Held>& list, Ownership ownership, Strings files,
                  Strings forbidden = {}) {
    intents.push_back(
        test_intent("intent-0a1b2c3d-00" + std::to_string(intents.size() + 1) + "-abcdef"));
    intents.back().scope = scope_of(std::move(files), {"related"}, std::move(forbidden));
    list.push_back({&intents.back(), ownership, Liveness::alive});
    return intents.back();
  }
  Intent& own(Strings files, Strings forbidden = {}) {
    return declare(facts.own, Ownership::own_active, std::move(files), std::move(forbidden));
  }
  Intent& other(Strings files, Ownership ownership = Ownership::foreign_active) {
    return declare(facts.others, ownership, std::move(files));
  }
  ScopeGate judged(Strings changed) {
    facts.changed = std::move(changed);
    return judge_scope(facts);
  }
};

/// "code path" of each refusal.
Strings told(const ScopeGate& gate) {
  Strings out;
  for (const ScopeRefusal& refusal : gate.refusals)
    out.push_back(std::string(refusal.code) + (refusal.path.empty() ? "" : " " + refusal.path));
  return out;
}

TEST(ScopeGate, EachSituationHasItsWordAndItsCode) {
  struct Case {
    const char* name;
    int active, queued;
    bool expired, required;
    Strings changed;
    bool ran;
    const char *status, *why;
    Strings refusals;
  };
  const Case kCases[] = {
      {"nobody declared anything", 0, 0, false, false, {"a"}, false, "", "no intent declared", {}},
      {"the policy wants it", 0, 0, false, true, {"a"}, true, "blocked", "", {"no_active_intent"}},
      {"nothing is changed", 0, 0, false, true, {}, false, "", "no intent declared", {}},
      {"one", 1, 0, false, false, {"f1"}, true, "clean", "", {}},
      {"one, and the policy", 1, 0, false, true, {"f1"}, true, "clean", "", {}},
      {"related", 1, 0, false, false, {"f1", "related"}, true, "expanded", "", {}},
      {"outside", 1, 0, false, false, {"x"}, true, "violated", "", {"unexpected_files x"}},
      {"one waits", 0, 1, false, false, {"f1"}, true, "queued", "", {"queued_intent_not_editable"}},
      {"one edits, one waits", 1, 1, false, false, {"f1"}, true, "clean", "", {}},
      {"two edit", 2, 0, false, false, {"f1"}, true, "unverified", "", {"intent_ambiguous"}},
      {"one ran out", 1, 0, true, false, {"f1"}, true, "expired", "", {"intent_expired"}},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    World world;
    world.facts.intent_required = c.required;
    for (int i = 0; i < c.queued; ++i)
      world.own({"f1"}).status = IntentStatus::queued;
    for (int i = 0; i < c.active; ++i)
      world.own({"f1"});
    if (c.expired) world.facts.own.front().ownership = Ownership::expired;
    const ScopeGate gate = world.judged(c.changed);
    EXPECT_EQ(gate.ran, c.ran);
    EXPECT_EQ(gate.status, c.status);
    EXPECT_EQ(gate.why, c.why);
    EXPECT_EQ(told(gate), c.refusals);
  }
}

TEST(ScopeGate, WhoeverWasPromotedIntoUncommittedFilesMayNotEditYet) {
  const auto into_dirt = [](Intent& intent) -> Intent& {
    intent.unknown.set(std::string(kDirtyAtPromotion), List{"f1"});
    return intent;
  };
  World world;
  const Intent& unclean = into_dirt(world.own({"f1"}));
  const ScopeGate gate = world.judged({"f1"});
  EXPECT_TRUE(gate.ran);
  EXPECT_EQ(gate.status, "unverified");
  EXPECT_EQ(told(gate), (Strings{"intent_not_active"}));
  EXPECT_EQ(gate.intent, &unclean);
  world.facts.is_accepted = true;
  EXPECT_EQ(world.judged({"f1"}).status, "accepted") << "what another finish has accepted";
  // It is none of those that edit, and one that waits for its turn says no more than it.
  World beside;
  into_dirt(beside.own({"f2"}));
  beside.own({"f3"}).status = IntentStatus::queued;
  EXPECT_EQ(told(beside.judged({"f2"})), (Strings{"intent_not_active"}));
  const Intent& editing = beside.own({"f1"});
  const ScopeGate clean = beside.judged({"f1"});
  EXPECT_EQ(clean.status, "clean");
  EXPECT_EQ(clean.intent, &editing);
  EXPECT_EQ(told(beside.judged({"f2"})), (Strings{"unexpected_files f2"}));
  // It holds its files against everybody else.
  World other;
  into_dirt(other.other({"held"}));
  EXPECT_EQ(told(other.judged({"held"})), (Strings{"foreign_active_overlap held"}));
}

TEST(ScopeGate, APathIsRefusedForTheGravestReasonAlone) {
  World world;
  world.own({"a", "held", "forbidden.sql"}, {"*.sql"});
  const Intent& active = world.other({"held", "folder"});
  const Intent& stale = world.other({"old"}, Ownership::foreign_stale);
  world.other({"gone"}, Ownership::recoverable);
  world.other({"waits"}).status = IntentStatus::queued;
  const ScopeGate gate =
      world.judged({"waits", "x", "a", "held", "folder/deep", "old", "gone", "forbidden.sql",
                    "gatehouse.baseline.json", ".gatehouse/x", "x"});
  EXPECT_EQ(gate.status, "violated");
  EXPECT_EQ(
      told(gate),
      (Strings{"state_artifact_mutation .gatehouse/x", "foreign_active_overlap folder/deep",
               "forbidden_touched forbidden.sql", "state_artifact_mutation gatehouse.baseline.json",
               "unexpected_files gone", "foreign_active_overlap held", "foreign_stale_overlap old",
               "unexpected_files waits", "unexpected_files x"}));
  EXPECT_EQ(gate.refusals[1].holder, &active);
  EXPECT_EQ(gate.refusals[6].holder, &stale);
  EXPECT_EQ(gate.refusals[0].holder, nullptr);
}

TEST(ScopeGate, WhoDeclaredNothingStillMeetsThoseWhoDid) {
  World world;
  world.other({"held"});
  const ScopeGate free = world.judged({"a", "gatehouse.baseline.json"});
  EXPECT_FALSE(free.ran);
  const ScopeGate held = world.judged({"a", "held"});
  EXPECT_TRUE(held.ran);
  EXPECT_EQ(held.status, "blocked");
  EXPECT_EQ(told(held), (Strings{"foreign_active_overlap held"}));
}

TEST(ScopeGate, WhatAFinishHasAcceptedIsHeldByNobodyWhoCameLater) {
  World world;
  world.own({"another"});
  world.other({"held"});
  EXPECT_EQ(world.judged({"held"}).status, "violated");
  world.facts.is_accepted = true;
  const ScopeGate gate = world.judged({"held"});
  EXPECT_TRUE(gate.ran);
  EXPECT_EQ(gate.status, "accepted");
  EXPECT_EQ(told(gate), Strings{});
  EXPECT_EQ(gate.intent, nullptr);
}

TEST(ScopeGate, TheTableEndsWithARowThatAlwaysApplies) {
  EXPECT_TRUE(scope_situations().back().applies({}));
  EXPECT_EQ(scope_situations().size(), 8u);
}

}  // namespace
}  // namespace gh::control
