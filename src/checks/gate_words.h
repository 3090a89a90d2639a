#pragma once
// Which words of a command line call the gate, or run something that may. Private to checks.
#include <string>
#include <string_view>
#include <vector>

#include "shell/script.h"

namespace gh::checks {

// table: variables that decide which program runs, or what runs before it
inline constexpr std::string_view kPathVariables =
    "PATH BASH_ENV ENV LD_PRELOAD LD_LIBRARY_PATH SHELLOPTS BASHOPTS MAKEFLAGS NODE_OPTIONS";

/// Name of the program of a path, in lower case, "_" as "-".
std::string program_name(std::string_view path);
bool is_our_name(std::string_view program);

/// Where the program that runs in the end may stand: behind wrappers, their options and values.
std::vector<std::size_t> program_places(const std::vector<shell::Word>&);
/// Do the words from that place on call a command of ours whose answer gates?
bool is_gate_at(const std::vector<shell::Word>&, std::size_t place);
bool is_gate_call(const shell::Command&);

/// A line of a file of any kind that names the gate and is no comment.
bool names_gate(std::string_view text);

/// The name of our program with a command of ours near behind it, in any notation: a call as far
/// as nobody can tell.
bool names_call(std::string_view text);

/// How a program says which files of the repository it runs.
enum class RunnerKind : std::uint8_t { shell, make, just, task, package, program, settings };
struct Runner {
  std::string_view names;  // of the program
  RunnerKind kind;
  std::string_view files;  // that it reads, wherever it is told no other
};
const Runner* runner_named(std::string_view program);

}  // namespace gh::checks
