// The shape gate beside real git: what is accepted makes git produce exactly the bytes that the
// patch shows, and what git would read in a second way is refused.
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "diff/patch.h"
#include "diff/shape_cases.h"
#include "sys/process.h"

namespace gh::diff {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

/// A repository in a folder of its own; git sees no configuration but the repository's.
class ScratchRepo {
 public:
  ScratchRepo() {
    std::string name = (fs::temp_directory_path() / "gatehouse-diff-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = name;
    must({"init", "-q", "."});
  }
  ScratchRepo(const ScratchRepo&) = delete;
  ScratchRepo& operator=(const ScratchRepo&) = delete;
  ~ScratchRepo() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  sys::Finished git(std::vector<std::string> args, std::string_view input = {}) const {
    args.insert(args.begin(), "/usr/bin/git");
    sys::Command command;
    command.argv = args;
    command.environment = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C",
                           "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"};
    command.cwd = path_;
    command.input = input;
    command.max_output = 64u << 20;
    auto done = sys::run(command);
    if (!done) throw std::runtime_error(done.error().message);
    return *done;
  }
  std::string must(std::vector<std::string> args, std::string_view input = {}) const {
    const auto done = git(args, input);
    if (done.exit_code != 0) throw std::runtime_error("git " + args[0] + ": " + done.err);
    return done.out;
  }

 private:
  std::string path_;
};

struct File {
  std::string bytes;
  std::string mode = "100644";
};
using Files = std::map<std::string, File>;

void append_commit(std::string& stream, const std::string& ref, const Files& files) {
  stream += "commit refs/heads/" + ref + "\ncommitter T <t@example.org> 0 +0000\ndata 0\n";
  for (const auto& [path, file] : files)
    stream += "M " + file.mode + " inline " + quote(path) + "\ndata " +
              std::to_string(file.bytes.size()) + "\n" + file.bytes + "\n";
}

/// Tree id of every branch.
std::map<std::string, std::string> trees_of(const ScratchRepo& repo) {
  std::map<std::string, std::string> trees;
  std::string out = repo.must({"for-each-ref", "--format=%(refname:short) %(tree)"});
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t space = out.find(' ', at), lf = out.find('\n', at);
    trees[out.substr(at, space - at)] = out.substr(space + 1, lf - space - 1);
    at = lf + 1;
  }
  return trees;
}

// The base that a patch talks about, and what becomes of it, read off its hunks alone: old lines at
// their old places, filler between them, more filler behind a hunk that ends in context.

std::string filler(std::int64_t line) { return "filler " + std::to_string(line) + "\n"; }

struct Sides {
  std::string before, after;
};

Sides sides_of(const Section& section) {
  Sides sides;
  std::int64_t next = 1;
  bool closed = section.op == Operation::create || section.op == Operation::remove;
  for (const Hunk& hunk : section.hunks) {
    const std::int64_t first = hunk.old_count == 0 ? hunk.old_start + 1 : hunk.old_start;
    for (; next < first; ++next) {
      sides.before += filler(next);
      sides.after += filler(next);
    }
    for_each_line(hunk, [&](char kind, std::string_view text, std::int64_t, bool has_newline) {
      const std::string line = std::string(text) + (has_newline ? "\n" : "");
      if (kind != '+') sides.before += line;
      if (kind != '-') sides.after += line;
    });
    next = first + hunk.old_count;
    closed = hunk.trailing_context == 0 || hunk.old_no_newline || hunk.new_no_newline;
  }
  for (int i = 0; i < 3 && !closed; ++i, ++next) {
    sides.before += filler(next);
    sides.after += filler(next);
  }
  return sides;
}

std::string mode_text(std::optional<FileMode> mode) { return mode ? to_string(*mode) : "100644"; }

struct Trees {
  Files before, after;
};

Trees trees_of(const Patch& patch) {
  Trees trees;
  for (const Section& s : patch.sections) {
    const Sides sides = sides_of(s);
    if (s.op != Operation::create) trees.before[s.old_path] = {sides.before, mode_text(s.old_mode)};
    if (s.op == Operation::copy) trees.after[s.old_path] = trees.before[s.old_path];
    if (s.op != Operation::remove)
      trees.after[s.new_path] = {sides.after, mode_text(s.new_mode ? s.new_mode : s.old_mode)};
  }
  return trees;
}

