#include "syntax/parts.h"

namespace gh::syntax::parts {
namespace {

std::string_view operator_of(const Lowering& l, std::uint32_t node) {
  const std::uint32_t op = l.child(node, Field::operator_);
  return op == 0 ? std::string_view() : l.operator_text(op);
}

bool is_boolean(std::string_view op) { return op == "&&" || op == "||"; }

bool is_comparison(std::string_view op) {
  return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=" ||
         op == "<=>";
}

/// The `if` that an else arm is; 0 when it is something else.
std::uint32_t next_if(const Lowering& l, std::uint32_t alternative, std::uint16_t row) {
  if (l.cst.nodes[alternative].row == row) return alternative;
  const bool is_clause = l.is(alternative, "else_clause");
  const std::uint32_t inner = is_clause ? first_named(l, alternative) : 0;
  return inner != 0 && l.cst.nodes[inner].row == row ? inner : 0;
}

}  // namespace

Nodes named(const Lowering& l, std::uint32_t node) {
  Nodes out;
  l.each_named(node, [&](std::uint32_t i) { out.push_back(i); });
  return out;
}

std::uint32_t first_named(const Lowering& l, std::uint32_t node) {
  for (std::uint32_t i = node + 1; i < l.cst.nodes[node].next; i = l.cst.nodes[i].next)
    if (l.cst.is_named(i)) return i;
  return 0;
}

std::uint32_t last_child(const Lowering& l, std::uint32_t node) {
  std::uint32_t last = node;
  for (std::uint32_t i = node + 1; i < l.cst.nodes[node].next; i = l.cst.nodes[i].next)
    last = i;
  return last;
}

void lower_field(Lowering& l, std::uint32_t node, Field field, bool as_target) {
  if (const std::uint32_t child = l.child(node, field)) l.lower(child, as_target);
}

void block_or_empty(Lowering& l, std::uint32_t list, std::uint32_t span, Arm arm) {
  if (list != 0) {
    l.block(list, arm);
    return;
  }
  l.leaf(Kind::Block, span, static_cast<std::uint16_t>(arm));
}

void type_of(Lowering& l, std::uint32_t node, std::uint16_t flags) {
  if (node == 0) return;
  l.open(Kind::Type, node, flags);
  l.lower(node);
  l.close();
}

void boolean_chain(Lowering& l, std::uint32_t node, std::string_view op, Through through) {
  const std::string_view joint = operator_of(l, node);
  Nodes operands;
  for (std::uint32_t at = node;;) {
    std::uint32_t left = l.child(at, Field::left);
    if (const std::uint32_t right = l.child(at, Field::right)) operands.push_back(right);
    if (left == 0) break;
    if (through != nullptr) left = through(l, left);
    if (l.cst.nodes[left].row != l.cst.nodes[node].row || operator_of(l, left) != joint) {
      operands.push_back(left);
      break;
    }
    at = left;
  }
  l.open(Kind::BoolOp, node, op_of(op));
  for (auto it = operands.rbegin(); it != operands.rend(); ++it)
    l.lower(*it);
  l.close();
}

void binary(Lowering& l, std::uint32_t node) {
  const std::string_view op = operator_of(l, node);
  if (is_boolean(op)) {
    boolean_chain(l, node, op);
    return;
  }
  const Op known = op_of(op);
  l.open(is_comparison(op) ? Kind::Compare : Kind::BinOp, node, known,
         known == 0 ? l.tree.symbols.id_of(op) : 0);
  lower_field(l, node, Field::left);
  lower_field(l, node, Field::right);
  l.close();
}

void yield_statement(Lowering& l, std::uint32_t node) {
  l.open(Kind::Expr, node);
  l.open(Kind::Yield, node);
  l.inside(node);
  l.close();
  l.close();
}

void step_statement(Lowering& l, std::uint32_t node, std::uint32_t target, std::string_view op) {
  l.open(Kind::AugAssign, node, op_of(op.substr(0, 1)));
  if (target != 0) l.lower(target, true);
  l.leaf(Kind::Const, last_child(l, node));
  l.close();
}

void assign_statement(Lowering& l, std::uint32_t node, std::uint32_t target, std::string_view op,
                      std::uint32_t value) {
  op.remove_suffix(op.ends_with('=') ? 1 : 0);
  if (op.empty())
    l.open(Kind::Assign, node);
  else
    l.open(Kind::AugAssign, node, op_of(op));
  if (target != 0) l.lower(target, true);
  if (value != 0) l.lower(value);
  l.close();
}

void if_chain(Lowering& l, std::uint32_t node) {
  const std::uint16_t row = l.cst.nodes[node].row;
  std::size_t arms = 0;
  for (std::uint32_t at = node;;) {
    l.open(Kind::If, at, at == node ? std::uint16_t{0} : flag::elif);
    lower_field(l, at, Field::condition);
    lower_field(l, at, Field::initializer);
    block_or_empty(l, l.child(at, Field::consequence), at, Arm::then);
    const std::uint32_t alternative = l.child(at, Field::alternative);
    if (alternative == 0) break;
    const std::uint32_t next = next_if(l, alternative, row);
    if (next == 0) {
      l.block(alternative, Arm::otherwise);
      break;
    }
    l.open(Kind::Block, alternative, static_cast<std::uint16_t>(Arm::otherwise));
    ++arms;
    at = next;
  }
  for (; arms > 0; --arms) {
    l.close();  // the If
    l.close();  // the Block around it
  }
  l.close();
}

void tuple_or_one(Lowering& l, std::uint32_t node) {
  const bool target = l.as_target();
  const bool is_one = named(l, node).size() == 1;
  if (!is_one) l.open(Kind::Tuple, node, target ? flag::store : std::uint16_t{0});
  l.inside(node, target);
  if (!is_one) l.close();
}

}  // namespace gh::syntax::parts
