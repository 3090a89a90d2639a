// Rules of our own on a labelled corpus: planted examples, near misses, and what widely used public
// servers offer. Their precision is published; a rule that falls below it breaks the build.
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "base/data.h"
#include "checks/catalogue.h"
#include "model/peek.h"
#include "surface/memory_files.h"
#include "wire/json.h"
#include "wire/yaml.h"

namespace gh::checks {
namespace {

constexpr std::string_view kOwn = "GATE-";
constexpr const char* kCorpus = "tests/corpus/gate-rules/corpus.jsonl";

struct Example {
  std::string says;
  std::map<std::string, std::string> files{};
  std::set<std::string> fires{};
};

Example example_of(const Value& row) {
  const Peek r(row);
  Example out{.says = std::string(r["says"].text())};
  std::string sources = "{id: m, type: mcp, path: t.json}";
  for (const Value& source : r["sources"].list())
    sources += ", " + *source.as_string();
  out.files["t.json"] = wire::canonical_json(*row.as_map()->find("tools"));
  out.files["shipgate.yaml"] =
      "version: \"0.1\"\nproject: {name: p}\nagent: {name: a, declared_purpose: [help people]}\n"
      "environment: {target: local}\ntool_sources: [" +
      sources + "]\n" + std::string(r["manifest"].text());
  for (const auto& [path, text] : r["files"].map().entries())
    out.files[path] = *text.as_string();
  for (const Value& id : r["fires"].list())
    out.fires.insert(*id.as_string());
  return out;
}

std::vector<Example> corpus() {
  std::vector<Example> out;
  std::ifstream in(kCorpus);
  for (std::string line; std::getline(in, line);) {
    const auto row = wire::read_json(line, kCorpus);
    EXPECT_TRUE(row) << row.error().message;
    if (row) out.push_back(example_of(*row));
  }
  return out;
}

std::set<std::string> told_of(const Example& example) {
  const auto manifest =
      surface::read_manifest(example.files.at("shipgate.yaml"), surface::kStandAloneName);
  EXPECT_TRUE(manifest) << example.says << ": " << manifest.error().message;
  if (!manifest) return {};
  surface::Manifest extended = *manifest;
  extended.profile = surface::Profile::extended;
  surface::MemoryFiles files(example.files);
  const auto loaded = surface::load_surface(extended, files);
  EXPECT_TRUE(loaded) << example.says << ": " << loaded.error().message;
  if (!loaded) return {};
  const auto actions = surface::actions_of(extended, *loaded);
  std::set<std::string> out;
  for (const Finding& f :
       run_checks({extended, *loaded, *actions, surface::Profile::extended, "2026-02-01"}))
    if (f.check_id.starts_with(kOwn)) out.insert(f.check_id);
  return out;
}

struct Counts {
  int right = 0, wrong = 0, missed = 0;
};

TEST(GateCorpus, PrecisionIsWhatTheCatalogueSays) {
  std::map<std::string, Counts> counts;
  const std::vector<Example> examples = corpus();
  for (const Example& example : examples) {
    const std::set<std::string> told = told_of(example);
    for (const std::string& id : told)
      ++(example.fires.contains(id) ? counts[id].right : counts[id].wrong);
    for (const std::string& id : example.fires)
      if (!told.contains(id)) {
        ++counts[id].missed;
        ADD_FAILURE() << id << " is silent on: " << example.says << " "
                      << example.files.at("t.json");
      }
  }
  const auto texts =
      wire::read_yaml(data::find("rules/checks.yaml"), "checks.yaml", wire::YamlDialect::strict);
  ASSERT_TRUE(texts);
  for (const Check& check : catalogue()) {
    const Peek entry = Peek(texts->root)[check.id];
    if (!check.id.starts_with(kOwn)) {
      EXPECT_FALSE(entry["precision"].exists()) << check.id;
      continue;
    }
    const Counts& c = counts[std::string(check.id)];
    EXPECT_GT(c.right, 0) << check.id << " has no example";
    EXPECT_EQ(entry["precision"].number(), 100 * c.right / std::max(1, c.right + c.wrong))
        << check.id;
    EXPECT_EQ(entry["corpus_size"].number(), static_cast<std::int64_t>(examples.size()))
        << check.id;
  }
}

}  // namespace
}  // namespace gh::checks
