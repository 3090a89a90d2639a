#include "ops/receipt_trust.h"

#include <algorithm>
#include <array>

namespace gh::ops {
namespace {

// table: vouchers of a receipt
constexpr std::array<std::string_view, 4> kVouchers{"allowed", "policy", "ledger", "nobody"};

bool is_in_time(const policy::ActorKey& key, Timestamp now) {
  return (!key.valid_after || !(now < *key.valid_after)) &&
         (!key.valid_before || now < *key.valid_before);
}

}  // namespace

std::string_view to_string(Voucher voucher) { return kVouchers[static_cast<std::size_t>(voucher)]; }

std::string_view next_step(Voucher voucher, bool is_signed) {
  if (voucher != Voucher::nobody) return {};
  return is_signed ? "Ask whose key it is. A key that may sign goes into a file for --allowed, or "
                     "under proposals.actors of gatehouse.yaml as the key of an actor of kind gate."
                   : "Ask the repository that made it, or have receipts signed there: "
                     "store.signing_key.";
}

std::string gate_with_key(const policy::ProposalPolicy& policy, std::string_view signer,
                          Timestamp now) {
  const auto is_it = [&](const policy::ActorKey& key) {
    return key.line == signer && is_in_time(key, now);
  };
  for (const policy::RegisteredActor& actor : policy.actors)
    if (actor.kind == "gate" && std::ranges::any_of(actor.keys, is_it)) return actor.name;
  return {};
}

}  // namespace gh::ops
