// DENY paths (proposals 3.3): rejected on sight, whatever else the proposal says.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/unicode.h"
#include "policy/glob.h"
#include "proposal/rules.h"

namespace gh::proposal {
namespace {

std::string folded(std::string_view text) {
  return is_utf8(text) ? nfc_casefold(text) : std::string(text);
}

/// Without "." and empty components, ".." resolved: what a file system would make of the text.
std::string resolved(std::string_view path) {
  std::vector<std::string_view> kept;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      kept.push_back(part);
    } else if (!kept.empty()) {
      kept.pop_back();
    }
  }
  return fmt::format("{}{}", path.starts_with('/') ? "/" : "", fmt::join(kept, "/"));
}

bool lies_below(std::string_view path, std::string_view prefix) {
  return policy::matches_prefix(folded(path), folded(prefix));
}

/// The path as text, as the file system reads it, and joined to the repository.
bool is_denied_by(std::string_view prefix, std::string_view path, std::string_view real_root) {
  if (lies_below(path, prefix) || lies_below(resolved(path), prefix)) return true;
  if (!prefix.starts_with('/') || path.starts_with('/') || real_root.empty()) return false;
  return lies_below(resolved(fmt::format("{}/{}", real_root, path)), prefix);
}

const std::string* entry_for(std::string_view path, const std::vector<std::string>& entries) {
  const std::string form = folded(path);
  const auto it = std::ranges::find_if(entries, [&](const std::string& entry) {
    return policy::matches_policy_entry(form, folded(entry));
  });
  return it == entries.end() ? nullptr : &*it;
}

}  // namespace

std::optional<std::string> deny_hit(std::string_view path, const policy::ProposalPolicy& policy,
                                    const policy::PatchPolicy& patch_policy,
                                    std::string_view real_repo_root) {
  for (const std::string& prefix : policy.deny_paths)
    if (is_denied_by(prefix, path, real_repo_root)) return prefix;
  const std::string plain = resolved(path);
  if (const std::string* secret = entry_for(plain, patch_policy.secret_patterns))
    if (entry_for(plain, patch_policy.secret_exceptions) == nullptr) return *secret;
  return {};
}

Findings check_deny(const AdmissionFacts& facts) {
  std::vector<std::string> paths;
  std::string first_entry;
  for (const std::string& path : facts.meta->affected_files)
    if (auto hit = deny_hit(path, facts.policy, facts.patch_policy, facts.real_repo_root)) {
      if (paths.empty()) first_entry = std::move(*hit);
      paths.push_back(path);
    }
  if (paths.empty()) return std::vector<Finding>{};
  // One reason and nothing beside it: a reader must not take it for one flaw among many.
  return std::vector<Finding>{
      {PropCode::PROP_DENY_PATH,
       fmt::format("{} is denied by '{}'", printable(paths[0], 80), first_entry),
       Map{{"path", paths[0]}, {"entry", first_entry}, {"paths", string_list(paths)}}}};
}

}  // namespace gh::proposal
