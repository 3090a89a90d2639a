// The claim guard: citations lie inside the text, in order; what is written in capitals is judged
// alike; and a text that cites nothing violates nothing but the rule about health.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "control/claims.h"
#include "fuzz/require.h"

namespace {

gh::control::ClaimFacts facts() {
  return {
      .run_id = std::string(64, '0'),
      .findings = {{"clone:function:9f3a77c1d2e4", "fn:9f3a77", "clone", "function", "known"},
                   {"clone:function:abc123ff00aa|20-49", "fn:abc123|20-49", "clone", "function",
                    "new"},
                   {"dead_code:pkg.a:helper", "dead:helper", "dead_code", "function", "new", true}},
      .patch_health_delta = -1,
      .is_structural = false,
      .external_changes = true};
}

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::control;
  const std::string text = gh::utf8_or_escaped({reinterpret_cast<const char*>(data), size});
  if (!check_claim_text(text)) return 0;
  const ClaimAnswer answer = check_claims(text, facts());
  std::size_t last = 0;
  for (const Citation& c : answer.citations) {
    REQUIRE(c.start >= last && c.start < c.end && c.end <= text.size());
    REQUIRE(gh::contains(text, c.window));
    last = c.start;
  }
  for (const ClaimViolation& v : answer.violations)
    REQUIRE(!answer.citations.empty() || v.cited_id.empty());
  const ClaimAnswer loud = check_claims(in_capitals(text), facts());
  REQUIRE(loud.citations.size() == answer.citations.size());
  REQUIRE(loud.violations.size() == answer.violations.size());
  REQUIRE(loud.warnings == answer.warnings);
  REQUIRE(document(answer) == document(check_claims(text, facts())));
  return 0;
}
