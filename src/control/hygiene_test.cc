#include "control/hygiene.h"

#include <set>

#include <gtest/gtest.h>

#include "control/test_intent.h"
#include "model/peek.h"
#include "wire/json.h"

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

DirtySnapshot dirt(std::vector<std::pair<std::string, std::string>> paths) {
  DirtySnapshot out{.captured_at = kDeclared};
  for (auto& [path, digest] : paths)
    out.entries[path] = {" M",
                         digest.empty() ? std::nullopt : std::optional(std::string(64, digest[0]))};
  out.paths_count = static_cast<std::int64_t>(out.entries.size());
  return out;
}

Intent holding(std::string id, std::vector<std::string> allowed,
               std::vector<std::string> related = {}) {
  Intent intent = test_intent(std::move(id));
  intent.scope = scope_of(std::move(allowed), std::move(related));
  return intent;
}

std::set<std::string> members(const Map& map) {
  std::set<std::string> out;
  for (const auto& entry : map.entries())
    out.insert(entry.first);
  return out;
}

// --- snapshot ------------------------------------------------------------------------------------

TEST(DirtySnapshot, TooManyEntriesAreOnlyCounted) {
  DirtySnapshot many = dirt({});
  for (int i = 0; i < 20'000; ++i)
    many.entries[std::to_string(i)] = {"??", std::nullopt};
  EXPECT_EQ(stored_snapshot(many).entries.size(), 20'000u);
  EXPECT_FALSE(stored_snapshot(many).partial);
  many.entries["one more"] = {"??", std::nullopt};
  const DirtySnapshot kept = stored_snapshot(many);
  EXPECT_TRUE(kept.partial);
  EXPECT_TRUE(kept.entries.empty());
  EXPECT_EQ(kept.paths_count, 20'001);
  EXPECT_EQ(Peek(snapshot_summary(kept))["paths_count"].number(), 20'001);
}

TEST(DirtySnapshot, TheSummaryCounts) {
  EXPECT_EQ(wire::canonical_json(snapshot_summary(dirt({{"a", "1"}, {"b", ""}, {"c", "2"}}))),
            R"({"captured_at_utc":"2027-01-15T08:00:00Z","digest_status_counts":{"ok":2,)"
            R"("unavailable":1},"git_available":true,"paths_count":3})");
  DirtySnapshot without_git;
  without_git.git_available = false;
  DirtySnapshot partial;
  partial.partial = true;
  EXPECT_EQ(snapshot_status(std::nullopt, false), "missing_legacy_conservative");
  EXPECT_EQ(snapshot_status(without_git, false), "git_unavailable");
  EXPECT_EQ(snapshot_status(partial, false), "partial");
  EXPECT_EQ(snapshot_status(DirtySnapshot{}, true), "partial");
  EXPECT_EQ(snapshot_status(DirtySnapshot{}, false), "available");
}

TEST(DirtySnapshot, TheWorkspaceIsShownByTenPaths) {
  DirtySnapshot eleven = dirt({});
  for (int i = 10; i < 21; ++i)
    eleven.entries[std::to_string(i)] = {"??", std::nullopt};
  const Value value = workspace_dirty_summary(eleven);
  EXPECT_EQ(Peek(value)["dirty_paths_count"].number(), 11);
  EXPECT_EQ(Peek(value)["dirty_paths_sample"].list().size(), 10u);
  EXPECT_TRUE(Peek(value)["sample_truncated"].is_true());
  EXPECT_TRUE(Peek(value)["git_available"].is_true());
  EXPECT_FALSE(Peek(workspace_dirty_summary(dirt({{"a", "1"}})))["sample_truncated"].is_true());
}

// --- start ---------------------------------------------------------------------------------------

// change-control 15.3 and 3.2: PREFIX, allowed files alone.
TEST(StartHygiene, DirtInTheAllowedFilesBlocksWhoeverMadeIt) {
  struct Case {
    Strings allowed, related;
    const char* path;
    bool blocks;
  };
  const Case kCases[] = {
      {{"pkg/a.py"}, {}, "pkg/a.py", true},  {{"pkg"}, {}, "pkg/new/b.py", true},
      {{"docs"}, {}, "docs/x.md", true},     {{"docs/*"}, {}, "docs/x.md", false},
      {{"doc"}, {}, "docs/x", false},        {{"pkg/a.py"}, {"pkg/b.py"}, "pkg/b.py", false},
      {{"pkg/a.py"}, {}, "pkg/A.py", false}, {{"a b.py"}, {}, "a b.py", true},
      {{"n\\xff"}, {}, "n\\xff", true},      {{"a"}, {}, ":top:/a", false},
  };
  for (const Case& c : kCases) {
    const DirtySnapshot now = dirt({{c.path, "1"}});
    const StartHygiene hygiene = start_hygiene(scope_of(c.allowed, c.related), &now, {});
    EXPECT_EQ(hygiene.blocks_edit(), c.blocks) << c.path;
    EXPECT_EQ(hygiene.dirty_in_scope.size(), c.blocks ? 1u : 0u);
    EXPECT_EQ(hygiene.dirty_outside.size(), c.blocks ? 0u : 1u);
  }
  EXPECT_TRUE(start_hygiene(scope_of({"a"}), nullptr, {}).blocks_edit());
}

// change-control 15.3 and 15.4, last row: live foreign, open, not queued, by identity.
TEST(StartHygiene, OnlyLivingOpenForeignRecordsAreNamedAsOverlap) {
  struct Case {
    IntentStatus status;
    Ownership ownership;
    bool named;
  };
  using S = IntentStatus;
  using O = Ownership;
  const Case kCases[] = {
      {S::active, O::foreign_active, true},   {S::active, O::foreign_stale, true},
      {S::expanded, O::foreign_active, true}, {S::violated, O::foreign_stale, true},
      {S::queued, O::foreign_active, false},  {S::clean, O::foreign_active, false},
      {S::expired, O::foreign_active, false}, {S::orphaned, O::foreign_active, false},
      {S::active, O::recoverable, false},     {S::active, O::expired, false},
      {S::active, O::own_active, false},      {S::active, O::own_stale, false},
  };
  const DirtySnapshot now = dirt({{"pkg/a.py", "1"}, {"pkg/b.py", "1"}, {"out.py", "1"}});
  for (const Case& c : kCases) {
    Intent intent = holding("their", {"pkg", "pkg/a.py", "out.py"});
    intent.status = c.status;
    const Held records[] = {{&intent, c.ownership, Liveness::alive}};
    const StartHygiene hygiene = start_hygiene(scope_of({"pkg/a.py"}), &now, records);
    EXPECT_EQ(hygiene.foreign_dirty_overlaps.size(), c.named ? 1u : 0u) << &c - kCases;
  }
}

TEST(StartHygiene, OverlapsAreSortedByPathThenId) {
  const Intent one = holding("i2", {"pkg"}), two = holding("i1", {"pkg/a.py"}, {"pkg/b.py"});
  const Held records[] = {{&one, Ownership::foreign_active, Liveness::alive},
                          {&two, Ownership::foreign_stale, Liveness::alive}};
  const DirtySnapshot now = dirt({{"pkg/b.py", "1"}, {"pkg/a.py", "1"}});
  const StartHygiene hygiene = start_hygiene(scope_of({"pkg"}), &now, records);
  const Map payload = to_value(hygiene, false);
  std::string said;
  for (const Value& item : *payload.find("foreign_dirty_overlaps")->as_list())
    said += fmt::format(
        "{} {} {} {};", Peek(item)["path"].text(), Peek(item)["foreign_intent_id"].text(),
        Peek(item)["foreign_persisted_status"].text(), Peek(item)["foreign_ownership"].text());
  EXPECT_EQ(said,
            "pkg/a.py i1 active foreign_stale;pkg/a.py i2 active foreign_active;"
            "pkg/b.py i2 active foreign_active;");
  EXPECT_EQ(payload.find("foreign_dirty_overlaps")->as_list()->at(0).as_map()->size(), 6u);
  EXPECT_EQ(Peek(Value(payload))["counts"]["in_scope"].number(), 2);
  EXPECT_EQ(members(payload),
            (std::set<std::string>{"git_available", "blocks_edit", "counts",
                                   "foreign_dirty_overlaps", "dirty_paths_in_scope"}));
  EXPECT_TRUE(Peek(Value(to_value(hygiene, true)))["continuing_own_wip"].is_true());
  EXPECT_TRUE(
      Peek(Value(to_value(StartHygiene{.git_failed = true}, false)))["git_error"].is_true());
}

// --- finish --------------------------------------------------------------------------------------

// change-control 15.5, typed again.
TEST(FinishHygiene, SevenClasses) {
  struct Row {
    DirtFacts facts;
    const char* word;
  };
  using R = ScopeRelation;
  using S = StartState;
  const Row kRows[] = {
      {{R::own_allowed, false, true, S::absent}, "missing_evidence"},
      {{R::own_related, true, false, S::present_same}, "declared_scope_dirty"},
      {{R::outside, true, true, S::present_same}, "foreign_attributed_outside_scope"},
      {{R::outside, false, false, S::present_same}, "preexisting_unscoped_dirty"},
      {{R::outside, true, false, S::absent}, "new_unattributed_unscoped_dirty"},
      {{R::outside, false, false, S::present_changed}, "modified_unattributed_unscoped_dirty"},
      {{R::outside, false, false, S::unknown}, "unknown_unattributed_unscoped_dirty"},
  };
  EXPECT_EQ(std::size(kRows), 7u);
  for (const Row& row : kRows)
    EXPECT_EQ(to_string(classify_dirt(row.facts)), row.word);
}

// Every combination: in the declared scope only evidence counts, outside only the rest.
TEST(FinishHygiene, NoCombinationFallsThrough) {
  using R = ScopeRelation;
  using S = StartState;
  const char* const kOutside[] = {"unknown_unattributed_unscoped_dirty",
                                  "new_unattributed_unscoped_dirty", "preexisting_unscoped_dirty",
                                  "modified_unattributed_unscoped_dirty"};
  for (const R relation : {R::own_allowed, R::own_related, R::outside})
    for (const bool evidence : {false, true})
      for (const bool foreign : {false, true})
        for (const S start : {S::unknown, S::absent, S::present_same, S::present_changed}) {
          std::string want = evidence ? "declared_scope_dirty" : "missing_evidence";
          if (relation == R::outside)
            want = foreign ? "foreign_attributed_outside_scope"
                           : kOutside[static_cast<std::size_t>(start)];
          EXPECT_EQ(to_string(classify_dirt({relation, evidence, foreign, start})), want);
        }
}

// change-control 15.6, typed again.
TEST(FinishHygiene, TheFirstOfFourReasonsBlocks) {
  for (int bits = 0; bits < 32; ++bits) {
    const BlockFacts f{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
                       (bits & 16) != 0};
    const char* want = (bits & 1) != 0     ? "git_error"
                       : (bits & 2) != 0   ? "missing_evidence"
                       : (bits & 4) != 0   ? "foreign_dirty_overlap"
                       : (bits & 24) == 24 ? "own_unscoped_dirty"
                                           : "";
    EXPECT_EQ(finish_block_reason(f), want) << bits;
  }
}

struct World {
  Intent live = holding("live", {"theirs"}), dead = holding("dead", {"gone"}),
         waiting = holding("waiting", {"pkg"});
  std::vector<Held> records;
  Scope scope = scope_of({"pkg"}, {"lib/r.py"});
  DirtySnapshot now = dirt({{"pkg/a.py", "1"},
                            {"pkg/new/b c.py", "1"},
                            {"lib/r.py", "1"},
                            {"theirs/x", "1"},
                            {"gone/y", "1"},
                            {"same", "1"},
                            {"changed", "1"},
                            {"blind", ""},
                            {"fresh", "1"}});
  std::optional<DirtySnapshot> start =
      dirt({{"same", "1"}, {"changed", "2"}, {"blind", "1"}, {"theirs/x", "1"}});

  World() {
    waiting.status = IntentStatus::queued;
    records = {{&live, Ownership::foreign_active, Liveness::alive},
               {&dead, Ownership::recoverable, Liveness::dead},
               {&waiting, Ownership::foreign_active, Liveness::alive}};
  }
  FinishHygiene finish(Strings evidence, bool strict = false) const {
    return finish_hygiene({.scope = &scope,
                           .evidence = std::move(evidence),
                           .dirt = &now,
                           .at_start = &start,
                           .records = records,
                           .strict_finish = strict});
  }
};

TEST(FinishHygiene, EveryDirtyPathHasItsRow) {
  const World world;
  const FinishHygiene hygiene = world.finish({"pkg/a.py", "lib/r.py", "already/committed"});
  std::string said;
  for (const DirtRow& row : hygiene.rows)
    said += fmt::format("{}: {} {} {} {} {}\n", row.path, to_string(row.facts.relation),
                        row.facts.evidence, to_string(row.facts.start), row.facts.foreign,
                        to_string(row.classification));
  EXPECT_EQ(said,
            "blind: outside false unknown false unknown_unattributed_unscoped_dirty\n"
            "changed: outside false present_changed false modified_unattributed_unscoped_dirty\n"
            "fresh: outside false absent false new_unattributed_unscoped_dirty\n"
            "gone/y: outside false absent false new_unattributed_unscoped_dirty\n"
            "lib/r.py: own_related true absent false declared_scope_dirty\n"
            "pkg/a.py: own_allowed true absent false declared_scope_dirty\n"
            "pkg/new/b c.py: own_allowed false absent false missing_evidence\n"
            "same: outside false present_same false preexisting_unscoped_dirty\n"
            "theirs/x: outside false present_same true foreign_attributed_outside_scope\n");
  EXPECT_EQ(hygiene.block_reason, "missing_evidence");
  EXPECT_EQ(hygiene.unacknowledged(), Strings{"pkg/new/b c.py"});
  EXPECT_EQ(hygiene.unattributed(), (Strings{"blind", "changed", "fresh", "gone/y"}));
  EXPECT_EQ(hygiene.dirty_outside().size(), 6u);
}

TEST(FinishHygiene, StrictFinishStopsAtWhatNobodyExplains) {
  World world;
  const Strings evidence{"pkg/a.py", "lib/r.py", "pkg/new/b c.py"};
  EXPECT_EQ(world.finish(evidence).block_reason, "");
  EXPECT_EQ(world.finish(evidence, true).block_reason, "own_unscoped_dirty");
  EXPECT_EQ(world.finish(evidence, true).blocking(),
            (Strings{"blind", "changed", "fresh", "gone/y"}));
  EXPECT_EQ(world.finish({}).blocking(), world.finish({}).unacknowledged());
  EXPECT_EQ(world.finish(evidence).blocking(), Strings{});
  for (const char* unexplained : {"blind", "changed", "fresh", "gone/y"})
    world.now.entries.erase(unexplained);
  EXPECT_EQ(world.finish(evidence, true).block_reason, "");  // foreign and preexisting dirt is left
}

TEST(FinishHygiene, ALiveForeignOverlapBlocksOnlyInTheAllowedFiles) {
  World world;
  world.live.scope = scope_of({"pkg/a.py"});
  const Strings evidence{"pkg/a.py", "lib/r.py", "pkg/new/b c.py"};
  EXPECT_EQ(world.finish(evidence).block_reason, "foreign_dirty_overlap");
  EXPECT_EQ(world.finish(evidence).foreign_dirty_overlaps.size(), 1u);
  EXPECT_EQ(world.finish(evidence).blocking(), Strings{"pkg/a.py"});
  world.live.scope = scope_of({"lib/r.py"});
  EXPECT_EQ(world.finish(evidence).block_reason, "");
  world.live.scope = scope_of({"x"}, {"pkg/a.py"});
  EXPECT_EQ(world.finish(evidence).block_reason, "");
  for (const Ownership left : {Ownership::recoverable, Ownership::expired, Ownership::own_active}) {
    world.live.scope = scope_of({"pkg/a.py"});
    world.records[0].ownership = left;
    EXPECT_EQ(world.finish(evidence).block_reason, "");
  }
}

TEST(FinishHygiene, WithoutAUsableSnapshotNothingIsKnownOfTheStart) {
  World world;
  const auto state = [&](const char* path) {
    for (const DirtRow& row : world.finish({}).rows)
      if (row.path == path) return std::string(to_string(row.facts.start));
    return std::string();
  };
  EXPECT_EQ(state("fresh"), "absent");
  EXPECT_EQ(state("same"), "present_same");
  world.now.entries["same"].status_xy = "M ";
  EXPECT_EQ(state("same"), "present_changed");
  world.start->partial = true;
  EXPECT_EQ(state("fresh"), "unknown");
  EXPECT_EQ(state("changed"), "present_changed");
  world.start->git_available = false;
  EXPECT_EQ(state("changed"), "unknown");
  world.start.reset();
  EXPECT_EQ(state("changed"), "unknown");
  EXPECT_EQ(world.finish({}).snapshot_status, "missing_legacy_conservative");
}

TEST(FinishHygiene, WhenGitFailsNothingIsFinished) {
  const World world;
  const FinishHygiene hygiene =
      finish_hygiene({.scope = &world.scope, .evidence = {"pkg/a.py"}, .at_start = &world.start});
  EXPECT_EQ(hygiene.block_reason, "git_error");
  EXPECT_TRUE(Peek(Value(to_value(hygiene, false)))["blocks_finish"].is_true());
}

// change-control 15.7
TEST(FinishHygiene, ThePayloadShowsCountsAlwaysAndListsOnDemand) {
  const World world;
  const FinishHygiene hygiene = world.finish({"pkg/a.py", "lib/r.py"});
  const Map brief = to_value(hygiene, false), full = to_value(hygiene, true);
  EXPECT_EQ(members(brief), (std::set<std::string>{
                                "git_available", "blocks_edit", "counts", "foreign_dirty_overlaps",
                                "unacknowledged_dirty_in_scope", "dirty_snapshot",
                                "dirty_snapshot_status", "blocks_finish", "finish_block_reason"}));
  EXPECT_EQ(wire::canonical_json(*brief.find("counts")),
            R"({"foreign_attributed_outside_scope":1,"in_scope":3,"missing_evidence":1,)"
            R"("modified_unattributed_unscoped":1,"new_unattributed_unscoped":2,"outside_scope":6,)"
            R"("preexisting_unscoped":1,"unknown_unattributed_unscoped":1})");
  std::set<std::string> more = members(full);
  for (const std::string& name : members(brief))
    EXPECT_EQ(more.erase(name), 1u) << name;
  EXPECT_EQ(
      more,
      (std::set<std::string>{
          "dirty_paths_in_scope", "dirty_paths_outside_scope", "preexisting_unscoped_dirty",
          "unattributed_unscoped_dirty", "own_unscoped_dirty", "new_unattributed_unscoped_dirty",
          "modified_unattributed_unscoped_dirty", "unknown_unattributed_unscoped_dirty",
          "foreign_attributed_outside_scope", "dirty_attribution", "files_for_scope_check"}));
  EXPECT_EQ(*full.find("own_unscoped_dirty"), *full.find("unattributed_unscoped_dirty"));
  EXPECT_EQ(*full.find("new_unattributed_unscoped_dirty"), string_list({"fresh", "gone/y"}));
  EXPECT_EQ(*full.find("files_for_scope_check"), string_list({"lib/r.py", "pkg/a.py"}));
  EXPECT_EQ(wire::canonical_json(full.find("dirty_attribution")->as_list()->at(6)),
            R"({"blocking":true,"classification":"missing_evidence","evidence":"absent",)"
            R"("intent_attribution":"none","path":"pkg/new/b c.py","scope_relation":"own_allowed",)"
            R"("start_state":"absent"})");
  EXPECT_TRUE(Peek(*brief.find("dirty_snapshot"))["digest_status_counts"].exists());
  EXPECT_TRUE(Peek(*full.find("dirty_snapshot"))["entries"].exists());
}

TEST(FinishHygiene, ACleanTreeHasNeitherListsNorABlock) {
  World world;
  world.now = dirt({});
  const Map payload = to_value(world.finish({"pkg/a.py"}), true);
  EXPECT_EQ(
      members(payload),
      (std::set<std::string>{"git_available", "blocks_edit", "counts", "foreign_dirty_overlaps",
                             "dirty_snapshot", "dirty_snapshot_status", "files_for_scope_check"}));
  EXPECT_FALSE(Peek(Value(payload))["blocks_edit"].is_true());
}

// change-control 15.6: the environment, when set, wins.
TEST(FinishHygiene, StrictnessComesFromTheEnvironmentOrTheConfiguration) {
  EXPECT_FALSE(strict_finish("", false));
  EXPECT_TRUE(strict_finish("", true));
  EXPECT_TRUE(strict_finish(" ON ", false));
  EXPECT_FALSE(strict_finish("0", true));
  EXPECT_FALSE(strict_finish("whatever", true));
}

}  // namespace
}  // namespace gh::control
