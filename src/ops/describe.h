#pragma once
// Help texts from the operation table.
#include <string>
#include <string_view>
#include <vector>

#include "ops/operation.h"

namespace gh::ops {

std::string render_overview(const report::Look&);      // at most 24 lines, for the newcomer
std::string render_all_commands(const report::Look&);  // every command, one line each
std::string render_short_help(const Operation&, const report::Look&);  // --help
std::string render_long_help(const Operation&, const report::Look&);   // help <command>
/// A help text as it is spelled for whoever started the program by the old name of the release
/// gate.
std::string spelled_for(std::string text, std::string_view program);

std::string render_group_help(std::string_view words, const report::Look&);

/// "gatehouse patch check [FILE] [options]"
std::string usage_line(const Operation&);

/// "--base REV", "-C, --directory DIR", "--[no-]staged"
std::string option_form(const Option&);

/// Listed rows that begin with these words: "release", "release baseline".
std::vector<const Operation*> in_group(std::string_view words);
/// Does a further word have to follow?
bool is_group(std::string_view words);
/// The words that may follow, each once, in the order of the table.
std::vector<std::string> next_words(std::string_view words);
/// Every group: "patch", "release", "release baseline".
std::vector<std::string> groups();

/// The first words of all listed commands in table order, each once.
std::vector<std::string> first_words();

/// The listed groups' headings in order of appearance.
std::vector<std::string_view> headings();

}  // namespace gh::ops
