// Which command stands in which construct, and joined how.
#include "shell/script_tree.h"

#include <string>

#include <gtest/gtest.h>

namespace gh::shell {
namespace {

std::string dumped(const ScriptTree& tree, const NodeList& list);

std::string dumped(const ScriptTree& tree, const Node& node) {
  static constexpr const char* kNames[] = {"",     "group", "subshell", "if",
                                           "loop", "each",  "case",     "function"};
  std::string out;
  for (const NodeList& inside : node.substitutions)
    out += "$(" + dumped(tree, inside) + ")";
  if (node.is_negated) out += "!";
  if (node.kind == NodeKind::command) {
    const Command& command = tree.script.commands[node.command];
    for (const Assignment& assignment : command.assignments)
      out += assignment.name + "=" + assignment.value.text;
    for (const Word& word : command.words)
      out += (&word == &command.words[0] ? "" : " ") + word.text;
  } else {
    out += kNames[static_cast<int>(node.kind)];
    if (node.is_until) out += "-until";
    out += "{";
    if (!node.name.empty()) out += node.name + ":";
    for (std::size_t i = 0; i < node.parts.size(); ++i)
      out += (i == 0 ? "" : " | ") + dumped(tree, node.parts[i]);
    out += "}";
  }
  return out + (node.in_background ? "&" : "");
}

std::string dumped(const ScriptTree& tree, const NodeList& list) {
  static constexpr const char* kJoints[] = {"; ", " && ", " || ", " -> "};
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i)
    out += (i == 0 ? "" : kJoints[static_cast<int>(list[i].joint)]) + dumped(tree, list[i]);
  return out;
}

TEST(ScriptTree, EachCommandStandsInItsConstruct) {
  const std::pair<const char*, const char*> rows[] = {
      {"a; b\nc", "a; b; c"},
      {"a && b || c", "a && b || c"},
      {"a | b | c && d", "a -> b -> c && d"},
      {"a & b", "a&; b"},
      {"! a", "!a"},
      {"! a | b || c", "!a -> b || c"},
      {"x || (a; b) && c", "x || subshell{a; b} && c"},
      {"{ a; b; } || c", "group{a; b} || c"},
      {"{ a; } > f | b", "group{a} -> b"},
      {"(a) & b", "subshell{a}&; b"},
      {"if a; then b; fi", "if{a | b}"},
      {"if a; then b; elif c && d; then e; else f; fi && g", "if{a | b | c && d | e | f} && g"},
      {"if ! a; then b; fi", "if{!a | b}"},
      {"x || if a; then b; fi", "x || if{a | b}"},
      {"while a; do b; done", "loop{a | b}"},
      {"until a; do b; done; c", "loop-until{a | b}; c"},
      {"for i in 1 2; do a; done", "each{i in 1 2 :a}"},
      {"for i do a; done", "each{i :a}"},
      {"case x in a) b;; c|d) e; f;; esac; g", "case{x in :b | e; f}; g"},
      {"f() { a; }; b", "function{f:group{a}}; b"},
      {"function f { a; }\nb", "function{f:group{a}}; b"},
      {"f() (a); b", "function{f:subshell{a}}; b"},
      {"echo $(a; b) c", "$(a; b)echo  c"},
      {"x=$(a || b); c", "$(a || b)x=; c"},
      {"[[ a && b ]] && c", "[[ a b ]] && c"},
      {"time a", "a"},
      {"# a\n\n  b # c", "b"},
      {"", ""},
  };
  for (const auto& [text, expected] : rows) {
    const ScriptTree tree = read_script_tree(text);
    EXPECT_TRUE(tree.is_whole) << text;
    EXPECT_EQ(dumped(tree, tree.nodes), expected) << text;
  }
}

TEST(ScriptTree, WhatStandsInBackquotesIsApart) {
  const ScriptTree tree = read_script_tree("echo `a; b` c");
  EXPECT_EQ(dumped(tree, tree.nodes), "echo  c");
  EXPECT_EQ(dumped(tree, tree.inner), "a; b");
}

TEST(ScriptTree, WhatIsBrokenOrTooDeepIsNotWhole) {
  std::string deep;
  for (int i = 0; i < 100; ++i)
    deep += "{ ";
  for (const std::string& text :
       {std::string("if a; then b"), std::string("fi"), std::string("a )"), std::string("then a"),
        std::string("'"), std::string("f()"), deep, deep + "a"})
    EXPECT_FALSE(read_script_tree(text).is_whole) << text.substr(0, 40);
}

}  // namespace
}  // namespace gh::shell