std::string numstat_of(const Patch& patch) {
  std::map<std::string, std::string> rows;
  for (const Section& s : patch.sections)
    rows[s.new_path] = std::to_string(s.added) + "\t" + std::to_string(s.deleted) + "\t" +
                       s.new_path + std::string(1, '\0');
  std::string out;
  for (const auto& [path, row] : rows)
    out += row;
  return out;
}

/// Names and modes that a later gate refuses have no tree to compare.
bool is_for_git(const Patch& patch) {
  for (const Section& s : patch.sections) {
    if (s.new_path.empty() || s.new_path.find('\0') != std::string::npos) return false;
    if (s.new_mode == FileMode::gitlink) return false;
  }
  return true;
}

TEST(DiffAgainstGit, EveryAcceptedInputGivesTheTreeAndTheCountsThatItShows) {
  struct Accepted {
    std::string title, canonical, numstat;
  };
  std::vector<Accepted> accepted;
  std::string stream;
  for (const ShapeCase& c : shape_cases()) {
    if (c.answer != "accept" || c.position != Position::exact || c.input.size() > 1'000'000)
      continue;
    const auto patch = parse(c.input, c.profile, c.position);
    ASSERT_TRUE(patch.has_value()) << c.title;
    if (!is_for_git(*patch)) continue;
    const std::string number = std::to_string(accepted.size());
    const Trees trees = trees_of(*patch);
    append_commit(stream, "before-" + number, trees.before);
    append_commit(stream, "after-" + number, trees.after);
    accepted.push_back({c.title, print_canonical(*patch), numstat_of(*patch)});
  }
  ASSERT_GT(accepted.size(), 40u);
  const ScratchRepo repo;
  repo.must({"fast-import", "--quiet"}, stream);
  const auto trees = trees_of(repo);
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    SCOPED_TRACE(accepted[i].title + "\n" + accepted[i].canonical);
    const std::string number = std::to_string(i);
    EXPECT_EQ(repo.must({"apply", "--numstat", "-z"}, accepted[i].canonical), accepted[i].numstat);
    repo.must({"read-tree", trees.at("before-" + number)});
    const auto applied = repo.git({"apply", "--cached"}, accepted[i].canonical);
    ASSERT_EQ(applied.exit_code, 0) << applied.err;
    EXPECT_EQ(repo.must({"write-tree"}), trees.at("after-" + number) + "\n");
  }
}

TEST(DiffAgainstGit, QuotesEveryByteAsGitDoes) {
  Files files;
  for (int byte = 1; byte < 256; ++byte)
    if (byte != '/') files[std::string("n") + static_cast<char>(byte) + "x"] = {"x\n"};
  // fast-import reads our own quoting; ls-tree -z shows git's raw bytes, ls-tree its quoting.
  std::string stream;
  append_commit(stream, "names", files);
  const ScratchRepo repo;
  repo.must({"fast-import", "--quiet"}, stream);
  const std::string raw = repo.must({"ls-tree", "-z", "--name-only", "names"});
  const std::string quoted =
      repo.must({"-c", "core.quotepath=true", "ls-tree", "--name-only", "names"});
  std::size_t raw_at = 0, quoted_at = 0, seen = 0;
  while (raw_at < raw.size()) {
    const std::size_t nul = raw.find('\0', raw_at), lf = quoted.find('\n', quoted_at);
    const std::string name = raw.substr(raw_at, nul - raw_at);
    EXPECT_TRUE(files.contains(name));
    EXPECT_EQ(quote(name), quoted.substr(quoted_at, lf - quoted_at));
    raw_at = nul + 1;
    quoted_at = lf + 1;
    ++seen;
  }
  EXPECT_EQ(seen, 254u);
}

// ------------------------------------------------------ second readings (patch-gate 2.1)

/// What git does with the submitted bytes when nothing stands before it, and what the gate says.
struct Differential {
  std::string_view reading;
  std::string input;
  std::string git_changes;  // paths that differ afterwards, comma between; "-": git refuses
  std::string rule;
};

