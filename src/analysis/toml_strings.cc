#include "analysis/toml_strings.h"

#include "base/text.h"

namespace gh::analysis {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Reads one line from left to right; a failed reading leaves the rest alone.
class Line {
 public:
  explicit Line(std::string_view text) : text_(text) {}

  void blanks() {
    while (at_ < text_.size() && is_blank(text_[at_]))
      ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool is_at(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }

  /// Bare or quoted.
  bool word(std::string& out) {
    blanks();
    if (string(out)) return true;
    const std::size_t from = at_;
    const auto is_bare = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '-';
    };
    while (at_ < text_.size() && is_bare(text_[at_]))
      ++at_;
    out = text_.substr(from, at_ - from);
    return at_ > from;
  }

  bool string(std::string& out) {
    blanks();
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return false;
    const char quote = text_[at_];
    out.clear();
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == quote) {
        at_ = i + 1;
        return true;
      }
      if (quote == '"' && text_[i] == '\\' && i + 1 < text_.size()) ++i;  // of no use in a name
      out += text_[i];
    }
    return false;
  }

  /// `a.b."c"`, dots between the words.
  bool path(std::string& out) {
    std::string part;
    out.clear();
    do {
      if (!word(part)) return false;
      if (!out.empty()) out += '.';
      out += part;
    } while (take('.'));
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string below(const std::string& table, std::string_view key) {
  return table.empty() ? std::string(key) : table + "." + std::string(key);
}

void add(TomlStrings& out, const std::string& table, const std::string& path, std::string value) {
  const std::size_t dot = path.rfind('.');
  const bool is_dotted = dot != std::string::npos;
  out.strings.push_back({is_dotted ? below(table, path.substr(0, dot)) : table,
                         is_dotted ? path.substr(dot + 1) : path, std::move(value)});
}

void read_inline_table(Line& line, const std::string& table, TomlStrings& out) {
  std::string key, value;
  do {
    if (!line.path(key) || !line.take('=') || !line.string(value)) return;
    add(out, table, key, value);
  } while (line.take(','));
}

void read_pair(Line line, const std::string& table, std::string& open_quotes, TomlStrings& out) {
  std::string key, value;
  if (!line.path(key) || !line.take('=')) return;
  line.blanks();
  for (const std::string_view quotes : {"\"\"\"", "'''"})
    if (line.is_at(quotes)) {
      open_quotes = quotes;
      return;
    }
  if (line.take('{'))
    read_inline_table(line, below(table, key), out);
  else if (line.string(value))
    add(out, table, key, value);
}

bool closes(std::string_view text, std::string_view quotes) {
  return text.find(quotes) != std::string_view::npos;
}

}  // namespace

TomlStrings toml_strings(std::string_view bytes) {
  TomlStrings out;
  std::string table, open_quotes;
  for (const std::string_view text : split(bytes, '\n')) {
    if (!open_quotes.empty()) {
      if (closes(text, open_quotes)) open_quotes.clear();
      continue;
    }
    Line line(text);
    if (line.take('[')) {
      line.take('[');
      if (std::string path; line.path(path) && line.take(']')) out.tables.push_back(table = path);
      continue;
    }
    read_pair(line, table, open_quotes, out);
    if (!open_quotes.empty()) {
      const std::size_t first = text.find(open_quotes);
      if (closes(text.substr(first + open_quotes.size()), open_quotes)) open_quotes.clear();
    }
  }
  return out;
}

}  // namespace gh::analysis
