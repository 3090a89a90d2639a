#pragma once
// A command line as a shell would read it: which simple commands it holds, with their words,
// redirections and here-documents, wherever they stand (lists, pipelines, loops, substitutions).
//
// Nothing is expanded and nothing is run. A word whose value only a shell could know says so
// (`is_literal`); a text that shells may read in two ways is an error, never a guess.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::shell {

inline constexpr std::size_t kMaxScriptBytes = 256u << 10;
inline constexpr std::size_t kMaxDepth = 64;  // substitutions, subshells and quotes in each other
inline constexpr std::size_t kMaxCommands = 4096;  // simple commands in one text

struct Word {
  std::string text{};                    // quotes removed; expansions left out
  bool is_literal = true;                // nothing is expanded: the text is the value
  bool has_pattern = false;              // *, ? or [ outside of quotes
  bool is_quoted = false;                // some part of it: such a word is never a keyword
  std::vector<std::string> variables{};  // names that are expanded in it, "?" among them

  /// The value, when it is one and known.
  bool is_plain() const { return is_literal && !has_pattern; }
  bool operator==(const Word&) const = default;
};

struct Assignment {
  std::string name{};
  Word value{};
};

enum class RedirectKind : std::uint8_t {
  read,
  write,  // > >| &> and appending alike: the file is another one afterwards
  read_write,
  duplicate,  // >&2, <&-
  here_document,
  here_string
};

struct Redirection {
  RedirectKind kind = RedirectKind::read;
  Word target{};       // file, descriptor, delimiter or text
  std::string body{};  // of a here-document
};

/// How a command follows the one before it in the same list.
enum class Joint : std::uint8_t { sequence, and_then, or_else, pipe };

struct Command {
  std::vector<Assignment> assignments{};
  std::vector<Word> words{};  // none: only assignments, or the redirections of a compound command
  std::vector<Redirection> redirections{};
  Joint joint = Joint::sequence;
  bool reads_pipe = false;
  bool writes_pipe = false;
  bool in_background = false;
  std::uint32_t list =
      0;  // commands of one list share it; each subshell and substitution has its own

  bool is_empty() const { return words.empty() && assignments.empty() && redirections.empty(); }
};

enum class Defect : std::uint8_t {
  too_large,
  too_deep,
  too_many,
  unfinished,
  unexpected,
  ambiguous
};
std::string_view to_string(Defect);

/// What stands around the commands, in the order of the text: enough to tell which of them run.
enum class PieceKind : std::uint8_t {
  command,       // Script::commands[command]
  keyword,       // `word`: if, then, {, }, !, ...
  header,        // a word of "for NAME in ..." or "case WORD in"
  branch,        // a pattern of a case has ended
  branch_end,    // ;;
  subshell,      // (
  substitution,  // $( and what else has commands of its own inside of a word
  close,         // ) of either
  function,      // `word` () comes next
  end,           // of a compound command, with what stands behind it
  inner          // what follows stood in backquotes or in a here-document
};
struct Piece {
  PieceKind kind = PieceKind::command;
  std::string word{};
  Joint joint = Joint::sequence;  // to what stands before
  std::size_t command = 0;
  bool in_background = false;
};

struct Script {
  std::vector<Command> commands{};  // in the order in which they end
  std::vector<Piece> pieces{};
  std::vector<std::string> functions{};  // names that are functions here, whatever they were before
  std::vector<std::string> assigned{};   // variables that a loop, a descriptor, a coprocess or an
                                         // expansion gives a value
  bool repeats = false;                  // loops or functions: a command may run more than once
  bool evaluates = false;  // the value of a variable is read as an expression, which may hold
                           // commands: ${!x}, ${a[x]}, ${a:x}, $[x]
  std::optional<Defect> defect{};  // read no further than `commands`
};

/// Reads the whole text. With a defect, `commands` holds what was read until then.
Script read_script(std::string_view text);

}  // namespace gh::shell
