#include "wire/json_marks.h"

#include <algorithm>
#include <vector>

#include "wire/repeated_keys.h"

namespace gh::wire {
namespace {

/// One pass over a text that is known to be JSON. Nesting lives in `open_`.
class Scanner {
 public:
  Scanner(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {}

  MarkTree run() && {
    for (skip_blanks(); at_ < text_.size(); skip_blanks())
      step();
    return std::move(root_);
  }

 private:
  struct Open {
    bool is_map = false, is_marked = true;
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

  void skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        column_ = 1;
        counted_ = at_ + 1;
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

  bool is_marked() const { return open_.size() <= max_depth_; }

  void open(bool is_map) {
    open_.push_back({is_map, is_marked(), is_marked() ? here() : Mark{}});
    ++at_;
  }

  void take_string() {
    const Mark mark = is_marked() ? here() : Mark{};
    const std::size_t start = ++at_;
    while (at_ < text_.size() && text_[at_] != '"')
      at_ += text_[at_] == '\\' ? 2 : 1;
    const std::string_view inside = text_.substr(start, std::min(at_, text_.size()) - start);
    ++at_;
    if (open_.empty() || !open_.back().is_map || open_.back().has_key) return add({mark});
    open_.back().has_key = true;
    open_.back().key = mark;
    if (is_marked()) open_.back().keys.push_back(inside);
  }

  void take_literal() {
    const Mark mark = is_marked() ? here() : Mark{};
    while (at_ < text_.size() &&
           std::string_view(",:]} \t\r\n").find(text_[at_]) == std::string_view::npos)
      ++at_;
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

  std::string_view text_;
  std::size_t max_depth_, at_ = 0, counted_ = 0;
  std::int64_t line_ = 1, column_ = 1;  // of the byte at counted_
  std::vector<Open> open_;
  MarkTree root_{};
};

}  // namespace

MarkTree json_marks(std::string_view text, std::size_t max_depth) {
  return Scanner(text, max_depth).run();
}

}  // namespace gh::wire
