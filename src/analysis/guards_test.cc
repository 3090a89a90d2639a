#include "analysis/guards.h"

#include <gtest/gtest.h>

#include "analysis/test_project.h"

namespace gh::analysis {
namespace {

UnitFact unit(const std::string& body) {
  return file_of("m.py", "def f(a):\n" + body).facts.units.at(0);
}
Guards guards(const std::string& body) { return unit(body).guards; }

// docs/reference/analysis.md, "Entry guards"
TEST(Guards, TheTerminalIsTheLastStatement) {
  const auto terminal = [](const std::string& last) {
    return std::string(to_string(guards("    x = 1\n    " + last + "\n").terminal));
  };
  EXPECT_EQ(terminal("return"), "return_none");
  EXPECT_EQ(terminal("return None"), "return_const");
  EXPECT_EQ(terminal("return 'x'"), "return_const");
  EXPECT_EQ(terminal("return x"), "return_name");
  EXPECT_EQ(terminal("return -1"), "return_expr");
  EXPECT_EQ(terminal("return x.y"), "return_expr");
  EXPECT_EQ(terminal("raise E"), "raise");
  EXPECT_EQ(terminal("y = 1"), "assign");
  EXPECT_EQ(terminal("y += 1"), "assign");
  EXPECT_EQ(terminal("y: int = 1"), "assign");
  EXPECT_EQ(terminal("g()"), "expr");
  EXPECT_EQ(terminal("pass"), "fallthrough");
  EXPECT_EQ(terminal("if x: return 1"), "fallthrough");
}

TEST(Guards, ChecksAtTheEntryAreCountedUntilSomethingElseComes) {
  const std::string one = "    if a: return None\n", two = "    if not a:\n        raise E(a)\n";
  EXPECT_EQ(guards("    x = 1\n").profile(), "none");
  EXPECT_EQ(guards(one + "    g()\n").profile(), "1x:return_const");
  EXPECT_EQ(guards(one + two + "    g()\n" + one).profile(), "2x:return_const,raise");
  EXPECT_EQ(guards("    'doc'\n    pass\n" + one + "    pass\n" + two).profile(),
            "2x:return_const,raise");
  EXPECT_EQ(guards("    if a:\n        return\n    else:\n        g()\n").profile(), "none");
  EXPECT_EQ(guards("    if a: g()\n" + two).profile(), "1x:raise");
}

TEST(Guards, EffectsBeforeTheFirstCheckAreNoticed) {
  const std::string check = "    if a: return\n";
  for (const char* effect :
       {"x = 1", "x += 1", "x: int = 1", "del a", "import x", "from x import y", "with a: pass",
        "g()", "a[g()]", "await a", "yield a"})
    EXPECT_TRUE(guards("    " + std::string(effect) + "\n" + check).effect_before) << effect;
  for (const char* none :
       {"pass", "'text'", "a", "a.b", "a + 1", "if a: x = 1", "while a: g()", "assert a"})
    EXPECT_FALSE(guards("    " + std::string(none) + "\n" + check).effect_before) << none;
  EXPECT_FALSE(guards(check + "    x = 1\n").effect_before);
  EXPECT_FALSE(guards("    x = 1\n").effect_before);  // before nothing
}

TEST(Guards, TheOrderOfChecksAndEffects) {
  const auto order = [](const std::string& body) {
    return std::string(to_string(guards(body).order));
  };
  EXPECT_EQ(order("    pass\n"), "none");
  EXPECT_EQ(order("    g()\n"), "effect_only");
  EXPECT_EQ(order("    if a: return\n    g()\n"), "guard_then_effect");
  EXPECT_EQ(order("    g()\n    if a: return\n"), "effect_before_guard");
  EXPECT_EQ(order("    if a: return\n"), "none");
}

TEST(Guards, TriesAreToldFromThoseWithFinally) {
  const auto tries = [](const std::string& body) {
    return std::string(to_string(guards(body).tries));
  };
  EXPECT_EQ(tries("    g()\n"), "none");
  EXPECT_EQ(tries("    try: g()\n    except E: h()\n"), "try_no_finally");
  EXPECT_EQ(tries("    try: g()\n    finally: h()\n"), "try_finally");
  EXPECT_EQ(tries("    while a:\n        try: g()\n        finally: h()\n"), "try_finally");
  EXPECT_EQ(tries("    def g():\n        try: g()\n        finally: h()\n"), "none");
}

// docs/reference/analysis.md, "Statements"
TEST(Flow, StatementsCarryTheirFlags) {
  using namespace statement_flag;
  const auto flags = [](const std::string& statement) {
    return static_cast<int>(unit("    " + statement + "\n").statements.at(0).flags);
  };
  EXPECT_EQ(flags("self.a = 1"), attr_only_assign);
  EXPECT_EQ(flags("self.a = self.b = 1"), attr_only_assign);
  EXPECT_EQ(flags("self.a: int = 1"), attr_only_assign);
  EXPECT_EQ(flags("self.a: int"), attr_only_assign);
  EXPECT_EQ(flags("self.a = b = 1"), 0);
  EXPECT_EQ(flags("self.a, self.b = 1, 2"), 0);
  EXPECT_EQ(flags("a = self.b"), 0);
  EXPECT_EQ(flags("self.a += 1"), 0);
  EXPECT_EQ(flags("g()"), call_statement);
  EXPECT_EQ(flags("await g()"), call_statement);
  EXPECT_EQ(flags("g().h"), 0);
  EXPECT_EQ(flags("assert a"), assert_like);
  EXPECT_EQ(flags("self.assertEqual(a, b)"), call_statement | assert_like);
  EXPECT_EQ(flags("AssertAll()"), call_statement | assert_like);
  EXPECT_EQ(flags("x.assert_(a).then()"), call_statement);
  for (const char* exit : {"return", "raise E", "break", "continue"})
    EXPECT_EQ(flags(exit), terminal) << exit;
}

TEST(Flow, HoldsEveryStatementInOrderAndTellsWhatIsNotReached) {
  const UnitFact fact = unit(
      "    'doc'\n    a()\n    if a:\n        b()\n        return\n        c()\n    elif b:\n"
      "        d()\n    x: int\n    def g():\n        e()\n    return\n    h()\n");
  ASSERT_EQ(fact.flow.size(), 11u);
  std::string reached;
  for (const Hash& hash : fact.flow)
    reached += hash == Hash{} ? '.' : 'x';
  EXPECT_EQ(reached, "xxxx.xx.xx.");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const StatementFact& s : fact.statements)
    places.emplace_back(s.place, s.size);
  EXPECT_EQ(places, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{
                        {0, 1}, {1, 6}, {7, 1}, {8, 1}, {9, 1}, {10, 1}}));
}

}  // namespace
}  // namespace gh::analysis
