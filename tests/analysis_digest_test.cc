// One digest for one content: whatever the cache, the threads, the folder, the locale or the clock.
#include <gtest/gtest.h>

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

  std::string digest(const Words& more = {}, const Words& before = {}) const {
    Words words = before;
    words.insert(words.end(), {kit::gatehouse_binary(), "analyze", "-C", root.string(),
                               "--no-store", "--field", "integrity.digest.value"});
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = kit::run(words, {.cwd = scratch.path()});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out.size(), 65u) << ran.out;
    return ran.out;
  }

  kit::Scratch scratch;
  kit::fs::path root;
};

TEST(AnalysisDigest, ColdAndWarmWorkTreeIndexAndRevisionAreOne) {
  const Tree tree;
  const std::string cold = tree.digest();
  ASSERT_TRUE(kit::fs::exists(tree.cache() / "facts.gpk"));
  EXPECT_EQ(tree.digest(), cold);
  EXPECT_EQ(tree.digest({"--rev", "HEAD"}), cold);
  EXPECT_EQ(tree.digest({"--rev", "HEAD"}), cold) << "without reading a blob";
  EXPECT_EQ(tree.digest({"--staged"}), cold);
  kit::fs::remove_all(tree.cache());
  EXPECT_EQ(tree.digest({"--rev", "HEAD"}), cold);
}

TEST(AnalysisDigest, NumberOfThreadsOtherRootLocaleAndTimeZoneDoNotMatter) {
  const Tree tree, other("another-name-of-the-folder");
  const std::string one = tree.digest({"--jobs", "1"});
  for (const char* jobs : {"2", "8"}) {
    kit::fs::remove_all(tree.cache());
    EXPECT_EQ(tree.digest({"--jobs", jobs}), one) << jobs;
  }
  EXPECT_EQ(other.digest(), one);
  EXPECT_EQ(tree.digest({}, {"env", "LC_ALL=tr_TR.UTF-8", "TZ=Asia/Kathmandu"}), one);
  EXPECT_EQ(tree.digest({}, {"env", "LC_ALL=C", "TZ=UTC"}), one);
}

TEST(AnalysisDigest, EachKindOfDamageToTheCacheChangesNothing) {
  const Tree tree;
  const std::string whole = tree.digest();
  const std::string pack = kit::read(tree.cache() / "facts.gpk");
  const std::string index = kit::read(tree.cache() / "facts.gpi");
  const auto put = [&](std::string_view pack_bytes, std::string_view index_bytes) {
    kit::write(tree.cache() / "facts.gpk", pack_bytes);
    kit::write(tree.cache() / "facts.gpi", index_bytes);
  };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, pack.size() / 2, pack.size() - 1}) {
    put(std::string_view(pack).substr(0, size), index);
    EXPECT_EQ(tree.digest(), whole) << "cut to " << size;
  }
  for (std::size_t at = 5; at < pack.size(); at += pack.size() / 7) {
    std::string flipped = pack;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    put(flipped, index);
    EXPECT_EQ(tree.digest(), whole) << "a bit at " << at;
  }
  put(pack, "nonsense");
  EXPECT_EQ(tree.digest(), whole);
  put("another file", index);
  EXPECT_EQ(tree.digest(), whole);
  kit::fs::remove_all(tree.cache());
  kit::write(tree.cache(), "a file where the folder was");
  EXPECT_EQ(tree.digest(), whole);
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
