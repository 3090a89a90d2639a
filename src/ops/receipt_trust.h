#pragma once
// Who vouches for a receipt? A signature proves that the holder of a key made it; whether that key
// may is said by the policy of the target or by a list of keys, never by what carries the receipt.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "policy/config.h"

namespace gh::ops {

enum class Voucher : std::uint8_t {
  allowed,  // the caller's list of keys has the key that signed it
  policy,   // an actor of kind gate has that key (proposals.actors)
  ledger,   // this repository's ledger keeps it
  nobody
};
std::string_view to_string(Voucher);
/// What whoever wants to rely on it does next; empty when somebody vouches for it.
std::string_view next_step(Voucher, bool is_signed);

/// The gate whose key signed, if the policy knows it now: a receipt's own time is not signed, so it
/// is not asked. Empty otherwise.
std::string gate_with_key(const policy::ProposalPolicy&, std::string_view signer, Timestamp now);

}  // namespace gh::ops
