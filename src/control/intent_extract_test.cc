#include "control/intent_extract.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "control/conflicts.h"
#include "control/hygiene.h"
#include "control/intent_record.h"
#include "control/test_intent.h"

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

/// What a ledger does, in memory.
class Keys {
 public:
  void add(const Intent& intent) {
    for (const Key& key : keys_of(intent))
      keys_[key].insert(intent.id);
  }
  KeySource source() {
    return {.with = [this](KeyKind kind, std::span<const std::string> wanted) -> Result<Strings> {
              Strings out;
              for (const std::string& text : wanted)
                if (const auto at = keys_.find({kind, text}); at != keys_.end())
                  out.insert(out.end(), at->second.begin(), at->second.end());
              return out;
            },
            .between = [this](KeyKind kind, std::string_view from,
                              std::string_view to) -> Result<Strings> {
              Strings out;
              for (const auto& [key, ids] : keys_)
                if (key.kind == kind && key.text >= from && key.text < to) out.push_back(key.text);
              return out;
            }};
  }

 private:
  std::map<Key, std::set<std::string>> keys_{};
};

Intent owned(std::string id) {
  Intent intent = test_intent(std::move(id));
  intent.owner = Owner{.kind = OwnerKind::session,
                       .host_id = std::string("h\0:;,", 5),
                       .boot_id = "boot",
                       .pid = 12,
                       .start_ticks = 13,
                       .session_id = "s:1",
                       .host_pid = 14,
                       .host_start_ticks = 15};
  return intent;
}

/// Without what a head leaves out.
Intent bare(Intent intent) {
  intent.description.clear();
  intent.report_digest.clear();
  intent.scope = {};
  intent.blast_radius_summary = Map{};
  intent.dirty_snapshot.reset();
  intent.last_check.reset();
  intent.expected_effects.clear();
  intent.dirty_scope_policy.clear();
  intent.unknown = {};
  return intent;
}

TEST(IntentExtract, AHeadIsTheRecordWithoutWhatItIsAbout) {
  Intent intent = owned("intent-1");
  intent.status = IntentStatus::violated;
  intent.fence = 1LL << 40;
  intent.passed_by = 3;
  intent.landing = true;
  intent.worktree = "gatehouse/worktrees/\n";
  intent.lease_renewed_at = {kDeclared.seconds + 5};
  intent.lease_seconds = 61;
  intent.ttl_seconds = 62;
  intent.last_check = LastCheck{"clean", kDeclared};
  intent.unknown.set("later", 1);
  Intent process = intent;
  process.owner->kind = OwnerKind::process;
  Intent nobody = intent;
  nobody.owner.reset();
  for (const Intent& i : {intent, process, nobody, test_intent()}) {
    const auto head = from_head(head_of(i, "digest"));
    ASSERT_TRUE(head.has_value());
    EXPECT_EQ(head->intent, bare(i));
    EXPECT_EQ(head->scope_digest, "digest");
  }
}

TEST(IntentExtract, ADamagedHeadIsNone) {
  const std::string good = head_of(owned("intent-1"), "digest");
  ASSERT_TRUE(from_head(good).has_value());
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(from_head(std::string_view(good).substr(0, size)).has_value()) << size;
  EXPECT_FALSE(from_head(good + "x").has_value());
  EXPECT_FALSE(from_head("1:2" + good.substr(3)).has_value());  // of a later version
  for (const char* bad :
       {"", ":", "99999999999999999999:", "-1:", "1:1x;", "1:19223372036854775808;"})
    EXPECT_FALSE(from_head(bad).has_value()) << bad;
}

// docs/formats/ledger.md, `intent_keys`
TEST(IntentExtract, KeysAreTheRowsOfTheDocument) {
  Intent intent = owned("intent-1");
  intent.scope = scope_of({"a/b/c.py", "gatehouse.baseline.json"}, {"a/d"}, {"*.lock"});
  const std::vector<Key> expected{
      {KeyKind{1}, "a/b/c.py"},
      {KeyKind{1}, "a/d"},
      {KeyKind{1}, "gatehouse.baseline.json"},
      {KeyKind{2}, "a"},
      {KeyKind{2}, "a/b"},
      {KeyKind{3}, "*.lock"},
      {KeyKind{4}, "gatehouse.baseline.json"},
      {KeyKind{5}, "s:1"},
      {KeyKind{6}, "14 15"},
      {KeyKind{7}, "4711 1799990000"},
  };
  EXPECT_EQ(keys_of(intent), expected);
}

TEST(IntentExtract, PathsMeetWhatIsEqualAboveOrBelow) {
  Keys keys;
  const auto add = [&](const char* id, Strings allowed, Strings related = {}) {
    Intent intent = owned(id);
    intent.scope = scope_of(std::move(allowed), std::move(related));
    keys.add(intent);
  };
  add("equal", {"src/a.cc"});
  add("above", {"src"});
  add("below", {"src/a.cc/x"});
  add("related", {"docs"}, {"src/a.cc"});
  add("beside", {"src/a.c", "src/a.ccc", "srcs", "src/b.cc", "Src/a.cc"});
  const Strings asked{"src/a.cc"};
  EXPECT_EQ(meeting_paths(asked, keys.source()).value(),
            (Strings{"above", "below", "equal", "related"}));
  EXPECT_TRUE(meeting_paths({}, keys.source()).value().empty());
}

