// Bytes that one run leaves in the folder of the cache for the next, in a file of their own. They
// may be gone at any time; what is damaged, or may be written by others, is nothing at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gh::ops {

inline constexpr std::size_t kSumBytes = 16;
/// It finds damage, not forgery.
std::string sum_of(std::string_view bytes);

class KeptFile {
 public:
  KeptFile() = default;
  KeptFile(std::string folder, std::string_view name);

  std::optional<std::string> read(std::uint64_t max_bytes) const;
  /// In place of what was there. A full disk only means that nothing is kept.
  void write(std::string bytes) const;

 private:
  std::string folder_{}, path_{};
};

}  // namespace gh::ops
