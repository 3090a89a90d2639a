#pragma once
// The commands of a script in the constructs that hold them: what runs when, and what becomes of
// the answer of each.
#include <cstdint>
#include <string>
#include <vector>

#include "shell/script.h"

namespace gh::shell {

enum class NodeKind : std::uint8_t {
  command,
  group,     // { list; }
  subshell,  // ( list )
  choice,    // if: condition, list, condition, list, ... and a last list where there is an else
  loop,      // while, until: condition, list
  each,      // for, select: list
  cases,     // case: one list for each branch
  function   // its body
};

struct Node;
using NodeList = std::vector<Node>;

struct Node {
  NodeKind kind = NodeKind::command;
  std::size_t command = 0;        // of Script::commands
  std::string name{};             // of a function; words of a loop or a case
  Joint joint = Joint::sequence;  // to the node before
  bool is_negated = false, in_background = false, is_until = false;
  std::vector<NodeList> parts{};
  std::vector<NodeList> substitutions{};  // commands inside of its words
};

struct ScriptTree {
  Script script{};
  NodeList nodes{};
  NodeList inner{};      // of backquotes and here-documents, wherever they stood
  bool is_whole = true;  // false: a defect, or nested too deep; nodes may be missing
};

ScriptTree read_script_tree(std::string_view text);

}  // namespace gh::shell
