#pragma once
// A Python file as loaders of frameworks look at it: names, calls, literals, definitions. It is
// parsed and never run (tool-surface 5.5). Private to surface.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surface/source_tree.h"

namespace gh::surface {

class PythonSource : public SourceTree {
 public:
  /// input_unreadable with "PATH:LINE: what" for a file that is no Python.
  static Result<PythonSource> read(std::string path, std::string bytes);

  // Python's own tree has no parentheses: what is asked of the tree sees through them.
  Nodes named(Node) const;
  Node child(Node, syntax::Field) const;
  Node parent(Node) const;

  /// `a.b.c` of a name, an attribute or the callee of a call; empty for anything else.
  std::string dotted(Node) const;
  std::string callee(Node call) const { return dotted(child(call, syntax::Field::function)); }
  Nodes positional(Node call) const;
  Node keyword(Node call, std::string_view name) const;
  /// The text of an expression for a sentence: one line, cut.
  std::string shown(Node) const;
  /// The value of a string literal without interpolation.
  std::optional<std::string> literal(Node) const;
  /// A dictionary, list or value of literals only, as JSON would have it.
  std::optional<Value> document(Node) const;
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
  /// The class of an expression in Python's module `ast`.
  std::string_view ast_class(Node) const;

  /// What imports bind: local name -> dotted origin.
  const std::map<std::string, std::string>& imports() const { return imports_; }
  /// Names that are bound once in the file, to another name: `short = long.name`.
  const std::map<std::string, std::string>& aliases() const { return aliases_; }
  /// A dotted name with its first part replaced by what it was imported or assigned as.
  std::string origin(std::string_view dotted_name) const;

 private:
  explicit PythonSource(SourceTree tree) : SourceTree(std::move(tree)) {}
  Node bare(Node) const;
  std::optional<Value> literal_value(Node) const;
  void read_imports();
  void read_star_import(std::string_view module);
  void read_aliases();

  std::map<std::string, std::string> imports_, aliases_;
};

std::string_view last_name(std::string_view dotted);

// --------------------------------------------------------------------- tools out of definitions

struct FunctionShape {
  std::vector<Parameter> parameters{};
  Map input_schema{}, output_schema{};
  std::string signature{};
};
/// Parameters by their annotations; `skipped` names are not the model's to give.
enum class TypeNames : std::uint8_t { wide, narrow };  // which annotations are lists and objects
FunctionShape function_shape(const PythonSource&, Node function, std::string_view name,
                             std::string_view skipped, TypeNames = TypeNames::wide);
inline constexpr std::string_view kSkippedParameters =
    "self cls ctx context config runtime run_manager callbacks";

/// Fields of a top-level pydantic model; nullopt when the file has none of that name.
std::optional<FunctionShape> model_shape(const PythonSource&, std::string_view model);

/// Places a tool at its definition.
void place_at(Tool&, const PythonSource&, Node definition);

}  // namespace gh::surface
