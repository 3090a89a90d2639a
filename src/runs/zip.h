#pragma once
// ZIP archives in memory, deterministic: same entries, same bytes. Time stamps are 1980-01-01, mode
// 0644 (folders 0755), entries in the order given.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gh::runs {

struct ZipEntry {
  std::string name;  // '/'-separated UTF-8; a folder ends in '/'
  std::string bytes;
  bool operator==(const ZipEntry&) const = default;
};

Result<std::string> write_zip(const std::vector<ZipEntry>&);

/// Every entry with its content, check sums verified. Refuses archives that unpack to more than
/// `max_bytes` or to more than kMaxZipEntries entries.
Result<std::vector<ZipEntry>> read_zip(std::string_view bytes, std::size_t max_bytes);

inline constexpr std::size_t kMaxZipEntries = 4096;

}  // namespace gh::runs
