#include "syntax/python_validity.h"

#include <gtest/gtest.h>

#include "syntax/front_end.h"

namespace gh::syntax {
namespace {

Tree read(std::string_view source) {
  FrontEnd front_end;
  Tree out;
  EXPECT_TRUE(front_end.read(Language::python, source, out));
  return out;
}

bool is_whole(std::string_view source) { return read(source).unread.empty(); }

// Each of these is refused by the parser of CPython 3.11.
TEST(PythonValidity, WhatNoPythonReadsIsASyntaxError) {
  for (const std::string_view source : {
           "def f(a):\n    if a:\n    return 1\n",
           "def f(a):\n",
           "class A:\n",
           "if x:\n",
           "for x in y:\nz = 1\n",
           "while x:\n\n# c\n",
           "if x:\n    pass\nelse:\n",
           "match x:\n",
           "def f():\n        x = 1\n    y = 2\n",
           "if x:\n\ty = 1\n        z = 2\n",
           "x = 1\n  y = 2\n",
           "  x = 1\n",
           "try:\n    pass\n",
           "try:\n  pass\nelse:\n  pass\n",
           "try:\n  pass\nexcept:\n  pass\nexcept A:\n  pass\n",
           "try:\n  pass\nexcept* A:\n  pass\nexcept B:\n  pass\n",
           "try:\n  pass\nexcept*:\n  pass\n",
           "print \"a\"\n",
           "print x\n",
           "exec \"x\"\n",
           "raise A, B\n",
           "x := 1\n",
           "del f()\n",
           "del a, 1\n",
           "with a as 1: pass\n",
           "x: int: str\n",
           "def f(*): pass\n",
           "def f(*, **k): pass\n",
           "def f(a=1, b): pass\n",
           "def f(a, *b, *c): pass\n",
           "def f(**k, a): pass\n",
           "def f(/, a): pass\n",
           "def f(a, /, b, /): pass\n",
           "def f(*a, /): pass\n",
           "def f(a, (b, c)): pass\n",
           "lambda a=1, b: 0\n",
           "f(a=1, b)\n",
           "f(**k, *a)\n",
           "f(**k, a)\n",
           "f(a for a in b, c)\n",
           "[x for x in a, b]\n",
           "match x:\n  case 1 + 1: pass\n",
           "match x:\n  case f(a=1, 2): pass\n",
           "x <> y\n",
           "0777\n",
           "1L\n",
           "`x`\n",
           "ur\"x\"\n",
       })
    EXPECT_FALSE(is_whole(source)) << source;
}

// And each of these is read by it.
TEST(PythonValidity, OddButValidPythonIsWhole) {
  for (const std::string_view source : {
           "",
           "\f\ndef f(a):\n    return a\n",
           "\xef\xbb\xbfx = 1\n",
           "if x:\n    pass  # c\n# outer\n    # deeper\n    y = 1\n",
           "if x: pass; y = 2\n",
           "if x: a = 1; \\\n  b = 2\n",
           "if x:\n\ty = 1\n\tz = 2\n",
           "if x:\r\n  y = 1\r\n  z = 2\r\n",
           "x = 1; y = 2\n",
           "x = \\\n   1\n",
           "def f():\n    '''\nodd\n    '''\n    return 1\n",
           "class A:\n    @d\n    def f(self): ...\n\n    async def g(self): ...\n",
           "try:\n  pass\nfinally:\n  pass\n",
           "try:\n  pass\nexcept A:\n  pass\nexcept:\n  pass\nelse:\n  pass\nfinally:\n  pass\n",
           "try:\n  pass\nexcept* A:\n  pass\nexcept *(B, C) as e:\n  pass\n",
           "print - 1\n",
           "print (a), b\n",
           "print >>f, x\n",
           "print in x\n",
           "print\n",
           "raise A from B\n",
           "(x := 1)\n",
           "f(x := 1)\n",
           "del a, (b, c.d), e[0]\n",
           "with a as b, c as d.e, f as (g, h): pass\n",
           "x: int = 1\n",
           "class A[T: int]: pass\n",
           "def f[T: (int, str)](a: T, /, b=1, *c: T, d, e=2, **g): pass\n",
           "def f(*, a): pass\n",
           "def f(*a, b, **c): pass\n",
           "def f(a=1, *, b): pass\n",
           "def f(a=1, *b, c): pass\n",
           "lambda: 0\n",
           "lambda *a, b, **c: 0\n",
           "f(a, *b, c, d=1, *e, **g, h=2)\n",
           "f(a for a in b)\n",
           "[x for x, in a]\n",
           "[x for x in (a, b)]\n",
           "match x:\n  case 1 + 2j | -1 - 2J: pass\n  case f(1, a=2): pass\n",
           "0\n00\n0_0\n0x1F\n0o17\n0b1\n07.5\n09e1\n08j\n1_000\n",
           "u'a' + br'b' + Rb'c' + f'{x!r:>{w}}' + rf'd'\n",
       })
    EXPECT_TRUE(is_whole(source)) << source;
}

TEST(PythonValidity, OnlyPlacesAreDeleted) {
  for (const std::string_view value : {"await x",
                                       "a + b",
                                       "a and b",
                                       "f()",
                                       "a < b",
                                       "'a' 'b'",
                                       "a if b else c",
                                       "{1: 2}",
                                       "{a: b for a in c}",
                                       "...",
                                       "False",
                                       "1.5",
                                       "(a for a in b)",
                                       "1",
                                       "lambda: 0",
                                       "[a for a in b]",
                                       "None",
                                       "not a",
                                       "{1}",
                                       "{a for a in b}",
                                       "'a'",
                                       "True",
                                       "-a"})
    EXPECT_FALSE(is_whole("async def f():\n    del " + std::string(value) + "\n")) << value;
}

TEST(PythonValidity, TheErrorStandsWhereTheStrayLineIs) {
  const Tree tree = read("def a(): pass\ndef b():\n    x = 1\n  y = 2\n");
  ASSERT_EQ(tree.unread.size(), 1U);
  EXPECT_EQ(tree.line_at(tree.unread[0].start), 4U);
}

}  // namespace
}  // namespace gh::syntax
