#pragma once
// Unicode facts at one fixed version, compiled in; the host's locale is never consulted.
#include <cstdint>
#include <string>
#include <string_view>

namespace gh {

std::string_view unicode_version();  // "15.0.0"

/// Next code point of well-formed UTF-8 at `at`, advancing it. `text` must be valid (is_utf8).
char32_t next_code_point(std::string_view text, std::size_t& at);

std::string nfc(std::string_view utf8);
std::string nfc_casefold(
    std::string_view utf8);  // NFC, full case folding, NFC: the deny matching form

/// Compatibility forms (full width, bold, circled, ligatures) as the letters that they are, without
/// marks, folded.
std::string plain_letters(std::string_view utf8);
std::string utf8_of(char32_t);  // of a code point that is no surrogate

bool is_bidi_control(char32_t);  // U+061C, 200E, 200F, 202A-202E, 2066-2069
bool is_unsafe_in_path(
    char32_t);             // bidi, other Cf, U+2028/2029, noncharacter, private use, unassigned
bool is_letter(char32_t);  // general category L*, or a number that is one (Nl)
bool is_mark_or_digit(char32_t);  // Mn, Mc, Nd, Pc: what goes on in a word behind its first letter
int display_width(char32_t);      // terminal columns: 0, 1 or 2

}  // namespace gh
