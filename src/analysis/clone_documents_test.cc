#include "analysis/clone_documents.h"

#include <gtest/gtest.h>

#include "analysis/canonical_report.h"
#include "analysis/test_project.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

Value report_of(const Files& files, Profile profile = kLow) {
  const Project project = project_of(files, profile);
  return canonical_report(project, find_all(project));
}

const Value& at(const Value& value, std::initializer_list<std::string_view> path) {
  static const Value kNone;
  const Value* here = &value;
  for (const std::string_view key : path) {
    here = here->as_map() == nullptr ? nullptr : here->as_map()->find(key);
    if (here == nullptr) return kNone;
  }
  return *here;
}

/// The only group of a family.
Value only(const Value& report, std::string_view family) {
  const Value& groups = family == "structural"
                            ? at(report, {"findings", "groups", "structural", "groups"})
                            : at(report, {"findings", "groups", "clones", family});
  EXPECT_EQ(groups.as_list()->size(), 1u) << family;
  return groups.as_list()->empty() ? Value() : groups.as_list()->front();
}

std::string text(const Value& value) { return wire::canonical_json(value); }

constexpr const char* kBlock =
    "    alpha = load(p)\n"
    "    beta = alpha.strip()\n"
    "    if not beta:\n"
    "        raise ValueError(beta)\n"
    "    gamma = parse(beta)\n";

// docs/reference/analysis.md, "Clone families": all raw text equal, all fingerprints equal, near;
// and what an older tool says of the same group
TEST(CloneDocuments, EveryTypeHasItsWord) {
  const std::string body = lines(12, "s#(p)") + "    x = p\n",
                    renamed = lines(12, "s#(q)") + "    x = q\n";
  const std::string f = "def f(p):\n" + body;
  struct Row {
    const char* family;
    std::string other;
    const char *type, *reference_type;
  };
  const Row rows[] = {
      {"functions", f, "Type-1", "Type-1"},
      {"functions", "def g(p):\n" + body, "Type-2", "Type-2"},
      {"near_miss", "def g(p):\n" + body + "    more(p)\n", "Type-3", "none"},
      {"blocks", "def g(p):\n    other(p)\n" + body, "Type-1", "Type-4"},
      {"blocks", "def g(q):\n    other(q)\n" + renamed, "Type-2", "Type-4"},
      {"segments", "def g(p):\n" + body + "    other()\n" + body, "Type-1", "Type-4"},
      {"segments", "def g(p):\n" + body + "    other()\n" + renamed, "Type-2", "Type-4"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.family) + "\n" + row.other);
    const Value group = only(report_of({{"a.py", f}, {"b.py", row.other}}), row.family);
    EXPECT_EQ(at(group, {"clone_type"}), Value(row.type));
    EXPECT_EQ(at(group, {"facts", "reference_clone_type"}), Value(row.reference_type));
  }
}

// docs/reference/analysis.md, "Clone families"
TEST(CloneDocuments, ABlockHasItsFacts) {
  for (const char* before : {"", "    z = 0\n"}) {
    const Value group = only(report_of({{"m.py", "def f(p):\n" + std::string(kBlock) +
                                                     "    return gamma\n\ndef g(p):\n" + before +
                                                     kBlock + "    return [gamma]\n"}}),
                             "blocks");
    EXPECT_EQ(
        text(at(group, {"facts"})),
        R"({"assert_ratio":0.0,"block_size":4,"consecutive_asserts":0,"instance_peer_count":1,)"
        R"("match_rule":"maximal_statement_run","reference_clone_type":"Type-4"})");
    EXPECT_EQ(at(group, {"clone_type"}), Value("Type-1"));
    EXPECT_EQ(at(group, {"clone_kind"}), Value("block"));
    EXPECT_EQ(at(group, {"severity"}), Value("warning"));
    EXPECT_EQ(at(group, {"count"}), Value(2));
  }
}

