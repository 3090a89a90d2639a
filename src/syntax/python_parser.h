// The words of a Python file to the IR, without a tree of its own: statements are appended as they
// are met, an expression is a list of drafts whose order is that of the IR, appended when its
// statement is known. What it is not sure to read as the grammar does, it refuses.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/python_lexer.h"

namespace gh::syntax::python {

inline constexpr std::uint32_t kMaxNesting = 200;   // of expressions and statements in each other
inline constexpr std::uint32_t kMaxHeight = 6'000;  // of an expression; see kMaxDepth
inline constexpr std::size_t kMaxReadBytes = 2'500'000;
inline constexpr std::size_t kMaxReadTokens = 900'000;  // see kMaxNodes: three nodes for each

/// A node that has not found its place yet. `next` is the one behind it in the order of the IR.
struct Draft {
  Kind kind;
  std::uint16_t flags;
  std::uint32_t start, end;  // bytes
  std::uint32_t symbol;
  std::uint32_t size : 31;  // of its subtree
  std::uint32_t in_parentheses : 1;
  std::uint32_t next;
};

/// A subtree of drafts, from `head` to `tail`; the bytes are with the parentheses around it.
struct Value {
  std::uint32_t head = 0, tail = 0;
  std::uint32_t start = 0, end = 0;
  std::uint32_t height = 0;
};

class PythonParser {
 public:
  /// False: see `refusal`; `tree` is then half done.
  bool read(std::string_view source, Tree& tree);
  const Refusal& refusal() const { return refusal_; }

 private:
  // What may stand behind a star.
  enum class StarOperand : std::uint8_t { argument, element, bare };

  // --- words
  const Token& word() const { return *at_; }
  Word kind() const { return at_->word; }
  bool is(Word w) const { return at_->word == w; }
  bool is_soft(Soft soft) const {
    return at_->word == Word::name && at_->detail == static_cast<std::uint8_t>(soft);
  }
  const Token& take() { return *at_++; }
  bool take_if(Word w) {
    if (at_->word != w) return false;
    ++at_;
    return true;
  }
  /// Where a bracket may be closed the next word may stand left of its block.
  void may_be_left() { left_count_ += at_->left_of_block; }
  const Token& expect(Word, std::string_view why);
  void refuse(std::string_view why);
  std::string_view text(const Token& t) const {
    return tree_->source.substr(t.start, t.end - t.start);
  }
  std::uint32_t symbol(const Token& t) { return tree_->symbols.id_of(text(t)); }
  std::uint32_t last_end() const { return at_[-1].end; }

  // --- drafts
  Value draft(Kind, std::uint16_t flags, std::uint32_t start, std::uint32_t end,
              std::uint32_t symbol = 0);
  Value leaf(Kind, const Token&, std::uint16_t flags = 0);
  Value name_of(const Token&, std::uint16_t flags = 0);
  void append(Value& node, const Value& child);
  void end_at(Value& node, std::uint32_t end);
  void end_at_last(Value& node) { end_at(node, last_end()); }
  Draft& root(const Value& v) { return drafts_[v.head]; }
  bool is_bare_name(const Value&);
  bool is_place(const Value&);
  void mark_target(const Value&, bool parentheses_vanish = false);
  void place(const Value&);           // behind the last node
  void place_children(const Value&);  // what it holds, not itself

  // --- nodes
  std::uint32_t open(Kind, std::uint32_t start, std::uint16_t flags = 0, std::uint32_t symbol = 0);
  void close(std::uint32_t node, std::uint32_t end);

  // --- python_expressions.cc
  Value expression();
  Value named_expression();
  Value operators(Level);
  bool is_and_of_bits(const Value&);
  Value not_operation();
  Value boolean(Value first, Word, Level);
  Value comparison(Value first);
  bool is_one_blank_apart() const;
  std::uint32_t chain_symbol(std::size_t from);
  Value unary();
  Value primary();
  Value atom();
  Value call(const Value& function);
  void arguments(Value& into, bool may_generate);
  Value subscript(const Value& of);
  Value index();
  void refuse_continued();
  Value brackets();
  Value braces();
  Value parentheses();
  Value comprehension(const Value& first, const Value& second, bool is_pair, std::uint32_t start,
                      std::uint16_t flags, Word closing);
  Value targets();
  Value target();
  Value star(StarOperand);
  Value list();
  void refuse_sole_star(const Value& star, Word closing);
  bool ends_list() const;
  Value yield();
  Value yield_or_list();
  Value lambda();
  void parameters(Value& into, Word closing, bool has_types);
  Value type(bool has_bounds = false);
  Value generic_type(bool has_bounds);

  // --- python_strings.cc
  Value strings();
  void parts(Value& into, bool& after_text);
  void plain_part(Value& into, const Token&, bool& after_text);
  Value field();
  Value format(std::uint32_t colon);

  // --- python_statements.cc
  void statements();
  std::uint32_t statement();
  std::uint32_t simple_line();
  void simple_statement();
  void expression_statement();
  void assignment(Value last);
  void annotation(const Value& first);
  void augmented(const Value& first);
  void return_statement();
  void delete_statement();
  bool are_places(const Value&);
  void names_statement();
  void assert_statement();
  void raise_statement();
  void import_statement();
  void import_from();
  void imported(bool may_be_dotted);
  std::uint32_t dotted();
  bool is_type_alias() const;
  void type_alias();
  std::uint32_t block(Arm);
  std::uint32_t block_at(Arm, std::uint32_t start);
  void if_statement();
  std::uint32_t else_block(Arm);
  void for_statement(std::uint32_t start, std::uint16_t flags);
  void while_statement();
  void try_statement();
  void with_statement(std::uint32_t start, std::uint16_t flags);
  void with_item();
  void refuse_late_as(const Value&);
  bool with_is_in_parentheses() const;
  void decorated();
  void definition(std::uint32_t start, std::uint16_t flags, const Value* decorators);
  void class_definition(const Value* decorators);
  void type_parameters();
  void async_statement(const Value* decorators);

  // --- python_patterns.cc
  bool is_match_statement() const;
  void match_statement();
  std::uint32_t case_clause();
  Value case_pattern();
  void simple_pattern(Value& into);
  bool closed_pattern(Value& out);
  Value sequence_pattern(Word closing, Kind);
  Value dict_pattern();
  Value class_pattern(const Value& name);
  Value dotted_pattern(bool is_target);
  Value number_pattern();
  Value splat_pattern();

  /// One level deeper while it lives.
  class Nested {
   public:
    explicit Nested(PythonParser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxNesting) parser_.refuse("nested too deep");
    }
    ~Nested() { --parser_.nesting_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    PythonParser& parser_;
  };

  Lexer lexer_{};
  OperatorTable operators_{};
  Op operators_not_ = op_of("not"), operators_is_not_ = op_of("is not");
  const Token* at_ = nullptr;
  const Token* end_ = nullptr;  // the last word, which is the end
  Tree* tree_ = nullptr;
  std::vector<Draft> drafts_{};
  std::uint32_t used_ = 0;
  std::vector<Op> chain_{};  // operators of the comparisons that are being read
  std::string chain_text_{};
  std::vector<std::uint32_t> format_texts_{}, arms_{};
  std::uint32_t nesting_ = 0;
  std::uint32_t forks_ = 0;     // places around in which the grammar has several readings
  std::size_t left_count_ = 0;  // of such words
  bool refused_ = false;
  Refusal refusal_{};
};

}  // namespace gh::syntax::python
