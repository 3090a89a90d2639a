// Proves on a real history that there is no parser differential: every non-merge commit is shown as
// a diff, read by the gate's grammar, printed in canonical form, applied by git to the parent, and
// must give the commit's own tree.
#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "diff/patch.h"
#include "patch/gates.h"
#include "sys/files.h"
#include "sys/process.h"

namespace gh {
namespace {

constexpr std::size_t kCommitsPerCall = 100;
constexpr std::size_t kMaxDiffBytes = std::size_t{4} << 30;

struct Commit {
  std::string id, tree, parent_tree;  // parent_tree empty for a root commit
};

struct Form {
  const char* name;
  diff::Profile profile;
  std::vector<std::string> options;
  double least_percent;  // of the text-only commits, docs/reference/patch-grammar.md
};

struct Tally {
  std::int64_t commits = 0, text_only = 0, accepted = 0, accepted_with_paths = 0, same_tree = 0,
               old_encoding = 0;
  std::map<std::string, std::int64_t> refused;
  std::vector<std::string> failures;
};

struct Repository {
  std::string folder, objects;
};

std::vector<std::string> environment(const Repository& repo, const std::string& scratch) {
  return {"PATH=/usr/local/bin:/usr/bin:/bin",
          "HOME=" + scratch,
          "LC_ALL=C",
          "TZ=UTC",
          "GIT_CONFIG_NOSYSTEM=1",
          "GIT_CONFIG_GLOBAL=/dev/null",
          "GIT_NO_REPLACE_OBJECTS=1",
          "GIT_DIR=" + repo.folder,
          "GIT_INDEX_FILE=" + scratch + "/index",
          "GIT_OBJECT_DIRECTORY=" + scratch + "/objects",
          "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + repo.objects};
}

Result<std::string> git(const Repository& repo, const std::string& scratch,
                        std::vector<std::string> words, std::string_view input = {}) {
  words.insert(words.begin(),
               {"/usr/bin/env", "git", "-c", "core.quotepath=true", "-c", "diff.renames=false"});
  GH_TRY(done, sys::run({.argv = std::move(words),
                         .environment = environment(repo, scratch),
                         .cwd = scratch,
                         .input = input,
                         .timeout = std::chrono::minutes(10),
                         .max_output = kMaxDiffBytes}));
  if (done.exit_code != 0) return fail(Code::git_failed, printable(done.err, 300));
  return std::move(done.out);
}

Result<Repository> find_repository(const std::string& named) {
  GH_TRY(folder, sys::real_path(named));
  GH_TRY(done, sys::run({.argv = {"/usr/bin/env", "git", "-C", folder, "rev-parse",
                                  "--absolute-git-dir", "--git-path", "objects"},
                         .environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent",
                                         "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory",
                                         "GIT_CONFIG_VALUE_0=*"},
                         .cwd = "/"}));
  const auto lines = split(done.out, '\n');
  if (done.exit_code != 0 || lines.size() < 2)
    return fail(Code::not_a_repository, folder + ": " + printable(done.err, 200));
  Repository out{std::string(lines[0]), std::string(lines[1])};
  GH_TRY(objects,
         sys::real_path(out.objects.starts_with("/") ? out.objects : folder + "/" + out.objects));
  out.objects = objects;
  return out;
}

/// Oldest first, so that the index of one commit mostly serves as the parent of the next.
Result<std::vector<Commit>> list_commits(const Repository& repo, const std::string& scratch,
                                         std::int64_t limit) {
  std::vector<std::string> words{"log", "--no-merges", "--topo-order", "--format=%H %T %P", "HEAD"};
  if (limit > 0) words.insert(words.begin() + 1, fmt::format("-n{}", limit));
  GH_TRY(text, git(repo, scratch, words));
  GH_TRY(all, git(repo, scratch, {"log", "--format=%H %T", "HEAD"}));
  std::map<std::string, std::string, std::less<>> tree_of;
  for (const std::string_view line : split(all, '\n'))
    if (const std::size_t space = line.find(' '); space != std::string_view::npos)
      tree_of.emplace(line.substr(0, space), line.substr(space + 1));
  std::vector<Commit> out;
  for (const std::string_view line : split(text, '\n')) {
    const auto words_of = split(line, ' ');
    if (words_of.size() < 2) continue;
    Commit commit{std::string(words_of[0]), std::string(words_of[1]), ""};
    if (words_of.size() > 2 && !words_of[2].empty())
      commit.parent_tree = tree_of[std::string(words_of[2])];
    out.push_back(std::move(commit));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

/// Patch text of each commit in order; empty for a commit that changes nothing.
Result<std::vector<std::string>> diffs_of(const Repository& repo, const std::string& scratch,
                                          const Form& form, const Commit* first,
                                          const Commit* last) {
  std::string list;
  for (const Commit* c = first; c != last; ++c)
    list += c->id + "\n";
  std::vector<std::string> words{"diff-tree",       "--stdin",    "-r",
                                 "--root",          "-p",         "--no-ext-diff",
                                 "--no-textconv",   "--no-color", "--src-prefix=a/",
                                 "--dst-prefix=b/", "--always"};
  words.insert(words.end(), form.options.begin(), form.options.end());
  GH_TRY(text, git(repo, scratch, words, list));
  std::vector<std::string> out;
  std::string_view rest = text;
  for (const Commit* c = first; c != last; ++c) {
    const std::string head = c->id + "\n";
    if (!rest.starts_with(head)) return fail(Code::git_failed, "diff-tree lost " + c->id);
    rest.remove_prefix(head.size());
    const std::string next = c + 1 == last ? std::string() : "\n" + (c + 1)->id + "\n";
    std::size_t end = rest.size();
    if (!next.empty()) {
      end = rest.starts_with(std::string_view(next).substr(1)) ? 0 : rest.find(next);
      if (end == std::string_view::npos)
        return fail(Code::git_failed, "diff-tree lost " + (c + 1)->id);
      if (end != 0) ++end;
    }
    out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  return out;
}

struct Walker {
  const Repository& repo;
  std::string scratch;
  std::string index_tree;  // tree that the private index holds now; empty: unknown

  Status start_from(const std::string& tree) {
    if (tree == index_tree && !tree.empty()) return {};
    index_tree.clear();
    if (tree.empty()) return git(repo, scratch, {"read-tree", "--empty"}).map([](const auto&) {});
    GH_DO(git(repo, scratch, {"read-tree", tree}).map([](const auto&) {}));
    index_tree = tree;
    return {};
  }

  /// Trees of old histories may hold modes such as 100664, which git reads as 100644 and never
  /// writes again: same entries, another id.
  bool same_entries(const std::string& one, const std::string& other) {
    const auto difference = git(repo, scratch, {"diff-tree", "-r", "--raw", one, other});
    return difference && difference->empty();
  }

  Result<std::string> applied_tree(const Commit& commit, const std::string& canonical) {
    GH_DO(start_from(commit.parent_tree));
    index_tree.clear();
    GH_DO(git(repo, scratch, {"apply", "--cached", "--whitespace=nowarn", "-p1", "-"}, canonical)
              .map([](const auto&) {}));
    GH_TRY(tree, git(repo, scratch, {"write-tree"}));
    index_tree = tree.substr(0, tree.find('\n'));
    return index_tree;
  }
};

void judge(const Commit& commit, const std::string& text, const Form& form, Walker& walker,
           Tally& tally) {
  if (text.empty()) return;
  ++tally.commits;
  const auto patch = diff::parse(text, form.profile, diff::Position::exact);
  if (!patch) {
    ++tally.refused[std::string(to_string(patch.error().rule))];
    if (patch.error().rule != Rule::binary_payload) ++tally.text_only;
    return;
  }
  ++tally.text_only;
  ++tally.accepted;
  if (const patch::Violations paths = patch::check_paths(*patch, true); paths.empty()) {
    ++tally.accepted_with_paths;
  } else {
    ++tally.refused[std::string(to_string(paths.first.front().rule))];
  }
  const auto tree = walker.applied_tree(commit, diff::print_canonical(*patch));
  if (tree && *tree == commit.tree) {
    ++tally.same_tree;
  } else if (tree && walker.same_entries(*tree, commit.tree)) {
    ++tally.same_tree;
    ++tally.old_encoding;
  } else {
    tally.failures.push_back(commit.id + (tree ? ": another tree" : ": " + tree.error().message));
  }
}

Result<Tally> walk(const Repository& repo, const Form& form, std::int64_t limit) {
  GH_TRY(scratch, sys::TempDir::create("/tmp", "gatehouse-roundtrip-"));
  GH_DO(sys::make_folders(scratch.path() + "/objects"));
  GH_TRY(commits, list_commits(repo, scratch.path(), limit));
  Walker walker{repo, scratch.path(), ""};
  Tally tally;
  for (std::size_t at = 0; at < commits.size(); at += kCommitsPerCall) {
    const std::size_t end = std::min(at + kCommitsPerCall, commits.size());
    GH_TRY(texts, diffs_of(repo, scratch.path(), form, commits.data() + at, commits.data() + end));
    for (std::size_t i = at; i < end; ++i)
      judge(commits[i], texts[i - at], form, walker, tally);
  }
  return tally;
}

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print(const std::string& name, const Form& form, const Tally& t) {
  std::string refusals;
  for (const auto& [rule, count] : t.refused)
    refusals += fmt::format("{}{} {}", refusals.empty() ? "" : ", ", rule, count);
  fmt::print("{:<24} {:<20} {:>8} {:>9} {:>9} {:>8.2f}% {:>8.2f}% {:>10}/{:<8} {}\n", name,
             form.name, t.commits, t.text_only, t.accepted, percent(t.accepted, t.text_only),
             percent(t.accepted_with_paths, t.text_only), t.same_tree, t.accepted, refusals);
  if (t.old_encoding > 0)
    fmt::print(
        "    {} of them by entries only: the commit's own tree has modes that git no longer "
        "writes\n",
        t.old_encoding);
  for (const std::string& failure : t.failures)
    fmt::print("    DIFFERENT TREE {}\n", failure);
  std::fflush(stdout);
}

void add(Tally& sum, const Tally& t) {
  sum.commits += t.commits;
  sum.text_only += t.text_only;
  sum.accepted += t.accepted;
  sum.accepted_with_paths += t.accepted_with_paths;
  sum.same_tree += t.same_tree;
  sum.old_encoding += t.old_encoding;
  for (const auto& [rule, count] : t.refused)
    sum.refused[rule] += count;
}

bool meets(const Form& form, const Tally& t) {
  return t.same_tree == t.accepted && percent(t.accepted, t.text_only) >= form.least_percent;
}

int run_all(const std::vector<std::string>& folders, std::int64_t limit) {
  const Form forms[2] = {{"git, -M", diff::Profile::git, {"-M"}, 99.9},
                         {"strict, --no-renames", diff::Profile::strict, {"--no-renames"}, 99.0}};
  fmt::print("{:<24} {:<20} {:>8} {:>9} {:>9} {:>9} {:>9} {:>10}/{:<8} {}\n", "repository",
             "profile and form", "commits", "text-only", "accepted", "of text", "and paths",
             "same tree", "accepted", "refused by");
  Tally sums[2];
  for (const std::string& folder : folders) {
    const auto repo = find_repository(folder);
    if (!repo) {
      fmt::print(stderr, "roundtrip: {}\n", repo.error().message);
      return 4;
    }
    Result<Tally> tallies[2];
    {
      const std::jthread other([&] { tallies[1] = walk(*repo, forms[1], limit); });
      tallies[0] = walk(*repo, forms[0], limit);
    }
    const auto parts = split(folder, '/');
    const std::string name(
        parts.back() == "repo" || parts.back() == ".git" ? parts[parts.size() - 2] : parts.back());
    for (int i = 0; i < 2; ++i) {
      if (!tallies[i]) {
        fmt::print(stderr, "roundtrip: {}: {}\n", folder, tallies[i].error().message);
        return 4;
      }
      print(name, forms[i], *tallies[i]);
      add(sums[i], *tallies[i]);
    }
  }
  bool fine = true;
  for (int i = 0; i < 2; ++i) {
    print("all", forms[i], sums[i]);
    if (!meets(forms[i], sums[i])) {
      fine = false;
      fmt::print(
          "roundtrip: profile and form '{}' misses its mark: every accepted commit must give the "
          "same tree, "
          "and {} % of the text-only commits must be accepted\n",
          forms[i].name, forms[i].least_percent);
    }
  }
  return fine ? 0 : 1;
}

}  // namespace
}  // namespace gh

int main(int argc, char** argv) {
  std::vector<std::string> folders;
  std::int64_t limit = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--commits" && i + 1 < argc) {
      limit = std::strtol(argv[++i], nullptr, 10);
    } else {
      folders.push_back(word);
    }
  }
  if (folders.empty()) {
    fmt::print(stderr,
               "usage: roundtrip [--commits N] REPOSITORY...\n"
               "Reads the history of each repository and shows that what the gate reads is what "
               "git applies.\n");
    return 2;
  }
  return gh::run_all(folders, limit);
}
