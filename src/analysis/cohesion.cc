#include "analysis/cohesion.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "analysis/references.h"
#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::ParamKind;
using syntax::Tree;

// Methods that a framework calls to check a value: they belong together by convention.
// table: validation hooks
constexpr std::array<std::string_view, 6> kHooks{"field_validator",  "model_validator",
                                                 "root_validator",   "validator",
                                                 "field_serializer", "model_serializer"};

template <class F>
void each_decorator(const Tree& tree, const Bindings& names, std::uint32_t method, F&& f) {
  for (const std::uint32_t child : Children(tree, method)) {
    if (tree[child].kind != Kind::Decorator || tree[child].end == child + 1) continue;
    const std::uint32_t expression = child + 1;
    const bool is_call = tree[expression].kind == Kind::Call;
    f(names.resolve(is_call ? expression + 1 : expression));
  }
}

/// Static and class methods have no part in an instance (D3); validation hooks none in its design.
bool is_outside_graph(const Tree& tree, const Bindings& names, std::uint32_t method) {
  bool outside = false;
  each_decorator(tree, names, method, [&](const std::string& target) {
    if (target == "staticmethod" || target == "classmethod") outside = true;
    if (target.starts_with("pydantic."))
      outside = outside ||
                std::ranges::find(kHooks, target.substr(target.rfind('.') + 1)) != kHooks.end();
  });
  return outside;
}

using Names = std::set<std::string_view>;

/// How a method says what it works on.
enum class Receiver : std::uint8_t {
  none,             // a language without methods
  first_parameter,  // D2: whatever its name
  declared,         // a parameter that the language marks
  word,             // `this`
  word_or_nothing,  // `this`, or the bare name of a member
};
struct ReceiverRow {
  syntax::Language language;
  Receiver receiver;
};
// table: receivers
constexpr std::array kReceivers = std::to_array<ReceiverRow>({
    {syntax::Language::python, Receiver::first_parameter},
    {syntax::Language::cpp, Receiver::word_or_nothing},
    {syntax::Language::javascript, Receiver::word},
    {syntax::Language::typescript, Receiver::word},
    {syntax::Language::tsx, Receiver::word},
    {syntax::Language::go, Receiver::declared},
    {syntax::Language::rust, Receiver::declared},
    {syntax::Language::java, Receiver::word_or_nothing},
});

Receiver receiver_kind(const Tree& tree) {
  const auto row = std::ranges::find(kReceivers, tree.language, &ReceiverRow::language);
  return row == kReceivers.end() ? Receiver::none : row->receiver;
}

/// Its name; empty when it has none.
std::string_view receiver_of(const Tree& tree, std::uint32_t method, Receiver kind) {
  if (kind == Receiver::none) return "";
  if (kind == Receiver::word || kind == Receiver::word_or_nothing) return "this";
  for (const std::uint32_t child : Children(tree, method)) {
    if (tree[child].kind != Kind::Param) continue;
    const bool is_declared = (tree[child].flags & syntax::flag::receiver) != 0;
    if (kind == Receiver::declared) return is_declared ? tree.name(child) : std::string_view();
    const auto how = static_cast<ParamKind>(tree[child].flags & syntax::kParamKindMask);
    const bool is_positional = how == ParamKind::pos_only || how == ParamKind::pos_or_kw;
    return is_positional ? tree.name(child) : std::string_view();
  }
  return "";
}

bool has_declared_receiver(const Tree& tree, std::uint32_t method) {
  for (const std::uint32_t child : Children(tree, method))
    if (tree[child].kind == Kind::Param && (tree[child].flags & syntax::flag::receiver) != 0)
      return true;
  return false;
}

/// Where a function that is no arrow has a `this` of its own.
bool has_own_this(syntax::Language language) {
  return language == syntax::Language::javascript || language == syntax::Language::typescript ||
         language == syntax::Language::tsx;
}

/// Does something inside a method give the name of the receiver another meaning?
bool hides_receiver(const Tree& tree, std::uint32_t inner, std::string_view receiver) {
  const Kind kind = tree[inner].kind;
  if (kind == Kind::Class && receiver == "this") return true;
  if (kind != Kind::Function && kind != Kind::Lambda) return false;
  if (has_own_this(tree.language)) return (tree[inner].flags & syntax::flag::lexical) == 0;
  for (const std::uint32_t child : Children(tree, inner))
    if (tree[child].kind == Kind::Param && tree.name(child) == receiver) return true;
  return false;
}

