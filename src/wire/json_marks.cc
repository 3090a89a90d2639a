#include "wire/json_marks.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.h"
#include "wire/repeated_keys.h"

namespace gh::wire {
namespace {

/// What skipping may not pass by: most bytes are blanks, commas and literals.
constexpr auto kIsSpecial = [] {
  std::array<bool, 256> out{};
  for (const unsigned char c : {'"', '\n', '{', '[', '}', ']'})
    out[c] = true;
  return out;
}();

/// A place in a text that should be JSON. Never beyond its end, whatever the text is.
class Cursor {
 public:
  Cursor(std::string_view text, Mark start)
      : text_(text), line_(start.line), column_(start.column) {}

 protected:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        start_line(at_ + 1);
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  /// Columns count code points, each once: a text of megabytes may be one line.
  Mark here() {
    const auto passed = text_.substr(counted_, at_ - counted_);
    column_ += std::ranges::count_if(passed, [](char c) { return (c & '\xC0') != '\x80'; });
    counted_ = at_;
    return {line_, column_, line_};
  }

  /// From a quote to behind the one that closes it; what is between them.
  std::string_view skip_string() {
    const std::size_t start = at_ + 1;
    for (std::size_t quote = text_.find('"', start); quote < text_.size();
         quote = text_.find('"', quote + 1)) {
      std::size_t escapes = quote;
      while (escapes > start && text_[escapes - 1] == '\\')
        --escapes;
      if ((quote - escapes) % 2 != 0) continue;
      at_ = quote + 1;
      return text_.substr(start, quote - start);
    }
    at_ = text_.size();
    return text_.substr(start);
  }

  void skip_literal() {
    while (at_ < text_.size() &&
           std::string_view(",:]} \t\r\n").find(text_[at_]) == std::string_view::npos)
      ++at_;
  }

