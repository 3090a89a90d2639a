#include "analysis/complexity.h"

#include <algorithm>
#include <array>
#include <vector>

#include "analysis/recursion.h"
#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Arm;
using syntax::Children;
using syntax::Kind;
using syntax::Node;
using syntax::Tree;
namespace flag = syntax::flag;

struct List {
  std::uint32_t block, depth;
};

/// Operands of the chain that the test is at its top; anything else is one.
std::uint32_t operands(const Tree& tree, std::uint32_t test) {
  if (tree[test].kind != Kind::BoolOp) return 1;
  std::uint32_t count = 0;
  for ([[maybe_unused]] const std::uint32_t operand : Children(tree, test))
    ++count;
  return count;
}

struct Raising {
  syntax::Language language;
  bool attribute, subscript;
};
// table: what can raise, beyond calls, awaits and raising itself
constexpr std::array kRaising = std::to_array<Raising>({
    {syntax::Language::python, true, true},
    {syntax::Language::cpp, false, true},
    {syntax::Language::javascript, true, false},
    {syntax::Language::typescript, true, false},
    {syntax::Language::tsx, true, false},
    {syntax::Language::java, true, true},
});

/// `static_cast<T>(x)` looks like a call and only says what x is taken for.
bool is_plain_cast(const Tree& tree, std::uint32_t call) {
  if (tree.language != syntax::Language::cpp || tree[call].end == call + 1) return false;
  const std::string_view word = tree.name(call + 1);
  return tree[call + 1].kind == Kind::Name &&
         (word == "static_cast" || word == "const_cast" || word == "reinterpret_cast");
}

bool can_raise(const Tree& tree, std::uint32_t statement) {
  const auto row = std::ranges::find(kRaising, tree.language, &Raising::language);
  const bool attribute = row != kRaising.end() && row->attribute;
  const bool subscript = row != kRaising.end() && row->subscript;
  for (std::uint32_t i = statement; i < tree[statement].end; ++i) {
    const Kind kind = tree[i].kind;
    const bool is_raise =
        kind == Kind::Raise && i == statement;  // deeper ones are in a run of their own
    const bool is_call = kind == Kind::Call && !is_plain_cast(tree, i);
    if (is_raise || is_call || kind == Kind::New || kind == Kind::Await ||
        kind == Kind::YieldFrom || (attribute && kind == Kind::Attribute) ||
        (subscript && kind == Kind::Subscript))
      return true;
  }
  return false;
}

/// Resources and the statements that use them are one list.
std::vector<std::uint32_t> steps_of(const Tree& tree, std::uint32_t body) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t statement : Children(tree, body)) {
    if (tree[statement].kind != Kind::With || (tree[statement].flags & flag::elif) == 0) {
      out.push_back(statement);
      continue;
    }
    for (const std::uint32_t part : Children(tree, statement)) {
      if (tree[part].kind != Kind::Block) {
        out.push_back(part);
        continue;
      }
      for (const std::uint32_t inner : Children(tree, part))
        out.push_back(inner);
    }
  }
  return out;
}

/// It holds a list of its own. A resource that is let go at the end of the list around it does not.
bool has_list(const Tree& tree, std::uint32_t statement) {
  if (tree[statement].kind != Kind::With) return is_compound(tree[statement].kind);
  for (const std::uint32_t part : Children(tree, statement))
    if (tree[part].kind == Kind::Block) return true;
  return false;
}

/// Straight-line runs of a try body in which something can raise.
std::uint32_t raising_runs(const Tree& tree, std::uint32_t body) {
  std::uint32_t runs = 0;
  bool seen = false;
  for (const std::uint32_t statement : steps_of(tree, body)) {
    if (!seen && can_raise(tree, statement)) {
      ++runs;
      seen = true;
    }
    if (is_terminator(tree[statement].kind)) break;
    if (has_list(tree, statement)) seen = false;
  }
  return runs;
}

std::uint32_t count_of(const Tree& tree, std::uint32_t statement, Kind wanted) {
  std::uint32_t count = 0;
  for (const std::uint32_t child : Children(tree, statement))
    count += tree[child].kind == wanted ? 1 : 0;
  return count;
}

std::uint32_t body_of_try(const Tree& tree, std::uint32_t statement) {
  for (const std::uint32_t child : Children(tree, statement))
    if (tree[child].kind == Kind::Block) return child;  // the first: its own
  return statement;
}