bool is_receiver(const Tree& tree, std::uint32_t node, std::string_view receiver) {
  return tree[node].kind == Kind::Name && tree.name(node) == receiver;
}

/// `this['x']`
void add_subscript(const Tree& tree, std::uint32_t node, Names& out) {
  const std::uint32_t key = node + 2;
  if (tree[node].kind == Kind::Subscript && tree[node].end == key + 1 &&
      is_receiver(tree, node + 1, "this") && tree[key].kind == Kind::Str)
    out.insert(literal_text(tree, key));
}

/// `const {x, y: z, w = 1} = this`: keys are strings in front of what they are bound to.
void add_taken_apart(const Tree& tree, std::uint32_t node, Names& out) {
  const bool binds = tree[node].kind == Kind::Assign || tree[node].kind == Kind::NamedExpr;
  const std::uint32_t pattern = node + 1;
  if (!binds || tree[node].end <= pattern || tree[pattern].kind != Kind::Dict ||
      !is_receiver(tree, tree[node].end - 1, "this"))
    return;
  for (const std::uint32_t child : Children(tree, pattern)) {
    if (tree[child].kind == Kind::Str) out.insert(literal_text(tree, child));
    if (tree[child].kind == Kind::NamedExpr && tree[child].end > child + 1 &&
        tree[child + 1].kind == Kind::Name)
      out.insert(tree.name(child + 1));
  }
}

/// `(*this).a` is `this->a`.
bool is_member_of(const Tree& tree, std::uint32_t node, std::string_view receiver) {
  if (tree[node].kind != Kind::Attribute) return false;
  const bool points = tree[node].end == node + 3 && tree[node + 1].kind == Kind::UnaryOp &&
                      tree[node + 1].flags == syntax::op_of("*");
  return (points || tree[node].end == node + 2) &&
         is_receiver(tree, points ? node + 2 : node + 1, receiver);
}

/// `Self::g(self)`, also with `&self`.
bool hands_receiver_on(const Tree& tree, std::uint32_t call, std::string_view receiver) {
  if (tree.language != syntax::Language::rust || tree[call].kind != Kind::Call) return false;
  const std::uint32_t callee = call + 1, first = call + 3;
  if (tree[call].end <= first || tree[callee].kind != Kind::Attribute ||
      tree[callee].end != first || !is_receiver(tree, callee + 1, "Self"))
    return false;
  return is_receiver(tree, first, receiver) ||
         (tree[first].kind == Kind::UnaryOp && tree[first].end == first + 2 &&
          is_receiver(tree, first + 1, receiver));
}

Names touched_by(const Tree& tree, std::uint32_t method, std::string_view receiver, Receiver kind) {
  Names out;
  if (receiver.empty()) return out;
  for (std::uint32_t i = method + 1; i < tree[method].end;) {
    if (is_member_of(tree, i, receiver)) out.insert(tree.name(i));
    if (hands_receiver_on(tree, i, receiver)) out.insert(tree.name(i + 1));
    if (kind == Receiver::word) {
      add_subscript(tree, i, out);
      add_taken_apart(tree, i, out);
    }
    i = hides_receiver(tree, i, receiver) ? tree[i].end : i + 1;
  }
  return out;
}

void add_stored(const Tree& tree, std::uint32_t node, Names& out) {
  for (std::uint32_t i = node; i < tree[node].end; ++i)
    if (tree[i].kind == Kind::Name && (tree[i].flags & syntax::flag::store) != 0)
      out.insert(tree.name(i));
}

bool declares(const Tree& tree, std::uint32_t assign) {
  for (const std::uint32_t child : Children(tree, assign))
    if (tree[child].kind == Kind::Type) return true;
  return false;
}

/// `o instanceof Q x`, `case Q x`: targets that are no part of an assignment.
void add_pattern_variables(const Tree& tree, std::uint32_t pattern, Names& out) {
  for (const std::uint32_t child : Children(tree, pattern))
    if (tree[child].kind == Kind::Name && (tree[child].flags & syntax::flag::store) != 0)
      out.insert(tree.name(child));
}

