#include "control/verify.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "control/test_report.h"
#include "wire/json.h"

namespace gh::control {
namespace {

using testing::at;
using testing::json;
using testing::quiet_report;

const std::string kBefore(64, 'b'), kAfter(64, 'a'), kDigest(64, 'd'), kBase(64, '0'),
    kCommit(40, 'c');

VerifyProfile profile(std::string_view name) {
  VerifyProfile out{.profile = std::string(name)};
  out.structural = name == "python_structural" || name == "code_structural";
  out.after_run_required = out.structural || name == "governance_config";
  out.payload = Map{{"verification_profile", name},
                    {"profile_reason", "r"},
                    {"python_source_touched", name == "python_structural"},
                    {"after_run_required", out.after_run_required},
                    {"checks_performed", List{}},
                    {"checks_not_applicable", List{}}};
  if (name == "non_python_patch") out.limitations = {"one", "two"};
  return out;
}

Value finding(std::string_view id, std::string_view path) {
  Map item{{"qualname", "q"}, {"start_line", 1}, {"end_line", 2}};
  if (!path.empty()) item.set("relative_path", path);
  return Map{{"id", id},
             {"family", "dead_code"},
             {"kind", "unused_symbol"},
             {"severity", "warning"},
             {"items", List{std::move(item)}}};
}

Value symbol(std::string_view path, std::string_view name, int complexity) {
  return Map{{"qualname", name}, {"relative_path", path}, {"cyclomatic_complexity", complexity}};
}

void add_finding(Value& report, std::string_view id, std::string_view path) {
  at(report, {"findings", "groups", "dead_code", "groups"}).as_list()->push_back(finding(id, path));
}
void add_symbol(Value& report, std::string_view path, std::string_view name, int complexity) {
  at(report, {"metrics", "families", "complexity", "items"})
      .as_list()
      ->push_back(symbol(path, name, complexity));
}

/// Two runs, an active intent for pkg/a.py, and a change of it.
struct World {
  Value before = quiet_report(), after = quiet_report();
  bool has_intent = true;
  std::string intent_status = "active", intent_digest = kDigest, scope_status = "clean";
  std::string after_id = kAfter, profile_name = "python_structural";
  std::vector<std::string> changed{"pkg/a.py"}, stale{}, unread_links{}, not_of_base{},
      measured_otherwise{};
  std::optional<Value> base{};  // the commit that the change began from
  bool evidence = true, knows_before = true, names_after = true, knows_after = true;
  Strictness strictness = Strictness::ci;
  bool is_whole_delta = false, runs_see_it = true;
  Scope scope{.allowed_files = {"pkg/a.py"}, .allowed_related = {"pkg/rel.py"}};

