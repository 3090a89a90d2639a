#pragma once
// Answers of git that cannot change as long as the files they come from are the same ones. A lost
// or damaged memory only costs one more process.
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "git/discovery.h"
#include "git/executable.h"

namespace gh::git {

class Memory {
 public:
  explicit Memory(std::string folder) : folder_(std::move(folder)) {}

  /// `git version` of this very program file.
  std::optional<Version> version(const Executable&) const;
  void remember(const Executable&, Version) const;

  /// Hash kind of a place that git took for the top level of a repository, as long as its pointer
  /// files and its configuration are untouched.
  std::optional<HashKind> agreement(const Found&, const Executable&) const;
  void remember(const Found&, const Executable&, HashKind) const;

 private:
  std::optional<std::string> recall(const std::string& name, const std::string& key) const;
  void keep(const std::string& name, const std::string& key, std::string_view answer) const;
  std::string folder_;
};

}  // namespace gh::git