/// Parameters and variables: where the languages that need this declare them, a type stands.
Names declared_in(const Tree& tree, std::uint32_t method) {
  Names out;
  for (std::uint32_t i = method + 1; i < tree[method].end; ++i) {
    const Kind kind = tree[i].kind;
    if (kind == Kind::Param) out.insert(tree.name(i));
    const bool has_first = tree[i].end > i + 1;
    if (kind == Kind::Assign && has_first && declares(tree, i)) add_stored(tree, i + 1, out);
    if (kind == Kind::For && has_first && tree[i + 1].kind != Kind::Assign)
      add_stored(tree, i + 1, out);
    if (kind == Kind::Arg && (tree[i].flags & syntax::flag::target) != 0) add_stored(tree, i, out);
    if (kind == Kind::Compare || kind == Kind::Tuple) add_pattern_variables(tree, i, out);
  }
  return out;
}

/// Names outside of types that nothing inside the method declares.
Names mentioned_by(const Tree& tree, std::uint32_t method) {
  const Names own = declared_in(tree, method);
  Names out;
  for (std::uint32_t i = method + 1; i < tree[method].end;) {
    if (tree[i].kind == Kind::Name && !own.contains(tree.name(i))) out.insert(tree.name(i));
    if (tree[i].kind == Kind::Assign && (tree[i].flags & syntax::flag::of_member) != 0)
      add_stored(tree, i + 1, out);  // what initialises it may bear its name
    i = tree[i].kind == Kind::Type ? tree[i].end : i + 1;
  }
  return out;
}

std::vector<std::string> strings(const Names& names) { return {names.begin(), names.end()}; }

MethodFact method_fact(const Tree& tree, const Bindings& names, std::uint32_t method) {
  const Receiver kind = receiver_kind(tree);
  const bool is_static = (tree[method].flags & syntax::flag::of_class) != 0 ||
                         (kind == Receiver::declared && !has_declared_receiver(tree, method));
  MethodFact out{.name = std::string(tree.name(method)),
                 .has_body = body_of(tree, method) != 0,
                 .of_instance = !is_static && !is_outside_graph(tree, names, method)};
  if (!out.has_body || !out.of_instance) return out;
  out.touched = strings(touched_by(tree, method, receiver_of(tree, method, kind), kind));
  if (kind == Receiver::word_or_nothing) out.mentioned = strings(mentioned_by(tree, method));
  return out;
}

/// Names that the body of a class declares for each instance, without those of functions.
Names fields_of(const Tree& tree, std::uint32_t node) {
  Names out;
  const std::uint32_t body = body_of(tree, node);
  if (body == 0) return out;
  for (const std::uint32_t statement : Children(tree, body))
    if (tree[statement].kind == Kind::Assign && tree[statement].end > statement + 1 &&
        (tree[statement].flags & syntax::flag::of_class) == 0)
      add_stored(tree, statement + 1, out);
  return out;
}

/// What its methods reach by a bare name; the rest are other things of that name.
void keep_members(const Names& members, std::vector<std::string>& mentioned) {
  std::erase_if(mentioned, [&](const std::string& name) { return !members.contains(name); });
}

Names all_names(const Members& members) {
  Names out(members.fields.begin(), members.fields.end());
  for (const MethodFact& method : members.methods)
    out.insert(method.name);
  return out;
}

std::uint32_t method_count(const Members& members) {
  Names defined;
  std::uint32_t count = 0;
  for (const MethodFact& method : members.methods)
    if (method.has_body) {
      defined.insert(method.name);
      ++count;
    }
  for (const MethodFact& method : members.methods)
    count += !method.has_body && !defined.contains(method.name) ? 1 : 0;
  return count;
}

class Components {
 public:
  explicit Components(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i)
      i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }
  std::size_t count() {
    std::size_t roots = 0;
    for (std::size_t i = 0; i < parent_.size(); ++i)
      roots += find(i) == i ? 1 : 0;
    return roots;
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<std::uint32_t> methods_of(const Tree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> out;
  const std::uint32_t body = body_of(tree, node);
  if (body == 0) return out;
  std::vector<std::uint32_t> open{body};
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    for (const std::uint32_t statement : Children(tree, block)) {
      if (tree[statement].kind == Kind::Function) out.push_back(statement);
      if (is_compound(tree[statement].kind))
        each_arm(tree, statement, [&](std::uint32_t arm) { open.push_back(arm); });
    }
  }
  std::ranges::sort(out);
  return out;
}