  Verification verified() const {
    VerifyFacts facts;
    if (knows_before)
      facts.before =
          RunFacts{.run_id = kBefore, .root = "/r", .report_digest = kDigest, .report = &before};
    if (names_after && knows_after)
      facts.after =
          RunFacts{.run_id = after_id, .root = "/r", .report_digest = kAfter, .report = &after};
    facts.after_named = names_after;
    if (has_intent) {
      facts.intent = VerifyIntent{"intent-1", intent_status, intent_digest, scope};
      facts.scope = ScopeFacts{scope_status, Map{{"status", scope_status}}};
    }
    facts.evidence_given = evidence;
    facts.changed_files = changed;
    facts.profile = profile(profile_name);
    facts.profile.runs_see_it = runs_see_it;
    facts.profile.unread_links = unread_links;
    facts.stale_paths = stale;
    facts.measured_otherwise = measured_otherwise;
    facts.not_of_base = not_of_base;
    facts.base_commit = not_of_base.empty() ? "" : kCommit;
    if (base)
      facts.base =
          RunFacts{.run_id = kBase, .root = "/r", .report_digest = kBase, .report = &*base};
    facts.strictness = strictness;
    facts.is_whole_delta = is_whole_delta;
    return verify(facts);
  }
};

std::string status_and_reason(const Verification& v) {
  return fmt::format("{} {}", to_string(v.status), v.reason.empty() ? "-" : v.reason);
}

std::set<std::string> members_of(const Map& map) {
  std::set<std::string> out;
  for (const auto& [key, value] : map.entries())
    out.insert(key);
  return out;
}

// ------------------------------------------------------------------------ order of evaluation

struct StepCase {
  int step;
  void (*make)(World&);
  std::string answer;
};
// Typed again from the reference: each deciding step, a world in which it decides, and its answer.
// Every world also fails all later steps that it can, so that the order is what decides.
const std::vector<StepCase> kStepCases = {
    {1,
     [](World& w) {
       w.knows_before = false;
       w.intent_status = "queued";
       w.profile_name = "state_artifact_change";
     },
     "unverified no_before_run"},
    {3,
     [](World& w) {
       w.intent_status = "queued";
       w.profile_name = "state_artifact_change";
       w.intent_digest = "x";
     },
     "unverified intent_not_active"},
    {3,
     [](World& w) {
       w.intent_status = "blocked";
       w.profile_name = "state_artifact_change";
       w.intent_digest = "x";
     },
     "unverified intent_not_active"},
    {7,
     [](World& w) {
       w.profile_name = "state_artifact_change";
       w.intent_digest = "x";
       w.names_after = w.evidence = false;
     },
     "violated state_artifact_mutation"},
    {7,
     [](World& w) {
       w.profile_name = "state_artifact_change";
       w.strictness = Strictness::relaxed;
     },
     "violated state_artifact_mutation"},
    {8,
     [](World& w) {
       w.intent_digest = "x";
       w.names_after = w.evidence = false;
     },
     "expired report_digest_mismatch"},
    {9,
     [](World& w) {
       w.names_after = w.evidence = false;
       w.profile_name = "documentation_only";
     },
     "unverified no_after_run"},
    {10,
     [](World& w) {
       w.names_after = false;
       w.profile_name = "documentation_only";
     },
     "accepted -"},
    {11,
     [](World& w) {
       w.knows_after = false;
       w.after_id = kBefore;
       w.stale = {"pkg/a.py"};
     },
     "unverified no_after_run"},
    {12,
     [](World& w) {
       w.not_of_base = {"pkg/a.py"};
       w.after_id = kBefore;
       w.stale = {"pkg/a.py"};
     },
     "unverified before_run_not_of_base"},
    {12,
     [](World& w) {
       w.not_of_base = {"pkg/a.py"};
       w.profile_name = "governance_config";
     },
     "unverified before_run_not_of_base"},
    {12,
     [](World& w) {
       w.after_id = kBefore;
       w.stale = {"pkg/a.py"};
     },
     "unverified after_run_not_new"},
    {12,
     [](World& w) {
       w.after_id = kBefore;
       w.profile_name = "code_structural";
     },
     "unverified after_run_not_new"},
    {12,
     [](World& w) {
       w.after_id = kBefore;
       w.profile_name = "governance_config";
     },
     "unverified after_run_not_new"},
    {13,
     [](World& w) {
       w.stale = {"pkg/a.py"};
       add_finding(w.after, "dead_code:pkg.a:x", "pkg/a.py");
     },
     "unverified after_run_stale"},
    {13,
     [](World& w) {
       w.stale = {"pkg/a.py"};
       w.measured_otherwise = {"after"};
     },
     "unverified incomparable_runs"},
    {14, [](World&) {}, "accepted -"},
    {14,
     [](World& w) {
       w.after_id = kBefore;
       w.profile_name = "documentation_only";
     },
     "accepted -"},
    {14,
     [](World& w) {
       w.stale = {"README.md"};
       w.profile_name = "documentation_only";
     },
     "accepted -"},
};

TEST(Verify, EveryStepInItsOrder) {
  std::set<int> steps;
  for (const StepCase& c : kStepCases) {
    World world;
    c.make(world);
    EXPECT_EQ(status_and_reason(world.verified()), c.answer) << "step " << c.step;
    steps.insert(c.step);
  }
  EXPECT_EQ(steps, (std::set<int>{1, 3, 7, 8, 9, 10, 11, 12, 13, 14}));
  std::set<int> of_the_product;
  for (const VerifyStep& step : verify_steps())
    of_the_product.insert(step.step);
  EXPECT_EQ(of_the_product, steps);
  EXPECT_EQ(verify_steps().size(), 12u);
}

TEST(Verify, ARunOfTheCommitStandsInForTheRunBefore) {
  World world;
  world.not_of_base = {"pkg/a.py"};
  add_finding(world.before, "dead_code:pkg.a:x", "pkg/a.py");
  add_finding(world.after, "dead_code:pkg.a:x", "pkg/a.py");
  world.base = quiet_report();
  const Verification worse = world.verified();
  EXPECT_EQ(status_and_reason(worse), "violated structural_regressions");
  EXPECT_EQ(wire::canonical_json(*worse.payload.find("judged_from")),
            R"({"before_run_id":"bbbbbbbb","commit":")" + kCommit +
                R"(","differs":["pkg/a.py"],"run_id":"00000000"})");
  EXPECT_EQ(wire::canonical_json(*worse.payload.find("before")),
            R"({"health":90,"run_id":"00000000"})");
  add_finding(*world.base, "dead_code:pkg.a:x", "pkg/a.py");
  EXPECT_EQ(status_and_reason(world.verified()), "accepted -");
  // What it began from is the commit, so that the run before may be the run after.
  world.after_id = kBefore;
  EXPECT_EQ(status_and_reason(world.verified()), "accepted -");
  world.intent_digest = "x";
  EXPECT_EQ(status_and_reason(world.verified()), "expired report_digest_mismatch");
}

