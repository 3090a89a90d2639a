#pragma once
// What a change must be verified with (change-control 13): derived from the files that changed,
// never declared.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::control {

enum class Profile : std::uint8_t {
  state_artifact_change,
  python_structural,
  code_structural,
  governance_config,
  documentation_only,
  non_python_patch
};
std::string_view to_string(Profile);

struct ChangedFile {
  std::string path{};
  bool executable_or_symlink = false;  // now, or before it was deleted
  bool analysed_language = false;      // of a language that the before-run analysed
  std::string_view left_out{};         // why no run reads it, though it is code; empty: it is none
  bool leads_out = false;              // a link, and no file of the tree stands behind it
  bool is_baseline = false;            // runs compare with it
};

/// A changed source file that no run reads, or not as a whole.
struct NotAnalysed {
  std::string path{};
  std::string_view reason{};
  bool operator==(const NotAnalysed&) const = default;
};

struct ProfileFacts {
  Profile profile = Profile::non_python_patch;
  std::string_view reason{};
  bool python_source_touched = false, state_artifact_touched = false,
       governance_config_touched = false;
  bool after_run_required = false, structural_checks_applicable = false;
  bool runs_see_it = true;  // false: no run reads any of the files that ask for one
  bool baseline_touched =
      false;  // at whatever path it is configured; then a run shows what it does
  std::vector<std::string> unread_links{};  // source files that are links out of the tree
  std::vector<NotAnalysed> not_analysed{};
  std::vector<std::string_view> checks_performed{}, checks_not_applicable{}, limitations{};
};

enum class FileCategory : std::uint8_t {
  state_artifact,
  python,
  code,
  governance,
  documentation,
  other
};
FileCategory category_of(const ChangedFile&);

ProfileFacts profile_of(const std::vector<ChangedFile>&);

/// Changed files that could be read neither at the base nor now, or neither time as a whole, are
/// named as not analysed: no comparison says what was changed in them. One that can be read less
/// well than before is a regression.
void add_unread(ProfileFacts&, const std::vector<std::string>& changed, const Value& before,
                const Value& after);

/// verification_profile, profile_reason, python_source_touched, after_run_required,
/// checks_performed, checks_not_applicable; not_analysed where there is any.
Map profile_fields(const ProfileFacts&);

/// Matches a state artifact pattern: such a file is never part of a change.
bool is_state_artifact(std::string_view path);

}  // namespace gh::control
