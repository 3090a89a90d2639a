// One answer for one state of the files, however it came about: after every edit of a long sequence
// the run that remembers all earlier ones says what a run that remembers nothing says.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <span>

#include <fmt/format.h>

#include "analysis/run_extract.h"
#include "base/digest.h"
#include "ops/analysis_ops.h"
#include "ops/kept_runs.h"
#include "ops/operation.h"
#include "ops/source_files.h"
#include "report/look.h"
#include "store/ledger.h"
#include "tests/later_env.h"
#include "tests/runs_kit.h"
#include "tests/wide_edits.h"
#include "wire/json.h"

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
      for (std::size_t n = 1; n <= 2; ++n)
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

/// Edits as people make them all day, most of which leave the rest of the project alone; between
/// them those that only look so.
class SmallEdits {
 public:
  SmallEdits(const GitSandbox& repo, unsigned seed) : repo_(repo), random_(seed) {
    for (const Small& small : kSmall)
      for (int n = 1; n <= 6; ++n) {
        const std::string path = fmt::format(fmt::runtime(small.path), n);
        files_[path] = {&small, {std::string(small.head)}, {}};
        for (int i = 0; i < 3; ++i)
          files_[path].parts.push_back(function(small, fresh(), known()));
        save(path);
      }
  }

  std::string step() {
    auto at = files_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(below(files_.size())));
    const std::string path = at->first;
    File& file = at->second;
    file.before.push_back(file.parts);
    const std::string what = edit(file);
    save(path);
    return what + " in " + path;
  }

 private:
  struct Small {
    std::string_view path, head, function, other, comment;
  };
  static constexpr std::array<Small, 4> kSmall{{
      {"pkg/m{}.py", "import os\n\n\n", "def $F(x):\n    y = $U(x)\n    return y + $N\n\n\n",
       "class K$F:\n    def $U(self):\n        return $N\n\n\n", "# "},
      {"web/m{}.js", "import { a } from './m1';\n", "function $F(x) { return $U(x) + $N; }\n",
       "export function $F(x) { return '$U' + $N; }\n", "// "},
      {"c/m{}.c", "#include \"m.h\"\n", "static int $F(int x) { return $U(x) + $N; }\n",
       "int $F(int x) { return x ? $U(x) : $N; }\n", "// "},
      {"go/p{}/a.go", "package p\n", "func $F(x int) int {\n\treturn $U(x) + $N\n}\n",
       "type K$F struct{ v int }\n\nfunc (k *K$F) $U() int { return $N }\n", "// "},
  }};
  struct File {
    const Small* small = nullptr;
    std::vector<std::string> parts{};
    std::vector<std::vector<std::string>> before{};
  };

  std::size_t below(std::size_t n) { return random_() % n; }
  std::string fresh() { return names_.emplace_back(fmt::format("name{}", names_.size())); }
  std::string known() { return names_[below(names_.size())]; }
  /// Of the project, or nobody's.
  std::string used() { return below(3) == 0 ? known() : "outer"; }
  std::string number() { return std::to_string(below(90) + 10); }

  std::string filled(std::string_view text, const std::string& name, const std::string& used) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '$')
        out += text[++i] == 'F' ? name : text[i] == 'U' ? used : number();
      else
        out += text[i];
    return out;
  }
  std::string function(const Small& small, const std::string& name, const std::string& used) {
    return filled(small.function, name, used);
  }
  void add(File& file, std::string text) {
    const std::size_t at = below(3) == 0 ? 1 + below(file.parts.size()) : file.parts.size();
    file.parts.insert(
        file.parts.begin() + static_cast<std::ptrdiff_t>(std::min(at, file.parts.size())),
        std::move(text));
  }
  /// A part that is no head; nullptr when there is none.
  std::string* any_part(File& file) {
    return file.parts.size() < 2 ? nullptr : &file.parts[1 + below(file.parts.size() - 1)];
  }
  static void replace(std::string* text, std::string_view what, const std::string& by) {
    if (text == nullptr) return;
    if (const std::size_t at = text->find(what); at != std::string::npos)
      text->replace(at, what.size(), by);
  }

  std::string edit(File& file) {
    const Small& small = *file.small;
    switch (below(20)) {
      case 0:
      case 1:
      case 2: {
        const std::string name = used();
        add(file, function(small, fresh(), name));
        return "a function";
      }
      case 3: {
        const std::string helper = fresh();
        add(file, function(small, helper, used()));
        if (std::string* part = any_part(file); part != nullptr && below(2) == 0)
          replace(part, "return ", "return " + helper + "(1) + ");
        else
          add(file, function(small, fresh(), helper));
        return "a function and its use";
      }
      case 4:
      case 5:
      case 6:
        replace(any_part(file), "+ ", "+ " + number() + " + ");
        return "a body";
      case 7:
        replace(any_part(file), "return ", "return " + known() + "(2) + ");
        return "a call";
      case 8:
        replace(any_part(file), "name", "noname");
        return "another name";
      case 9:
        if (file.parts.size() > 2)
          file.parts.erase(file.parts.begin() + 1 +
                           static_cast<std::ptrdiff_t>(below(file.parts.size() - 1)));
        return "a cut";
      case 10:
        add(file, function(small, known(), known()));
        return "a function of a known name";
      case 11:
        add(file, filled(small.other, known(), known()));
        return "another thing";
      case 12:
        add(file, std::string(small.comment) + "gatehouse: ignore[dead-code]\n" +
                      function(small, fresh(), known()));
        return "a suppression";
      case 13:
        file.parts.front() += std::string(small.head);
        return "a head";
      case 14:
      case 15:
        add(file, std::string(small.comment) + "a word\n");
        return "a comment";
      case 16:
        file.parts.back() += "\n";
        return "a line";
      default:
        file.parts = file.before[below(file.before.size())];
        return "back";
    }
  }

  void save(const std::string& path) const {
    std::string text;
    for (const std::string& part : files_.at(path).parts)
      text += part;
    repo_.write(path, text);
  }

  const GitSandbox& repo_;
  std::mt19937 random_;
  std::vector<std::string> names_{"alpha"};
  std::map<std::string, File> files_{};
};

