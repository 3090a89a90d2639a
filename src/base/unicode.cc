#include "base/unicode.h"

#include <cstdlib>
#include <memory>

#include <utf8proc.h>

#include "base/error.h"

namespace gh {
namespace {

// The library release fixes the Unicode version; another release needs a new look at the rules.
static_assert(UTF8PROC_VERSION_MAJOR == 2 && UTF8PROC_VERSION_MINOR == 8);
constexpr std::string_view kUnicodeVersion = "15.0.0";

bool is_ascii(std::string_view text) {
  unsigned char seen = 0;
  for (const char c : text)
    seen = static_cast<unsigned char>(seen | static_cast<unsigned char>(c));
  return seen < 0x80;
}

std::string mapped(std::string_view utf8, int options) {
  utf8proc_uint8_t* raw = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(utf8.data()),
                                 static_cast<utf8proc_ssize_t>(utf8.size()), &raw,
                                 static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(raw, std::free);
  GH_ASSERT(size >= 0);  // the callers hold well-formed UTF-8
  return {reinterpret_cast<const char*>(raw), static_cast<std::size_t>(size)};
}

}  // namespace

std::string_view unicode_version() { return kUnicodeVersion; }

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at + i]));
  };
  const char32_t lead = byte(0);
  char32_t code = lead;
  std::size_t length = 1;
  if (lead >= 0xF0) {
    code = (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    length = 4;
  } else if (lead >= 0xE0) {
    code = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    length = 3;
  } else if (lead >= 0xC0) {
    code = (lead & 0x1F) << 6 | (byte(1) & 0x3F);
    length = 2;
  }
  at += length;
  return code;
}

std::string nfc(std::string_view utf8) {
  if (is_ascii(utf8)) return std::string(utf8);
  return mapped(utf8, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
}

std::string nfc_casefold(std::string_view utf8) {
  if (is_ascii(utf8)) {
    std::string lower(utf8);
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    return lower;
  }
  return mapped(nfc(utf8), UTF8PROC_COMPOSE | UTF8PROC_STABLE | UTF8PROC_CASEFOLD);
}

std::string plain_letters(std::string_view utf8) {
  return mapped(utf8, UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK |
                          UTF8PROC_CASEFOLD);
}

std::string utf8_of(char32_t c) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

bool is_bidi_control(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

bool is_letter(char32_t code) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
      return true;
    default:
      return false;
  }
}

bool is_mark_or_digit(char32_t code) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

bool is_unsafe_in_path(char32_t c) {
  if (c < 0x80) return false;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_CF:  // bidi controls are of this category
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:  // noncharacters too
      return true;
    default:
      return false;
  }
}

int display_width(char32_t c) { return utf8proc_charwidth(static_cast<utf8proc_int32_t>(c)); }

}  // namespace gh
