#pragma once
// A private index and a private object folder in front of the repository's own: what git writes for
// one patch stays here until it is let in.
#include <string>
#include <vector>

#include "base/error.h"
#include "git/index_file.h"
#include "sys/files.h"

namespace gh::git {

class Quarantine {
 public:
  /// Below `parent`; `repo_objects` is the object folder that stands behind it.
  static Result<Quarantine> create(const std::string& parent, std::string repo_objects);

  std::string index_file() const { return folder_.path() + "/index"; }
  std::string objects() const { return folder_.path() + "/objects"; }
  const std::string& repo_objects() const { return repo_objects_; }

  /// Replaces the private index by one that holds just these entries.
  Status write_index(std::vector<IndexEntry> entries, HashKind) const;

  /// Moves every object into the repository, durably; one that is there already is kept.
  Status migrate() const;

 private:
  Quarantine(sys::TempDir folder, std::string repo_objects)
      : folder_(std::move(folder)), repo_objects_(std::move(repo_objects)) {}
  sys::TempDir folder_;
  std::string repo_objects_;
};

}  // namespace gh::git
