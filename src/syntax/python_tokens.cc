#include "syntax/python_tokens.h"

namespace gh::syntax::python {
namespace {

struct OperatorRow {
  Word word;
  Level level;
  std::string_view spelling;
};
// table: operators of python
constexpr std::array kOperatorRows = std::to_array<OperatorRow>({
    {Word::or_, or_level, "or"},
    {Word::and_, and_level, "and"},
    {Word::not_, compare_level, "not in"},  // behind a value it is the first half
    {Word::in_, compare_level, "in"},
    {Word::is_, compare_level, "is"},
    {Word::less, compare_level, "<"},
    {Word::less_equal, compare_level, "<="},
    {Word::greater, compare_level, ">"},
    {Word::greater_equal, compare_level, ">="},
    {Word::equal, compare_level, "=="},
    {Word::not_equal, compare_level, "!="},
    {Word::pipe, pipe_level, "|"},
    {Word::caret, caret_level, "^"},
    {Word::ampersand, ampersand_level, "&"},
    {Word::shift_left, shift_level, "<<"},
    {Word::shift_right, shift_level, ">>"},
    {Word::plus, sum_level, "+"},
    {Word::minus, sum_level, "-"},
    {Word::star, product_level, "*"},
    {Word::slash, product_level, "/"},
    {Word::double_slash, product_level, "//"},
    {Word::percent, product_level, "%"},
    {Word::at, product_level, "@"},
    {Word::power, no_level, "**"},  // binds its left side closer than its right one
    {Word::tilde, no_level, "~"},
});

}  // namespace

OperatorTable::OperatorTable() {
  for (const OperatorRow& row : kOperatorRows) {
    levels.at(static_cast<std::size_t>(row.word)) = row.level;
    ops.at(static_cast<std::size_t>(row.word)) = op_of(row.spelling);
  }
}

}  // namespace gh::syntax::python
