// The front end of python; see front_end.h.
#include "fuzz/front_end.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_with_front_end(gh::syntax::Language::python, data, size);
}
