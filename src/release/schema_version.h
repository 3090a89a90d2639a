#pragma once
// Versions of the documents of the release gate compare part by part: 0.9 is older than 0.10.
#include <string_view>

namespace gh::release {

/// "0.22" against 0.`minor`. What is no version is older than all.
inline bool is_schema_at_least(std::string_view version, int minor) {
  constexpr int kMost = 9999;
  const std::size_t dot = version.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == version.size()) return false;
  int found = 0;
  for (const char c : version.substr(dot + 1)) {
    if (c < '0' || c > '9' || found > kMost) return false;
    found = found * 10 + (c - '0');
  }
  return version.substr(0, dot) != "0" || found >= minor;
}

}  // namespace gh::release
