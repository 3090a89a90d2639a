// One answer for one state of the files, however it came about: after every edit of a long sequence
// the run that remembers all earlier ones says what a run that remembers nothing says.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <span>

#include "ops/analysis_ops.h"
#include "ops/operation.h"
#include "report/look.h"
#include "tests/later_env.h"
#include "tests/runs_kit.h"

namespace gh::testing {
namespace {

/// What files of one language are made of. $A, $B and $C are names out of few, $N is a number.
struct Speech {
  std::string_view path;                         // with $N
  std::string_view import, function, type, use;  // use: an export, a string, a way out
  std::string_view head, line, tail;             // of a function that is long enough for clones
  std::string_view broken, comment;
};

constexpr std::array<Speech, 10> kSpeech{{
    {"pkg/m$N.py", "from pkg.m$N import $A as $B\nfrom .m$N import $C\n",
     "def $A(x):\n    return $B(x) + $C\n\n\n",
     "class K$A(K$B):\n    def $C(self, y):\n        self.z = y\n        return self.$B(y)\n\n\n",
     "__all__ = ['$A']\nimport os\nos.system('$B')\n", "def $A(a):\n", "    h$I(a, $N)\n",
     "    return $B\n\n\n", "def $A(:\n", "# "},
    {"pkg/s$N/__init__.py", "from . import m$N\nfrom pkg.m$N import $A, $B\n",
     "def _$A(x):\n    if x:\n        return _$B(x)\n    return $C\n\n\n",
     "class K$A:\n    @property\n    def $C(self):\n        return 1\n\n\n",
     "__all__ = ['$A', '$B']\n", "def $A(a):\n", "    h$I(a)\n", "    return a\n\n\n",
     "class $A(\n", "# "},
    {"c/m$N.c", "#include \"m$N.h\"\n", "static int $A(int x) { return x ? $B(x) : 0; }\n",
     "struct K$A { int $B; };\n", "int $A(int);\nchar *n = \"$B\";\n", "int $A(int a) {\n",
     "  h$I(a);\n", "  return $B(a);\n}\n", "int $A( {\n", "// "},
    {"c/m$N.h", "#include \"m$N.h\"\n", "int $A(int x);\n", "struct K$A { int $B; };\n",
     "int $C(int y);\n", "static inline int $A(int a) {\n", "  h$I(a);\n", "  return a;\n}\n",
     "struct {\n", "// "},
    {"cc/m$N.cc", "#include \"../c/m$N.h\"\n", "namespace n { int $A(int x) { return $B(x); } }\n",
     "class K$A : public K$B { int v; void $C() { v = 1; } };\nvoid K$A::$B() {}\n",
     "int main() { return $A(1); }\n", "void $A(int a) {\n", "  h$I(a);\n", "}\n", "class {\n",
     "// "},
    {"web/m$N.js", "import { $A as $B } from './m$N';\n", "function $A(x) { return x && $B(x); }\n",
     "class K$A extends K$B { $C() { this.v = 1; return this.$B(); } }\n", "export { $A };\n",
     "export function $A(a) {\n", "  h$I(a);\n", "}\n", "function (\n", "// "},
    {"web/t$N.ts", "import { $A } from './m$N';\n",
     "export function $A(x: number): number { return $B(x); }\n",
     "export class K$A { private v = 1; $C() { return this.v; } }\n", "eval('$A');\n",
     "function $A(a: any) {\n", "  h$I(a);\n", "}\n", "class K$A {\n", "// "},
    {"go/p$N/a.go", "package p\n\nimport \"example.org/x/go/p$N\"\n",
     "func $A(x int) int {\n\tif x > 1 {\n\t\treturn $B(x)\n\t}\n\treturn 0\n}\n",
     "type K$A struct{ v int }\n\nfunc (k *K$A) $C() int { return k.v }\n",
     "func Main() { $A(1) }\n", "func $A(a int) {\n", "\th$I(a)\n", "}\n", "func {\n", "// "},
    {"src/m$N.rs", "use crate::m$N::$A;\n", "fn $A(x: i32) -> i32 { $B(x) }\n",
     "pub struct K$A { v: i32 }\nimpl K$A { fn $C(&self) -> i32 { self.v } }\n", "pub fn $B() {}\n",
     "fn $A(a: i32) {\n", "    h$I(a);\n", "}\n", "fn (\n", "// "},
    {"java/org/M$N.java", "package org;\n\nimport org.M$N;\n", "interface I$A { int $B(int x); }\n",
     "class K$A extends K$B {\n  int v;\n  private int $C() { return v; }\n}\n",
     "class U$A { String s = \"$B\"; }\n", "class L$A { void $A(int a) {\n", "    h$I(a);\n",
     "} }\n", "class {\n", "// "},
}};

struct Manifest {
  std::string_view path, text;
};
constexpr std::array<Manifest, 5> kManifests{
    {{"pyproject.toml", "[project]\nname = 'p'\n[project.scripts]\nrun = 'pkg.m1:alpha'\n"},
     {"go.mod", "module example.org/x\n"},
     {"package.json", "{\"name\": \"w\", \"main\": \"web/m1.js\"}\n"},
     {"Cargo.toml", "[package]\nname = \"c\"\n"},
     {"Makefile", "all:\n"}}};

class Edits {
 public:
  Edits(const GitSandbox& repo, unsigned seed) : repo_(repo), random_(seed) {
    for (const Speech& speech : kSpeech)
      for (int n = 1; n <= 2; ++n)
        write_new(speech, n);
  }

