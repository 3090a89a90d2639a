// docs/formats/ledger.md, "run_parts": what a declared change reads of a run.
#include "analysis/run_extract.h"

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "analysis/annotations.h"
#include "analysis/blast_radius.h"
#include "analysis/compare.h"
#include "analysis/extract_lists.h"
#include "analysis/measures.h"
#include "analysis/memory_source.h"
#include "analysis/report_view.h"
#include "analysis/test_extract.h"
#include "base/digest.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

using testing::extract_of;
using testing::Made;
using Texts = std::vector<std::string>;

std::string complex_function(const std::string& name, int branches) {
  std::string out = "def " + name + "(a):\n";
  for (int i = 0; i < branches; ++i)
    out += "    if a == " + std::to_string(i) + ":\n        a = a + 1\n";
  return out + "    return a\n";
}

const std::map<std::string, std::string> kFiles{
    {"a.py",
     complex_function("hard", 25) + complex_function("easy", 1) + "def unused_one():\n    pass\n"},
    {"b.py", "import a\n\n\ndef use():\n    return a.hard(1) + a.easy(2)\n"},
    {"c.py", "import b\nimport subprocess\nprint(b.use())\nsubprocess.run('x')\n"},
    {"d.py", complex_function("hard", 25)},
    {"e/__init__.py", ""},
    {"e/f.py", "from e import g\nimport c\n"},
    {"e/g.py", "from e import f\n"}};

// A copy of an extract that was read from used to look into the text of the first one.
TEST(RunExtract, ACopyStandsByItself) {
  const Made made(kFiles);
  std::vector<RunInput> inputs;
  for (const auto& [path, text] : kFiles)
    inputs.push_back({path, "100644", digest_of(text).hex()});
  const auto answers = [](RunExtract& run) {
    std::vector<Value> out;
    for (const auto& [path, text] : kFiles)
      out.push_back(run.dependents({path}).value());
    return out;
  };
  auto first = std::make_unique<RunExtract>(extract_of(made.report, inputs));
  const std::vector<Value> expected = answers(*first);
  RunExtract copy = *first;
  first.reset();
  std::vector<std::string> others;  // in the memory that was given back
  for (std::size_t size = 16; size < 4096; size += 16)
    others.emplace_back(size, 'x');
  EXPECT_EQ(answers(copy), expected);
}

TEST(RunExtract, KeepsOfEachListWhatTheTableSays) {
  struct Row {
    std::string name, path;
    KeptIn place;
    std::string key, fields;
    KeptItems items;
    bool is_finding;
  };
  const std::string finding = "id family category kind severity novelty items";
  const std::string family = "metrics/families/";
  const std::vector<Row> expected{
      {"clones/functions", "findings/groups/clones/functions", KeptIn::lines, "id", finding,
       KeptItems::all, true},
      {"clones/blocks", "findings/groups/clones/blocks", KeptIn::lines, "id", finding,
       KeptItems::all, true},
      {"clones/segments", "findings/groups/clones/segments", KeptIn::lines, "id", finding,
       KeptItems::all, true},
      {"clones/near_miss", "findings/groups/clones/near_miss", KeptIn::lines, "id", finding,
       KeptItems::all, true},
      {"structural/groups", "findings/groups/structural/groups", KeptIn::lines, "id", finding,
       KeptItems::all, true},
      {"dead_code/groups", "findings/groups/dead_code/groups", KeptIn::lines, "id", finding,
       KeptItems::all, true},
      {"design/groups", "findings/groups/design/groups", KeptIn::lines, "id", finding,
       KeptItems::all, true},
      {"file", "inventory/file_registry/items", KeptIn::lines, "", "", KeptItems::all, false},
      {"complexity", family + "complexity/items", KeptIn::lines, "relative_path",
       "relative_path qualname cyclomatic_complexity risk", KeptItems::all, false},
      {"coupling", family + "coupling/items", KeptIn::lines, "relative_path",
       "relative_path qualname cbo risk", KeptItems::all, false},
      {"cohesion", family + "cohesion/items", KeptIn::lines, "relative_path",
       "relative_path qualname lcom4 risk", KeptItems::all, false},
      {"import", family + "dependencies/items", KeptIn::lines, "target", "source target paths",
       KeptItems::all, false},
      {"surface", family + "security_surfaces/items", KeptIn::lines, "relative_path",
       "relative_path", KeptItems::all, false},
      {"overloaded", family + "overloaded_modules/items", KeptIn::lines, "relative_path",
       "relative_path candidate_status", KeptItems::candidates, false},
      {"registration", family + "dead_code/registrations", KeptIn::lines, "target_qualname",
       "target_qualname", KeptItems::all, false},
      {"dead_code", family + "dead_code/items", KeptIn::head, "", "qualname confidence",
       KeptItems::high_confidence, false},
      {"coverage_join", family + "coverage_join/items", KeptIn::head, "",
       "relative_path qualname status risk coverage_permille coverage_hotspot scope_gap_hotspot",
       KeptItems::complex, false},
      {"coverage_adoption", family + "coverage_adoption/items", KeptIn::nowhere, "", "",
       KeptItems::all, false},
      {"api_surface", family + "api_surface/items", KeptIn::nowhere, "", "", KeptItems::all, false},
  };
  ASSERT_EQ(extract_lists().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ExtractList& list = extract_lists()[i];
    std::string fields;
    for (const std::string_view field : list.fields)
      if (!field.empty()) fields += (fields.empty() ? "" : " ") + std::string(field);
    EXPECT_EQ(list.name, expected[i].name);
    EXPECT_EQ(list.path, expected[i].path);
    EXPECT_EQ(list.place, expected[i].place) << list.name;
    EXPECT_EQ(list.key, expected[i].key) << list.name;
    EXPECT_EQ(fields, expected[i].fields) << list.name;
    EXPECT_EQ(list.items, expected[i].items) << list.name;
    EXPECT_EQ(list.is_finding, expected[i].is_finding) << list.name;
  }
}

