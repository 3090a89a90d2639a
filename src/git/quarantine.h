#pragma once
// A private index and a private object folder in front of the repository's own: what git writes for
// one patch stays here until it is let in.
#include <string>
#include <vector>

#include "base/error.h"
#include "git/index_file.h"
#include "sys/env.h"

namespace gh::git {

class Quarantine {
 public:
  /// Names below `parent`, an existing folder, that nobody else uses; `repo_objects` is the object
  /// folder that stands behind. Nothing is made on disk yet: a check needs the index alone, and
  /// removing a folder costs as much as a git process.
  Quarantine(const std::string& parent, std::string repo_objects, sys::Env&);
  Quarantine(Quarantine&&) noexcept;
  Quarantine& operator=(Quarantine&&) noexcept;
  ~Quarantine();  // takes everything away

  std::string index_file() const { return place_ + ".index"; }
  const std::string& objects() const { return place_; }
  const std::string& repo_objects() const { return repo_objects_; }

  /// Replaces the private index by one that holds just these entries.
  Status write_index(std::vector<IndexEntry> entries, HashKind) const;
  /// Makes the object folder, for commands that write objects.
  Status make_object_folder() const;
  /// Moves every object into the repository, durably; one that is there already is kept.
  Status migrate() const;

 private:
  std::string place_, repo_objects_;
};

}  // namespace gh::git
