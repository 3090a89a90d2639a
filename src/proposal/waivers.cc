#include "proposal/waivers.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "proposal/words.h"

namespace gh::proposal {
namespace {

constexpr std::string_view kStart = "waive:";

// table: waivable codes
constexpr std::array<std::string_view, 1> kWaivable{"PROP_COMMANDS_FAILED"};

}  // namespace

bool is_waivable(std::string_view code) {
  return std::ranges::find(kWaivable, code) != kWaivable.end();
}

Result<ReviewReason> read_waiver(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view code = text.substr(0, colon);
  if (!is_waivable(code))
    return fail(
        Code::bad_argument,
        fmt::format("'{}' cannot be waived; only {} can", printable(code, 60),
                    join(std::vector<std::string>(kWaivable.begin(), kWaivable.end()), ", ")));
  const std::string_view why =
      colon == std::string_view::npos ? std::string_view() : trimmed(text.substr(colon + 1));
  if (why.empty())
    return fail(Code::bad_argument, fmt::format("a waiver needs its reason: {}:REASON", code));
  return ReviewReason{.code = std::string(kStart) + std::string(code), .text = std::string(why)};
}

std::vector<std::string> waived_codes(const std::vector<Review>& counting) {
  std::set<std::string> codes;
  for (const Review& review : counting) {
    if (review.verdict != ReviewVerdict::ok) continue;
    for (const ReviewReason& reason : review.reasons) {
      const std::string_view code = reason.code;
      if (code.starts_with(kStart) && is_waivable(code.substr(kStart.size())) &&
          !trimmed(reason.text).empty())
        codes.emplace(code.substr(kStart.size()));
    }
  }
  return {codes.begin(), codes.end()};
}

bool lift_refusal(const std::vector<std::string>& waived, const std::vector<std::string>& failed) {
  return !failed.empty() && std::ranges::all_of(failed, [&](const std::string& code) {
    return std::ranges::find(waived, code) != waived.end();
  });
}

}  // namespace gh::proposal
