#include "policy/key_table.h"

#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "wire/json.h"

namespace gh::policy {
namespace {

std::string pointer_part(std::string_view key) {
  std::string out;
  for (const char c : key)
    out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

/// The value as a message shows it: short, one line.
std::string shown(const Value& v) {
  if (const std::string* s = v.as_string()) return fmt::format("'{}'", printable(*s, 60));
  if (const std::int64_t* i = v.as_int()) return std::to_string(*i);
  if (const bool* b = v.as_bool()) return *b ? "true" : "false";
  if (const Number* n = std::get_if<Number>(&v.data())) return printable(n->text, 60);
  if (std::holds_alternative<Decimal>(v.data())) return wire::canonical_json(v);
  return fmt::format("a {}", type_name(v));
}

}  // namespace

void set_at(Map& out, std::string_view path, Value value) {
  Map* group = &out;
  for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
    const std::string name(path.substr(0, dot));
    if (group->find(name) == nullptr) group->set(name, Map{});
    group = group->find(name)->as_map();
    path.remove_prefix(dot + 1);
  }
  group->set(std::string(path), std::move(value));
}

std::string At::shown_name() const { return name.empty() ? "the document" : name; }

At At::key(std::string_view key) const {
  return {place_of, pointer + '/' + pointer_part(key),
          name.empty() ? std::string(key) : fmt::format("{}.{}", name, key)};
}

At At::item(std::size_t index) const {
  return {place_of, fmt::format("{}/{}", pointer, index), fmt::format("{}[{}]", name, index)};
}

tl::unexpected<Error> At::fail(Code code, std::string_view what) const {
  return gh::fail(code, fmt::format("{}: {}: {}", (*place_of)(pointer), shown_name(), what));
}

tl::unexpected<Error> At::expected(std::string_view what, const Value& found) const {
  return fail(Code::policy_bad_value, fmt::format("expected {}, found {}", what, shown(found)));
}

tl::unexpected<Error> At::unknown(std::string_view unknown_key,
                                  const std::vector<std::string>& known) const {
  constexpr std::size_t kLongestGuess = 64;  // comparing costs length times length
  std::optional<std::string> guess;
  if (unknown_key.size() <= kLongestGuess)
    guess = did_you_mean(unknown_key.substr(0, unknown_key.find('.')), known);
  return gh::fail(Code::policy_unknown_key,
                  fmt::format("{}: unknown key '{}' in {}{}", (*place_of)(key(unknown_key).pointer),
                              printable(unknown_key, 60), shown_name(),
                              guess ? fmt::format("; did you mean '{}'?", *guess) : ""));
}

Status load_limit(std::int64_t& field, const Value& value, const At& at, std::int64_t max) {
  const std::int64_t* given = value.as_int();
  if (given != nullptr && *given >= 1 && *given <= max) {
    field = *given;
    return {};
  }
  const bool open_ended = max == std::numeric_limits<std::int64_t>::max();
  return at.expected(
      open_ended ? "an integer of 1 or more" : fmt::format("an integer from 1 to {}", max), value);
}

Status load_flag(bool& field, const Value& value, const At& at) {
  if (value.as_bool() == nullptr) return at.expected("true or false", value);
  field = *value.as_bool();
  return {};
}

Result<std::string> load_text(const Value& value, const At& at) {
  const std::string* text = value.as_string();
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  if (text == nullptr || text->empty() || std::ranges::any_of(*text, is_control))
    return at.expected("a non-empty string without control characters", value);
  return *text;
}

Result<std::size_t> load_choice(const Value& value, const At& at,
                                std::span<const std::string_view> words) {
  if (const std::string* given = value.as_string())
    if (const auto it = std::ranges::find(words, *given); it != words.end())
      return static_cast<std::size_t>(it - words.begin());
  return at.expected(fmt::format("one of {}", fmt::join(words, ", ")), value);
}

}  // namespace gh::policy