std::string modify(std::string_view path) {
  const std::string p(path);
  return "diff --git a/" + p + " b/" + p + "\n--- a/" + p + "\n+++ b/" + p +
         "\n@@ -1 +1 @@\n-one\n+two\n";
}
const std::string kHidden = "--- a/secret\n+++ b/secret\n@@ -1 +1 @@\n-one\n+two\n";
const std::string kShown = modify("shown");
const std::string kGitLine = "diff --git a/shown b/shown\n";
const std::string kChmod = kGitLine + "old mode 100644\nnew mode 100755\n";
const std::string kToFresh = "diff --git a/shown b/fresh\n";
const std::string kLong = "diff --git a/long b/long\n--- a/long\n+++ b/long\n";
const std::string kSides = "--- a/shown\n+++ b/shown\n";
const std::string kHunk = "@@ -1 +1 @@\n-one\n+two\n";

std::vector<Differential> differentials() {
  // clang-format off
  return {
      {"hidden section", kShown + kHidden, "secret,shown", "junk_between_sections"},
      {"hidden section", kShown + "-- \n2.39.5\n" + kHidden, "secret,shown", "junk_between_sections"},
      {"hidden section", kShown + "```\n\n" + kHidden, "secret,shown", "junk_between_sections"},
      {"hidden section", kShown + "Index: secret\n" + kHidden, "secret,shown", "junk_between_sections"},
      {"hidden section", kShown + "diff --cc secret\n" + kHidden, "secret,shown", "junk_between_sections"},
      {"hidden section", kShown + "\n" + kHidden, "secret,shown", "junk_between_sections"},

      {"short hunk count", kShown + "+more\n", "shown", "junk_between_sections"},
      {"short hunk count", kShown + "-more\n more\n", "shown", "junk_between_sections"},
      {"short hunk count", kShown + "+more\n" + kHidden, "secret,shown", "junk_between_sections"},

      {"name disagreement", kGitLine + kHidden, "secret", "name_mismatch"},
      {"name disagreement", kGitLine + "--- a/shown\n+++ b/fresh\n" + kHunk, "fresh,shown", "name_mismatch"},
      {"name disagreement", kGitLine + "rename from secret\nrename to fresh\n", "fresh,secret", "name_mismatch"},
      {"name disagreement", kToFresh + "rename old shown\nrename new fresh\n", "fresh,shown", "header_unknown"},
      {"name disagreement", kToFresh + "rename from shown\nrename to fresh\nrename to other\n", "other,shown", "duplicate_header"},
      {"name disagreement", kGitLine + kSides + "old mode 100644\nnew mode 100755\n" + kHunk, "shown", "missing_hunk"},

      {"name leak", "diff --git a/secret b/secret\n" + kChmod, "secret", "section_empty"},
      {"name leak", "diff --git a/secret b/secret\n" + kShown, "-", "section_empty"},
      {"name leak", "diff --git a/secret b/secret\n\n" + kChmod, "secret", "header_unknown"},
      {"name leak", kShown + "diff --git a/secret b/secret\n", "shown", "section_empty"},

      {"/dev/null without its header", kGitLine + "--- /dev/null\n+++ b/fresh\n@@ -0,0 +1 @@\n+x\n", "-", "devnull_mismatch"},
      {"/dev/null without its header", kGitLine + "--- a/shown\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n", "dev/null,shown", "devnull_mismatch"},
      {"/dev/null without its header", kGitLine + "--- /dev/null\n+++ b/shown\n" + kHunk, "-", "devnull_mismatch"},

      {"quoting", kGitLine + "--- \"a/\\163ecret\"\n+++ \"b/\\163ecret\"\n" + kHunk, "secret", "name_mismatch"},
      {"quoting", kGitLine + "--- \"a/shown\"x\n+++ \"b/shown\".lock\n" + kHunk, "shown", "name_trailing_garbage"},
      {"quoting", kGitLine + "--- \"a/shown\\000.md\"\n+++ \"b/shown\\000.md\"\n" + kHunk, "shown", "name_mismatch"},
      {"quoting", kGitLine + "--- \"a/shown\n+++ \"b/shown\n" + kHunk, "-", "quote_unterminated"},

      {"name terminators", kGitLine + "--- a/shown\t.lock\n+++ b/shown\t.lock\n" + kHunk, "shown", "name_trailing_garbage"},
      {"name terminators", kGitLine + "--- a/shown\t2024-01-01\n+++ b/shown\t2024-01-01\n" + kHunk, "shown", "name_trailing_garbage"},
      {"name terminators", kGitLine + "--- a/shown\r\n+++ b/shown\r\n" + kHunk, "shown", "crlf_header"},

      {"spaces", "diff --git a/shown b/shown b/shown b/shown\nold mode 100644\nnew mode 100755\n", "-", "git_line_ambiguous"},
      {"spaces", "diff --git a/x b/secret b/x b/secret\n" + kHidden, "secret", "git_line_ambiguous"},
      {"spaces", "diff --git a/shown b/z b/shown\n" + kSides + kHunk, "shown", "git_line_ambiguous"},

      {"prefixes", "diff --git x/shown x/shown\n--- x/shown\n+++ x/shown\n" + kHunk, "shown", "prefix_missing"},
      {"prefixes", "diff --git docs/shown docs/shown\n--- docs/shown\n+++ docs/shown\n" + kHunk, "shown", "prefix_missing"},
      {"prefixes", "diff --git b/shown a/shown\n--- b/shown\n+++ a/shown\n" + kHunk, "shown", "prefix_missing"},
      {"prefixes", kShown + "--- secret\n+++ secret\n" + kHunk, "secret,shown", "junk_between_sections"},

      {"position", kGitLine + kSides + "@@ -9 +1 @@\n-one\n+two\n", "shown", "hunk_position_inconsistent"},
      {"position", kGitLine + kSides + "@@ -1 +5 @@\n-one\n+two\n", "shown", "hunk_position_inconsistent"},
      {"position", kLong + "@@ -9,2 +9,2 @@\n l9\n-l10\n+X\n@@ -1,2 +1,2 @@\n-l1\n+X\n l2\n", "long", "hunk_order"},
      {"position", kLong + "@@ -1,3 +1,3 @@\n l1\n-l2\n+X\n l3\n@@ -3,3 +3,3 @@\n l3\n-l4\n+X\n l5\n", "-", "hunk_overlap"},

      {"no-newline marker", kGitLine + kSides + "@@ -1 +1,2 @@\n-one\n+two\n\\ No newline at end of file\n+x\n", "shown", "no_newline_marker_misplaced"},
      {"no-newline marker", kGitLine + kSides + "@@ -1 +1 @@\n-one\n+two\n\\ some other text\n", "shown", "no_newline_marker_malformed"},
      {"no-newline marker", kGitLine + kSides + "@@ -1 +1 @@\n-one\n+two\n\\ No newline at end of file, truly\n", "shown", "no_newline_marker_malformed"},

      {"last line without newline", kShown + "diff --git a/secret b/secret\ndeleted file mode 100644", "shown", "missing_final_newline"},
      {"last line without newline", kShown.substr(0, kShown.size() - 1), "-", "missing_final_newline"},
      {"last line without newline", kChmod.substr(0, kChmod.size() - 1), "-", "missing_final_newline"},

      {"content from the object store", kGitLine + "index INDEX 100644\nBinary files a/shown and b/shown differ\n", "shown", "binary_payload"},
      {"content from the object store", kGitLine + "index INDEX 100644\nFiles a/shown and b/shown differ\n", "shown", "binary_payload"},
      {"content from the object store", kGitLine + "index INDEX 100644\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n", "shown", "binary_payload"},

      {"silent modes", kGitLine + "old mode 100644\nnew mode 104755\n", "shown", "mode_unknown"},
      {"silent modes", kGitLine + "old mode 100644\nnew mode 100755 and more\n", "shown", "mode_malformed"},
      {"silent modes", "diff --git a/fresh b/fresh\nnew file mode 100777\n--- /dev/null\n+++ b/fresh\n@@ -0,0 +1 @@\n+x\n", "fresh", "mode_unknown"},
  };
  // clang-format on
}

