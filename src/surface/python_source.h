#pragma once
// A Python file as loaders of frameworks look at it: names, calls, literals, definitions. It is
// parsed and never run (tool-surface 5.5). Private to surface.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "surface/tool.h"
#include "syntax/cst.h"

namespace gh::surface {

using Node = std::uint32_t;  // 0 is the module, and "there is none" where a child is asked for
using Nodes = std::vector<Node>;

class PythonSource {
 public:
  /// input_unreadable with "PATH:LINE:COLUMN: what" for a file that is no Python.
  static Result<PythonSource> read(std::string path, std::string bytes);

  const std::string& path() const { return path_; }
  std::string_view type(Node n) const { return cst_->type(n); }
  std::string_view text(Node n) const { return cst_->text(n); }
  bool is(Node n, std::string_view type_name) const { return n != 0 && type(n) == type_name; }
  Nodes named(Node) const;                      // children that are no tokens or comments
  Node child(Node, syntax::Field) const;        // first of that field
  Nodes all(std::string_view type_name) const;  // in the order of the file
  std::int64_t line(Node) const;
  Place place(Node) const;

  /// `a.b.c` of a name, an attribute or the callee of a call; empty for anything else.
  std::string dotted(Node) const;
  std::string callee(Node call) const { return dotted(child(call, syntax::Field::function)); }
  Nodes positional(Node call) const;
  Node keyword(Node call, std::string_view name) const;
  /// The value of a string literal without interpolation.
  std::optional<std::string> literal(Node) const;
  /// The cleaned first string statement of a body.
  std::string docstring(Node definition) const;
  /// The annotation as Python prints it.
  std::string annotation(Node type_node) const;
  Node definition_of(Node decorated) const { return child(decorated, syntax::Field::definition); }
  Nodes decorators(Node definition) const;
  std::string name_of(Node definition) const {
    return std::string(text(child(definition, syntax::Field::name)));
  }
  bool is_top_level(Node) const;

  /// What imports bind: local name -> dotted origin.
  const std::map<std::string, std::string>& imports() const { return imports_; }
  /// A dotted name with its first part replaced by what it was imported as.
  std::string origin(std::string_view dotted_name) const;

 private:
  PythonSource() = default;
  void index();
  void read_imports();

  std::string path_;
  std::shared_ptr<std::string> bytes_;
  std::shared_ptr<syntax::Cst> cst_;
  std::vector<std::uint32_t> line_starts_;
  std::vector<Node> parents_;
  std::map<std::string, std::string> imports_;
};

std::string_view last_name(std::string_view dotted);

// --------------------------------------------------------------------- tools out of definitions

struct FunctionShape {
  std::vector<Parameter> parameters{};
  Map input_schema{}, output_schema{};
  std::string signature{};
};
/// Parameters by their annotations; `skipped` names are not the model's to give.
FunctionShape function_shape(const PythonSource&, Node function, std::string_view name,
                             std::string_view skipped);
inline constexpr std::string_view kSkippedParameters =
    "self cls ctx context config runtime run_manager callbacks";

/// Fields of a top-level pydantic model; nullopt when the file has none of that name.
std::optional<FunctionShape> model_shape(const PythonSource&, std::string_view model);

/// Places a tool at its definition.
void place_at(Tool&, const PythonSource&, Node definition);

}  // namespace gh::surface