bool is_counted(const Node& label) { return (label.flags & flag::fallback) == 0; }

/// What the statement adds by itself, without its arms.
std::uint32_t own_decisions(const Tree& tree, std::uint32_t statement) {
  switch (tree[statement].kind) {
    case Kind::If:
    case Kind::While:
    case Kind::DoWhile: {
      for (const std::uint32_t child : Children(tree, statement))
        if (tree[child].kind != Kind::Block) return operands(tree, child);
      return 1;
    }
    case Kind::For:  // one that counts tests before each round
      for (const std::uint32_t child : Children(tree, statement))
        if (tree[child].kind == Kind::Arg && (tree[child].flags & flag::condition) != 0 &&
            tree[child].end > child + 1)
          return operands(tree, child + 1);
      return 1;
    case Kind::Match: {
      std::uint32_t cases = 0;
      for (const std::uint32_t child : Children(tree, statement))
        cases += tree[child].kind == Kind::Case && is_counted(tree[child]) ? 1 : 0;
      return cases;
    }
    case Kind::Case:  // a label in the middle of a loop or block
      return is_counted(tree[statement]) ? 1 : 0;
    case Kind::Try: {
      const std::uint32_t handlers = count_of(tree, statement, Kind::Handler);
      return handlers == 0 ? 0 : handlers + raising_runs(tree, body_of_try(tree, statement));
    }
    default:
      return 0;
  }
}

/// `f(node)` for each statement that is a value inside this one: it decides as it does elsewhere.
/// A block that is a value is a list.
template <class F>
void each_inner(const Tree& tree, std::uint32_t statement, F&& f) {
  const Kind own = tree[statement].kind;
  if (own == Kind::Function || own == Kind::Class) return;  // units of their own
  const bool has_arms = is_compound(own);
  for (std::uint32_t i = statement + 1; i < tree[statement].end;) {
    const Kind kind = tree[i].kind;
    const bool is_arm = kind == Kind::Block || kind == Kind::Case || kind == Kind::Handler;
    const bool is_inner = is_compound(kind) || kind == Kind::Block;
    if (is_inner && !(has_arms && is_arm)) f(i);
    const bool is_apart =
        is_inner || is_arm || kind == Kind::Function || kind == Kind::Class || kind == Kind::Lambda;
    i = is_apart ? tree[i].end : i + 1;
  }
}

/// Nothing after it is reached, unless it is jumped to.
template <class F>
void each_reached(const Tree& tree, std::uint32_t block, F&& f) {
  bool reached = true;
  for (const std::uint32_t statement : Children(tree, block)) {
    reached = reached || is_jumped_to(tree, statement);
    if (!reached) continue;
    f(statement);
    if (is_terminator(tree[statement].kind)) reached = false;
  }
}

/// `f(statement, count)` for each statement that decides. `open` holds lists, and statements that
/// are values.
template <class F>
void each_decision(const Tree& tree, std::uint32_t body, std::vector<List>& open, F&& f) {
  open.assign(1, {body, 0});
  const auto visit = [&](std::uint32_t statement) {
    if (const std::uint32_t count = own_decisions(tree, statement); count != 0) f(statement, count);
    if (is_compound(tree[statement].kind))
      each_arm(tree, statement, [&](std::uint32_t arm) { open.push_back({arm, 0}); });
    each_inner(tree, statement, [&](std::uint32_t inner) { open.push_back({inner, 0}); });
  };
  while (!open.empty()) {
    const std::uint32_t node = open.back().block;
    open.pop_back();
    if (tree[node].kind == Kind::Block)
      each_reached(tree, node, visit);
    else
      visit(node);
  }
}

std::uint32_t cyclomatic(const Tree& tree, std::uint32_t body, std::vector<List>& open) {
  std::uint32_t total = 1;
  each_decision(tree, body, open, [&](std::uint32_t, std::uint32_t count) { total += count; });
  return total;
}

