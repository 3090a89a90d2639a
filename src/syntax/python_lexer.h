// Python text to words: lines joined as brackets and backslashes say, indentation as words of its
// own, literals with fields taken apart. It reads what it is sure of and says where it stops.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/python_tokens.h"

namespace gh::syntax::python {

inline constexpr std::size_t kMaxBrackets = 150;  // open at one place, fields of literals included
inline constexpr std::size_t kMaxIndents = 100;   // as in CPython
inline constexpr std::size_t kMaxColumn = 1000;   // of indentation

inline constexpr std::size_t kLookAhead = 2;  // words beyond the end that may be looked at

/// One per thread: it keeps its memory from file to file.
class Lexer {
 public:
  /// False: see `refusal`. Comments are in the order of the text.
  bool read(std::string_view source, std::vector<Comment>& comments);
  /// The first one is nobody's, the last `kLookAhead` + 1 are the end.
  const std::vector<Token>& tokens() const { return tokens_; }
  /// Words that stand left of their block.
  std::size_t left_count() const { return left_count_; }
  const Refusal& refusal() const { return refusal_; }
  /// Whatever follows the text is zero: as long as a load of eight bytes.
  const char* text() const { return text_.data(); }

 private:
  struct Indent {
    std::uint32_t wide = 0, narrow = 0, eights = 0;
  };
  /// What is open: a bracket, or a field of a literal.
  struct Open {
    char mark = 0;             // ( [ { or f
    bool from_format = false;  // the field stands in the format of another
    std::uint8_t detail = 0;   // of the literal
    char quote = 0;
  };

  bool line_start();
  bool indentation(const Indent&);
  bool words();
  void bracketed_line();
  bool in_field() const;
  bool continued();
  void comment();
  bool name();
  bool wide_name();
  bool number();
  bool digits(bool (*is_digit)(char));
  bool punctuation();
  bool open(char mark);
  bool close(char mark, Word);
  bool string(std::size_t prefix);
  bool plain_string(std::uint32_t start, char quote, std::uint8_t detail);
  bool field_text(char quote, std::uint8_t detail);
  bool field_open(char quote, std::uint8_t detail, bool from_format);
  bool field_close();
  bool field_convert();
  bool format_text(char quote);
  bool escape(char quote, std::uint8_t detail, bool is_formatted);

  bool refuse(std::string_view why);
  std::uint32_t here() const { return static_cast<std::uint32_t>(at_ - text_.data()); }
  void add(Word, std::uint32_t start, std::uint32_t end, std::uint8_t detail = 0);
  void add_here(Word word, std::uint32_t length, std::uint8_t detail = 0);
  bool at_end() const { return at_ == end_; }

  std::string text_{};
  std::vector<Token> tokens_{};
  std::vector<Comment>* comments_ = nullptr;
  const char *at_ = nullptr, *end_ = nullptr;
  std::array<Open, kMaxBrackets> opened_{};
  std::size_t open_count_ = 0;
  std::array<Indent, kMaxIndents + 1> indents_{};
  std::size_t indent_count_ = 0;
  std::uint32_t line_end_ = 0;                            // of the last word or comment of the line
  std::uint8_t after_backslash_ = 0, left_of_block_ = 0;  // of the next word
  std::size_t left_count_ = 0;
  Refusal refusal_{};
};

}  // namespace gh::syntax::python
