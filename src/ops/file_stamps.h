// Which files are still as they were read: by size, times and inode, as git does it. Who changes a
// file and sets its time back is caught by the time of the change itself, which nobody can set.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sys/files.h"

namespace gh::ops {

class FileStamps {
 public:
  /// `kept` is what `bytes` gave once; anything else is no stamps at all.
  explicit FileStamps(std::string kept = {});

  /// The object id of the file's bytes; empty: it must be read. Fastest in the order of paths.
  std::string_view id_of(std::string_view path, const sys::FileInfo&);
  /// `info` from before the file was read. One that changed just now may change again unseen.
  void learn(const std::string& path, const sys::FileInfo& info, std::string id,
             std::int64_t read_at_ns);

  bool changed() const { return changed_; }
  bool empty() const { return starts_.empty() && learned_.empty(); }
  /// Of those that were asked for or learned: files that are gone are forgotten.
  std::string bytes() const;

 private:
  struct Stamp {
    std::int64_t size = 0, mtime_ns = 0, ctime_ns = 0;
    std::uint64_t device = 0, inode = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Row {
    std::string_view path{}, id{};
    Stamp stamp{};
  };
  struct Learned {
    Stamp stamp{};
    std::string id{};
  };
  static Stamp stamp_of(const sys::FileInfo&);
  Row row(std::size_t) const;
  Row take_row(std::size_t);
  /// Without a path: there is none.
  Row find(std::string_view path);

  std::string kept_;                     // rows one behind the other, in the order of paths
  std::vector<std::uint32_t> starts_{};  // of the rows in kept_
  std::vector<std::uint8_t> is_asked_{};
  std::size_t next_ = 0;  // the row behind the one that was asked for last
  std::map<std::string, Learned, std::less<>> learned_{};  // in place of those
  bool changed_ = false;
};

}  // namespace gh::ops
