#include "analysis/normalise.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "analysis/extract.h"

namespace gh::analysis {
namespace {

constexpr std::string_view kBase =
    "def f(a, b):\n"
    "    total = 0\n"
    "    for item in a:\n"
    "        total = total + item.price\n"
    "    if total > b:\n"
    "        log(total)\n"
    "        return total\n"
    "    return None\n";

std::string with(std::string_view from, std::string_view to, std::string_view base = kBase) {
  std::string out(base);
  for (std::size_t at = out.find(from); at != std::string::npos;
       at = out.find(from, at + to.size()))
    out.replace(at, from.size(), to);
  EXPECT_NE(out, base) << from;
  return out;
}

enum class Clone { none, type1, type2 };

Clone compare(const std::string& one, const std::string& two) {
  Extractor extractor;
  const FileFacts a = extractor.facts_of(syntax::Language::python, one);
  const FileFacts b = extractor.facts_of(syntax::Language::python, two);
  EXPECT_EQ(a.status, FileStatus::ok) << one;
  EXPECT_EQ(b.status, FileStatus::ok) << two;
  const auto outermost = [](const FileFacts& facts) -> const UnitFact& {
    return *std::ranges::find_if(facts.units,
                                 [](const UnitFact& u) { return u.kind != UnitKind::nested; });
  };
  const UnitFact &x = outermost(a), &y = outermost(b);
  if (x.fingerprint != y.fingerprint) return Clone::none;
  return x.raw == y.raw ? Clone::type1 : Clone::type2;
}

std::string function(std::string_view body) { return "def f(a, b):\n" + std::string(body); }

// docs/reference/analysis.md, "Normalisation", observed equivalences
TEST(Normalisation, EquivalencesOfTheBaseFunction) {
  struct Row {
    const char* change;
    std::string other;
    Clone wanted;
  };
  const std::string base(kBase);
  const Row rows[] = {
      {"whitespace only", with("def f(a, b)", "def f (a, b)"), Clone::type1},
      {"function renamed", with("def f(", "def g("), Clone::type2},
      {"locals renamed", with("total", "sum_"), Clone::type2},
      {"attribute renamed", with(".price", ".cost"), Clone::type2},
      {"constant changed", with("= 0", "= 1"), Clone::type2},
      {"constant type changed", with("= 0", "= 'x'"), Clone::type2},
      {"None to 7", with("return None", "return 7"), Clone::type2},
      {"return without value", with("return None", "return"), Clone::none},
      {"another call", with("log(", "warn("), Clone::none},
      {"augmented assignment", with("total = total + item.price", "total += item.price"),
       Clone::type2},
      {"operands swapped", with("total + item.price", "item.price + total"), Clone::none},
      {"another operator", with("total + item", "total - item"), Clone::none},
      {"another comparison", with("total > b", "total >= b"), Clone::none},
      {"docstring added", with("    total = 0", "    \"\"\"Doc.\"\"\"\n    total = 0"),
       Clone::type2},
      {"comment added", with("    total = 0", "    # why\n    total = 0"), Clone::type2},
      {"parameters annotated", with("(a, b)", "(a: int, b: str = 'x') -> int"), Clone::type2},
      {"other parameters", with("(a, b)", "(a, b, *c)"), Clone::type2},
      {"variable annotated", with("total = 0", "total: int = 0"), Clone::type2},
      {"another loop target", with("for item in", "for item, z in"), Clone::none},
      {"async", with("def f", "async def f"), Clone::type2},
      {"as a method",
       "class K:\n    def f(self, b):\n        total = 0\n        for item in a:\n            "
       "total = total + "
       "item.price\n        if total > b:\n            log(total)\n            return total\n      "
       "  return None\n",
       Clone::type2},
      {"statement inserted", with("    total = 0", "    x = 1\n    total = 0"), Clone::none},
      {"unreachable statement", with("return None", "return None\n    x = 1"), Clone::type2},
      {"blank lines", with("    if", "\n\n    if"), Clone::type1},
      {"declared without a value", with("    total = 0", "    x: int\n    total = 0"),
       Clone::type2},
  };
  for (const Row& row : rows)
    EXPECT_EQ(compare(base, row.other), row.wanted) << row.change;
}

TEST(Normalisation, EquivalencesOfOtherPairs) {
  struct Row {
    const char* change;
    std::string one, two;
    Clone wanted;
  };
  const Row rows[] = {
      {"different docstrings", function("    'one'\n    return a\n"),
       function("    'two'\n    return a\n"), Clone::type2},
      {"not in", function("    if not a in b: return 1\n"),
       function("    if a not in b: return 1\n"), Clone::type2},
      {"subscripts in parentheses", function("    return a[b, 1]\n"),
       function("    return a[(b, 1)]\n"), Clone::type2},
      {"more subscripts", function("    return a[b, 1]\n"), function("    return a[b]\n"),
       Clone::none},
      {"subscript and comma", function("    return a[b,]\n"), function("    return a[b]\n"),
       Clone::none},
      {"is not", function("    if not (a is b): return 1\n"),
       function("    if a is not b: return 1\n"), Clone::type2},
      {"not of a chain", function("    if not (a in b in a): return 1\n"),
       function("    if a not in b: return 1\n"), Clone::none},
      {"keyword name", function("    g(x=1)\n"), function("    g(y=1)\n"), Clone::none},
      {"attribute chains of calls", function("    self.a.log(1)\n"),
       function("    self.b.log(1)\n"), Clone::none},
      {"chain on a call", function("    g().m(1)\n"), function("    g().n(1)\n"), Clone::none},
      {"root of a chain", function("    x.m(1)\n"), function("    y.m(1)\n"), Clone::none},
      {"exception type", function("    try: g()\n    except ValueError: h()\n"),
       function("    try: g()\n    except TypeError: h()\n"), Clone::none},
      {"name of the exception", function("    try: g()\n    except ValueError as e: h()\n"),
       function("    try: g()\n    except ValueError: h()\n"), Clone::type2},
      {"name of the context", function("    with open(a) as h: g()\n"),
       function("    with open(a): g()\n"), Clone::type2},
      {"finally and afterwards", function("    try: g()\n    finally: done()\n"),
       function("    try: g()\n    except E: pass\n    done()\n"), Clone::none},
      {"elif", function("    if a: g()\n    elif b: h()\n"),
       function("    if a: g()\n    else:\n        if b: h()\n"), Clone::type2},
      {"async for", "async def f(a, b):\n    async for x in a: g(x)\n",
       function("    for x in a: g(x)\n"), Clone::type2},
      {"imported names", function("    from m import x\n"), function("    from m import y\n"),
       Clone::none},
      {"imported modules", function("    import x\n"), function("    import y\n"), Clone::none},
      {"global names", function("    global x\n"), function("    global y\n"), Clone::none},
      {"names in patterns", function("    match a:\n        case P(x=1): g()\n"),
       function("    match a:\n        case Q(x=1): g()\n"), Clone::none},
      {"a nested function's name", function("    def g(x): return x\n"),
       function("    def h(x): return x\n"), Clone::none},
      {"a nested function's parameter", function("    def g(x): return x\n"),
       function("    def g(y): return y\n"), Clone::none},
      {"a nested function's docstring and types",
       function("    def g(x):\n        'd'\n        return x\n"),
       function("    def g(x: int) -> int:\n        return x\n"), Clone::type2},
      {"how a nested function's parameter is given", function("    def g(x): return x\n"),
       function("    def g(*x): return x\n"), Clone::none},
      {"a list and a set made by a loop", function("    g([x for x in a])\n"),
       function("    g({x for x in a})\n"), Clone::none},
      {"a list and a generator", function("    g([x for x in a])\n"),
       function("    g(x for x in a)\n"), Clone::none},
      {"a set and a generator", function("    g({x for x in a})\n"),
       function("    g(x for x in a)\n"), Clone::none},
      {"loops inside of an expression, async", "async def f(a, b):\n    g([x async for x in a])\n",
       function("    g([x for x in a])\n"), Clone::type2},
      {"f-string text", function("    return f'a{b}c'\n"), function("    return f'x{b}y'\n"),
       Clone::type2},
      {"f-string parts", function("    return f'a{b}c'\n"), function("    return f'a{b}'\n"),
       Clone::none},
      {"f-string conversion", function("    return f'{b!r}'\n"), function("    return f'{b!s}'\n"),
       Clone::none},
      {"f-string format", function("    return f'{b:>3}'\n"), function("    return f'{b:<9}'\n"),
       Clone::type2},
      {"plain and f-string", function("    return f'a{b}'\n"), function("    return 'a'\n"),
       Clone::none},
      {"slices", function("    return a[1:]\n"), function("    return a[:1]\n"), Clone::none},
      {"parentheses", function("    return (a + b)\n"), function("    return a + b\n"),
       Clone::type2},
      {"chains of comparisons", function("    return a < b < 3\n"),
       function("    return a < b <= 3\n"), Clone::none},
      {"string and bytes", function("    return 'a' 'b'\n"), function("    return b'x'\n"),
       Clone::type2},
  };
  for (const Row& row : rows)
    EXPECT_EQ(compare(row.one, row.two), row.wanted) << row.change;
}

}  // namespace
}  // namespace gh::analysis
