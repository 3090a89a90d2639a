#pragma once
// A temporary folder with a real git repository for tests. The user's configuration is never read.
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sys/files.h"
#include "sys/process.h"

namespace gh::testing {

class GitSandbox {
 public:
  explicit GitSandbox(const std::string& object_format = "sha1") {
    copy_folder(empty_repository(object_format), root());
  }
  GitSandbox(const GitSandbox& other) { copy_folder(other.folder(), folder()); }
  GitSandbox& operator=(const GitSandbox&) = delete;

  const std::string& folder() const { return folder_.path(); }  // parent of the repository
  std::string root() const { return folder() + "/repo"; }       // its top level
  std::string at(const std::string& path) const { return root() + '/' + path; }

  /// Writes a work-tree file, making folders on the way.
  void write(const std::string& path, const std::string& bytes) const {
    const std::string file = at(path);
    ASSERT_TRUE(sys::make_folders(file.substr(0, file.rfind('/'))));
    ASSERT_TRUE(sys::write_file_atomic(file, bytes));
  }

  /// Adds everything and commits; gives the id.
  std::string commit(const std::string& message = "change") const {
    git({"add", "-A"});
    git({"commit", "-q", "--allow-empty", "-m", message});
    return git({"rev-parse", "HEAD"});
  }

  /// Runs git in the repository; gives standard output without its last line feed.
  std::string git(const std::vector<std::string>& words) const { return git_at(root(), words); }

  static std::string git_at(const std::string& cwd, const std::vector<std::string>& words,
                            std::string_view input = {}) {
    sys::Command command{.argv = {"/usr/bin/git"}, .environment = environment(), .cwd = cwd};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.input = input;
    command.max_output = 64u << 20;
    const auto done = sys::run(command);
    EXPECT_TRUE(done) << "git could not be started";
    if (!done) return "";
    EXPECT_EQ(done->exit_code, 0) << done->err;
    std::string out = done->out;
    if (out.ends_with('\n')) out.pop_back();
    return out;
  }

  static std::vector<std::string> environment() {
    return {"PATH=/usr/local/bin:/usr/bin:/bin",
            "HOME=/nonexistent",
            "LC_ALL=C",
            "GIT_CONFIG_NOSYSTEM=1",
            "GIT_CONFIG_GLOBAL=/dev/null",
            "GIT_AUTHOR_DATE=@1700000000 +0000",
            "GIT_COMMITTER_DATE=@1700000000 +0000"};
  }

 private:
  static void copy_folder(const std::string& from, const std::string& to) {
    using std::filesystem::copy_options;
    std::filesystem::copy(from, to, copy_options::recursive | copy_options::copy_symlinks);
  }

  /// Made once for each format by three processes, which is what most sandboxes would cost.
  static std::string empty_repository(const std::string& object_format) {
    static std::map<std::string, sys::TempDir> made;
    if (const auto known = made.find(object_format); known != made.end())
      return known->second.path() + "/repo";
    auto& folder =
        made.emplace(object_format, *sys::TempDir::create("/tmp", "gh-git-")).first->second;
    const std::string root = folder.path() + "/repo";
    git_at(folder.path(), {"init", "-q", "-b", "main", "--object-format=" + object_format, root});
    git_at(root, {"config", "user.name", "Test"});
    git_at(root, {"config", "user.email", "test@example.org"});
    return root;
  }

  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-git-");
};

}  // namespace gh::testing
