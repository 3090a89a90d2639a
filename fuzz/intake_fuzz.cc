// The three forms of a diff: nothing is invented. What comes out of a mail is a part of it; what
// comes out of diff -u begins as git diffs do and is taken in again as it is; a refusal has one of
// the two codes.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/require.h"
#include "proposal/intake.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::proposal;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto taken = take_in(text);
  if (!taken) {
    const PropCode code = taken.error().code;
    REQUIRE(code == PropCode::PROP_MAIL_INVALID || code == PropCode::PROP_TRADITIONAL_AMBIGUOUS);
    REQUIRE(!taken.error().message.empty());
    return 0;
  }
  if (taken->form == "git") REQUIRE(taken->diff == text);
  if (taken->form == "mail") {
    REQUIRE(gh::contains(text, taken->diff));
    REQUIRE(gh::contains(text, taken->mail_body));
  }
  if (taken->form != "git") {
    REQUIRE(taken->diff.starts_with("diff --git ") && taken->diff.ends_with('\n'));
    const auto again = take_in(taken->diff);
    REQUIRE(again && again->form == "git" && again->diff == taken->diff);
  }
  return 0;
}
