#include "analysis/branches.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Arm;
using syntax::Children;
using syntax::Kind;
using syntax::Tree;
namespace flag = syntax::flag;

struct KindName {
  Kind kind;
  std::string_view name, async_name;
  bool is_plain;  // alone it says nothing about a branch
};
// clang-format off
// table: statement names
constexpr std::array kNames = std::to_array<KindName>({
    {Kind::Assign,     "Assign",      "",                 true},
    {Kind::AugAssign,  "AugAssign",   "",                 true},
    {Kind::Expr,       "Expr",        "",                 true},
    {Kind::Return,     "Return",      "",                 true},
    {Kind::Raise,      "Raise",       "",                 true},
    {Kind::Assert,     "Assert",      "",                 true},
    {Kind::Break,      "Break",       "",                 false},
    {Kind::Continue,   "Continue",    "",                 false},
    {Kind::If,         "If",          "",                 false},
    {Kind::For,        "For",         "AsyncFor",         false},
    {Kind::While,      "While",       "",                 false},
    {Kind::DoWhile,    "DoWhile",     "",                 false},
    {Kind::Try,        "Try",         "",                 false},
    {Kind::With,       "With",        "AsyncWith",        false},
    {Kind::Match,      "Match",       "",                 false},
    {Kind::Delete,     "Delete",      "",                 false},
    {Kind::Global,     "Global",      "",                 false},
    {Kind::Pass,       "Pass",        "",                 false},
    {Kind::Function,   "FunctionDef", "AsyncFunctionDef", false},
    {Kind::Class,      "ClassDef",    "",                 false},
    {Kind::Import,     "Import",      "",                 false},
    {Kind::ImportFrom, "ImportFrom",  "",                 false},
    {Kind::TypeAlias,  "TypeAlias",   "",                 false},
});
// clang-format on

bool is_annotated(const Tree& tree, std::uint32_t statement) {
  for (const std::uint32_t child : Children(tree, statement))
    if (tree[child].kind == Kind::Type) return true;
  return false;
}

std::string_view name_of(const Tree& tree, std::uint32_t statement) {
  const syntax::Node& node = tree[statement];
  if (node.kind == Kind::Assign && is_annotated(tree, statement)) return "AnnAssign";
  if (node.kind == Kind::Global && (node.flags & flag::nonlocal) != 0) return "Nonlocal";
  if (node.kind == Kind::Try && (node.flags & flag::star_group) != 0) return "TryStar";
  const auto row = std::ranges::find(kNames, node.kind, &KindName::kind);
  if (row == kNames.end()) return syntax::to_string(node.kind);
  const bool is_async = !row->async_name.empty() && (node.flags & flag::async) != 0;
  return is_async ? row->async_name : row->name;
}

bool is_plain(Kind kind) {
  const auto row = std::ranges::find(kNames, kind, &KindName::kind);
  return row != kNames.end() && row->is_plain;
}

constexpr std::uint8_t kShape = content::call | content::calls | content::raise | content::branch |
                                content::loop | content::attempt;

/// One plain statement, or several that do not leave, are no finding.
bool is_telling(const Tree& tree, const std::vector<std::uint32_t>& statements,
                std::uint8_t contents) {
  if ((contents & (content::branch | content::loop | content::attempt)) != 0) return true;
  bool all_plain = true, leaves = false;
  for (const std::uint32_t statement : statements) {
    const Kind kind = tree[statement].kind;
    all_plain = all_plain && is_plain(kind);
    leaves = leaves || kind == Kind::Return || kind == Kind::Raise;
  }
  return !all_plain || (statements.size() > 1 && leaves);
}

/// `else` that holds nothing but an `if` goes on with the chain and is no arm.
bool continues_chain(const Tree& tree, std::uint32_t block) {
  return tree[block].flags == static_cast<std::uint16_t>(Arm::otherwise) &&
         tree[block].end > block + 1 && tree[block + 1].kind == Kind::If &&
         tree[block + 1].end == tree[block].end;
}

Hash hash_of_body(const Normalised& normalised, std::uint32_t block) {
  Hasher hasher;
  for (const std::uint32_t statement : normalised.statements(block, false))
    hasher.add(normalised.of(statement));
  return hasher.finish();
}

