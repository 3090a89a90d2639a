#include "wire/json.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "base/text.h"
#include "wire/repeated_keys.h"
#include "wire/simdjson_loader.h"
#include "wire/small_json.h"
#include "wire/yaml.h"

namespace gh::wire {
namespace {

namespace od = simdjson::ondemand;
using Entries = std::vector<std::pair<std::string, Value>>;

/// Line and column of `offset`, 1-based; columns count code points.
std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto line = 1 + std::ranges::count(before, '\n');
  const auto column = 1 + std::ranges::count_if(before.substr(line_start),
                                                [](char c) { return (c & '\xC0') != '\x80'; });
  return fmt::format("{}:{}", line, column);
}

/// Where a string starts that never ends, or where a control character stands inside a string.
std::size_t broken_string(std::string_view text) {
  std::size_t start = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (!inside) {
      if (c == '"') inside = true, start = at;
    } else if (c == '\\') {
      ++at;
    } else if (c == '"') {
      inside = false;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      return at;
    }
  }
  return start;
}

std::size_t first_invalid_utf8(std::string_view text) {
  const std::string escaped = utf8_or_escaped(text);  // differs from the first bad byte on
  return static_cast<std::size_t>(std::ranges::mismatch(text, escaped).in1 - text.begin());
}

std::string_view trimmed(std::string_view token) {
  constexpr std::string_view kBlank = " \t\r\n";
  token.remove_prefix(std::min(token.find_first_not_of(kBlank), token.size()));
  return token.substr(0, token.find_last_not_of(kBlank) + 1);
}

std::size_t digits_from(std::string_view s, std::size_t at) {
  std::size_t end = at;
  while (end < s.size() && s[end] >= '0' && s[end] <= '9')
    ++end;
  return end;
}

struct NumberShape {
  bool valid = false, integer = false;
};

/// RFC 8259 number grammar; from_chars alone would take leading zeros and "inf".
NumberShape number_shape(std::string_view s) {
  std::size_t at = s.starts_with('-') ? 1 : 0;
  const std::size_t whole = digits_from(s, at);
  if (whole == at || (s[at] == '0' && whole > at + 1)) return {};
  at = whole;
  if (at == s.size()) return {true, true};
  if (s[at] == '.') {
    const std::size_t end = digits_from(s, at + 1);
    if (end == at + 1) return {};
    at = end;
  }
  if (at < s.size() && (s[at] == 'e' || s[at] == 'E')) {
    ++at;
    if (at < s.size() && (s[at] == '+' || s[at] == '-')) ++at;
    const std::size_t end = digits_from(s, at);
    if (end == at) return {};
    at = end;
  }
  return {at == s.size(), false};
}

/// A fraction written as the canonical writer would write it. Its text can be had back from the
/// Decimal, so nothing is lost, and our own documents survive reading and writing.
std::optional<Decimal> canonical_decimal(std::string_view s) {
  constexpr std::size_t kPlaces = 4, kMaxWhole = 16;  // with the sign
  const std::size_t point = s.find('.');
  if (point == std::string_view::npos || point > kMaxWhole) return {};
  const std::string_view fraction = s.substr(point + 1);
  const bool shortest = fraction.size() == 1 || !fraction.ends_with('0');
  if (fraction.size() > kPlaces || !shortest || digits_from(fraction, 0) != fraction.size())
    return {};
  std::string digits = std::string(s.substr(0, point)) + std::string(fraction);
  digits.append(kPlaces - fraction.size(), '0');
  Decimal out;
  const char* const end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, out.ten_thousandths).ec != std::errc{}) return {};
  if (out.ten_thousandths == 0 && s.starts_with('-')) return {};  // -0.0 would lose its sign
  return out;
}

std::optional<Value> number_value(std::string_view s) {
  const NumberShape shape = number_shape(s);
  if (!shape.valid) return {};
  const char* const end = s.data() + s.size();
  if (std::int64_t i = 0; shape.integer && std::from_chars(s.data(), end, i).ec == std::errc{})
    return Value(i);
  if (const auto decimal = canonical_decimal(s)) return Value(*decimal);
  double d = 0;
  if (std::from_chars(s.data(), end, d).ec != std::errc{}) return {};
  return Value(Number{d, std::string(s)});
}

/// One walk over the document. Nesting lives in `open_`, not on the machine's stack. Members of
/// open lists and mappings wait in `values_`, so that each list and mapping is allocated once, with
/// its size.
class Reader {
 public:
  Reader(std::string_view text, std::string_view name, JsonLimits limits, DuplicateKeys duplicates)
      : name_(name), limits_(limits), duplicates_(duplicates), padded_(text) {}

