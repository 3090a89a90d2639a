// YAML: limits hold, strict is a part of compatible, places lie inside the text, and the canonical
// JSON of what was read reads back the same.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "wire/json.h"
#include "wire/yaml.h"

namespace {

using gh::Value;

struct Shape {
  std::size_t nodes = 0, depth = 0;
  bool has_fraction = false;  // reads back as Number, which has no canonical form
};

void measure(const Value& v, std::size_t depth, Shape& shape) {
  ++shape.nodes;
  shape.has_fraction |=
      std::holds_alternative<gh::Number>(v.data()) || std::holds_alternative<gh::Decimal>(v.data());
  if (const gh::List* list = v.as_list()) {
    shape.depth = std::max(shape.depth, depth + 1);
    for (const Value& item : *list)
      measure(item, depth + 1, shape);
  }
  if (const gh::Map* map = v.as_map()) {
    shape.depth = std::max(shape.depth, depth + 1);
    for (const auto& entry : map->entries())
      measure(entry.second, depth + 1, shape);
  }
}

void require_marks(const gh::wire::MarkTree& tree, std::int64_t lines) {
  REQUIRE(tree.mark.line >= 1 && tree.mark.line <= lines && tree.mark.column >= 1);
  for (const auto& child : tree.children)
    require_marks(child, lines);
}

/// YAML also breaks lines at CR, NEL, LS and PS; counting bytes of them is bound enough.
std::int64_t lines_of(std::string_view text) {
  return 2 + std::ranges::count_if(text, [](char c) {
           return c == '\n' || c == '\r' || c == '\x85' || c == '\xA8' || c == '\xA9';
         });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::wire;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const YamlLimits limits{.max_bytes = 1u << 14, .max_depth = 20, .max_nodes = 2000};
  const auto strict = read_yaml(text, "f", YamlDialect::strict, limits);
  const auto compatible = read_yaml(text, "f", YamlDialect::compatible, limits);
  REQUIRE(size <= limits.max_bytes || (!strict && !compatible));
  REQUIRE(!strict || compatible);
  for (const auto* document : {&strict, &compatible}) {
    if (!*document) {
      REQUIRE(document->error().message.starts_with("f:"));
      continue;
    }
    Shape shape;
    measure((*document)->root, 0, shape);
    REQUIRE(shape.nodes <= limits.max_nodes + 1 && shape.depth <= limits.max_depth);
    require_marks((*document)->marks, lines_of(text));
    if (shape.has_fraction) continue;
    const std::string canonical = canonical_json((*document)->root);
    const auto again = read_json(canonical);
    REQUIRE(again && canonical_json(*again) == canonical);
  }
  return 0;
}
