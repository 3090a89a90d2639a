#include "patch/matchers.h"

#include <algorithm>

#include "patch/paths.h"
#include "policy/glob.h"

namespace gh::patch {
namespace {

bool is_plain(std::string_view text) {
  return text.find_first_of("*?[/") == std::string_view::npos;
}

/// What the path, or the basename for an entry without '/', has to begin with.
std::string plain_head(std::string_view entry) {
  std::string_view head = entry.substr(0, entry.find_first_of("*?["));
  if (head.ends_with('/')) head.remove_suffix(1);  // the folder itself matches too
  return std::string(head);
}

/// The first plain stretch behind leading wildcards, which the path has to hold somewhere.
std::string plain_inside(std::string_view entry) {
  entry = entry.substr(std::min(entry.find_first_not_of("*?/"), entry.size()));
  return std::string(entry.substr(0, entry.find_first_of("*?[/")));
}

std::size_t last_byte(std::string_view text) { return static_cast<unsigned char>(text.back()); }

}  // namespace

NameSet::NameSet(std::vector<std::string> names) : names_(std::move(names)) {
  std::ranges::sort(names_);
}

const std::string* NameSet::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(names_, name);
  return at != names_.end() && *at == name ? &*at : nullptr;
}

SuffixSet::SuffixSet(std::vector<std::string> suffixes) : suffixes_(std::move(suffixes)) {
  std::erase(suffixes_, "");
  std::ranges::stable_sort(suffixes_, {}, last_byte);
  std::size_t at = 0;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    while (at < suffixes_.size() && last_byte(suffixes_[at]) == byte)
      ++at;
    starts_[byte + 1] = static_cast<std::uint32_t>(at);
  }
}

const std::string* SuffixSet::find(std::string_view text) const {
  if (text.empty()) return nullptr;
  const std::size_t byte = last_byte(text);
  for (std::size_t at = starts_[byte]; at < starts_[byte + 1]; ++at)
    if (text.ends_with(suffixes_[at])) return &suffixes_[at];
  return nullptr;
}

EntrySet::EntrySet(const std::vector<std::string>& entries) {
  std::vector<std::string> names, endings;
  for (const std::string& e : entries) {
    if (is_plain(e)) {
      names.push_back(e);
    } else if (e.starts_with('*') && e.size() > 1 && is_plain(std::string_view(e).substr(1))) {
      endings.push_back(e.substr(1));
    } else {
      patterns_.push_back({e, plain_head(e), plain_inside(e)});
    }
  }
  names_ = NameSet(std::move(names));
  endings_ = SuffixSet(std::move(endings));
}

bool EntrySet::Pattern::may_match(std::string_view path, std::string_view name) const {
  const bool anywhere = entry.find('/') == std::string::npos;
  if (!(anywhere ? name : path).starts_with(head)) return false;
  return !head.empty() || path.find(inside) != std::string_view::npos;
}

const std::string* EntrySet::find(std::string_view path) const {
  const std::string_view name = basename(path);
  if (const auto* hit = names_.find(name)) return hit;
  if (const auto* hit = endings_.find(name)) return hit;
  for (const Pattern& p : patterns_)
    if (p.may_match(path, name) && policy::matches_policy_entry(path, p.entry)) return &p.entry;
  return nullptr;
}

}  // namespace gh::patch
