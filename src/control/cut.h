#pragma once
// Texts of agents, cut to what a record may hold.
#include <string>
#include <string_view>

#include "base/text.h"
#include "base/unicode.h"

namespace gh::control {

/// The first `count` code points; bytes that are no UTF-8 are shown as escapes.
inline std::string first_characters(std::string_view bytes, std::size_t count) {
  std::string valid = utf8_or_escaped(bytes);
  std::size_t at = 0;
  for (; count > 0 && at < valid.size(); --count)
    next_code_point(valid, at);
  valid.resize(at);
  return valid;
}

}  // namespace gh::control
