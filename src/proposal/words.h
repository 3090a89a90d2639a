#pragma once
// Words in text that people and agents wrote: ASCII case does not matter, letters and digits make
// words. Private to proposal.
#include <string>
#include <string_view>
#include <vector>

namespace gh::proposal {

std::string lower(std::string_view);
std::string_view trimmed(std::string_view);
std::int64_t characters(std::string_view utf8);
bool is_word_byte(char);  // letter, digit, '_' or part of a character outside ASCII

/// `phrase` in `text` with no word byte touching it on either side. Exact bytes.
bool has_word(std::string_view text, std::string_view phrase);
bool has_any_word(std::string_view text, const std::vector<std::string>& phrases);

}  // namespace gh::proposal