  Result<Value> read() {
    GH_DO(load_simdjson());
    if (const auto error = parser_.iterate(padded_).get(document_)) return refuse_lexical(error);
    GH_DO(read_root());
    while (!open_.empty())
      GH_DO(step());
    if (!at_end_ && here() != padded_.size())
      return refuse(here(), "more text after the end of the document");
    return std::move(values_.back());
  }

  std::vector<std::string>& repeats() { return repeats_; }

  /// Text of the first number that has no canonical form.
  const std::optional<std::string>& foreign_number() const { return foreign_number_; }

 private:
  struct Open {
    std::variant<od::array_iterator, od::object_iterator> cursor;
    std::size_t first_value, first_key;
    bool started = false;
  };

  std::string_view text() const { return {padded_.data(), padded_.size()}; }
  std::size_t offset_of(const char* p) const {
    return static_cast<std::size_t>(p - padded_.data());
  }

  std::size_t here() {
    const char* at = nullptr;
    return document_.current_location().get(at) ? padded_.size() : offset_of(at);
  }

  tl::unexpected<Error> refuse(std::size_t offset, std::string_view what) const {
    return fail(Code::json_invalid, fmt::format("{}:{}: {}", name_, place(text(), offset), what));
  }

  tl::unexpected<Error> refuse_lexical(simdjson::error_code error) const {
    switch (error) {
      case simdjson::EMPTY:
        return refuse(0, "the document is empty");
      case simdjson::UTF8_ERROR:
        return refuse(first_invalid_utf8(text()), "not UTF-8");
      case simdjson::UNCLOSED_STRING:
        return refuse(broken_string(text()), "the string does not end");
      case simdjson::UNESCAPED_CHARS:
        return refuse(broken_string(text()), "control character in a string");
      default:
        return refuse(0, "not JSON");
    }
  }

  Status read_root() {
    const std::string_view body = trimmed(text());
    const std::size_t offset = offset_of(body.data());
    switch (body.front()) {
      case '[': {
        od::array array;
        if (document_.get_array().get(array))
          return refuse(padded_.size(), "expected ']' at the end");
        return open(array, offset);
      }
      case '{': {
        od::object object;
        if (document_.get_object().get(object))
          return refuse(padded_.size(), "expected '}' at the end");
        return open(object, offset);
      }
      case '"':
        return store_string(document_.get_string(), offset);
      default:
        at_end_ = true;
        return store_literal(body);  // a lone literal is the whole text
    }
  }

  Status step() {
    Open& top = open_.back();
    if (auto* array = std::get_if<od::array_iterator>(&top.cursor)) {
      if (top.started) ++*array;
      top.started = true;
      if (*array == od::array_iterator{}) return close();
      od::value value;
      if ((**array).get(value)) return refuse(here(), "expected ',' or ']'");
      return read_value(value);
    }
    auto& object = std::get<od::object_iterator>(top.cursor);
    if (top.started) ++object;
    top.started = true;
    if (object == od::object_iterator{}) return close();
    od::field field;
    if ((*object).get(field)) return refuse(here(), "expected ',' or '}' or a key");
    const std::size_t key_offset = offset_of(field.key().raw()) - 1;
    std::string_view key;
    if (field.unescaped_key().get(key) || !spells_utf8(key, key_offset))
      return refuse(key_offset, "bad escape in the key");
    keys_.push_back(key);
    key_offsets_.push_back(key_offset);
    return read_value(field.value());
  }

  Status read_value(od::value& value) {
    const std::string_view token = value.raw_json_token();
    const std::size_t offset = offset_of(token.data());
    switch (token.empty() ? '\0' : token.front()) {
      case '[': {
        od::array array;
        if (value.get_array().get(array)) return refuse(offset, "the list does not end");
        return open(array, offset);
      }
      case '{': {
        od::object object;
        if (value.get_object().get(object)) return refuse(offset, "the mapping does not end");
        return open(object, offset);
      }
      case '"':
        return store_string(value.get_string(), offset);
      default:
        return store_literal(trimmed(token));
    }
  }

  template <class Container>
  Status open(Container& container, std::size_t offset) {
    if (open_.size() == limits_.max_depth)
      return refuse(offset, fmt::format("nested deeper than {} levels", limits_.max_depth));
    auto begin = container.begin();
    if (begin.error()) return refuse(here(), "not JSON");
    open_.push_back({begin.value_unsafe(), values_.size(), keys_.size()});
    return {};
  }

  /// The text as a whole is UTF-8, but escapes can spell a lone surrogate, which has no UTF-8 form.
  /// An escape is at least as long as what it stands for: the first one is among as many bytes.
  bool spells_utf8(std::string_view string, std::size_t offset) const {
    const bool escapes = std::memchr(padded_.data() + offset + 1, '\\', string.size()) != nullptr;
    return !escapes || is_utf8(string);
  }

  Status store_string(simdjson::simdjson_result<std::string_view> string, std::size_t offset) {
    std::string_view s;
    if (std::move(string).get(s) || !spells_utf8(s, offset))
      return refuse(offset, "bad escape in the string");
    values_.emplace_back(s);
    return {};
  }

