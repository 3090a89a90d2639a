#include "mcp/translate.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "mcp/inside.h"
#include "model/peek.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

constexpr std::size_t kMaxPage = 100;

/// Arguments whose fault has a code of its own.
struct FaultRow {
  std::string_view name;
  Code wrong, missing;
};
// table: argument_faults
constexpr std::array kFaults{
    FaultRow{"scope", Code::scope_invalid, Code::scope_invalid},
    FaultRow{"scope.allowed_files", Code::scope_invalid, Code::scope_empty},
    FaultRow{"scope.allowed_related", Code::scope_invalid, Code::scope_invalid},
    FaultRow{"scope.forbidden", Code::scope_invalid, Code::scope_invalid},
    FaultRow{"intent", Code::intent_text_required, Code::intent_text_required},
    FaultRow{"expected_effects", Code::expected_effects_invalid, Code::expected_effects_invalid},
    FaultRow{"text", Code::text_not_string, Code::text_empty},
    FaultRow{"intent_id", Code::bad_argument, Code::intent_id_required},
};

Code code_of(std::string_view name, Code FaultRow::*fault, Code usual) {
  const auto* row = std::ranges::find(kFaults, name, &FaultRow::name);
  return row == kFaults.end() ? usual : row->*fault;
}

tl::unexpected<Error> wrong_type(std::string_view name, std::string_view wanted) {
  return fail(code_of(name, &FaultRow::wrong, Code::bad_argument),
              fmt::format("argument '{}' must be {}", name, wanted));
}

tl::unexpected<Error> wrong_choice(std::string_view name, std::vector<std::string> allowed) {
  std::ranges::sort(allowed);
  return fail(Code::invalid_choice,
              fmt::format("argument '{}' must be one of: {}", name, join(allowed, ", ")));
}

Result<std::string> text_of(std::string_view name, const Value& value) {
  if (value.as_string() == nullptr) return wrong_type(name, "a string");
  if (contains(*value.as_string(), std::string_view("\0", 1)))
    return wrong_type(name, "a string without NUL");
  return *value.as_string();
}

/// It names nothing; whoever means nothing leaves it out.
tl::unexpected<Error> empty_text(std::string_view name) {
  return fail(code_of(name, &FaultRow::missing, Code::bad_argument),
              fmt::format("argument '{}' is empty: say what is meant, or leave it out", name));
}

Result<std::string> filled_text(std::string_view name, const Value& value) {
  GH_TRY(text, text_of(name, value));
  if (text.empty()) return empty_text(name);
  return text;
}

Result<std::vector<std::string>> texts_of(std::string_view name, const Value& value) {
  if (value.as_list() == nullptr) return wrong_type(name, "a list of strings");
  std::vector<std::string> out;
  for (const Value& item : *value.as_list()) {
    if (item.as_string() == nullptr) return wrong_type(name, "a list of strings");
    GH_TRY(text, text_of(name, item));
    if (text.empty())
      return fail(code_of(name, &FaultRow::wrong, Code::bad_argument),
                  fmt::format("an entry of argument '{}' is empty: leave it out", name));
    out.push_back(std::move(text));
  }
  return out;
}

/// As answers give it: {kind, algorithm, digest_version, value}.
Result<std::string> digest_of(std::string_view name, const Value& value) {
  if (value.as_map() == nullptr) return filled_text(name, value);
  const Peek digest(value);
  if (digest["algorithm"].text() != "sha256" || digest["value"].text().empty())
    return wrong_type(name, "a digest");
  return fmt::format("sha256:{}", digest["value"].text());
}

Result<std::string> mapped(const Argument& argument, const Value& value) {
  GH_TRY(word, text_of(argument.name, value));
  std::vector<std::string> allowed;
  for (const std::string_view pair : split(argument.words, ' ')) {
    const std::size_t equals = pair.find('=');
    if (pair.substr(0, equals) == word) return std::string(pair.substr(equals + 1));
    allowed.emplace_back(pair.substr(0, equals));
  }
  return wrong_choice(argument.name, std::move(allowed));
}

/// Seconds are clamped where they are used, and what is no number of them counts as not given.
std::vector<std::string> seconds_words(const Value& value) {
  std::int64_t seconds = 0;
  if (const std::int64_t* number = value.as_int()) {
    seconds = *number;
  } else {
    const std::string text = value.as_string() == nullptr ? "" : *value.as_string();
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (text.empty() || wrong != std::errc{} || end != text.data() + text.size()) return {};
  }
  return {fmt::to_string(std::max<std::int64_t>(seconds, 0))};
}

