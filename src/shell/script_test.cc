#include "shell/script.h"

#include <span>

namespace gh::shell {
namespace {

/// Commands one after the other: words in [], ? for one that is not literal, * for one with a
/// pattern; redirections as <, >, <>, &, << body, <<<; | before a command that reads a pipe.
std::string shown(const Script& script) {
  std::string out;
  const auto word = [](const Word& w) {
    return "[" + w.text + "]" + (w.is_literal ? "" : "?") + (w.has_pattern ? "*" : "");
  };
  for (const Command& command : script.commands) {
    if (!out.empty()) out += " ; ";
    if (command.reads_pipe) out += "|";
    for (const Assignment& a : command.assignments)
      out += a.name + "=" + word(a.value);
    for (const Word& w : command.words)
      out += word(w);
    for (const Redirection& r : command.redirections) {
      constexpr std::string_view kMarks[] = {"<", ">", "<>", "&", "<<", "<<<"};
      out += kMarks[static_cast<std::size_t>(r.kind)];
      out += r.kind == RedirectKind::here_document ? "{" + r.body + "}" : word(r.target);
    }
  }
  if (script.defect) out += " !" + std::string(to_string(*script.defect));
  return out;
}

struct Case {
  std::string_view text, read;
};

void expect_all(std::span<const Case> cases) {
  for (const Case& c : cases)
    EXPECT_EQ(shown(read_script(c.text)), c.read) << c.text;
}

TEST(ShellScript, WordsAreWhatQuotesLeave) {
  constexpr Case kCases[] = {
      {"", ""},
      {"rm a b", "[rm][a][b]"},
      {"  rm\ta  ", "[rm][a]"},
      {"rm 'a b' \"c d\" e\\ f", "[rm][a b][c d][e f]"},
      {"rm a'b'\"c\"d", "[rm][abcd]"},
      {"r\\m x", "[rm][x]"},
      {"'rm' x", "[rm][x]"},
      {"r''m x", "[rm][x]"},
      {"rm ''", "[rm][]"},
      {"rm \"\"", "[rm][]"},
      {"r\\\nm x", "[rm][x]"},
      {"echo \"a\\\"b\\$c\\x\"", "[echo][a\"b$c\\x]"},
      {"echo 'a\\b'", "[echo][a\\b]"},
      {"echo $'a\\tb\\x41\\101\\''", "[echo][a\tbAA']"},
      {"echo $", "[echo][$]"},
      {"echo a#b #c", "[echo][a#b]"},
      {"# rm x", ""},
      {"rm x\r", "[rm][x\r]"},
      {"echo a=b", "[echo][a=b]"},
      {"rm -- -x", "[rm][--][-x]"},
  };
  expect_all(kCases);
}

TEST(ShellScript, WhatOnlyTheShellKnowsIsNotLiteral) {
  constexpr Case kCases[] = {
      {"rm $x", "[rm][]?"},
      {"rm \"$x\"/a", "[rm][/a]?"},
      {"rm ${x:-y}z", "[rm][z]?"},
      {"rm '$x'", "[rm][$x]"},
      {"rm \\$x", "[rm][$x]"},
      {"rm *.c", "[rm][*.c]*"},
      {"rm '*.c'", "[rm][*.c]"},
      {"rm \"*\"", "[rm][*]"},
      {"rm ~/x", "[rm][~/x]?"},
      {"rm a~", "[rm][a~]"},
      {"rm {a,b}", "[rm][{a,b}]?"},
      {"rm a{1..3}", "[rm][a{1..3}]?"},
      {"find . -exec rm {} +", "[find][.][-exec][rm][{}][+]"},
      {"echo $((1 + 2))", "[echo][]?"},
      {"echo $? $1 $@ $# $$ $!", "[echo][]?[]?[]?[]?[]?[]?"},
      {"cat <(rm x)", "[rm][x] ; [cat][]?"},
  };
  expect_all(kCases);
}

TEST(ShellScript, CommandsAreFoundWhereverTheyStand) {
  constexpr Case kCases[] = {
      {"a; b & c && d || e | f\ng", "[a] ; [b] ; [c] ; [d] ; [e] ; |[f] ; [g]"},
      {"(a; b)", "[a] ; [b]"},
      {"{ a; b; }", "[a] ; [b]"},
      {"! a", "[a]"},
      {"time a", "[a]"},
      {"if a; then b; elif c; then d; else e; fi", "[a] ; [b] ; [c] ; [d] ; [e]"},
      {"while a; do b; done", "[a] ; [b]"},
      {"until a\ndo\nb\ndone", "[a] ; [b]"},
      {"for f in x y; do rm $f; done", "[rm][]?"},
      {"for f do a; done", "[a]"},
      {"for f in $(a); do b; done", "[a] ; [b]"},
      {"case x in a|b) c;; (d) e;; *) f; esac; g", "[c] ; [e] ; [f] ; [g]"},
      {"case x in a) case y in b) c;; esac;; d) e;; esac", "[c] ; [e]"},
      {"f() { rm x; }; f", "[rm][x] ; [f]"},
      {"function f { rm x; }", "[rm][x]"},
      {"f () ( rm x )", "[rm][x]"},
      {"echo $(rm x)", "[rm][x] ; [echo][]?"},
      {"echo \"$(rm \"x y\")\"", "[rm][x y] ; [echo][]?"},
      {"echo `rm x`", "[echo][]? ; [rm][x]"},
      {"echo \"`rm \\\"x\\\"`\"", "[echo][]? ; [rm][x]"},
      {"echo `a \\`rm x\\``", "[echo][]? ; [a][]? ; [rm][x]"},
      {"echo ${x:-$(rm y)}", "[rm][y] ; [echo][]?"},
      {"echo $(( $(rm x) + 1 ))", "[rm][x] ; [echo][]?"},
      {"x=$(rm y)", "[rm][y] ; x=[]?"},
      {"A=1 B='2 3' rm x", "A=[1]B=[2 3][rm][x]"},
      {"a=(1 $(rm x)) b", "[rm][x] ; a=[]?[b]"},
      {"PATH+=:x a", "PATH=[:x][a]"},
      {"[[ a && b || c < d ]] && rm x", "[[[][a][b][c][d][]]] ; [rm][x]"},
      {"[[ $x =~ ^(a|b)$ ]] && rm x", "[[[][]?[=~][^][a][b][$][]]] ; [rm][x]"},
      {"[ a ] && rm x", "[[][a][]] ; [rm][x]"},
      {"a &&\n\n b", "[a] ; [b]"},
      {"a |\n b", "[a] ; |[b]"},
      {"a | { b; c; }", "[a] ; |[b] ; |[c]"},
      {"a | (b; c)", "[a] ; |[b] ; |[c]"},
      {"a | while read l; do b; done", "[a] ; |[read][l] ; |[b]"},
  };
  expect_all(kCases);
}

TEST(ShellScript, RedirectionsAndHereDocuments) {
  constexpr Case kCases[] = {
      {"a >x", "[a]>[x]"},
      {"a > x", "[a]>[x]"},
      {"a >>x 2>y", "[a]>[x]>[y]"},
      {">x a", "[a]>[x]"},
      {">x", ">[x]"},
      {"a 2>&1 >&2 <&-", "[a]&[1]&[2]&[-]"},
      {"a >&x", "[a]>[x]"},
      {"a &>x &>>y", "[a]>[x]>[y]"},
      {"a >|x <>y <z", "[a]>[x]<>[y]<[z]"},
      {"a 2 >x", "[a][2]>[x]"},
      {"a \"2\">x", "[a][2]>[x]"},
      {"a {fd}>x", "[a]>[x]"},
      {"a >$x", "[a]>[]?"},
      {"while a; do b; done >x", "[a] ; [b] ; >[x]"},
      {"{ a; } 2>x | b", "[a] ; >[x] ; |[b]"},
      {"a <<<b", "[a]<<<[b]"},
      {"a <<E\nb $c\nE\nd", "[a]<<{b $c\n} ; [d]"},
      {"a <<'E' >x\nb $(rm y)\nE", "[a]<<{b $(rm y)\n}>[x]"},
      {"a <<E >x\nb $(rm y)\nE", "[a]<<{b $(rm y)\n}>[x] ; [rm][y]"},
      {"a <<-E\n\tb\n\tE\nc", "[a]<<{b\n} ; [c]"},
      {"a <<E | b\nc\nE", "[a]<<{c\n} ; |[b]"},
      {"a <<E; b\nc\nE\nd", "[a]<<{c\n} ; [b] ; [d]"},
      {"a <<X <<Y\n1\nX\n2\nY", "[a]<<{1\n}<<{2\n}"},
      {"a <<E\nno end", "[a]<<{no end\n}"},
      {"x=$(cat <<E\nb\nE\n)", "[cat]<<{b\n} ; x=[]?"},
      {"git commit -F - <<'E'\nrm -rf x > y\nE", "[git][commit][-F][-]<<{rm -rf x > y\n}"},
  };
  expect_all(kCases);
}

TEST(ShellScript, WhatCannotBeReadInOneWayIsADefect) {
  constexpr Case kCases[] = {
      {"rm 'x", " !unfinished"},
      {"rm \"x", " !unfinished"},
      {"echo $(rm x", " !unfinished"},
      {"echo `rm x", " !unfinished"},
      {"echo ${x", " !unfinished"},
      {"[[ a", " !unfinished"},
      {"case x in", " !unfinished"},
      {"a )", " !unexpected"},
      {"a > > x", " !unexpected"},
      {"a >", " !unexpected"},
      {"| a", " !unexpected"},
      {"esac", " !unexpected"},
      {"( a ) b", "[a] !unexpected"},
      {"((x))", " !ambiguous"},
      {"for ((i=0;i<3;i++)); do a; done", " !unexpected"},
      {"echo $((x))", " !ambiguous"},
      {"echo $((rm x) )", " !ambiguous"},
      {"echo $\\\n(rm x)", " !ambiguous"},
      {"echo \"$\\\n(rm x)\"", " !ambiguous"},
      {"echo \"${x:-'}'}\"", " !ambiguous"},
      {"echo ${x@P}", " !ambiguous"},
      {"rm !(a|b)", " !ambiguous"},
      {"echo $x(a)", " !unexpected"},
      {"a <<E() { b", " !unexpected"},
      {"echo \"\"(a)", " !unexpected"},
      {"a <<$x\nb", " !ambiguous"},
      {"echo \"$(a <<E)\"\nb\nE", " !ambiguous"},
  };
  for (const Case& c : kCases) {
    const std::string read = shown(read_script(c.text));
    EXPECT_TRUE(read.ends_with(c.read)) << c.text << " gives " << read;
  }
}

TEST(ShellScript, LimitsHold) {
  EXPECT_EQ(read_script(std::string(kMaxScriptBytes + 1, 'a')).defect, Defect::too_large);
  std::string deep, many;
  for (std::size_t i = 0; i < 100'000 && deep.size() + 2 < kMaxScriptBytes; ++i)
    deep += "$(";
  EXPECT_EQ(read_script(deep).defect, Defect::too_deep);
  for (std::size_t i = 0; i <= kMaxCommands; ++i)
    many += "a;";
  EXPECT_EQ(read_script(many).defect, Defect::too_many);
  EXPECT_EQ(read_script(many).commands.size(), kMaxCommands);
}

TEST(ShellScript, DefectsHaveTheirWords) {
  constexpr std::pair<Defect, std::string_view> kWords[] = {
      {Defect::too_large, "too_large"},   {Defect::too_deep, "too_deep"},
      {Defect::too_many, "too_many"},     {Defect::unfinished, "unfinished"},
      {Defect::unexpected, "unexpected"}, {Defect::ambiguous, "ambiguous"}};
  for (const auto& [defect, word] : kWords)
    EXPECT_EQ(to_string(defect), word);
}

TEST(ShellScript, FunctionsOfTheTextAreNamed) {
  const Script script = read_script("f() { a; }; function g { b; }; h");
  EXPECT_EQ(script.functions, (std::vector<std::string>{"f", "g"}));
}

TEST(ShellScript, ListsAndJointsTellWhatRunsWhere) {
  const Script script = read_script("cd a && b; (cd c; d) || e &");
  ASSERT_EQ(script.commands.size(), 5u);
  const auto at = [&](std::size_t i) { return script.commands[i]; };
  EXPECT_EQ(at(1).joint, Joint::and_then);
  EXPECT_EQ(at(0).list, at(1).list);
  EXPECT_NE(at(2).list, at(0).list);
  EXPECT_EQ(at(2).list, at(3).list);
  EXPECT_EQ(at(4).joint, Joint::or_else);
  EXPECT_EQ(at(4).list, at(0).list);
  EXPECT_TRUE(at(4).in_background);
}

}  // namespace
}  // namespace gh::shell
