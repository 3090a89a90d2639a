#include "wire/toml.h"

#include <fmt/format.h>

#include "base/text.h"

// Its parser asserts what a file need not keep ("[ = 1"), and then says what is wrong with the
// file.
#define TOML_ASSERT(expr)               static_cast<void>(0)
#define TOML_EXCEPTIONS                 0
#define TOML_ENABLE_UNRELEASED_FEATURES 0
#include <toml++/toml.h>

namespace gh::wire {
namespace {

Value scalar(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  return {};
}

/// Lists of scalars: nothing deeper is asked for.
Value flat(const toml::node& node) {
  const toml::array* array = node.as_array();
  if (array == nullptr) return scalar(node);
  List out;
  for (const toml::node& item : *array)
    out.push_back(scalar(item));
  return out;
}

/// Tables down to so many levels.
Value shallow(const toml::node& node, int levels) {
  const toml::table* table = node.as_table();
  if (table == nullptr || levels == 0) return flat(node);
  Map out;
  for (const auto& [key, value] : *table)
    out.set(std::string(key.str()), shallow(value, levels - 1));
  return out;
}

}  // namespace

Result<std::optional<Map>> read_toml_table(std::string_view text, std::string_view name,
                                           const std::vector<std::string_view>& path,
                                           TomlLimits limits) {
  if (text.size() > limits.max_bytes)
    return fail(Code::document_too_large,
                fmt::format("{} has more than {} bytes", name, limits.max_bytes));
  const toml::parse_result parsed = toml::parse(text, name);
  if (!parsed) {
    const toml::source_position at = parsed.error().source().begin;
    return fail(Code::input_unreadable, fmt::format("{}:{}:{}: {}", name, at.line, at.column,
                                                    printable(parsed.error().description(), 200)));
  }
  const toml::table* table = &parsed.table();
  for (const std::string_view key : path) {
    const toml::node* next = table->get(key);
    table = next == nullptr ? nullptr : next->as_table();
    if (table == nullptr) return std::nullopt;
  }
  Map out;
  for (const auto& [key, value] : *table)
    out.set(std::string(key.str()), shallow(value, limits.levels));
  return out;
}

}  // namespace gh::wire
