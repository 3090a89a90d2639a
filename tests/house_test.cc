// The repository's own promises: what the binary needs, what ./dev offers, what the lock files
// hold.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace {

struct Output {
  std::string text;
  int status = -1;
};

Output shell(const std::string& line) {
  Output out;
  std::FILE* pipe = popen((line + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return out;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    out.text.append(buffer, n);
  out.status = pclose(pipe);
  return out;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

#ifndef GH_SANITIZED
// docs/adr/0004: whatever else is needed comes from archives, or start-up pays for it.
TEST(Binary, NeedsOnlyTheLibrariesOfC) {
  const auto out = shell("readelf --wide --dynamic '" GH_BINARY "-main'");
  ASSERT_EQ(out.status, 0) << out.text;
  std::set<std::string> needed;
  std::istringstream lines(out.text);
  for (std::string line; std::getline(lines, line);)
    if (line.find("(NEEDED)") != std::string::npos) {
      const auto from = line.find('[') + 1;
      needed.insert(line.substr(from, line.find(".so", from) - from));
    }
  EXPECT_TRUE(needed.contains("libc"));
  for (const auto& library : needed)
    EXPECT_TRUE((std::set<std::string>{"libc", "libm", "ld-linux-x86-64"}).contains(library))
        << library;
}
#endif

// docs/adr/0014: a cache may be cut at any time, and a mapped file that is cut ends its reader.
TEST(Sources, MapNoFile) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src"))
    if (entry.is_regular_file() && entry.path().extension() == ".cc")
      EXPECT_EQ(text_of(entry.path()).find("::mmap("), std::string::npos) << entry.path();
}

TEST(Dev, HelpNamesEveryVerb) {
  const auto out = shell("./dev help");
  EXPECT_EQ(out.status, 0);
  for (const std::string_view verb :
       {"setup", "build", "demo", "run", "test", "test --all", "bench", "--check", "fuzz",
        "--seconds", "roundtrip", "torture", "oracle", "corpora", "mutate-tables", "lint", "format",
        "install", "ci-fresh"})
    EXPECT_NE(out.text.find(verb), std::string::npos) << verb;
}

TEST(Dev, AnUnknownVerbIsRefusedWithTheHelp) {
  const auto out = shell("./dev tset");
  EXPECT_NE(out.status, 0);
  EXPECT_NE(out.text.find("there is no verb 'tset'"), std::string::npos);
  EXPECT_NE(out.text.find("Usage:"), std::string::npos);
}

TEST(Dev, EveryListedTableStillHasCellsToFlip) {
  const auto out = shell(".cache/bin/node tools/mutate-tables.mjs --list");
  EXPECT_EQ(out.status, 0) << out.text;
  EXPECT_NE(out.text.find("patch_rules"), std::string::npos);
}

TEST(Dev, EveryTableOfTheProductIsListedForMutation) {
  const auto out = shell(".cache/bin/node tools/mutate-tables.mjs --unlisted");
  EXPECT_EQ(out.status, 0) << "not in tools/tables.list:\n" << out.text;
}

TEST(LockFiles, HoldIntegrityAndNoAddress) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("third_party")) {
    const std::string lock = text_of(entry.path() / "package-lock.json");
    EXPECT_NE(lock.find("\"integrity\""), std::string::npos) << entry.path();
    EXPECT_EQ(lock.find("\"resolved\""), std::string::npos) << entry.path();
    ++seen;
  }
  EXPECT_GE(seen, 3);
}

}  // namespace
