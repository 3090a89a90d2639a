#include "wire/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace gh::wire {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

constexpr std::array<std::string_view, 5> kNull{"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 3> kTrue{"true", "True", "TRUE"};
constexpr std::array<std::string_view, 3> kFalse{"false", "False", "FALSE"};
constexpr std::array<std::string_view, 6> kYes{"yes", "Yes", "YES", "on", "On", "ON"};
constexpr std::array<std::string_view, 6> kNo{"no", "No", "NO", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 3> kInfinity{".inf", ".Inf", ".INF"};
constexpr std::array<std::string_view, 3> kNan{".nan", ".NaN", ".NAN"};

constexpr std::string_view kDecimalDigits = "0123456789", kOctalDigits = "01234567",
                           kBinaryDigits = "01", kHexDigits = "0123456789abcdefABCDEF";

bool all_of(std::string_view text, std::string_view alphabet) {
  return text.find_first_not_of(alphabet) == std::string_view::npos;
}

std::string without_underscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

struct Signed {
  bool negative;
  std::string_view rest;
};

Signed split_sign(std::string_view text) {
  const bool has_sign = text.starts_with('-') || text.starts_with('+');
  return {text.starts_with('-'), text.substr(has_sign ? 1 : 0)};
}

/// `digits` in `base`: an int64 when it fits, else a Number with the scalar's text.
Value integer(bool negative, std::string_view digits, int base, std::string_view source) {
  const std::string text = (negative ? "-" : "") + std::string(digits);
  std::int64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value, base).ec == std::errc{})
    return value;
  double magnitude = 0;
  for (const char c : digits) {
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    magnitude = magnitude * base + digit;
  }
  return Number{negative ? -magnitude : magnitude, std::string(source)};
}

double double_of(const std::string& text) {
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto result = std::from_chars(begin, text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range)
    return text.find("e-") == std::string::npos && text.find("E-") == std::string::npos
               ? std::numeric_limits<double>::infinity()
               : 0.0;
  return value;
}

std::optional<Value> special_float(std::string_view text) {
  const auto [negative, rest] = split_sign(text);
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (is_one_of(rest, kInfinity)) return Number{negative ? -kInf : kInf, std::string(text)};
  if (is_one_of(text, kNan))
    return Number{std::numeric_limits<double>::quiet_NaN(), std::string(text)};
  return {};
}

/// The parts of [sign] digits [. digits] [e [sign] digits].
struct FloatShape {
  std::string_view whole, fraction, exponent;
  bool has_point = false, has_exponent = false;
};

FloatShape float_shape(std::string_view rest) {
  FloatShape shape;
  if (const std::size_t e = rest.find_first_of("eE"); e != std::string_view::npos) {
    shape.has_exponent = true;
    shape.exponent = rest.substr(e + 1);
    rest = rest.substr(0, e);
  }
  const std::size_t point = rest.find('.');
  shape.has_point = point != std::string_view::npos;
  shape.whole = rest.substr(0, point);
  if (shape.has_point) shape.fraction = rest.substr(point + 1);
  return shape;
}

std::optional<Value> core_float(std::string_view text) {
  if (auto special = special_float(text)) return special;
  const auto [negative, rest] = split_sign(text);
  const FloatShape shape = float_shape(rest);
  const std::string_view exponent = split_sign(shape.exponent).rest;
  if (!all_of(shape.whole, kDecimalDigits) || !all_of(shape.fraction, kDecimalDigits) ||
      !all_of(exponent, kDecimalDigits))
    return {};
  if ((shape.whole.empty() && shape.fraction.empty()) || (shape.has_exponent && exponent.empty()))
    return {};
  if (!shape.has_exponent && shape.fraction.size() <= 4 && shape.whole.size() <= 14) {
    std::string digits = std::string(shape.whole) + std::string(shape.fraction);
    digits.append(4 - shape.fraction.size(), '0');
    const Value scaled = integer(negative, digits, 10, text);
    return Decimal{*scaled.as_int()};
  }
  return Number{double_of(std::string(text)), std::string(text)};
}