bool is_protocol(const Tree& tree, const Bindings& names, std::uint32_t node) {
  for (const std::uint32_t child : Children(tree, node)) {
    const Kind kind = tree[child].kind;
    if (kind != Kind::Name && kind != Kind::Attribute && kind != Kind::Subscript) continue;
    const std::string target = names.resolve(child);
    if (target == "typing.Protocol" || target == "typing_extensions.Protocol") return true;
  }
  return false;
}

ClassesByName classes_by_name(const Tree& tree) {
  ClassesByName out;
  if (receiver_kind(tree) != Receiver::word_or_nothing) return out;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
    if (tree[i].kind == Kind::Class &&
        (tree[i].flags & (syntax::flag::name_space | syntax::flag::extension)) == 0)
      out.emplace(tree.name(i), i);
  return out;
}

namespace {

/// Fields and methods of the classes that it is derived from, as far as the file declares them.
void add_inherited(const Tree& tree, const Bindings& names, const ClassesByName& classes,
                   std::uint32_t node, Names& out) {
  std::vector<std::uint32_t> open{node};
  for (std::size_t next = 0; next < open.size(); ++next)
    for (const std::uint32_t base : Children(tree, open[next])) {
      const Kind kind = tree[base].kind;
      if (kind == Kind::Block || kind == Kind::Decorator || kind == Kind::Type) continue;
      const std::string written = names.resolve(base);
      const auto found = classes.find(std::string_view(written).substr(written.rfind('.') + 1));
      if (found == classes.end() || std::ranges::find(open, found->second) != open.end()) continue;
      open.push_back(found->second);
      out.merge(fields_of(tree, found->second));
      for (const std::uint32_t method : methods_of(tree, found->second))
        out.insert(tree.name(method));
    }
}

}  // namespace

Members members_of(const Tree& tree, const Bindings& names, std::uint32_t node,
                   const ClassesByName& classes) {
  const bool is_said = (tree[node].flags & syntax::flag::protocol) != 0;
  Members out{.is_protocol = is_said || is_protocol(tree, names, node)};
  for (const std::uint32_t method : methods_of(tree, node))
    out.methods.push_back(method_fact(tree, names, method));
  if (receiver_kind(tree) != Receiver::word_or_nothing) return out;
  Names fields = fields_of(tree, node);
  add_inherited(tree, names, classes, node, fields);
  out.fields = strings(fields);
  if ((tree[node].flags & syntax::flag::extension) != 0) return out;  // declared elsewhere
  const Names own = all_names(out);
  for (MethodFact& method : out.methods)
    keep_members(own, method.mentioned);
  return out;
}

Cohesion cohesion_of(const Members& members) {
  Cohesion out{.methods = method_count(members)};
  if (members.is_protocol) return out;
  const Names own = all_names(members);
  // A getter and its setter are one node with the facts of both.
  std::map<std::string_view, Names> touched;
  for (const MethodFact& method : members.methods) {
    if (!method.has_body || !method.of_instance) continue;
    Names& names = touched[method.name];
    names.insert(method.touched.begin(), method.touched.end());
    for (const std::string& name : method.mentioned)
      if (own.contains(name)) names.insert(name);
  }
  out.graph_nodes = static_cast<std::uint32_t>(touched.size());
  Components parts(touched.size());
  std::map<std::string_view, std::size_t> first_touch, index_of;
  std::size_t index = 0;
  for (const auto& [name, attributes] : touched)
    index_of.emplace(name, index++);
  for (const auto& [name, attributes] : touched)
    for (const std::string_view attribute : attributes) {
      const std::size_t at = index_of.at(name);
      const auto [known, is_new] = first_touch.try_emplace(attribute, at);
      if (!is_new) parts.join(at, known->second);
      if (const auto called = index_of.find(attribute); called != index_of.end())
        parts.join(at, called->second);
    }
  out.instance_variables = static_cast<std::uint32_t>(first_touch.size());
  out.lcom4 = touched.size() <= 1 ? 1 : static_cast<std::uint32_t>(parts.count());
  return out;
}

Cohesion cohesion_of(const Tree& tree, const Bindings& names, std::uint32_t node) {
  return cohesion_of(members_of(tree, names, node));
}

}  // namespace gh::analysis
