#include "syntax/python_defaults.h"

#include <gtest/gtest.h>

namespace gh::syntax {
namespace {

struct Row {
  std::string_view source, read;
};

// docs/reference/analysis.md, "What the grammars do not know"
TEST(PythonDefaults, OfTypeParametersAreReadAsBounds) {
  const Row rows[] = {
      {"def f[T = int](a): pass", "def f[T : int](a): pass"},
      {"class C[T: A = B, U = V]: pass", "class C[T: A | B, U : V]: pass"},
      {"class C[*Ts = *tuple[int, ...], **P = [int]]: pass",
       "class C[*Ts : *tuple[int, ...], **P : [int]]: pass"},
      {"type A[T = dict[str, int]] = list[T]", "type A[T : dict[str, int]] = list[T]"},
      {"def f[\n    T = int,  # = x\n    U = 'a=b',\n](): pass",
       "def f[\n    T : int,  # = x\n    U : 'a=b',\n](): pass"},
      {"def f[T](a=1): x[a] = 2", "def f[T](a=1): x[a] = 2"},
      {"x[a == b] = type[1]", "x[a == b] = type[1]"},
      {"'def f[T = int]'", "'def f[T = int]'"},
      {"def f[T = g(a=1)](): pass", "def f[T : g(a=1)](): pass"},
      {"def f[T = int", "def f[T : int"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(with_bounds_for_defaults(row.source).value_or(std::string(row.source)), row.read);
}

}  // namespace
}  // namespace gh::syntax
