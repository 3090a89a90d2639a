// The paths that git tracks, as its index had them when it was as it is now. The index is replaced,
// never edited: size, times and inode tell one from another, as they do for files (FileStamps).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "git/repo.h"
#include "ops/kept_file.h"
#include "sys/files.h"

namespace gh::ops {

class TrackedList {
 public:
  /// An index that changed just before `now_ns` may change again unseen.
  TrackedList(const git::Repo&, std::int64_t now_ns);

  std::optional<std::vector<std::string>> find() const;
  /// The list that git gave after this was made.
  void keep(const std::vector<std::string>& paths) const;

 private:
  std::string head(const sys::FileInfo&) const;

  std::string index_;
  KeptFile file_;
  std::int64_t now_ns_;
  sys::FileInfo before_;
};

}  // namespace gh::ops
