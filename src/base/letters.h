#pragma once
// Letters of ASCII without regard to case, and to nothing else.
#include <string>
#include <string_view>

namespace gh {

constexpr char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

inline std::string lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    c = lower_ascii(c);
  return out;
}

}  // namespace gh
