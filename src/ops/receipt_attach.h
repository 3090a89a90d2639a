#pragma once
// A receipt beside the commit that it was given for.
#include <string>

#include "ops/change_session.h"

namespace gh::ops {

/// Writes the note and its audit row. digest_mismatch when the commit holds another change.
Status attach_to_commit(ChangeSession&, Context&, const ObjectId& commit, const std::string& digest,
                        const Map& receipt);

}  // namespace gh::ops
