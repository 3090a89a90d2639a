// The words of a Python file in one array, and what the reader asks about each kind of word.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/ir.h"

namespace gh::syntax::python {

/// The last group are operators.
enum class Word : std::uint8_t {
  end,
  newline,
  indent,
  dedent,
  name,
  number,
  string,       // a literal without fields
  field_start,  // the quote of a literal with fields
  field_text,
  field_open,
  field_close,
  field_colon,
  field_convert,  // !r
  field_end,
  left_paren,
  right_paren,
  left_bracket,
  right_bracket,
  left_brace,
  right_brace,
  comma,
  colon,
  semicolon,
  dot,
  ellipsis,
  arrow,
  assign,
  walrus,
  augmented,  // `detail` is the operator's Word
  tilde,
  // keywords that are no operators
  false_,
  none_,
  true_,
  as_,
  assert_,
  async_,
  await_,
  break_,
  class_,
  continue_,
  def_,
  del_,
  elif_,
  else_,
  except_,
  finally_,
  for_,
  from_,
  global_,
  if_,
  import_,
  lambda_,
  nonlocal_,
  pass_,
  raise_,
  return_,
  try_,
  while_,
  with_,
  yield_,
  // operators
  or_,
  and_,
  not_,
  in_,
  is_,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  pipe,
  caret,
  ampersand,
  shift_left,
  shift_right,
  plus,
  minus,
  star,
  slash,
  double_slash,
  percent,
  at,
  power,
};
inline constexpr std::size_t kWords = static_cast<std::size_t>(Word::power) + 1;

/// Names that are words of a statement where one begins.
enum class Soft : std::uint8_t { none, print, exec, match, case_, type };

namespace literal {  // NOLINTBEGIN(readability-identifier-naming): bits of `detail` of a string
inline constexpr std::uint8_t bytes = 1;
inline constexpr std::uint8_t raw = 2;
inline constexpr std::uint8_t triple = 4;
}  // namespace literal
// NOLINTEND(readability-identifier-naming)

struct Token {
  std::uint32_t start = 0, end = 0;  // bytes
  Word word = Word::newline;
  std::uint8_t detail = 0;           // a Soft, the Word of an operator, or bits of `literal`
  std::uint8_t after_backslash = 0;  // the line was continued before it
  std::uint8_t left_of_block = 0;    // between brackets, on a line left of its block
};
static_assert(sizeof(Token) == 12);

/// How strongly an operator binds its operands; 0 for what is none.
enum Level : std::uint8_t {
  no_level,
  or_level,
  and_level,
  not_level,
  compare_level,
  pipe_level,
  caret_level,
  ampersand_level,
  shift_level,
  sum_level,
  product_level,
};
struct OperatorTable {
  OperatorTable();
  std::array<Level, kWords> levels{};
  std::array<Op, kWords> ops{};
};

/// Why a file is left to the grammar, and where.
struct Refusal {
  std::string_view why;
  std::uint32_t at = 0;
};

}  // namespace gh::syntax::python
