// CODEOWNERS; see release_format.h.
#include "fuzz/release_format.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return scan_bytes(ReleaseFormat::owners, data, size);
}
