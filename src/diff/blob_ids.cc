#include "diff/blob_ids.h"

#include <charconv>
#include <optional>

#include "base/text.h"
#include "diff/patch.h"

namespace gh::diff {
namespace {

constexpr std::string_view kHeader = "diff --git ", kIndex = "index ", kHunk = "@@ -";
constexpr std::string_view kBefore = "a/", kAfter = " b/";

/// Behind "diff --git ": the one name twice, plain or in quotes.
std::optional<std::string> path_of(std::string_view names) {
  if (names.starts_with('"')) {
    auto name = unquote(names);
    if (!name || !name->bytes.starts_with(kBefore)) return std::nullopt;
    if (name->bytes.size() == kBefore.size()) return std::nullopt;
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

/// Reads the lines of a diff one after the other.
class Headers {
 public:
  /// The file that this line completes.
  std::optional<BlobIds> take(std::string_view line) {
    if (line.starts_with(kHeader)) path_ = path_of(line.substr(kHeader.size()));
    if (!path_ || !line.starts_with(kIndex)) return std::nullopt;
    const std::string_view ids =
        line.substr(kIndex.size(), line.find(' ', kIndex.size()) - kIndex.size());
    const std::size_t dots = ids.find("..");
    if (dots == ids.npos) return std::nullopt;
    BlobIds out{*std::move(path_), id_in(ids.substr(0, dots)), id_in(ids.substr(dots + 2))};
    path_.reset();
    return out;
  }

 private:
  std::optional<std::string> path_{};
};

struct OldRange {
  std::size_t start = 0, count = 1;
};

/// Behind "@@ -": START or START,COUNT. Counted from 1, but for a range without lines.
OldRange old_range(std::string_view text) {
  OldRange out;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, out.start);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == ',')
    (void)std::from_chars(first.ptr + 1, end, out.count);
  return out;
}

/// A line of a hunk that still has `left` of the content before.
void take(std::string_view line, ExpectedLines& hunk, std::size_t& left, bool& is_above) {
  const bool is_context = line.starts_with(' '), is_removed = line.starts_with('-');
  if (is_removed || line.starts_with('+')) {
    is_above = false;
    hunk.below = 0;
  }
  if (left == 0 || (!is_context && !is_removed)) return;
  if (is_context) ++(is_above ? hunk.above : hunk.below);
  hunk.lines.push_back(line.substr(1));
  --left;
}

}  // namespace

std::vector<BlobIds> blob_ids(std::string_view diff) {
  std::vector<BlobIds> out;
  Headers headers;
  for (const std::string_view line : split(diff, '\n'))
    if (auto file = headers.take(line)) out.push_back(*std::move(file));
  return out;
}

std::vector<FileHunks> hunks_of(std::string_view diff) {
  std::vector<FileHunks> out;
  Headers headers;
  bool has_file = false, is_above = false;
  std::size_t left = 0;  // of the content before, in this hunk
  for (const std::string_view line : split(diff, '\n')) {
    if (auto file = headers.take(line)) {
      out.push_back({*std::move(file)});
      has_file = true;
    }
    if (line.starts_with(kHeader)) {
      has_file = false;
      left = 0;
    }
    if (!has_file) continue;
    if (line.starts_with(kHunk)) {
      const OldRange range = old_range(line.substr(kHunk.size()));
      out.back().hunks.push_back({range.start == 0 ? 0 : range.start - 1});
      left = range.count;
      is_above = true;
    } else if (!out.back().hunks.empty()) {
      take(line, out.back().hunks.back(), left, is_above);
    }
  }
  return out;
}

}  // namespace gh::diff
