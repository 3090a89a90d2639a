#pragma once
// Real git in a scratch repository, as second opinion on trees, applied patches and attributes.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "model/object_id.h"
#include "sys/files.h"
#include "sys/process.h"
#include "tests/memory_tree.h"

namespace gh::test {

class GitOracle {
 public:
  explicit GitOracle(HashKind kind = HashKind::sha1) {
    run({"init", "-q", kind == HashKind::sha1 ? "--object-format=sha1" : "--object-format=sha256"});
  }
  const std::string& path() const { return folder_.path(); }

  sys::Finished try_run(std::vector<std::string> arguments, std::string_view input = {}) {
    arguments.insert(arguments.begin(), "/usr/bin/git");
    const sys::Command command{
        .argv = std::move(arguments),
        .environment = {"PATH=/usr/bin:/bin", "HOME=/nonexistent", "GIT_CONFIG_GLOBAL=/dev/null",
                        "GIT_CONFIG_SYSTEM=/dev/null", "GIT_ATTR_NOSYSTEM=1", "LC_ALL=C",
                        "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.invalid",
                        "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.invalid"},
        .cwd = folder_.path(),
        .input = input,
        .max_output = 64U << 20};
    auto finished = sys::run(command);
    EXPECT_TRUE(finished) << "git does not start";
    return finished ? *std::move(finished) : sys::Finished{};
  }
  std::string run(std::vector<std::string> arguments, std::string_view input = {}) {
    const auto finished = try_run(std::move(arguments), input);
    EXPECT_EQ(finished.exit_code, 0) << finished.err;
    std::string out = finished.out;
    if (out.ends_with('\n')) out.pop_back();
    return out;
  }

  /// Puts exactly `files` into the index; answers the tree id.
  std::string load(const std::vector<BaseFile>& files) {
    run({"read-tree", "--empty"});
    std::string rows;
    for (const BaseFile& f : files) {
      const std::string id = f.mode == FileMode::gitlink
                                 ? f.content
                                 : run({"hash-object", "-w", "--stdin"}, f.content);
      rows += to_string(f.mode) + ' ' + id + '\t' + f.path + '\0';
    }
    run({"update-index", "-z", "--index-info"}, rows);
    return run({"write-tree"});
  }
  /// Applies to the index; the tree afterwards, or nullopt when git refuses.
  std::optional<std::string> apply(std::string_view patch) {
    if (try_run({"apply", "--cached", "--whitespace=nowarn", "-p1", "-"}, patch).exit_code != 0)
      return std::nullopt;
    return run({"write-tree"});
  }

 private:
  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-oracle-");
};

}  // namespace gh::test
