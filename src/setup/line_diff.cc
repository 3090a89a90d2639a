#include "setup/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace gh::setup {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::size_t kMostCells = 4'000'000;  // beyond it the middle is shown as one change

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == text.npos ? text.size() : end + 1;
    out.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

struct Step {
  char kind;  // ' ', '-', '+'
  std::string_view line;
};

/// What both have in common, the longest there is, between what is alike at both ends.
std::vector<Step> steps_of(const Lines& a, const Lines& b) {
  std::size_t head = 0, tail = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head])
    ++head;
  while (tail + head < a.size() && tail + head < b.size() &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  std::vector<Step> out;
  for (std::size_t i = 0; i < head; ++i)
    out.push_back({' ', a[i]});
  const std::size_t n = a.size() - head - tail, m = b.size() - head - tail;
  const bool is_small = n * m <= kMostCells;
  std::vector<std::uint32_t> longest(is_small ? (n + 1) * (m + 1) : 0, 0);
  const auto cell = [&](std::size_t i, std::size_t k) -> std::uint32_t& {
    return longest[i * (m + 1) + k];
  };
  if (is_small)
    for (std::size_t i = n; i-- > 0;)
      for (std::size_t k = m; k-- > 0;)
        cell(i, k) = a[head + i] == b[head + k] ? cell(i + 1, k + 1) + 1
                                                : std::max(cell(i + 1, k), cell(i, k + 1));
  std::size_t i = 0, k = 0;
  while (i < n || k < m) {
    if (is_small && i < n && k < m && a[head + i] == b[head + k]) {
      out.push_back({' ', a[head + i]});
      ++i, ++k;
    } else if (k == m || (i < n && (!is_small || cell(i + 1, k) >= cell(i, k + 1)))) {
      out.push_back({'-', a[head + i++]});
    } else {
      out.push_back({'+', b[head + k++]});
    }
  }
  for (std::size_t t = tail; t > 0; --t)
    out.push_back({' ', a[a.size() - t]});
  return out;
}

void print(std::string& out, const Step& step) {
  out += step.kind;
  out += step.line;
  if (!step.line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

std::string start_of(std::size_t line, std::size_t count) {
  return fmt::format("{},{}", count == 0 ? line : line + 1, count);
}

}  // namespace

std::string unified_diff(std::string_view path, const std::string* before,
                         const std::string* after) {
  const std::string_view a = before == nullptr ? "" : std::string_view(*before);
  const std::string_view b = after == nullptr ? "" : std::string_view(*after);
  if (a == b && (before == nullptr) == (after == nullptr)) return {};
  const std::vector<Step> steps = steps_of(lines_of(a), lines_of(b));
  std::string out =
      fmt::format("--- {}\n+++ {}\n", before == nullptr ? "/dev/null" : fmt::format("a/{}", path),
                  after == nullptr ? "/dev/null" : fmt::format("b/{}", path));
  std::size_t old_line = 0, new_line = 0, at = 0;
  while (at < steps.size()) {
    const auto change = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(at), steps.end(),
                                     [](const Step& step) { return step.kind != ' '; });
    const auto first = static_cast<std::size_t>(change - steps.begin());
    if (change == steps.end()) break;
    const std::size_t from = std::max(at, first - std::min(first, kContext));
    old_line += from - at;
    new_line += from - at;
    // Up to where so many equal lines follow that another hunk begins.
    std::size_t end = first, equal = 0;
    while (end < steps.size() && equal <= 2 * kContext)
      equal = steps[end++].kind == ' ' ? equal + 1 : 0;
    const std::size_t to = end - (equal > kContext ? equal - kContext : 0);
    std::size_t gone = 0, come = 0;
    std::string body;
    for (std::size_t i = from; i < to; ++i) {
      gone += steps[i].kind != '+' ? 1 : 0;
      come += steps[i].kind != '-' ? 1 : 0;
      print(body, steps[i]);
    }
    out +=
        fmt::format("@@ -{} +{} @@\n", start_of(old_line, gone), start_of(new_line, come)) + body;
    old_line += gone;
    new_line += come;
    at = to;
  }
  return out;
}

}  // namespace gh::setup
