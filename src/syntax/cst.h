// A tree-sitter tree as one flat array: the only place that talks to tree-sitter.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "syntax/language.h"

namespace gh::syntax {

inline constexpr std::size_t kMaxNodes = 4'000'000;
inline constexpr std::size_t kMaxDepth = 10'000;

/// Rows above those of the language, for what every grammar has.
inline constexpr std::uint16_t kTokenRow = 0xffff;    // keywords and punctuation
inline constexpr std::uint16_t kUnknownRow = 0xfffe;  // a named node without a row
inline constexpr std::uint16_t kErrorRow = 0xfffd;
inline constexpr std::uint16_t kMissingRow = 0xfffc;
inline constexpr std::uint16_t kCommentRow = 0xfffb;

struct CstNode {
  std::uint16_t row;     // of the language, or one of the above
  std::uint16_t symbol;  // of the grammar
  Field field;
  std::uint32_t start, end;  // bytes
  std::uint32_t next;        // index after its subtree
};

struct Cst {
  std::string_view source;
  const LanguageSpec* spec = nullptr;
  std::vector<CstNode> nodes{};

  std::string_view text(std::uint32_t i) const {
    return source.substr(nodes[i].start, nodes[i].end - nodes[i].start);
  }
  bool is_named(std::uint32_t i) const {
    return nodes[i].row != kTokenRow && nodes[i].row != kCommentRow;
  }
  /// Its type, empty when the language has no row for it.
  std::string_view type(std::uint32_t i) const {
    return nodes[i].row < spec->rows.size() ? spec->rows[nodes[i].row].type : std::string_view();
  }
};

/// Reads with one parser after another file; not for two threads at once.
class Parser {
 public:
  Parser();
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  /// False when the tree is too large or too deep. `cst` keeps its memory between files.
  bool parse(Language, std::string_view source, Cst& cst);

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace gh::syntax
