// One digest for one content: whatever the cache, the threads, the folder, the locale or the clock.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "analysis/canonical_report.h"
#include "analysis/report_view.h"
#include "analysis/run.h"
#include "tests/kit.h"

namespace gh {
namespace {

using kit::Ran;
using kit::Words;

constexpr std::string_view kPython =
    "import os\n\n\n"
    "class Store:\n"
    "    def __init__(self, path):\n"
    "        self.path = path\n"
    "        self.rows = []\n\n"
    "    def load(self, limit):\n"
    "        rows = []\n"
    "        for name in os.listdir(self.path):\n"
    "            if name.startswith('.') or not limit:\n"
    "                continue\n"
    "            try:\n"
    "                rows.append(open(name).read())\n"
    "            except OSError:\n"
    "                rows.append(None)\n"
    "        self.rows = rows\n"
    "        limit = limit - 1\n"
    "        total = len(rows)\n"
    "        print(total)\n"
    "        return rows\n";

struct Tree {
  explicit Tree(const std::string& name = "repo") : root(scratch.path() / name) {
    kit::fs::create_directories(root);
    kit::git_says(root, {"init", "-q", "-b", "main"});
    for (int i = 0; i < 12; ++i)
      kit::write(root / ("pkg/m" + std::to_string(i) + ".py"),
                 "from pkg import m" + std::to_string((i + 1) % 12) + "\n" + std::string(kPython));
    kit::write(root / "pkg/__init__.py", "");
    kit::write(root / "web/app.ts",
               "export function f(a: number) { if (a) { return 1 } return 2 }\n");
    kit::write(root / "broken.py", "def f(:\n    pass\n\n\ndef g():\n    return 1\n");
    kit::git_says(root, {"add", "-A"});
    kit::git_says(root, {"commit", "-q", "-m", "base"});
  }
  kit::fs::path cache() const { return root / ".git/gatehouse/cache"; }

  std::string field(const std::string& name, const Words& more = {},
                    const Words& before = {}) const {
    Words words = before;
    words.insert(words.end(), {kit::gatehouse_binary(), "analyze", "-C", root.string(),
                               "--no-store", "--field", name});
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = kit::run(words, {.cwd = scratch.path()});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.out;
  }
  std::string digest(const Words& more = {}, const Words& before = {}) const {
    const std::string out = field("integrity.digest.value", more, before);
    EXPECT_EQ(out.size(), 65u) << out;
    return out;
  }

  kit::Scratch scratch;
  kit::fs::path root;
};

TEST(AnalysisDigest, ColdAndWarm) {
  const Tree tree;
  const std::string cold = tree.digest();
  ASSERT_TRUE(kit::fs::exists(tree.cache() / "facts.gpk"));
  EXPECT_EQ(tree.digest(), cold);
  EXPECT_EQ(tree.digest(), cold) << "and once more";
  EXPECT_EQ(tree.field("meta.runtime.cache.status"), "ok\n") << "it was warm";
}

TEST(AnalysisDigest, WorkTreeIndexAndRevision) {
  const Tree tree;
  const std::string cold = tree.digest();
  EXPECT_EQ(tree.digest({"--rev", "HEAD"}), cold);
  EXPECT_EQ(tree.digest({"--rev", "HEAD"}), cold) << "without reading a blob";
  EXPECT_EQ(tree.digest({"--staged"}), cold);
  kit::fs::remove_all(tree.cache());
  EXPECT_EQ(tree.digest({"--rev", "HEAD"}), cold);
  kit::fs::remove_all(tree.cache());
  EXPECT_EQ(tree.digest({"--staged"}), cold);
}

TEST(AnalysisDigest, OneTwoAndEightThreads) {
  const Tree tree;
  const std::string one = tree.digest({"--jobs", "1"});
  for (const char* jobs : {"2", "8", "64"}) {
    EXPECT_EQ(tree.digest({"--jobs", jobs}), one) << jobs << ", warm";
    kit::fs::remove_all(tree.cache());
    EXPECT_EQ(tree.digest({"--jobs", jobs}), one) << jobs << ", cold";
  }
}

/// The same files, told in an order that the test chooses.
class Listed final : public analysis::FileSource {
 public:
  explicit Listed(std::vector<std::pair<std::string, std::string>> files)
      : files_(std::move(files)) {}
  Result<std::vector<analysis::SourceEntry>> list() override {
    std::vector<analysis::SourceEntry> out;
    for (const auto& [path, text] : files_)
      out.push_back({path, text.size()});
    return out;
  }
  Result<std::string> read(const analysis::SourceEntry& entry) override {
    return std::ranges::find(files_, entry.path, &std::pair<std::string, std::string>::first)
        ->second;
  }