/// The words that the command line would have for the value.
Result<std::vector<std::string>> option_words(const ops::Option& option, std::string_view name,
                                              const Value& value) {
  switch (option.type) {
    case ops::OptionType::flag:
      if (value.as_bool() == nullptr) return wrong_type(name, "true or false");
      return std::vector<std::string>{*value.as_bool() ? "true" : "false"};
    case ops::OptionType::duration:
      return seconds_words(value);
    case ops::OptionType::integer:
      if (value.as_int() == nullptr) return wrong_type(name, "an integer");
      return std::vector<std::string>{fmt::to_string(*value.as_int())};
    case ops::OptionType::text_list:
    case ops::OptionType::path_list:
      return texts_of(name, value);
    case ops::OptionType::choice: {
      GH_TRY(word, text_of(name, value));
      std::vector<std::string> allowed;
      for (const std::string_view choice : split(option.choices, ' '))
        allowed.emplace_back(choice);
      if (std::ranges::find(allowed, word) == allowed.end())
        return wrong_choice(name, std::move(allowed));
      return std::vector<std::string>{word};
    }
    case ops::OptionType::text:
      if (value.as_int() != nullptr)  // a number that the command line takes as text
        return std::vector<std::string>{fmt::to_string(*value.as_int())};
      [[fallthrough]];
    case ops::OptionType::path: {
      GH_TRY(text, filled_text(name, value));
      return std::vector<std::string>{text};
    }
  }
  return wrong_type(name, "something else");
}

Status put_words(const Argument& argument, std::vector<std::string> words, Translated& out) {
  if (!is_operand(argument.to)) {
    out.request.options[std::string(argument.to)] = std::move(words);
    return {};
  }
  for (std::string& word : words)
    out.request.operands.push_back(std::move(word));
  return {};
}

const Value* member(const Map& arguments, std::string_view name) {
  const std::size_t dot = name.find('.');
  const Value* value = arguments.find(name.substr(0, dot));
  if (dot == std::string_view::npos || value == nullptr || value->as_map() == nullptr) return value;
  return value->as_map()->find(name.substr(dot + 1));
}

bool is_given(const Map& arguments, std::string_view name) {
  const Value* value = member(arguments, name);
  return value != nullptr && !value->is_null();
}

/// scope: a member of an object that is none.
Status check_object(const Map& arguments, const Argument& argument) {
  const std::size_t dot = argument.name.find('.');
  if (dot == std::string_view::npos) return {};
  const Value* outer = arguments.find(argument.name.substr(0, dot));
  if (outer != nullptr && !outer->is_null() && outer->as_map() == nullptr)
    return wrong_type(argument.name.substr(0, dot), "an object");
  return {};
}

bool is_known(const Tool& tool, std::string_view name) {
  if (name == "root" || name == tool.selector) return true;
  if (!tool.pages.empty() && (name == "detail_level" || name == "limit" || name == "cursor"))
    return true;
  return std::ranges::any_of(tool.cases, [&](const Case& each) {
    return std::ranges::any_of(each.arguments, [&](const Argument& argument) {
      return argument.name == name ||
             (name.find('.') == std::string_view::npos && argument.name.size() > name.size() &&
              argument.name.starts_with(name) && argument.name[name.size()] == '.');
    });
  });
}

/// Has the argument members of its own?
bool is_object(const Tool& tool, const std::string& name) {
  return std::ranges::any_of(tool.cases, [&](const Case& each) {
    return std::ranges::any_of(each.arguments, [&](const Argument& argument) {
      return argument.name.starts_with(name + ".");
    });
  });
}

Status check_names(const Tool& tool, const Map& arguments) {
  for (const auto& [name, value] : arguments.entries()) {
    if (!is_known(tool, name))
      return fail(Code::bad_argument,
                  fmt::format("there is no argument '{}'", printable(name, 80)));
    if (value.as_map() == nullptr || !is_object(tool, name)) continue;
    for (const auto& [inner, ignored] : value.as_map()->entries())
      if (!is_known(tool, name + "." + inner))
        return fail(Code::bad_argument,
                    fmt::format("there is no argument '{}.{}'", name, printable(inner, 80)));
  }
  return {};
}

Result<const Case*> choose(const Tool& tool, const Map& arguments) {
  if (tool.selector.empty()) return &tool.cases.front();
  const Value* given = arguments.find(tool.selector);
  if (is_switch(tool)) {
    if (given != nullptr && !given->is_null() && given->as_bool() == nullptr)
      return wrong_type(tool.selector, "true or false");
    const bool is_on = given != nullptr && given->as_bool() != nullptr && *given->as_bool();
    return &tool.cases[is_on ? 1 : 0];
  }
  if (given == nullptr || given->is_null())
    return fail(Code::missing_argument, fmt::format("argument '{}' is required", tool.selector));
  GH_TRY(wanted, text_of(tool.selector, *given));
  std::vector<std::string> allowed;
  for (const Case& each : tool.cases) {
    if (each.when == wanted) return &each;
    allowed.emplace_back(each.when);
  }
  return wrong_choice(tool.selector, std::move(allowed));
}

