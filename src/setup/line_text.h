#pragma once
// Lines that are ours in a text that others write too: between two marks, or a whole TOML table.
// Whole lines are put in and taken out; all others stay byte for byte, with their own line ends.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gh::setup {

/// The lines around a block of ours. A file may hold several, told apart by their part.
struct Marks {
  std::string begin, end;
};
Marks html_marks();
Marks hash_marks(std::string_view part = {});

using Lines = std::vector<std::string>;

/// The text with these lines between marks: in place of what stands between them, else at the end
/// behind an empty line.
std::string with_block(std::string_view text, const Lines&, const Marks&);
/// The same at a line of the text (0: before the first one), as deep as `indent`, without the empty
/// line.
std::string with_block_at(std::string_view text, const Lines&, const Marks&, std::size_t line,
                          std::string_view indent);
/// The text without the block, and without the empty line that came with it.
std::string without_block(std::string_view text, const Marks&);
bool has_block(std::string_view text, const Marks&);

/// A TOML file with this table in it, e.g. "mcp_servers.gatehouse": in place of the table of that
/// name, else at the end. input_unreadable when the file is no TOML; conflict when the table stands
/// there in another form, which only a person can change.
Result<std::string> with_toml_table(std::string_view text, std::string_view table, const Lines&,
                                    std::string_view name);
/// Without that table; `lines` are those that we write, remarks among them.
Result<std::string> without_toml_table(std::string_view text, std::string_view table, const Lines&,
                                       std::string_view name);

}  // namespace gh::setup
