#include "analysis/imports_managed.h"

#include <set>

namespace gh::analysis {

using syntax::Kind;
using syntax::Language;
using syntax::Tree;

namespace {

bool is_javascript(const Tree& tree) {
  return tree.language == Language::javascript || tree.language == Language::typescript ||
         tree.language == Language::tsx;
}

bool names_a_type(std::string_view name) {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
}

std::set<std::string_view> type_names(const Tree& tree) {
  std::set<std::string_view> names;
  for (std::uint32_t i = 0; i < tree.nodes.size();) {
    const bool is_import = tree[i].kind == Kind::ImportFrom;
    if (tree[i].kind == Kind::Name && names_a_type(tree.name(i))) names.insert(tree.name(i));
    i = is_import ? tree[i].end : i + 1;
  }
  return names;
}

constexpr std::size_t kMaxStars = 64;  // each of them carries all names

}  // namespace

bool is_importing_call(const Tree& tree, std::uint32_t call) {
  if (!is_javascript(tree)) return false;
  const std::uint32_t callee = call + 1, first = call + 2;
  if (first >= tree[call].end || tree[callee].kind != Kind::Name) return false;
  return (tree.name(callee) == "require" || tree.name(callee) == "import") &&
         tree[first].kind == Kind::Str;
}

ImportFact import_of_call(const Tree& tree, std::uint32_t call) {
  std::string_view text = tree.text(call + 2);
  if (text.size() >= 2) text = text.substr(1, text.size() - 2);
  return {.module = std::string(text),
          .line = tree.start_line(call),
          .deferred = tree.name(call + 1) == "import"};
}

void add_meant_names(const Tree& tree, std::vector<ImportFact>& facts) {
  if (tree.language != Language::java) return;
  std::set<std::string_view> names;
  std::size_t left = kMaxStars;
  for (ImportFact& fact : facts) {
    if (fact.names != std::vector<std::string>{"*"} || left == 0) continue;
    if (left-- == kMaxStars) names = type_names(tree);
    fact.names.insert(fact.names.end(), names.begin(), names.end());
  }
}

}  // namespace gh::analysis
