// Our reading of a command line against what real shells make of it: programs a, b and c write down
// the words they were started with, and those must be the words that were read.
#include <algorithm>
#include <optional>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "shell/script.h"
#include "tests/kit.h"

namespace gh {
namespace {

using kit::Words;
using Runs = std::vector<Words>;

class Shells {
 public:
  Shells() {
    for (const char* name : {"a", "b", "c"})
      kit::write_script(
          folder_.path() / "bin" / name,
          "#!/bin/sh\n{ printf '%s\\0' \"${0##*/}\" \"$@\"; printf '\\n\\0'; } >>\"$LOG\"\n");
  }

  /// The programs that a text starts, in any order.
  Runs runs_of(const std::string& shell, const std::string& text) {
    const auto log = folder_.path() / "log";
    kit::write(log, "");
    kit::run({shell, "-c", text}, {.cwd = folder_.path().string(),
                                   .environment = {"PATH=" + (folder_.path() / "bin").string(),
                                                   "LOG=" + log.string(), "LC_ALL=C"}});
    Runs runs;
    Words words;
    const std::string bytes = kit::read(log);
    for (std::size_t from = 0; from < bytes.size();) {
      const std::size_t end = bytes.find('\0', from);
      const std::string word = bytes.substr(from, end - from);
      from = end + 1;
      if (word == "\n") {
        runs.push_back(std::exchange(words, {}));
      } else {
        words.push_back(word);
      }
    }
    std::ranges::sort(runs);
    return runs;
  }

 private:
  kit::Scratch folder_;
};

/// The same from our reading; none where a word is not literal.
std::optional<Runs> runs_read(const shell::Script& script) {
  Runs runs;
  for (const shell::Command& command : script.commands) {
    if (command.words.empty()) continue;
    Words words;
    for (const shell::Word& word : command.words) {
      if (!word.is_plain()) return std::nullopt;
      words.push_back(word.text);
    }
    runs.push_back(std::move(words));
  }
  std::ranges::sort(runs);
  return runs;
}

/// Texts in which every command runs once, whatever its words are.
class Texts {
 public:
  explicit Texts(unsigned seed) : chance_(seed) {}

  std::string text() {
    std::string out = piece(2);
    for (std::size_t more = chance_() % 3; more > 0; --more)
      out += one_of({" ; ", " && ", "\n", ";", "&&", "\n\n", " ;\n", " && \n "}) + piece(2);
    return out;
  }

 private:
  std::string one_of(std::initializer_list<const char*> list) {
    return *(list.begin() + static_cast<std::ptrdiff_t>(chance_() % list.size()));
  }
  std::string piece(int depth) {
    if (depth == 0 || chance_() % 3 != 0) return command(depth);
    const std::string inner = piece(depth - 1);
    switch (chance_() % 7) {
      case 0:
        return "( " + inner + " )";
      case 1:
        return "{ " + inner + "\n}";
      case 2:
        return "if " + inner + "\nthen " + piece(depth - 1) + "\nfi";
      case 3:
        return "case x in (y) a never;; x|z) " + std::string("b x") + ";; esac";
      case 4:
        return "for i in 1\ndo " + inner + "\ndone";
      case 5:
        return "f() { " + inner + "\n}; f";
      default:
        return "! { " + command(0) + "\n! :\n}";
    }
  }
  std::string command(int depth) {
    std::string out = one_of({"a", "b", "c", "'a'", "\\b", "\"c\"", "a''"});
    for (std::size_t words = chance_() % 4; words > 0; --words)
      out += one_of({" ", "  ", "\t", " \\\n"}) + word();
    out += one_of({"", "", "", " # a comment\n:", " </dev/null", " 2>/dev/null", " 2>&1"});
    if (depth > 0 && out.find('#') == std::string::npos && chance_() % 6 == 0)
      out += " <<'E'\n a $(b) `c` \n E\nE\n:";
    return out;
  }
  std::string word() {
    std::string out;
    for (std::size_t parts = 1 + chance_() % 3; parts > 0; --parts)
      out += one_of({"x",      "-y",         "'q r'",    "\"s t\"", "\\ ",      "\\\\", "'\"'",
                     "\"'\"",  "\"\\\"\"",   "''",       "\"\"",    "x=1",      "{",    "}",
                     "!",      "x#",         "'#'",      "\\#",     "\"\\$x\"", "'$x'", "\\$x",
                     "'*'",    "\\*",        "%",        "@",       "if",       "fi",   "done",
                     "x\\\ny", "\"x\\\ny\"", "'x\\\ny'", "\"\\x\"", "\\;",      "';'",  "\\&",
                     "\\|",    "]",          "[[",       "\\(",     "')'",      "é",    ":",
                     "~x~",    "a~",         ",",        "..",      "^",        "+",    "0",
                     "12"});
    return out;
  }

  std::mt19937 chance_;
};

TEST(ShellAgainstShells, WordsAreThoseThatShellsPassOn) {
  Shells shells;
  Texts texts(7);
  const int count = std::getenv("GH_LONG") != nullptr ? 4000 : 250;
  int compared = 0;
  for (int i = 0; i < count; ++i) {
    const std::string text = texts.text();
    const shell::Script script = shell::read_script(text);
    const auto read = runs_read(script);
    if (script.defect || !read) continue;
    Runs ours = *read;
    std::erase_if(ours, [](const Words& words) {
      return words[0] == ":" || words[0] == "f" || words == Words{"a", "never"};
    });
    for (const char* name : {"/bin/bash", "/bin/dash"})
      EXPECT_EQ(ours, shells.runs_of(name, text)) << name << " of:\n" << text;
    ++compared;
  }
  EXPECT_GT(compared, count / 2) << "most texts can be read";
}

}  // namespace
}  // namespace gh
