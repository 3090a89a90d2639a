#include "analysis/flow.h"

#include <algorithm>
#include <string>

#include "analysis/bare_text.h"
#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Tree;

bool starts_with_assert(std::string_view name) {  // whatever its case
  constexpr std::string_view kWord = "assert";
  return name.size() >= kWord.size() &&
         std::ranges::equal(name.substr(0, kWord.size()), kWord,
                            [](char a, char b) { return a == b || a == b - 'a' + 'A'; });
}

/// The callee of a statement that is nothing but a call; 0: it is not.
std::uint32_t called_by(const Tree& tree, std::uint32_t statement) {
  if (tree[statement].kind != Kind::Expr) return 0;
  std::uint32_t value = statement + 1;
  if (value < tree[statement].end && tree[value].kind == Kind::Await) ++value;
  const bool is_call = value + 1 < tree[statement].end && tree[value].kind == Kind::Call;
  return is_call ? value + 1 : 0;
}

bool is_assert_like(const Tree& tree, std::uint32_t statement) {
  if (tree[statement].kind == Kind::Assert || is_bare_string(tree, statement)) return true;
  const std::uint32_t callee = called_by(tree, statement);
  if (callee == 0) return false;
  const bool has_name = tree[callee].kind == Kind::Name || tree[callee].kind == Kind::Attribute;
  return has_name && starts_with_assert(tree.name(callee));
}

/// All targets of a plain or annotated assignment are attributes.
bool assigns_attributes(const Tree& tree, std::uint32_t statement) {
  if (tree[statement].kind != Kind::Assign) return false;
  std::uint32_t value = 0;
  for (const std::uint32_t child : Children(tree, statement))
    if (tree[child].kind != Kind::Type) value = child;
  const bool is_bare = (tree[statement].flags & syntax::flag::bare) != 0;
  for (const std::uint32_t child : Children(tree, statement)) {
    const bool is_target = tree[child].kind != Kind::Type && (child != value || is_bare);
    if (is_target && tree[child].kind != Kind::Attribute) return false;
  }
  return true;
}

std::uint8_t flags_of(const Tree& tree, std::uint32_t statement) {
  std::uint8_t out = 0;
  if (assigns_attributes(tree, statement)) out |= statement_flag::attr_only_assign;
  if (called_by(tree, statement) != 0) out |= statement_flag::call_statement;
  if (is_assert_like(tree, statement)) out |= statement_flag::assert_like;
  if (is_terminator(tree[statement].kind)) out |= statement_flag::terminal;
  return out;
}

class Reader {
 public:
  Reader(const Tree& tree, const Normalised& normalised, std::uint32_t body, UnitFact& out)
      : tree_(tree), normalised_(normalised), body_(body), out_(out) {}

  void run() {
    const std::vector<std::uint32_t> blocks = order();
    read_texts();
    out_.statements = list(body_);
    std::vector<std::uint32_t> open{body_};
    while (!open.empty()) {
      const std::uint32_t block = open.back();
      open.pop_back();
      for (const std::uint32_t statement : Children(tree_, block))
        if (is_compound(tree_[statement].kind))
          each_arm(tree_, statement, [&](std::uint32_t arm) {
            open.push_back(arm);
            if (auto inner = list(arm); inner.size() >= kMinInnerList)
              out_.inner.push_back(std::move(inner));
          });
    }
    fill_flow(blocks);
  }

 private:
  bool is_docstring(std::uint32_t statement) const {
    return statement == body_ + 1 && is_bare_string(tree_, statement);
  }