TEST(Verify, ViolationsOfEarlyEnds) {
  World state;
  state.profile_name = "state_artifact_change";
  EXPECT_EQ(state.verified().contract_violations,
            std::vector<std::string>{"state_artifact_mutation"});
  state.scope_status = "violated";
  EXPECT_EQ(state.verified().contract_violations,
            (std::vector<std::string>{"state_artifact_mutation", "scope_violation"}));
  state.strictness = Strictness::relaxed;
  EXPECT_EQ(state.verified().blocking_violations,
            (std::vector<std::string>{"state_artifact_mutation", "scope_violation"}));
  World old;
  old.intent_digest = "x";
  EXPECT_EQ(old.verified().contract_violations, std::vector<std::string>{"intent_expired"});
}

TEST(Verify, StalePathsAreCutAt20) {
  World world;
  for (int i = 0; i < 25; ++i)
    world.stale.push_back(fmt::format("pkg/{}.py", i));
  const Verification v = world.verified();
  EXPECT_EQ(v.payload.find("stale_paths")->as_list()->size(), 20u);
  EXPECT_EQ(World().verified().payload.find("stale_paths"), nullptr);
}

// --------------------------------------------------------------------------------- fast path

struct FastCase {
  std::string profile, scope;
  Strictness strictness;
  std::string answer;
};
// Typed again from the reference.
const std::vector<FastCase> kFastCases = {
    {"documentation_only", "violated", Strictness::ci, "violated scope_violation"},
    {"documentation_only", "violated", Strictness::strict, "violated scope_violation"},
    {"documentation_only", "violated", Strictness::relaxed, "accepted -"},
    {"governance_config", "violated", Strictness::ci, "violated scope_violation"},
    {"governance_config", "clean", Strictness::ci, "unverified after_run_required_for_governance"},
    {"governance_config", "violated", Strictness::relaxed,
     "unverified after_run_required_for_governance"},
    {"python_structural", "clean", Strictness::ci, "unverified no_after_run"},
    {"code_structural", "expanded", Strictness::ci, "unverified no_after_run"},
    {"documentation_only", "clean", Strictness::ci, "accepted -"},
    {"documentation_only", "expanded", Strictness::strict, "accepted -"},
    {"non_python_patch", "clean", Strictness::ci, "accepted -"},
};

TEST(Verify, FastPath) {
  for (const FastCase& c : kFastCases) {
    World world;
    world.names_after = false;
    world.profile_name = c.profile;
    world.scope_status = c.scope;
    world.strictness = c.strictness;
    EXPECT_EQ(status_and_reason(world.verified()), c.answer) << c.profile << " " << c.scope;
  }
  EXPECT_EQ(fast_steps().size(), 4u);
}

TEST(Verify, AcceptedWithoutAnAfterRun) {
  World world;
  world.names_after = false;
  world.profile_name = "non_python_patch";
  const Verification v = world.verified();
  EXPECT_TRUE(v.payload.find("reason")->is_null());
  EXPECT_TRUE(v.payload.find("after")->is_null());
  EXPECT_EQ(wire::canonical_json(*v.payload.find("structural_delta")),
            R"({"health_delta":null,"improvements":[],"reason":"no_python_source_files_touched",)"
            R"("regressions":[],"verdict":"not_applicable"})");
  EXPECT_EQ(wire::canonical_json(*v.payload.find("limitations")), R"(["one","two"])");
  EXPECT_FALSE(v.claim_validation_recommended);
  EXPECT_EQ(v.payload.find("next_step"), nullptr);
}

// ----------------------------------------------------------------------------- decision table

enum class Any : std::uint8_t { no, yes, any };
struct DecisionRow {
  Any intent_regressions, external_regressions, gate_worsened, caused, scope_violated;
  std::string status;
};
// Typed again from the reference, rows with an intent, in its order.
const std::vector<DecisionRow> kDecisions = {
    {Any::yes, Any::any, Any::any, Any::any, Any::any, "violated"},
    {Any::no, Any::any, Any::yes, Any::yes, Any::no, "violated"},
    {Any::no, Any::any, Any::yes, Any::no, Any::no, "accepted_with_external_changes"},
    {Any::no, Any::yes, Any::no, Any::any, Any::no, "accepted_with_external_changes"},
    {Any::no, Any::no, Any::no, Any::any, Any::no, "accepted"},
    {Any::no, Any::any, Any::any, Any::any, Any::yes, "violated"},
};

