#pragma once
// Where a Python file hands tools to an agent, in whatever way: as an argument of any call, by
// assignment, by growth of what an object has, in the body of a class (tool-surface 1, rule 4).
// Private to surface.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "surface/python_source.h"

namespace gh::surface {

struct Giving {
  Node at;    // the call, assignment or class
  Node what;  // tools, or a list of them
  bool is_argument = false;
};

/// By keywords and members of these names (separated by blanks), in the order of the file.
std::vector<Giving> givings(const PythonSource&, std::string_view names);

/// `f(**given)`: which arguments it hands over is not known here.
bool has_open_arguments(const PythonSource&, Node call);

/// What a name of the file stands for, when it is bound once.
class GivenItems {
 public:
  explicit GivenItems(const PythonSource&);

  /// Texts of the items of `what`, behind names, lists and sums, that nobody reads.
  std::vector<std::string> unread(Node what, const std::function<bool(Node)>& is_read) const;

 private:
  const PythonSource& source_;
  std::map<std::string_view, Node> values_;  // 0: assigned twice
};

/// Whether the name that `n` begins with is a parameter or a loop variable where it stands.
bool is_rebound(const PythonSource&, Node n);

/// An entry that is there for its tools and of which nothing was read.
std::string nothing_read(std::string_view framework, std::string_view id, std::string_view path);
bool is_nothing_read(std::string_view warning);

}  // namespace gh::surface
