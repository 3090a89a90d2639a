#pragma once
// Places in a JSON text, as wire/yaml.h has them for YAML.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/yaml.h"

namespace gh::wire {

/// As read_json takes a text with DuplicateKeys::last_wins; of what is no JSON, anything. What is
/// nested deeper than `max_depth` has no marks of its own: a document of megabytes would have
/// millions. `start` is where the text begins.
MarkTree json_marks(std::string_view text, std::size_t max_depth, Mark start = {1, 1});

struct JsonMember {
  std::string_view key{}, text{};  // as they are written; the key without its quotes
  Mark mark{};                     // of the key, as a MarkTree has it
  Mark start{};                    // where its text begins
};

/// A document without the members of one mapping, and these.
struct JsonSplit {
  std::string rest{};  // the document with an empty mapping in their place
  std::vector<JsonMember> members{};
};

/// Takes apart the mapping that `key` names in the outermost one, so that its members can be read
/// side by side. The pieces may not be JSON; when all are, so is the whole. Nothing when it is not
/// as plain as that: no such mapping or two, members that are no mappings, escapes in keys, equal
/// keys.
std::optional<JsonSplit> split_json(std::string_view text, std::string_view key);

}  // namespace gh::wire
