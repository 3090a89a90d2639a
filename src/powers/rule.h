#pragma once
// Rules of hosts that say what an agent may do: whether one gives all that another gives, and how
// much it weighs. Pure; a rule that is not understood gives what it says and nothing else.
#include <cstdint>
#include <string>
#include <string_view>

namespace gh::powers {

enum class Weight : std::uint8_t { low, medium, high, critical };
std::string_view to_string(Weight);

/// How the rules of a list are written.
enum class Language : std::uint8_t {
  exact,    // letter by letter
  claude,   // Tool, Tool(what), mcp__server__tool
  cursor,   // Shell(program:arguments), Read(path), Write(path), WebFetch(domain), Mcp(server:tool)
  gemini,   // tool, run_shell_command(words)
  words,    // the first words of a command line; /expression/
  paths,    // globs of paths
  folders,  // a folder and everything below it
  domains,  // host names with stars
  tools,    // names with stars, "server:tool"
};

/// Does `wide` give everything that `narrow` gives?
bool covers(Language, std::string_view wide, std::string_view narrow);

/// What it may lead to when nobody is asked. `base` for a language that does not tell.
Weight weight_of(Language, std::string_view rule, Weight base = Weight::medium);

}  // namespace gh::powers
