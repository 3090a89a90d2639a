#include "analysis/normalise.h"

#include <string>

#include "analysis/bare_text.h"
#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Node;
using syntax::Op;
using syntax::Tree;
namespace flag = syntax::flag;

// What the flags of a kind say about its shape; the rest of them is left out (N20, N21).
constexpr std::uint16_t kShape =
    static_cast<std::uint16_t>(~(flag::async | flag::elif | flag::store));

bool has_operator(Kind kind) {
  return kind == Kind::BinOp || kind == Kind::UnaryOp || kind == Kind::BoolOp ||
         kind == Kind::Compare;
}

/// Kept word for word: what is imported or declared global (N18), patterns (N15).
bool is_verbatim(const Node& node) {
  return node.kind == Kind::Import || node.kind == Kind::ImportFrom || node.kind == Kind::Global ||
         node.kind == Kind::Error || node.kind == Kind::Goto || node.kind == Kind::Label;
}

bool is_dropped(const Tree& tree, std::uint32_t i) {
  const Node& node = tree[i];
  return node.kind == Kind::Type || (node.kind == Kind::Arg && (node.flags & flag::target) != 0) ||
         (node.kind == Kind::Decorator && tree.language == syntax::Language::java);
}

/// What modifiers say, `static` and how far a name is seen, is left out.
std::uint16_t kept_flags(const Node& node) {
  const bool has_modifiers =
      node.kind == Kind::Function || node.kind == Kind::Class || node.kind == Kind::Assign;
  std::uint16_t dropped = has_modifiers ? flag::exported : std::uint16_t{0};
  if (node.kind == Kind::Function || node.kind == Kind::Class)
    dropped |= flag::hook | flag::for_tests | flag::attributed | flag::hidden | flag::lexical;
  if (node.kind == Kind::Function || node.kind == Kind::Assign) dropped |= flag::of_class;
  if (node.kind == Kind::Assign) dropped |= flag::of_member | flag::hidden;
  if (node.kind == Kind::Param) dropped |= flag::optional;
  return static_cast<std::uint16_t>(node.flags & ~dropped);
}

/// Flags of these are numbers: which places of a slice are filled, the brackets of a
/// comprehension, how a parameter is given.
bool is_numbered(Kind kind) {
  return kind == Kind::Slice || kind == Kind::Comp || kind == Kind::Param;
}

std::uint16_t shape_of(const Node& node) {
  const std::uint16_t flags = kept_flags(node);
  return is_numbered(node.kind) ? flags : static_cast<std::uint16_t>(flags & kShape);
}

bool is_boolean(Op op) {
  static const Op all = syntax::op_of("&&"), any = syntax::op_of("||");
  return op == all || op == any;
}

/// `not (a in b)` is `a not in b` (N13).
Op negated(Op op) {
  static const Op in = syntax::op_of("in"), not_in = syntax::op_of("not in"),
                  is = syntax::op_of("is"), is_not = syntax::op_of("is not");
  if (op == in) return not_in;
  return op == is ? is_not : Op{0};
}

Op negation() {
  static const Op inverse = syntax::op_of("not");
  return inverse;
}

}  // namespace

namespace {

Hash hash_of_leaf(Kind kind, bool has_shape) {
  Hasher out;
  out.add(static_cast<std::uint16_t>(kind));
  if (has_shape) out.add(std::uint16_t{0});
  return out.finish();
}

}  // namespace

Normalised::Normalised(const Tree& tree)
    : tree_(tree),
      hashes_(tree.nodes.size()),
      name_(hash_of_leaf(Kind::Name, true)),
      constant_(hash_of_leaf(Kind::Const, false)) {
  for (std::size_t i = tree.nodes.size(); i-- > 0;)
    hashes_[i] = make(static_cast<std::uint32_t>(i));
}

std::vector<std::uint32_t> Normalised::statements(std::uint32_t block,
                                                  bool leads_with_docstring) const {
  std::vector<std::uint32_t> out;
  bool first = true, reached = true;
  for (const std::uint32_t statement : Children(tree_, block)) {
    const bool is_docstring = first && leads_with_docstring && is_bare_string(tree_, statement);
    first = false;
    reached = reached || is_jumped_to(tree_, statement);
    if (!reached) continue;
    const bool is_bare =
        tree_[statement].kind == Kind::Assign && (tree_[statement].flags & flag::bare) != 0;
    const bool is_access =  // `private:`
        tree_[statement].kind == Kind::Pass && tree_[statement].symbol != 0;
    if (!is_docstring && !is_bare && !is_access) out.push_back(statement);
    if (is_terminator(tree_[statement].kind)) reached = false;
  }
  return out;
}

