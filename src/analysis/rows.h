// Items of a list whose members all have the same keys, without the keys.
#pragma once

#include "analysis/columns.h"

namespace gh::analysis {

void append_value(const Cell&, std::string& out);

/// The values as a list in canonical JSON, in the order of their keys.
template <class T>
void append_row(std::span<const Column<T>> columns, const T& of, std::string& out) {
  char before = '[';
  for (const Column<T>& column : columns) {
    out += before;
    append_value(column.cell(of), out);
    before = ',';
  }
  out += ']';
}

}  // namespace gh::analysis
