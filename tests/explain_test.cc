// `explain` and `rule list` for the codes of proposals, as the reference page lists them.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

struct Listed {
  std::string code, check, help;
};

/// docs/reference/proposals.md, Codes: | `CODE` | check | weight | next step |
std::vector<Listed> listed_codes() {
  std::ifstream page("docs/reference/proposals.md");
  std::vector<Listed> out;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) inside = line == "## Codes";
    if (!inside || !line.starts_with("| `")) continue;
    const auto cells = split(line, '|');
    if (cells.size() < 6) continue;
    const auto cell = [&](std::size_t i, std::size_t edge) {
      return std::string(cells[i].substr(edge, cells[i].size() - 2 * edge));
    };
    out.push_back({cell(1, 2), cell(2, 1), cell(4, 1)});
  }
  return out;
}

/// Codes without a check: answers to a review say so by their name.
std::string gate_of(const Listed& row) {
  if (row.check != "–") return row.check;
  return row.code.starts_with("REVIEW_") ? "review" : "after";
}

std::string member(const Value& document, std::string_view key) {
  const Map* map = document.as_map();
  const Value* found = map == nullptr ? nullptr : map->find(key);
  return found == nullptr || found->as_string() == nullptr ? "" : *found->as_string();
}

TEST(Explain, AnswersForEveryCodeOfTheProposalPage) {
  const auto codes = listed_codes();
  ASSERT_GE(codes.size(), 75u);
  for (const Listed& row : codes) {
    SCOPED_TRACE(row.code);
    const Ran ran = gatehouse({"explain", row.code, "--json"}, "/");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto document = wire::read_json(ran.out, "answer");
    ASSERT_TRUE(document);
    EXPECT_EQ(member(*document, "id"), row.code);
    EXPECT_EQ(member(*document, "kind"), "proposal");
    EXPECT_EQ(member(*document, "gate"), gate_of(row));
    EXPECT_EQ(member(*document, "fix"), row.help);
    for (const char* key : {"why", "fires", "bad", "good", "fix", "suppress", "since"})
      EXPECT_NE(member(*document, key), "") << key;
  }
}

TEST(Explain, PrintsAProposalCodeForPeople) {
  const Ran ran = gatehouse({"explain", "PROP_GAP_UNKNOWN"}, "/");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("PROP_GAP_UNKNOWN  (proposal, check A12, exit 1)\n")) << ran.out;
  for (const char* part : {"Why it exists", "What fires it", "Bad", "Good", "How to fix it",
                           "Who may switch it off", "proposals.gap_registry", "Since 0.1.0"})
    EXPECT_TRUE(contains(ran.out, part)) << part;
}

TEST(Explain, TheRuleListHoldsEveryCodeOfTheProposalPageByCheck) {
  const std::string all = gatehouse({"rule", "list"}, "/").out;
  for (const Listed& row : listed_codes()) {
    SCOPED_TRACE(row.code);
    EXPECT_TRUE(contains(all, "\n" + row.code + " "));
  }
  for (const char* gate : {"A1", "A12", "A20", "review", "after"}) {
    SCOPED_TRACE(gate);
    std::vector<std::string> expected, found;
    for (const Listed& row : listed_codes())
      if (gate_of(row) == gate) expected.push_back(row.code);
    const Ran ran = gatehouse({"rule", "list", "--gate", gate}, "/");
    EXPECT_EQ(ran.code, 0) << ran.err;
    for (const std::string_view line : split(ran.out, '\n'))
      if (!line.empty()) found.emplace_back(line.substr(0, line.find(' ')));
    EXPECT_EQ(found, expected);
  }
}

/// docs/reference/release-checks.md: ### `ID`
std::vector<std::string> checks_of_the_page() {
  std::ifstream page("docs/reference/release-checks.md");
  std::vector<std::string> out;
  for (std::string line; std::getline(page, line);)
    if (line.starts_with("### `")) out.push_back(line.substr(5, line.size() - 6));
  return out;
}

TEST(Explain, KnowsEveryCheckOfTheReleaseGate) {
  const auto ids = checks_of_the_page();
  ASSERT_GE(ids.size(), 100u);
  const std::string listed = gatehouse({"rule", "list", "--gate", "surface"}, "/").out;
  const std::string completed = gatehouse({"__complete", "rule"}, "/").out;
  for (const std::string& id : ids) {
    EXPECT_TRUE(contains("\n" + listed, "\n" + id + " ")) << id;
    EXPECT_TRUE(contains("\n" + completed, "\n" + id + "\n")) << id;
  }
  for (const std::string& id : {ids.front(), std::string("GATE-EXEC-UNPINNED"), ids.back()}) {
    const Ran ran = gatehouse({"explain", id}, "/");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with(id + "  (check of the release gate, exit 1)\n")) << ran.out;
    for (const char* part : {"Why it exists", "What fires it", "How to fix it",
                             "Who may switch it off", "checks.ignore", "Since 0.1.0"})
      EXPECT_TRUE(contains(ran.out, part)) << part;
  }
  const Ran near = gatehouse({"explain", "SHIP-POLICY-APPROVAL-MISING"}, "/");
  EXPECT_EQ(near.code, 2);
  EXPECT_TRUE(contains(near.err, "did you mean 'SHIP-POLICY-APPROVAL-MISSING'?")) << near.err;
}

TEST(Explain, AnswersForAFindingOfTheLatestRun) {
  const GitSandbox repo;
  repo.write("a.py", "def f(x):\n    return x\n");
  repo.commit("first");
  EXPECT_EQ(gatehouse({"analyze"}, repo.root()).code, 0);
  const Ran ran = gatehouse({"explain", "dead_code:a:f", "--json"}, repo.root());
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "\"dead_code:a:f\"")) << ran.out;
  // Where there is none the answer speaks of findings, not of rules.
  for (const char* id : {"structural:x", "clone:x", "dead_code:x", "design:x", "fp_x"}) {
    const Ran none = gatehouse({"explain", id}, repo.root());
    EXPECT_FALSE(contains(none.err, "no rule or error code")) << id << ": " << none.err;
  }
}

}  // namespace
}  // namespace gh::testing
