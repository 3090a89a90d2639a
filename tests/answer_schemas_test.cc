// What the commands beside patches and proposals print, and the evidence files of a run, judged by
// the schemas in docs/schemas.
#include <fstream>
#include <regex>
#include <set>

#include "tests/queue_kit.h"
#include "tests/schema_kit.h"

namespace gh {
namespace {

using kit::Answer;
using testing::judged;

namespace fs = std::filesystem;

std::string schema_of(const std::string& text) {
  const auto document = wire::read_json(text, "answer");
  const Value* name =
      document && document->as_map() != nullptr ? document->as_map()->find("schema") : nullptr;
  if (name == nullptr || name->as_string() == nullptr) return "";
  const std::string& id = *name->as_string();
  return id.substr(id.find('.') + 1, id.find('/') - id.find('.') - 1);
}

void expect_conforms(const std::string& text, const std::string& schema) {
  EXPECT_EQ(schema_of(text), schema) << text;
  EXPECT_EQ(judged(schema, text), "") << text;
}

struct Asked {
  const char* schema;
  kit::Words words;
};

TEST(AnswerSchemas, EveryReadingCommandConforms) {
  kit::QueueWorld world;
  kit::write(world.scratch.path() / "one.patch", world.diff);
  const std::string patch = (world.scratch.path() / "one.patch").string();
  const std::vector<Asked> rows{
      {"version", {"version"}},
      {"help", {"help", "patch", "check"}},
      {"man", {"man"}},
      {"completion", {"completion", "bash"}},
      {"completion", {"completion", "zsh"}},
      {"completion", {"completion", "fish"}},
      {"schema_list", {"schema"}},
      {"doctor", {"doctor"}},
      {"status", {"status"}},
      {"mcp_config", {"mcp", "--print-config", "codex"}},
      {"git_hooks", {"hook", "status"}},
      {"git_hooks", {"hook", "install", "--dry-run"}},
      {"git_hook", {"hook", "git", "pre-commit"}},
      {"rule", {"explain", "duplicate_path"}},
      {"rule", {"explain", "PROP_ID_TAKEN"}},
      {"rule", {"explain", "ledger_unavailable"}},
      {"rule_list", {"rule", "list"}},
      {"config", {"config", "show"}},
      {"config_check", {"config", "validate"}},
      {"patch_model", {"patch", "explain", patch}},
      {"canonical_patch", {"patch", "canon", patch}},
      {"calibration", {"patch", "calibrate"}},
  };
  for (const Asked& row : rows) {
    SCOPED_TRACE(row.schema);
    const Answer answer = world.run(row.words);
    EXPECT_EQ(answer.exit, 0) << answer.out << answer.err;
    expect_conforms(answer.out, row.schema);
  }
}

TEST(AnswerSchemas, TheQueueConformsReadyPromotedAndRejected) {
  kit::QueueWorld world;
  world.add("q-a", {{"src/one.py", "x\n"}});
  world.add("q-b", {{"src/two.py", "x\n"}});
  expect_conforms(world.run({"proposal", "queue", "--dry-run"}).out, "proposal_queue");
  kit::git_says(world.repo, {"branch", "gatehouse/q-a/x"});  // one is deferred
  const Answer ran = world.queue({});
  expect_conforms(ran.out, "proposal_queue");
  EXPECT_NE(ran.out.find("\"deferred\""), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\"promoted\""), std::string::npos) << ran.out;
}

TEST(AnswerSchemas, TheEvidenceOfARunConforms) {
  kit::QueueWorld world;
  const fs::path file = world.scratch.path() / "bad.patch";
  kit::write(file,
             "diff --git a/build/x b/build/x\nnew file mode 100644\n--- /dev/null\n+++ "
             "b/build/x\n@@ -0,0 +1 @@\n+x\n");
  const Answer refused = world.run({"patch", "apply", file.string()});
  ASSERT_EQ(refused.exit, 1) << refused.out << refused.err;
  const std::string run = kit::run({"ls", (world.repo / ".git/gatehouse/runs").string()}, {}).out;
  const std::string id = run.substr(0, run.find('\n'));
  expect_conforms(world.run({"patch", "bundle", "--run", id}).out, "bundle");
  std::set<std::string> seen;
  for (const auto& entry :
       fs::recursive_directory_iterator(world.repo / ".git/gatehouse/runs" / id)) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = kit::read(entry.path());
    const std::string schema = schema_of(text);
    if (schema.empty()) continue;
    seen.insert(schema);
    EXPECT_EQ(judged(schema, text), "") << entry.path() << text;
  }
  EXPECT_TRUE(seen.contains("retry_state")) << seen.size();
}

/// The names stand in the sources: a document without a schema does not go unnoticed.
TEST(AnswerSchemas, EveryDocumentOfTheProgramHasASchema) {
  const std::regex name("gatehouse\\.([a-z_]+)/1");
  std::set<std::string> named;
  for (const auto& entry : fs::recursive_directory_iterator("src")) {
    const std::string path = entry.path().string();
    if (entry.path().extension() != ".cc" && entry.path().extension() != ".h") continue;
    if (path.ends_with("_test.cc")) continue;
    const std::string text = kit::read(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at)
      named.insert((*at)[1]);
  }
  EXPECT_GT(named.size(), 40u);
  // For our own hooks alone (docs/hooks.md, docs/formats/intent-mirror.md, approvals.md).
  for (const char* lines : {"hook_rules", "approvals", "intent_file"})
    EXPECT_EQ(named.erase(lines), 1u) << lines;
  EXPECT_EQ(named.erase("pdf_document"), 1u) << "between gatehouse and gatehouse-pdf alone";
  for (const std::string& schema : named)
    EXPECT_TRUE(fs::exists("docs/schemas/" + schema + ".schema.json")) << schema;
}

}  // namespace
}  // namespace gh
