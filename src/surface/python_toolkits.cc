#include "surface/python_toolkits.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace gh::surface {
namespace {

using syntax::Field;

struct Vendor {
  std::string_view package, constructor, provider;
};
// table: toolkits
constexpr std::array<Vendor, 2> kVendors{{
    {"stripe_agent_toolkit", "StripeAgentToolkit", "stripe"},
    {"stripe_agent_toolkit", "create_stripe_agent_toolkit", "stripe"},
}};

const Vendor* vendor_of(std::string_view origin) {
  for (const Vendor& row : kVendors)
    if (last_name(origin) == row.constructor && origin.substr(0, origin.find('.')) == row.package)
      return &row;
  return nullptr;
}

/// Members of a literal dictionary by their literal keys.
Node member(const PythonSource& source, Node dictionary, std::string_view key) {
  for (const Node pair : source.is(dictionary, "dictionary") ? source.named(dictionary) : Nodes{})
    if (source.is(pair, "pair") &&
        source.literal(source.child(pair, Field::key)) == std::string(key))
      return source.child(pair, Field::value);
  return 0;
}

/// `{"refunds": {"create": True}}` allows refunds.create.
std::vector<std::string> allowed(const PythonSource& source, Node actions) {
  std::set<std::string> out;
  for (const Node resource : source.is(actions, "dictionary") ? source.named(actions) : Nodes{}) {
    const auto name = source.literal(source.child(resource, Field::key));
    const Node operations = source.child(resource, Field::value);
    if (!name || !source.is(operations, "dictionary")) continue;
    for (const Node operation : source.named(operations)) {
      const auto verb = source.literal(source.child(operation, Field::key));
      if (verb && source.text(source.child(operation, Field::value)) == "True")
        out.insert(fmt::format("{}.{}", *name, *verb));
    }
  }
  return {out.begin(), out.end()};
}

Node value_of(const PythonSource& source, std::string_view variable) {
  Node out = 0;
  for (const Node assignment : source.all("assignment"))
    if (source.text(source.child(assignment, Field::left)) == variable)
      out = source.child(assignment, Field::right);
  return out;
}

/// Read from a file or from settings: somewhere else, but not nowhere.
bool comes_from_configuration(const PythonSource& source, Node value) {
  if (source.is(value, "attribute")) return true;
  return std::ranges::any_of(source.below(value, "call"), [&](Node call) {
    return is_one_of(last_name(source.callee(call)), "load safe_load loads open read_text");
  });
}

/// The file that a call there names.
std::string named_file(const PythonSource& source, Node value) {
  for (const Node text : source.below(value, "string"))
    if (const auto name = source.literal(text); name && name->find('.') != name->npos) return *name;
  return {};
}

Toolkit toolkit_of(const PythonSource& source, Node call, const Vendor& vendor) {
  Toolkit out{.provider = std::string(vendor.provider),
              .constructor = std::string(vendor.constructor),
              .binding = "",
              .source_ref = source.path(),
              .line = source.line(call)};
  const Node holder = source.parent(call);
  if (source.is(holder, "assignment"))
    out.binding = std::string(source.text(source.child(holder, Field::left)));
  Node given = source.keyword(call, "configuration");
  if (given == 0) return out;
  if (source.is(given, "identifier"))
    if (const Node value = value_of(source, source.text(given)); value != 0) given = value;
  if (source.is(given, "dictionary")) {
    out.config_binding = "literal";
    out.scopes = allowed(source, member(source, given, "actions"));
    out.bounded = !out.scopes.empty();
  } else {
    out.config_binding = comes_from_configuration(source, given) ? "config" : "unknown";
    if (out.config_binding == "config") out.config_path = named_file(source, given);
  }
  return out;
}

}  // namespace

void find_toolkits(const PythonSource& source, Loaded& out) {
  for (const Node call : source.all("call")) {
    const Vendor* vendor = vendor_of(source.origin(source.callee(call)));
    if (vendor == nullptr) continue;
    Toolkit toolkit = toolkit_of(source, call, *vendor);
    if (toolkit.config_binding == "unknown")
      out.warnings.push_back(fmt::format("Toolkit {} at {}:{} has bounds that cannot be seen.",
                                         toolkit.constructor, toolkit.source_ref, toolkit.line));
    out.toolkits.push_back(std::move(toolkit));
  }
}

}  // namespace gh::surface
