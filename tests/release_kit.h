#pragma once
// A folder with an agent in it, and the program under both of its names.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "sys/files.h"
#include "tests/schema_kit.h"
#include "wire/json.h"

namespace gh::testing {

class AgentFolder {
 public:
  AgentFolder() {
    std::filesystem::create_directories(root());
    std::filesystem::create_directories(std::filesystem::path(folder_.path()) / "bin");
    std::filesystem::create_symlink(gatehouse_path(), old_name());
  }
  std::filesystem::path root() const { return std::filesystem::path(folder_.path()) / "work"; }
  std::string old_name() const { return folder_.path() + "/bin/agents-shipgate"; }

  void write(const std::string& path, std::string_view bytes) const {
    std::filesystem::create_directories((root() / path).parent_path());
    std::ofstream(root() / path, std::ios::binary) << bytes;
  }
  std::string read(const std::string& path) const { return bytes_of(root() / path); }
  bool has(const std::string& path) const { return std::filesystem::exists(root() / path); }

  /// `gatehouse release WORDS`.
  Ran release(std::vector<std::string> words, std::vector<std::string> more = {}) const {
    words.insert(words.begin(), "release");
    return gatehouse(std::move(words), root().string(), {}, std::move(more));
  }
  Ran by_old_name(std::vector<std::string> words, std::vector<std::string> more = {}) const {
    words.insert(words.begin(), old_name());
    return run_program(std::move(words), root().string(), {}, std::move(more));
  }

  void copy_fixture(const std::string& name) const {
    std::filesystem::remove_all(root());
    const Ran ran =
        gatehouse({"release", "fixture", "copy", name, "--to", root().string()}, folder_.path());
    EXPECT_EQ(ran.code, 0) << ran.err;
  }

 private:
  sys::TempDir folder_ = *sys::TempDir::create("/tmp", "gh-agent-");
};

inline std::string member_text(const std::string& json, std::string_view path) {
  const auto root = wire::read_json(json, "answer");
  if (!root) return "no JSON: " + json;
  const Value* at = &*root;
  for (const std::string_view key : split(path, '.')) {
    if (const Map* map = at->as_map()) {
      at = map->find(key);
    } else {
      const List* list = at->as_list();
      const auto index = static_cast<std::size_t>(std::atoi(std::string(key).c_str()));
      at = list != nullptr && index < list->size() ? &(*list)[index] : nullptr;
    }
    if (at == nullptr) return "absent";
  }
  return at->as_string() != nullptr ? *at->as_string() : wire::canonical_json(*at);
}

}  // namespace gh::testing
