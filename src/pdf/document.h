#pragma once
// A document to print: headings, paragraphs, lists, code, tables. It says what is there, never
// where it stands; the program gatehouse-pdf lays it out. What a text hides (controls,
// bidirectional and invisible characters) is made visible before it leaves here.
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::pdf {

inline constexpr std::size_t kMaxDocumentBytes = 32u << 20;  // as JSON
inline constexpr std::size_t kMaxBlocks = 100'000;
inline constexpr std::size_t kMaxColumns = 12;
inline constexpr std::size_t kMaxRows = 100'000;  // of all tables together

enum class Tone : std::uint8_t { plain, good, warning, bad, muted };

struct Heading {
  int level = 1;  // 1 to 3
  std::string text;
};
struct Paragraph {
  std::string text;  // a line feed ends a line
  Tone tone = Tone::plain;
};
struct Bullets {
  std::vector<std::string> items;
};
struct Preformatted {
  std::string text;
};
/// A coloured band: one or two words that decide, and the sentence behind them.
struct Banner {
  std::string word, text;
  Tone tone = Tone::plain;
};
struct Column {
  std::string title;
  int weight = 1;  // its share of the width
  bool is_code = false;
};
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // missing cells are empty, further ones left out
};
using Block = std::variant<Heading, Paragraph, Bullets, Preformatted, Banner, Table>;

struct Document {
  std::string title, header, footer;  // on every page, the page numbers beside the footer
  std::string created;                // RFC 3339; empty: the file names no time
  std::vector<Block> blocks;
};

/// What the program reads. bad_argument when a bound above is exceeded.
Result<Value> to_value(const Document&);
/// json_invalid when it is no such document.
Result<Document> read_document(const Value&);

/// Keeps line feeds; whatever else cannot be seen is written as \x1b or \u{202e}.
std::string visible(std::string_view text);

}  // namespace gh::pdf
