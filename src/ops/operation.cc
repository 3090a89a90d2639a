#include "ops/operation.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/hidden_options.h"

namespace gh::ops {
namespace {

std::vector<std::string> words_of(std::string_view spaced) {
  std::vector<std::string> out;
  for (std::string_view word : split(spaced, ' '))
    if (!word.empty()) out.emplace_back(word);
  return out;
}

std::string hint(std::string_view word, std::span<const std::string> known) {
  const auto close = did_you_mean(word, known);
  return close ? fmt::format("; did you mean '{}'?", *close) : std::string();
}

std::optional<std::int64_t> as_integer(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

bool is_whole_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Status check_choice(std::string_view what, std::string_view value, std::string_view choices) {
  const std::vector<std::string> known = words_of(choices);
  if (std::ranges::find(known, value) != known.end()) return {};
  return fail(Code::bad_argument,
              fmt::format("{} takes one of {}, not '{}'{}", what, join(known, ", "),
                          printable(value, 60), hint(value, known)));
}

constexpr bool is_list(OptionType type) {
  return type == OptionType::text_list || type == OptionType::path_list;
}

/// 90s, 15m, 2h, 7d or plain seconds (interfaces 0.5).
std::optional<std::int64_t> as_seconds(std::string_view text) {
  struct Unit {
    char letter;
    std::int64_t seconds;
  };
  // table: duration_units
  constexpr std::array kUnits{Unit{'s', 1}, Unit{'m', 60}, Unit{'h', 3'600}, Unit{'d', 86'400}};
  constexpr std::int64_t kMost = 1'000'000'000;  // no product below overflows
  std::int64_t factor = 1;
  if (!text.empty())
    for (const Unit& unit : kUnits)
      if (text.back() == unit.letter) {
        factor = unit.seconds;
        text.remove_suffix(1);
        break;
      }
  const auto number = as_integer(text);
  if (!number || *number < 0 || *number > kMost) return std::nullopt;
  return *number * factor;
}

/// "a whole number from -1 to 100"
std::string numbers_of(const Option& option) {
  return option.most == std::numeric_limits<std::int64_t>::max()
             ? fmt::format("a whole number of {} or more", option.least)
             : fmt::format("a whole number from {} to {}", option.least, option.most);
}

Status check_value(const Option& option, const std::string& value) {
  const std::string what = fmt::format("--{}", option.name);
  switch (option.type) {
    case OptionType::integer: {
      const auto number = as_integer(value);
      if (number && *number >= option.least && *number <= option.most) return {};
      return fail(Code::bad_argument, fmt::format("{} takes {}, not '{}'", what, numbers_of(option),
                                                  printable(value, 60)));
    }
    case OptionType::choice:
      return check_choice(what, value, option.choices);
    case OptionType::flag:
      return check_choice(what, value, "true false");
    case OptionType::duration:
      if (as_seconds(value)) return {};
      return fail(Code::bad_argument,
                  fmt::format("{} takes a duration such as 90s, 15m, 2h or 7d, not '{}'", what,
                              printable(value, 60)));
    case OptionType::text:
    case OptionType::path:
    case OptionType::text_list:
    case OptionType::path_list:
      if (!value.empty()) return {};
      return fail(Code::bad_argument, fmt::format("{} takes a value, not an empty text", what));
  }
  return {};
}

Status unknown_option(const Operation& op, std::string_view name) {
  std::vector<std::string> known;
  for (const Option& option : op.options)
    known.push_back(fmt::format("--{}", option.name));
  return fail(Code::unknown_option,
              fmt::format("'{}' has no option '--{}'{}", op.words, printable(name, 60),
                          hint(fmt::format("--{}", name), known)));
}

}  // namespace

Actor actor_of(const Context& context) {
  return context.actor ? *context.actor : local_actor(context.env.user_id());
}

std::string_view to_string(Effect effect) {
  static constexpr std::array<std::string_view, 3> kNames{"reads", "writes_state", "writes_tree"};
  return kNames[static_cast<std::size_t>(effect)];
}

std::string_view to_string(OptionType type) {
  static constexpr std::array<std::string_view, 8> kNames{
      "flag", "text", "integer", "choice", "path", "text_list", "path_list", "duration"};
  return kNames[static_cast<std::size_t>(type)];
}

const Operation* find_operation(std::string_view words) {
  const auto all = operations();
  const auto it = std::ranges::find(all, words, &Operation::words);
  return it == all.end() ? nullptr : &*it;
}

const Option* find_option(const Operation& op, std::string_view name) {
  for (const auto options : {op.options, hidden_options(op)}) {
    const auto it = std::ranges::find(options, name, &Option::name);
    if (it != options.end()) return &*it;
  }
  return nullptr;
}

bool is_value_of(const Option& option, std::string_view word) {
  if (option.type == OptionType::integer) return is_whole_number(word);
  const std::size_t dot = option.bare.rfind('.');
  return dot != std::string_view::npos && !word.starts_with('-') &&
         word.ends_with(option.bare.substr(dot));
}

Result<Request> Request::make(const Operation& op, RawRequest raw) {
  Request out(op);
  for (auto& [name, values] : raw.options) {
    const Option* option = find_option(op, name);
    if (option == nullptr) return tl::make_unexpected(unknown_option(op, name).error());
    if (values.size() > 1 && !is_list(option->type))
      return fail(Code::bad_argument, fmt::format("--{} is given {} times", name, values.size()));
    for (const std::string& value : values)
      GH_DO(check_value(*option, value));
    out.values_[name] = std::move(values);
  }
  std::size_t at = 0;
  for (const Operand& operand : op.operands) {
    const std::size_t take = operand.arity == Arity::many
                                 ? raw.operands.size() - at
                                 : std::min<std::size_t>(1, raw.operands.size() - at);
    if (take == 0 && operand.arity == Arity::required)
      return fail(Code::missing_argument,
                  fmt::format("'{}' needs {}: {}", op.words, operand.name, operand.help));
    for (std::size_t i = 0; i < take; ++i) {
      std::string& value = raw.operands[at++];
      if (!operand.choices.empty()) GH_DO(check_choice(operand.name, value, operand.choices));
      out.values_[std::string(operand.name)].push_back(std::move(value));
    }
  }
  if (at < raw.operands.size())
    return fail(Code::bad_argument,
                fmt::format("'{}' does not take '{}'", op.words, printable(raw.operands[at], 60)));
  out.not_values_ = std::move(raw.not_values);
  return out;
}

Status Request::check_not_value(std::string_view operand) const {
  const std::string word = text(operand);
  const auto found = not_values_.find(word);
  if (found == not_values_.end()) return {};
  const Option& option = *find_option(*operation_, found->second);
  const std::string wanted =
      option.type == OptionType::integer
          ? numbers_of(option)
          : fmt::format("a name that ends with {}", option.bare.substr(option.bare.rfind('.')));
  return fail(Code::bad_argument,
              fmt::format("'{}' is neither a value of --{}, which takes {}, nor a {}",
                          printable(word, 60), option.name, wanted, operand));
}

bool Request::has(std::string_view name) const { return values_.find(name) != values_.end(); }

std::vector<std::string> Request::list(std::string_view name) const {
  const auto it = values_.find(name);
  return it == values_.end() ? std::vector<std::string>{} : it->second;
}

std::string Request::text(std::string_view name) const {
  const auto it = values_.find(name);
  if (it != values_.end() && !it->second.empty()) return it->second.back();
  const Option* option = find_option(*operation_, name);
  return option == nullptr ? std::string() : std::string(option->fallback);
}

bool Request::flag(std::string_view name) const { return text(name) == "true"; }

std::optional<std::int64_t> Request::integer(std::string_view name) const {
  return as_integer(text(name));
}

std::optional<std::int64_t> Request::seconds(std::string_view name) const {
  return as_seconds(text(name));
}

}  // namespace gh::ops