  Status store_literal(std::string_view token) {
    auto value = literal_value(token);
    if (!value) return refuse(offset_of(token.data()), "expected a value");
    if (const Number* number = std::get_if<Number>(&value->data()); number && !foreign_number_)
      foreign_number_ = number->text;
    values_.push_back(std::move(*value));
    return {};
  }

  Status close() {
    const Open done = open_.back();
    open_.pop_back();
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(done.first_value);
    if (std::holds_alternative<od::array_iterator>(done.cursor)) {
      List items(std::make_move_iterator(first), std::make_move_iterator(values_.end()));
      values_.erase(first, values_.end());
      values_.emplace_back(std::move(items));
      return {};
    }
    Entries entries;
    entries.reserve(keys_.size() - done.first_key);
    for (std::size_t i = done.first_key; i < keys_.size(); ++i)
      entries.emplace_back(keys_[i], std::move(values_[done.first_value + i - done.first_key]));
    values_.erase(first, values_.end());
    GH_DO(settle_duplicates(done.first_key, entries));
    keys_.resize(done.first_key);
    key_offsets_.resize(done.first_key);
    values_.emplace_back(Map(std::move(entries)));
    return {};
  }

  /// Refuses a repeated key, or keeps its last value at its first place.
  Status settle_duplicates(std::size_t first_key, Entries& entries) {
    const std::span<const std::string_view> keys = std::span(keys_).subspan(first_key);
    const std::vector<Repeat> repeats = repeated_keys(keys);
    if (repeats.empty()) return {};
    const std::span<const std::size_t> offsets = std::span(key_offsets_).subspan(first_key);
    if (duplicates_ == DuplicateKeys::refuse) {
      const auto [first, later] = repeats.front();
      return refuse(offsets[later], fmt::format("key '{}' is already at {}", printable(keys[first]),
                                                place(text(), offsets[first])));
    }
    std::vector<bool> dropped(keys.size());
    for (const Repeat& r : repeats) {
      if (repeats_.size() < YamlDocument::kMaxRepeats)
        repeats_.push_back(fmt::format("'{}' at {}", printable(keys[r.first], 60),
                                       place(text(), offsets[r.first])));
      entries[r.first].second = std::move(entries[r.later].second);
      dropped[r.later] = true;
    }
    std::size_t at = 0;
    std::erase_if(entries, [&](const auto&) { return dropped[at++]; });
    return {};
  }

  std::string_view name_;
  JsonLimits limits_;
  DuplicateKeys duplicates_;
  simdjson::padded_string padded_;
  od::parser parser_;
  od::document document_;
  std::vector<Open> open_;
  std::vector<Value> values_;
  std::vector<std::string_view> keys_;  // in the parser's string buffer: outlives the walk
  std::vector<std::size_t> key_offsets_;
  std::optional<std::string> foreign_number_;
  std::vector<std::string> repeats_;
  bool at_end_ = false;
};

Status check_size(std::string_view text, std::string_view name, JsonLimits limits) {
  if (text.size() <= limits.max_bytes) return {};
  return fail(Code::document_too_large,
              fmt::format("{}:1:1: {} bytes, at most {}", name, text.size(), limits.max_bytes));
}

}  // namespace

std::optional<Value> literal_value(std::string_view token) {
  if (token == "true") return Value(true);
  if (token == "false") return Value(false);
  if (token == "null") return Value(nullptr);
  return number_value(token);
}

Result<Value> read_json(std::string_view text, std::string_view name, JsonLimits limits,
                        DuplicateKeys duplicates) {
  GH_DO(check_size(text, name, limits));
  if (auto small = read_small_json(text, limits)) return std::move(small->value);
  return Reader(text, name, limits, duplicates).read();
}

Result<Value> read_json_telling(std::string_view text, std::string_view name, JsonLimits limits,
                                std::vector<std::string>& repeats) {
  GH_DO(check_size(text, name, limits));
  if (auto small = read_small_json(text, limits)) return std::move(small->value);
  Reader reader(text, name, limits, DuplicateKeys::last_wins);
  GH_TRY(value, reader.read());
  repeats = std::move(reader.repeats());
  return std::move(value);
}

Result<Value> read_own_json(std::string_view text, std::string_view name) {
  GH_DO(check_size(text, name, {}));
  if (auto small = read_small_json(text, {}); small && !small->has_foreign_number)
    return std::move(small->value);
  Reader reader(text, name, {}, DuplicateKeys::refuse);
  GH_TRY(value, reader.read());
  if (const auto& number = reader.foreign_number())
    return fail(Code::json_invalid,
                fmt::format("{}: {} is no number of our documents", name, printable(*number)));
  return std::move(value);
}

}  // namespace gh::wire
