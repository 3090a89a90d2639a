#pragma once
#include <cstring>

#include "diff/patch.h"

namespace gh::diff {

template <class Fn>
void for_each_line(const Hunk& hunk, Fn&& fn) {
  const char* at = hunk.body.data();
  const char* const end = at + hunk.body.size();
  for (std::int64_t number = hunk.line + 1; at < end; ++number) {
    const char* lf =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    const char* const next = lf + 1;  // parse() guarantees the LF
    const bool has_newline = next >= end || *next != '\\';
    if (at == lf) {
      fn(' ', std::string_view(), number, has_newline);
    } else if (*at != '\\') {
      fn(*at, std::string_view(at + 1, static_cast<std::size_t>(lf - at - 1)), number, has_newline);
    }
    at = next;
  }
}

}  // namespace gh::diff
