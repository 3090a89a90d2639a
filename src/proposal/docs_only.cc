// Docs-only (proposals 3.2): computed from the diff, never declared.
#include <algorithm>

#include "base/text.h"
#include "base/unicode.h"
#include "policy/glob.h"
#include "proposal/rules.h"

namespace gh::proposal {
namespace {

using Strings = std::vector<std::string>;

std::string folded(std::string_view text) {
  return is_utf8(text) ? nfc_casefold(text) : std::string(text);
}

bool matches_any(std::string_view path, const Strings& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return policy::matches_policy_entry(path, pattern);
  });
}

/// Exclusions hold in any letter case: a file system may not tell agents.MD from AGENTS.md.
bool is_excluded(std::string_view path, const Strings& patterns) {
  const std::string form = folded(path);
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return policy::matches_policy_entry(form, folded(pattern));
  });
}

bool is_code_below_docs(std::string_view path, const Strings& suffixes) {
  const std::string form = folded(path);
  return form.starts_with("docs/") && std::ranges::any_of(suffixes, [&](const std::string& suffix) {
           return form.ends_with(folded(suffix));
         });
}

bool is_docs_path(std::string_view path, const policy::ProposalPolicy& policy,
                  const policy::PatchPolicy& patch_policy) {
  return matches_any(path, policy.docs_patterns) && !is_excluded(path, policy.docs_exclude) &&
         !is_excluded(path, patch_policy.control_files) &&
         !is_code_below_docs(path, policy.docs_exclude_suffixes);
}

bool is_plain_mode(const std::optional<FileMode>& mode) {
  return !mode || *mode == FileMode::regular;
}

/// No mode changes and no symbolic links. An executable file that stays one has no mode headers but
/// an index line.
bool has_plain_modes(const diff::Section& s) {
  const bool link = s.index && s.index->mode && *s.index->mode != FileMode::regular &&
                    *s.index->mode != FileMode::executable;
  return !link && is_plain_mode(s.old_mode) && is_plain_mode(s.new_mode);
}

}  // namespace

bool is_docs_only(const diff::Patch& patch, const policy::ProposalPolicy& policy,
                  const policy::PatchPolicy& patch_policy) {
  return !patch.sections.empty() &&
         std::ranges::all_of(patch.sections, [&](const diff::Section& s) {
           return has_plain_modes(s) && is_docs_path(s.old_path, policy, patch_policy) &&
                  is_docs_path(s.new_path, policy, patch_policy);
         });
}

bool is_docs_only(const AdmissionFacts& facts) {
  return facts.patch != nullptr && is_docs_only(*facts.patch, facts.policy, facts.patch_policy);
}

}  // namespace gh::proposal
