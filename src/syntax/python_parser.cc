#include "syntax/python_parser.h"

#include <algorithm>

namespace gh::syntax::python {

bool PythonParser::read(std::string_view source, Tree& tree) {
  refused_ = false;
  refusal_ = {};
  nesting_ = 0;
  forks_ = 0;
  left_count_ = 0;
  used_ = 0;
  tree_ = &tree;
  if (source.size() > kMaxReadBytes) {
    refusal_ = {"too large", 0};
    return false;
  }
  if (!lexer_.read(source, tree.comments)) {
    refusal_ = lexer_.refusal();
    return false;
  }
  const std::vector<Token>& tokens = lexer_.tokens();
  if (tokens.size() > kMaxReadTokens) {
    refusal_ = {"too many words", 0};
    return false;
  }
  at_ = tokens.data() + 1;
  end_ = tokens.data() + tokens.size() - 1 - kLookAhead;
  tree.nodes.reserve(tokens.size());
  tree.ends.reserve(tokens.size());
  statements();
  if (!refused_ && left_count_ != lexer_.left_count()) refuse("a line left of its block");
  return !refused_;
}

void PythonParser::refuse(std::string_view why) {
  if (!refused_) refusal_ = {why, at_->start};
  refused_ = true;
  at_ = end_;
}

const Token& PythonParser::expect(Word wanted, std::string_view why) {
  if (at_->word != wanted) {
    refuse(why);
    return *at_;
  }
  return *at_++;
}

// --- drafts --------------------------------------------------------------------------------------

Value PythonParser::draft(Kind kind, std::uint16_t flags, std::uint32_t start, std::uint32_t end,
                          std::uint32_t symbol) {
  if (used_ == drafts_.size()) drafts_.resize(std::max<std::size_t>(256, 2 * drafts_.size()));
  const std::uint32_t i = used_++;
  drafts_[i] = {.kind = kind,
                .flags = flags,
                .start = start,
                .end = end,
                .symbol = symbol,
                .size = 1,
                .in_parentheses = 0,
                .next = 0};
  return {.head = i, .tail = i, .start = start, .end = end, .height = 0};
}

Value PythonParser::leaf(Kind kind, const Token& t, std::uint16_t flags) {
  return draft(kind, flags, t.start, t.end);
}

Value PythonParser::name_of(const Token& t, std::uint16_t flags) {
  return draft(Kind::Name, flags, t.start, t.end, symbol(t));
}

void PythonParser::append(Value& node, const Value& child) {
  drafts_[node.tail].next = child.head;
  drafts_[node.head].size = (drafts_[node.head].size + drafts_[child.head].size) & ((1U << 31) - 1);
  node.tail = child.tail;
  node.height = std::max(node.height, child.height + 1);
  if (node.height > kMaxHeight) refuse("an expression of too many parts");
}

void PythonParser::end_at(Value& node, std::uint32_t end) {
  drafts_[node.head].end = end;
  node.end = end;
}

bool PythonParser::is_bare_name(const Value& v) {
  return root(v).kind == Kind::Name && root(v).in_parentheses == 0;
}

bool PythonParser::is_place(const Value& v) {
  const Kind kind = root(v).kind;
  return root(v).in_parentheses == 0 &&
         (kind == Kind::Name || kind == Kind::Attribute || kind == Kind::Subscript);
}

/// What a list holds is a target too, what an attribute or an index is of is not.
void PythonParser::mark_target(const Value& v, bool parentheses_vanish) {
  if (refused_) return;
  std::uint32_t i = v.head;
  for (std::uint32_t left = drafts_[i].size; left > 0;) {
    Draft& d = drafts_[i];
    std::uint32_t step = 1;
    switch (d.kind) {
      case Kind::Attribute:
      case Kind::Subscript:
        step = d.size;
        break;
      case Kind::Name:
      case Kind::List:
      case Kind::Star:
        break;
      case Kind::Tuple:
        break;
      default:
        return refuse("a target that is none");
    }
    // The grammar makes a tuple of one there.
    if (d.in_parentheses != 0 && !parentheses_vanish) return refuse("a target in parentheses");
    d.flags |= flag::store;
    left -= step;
    for (; step > 0; --step)
      i = drafts_[i].next;
  }
}

void PythonParser::place(const Value& v) {
  if (refused_) return;
  const auto base = static_cast<std::uint32_t>(tree_->nodes.size());
  const std::uint32_t size = drafts_[v.head].size;
  tree_->nodes.resize(base + size);
  tree_->ends.resize(base + size);
  Node* nodes = tree_->nodes.data() + base;
  std::uint32_t* ends = tree_->ends.data() + base;
  std::uint32_t i = v.head;
  for (std::uint32_t k = 0; k < size; ++k) {
    const Draft& d = drafts_[i];
    nodes[k] = {d.kind, d.flags, base + k + d.size, d.start, d.symbol};
    ends[k] = d.end;
    i = d.next;
  }
}

void PythonParser::place_children(const Value& v) {
  if (refused_) return;
  const std::uint32_t size = drafts_[v.head].size - 1;
  if (size == 0) return;
  auto k = static_cast<std::uint32_t>(tree_->nodes.size());
  std::uint32_t i = drafts_[v.head].next;
  for (const std::uint32_t end = k + size; k < end; ++k) {
    const Draft& d = drafts_[i];
    tree_->nodes.push_back({d.kind, d.flags, k + d.size, d.start, d.symbol});
    tree_->ends.push_back(d.end);
    i = d.next;
  }
}

// --- nodes ---------------------------------------------------------------------------------------

std::uint32_t PythonParser::open(Kind kind, std::uint32_t start, std::uint16_t flags,
                                 std::uint32_t symbol) {
  const auto i = static_cast<std::uint32_t>(tree_->nodes.size());
  tree_->nodes.push_back({kind, flags, 0, start, symbol});
  tree_->ends.push_back(start);
  return i;
}

void PythonParser::close(std::uint32_t node, std::uint32_t end) {
  tree_->nodes[node].end = static_cast<std::uint32_t>(tree_->nodes.size());
  tree_->ends[node] = end;
}

}  // namespace gh::syntax::python
