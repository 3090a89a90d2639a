// The words of the intermediate form, typed again from the specification of the analysis (4.1), and
// the spellings of operators.
#include "syntax/ir.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gh::syntax {
namespace {

TEST(Ir, EveryKindHasItsName) {
  struct Row {
    Kind kind;
    std::string_view name;
  };
  // clang-format off
  const Row rows[] = {
      {Kind::Module, "Module"}, {Kind::Function, "Function"}, {Kind::Class, "Class"},
      {Kind::Param, "Param"}, {Kind::Decorator, "Decorator"}, {Kind::Import, "Import"},
      {Kind::ImportFrom, "ImportFrom"}, {Kind::VarDecl, "VarDecl"}, {Kind::TypeAlias, "TypeAlias"},
      {Kind::Assign, "Assign"}, {Kind::AugAssign, "AugAssign"}, {Kind::Expr, "Expr"},
      {Kind::Return, "Return"}, {Kind::Raise, "Raise"}, {Kind::Break, "Break"},
      {Kind::Continue, "Continue"}, {Kind::If, "If"}, {Kind::For, "For"}, {Kind::While, "While"},
      {Kind::DoWhile, "DoWhile"}, {Kind::Try, "Try"}, {Kind::Handler, "Handler"},
      {Kind::Finally, "Finally"}, {Kind::With, "With"}, {Kind::Match, "Match"}, {Kind::Case, "Case"},
      {Kind::Assert, "Assert"}, {Kind::Delete, "Delete"}, {Kind::Global, "Global"},
      {Kind::Pass, "Pass"}, {Kind::Block, "Block"}, {Kind::Goto, "Goto"}, {Kind::Label, "Label"},
      {Kind::Defer, "Defer"},
      {Kind::Name, "Name"}, {Kind::Attribute, "Attribute"}, {Kind::Call, "Call"}, {Kind::Arg, "Arg"},
      {Kind::KwArg, "KwArg"}, {Kind::Const, "Const"}, {Kind::Str, "Str"}, {Kind::Interp, "Interp"},
      {Kind::BinOp, "BinOp"}, {Kind::UnaryOp, "UnaryOp"}, {Kind::BoolOp, "BoolOp"},
      {Kind::Compare, "Compare"}, {Kind::Ternary, "Ternary"}, {Kind::Lambda, "Lambda"},
      {Kind::Comp, "Comp"}, {Kind::Subscript, "Subscript"}, {Kind::Slice, "Slice"},
      {Kind::Tuple, "Tuple"}, {Kind::List, "List"}, {Kind::Set, "Set"}, {Kind::Dict, "Dict"},
      {Kind::Await, "Await"}, {Kind::Yield, "Yield"}, {Kind::YieldFrom, "YieldFrom"},
      {Kind::Star, "Star"}, {Kind::NamedExpr, "NamedExpr"}, {Kind::Cast, "Cast"}, {Kind::New, "New"},
      {Kind::Type, "Type"}, {Kind::Error, "Error"}, {Kind::Opaque, "Opaque"}};
  // clang-format on
  std::set<std::string_view> names;
  for (const Row& row : rows) {
    EXPECT_EQ(to_string(row.kind), row.name);
    names.insert(row.name);
  }
  EXPECT_EQ(names.size(), kKindCount) << "each kind once";
}

TEST(Ir, AnOperatorIsItsSpelling) {
  std::set<Op> seen;
  for (const std::string_view spelling :
       {"+",  "-",  "*",      "/",      "%",          "**", "//",  "@",   "&",   "|",   "^",
        "<<", ">>", ">>>",    "~",      "!",          "&^", "not", "and", "or",  "&&",  "||",
        "??", "<",  "<=",     ">",      ">=",         "==", "!=",  "===", "!==", "<>",  "<=>",
        "in", "is", "not in", "is not", "instanceof", "++", "--",  "?.",  "..",  "..=", "<-"}) {
    const Op op = op_of(spelling);
    EXPECT_NE(op, Op{0}) << spelling;
    EXPECT_EQ(spelling_of(op), spelling);
    EXPECT_TRUE(seen.insert(op).second) << spelling;
  }
  EXPECT_EQ(op_of("no such operator"), Op{0});
}

}  // namespace
}  // namespace gh::syntax
