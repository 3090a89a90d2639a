#include "analysis/name_stems.h"

#include <algorithm>
#include <array>

#include "analysis/references.h"
#include "base/sorted.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Tree;

// table: lookups by name
constexpr std::array<std::string_view, 8> kLookups{
    "getattr", "hasattr", "setattr", "attrgetter", "methodcaller", "globals", "vars", "__dict__"};
constexpr std::size_t kMinStem = 3;

bool looks_names_up(const Tree& tree) {
  for (std::uint32_t id = 0; id < tree.symbols.size(); ++id)
    if (std::ranges::find(kLookups, tree.symbols.text(id)) != kLookups.end()) return true;
  return false;
}

bool is_part_of_name(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

class Reader {
 public:
  explicit Reader(const Tree& tree)
      : tree_(tree), plus_(syntax::op_of("+")), percent_(syntax::op_of("%")) {}

  std::vector<std::string> run() {
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      if (is_sum(i)) i = read_sum(i);
      if (tree_[i].kind == Kind::BinOp && tree_[i].flags == percent_) read_percent(i);
      if (tree_[i].kind == Kind::Call) read_format(i);
      if (tree_[i].kind == Kind::Interp && tree_[i].flags == 0) read_fields(i);
    }
    sort_unique(out_);
    return std::move(out_);
  }

 private:
  /// Only what ends or begins with an underscore is taken for a part of a name.
  void add(std::string_view before, std::string_view after) {
    const bool is_stem = (before.size() >= kMinStem && before.ends_with('_')) ||
                         (after.size() >= kMinStem && after.starts_with('_'));
    if (is_stem && is_part_of_name(before) && is_part_of_name(after))
      out_.push_back(std::string(before) + "*" + std::string(after));
  }

  std::string_view text_at(std::uint32_t i) const {
    return tree_[i].kind == Kind::Str ? literal_text(tree_, i) : std::string_view();
  }

  std::uint32_t last_child(std::uint32_t i) const {
    std::uint32_t last = i + 1;
    for (const std::uint32_t child : Children(tree_, i))
      last = child;
    return last;
  }

  bool is_sum(std::uint32_t i) const {
    return tree_[i].kind == Kind::BinOp && tree_[i].flags == plus_ && tree_[i].end > i + 1;
  }

  /// `"a" + b + "c"` nests to the left; its first operand is what follows the last of the sums.
  std::uint32_t read_sum(std::uint32_t i) {
    std::uint32_t first = i;
    while (is_sum(first))
      ++first;
    add(text_at(first), text_at(last_child(i)));
    return first;
  }

  void read_percent(std::uint32_t i) {
    if (tree_[i].end == i + 1) return;
    const std::string_view text = text_at(i + 1);
    const std::size_t from = text.find('%'), to = text.rfind('%');
    if (from != std::string_view::npos && to + 2 <= text.size())
      add(text.substr(0, from), text.substr(to + 2));
  }

  void read_format(std::uint32_t i) {
    const std::uint32_t callee = i + 1;
    if (callee >= tree_[i].end || tree_[callee].kind != Kind::Attribute ||
        tree_.name(callee) != "format" || tree_[callee].end != callee + 2)
      return;
    const std::string_view text = text_at(callee + 1);
    const std::size_t from = text.find('{'), to = text.rfind('}');
    if (from != std::string_view::npos && to != std::string_view::npos && to > from)
      add(text.substr(0, from), text.substr(to + 1));
  }

  void read_fields(std::uint32_t i) {
    if (tree_[i].end == i + 1) return;
    const std::uint32_t last = last_child(i);
    const auto piece = [&](std::uint32_t at) {
      return tree_[at].kind == Kind::Str ? tree_.text(at) : std::string_view();
    };
    if (last != i + 1) add(piece(i + 1), piece(last));
  }

  const Tree& tree_;
  syntax::Op plus_, percent_;
  std::vector<std::string> out_{};
};

/// Words of a macro, and what stands between them.
class Pasted {
 public:
  explicit Pasted(std::string_view definition) : text_(definition) {}

  std::vector<std::string> run() {
    next_word();  // `define`
    next_word();
    read_parameters();
    std::string_view word = next_word();
    while (!word.empty()) {
      std::vector<std::string_view> chain{word};
      while (joins_next() && !(word = next_word()).empty())
        chain.push_back(word);
      if (chain.size() > 1) add(chain);
      word = next_word();
    }
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMinPart = 2;  // of a name that is surely put together

  std::string_view next_word() {
    while (at_ < text_.size() && !is_part_of_name(text_.substr(at_, 1)))
      ++at_;
    const std::size_t from = at_;
    while (at_ < text_.size() && is_part_of_name(text_.substr(at_, 1)))
      ++at_;
    return text_.substr(from, at_ - from);
  }

  void read_parameters() {
    if (at_ >= text_.size() || text_[at_] != '(') return;
    const std::size_t close = std::min(text_.find(')', at_), text_.size());
    for (std::string_view word = next_word(); !word.empty() && at_ <= close; word = next_word())
      parameters_.push_back(word);
    at_ = close;
  }

  /// Is `##` all that stands before the next word?
  bool joins_next() const {
    constexpr std::string_view kBlank = " \t\r\n\\";
    const std::size_t mark = text_.find_first_not_of(kBlank, at_);
    if (mark == std::string_view::npos || !text_.substr(mark).starts_with("##")) return false;
    const std::size_t word = text_.find_first_not_of(kBlank, mark + 2);
    return word != std::string_view::npos && is_part_of_name(text_.substr(word, 1));
  }

  bool is_open(std::string_view word) const {
    return word == "__VA_ARGS__" || std::ranges::find(parameters_, word) != parameters_.end();
  }

  void add(const std::vector<std::string_view>& chain) {
    const auto open = [this](std::string_view word) { return is_open(word); };
    const auto first = std::ranges::find_if(chain, open);
    if (first == chain.end()) return;
    const auto last = std::find_if(chain.rbegin(), chain.rend(), open).base();
    std::string before, after;
    for (auto word = chain.begin(); word != first; ++word)
      before += *word;
    for (auto word = last; word != chain.end(); ++word)
      after += *word;
    if (before.size() >= kMinPart || after.size() >= kMinPart) out_.push_back(before + "*" + after);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string_view> parameters_{};
  std::vector<std::string> out_{};
};

}  // namespace

std::vector<std::string> pasted_stems(std::string_view definition) {
  return Pasted(definition).run();
}

std::vector<std::string> name_stems(const Tree& tree) {
  return looks_names_up(tree) ? Reader(tree).run() : std::vector<std::string>();
}

void StemSet::add(std::string_view stem) {
  const std::size_t star = stem.find('*');
  ends_[stem.substr(0, star)].insert(stem.substr(star + 1));
}

bool StemSet::matches(std::string_view name) const {
  if (ends_.empty()) return false;
  for (std::size_t begin = 0; begin < name.size(); ++begin) {
    const auto ends = ends_.find(name.substr(0, begin));
    if (ends == ends_.end()) continue;
    for (std::size_t end = begin + 1; end <= name.size(); ++end)
      if (ends->second.contains(name.substr(end))) return true;
  }
  return false;
}

}  // namespace gh::analysis
