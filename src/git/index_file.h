#pragma once
// Writes a git index (version 2) that holds only given entries, without stat data.
#include <string>
#include <vector>

#include "model/object_id.h"

namespace gh::git {

struct IndexEntry {
  std::string path;  // bytes, relative to the root
  FileMode mode;     // not tree
  ObjectId id;
};

/// Sorts the entries itself; of two with the same path the last one counts.
std::string index_bytes(std::vector<IndexEntry> entries, HashKind);

}  // namespace gh::git
