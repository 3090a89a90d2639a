#include "patch/matchers.h"

#include <algorithm>

#include "patch/paths.h"
#include "policy/glob.h"

namespace gh::patch {
namespace {

bool is_plain(std::string_view text) {
  return text.find_first_of("*?[/") == std::string_view::npos;
}

}  // namespace

NameSet::NameSet(std::vector<std::string> names) : names_(std::move(names)) {
  std::ranges::sort(names_);
}

const std::string* NameSet::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(names_, name);
  return at != names_.end() && *at == name ? &*at : nullptr;
}

SuffixSet::SuffixSet(const std::vector<std::string>& suffixes) {
  for (const std::string& s : suffixes)
    if (!s.empty()) by_last_byte_[static_cast<unsigned char>(s.back())].push_back(s);
}

const std::string* SuffixSet::find(std::string_view text) const {
  if (text.empty()) return nullptr;
  for (const std::string& s : by_last_byte_[static_cast<unsigned char>(text.back())])
    if (text.ends_with(s)) return &s;
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
      others_.push_back(e);
    }
  }
  names_ = NameSet(std::move(names));
  endings_ = SuffixSet(endings);
}

const std::string* EntrySet::find(std::string_view path) const {
  const std::string_view name = basename(path);
  if (const auto* hit = names_.find(name)) return hit;
  if (const auto* hit = endings_.find(name)) return hit;
  const auto hit = std::ranges::find_if(
      others_, [&](const std::string& e) { return policy::matches_policy_entry(path, e); });
  return hit == others_.end() ? nullptr : &*hit;
}

}  // namespace gh::patch
