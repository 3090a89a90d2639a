#include "diff/blob_ids.h"

#include <optional>

#include "base/text.h"
#include "diff/patch.h"

namespace gh::diff {
namespace {

constexpr std::string_view kHeader = "diff --git ", kIndex = "index ";
constexpr std::string_view kBefore = "a/", kAfter = " b/";

/// Behind "diff --git ": the one name twice, plain or in quotes.
std::optional<std::string> path_of(std::string_view names) {
  if (names.starts_with('"')) {
    auto name = unquote(names);
    if (!name || !name->bytes.starts_with(kBefore)) return std::nullopt;
    return name->bytes.substr(kBefore.size());
  }
  const std::size_t around = kBefore.size() + kAfter.size();
  if (names.size() <= around || !names.starts_with(kBefore)) return std::nullopt;
  const std::string_view path = names.substr(kBefore.size(), (names.size() - around) / 2);
  const std::string_view rest = names.substr(kBefore.size() + path.size());
  if (!rest.starts_with(kAfter) || rest.substr(kAfter.size()) != path) return std::nullopt;
  return std::string(path);
}

std::string id_in(std::string_view text) {
  const bool is_absent = text.find_first_not_of('0') == text.npos;
  return is_absent ? std::string() : std::string(text);
}

}  // namespace

std::vector<BlobIds> blob_ids(std::string_view diff) {
  std::vector<BlobIds> out;
  std::optional<std::string> path;
  for (const std::string_view line : split(diff, '\n')) {
    if (line.starts_with(kHeader)) path = path_of(line.substr(kHeader.size()));
    if (!path || !line.starts_with(kIndex)) continue;
    const std::string_view ids =
        line.substr(kIndex.size(), line.find(' ', kIndex.size()) - kIndex.size());
    const std::size_t dots = ids.find("..");
    if (dots == ids.npos) continue;
    out.push_back({*std::move(path), id_in(ids.substr(0, dots)), id_in(ids.substr(dots + 2))});
    path.reset();
  }
  return out;
}

}  // namespace gh::diff
