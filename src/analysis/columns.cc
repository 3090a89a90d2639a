#include "analysis/columns.h"

#include "analysis/rows.h"
#include "wire/json_stream.h"

namespace gh::analysis {
namespace {

using Strings = const std::vector<std::string>*;

void append_strings(const std::vector<std::string>& list, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ',';
    wire::append_canonical(out, std::string_view(list[i]));
  }
  out += ']';
}

}  // namespace

Value value_of(const Cell& cell) {
  if (const auto* n = std::get_if<std::uint64_t>(&cell)) return static_cast<std::int64_t>(*n);
  if (const auto* text = std::get_if<std::string_view>(&cell)) return *text;
  if (const auto* decimal = std::get_if<Decimal>(&cell)) return *decimal;
  if (const auto* list = std::get_if<Strings>(&cell)) return string_list(**list);
  if (const auto* is_so = std::get_if<bool>(&cell)) return *is_so;
  return {};
}

void append_member(std::string_view key, const Cell& cell, std::string& out) {
  out += '"';
  out += key;  // of a table: nothing in it needs an escape
  out += "\":";
  append_value(cell, out);
}

void append_value(const Cell& cell, std::string& out) {
  if (const auto* n = std::get_if<std::uint64_t>(&cell))
    wire::append_canonical(out, *n);
  else if (const auto* text = std::get_if<std::string_view>(&cell))
    wire::append_canonical(out, *text);
  else if (const auto* decimal = std::get_if<Decimal>(&cell))
    wire::append_canonical(out, *decimal);
  else if (const auto* list = std::get_if<Strings>(&cell))
    append_strings(**list, out);
  else
    out += std::get<bool>(cell) ? "true" : "false";
}

}  // namespace gh::analysis