std::uint32_t nesting(const Tree& tree, std::uint32_t body, std::vector<List>& open) {
  std::uint32_t deepest = 0;
  open.assign(1, {body, 0});
  const auto visit = [&](std::uint32_t statement, std::uint32_t at) {
    each_inner(tree, statement, [&](std::uint32_t inner) { open.push_back({inner, at}); });
    if (!has_list(tree, statement)) return;
    const Kind kind = tree[statement].kind;
    const bool is_level =
        (kind != Kind::If && kind != Kind::With) || (tree[statement].flags & flag::elif) == 0;
    const std::uint32_t depth = at + (is_level ? 1 : 0);
    deepest = std::max(deepest, depth);
    each_arm(tree, statement, [&](std::uint32_t arm) { open.push_back({arm, depth}); });
  };
  while (!open.empty()) {
    const List list = open.back();
    open.pop_back();
    if (tree[list.block].kind == Kind::Block)
      for (const std::uint32_t statement : Children(tree, list.block))
        visit(statement, list.depth);
    else
      visit(list.block, list.depth);
  }
  return deepest;
}

// ------------------------------------------------------------------------------------- cognitive

/// An else arm that only continues its chain.
bool holds_elif(const Tree& tree, std::uint32_t block) {
  const std::uint32_t first = block + 1;
  return first < tree[block].end && tree[first].kind == Kind::If &&
         (tree[first].flags & flag::elif) != 0;
}

enum class Callee : std::uint8_t {
  function,        // a bare name in a method is that of a function
  member_by_arity  // or of the method itself, unless another of that name takes as many
};
struct CalleeRow {
  syntax::Language language;
  Callee bare;
  std::string_view receiver;  // empty: the method declares it
};
// table: what a method calls by its own name
constexpr std::array kCallees = std::to_array<CalleeRow>({
    {syntax::Language::python, Callee::function, ""},
    {syntax::Language::c, Callee::function, ""},
    {syntax::Language::cpp, Callee::member_by_arity, "this"},
    {syntax::Language::javascript, Callee::function, "this"},
    {syntax::Language::typescript, Callee::function, "this"},
    {syntax::Language::tsx, Callee::function, "this"},
    {syntax::Language::go, Callee::function, ""},
    {syntax::Language::rust, Callee::function, ""},
    {syntax::Language::java, Callee::member_by_arity, "this"},
});

/// Which calls of a function are calls of itself.
class Recursion {
 public:
  Recursion(const Tree& tree, std::uint32_t unit, UnitOwner owner)
      : tree_(tree),
        unit_(unit),
        owner_(owner),
        row_(*std::ranges::find(kCallees, tree.language, &CalleeRow::language)) {}

  bool is_one(std::uint32_t call) const {
    if (tree_[call].end == call + 1 || tree_[call + 1].symbol != tree_[unit_].symbol) return false;
    const Kind kind = tree_[call + 1].kind;
    const bool names_it = kind == Kind::Name        ? is_own_name(call + 1)
                          : kind == Kind::Attribute ? is_own_member(call + 1)
                                                    : false;
    return names_it && (row_.bare != Callee::member_by_arity || takes_as_many(call));
  }

 private:
  bool is_own_name(std::uint32_t name) const {
    if (tree_.language == syntax::Language::cpp && is_of_outermost(name))
      return owner_.node == 0 && !owner_.is_nested;
    return !owner_.is_class || row_.bare != Callee::function;
  }

  /// `::f`
  bool is_of_outermost(std::uint32_t name) const {
    std::string_view before = tree_.source.substr(0, tree_[name].start);
    before = before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
    return before.ends_with("::");
  }

  bool is_own_member(std::uint32_t attribute) const {
    const std::uint32_t object = attribute + 1;
    if (tree_[object].kind != Kind::Name) return false;
    const std::string_view name = tree_.name(object);
    if (owner_.node != 0) {
      const std::string_view own = tree_.name(owner_.node);
      if (name == own.substr(own.rfind('.') + 1)) return true;
    }
    if (tree_.language == syntax::Language::rust && owner_.is_class && name == "Self") return true;
    if (!row_.receiver.empty()) return name == row_.receiver;
    return owner_.is_class && name == receiver();
  }

  /// The parameter that is marked; in Python the first.
  std::string_view receiver() const {
    for (const std::uint32_t child : Children(tree_, unit_))
      if (tree_[child].kind == Kind::Param && (tree_.language == syntax::Language::python ||
                                               (tree_[child].flags & flag::receiver) != 0))
        return tree_.name(child);
    return {};
  }