bool fits(Any want, bool have) { return want == Any::any || (want == Any::yes) == have; }

struct Signals {
  bool intent_regressions, external_regressions, gate_worsened, caused;
};

World world_of(const Signals& s) {
  World world;
  if (s.intent_regressions) add_finding(world.after, "dead_code:pkg.a:mine", "pkg/a.py");
  if (s.external_regressions) add_finding(world.after, "dead_code:x:theirs", "other/x.py");
  add_symbol(world.before, "other/x.py", "other.x:f", 8);
  add_symbol(world.after, "other/x.py", "other.x:f", s.gate_worsened && !s.caused ? 21 : 8);
  Value& own = at(world.after, {"metrics", "families", "complexity", "items"}).as_list()->at(0);
  if (s.gate_worsened && s.caused) own = symbol("pkg/a.py", "pkg.a:run", 21);
  if (s.gate_worsened)
    at(world.after, {"metrics", "families", "complexity", "summary", "max"}) = 21;
  return world;
}

TEST(Verify, DecisionTableWithAnIntent) {
  EXPECT_EQ(kDecisions.size(), 6u);
  for (int bits = 0; bits < 16; ++bits)
    for (const std::string scope : {"clean", "expanded", "violated"})
      for (const Strictness strictness : {Strictness::ci, Strictness::strict}) {
        const Signals s{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
        World world = world_of(s);
        world.scope_status = scope;
        world.strictness = strictness;
        // A regression of its own is a cause too.
        const bool caused = s.gate_worsened && (s.caused || s.intent_regressions);
        const auto row = std::ranges::find_if(kDecisions, [&](const DecisionRow& r) {
          return fits(r.intent_regressions, s.intent_regressions) &&
                 fits(r.external_regressions, s.external_regressions) &&
                 fits(r.gate_worsened, s.gate_worsened) && fits(r.caused, caused) &&
                 fits(r.scope_violated, scope == "violated");
        });
        ASSERT_NE(row, kDecisions.end());
        const Verification v = world.verified();
        EXPECT_EQ(to_string(v.status), row->status) << bits << scope << to_string(strictness);
        EXPECT_EQ(*v.payload.find("gate_worsened")->as_bool(), s.gate_worsened);
        EXPECT_EQ(*v.payload.find("intent_caused_gate_failure")->as_bool(), caused);
        std::vector<std::string> violations;
        if (s.intent_regressions) violations.emplace_back("structural_regressions");
        if (caused) violations.emplace_back("gate_failures");
        if (scope == "violated") violations.emplace_back("scope_violation");
        EXPECT_EQ(v.contract_violations, violations);
        EXPECT_EQ(v.blocking_violations, violations);
        EXPECT_EQ(v.reason, violations.empty() ? "" : violations.front());
      }
}

TEST(Verify, WithoutAnIntentEverythingIsThePatch) {
  for (int bits = 0; bits < 16; ++bits) {
    const Signals s{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    World world = world_of(s);
    world.has_intent = false;
    const bool is_bad = s.intent_regressions || s.external_regressions || s.gate_worsened;
    const Verification v = world.verified();
    EXPECT_EQ(to_string(v.status), is_bad ? "violated" : "accepted") << bits;
    EXPECT_TRUE(v.payload.find("external_regressions")->as_list()->empty());
    EXPECT_TRUE(v.payload.find("intent_id")->is_null());
  }
  World failing_before_too;  // still the patch's own: there is nobody else to blame
  failing_before_too.has_intent = false;
  at(failing_before_too.before, {"metrics", "families", "complexity", "summary", "max"}) = 30;
  at(failing_before_too.after, {"metrics", "families", "complexity", "summary", "max"}) = 30;
  EXPECT_EQ(failing_before_too.verified().reason, "gate_failures");
}

TEST(Verify, RelaxedListsAndBlocksNothing) {
  for (int bits = 0; bits < 4; ++bits) {
    World world = world_of({(bits & 1) != 0, (bits & 2) != 0, true, true});
    world.strictness = Strictness::relaxed;
    world.scope_status = "violated";
    const Verification v = world.verified();
    EXPECT_EQ(to_string(v.status), (bits & 2) != 0 ? "accepted_with_external_changes" : "accepted");
    EXPECT_TRUE(v.blocking_violations.empty());
    EXPECT_EQ(v.contract_violations,
              (bits & 1) != 0
                  ? (std::vector<std::string>{"structural_regressions", "scope_violation"})
                  : std::vector<std::string>{"scope_violation"});
    EXPECT_TRUE(v.reason.empty());
  }
}

TEST(Verify, AGateThatFailedBeforeIsNoViolation) {
  World world = world_of({false, false, true, true});
  at(world.before, {"metrics", "families", "complexity", "summary", "max"}) = 40;
  const Verification v = world.verified();
  EXPECT_EQ(to_string(v.status), "accepted");
  EXPECT_FALSE(*v.payload.find("gate_worsened")->as_bool());
  EXPECT_TRUE(*v.payload.find("before_gate")->as_map()->find("would_fail")->as_bool());
}

// Between the base and what a change gives there is nothing but the change: its regressions are its
// own wherever they are, and what failed at the base is not.
TEST(Verify, DebtOfTheBaseIsNotTheChange) {
  struct Case {
    int before, after;
    bool is_coupled, regresses;
    const char* status;
  };
  constexpr Case kCases[] = {
      {1, 1, false, false, "accepted"},   {40, 40, false, false, "accepted"},
      {40, 41, false, false, "accepted"}, {1, 40, false, false, "violated"},
      {40, 40, true, false, "violated"},  {40, 40, false, true, "violated"},
  };
  for (const Case& c : kCases) {
    World world = world_of({c.regresses, false, false, false});
    world.has_intent = false;
    world.is_whole_delta = true;
    world.strictness = Strictness::strict;
    at(world.before, {"metrics", "families", "complexity", "summary", "max"}) = c.before;
    at(world.after, {"metrics", "families", "complexity", "summary", "max"}) = c.after;
    if (c.is_coupled) at(world.after, {"metrics", "families", "coupling", "summary", "max"}) = 9;
    EXPECT_EQ(to_string(world.verified().status), c.status) << &c - kCases;
  }
}

TEST(Verify, AReasonOfAGateBeginsWithItsKey) {
  EXPECT_EQ(gate_key("metric:complexity_threshold: 40 > 20"), "metric:complexity_threshold");
  EXPECT_EQ(gate_key("clone:new"), "clone:new");
  EXPECT_EQ(gate_key("clone:threshold:12:10"), "clone:threshold");
}

TEST(Verify, ExternalSymbolsAloneChangeNothing) {
  World world;
  add_symbol(world.before, "other/x.py", "other.x:f", 3);
  add_symbol(world.after, "other/x.py", "other.x:f", 7);
  const Verification v = world.verified();
  EXPECT_EQ(to_string(v.status), "accepted");
  EXPECT_EQ(v.payload.find("external_worsened")->as_list()->size(), 1u);
  EXPECT_TRUE(v.payload.find("intent_worsened")->as_list()->empty());
}

// ------------------------------------------------------------------------------- attribution

struct InsideCase {
  std::vector<std::string> paths, allowed, related;
  bool is_inside;
};
const std::vector<InsideCase> kInside = {
    {{"pkg/a.py"}, {"pkg/a.py"}, {}, true},
    {{"pkg/b.py"}, {"pkg/a.py"}, {}, false},
    {{"pkg/b.py"}, {"pkg/a.py"}, {"pkg/b.py"}, true},
    {{"pkg/b.py", "pkg/a.py"}, {"pkg/a.py"}, {}, true},  // one of them is enough
    {{"other/x.py", "other/y.py"}, {"pkg/a.py"}, {}, false},
    {{"pkg/deep/x.py"}, {"pkg/*"}, {}, true},  // the star crosses folders
    {{"pkg/x.py"}, {"pkg"}, {}, false},        // a folder is no pattern
    {{"pkg/[x].py"}, {"pkg/[x].py"}, {}, true},
    {{"PKG/a.py"}, {"pkg/a.py"}, {}, false},
    {{}, {"pkg/a.py"}, {}, true},  // nobody knows where: rather ours than nobody's
};

TEST(Verify, AttributionIsByPatternAndPathlessFindingsAreOurs) {
  for (const InsideCase& c : kInside)
    EXPECT_EQ(is_inside(c.paths, {.allowed_files = c.allowed, .allowed_related = c.related}),
              c.is_inside)
        << (c.paths.empty() ? "-" : c.paths[0]);
  World world;
  add_finding(world.after, "dead_code:nowhere", "");
  EXPECT_EQ(world.verified().reason, "structural_regressions");
}

TEST(Verify, PerhapsDeadCodeIsToldAndViolatesNothing) {
  World world;
  add_finding(world.after, "dead_code:pkg.a:perhaps", "pkg/a.py");
  Value& groups = at(world.after, {"findings", "groups", "dead_code", "groups"});
  groups.as_list()->back().as_map()->set("severity", "info");  // medium confidence
  const Verification v = world.verified();
  EXPECT_EQ(v.status, VerifyStatus::accepted);
  EXPECT_TRUE(v.intent_regressions.empty());
  ASSERT_EQ(v.advisory_regressions.size(), 1u);
  EXPECT_EQ(
      wire::canonical_json(*v.payload.find("advisory_regressions")),
      R"([{"id":"dead:perhaps","kind":"unused_symbol","paths":["pkg/a.py"],"severity":"info"}])");
}

TEST(Verify, ARunNeedNotBeNewWhereNoRunReadsWhatWasChanged) {
  World world;
  world.after_id = kBefore;
  EXPECT_EQ(world.verified().reason, "after_run_not_new");
  world.runs_see_it = false;
  EXPECT_EQ(world.verified().status, VerifyStatus::accepted);
}

TEST(Verify, CardsOfRegressions) {
  const Verification v = world_of({true, true, false, false}).verified();
  EXPECT_EQ(
      wire::canonical_json(*v.payload.find("intent_regressions")),
      R"([{"id":"dead:mine","kind":"unused_symbol","paths":["pkg/a.py"],"severity":"warning"}])");
  EXPECT_EQ(
      wire::canonical_json(*v.payload.find("external_regressions")),
      R"([{"id":"dead:theirs","kind":"unused_symbol","paths":["other/x.py"],"severity":"warning"}])");
  EXPECT_EQ(wire::canonical_json(*v.payload.find("structural_delta")),
            R"({"health_delta":0,"improvements":[],"regressions":[)"
            R"({"id":"dead:mine","kind":"unused_symbol","severity":"warning"},)"
            R"({"id":"dead:theirs","kind":"unused_symbol","severity":"warning"}],)"
            R"("verdict":"regressed"})");
}

TEST(Verify, WorsenedSymbolsAreAttributedBeforeTheyAreCut) {
  World world;
  for (int i = 0; i < 30; ++i) {  // of others, and worse than ours
    add_symbol(world.before, "other/x.py", fmt::format("other.x:f{:02}", i), 1);
    add_symbol(world.after, "other/x.py", fmt::format("other.x:f{:02}", i), 19);
  }
  at(world.after, {"metrics", "families", "complexity", "items"}).as_list()->at(0) =
      symbol("pkg/a.py", "pkg.a:run", 9);
  const Verification v = world.verified();
  EXPECT_EQ(v.payload.find("worsened")->as_list()->size(), 20u);
  EXPECT_EQ(v.payload.find("external_worsened")->as_list()->size(), 20u);
  EXPECT_EQ(wire::canonical_json(*v.payload.find("intent_worsened")),
            R"([{"after":9,"before":8,"delta":1,"family":"complexity","path":"pkg/a.py",)"
            R"("symbol":"pkg.a:run"}])");
  EXPECT_EQ(*v.payload.find("worsened_total")->as_int(), 31);
}

// ------------------------------------------------------------------------------------ answer

TEST(Verify, TheFullAnswerHasTheMembersOfTheReference) {
  const std::set<std::string> accepted{"mode",
                                       "status",
                                       "reason",
                                       "before",
                                       "after",
                                       "intent_id",
                                       "strictness",
                                       "structural_delta",
                                       "intent_regressions",
                                       "external_regressions",
                                       "worsened",
                                       "intent_worsened",
                                       "external_worsened",
                                       "worsened_total",
                                       "scope_check",
                                       "before_gate",
                                       "gate_preview",
                                       "gate_worsened",
                                       "intent_caused_gate_failure",
                                       "baseline_abuse",
                                       "contract_violations",
                                       "blocking_violations",
                                       "verification_profile",
                                       "profile_reason",
                                       "python_source_touched",
                                       "after_run_required",
                                       "checks_performed",
                                       "checks_not_applicable",
                                       "claim_validation_recommended",
                                       "message"};
  EXPECT_EQ(members_of(World().verified().payload), accepted);
  std::set<std::string> refused = accepted;
  refused.insert("next_step");
  EXPECT_EQ(members_of(world_of({true, false, false, false}).verified().payload), refused);
  const Verification v = World().verified();
  EXPECT_EQ(wire::canonical_json(*v.payload.find("before")),
            R"({"health":90,"run_id":"bbbbbbbb"})");
  EXPECT_EQ(wire::canonical_json(*v.payload.find("after")), R"({"health":90,"run_id":"aaaaaaaa"})");
}

TEST(Verify, IncomparableRuns) {
  World world;
  at(world.after, {"meta", "analysis_mode"}) = "clones_only";
  EXPECT_EQ(status_and_reason(world.verified()), "unverified incomparable_runs");
}

struct AdvisoryCase {
  int health_after;
  bool improves, regresses;
  std::string verdict, status;
  bool is_advised;
};
// A falling health alone never refuses.
const std::vector<AdvisoryCase> kAdvisory = {
    {88, false, false, "regressed", "accepted", true},
    {88, true, false, "mixed", "accepted", true},
    {90, false, false, "stable", "accepted", false},
    {92, false, false, "improved", "accepted", false},
    {88, false, true, "regressed", "violated", false},
};

TEST(Verify, HealthAdvisesAndNeverRefuses) {
  for (const AdvisoryCase& c : kAdvisory) {
    World world;
    at(world.after, {"metrics", "families", "health", "summary", "score"}) = c.health_after;
    if (c.improves) add_finding(world.before, "dead_code:pkg.a:old", "pkg/a.py");
    if (c.regresses) add_finding(world.after, "dead_code:pkg.a:new", "pkg/a.py");
    const Verification v = world.verified();
    EXPECT_EQ(v.structural_verdict, c.verdict);
    EXPECT_EQ(to_string(v.status), c.status);
    EXPECT_EQ(v.health_delta, c.health_after - 90);
    const Value* advisory = v.payload.find("health_regression_advisory");
    ASSERT_EQ(advisory != nullptr, c.is_advised) << c.health_after;
    if (advisory != nullptr) {
      EXPECT_EQ(*advisory->as_map()->find("health_delta")->as_int(), c.health_after - 90);
    }
  }
}

TEST(Verify, ClaimsAreWantedWhereAnAfterRunIs) {
  for (const auto& [name, wanted] :
       std::vector<std::pair<std::string, bool>>{{"python_structural", true},
                                                 {"code_structural", true},
                                                 {"governance_config", true},
                                                 {"documentation_only", false},
                                                 {"non_python_patch", false}}) {
    World world;
    world.profile_name = name;
    EXPECT_EQ(world.verified().claim_validation_recommended, wanted) << name;
    world = world_of({true, false, false, false});
    world.profile_name = name;
    EXPECT_FALSE(world.verified().claim_validation_recommended) << name;
  }
  World external = world_of({false, true, false, false});
  EXPECT_TRUE(external.verified().claim_validation_recommended);
}

TEST(Verify, StatusWords) {
  const std::vector<std::string> words{"accepted", "accepted_with_external_changes", "violated",
                                       "unverified", "expired"};
  for (std::size_t i = 0; i < words.size(); ++i)
    EXPECT_EQ(to_string(static_cast<VerifyStatus>(i)), words[i]);
}

TEST(Verify, EveryReasonHasItsNextStep) {
  // Typed again: the reason, and a word that its guidance cannot do without.
  const std::vector<std::pair<std::string, std::string>> rows{
      {"no_before_run", "intent"},
      {"no_after_run", "--after-run"},
      {"after_run_not_new", "before-run"},
      {"after_run_stale", "after that analysis"},
      {"before_run_not_of_base", "commit that it began from"},
      {"after_run_required_for_governance", "configuration"},
      {"incomparable_runs", "settings"},
      {"intent_not_active", "promote"},
      {"report_digest_mismatch", "original"},
      {"state_artifact_mutation", "baseline"},
      {"scope_violation", "scope"},
      {"structural_regressions", "made worse"},
      {"gate_failures", "gate fail"},
      {"baseline_abuse:ci_greened_by_accepting_debt", "change of its own"},
  };
  EXPECT_EQ(rows.size(), 14u);
  EXPECT_EQ(next_steps().size(), rows.size());
  for (const auto& [reason, word] : rows)
    EXPECT_NE(next_step_for(reason).find(word), std::string_view::npos) << reason;
  EXPECT_TRUE(next_step_for("accepted").empty());
}

// ---------------------------------------------------------------------------- baseline abuse

TEST(BaselineAbuse, EveryTriggerInEveryCombination) {
  int seen = 0;
  for (int bits = 0; bits < 64; ++bits) {
    const AbuseFacts f{.baseline_updated = (bits & 1) != 0,
                       .has_intent = (bits & 2) != 0,
                       .before_gate_failed = (bits & 4) != 0,
                       .after_gate_failed = (bits & 8) != 0,
                       .regressions = (bits & 16) != 0 ? 1u : 0u,
                       .other_changed_files = (bits & 32) != 0 ? 1u : 0u};
    std::vector<std::string> expected;
    if (f.baseline_updated) {
      if (f.regressions > 0 || f.other_changed_files > 0)
        expected.emplace_back("baseline_changed_with_functional_code");
      if (f.regressions > 0) expected.emplace_back("baseline_updated_while_regressions_present");
      if (!f.has_intent) expected.emplace_back("baseline_updated_without_intent");
      if (f.before_gate_failed && !f.after_gate_failed)
        expected.emplace_back("ci_greened_by_accepting_debt");
    }
    EXPECT_EQ(baseline_abuse(f), expected) << bits;
    seen += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(seen, 20);
}

TEST(BaselineAbuse, WhenABaselineCountsAsUpdated) {
  const Value before = quiet_report();
  EXPECT_FALSE(is_baseline_updated(before, before, {"pkg/a.py"}));
  EXPECT_TRUE(is_baseline_updated(before, before, {"pkg/a.py", "gatehouse.baseline.json"}));
  for (const std::string which : {"baseline", "metrics_baseline"}) {
    Value after = quiet_report();
    at(after, {"meta", which, "status"}) = "updated";
    EXPECT_TRUE(is_baseline_updated(before, after, {})) << which;
    after = quiet_report();
    at(after, {"meta", which, "payload_sha256"}) = "bb";
    EXPECT_TRUE(is_baseline_updated(before, after, {})) << which;
    after = quiet_report();
    at(after, {"meta", which}).as_map()->set("api_surface_payload_sha256", "cc");
    EXPECT_TRUE(is_baseline_updated(before, after, {})) << which;
    after = quiet_report();
    at(after, {"meta", which, "path"}) = "state/other.json";
    EXPECT_TRUE(is_baseline_updated(before, after, {"state/other.json"})) << which;
  }
}

TEST(BaselineAbuse, WhatOthersCommittedIsNoUpdateOfTheChange) {
  World world = world_of({false, true, false, false});
  at(world.after, {"meta", "baseline", "payload_sha256"}) = "bb";
  const Value before = quiet_report();
  EXPECT_FALSE(is_baseline_updated(before, world.after, {"pkg/a.py"}, true));
  EXPECT_TRUE(is_baseline_updated(before, world.after, {"gatehouse.baseline.json"}, true));
  Value updated = quiet_report();
  at(updated, {"meta", "baseline", "status"}) = "updated";
  EXPECT_TRUE(is_baseline_updated(before, updated, {}, true)) << "by the run itself";
}

TEST(BaselineAbuse, IsAViolationOfTheContractAndCountsEverybodysRegressions) {
  World world = world_of({false, true, false, false});
  at(world.after, {"meta", "baseline", "payload_sha256"}) = "bb";
  const Verification v = world.verified();
  EXPECT_EQ(
      v.contract_violations,
      (std::vector<std::string>{"baseline_abuse:baseline_changed_with_functional_code",
                                "baseline_abuse:baseline_updated_while_regressions_present"}));
  EXPECT_EQ(to_string(v.status), "violated");
  EXPECT_EQ(wire::canonical_json(*v.payload.find("baseline_abuse")),
            R"({"detected":true,"triggers":["baseline_changed_with_functional_code",)"
            R"("baseline_updated_while_regressions_present"]})");
  world.strictness = Strictness::relaxed;
  EXPECT_EQ(to_string(world.verified().status), "accepted_with_external_changes");
}

TEST(BaselineAbuse, DebtThatIsAcceptedToBeGreen) {
  World world;
  at(world.before, {"findings", "groups", "clones", "functions"}) = List{
      Map{{"id", "clone:function:a"}, {"family", "clone"}, {"novelty", "new"}, {"items", List{}}}};
  at(world.after, {"findings", "groups", "clones", "functions"}) = List{Map{
      {"id", "clone:function:a"}, {"family", "clone"}, {"novelty", "known"}, {"items", List{}}}};
  at(world.after, {"meta", "baseline", "payload_sha256"}) = "bb";
  world.changed = {"gatehouse.baseline.json"};
  EXPECT_EQ(world.verified().abuse_triggers,
            std::vector<std::string>{"ci_greened_by_accepting_debt"});
}

// A run says nothing of what it does not read, and so cannot say that it got better.
TEST(Verify, ASourceThatLeadsOutOfTheTreeIsARegressionAndNoImprovement) {
  World world;
  add_finding(world.before, "dead_code:pkg.a:f", "pkg/a.py");
  add_finding(world.before, "dead_code:pkg.b:g", "pkg/b.py");
  EXPECT_EQ(world.verified().structural_verdict, "improved");
  world.unread_links = {"pkg/a.py"};
  const Verification out = world.verified();
  EXPECT_EQ(out.status, VerifyStatus::violated);
  EXPECT_EQ(out.reason, "structural_regressions");
  ASSERT_EQ(out.intent_regressions.size(), 1u);
  EXPECT_EQ(out.intent_regressions[0].id, "structural:unread_file:pkg/a.py");
  EXPECT_EQ(out.intent_regressions[0].unread, "link_leads_out");
  EXPECT_EQ(out.improvements, 1) << "that of the other file";
  EXPECT_EQ(out.structural_verdict, "mixed");
  world.unread_links = {"pkg/elsewhere.py"};
  EXPECT_EQ(world.verified().status, VerifyStatus::accepted_with_external_changes);
}

}  // namespace
}  // namespace gh::control
