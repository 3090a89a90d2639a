// Which files are still as they were read: by size, times and inode, as git does it. Who changes a
// file and sets its time back is caught by the time of the change itself, which nobody can set.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sys/files.h"

namespace gh::ops {

class FileStamps {
 public:
  /// `kept` is what `bytes` gave once; anything else is no stamps at all.
  explicit FileStamps(std::string_view kept = {});

  /// The object id of the file's bytes; empty: it must be read.
  std::string id_of(const std::string& path, const sys::FileInfo&) const;
  /// `info` from before the file was read. One that changed just now may change again unseen.
  void learn(const std::string& path, const sys::FileInfo& info, std::string id,
             std::int64_t read_at_ns);

  bool changed() const { return changed_; }
  bool empty() const { return stamps_.empty(); }
  std::string bytes() const;

 private:
  struct Stamp {
    std::int64_t size = 0, mtime_ns = 0, ctime_ns = 0;
    std::uint64_t device = 0, inode = 0;
    std::string id{};
  };
  static bool is_of(const Stamp&, const sys::FileInfo&);
  std::map<std::string, Stamp, std::less<>> stamps_{};
  bool changed_ = false;
};

}  // namespace gh::ops
