#pragma once
// The repositories that are served, by the names of their folders, and whose turn it is to change
// one.
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gh::serve {

struct Repository {
  std::string name, folder;
};
/// Folders with the same name get numbers.
std::vector<Repository> named_repositories(const std::vector<std::string>& folders);

class Repositories {
 public:
  explicit Repositories(std::vector<Repository> all);
  const std::vector<Repository>& all() const { return all_; }
  /// An empty name means the only one. unknown_id, or missing_argument where there are several.
  Result<Repository> find(std::string_view name) const;
  /// Changes of one repository come one after the other.
  std::mutex& turn_of(const Repository&);

 private:
  std::vector<Repository> all_;
  std::map<std::string, std::mutex, std::less<>> turns_;  // one for each, never more
};

}  // namespace gh::serve