Hash Normalised::make_list(std::uint32_t block, bool leads_with_docstring) const {
  const std::vector<std::uint32_t> list = statements(block, leads_with_docstring);
  hasher_.clear();
  hasher_.add(static_cast<std::uint16_t>(Kind::Block));
  hasher_.add(tree_[block].flags);
  for (const std::uint32_t statement : list)
    hasher_.add(hashes_[statement]);
  return hasher_.finish();
}

Hash Normalised::fingerprint(std::uint32_t unit) const {
  const std::uint32_t body = body_of(tree_, unit);
  return body == 0 ? Hash{} : make_list(body, true);
}

/// The preorder range itself says everything: kinds, names, literals, shape.
Hash Normalised::make_verbatim(std::uint32_t node) const {
  hasher_.clear();
  for (std::uint32_t i = node; i < tree_[node].end; ++i) {
    const Node& n = tree_[i];
    hasher_.add(static_cast<std::uint16_t>(n.kind));
    hasher_.add(n.flags);
    hasher_.add(static_cast<std::uint16_t>(n.end - i));
    const bool has_text = n.kind == Kind::Const || n.kind == Kind::Str || n.kind == Kind::Error;
    hasher_.add(has_text ? tree_.text(i) : tree_.name(i));
  }
  return hasher_.finish();
}

/// `a?.b()` asks before it calls.
void Normalised::add_guard(std::uint32_t node) {
  if ((tree_[node].flags & flag::guarded) != 0) hasher_.add(flag::guarded);
}

/// N2: the whole dotted chain with its root name; where the root is no name, the attributes.
void Normalised::add_callee(std::uint32_t node) {
  std::uint32_t at = node;
  for (; tree_[at].kind == Kind::Attribute && tree_[at].end > at + 1; ++at) {
    hasher_.add(tree_.name(at));
    add_guard(at);
  }
  if (tree_[at].kind == Kind::Name)
    hasher_.add(tree_.name(at));
  else
    hasher_.add(hashes_[at]);
}

Hash Normalised::make_call(std::uint32_t node) {
  hasher_.clear();
  hasher_.add(static_cast<std::uint16_t>(tree_[node].kind));
  add_guard(node);
  bool first = true;
  for (const std::uint32_t child : Children(tree_, node)) {
    if (first)
      add_callee(child);
    else if (!is_dropped(tree_, child))
      hasher_.add(hashes_[child]);
    first = false;
  }
  return hasher_.finish();
}

void Normalised::add_children(std::uint32_t node) {
  for (const std::uint32_t child : Children(tree_, node))
    if (!is_dropped(tree_, child)) hasher_.add(hashes_[child]);
}

