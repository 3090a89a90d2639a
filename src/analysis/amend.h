// A run in which few files changed, from what the run before left behind. Told only where it can be
// shown that nothing else changed with them; otherwise the run is made as if nothing was known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/kept_run.h"
#include "model/value.h"

namespace gh::analysis {

struct ChangedFile {
  std::uint32_t file = 0;  // of the kept run
  AnalysedFile before{}, after{};
};

/// What a change of few files can change of the numbers of a run.
struct AmendedRun {
  Value report{};  // with `integrity`; each long list holds its digest
  Measures measures{};
  Health health{}, compatible{};
};

/// The kept run becomes that of the files as they are now. nullopt: that cannot be told, and the
/// kept run is of no use any more.
std::optional<AmendedRun> amend(KeptRun&, const std::vector<ChangedFile>&, const Profile&);

/// Its dead code as items of a run; they point into it.
std::vector<DeadItem> dead_items(const KeptRun&);

}  // namespace gh::analysis
