#include "analysis/imports.h"

#include <algorithm>

#include "analysis/imports_managed.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Tree;
namespace flag = syntax::flag;

/// What an import statement says of itself: a Type among its names.
bool brings_types_alone(const Tree& tree, std::uint32_t statement) {
  for (const std::uint32_t child : Children(tree, statement))
    if (tree[child].kind == Kind::Type) return true;
  return false;
}

/// Modules that Rust writes inside the file around a statement, outermost first. What a path says
/// from there is told as if the file said it.
class InlineModules {
 public:
  explicit InlineModules(const Tree& tree) : tree_(tree) {}

  void visit(std::uint32_t i) {
    while (!open_.empty() && i >= tree_[open_.back()].end)
      open_.pop_back();
    if (tree_.language == syntax::Language::rust && tree_[i].kind == Kind::Class &&
        (tree_[i].flags & flag::name_space) != 0)
      open_.push_back(i);
  }
  bool is_for_tests() const {
    return std::ranges::any_of(
        open_, [&](std::uint32_t i) { return (tree_[i].flags & flag::for_tests) != 0; });
  }
  /// `mod x;` lies below the modules around it.
  std::string below(std::string_view name) const { return path(open_.size(), name); }

  /// `self` is the innermost module, each `super` one less, before it leaves the file.
  std::string from_file(std::string_view written) const {
    if (open_.empty()) return std::string(written);
    std::size_t depth = open_.size();
    std::string above;
    const auto starts_with_word = [&](std::string_view word) {
      return written.starts_with(word) &&
             (written.size() == word.size() || written.substr(word.size()).starts_with("::"));
    };
    const bool is_relative = starts_with_word("self") || starts_with_word("super");
    if (!is_relative) return std::string(written);
    for (bool is_up; (is_up = starts_with_word("super")) || starts_with_word("self");) {
      if (is_up && depth > 0)
        --depth;
      else if (is_up)
        above += "super::";
      written.remove_prefix(
          std::min(written.size(), std::string_view(is_up ? "super::" : "self::").size()));
    }
    std::string out = "self::" + above + path(depth, written);
    while (out.ends_with(':'))
      out.pop_back();
    return out;
  }

 private:
  std::string path(std::size_t depth, std::string_view rest) const {
    std::string out;
    for (std::size_t i = 0; i < depth; ++i)
      out.append(tree_.name(open_[i])).append("::");
    return out.append(rest);
  }

  const Tree& tree_;
  std::vector<std::uint32_t> open_{};
};

/// By its name, or by the file that an attribute says it is in.
void name_submodule(const Tree& tree, std::uint32_t statement, const InlineModules& around,
                    ImportFact& fact) {
  const std::string_view written = tree.name(statement);
  fact.module = written.empty() ? around.below(fact.module) : std::string(written);
  if (around.is_for_tests()) fact.level |= flag::for_tests;
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
  InlineModules inline_modules(tree);
  std::uint32_t function_end = 0, typing_end = 0, type_end = 0;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Kind kind = tree[i].kind;
    inline_modules.visit(i);
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
    ImportFact fact{.module = inline_modules.from_file(tree.name(i)),
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
        if ((fact.level & flag::submodule) != 0) name_submodule(tree, i, inline_modules, fact);
        out.push_back(fact);
      }
    }
    if (fact.is_from) out.push_back(std::move(fact));
  }
  add_meant_names(tree, out);
  return out;
}

}  // namespace gh::analysis
