// CODEOWNERS: is a change of the manifest somebody's to review? (tool-surface 13.9)
#include <array>

#include "base/text.h"
#include "surface/loaders.h"

namespace gh::surface {
namespace {

// table: places of CODEOWNERS
constexpr std::array<std::string_view, 3> kPlaces{"CODEOWNERS", ".github/CODEOWNERS",
                                                  "docs/CODEOWNERS"};

/// `*` stands for any run of characters, `?` for one. Linear but for one step back per star.
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

/// Of a file in the root: a pattern with a folder in it is about others.
bool covers(std::string_view pattern, std::string_view file) {
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  while (pattern.starts_with("**/"))
    pattern.remove_prefix(3);
  return !contains(pattern, "/") && fits(pattern, file);
}

/// The last rule that covers the file counts, and it needs an owner.
bool has_owner(std::string_view text, std::string_view file) {
  bool owned = false;
  for (const std::string_view raw : split(text, '\n')) {
    const std::string_view line = trimmed(raw.substr(0, raw.find('#')));
    const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
    if (blank > 0 && covers(line.substr(0, blank), file))
      owned = !trimmed(line.substr(blank)).empty();
  }
  return owned;
}

}  // namespace

OwnersFacts load_owners(const Manifest& manifest, Files& files) {
  OwnersFacts out;
  for (const std::string_view place : kPlaces) {
    out.searched.emplace_back(place);
    const auto found = files.find(place);
    if (!out.path.empty() || !found || found->kind != EntryKind::file) continue;
    const auto bytes = files.read(*found, kMaxInputFile);
    if (!bytes) continue;
    out.path = found->path;
    out.covers_manifest = has_owner(*bytes, manifest.file);
  }
  return out;
}

}  // namespace gh::surface
