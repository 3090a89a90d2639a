#pragma once
// A source file as a tree of named nodes with places: what loaders of source code share. It is
// parsed and never run (tool-surface 5.5). Private to surface.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "surface/tool.h"
#include "syntax/cst.h"

namespace gh::surface {

using Node = std::uint32_t;  // 0 is the file, and "there is none" where a child is asked for
using Nodes = std::vector<Node>;

class SourceTree {
 public:
  /// input_unreadable when it is no UTF-8, too large or too deep. Errors of syntax stay in the
  /// tree.
  static Result<SourceTree> read(std::string path, std::string bytes, syntax::Language);

  const std::string& path() const { return path_; }
  std::string_view type(Node n) const { return cst_->type(n); }
  std::string_view text(Node n) const { return cst_->text(n); }
  bool is(Node n, std::string_view type_name) const { return n != 0 && type(n) == type_name; }
  Nodes named(Node) const;                // children that are no tokens or comments
  Node child(Node, syntax::Field) const;  // first of that field
  Node parent(Node n) const { return parents_[n]; }
  Nodes all(std::string_view type_name) const { return below(0, type_name); }
  Nodes below(Node, std::string_view type_name) const;  // itself too, in the order of the file
  std::int64_t line(Node) const;
  Place place(Node) const;
  std::optional<Node> first_error() const;

 protected:
  SourceTree() = default;

 private:
  void index();

  std::string path_;
  std::shared_ptr<std::string> bytes_;
  std::shared_ptr<syntax::Cst> cst_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<Node> parents_;
};

}  // namespace gh::surface
