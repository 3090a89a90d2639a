#pragma once
// The policy that a release is gated by, normalised so that two trees can be compared
// (release-gate 17.4): as the manifest declares it, before any option of a command.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "surface/manifest.h"

namespace gh::checks {

struct EffectivePolicy {
  std::string ci_mode = "advisory";
  std::vector<surface::FindingSeverity> fail_on{};  // weakest first, each once
  std::vector<std::string> suppressed_check_ids{};  // sorted, each once
  std::vector<std::string> waiver_scopes{};         // "check:tool" or "check:*", likewise
  std::map<std::string, surface::FindingSeverity> severity_overrides{};
  std::string integrity_mode = "warn";
  std::vector<std::string> baseline_fingerprints{};  // of accepted findings, sorted
  bool ci_gate_present = true;
};

EffectivePolicy policy_of(const surface::Manifest&);

enum class Snapshot : std::uint8_t { standard, declared };  // "default", "declared"
Map document_of(const EffectivePolicy&, Snapshot);

/// The declared policy of an earlier report; nullopt where it has none, or only the default.
std::optional<EffectivePolicy> declared_policy(const Value& report);

}  // namespace gh::checks
