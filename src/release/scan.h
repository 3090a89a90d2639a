#pragma once
// One scan of one tree: from a manifest and its files to the report (release-gate 1.2, 8). Pure but
// for what Files reads.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "checks/verification.h"
#include "release/baseline_audit.h"
#include "release/decision.h"
#include "release/gated.h"
#include "release/patches.h"
#include "release/surface_diff.h"
#include "release/surface_facts.h"
#include "surface/files.h"
#include "surface/manifest.h"
#include "wire/json_stream.h"

namespace gh::release {

inline constexpr std::string_view kReportSchema = "0.22";

/// A scan that judges a change knows these facts about its trees; who reads them is no part of it.
struct ChangeFacts {
  std::vector<std::string> changed_files{};  // from the top, both sides of a rename
  std::vector<checks::TouchedRoot> touched{};
  std::vector<std::string> removed_gates{};
  std::vector<checks::NeuteredGate> neutered{};
  std::vector<checks::BoundaryFact> boundary{};
  bool ci_gate_present = true;
  /// Accepted findings in the baseline files of both trees; nullopt: base has not been read.
  std::optional<std::set<std::string>> base_accepted{};
  std::set<std::string> head_accepted{};
};

struct ScanOptions {
  std::optional<CiMode> ci_mode{};
  std::optional<std::vector<FindingSeverity>> fail_on{};
  bool no_heuristics = false;
  std::optional<surface::Profile> profile{};
  std::vector<std::string> policy_packs{};                     // after those of the manifest
  std::string today;                                           // YYYY-MM-DD, UTC
  std::string program = "gatehouse release";                   // in commands that the report prints
  std::string manifest_dir;                                    // absolute
  std::vector<std::pair<std::string, std::string>> outputs{};  // kind -> path, of what is written
  bool has_step_summary = false;
  int gate_failure_exit = 1;
  std::optional<BaselineFile> baseline{};
  std::optional<PatchTarget> patch_target{};  // patches are wanted
  std::optional<DiffReference> diff_from{};   // else the baseline, when it carries facts
  std::optional<ChangeFacts> change{};        // the scan judges a change
  bool declares_policy = false;               // the report is the base of another scan
  bool may_leave_rows = false;                // nobody looks at the document but its writer
};

struct ScanReport {
  /// report.json, redacted, keys in their order; without `late`, which write_report puts in.
  Value document;
  ReleaseDecision decision;
  Findings findings;
  std::int64_t tool_count = 0;
  List evidence_sources{};  // of people in the loop, redacted: what only a fresh scan knows
  /// What it was made from. To take thousands of tools apart takes a while, which a process that
  /// ends anyway need not spend: it keeps them.
  std::shared_ptr<const void> workings{};
  std::vector<LateRows> late{};
};
void write_report(const ScanReport&, const wire::Sink&);

/// Errors are those of loading and of the manifest; a finding is never one.
Result<ScanReport> scan(const surface::Manifest&, surface::Files&, const ScanOptions&);

}  // namespace gh::release
