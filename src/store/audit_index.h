#pragma once
// Which proposals an audit row is about: what the table audit_proposals holds beside the chain.
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::store {

/// The `proposal_id` of the subject: a string, or a list of them. Sorted, each once.
std::vector<std::string> proposals_named(const Map& subject);

/// Whether `sha256`, in hex and with or without its tag, is the digest of `bytes`.
bool is_digest_of(std::string_view sha256, std::string_view bytes);

}  // namespace gh::store
