#pragma once
// Readers of git's NUL-separated listings: status, index, attributes.
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/object_id.h"

namespace gh::git {

/// An entry of the real index.
struct StagedEntry {
  std::string path;
  std::uint32_t mode = 0;
  ObjectId id;
  int stage = 0;  // 1-3: unmerged
};

/// A tracked path whose index entry differs from HEAD or whose file differs from the index.
struct TrackedChange {
  std::string path;
  bool staged = false, in_work_tree = false;
  std::string index_mode, index_id;    // zeros when the path is not in the index
  std::string work_mode, work_sha256;  // of the bytes on disk; empty: no readable file
  auto operator<=>(const TrackedChange&) const = default;
};

struct Attribute {
  std::string path, name, value;  // value as git says it: unspecified, set, unset or a word
};

/// `git status --porcelain=v2 -z --no-renames --untracked-files=no`; the work-tree side stays
/// empty.
Result<std::vector<TrackedChange>> parse_status(std::string_view bytes);

/// `git ls-files -s -z`.
Result<std::vector<StagedEntry>> parse_staged(std::string_view bytes);

/// `git check-attr -z`.
Result<std::vector<Attribute>> parse_attributes(std::string_view bytes);

}  // namespace gh::git
