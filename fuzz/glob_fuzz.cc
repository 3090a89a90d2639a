// GLOB and PATHGLOB: agree with the plain recursion on short texts, and end on long ones. The input
// is the pattern, a NUL, the text.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "policy/glob.h"
#include "policy/naive_glob.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::policy;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t nul = std::min(input.find('\0'), input.size());
  const std::string_view pattern = input.substr(0, nul);
  const std::string_view text = input.substr(std::min(nul + 1, input.size()));

  const bool glob = matches_glob(text, pattern), pathglob = matches_pathglob(text, pattern);
  matches_policy_entry(text, pattern);
  const bool ascii = std::ranges::all_of(input, [](char c) { return c >= 0; });
  if (!ascii || pattern.size() > 12 || text.size() > 16) return 0;
  REQUIRE(glob == naive_glob(pattern, text));
  REQUIRE(pathglob == naive_pathglob(pattern, text));
  return 0;
}
