// What the reader takes it reads as the grammar does, and what it is not sure of it leaves.
#include "syntax/python_reader.h"

#include <gtest/gtest.h>

#include "tests/python_readers.h"

namespace gh::syntax {
namespace {

using readers::Outcome;
using readers::Readers;

void expect_equal(std::initializer_list<std::string_view> sources) {
  Readers readers;
  for (const std::string_view source : sources) {
    const Outcome outcome = readers.compare(source);
    EXPECT_TRUE(outcome == Outcome::equal)
        << source << "\n"
        << readers.differs << readers.why.why << " at " << readers.why.at;
  }
}

TEST(PythonReader, ReadsSimpleStatementsAsTheGrammarDoes) {
  expect_equal({
      "",
      "\n",
      "  \n\n",
      "# only a comment",
      "\n# only a comment\n\n",
      "x",
      "x\n",
      "pass; pass;\n",
      "\xef\xbb\xbfx = 1\n",
      "\fx = 1\n\f\ny = 2\n",
      "x = 1\r\nif x:\r\n  y = 2  # c\r\n",
      "x = y = z = 1, 2\n",
      "x, *y = a, b = z\n",
      "x = yield\nx = yield a, b\nx = yield from a\nyield\n",
      "x: int\nx.y: int = 1\nx[0]: 'a' = yield\n",
      "x += 1, 2\nx **= 2; x //= 3; x >>= 1; x @= y; x |= yield\n",
      "a.b[0], (c, [d]), *e = f\n",
      "*a, = b\n",
      "x,\n",
      "x, y,\n",
      "return\nreturn 1\nreturn a, b,\nreturn *a, b\n",
      "raise\nraise A\nraise A from B\n",
      "global a, b\nnonlocal c\n",
      "del a, b.c, d[0], (e, f), [g], (h)\ndel (a)\n",
      "assert a\nassert a, 'b'\n",
      "import a\nimport a.b.c as d, e\nimport a . b\n",
      "from a import b\nfrom . import b\nfrom ... import b as c, d\nfrom .a.b import *\n",
      "from a import (b, c as d,  # e\n  f,\n)\n",
      "from __future__ import annotations, division as d\nfrom .__future__ import x\n",
      "print(x)\nprint\nprint.x = 1\nexec('x')\nexec = 2\nprint(a) + b\nprint(a), b\n",
      "type(x)\ntype = 3\ntype.x = 3\ntype, x = y\nmatch = 1\ncase = 2\nmatch(x).y()\nmatch[x]\n",
      "type X = int\ntype X[T] = list[T]\ntype X[T: int, *U, **V] = T | None\n",
  });
}

TEST(PythonReader, ReadsBlocksAsTheGrammarDoes) {
  expect_equal({
      "if a: b\n",
      "if a:\n  b\n  c; d\n\n# c\n",
      "if a: b\nelif c: d\nelif e:\n  f\nelse: g\n",
      "if (a := b): c\nwhile a := b: pass\nelse: d\n",
      "for a in b: c\nelse:\n  d\n",
      "for a, (b, *c), d.e, f[0] in *g, h,: pass\n",
      "async def f():\n  async for a in b: pass\n  async with a as b, c: pass\n  await d\n",
      "try: a\nexcept B: c\nexcept (D, E) as f:\n  g\nexcept: h\nelse: i\nfinally: j\n",
      "try:\n  a\nexcept* B as c: d\nexcept* (E, F): g\n",
      "try: a\nfinally: b\n",
      "with a: b\nwith a as b: c\nwith a as (b, c), d as e.f, g as [h]: i\n",
      "with (a as b, c): d\nwith (a, b,): c\nwith (a): b\nwith (a) as b: c\n",
      "with (a, b) as c: d\nwith (yield): a\nwith (a for a in b): c\nwith a() if b else c: d\n",
      "class A: pass\nclass A(): pass\nclass A(B, *C, m=D, **E): x = 1\n",
      "class A[T: (int, str), *U, **V](B[T]):\n  'doc'\n\n  def f(self): ...\n",
      "@a\n@b.c(d)  # e\n@(f := g)\n\n# h\nasync def i(): pass\n",
      "class A:\n  @a\n  def f(self): pass\n  @b\n  class B: pass\n",
      "def f(a, b: int, /, c=1, *d, e, f: 'x' = 2, **g) -> List[int]: pass\n",
      "def f(*, a, b=1): pass\ndef f(*a: *B, **c: D): pass\ndef f(a, /): pass\ndef f(a=1, *b, c): "
      "pass\n",
      "def f[T](a: T) -> T: return a\n",
      "def f():\n\tif a:\n\t\treturn 1\n\telse:\n\t\treturn 2\n\n\ndef g(): pass\n",
      "if a:\n    b\n  # c\n# d\n    e\nf\n",
      "if a:\n  if b:\n    if c: d\n  else: e\nf\n",
      "if a: pass\n\n\n",
      "def f(): # c\n  # d\n  return 1 # e\n# f\n",
      "def f(\n  a,  # b\n  c=(1,\n2),\n):\n  pass\n",
  });
}

TEST(PythonReader, ReadsExpressionsAsTheGrammarDoes) {
  expect_equal({
      "1; 1.5; 1e5; 0x1F; 0b1; 0o7; 1_000; 1j; .5; 1.; 00; 1.e-5j; True; None; False; ...\n",
      "a + b - c * d / e // f % g @ h ** i ** -j\n",
      "a | b ^ c << d >> e\na & b | c\n(a & b) ^ c\n",
      "-a ** +b; ~a; not not a; - - a\n",
      "a < b; a < b <= c != d; a not in b; a is not b; a is b in c; a not  in b; (a not\n in b)\n",
      "a and b and c or d or not e and (f and g) and h\n",
      "a if b else c if d else e\n(a if b else c) if d else lambda: e\n",
      "lambda: a\nlambda a, b=1, /, *c, d, **e: (a, b)\nlambda *, a: a if b else c\nlambda *a, "
      "**b: lambda: c\n",
      "a.b.c(d)[e].f\na(b)(c)[d](e)\n",
      "f(); f(a); f(a, b=c, *d, e=f, **g, h=i)\nf(a for a in b); f((a for a in b)); f(a := b, c)\n",
      "f(*a or b, *a.b(), *a[0] + 1, *a if b else c)\n",
      "a[b]; a[b, c]; a[b,]; a[:]; a[b:]; a[:b]; a[::]; a[b:c:d]; a[b:c, ..., None]; a[::c]; "
      "a[*b]; a[b := c]\n",
      "(); (a,); (a, b); (a); ((a)); (yield); (yield a, b); (*a, b); (a := b)\n",
      "[]; [a]; [a, b,]; [*a]; [*a.b(), c]; [a, *b[0]]\n",
      "{}; {a}; {a, b,}; {*a, b}; {a: b}; {a: b, **c, d: e,}; {**a}; {a: lambda: b}\n",
      "[a for b in c]; {a for b in c}; {a: b for c, d in e}; (a for b in c)\n",
      "[a for b in c if d if e for f, in g if not h]; [a async for b in c]; [a for a in b or c]\n",
      "[a if b else c for d in e]\n[(yield) for a in b]\n",
      "await a\nawait a.b()\nawait a + b\n-await a\n",
      "x = a if b else c, d\n",
      "x = (a +  # c\n  b\n)\n",
      "x = a + \\\n  b\nx = f(a, \\\n  b)\n",
      "x: List[int]; x: Dict[str, List[int]] = 1; x: A[()]; x: A[..., B]; x: A.B[C]; x: 'A'; x: "
      "None\n",
      "x: A[B] | None; x: A[B] | C[D] | E; x: A | B[C]; x: (A[B]); x: Callable[[A], B[C]]; x: A[B "
      "| C]\n",
      "x: type[A]; x: A[*B]; x: A[B,]\n",
      "a.match; a.type; a.print; a.case; match.a; f(match=1, type=2, print=3)\n",
      "_ = 1\n\xc3\xa9t\xc3\xa9 = \xe5\x90\x8d\n",
  });
}

TEST(PythonReader, ReadsLiteralsAsTheGrammarDoes) {
  expect_equal({
      "''; \"\"; 'a'; '''a'''; \"\"\"a\n'b' \"c\"\n\"\"\"; u'a'; R'\\\\'; b'a'; Br'a'; rB'a'\n",
      "'\\''; '\\\\'; r'\\''; 'a\\\nb'; '\\N{DASH}'; '\\x41\\u0041\\101'; b'\\x41'; b'\\N a'\n",
      "'a' 'b'; ('a'\n 'b'); b'a' b\"b\"; 'a'  \\\n 'b'\n",
      "f''; f'a'; f'{a}'; f'a{b}c{d}'; f'{{a}}'; f'{{{a}}}'; f'{a}{b}'; F\"{a}\"; rf'\\d{a}'; "
      "fR'{a}\\{b}'\n",
      "f'{a!r}'; f'{a=}'; f'{a = }'; f'{a=!s:>5}'; f'{a:>{b}}'; f'{a:{b}{c}}'; f'{a:}'; f'{a: }'; "
      "f'{a: >{b}.{c}f}'\n",
      "f'{a:%%H:%%M}'; f'{a:#x}'; f'{a!r:^{b!r}}'; f'{a:{b:{c}}}'\n",
      "f'{a, b}'; f'{a if b else c}'; f'{(lambda: a)()}'; f'{ {1: 2}[1] }'; f'{a[\"b\"]}'; f'{a != "
      "b}'; f'{yield}'\n",
      "f'{a[1:2]}'; f'{f(a, b=c)}'; f'{(a := b)}'; f'{a()!r}'\n",
      "f'''a\n{b}\n{c:>5}'''; f'''{\na\n}'''\n",
      "'a' f'{b}' 'c'; f'{a}' 'b' f'c'; f'a' f'b'; '' f'{a}'; ('a'\n  f'{b}'\n  \"c\")\n",
      "f'{f\"{a}\"}'; f'{f\"{f(1)}\"}'; f'{\"a\" \"b\"}'; f'{a!r}{b!s}'\n",
      "f'{a[\"b\"]:>{c[\"d\"]}}'\n",
  });
}

TEST(PythonReader, ReadsPatternsAsTheGrammarDoes) {
  const auto match = [](std::string_view pattern) {
    return "match x:\n  case " + std::string(pattern) + ":\n    pass\n";
  };
  for (const std::string_view pattern : {"1",
                                         "-1",
                                         "1.5",
                                         "1 + 2j",
                                         "-1 - 2j",
                                         "'a'",
                                         "'a' 'b'",
                                         "b'a'",
                                         "None",
                                         "True",
                                         "_",
                                         "a",
                                         "a.b",
                                         "a.b.c",
                                         "[]",
                                         "[a]",
                                         "[a, *b]",
                                         "[a, *_, b]",
                                         "()",
                                         "(a,)",
                                         "(a, b)",
                                         "a, b",
                                         "a,",
                                         "*a, b",
                                         "{}",
                                         "{'a': b}",
                                         "{1: _, -2: c, d.e: f, **g}",
                                         "{'a': [b, {'c': d}]}",
                                         "A()",
                                         "A(b)",
                                         "A(b, c=d, e=-1)",
                                         "A.B(c=D(e))",
                                         "A(b=1 | 2)",
                                         "a | b",
                                         "1 | 2 | 3",
                                         "-1 | 2",
                                         "_ | a",
                                         "A() | B()",
                                         "[a] as b",
                                         "A() as b",
                                         "_ as b",
                                         "1 | 2 as b",
                                         "a if b",
                                         "a if (b := c)",
                                         "A(b as c)",
                                         "[a as b, _]",
                                         "{'a': b as c}",
                                         "-1 as a",
                                         "A(_)",
                                         "A(b=_)"}) {
    const std::string source = match(pattern);
    expect_equal({source});
  }
  expect_equal({
      "match a, b:\n  case c: d\n  case _: e\n",
      "match a,:\n  case 1:\n    b\n  case 2: c\nd\n",
      "match (a):\n  # b\n  case c: d  # e\n\nf\n",
      "match -a:\n  case _: pass\n",
      "match [a]:\n  case _: pass\n",
      "def f():\n  match a:\n    case _:\n      match b:\n        case _: pass\n",
  });
}

/// The grammar reads these otherwise than Python does, or the reader is not sure.
TEST(PythonReader, LeavesToTheGrammarWhatItReadsOtherwise) {
  struct Row {
    std::string_view source, why;
  };
  Readers readers;
  for (const Row& row : std::to_array<Row>({
           {"(a) = 1\n", "a target in parentheses"},
           {"for (a) in b: c\n", "a target in parentheses"},
           {"(a): int = 1\n", "an annotation of no place"},
           {"(a) += 1\n", "an assignment to no place"},
           {"a & b ^ c\n", "& beside ^"},
           {"await a ** b\n", "a power of what is awaited"},
           {"x = *a.b, c\n", "a star before more than a name"},
           {"[*a.b]\n", "a star before more than a name"},
           {"print(1, *a())\n", "a star before more than a name"},
           {"type(a).b = 1\n", "a statement that begins with type"},
           {"print >>a, b\n", "print or exec as a statement"},
           {"with a if b else c as d: e\n", "as behind a condition"},
           {"with (a as b,): c\n", "one item in parentheses"},
           {"def f(a, \\\n  b): pass\n", "a continued line among parameters"},
           {"a[b \\\n  ]\n", "a continued line in an index"},
           {"match a:\n  case (b): c\n", "a pattern in parentheses"},
           {"def f[T = int](): pass\n", "no end of the types"},
           {"f'''{a # b\n}'''\n", "a comment in a field"},
           {"1if a else b\n", "a letter after a number"},
       })) {
    EXPECT_TRUE(readers.compare(row.source) == Outcome::left) << row.source << readers.differs;
    EXPECT_EQ(readers.why.why, row.why) << row.source;
  }
}

TEST(PythonReader, TakesNothingThatNoPythonReads) {
  Readers readers;
  for (const std::string_view source : std::to_array<std::string_view>({
           "x = \n",
           "if a:\nb\n",
           "  a\n",
           "if a:\n    b\n  c\n",
           "if a:\n\tb\n        c\n",
           "f(a=1, b)\n",
           "f(**a, b)\n",
           "f(**a, *b)\n",
           "f(a for a in b, c)\n",
           "(a for a in b, c)\n",
           "print a\n",
           "exec 'a'\n",
           "raise A, B\n",
           "except A, b: c\n",
           "`a`\n",
           "a <> b\n",
           "0777\n",
           "1L\n",
           "1__0\n",
           "0xg\n",
           "ur'a'\n",
           "'a\n",
           "'''a\n",
           "a := b\n",
           "*a\n",
           "del f()\n",
           "f() = 1\n",
           "a + b = c\n",
           "x: int: str\n",
           "def f(a=1, b): c\n",
           "def f(*): a\n",
           "def f(**a, b): c\n",
           "def f(a, (b, c)): d\n",
           "lambda a=1, b: c\n",
           "try: a\n",
           "try: a\nexcept: b\nexcept C: d\n",
           "try: a\nexcept* : b\n",
           "class A(b for b in c): d\n",
           "f'{a'\n",
           "f'{}'\n",
           "f'}'\n",
           "f'{a!x}'\n",
           "f'{a b}'\n",
           "'a' b'b'\n",
           "{a: b, c}\n",
           "{a, b: c}\n",
           "(a, b\n",
           "a)\n",
           "[a for b]\n",
           "async a\n",
           "@a\nb = c\n",
           "import a.b as c.d\n",
           "from a import b.c\n",
           "from a import (b\n",
           "from __future__ import *\n",
           "match a:\n  pass\n",
           "match a:\n  case 1 + 1: b\n",
           "match a:\n  case f(b=1, 2): c\n",
           "a\x01b\n",
           std::string_view("a\0b\n", 4),
           "a\\b\n",
           "a \\\n",
           "x\rx\n",
           "\xff\n",
           "'\xff'\n",
           "a if b\n",
           "not\n",
           "a not b\n",
           "a..b\n",
           "a.1\n",
           "return return\n",
           "global a.b\n",
           "x = yield = 1\n",
           "with a as 1: b\n",
           "for 1 in a: b\n",
           "for a in b c: d\n",
           "else: a\n",
           "a: b = c = d\n",
       }))
    EXPECT_TRUE(readers.compare(source) == Outcome::with_errors ||
                readers.compare(source) == Outcome::left)
        << source << readers.differs;
}

// --- typed by hand -------------------------------------------------------------------------------

std::string dump(std::string_view source) {
  FrontEnd front_end;
  Tree tree;
  EXPECT_TRUE(front_end.read_without_grammar(source, tree)) << front_end.refusal().why;
  std::string out;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    std::uint32_t depth = 0;
    for (std::uint32_t parent = 0; parent < i; ++parent)
      depth += tree.nodes[parent].end > i ? 1 : 0;
    out += std::string(depth, ' ') + std::string(to_string(tree.nodes[i].kind));
    if (tree.nodes[i].flags != 0) out += " " + std::to_string(tree.nodes[i].flags);
    if (tree.nodes[i].symbol != 0) out += " '" + std::string(tree.name(i)) + "'";
    out += " " + std::to_string(tree.nodes[i].start) + "-" + std::to_string(tree.ends[i]) + "\n";
  }
  return out;
}

TEST(PythonReader, MakesTheTreeThatIsDescribed) {
  EXPECT_EQ(dump("def f(a, *b):\n  return a.c(b)  # d\n"),
            "Module 0-35\n"
            " Function 'f' 0-29\n"
            "  Param 1 'a' 6-7\n"
            "  Param 2 'b' 9-11\n"
            "  Block 16-29\n"
            "   Return 16-29\n"
            "    Call 23-29\n"
            "     Attribute 'c' 23-26\n"
            "      Name 'a' 23-24\n"
            "     Name 'b' 27-28\n");
  EXPECT_EQ(dump("(a + b) * c\n"),
            "Module 0-12\n"
            " Expr 0-11\n"
            "  BinOp 3 0-11\n"
            "   BinOp 1 1-6\n"
            "    Name 'a' 1-2\n"
            "    Name 'b' 5-6\n"
            "   Name 'c' 10-11\n");
  EXPECT_EQ(dump("if a: b\nelif c: d\n"),
            "Module 0-17\n"
            " If 0-17\n"
            "  Name 'a' 3-4\n"
            "  Block 1 6-7\n"
            "   Expr 6-7\n"
            "    Name 'b' 6-7\n"
            "  Block 2 8-17\n"
            "   If 2 8-17\n"
            "    Name 'c' 13-14\n"
            "    Block 1 16-17\n"
            "     Expr 16-17\n"
            "      Name 'd' 16-17\n");
  EXPECT_EQ(dump("x = f'a{b!r:>{c}}'\n"),
            "Module 0-19\n"
            " Assign 0-18\n"
            "  Name 4 'x' 0-1\n"
            "  Interp 4-18\n"
            "   Str 6-7\n"
            "   Interp 4096 '!r' 7-17\n"
            "    Name 'b' 8-9\n"
            "    Interp 8192 11-16\n"
            "     Str 11-16\n"
            "     Interp 4096 13-16\n"
            "      Name 'c' 14-15\n");
}

// --- limits --------------------------------------------------------------------------------------

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  for (; times > 0; --times)
    out += part;
  return out;
}