void add_arm(const Tree& tree, const Contents& contents, const Normalised& normalised,
             std::uint32_t block, std::vector<BranchFact>& out) {
  std::vector<std::uint32_t> statements;
  for (const std::uint32_t statement : Children(tree, block))
    statements.push_back(statement);
  const bool is_pass = statements.size() == 1 && tree[statements[0]].kind == Kind::Pass;
  if (statements.empty() || is_pass || continues_chain(tree, block)) return;
  if (!is_telling(tree, statements, contents.of(block))) return;
  BranchFact fact{.shape = {.statements = {},
                            .terminal = terminal_of(tree, block),
                            .contents = static_cast<std::uint8_t>(contents.of(block) & kShape)},
                  .start_line = tree.start_line(statements.front()),
                  .end_line = tree.end_line(statements.back()),
                  .body = hash_of_body(normalised, block)};
  for (const std::uint32_t statement : statements)
    fact.shape.statements.append(fact.shape.statements.empty() ? "" : ",")
        .append(name_of(tree, statement));
  out.push_back(std::move(fact));
}

bool has_arms(Kind kind) { return kind == Kind::If || kind == Kind::Match; }

std::vector<BranchFact> without_overlap(std::vector<BranchFact> items) {
  std::ranges::sort(items, [](const BranchFact& a, const BranchFact& b) {
    return std::tuple(a.start_line, b.end_line) < std::tuple(b.start_line, a.end_line);
  });
  std::vector<BranchFact> out;
  for (BranchFact& item : items)
    if (out.empty() || item.start_line > out.back().end_line) out.push_back(std::move(item));
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> BranchShape::words() const {
  const auto digit = [&](std::uint8_t bit) { return (contents & bit) != 0 ? "1" : "0"; };
  return {{"calls", (contents & content::calls) != 0 ? "2+" : digit(content::call)},
          {"has_loop", digit(content::loop)},
          {"has_try", digit(content::attempt)},
          {"nested_if", digit(content::branch)},
          {"raises", (contents & content::raise) != 0 ? "1+" : "0"},
          {"stmt_seq", statements},
          {"terminal", std::string(to_string(terminal))}};
}

std::vector<BranchFact> branches_of(const Tree& tree, const Contents& contents,
                                    const Normalised& normalised, std::uint32_t body) {
  std::vector<BranchFact> all;
  for (std::uint32_t i = body; i < tree[body].end;) {
    const Kind kind = tree[i].kind;
    if (kind == Kind::Function || kind == Kind::Class) {
      i = tree[i].end;
      continue;
    }
    if (has_arms(kind))
      each_arm(tree, i, [&](std::uint32_t arm) { add_arm(tree, contents, normalised, arm, all); });
    ++i;
  }
  std::map<BranchShape, std::uint32_t> counts;
  for (const BranchFact& fact : all)
    ++counts[fact.shape];
  std::erase_if(all, [&](const BranchFact& fact) { return counts[fact.shape] < 2; });
  return all;
}

std::vector<BranchGroup> branch_groups(const std::vector<BranchFact>& facts, bool by_shape_alone) {
  std::map<std::pair<BranchShape, Hash>, std::vector<BranchFact>> sets;
  for (const BranchFact& fact : facts)
    sets[{fact.shape, by_shape_alone ? Hash{} : fact.body}].push_back(fact);
  std::map<BranchShape, BranchGroup> best;  // of several bodies of one shape the most frequent
  for (auto& [key, set] : sets) {
    BranchGroup group{.shape = key.first, .items = without_overlap(std::move(set))};
    group.body_equal = std::ranges::all_of(
        group.items, [&](const BranchFact& f) { return f.body == group.items.front().body; });
    if (group.items.size() < 2) continue;
    BranchGroup& known = best[key.first];
    const bool is_better = known.items.size() < group.items.size() ||
                           (known.items.size() == group.items.size() &&
                            group.items.front().start_line < known.items.front().start_line);
    if (is_better) known = std::move(group);
  }
  std::vector<BranchGroup> out;
  for (auto& [shape, group] : best)
    out.push_back(std::move(group));
  return out;
}

}  // namespace gh::analysis
