#pragma once
// YAML from libyaml events into Value, with the place of every key and item.
//
// strict: our own files (proposals 2): YAML 1.2 core scalars, one document, no anchors, aliases,
// tags, merge keys or duplicate keys, flow nesting at most 2. compatible: YAML 1.1 scalars, aliases
// within limits, last duplicate wins (tool-surface 2.2).
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::wire {

enum class YamlDialect : std::uint8_t { strict, compatible };

struct YamlLimits {
  std::size_t max_bytes = 1u << 20;
  std::size_t max_depth = 200;
  std::size_t max_nodes = 1'000'000;  // after alias expansion
  std::size_t marked_depth = 200;     // what is deeper stands where its ancestor stands
  bool allows_anchors = true;            // false: of a piece, whose names may not be used elsewhere
};

struct Mark {
  std::int64_t line = 0, column = 0;  // 1-based
  std::int64_t end_line = 0;          // last line of the value
};

/// Place of a key or item, with those of its children in the order of the Value's children. An
/// expanded alias has none: whatever is inside it stands where the alias stands.
struct MarkTree {
  Mark mark;
  std::vector<MarkTree> children{};
  std::uint32_t order = 0;  // one more than its index in key_orders; 0: keys are looked through
};

/// Of YAML or JSON (wire/document.h).
struct YamlDocument {
  Value root;
  MarkTree marks;
  /// Place of the key or item that an RFC 6901 pointer names, else of its nearest marked ancestor.
  Mark mark_of(std::string_view pointer) const;

  /// Sorts the keys of large mappings once, so that mark_of finds one among thousands by halves.
  void index_keys();
  std::vector<std::vector<std::uint32_t>> key_orders{};  // indexes of entries, by key

  /// Keys that a mapping has twice, of which the last one counts: "'KEY' at LINE:COLUMN", the place
  /// that is lost. No more than kMaxRepeats.
  static constexpr std::size_t kMaxRepeats = 20;
  std::vector<std::string> repeats{};

  std::size_t nodes = 0;  // of YAML, after alias expansion
};

/// Errors read "NAME:LINE:COLUMN: what".
Result<YamlDocument> read_yaml(std::string_view text, std::string_view name, YamlDialect,
                               YamlLimits = {});

}  // namespace gh::wire
