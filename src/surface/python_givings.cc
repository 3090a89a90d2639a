#include "surface/python_givings.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "surface/python_makers.h"

namespace gh::surface {
namespace {

using syntax::Field;

constexpr std::string_view kGrowth = "append extend insert";
/// Calls that put tools into a text, or ask about them.
constexpr std::string_view kNoGiving =
    "format format_messages format_prompt render print isinstance len invoke ainvoke";
constexpr std::string_view kNothing = "No tool of ";
/// What a class that holds tools is called at the end.
constexpr std::string_view kHolders = "Agent Task Crew";

class GivingReader {
 public:
  GivingReader(const PythonSource& source, std::string_view names)
      : source_(source), names_(names) {}

  std::vector<Giving> read() {
    for (const Node call : source_.all("call"))
      take_call(call);
    for (const char* type : {"assignment", "augmented_assignment"})
      for (const Node n : source_.all(type))
        if (is_member(held_by(source_.child(n, Field::left))))
          add(n, source_.child(n, Field::right));
    take_classes();
    std::ranges::stable_sort(out_, {}, &Giving::at);
    return std::move(out_);
  }

 private:
  /// `x.tools` of `x.tools[0]`.
  Node held_by(Node left) const {
    return source_.is(left, "subscript") && !source_.named(left).empty() ? source_.named(left)[0]
                                                                         : left;
  }

  bool is_member(Node n) const {
    return source_.is(n, "attribute") &&
           is_one_of(source_.text(source_.child(n, Field::attribute)), names_);
  }

  void add(Node at, Node what, bool is_argument = false) {
    if (what != 0 && !source_.is(what, "none")) out_.push_back({at, what, is_argument});
  }

  /// `prompt.partial(tools=…)` fills a text; `functools.partial` does not.
  bool is_text(Node call) const {
    const Node function = source_.child(call, Field::function);
    const std::string_view name = source_.is(function, "attribute")
                                      ? source_.text(source_.child(function, Field::attribute))
                                      : source_.text(function);
    if (name == "partial")
      return source_.is(function, "attribute") &&
             source_.origin(source_.dotted(function)) != "functools.partial";
    return is_one_of(name, kNoGiving);
  }

  void take_call(Node call) {
    if (!is_text(call))
      for (const std::string_view key : split(names_, ' '))
        add(call, source_.keyword(call, key), true);
    const Node function = source_.child(call, Field::function);
    const Nodes given = source_.positional(call);
    if (source_.text(function) == "setattr" && given.size() == 3 && is_named(given[1]))
      add(call, given[2]);
    if (!source_.is(function, "attribute") || given.empty()) return;
    if (is_one_of(source_.text(source_.child(function, Field::attribute)), kGrowth) &&
        is_member(source_.child(function, Field::object)))
      add(call, given.back());
  }

  bool is_named(Node text) const {
    const auto name = source_.literal(text);
    return name && is_one_of(*name, names_);
  }

  /// `class Mine(Agent): tools = […]`.
  void take_classes() {
    const ClassChains classes(source_);
    const auto ends_like_a_holder = [](const std::string& base) {
      return std::ranges::any_of(split(kHolders, ' '),
                                 [&](std::string_view end) { return base.ends_with(end); });
    };
    for (const Node definition : source_.all("class_definition")) {
      if (std::ranges::none_of(classes.outer_bases(definition), ends_like_a_holder)) continue;
      for (const Node statement : source_.named(source_.child(definition, Field::body)))
        for (const Node n :
             source_.is(statement, "expression_statement") ? source_.named(statement) : Nodes{})
          if (source_.is(n, "assignment") &&
              is_one_of(source_.text(source_.child(n, Field::left)), names_))
            add(n, source_.child(n, Field::right));
    }
  }

  const PythonSource& source_;
  std::string_view names_;
  std::vector<Giving> out_;
};

bool binds(const PythonSource& source, Node pattern, std::string_view name) {
  if (pattern == 0) return false;
  return std::ranges::any_of(source.below(pattern, "identifier"),
                             [&](Node n) { return source.text(n) == name; });
}

/// `def f(name, *name, name: T, name=…)`: names, not annotations or defaults.
bool has_parameter(const PythonSource& source, Node function, std::string_view name) {
  const Node list = source.child(function, Field::parameters);
  for (const Node n : list != 0 ? source.named(list) : Nodes{}) {
    Node own = source.child(n, Field::name);
    const Nodes parts = source.named(n);
    if (own == 0 && !parts.empty()) own = parts[0];  // typed, or behind a star
    if (source.text(own != 0 ? own : n) == name) return true;
  }
  return false;
}

}  // namespace

std::vector<Giving> givings(const PythonSource& source, std::string_view names) {
  return GivingReader(source, names).read();
}

bool has_open_arguments(const PythonSource& source, Node call) {
  const Node arguments = source.child(call, Field::arguments);
  return arguments != 0 && std::ranges::any_of(source.named(arguments), [&](Node n) {
           return source.is(n, "dictionary_splat") || source.is(n, "list_splat");
         });
}

GivenItems::GivenItems(const PythonSource& source) : source_(source) {
  for (const Node assignment : source.all("assignment")) {
    const Node left = source.child(assignment, Field::left);
    const Node right = source.child(assignment, Field::right);
    if (right == 0 || !source.is(left, "identifier")) continue;
    const auto [place, is_new] = values_.emplace(source.text(left), right);
    if (!is_new) place->second = 0;  // which of the two is meant is not known here
  }
}

std::vector<std::string> GivenItems::unread(Node what,
                                            const std::function<bool(Node)>& is_read) const {
  constexpr std::size_t kMaxSteps = 10'000;
  std::vector<std::string> out;
  std::set<Node> seen;
  Nodes open{what};
  while (!open.empty() && seen.size() < kMaxSteps) {
    const Node item = open.back();
    open.pop_back();
    if (is_read(item) || !seen.insert(item).second) continue;
    const bool is_name = source_.is(item, "identifier");
    const auto value = is_name ? values_.find(source_.text(item)) : values_.end();
    if (is_one_of(source_.type(item), "list tuple list_splat")) {
      const Nodes parts = source_.named(item);
      open.insert(open.end(), parts.rbegin(), parts.rend());
    } else if (source_.is(item, "binary_operator")) {
      open.push_back(source_.child(item, Field::right));
      open.push_back(source_.child(item, Field::left));
    } else if (value != values_.end() && value->second != 0) {
      open.push_back(value->second);
    } else {
      out.push_back(source_.shown(item));
    }
  }
  return out;
}

bool is_rebound(const PythonSource& source, Node n) {
  const std::string dotted = source.dotted(n);
  const std::string name = dotted.substr(0, dotted.find('.'));
  for (Node at = source.parent(n); at != 0; at = source.parent(at)) {
    if (is_one_of(source.type(at), "function_definition lambda") && has_parameter(source, at, name))
      return true;
    if (source.is(at, "for_statement") && binds(source, source.child(at, Field::left), name))
      return true;
    if (!source.type(at).ends_with("_comprehension") && !source.is(at, "generator_expression"))
      continue;
    for (const Node clause : source.named(at))
      if (source.is(clause, "for_in_clause") &&
          binds(source, source.child(clause, Field::left), name))
        return true;
  }
  return false;
}

std::string nothing_read(std::string_view framework, std::string_view id, std::string_view path) {
  return fmt::format(
      "{}{} source '{}' was read from '{}'; name the file that defines its tools, or an inventory "
      "of them.",
      kNothing, framework, id, printable(path, 200));
}

bool is_nothing_read(std::string_view warning) { return warning.starts_with(kNothing); }

}  // namespace gh::surface
