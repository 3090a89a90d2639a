// A JSON document that is taken apart: its pieces are JSON exactly when the whole is, and hold the
// same values at the same places. Large OpenAPI documents are read so.
#include <cstdint>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "wire/document.h"
#include "wire/json_marks.h"
#include "wire/spaced_json.h"

namespace {

constexpr gh::wire::DocumentLimits kLimits{.marked_depth = 16};

bool are_same(const gh::wire::MarkTree& a, const gh::wire::MarkTree& b, std::size_t depth) {
  if (a.mark.line != b.mark.line || a.mark.column != b.mark.column ||
      a.children.size() != b.children.size())
    return false;
  for (std::size_t i = 0; depth > 0 && i < a.children.size(); ++i)
    if (!are_same(a.children[i], b.children[i], depth - 1)) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto split = gh::wire::split_json(text, "paths");
  if (!split) return 0;
  const auto rest = gh::wire::read_document(split->rest, "d.json", kLimits);
  const auto whole = gh::wire::read_document(text, "d.json", kLimits);
  bool is_json = rest.has_value();
  std::vector<gh::wire::Document> members;
  for (const auto& member : split->members) {
    auto own = gh::wire::read_member(member, "d.json", kLimits);
    is_json = is_json && own.has_value();
    if (!is_json) break;
    members.push_back(std::move(*own));
  }
  REQUIRE(is_json == whole.has_value());
  if (!is_json) return 0;
  const auto& entries = whole->root.as_map()->entries();
  std::size_t at = 0;
  while (at < entries.size() && entries[at].first != "paths")
    ++at;
  REQUIRE(at < entries.size());
  const auto& paths = entries[at].second.as_map()->entries();
  REQUIRE(paths.size() == members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    REQUIRE(paths[i].first == split->members[i].key);
    REQUIRE(gh::wire::spaced_json(paths[i].second) == gh::wire::spaced_json(members[i].root));
    REQUIRE(
        are_same(members[i].marks, whole->marks.children[at].children[i], kLimits.marked_depth));
  }
  return 0;
}