TEST(CloneDocuments, ABlockOfAssertsSaysSo) {
  const std::string run = lines(4, "assert p.g()");
  const Value group = only(report_of({{"tests/a.py", "def f(p):\n" + run + "    a()\n"},
                                      {"tests/b.py", "def g(p):\n" + run + "    b()\n"}}),
                           "blocks");
  EXPECT_EQ(text(at(group, {"facts"})),
            R"({"assert_ratio":1.0,"block_size":4,"consecutive_asserts":4,"hint":"assert_only",)"
            R"("hint_confidence":"deterministic","instance_peer_count":1,)"
            R"("match_rule":"maximal_statement_run","pattern":"repeated_stmt_hash",)"
            R"("reference_clone_type":"Type-4"})");
}

TEST(CloneDocuments, ASegmentIsNamedByRunAndUnit) {
  const std::string run =
      "    a = load(1)\n    b = a + 1\n    if b:\n        save(b)\n    c = b * 2\n    emit(c)\n"
      "    log(c)\n";
  const std::string f = "def f(p):\n" + run + "    reset()\n" + run;
  const Value group = only(report_of({{"m.py", f}}), "segments");
  EXPECT_EQ(text(at(group, {"facts"})),
            R"({"match_rule":"repeated_statement_run","reference_clone_type":"Type-4",)"
            R"("segment_lines":7,"segment_size":6})");
  EXPECT_TRUE(at(group, {"id"}).as_string()->starts_with("clone:segment:"));
  EXPECT_TRUE(at(group, {"id"}).as_string()->ends_with("|m:f"));
  // The second of two equal names is numbered, in ids alone.
  const Value report = report_of({{"m.py", "def f(p):\n    pass\n" + f}});
  EXPECT_TRUE(at(only(report, "segments"), {"id"}).as_string()->ends_with("|m:f#2"));
  EXPECT_EQ(*only(report, "segments")
                 .as_map()
                 ->find("items")
                 ->as_list()
                 ->at(0)
                 .as_map()
                 ->find("qualname"),
            Value("m:f"));
}

TEST(CloneDocuments, ANearMissIsTypeThreeAndForInformation) {
  const Files files{{"a.py", "def f(p):\n" + lines(10, "s#(p)")},
                    {"b.py", "def g(p):\n" + lines(11, "s#(p)")}};
  const Value group = only(report_of(files, {}), "near_miss");
  EXPECT_EQ(text(at(group, {"facts"})),
            R"({"distinct_statements":11,"max_similarity":909,"min_similarity":909,)"
            R"("reference_clone_type":"none"})");
  EXPECT_EQ(at(group, {"clone_type"}), Value("Type-3"));
  EXPECT_EQ(at(group, {"severity"}), Value("info"));
  EXPECT_EQ(text(at(group, {"priority"})), "0.5");
}

TEST(CloneDocuments, SizesOfFunctionsAreForInformation) {
  const auto bucket = [](int size) {
    const std::string body = lines(size - 1, "s#(p)");
    const Value report =
        report_of({{"a.py", "def f(p):\n" + body}, {"b.py", "def g(p):\n" + body}}, {});
    return *at(only(report, "functions"), {"facts", "loc_bucket"}).as_string();
  };
  EXPECT_EQ(bucket(19), "0-19");
  EXPECT_EQ(bucket(20), "20-49");
  EXPECT_EQ(bucket(49), "20-49");
  EXPECT_EQ(bucket(50), "50-99");
  EXPECT_EQ(bucket(99), "50-99");
  EXPECT_EQ(bucket(100), "100+");
}

