#include "control/profiles.h"

#include <algorithm>
#include <array>
#include <span>

#include "analysis/blast_radius.h"
#include "analysis/compare.h"
#include "analysis/run_identity.h"
#include "control/scope_paths.h"
#include "policy/glob.h"

namespace gh::control {
namespace {

// table: python_extensions
constexpr std::array<std::string_view, 2> kPythonExtensions{".py", ".pyi"};
// table: documentation_extensions
constexpr std::array<std::string_view, 5> kDocExtensions{".md", ".rst", ".txt", ".adoc",
                                                         ".textile"};
// table: documentation_patterns
constexpr std::array<std::string_view, 19> kDocPatterns{
    "docs/**",      "doc/**",        "README*",       "CHANGELOG*",      "CHANGES*",
    "HISTORY*",     "NEWS*",         "LICENSE*",      "LICENCE*",        "COPYING*",
    "NOTICE*",      "CONTRIBUTING*", "CONTRIBUTORS*", "AUTHORS*",        "CREDITS*",
    "MAINTAINERS*", "THANKS*",       "SECURITY*",     "CODE_OF_CONDUCT*"};

// table: checks_always
constexpr std::array<std::string_view, 3> kAlways{"verification_profile_classification",
                                                  "scope_check", "forbidden_paths_check"};
// table: checks_structural
constexpr std::array<std::string_view, 3> kStructural{"python_structural_delta", "gate_comparison",
                                                      "worsened_symbols"};
// table: profile_limitations
constexpr std::array<std::string_view, 2> kLimitations{
    "Structural regressions were not checked.",
    "Side effects outside of code need a review by hand."};

// table: statuses of files that a run could not read
constexpr std::array<std::string_view, 7> kUnread{
    "partial",           "parse_error", "file_too_large",  "parse_limit",
    "source_read_error", "stat_error",  "unexpected_error"};

struct ProfileRow {
  FileCategory category;  // what the patch must hold, in order of priority
  Profile profile;
  std::string_view word, reason;
  bool after_run_required, structural;
};
// table: verification_profiles
constexpr std::array kProfiles{
    ProfileRow{FileCategory::state_artifact, Profile::state_artifact_change,
               "state_artifact_change", "state_artifact_touched", false, false},
    ProfileRow{FileCategory::python, Profile::python_structural, "python_structural",
               "python_source_touched", true, true},
    ProfileRow{FileCategory::code, Profile::code_structural, "code_structural",
               "analysed_source_touched", true, true},
    ProfileRow{FileCategory::governance, Profile::governance_config, "governance_config",
               "governance_config_touched", true, false},
    ProfileRow{FileCategory::documentation, Profile::documentation_only, "documentation_only",
               "only_documentation_touched", false, false},
    ProfileRow{FileCategory::other, Profile::non_python_patch, "non_python_patch",
               "no_analysed_source_touched", false, false},
};
constexpr std::string_view kNothingChanged = "no_changed_files";

std::string_view basename_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

/// GLOB on the path; a plain name also on the last component, at any depth.
bool matches(std::string_view path, std::string_view pattern) {
  return policy::matches_glob(path, pattern) ||
         (pattern.find_first_of("/*") == pattern.npos && basename_of(path) == pattern);
}

bool ends_in_one_of(std::string_view path, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view e) { return path.ends_with(e); });
}

/// Whatever can run, or leads elsewhere, is more than text.
bool is_documentation(const ChangedFile& file) {
  if (file.executable_or_symlink) return false;
  return ends_in_one_of(file.path, kDocExtensions) ||
         std::ranges::any_of(kDocPatterns,
                             [&](std::string_view p) { return matches(file.path, p); });
}

/// Documentation is a profile only of a patch that is nothing else.
const ProfileRow& row_for(const std::vector<FileCategory>& found) {
  const auto has = [&](FileCategory category) {
    return std::ranges::find(found, category) != found.end();
  };
  for (const ProfileRow& row : kProfiles) {
    if (!has(row.category)) continue;
    if (row.category == FileCategory::documentation && has(FileCategory::other)) continue;
    return row;
  }
  return kProfiles.back();
}

bool asks_for_run(const ChangedFile& file) {
  return std::ranges::find(kProfiles, category_of(file), &ProfileRow::category)->after_run_required;
}

