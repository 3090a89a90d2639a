#include "analysis/branches.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

std::vector<BranchFact> arms(const std::string& source) {
  return file_of("m.py", source).facts.units.at(0).branches;
}

using Words = std::vector<std::pair<std::string, std::string>>;

Texts items(const BranchGroup& group) {
  Texts out;
  for (const BranchFact& fact : group.items)
    out.push_back(span_of(fact.start_line, fact.end_line));
  return out;
}

constexpr const char* kExample =
    "def f(a, xs):\n"
    "    if a == 1:\n"
    "        y = g(xs)\n"
    "        return y\n"
    "    elif a == 2:\n"
    "        y = h(xs)\n"
    "        return y\n"
    "    elif a == 3:\n"
    "        return 3\n"
    "    for x in xs:\n"
    "        if x == 4:\n"
    "            z = k(x)\n"
    "            return z\n"
    "    return None\n";

// docs/reference/analysis.md, "Duplicated branches"
TEST(Branches, ArmsOfOneShapeAreOneGroup) {
  const auto groups = branch_groups(arms(kExample), true);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(items(groups[0]), (Texts{"3-4", "6-7", "12-13"}));
  EXPECT_FALSE(groups[0].body_equal);
  EXPECT_EQ(groups[0].shape.words(), (Words{{"calls", "1"},
                                            {"has_loop", "0"},
                                            {"has_try", "0"},
                                            {"nested_if", "0"},
                                            {"raises", "0"},
                                            {"stmt_seq", "Assign,Return"},
                                            {"terminal", "return_name"}}));
  EXPECT_TRUE(branch_groups(arms(kExample), false).empty());  // the callees differ
}

TEST(Branches, EqualBodiesAreToldWithoutBeingAskedFor) {
  std::string same = kExample;
  same.replace(same.find("h(xs)"), 5, "g(xs)");
  const auto groups = branch_groups(arms(same), false);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_TRUE(groups[0].body_equal);
  EXPECT_EQ(items(groups[0]), (Texts{"3-4", "6-7"}));
  EXPECT_EQ(items(branch_groups(arms(same), true).at(0)), (Texts{"3-4", "6-7", "12-13"}));
}

/// Two arms with this body: how many are worth telling?
std::size_t told(const std::string& body) {
  return arms("def f(a):\n    if a:\n" + body + "    else:\n" + body).size();
}

TEST(Branches, AnArmMustSaySomething) {
  EXPECT_EQ(told("        pass\n"), 0u);
  for (const char* plain :
       {"x = 1", "x: int = 1", "x: int", "x += 1", "g(a)", "return a", "raise E", "assert a"})
    EXPECT_EQ(told("        " + std::string(plain) + "\n"), 0u) << plain;
  for (const char* other :
       {"break", "continue", "del a", "pass\n        pass", "import x", "from x import y",
        "global a", "type X = int", "while a: g()", "with a: g()", "for x in a: g()",
        "class C: pass", "match a:\n            case 1: g()", "try: g()\n        finally: h()",
        "def g(): pass"})
    EXPECT_EQ(told("        " + std::string(other) + "\n"), 2u) << other;
  EXPECT_EQ(told("        x = 1\n        g(x)\n"), 0u);
  EXPECT_EQ(told("        x = 1\n        return x\n"), 2u);
  EXPECT_EQ(told("        x = 1\n        raise E(x)\n"), 2u);
  EXPECT_EQ(told("        x = 1\n        del x\n"), 2u);
}

std::string shape(const std::string& body) {
  const auto facts = arms("def f(a):\n    if a:\n" + body + "    else:\n" + body);
  if (facts.empty()) return "none";
  std::string out;
  for (const auto& [key, value] : facts[0].shape.words())
    out += (out.empty() ? "" : " ") + key + "=" + value;
  return out;
}

TEST(Branches, ShapesCountWhatIsInsideButNotInOtherScopes) {
  EXPECT_EQ(shape("        x = g(h(a))\n        return x.y\n"),
            "calls=2+ has_loop=0 has_try=0 nested_if=0 raises=0 stmt_seq=Assign,Return "
            "terminal=return_expr");
  EXPECT_EQ(shape("        for x in a:\n            if x:\n                raise E\n"),
            "calls=0 has_loop=1 has_try=0 nested_if=1 raises=1+ stmt_seq=For terminal=fallthrough");
  EXPECT_EQ(
      shape("        try:\n            g()\n        except E:\n            pass\n        return\n"),
      "calls=1 has_loop=0 has_try=1 nested_if=0 raises=0 stmt_seq=Try,Return "
      "terminal=return_none");
  EXPECT_EQ(shape("        def g():\n            if a: raise h()\n        return g\n"),
            "calls=0 has_loop=0 has_try=0 nested_if=0 raises=0 stmt_seq=FunctionDef,Return "
            "terminal=return_name");
}

/// The first word of the statements of an arm.
std::string first_name(const std::vector<BranchFact>& facts) {
  if (facts.empty()) return "none";
  const std::string& all = facts[0].shape.statements;
  return all.substr(0, all.find(','));
}