// docs/reference/analysis.md, "Duplicated branches"
TEST(CloneDocuments, DuplicatedBranchesHaveAStableKey) {
  Profile shapes;
  shapes.structural_shape_groups = true;
  const Files files{{"m.py",
                     "def f(a, xs):\n    if a == 1:\n        y = g(xs)\n        return y\n"
                     "    elif a == 2:\n        y = h(xs)\n        return y\n    elif a == 3:\n"
                     "        return 3\n    for x in xs:\n        if x == 4:\n"
                     "            z = k(x)\n            return z\n    return None\n"}};
  const Value group = only(report_of(files, shapes), "structural");
  // sha1("duplicated_branches|qualname=m:f|sig=calls=1|has_loop=0|has_try=0|nested_if=0|raises=0|"
  //      "stmt_seq=Assign,Return|terminal=return_name")
  EXPECT_EQ(at(group, {"id"}),
            Value("structural:duplicated_branches:9b7843f94709e29a131f4b20a9457a521ddc8c9c"));
  EXPECT_EQ(at(group, {"severity"}), Value("info"));
  EXPECT_EQ(text(at(group, {"priority"})), "0.5");
  EXPECT_EQ(at(group, {"confidence"}), Value("medium"));
  EXPECT_EQ(text(at(group, {"facts"})), R"({"body_equal":false})");
  EXPECT_EQ(text(at(group, {"signature"})),
            R"({"debug":{},"stable":{"calls":"1","family":"duplicated_branches","has_loop":"0",)"
            R"("has_try":"0","nested_if":"0","raises":"0","stmt_seq":"Assign,Return",)"
            R"("terminal":"return_name"},"version":"1"})");
  EXPECT_TRUE(
      at(report_of(files, {}), {"findings", "groups", "structural", "groups"}).as_list()->empty());
}

// docs/reference/analysis.md, "Cohorts"
TEST(CloneDocuments, ACohortIsCriticalWhenSeveralFunctionsDrift) {
  const auto body = [](const char* last) { return lines(10, "s#(p)") + "    " + last + "\n"; };
  Files files{{"a.py", "def a(p):\n" + body("return p")},
              {"b.py", "def b(p):\n" + body("return p")},
              {"c.py", "def c(p):\n" + body("return")}};
  const Value one = only(report_of(files, {}), "structural");
  EXPECT_EQ(at(one, {"kind"}), Value("clone_cohort_drift"));
  EXPECT_EQ(at(one, {"severity"}), Value("warning"));
  EXPECT_EQ(at(one, {"facts", "drift_fields"}), Value("terminal_kind"));
  EXPECT_EQ(at(one, {"count"}), Value(1));
  files.emplace_back("d.py", "def d(p):\n" + body("return p"));
  files.emplace_back("e.py", "def e(p):\n" + body("return"));
  EXPECT_EQ(at(only(report_of(files, {}), "structural"), {"severity"}), Value("critical"));
}

// docs/reference/analysis.md, "Findings"
TEST(CloneDocuments, TheSummaryCountsWhatIsListed) {
  const std::string f = "(p):\n" + lines(10, "s#(p)"), longer = f + "    t(p)\n";
  const Value report = report_of(
      {{"a.py", "def f" + f}, {"b.py", "def g" + f}, {"tests/c.py", "def h" + longer}}, {});
  EXPECT_EQ(text(at(report, {"findings", "summary"})),
            R"({"clones":{"blocks":0,"blocks_left_out":0,"functions":1,"known":0,"near_miss":1,)"
            R"("new":1,"segments":0,"suppressed":0,"suppressed_segments":0},)"
            R"("families":{"clone":2,"dead_code":2,"design":0,"structural":0},)"
            R"("impact_scope":{"mixed":1,"non_runtime":0,"runtime":3},)"
            R"("severity":{"critical":0,"info":1,"warning":3},"suppressed":0,"total":4})");
  EXPECT_EQ(text(at(report, {"meta", "near_miss"})), R"({"stop_list":0})");
}

/// Whatever takes part in all families: none of them may compare each with each.
TEST(CloneDocuments, RepetitiveSourcesAreReadToTheEnd) {
  Project project = many(10'000, 30, Own::none, kLow);
  project.files.push_back({.path = "n.py"});
  project.files.back().facts.units = {repeated(100'000), repeated(99'999), repeated(50'000)};
  project.files.push_back(many(3'000, 30, Own::anywhere).files.at(0));
  project.files.back().path = "o.py";
  const Findings findings = find_all(project);
  ASSERT_EQ(findings.function_clones.size(), 1u);
  EXPECT_EQ(findings.function_clones[0].items.size(), 10'000u);
  EXPECT_FALSE(canonical_report(project, findings).as_map()->empty());
}

}  // namespace
}  // namespace gh::analysis
