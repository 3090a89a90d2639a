// The one shape into which every language is brought: a flat preorder array of small nodes. Nothing
// after this module knows a grammar.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_numbers.h"
#include "syntax/languages.h"

namespace gh::syntax {

// Named as in docs/reference/analysis.md.
enum class Kind : std::uint16_t {
  // declarations
  Module,
  Function,
  Class,
  Param,
  Decorator,
  Import,
  ImportFrom,
  VarDecl,
  TypeAlias,
  // statements
  Assign,
  AugAssign,
  Expr,
  Return,
  Raise,
  Break,
  Continue,
  If,
  For,
  While,
  DoWhile,
  Try,
  Handler,
  Finally,
  With,
  Match,
  Case,
  Assert,
  Delete,
  Global,
  Pass,
  Block,
  Goto,
  Label,
  Defer,
  // expressions
  Name,
  Attribute,
  Call,
  Arg,
  KwArg,
  Const,
  Str,
  Interp,
  BinOp,
  UnaryOp,
  BoolOp,
  Compare,
  Ternary,
  Lambda,
  Comp,
  Subscript,
  Slice,
  Tuple,
  List,
  Set,
  Dict,
  Await,
  Yield,
  YieldFrom,
  Star,
  NamedExpr,
  Cast,
  New,
  // other
  Type,  // what is declared about a value; comparisons leave it out
  Error,
  Opaque,
};  // clang-format keeps one group per paragraph
inline constexpr std::size_t kKindCount = static_cast<std::size_t>(Kind::Opaque) + 1;
std::string_view to_string(Kind);

/// Which arm of its statement a Block is.
enum class Arm : std::uint16_t { body, then, otherwise, loop_else, finally };

/// Meanings of `Node::flags`; operators (BinOp, AugAssign, UnaryOp, BoolOp, Compare) hold an `Op`
/// there, blocks an `Arm`, parameters a `ParamKind`. A UnaryOp ++ or -- that gives the old value
/// has the symbol "postfix"; a Pass with the symbol "private" or "public" among declarations says
/// who may name those after it; an ImportFrom that brings types alone holds a Type.
namespace flag {  // NOLINTBEGIN(readability-identifier-naming): words, as of an enum
inline constexpr std::uint16_t async = 1;       // Function, For, With, Arg of Comp
inline constexpr std::uint16_t elif = 2;        // If, With: on the level of what it stands in
inline constexpr std::uint16_t store = 4;       // Name, Attribute, Subscript, Tuple, List: a target
inline constexpr std::uint16_t star_group = 8;  // Try: except*
inline constexpr std::uint16_t nonlocal = 16;   // Global
inline constexpr std::uint16_t returns = 32;    // Type: of the function's result
inline constexpr std::uint16_t bytes = 64;      // Str
inline constexpr std::uint16_t twice = 128;     // Star: two stars; Delete: an array
inline constexpr std::uint16_t generator = 256;     // Arg of Comp: for … in …
inline constexpr std::uint16_t condition = 512;     // Arg of Comp or Case: if …
inline constexpr std::uint16_t target = 1024;       // Arg of With: what it is bound to
inline constexpr std::uint16_t bare = 2048;         // Assign: declared without a value
inline constexpr std::uint16_t part = 4096;         // Interp: one replacement field
inline constexpr std::uint16_t format = 8192;       // Interp: the format of a field
inline constexpr std::uint16_t shows_self = 16384;  // Interp: {x=}
inline constexpr std::uint16_t receiver = 32768;    // Param: declared receiver of a method
inline constexpr std::uint16_t optional = 16;       // Param: a call may leave it out
inline constexpr std::uint16_t fallback = 1;        // Case: taken when no other is, not counted
inline constexpr std::uint16_t of_class = 2;        // Function, Assign: static, not of an instance
inline constexpr std::uint16_t of_member = 32;      // Assign: to a member, whatever hides its name
inline constexpr std::uint16_t exported = 8;  // Function, Class, Assign, Expr: others may name it
// Function, Class: how others come to it
inline constexpr std::uint16_t hook = 16;        // called by what is not seen, such as an override
inline constexpr std::uint16_t for_tests = 32;   // there to test, and with it all inside
inline constexpr std::uint16_t attributed = 64;  // marked in a way that may mean anything
inline constexpr std::uint16_t lexical = 4;      // Function, Lambda: `this` is that around it
inline constexpr std::uint16_t accessor = 128;   // Function: read and written as a field is
inline constexpr std::uint16_t hidden = 256;  // nobody outside may name it; Class: nor its members
inline constexpr std::uint16_t keys =
    64;  // For: over the keys of the value, not over what it holds
inline constexpr std::uint16_t guarded = 32;    // Attribute, Subscript, Call: `?.`
inline constexpr std::uint16_t concurrent = 8;  // Defer: not later but beside
inline constexpr std::uint16_t tail = 16;       // Expr: the value of its block
// Import
inline constexpr std::uint16_t external = 1;   // looked for outside of the project
inline constexpr std::uint16_t textual = 2;    // a file read in its place; it binds no name
inline constexpr std::uint16_t submodule = 4;  // a part of this module that has a file of its own
// Class: not a class record of its own.
inline constexpr std::uint16_t extension = 1;   // members of a class that is declared elsewhere
inline constexpr std::uint16_t name_space = 2;  // only a name around others
inline constexpr std::uint16_t protocol = 4;    // only says what others must have
}  // namespace flag
// NOLINTEND(readability-identifier-naming)
enum class ParamKind : std::uint16_t { pos_only, pos_or_kw, vararg, kw_only, kwarg };
inline constexpr std::uint16_t kParamKindMask = 7;

using Op = std::uint16_t;  // 0: none of the table
Op op_of(std::string_view spelling);
std::string_view spelling_of(Op);

struct Node {
  Kind kind;
  std::uint16_t flags;
  std::uint32_t end;     // index after the last node of its subtree
  std::uint32_t start;   // byte
  std::uint32_t symbol;  // 0: none
};
static_assert(sizeof(Node) == 16);

/// Names of one file. Ids are given in order of appearance; 0 is the empty name.
class Symbols {
 public:
  Symbols() { id_of(""); }
  std::uint32_t id_of(std::string_view name);  // a view that outlives this
  std::uint32_t id_of_copy(const std::string& name);
  std::string_view text(std::uint32_t id) const { return names_[id]; }
  std::size_t size() const { return names_.size(); }

