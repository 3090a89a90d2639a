#include "analysis/imports.h"

#include "analysis/imports_managed.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Tree;

/// What an import statement says of itself: a Type among its names.
bool brings_types_alone(const Tree& tree, std::uint32_t statement) {
  for (const std::uint32_t child : Children(tree, statement))
    if (tree[child].kind == Kind::Type) return true;
  return false;
}

}  // namespace

bool asks_for_typing(const Tree& tree, std::uint32_t statement) {
  const std::uint32_t test = statement + 1;
  return tree[statement].kind == Kind::If && tree[statement].end > test &&
         (tree[test].kind == Kind::Name || tree[test].kind == Kind::Attribute) &&
         tree.name(test) == "TYPE_CHECKING";
}

std::vector<ImportFact> imports_of(const Tree& tree) {
  std::vector<ImportFact> out;
  std::uint32_t function_end = 0, typing_end = 0, type_end = 0;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Kind kind = tree[i].kind;
    if (kind == Kind::Function && tree[i].end > function_end) function_end = tree[i].end;
    if (asks_for_typing(tree, i))
      for (const std::uint32_t arm : Children(tree, i))
        if (tree[arm].kind == Kind::Block &&
            tree[arm].flags == static_cast<std::uint16_t>(syntax::Arm::then) &&
            tree[arm].end > typing_end)
          typing_end = tree[arm].end;
    if (kind == Kind::Type && tree[i].end > type_end) type_end = tree[i].end;
    if (kind == Kind::Call && is_importing_call(tree, i)) {
      out.push_back(import_of_call(tree, i));
      out.back().typing_only = i < type_end;
      out.back().deferred = (out.back().deferred && i >= type_end) || i < function_end;
      continue;
    }
    if (kind != Kind::Import && kind != Kind::ImportFrom) continue;
    ImportFact fact{.module = std::string(tree.name(i)),
                    .level = tree[i].flags,
                    .line = tree.start_line(i),
                    .is_from = kind == Kind::ImportFrom,
                    .typing_only = i < typing_end || brings_types_alone(tree, i),
                    .deferred = i < function_end};
    for (const std::uint32_t name : Children(tree, i)) {
      if (tree[name].kind != Kind::Name) continue;
      if (fact.is_from) {
        fact.names.emplace_back(tree.name(name));
      } else {
        fact.module = tree.name(name);
        out.push_back(fact);
      }
    }
    if (fact.is_from) out.push_back(std::move(fact));
  }
  add_meant_names(tree, out);
  return out;
}

}  // namespace gh::analysis
