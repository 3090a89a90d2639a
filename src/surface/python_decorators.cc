#include "surface/python_decorators.h"

#include <fmt/format.h>

#include "base/text.h"
#include "surface/python_givings.h"

namespace gh::surface {
namespace {

using syntax::Field;

class UseReader {
 public:
  UseReader(const PythonSource& source, const std::function<bool(const std::string&)>& makes_tools)
      : source_(source), makes_tools_(makes_tools) {}

  DecoratorUses read() {
    for (const Node function : source_.all("function_definition"))
      functions_.emplace(source_.name_of(function), function);
    for (const char* type : {"identifier", "attribute"})
      for (const Node n : source_.all(type))
        if (is_value(n) && makes_tools_(source_.dotted(n)) && !is_rebound(source_, n)) take(n);
    return std::move(out_);
  }

 private:
  /// Not a name that is being imported or given to something, nor a part of a longer one.
  bool is_value(Node n) const {
    const Node holder = source_.parent(n);
    if (is_one_of(source_.type(holder),
                  "dotted_name aliased_import import_statement import_from_statement parameters "
                  "typed_parameter global_statement nonlocal_statement"))
      return false;
    for (const Field field : {Field::name, Field::left, Field::attribute})
      if (source_.child(holder, field) == n) return false;
    return true;
  }

  bool decorates_a_function(Node expression) const {
    const Node decorator = source_.parent(expression);
    if (!source_.is(decorator, "decorator")) return false;
    const Node definition = source_.definition_of(source_.parent(decorator));
    return source_.is(definition, "function_definition");
  }

  bool is_called_by(Node call, Node callee) const {
    return source_.is(call, "call") && source_.child(call, Field::function) == callee;
  }

  void take(Node name) {
    const Node holder = source_.parent(name);
    if (decorates_a_function(name) || is_plain_alias(holder, name)) return;
    if (!is_called_by(holder, name)) return out_.unread.push_back(name);
    if (decorates_a_function(holder)) return;
    const Node outer = source_.parent(holder);
    const Node call = is_called_by(outer, holder) ? outer : holder;
    const Node function = given_function(call);
    if (function == 0) return out_.unread.push_back(name);
    out_.calls.push_back({function, holder, call});
  }

  bool is_plain_alias(Node assignment, Node value) const {
    return source_.is(assignment, "assignment") &&
           source_.child(assignment, Field::right) == value &&
           source_.aliases().contains(
               std::string(source_.text(source_.child(assignment, Field::left))));
  }

  Node given_function(Node call) const {
    const Nodes positional = source_.positional(call);
    const Node given = positional.empty() ? source_.keyword(call, "func") : positional[0];
    const auto known = functions_.find(given != 0 ? source_.dotted(given) : "");
    return known != functions_.end() && source_.is(given, "identifier") ? known->second : 0;
  }

  const PythonSource& source_;
  const std::function<bool(const std::string&)>& makes_tools_;
  std::map<std::string, Node> functions_;
  DecoratorUses out_;
};

}  // namespace

DecoratorUses decorator_uses(const PythonSource& source,
                             const std::function<bool(const std::string&)>& makes_tools) {
  return UseReader(source, makes_tools).read();
}

std::string variable_of(const PythonSource& source, Node call) {
  const Node holder = source.parent(call);
  const Node left = source.is(holder, "assignment") ? source.child(holder, Field::left) : 0;
  return source.is(left, "identifier") ? std::string(source.text(left)) : "";
}

std::string unread_decorator(const PythonSource& source, Node use, std::string_view framework) {
  return fmt::format(
      "{} decorator '{}' at {}:{} is used in a way that is not read; a tool may be missing.",
      framework, source.text(use), source.path(), source.line(use));
}

}  // namespace gh::surface