Value names(const std::vector<std::string_view>& list) { return List(list.begin(), list.end()); }

}  // namespace

std::string_view to_string(Profile profile) {
  return std::ranges::find(kProfiles, profile, &ProfileRow::profile)->word;
}

bool is_state_artifact(std::string_view path) {
  return std::ranges::any_of(analysis::state_artifacts(),
                             [&](std::string_view pattern) { return matches(path, pattern); });
}

FileCategory category_of(const ChangedFile& file) {
  if (is_state_artifact(file.path)) return FileCategory::state_artifact;
  if (ends_in_one_of(file.path, kPythonExtensions)) return FileCategory::python;
  if (file.analysed_language) return FileCategory::code;
  if (analysis::is_governance(file.path)) return FileCategory::governance;
  if (is_documentation(file)) return FileCategory::documentation;
  return FileCategory::other;
}

ProfileFacts profile_of(const std::vector<ChangedFile>& files) {
  std::vector<FileCategory> found;
  for (const ChangedFile& file : files)
    if (!file.path.empty()) found.push_back(category_of(file));
  const auto has = [&](FileCategory category) {
    return std::ranges::find(found, category) != found.end();
  };
  const ProfileRow& row = row_for(found);
  const bool has_baseline = std::ranges::any_of(files, &ChangedFile::is_baseline);
  ProfileFacts facts{
      .profile = row.profile,
      .reason = found.empty() ? kNothingChanged : row.reason,
      .python_source_touched = has(FileCategory::python),
      .state_artifact_touched = has(FileCategory::state_artifact),
      .governance_config_touched = has(FileCategory::governance),
      .after_run_required =
          row.after_run_required || (has_baseline && row.profile != Profile::state_artifact_change),
      .structural_checks_applicable = row.structural,
      .baseline_touched = has_baseline};
  facts.checks_performed.assign(kAlways.begin(), kAlways.end());
  auto& structural = row.structural ? facts.checks_performed : facts.checks_not_applicable;
  structural.insert(structural.end(), kStructural.begin(), kStructural.end());
  for (const ChangedFile& file : files)
    if (!file.left_out.empty()) facts.not_analysed.push_back({file.path, file.left_out});
  for (const ChangedFile& file : files) {
    const FileCategory category = category_of(file);
    const bool is_source = category == FileCategory::python || category == FileCategory::code;
    if (file.leads_out && is_source && file.left_out.empty())
      facts.unread_links.push_back(file.path);
  }
  facts.runs_see_it = std::ranges::any_of(files, [](const ChangedFile& file) {
    return file.is_baseline || (asks_for_run(file) && file.left_out.empty());
  });
  if (row.profile == Profile::non_python_patch)
    facts.limitations.assign(kLimitations.begin(), kLimitations.end());
  return facts;
}

void add_unread(ProfileFacts& facts, const std::vector<std::string>& changed, const Value& before,
                const Value& after) {
  const auto then = analysis::unread_files(before);
  for (const auto& file : analysis::unread_files(after)) {
    const std::string &path = file.first, &status = file.second;
    const std::string kept = path_from_git(bytes_of_path(path));  // or as the report names it
    const auto changed_as = std::ranges::find_if(
        changed, [&](const std::string& name) { return name == kept || name == path; });
    const auto reason = std::ranges::find(kUnread, status);
    if (then.contains(path) && changed_as != changed.end() && reason != kUnread.end())
      facts.not_analysed.push_back({*changed_as, *reason});
  }
}

Map profile_fields(const ProfileFacts& facts) {
  Map out{{"verification_profile", to_string(facts.profile)},
          {"profile_reason", facts.reason},
          {"python_source_touched", facts.python_source_touched},
          {"after_run_required", facts.after_run_required},
          {"checks_performed", names(facts.checks_performed)},
          {"checks_not_applicable", names(facts.checks_not_applicable)}};
  List left_out;
  for (const NotAnalysed& file : facts.not_analysed)
    left_out.emplace_back(Map{{"path", file.path}, {"reason", file.reason}});
  if (!left_out.empty()) out.set("not_analysed", std::move(left_out));
  return out;
}

}  // namespace gh::control
