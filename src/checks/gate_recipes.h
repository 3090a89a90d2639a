#pragma once
// What tools that run named recipes would hand to a shell: make, just, task, npm and their like.
// Private to checks.
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gh::checks {

/// One text that goes to a shell of its own.
struct RecipeLine {
  std::string script{};
  bool is_ignored = false;  // the tool goes on whatever it answers
  std::string condition{};  // under which it stands; empty: none
};
struct Recipe {
  std::vector<std::string> needs{};
  std::vector<RecipeLine> lines{};
};
struct Recipes {
  std::map<std::string, Recipe> by_name{};
  std::string first{};                // what runs when none is named
  std::set<std::string> phony{};      // that run whatever files there are of their name
  std::vector<std::string> doubts{};  // settings that decide what becomes of an answer
};

using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

/// `read` is asked for the files that a makefile includes, as they are written there.
Recipes read_makefile(std::string_view text, const ReadFile& read);
Recipes read_justfile(std::string_view text);
Recipes read_taskfile(std::string_view yaml);
/// Scripts of package.json: those before and after one are part of it.
Recipes read_package_scripts(std::string_view json);

}  // namespace gh::checks