Hash Normalised::make(std::uint32_t i) {
  const Node& node = tree_[i];
  if (is_verbatim(node)) return make_verbatim(i);
  switch (node.kind) {
    case Kind::Call:
    case Kind::New:
      return make_call(i);
    case Kind::Block:
      return make_list(i, false);
    case Kind::Const:
    case Kind::Str:  // N4
      return constant_;
    case Kind::Name:
      if (node.end == i + 1 && shape_of(node) == 0) return name_;
      break;
    case Kind::Function:
    case Kind::Class: {  // as a statement of another unit: N10
      const std::uint32_t body = body_of(tree_, i);
      const Hash inside = body == 0 ? Hash{} : make_list(body, true);
      hasher_.clear();
      hasher_.add(static_cast<std::uint16_t>(node.kind));
      hasher_.add(kept_flags(node));
      hasher_.add(tree_.name(i));
      for (const std::uint32_t child : Children(tree_, i))
        if (child != body && !is_dropped(tree_, child)) hasher_.add(hashes_[child]);
      hasher_.add(inside);
      return hasher_.finish();
    }
    case Kind::AugAssign: {  // N12
      if (node.end == i + 1) break;
      const Hash target = hashes_[i + 1];
      hasher_.clear();
      hasher_.add(static_cast<std::uint16_t>(is_boolean(node.flags) ? Kind::BoolOp : Kind::BinOp));
      hasher_.add(node.flags);
      hasher_.add(std::string_view());
      add_children(i);
      const Hash value = hasher_.finish();
      hasher_.clear();
      hasher_.add(static_cast<std::uint16_t>(Kind::Assign));
      hasher_.add(std::uint16_t{0});
      hasher_.add(target);
      hasher_.add(value);
      return hasher_.finish();
    }
    case Kind::Handler: {
      hasher_.clear();
      hasher_.add(static_cast<std::uint16_t>(node.kind));
      Hasher outer = hasher_;
      for (const std::uint32_t child : Children(tree_, i))
        if (!is_dropped(tree_, child))
          outer.add(tree_[child].kind == Kind::Block ? hashes_[child] : make_verbatim(child));
      return outer.finish();
    }
    case Kind::Case: {
      Hasher outer;
      outer.add(static_cast<std::uint16_t>(node.kind));
      for (const std::uint32_t child : Children(tree_, i)) {
        const bool is_guard = (tree_[child].flags & flag::condition) != 0;
        outer.add(tree_[child].kind == Kind::Block || is_guard ? hashes_[child]
                                                               : make_verbatim(child));
      }
      return outer.finish();
    }
    default:
      break;
  }
  hasher_.clear();
  if (node.kind == Kind::UnaryOp && node.flags == negation() && node.end > i + 1) {
    const Node& inner = tree_[i + 1];
    if (inner.kind == Kind::Compare && inner.symbol == 0 && negated(inner.flags) != 0) {
      hasher_.add(static_cast<std::uint16_t>(Kind::Compare));
      hasher_.add(negated(inner.flags));
      hasher_.add(std::string_view());
      add_children(i + 1);
      return hasher_.finish();
    }
  }
  hasher_.add(static_cast<std::uint16_t>(node.kind));
  if (has_operator(node.kind)) {
    hasher_.add(node.flags);
    hasher_.add(tree_.name(i));  // operators of a chain, or one that is in no table
  } else {
    hasher_.add(shape_of(node));
  }
  const bool keeps_name = node.kind == Kind::KwArg || node.kind == Kind::Param ||
                          node.kind == Kind::Interp || node.kind == Kind::Opaque;
  const bool is_labelled =
      (node.kind == Kind::Break || node.kind == Kind::Continue) && node.symbol != 0;
  if (keeps_name) hasher_.add(tree_.name(i));
  if (is_labelled) hasher_.add(std::uint16_t{1});  // whichever label it is
  add_children(i);
  return hasher_.finish();
}

Hash Normalised::head(std::uint32_t statement) const {
  if (!is_compound(tree_[statement].kind)) return hashes_[statement];
  Hasher out;
  out.add(static_cast<std::uint16_t>(tree_[statement].kind));
  out.add(static_cast<std::uint16_t>(tree_[statement].flags & kShape));
  for (const std::uint32_t child : Children(tree_, statement)) {
    const Kind kind = tree_[child].kind;
    if (is_dropped(tree_, child)) continue;
    if (kind == Kind::Block) {
      out.add(tree_[child].flags);
      continue;
    }
    if (kind != Kind::Handler && kind != Kind::Case) {
      out.add(hashes_[child]);
      continue;
    }
    out.add(static_cast<std::uint16_t>(kind));
    for (const std::uint32_t inner : Children(tree_, child)) {
      const bool is_guard = kind == Kind::Case && (tree_[inner].flags & flag::condition) != 0;
      if (tree_[inner].kind != Kind::Block && !is_dropped(tree_, inner))
        out.add(is_guard ? hashes_[inner] : make_verbatim(inner));
    }
  }
  return out.finish();
}

namespace {

constexpr std::size_t kMaxBeside = 500;  // bytes before or after a unit in its lines

}  // namespace

Hash raw_hash(const Tree& tree, std::uint32_t node) {
  const std::uint32_t first = tree.start_line(node), last = tree.end_line(node);
  std::size_t from = tree.line_starts[first - 1];
  std::size_t to = last < tree.line_starts.size() ? tree.line_starts[last] : tree.source.size();
  // In one endless line every unit would carry all of it.
  if (tree[node].start - from > kMaxBeside) from = tree[node].start;
  if (to - tree.ends[node] > kMaxBeside) to = tree.ends[node];
  std::string bare;
  append_bare(bare, tree.source.substr(from, to - from));
  return hash_of(bare);
}

}  // namespace gh::analysis
