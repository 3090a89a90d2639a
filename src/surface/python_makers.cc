#include "surface/python_makers.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "surface/python_decorators.h"

namespace gh::surface {
namespace {

using syntax::Field;

/// Calls that only ask what something is.
constexpr std::string_view kQuestions = "isinstance issubclass cast hasattr";

/// Nodes that a name may stand in without being used: what binds it, and annotations.
constexpr std::string_view kNoUse =
    "dotted_name aliased_import import_statement import_from_statement parameters "
    "default_parameter typed_parameter global_statement nonlocal_statement";

class MakerReader {
 public:
  MakerReader(const PythonSource& source, const IsMaker& is_maker)
      : source_(source), is_maker_(is_maker) {}

  MakerUses read() {
    for (const char* type : {"identifier", "attribute"})
      for (const Node n : source_.all(type))
        if (is_whole_name(n) && is_maker_(source_.origin(source_.dotted(n)))) take(n);
    const auto by_place = [&](Node a, Node b) { return a < b; };
    std::ranges::sort(out_.calls, by_place);
    std::ranges::sort(out_.unread, by_place);
    return std::move(out_);
  }

 private:
  bool is_part_of(Node whole, Node part, Field field) const {
    return source_.child(whole, field) == part;
  }

  /// `a.b` of `a.b.c` is a part, and so is `x` of `x=1`.
  bool is_whole_name(Node n) const {
    const Node holder = source_.parent(n);
    if (is_one_of(source_.type(holder), kNoUse)) return false;
    if (source_.is(holder, "attribute")) return false;
    for (const Field field : {Field::name, Field::left})
      if (is_part_of(holder, n, field)) return false;
    return true;
  }

  bool is_annotation(Node n) const {
    for (; n != 0; n = source_.parent(n)) {
      if (source_.is(n, "type")) return true;
      if (contains(source_.type(n), "statement")) return false;
    }
    return false;
  }

  bool is_base(Node n) const {
    Node holder = source_.parent(n);
    if (source_.is(holder, "subscript")) holder = source_.parent(holder);  // Base[T]
    return source_.is(holder, "argument_list") &&
           source_.is(source_.parent(holder), "class_definition");
  }

  bool is_question(Node n) const {
    for (Node at = source_.parent(n); at != 0; at = source_.parent(at)) {
      if (source_.is(at, "call")) return is_one_of(last_name(source_.callee(at)), kQuestions);
      if (!is_one_of(source_.type(at), "argument_list tuple")) return false;
    }
    return false;
  }

  bool is_plain_alias(Node holder, Node n) const {
    return source_.is(holder, "assignment") && is_part_of(holder, n, Field::right) &&
           source_.aliases().contains(
               std::string(source_.text(source_.child(holder, Field::left))));
  }

  void take(Node n) {
    const Node holder = source_.parent(n);
    if (source_.is(holder, "call") && is_part_of(holder, n, Field::function))
      return out_.calls.push_back(holder);
    if (is_plain_alias(holder, n) || is_base(n) || is_annotation(n) || is_question(n)) return;
    out_.unread.push_back(n);
  }

  const PythonSource& source_;
  const IsMaker& is_maker_;
  MakerUses out_;
};

}  // namespace

MakerUses maker_uses(const PythonSource& source, const IsMaker& is_maker) {
  return MakerReader(source, is_maker).read();
}

// ---------------------------------------------------------------------------------------- classes

ClassChains::ClassChains(const PythonSource& source) : source_(source) {
  for (const Node definition : source_.all("class_definition"))
    classes_.emplace(source_.name_of(definition), definition);
}

Nodes ClassChains::bases_of(Node definition) const {
  Nodes out;
  const Node bases = source_.child(definition, Field::superclasses);
  for (const Node base : bases != 0 ? source_.named(bases) : Nodes{})
    if (!source_.is(base, "keyword_argument")) out.push_back(base_of(base));
  return out;
}

/// `Base` of `Base[T]`.
Node ClassChains::base_of(Node expression) const {
  if (!source_.is(expression, "subscript")) return expression;
  const Nodes parts = source_.named(expression);
  return parts.empty() ? expression : parts[0];
}

Nodes ClassChains::chain_of(Node definition) const {
  constexpr std::size_t kMaxChain = 64;
  Nodes out{definition};
  std::set<Node> seen{definition};
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const Node base : bases_of(out[i])) {
      if (out.size() == kMaxChain) return out;
      const auto known = classes_.find(source_.dotted(base));
      if (known != classes_.end() && seen.insert(known->second).second)
        out.push_back(known->second);
    }
  return out;
}

std::vector<std::string> ClassChains::outer_bases(Node definition) const {
  std::vector<std::string> out;
  for (const Node one : chain_of(definition))
    for (const Node base : bases_of(one)) {
      const std::string name = source_.dotted(base);
      if (!name.empty() && !classes_.contains(name)) out.push_back(source_.origin(name));
    }
  return out;
}

Node ClassChains::value(Node definition, std::string_view attribute) const {
  for (const Node one : chain_of(definition))
    for (const Node statement : source_.named(source_.child(one, Field::body)))
      for (const Node n :
           source_.is(statement, "expression_statement") ? source_.named(statement) : Nodes{})
        if (source_.is(n, "assignment") &&
            source_.text(source_.child(n, Field::left)) == attribute &&
            source_.child(n, Field::right) != 0)
          return source_.child(n, Field::right);
  return 0;
}

Node ClassChains::method(Node definition, std::string_view name) const {
  for (const Node one : chain_of(definition))
    for (Node statement : source_.named(source_.child(one, Field::body))) {
      if (source_.is(statement, "decorated_definition"))
        statement = source_.definition_of(statement);
      if (source_.is(statement, "function_definition") && source_.name_of(statement) == name)
        return statement;
    }
  return 0;
}

// ----------------------------------------------------------------------------------------
// sentences

std::optional<std::string> literal_or_say(const PythonSource& source, Node value,
                                          std::string_view what, Node at,
                                          std::vector<std::string>& warnings) {
  if (value == 0 || source.is(value, "none")) return std::nullopt;
  auto text = source.literal(value);
  if (!text)
    warnings.push_back(fmt::format("The {} of the tool at {}:{} is no literal and is not read: {}.",
                                   what, source.path(), source.line(at), source.shown(value)));
  return text;
}

std::string holder_of(const PythonSource& source, Node call) {
  Node holder = source.parent(call);
  if (source.is(holder, "await")) holder = source.parent(holder);
  if (source.is(holder, "as_pattern")) {
    const Nodes parts = source.named(holder);
    return parts.size() == 2 ? std::string(source.text(parts[1])) : "";
  }
  return variable_of(source, call);
}

std::string unread_maker(const PythonSource& source, Node use, std::string_view framework) {
  return fmt::format(
      "{} class '{}' at {}:{} is used in a way that is not read; a tool may be missing.", framework,
      source.text(use), source.path(), source.line(use));
}

}  // namespace gh::surface