TEST(RunExtract, OfAPlaceItsFileSymbolAndLineAreKept) {
  Made made(kFiles);
  RunExtract extract = extract_of(made.report);
  const Value whole = extract.whole().value();
  const std::vector<const Value*> groups = finding_groups(whole);
  ASSERT_FALSE(groups.empty());
  for (const Value* group : groups)
    for (const Value& place : list_in(*group, {"items"})) {
      Texts members;
      for (const auto& [key, value] : place.as_map()->entries())
        members.push_back(key);
      EXPECT_EQ(members, (Texts{"qualname", "relative_path", "start_line"}));
    }
}

TEST(RunExtract, GivesTheBlastRadiusThatTheReportGives) {
  Made made(kFiles);
  RunExtract extract = extract_of(made.report);
  const Value whole = whole_report(std::move(made.report));
  std::vector<Texts> questions{{"a.py", "b.py"}, {"no.py"}, {}};
  for (const auto& [path, text] : kFiles)
    questions.push_back({path});
  for (const Texts& files : questions) {
    const BlastQuestion question{.files = files, .forbidden = {"x/*"}};
    EXPECT_EQ(
        wire::canonical_json(blast_document(blast_radius(extract.around(files).value(), question))),
        wire::canonical_json(blast_document(blast_radius(whole, question))))
        << wire::canonical_json(string_list(files));
    const BlastQuestion further{.files = files, .transitive = true};
    EXPECT_EQ(blast_radius(extract.dependents(files).value(), further).transitive_dependents,
              blast_radius(whole, further).transitive_dependents)
        << wire::canonical_json(string_list(files));
  }
}

TEST(RunExtract, ItsHeadHasSummariesSettingsAndHealthOfTheReport) {
  Made made(kFiles);
  const RunExtract extract = extract_of(made.report);
  const Value& head = extract.head();
  const Value whole = whole_report(std::move(made.report));
  EXPECT_EQ(*member(head, {"metrics", "summary"}), *member(whole, {"metrics", "summary"}));
  EXPECT_EQ(*member(head, {"findings", "summary"}), *member(whole, {"findings", "summary"}));
  EXPECT_EQ(*member(head, {"meta"}), *member(whole, {"meta"}));
  EXPECT_EQ(*member(head, {"inventory", "files"}), *member(whole, {"inventory", "files"}));
  EXPECT_EQ(member(head, {"derived"}), nullptr);
  EXPECT_EQ(comparison_settings(head), comparison_settings(whole));
  EXPECT_EQ(*run_health(head).score, *run_health(whole).score);
  EXPECT_TRUE(metric_items(head, "complexity").empty());
  EXPECT_TRUE(finding_groups(head).empty());
}