TEST(PythonReader, LeavesWhatIsBeyondItsLimits) {
  PythonReader reader;
  const auto left = [&](const std::string& source) {
    Tree tree;
    tree.source = source;
    EXPECT_FALSE(reader.read(source, tree)) << source.substr(0, 40);
    EXPECT_TRUE(tree.nodes.empty() && tree.ends.empty() && tree.comments.empty());
    return reader.refusal().why;
  };
  EXPECT_EQ(left(repeated("(", 10'000) + "1" + repeated(")", 10'000) + "\n"), "too many brackets");
  EXPECT_EQ(left(repeated("f'{", 10'000) + "1\n"), "too many brackets");
  EXPECT_EQ(left(repeated("-", 10'000) + "1\n"), "nested too deep");
  EXPECT_EQ(left(repeated("not ", 10'000) + "1\n"), "nested too deep");
  EXPECT_EQ(left(repeated("lambda: ", 10'000) + "1\n"), "nested too deep");
  EXPECT_EQ(left(repeated("await ", 10'000) + "1\n"), "nested too deep");
  EXPECT_EQ(left(repeated("a ** ", 10'000) + "1\n"), "nested too deep");
  EXPECT_EQ(left(repeated("a if b else ", 10'000) + "1\n"), "nested too deep");
  EXPECT_EQ(left("a" + repeated(".b", 10'000) + "\n"), "an expression of too many parts");
  EXPECT_EQ(left("a" + repeated("+b", 10'000) + "\n"), "an expression of too many parts");
  EXPECT_EQ(left("a" + repeated(" or b", 10'000) + "\n"), "an expression of too many parts");
  EXPECT_EQ(left("a" + repeated("()", 10'000) + "\n"), "an expression of too many parts");
  EXPECT_EQ(left(repeated("a;", 1'000'000) + "\n"), "too many words");
  EXPECT_EQ(left("'" + std::string(10U << 20, 'x') + "'\n"), "too large");
  std::string steps;
  for (std::size_t i = 0; i < 150; ++i)
    steps += std::string(i, ' ') + "if a:\n";
  EXPECT_EQ(left(steps), "too many levels");
  EXPECT_EQ(left("if a:\n" + std::string(5000, ' ') + "b\n"), "too far to the right");
}

TEST(PythonReader, TakesLongFlatSources) {
  Readers readers;
  for (const std::string& source :
       {"x = [" + repeated("1,", 100'000) + "]\n", "x = {" + repeated("'a': b,", 20'000) + "}\n",
        repeated("x = y\n", 50'000), "x = '" + std::string(1U << 20, 'x') + "'\n",
        "if a: b\n" + repeated("elif a: b\n", 2'000), "a" + repeated(" + b", 2'000) + "\n",
        repeated("'a' ", 20'000) + "\n", "f'" + repeated("{a}", 20'000) + "'\n",
        "# " + std::string(1U << 20, 'x')})
    EXPECT_TRUE(readers.compare(source) == Outcome::equal)
        << source.substr(0, 40) << readers.differs << readers.why.why;
}

TEST(PythonReader, ForgetsTheFileBefore) {
  FrontEnd front_end;
  Tree tree;
  EXPECT_FALSE(front_end.read_without_grammar("x = (f'{a\n", tree));
  EXPECT_FALSE(front_end.read_without_grammar("if a:\n  b\n c\n", tree));
  EXPECT_TRUE(front_end.read_without_grammar("x\n", tree));
  EXPECT_EQ(tree.nodes.size(), 3U);
  EXPECT_TRUE(front_end.refusal().why.empty());
}

}  // namespace
}  // namespace gh::syntax
