#pragma once
// Policy packs: rules of a team that are asked for every tool (tool-surface 11).
#include <string>
#include <vector>

#include "base/error.h"
#include "checks/finding.h"
#include "surface/actions.h"
#include "surface/files.h"
#include "surface/manifest.h"
#include "surface/surface.h"

namespace gh::release {

struct PackRule {
  std::string id, title{}, description{}, category = "policy_pack";
  surface::FindingSeverity severity = surface::FindingSeverity::medium;
  bool block = false;
  surface::Confidence confidence = surface::Confidence::medium;
  std::string recommendation{};
  Value match{};  // checked member by member
};

struct PolicyPack {
  std::string id, name, version, path;
  std::vector<PackRule> rules{};
};
using PolicyPacks = std::vector<PolicyPack>;
Map document_of(const PolicyPack&);  // a row of loaded_policy_packs

/// Packs of the manifest in order, then those of the command line. policy_bad_value for whatever is
/// wrong with a required one; an optional one becomes a warning.
Result<PolicyPacks> load_policy_packs(const surface::Manifest&,
                                      const std::vector<std::string>& command_line, surface::Files&,
                                      std::vector<std::string>& warnings);

const PackRule* find_rule(const PolicyPacks&, std::string_view id);

/// What the rules are asked about.
struct PackScan {
  const surface::Manifest& manifest;
  const surface::Surface& surface;
  const std::vector<surface::Action>& actions;
};

/// One finding per rule and tool, in the order of rules, then of tools.
std::vector<checks::Finding> run_policy_packs(const PolicyPacks&, const PackScan&);

}  // namespace gh::release