  /// Changes one thing, and says what.
  std::string step() {
    switch (below(10)) {
      case 0:
        return write_new(kSpeech[below(kSpeech.size())], 1 + below(4));
      case 1:
        return remove(any_path());
      case 2:
        return rename(any_path());
      case 3:
        return toggle(kManifests[below(kManifests.size())]);
      case 4:
        return put(any_path(), "\n", true);  // every line moves
      case 5:
        return copy_between();
      case 6:
        return cut(any_path());
      default: {
        const std::string path = any_path();
        return put(path, piece(*speech_of_.at(path)), below(2) == 0);
      }
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string_view name() {
    static constexpr std::array<std::string_view, 6> kNames{"alpha", "beta",  "gamma",
                                                            "delta", "omega", "main"};
    return kNames[below(kNames.size())];
  }

  std::string filled(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '$') {
        out += text[i];
        continue;
      }
      const char what = text[++i];
      out += what == 'N' ? std::to_string(1 + below(4)) : std::string(name());
    }
    return out;
  }
  static std::string numbered(std::string_view text, std::string_view mark, std::size_t n) {
    std::string out(text);
    if (const std::size_t at = out.find(mark); at != std::string::npos)
      out.replace(at, mark.size(), std::to_string(n));
    return out;
  }

  std::string long_function(const Speech& speech) {
    std::string out = filled(speech.head);
    const std::size_t odd = below(24);  // one line in half of them, so that copies are near misses
    for (std::size_t i = 0; i < 12; ++i)
      out += filled(numbered(speech.line, "$I", i == odd ? 99 : i));
    return out + filled(speech.tail);
  }

  std::string piece(const Speech& speech) {
    const std::string_view rule = below(2) == 0 ? "dead-code" : below(2) == 0 ? "clone" : "unknown";
    const std::string quiet = below(5) == 0 ? std::string(speech.comment) + "gatehouse: ignore[" +
                                                  std::string(rule) + "]\n"
                                            : "";
    switch (below(12)) {
      case 0:
      case 1:
        return filled(speech.import);
      case 2:
      case 3:
        return quiet + filled(speech.type);
      case 4:
        return filled(speech.use);
      case 5:
        return filled(speech.broken);
      case 6:
      case 7:
      case 8:
        return quiet + long_function(speech);
      default:
        return quiet + filled(speech.function);
    }
  }

  std::string any_path() {
    auto at = files_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(below(files_.size())));
    return at->first;
  }

  void save(const std::string& path) const {
    std::string text;
    for (const std::string& part : files_.at(path))
      text += part;
    repo_.write(path, text);
  }