  bool takes_as_many(std::uint32_t call) const {
    std::size_t given = 0, least = 0, most = 0;
    for (std::uint32_t i = tree_[call + 1].end; i < tree_[call].end; i = tree_[i].end) {
      if (tree_[i].kind == Kind::Star) return true;  // as many as it holds
      given += tree_[i].kind == Kind::Type ? 0 : 1;
    }
    for (const std::uint32_t child : Children(tree_, unit_)) {
      if (tree_[child].kind != Kind::Param) continue;
      const auto kind = static_cast<syntax::ParamKind>(tree_[child].flags & syntax::kParamKindMask);
      if (kind == syntax::ParamKind::vararg) return given >= least;
      least += (tree_[child].flags & flag::optional) == 0 ? 1 : 0;
      ++most;
    }
    return least <= given && given <= most;
  }

  const Tree& tree_;
  std::uint32_t unit_;
  UnitOwner owner_;
  const CalleeRow& row_;
};

class Cognitive {
 public:
  explicit Cognitive(const Tree& tree) : tree_(tree) {}

  std::uint32_t of(std::uint32_t body) {
    open_.push_back({body, 0});
    for (std::uint32_t i = body + 1; i < tree_[body].end; ++i) {
      while (i >= tree_[open_.back().node].end)
        open_.pop_back();
      const std::uint32_t depth = depth_below(i);
      visit(i, open_.back().depth);
      if (tree_[i].end > i + 1) open_.push_back({i, depth});
    }
    return total_;
  }

 private:
  struct Open {
    std::uint32_t node, depth;
  };

  /// The depth at which its children stand.
  std::uint32_t depth_below(std::uint32_t i) const {
    const std::uint32_t depth = open_.back().depth;
    const Kind kind = tree_[i].kind;
    if (kind == Kind::Lambda) return depth + 1;
    if (kind != Kind::Block) return depth;
    const Kind parent = tree_[open_.back().node].kind;
    const bool deepens = parent == Kind::If || parent == Kind::For || parent == Kind::While ||
                         parent == Kind::DoWhile || parent == Kind::Handler ||
                         parent == Kind::Case || parent == Kind::Function;
    return deepens && !holds_elif(tree_, i) ? depth + 1 : depth;
  }

  void visit(std::uint32_t i, std::uint32_t depth) {
    const Node& node = tree_[i];
    switch (node.kind) {
      case Kind::If:
        total_ += (node.flags & flag::elif) != 0 ? 1 : 1 + depth;
        break;
      case Kind::For:
      case Kind::While:
      case Kind::DoWhile:
      case Kind::Handler:
      case Kind::Match:
      case Kind::Ternary:
        total_ += 1 + depth;
        break;
      case Kind::Block: {
        const auto arm = static_cast<Arm>(node.flags);
        const Kind parent = tree_[open_.back().node].kind;
        if ((arm == Arm::otherwise && parent == Kind::If && !holds_elif(tree_, i)) ||
            arm == Arm::loop_else)
          ++total_;
        break;
      }
      case Kind::BoolOp:  // a sequence inside a sequence of the same operator goes on with it
        if (tree_[open_.back().node].kind != Kind::BoolOp ||
            tree_[open_.back().node].flags != node.flags)
          ++total_;
        break;
      case Kind::Break:
      case Kind::Continue:
        total_ += node.symbol != 0 ? 1 : 0;
        break;
      default:
        break;
    }
  }

  const Tree& tree_;
  std::uint32_t total_ = 0;
  std::vector<Open> open_{};
};

}  // namespace

Complexity complexity_of(const Tree& tree, std::uint32_t unit) {
  Complexity out;
  const std::uint32_t body = body_of(tree, unit);
  if (body == 0) return out;
  std::vector<List> open;
  out.cyclomatic = cyclomatic(tree, body, open);
  out.nesting = nesting(tree, body, open);
  out.cognitive = Cognitive(tree).of(body);
  return out;
}

bool calls_itself(const Tree& tree, std::uint32_t unit, UnitOwner owner) {
  const std::uint32_t body = body_of(tree, unit);
  if (body == 0) return false;
  const Recursion recursion(tree, unit, owner);
  for (std::uint32_t i = body + 1; i < tree[body].end; ++i)
    if (tree[i].kind == Kind::Call && recursion.is_one(i)) return true;
  return false;
}

std::vector<Decision> decisions_of(const Tree& tree, std::uint32_t unit) {
  std::vector<Decision> out;
  std::vector<List> open;
  if (const std::uint32_t body = body_of(tree, unit); body != 0)
    each_decision(tree, body, open, [&](std::uint32_t statement, std::uint32_t count) {
      out.push_back({statement, count});
    });
  return out;
}

}  // namespace gh::analysis
