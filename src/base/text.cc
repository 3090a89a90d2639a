#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "base/unicode.h"

namespace gh {
namespace {

/// Length of the well-formed UTF-8 sequence at `at` (1-4), or 0. RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF.
std::size_t sequence_length(std::string_view s, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : std::uint8_t{0};
  };
  const unsigned lead = byte(at);
  const auto tail = [&](std::size_t i) { return (byte(at + i) & 0xC0U) == 0x80U; };
  const unsigned second = byte(at + 1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!tail(1) || !tail(2)) return 0;
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
    return 4;
  }
  return 0;
}

void append_printable(std::string& out, std::string_view bytes, std::size_t at,
                      std::size_t length) {
  if (length == 0) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[at]));
    return;
  }
  const char c = bytes[at];
  if (length == 1) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
    return;
  }
  std::size_t cursor = at;
  const char32_t point = next_code_point(bytes, cursor);
  if (point < 0xA0 || is_unsafe_in_path(point)) {
    out += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point));
  } else {
    out += bytes.substr(at, length);
  }
}

/// Damerau-Levenshtein distance (adjacent swaps count one) of short words.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j)
    d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

bool is_utf8(std::string_view s) {
  for (std::size_t at = 0; at < s.size();) {
    // Most text is ASCII: eight bytes at a time.
    for (std::uint64_t word; at + sizeof word <= s.size(); at += sizeof word) {
      std::memcpy(&word, s.data() + at, sizeof word);
      if ((word & 0x8080808080808080) != 0) break;
    }
    if (at == s.size()) break;
    const std::size_t length = sequence_length(s, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string utf8_or_escaped(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = sequence_length(bytes, at);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes[at++]));
      continue;
    }
    out += bytes.substr(at, length);
    at += length;
  }
  return out;
}

std::string printable(std::string_view bytes, std::size_t max) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
  if (bytes.size() <= max && std::ranges::all_of(bytes, is_plain)) return std::string(bytes);
  std::string out;
  std::size_t shown = 0;
  for (std::size_t at = 0; at < bytes.size(); ++shown) {
    if (shown == max) return out + "…";
    const std::size_t length = sequence_length(bytes, at);
    append_printable(out, bytes, at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty() || &part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::string normal_path(std::string_view path) {
  std::vector<std::string> out;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..")
      out.emplace_back(part);
    else if (!out.empty())
      out.pop_back();
  }
  return "/" + join(out, "/");
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::optional<std::string> did_you_mean(std::string_view word, std::span<const std::string> known) {
  static constexpr std::size_t kLongestWord = 64;  // the distance is quadratic
  std::optional<std::string> best;
  std::size_t best_distance = 3;
  if (word.empty() || word.size() > kLongestWord) return best;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (best) return best;
  const auto it =
      std::ranges::find_if(known, [&](const std::string& k) { return k.starts_with(word); });
  if (it != known.end()) best = *it;
  return best;
}

}  // namespace gh
