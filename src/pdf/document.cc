#include "pdf/document.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"

namespace gh::pdf {
namespace {

constexpr std::string_view kSchema = "gatehouse.pdf_document/1";
constexpr std::array<std::string_view, 5> kTones{"plain", "good", "warning", "bad", "muted"};

std::string_view word_of(Tone tone) { return kTones[static_cast<std::size_t>(tone)]; }

Tone tone_of(std::string_view word) {
  const auto found = std::ranges::find(kTones, word);
  return found == kTones.end() ? Tone::plain : static_cast<Tone>(found - kTones.begin());
}

/// A name has no lines: one that brings some along would look like more of the table.
std::string one_line(std::string_view text) { return printable(text, text.size() + 1); }

List visible_list(const std::vector<std::string>& texts) {
  List out;
  for (const std::string& text : texts)
    out.push_back(one_line(text));
  return out;
}

Map written(const Heading& b) {
  return {{"type", "heading"}, {"level", b.level}, {"text", one_line(b.text)}};
}
Map written(const Paragraph& b) {
  return {{"type", "paragraph"}, {"text", visible(b.text)}, {"tone", word_of(b.tone)}};
}
Map written(const Bullets& b) { return {{"type", "bullets"}, {"items", visible_list(b.items)}}; }
Map written(const Preformatted& b) { return {{"type", "code"}, {"text", visible(b.text)}}; }
Map written(const Banner& b) {
  return {{"type", "banner"},
          {"word", one_line(b.word)},
          {"text", visible(b.text)},
          {"tone", word_of(b.tone)}};
}
Map written(const Table& b) {
  List columns, rows;
  for (const Column& c : b.columns)
    columns.push_back(
        Map{{"title", one_line(c.title)}, {"weight", c.weight}, {"is_code", c.is_code}});
  for (const auto& row : b.rows)
    rows.push_back(visible_list(row));
  return {{"type", "table"}, {"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

std::string text_of(Peek block, std::string_view key) { return std::string(block[key].text()); }

std::vector<std::string> texts_of(const List& list) {
  std::vector<std::string> out;
  for (const Value& item : list)
    out.emplace_back(Peek(item).text());
  return out;
}

Table read_table(Peek block) {
  Table out;
  for (const Value& c : block["columns"].list())
    out.columns.push_back({text_of(Peek(c), "title"),
                           std::clamp(static_cast<int>(Peek(c)["weight"].number()), 1, 100),
                           Peek(c)["is_code"].is_true()});
  for (const Value& row : block["rows"].list())
    out.rows.push_back(texts_of(Peek(row).list()));
  return out;
}

struct Reader {
  std::string_view type;
  Block (*read)(Peek);
};
constexpr std::array kReaders{
    Reader{"heading",
           [](Peek b) -> Block {
             return Heading{std::clamp(static_cast<int>(b["level"].number()), 1, 3),
                            text_of(b, "text")};
           }},
    Reader{"paragraph",
           [](Peek b) -> Block {
             return Paragraph{text_of(b, "text"), tone_of(b["tone"].text())};
           }},
    Reader{"bullets", [](Peek b) -> Block { return Bullets{texts_of(b["items"].list())}; }},
    Reader{"code", [](Peek b) -> Block { return Preformatted{text_of(b, "text")}; }},
    Reader{"banner",
           [](Peek b) -> Block {
             return Banner{text_of(b, "word"), text_of(b, "text"), tone_of(b["tone"].text())};
           }},
    Reader{"table", [](Peek b) -> Block { return read_table(b); }}};

Status check_bounds(const Document& document) {
  const auto exceeded = [](std::string_view what, std::size_t most) {
    return fail(Code::bad_argument, fmt::format("more than {} {} in one document", most, what));
  };
  if (document.blocks.size() > kMaxBlocks) return exceeded("blocks", kMaxBlocks);
  std::size_t rows = 0;
  for (const Block& block : document.blocks)
    if (const Table* table = std::get_if<Table>(&block)) {
      rows += table->rows.size();
      if (table->columns.size() > kMaxColumns) return exceeded("columns", kMaxColumns);
    }
  return rows > kMaxRows ? Status(exceeded("rows", kMaxRows)) : Status();
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (line.data() != text.data()) out += '\n';
    out += printable(line, line.size() + 1);
  }
  return out;
}

Result<Value> to_value(const Document& document) {
  GH_DO(check_bounds(document));
  List blocks;
  for (const Block& block : document.blocks)
    blocks.push_back(std::visit([](const auto& b) { return Value(written(b)); }, block));
  return Value(Map{{"schema", kSchema},
                   {"title", one_line(document.title)},
                   {"header", one_line(document.header)},
                   {"footer", one_line(document.footer)},
                   {"created", document.created},
                   {"blocks", std::move(blocks)}});
}

Result<Document> read_document(const Value& value) {
  const Peek root(value);
  if (root["schema"].text() != kSchema)
    return fail(Code::json_invalid, fmt::format("this is no {}", kSchema));
  Document out{text_of(root, "title"),
               text_of(root, "header"),
               text_of(root, "footer"),
               text_of(root, "created"),
               {}};
  for (const Value& item : root["blocks"].list()) {
    const auto reader = std::ranges::find(kReaders, Peek(item)["type"].text(), &Reader::type);
    if (reader == kReaders.end())
      return fail(Code::json_invalid,
                  fmt::format("unknown block '{}'", printable(Peek(item)["type"].text(), 40)));
    out.blocks.push_back(reader->read(Peek(item)));
  }
  GH_DO(check_bounds(out));
  return out;
}

}  // namespace gh::pdf
