#pragma once
// Where a Python file uses a decorator that makes tools, other than as a decorator: nothing of it
// may vanish (tool-surface 1, rule 4). Private to surface.
#include <functional>
#include <string>
#include <vector>

#include "surface/python_source.h"

namespace gh::surface {

/// `tool(f)` and `tool(…)(f)`: a function of the file that is given to the decorator.
struct Decoration {
  Node function;   // its definition
  Node decorator;  // as it would stand behind an @
  Node call;       // that makes the tool
};

struct DecoratorUses {
  std::vector<Decoration> calls{};
  Nodes unread{};  // every other use
};

/// `makes_tools` is asked for the dotted names of the file.
DecoratorUses decorator_uses(const PythonSource&,
                             const std::function<bool(const std::string&)>& makes_tools);

/// The variable that a call is assigned to, or "".
std::string variable_of(const PythonSource&, Node call);

/// The sentence for a use that is not read.
std::string unread_decorator(const PythonSource&, Node use, std::string_view framework);

}  // namespace gh::surface
