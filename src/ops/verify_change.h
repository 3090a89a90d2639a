#pragma once
// What is gathered about a change before its head is scanned: the two commits, the paths and the
// text that differ, and what happened to the gate itself. Nothing is fetched and nothing checked
// out.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "git/repo.h"
#include "ops/operation.h"
#include "ops/verify_side.h"
#include "release/scan.h"
#include "release/verifier.h"

namespace gh::ops {

inline constexpr std::size_t kMaxDiffText = 64u << 20;

/// A repository with the folder that was asked about.
struct VerifyPlace {
  std::optional<git::Repo> repo{};  // nullopt: only a preview does without
  std::string root{};               // of the work tree; of a bare repository its own folder
  std::string below{};              // the folder that was named, from there
};
/// bad_argument for a folder that is in no repository.
Result<VerifyPlace> open_verify_place(const std::string& workspace, Context&);

/// Refs are empty, begin with a dash or hold control characters: bad_argument.
Status check_ref(std::string_view option, const std::string& ref);

/// The two sides of a change. What could not be found or compared is said, not failed.
struct ChangeRange {
  std::optional<git::Commit> head{};          // nullopt: it names no commit
  std::optional<git::Commit> base{}, fork{};  // fork: where head left base
  bool with_work_tree = false;                // --head was left out
  release::BaseStatus base_status = release::BaseStatus::not_requested;
  std::vector<std::string> notes{};
  std::vector<std::string> changed{};  // in first-seen order
  std::string diff{};
  bool has_diff = false;
  /// What git has to fetch for the comparison; empty: nothing is missing.
  std::string fetch_line{};
};
struct RangeQuestion {
  std::optional<std::string> base{};
  std::string head{};            // empty: the work tree on top of HEAD
  std::string ignored_folder{};  // from the top: what the gate itself writes
};
ChangeRange read_range(git::Repo&, const RangeQuestion&);

/// The line that brings a missing ref.
std::string fetch_line(const std::string& ref);

/// Facts for the checks of the change. `base` is null when there is none to read.
struct ChangeQuestion {
  const std::vector<std::string>& changed;
  VerifySide* base = nullptr;
  VerifySide& head;
  std::string manifest{};       // its path in head
  std::string base_manifest{};  // in base
  std::string target_branch{};
  std::vector<std::string> packs{};      // from the top, of both manifests
  std::vector<std::string> baselines{};  // from the top
};
Result<release::ChangeFacts> change_facts(const ChangeQuestion&);

/// The bytes of the file that an option names, or of standard input behind "-": bad_argument.
Result<std::string> given_file(const Request&, std::string_view option, const Context&);
/// --changed-files: paths from the top, one a line, each once.
Result<std::vector<std::string>> given_paths(const Request&, const Context&);

/// Facts of a change of which only the paths are known, for the work tree around a manifest. There
/// is no base to compare with; outside of a repository there are no links and no gates either.
Result<release::ChangeFacts> named_change(const std::vector<std::string>& changed,
                                          const LoadedManifest&, Context&);

/// The branch that a ref names; empty: it is none that one can tell.
std::string target_branch_of(const std::string& ref);

}  // namespace gh::ops
