#pragma once
// The glob rules a second time, as the plainest recursion: the judge of glob.cc in tests and
// fuzzing. Exponential, and for ASCII texts without bytes above 0x7f only.
#include <string_view>

namespace gh::policy {

inline bool naive_set(std::string_view set, char c) {
  const bool negated = set.starts_with('!');
  if (negated) set.remove_prefix(1);
  bool found = false;
  while (!set.empty()) {
    const bool range = set.size() > 2 && set[1] == '-';
    found |= range ? set[0] <= c && c <= set[2] : set[0] == c;
    set.remove_prefix(range ? 3 : 1);
  }
  return found != negated;
}

inline bool naive(std::string_view p, std::string_view s, bool paths, bool component_start) {
  if (p.empty()) return s.empty();
  if (paths && component_start && p.starts_with("**/")) {
    if (naive(p.substr(3), s, paths, true)) return true;
    for (std::size_t i = 0; i < s.size(); ++i)
      if (s[i] == '/' && naive(p.substr(3), s.substr(i + 1), paths, true)) return true;
    return false;
  }
  if (p[0] == '*') {
    const bool wide = !paths || p.starts_with("**");
    const std::string_view rest = p.substr(paths && wide ? 2 : 1);
    for (std::size_t i = 0; i <= s.size(); ++i) {
      if (naive(rest, s.substr(i), paths, false)) return true;
      if (i < s.size() && s[i] == '/' && !wide) return false;
    }
    return false;
  }
  if (s.empty()) return false;
  if (p[0] == '?') return !(paths && s[0] == '/') && naive(p.substr(1), s.substr(1), paths, false);
  if (p[0] == '[') {
    const std::size_t first = p.size() > 1 && p[1] == '!' ? 2 : 1;
    const std::size_t close = p.find(']', first + 1);
    if (close != std::string_view::npos)
      return !(paths && s[0] == '/') && naive_set(p.substr(1, close - 1), s[0]) &&
             naive(p.substr(close + 1), s.substr(1), paths, false);
  }
  return p[0] == s[0] && naive(p.substr(1), s.substr(1), paths, p[0] == '/');
}

inline bool naive_pathglob(std::string_view p, std::string_view s) {
  if (!p.ends_with("/**")) return naive(p, s, true, true);
  p.remove_suffix(3);
  for (std::size_t i = 0; i <= s.size(); ++i)
    if ((i == s.size() || s[i] == '/') && naive_pathglob(p, s.substr(0, i))) return true;
  return false;
}

inline bool naive_glob(std::string_view p, std::string_view s) { return naive(p, s, false, true); }

}  // namespace gh::policy
