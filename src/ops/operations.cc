#include <array>

#include "ops/analysis_rows.h"
#include "ops/change_rows.h"
#include "ops/help_rows.h"
#include "ops/hook_rows.h"
#include "ops/integration_rows.h"
#include "ops/inventory_rows.h"
#include "ops/ledger_rows.h"
#include "ops/operation.h"
#include "ops/patch_rows.h"
#include "ops/policy_rows.h"
#include "ops/proposal_rows.h"
#include "ops/receipt_rows.h"
#include "ops/release_rows.h"
#include "ops/serve_rows.h"
#include "ops/setup_rows.h"

namespace gh::ops {
namespace {

template <std::size_t... N>
constexpr auto joined(const std::array<Operation, N>&... parts) {
  std::array<Operation, (N + ...)> out{};
  std::size_t at = 0;
  const auto add = [&](const auto& part) {
    for (const Operation& row : part)
      out[at++] = row;
  };
  (add(parts), ...);
  return out;
}
constexpr auto kOperations =
    joined(kPatchRows, kLedgerRows, kPolicyRows, kAnalysisRows, kChangeRows, kHookRows,
           kProposalRows, kReleaseRows, kInventoryRows, kReceiptRows, kSetupRows, kIntegrationRows,
           kServeRows, kHelpRows);

constexpr bool rows_are_complete() {
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    const Operation& op = kOperations[i];
    if (op.summary.empty() || op.description.empty()) return false;
    const bool is_door = op.group == kIntegration || op.name == "inventory_release";
    if (op.run == nullptr && !is_door) return false;  // the program opens doors
    if (op.examples.size() < 2 || op.exit_codes.empty()) return false;
    for (std::size_t j = i + 1; j < kOperations.size(); ++j)
      if (op.name == kOperations[j].name || op.words == kOperations[j].words) return false;
  }
  return true;
}
static_assert(rows_are_complete());

}  // namespace

std::span<const Operation> operations() { return kOperations; }

}  // namespace gh::ops
