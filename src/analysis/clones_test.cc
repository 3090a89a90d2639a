#include "analysis/clones.h"

#include <gtest/gtest.h>

#include "analysis/blocks.h"
#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

// docs/reference/analysis.md, "Clone families"
TEST(FunctionClones, NeedTenLinesAndSixStatements) {
  const std::string nine = "(a):\n" + lines(8, "g#(a)"), ten = "(a):\n" + lines(9, "g#(a)");
  const std::string five =
      "(a):\n" + lines(4, "g#(a)") + "    h(\n        1,\n        2,\n        3,\n        4)\n";
  const auto groups = [](const std::string& body) {
    return function_clones(project_of({{"a.py", "def f" + body}, {"b.py", "def g" + body}}, {}))
        .size();
  };
  EXPECT_EQ(groups(nine), 0u);
  EXPECT_EQ(groups(ten), 1u);
  EXPECT_EQ(groups(five), 0u);
}

TEST(FunctionClones, AreOfTypeOneWhenTheirTextIsTheSame) {
  const std::string body = "(a):\n" + lines(9, "g#(a)");
  std::string other = body;
  other.replace(other.find("(a)\n"), 4, "(b)\n");
  const auto type = [](const std::string& one, const std::string& two) {
    const auto groups = function_clones(project_of({{"a.py", one}, {"b.py", two}}, {}));
    return groups.size() == 1 ? static_cast<int>(groups[0].type) : 0;
  };
  EXPECT_EQ(type("def f" + body, "def f " + body), 1);
  EXPECT_EQ(type("def f" + body, "def g" + body), 2);
  EXPECT_EQ(type("def f" + body, "def f" + other), 2);
}

/// Equal hashes of different code do not happen by chance; here they are made.
TEST(FunctionClones, AreComparedStatementByStatementBeforeTheyAreTold) {
  const auto body = [](const char* callee) { return lines(9, callee); };
  Project project = project_of({{"a.py", "def f(a):\n" + body("g#(a)")},
                                {"b.py", "def f(a):\n" + body("h#(a)")},
                                {"c.py", "def f(a):\n" + body("g#(a)")},
                                {"d.py", "def f(a):\n" + body("h#(a)")},
                                {"e.py", "def f(a):\n" + body("i#(a)")}},
                               {});
  const Hash same = project.files[0].facts.units[0].fingerprint;
  for (AnalysedFile& file : project.files)
    file.facts.units[0].fingerprint = same;
  const auto groups = function_clones(project);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_NE(groups[0].key, groups[1].key);
  std::vector<std::vector<std::uint32_t>> files;
  for (const CloneGroup& group : groups) {
    files.emplace_back();
    for (const UnitRef ref : group.items)
      files.back().push_back(ref.file);
  }
  std::ranges::sort(files);
  EXPECT_EQ(files, (std::vector<std::vector<std::uint32_t>>{{0, 2}, {1, 3}}));
}

constexpr const char* kShared =
    "    alpha = load(p)\n"
    "    beta = alpha.strip()\n"
    "    if not beta:\n"
    "        raise ValueError(beta)\n"
    "    gamma = parse(beta)\n";

TEST(BlockClones, ASharedRunIsFoundWhereverItBegins) {
  for (const char* before : {"", "    z = 0\n"}) {
    const Project project = project_of(
        {{"a.py", "def f(p):\n" + std::string(kShared) + "    return gamma\n\n\ndef g(p):\n" +
                      before + kShared + "    return [gamma]\n"}},
        kLow);
    const auto groups = block_clones(project, function_clones(project)).groups;
    ASSERT_EQ(groups.size(), 1u) << before;
    EXPECT_EQ(groups[0].statements, 4u);
    const bool shifted = *before != 0;
    EXPECT_EQ(spans(project, groups[0].items), (Texts{"f 2-6", shifted ? "g 12-16" : "g 11-15"}));
  }
}

TEST(BlockClones, InsideUnitsThatAreClonesAreNotToldAgain) {
  const std::string body = "(p):\n" + std::string(kShared) + "    return gamma\n";
  const Project project = project_of({{"a.py", "def f" + body}, {"b.py", "def g" + body}}, kLow);
  const auto functions = function_clones(project);
  EXPECT_EQ(functions.size(), 1u);
  EXPECT_TRUE(block_clones(project, functions).groups.empty());
}

TEST(BlockClones, AShorterRunIsToldWhenItHasMoreMembers) {
  const std::string five = lines(5, "g#(p)"), four = lines(4, "g#(p)");
  const Project project = project_of({{"a.py", "def f(p):\n" + five + "    a()\n"},
                                      {"b.py", "def g(p):\n" + five + "    b()\n"},
                                      {"c.py", "def h(p):\n" + four + "    c()\n"}},
                                     kLow);
  const auto groups = block_clones(project, {}).groups;
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].statements, 4u);
  EXPECT_EQ(groups[0].items.size(), 3u);
  EXPECT_EQ(groups[1].statements, 5u);
  EXPECT_EQ(groups[1].items.size(), 2u);
}