 private:
  TextNumbers ids_{};
  std::vector<std::string_view> names_{};
  std::deque<std::string> owned_{};
};

struct Comment {
  std::uint32_t start = 0, end = 0;  // bytes
};

/// What could not be read. Zero bytes where something is missing.
struct Unread {
  std::uint32_t start = 0, end = 0;
};

/// A block in which the compiler trusts the writer.
struct Unchecked {
  std::uint32_t start = 0, end = 0;
};

struct Tree {
  std::string_view source;  // must outlive the tree
  Language language = Language::python;
  std::vector<Node> nodes{};
  std::vector<std::uint32_t> ends{};  // byte after each node
  Symbols symbols{};
  std::vector<Comment> comments{};
  std::vector<std::uint32_t> line_starts{0};
  std::vector<Unread> unread{};  // by start, none inside another
  std::vector<Unchecked> unchecked{};
  std::string package{};  // that the file says it belongs to

  const Node& operator[](std::uint32_t i) const { return nodes[i]; }
  std::string_view name(std::uint32_t i) const { return symbols.text(nodes[i].symbol); }
  std::string_view text(std::uint32_t i) const {
    return source.substr(nodes[i].start, ends[i] - nodes[i].start);
  }
  std::uint32_t line_at(std::uint32_t byte) const;  // from 1
  std::uint32_t start_line(std::uint32_t i) const { return line_at(nodes[i].start); }
  std::uint32_t end_line(std::uint32_t i) const {
    return line_at(ends[i] > nodes[i].start ? ends[i] - 1 : ends[i]);
  }
  bool is_whole(std::uint32_t i) const;  // nothing of it is unread
};

/// The direct children of a node, in order.
class Children {
 public:
  Children(const Tree& tree, std::uint32_t parent)
      : tree_(tree), first_(parent + 1), end_(tree.nodes[parent].end) {}
  class Iterator {
   public:
    Iterator(const Tree& tree, std::uint32_t at) : tree_(&tree), at_(at) {}
    std::uint32_t operator*() const { return at_; }
    Iterator& operator++() {
      at_ = tree_->nodes[at_].end;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Tree* tree_;
    std::uint32_t at_;
  };
  Iterator begin() const { return {tree_, first_}; }
  Iterator end() const { return {tree_, end_}; }
  bool empty() const { return first_ == end_; }

 private:
  const Tree& tree_;
  std::uint32_t first_, end_;
};

}  // namespace gh::syntax
