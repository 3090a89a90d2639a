// Items of long lists, member by member: as a document, and as canonical JSON without making one.
// One table says both, so that they cannot differ.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/value.h"

namespace gh::analysis {

/// What a member of an item holds; nothing: the item has no such member.
using Cell = std::variant<std::monostate, std::uint64_t, bool, Decimal, std::string_view,
                          const std::vector<std::string>*>;

/// The columns of a list stand in the order of their keys.
template <class T>
struct Column {
  std::string_view key;
  Cell (*cell)(const T&);
};

Value value_of(const Cell&);
void append_member(std::string_view key, const Cell&, std::string& out);

template <class T>
Map item_of(std::span<const Column<T>> columns, const T& of) {
  std::vector<std::pair<std::string, Value>> out;
  for (const Column<T>& column : columns)
    if (const Cell cell = column.cell(of); !std::holds_alternative<std::monostate>(cell))
      out.emplace_back(column.key, value_of(cell));
  return Map(std::move(out));
}

/// The same as canonical JSON.
template <class T>
void append_item(std::span<const Column<T>> columns, const T& of, std::string& out) {
  out += '{';
  const std::size_t start = out.size();
  for (const Column<T>& column : columns)
    if (const Cell cell = column.cell(of); !std::holds_alternative<std::monostate>(cell)) {
      if (out.size() > start) out += ',';
      append_member(column.key, cell, out);
    }
  out += '}';
}

}  // namespace gh::analysis
