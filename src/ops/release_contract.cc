#include "ops/release_contract.h"

#include <array>

#include "base/product.h"
#include "release/packet.h"
#include "release/scan.h"

namespace gh::ops {
namespace {

// table: signals for a person's review
constexpr std::array<std::string_view, 15> kSignals{"release_decision.review_items",
                                                    "release_decision.contribution_rules",
                                                    "findings[].requires_human_review",
                                                    "findings[].blocks_release",
                                                    "findings[].provenance_kind",
                                                    "summary.human_review_recommended",
                                                    "action_surface_diff",
                                                    "codex_plugin_surface",
                                                    "packet.evidence_matrix.rows",
                                                    "packet.capability_intent.divergence_findings",
                                                    "packet.approval_coverage.gap_findings",
                                                    "packet.idempotency_risk.gap_findings",
                                                    "packet.scope_coverage.gap_findings",
                                                    "packet.human_in_the_loop.trace_findings",
                                                    "packet.dynamic_scenarios.scenarios"};

struct ErrorKind {
  std::string_view error;
  int exit;
};
// table: structured errors
constexpr std::array<ErrorKind, 8> kErrors{{{"config_error", 2},
                                            {"config_already_exists", 2},
                                            {"unknown_check_id", 2},
                                            {"unknown_fingerprint", 2},
                                            {"malformed_patch", 2},
                                            {"input_parse_error", 3},
                                            {"other_error", 4},
                                            {"internal_error", 5}}};

}  // namespace

Map release_contract() {
  List signals;
  for (const std::string_view signal : kSignals)
    signals.emplace_back(signal);
  return {{"contract_version", "1"},
          {"cli_version", kVersion},
          {"report_schema_version", release::kReportSchema},
          {"packet_schema_version", release::kPacketSchema},
          {"verifier_schema_version", "0.1"},
          {"baseline_schema_version", "0.5"},
          {"trigger_schema_version", "0.1"},
          {"gating_signal", "release_decision.decision"},
          {"manual_review_signals", std::move(signals)}};
}

List release_error_kinds() {
  List out;
  for (const ErrorKind& row : kErrors)
    out.emplace_back(Map{{"error", row.error}, {"exit_code", row.exit}});
  return out;
}

}  // namespace gh::ops