TEST(BlockClones, BodiesInsideCompoundStatementsTakePart) {
  const std::string inner = "        a(p)\n        b(p)\n        c(p)\n        d(p)\n";
  const Project project = project_of({{"a.py", "def f(p):\n    if p:\n" + inner + "    return 1\n"},
                                      {"b.py", "def g(p):\n    while x():\n" + inner}},
                                     kLow);
  const auto groups = block_clones(project, {}).groups;
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(spans(project, groups[0].items), (Texts{"f 3-6", "g 3-6"}));
}

TEST(BlockClones, OneStatementManyTimesIsOneGroupOfIts) {
  const Project project = project_of({{"a.py", "def f(p):\n" + lines(40, "g(p)") + "    a()\n"},
                                      {"b.py", "def h(p):\n" + lines(30, "g(p)") + "    b()\n"}},
                                     kLow);
  const auto groups = block_clones(project, {}).groups;
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].statements, 30u);
  EXPECT_TRUE(groups[0].repeats_one);
  EXPECT_EQ(spans(project, groups[0].items), (Texts{"f 2-31", "h 2-31"}));
}

TEST(BlockClones, NeedTwentyLinesEightStatementsAndNoConstructor) {
  const auto groups = [](const std::string& name, int filler) {
    const std::string body = "(p):\n" + std::string(kShared) + lines(filler, "x# = p");
    return block_clones(project_of({{"a.py", "def " + name + body + "    a()\n"},
                                    {"b.py", "def " + name + body + "    b()\n"}},
                                   {}),
                        {})
        .groups.size();
  };
  EXPECT_EQ(groups("f", 12), 0u);  // 19 lines
  EXPECT_EQ(groups("f", 13), 1u);  // 20
  EXPECT_EQ(groups("__init__", 13), 0u);
}

/// Facts of the one block of two functions that share `run` and differ after it.
BlockGroup only_block(const std::string& one, const std::string& two) {
  const Project project = project_of({{"a.py", "def f(p):\n" + one + "    return a(1)\n"},
                                      {"b.py", "def g(p):\n" + two + "    return b(1)\n"}},
                                     kLow);
  const auto groups = block_clones(project, {}).groups;
  EXPECT_EQ(groups.size(), 1u);
  return groups.empty() ? BlockGroup{} : groups[0];
}

TEST(BlockClones, AreOfTypeOneWhenTheirTextIsTheSame) {
  const std::string four = lines(4, "g#(p)");
  EXPECT_EQ(only_block(four, four).type, CloneType::type1);
  EXPECT_EQ(only_block(four, lines(4, "g#( p )")).type, CloneType::type1);
  EXPECT_EQ(only_block(four, lines(4, "g#(q)")).type, CloneType::type2);
  EXPECT_EQ(only_block(four, "    g0(p)\n    # note\n" + lines(4, "g#(p)").substr(10)).type,
            CloneType::type2);
  EXPECT_EQ(only_block("    # first\n" + four, four).type, CloneType::type1);  // not inside
}

TEST(BlockClones, SayHowMuchOfThemAsserts) {
  const auto share = [](const std::string& run) {
    const AssertShare s = only_block(run, run).asserts;
    return std::tuple(s.asserts, s.statements, s.longest);
  };
  EXPECT_EQ(share(kShared), std::tuple(0u, 10u, 0u));
  EXPECT_EQ(share(lines(4, "assert p.g#()")), std::tuple(8u, 8u, 4u));
  EXPECT_EQ(share("    assert p\n    self.assertEqual(p, 1)\n    'text'\n    AssertAll(p)\n"),
            std::tuple(8u, 8u, 4u));
  EXPECT_EQ(share("    assert p\n    p.check()\n    assert p\n    assert p\n"),
            std::tuple(6u, 8u, 2u));
  // Statements inside others count, and end no row of their own.
  EXPECT_EQ(
      share("    assert p\n    a(p)\n    b(p)\n    if p:\n        assert p\n        assert q\n"),
      std::tuple(6u, 12u, 2u));
  EXPECT_EQ(share("    x = assert_that(p)\n    a(p)\n    b(p)\n    c(p)\n"),
            std::tuple(0u, 8u, 0u));
}

/// 3,000 functions of 40 statements, one of which is its own, each at another place: every part of
/// the run is a run with other members.
TEST(BlockClones, ManyVariantsOfOneFunctionStayWithinTheirRoom) {
  constexpr std::uint32_t kFunctions = 3000, kStatements = 40;
  const Project project = many(kFunctions, kStatements, Own::anywhere, kLow);
  const Blocks blocks = block_clones(project, {});
  EXPECT_FALSE(blocks.groups.empty());
  EXPECT_GT(blocks.left_out, 0u);
  std::size_t covered = 0;
  for (const BlockGroup& group : blocks.groups)
    covered += group.items.size() * group.statements;
  EXPECT_LE(covered, kBlockCover * kFunctions * (kStatements + 1));
}

}  // namespace
}  // namespace gh::analysis
