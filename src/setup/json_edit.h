#pragma once
// What is ours in a JSON file that others write too: put in, and taken out again so that the bytes
// are those from before. Something is only ever inserted, never rewritten:
//
//   - behind the last member or element, on a line of its own;
//   - into an empty object or list that was there before: right behind its bracket. That is how it
//     is known, when ours is taken out, whether the object goes as well or stays empty.
#include <functional>
#include <string>
#include <string_view>

#include "setup/json_text.h"

namespace gh::setup {

/// Is that element or member ours?
using IsOurs = std::function<bool(const Value&)>;

/// The file with everything of `wanted` in it, which is JSON as we write it: objects are descended
/// into; a member named `key_of_ours` and elements that are ours are put in or brought up to date;
/// a list of texts is ours as a whole, one behind the other; any other value must be there already,
/// or the file is new. conflict when the file has something else in such a place.
Result<std::string> merge_json(std::string_view text, std::string_view wanted, const IsOurs&,
                               std::string_view key_of_ours, std::string_view name);

/// The file without it; empty when nothing but ours was in it.
Result<std::string> unmerge_json(std::string_view text, std::string_view wanted, const IsOurs&,
                                 std::string_view key_of_ours, std::string_view name);

/// A new file: `wanted` on lines, two spaces deep.
std::string laid_out(std::string_view wanted);

}  // namespace gh::setup
