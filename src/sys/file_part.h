#pragma once
// Parts of a file, without reading the rest.
#include <cstdint>
#include <string>

#include "base/error.h"
#include "sys/files.h"

namespace gh::sys {

class PartReader {
 public:
  static Result<PartReader> open(const std::string& path);  // no link, no pipe
  const FileInfo& info() const { return info_; }
  /// Exactly so many bytes; io_error when the file ends before.
  Result<std::string> read(std::uint64_t offset, std::size_t bytes) const;

 private:
  Fd fd_{};
  FileInfo info_{};
};

}  // namespace gh::sys