TEST(IntentExtract, AScopeThatHoldsAStateArtifactConcernsEverybody) {
  Keys keys;
  EXPECT_FALSE(meeting_scope(scope_of({".gatehouse/x"}), keys.source()).value().has_value());
  EXPECT_TRUE(meeting_scope(scope_of({"x"}), keys.source()).value().has_value());
}

/// Names made of few pieces, so that they meet; with bytes and signs that patterns and ledgers
/// read.
class Names {
 public:
  std::string name(std::size_t most) {
    static const Strings kPieces{"a",     "b",        "A",   "a.py",        "[a]", "*",
                                 "a?b",   "\xC3\xA4", "x y", "\"q\"",       "-",   "~",
                                 "a\x01", "\\xff",    "0",   "\xEF\xBF\xBF"};
    std::string out = piece(kPieces);
    for (std::size_t depth = below(most); depth > 0; --depth)
      out += "/" + piece(kPieces);
    return below(40) == 0 ? ".gatehouse/" + out : out;
  }
  std::string pattern() {
    static const Strings kPatterns{"*",    "a*",  "*/b",   "a/*",   "[ab]/*",
                                   "?",    "a",   "a/b",   "*.py",  "A/?",
                                   "**/a", "ab*", "[!a]*", "zzz/*", "\xC3\xA4*"};
    return piece(kPatterns);
  }
  Scope scope() {
    const auto many = [&](std::size_t from, std::size_t to, auto make) {
      Strings out;
      for (std::size_t n = from + below(to - from + 1); n > 0; --n)
        out.push_back(make());
      return out;
    };
    return scope_of(many(1, 3, [&] { return name(3); }), many(0, 2, [&] { return name(3); }),
                    below(3) == 0 ? many(1, 2, [&] { return pattern(); }) : Strings{});
  }
  std::size_t below(std::size_t end) { return random_() % end; }

 private:
  std::string piece(const Strings& list) { return list[below(list.size())]; }
  std::mt19937 random_{20261117};
};

/// The records as a decision has them that read only those that were found.
std::vector<Held> without_the_rest(const std::vector<Held>& all, const Strings& found,
                                   std::vector<Intent>& heads) {
  heads.clear();
  heads.reserve(all.size());
  std::vector<Held> out = all;
  for (Held& held : out) {
    if (std::ranges::binary_search(found, held.intent->id)) continue;
    heads.push_back(from_head(head_of(*held.intent, "d")).value().intent);
    held.intent = &heads.back();
  }
  return out;
}

Value all_of(const Conflicts& conflicts) {
  return Map{{"concurrent", conflicts.concurrent_intents},
             {"relations", conflicts.workspace_relations},
             {"queued", conflicts.queued_context},
             {"blocked_by", conflicts.blocked_by}};
}

TEST(IntentExtract, WhatIsFoundByKeysDecidesLikeAllRecords) {
  constexpr int kWorlds = 60, kRecords = 12, kScopes = 20;
  constexpr std::array kOwnerships{Ownership::foreign_active, Ownership::foreign_active,
                                   Ownership::foreign_stale, Ownership::recoverable,
                                   Ownership::expired};
  Names names;
  std::size_t met = 0, left_out = 0;
  for (int world = 0; world < kWorlds; ++world) {
    Keys keys;
    std::vector<Intent> intents(kRecords);
    std::vector<Held> all;
    for (std::size_t n = 0; n < kRecords; ++n) {
      intents[n] = owned("intent-" + std::to_string(n));
      intents[n].scope = names.scope();
      if (names.below(5) == 0) intents[n].status = IntentStatus::queued;
      keys.add(intents[n]);
      all.push_back({&intents[n], kOwnerships[names.below(kOwnerships.size())], Liveness::alive});
    }
    for (int n = 0; n < kScopes; ++n) {
      const Scope scope = names.scope();
      const auto found = meeting_scope(scope, keys.source()).value();
      if (!found) continue;
      left_out += all.size() - found->size();
      std::vector<Intent> heads;
      const std::vector<Held> few = without_the_rest(all, *found, heads);
      DirtySnapshot dirt;
      for (int path = 0; path < 5; ++path)
        dirt.entries[names.name(4)] = {};
      for (const auto matching :
           {policy::ConflictMatching::exact, policy::ConflictMatching::prefix}) {
        const Conflicts expected = find_conflicts(scope, all, matching);
        met += expected.overlaps.size();
        ASSERT_EQ(all_of(find_conflicts(scope, few, matching)), all_of(expected));
        ASSERT_EQ(overtaken(scope, few, matching).size(), overtaken(scope, all, matching).size());
      }
      ASSERT_EQ(Value(to_value(start_hygiene(scope, &dirt, few), false)),
                Value(to_value(start_hygiene(scope, &dirt, all), false)));
    }
  }
  EXPECT_GT(met, 500u);  // or nothing was compared
  EXPECT_GT(left_out, 500u);
}

}  // namespace
}  // namespace gh::control