struct EditSequences : ::testing::TestWithParam<unsigned> {
  /// What `analyze` says to a person, with the digest of the report and the id of the run.
  std::string said(const std::string& jobs, const std::string& min_loc = "10",
                   bool is_brief = false) {
    auto request = ops::Request::make(*ops::find_operation("analyze"),
                                      {.options = {{"store", {is_stored ? "true" : "false"}},
                                                   {"jobs", {jobs}},
                                                   {"min-loc", {min_loc}}},
                                       .operands = {}});
    EXPECT_TRUE(request) << request.error().message;
    ops::Context context{.env = env,
                         .cwd = repo.root(),
                         .read_input = {},
                         .stream = {},
                         .progress =
                             [&](std::string_view line) {
                               amended += line.starts_with("amended") ? 1 : 0;
                               if (line.starts_with("amended")) told += std::string(line) + "\n";
                             },
                         .notice = {},
                         .interrupted = {}};
    auto reply = ops::analyze(*request, context);
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? reply->text(report::Look{.verbosity = is_brief ? -1 : 0}) : std::string();
  }
  /// The same by a run that finds nothing of earlier ones; what they left stays for the next.
  std::string said_without_memory(const std::string& min_loc = "10", bool is_brief = false) {
    const std::string cache = repo.at(".git/gatehouse/cache"), aside = cache + ".aside";
    std::filesystem::rename(cache, aside);
    const std::string out = said("1", min_loc, is_brief);
    std::filesystem::remove_all(cache);
    std::filesystem::rename(aside, cache);
    return out;
  }

