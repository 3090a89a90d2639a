#include "analysis/compare.h"

#include <gtest/gtest.h>

#include "analysis/report_view.h"
#include "analysis/short_ids.h"

namespace gh::analysis {
namespace {

using Texts = std::vector<std::string>;

Map item(std::string_view path, std::string_view qualname, int line = 1) {
  return Map{{"relative_path", path}, {"qualname", qualname}, {"start_line", line}};
}

Map finding(std::string_view id, std::string_view family, List items,
            std::string_view severity = "warning", std::string_view kind = "k") {
  return Map{{"id", id},
             {"family", family},
             {"kind", kind},
             {"severity", severity},
             {"items", std::move(items)}};
}

/// A report as far as comparisons read it.
struct Report {
  List clones{}, structural{}, dead_code{}, design{};
  List complexity{}, coupling{}, cohesion{};
  List partial{}, unread{}, files{};
  std::optional<int> health{}, tenths{};
  int min_loc = 10;
  Map more_families{};

  Value value() const {
    Map families = more_families;
    families.set("complexity", Map{{"items", complexity}});
    families.set("coupling", Map{{"items", coupling}});
    families.set("cohesion", Map{{"items", cohesion}});
    if (health)
      families.set("health",
                   Map{{"summary", Map{{"score", *health},
                                       {"score_tenths", tenths ? Value(*tenths) : Value()}}}});
    return Map{{"meta", Map{{"analysis_mode", "full"},
                            {"analysis_profile", Map{{"min_loc", min_loc}}},
                            {"project_name", nullptr}}},
               {"inventory", Map{{"files", Map{{"partial", partial}, {"unread", unread}}},
                                 {"file_registry", Map{{"items", files}}}}},
               {"findings", Map{{"groups", Map{{"clones", Map{{"functions", clones}}},
                                               {"structural", Map{{"groups", structural}}},
                                               {"dead_code", Map{{"groups", dead_code}}},
                                               {"design", Map{{"groups", design}}}}}}},
               {"metrics", Map{{"families", std::move(families)}}}};
  }
};

RunComparison compared(const Report& before, const Report& after, Focus focus = Focus::all,
                       std::string_view other_root = "/r") {
  const Value old = before.value(), now = after.value();
  return compare_runs({std::string(64, 'a'), "/r", old},
                      {std::string(64, 'b'), std::string(other_root), now}, focus);
}

Texts ids(const std::vector<ComparedFinding>& findings) {
  Texts out;
  for (const ComparedFinding& f : findings)
    out.push_back(f.id);
  return out;
}

const List kHere{item("a.py", "a:f")};
Map fn(std::string_view key) {
  return finding("clone:function:" + std::string(key), "clone", kHere);
}

// docs/reference/analysis.md, "Comparing two runs"
TEST(CompareRuns, TheVerdictFollowsFromFindingsAndHealth) {
  struct Row {
    bool regression, improvement;
    int health_before, health_after;
    std::string_view verdict;
  };
  const Row rows[] = {
      {true, true, 80, 80, "mixed"},       {true, false, 80, 80, "regressed"},
      {false, true, 80, 80, "improved"},   {false, false, 80, 80, "stable"},
      {false, false, 80, 79, "regressed"}, {false, false, 80, 81, "improved"},
      {true, false, 80, 81, "mixed"},      {false, true, 80, 79, "mixed"},
      {true, true, 80, 79, "mixed"},       {true, true, 80, 81, "mixed"},
      {true, false, 80, 79, "regressed"},  {false, true, 80, 81, "improved"},
  };
  for (const Row& row : rows) {
    Report before{.health = row.health_before}, after{.health = row.health_after};
    if (row.regression) after.clones.emplace_back(fn("11"));
    if (row.improvement) before.clones.emplace_back(fn("22"));
    EXPECT_EQ(to_string(compared(before, after).verdict), row.verdict)
        << row.regression << row.improvement << row.health_after;
  }
}

TEST(CompareRuns, WhatIsNotComparableSaysWhyAndNothingElse) {
  struct Row {
    std::string_view root;
    int min_loc;
    std::string_view reason;
  };
  for (const Row& row :
       {Row{"/other", 10, "different_root"}, Row{"/r", 11, "different_analysis_settings"},
        Row{"/other", 11, "different_root_and_analysis_settings"}}) {
    const Report before{.clones = {fn("11")}, .health = 80};
    const Report after{.health = 70, .min_loc = row.min_loc};
    const RunComparison c = compared(before, after, Focus::all, row.root);
    EXPECT_FALSE(c.comparable);
    EXPECT_EQ(c.reason, row.reason);
    const Map document = comparison_document(c);
    EXPECT_EQ(*document.find("verdict"), Value("incomparable"));
    EXPECT_EQ(*document.find("reason"), Value(row.reason));
    EXPECT_EQ(*document.find("health_delta"), Value());
    EXPECT_EQ(*document.find("unchanged"), Value());
    EXPECT_EQ(*document.find("improvements"), Value(List{}));
    EXPECT_EQ(*document.find("regressions"), Value(List{}));
  }
}

TEST(CompareRuns, EverySettingThatTwoRunsShareIsAsked) {
  const Report report;
  for (const char* key : {"analysis_mode", "analysis_profile", "analysis_thresholds",
                          "fingerprint_version", "languages", "generator"}) {
    const Value before = report.value();
    Value after = report.value();
    after.as_map()->find("meta")->as_map()->set(key, "other");
    EXPECT_FALSE(compare_runs({"a", "/r", before}, {"b", "/r", after}).comparable) << key;
  }
  const Value before = report.value();
  Value after = report.value();
  after.as_map()->find("meta")->as_map()->set("project_name", "other");
  after.as_map()->find("meta")->as_map()->set("runtime", Map{{"jobs", 2}});
  EXPECT_TRUE(compare_runs({"a", "/r", before}, {"b", "/r", after}).comparable);
}

TEST(CompareRuns, FindingsAreComparedByTheirIdAlone) {
  Map known = fn("33");
  known.set("novelty", "known");  // a baseline knows it; the run before did not
  const Report before{.clones = {fn("11"), fn("22")}};
  const Report after{.clones = {fn("22"), known, fn("30")}};
  const RunComparison c = compared(before, after);
  EXPECT_EQ(ids(c.regressions), (Texts{"clone:function:30", "clone:function:33"}));
  EXPECT_EQ(ids(c.improvements), (Texts{"clone:function:11"}));
  EXPECT_EQ(c.unchanged, 1);
  EXPECT_EQ(c.unknown, 0);
}

TEST(CompareRuns, TheFocusChoosesFamilies) {
  const Report after{.clones = {fn("11")},
                     .structural = {finding("structural:x:1", "structural", kHere)},
                     .dead_code = {finding("dead_code:a:f", "dead_code", kHere)},
                     .design = {finding("design:complexity:a:f", "design", kHere)}};
  const auto seen = [&](std::string_view focus) {
    return ids(compared({}, after, focus_named(focus).value()).regressions);
  };
  EXPECT_EQ(seen("all"), (Texts{"clone:function:11", "dead_code:a:f", "design:complexity:a:f",
                                "structural:x:1"}));
  EXPECT_EQ(seen("clones"), (Texts{"clone:function:11"}));
  EXPECT_EQ(seen("structural"), (Texts{"structural:x:1"}));
  EXPECT_EQ(seen("metrics"), (Texts{"dead_code:a:f", "design:complexity:a:f"}));
  EXPECT_FALSE(focus_named("everything").has_value());
}

struct Gone {
  const char* what;
  Map group;
  std::int64_t unknown;
};

// docs/reference/analysis.md, "Comparing two runs": files that could not be read
TEST(CompareRuns, NothingIsGoneBecauseItsFileBecameUnreadable) {
  const List both{item("ok.py", "ok:f"), item("bad.py", "bad:g")};
  const Gone rows[] = {
      {"a unit that is not whole",
       finding("design:complexity:bad:g", "design", {item("bad.py", "bad:g")}), 1},
      {"a unit that is whole",
       finding("design:complexity:bad:h", "design", {item("bad.py", "bad:h")}), 0},
      {"a class that is whole",
       finding("design:cohesion:bad:K", "design", {item("bad.py", "bad:K")}), 0},
      {"a unit of another file",
       finding("design:complexity:ok:f", "design", {item("ok.py", "ok:f")}), 0},
      {"one of two copies", finding("clone:function:11", "clone", both), 1},
      {"dead code, though its unit is whole",
       finding("dead_code:bad:h", "dead_code", {item("bad.py", "bad:h")}), 1},
      {"a cycle through the file",
       finding("design:dependency:bad -> ok", "design",
               {item("bad.py", "bad"), item("ok.py", "ok")}),
       1},
      {"a file that was not read at all",
       finding("design:complexity:none:f", "design", {item("none.py", "none:f")}), 1},
  };
  const Report after{.complexity = {item("bad.py", "bad:h").set("cyclomatic_complexity", 1),
                                    item("ok.py", "ok:f").set("cyclomatic_complexity", 1)},
                     .cohesion = {item("bad.py", "bad:K").set("lcom4", 1)},
                     .partial = {Map{{"path", "bad.py"}}},
                     .unread = {Map{{"path", "none.py"}, {"status", "parse_error"}}}};
  for (const Gone& row : rows) {
    Report before{.partial = after.partial, .unread = after.unread};
    before.design.emplace_back(row.group);
    const RunComparison c = compared(before, after);
    EXPECT_EQ(c.unknown, row.unknown) << row.what;
    EXPECT_EQ(c.improvements.size(), row.unknown == 0 ? 1u : 0u) << row.what;
    EXPECT_EQ(c.verdict, row.unknown == 0 ? RunVerdict::improved : RunVerdict::stable) << row.what;
    EXPECT_EQ(c.partial_paths.empty(), row.unknown == 0) << row.what;
  }
  Report before;
  before.design = {rows[0].group, rows[7].group};
  EXPECT_EQ(compared(before, after).partial_paths, (Texts{"bad.py", "none.py"}));
}

// An edit that leaves a syntax error is a finding of its own, whatever else it hides.
TEST(CompareRuns, AFileThatCanNoLongerBeReadAsAWholeIsARegression) {
  const Report before{.partial = {Map{{"path", "old.py"}}},
                      .files = {"bad.py", "gone.py", "large.py", "old.py"}};
  const Report after{.partial = {Map{{"path", "bad.py"}, {"line", 7}}, Map{{"path", "old.py"}}},
                     .unread = {Map{{"path", "gone.py"}, {"status", "parse_error"}},
                                Map{{"path", "large.py"}, {"status", "file_too_large"}}}};
  const RunComparison c = compared(before, after);
  EXPECT_EQ(c.verdict, RunVerdict::regressed);
  ASSERT_EQ(c.regressions.size(), 3u);
  EXPECT_EQ(c.regressions[0].id, "structural:syntax_error:bad.py");
  EXPECT_EQ(c.regressions[0].severity, "critical");
  EXPECT_EQ(c.regressions[0].place, "bad.py:7");
  EXPECT_EQ(c.regressions[1].id, "structural:syntax_error:gone.py");
  EXPECT_EQ(c.regressions[2].id, "structural:unread_file:large.py");
  EXPECT_EQ(c.regressions[2].unread, "file_too_large");
  EXPECT_TRUE(compared(before, after, Focus::clones).regressions.empty());
  EXPECT_TRUE(compared(after, before).regressions.empty());
}

TEST(CompareRuns, ANewFileThatCannotBeReadIsARegressionToo) {
  const Report before{.files = {"ok.py"}};
  const Report after{.partial = {Map{{"path", "new.py"}, {"line", 3}}},
                     .unread = {Map{{"path", "deep.js"}, {"status", "parse_limit"}},
                                Map{{"path", "latin.py"}, {"status", "source_read_error"}}},
                     .files = {"deep.js", "latin.py", "new.py", "ok.py"}};
  const RunComparison c = compared(before, after);
  ASSERT_EQ(c.regressions.size(), 3u);
  EXPECT_EQ(c.regressions[0].id, "structural:syntax_error:new.py");
  EXPECT_EQ(c.regressions[1].id, "structural:unread_file:deep.js");
  EXPECT_EQ(c.regressions[1].unread, "parse_limit");
  EXPECT_EQ(c.regressions[2].id, "structural:unread_file:latin.py");
}

TEST(CompareRuns, AFileThatIsBrokenFurtherIsARegressionAndOneThatStaysAsBrokenIsNone) {
  const auto partial = [](int nodes, int bytes, int whole, int broken) {
    return Report{.partial = {Map{{"path", "a.py"},
                                  {"line", 1},
                                  {"error_nodes", nodes},
                                  {"error_bytes", bytes},
                                  {"units_complete", whole},
                                  {"units_incomplete", broken}}}};
  };
  const Report unread{.unread = {Map{{"path", "a.py"}, {"status", "parse_error"}}}};
  struct Row {
    const char* what;
    Report after;
    bool worse;
  };
  const Row rows[] = {
      {"the same", partial(2, 20, 5, 1), false},
      {"an error more", partial(3, 20, 5, 1), true},
      {"a unit more is broken", partial(2, 20, 5, 2), true},
      {"a function was taken out", partial(2, 20, 4, 1), false},
      {"the error swallowed a function", partial(2, 90, 4, 1), true},
      {"the broken part was edited", partial(2, 25, 5, 1), false},
      {"mended in part", partial(1, 5, 6, 0), false},
      {"nothing of it can be read", unread, true},
  };
  for (const Row& row : rows)
    EXPECT_EQ(compared(partial(2, 20, 5, 1), row.after).regressions.size(), row.worse ? 1u : 0u)
        << row.what;
  EXPECT_TRUE(compared(unread, unread).regressions.empty());
  EXPECT_TRUE(compared(unread, partial(2, 20, 5, 1)).regressions.empty());
}

// The symbols of a finding stay what they are; the id of a copy changes with every edit of it.
TEST(CompareRuns, WhatAnEarlierCommentHidesForTheFirstTimeIsNamed) {
  const auto with = [](std::string_view family, List suppressed, std::string_view by = "inline") {
    Value report = Report{}.value();
    for (Value& group : suppressed)
      group.as_map()->set("source", by);
    Value* groups = report.as_map()->find("findings")->as_map()->find("groups");
    Map* members = groups->as_map()->find(family)->as_map();
    if (family == "clones")
      members->set("suppressed", Map{{"functions", std::move(suppressed)}});
    else
      members->set("suppressed", std::move(suppressed));
    return report;
  };
  const auto hidden = [](const Value& before, const Value& after) {
    return ids(
        compare_runs({std::string(64, 'a'), "/r", before}, {std::string(64, 'b'), "/r", after})
            .hidden);
  };
  const Value none = Report{}.value();
  const List dead{finding("dead_code:a:f", "dead_code", kHere)},
      design{finding("design:complexity:a:f", "design", kHere)};
  EXPECT_EQ(hidden(none, with("dead_code", dead)), (Texts{"dead_code:a:f"}));
  EXPECT_EQ(hidden(none, with("design", design)), (Texts{"design:complexity:a:f"}));
  EXPECT_EQ(hidden(with("dead_code", dead), with("dead_code", dead)), Texts{});
  EXPECT_EQ(hidden(Report{.dead_code = dead}.value(), with("dead_code", dead)), Texts{});
  EXPECT_EQ(hidden(none, with("dead_code", dead, "policy")), Texts{}) << "nobody wrote a comment";
  EXPECT_EQ(hidden(none, with("clones", {fn("aa")})), Texts{});
}

TEST(CompareRuns, HealthIsNullWhereARunHasNone) {
  struct Row {
    std::optional<int> before, after;
    Value delta;
  };
  for (const Row& row : {Row{90, 88, -2}, Row{88, 90, 2}, Row{90, 90, 0}, Row{{}, 90, nullptr},
                         Row{90, {}, nullptr}, Row{{}, {}, nullptr}}) {
    const Map document =
        comparison_document(compared({.health = row.before}, {.health = row.after}));
    EXPECT_EQ(*document.find("health_delta"), row.delta);
    EXPECT_EQ(*member(document, {"before", "health"}), row.before ? Value(*row.before) : Value());
    EXPECT_EQ(*member(document, {"after", "health"}), row.after ? Value(*row.after) : Value());
  }
  const RunComparison fine = compared({.health = 90, .tenths = 903}, {.health = 90, .tenths = 898});
  EXPECT_EQ(fine.health_delta_tenths(), -5);
  EXPECT_EQ(fine.verdict, RunVerdict::stable);  // tenths decide nothing
}

TEST(CompareRuns, TheDocumentHasEveryFieldAndShortIds) {
  const Report before{
      .clones = {finding("clone:function:0123456789", "clone",
                         {item("b.py", "b:f", 7), item("a.py", "a:f", 3)}, "info", "clone_group")},
      .health = 90};
  const Report after{.dead_code = {finding("dead_code:pkg.m:K.unused", "dead_code", kHere,
                                           "warning", "unused_symbol")},
                     .health = 88};
  EXPECT_EQ(Value(comparison_document(compared(before, after))),
            Value(Map{{"before", Map{{"run_id", "aaaaaaaa"}, {"health", 90}}},
                      {"after", Map{{"run_id", "bbbbbbbb"}, {"health", 88}}},
                      {"comparable", true},
                      {"health_delta", -2},
                      {"health_delta_tenths", nullptr},
                      {"verdict", "mixed"},
                      {"regressions", List{Map{{"id", "dead:unused"},
                                               {"kind", "unused_symbol"},
                                               {"severity", "warning"},
                                               {"finding_id", "dead_code:pkg.m:K.unused"},
                                               {"paths", List{"a.py"}}}}},
                      {"improvements", List{Map{{"id", "fn:012345"},
                                                {"kind", "clone_group"},
                                                {"severity", "info"},
                                                {"finding_id", "clone:function:0123456789"},
                                                {"paths", List{"a.py", "b.py"}}}}},
                      {"unchanged", 0},
                      {"unknown", 0},
                      {"partial_paths", List{}},
                      {"grown", List{}},
                      {"worsened", List{}},
                      {"worsened_total", 0},
                      {"eased", List{}},
                      {"eased_total", 0},
                      {"coverage", List{}},
                      {"coverage_total", 0},
                      {"inventories", Map{}},
                      {"suppressions_added", List{}},
                      {"summary",
                       "mixed: 1 regression, 1 improvement, 0 unchanged, health 90 -> "
                       "88 (-2)"}}));
}

Map scored(std::string_view field, std::string_view path, std::string_view symbol, int value) {
  return item(path, symbol).set(std::string(field), value);
}

std::string row_of(const SymbolChange& c) {
  return std::string(c.family) + " " + c.path + " " + c.symbol + " " + std::to_string(c.before) +
         ">" + std::to_string(c.after);
}

TEST(CompareRuns, SymbolsOfBothRunsThatGotWorseAreNamedGreatestFirst) {
  const Report before{
      .complexity = {scored("cyclomatic_complexity", "b.py", "b:f", 3),
                     scored("cyclomatic_complexity", "a.py", "a:f", 3),
                     scored("complexity", "a.py", "a:g", 9), scored("value", "a.py", "a:same", 4)},
      .coupling = {scored("cbo", "a.py", "a:K", 1), scored("coupling", "a.py", "a:L", 1)},
      .cohesion = {scored("lcom4", "a.py", "a:K", 1), scored("cohesion", "a.py", "a:L", 1)}};
  const Report after{
      .complexity = {scored("cyclomatic_complexity", "b.py", "b:f", 5),
                     scored("cyclomatic_complexity", "a.py", "a:f", 5),
                     scored("complexity", "a.py", "a:g", 2), scored("value", "a.py", "a:same", 4),
                     scored("value", "a.py", "a:new", 50)},
      .coupling = {scored("cbo", "a.py", "a:K", 3), scored("coupling", "a.py", "a:L", 7)},
      .cohesion = {scored("lcom4", "a.py", "a:K", 3), scored("cohesion", "a.py", "a:L", 2)}};
  const RunComparison c = compared(before, after);
  Texts worsened, eased;
  for (const SymbolChange& change : c.worsened)
    worsened.push_back(row_of(change));
  for (const SymbolChange& change : c.eased)
    eased.push_back(row_of(change));
  EXPECT_EQ(worsened,
            (Texts{"coupling a.py a:L 1>7", "cohesion a.py a:K 1>3", "complexity a.py a:f 3>5",
                   "complexity b.py b:f 3>5", "coupling a.py a:K 1>3", "cohesion a.py a:L 1>2"}));
  EXPECT_EQ(eased, (Texts{"complexity a.py a:g 9>2"}));
  EXPECT_EQ(c.verdict, RunVerdict::stable);  // metrics alone decide nothing
}

TEST(CompareRuns, ListsOfSymbolsEndAtTwentyAndSayHowManyThereAre) {
  Report before, after;
  for (int i = 0; i < 25; ++i) {
    const std::string name = "a:f" + std::to_string(i);
    before.complexity.emplace_back(scored("value", "a.py", name, 1));
    after.complexity.emplace_back(scored("value", "a.py", name, 2 + i));
  }
  const Map document = comparison_document(compared(before, after));
  EXPECT_EQ(document.find("worsened")->as_list()->size(), 20u);
  EXPECT_EQ(*document.find("worsened_total"), Value(25));
  EXPECT_EQ(document.find("worsened")->as_list()->front(), Value(Map{{"family", "complexity"},
                                                                     {"path", "a.py"},
                                                                     {"symbol", "a:f24"},
                                                                     {"before", 1},
                                                                     {"after", 26},
                                                                     {"delta", 25}}));
}

TEST(CompareRuns, AKnownCloneThatWasCopiedOnceMoreIsNamed) {
  const Report before{.clones = {finding("clone:function:11", "clone",
                                         {item("a.py", "a:f"), item("b.py", "b:f")})}};
  const Report after{
      .clones = {finding("clone:function:11", "clone",
                         {item("a.py", "a:f"), item("b.py", "b:f"), item("c.py", "c:f")})}};
  const RunComparison c = compared(before, after);
  ASSERT_EQ(c.grown.size(), 1u);
  EXPECT_EQ(c.grown[0].id, "clone:function:11");
  EXPECT_EQ(c.grown[0].new_members, (Texts{"c:f"}));
  EXPECT_EQ(c.unchanged, 1);
  EXPECT_TRUE(compared(after, before).grown.empty());
}

TEST(CompareRuns, CoverageAndInventoriesAreComparedWhereBothRunsHaveThem) {
  const auto with = [](List coverage, List security, List api) {
    return Report{.more_families = Map{{"coverage_join", Map{{"items", std::move(coverage)}}},
                                       {"security_surfaces", Map{{"items", std::move(security)}}},
                                       {"api_surface", Map{{"items", std::move(api)}}}}};
  };
  const auto surface = [](std::string_view capability) {
    return Map{{"qualname", "a:f"}, {"category", "process_boundary"}, {"capability", capability}};
  };
  const Report before =
      with({scored("coverage_permille", "a.py", "a:f", 900),
            scored("coverage_permille", "a.py", "a:g", 100)},
           {surface("os_system")}, {Map{{"qualname", "a:f"}, {"kind", "function"}}});
  const Report after =
      with({scored("coverage_permille", "a.py", "a:f", 400),
            scored("coverage_permille", "a.py", "a:g", 200)},
           {surface("subprocess_run")}, {Map{{"qualname", "a:g"}, {"kind", "function"}}});
  const RunComparison c = compared(before, after);
  ASSERT_EQ(c.coverage.size(), 2u);
  EXPECT_EQ(row_of(c.coverage[0]), "coverage_join a.py a:f 900>400");
  EXPECT_EQ(row_of(c.coverage[1]), "coverage_join a.py a:g 100>200");
  EXPECT_TRUE(c.worsened.empty());
  ASSERT_EQ(c.inventories.size(), 2u);
  EXPECT_EQ(c.inventories[0].added, (Texts{"a:f process_boundary subprocess_run"}));
  EXPECT_EQ(c.inventories[0].removed, (Texts{"a:f process_boundary os_system"}));
  const std::map<std::string, InventoryChange::Counts, std::less<>> by_category{
      {"process_boundary", {1, 1}}};
  EXPECT_EQ(c.inventories[0].by_category, by_category);
  EXPECT_TRUE(c.inventories[1].by_category.empty());
  EXPECT_EQ(c.inventories[1].added, (Texts{"a:g function"}));
  EXPECT_EQ(c.inventories[1].removed, (Texts{"a:f function"}));
  EXPECT_TRUE(compared({}, after).inventories.empty());
}

TEST(CompareRuns, WhatAFileThatIsReadInPartNoLongerShowsIsNotRemoved) {
  const auto report = [](List surfaces, List partial) {
    return Map{{"inventory", Map{{"files", Map{{"partial", std::move(partial)}}}}},
               {"metrics", Map{{"families",
                                Map{{"security_surfaces", Map{{"items", std::move(surfaces)}}}}}}}};
  };
  const auto surface = [](const char* path) {
    return Map{{"relative_path", path}, {"qualname", path}, {"category", "network_boundary"}};
  };
  const Value before = report({surface("a.py"), surface("b.py")}, {});
  const Value after = report({}, {Map{{"path", "a.py"}}});
  const RunComparison c = compare_runs({"1", "/r", before}, {"2", "/r", after});
  ASSERT_EQ(c.inventories.size(), 1u);
  EXPECT_EQ(c.inventories[0].removed, (Texts{"b.py network_boundary"}));
}

// docs/reference/analysis.md, "Short ids"
TEST(ShortIds, EachFormAndHowItGrows) {
  const auto shorts = short_ids({"clone:function:0123456789abcdef", "clone:block:0123456789abcdef",
                                 "clone:segment:0123456789abcdef|m:f", "clone:near_miss:0123456789",
                                 "structural:duplicated_branches:abcdef0123", "dead_code:pkg.m:K.f",
                                 "design:complexity:pkg.m:K.g", "design:dependency:p.a -> p.b"});
  EXPECT_EQ(shorts.at("clone:function:0123456789abcdef"), "fn:012345");
  EXPECT_EQ(shorts.at("clone:block:0123456789abcdef"), "blk:012345");
  EXPECT_EQ(shorts.at("clone:segment:0123456789abcdef|m:f"), "seg:012345");
  EXPECT_EQ(shorts.at("clone:near_miss:0123456789"), "near:012345");
  EXPECT_EQ(shorts.at("structural:duplicated_branches:abcdef0123"),
            "struct:duplicated_branches:abcdef");
  EXPECT_EQ(shorts.at("dead_code:pkg.m:K.f"), "dead:f");
  EXPECT_EQ(shorts.at("design:complexity:pkg.m:K.g"), "design:complexity:g");
  EXPECT_EQ(shorts.at("design:dependency:p.a -> p.b"), "design:dependency:a -> b");

  const auto grown =
      short_ids({"clone:function:0123456789", "clone:function:0123456799",
                 "clone:function:0123aaaaaa", "dead_code:a:f", "dead_code:b:f", "dead_code:f"});
  EXPECT_EQ(grown.at("clone:function:0123456789"), "fn:0123456789");
  EXPECT_EQ(grown.at("clone:function:0123456799"), "fn:0123456799");
  EXPECT_EQ(grown.at("clone:function:0123aaaaaa"), "fn:0123aa");
  EXPECT_EQ(grown.at("dead_code:a:f"), "dead:a:f");
  EXPECT_EQ(grown.at("dead_code:b:f"), "dead:b:f");
  EXPECT_EQ(grown.at("dead_code:f"), "dead:f");
}

}  // namespace
}  // namespace gh::analysis
