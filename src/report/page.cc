#include "report/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "report/analysis_markdown.h"

namespace gh::report {
namespace {

constexpr std::size_t kOpenRows = 15, kMaxRows = 400;
constexpr std::string_view kThinSpace = "\u202f";

/// Of a character that means something to a reader of HTML.
std::string_view reference_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

/// What every type of value looks like when no column says otherwise.
std::string plain_cell(const Peek& value) {
  if (!value.text().empty()) return html(value.text());
  std::string joined;
  for (const Value& item : value.list())
    joined += (joined.empty() ? "" : ", ") + html(Peek(item).text());
  if (!joined.empty() || !value.list().empty()) return joined;
  return value.exists() ? shown(value.decimal()) : std::string("–");
}

std::string head_of(std::span<const Column> columns) {
  std::string out = "<thead><tr>";
  for (const Column& column : columns)
    out += fmt::format("<th scope='col'{}>{}</th>", column.is_number ? " class='n'" : "",
                       column.title);
  return out + "</tr></thead>";
}

std::string row_of(const Peek& row, std::span<const Column> columns) {
  std::string out = "<tr>";
  for (const Column& column : columns)
    out += fmt::format("<td{}>{}</td>", column.is_number ? " class='n'" : "",
                       column.cell != nullptr ? column.cell(row) : plain_cell(row[column.key]));
  return out + "</tr>";
}

std::string part_of(const List& rows, std::size_t from, std::size_t to,
                    std::span<const Column> columns) {
  std::string out = "<div class='scroll'><table>" + head_of(columns) + "<tbody>";
  for (std::size_t i = from; i < to; ++i)
    out += row_of(Peek(rows[i]), columns);
  return out + "</tbody></table></div>";
}

}  // namespace

std::string html(std::string_view text, std::size_t max) {
  std::string plain = printable(text, max), out;
  std::size_t from = 0;  // what is not in `out` yet
  for (std::size_t at = 0; at < plain.size(); ++at) {
    const std::string_view reference = reference_of(plain[at]);
    if (reference.empty()) continue;
    out.append(plain, from, at - from);
    out += reference;
    from = at + 1;
  }
  if (from == 0) return plain;
  return out.append(plain, from);
}

std::string grouped(std::int64_t number) {
  const std::string digits = std::to_string(number < 0 ? -number : number);
  std::string out = number < 0 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) out += kThinSpace;
    out += digits[i];
  }
  return out;
}

std::string percent(std::int64_t permille) {
  return fmt::format("{}.{}{}%", permille / 10, permille % 10, kThinSpace);
}

std::string_view band_of(std::int64_t score) {
  return score >= 75 ? "good" : score >= 40 ? "fair" : "bad";
}

std::string pill(std::string_view word) {
  return word.empty() ? "–" : fmt::format("<span class='pill {0}'>{0}</span>", html(word, 60));
}

std::string place_cell(const Peek& row) {
  const std::int64_t line = row["start_line"].number();
  return fmt::format("<code>{}</code><span class='at'>{}{}</span>", html(row["qualname"].text()),
                     html(row["relative_path"].text()),
                     line == 0 ? std::string() : fmt::format(":{}", line));
}

std::string none(std::string_view sentence) {
  return fmt::format("<p class='none'>{}</p>", sentence);
}

std::string table_of(const List& rows, std::initializer_list<Column> list,
                     std::string_view when_empty) {
  const std::span<const Column> columns(list.begin(), list.size());
  if (rows.empty()) return none(when_empty);
  const std::size_t open = std::min(rows.size(), kOpenRows), most = std::min(rows.size(), kMaxRows);
  std::string out = part_of(rows, 0, open, columns);
  if (most > open)
    out += fmt::format("<details class='more'><summary>{} more</summary><div>{}</div></details>",
                       grouped(static_cast<std::int64_t>(most - open)),
                       part_of(rows, open, most, columns));
  if (rows.size() > most)
    out += none(fmt::format("{} more stand in the JSON report.",
                            grouped(static_cast<std::int64_t>(rows.size() - most))));
  return out;
}

std::string cards(const std::vector<Card>& all) {
  std::string out = "<dl class='cards'>";
  for (const Card& card : all)
    out += fmt::format("<div class='card'><dt>{}</dt><dd data-key='{}'>{}</dd></div>", card.title,
                       card.key, card.value);
  return out + "</dl>";
}

std::string facts(const std::vector<Fact>& all) {
  std::string out = "<dl class='facts'>";
  for (const Fact& fact : all)
    out += fmt::format("<dt>{}</dt><dd>{}</dd>", fact.name, fact.value);
  return out + "</dl>";
}

}  // namespace gh::report