  /// What is kept of the latest run: its row, its report and its extract as they are read again.
  std::string kept() {
    auto ledger = store::Ledger::open_sqlite(repo.at(".git/gatehouse/ledger.db"), 10'000).value();
    const store::AnalysisRunRow row = ledger->analysis_runs({.limit = 1}).value().front();
    const auto report = ops::load_report(*ledger, row);
    const std::string head = ledger->blob(row.extract_sha256).value().value_or("");
    auto extract = analysis::RunExtract::open(
        head, [&](std::size_t part, std::string_view sha256) -> Result<std::string> {
          auto bytes = ledger->run_part(row, static_cast<std::int64_t>(part)).value();
          EXPECT_EQ(digest_of(bytes.value_or("")).hex(), sha256) << part;
          return bytes.value_or("");
        });
    const auto lines = extract ? extract->whole() : Result<Value>(Value());
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_TRUE(lines) << lines.error().message;
    EXPECT_EQ(ledger->check().value(), std::vector<std::string>{});
    return fmt::format("{} {} {} {}\n{}\n{}\n{}\n{}\n", row.run_id, row.inputs_sha256,
                       row.report_digest, row.settings_sha256, wire::canonical_json(row.summary),
                       report ? wire::canonical_json(*report) : "", head,
                       lines ? wire::canonical_json(*lines) : "");
  }

  bool is_stored = false;
  /// The tables of earlier runs are gone: the next one leaves new ones behind.
  void forget() const {
    for (const auto& entry : std::filesystem::directory_iterator(repo.at(".git/gatehouse/cache")))
      if (entry.path().filename().string().starts_with("run-"))
        std::filesystem::remove(entry.path());
  }

  int amended = 0;     // runs that were told from the run before
  std::string told{};  // what was said of them
  LaterEnv env{};
  GitSandbox repo{};
};

TEST_P(EditSequences, OfSmallEditsAreToldFromTheRunBeforeAndSayTheSame) {
  const int steps = std::getenv("GH_LONG") != nullptr ? 400 : 30;
  SmallEdits edits(repo, GetParam());
  repo.commit();
  ASSERT_TRUE(contains(said("1"), "Digest"));
  for (int i = 0; i < steps; ++i) {
    const std::string what = edits.step();
    const std::string min_loc = i % 11 == 10 ? "3" : "10";  // other settings, and back again
    const std::string answer = said(i % 2 == 0 ? "1" : "2", min_loc);
    ASSERT_EQ(answer, said_without_memory(min_loc)) << "step " << i << ": " << what;
    ASSERT_EQ(said("1", min_loc), answer) << "step " << i << ", asked again: " << what;
    if (i % 5 != 0) continue;
    const std::string brief = said("1", min_loc, true);  // how much was read is said in line one
    ASSERT_EQ(brief.substr(brief.find('\n')),
              [&] {
                const std::string other = said_without_memory(min_loc, true);
                return other.substr(other.find('\n'));
              }())
        << "step " << i << ": " << what;
  }
  EXPECT_GT(amended, steps / 6);
}

TEST_P(EditSequences, OfStoredRunsKeepWhatARunWithoutMemoryKeeps) {
  is_stored = true;
  SmallEdits edits(repo, GetParam() + 100);
  repo.commit();
  ASSERT_TRUE(contains(said("1"), "Digest"));
  for (int i = 0; i < (std::getenv("GH_LONG") != nullptr ? 200 : 15); ++i) {
    const std::string what = edits.step();
    const std::string answer = said("1");
    const std::string stored = kept();
    ASSERT_EQ(answer, said_without_memory()) << "step " << i << ": " << what;
    ASSERT_EQ(stored, kept()) << "step " << i << ": " << what;
  }
  EXPECT_GT(amended, 2);
}

/// Parts that are made again, one by one and all together, are those of a whole run.
TEST_P(EditSequences, OfCommitsAreToldInPartsAndSayTheSame) {
  const int steps = std::getenv("GH_LONG") != nullptr ? 400 : 36;
  WideEdits edits(repo, GetParam());
  repo.commit();
  ASSERT_TRUE(contains(said("1"), "Digest"));
  for (int i = 0; i < steps; ++i) {
    if (i % 4 == 0) forget();
    const std::string what = edits.step();
    if (i % 3 == 0) repo.git({"add", "-A"});
    const std::string answer = said(i % 2 == 0 ? "1" : "2");
    ASSERT_EQ(answer, said_without_memory()) << "step " << i << ": " << what << told;
    ASSERT_EQ(said("1"), answer) << "step " << i << ", asked again: " << what;
  }
  EXPECT_GT(amended, steps / 2);
  for (const std::string_view part : {"clones", "imports", "surfaces", "limits", "dead code"})
    EXPECT_TRUE(contains(told, part)) << part << "\n" << told;
}

TEST_P(EditSequences, OfStoredCommitsKeepWhatARunWithoutMemoryKeeps) {
  is_stored = true;
  WideEdits edits(repo, GetParam() + 200);
  repo.commit();
  ASSERT_TRUE(contains(said("1"), "Digest"));
  for (int i = 0; i < (std::getenv("GH_LONG") != nullptr ? 200 : 20); ++i) {
    if (i % 5 == 0) forget();
    const std::string what = edits.step();
    const std::string answer = said("1");
    const std::string stored = kept();
    ASSERT_EQ(answer, said_without_memory()) << "step " << i << ": " << what << told;
    ASSERT_EQ(stored, kept()) << "step " << i << ": " << what << told;
  }
  EXPECT_GT(amended, 8);
}

using Files = std::map<std::string, std::string>;
struct OneCommit {
  std::string_view what;
  Files before, after;  // after: those that are other ones
  std::vector<std::string> gone{};
};

/// What decides over life and stands far from what it decides over.
const std::vector<OneCommit>& commits() {
  static const std::vector<OneCommit> all{
      {"two that use each other lose their only caller",
       {{"a.py", "def ping(x):\n    return pong(x)\n\n\ndef pong(x):\n    return ping(x)\n"},
        {"main.py", "from a import ping\nprint(ping(1))\n"}},
       {{"main.py", "from a import ping\nprint(1)\n"}}},
      {"three that use each other lose their only caller, an import goes too",
       {{"a.py", "def one(x):\n    return two(x)\n"},
        {"b.py", "def two(x):\n    return three(x)\n\n\ndef three(x):\n    return one(x)\n"},
        {"main.py", "from a import one\nprint(one(1))\n"}},
       {{"main.py", "print(1)\n"}}},
      {"an import is what another module asks this one for",
       {{"a.py", "def hidden(x):\n    return x\n"},
        {"b.py", "def other(x):\n    return x\n\n\nprint(other(1))\n"},
        {"main.py", "from b import hidden as shown\nprint(shown(1))\n"}},
       {{"b.py", "from a import hidden\n\n\ndef other(x):\n    return x\n\n\nprint(other(1))\n"}}},
      {"a function comes that another module asks for under another name",
       {{"b.py", "def other(x):\n    return x\n\n\nprint(other(1))\n"},
        {"main.py", "from b import wanted as shown\nprint(shown(1), wanted)\n"}},
       {{"b.py",
         "def other(x):\n    return x\n\n\ndef wanted(x):\n    return x\n\n\nprint(other(1))\n"}}},
      {"a method of a known name comes and its only user goes",
       {{"a.py", "class K:\n    def keep(self):\n        return 1\n\n\nprint(K().keep())\n"},
        {"b.py", "def lost(x):\n    return x\n\n\nprint(lost(1))\n"}},
       {{"a.py",
         "class K:\n    def keep(self):\n        return 1\n\n    def lost(self):\n        return 2"
         "\n\n\nprint(K().keep())\n"},
        {"b.py", "def lost(x):\n    return x\n\n\nprint(1)\n"}}},
      {"a function has another name, and what it alone used dies",
       {{"a.py", "def top(x):\n    return middle(x)\n\n\ndef shared(x):\n    return x\n"},
        {"b.py", "def middle(x):\n    return low(x) + shared(x)\n\n\ndef low(x):\n    return x\n"},
        {"main.py", "print(top(1), shared(2))\n"}},
       {{"a.py", "def other(x):\n    return middle(x)\n\n\ndef shared(x):\n    return x\n"}}},
      {"what only dead code used comes to life",
       {{"a.py", "def one(x):\n    return two(x)\n"},
        {"b.py", "def two(x):\n    return three(x)\n\n\ndef three(x):\n    return two(x)\n"},
        {"main.py", "print(1)\n"}},
       {{"main.py", "print(one(1))\n"}}},
      {"one that asks for silence loses its only caller",
       {{"a.py", "# gatehouse: ignore[dead-code]\ndef quiet(x):\n    return x\n"},
        {"main.py", "print(quiet(1))\n"}},
       {{"main.py", "print(1)\n"}}},
      {"a text comes that names what dies",
       {{"a.py", "def lost(x):\n    return x\n"}, {"main.py", "print(lost(1))\n"}},
       {{"main.py", "print('a.lost')\n"}}},
      {"a text goes that named what dies",
       {{"a.py", "def lost(x):\n    return x\n"}, {"main.py", "print(lost(1), 'lost')\n"}},
       {{"main.py", "print(1)\n"}}},
      {"a text goes that spoke for what only dead code uses",
       {{"a.py", "def dead(x):\n    return lost(x)\n\n\ndef lost(x):\n    return more(x)\n"},
        {"b.py", "def more(x):\n    return x\n"},
        {"main.py", "print('lost')\n"}},
       {{"main.py", "print(1)\n"}}},
      {"what dies is imported under another name by one that lives",
       {{"a.py", "def kept(x):\n    return x\n"},
        {"b.py", "from a import kept as known\n\n\ndef user(x):\n    return known(x)\n"},
        {"main.py", "print(user(1), kept)\n"}},
       {{"main.py", "print(user(1))\n"}}},
      {"a function that uses what it imports under another name has a decorator now",
       {{"a.py", "def kept(x):\n    return x\n"},
        {"b.py", "from a import kept as known\n\n\ndef user(x):\n    return known(x)\n"},
        {"main.py", "print(user(1))\n"}},
       {{"b.py",
         "from a import kept as known\n\n\n@wrapped\ndef user(x):\n    return known(x)\n"}}},
      {"a method dies in a class that nobody sees whole",
       {{"a.py", "class K(outside.Base):\n    def hook(self):\n        return 1\n\n\nprint(K())\n"},
        {"main.py", "print(hook(1))\n"}},
       {{"main.py", "print(1)\n"}}},
      {"a file comes that uses what nobody used",
       {{"a.py", "def lost(x):\n    return low(x)\n"}, {"b.py", "def low(x):\n    return x\n"}},
       {{"later.py", "def caller(x):\n    return lost(x)\n\n\nprint(caller(1))\n"}}},
      {"a file goes that alone used others",
       {{"a.py", "def lost(x):\n    return low(x)\n"},
        {"b.py", "def low(x):\n    return x\n"},
        {"later.py",
         "from a import lost\n\n\ndef caller(x):\n    return lost(x)\n\n\ncaller(1)\n"}},
       {},
       {"later.py"}},
      {"a file goes with functions that were dead",
       {{"a.py", "def kept(x):\n    return x\n\n\nprint(kept(1))\n"},
        {"aaa.py", "def dead(x):\n    return kept(x)\n"},
        {"later.py", "def gone(x):\n    return x\n"},
        {"zzz.py", "def ended(x):\n    return x\n"}},
       {},
       {"later.py"}},
      {"a file comes that another one imports already",
       {{"a.py",
         "import later\n\n\ndef used(x):\n    return later.wanted(x)\n\n\nprint(used(1))\n"}},
       {{"later.py", "def wanted(x):\n    return x\n\n\ndef other(x):\n    return x\n"}}},
      {"a file comes that declares nothing and is imported already",
       {{"a.py", "import later\nprint(later)\n"}},
       {{"later.py", "x = 1\n"}}},
      {"a file goes that declares nothing and is still imported",
       {{"a.py", "import later\nprint(later)\n"}, {"later.py", "x = 1\n"}},
       {},
       {"later.py"}},
      {"an import comes in a module of two files",
       {{"deep.py", "import a\n"}, {"deep/__init__.py", "import b\n"}},
       {{"deep.py", "import a\nimport main\n"}}},
      {"an import comes where there was none, in a module of two files",
       {{"deep.py", "x = 1\n"}, {"deep/__init__.py", "y = 1\n"}},
       {{"deep.py", "import main\n"}}},
      {"a file comes that is imported under another name already",
       {{"main.py", "from later import wanted as shown\nprint(shown(1))\n"}},
       {{"later.py", "def wanted(x):\n    return x\n"}}},
      {"a file comes that is the name of a folder in which sources begin",
       {{"deep/one.py", "import two\nfrom two import low\nprint(low(1))\n"},
        {"deep/two.py", "def low(x):\n    return x\n"}},
       {{"deep.py", "def fresh(x):\n    return x\n"}}},
      {"a file comes in the folder of another that is called the same",
       {{"a.py", "from later import low\nprint(low(1))\n"},
        {"later.py", "def low(x):\n    return x\n"}},
       {{"deep/later.py", "def fresh(x):\n    return low(x)\n"}}},
      {"a file comes whose function bears a known name",
       {{"a.py", "def twice(x):\n    return x\n"}, {"main.py", "print(twice(1))\n"}},
       {{"later.py", "def twice(x):\n    return x\n"}}},
      {"a file comes and another imports it at once",
       {{"a.py", "def low(x):\n    return x\n"}},
       {{"later.py", "def fresh(x):\n    return low(x)\n"},
        {"main.py", "from later import fresh\nprint(fresh(1))\n"}}},
      {"an import closes a circle",
       {{"a.py", "import b\n"}, {"b.py", "import main\n"}, {"main.py", "print(1)\n"}},
       {{"main.py", "import a\nprint(1)\n"}}},
      {"an import opens a circle",
       {{"a.py", "import b\n"}, {"b.py", "import main\n"}, {"main.py", "import a\nprint(1)\n"}},
       {{"main.py", "print(1)\n"}}},
      {"an import for types alone runs now, and another one is deferred",
       {{"a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import b\n"},
        {"b.py", "import main\n"}},
       {{"a.py", "import b\nfrom b import x\n"},
        {"b.py", "def run(y):\n    import main\n    return main\n\n\nprint(run(1))\n"}}},
      {"a class has another base, outside of the project",
       {{"a.py", "class K(object):\n    def hook(self):\n        return 1\n\n\nprint(K())\n"}},
       {{"a.py",
         "class K(outside.Base):\n    def hook(self):\n        return 1\n\n\nprint(K())\n"}}},
  };
  return all;
}

TEST_P(EditSequences, OneCommitThatDecidesOverLifeFarAwayIsSeen) {
  for (std::size_t i = GetParam() - 1; i < commits().size(); i += 4) {
    const OneCommit& commit = commits()[i];
    SCOPED_TRACE(commit.what);
    std::filesystem::remove_all(repo.at(".git/gatehouse"));
    for (const std::string name : {"a", "b", "main"})
      repo.write(name + ".py", "x = 1\n");
    for (int n = 0; n < 8; ++n)
      repo.write("more" + std::to_string(n) + ".py", "y = 1\n");
    for (const auto& [path, text] : commit.before)
      repo.write(path, text);
    ASSERT_TRUE(contains(said("1"), "Digest"));
    repo.write("more0.py", "y = 2\n");
    (void)said("1");  // leaves its tables behind
    const int before = amended;
    for (const auto& [path, text] : commit.after)
      repo.write(path, text);
    for (const std::string& path : commit.gone)
      std::filesystem::remove(repo.at(path));
    const std::string answer = said("1");
    EXPECT_EQ(amended, before + 1);
    EXPECT_EQ(answer, said_without_memory());
    for (const char* path : {"later.py", "aaa.py", "zzz.py", "deep.py", "deep"})
      std::filesystem::remove_all(repo.at(path));
  }
}

TEST_P(EditSequences, AFileThatNobodySpeaksOfComesAndGoesWithoutTheFactsOfAllFiles) {
  repo.write("a.py", "import b\n\n\ndef top(x):\n    return middle(x)\n\n\nprint(top(1))\n");
  repo.write("b.py", "def middle(x):\n    return low(x)\n\n\ndef low(x):\n    return x\n");
  repo.write("leaf.py",
             "from a import top\n\n\ndef only(x):\n    return top(x)\n\n\nprint(only(1))\n");
  for (int n = 0; n < 8; ++n)
    repo.write("more" + std::to_string(n) + ".py", "y = 1\n");
  (void)said("1");
  repo.write("more0.py", "y = 2\n");
  (void)said("1");
  for (const char* text :
       {"from b import low\n\n\ndef fresh(x):\n    return low(x)\n\n\nprint(fresh(1))\n",
        "def fresh(x):\n    return x\n", "print(low(1))\n"}) {
    told.clear();
    repo.write("later.py", text);
    EXPECT_EQ(said("1"), said_without_memory());
    EXPECT_TRUE(contains(told, "imports")) << told;
    EXPECT_FALSE(contains(told, "dead code")) << told;
  }
  std::filesystem::remove(repo.at("later.py"));
  std::filesystem::remove(repo.at("leaf.py"));
  told.clear();
  EXPECT_EQ(said("1"), said_without_memory());
  EXPECT_TRUE(contains(told, "imports")) << told;
  EXPECT_FALSE(contains(told, "dead code")) << told;
}

TEST_P(EditSequences, WhoDiesAndWhoIsBornIsToldWithoutTheFactsOfAllFiles) {
  repo.write("a.py", "def top(x):\n    return middle(x)\n\n\nprint(top(1))\n");
  repo.write("b.py", "def middle(x):\n    return low(x)\n\n\ndef low(x):\n    return x\n");
  for (int n = 0; n < 8; ++n)
    repo.write("more" + std::to_string(n) + ".py", "y = 1\n");
  (void)said("1");
  repo.write("more0.py", "y = 2\n");
  (void)said("1");
  for (const char* name : {"renamed", "again", "top"}) {
    told.clear();
    repo.write("a.py", fmt::format("def {}(x):\n    return middle(x)\n\n\nprint(top(1))\n", name));
    const std::string answer = said("1");
    EXPECT_FALSE(contains(told, "dead code")) << told;
    EXPECT_EQ(contains(answer, "0 symbols that nobody uses, 0 that"),
              std::string_view(name) == "top")
        << answer;
    EXPECT_EQ(answer, said_without_memory());
  }
}

TEST_P(EditSequences, AMemoryThatIsDamagedIsNone) {
  SmallEdits edits(repo, GetParam());
  repo.commit();
  ASSERT_TRUE(contains(said("1"), "Digest"));
  std::size_t damaged = 0;
  for (int i = 0; i < 6; ++i) {
    (void)edits.step();
    for (const auto& entry : std::filesystem::directory_iterator(repo.at(".git/gatehouse/cache"))) {
      if (!entry.path().filename().string().starts_with("run-")) continue;
      std::string bytes = bytes_of(entry.path());
      if (i % 3 == 0)
        bytes.resize(bytes.size() / 2);
      else if (i % 3 == 1)
        bytes[bytes.size() * static_cast<std::size_t>(i) / 13] ^= 4;
      else
        std::swap(bytes.front(), bytes.back());
      std::ofstream(entry.path(), std::ios::trunc) << bytes;
      ++damaged;
    }
    const int before = amended;
    ASSERT_EQ(said("1"), said_without_memory()) << "step " << i;
    EXPECT_EQ(amended, before) << "step " << i;
  }
  EXPECT_GT(damaged, 0u);
}

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

/// Which files a run reads must not depend on whether git was asked for those it does not track,
/// nor on what is known of folders since the last time.
struct SourceFiles : ::testing::TestWithParam<bool> {};
TEST_P(SourceFiles, AreThoseThatGitTracksOrWouldTrack) {
  GitSandbox repo;
  LaterEnv env;
  std::string kept;
  for (const char* path : {"a.py", "pkg/b.py", "pkg/deep/c.py", "docs/notes.txt"})
    repo.write(path, "x = 1\n");
  repo.write(".gitignore", "skip*.py\n/hidden/\n");
  repo.commit();
  const auto paths = [&] {
    git::OpenOptions options;
    options.folder = repo.root();
    auto opened = git::Repo::open(options, env);
    EXPECT_TRUE(opened) << opened.error().message;
    const auto source = ops::files_on_disk(repo.root(), &*opened);
    ops::FileStamps stamps(kept);
    if (GetParam()) source->use(stamps, env.now().seconds * 1'000'000'000);
    const auto entries = source->list();
    EXPECT_TRUE(entries) << entries.error().message;
    kept = stamps.bytes();
    std::string out;
    for (const analysis::SourceEntry& entry : *entries)
      out += entry.path + " ";
    return out;
  };
  EXPECT_EQ(paths(), "a.py pkg/b.py pkg/deep/c.py ");
  repo.write("docs/more.txt", "no source\n");
  repo.write("build/made.py", "x = 1\n");
  EXPECT_EQ(paths(), "a.py pkg/b.py pkg/deep/c.py ");
  repo.write("pkg/skip1.py", "x = 1\n");
  repo.write("hidden/h.py", "x = 1\n");
  EXPECT_EQ(paths(), "a.py pkg/b.py pkg/deep/c.py ");
  repo.write("pkg/new.py", "x = 1\n");
  EXPECT_EQ(paths(), "a.py pkg/b.py pkg/deep/c.py pkg/new.py ");
  std::filesystem::remove(repo.at("pkg/new.py"));
  std::filesystem::remove_all(repo.at("hidden"));
  repo.write("other/deep/d.py", "x = 1\n");
  EXPECT_EQ(paths(), "a.py other/deep/d.py pkg/b.py pkg/deep/c.py ");
  std::filesystem::remove_all(repo.at("other"));
  std::filesystem::remove(repo.at("pkg/skip1.py"));
  std::filesystem::remove(repo.at("a.py"));
  repo.write("a.py/inner.py", "x = 1\n");
  EXPECT_EQ(paths(), "a.py/inner.py pkg/b.py pkg/deep/c.py ");
  std::filesystem::remove_all(repo.at("a.py"));
  repo.git({"rm", "-q", "-r", "--cached", "pkg/deep"});
  EXPECT_EQ(paths(), "pkg/b.py pkg/deep/c.py ");
  repo.write(".gitignore", "skip*.py\nc.py\n");  // nothing in that folder changed
  EXPECT_EQ(paths(), "pkg/b.py ");
}

INSTANTIATE_TEST_SUITE_P(Remembering, SourceFiles, ::testing::Bool());

INSTANTIATE_TEST_SUITE_P(Seeds, EditSequences, ::testing::Range(1u, 5u));

}  // namespace
}  // namespace gh::testing
