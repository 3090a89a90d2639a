#pragma once
// A promotion told three times: by the trailers of its commit, by its receipt and by the record.
// They must say the same (proposals 10).
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/proposal_evidence.h"

namespace gh::ops {

struct Trailer {
  std::string key, value;
};

/// A review as receipts and trailers name it.
struct NamedReview {
  std::string reviewer, sha256;
};
/// The trailers of a promotion's commit, in order: what is written, and what must stand there.
std::vector<Trailer> trailers_of(std::string_view patch_id, std::string_view receipt_digest,
                                 std::string_view agent, const std::vector<NamedReview>&,
                                 std::string_view promoter);
/// What the commit of a promotion must say.
std::vector<Trailer> promotion_trailers(const Record&, std::string_view receipt_digest,
                                        const Map& receipt);

/// The first line in which the last paragraph of `message` differs from them.
std::optional<std::string> trailer_defect(std::string_view message, const std::vector<Trailer>&);

/// Members of a receipt that are not what the record says, each with its place.
std::vector<std::string> receipt_defects(const Record&, const Map& receipt);

/// Everything in which the commits, the receipt and the record of a promotion differ.
std::vector<RecordFault> promotion_faults(git::Repo&, const Record&);

/// promotion_faults of every promotion that the chain or the records tell of.
struct PromotionCheck {
  std::int64_t promotions = 0;
  std::vector<RecordFault> faults{};
};
Result<PromotionCheck> check_promotions(git::Repo&, store::Ledger&);
Result<PromotionCheck> check_promotions(git::Repo&, const MirroredChain&);

}  // namespace gh::ops