  /// From a bracket to behind the one that closes it.
  void skip_container() {
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (!kIsSpecial[static_cast<unsigned char>(c)]) {
        ++at_;
        continue;
      }
      if (c == '"') {
        skip_string();
        continue;
      }
      ++at_;
      if (c == '\n') {
        start_line(at_);
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (--depth == 0) {
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_;

 private:
  void start_line(std::size_t at) {
    ++line_;
    column_ = 1;
    counted_ = at;
  }

  std::size_t counted_ = 0;
  std::int64_t column_;  // of the byte at counted_
};

/// One pass. Nesting lives in `open_`.
class Scanner : Cursor {
 public:
  Scanner(std::string_view text, std::size_t max_depth, Mark start)
      : Cursor(text, start), max_depth_(max_depth) {}

  MarkTree run() && {
    for (skip_blanks(); at_ < text_.size(); skip_blanks())
      step();
    return std::move(root_);
  }

 private:
  struct Open {
    bool is_map = false;
    Mark mark{};
    std::vector<MarkTree> children{};
    std::vector<std::string_view> keys{};
    Mark key{};
    bool has_key = false;
  };

  void step() {
    switch (text_[at_]) {
      case '{':
      case '[':
        return open(text_[at_] == '{');
      case '}':
      case ']':
        return close();
      case ',':
      case ':':
        ++at_;
        return;
      case '"':
        return take_string();
      default:
        return take_literal();
    }
  }

  bool is_marked() const { return open_.size() <= max_depth_; }

  void open(bool is_map) {
    if (!is_marked()) {
      skip_container();
      return add({});
    }
    open_.push_back({is_map, here()});
    ++at_;
  }

  void take_string() {
    const Mark mark = is_marked() ? here() : Mark{};
    const std::string_view inside = skip_string();
    if (open_.empty() || !open_.back().is_map || open_.back().has_key) return add({mark});
    open_.back().has_key = true;
    open_.back().key = mark;
    if (is_marked()) open_.back().keys.push_back(inside);
  }

  void take_literal() {
    const Mark mark = is_marked() ? here() : Mark{};
    skip_literal();
    add({mark});
  }

  void close() {
    ++at_;
    if (open_.empty()) return;
    Open done = std::move(open_.back());
    open_.pop_back();
    settle_duplicates(done);
    done.mark.end_line = line_;
    add({done.mark, std::move(done.children)});
  }

  /// The last value stands at the first place, as in the document.
  static void settle_duplicates(Open& map) {
    const auto repeats = repeated_keys(map.keys);
    if (repeats.empty() || map.children.size() != map.keys.size()) return;
    std::vector<bool> dropped(map.keys.size());
    for (const Repeat& r : repeats) {
      map.children[r.first] = std::move(map.children[r.later]);
      dropped[r.later] = true;
    }
    std::size_t at = 0;
    std::erase_if(map.children, [&](const MarkTree&) { return dropped[at++]; });
  }

  void add(MarkTree tree) {
    if (open_.empty()) {
      root_ = std::move(tree);
      return;
    }
    Open& parent = open_.back();
    if (parent.is_map) {
      parent.has_key = false;
      tree.mark = {parent.key.line, parent.key.column, tree.mark.end_line};
    }
    if (is_marked()) parent.children.push_back(std::move(tree));
  }

  std::size_t max_depth_;
  std::vector<Open> open_;
  MarkTree root_{};
};

/// Finds the members of one mapping in the outermost one; refuses whatever is not plain.
class Splitter : Cursor {
 public:
  explicit Splitter(std::string_view text) : Cursor(text, {1, 1}) {}

  std::optional<JsonSplit> run(std::string_view wanted) && {
    bool is_found = false;
    const bool is_plain = each_member([&](const JsonMember& member) {
      if (member.key != wanted) return skip_value();
      if (std::exchange(is_found, true) || next() != '{') return false;
      const std::size_t start = at_;
      const bool are_plain = each_member([&](JsonMember inner) {
        const std::size_t from = at_;
        if (next() != '{' || !skip_value()) return false;
        inner.text = text_.substr(from, at_ - from);
        inner.mark.end_line = line_;
        out_.members.push_back(inner);
        return true;
      });
      out_.rest = text_.substr(0, start);
      out_.rest += "{}";
      rest_ = at_;
      return are_plain;
    });
    if (!is_plain || !is_found) return std::nullopt;
    out_.rest += text_.substr(rest_);
    std::vector<std::string_view> keys;
    for (const JsonMember& member : out_.members)
      keys.push_back(member.key);
    if (!repeated_keys(keys).empty()) return std::nullopt;
    return std::move(out_);
  }

 private:
  static bool is_plain(std::string_view key) {
    return is_utf8(key) && std::ranges::none_of(key, [](char c) {
             return c == '\\' || static_cast<unsigned char>(c) < 0x20;
           });
  }

  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  bool skip_value() {
    if (next() == '{' || next() == '[')
      skip_container();
    else if (next() == '"')
      skip_string();
    else
      skip_literal();
    return true;
  }

  /// Calls `use` at the value of each member of the mapping that starts here.
  template <class Use>
  bool each_member(Use use) {
    skip_blanks();
    if (!take('{')) return false;
    if (next() == '}') return ++at_, true;
    do {
      if (next() != '"') return false;
      JsonMember member{.mark = here()};
      member.key = skip_string();
      skip_blanks();
      if (!is_plain(member.key) || !take(':')) return false;
      member.start = here();
      if (!use(member)) return false;
      skip_blanks();
    } while (take(','));
    if (next() != '}') return false;
    ++at_;
    return true;
  }

  JsonSplit out_{};
  std::size_t rest_ = 0;
};

}  // namespace

MarkTree json_marks(std::string_view text, std::size_t max_depth, Mark start) {
  return Scanner(text, max_depth, start).run();
}

std::optional<JsonSplit> split_json(std::string_view text, std::string_view key) {
  return Splitter(text).run(key);
}

}  // namespace gh::wire
