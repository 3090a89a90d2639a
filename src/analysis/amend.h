// A run in which few files changed, from what the run before left behind. Told only where it can be
// shown that nothing else changed with them; otherwise the run is made as if nothing was known.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/kept_run.h"
#include "analysis/report_change.h"
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
  // What the report says otherwise than that of the kept run, and what an extract says of it.
  ReportChange change{};
  ListChange candidates{};              // modules that became overloaded, or are so no more
  List dead_code{};                     // all of it
  std::vector<std::string> dead_ids{};  // of its findings
};

/// The kept run becomes that of the files as they are now. nullopt: that cannot be told, `why_not`
/// says what stands against it, and the kept run is of no use any more.
std::optional<AmendedRun> amend(KeptRun&, const std::vector<ChangedFile>&, const Profile&,
                                std::string_view& why_not);

/// Its dead code as items of a run; they point into it.
std::vector<DeadItem> dead_items(const KeptRun&);

}  // namespace gh::analysis
