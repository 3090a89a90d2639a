#include "syntax/lowering.h"

#include <algorithm>
#include <array>

namespace gh::syntax {
namespace {

/// Nodes that end where their last arm ends; a grammar may count the line break after it.
bool is_arm(Kind kind) {
  return kind == Kind::Block || kind == Kind::Handler || kind == Kind::Case || kind == Kind::If;
}

bool can_be_target(Kind kind) {
  return kind == Kind::Name || kind == Kind::Attribute || kind == Kind::Subscript ||
         kind == Kind::Tuple || kind == Kind::List || kind == Kind::Star;
}

/// What a target holds is a target too, except for the object of an attribute or an index.
bool passes_target_on(Kind kind) {
  return kind == Kind::Tuple || kind == Kind::List || kind == Kind::Star;
}

struct WordOperator {
  std::string_view word, marks;
};
// table: operators of c++ that are words
constexpr std::array kWordOperators = std::to_array<WordOperator>({
    {"and", "&&"},
    {"or", "||"},
    {"not", "!"},
    {"xor", "^"},
    {"bitand", "&"},
    {"bitor", "|"},
    {"compl", "~"},
    {"not_eq", "!="},
    {"and_eq", "&="},
    {"or_eq", "|="},
    {"xor_eq", "^="},
});

Role role_of(const Row& row, Field field) {
  if (field != Field::none)
    for (const FieldRole& r : row.roles)
      if (r.field == field) return r.role;
  return Role::plain;
}

}  // namespace

std::uint32_t Lowering::child(std::uint32_t node, Field field) const {
  for (std::uint32_t i = node + 1; i < cst.nodes[node].next; i = cst.nodes[i].next)
    if (cst.nodes[i].field == field && cst.nodes[i].row != kCommentRow) return i;
  return 0;
}

bool Lowering::has_token(std::uint32_t node, std::string_view text) const {
  for (std::uint32_t i = node + 1; i < cst.nodes[node].next; i = cst.nodes[i].next)
    if (cst.nodes[i].row == kTokenRow && cst.text(i) == text) return true;
  return false;
}

std::string_view Lowering::operator_text(std::uint32_t node) const {
  const std::string_view text = cst.text(node);
  if (tree.language != Language::cpp) return text;
  const auto row = std::ranges::find(kWordOperators, text, &WordOperator::word);
  return row == kWordOperators.end() ? text : row->marks;
}

void Lowering::refuse(std::uint32_t node) { refused_.push_back(cst.nodes[node].start); }

/// What is refused stands where nothing else was unread, in the order of the source.
void Lowering::add_refused() {
  if (refused_.empty()) return;
  std::ranges::sort(refused_);
  std::vector<Unread> all;
  auto next = tree.unread.begin();
  for (const std::uint32_t start : refused_) {
    for (; next != tree.unread.end() && next->start <= start; ++next)
      all.push_back(*next);
    const bool is_known = !all.empty() && (all.back().end > start || all.back().start == start);
    if (!is_known) all.push_back({start, start});
  }
  all.insert(all.end(), next, tree.unread.end());
  tree.unread = std::move(all);
}

void Lowering::open(Kind kind, std::uint32_t span, std::uint16_t flags, std::uint32_t symbol) {
  planned_.push_back(
      {.what = Do::open, .kind = kind, .flags = flags, .node = span, .symbol = symbol});
}
void Lowering::open_from(std::uint32_t first, Kind kind, std::uint32_t span, std::uint16_t flags,
                         std::uint32_t symbol) {
  open(kind, span, flags, symbol);
  planned_.back().first = first;
}
void Lowering::leaf(Kind kind, std::uint32_t span, std::uint16_t flags, std::uint32_t symbol) {
  planned_.push_back(
      {.what = Do::leaf, .kind = kind, .flags = flags, .node = span, .symbol = symbol});
}
void Lowering::close() { planned_.push_back({.what = Do::close}); }
void Lowering::lower(std::uint32_t node, bool as_target) {
  planned_.push_back({.what = Do::lower, .as_target = as_target, .node = node});
}
void Lowering::inside(std::uint32_t node, bool as_target) {
  planned_.push_back({.what = Do::inside, .as_target = as_target, .node = node});
}

void Lowering::block(std::uint32_t node, Arm arm) {
  open(Kind::Block, node, static_cast<std::uint16_t>(arm));
  // A branch without braces is the statement itself.
  const bool is_list = cst.nodes[node].row < cst.spec->rows.size() &&
                       cst.spec->rows[cst.nodes[node].row].shape == Shape::inside;
  is_list ? inside(node) : lower(node);
  close();
}

void Lowering::run() {
  tree.nodes.reserve(cst.nodes.size() / 2);
  tree.ends.reserve(cst.nodes.size() / 2);
  collect();
  lower(0);
  schedule();
  while (!waiting_.empty()) {
    const Task task = waiting_.back();
    waiting_.pop_back();
    carry_out(task);
    schedule();
  }
  add_refused();
  add_set_aside();
}

/// Behind the root stand names that the parser was not shown: they are used, in no place that is
/// known, and are no part of any function.
void Lowering::add_set_aside() {
  const std::uint32_t first = cst.nodes[0].next;
  const auto count = static_cast<std::uint32_t>(cst.nodes.size()) - first;
  if (count == 0) return;
  const auto end = static_cast<std::uint32_t>(cst.source.size());
  const auto from = static_cast<std::uint32_t>(tree.nodes.size());
  tree.nodes.push_back({Kind::Type, 0, from + 1 + count, end, 0});
  for (std::uint32_t i = 0; i < count; ++i)
    tree.nodes.push_back({Kind::Name, 0, from + 2 + i, end, symbol(first + i)});
  tree.ends.resize(tree.nodes.size(), end);
  tree.nodes[0].end = static_cast<std::uint32_t>(tree.nodes.size());
}

void Lowering::schedule() {
  waiting_.insert(waiting_.end(), planned_.rbegin(), planned_.rend());
  planned_.clear();
}

void Lowering::carry_out(const Task& task) {
  switch (task.what) {
    case Do::open:
      append(task.kind, task.node, task.flags, task.symbol);
      if (task.first != 0) tree.nodes.back().start = cst.nodes[task.first].start;
      break;
    case Do::leaf:
      append(task.kind, task.node, task.flags, task.symbol);
      close_now();
      break;
    case Do::close:
      close_now();
      break;
    case Do::lower:
      lower_now(task.node, task.as_target);
      break;
    case Do::inside:
      for (std::uint32_t i = task.node + 1; i < cst.nodes[task.node].next; i = cst.nodes[i].next)
        if (cst.nodes[i].row != kTokenRow) lower(i, task.as_target);
      break;
  }
}

void Lowering::append(Kind kind, std::uint32_t span, std::uint16_t flags, std::uint32_t symbol) {
  open_.push_back(static_cast<std::uint32_t>(tree.nodes.size()));
  tree.nodes.push_back({kind, flags, 0, cst.nodes[span].start, symbol});
  tree.ends.push_back(cst.nodes[span].end);
}

void Lowering::close_now() {
  const std::uint32_t closed = open_.back();
  open_.pop_back();
  tree.nodes[closed].end = static_cast<std::uint32_t>(tree.nodes.size());
  const bool has_children = tree.nodes[closed].end > closed + 1;
  const bool ends_with_arm =
      cst.spec->by_layout && has_children &&
      (tree.nodes[closed].kind == Kind::Block || is_arm(tree.nodes[last_closed_].kind));
  if (ends_with_arm) tree.ends[closed] = tree.ends[last_closed_];
  last_closed_ = closed;
}

/// Declarations that were read whole although what is around them was not.
bool is_readable_part(const Cst& cst, const CstNode& n) {
  if (n.row >= cst.spec->rows.size()) return false;
  const Kind kind = cst.spec->rows[n.row].kind;
  return kind == Kind::Function || kind == Kind::Class || kind == Kind::Import ||
         kind == Kind::ImportFrom || kind == Kind::Assign || kind == Kind::TypeAlias;
}

/// Comments and what is unread stand anywhere, also where a row does not look. Of what a parser
/// gave up on, the declarations that it could read are no loss.
void Lowering::collect() {
  std::vector<bool> loose;  // as long as the nodes once there is one; most files have none
  const auto is_loose = [&](std::uint32_t i) { return !loose.empty() && loose[i]; };
  const auto add = [&](std::uint32_t start, std::uint32_t end) {
    if (tree.unread.empty() || tree.unread.back().end <= start) tree.unread.push_back({start, end});
  };
  for (std::uint32_t i = 0; i < cst.nodes.size(); ++i) {
    const CstNode& n = cst.nodes[i];
    if (n.row == kCommentRow && (tree.comments.empty() || n.start >= tree.comments.back().end))
      tree.comments.push_back({n.start, n.end});
    if (n.row == kMissingRow || is_loose(i)) add(n.start, n.end);
    if (cst.spec->invalid_at != nullptr && n.row < cst.spec->rows.size())
      if (const std::uint32_t at = cst.spec->invalid_at(cst, i); at != kNowhere)
        refused_.push_back(at);
    if (n.row != kErrorRow || is_loose(i)) continue;
    bool has_readable = false;
    for (std::uint32_t c = i + 1; c < n.next; c = cst.nodes[c].next)
      has_readable = has_readable || is_readable_part(cst, cst.nodes[c]);
    if (!has_readable) {
      add(n.start, n.end);
      continue;
    }
    add(n.start, n.start);
    loose.resize(cst.nodes.size());
    for (std::uint32_t c = i + 1; c < n.next; c = cst.nodes[c].next)
      loose[c] = !is_readable_part(cst, cst.nodes[c]) && cst.nodes[c].row != kErrorRow;
  }
}

void Lowering::lower_now(std::uint32_t node, bool as_target) {
  switch (const std::uint16_t row = cst.nodes[node].row) {
    case kTokenRow:
    case kCommentRow:
      return;
    case kMissingRow:
    case kErrorRow:
      open(Kind::Error, node);
      inside(node);
      close();
      return;
    case kUnknownRow:
      open(Kind::Opaque, node, cst.nodes[node].symbol);
      inside(node);
      close();
      return;
    default:
      lower_by_row(cst.spec->rows[row], node, as_target);
  }
}

void Lowering::lower_by_row(const Row& row, std::uint32_t node, bool as_target) {
  const auto store =
      static_cast<std::uint16_t>(as_target && can_be_target(row.kind) ? flag::store : 0);
  switch (row.shape) {
    case Shape::skip:
      return;
    case Shape::name:
      append(Kind::Name, node, store, symbol(node));
      close_now();
      return;
    case Shape::leaf:
      append(row.kind, node, row.flags, 0);
      close_now();
      return;
    case Shape::inside:
      inside(node, as_target);
      return;
    case Shape::special:
      target_ = as_target;
      row.special(*this, node);
      return;
    case Shape::node:
      break;
  }
  const auto made = static_cast<std::uint32_t>(tree.nodes.size());
  append(row.kind, node, static_cast<std::uint16_t>(row.flags | store), 0);
  for (std::uint32_t i = node + 1; i < cst.nodes[node].next; i = cst.nodes[i].next) {
    const CstNode& c = cst.nodes[i];
    const Role role = role_of(row, c.field);
    if (role == Role::op) {
      const std::string_view text = operator_text(i);
      const Op op = op_of(text);
      tree.nodes[made].flags = op;
      if (op == 0) tree.nodes[made].symbol = tree.symbols.id_of(text);
      continue;
    }
    if (c.row == kTokenRow) continue;
    switch (role) {
      case Role::plain:
        lower_in_turn(i, as_target && passes_target_on(row.kind));
        break;
      case Role::drop:
      case Role::op:
        break;
      case Role::symbol:
        tree.nodes[made].symbol = symbol(i);
        break;
      case Role::target:
        lower_in_turn(i, true);
        break;
      case Role::inside:
        inside(i);
        break;
      case Role::body:
        block(i, Arm::body);
        break;
      case Role::then:
        block(i, Arm::then);
        break;
      case Role::otherwise:
        block(i, Arm::otherwise);
        break;
      case Role::loop_else:
        block(i, Arm::loop_else);
        break;
      case Role::finally:
        block(i, Arm::finally);
        break;
    }
  }
  planned_.empty() ? close_now() : close();
}

/// Nothing waits before it, and it is a leaf: half of all nodes need no task.
void Lowering::lower_in_turn(std::uint32_t node, bool as_target) {
  const std::uint16_t row = cst.nodes[node].row;
  const bool is_leaf = row < cst.spec->rows.size() && (cst.spec->rows[row].shape == Shape::name ||
                                                       cst.spec->rows[row].shape == Shape::leaf ||
                                                       cst.spec->rows[row].shape == Shape::skip);
  planned_.empty() && is_leaf ? lower_by_row(cst.spec->rows[row], node, as_target)
                              : lower(node, as_target);
}

}  // namespace gh::syntax