// Python's grammar of statements, as its module `ast` names them; those that leave come last.
TEST(Branches, StatementsHaveTheirNames) {
  const auto sequence = [](const std::string& statement) {
    const std::string body = "        " + statement + "\n        del a\n        x = 1\n";
    return first_name(arms("def f(a):\n    if a:\n" + body + "    else:\n" + body));
  };
  const std::pair<const char*, const char*> names[] = {
      {"x = 1", "Assign"},
      {"x: int = 1", "AnnAssign"},
      {"x: int", "AnnAssign"},
      {"x += 1", "AugAssign"},
      {"g()", "Expr"},
      {"del a", "Delete"},
      {"type X = int", "TypeAlias"},
      {"assert a", "Assert"},
      {"if a: g()", "If"},
      {"for x in a: g()", "For"},
      {"async for x in a: g()", "AsyncFor"},
      {"while a: g()", "While"},
      {"with a: g()", "With"},
      {"async with a: g()", "AsyncWith"},
      {"import a", "Import"},
      {"from a import b", "ImportFrom"},
      {"global a", "Global"},
      {"nonlocal a", "Nonlocal"},
      {"pass", "Pass"},
      {"break", "Break"},
      {"continue", "Continue"},
      {"class C: pass", "ClassDef"},
      {"def g(): pass", "FunctionDef"},
      {"async def g(): pass", "AsyncFunctionDef"},
      {"try: g()\n        finally: h()", "Try"},
      {"try: g()\n        except* E: h()", "TryStar"},
      {"match a:\n            case 1: g()", "Match"},
      {"return a", "Return"},
      {"raise a", "Raise"},
  };
  for (const auto& [statement, name] : names)
    EXPECT_EQ(sequence(statement), name) << statement;
}

TEST(Branches, AStatementThatPythonLacksHasANameOfItsOwn) {
  const std::string body = "{ do { g(); } while (a); }";
  const FileFacts facts = Extractor().facts_of(
      syntax::Language::c, "void f(int a) { if (a) " + body + " else " + body + " }\n");
  EXPECT_EQ(first_name(facts.units.at(0).branches), "DoWhile");
}

TEST(Branches, CasesAreArmsAndElseWithOneIfIsNone) {
  const std::string body = "            x = g(a)\n            return x\n";
  EXPECT_EQ(
      arms("def f(a):\n    match a:\n        case 1:\n" + body + "        case _:\n" + body).size(),
      2u);
  const std::string chain =
      "def f(a):\n    if a:\n        x = g(a)\n        return x\n    else:\n"
      "        if b:\n" +
      body;
  EXPECT_EQ(arms(chain).size(), 2u);
}

TEST(Branches, AnArmInsideAnotherIsNotTold) {
  const std::string source =
      "def f(a):\n"
      "    if a:\n"
      "        if b:\n"
      "            if c:\n"
      "                g()\n"
      "    else:\n"
      "        if b:\n"
      "            g()\n";
  // 3-5 and 4-5 hold an `if` alone; the second lies in the first.
  EXPECT_TRUE(branch_groups(arms(source), true).empty());
}

TEST(Branches, DeepAndLongChainsAreReadOnce) {
  std::string chain = "def f(a):\n    if a == 0:\n        del a\n";
  for (int i = 1; i < 3000; ++i)
    chain += "    elif a == " + std::to_string(i) + ":\n        del a\n";
  const auto groups = branch_groups(arms(chain), false);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].items.size(), 3000u);
}

// 8.1: "statement kinds of the arm's direct statements (reference AST names)"
TEST(Branches, EveryStatementHasTheNameOfPythonsTree) {
  struct Row {
    std::string statement, name;
  };
  const Row rows[] = {{"y = 1", "Assign"},
                      {"y += 1", "AugAssign"},
                      {"y: int = 1", "AnnAssign"},
                      {"g()", "Expr"},
                      {"return", "Return"},
                      {"raise E", "Raise"},
                      {"assert y", "Assert"},
                      {"break", "Break"},
                      {"continue", "Continue"},
                      {"if y: g()", "If"},
                      {"for y in x: g()", "For"},
                      {"async for y in x: g()", "AsyncFor"},
                      {"while y: g()", "While"},
                      {"with y: g()", "With"},
                      {"async with y: g()", "AsyncWith"},
                      {"del y", "Delete"},
                      {"global z", "Global"},
                      {"def h(): g()", "FunctionDef"},
                      {"async def h(): g()", "AsyncFunctionDef"},
                      {"class H: g()", "ClassDef"},
                      {"import os", "Import"},
                      {"from os import path", "ImportFrom"},
                      {"try: g()\n            finally: g()", "Try"},
                      {"match y:\n                case 1: g()", "Match"},
                      {"type Y = int", "TypeAlias"},
                      {"pass", "Pass"}};
  for (const Row& row : rows) {
    // A loop around it, and an `if` before it, so that every statement may stand there and counts.
    const std::string arm = "            if w: g()\n            " + row.statement + "\n";
    const std::string source = "async def f(x, w):\n    for v in x:\n        if x == 1:\n" + arm +
                               "        elif x == 2:\n" + arm;
    std::vector<std::string> seen;
    for (const BranchGroup& group : branch_groups(arms(source), true))
      for (const auto& [key, word] : group.shape.words())
        if (key == "stmt_seq") seen.push_back(word);
    EXPECT_EQ(seen, std::vector<std::string>{"If," + row.name}) << row.statement;
  }
}

TEST(Branches, ALoopThatRunsFirstHasANameOfItsOwn) {
  const FileFacts facts = Extractor().facts_of(
      syntax::Language::javascript,
      "function f(x) {\n  if (x == 1) {\n    do { g(); } while (x);\n  } else if (x == 2) {\n"
      "    do { g(); } while (x);\n  }\n}\n");
  const auto groups = branch_groups(facts.units.at(0).branches, true);
  ASSERT_EQ(groups.size(), 1u);
  const Words words = groups[0].shape.words();
  EXPECT_NE(std::ranges::find(words, Words::value_type{"stmt_seq", "DoWhile"}), words.end());
}

}  // namespace
}  // namespace gh::analysis