 private:
  std::vector<std::pair<std::string, std::string>> files_;
};

std::string digest_of_listed(const std::vector<std::pair<std::string, std::string>>& files) {
  Listed source(files);
  const analysis::Project project = analysis::analyse(source, {}).value();
  return std::string(
      analysis::stated_digest(analysis::canonical_report(project, analysis::find_all(project))));
}

TEST(AnalysisDigest, ShuffledFiles) {
  std::vector<std::pair<std::string, std::string>> files{
      {"pyproject.toml", "[project]\nname = 'p'\n[project.scripts]\nrun = 'pkg.m1:main'\n"},
      {"setup.cfg", "[metadata]\nname = p\n"},
      {"go.mod", "module example.org/a\n"},
      {"below/go.mod", "module example.org/b\n"},
      {"a.go", "package a\n\nimport \"example.org/b/c\"\n\nfunc F() int { return c.G() }\n"},
      {"below/c/c.go", "package c\n\nfunc G() int { return 1 }\n"},
      {"lib/a.h", "int f(int);\nstruct S { int a; int g() { return a; } };\n"},
      {"lib/a.cc", "#include \"a.h\"\nint f(int x) { if (x) return 1; return 2; }\n"},
      {"web/app.ts", "import { g } from './b';\nexport function f(a: number) { return g(a) }\n"},
      {"web/b.ts", "export function g(a: number) { return a ? 1 : 2 }\n"},
      {"broken.py", "def f(:\n    pass\n"}};
  for (int i = 0; i < 12; ++i)
    files.emplace_back(
        "pkg/m" + std::to_string(i) + ".py",
        "from pkg import m" + std::to_string((i + 5) % 12) + "\n" + std::string(kPython));
  const std::string as_typed = digest_of_listed(files);
  EXPECT_EQ(as_typed.size(), 64u);
  std::ranges::reverse(files);
  EXPECT_EQ(digest_of_listed(files), as_typed) << "backwards";
  std::mt19937 random(20250101);  // the same orders in every run
  for (int round = 0; round < 20; ++round) {
    std::ranges::shuffle(files, random);
    EXPECT_EQ(digest_of_listed(files), as_typed) << "order " << round;
  }
}

TEST(AnalysisDigest, OtherRoot) {
  const Tree tree, other("another-name-of-the-folder"), deep("a/b c/d\xc3\xa9");
  EXPECT_EQ(other.digest(), tree.digest());
  EXPECT_EQ(deep.digest(), tree.digest());
}

TEST(AnalysisDigest, OtherLocale) {
  const Tree tree;
  const std::string plain = tree.digest({}, {"env", "LC_ALL=C"});
  for (const char* locale : {"LC_ALL=tr_TR.UTF-8", "LC_ALL=C.UTF-8", "LC_ALL=de_DE.ISO-8859-1",
                             "LC_NUMERIC=de_DE.UTF-8", "LC_ALL=nonsense"}) {
    kit::fs::remove_all(tree.cache());
    EXPECT_EQ(tree.digest({}, {"env", locale}), plain) << locale;
  }
}

TEST(AnalysisDigest, OtherTimeZone) {
  const Tree tree;
  const std::string utc = tree.digest({}, {"env", "TZ=UTC"});
  for (const char* zone : {"TZ=Asia/Kathmandu", "TZ=America/St_Johns", "TZ=XYZ-14"}) {
    kit::fs::remove_all(tree.cache());
    EXPECT_EQ(tree.digest({}, {"env", zone}), utc) << zone;
  }
}

/// A cache of one run, what is done to it, and that the run after it says the same, and the one
/// after that, which finds what the damage left behind.
struct Damage : ::testing::Test {
  Damage() : whole(tree.digest()), pack(kit::read(pack_path())), index(kit::read(index_path())) {}
  kit::fs::path pack_path() const { return tree.cache() / "facts.gpk"; }
  kit::fs::path index_path() const { return tree.cache() / "facts.gpi"; }
  void put(std::string_view pack_bytes, std::string_view index_bytes) const {
    kit::write(pack_path(), pack_bytes);
    kit::write(index_path(), index_bytes);
  }
  void expect_same(const std::string& after) const {
    EXPECT_EQ(tree.digest(), whole) << after;
    EXPECT_EQ(tree.digest(), whole) << after << ", the run after it";
    EXPECT_EQ(tree.digest({"--rev", "HEAD"}), whole) << after << ", a revision";
  }
  const Tree tree{};
  const std::string whole, pack, index;
};
using AnalysisDigestAfter = Damage;

TEST_F(AnalysisDigestAfter, Truncation) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{32}, std::size_t{64},
                                 pack.size() / 2, pack.size() - 1}) {
    put(std::string_view(pack).substr(0, size), index);
    expect_same("pack cut to " + std::to_string(size));
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{40}, index.size() - 1}) {
    put(pack, std::string_view(index).substr(0, size));
    expect_same("index cut to " + std::to_string(size));
  }
}

