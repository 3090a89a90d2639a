#include "analysis/hash.h"

#include <bit>

#include <fmt/format.h>
#include <xxhash.h>

namespace gh::analysis {

static_assert(std::endian::native == std::endian::little,
              "hashes are taken of little-endian bytes");

std::string Hash::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash hash_of(std::string_view bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return {h.high64, h.low64};
}

}  // namespace gh::analysis
