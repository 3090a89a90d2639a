// Every language by snippets whose numbers were found by hand: docs/reference/analysis.md,
// "Languages", "Complexity and nesting", "Cohesion", "Coupling", "Dependencies", "Dead code",
// "Clone families".
#include "tests/snippet_kit.h"

namespace gh::analysis {
namespace {

struct LanguageRow {
  const char* file;
  const char* plain;  // the path of a source that names none
};
constexpr LanguageRow kLanguages[] = {
    {"python", "m.py"},     {"c", "m.c"},     {"cpp", "m.cc"},      {"javascript", "m.js"},
    {"typescript", "m.ts"}, {"go", "p/m.go"}, {"rust", "src/m.rs"}, {"java", "M.java"}};
constexpr std::string_view kTopics[] = {"complexity", "nesting", "cohesion", "coupling",
                                        "imports",    "dead",    "clones"};
constexpr std::size_t kLeastSnippets = 40, kLeastOfTopic = 5;

std::vector<Snippet> snippets_of(const LanguageRow& row) {
  return read_snippets(std::string("tests/data/snippets/") + row.file + ".txt", row.plain);
}

class Snippets : public ::testing::TestWithParam<LanguageRow> {};

TEST_P(Snippets, AreAsTheyWereFoundByHand) {
  for (const Snippet& snippet : snippets_of(GetParam())) {
    SCOPED_TRACE(snippet.title);
    const Project project = project_of_files(snippet.files);
    for (const auto& [topic, lines] : snippet.wanted)
      EXPECT_EQ(said(project, topic), lines) << topic;
  }
}

/// C has functions and no classes: what it says of classes is that there are none.
TEST_P(Snippets, AreManyAndOfEveryTopic) {
  std::map<std::string, std::size_t, std::less<>> of_topic;
  std::set<std::string> titles;
  for (const Snippet& snippet : snippets_of(GetParam())) {
    EXPECT_TRUE(titles.insert(snippet.title).second) << snippet.title;
    EXPECT_FALSE(snippet.wanted.empty()) << snippet.title;
    for (const auto& [topic, lines] : snippet.wanted) {
      EXPECT_NE(std::ranges::find(kTopics, topic), std::end(kTopics)) << topic;
      ++of_topic[topic];
    }
  }
  EXPECT_GE(titles.size(), kLeastSnippets);
  for (const std::string_view topic : kTopics)
    EXPECT_GE(of_topic[std::string(topic)], kLeastOfTopic) << topic;
}

INSTANTIATE_TEST_SUITE_P(Languages, Snippets, ::testing::ValuesIn(kLanguages),
                         [](const auto& row) { return std::string(row.param.file); });

// docs/reference/analysis.md, "Languages": one program, several languages, one answer
using Endings = std::set<std::string>;

struct ProgramRow {
  const char* file;
  Endings endings;  // of the languages that can say it
};

class Programs : public ::testing::TestWithParam<ProgramRow> {};

const Endings kAllEndings{".c", ".cc", ".go", ".java", ".js", ".py", ".rs", ".ts"};

std::vector<ProgramRow> programs() {
  std::vector<ProgramRow> out;
  for (const char* file :
       {"accumulate",  "average",   "binary_search", "bits",      "bubble",     "clamp",  "collatz",
        "count_words", "digits",    "dispatch",      "factorial", "fibonacci",  "gcd",    "grade",
        "guards",      "leap_year", "matrix",        "maximum",   "palindrome", "parser", "primes",
        "queue",       "reverse",   "state_machine", "validate"})
    out.push_back({file, kAllEndings});
  out.push_back({"try_retry", {".cc", ".java", ".js", ".py", ".ts"}});
  out.push_back({"try_nested", {".cc", ".java", ".js", ".py", ".ts"}});
  out.push_back({"try_finally", {".java", ".js", ".py", ".ts"}});
  out.push_back({"try_handlers", {".cc", ".java", ".py"}});
  return out;
}

TEST_P(Programs, AreTheSameInEveryLanguageThatCanSayThem) {
  const auto all =
      read_snippets(std::string("tests/data/programs/") + GetParam().file + ".txt", "none.py");
  ASSERT_EQ(all.size(), 1u);
  const Snippet& program = all[0];
  Endings endings;
  for (const auto& [path, source] : program.files) {
    SCOPED_TRACE(path);
    endings.insert(path.substr(path.rfind('.')));
    const Project project = project_of_files({{path, source}});
    std::map<std::string, Lines> got{{"complexity", unit_lines(project, false, true)},
                                     {"nesting", unit_lines(project, true, true)},
                                     {"clones", clone_lines(project, true)}};
    for (auto& [topic, lines] : got)
      std::ranges::sort(lines);
    EXPECT_EQ(got, program.wanted);
  }
  EXPECT_EQ(endings, GetParam().endings);
}

INSTANTIATE_TEST_SUITE_P(Languages, Programs, ::testing::ValuesIn(programs()),
                         [](const auto& row) { return std::string(row.param.file); });

TEST(ProgramList, HoldsTwentyFiveOfAllLanguagesAndFourWithTry) {
  EXPECT_EQ(programs().size(), 29u);
}

}  // namespace
}  // namespace gh::analysis