/// Paths that differ between the base tree and the index, joined with commas.
std::string changed_paths(const ScratchRepo& repo, const std::string& base) {
  std::string out = repo.must({"diff-index", "--cached", "--name-only", base});
  if (out.ends_with('\n')) out.pop_back();
  for (char& c : out)
    if (c == '\n') c = ',';
  return out;
}

TEST(DiffAgainstGit, RefusesEverySecondReading) {
  std::string long_file;
  for (int i = 1; i <= 10; ++i)
    long_file += "l" + std::to_string(i) + "\n";
  std::string stream;
  append_commit(stream, "base",
                {{"shown", {"one\n"}}, {"secret", {"one\n"}}, {"long", {long_file}}});
  append_commit(stream, "planted", {{"shown", {"planted\n"}}});
  const ScratchRepo repo;
  repo.must({"fast-import", "--quiet"}, stream);
  std::string ids = repo.must({"rev-parse", "base:shown"});
  ids.pop_back();
  ids += ".." + repo.must({"rev-parse", "planted:shown"});
  ids.pop_back();
  std::map<std::string_view, int> inputs;
  for (Differential d : differentials()) {
    if (const std::size_t at = d.input.find("INDEX"); at != d.input.npos)
      d.input.replace(at, 5, ids);
    SCOPED_TRACE(std::string(d.reading) + "\n" + d.input);
    ++inputs[d.reading];
    repo.must({"read-tree", "base"});
    const auto applied = repo.git({"apply", "--cached"}, d.input);
    EXPECT_EQ(applied.exit_code == 0 ? changed_paths(repo, "base") : "-", d.git_changes)
        << applied.err;
    const auto patch = parse(d.input, Profile::git, Position::exact);
    EXPECT_EQ(patch ? "accept" : std::string(to_string(patch.error().rule)), d.rule);
  }
  for (const auto& [reading, count] : inputs)
    EXPECT_GE(count, 3) << reading;
}

