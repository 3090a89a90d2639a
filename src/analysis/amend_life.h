// Who is alive after a change of few files, from who used whom before it. Private to
// analysis/amend.h.
#pragma once

#include <optional>
#include <vector>

#include "analysis/amend.h"
#include "analysis/amend_conditions.h"

namespace gh::analysis {

struct LifeOfFile {
  const ChangedFile* change = nullptr;
  LifeChange life{};
};

/// The dead code of the files as they are now; `files` are those whose life_change is known, and
/// something; `added` the numbers of files that came, rising. nullopt: what was kept does not tell.
std::optional<std::vector<KeptDead>> life_again(const KeptRun&,
                                                const std::vector<LifeOfFile>& files,
                                                const std::vector<std::uint32_t>& added,
                                                const AmendSource&);

/// The file with nothing around it but what the manifests say of all.
Project alone(const KeptRun&, const AnalysedFile&, const Profile&);

}  // namespace gh::analysis