  /// All statements in the order of the source; what functions and classes inside hold is theirs.
  std::vector<std::uint32_t> order() {
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t i = body_; i < tree_[body_].end;) {
      if (tree_[i].kind == Kind::Function || tree_[i].kind == Kind::Class) {
        i = tree_[i].end;
        continue;
      }
      if (tree_[i].kind == Kind::Block) {
        blocks.push_back(i);
        for (const std::uint32_t statement : Children(tree_, i))
          if (!is_docstring(statement)) order_.push_back(statement);
      }
      ++i;
    }
    std::ranges::sort(order_);
    return blocks;
  }

  std::uint32_t place(std::uint32_t node) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(order_, node) - order_.begin());
  }

  /// A statement that does not count leaves a gap, and so does all inside it.
  void fill_flow(const std::vector<std::uint32_t>& blocks) {
    std::vector<bool> counts(order_.size(), false);
    for (const std::uint32_t block : blocks)
      for (const std::uint32_t statement : normalised_.statements(block, block == body_))
        counts[place(statement)] = true;
    std::uint32_t dead_until = 0;
    out_.flow.resize(order_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t statement = order_[i];
      if (!counts[i]) dead_until = std::max(dead_until, tree_[statement].end);
      if (statement >= dead_until) out_.flow[i] = normalised_.head(statement);
      if (!is_assert_like(tree_, statement)) continue;
      if (out_.asserts.empty() || out_.asserts.back().place + out_.asserts.back().size != i)
        out_.asserts.push_back({i, 0});
      ++out_.asserts.back().size;
    }
  }

  void add_text(std::uint32_t from, std::uint32_t to) {
    if (from < to) append_bare(bare_, tree_.source.substr(from, to - from));
  }
  std::uint64_t hash_of_text() const { return bare_.empty() ? 0 : hash_of(bare_).low; }

  /// From the last to the first: what stands inside goes in by its hash, so every byte is read
  /// once.
  void read_texts() {
    texts_.resize(order_.size());
    for (std::size_t k = order_.size(); k-- > 0;) {
      const auto i = static_cast<std::uint32_t>(k);
      Text& text = texts_[i];
      text.size = place(tree_[order_[i]].end) - i;
      std::uint32_t at = tree_[order_[i]].start;
      bare_.clear();
      for (std::uint32_t inner = i + 1; inner < i + text.size; inner += texts_[inner].size) {
        add_text(at, tree_[order_[inner]].start);
        bare_.append(reinterpret_cast<const char*>(&texts_[inner].raw), sizeof(std::uint64_t));
        at = texts_[inner].end;
      }
      text.end = std::max(at, tree_.ends[order_[i]]);  // the last arm may lie behind its statement
      add_text(at, text.end);
      text.raw = hash_of_text();
    }
  }

  std::vector<StatementFact> list(std::uint32_t block) {
    std::vector<StatementFact> out;
    std::uint32_t before = 0;
    for (const std::uint32_t statement : Children(tree_, block)) {
      if (is_docstring(statement)) continue;
      const std::uint32_t at = place(statement);
      bare_.clear();
      if (!out.empty()) add_text(before, tree_[statement].start);
      before = texts_[at].end;
      out.push_back({.start_line = tree_.start_line(statement),
                     .end_line = tree_.end_line(statement),
                     .hash = normalised_.of(statement),
                     .raw = texts_[at].raw,
                     .gap = static_cast<std::uint32_t>(hash_of_text()),
                     .place = at,
                     .size = texts_[at].size,
                     .kind = tree_[statement].kind,
                     .flags = flags_of(tree_, statement)});
    }
    return out;
  }

  struct Text {
    std::uint64_t raw = 0;
    std::uint32_t end = 0, size = 1;
  };

  const Tree& tree_;
  const Normalised& normalised_;
  std::uint32_t body_;
  UnitFact& out_;
  std::vector<std::uint32_t> order_{};
  std::vector<Text> texts_{};  // of each of them
  std::string bare_{};         // text without white space
};

}  // namespace

void read_statements(const Tree& tree, const Normalised& normalised, std::uint32_t body,
                     UnitFact& out) {
  Reader(tree, normalised, body, out).run();
}

}  // namespace gh::analysis
