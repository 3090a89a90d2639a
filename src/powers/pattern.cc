#include "powers/pattern.h"

#include <cstddef>
#include <vector>

#include "base/text.h"

namespace gh::powers {
namespace {

constexpr int kStar = -1;
/// Bounds the table below: rules are lines that people write.
constexpr std::size_t kMaxLetters = 2048;

std::vector<int> letters_of(std::string_view pattern) {
  std::vector<int> out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      out.push_back(static_cast<unsigned char>(pattern[++i]));
    } else if (pattern[i] == '*') {
      if (out.empty() || out.back() != kStar) out.push_back(kStar);
    } else {
      out.push_back(static_cast<unsigned char>(pattern[i]));
    }
  }
  return out;
}

/// Does `wide` match `narrow` when a star of `narrow` is a letter that only stars take? Whatever
/// the star of `narrow` stands for is then taken, too. `star` says which parts are stars, `fits`
/// whether one part of `wide` takes one part of `narrow`, and `least` how many parts the last star
/// of `wide` takes at least.
template <class Part, class Star, class Fits>
bool matches(const std::vector<Part>& wide, const std::vector<Part>& narrow, Star star, Fits fits,
             std::size_t least) {
  if (wide.size() > kMaxLetters || narrow.size() > kMaxLetters) return false;
  // at[j]: the parts of `wide` read so far take the first j parts of `narrow`
  std::vector<char> at(narrow.size() + 1, 0), next(narrow.size() + 1, 0);
  at[0] = 1;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const bool is_star = star(wide[i]);
    const std::size_t skip = is_star && i + 1 == wide.size() ? least : 0;
    bool open = false;
    for (std::size_t j = 0; j <= narrow.size(); ++j) {
      if (is_star) {
        open = open || (j >= skip && at[j - skip] != 0);
        next[j] = open;
      } else {
        next[j] = j > 0 && at[j - 1] != 0 && !star(narrow[j - 1]) && fits(wide[i], narrow[j - 1]);
      }
    }
    at.swap(next);
  }
  return at[narrow.size()] != 0;
}

bool is_any_parts(std::string_view part) { return part == "**"; }

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> out;
  for (const std::string_view part : split(path, '/'))
    if (!part.empty() && part != ".") out.push_back(part);
  return out;
}

}  // namespace

bool takes_all_of(std::string_view wide, std::string_view narrow) {
  return matches(
      letters_of(wide), letters_of(narrow), [](int letter) { return letter == kStar; },
      [](int a, int b) { return a == b; }, 0);
}

bool path_takes_all_of(std::string_view wide, std::string_view narrow) {
  std::vector<std::string_view> w = parts_of(wide), n = parts_of(narrow);
  const auto fits = [](std::string_view a, std::string_view b) { return takes_all_of(a, b); };
  if (matches(w, n, is_any_parts, fits, 1)) return true;
  if (w.empty() || w.back().find('*') != w.back().npos) return false;
  w.emplace_back("**");  // everything below the folder that it names
  return matches(w, n, is_any_parts, fits, 1);
}

}  // namespace gh::powers