  std::string write_new(const Speech& speech, std::size_t n) {
    const std::string path = numbered(speech.path, "$N", n);
    std::vector<std::string>& parts = files_[path];
    parts.clear();
    for (std::size_t i = 1 + below(5); i > 0; --i)
      parts.push_back(piece(speech));
    speech_of_[path] = &speech;
    save(path);
    return "write " + path;
  }

  std::string remove(const std::string& path) {
    if (files_.size() < 3) return "keep " + path;
    files_.erase(path);
    std::filesystem::remove(repo_.at(path));
    return "remove " + path;
  }

  std::string rename(const std::string& path) {
    const std::string to = numbered(speech_of_.at(path)->path, "$N", 5 + below(3));
    if (to == path) return "keep " + path;
    speech_of_[to] = speech_of_.at(path);
    files_[to] = files_.at(path);
    save(to);
    return remove(path) + " for " + to;
  }

  std::string toggle(const Manifest& manifest) {
    const std::string path(manifest.path);
    if (!std::filesystem::remove(repo_.at(path))) repo_.write(path, std::string(manifest.text));
    return "toggle " + path;
  }

  std::string put(const std::string& path, std::string text, bool in_front) {
    std::vector<std::string>& parts = files_.at(path);
    parts.insert(in_front ? parts.begin() : parts.end(), std::move(text));
    save(path);
    return "put into " + path;
  }

  std::string copy_between() {
    const std::string from = any_path(), to = any_path();
    const std::vector<std::string>& parts = files_.at(from);
    return put(to, parts.empty() ? "" : parts[below(parts.size())], false) + " from " + from;
  }

  std::string cut(const std::string& path) {
    std::vector<std::string>& parts = files_.at(path);
    if (!parts.empty())
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(below(parts.size())));
    save(path);
    return "cut " + path;
  }

  const GitSandbox& repo_;
  std::mt19937 random_;  // the same edits in every run
  std::map<std::string, std::vector<std::string>> files_{};
  std::map<std::string, const Speech*> speech_of_{};
};

struct EditSequences : ::testing::TestWithParam<unsigned> {
  /// What `analyze` says to a person, with the digest of the report and the id of the run.
  std::string said(const std::string& jobs) {
    auto request =
        ops::Request::make(*ops::find_operation("analyze"),
                           {.options = {{"store", {"false"}}, {"jobs", {jobs}}}, .operands = {}});
    EXPECT_TRUE(request) << request.error().message;
    ops::Context context{.env = env,
                         .cwd = repo.root(),
                         .read_input = {},
                         .stream = {},
                         .progress = [](std::string_view) {},
                         .notice = {},
                         .interrupted = {}};
    auto reply = ops::analyze(*request, context);
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? reply->text(report::Look{}) : std::string();
  }
  /// The same by a run that finds nothing of earlier ones; what they left stays for the next.
  std::string said_without_memory() {
    const std::string cache = repo.at(".git/gatehouse/cache"), aside = cache + ".aside";
    std::filesystem::rename(cache, aside);
    const std::string out = said("1");
    std::filesystem::remove_all(cache);
    std::filesystem::rename(aside, cache);
    return out;
  }

  LaterEnv env{};
  GitSandbox repo{};
};

TEST_P(EditSequences, SayAfterEachStepWhatARunWithoutMemorySays) {
  const int steps = std::getenv("GH_LONG") != nullptr ? 250 : 25;
  Edits edits(repo, GetParam());
  repo.commit();
  ASSERT_TRUE(contains(said("1"), "Digest"));
  for (int i = 0; i < steps; ++i) {
    const std::string what = edits.step();
    if (i % 7 == 0) repo.git({"add", "-A"});  // git knows some of them, others not yet
    const std::string answer = said(i % 2 == 0 ? "1" : "2");
    ASSERT_EQ(answer, said_without_memory()) << "step " << i << ": " << what;
    ASSERT_EQ(said("1"), answer) << "step " << i << ", asked again: " << what;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, EditSequences, ::testing::Range(1u, 5u));

}  // namespace
}  // namespace gh::testing