Status read_paging(const Map& arguments, Translated& out) {
  const auto given = [&](std::string_view name) {
    const Value* value = arguments.find(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  };
  if (const Value* level = given("detail_level")) {
    GH_TRY(word, text_of("detail_level", *level));
    if (word != "summary" && word != "normal" && word != "full")
      return wrong_choice("detail_level", {"summary", "normal", "full"});
    out.detail_level = std::move(word);
  }
  if (const Value* limit = given("limit")) {
    if (limit->as_int() == nullptr || *limit->as_int() < 1 ||
        *limit->as_int() > static_cast<std::int64_t>(kMaxPage))
      return wrong_type("limit", "an integer from 1 to 100");
    out.limit = static_cast<std::size_t>(*limit->as_int());
  }
  if (const Value* cursor = given("cursor")) {
    GH_TRY(word, text_of("cursor", *cursor));
    out.cursor = std::move(word);
  }
  return {};
}

/// Several texts go in as one JSON object; one goes in as it is.
std::string joined_input(const Map& inputs) {
  if (inputs.size() == 1) return *inputs.entries().front().second.as_string();
  return inputs.empty() ? std::string() : wire::canonical_json(inputs);
}

}  // namespace

Status put_argument(const ops::Operation& operation, const Argument& argument, const Value& value,
                    Translated& out) {
  if (argument.to.empty()) return {};
  if (!argument.words.empty()) {
    GH_TRY(word, mapped(argument, value));
    if (word.empty()) return {};  // this word is what the operation does anyway
    return put_words(argument, {word}, out);
  }
  if (!is_operand(argument.to)) {
    GH_TRY(words, option_words(*ops::find_option(operation, argument.to), argument.name, value));
    if (words.empty() && value.as_list() == nullptr) return {};  // it counts as not given
    return put_words(argument, std::move(words), out);
  }
  const auto operand = std::ranges::find(operation.operands, argument.to, &ops::Operand::name);
  if (operand->arity == ops::Arity::many) {
    GH_TRY(words, texts_of(argument.name, value));
    return put_words(argument, std::move(words), out);
  }
  GH_TRY(word,
         argument.is_digest ? digest_of(argument.name, value) : filled_text(argument.name, value));
  return put_words(argument, {word}, out);
}

namespace {

bool is_needed_operand(const ops::Operation& operation, std::string_view name) {
  const auto operand = std::ranges::find(operation.operands, name, &ops::Operand::name);
  return operand != operation.operands.end() && operand->arity == ops::Arity::required;
}

}  // namespace

Result<Translated> translate(const Tool& tool, const Map& arguments) {
  GH_DO(check_names(tool, arguments));
  GH_TRY(chosen, choose(tool, arguments));
  Translated out{.chosen = chosen};
  const ops::Operation& operation = operation_named(chosen->operation);
  Map inputs;
  for (const Argument& argument : chosen->arguments) {
    GH_DO(check_object(arguments, argument));
    const Value* value = member(arguments, argument.name);
    if (value == nullptr || value->is_null()) {
      if (argument.is_required || is_needed_operand(operation, argument.to))
        return fail(code_of(argument.name, &FaultRow::missing, Code::missing_argument),
                    fmt::format("argument '{}' is required", argument.name));
      continue;
    }
    if (!argument.is_input) {
      GH_DO(put_argument(operation, argument, *value, out));
      continue;
    }
    if (value->as_string() == nullptr) return wrong_type(argument.name, "a string");
    inputs.set(std::string(argument.name), *value);
    if (inputs.size() == 1) GH_DO(put_words(argument, {"-"}, out));
  }
  for (const Given& given : chosen->given)
    if (given.unless.empty() || !is_given(arguments, given.unless))
      GH_DO(put_words({.name = given.to, .to = given.to}, {std::string(given.value)}, out));
  out.input = joined_input(inputs);
  if (const Value* root = arguments.find("root"); root != nullptr && !root->is_null()) {
    GH_TRY(folder, text_of("root", *root));
    out.root = std::move(folder);
  }
  if (!tool.pages.empty()) GH_DO(read_paging(arguments, out));
  return out;
}

}  // namespace gh::mcp
