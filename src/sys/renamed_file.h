#pragma once
// Files that can be made again at any time: whole or not there, but not forced to the disk.
#include <string>
#include <string_view>

#include "base/error.h"
#include "sys/files.h"

namespace gh::sys {

/// As write_file_atomic without its two fsyncs, which take longer than a scan. A file that holds
/// these bytes already is left as it is.
Status write_file_renamed(const std::string& path, std::string_view bytes);

/// The same for what is too long to hold, piece by piece. What is not finished leaves no trace.
class RenamedFile {
 public:
  explicit RenamedFile(std::string path);
  RenamedFile(const RenamedFile&) = delete;
  RenamedFile& operator=(const RenamedFile&) = delete;
  ~RenamedFile();
  void add(std::string_view piece);  // `finish` tells what went wrong
  Status finish();

 private:
  bool holds_next(std::string_view piece);
  void part_ways();
  void put(std::string_view bytes);

  std::string path_, temporary_{};
  Fd held_{}, made_{};    // the file that is there, while it is the same so far; the new one
  std::size_t same_ = 0;  // bytes
  Status state_{};
};

}  // namespace gh::sys
