#include "setup/json_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "wire/json.h"

namespace gh::setup {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Behind the closing quote of a string that begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return text.size();
}

/// Behind the comment that begins at `at`; `at` itself when none does.
std::size_t end_of_comment(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") {
    std::size_t end = std::min(text.find('\n', at), text.size());
    return end > at && end < text.size() && text[end - 1] == '\r' ? end - 1 : end;
  }
  if (text.substr(at, 2) != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == text.npos ? text.size() : end + 2;
}

void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i)
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
}

/// Comments become spaces, and so does a comma before a closing bracket.
std::string plain_of(std::string_view text) {
  std::string out(text);
  if (out.starts_with(kBom)) blank(out, 0, kBom.size());
  std::size_t comma = out.npos;
  for (std::size_t at = 0; at < out.size();) {
    if (out[at] == '"') {
      comma = out.npos;
      at = end_of_string(out, at);
    } else if (const std::size_t end = end_of_comment(out, at); end != at) {
      blank(out, at, end);
      at = end;
    } else {
      const bool closes = out[at] == '}' || out[at] == ']';
      if (closes && comma != out.npos) out[comma] = ' ';
      if (!is_space(out[at])) comma = out[at] == ',' ? at : out.npos;
      ++at;
    }
  }
  return out;
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at]))
    ++at;
  return at;
}

/// Places of everything in a text that is known to be JSON.
class Placing {
 public:
  explicit Placing(std::string_view plain) : plain_(plain) {}

  Result<std::vector<JsonNode>> run() {
    std::vector<std::size_t> open;
    std::size_t at = skip_space(plain_, 0), start = at;
    std::string key;
    for (;;) {
      const std::size_t parent = open.empty() ? 0 : open.back();
      const std::size_t node = add(start, at, std::move(key), parent, !open.empty());
      if (nodes_[node].kind == JsonKind::scalar) {
        at = nodes_[node].end = end_of_scalar(at);
      } else {
        if (open.size() == kMaxJsonDepth)
          return fail(Code::json_invalid, fmt::format("nested deeper than {}", kMaxJsonDepth));
        open.push_back(node);
        at = skip_space(plain_, at + 1);
      }
      // Close what ends here, then stand before the next value.
      while (!open.empty()) {
        at = skip_space(plain_, at);
        if (plain_[at] == '}' || plain_[at] == ']') {
          nodes_[open.back()].end = ++at;
          open.pop_back();
          continue;
        }
        if (plain_[at] == ',') at = skip_space(plain_, at + 1);
        break;
      }
      if (open.empty()) return std::move(nodes_);
      start = at;
      key.clear();
      if (nodes_[open.back()].kind == JsonKind::object) {
        const std::size_t end = end_of_string(plain_, at);
        key = *wire::read_json(plain_.substr(at, end - at))->as_string();
        at = skip_space(plain_, skip_space(plain_, end) + 1);  // the colon
      }
    }
  }

 private:
  std::size_t add(std::size_t start, std::size_t begin, std::string key, std::size_t parent,
                  bool has_parent) {
    const char c = plain_[begin];
    nodes_.push_back({.kind = c == '{'   ? JsonKind::object
                              : c == '[' ? JsonKind::array
                                         : JsonKind::scalar,
                      .begin = begin,
                      .start = start,
                      .key = std::move(key),
                      .parent = parent});
    if (has_parent) nodes_[parent].children.push_back(nodes_.size() - 1);
    return nodes_.size() - 1;
  }
  std::size_t end_of_scalar(std::size_t at) const {
    if (plain_[at] == '"') return end_of_string(plain_, at);
    while (at < plain_.size() && !is_space(plain_[at]) && plain_[at] != ',' && plain_[at] != '}' &&
           plain_[at] != ']')
      ++at;
    return at;
  }

  std::string_view plain_;
  std::vector<JsonNode> nodes_;
};

}  // namespace

Result<JsonText> JsonText::read(std::string_view text, std::string_view name) {
  if (text.size() > kMaxFileBytes)
    return fail(Code::document_too_large,
                fmt::format("{} is larger than {} bytes", name, kMaxFileBytes));
  JsonText out;
  out.text_ = text;
  out.plain_ = plain_of(text);
  GH_TRY(value, wire::read_json(out.plain_, name));
  (void)value;
  GH_TRY(nodes, Placing(out.plain_).run());
  out.nodes_ = std::move(nodes);
  return out;
}

Value JsonText::value_of(std::size_t node) const {
  return wire::read_json(plain(node)).value_or(Value());
}

std::size_t JsonText::member(std::size_t object, std::string_view key) const {
  for (const std::size_t child : at(object).children)
    if (at(child).key == key) return child;
  return npos;
}

std::size_t JsonText::skip_trivia(std::size_t at) const {
  for (;;) {
    at = skip_space(text_, at);
    const std::size_t end = at < text_.size() ? end_of_comment(text_, at) : at;
    if (end == at) return at;
    at = end;
  }
}

std::size_t JsonText::behind_remark(std::size_t at) const {
  for (;;) {
    const std::size_t next = text_.find_first_not_of(" \t", at);
    if (next == text_.npos) return at;
    const std::size_t end = end_of_comment(text_, next);
    if (end == next) return at;
    at = end;
  }
}

}  // namespace gh::setup
