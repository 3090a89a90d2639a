#pragma once
// verifier.json (release-gate 18.4): what one verification of a change says, for whoever merges.
// Every verdict in it is read off the head's release decision; nothing here decides.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/value.h"
#include "release/triggers.h"

namespace gh::release {

inline constexpr std::string_view kVerifierSchema = "0.1";

enum class BaseStatus : std::uint8_t {
  not_requested,
  skipped,
  diff_from_provided,
  ref_missing,
  archive_failed,
  missing_manifest,
  scan_failed,
  cache_hit,
  succeeded
};
std::string_view to_string(BaseStatus);
enum class HeadStatus : std::uint8_t { skipped, succeeded, failed };
std::string_view to_string(HeadStatus);

/// mergeable, human_review_required, insufficient_evidence, blocked; of no decision unknown, of one
/// that nobody knows human_review_required.
std::string_view merge_verdict_of(std::string_view decision);

struct NextAction {
  std::string_view actor = "coding_agent";
  std::string kind = "none", command{}, why;  // no command: null
};
Map document_of(const NextAction&);

struct VerifierFacts {
  std::string workspace, config;
  bool is_preview = false;
  std::optional<TriggerResult> trigger{};
  std::optional<std::string> base_ref{};
  std::string head_ref{};
  BaseStatus base_status = BaseStatus::not_requested;
  HeadStatus head_status = HeadStatus::skipped;
  std::string base_tree{}, base_report{}, head_tree{}, head_report{};
  std::vector<std::string> base_notes{};
  std::optional<int> head_exit_code{};
  std::vector<std::string> changed_files{};
  bool has_diff_text = false;
  const Value* report = nullptr;  // of the head scan; nullptr: there is none
  /// What to do where no report says so.
  NextAction next{};
  std::string failure{};                                         // why the head scan failed
  std::vector<std::pair<std::string, std::string>> artifacts{};  // name -> path
};
/// Redacted, keys in the order of the contract.
Value verifier_document(const VerifierFacts&);

}  // namespace gh::release
