#include "ops/run_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "report/columns.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxCell = 200;
constexpr int kSeverityWidth = 8;

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

}  // namespace

std::string table_text(const std::vector<std::vector<std::string>>& rows, std::string_view sides,
                       const report::Look& look) {
  std::vector<std::vector<std::string>> cells = rows;
  std::vector<int> widths(sides.size(), 0);
  for (std::vector<std::string>& row : cells)
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = printable(row[i], kMaxCell);
      widths[i] = std::max(widths[i], report::columns(row[i]));
    }
  std::string out;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    std::string line;
    for (std::size_t i = 0; i < cells[r].size(); ++i) {
      const std::string gap = spaces(widths[i] - report::columns(cells[r][i]));
      if (i != 0) line += "  ";
      line += sides[i] == '>' ? gap + cells[r][i] : cells[r][i] + gap;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (r == 0 ? report::paint(look, report::Ink::bold, line) : line) + "\n";
  }
  return out;
}

std::string severity_text(std::string_view severity, const report::Look& look) {
  const report::Ink ink = severity == "critical"  ? report::Ink::bad
                          : severity == "warning" ? report::Ink::warning
                                                  : report::Ink::dim;
  return report::paint(look, ink, report::padded(printable(severity, 20), kSeverityWidth));
}

std::string cell_text(const Value* value) {
  if (value == nullptr || value->is_null()) return "-";
  if (value->as_string() != nullptr) return *value->as_string();
  return wire::canonical_json(*value);
}

std::string counted_text(std::size_t n, std::string_view one) {
  return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

Map framed(std::string_view schema, Map document) {
  Map out{{"schema", schema}};
  for (const auto& [key, value] : document.entries())
    out.set(key, value);
  out.set("tool", Map{{"name", kProduct}, {"version", kVersion}});
  return out;
}

}  // namespace gh::ops