TEST_F(AnalysisDigestAfter, FlippedBits) {
  const auto flipped = [](std::string bytes, std::size_t at) {
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    return bytes;
  };
  for (std::size_t at = 5; at < pack.size(); at += pack.size() / 11) {
    put(flipped(pack, at), index);
    expect_same("a bit of the pack at " + std::to_string(at));
  }
  for (std::size_t at = 3; at < index.size(); at += index.size() / 7) {
    put(pack, flipped(index, at));
    expect_same("a bit of the index at " + std::to_string(at));
  }
}

TEST_F(AnalysisDigestAfter, AnotherVersion) {
  std::string later = pack;
  later[later.find("pack 1") + 5] = '2';
  put(later, index);
  expect_same("a pack of the next version");
  later = index;
  later[later.find("index1") + 5] = '2';
  put(pack, later);
  expect_same("an index of the next version");
}

TEST_F(AnalysisDigestAfter, Deletion) {
  kit::fs::remove(index_path());
  expect_same("no index");
  kit::fs::remove(pack_path());
  expect_same("no pack");
  kit::fs::remove_all(tree.cache());
  expect_same("no folder");
}

TEST_F(AnalysisDigestAfter, WhatCannotBeRead) {
  kit::fs::permissions(pack_path(), kit::fs::perms::none);
  expect_same("a pack without permissions");
  kit::fs::remove(pack_path());
  ASSERT_EQ(::mkfifo(pack_path().c_str(), 0600), 0);
  expect_same("a pipe, which would be waited for");
  kit::fs::remove(pack_path());
  kit::fs::create_symlink("facts.gpk", pack_path());
  expect_same("a link to itself");
}

TEST_F(AnalysisDigestAfter, AFolderOrAFileInTheWay) {
  for (const kit::fs::path& path : {pack_path(), index_path()}) {
    kit::fs::remove(path);
    kit::fs::create_directory(path);
    expect_same(path.string() + " is a folder");
    kit::fs::remove_all(path);
  }
  kit::fs::remove_all(tree.cache());
  kit::write(tree.cache(), "a file where the folder was");
  EXPECT_EQ(tree.digest(), whole) << "the folder is a file";
}

TEST_F(AnalysisDigestAfter, BytesOfAnotherFile) {
  put(pack, "nonsense");
  expect_same("another index");
  put("another file", index);
  expect_same("another pack");
}

TEST(AnalysisDigest, OneChangedFileIsSeenThroughAWarmCache) {
  const Tree tree;
  const std::string before = tree.digest();
  kit::write(tree.root / "pkg/m3.py", std::string(kPython) + "\n\ndef more(a):\n    return a\n");
  const std::string after = tree.digest();
  EXPECT_NE(after, before);
  kit::fs::remove_all(tree.cache());
  EXPECT_EQ(tree.digest(), after);
}

}  // namespace
}  // namespace gh
