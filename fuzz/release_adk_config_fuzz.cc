// Agent configs, eval sets and traces of Google ADK; see release_format.h.
#include "fuzz/release_format.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return scan_bytes(ReleaseFormat::adk_config, data, size);
}
