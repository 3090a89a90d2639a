#include "syntax/ir.h"

#include <algorithm>
#include <array>

namespace gh::syntax {
namespace {

// table: node kinds
constexpr std::array<std::string_view, kKindCount> kKindNames{
    "Module",    "Function",  "Class",  "Param",     "Decorator", "Import",  "ImportFrom",
    "VarDecl",   "TypeAlias", "Assign", "AugAssign", "Expr",      "Return",  "Raise",
    "Break",     "Continue",  "If",     "For",       "While",     "DoWhile", "Try",
    "Handler",   "Finally",   "With",   "Match",     "Case",      "Assert",  "Delete",
    "Global",    "Pass",      "Block",  "Goto",      "Label",     "Defer",   "Name",
    "Attribute", "Call",      "Arg",    "KwArg",     "Const",     "Str",     "Interp",
    "BinOp",     "UnaryOp",   "BoolOp", "Compare",   "Ternary",   "Lambda",  "Comp",
    "Subscript", "Slice",     "Tuple",  "List",      "Set",       "Dict",    "Await",
    "Yield",     "YieldFrom", "Star",   "NamedExpr", "Cast",      "New",     "Type",
    "Error",     "Opaque"};

// The spelling in the language is the operator: what two languages spell alike compares alike.
// table: operators
constexpr std::array<std::string_view, 45> kOperators{
    "",   "+",  "-",  "*",   "/",   "%",   "**", "//",  "@",  "&",      "|",      "^",
    "<<", ">>", "~",  "!",   "not", "and", "or", "&&",  "||", "??",     "<",      "<=",
    ">",  ">=", "==", "!=",  "===", "!==", "<>", "in",  "is", "not in", "is not", "instanceof",
    "++", "--", "?.", ">>>", "&^",  "<=>", "..", "..=", "<-"};

}  // namespace

std::string_view to_string(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Op op_of(std::string_view spelling) {
  const auto found = std::ranges::find(kOperators, spelling);
  return found == kOperators.end() ? Op{0} : static_cast<Op>(found - kOperators.begin());
}

std::string_view spelling_of(Op op) { return op < kOperators.size() ? kOperators[op] : ""; }

std::uint32_t Symbols::id_of(std::string_view name) {
  const auto next = static_cast<std::uint32_t>(names_.size());
  const std::uint32_t id = ids_.add(name, next, [&](std::uint32_t i) { return names_[i]; });
  if (id == next) names_.push_back(name);
  return id;
}

std::uint32_t Symbols::id_of_copy(const std::string& name) {
  const std::uint32_t known = ids_.find(name, [&](std::uint32_t i) { return names_[i]; });
  return known != TextNumbers::kNone ? known : id_of(owned_.emplace_back(name));
}

bool Tree::is_whole(std::uint32_t i) const {
  const auto after =
      std::ranges::lower_bound(unread, nodes[i].start, {}, [](const Unread& u) { return u.end; });
  return after == unread.end() || after->start > ends[i];
}

std::uint32_t Tree::line_at(std::uint32_t byte) const {
  return static_cast<std::uint32_t>(std::ranges::upper_bound(line_starts, byte) -
                                    line_starts.begin());
}

}  // namespace gh::syntax
