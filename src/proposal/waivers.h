#pragma once
// What a reviewer may let pass with a reason (proposals 3.6). A waiver is part of a review with the
// verdict ok, so it is bound to the digest, counts as long as the review counts, and is signed with
// it. It stands among the reasons as `waive:<code>`, which no --reason can spell.
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/proposal.h"

namespace gh::proposal {

bool is_waivable(std::string_view code);

/// "CODE:REASON" as a reason of a review; bad_argument when the code cannot be waived or the reason
/// says nothing.
Result<ReviewReason> read_waiver(std::string_view text);

/// Codes waived by these reviews, which must be the ones that count; sorted, each once.
std::vector<std::string> waived_codes(const std::vector<Review>& counting);

/// Would these waivers have let in what was refused for `failed`? Nothing failed: no.
bool lift_refusal(const std::vector<std::string>& waived, const std::vector<std::string>& failed);

}  // namespace gh::proposal
