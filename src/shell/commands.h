#pragma once
// What is known of programs: which operands they write, which options take a value. Private to
// shell.
#include <cstdint>
#include <span>
#include <string_view>

namespace gh::shell {

enum class Effect : std::uint8_t {
  reads,        // no operand is written
  writes_all,   // every operand
  folders,      // every operand, as a folder and nothing else
  writes_last,  // the last one, or -t FOLDER: the others are read
  moves,        // as before, and the others are gone afterwards
  after_first,  // every operand but the first, which is a mode or an owner
  second        // the second operand: IN OUT
};

struct CommandRow {
  std::string_view name;
  Effect effect;
  std::string_view short_values;  // letters that take a value
  std::string_view long_values;   // names that take one as the next word, between commas
  std::string_view outputs;       // short letters and long names whose value is written
};
const CommandRow* find_command(std::string_view name);

/// A program that runs another one, which stands in its operands.
struct WrapperRow {
  std::string_view name;
  std::string_view short_values, long_values;
  std::uint8_t operands;  // its own, before the other program
};
const WrapperRow* find_wrapper(std::string_view name);

enum class GitEffect : std::uint8_t {
  keeps,    // work tree stays as it is; what is recorded meets the gates of git
  paths,    // writes the operands behind --, or those that can only be paths
  patches,  // applies what a patch says
  refs,     // moves refs past the hooks that a commit meets
  unknown
};
struct GitRow {
  std::string_view name;
  GitEffect effect;
  std::string_view short_values;  // letters that take a value
  bool has_gate;                  // --no-verify passes it by
  std::string_view gated{};       // the words behind it that meet the gate; empty: any
};
const GitRow* find_git_command(std::string_view name);

/// A command of git that runs a text or a command that stands in its words.
struct GitTextRow {
  std::string_view name;
  std::string_view options;  // letters and long names whose value is a text
  std::string_view second;   // the word behind which a command begins; empty: there is none
};
const GitTextRow* find_git_text(std::string_view name);

/// Which words of a command of git name branches that it moves, renames, copies over or deletes.
enum class Names : std::uint8_t {
  first,            // the first operand
  last,             // the last one
  all,              // every one
  all_and_current,  // the same, and where one is missing the branch that is checked out
  value,            // of the option
  refspecs,         // what stands behind the colons of all operands but the first
  pushed            // the same in the repository that the first one names by a path
};
struct BranchRow {
  std::string_view command;
  std::string_view options;  // any of these letters and long names; empty: without any
  Names names;
  bool has_hook;  // git tells the hook of refs of it
};
std::span<const BranchRow> branch_rows();

/// Where git looks by a variable: for the settings that name its hooks, for the programs that these
/// run.
enum class GitLooks : std::uint8_t { elsewhere, for_settings, for_programs };

/// A variable that changes what programs do.
struct VariableRow {
  std::string_view name;        // one with * at its end: all that begin so
  bool bypasses;                // else it only makes everything opaque
  std::string_view harmless{};  // values that change nothing, between commas
  GitLooks git_looks = GitLooks::elsewhere;
};
const VariableRow* find_variable(std::string_view name);
bool is_harmless(const VariableRow&, std::string_view value);

/// A setting of git that runs a program, leads to another file of settings or moves the gate.
struct GitKeyRow {
  std::string_view pattern;  // in small letters; a star stands for any text
  bool shows_only;           // a pager or an editor: programs that do nothing are harmless values
};
const GitKeyRow* find_git_key(std::string_view key);
/// Is one of those settings in the section?
bool has_git_key(std::string_view section);
/// A pager or an editor that only shows or does nothing at all.
bool is_idle_program(std::string_view value);

/// A program that brings something and writes it where its options say; what else it writes nobody
/// knows.
struct DownloadRow {
  std::string_view name;
  std::string_view short_values;  // letters that take a value
  std::string_view outputs;       // short letters and long names whose value is written
  std::string_view folder;        // a long name whose value these are below
};
const DownloadRow* find_download(std::string_view name);

/// A program that has a shell run what stands behind its option -c.
struct TextProgram {
  std::string_view name;
  bool is_other_user;           // or one that was started before: with none of the host's variables
  bool reads_operands = false;  // every operand may be such a text
};
const TextProgram* find_text_program(std::string_view name);

/// An option that names a program, which is then run.
bool names_program(std::string_view command, std::string_view option);

/// Our own program, by whatever path it is called.
bool is_own_program(std::string_view path);
inline constexpr std::string_view kOldOwnName = "agents-shipgate";  // its commands are a group's

bool is_shell(std::string_view name);
/// A program, not a word of the shell, that is read in a way of its own.
bool is_read_apart(std::string_view name);

}  // namespace gh::shell
