#include "ops/receipt_trust.h"

#include <gtest/gtest.h>

namespace gh::ops {
namespace {

const std::string kKey = "ssh-ed25519 AAAA";

policy::ProposalPolicy with_actor(const std::string& kind, std::optional<Timestamp> after = {},
                                  std::optional<Timestamp> before = {}) {
  policy::RegisteredActor actor;
  actor.name = "desk";
  actor.kind = kind;
  actor.keys = {{kKey, after, before}};
  policy::ProposalPolicy out;
  out.actors = {actor};
  return out;
}

// docs/formats/receipt.md, "Who vouches for it"
TEST(ReceiptTrust, FourMayVouchAndWhereNobodyDoesThereIsAStep) {
  EXPECT_EQ(to_string(Voucher::allowed), "allowed");
  EXPECT_EQ(to_string(Voucher::policy), "policy");
  EXPECT_EQ(to_string(Voucher::ledger), "ledger");
  EXPECT_EQ(to_string(Voucher::nobody), "nobody");
  for (const bool is_signed : {false, true}) {
    for (const Voucher voucher : {Voucher::allowed, Voucher::policy, Voucher::ledger})
      EXPECT_TRUE(next_step(voucher, is_signed).empty());
    EXPECT_FALSE(next_step(Voucher::nobody, is_signed).empty());
  }
}

TEST(ReceiptTrust, OnlyAGateWithAKeyThatIsValidNowCounts) {
  const Timestamp now{1'000};
  EXPECT_EQ(gate_with_key(with_actor("gate"), kKey, now), "desk");
  EXPECT_EQ(gate_with_key(with_actor("human"), kKey, now), "");
  EXPECT_EQ(gate_with_key(with_actor("agent"), kKey, now), "");
  EXPECT_EQ(gate_with_key(with_actor("gate"), "ssh-ed25519 BBBB", now), "");
  EXPECT_EQ(gate_with_key(with_actor("gate", Timestamp{1'000}, Timestamp{1'001}), kKey, now),
            "desk");
  EXPECT_EQ(gate_with_key(with_actor("gate", Timestamp{1'001}), kKey, now), "");
  EXPECT_EQ(gate_with_key(with_actor("gate", {}, Timestamp{1'000}), kKey, now), "");
}

}  // namespace
}  // namespace gh::ops
