#pragma once
// refs/notes/gatehouse: where receipts stand beside the commits that they were given for.
#include <string>
#include <string_view>

#include "git/repo.h"
#include "model/value.h"

namespace gh::ops {

inline constexpr std::string_view kNotesRef = "refs/notes/gatehouse";

/// The text of a commit's note; empty: it has none. `conflict` when it is too large to be read.
/// `notes`: a commit in the place of the ref.
Result<std::string> note_of(git::Repo&, const ObjectId& commit, const std::string& notes = {});

/// Adds the receipt to the note of the commit, and keeps what others wrote there meanwhile, but for
/// receipts of `strangers`, named by digest.
Status attach_receipt(git::Repo&, const ObjectId& commit, const Map& receipt, bool rebound,
                      Timestamp now, const std::vector<std::string>& strangers = {});

}  // namespace gh::ops
