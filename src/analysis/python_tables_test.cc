// Words of the tables of Python, typed again from the specification of the analysis: each of them
// does what its row says, and a word beside them does not.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/independence.h"
#include "analysis/run.h"
#include "analysis/testing_project.h"

namespace gh::analysis {
namespace {

using Words = std::vector<std::string>;

/// What is said of the method of a class that nobody calls.
Dead method_below(const std::string& imports, const std::string& base) {
  return dead_in({{"m.py", imports + "class K(" + base + "):\n    def m(self): pass\nK()\n"}});
}

Dead decorated(const std::string& imports, const std::string& decorator) {
  return dead_in(
      {{"m.py", imports + "class K:\n    @" + decorator + "\n    def m(self): pass\nK()\n"}});
}

const Dead kHigh{{"m:K.m", "high"}};
const Dead kExternal{{"m:K.m", "external_base"}};
const Dead kUnknown{{"m:K.m", "unknown_decorator"}};
const Dead kProperty{{"m:K.m", "property"}};

// 13.3: "the bases object, ABC, Protocol, Generic, NamedTuple, TypedDict, Enum, IntEnum, Exception
// and its builtin subclasses do not count"
TEST(PythonTables, BasesThatCallNothingBack) {
  EXPECT_EQ(method_below("", "object"), kHigh);
  EXPECT_EQ(method_below("from abc import ABC\n", "ABC"), kHigh);
  EXPECT_EQ(method_below("import abc\n", "abc.ABC"), kHigh);
  EXPECT_EQ(method_below("import enum\n", "enum.Enum"), kHigh);
  EXPECT_EQ(method_below("from enum import IntEnum as E\n", "E"), kHigh);
  EXPECT_EQ(method_below("", "Exception"), kHigh);
  for (const char* module : {"typing", "typing_extensions"}) {
    const std::string imports = "import " + std::string(module) + " as t\n";
    for (const char* name : {"Generic[int]", "NamedTuple", "TypedDict"})
      EXPECT_EQ(method_below(imports, "t." + std::string(name)), kHigh) << module << name;
    EXPECT_EQ(method_below(imports, "t.Protocol"), Dead{}) << "no candidate at all";
    EXPECT_EQ(method_below(imports + "class P(t.Protocol):\n    def p(self): ...\n", "P"), kHigh);
  }
  EXPECT_EQ(method_below("import enum\n", "enum.Flag"), kExternal);
  EXPECT_EQ(method_below("import threading\n", "threading.Thread"), kExternal);
}

TEST(PythonTables, EveryBuiltinExceptionIsABaseThatCallsNothingBack) {
  for (const char* name : {"ArithmeticError",
                           "AssertionError",
                           "AttributeError",
                           "BlockingIOError",
                           "BrokenPipeError",
                           "BufferError",
                           "BytesWarning",
                           "ChildProcessError",
                           "ConnectionAbortedError",
                           "ConnectionError",
                           "ConnectionRefusedError",
                           "ConnectionResetError",
                           "DeprecationWarning",
                           "EOFError",
                           "EncodingWarning",
                           "EnvironmentError",
                           "ExceptionGroup",
                           "FileExistsError",
                           "FileNotFoundError",
                           "FloatingPointError",
                           "FutureWarning",
                           "IOError",
                           "ImportError",
                           "ImportWarning",
                           "IndentationError",
                           "IndexError",
                           "InterruptedError",
                           "IsADirectoryError",
                           "KeyError",
                           "LookupError",
                           "MemoryError",
                           "ModuleNotFoundError",
                           "NameError",
                           "NotADirectoryError",
                           "NotImplementedError",
                           "OSError",
                           "OverflowError",
                           "PendingDeprecationWarning",
                           "PermissionError",
                           "ProcessLookupError",
                           "PythonFinalizationError",
                           "RecursionError",
                           "ReferenceError",
                           "ResourceWarning",
                           "RuntimeError",
                           "RuntimeWarning",
                           "StopAsyncIteration",
                           "StopIteration",
                           "SyntaxError",
                           "SyntaxWarning",
                           "SystemError",
                           "TabError",
                           "TimeoutError",
                           "TypeError",
                           "UnboundLocalError",
                           "UnicodeDecodeError",
                           "UnicodeEncodeError",
                           "UnicodeError",
                           "UnicodeTranslateError",
                           "UnicodeWarning",
                           "UserWarning",
                           "ValueError",
                           "Warning",
                           "ZeroDivisionError"})
    EXPECT_EQ(method_below("", name), kHigh) << name;
  EXPECT_EQ(method_below("", "SomeError"), kExternal);
}

// 13.3: "an unknown decorator (anything except property, staticmethod, classmethod, functools.*,
// contextlib.contextmanager, dataclass) lowers to medium; properties are medium at most"
TEST(PythonTables, DecoratorsThatRegisterNothing) {
  EXPECT_EQ(decorated("", "staticmethod"), kHigh);
  EXPECT_EQ(decorated("", "classmethod"), kHigh);
  EXPECT_EQ(decorated("import functools\n", "functools.lru_cache(None)"), kHigh);
  EXPECT_EQ(decorated("from functools import wraps\n", "wraps(f)"), kHigh);
  EXPECT_EQ(decorated("import contextlib\n", "contextlib.contextmanager"), kHigh);
  EXPECT_EQ(decorated("import contextlib\n", "contextlib.suppress"), kUnknown);
  EXPECT_EQ(decorated("from x import y\n", "y"), kUnknown);
  EXPECT_EQ(decorated("", "property"), kProperty);
  EXPECT_EQ(decorated("import functools\n", "functools.cached_property"), kProperty);
  for (const char* part : {"getter", "setter", "deleter"})
    EXPECT_EQ(decorated("", "p." + std::string(part)), kProperty) << part;
  for (const char* made : {"import dataclasses\n@dataclasses.dataclass\n",
                           "from dataclasses import dataclass\n@dataclass(frozen=True)\n"})
    EXPECT_EQ(dead_in({{"m.py", std::string(made) + "class K:\n    a: int\n"}}),
              (Dead{{"m:K", "high"}}))
        << made;
}

// 13.1: no candidates are overloads, abstract methods, and hooks of Pydantic incl. computed_field
TEST(PythonTables, DecoratorsWhoseFunctionsAreNoCandidates) {
  EXPECT_EQ(decorated("from typing import overload\n", "overload"), Dead{});
  EXPECT_EQ(decorated("import typing_extensions as t\n", "t.overload"), Dead{});
  EXPECT_EQ(decorated("import abc\n", "abc.abstractmethod"), Dead{});
  EXPECT_EQ(decorated("from abc import abstractmethod\n", "abstractmethod"), Dead{});
  for (const char* hook : {"field_validator", "model_validator", "root_validator", "validator",
                           "field_serializer", "model_serializer", "computed_field"}) {
    EXPECT_EQ(decorated("import pydantic\n", "pydantic." + std::string(hook)), Dead{}) << hook;
    EXPECT_EQ(decorated("from pydantic import " + std::string(hook) + " as h\n", "h('a')"), Dead{})
        << hook;
    EXPECT_EQ(decorated("from other import " + std::string(hook) + "\n", hook), kUnknown) << hook;
  }
}

// 10: hooks of Pydantic take no part in cohesion; computed_field stays
TEST(PythonTables, HooksOfPydanticAreOutsideOfCohesion) {
  const auto lcom4 = [](const std::string& hook) {
    const std::string source = "from pydantic import " + hook +
                               " as h\nclass K:\n    @h('a')\n    def a(self): return self.x\n"
                               "    def b(self): return self.y\n";
    return python_project({{"m.py", source}}).files[0].facts.classes.at(0).cohesion.lcom4;
  };
  for (const char* hook : {"field_validator", "model_validator", "root_validator", "validator",
                           "field_serializer", "model_serializer"})
    EXPECT_EQ(lcom4(hook), 1u) << hook;
  EXPECT_EQ(lcom4("computed_field"), 2u);
  EXPECT_EQ(lcom4("create_model"), 2u);
}

// 8.4: property_like, interface_contract
TEST(PythonTables, DecoratorsOfMethodsWithoutAnInstance) {
  const auto kind = [](const std::string& decorator) {
    const std::string source =
        "class C:\n    @" + decorator + "\n    def f(self, a):\n        return g(a)\n";
    return std::string(
        to_string(python_project({{"m.py", source}}).files[0].facts.units.at(0).independence));
  };
  for (const char* property : {"property", "cached_property", "functools.cached_property",
                               "x.getter", "x.setter", "x.deleter"})
    EXPECT_EQ(kind(property), "property_like") << property;
  for (const char* abstract : {"abstractmethod", "abc.abstractmethod", "abc.abstractproperty",
                               "abc.abstractclassmethod", "abc.abstractstaticmethod"})
    EXPECT_EQ(kind(abstract), "interface_contract") << abstract;
  for (const char* none : {"staticmethod", "classmethod", "typing.overload"})
    EXPECT_EQ(kind(none), "none") << none;
  EXPECT_EQ(kind("other"), "decorated_context");
}

// docs/reference/analysis.md, "Dead code": names put together in a file that looks names up
TEST(PythonTables, EachWayToLookANameUp) {
  for (const char* look :
       {"getattr(o, n)", "hasattr(o, n)", "setattr(o, n, 1)", "operator.attrgetter(n)",
        "operator.methodcaller(n)", "globals()[n]", "vars(o)[n]", "o.__dict__[n]"})
    EXPECT_EQ(dead_in({{"m.py", "def do_f(): pass\nn = 'do_' + x\n" + std::string(look) + "\n"}}),
              (Dead{{"m:do_f", "named_in_string"}}))
        << look;
  EXPECT_EQ(dead_in({{"m.py", "def do_f(): pass\nn = 'do_' + x\nprint(n)\n"}}),
            (Dead{{"m:do_f", "high"}}));
}

// 3: folders that are left out, the reference's and those that are added
TEST(PythonTables, FoldersThatAreLeftOut) {
  for (const char* folder :
       {".git", ".venv", "venv", "__pycache__", "node_modules", "site-packages", "migrations",
        "alembic", "dist", "build", ".tox", ".hg", ".svn", ".mypy_cache", ".pytest_cache",
        ".ruff_cache", "target", "vendor", "third_party"}) {
    const std::string name = folder;
    EXPECT_TRUE(is_excluded(name + "/m.py")) << folder;
    EXPECT_TRUE(is_excluded("a/" + name + "/b/m.py")) << folder;
    EXPECT_FALSE(is_excluded("a/" + name + ".py")) << folder;
    EXPECT_FALSE(is_excluded("a/x" + name + "/m.py")) << folder;
    EXPECT_FALSE(is_excluded(name)) << "a file of that name";
  }
  EXPECT_FALSE(is_excluded("src/lib/m.py"));
}

}  // namespace
}  // namespace gh::analysis
