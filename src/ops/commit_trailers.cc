// What the message of a commit says of the gate, held against what is kept. Anybody can write a
// message; hooks that check it can be skipped.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/git_hook.h"
#include "ops/members.h"
#include "ops/receipt_find.h"

namespace gh::ops {
namespace {

constexpr std::string_view kReceiptKey = "Gatehouse-Receipt", kDecisionKey = "Gatehouse-Decision";

constexpr std::string_view kBypassed = "bypassed";

/// Of a decision that only a receipt can prove.
bool claims_acceptance(const std::vector<std::string>& decisions) {
  return std::ranges::any_of(decisions, [](const std::string& word) { return word != kBypassed; });
}

Result<TrailerAnswer> check_receipt(git::Repo& repo, store::Ledger* ledger,
                                    const git::Commit& commit, const std::string& notes) {
  const auto receipts = trailers(commit.message, kReceiptKey);
  if (receipts.empty()) {
    if (!claims_acceptance(trailers(commit.message, kDecisionKey))) return TrailerAnswer{};
    return TrailerAnswer{.defect = fmt::format("it says {} and names no receipt", kDecisionKey)};
  }
  if (receipts.size() > 1)
    return TrailerAnswer{.defect =
                             fmt::format("{} stands there {} times", kReceiptKey, receipts.size())};
  GH_TRY(found, find_receipt(repo, ledger, {.named = commit.id.hex(), .notes = notes}));
  if (found.status == Lookup::not_found) return TrailerAnswer{.is_known = false};
  if (found.status != Lookup::ok) return TrailerAnswer{.defect = found.message};
  if (found.binding == runs::Binding::other)
    return TrailerAnswer{.defect = fmt::format("receipt {} was given for another change",
                                               printable(found.digest, 100))};
  if (text_in(found.receipt, "decision") != "allow")
    return TrailerAnswer{.defect = fmt::format("receipt {} lets nothing in", found.digest)};
  return TrailerAnswer{};
}

}  // namespace

Result<TrailerAnswer> check_trailers(git::Repo& repo, store::Ledger* ledger,
                                     const git::Commit& commit, const std::string& notes) {
  GH_TRY(out, check_receipt(repo, ledger, commit, notes));
  const auto decisions = trailers(commit.message, kDecisionKey);
  out.says_bypassed = std::ranges::find(decisions, kBypassed) != decisions.end();
  return std::move(out);
}

}  // namespace gh::ops