std::optional<Value> core_integer(std::string_view text) {
  const auto [negative, rest] = split_sign(text);
  if (!rest.empty() && all_of(rest, kDecimalDigits)) return integer(negative, rest, 10, text);
  if (text.size() > 2 && text.starts_with("0o") && all_of(text.substr(2), kOctalDigits))
    return integer(false, text.substr(2), 8, text);
  if (text.size() > 2 && text.starts_with("0x") && all_of(text.substr(2), kHexDigits))
    return integer(false, text.substr(2), 16, text);
  return {};
}

/// 190:20:30 is 190 * 3600 + 20 * 60 + 30; every group after the first is below 60.
std::optional<Value> sexagesimal(bool negative, std::string_view rest, std::string_view source) {
  if (rest.empty() || rest[0] < '1' || rest[0] > '9') return {};
  double total = 0;
  for (std::size_t at = 0, groups = 0; at <= rest.size(); ++groups) {
    const std::size_t end = std::min(rest.find(':', at), rest.size());
    const std::string group = without_underscores(rest.substr(at, end - at));
    const bool in_range =
        groups == 0 || (group.size() <= 2 && (group.size() < 2 || group[0] < '6'));
    if (group.empty() || !all_of(group, kDecimalDigits) || !in_range) return {};
    total = total * 60 + double_of(group);
    at = end + 1;
  }
  if (total > 9e15) return Number{negative ? -total : total, std::string(source)};
  const auto value = static_cast<std::int64_t>(total);
  return Value(negative ? -value : value);
}

std::optional<Value> yaml11_integer(std::string_view text) {
  const auto [negative, rest] = split_sign(text);
  if (rest.empty() || rest[0] < '0' || rest[0] > '9') return {};
  const auto in_base = [text, minus = negative](std::string_view digits, std::string_view alphabet,
                                                int base) -> std::optional<Value> {
    const std::string plain = without_underscores(digits);
    if (plain.empty() || !all_of(plain, alphabet)) return {};
    return integer(minus, plain, base, text);
  };
  if (rest.starts_with("0b")) return in_base(rest.substr(2), kBinaryDigits, 2);
  if (rest.starts_with("0x")) return in_base(rest.substr(2), kHexDigits, 16);
  if (rest.size() > 1 && rest[0] == '0') return in_base(rest, kOctalDigits, 8);
  if (rest.find(':') != std::string_view::npos) return sexagesimal(negative, rest, text);
  return in_base(rest, kDecimalDigits, 10);
}

std::optional<Value> yaml11_float(std::string_view text) {
  if (auto special = special_float(text)) return special;
  const std::string plain = without_underscores(text);
  const FloatShape shape = float_shape(split_sign(plain).rest);
  const bool signed_exponent = shape.exponent.starts_with('+') || shape.exponent.starts_with('-');
  if (!shape.has_point || (shape.whole.empty() && shape.fraction.empty())) return {};
  if (!all_of(shape.whole, kDecimalDigits) || !all_of(shape.fraction, kDecimalDigits)) return {};
  if (shape.has_exponent && (!signed_exponent || shape.exponent.size() < 2 ||
                             !all_of(shape.exponent.substr(1), kDecimalDigits)))
    return {};
  return Number{double_of(plain), std::string(text)};
}

}  // namespace

Value plain_scalar(std::string_view text, YamlDialect dialect) {
  if (is_one_of(text, kNull)) return nullptr;
  if (is_one_of(text, kTrue)) return true;
  if (is_one_of(text, kFalse)) return false;
  if (dialect == YamlDialect::strict) {
    if (auto value = core_integer(text)) return std::move(*value);
    if (auto value = core_float(text)) return std::move(*value);
    return text;
  }
  if (is_one_of(text, kYes)) return true;
  if (is_one_of(text, kNo)) return false;
  if (auto value = yaml11_integer(text)) return std::move(*value);
  if (auto value = yaml11_float(text)) return std::move(*value);
  return text;
}

}  // namespace gh::wire
