#pragma once
// Private to control.
#include <string_view>

namespace gh::control {

/// Without ASCII white space at either end.
constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace gh::control