// A long count swallows header-like lines as content: git and the gate agree.
TEST(DiffAgainstGit, CountsDecideWhatIsContent) {
  for (const std::string& hunk :
       {"@@ -1,2 +1,2 @@\n one\n--- a/x\n+++ b/x\n"s,
        "@@ -1,2 +1,2 @@\n one\n--- /dev/null\n+@@ -1 +1 @@\n"s,
        "@@ -1,2 +1,3 @@\n one\n--- \n+++ b/secret\n+diff --git a/secret b/secret\n"s}) {
    SCOPED_TRACE(hunk);
    const std::string input = kGitLine + kSides + hunk;  // the patch points into it
    const auto patch = parse(input, Profile::strict, Position::exact);
    ASSERT_TRUE(patch.has_value()) << patch.error().message;
    const Sides sides = sides_of(patch->sections[0]);
    std::string stream;
    append_commit(stream, "before", {{"shown", {sides.before}}});
    append_commit(stream, "after", {{"shown", {sides.after}}});
    const ScratchRepo repo;
    repo.must({"fast-import", "--quiet"}, stream);
    repo.must({"read-tree", "before"});
    repo.must({"apply", "--cached"}, kGitLine + kSides + hunk);
    EXPECT_EQ(repo.must({"write-tree"}), repo.must({"rev-parse", "after^{tree}"}));
  }
}

// Only LF ends a line: characters that other readers split at stay inside their line.
TEST(DiffAgainstGit, NothingButLineFeedEndsALine) {
  for (const std::string_view separator :
       {"\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
    const std::string line = "one" + std::string(separator) + "+++ b/secret";
    const std::string input = kGitLine + kSides + "@@ -1 +1,2 @@\n one\n+" + line + "\n";
    const auto patch = parse(input, Profile::strict, Position::exact);
    ASSERT_TRUE(patch.has_value()) << patch.error().message;
    EXPECT_EQ(patch->added, 1);
    for_each_line(patch->sections[0].hunks[0],
                  [&](char kind, std::string_view text, std::int64_t, bool) {
                    if (kind == '+') {
                      EXPECT_EQ(text, line);
                    }
                  });
  }
}

}  // namespace
}  // namespace gh::diff
