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

struct Placed {
  Value value{};
  MarkTree marks{};
};

Mark mark_at(const toml::source_region& region) {
  return {static_cast<std::int64_t>(region.begin.line),
          static_cast<std::int64_t>(region.begin.column),
          static_cast<std::int64_t>(region.end.line)};
}

/// Bounded by `levels`, not by the input.
Placed placed(const toml::node& node, int levels) {
  Placed out{.marks = {.mark = mark_at(node.source())}};
  const toml::table* table = node.as_table();
  const toml::array* array = node.as_array();
  if (levels == 0 && (table != nullptr || array != nullptr)) return out;
  if (table != nullptr) {
    std::vector<std::pair<std::string, Value>> entries;
    for (const auto& [key, value] : *table) {
      Placed child = placed(value, levels - 1);
      if (key.source().begin.line != 0) child.marks.mark = mark_at(key.source());
      entries.emplace_back(std::string(key.str()), std::move(child.value));
      out.marks.children.push_back(std::move(child.marks));
    }
    out.value = Map(std::move(entries));
  } else if (array != nullptr) {
    List items;
    for (const toml::node& item : *array) {
      Placed child = placed(item, levels - 1);
      items.push_back(std::move(child.value));
      out.marks.children.push_back(std::move(child.marks));
    }
    out.value = std::move(items);
  } else {
    out.value = scalar(node);
  }
  return out;
}

/// input_unreadable or document_too_large, with the place.
Result<toml::parse_result> parsed_toml(std::string_view text, std::string_view name,
                                       std::size_t max_bytes) {
  if (text.size() > max_bytes)
    return fail(Code::document_too_large,
                fmt::format("{} has more than {} bytes", name, max_bytes));
  toml::parse_result parsed = toml::parse(text, name);
  if (!parsed) {
    const toml::source_position at = parsed.error().source().begin;
    return fail(Code::input_unreadable, fmt::format("{}:{}:{}: {}", name, at.line, at.column,
                                                    printable(parsed.error().description(), 200)));
  }
  return parsed;
}

}  // namespace

Result<Document> read_toml(std::string_view text, std::string_view name, TomlLimits limits) {
  GH_TRY(parsed, parsed_toml(text, name, limits.max_bytes));
  Placed root = placed(parsed.table(), limits.levels);
  return Document{.root = std::move(root.value), .marks = std::move(root.marks)};
}

Result<std::optional<Map>> read_toml_table(std::string_view text, std::string_view name,
                                           const std::vector<std::string_view>& path,
                                           TomlLimits limits) {
  GH_TRY(parsed, parsed_toml(text, name, limits.max_bytes));
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
