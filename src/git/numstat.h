#pragma once
// Reads the NUL-separated counts that git prints.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/object_id.h"

namespace gh::git {

struct NumstatRow {
  std::string path;  // bytes; the new path of a rename
  std::int64_t added = 0, deleted = 0;
  auto operator<=>(const NumstatRow&) const = default;
};

/// Rows of `git apply --numstat -z`, in git's order; nullopt when the bytes have another form (also
/// for a binary row, which a checked patch cannot have).
std::optional<std::vector<NumstatRow>> parse_apply_numstat(std::string_view bytes);

/// What one commit changed, as patch budgets count it.
struct CommitSize {
  ObjectId id;
  std::int64_t paths = 0;  // both names of a rename
  std::int64_t added = 0, deleted = 0;
  bool binary = false;  // a path without line counts
};

/// Rows of `git log -z --numstat --format=%x01%H`; nullopt when the bytes have another form.
std::optional<std::vector<CommitSize>> parse_log_numstat(std::string_view bytes);

}  // namespace gh::git
