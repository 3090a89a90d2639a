#include "shell/script_tree.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace gh::shell {
namespace {

constexpr int kMaxNodeDepth = 48;  // constructs in each other; more is not read

class TreeReader {
 public:
  explicit TreeReader(ScriptTree& tree) : tree_(tree), pieces_(tree.script.pieces) {}

  void read() {
    tree_.nodes = list(0);
    while (at_ < pieces_.size()) {
      const std::size_t before = at_;
      // What ends a construct that never began, and the start of an inner text.
      if (pieces_[at_].kind != PieceKind::inner) tree_.is_whole = false;
      ++at_;
      NodeList more = list(0);
      std::ranges::move(more, std::back_inserter(tree_.inner));
      if (at_ == before) break;
    }
    if (tree_.script.defect) tree_.is_whole = false;
  }

 private:
  bool is_keyword(std::string_view word) const {
    return at_ < pieces_.size() && pieces_[at_].kind == PieceKind::keyword &&
           pieces_[at_].word == word;
  }
  bool is(PieceKind kind) const { return at_ < pieces_.size() && pieces_[at_].kind == kind; }
  void need(bool is_there) {
    if (is_there)
      ++at_;
    else
      tree_.is_whole = false;
  }

  /// Nodes up to a piece that ends what encloses them.
  NodeList list(int depth) {
    NodeList out;
    if (depth > kMaxNodeDepth) {
      tree_.is_whole = false;
      return out;
    }
    std::vector<NodeList> substitutions;
    bool is_negated = false, is_apart = false;
    bool has_joint = false;
    Joint joint = Joint::sequence;
    while (at_ < pieces_.size()) {
      const Piece& piece = pieces_[at_];
      if (is_end(piece)) break;
      if (piece.kind == PieceKind::keyword && is_prefix(piece.word)) {
        if (piece.word == "!") is_negated = !is_negated;
        if (piece.word == "coproc") is_apart = true;
        if (!std::exchange(has_joint, true)) joint = piece.joint;
        ++at_;
        continue;
      }
      if (piece.kind == PieceKind::substitution) {
        ++at_;
        substitutions.push_back(list(depth + 1));
        need(is(PieceKind::close));
        continue;
      }
      if (piece.kind == PieceKind::header || piece.kind == PieceKind::end) {
        ++at_;
        continue;
      }
      Node node = one(depth);
      // What is first in its list follows nothing in it.
      node.joint = out.empty() ? Joint::sequence : (has_joint ? joint : piece.joint);
      node.is_negated = std::exchange(is_negated, false);
      node.in_background = node.in_background || std::exchange(is_apart, false);
      node.substitutions = std::exchange(substitutions, {});
      has_joint = false;
      out.push_back(std::move(node));
    }
    return out;
  }

  static bool is_prefix(std::string_view word) {
    return word == "!" || word == "time" || word == "coproc";
  }

  static bool is_end(const Piece& piece) {
    static constexpr std::array<std::string_view, 9> kEnds{"then", "elif", "else", "fi", "do",
                                                           "done", "esac", "}",    ""};
    if (piece.kind == PieceKind::keyword)
      return std::ranges::find(kEnds, piece.word) != kEnds.end();
    return piece.kind == PieceKind::close || piece.kind == PieceKind::branch ||
           piece.kind == PieceKind::branch_end || piece.kind == PieceKind::inner;
  }

  Node one(int depth) {
    const Piece& piece = pieces_[at_];
    ++at_;
    Node out;
    switch (piece.kind) {
      case PieceKind::command:
        out.command = piece.command;
        out.in_background = tree_.script.commands[piece.command].in_background;
        return out;
      case PieceKind::subshell:
        out.kind = NodeKind::subshell;
        out.parts.push_back(list(depth + 1));
        need(is(PieceKind::close));
        break;
      case PieceKind::function:
        out.kind = NodeKind::function;
        out.name = piece.word;
        if (at_ < pieces_.size() && !is_end(pieces_[at_]) && depth < kMaxNodeDepth)
          out.parts.push_back({one(depth + 1)});
        else
          tree_.is_whole = false;
        break;
      default:
        compound(piece.word, out, depth);
        break;
    }
    if (is(PieceKind::end)) {
      out.in_background = pieces_[at_].in_background;
      ++at_;
    }
    return out;
  }

  void compound(const std::string& word, Node& out, int depth) {
    if (word == "{") {
      out.kind = NodeKind::group;
      out.parts.push_back(list(depth + 1));
      return need(is_keyword("}"));
    }
    if (word == "if") {
      out.kind = NodeKind::choice;
      do {
        out.parts.push_back(list(depth + 1));
        need(is_keyword("then"));
        out.parts.push_back(list(depth + 1));
      } while (is_keyword("elif") && ++at_ > 0);
      if (is_keyword("else")) {
        ++at_;
        out.parts.push_back(list(depth + 1));
      }
      return need(is_keyword("fi"));
    }
    if (word == "while" || word == "until") {
      out.kind = NodeKind::loop;
      out.is_until = word == "until";
      out.parts.push_back(list(depth + 1));
      need(is_keyword("do"));
      out.parts.push_back(list(depth + 1));
      return need(is_keyword("done"));
    }
    if (word == "for" || word == "select" || word == "case") return headed(word, out, depth);
    tree_.is_whole = false;
  }

  void headed(const std::string& word, Node& out, int depth) {
    out.kind = word == "case" ? NodeKind::cases : NodeKind::each;
    while (at_ < pieces_.size()) {
      if (is(PieceKind::header)) {
        out.name += pieces_[at_++].word + " ";
      } else if (is(PieceKind::substitution)) {
        ++at_;
        out.substitutions.push_back(list(depth + 1));
        need(is(PieceKind::close));
      } else {
        break;
      }
    }
    if (word != "case") {
      if (is_keyword("{")) {
        ++at_;
        out.parts.push_back(list(depth + 1));
        return need(is_keyword("}"));
      }
      need(is_keyword("do"));
      out.parts.push_back(list(depth + 1));
      return need(is_keyword("done"));
    }
    while (is(PieceKind::branch) || is(PieceKind::branch_end)) {
      const bool begins = is(PieceKind::branch);
      ++at_;
      if (begins) out.parts.push_back(list(depth + 1));
    }
    need(is_keyword("esac"));
  }

  ScriptTree& tree_;
  const std::vector<Piece>& pieces_;
  std::size_t at_ = 0;
};

}  // namespace

ScriptTree read_script_tree(std::string_view text) {
  ScriptTree out;
  out.script = read_script(text);
  TreeReader(out).read();
  return out;
}

}  // namespace gh::shell
