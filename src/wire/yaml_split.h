#pragma once
// Takes a large YAML document apart, as wire/json_marks.h does JSON.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gh::wire {

/// One key of the mapping with its value: a document of one key.
struct YamlMember {
  std::string_view text{};
  std::int64_t lines_before = 0;
};

/// A document without the members of one mapping, and these.
struct YamlSplit {
  std::string rest{};     // the document with an empty mapping in their place
  std::int64_t line = 0;  // of the key, in both
  std::vector<YamlMember> members{};
};

/// Cuts at the lines that look as if they began a member of the mapping that `key` names in the
/// outermost one. Whatever goes on beyond such a line, as a quoted text does, leaves the piece
/// before it open. So when the rest has its empty mapping at `line`, as a member of a block
/// mapping, and each piece is a mapping of one key without anchors, the pieces are what the whole
/// says, but for keys that are equal. Nothing when the text is not as plain as that needs.
std::optional<YamlSplit> split_yaml(std::string_view text, std::string_view key);

}  // namespace gh::wire