TEST(RunExtract, HasEveryFindingInTheOrderOfTheReport) {
  Made made(kFiles);
  RunExtract extract = extract_of(made.report);
  const Value read = extract.whole().value(), whole = whole_report(std::move(made.report));
  const auto ids = [](const Value& report) {
    Texts out;
    for (const Value* group : finding_groups(report))
      out.emplace_back(text_in(*group, "id"));
    return out;
  };
  EXPECT_GT(ids(whole).size(), 3u);
  EXPECT_EQ(ids(read), ids(whole));
  EXPECT_EQ(short_ids_of(read, finding_groups(read)), short_ids_of(whole, finding_groups(whole)));
  // Of one file those that are in it, named as among all.
  const Value of_d = extract.findings_in({"d.py"}).value();
  const std::vector<const Value*> groups = finding_groups(of_d);
  ASSERT_FALSE(groups.empty());
  EXPECT_LT(groups.size(), ids(whole).size());
  const ShortIds all = short_ids_of(whole, finding_groups(whole));
  const ShortIds some = short_ids_of(of_d, groups);
  for (const Value* group : groups) {
    const std::string id(text_in(*group, "id"));
    EXPECT_EQ(some.at(id), all.at(id));
    const Texts paths = paths_of(*group);
    EXPECT_NE(std::ranges::find(paths, "d.py"), paths.end());
  }
}

TEST(RunExtract, KnowsItsInputs) {
  Made made(kFiles);
  const std::string odd = "od\"d\n.py";
  RunExtract extract = extract_of(made.report, {{"a.py", "100644", "aa"}, {odd, "100755", "bb"}});
  const auto a = extract.input("a.py").value(), b = extract.input(odd).value();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->mode + a->blob + b->mode + b->blob, "100644aa100755bb");
  EXPECT_FALSE(extract.input("b.py").value().has_value());
  EXPECT_FALSE(extract.input("a").value().has_value());
}

TEST(RunExtract, ReadsOnlyThePartsThatDiffer) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 300; ++i)
    files["m" + std::to_string(i) + ".py"] =
        "def f" + std::to_string(i) + "(a):\n    return a\n\n\nprint(f" + std::to_string(i) + ")\n";
  Made before(files);
  files["m7.py"] += complex_function("more", 4) + "print(more)\n";
  Made after(files);
  std::size_t read = 0;
  RunExtract old = extract_of(before.report, {}, &read), now = extract_of(after.report, {}, &read);
  const RunExtract::Pair pair = RunExtract::differences(old, now).value();
  EXPECT_GT(read, 0u);
  EXPECT_LT(read, 20u);
  EXPECT_EQ(metric_items(pair.after, "complexity").size(), 1u);
  EXPECT_TRUE(metric_items(pair.before, "complexity").empty());
}

TEST(RunExtract, TellsWhichFilesTwoRunsHaveReadOtherwise) {
  Made made(kFiles);
  std::size_t read = 0;
  const auto with = [&](std::vector<RunInput> inputs) {
    for (int i = 0; i < 300; ++i)
      inputs.push_back({"same/m" + std::to_string(i) + ".py", "100644", "cc"});
    return extract_of(made.report, inputs, &read);
  };
  RunExtract old =
      with({{"a.py", "100644", "aa"}, {"b.py", "100644", "bb"}, {"gone", "100644", ""}});
  RunExtract now =
      with({{"a.py", "100755", "aa"}, {"b.py", "100644", "b2"}, {"new", "100644", ""}});
  EXPECT_EQ(RunExtract::changed_inputs(old, now).value(),
            (std::set<std::string>{"a.py", "b.py", "gone", "new"}));
  EXPECT_LT(read, 20u);
  EXPECT_TRUE(RunExtract::changed_inputs(old, old).value().empty());
}

TEST(RunExtract, WhatIsNoneIsRefused) {
  const auto nothing = [](std::size_t, std::string_view) -> Result<std::string> {
    return std::string();
  };
  for (const char* head : {"", "{}", "[]", R"({"schema":"gatehouse.run_extract/9","report":{}})",
                           R"({"schema":"gatehouse.run_extract/1","report":{},"parts":[]})"})
    EXPECT_EQ(RunExtract::open(head, nothing).error().code, Code::json_invalid) << head;
}

TEST(RunExtract, APartThatCannotBeReadIsAnError) {
  Made made(kFiles);
  const ExtractBytes bytes = extract_bytes(made.report, {});
  RunExtract extract =
      RunExtract::open(bytes.head, [](std::size_t, std::string_view) -> Result<std::string> {
        return fail(Code::ledger_unavailable, "gone");
      }).value();
  EXPECT_EQ(extract.around({"a.py"}).error().code, Code::ledger_unavailable);
  EXPECT_EQ(extract.whole().error().code, Code::ledger_unavailable);
  EXPECT_EQ(extract.input("a.py").error().code, Code::ledger_unavailable);
}

}  // namespace
}  // namespace gh::analysis
