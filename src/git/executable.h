#pragma once
// The git program: which one, and how old it is.
#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sys/env.h"

namespace gh::git {

struct Version {
  int major = 0, minor = 0, patch = 0;
  auto operator<=>(const Version&) const = default;
};
inline constexpr Version kMinimumVersion{2, 39, 3};

std::string to_string(Version);
std::optional<Version> parse_version(std::string_view answer);  // of `git version`

struct Executable {
  std::string file;  // absolute
  std::string path;  // value of PATH for its children
};

/// <git_folder>/git, else <GATEHOUSE_GIT_PATH>/git, else the first one in the system folders.
Result<Executable> find_git(const std::string& git_folder, sys::Env&);

}  // namespace gh::git
