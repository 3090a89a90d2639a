#pragma once
// Where a Python file uses the classes that tools are made of: as constructors, as bases of its own
// classes, or in a way that nobody here reads and that must be said (tool-surface 1, rule 4).
// Private to surface.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surface/python_source.h"

namespace gh::surface {

/// Asked for what a name of the file comes from (`agents.FunctionTool`).
using IsMaker = std::function<bool(const std::string& origin)>;

struct MakerUses {
  Nodes calls{};   // of a constructor, in the order of the file
  Nodes unread{};  // every use that is no call, base, annotation or question about a type
};
MakerUses maker_uses(const PythonSource&, const IsMaker&);

/// The classes of a file and what they inherit within it.
class ClassChains {
 public:
  explicit ClassChains(const PythonSource&);

  /// The class, then what it inherits of this file, the nearest first.
  Nodes chain_of(Node definition) const;
  /// Origins of the bases of the chain that this file does not define.
  std::vector<std::string> outer_bases(Node definition) const;
  /// Attribute or method of the nearest class that has it; 0: of none.
  Node value(Node definition, std::string_view attribute) const;
  Node method(Node definition, std::string_view name) const;

 private:
  Nodes bases_of(Node definition) const;
  Node base_of(Node expression) const;

  const PythonSource& source_;
  std::map<std::string, Node> classes_;
};

/// A literal text, or nothing and a warning that `what` of the thing at `at` is not read.
std::optional<std::string> literal_or_say(const PythonSource&, Node value, std::string_view what,
                                          Node at, std::vector<std::string>& warnings);

/// The variable that holds what a call makes: assigned, or named by `with … as`; "" when none.
std::string holder_of(const PythonSource&, Node call);

/// The sentence for a use that is not read.
std::string unread_maker(const PythonSource&, Node use, std::string_view framework);

}  // namespace gh::surface
