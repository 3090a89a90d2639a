// Sources that were written to hurt, through the real program under limits of memory and processor
// time. What it says of them is in docs/reference/analysis.md, "Limits".
#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

std::string repeated(std::string_view piece, std::size_t times) {
  std::string out;
  out.reserve(piece.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    out += piece;
  return out;
}

struct Hostile {
  std::string path, bytes, status;  // status: what the report must say; empty: anything but a crash
};

const std::vector<Hostile>& hostile() {
  constexpr std::size_t kLine = (10u << 20) - 64;
  static const std::vector<Hostile> kAll{
      {"line.py", "x = '" + std::string(kLine, 'a') + "'\n", "ok"},
      {"sum.py", "x = 1" + repeated("+1", 600'000) + "\n", ""},
      {"line.js", "x = \"" + std::string(kLine, 'a') + "\";\n", "ok"},
      {"large.py", std::string((10u << 20) + 1, '#'), "file_too_large"},
      {"round.py", "x = " + std::string(10'000, '(') + std::string(10'000, ')') + "\n", ""},
      {"square.py", "x = " + std::string(9'999, '[') + std::string(9'999, ']') + "\n", ""},
      {"deep.c", "int f(void) {" + repeated("{", 10'000) + repeated("}", 10'000) + "}\n", ""},
      {"deep.java",
       "class A { void f() {" + repeated("if (a) {", 5'000) + repeated("}", 5'000) + "} }\n", ""},
      {"deep.go",
       "package p\nfunc f() {" + repeated("func() {", 5'000) + repeated("}()", 5'000) + "}\n", ""},
      {"deep.rs", "fn f() {" + repeated("|a| {", 5'000) + repeated("}", 5'000) + "}\n", ""},
      {"deep.ts", "const a = " + repeated("(b) => ", 9'000) + "1;\n", ""},
      {"deep.cc", "int a = " + repeated("f<", 9'000) + "\n", ""},
      {"latin.py", "x = '\xe9'\n", "source_read_error"},
      {"utf16.py",
       std::string("\xff\xfe"
                   "x\0=\0"
                   "1\0",
                   8),
       "source_read_error"},
      {"nul.py", std::string("def f():\n    return 1\0\n", 23), ""},
      {"mixed.py", "def f(a):\r\n    if a:\r        return 1\n    return 2\r\n", ""},
      {"bom.py",
       "\xef\xbb\xbf"
       "def f(a):\n    return a\n",
       "ok"},
      {"feed.py", "\fdef f(a):\n\t\freturn a\n", ""},
      {"open.py", "def f():\n    x = '''never closed\n" + repeated("    y\n", 5'000), ""},
      {"decorators.py", repeated("@d(1)(2)[3].e\n", 50'000) + "def f():\n    pass\n", ""},
      {"comprehensions.py",
       "x = " + repeated("[a ", 2'000) + repeated("for a in b if c]", 2'000) + "\n", ""},
      {"lambdas.py", "x = " + repeated("lambda a: ", 9'000) + "1\n", ""},
      {"elifs.py",
       "def f(a):\n    if a:\n        pass\n" + repeated("    elif a:\n        pass\n", 30'000),
       ""},
      {"names.py", "def " + std::string(1u << 20, 'n') + "():\n    pass\n", "ok"},
      {"empty.py", "", "ok"},
      {"words.c", repeated("MACRO_CALL(x) ", 200'000), ""},
      {"strings.ts", repeated("`${", 5'000), ""},
  };
  return kAll;
}

TEST(HostileSources, AreReadWithinBoundsOrSkippedByName) {
  const GitSandbox repo;
  for (const Hostile& file : hostile())
    repo.write(file.path, file.bytes);
  repo.write("good.py", python_function("good", 3));
  const Ran ran = run_program({"/usr/bin/prlimit", "--as=3221225472", "--cpu=100", gatehouse_path(),
                               "analyze", "--no-store", "--json"},
                              repo.root());
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "good:good"));
  const Ran text = gatehouse({"analyze", "--no-store"}, repo.root());
  for (const Hostile& file : hostile()) {
    const bool is_skipped = contains(text.out, "skipped  " + file.path + "  ");
    if (file.status.empty()) continue;
    EXPECT_EQ(is_skipped, file.status != "ok") << file.path << text.out;
    if (is_skipped) {
      EXPECT_TRUE(contains(text.out, file.path + "  " + file.status)) << text.out;
    }
  }
}

TEST(HostileSources, GiveTheSameDigestTwice) {
  const GitSandbox repo;
  for (const Hostile& file : hostile())
    repo.write(file.path, file.bytes);
  const auto digest = [&](const char* jobs) {
    return gatehouse({"analyze", "--no-store", "--jobs", jobs, "--field", "integrity.digest.value"},
                     repo.root())
        .out;
  };
  const std::string cold = digest("1");
  EXPECT_EQ(cold.size(), 65u);
  EXPECT_EQ(digest("2"), cold);
}

}  // namespace
}  // namespace gh::testing
