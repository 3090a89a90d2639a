// Real Python with a few words gone, doubled, swapped or put elsewhere: mostly broken, now and then
// valid.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gh::readers {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}
  std::size_t below(std::size_t limit) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return limit == 0 ? 0 : static_cast<std::size_t>(state_ % limit);
  }

 private:
  std::uint64_t state_;
};

/// Runs of letters, runs of blanks, and every other byte alone.
inline std::vector<std::string_view> pieces(std::string_view source) {
  const auto kind = [](char c) {
    if (c == ' ') return 1;
    const bool is_letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
    return is_letter ? 2 : 0;
  };
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < source.size();) {
    std::size_t end = at + 1;
    while (kind(source[at]) != 0 && end < source.size() && kind(source[end]) == kind(source[at]))
      ++end;
    out.push_back(source.substr(at, end - at));
    at = end;
  }
  return out;
}

// What a mutation puts in.
inline constexpr std::string_view kPutIn[] = {"(",
                                              ")",
                                              "[",
                                              "]",
                                              "{",
                                              "}",
                                              ",",
                                              ":",
                                              ";",
                                              ".",
                                              "*",
                                              "**",
                                              "=",
                                              ":=",
                                              "==",
                                              "->",
                                              "@",
                                              "\\\n",
                                              "\n",
                                              "  ",
                                              "\t",
                                              " if ",
                                              " else ",
                                              " for ",
                                              " in ",
                                              " not ",
                                              " is ",
                                              " as ",
                                              " and ",
                                              "lambda: ",
                                              "async ",
                                              "await ",
                                              "yield ",
                                              "*a",
                                              "...",
                                              "type ",
                                              "match ",
                                              "case ",
                                              "print ",
                                              "None",
                                              "1",
                                              "0x1f",
                                              "1j",
                                              "'s'",
                                              "f'{x}'",
                                              "b'b'",
                                              "\"",
                                              "'",
                                              "#",
                                              "{x!r:>{w}}",
                                              "~",
                                              "-",
                                              "|",
                                              "&",
                                              "^",
                                              "<<",
                                              "!=",
                                              "<",
                                              "\f",
                                              "\r\n",
                                              "(a)",
                                              "[a]",
                                              "{a}",
                                              "a.b",
                                              "a[0]",
                                              "a()",
                                              "x: int",
                                              "*,",
                                              "/,",
                                              "global x",
                                              "pass",
                                              "return ",
                                              "import a",
                                              "except ",
                                              "else:",
                                              "finally:",
                                              "def f(): ",
                                              "class A: ",
                                              "with a as b: ",
                                              "del ",
                                              "not in",
                                              "is not",
                                              "from a import b",
                                              "raise ",
                                              "assert ",
                                              "try:",
                                              "while 1: ",
                                              "elif x:",
                                              "`",
                                              "\xc3\xa9"};

/// Equal seeds, equal outcome.
inline std::string mutated(std::string_view source, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<std::string_view> words = pieces(source);
  if (words.empty()) return {};
  for (std::size_t n = 1 + dice.below(3); n > 0 && !words.empty(); --n) {
    const std::size_t at = dice.below(words.size());
    const auto here = words.begin() + static_cast<std::ptrdiff_t>(at);
    switch (dice.below(5)) {
      case 0:
        words.erase(here);
        break;
      case 1:
        words.insert(here, *here);
        break;
      case 2:
        std::swap(words[at], words[dice.below(words.size())]);
        break;
      case 3:
        words.insert(here, kPutIn[dice.below(std::size(kPutIn))]);
        break;
      default:
        *here = kPutIn[dice.below(std::size(kPutIn))];
        break;
    }
  }
  std::string out;
  for (const std::string_view word : words)
    out += word;
  return out;
}

}  // namespace gh::readers
