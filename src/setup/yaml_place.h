#pragma once
// Places in a YAML file of others where lines of ours can stand: below a key that opens a block.
#include <string>
#include <string_view>

#include "base/error.h"
#include "setup/line_text.h"
#include "wire/yaml.h"

namespace gh::setup {

/// input_unreadable when it is no YAML.
Result<wire::YamlDocument> read_others_yaml(std::string_view text, std::string_view name);

std::string_view line_of(std::string_view text, std::int64_t number);  // from 1
std::string indent_of(std::string_view line);
/// Ends the line with its own key, so that what belongs to it stands below.
bool opens_block(std::string_view line);

/// conflict, with what a person would have to add.
tl::unexpected<Error> by_hand(std::string_view file, const Lines& lines);

/// The text with these lines as the first child of a key at the top, or with that key at its end.
/// conflict when the key has no children below it, or one of the name `child` already.
Result<std::string> with_first_child(std::string_view text, std::string_view file,
                                     std::string_view key, std::string_view child, const Lines&,
                                     const Marks&);

}  // namespace gh::setup
