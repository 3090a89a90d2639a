#pragma once
// The tree that an accepted patch gives, made by git where nobody else looks.
#include "git/quarantine.h"
#include "ops/patch_session.h"

namespace gh::ops {

/// The blobs of the candidate, in a quarantine of its own.
Status write_candidate(PatchSession&, const git::Quarantine&, const patch::Outcome&);

}  // namespace gh::ops
