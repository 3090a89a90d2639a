#include "surface/words.h"

#include <algorithm>
#include <array>

namespace gh::surface {
namespace {

// table: severities of findings
constexpr std::array<std::string_view, 5> kSeverities{"info", "low", "medium", "high", "critical"};
// table: confidences
constexpr std::array<std::string_view, 4> kConfidences{"unknown", "low", "medium", "high"};
constexpr std::array<std::string_view, 2> kProfiles{"compat", "extended"};

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

std::string_view to_string(FindingSeverity s) { return kSeverities[static_cast<std::size_t>(s)]; }

std::optional<FindingSeverity> severity_named(std::string_view name) {
  const auto at = std::ranges::find(kSeverities, name);
  if (at == kSeverities.end()) return std::nullopt;
  return static_cast<FindingSeverity>(at - kSeverities.begin());
}

std::string_view to_string(Confidence c) { return kConfidences[static_cast<std::size_t>(c)]; }

Confidence confidence_named(std::string_view name) {
  const auto at = std::ranges::find(kConfidences, name);
  return at == kConfidences.end() ? Confidence::unknown
                                  : static_cast<Confidence>(at - kConfidences.begin());
}

std::string_view to_string(Profile p) { return kProfiles[static_cast<std::size_t>(p)]; }

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> out;
  bool inside = false;
  for (const char c : lower_case(text)) {
    if (is_letter(c) && !inside) out.emplace_back();
    inside = is_letter(c);
    if (inside) out.back() += c;
  }
  return out;
}

std::string lower_case(std::string_view ascii) {
  std::string out(ascii);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool is_one_of(std::string_view word, std::string_view words) {
  if (word.empty()) return false;
  for (std::size_t at = words.find(word); at != std::string_view::npos;
       at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' '))
      return true;
  }
  return false;
}

}  // namespace gh::surface
