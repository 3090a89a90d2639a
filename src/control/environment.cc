#include "control/environment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "control/trim.h"

namespace gh::control {
namespace {

// table: yes_words
constexpr std::array<std::string_view, 4> kYes{"1", "true", "yes", "on"};

std::optional<std::int64_t> whole_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

std::optional<std::int64_t> number_in(const Value& value) {
  if (const std::int64_t* number = value.as_int()) return *number;
  if (const std::string* text = value.as_string()) return whole_number(*text);
  return {};
}

}  // namespace

bool is_yes(std::string_view environment) {
  std::string word(trimmed(environment));
  std::ranges::transform(word, word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return std::ranges::find(kYes, word) != kYes.end();
}

std::int64_t resolve_seconds(const policy::SecondsRange& range, const Value& parameter,
                             std::string_view environment, std::int64_t configured) {
  std::optional<std::int64_t> asked;
  if (!parameter.is_null())
    asked = number_in(parameter);
  else if (!environment.empty())
    asked = whole_number(environment);
  return range.clamp(asked.value_or(configured));
}

}  // namespace gh::control
