#include "analysis/independence.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Tree;

// table: independence
constexpr std::array<std::string_view, 8> kNames{"none",
                                                 "noop_stub",
                                                 "property_like",
                                                 "dunder_protocol",
                                                 "interface_contract",
                                                 "override_context",
                                                 "decorated_context",
                                                 "candidate"};

// By the last part of a dotted name.
// table: decorators without an instance
constexpr std::array<std::string_view, 3> kNoInstance{"staticmethod", "classmethod", "overload"};
// table: property decorators
constexpr std::array<std::string_view, 5> kProperties{"property", "cached_property", "getter",
                                                      "setter", "deleter"};
// table: abstract decorators
constexpr std::array<std::string_view, 4> kAbstract{"abstractmethod", "abstractproperty",
                                                    "abstractclassmethod", "abstractstaticmethod"};
// table: interface bases
constexpr std::array<std::string_view, 3> kInterfaces{"Protocol", "ABC", "ABCMeta"};

std::string last_part(const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); }

bool is_one_of(const std::vector<std::string>& names, std::span<const std::string_view> known) {
  return std::ranges::any_of(
      names, [&](const std::string& n) { return std::ranges::find(known, n) != known.end(); });
}

std::vector<std::string> decorators_of(const Tree& tree, const Bindings& names,
                                       std::uint32_t method) {
  std::vector<std::string> out;
  for (const std::uint32_t child : Children(tree, method)) {
    if (tree[child].kind != Kind::Decorator || tree[child].end == child + 1) continue;
    const bool is_call = tree[child + 1].kind == Kind::Call;
    out.push_back(last_part(names.resolve(is_call ? child + 2 : child + 1)));
  }
  return out;
}

/// Bases and metaclass, without `object`; what is no name counts as an unknown base.
std::vector<std::string> bases_of(const Tree& tree, const Bindings& names, std::uint32_t owner) {
  std::vector<std::string> out;
  for (const std::uint32_t child : Children(tree, owner)) {
    const Kind kind = tree[child].kind;
    if (kind == Kind::Block || kind == Kind::Decorator || kind == Kind::Type) continue;
    const bool is_keyword = kind == Kind::KwArg && tree[child].end > child + 1;
    const std::string name = last_part(names.resolve(is_keyword ? child + 1 : child));
    if (name != "object") out.push_back(name);
  }
  return out;
}

/// Parameters of a function or lambda hide names of the outside.
bool hides(const Tree& tree, std::uint32_t scope, std::uint32_t symbol) {
  for (const std::uint32_t child : Children(tree, scope))
    if (tree[child].kind == Kind::Param && tree[child].symbol == symbol) return true;
  return false;
}

bool is_plain_super(const Tree& tree, std::uint32_t call) {
  return tree[call].kind == Kind::Call && tree[call].end == call + 2 &&
         tree[call + 1].kind == Kind::Name && tree.name(call + 1) == "super";
}

bool uses_instance(const Tree& tree, std::uint32_t body, std::uint32_t receiver) {
  for (std::uint32_t i = body; i < tree[body].end;) {
    const Kind kind = tree[i].kind;
    const bool is_scope = kind == Kind::Function || kind == Kind::Lambda;
    if (kind == Kind::Class || (is_scope && hides(tree, i, receiver))) {
      i = tree[i].end;
      continue;
    }
    if (kind == Kind::Name && tree[i].symbol == receiver) return true;
    if (is_plain_super(tree, i)) return true;
    ++i;
  }
  return false;
}

/// pass, a string, `...`, `raise NotImplementedError`.
bool says_nothing(const Tree& tree, const Bindings& names, std::uint32_t statement) {
  const syntax::Node& node = tree[statement];
  if (node.kind == Kind::Pass || is_bare_string(tree, statement)) return true;
  if (node.end == statement + 1) return false;
  const std::uint32_t value = statement + 1;
  if (node.kind == Kind::Expr) return tree[value].kind == Kind::Const && tree.text(value) == "...";
  if (node.kind != Kind::Raise) return false;
  const bool is_call = tree[value].kind == Kind::Call;
  return names.resolve(is_call ? value + 1 : value) == "NotImplementedError";
}

bool is_stub(const Tree& tree, const Bindings& names, std::uint32_t body) {
  for (const std::uint32_t statement : Children(tree, body))
    if (!says_nothing(tree, names, statement)) return false;
  return true;
}

/// The parameter named `self`, when it is the first.
std::uint32_t self_of(const Tree& tree, std::uint32_t method) {
  for (const std::uint32_t child : Children(tree, method))
    if (tree[child].kind == Kind::Param) return tree.name(child) == "self" ? tree[child].symbol : 0;
  return 0;
}

}  // namespace

std::string_view to_string(Independence i) { return kNames[static_cast<std::size_t>(i)]; }

Independence independence_of(const Tree& tree, const Bindings& names, std::uint32_t method,
                             std::uint32_t owner) {
  const std::uint32_t receiver = self_of(tree, method), body = body_of(tree, method);
  if (receiver == 0 || body == 0 || uses_instance(tree, body, receiver)) return Independence::none;
  std::vector<std::string> decorators = decorators_of(tree, names, method);
  if (is_one_of(decorators, kNoInstance)) return Independence::none;
  if (is_stub(tree, names, body)) return Independence::noop_stub;
  if (is_one_of(decorators, kProperties)) return Independence::property_like;
  const std::string_view name = tree.name(method);
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
    return Independence::dunder_protocol;
  const std::vector<std::string> bases = bases_of(tree, names, owner);
  if (is_one_of(bases, kInterfaces) || is_one_of(decorators, kAbstract))
    return Independence::interface_contract;
  if (!bases.empty()) return Independence::override_context;
  std::erase(decorators, "final");
  return decorators.empty() ? Independence::candidate : Independence::decorated_context;
}

}  // namespace gh::analysis
