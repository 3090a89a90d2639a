// Messages of commits by anybody: whatever git reads by its own settings is judged, and what is
// written as first trailers is read again.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/letters.h"
#include "base/trailers.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh;
  constexpr std::size_t kMaxBytes = 64u << 10;
  if (size > kMaxBytes) return 0;
  const std::string_view message(reinterpret_cast<const char*>(data), size);
  for (const bool has_divider : {false, true})
    for (const MessageTrailer& one : git_trailers(message, has_divider)) {
      REQUIRE(!one.key.empty() && one.value.find('\n') == one.value.npos);
      for (unsigned key = 0; key <= static_cast<unsigned>(TrailerKey::co_authored_by); ++key) {
        const auto wanted = static_cast<TrailerKey>(key);
        if (lower_ascii(one.key) != lower_ascii(to_string(wanted))) continue;
        const auto judged = trailers(message, wanted);
        REQUIRE(std::ranges::find(judged, one.value) != judged.end());
        REQUIRE(!values_anywhere(message, wanted).empty());
      }
    }
  if (const auto written = with_first_trailers(message, {"Gatehouse-Intent: i"})) {
    REQUIRE(git_trailers(*written).size() == 1);
    REQUIRE(trailers(*written, TrailerKey::intent) == std::vector<std::string>{"i"});
  }
  return 0;
}
