#pragma once
// The graded words of the release gate (tool-surface, conventions).
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::surface {

enum class FindingSeverity : std::uint8_t { info, low, medium, high, critical };  // stronger later
std::string_view to_string(FindingSeverity);
std::optional<FindingSeverity> severity_named(std::string_view);

enum class Confidence : std::uint8_t { unknown, low, medium, high };
std::string_view to_string(Confidence);
Confidence confidence_named(std::string_view);  // any other word is unknown

enum class Profile : std::uint8_t { compat, extended };
std::string_view to_string(Profile);

/// Maximal runs of letters a to z of the text in lower case, in order.
std::vector<std::string> tokens_of(std::string_view text);
std::string lower_case(std::string_view ascii);
std::string_view trimmed(std::string_view text);                // blanks of Unicode's ASCII part
bool is_one_of(std::string_view word, std::string_view words);  // separated by single blanks

}  // namespace gh::surface
