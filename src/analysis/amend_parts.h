// Parts of a report that are made again where a change of few files touched them. Private to
// analysis/amend.h.
#pragma once

#include <vector>

#include "analysis/amend_report.h"

namespace gh::analysis {

/// Which files there were, where some came or went.
struct FilesThen {
  std::vector<std::string> paths{}, came_or_went{}, gone{};
};

/// Clones and structure. `project` needs no more than thin_units.
void amend_clones(std::shared_ptr<const Project> project, const GoldenFixtures&, KeptRun&,
                  AmendedReport&, AmendedRun&);
/// The modules as they were, one name behind the other.
struct ModulesThen {
  std::string names{};
  std::vector<std::uint32_t> ends{};
};
/// Who needs whom, and which item of the kept list says so; kNone: another one does.
struct EdgesNow {
  Dependencies dependencies{};
  std::vector<std::uint32_t> items{};
};
/// From the kept edges and the imports of the changed files alone. nullopt: another file may mean
/// something else by its imports now, or its module has several files.
std::optional<EdgesNow> edges_again(const KeptRun&, const std::vector<ChangedFile>&,
                                    const ModulesThen&);
/// Imports, circles, and who is needed by how many.
void amend_dependencies(EdgesNow, const FilesThen&, KeptRun&, AmendedReport&, AmendedRun&);
/// What is beyond its limit in the changed files; circles where imports were looked at again, which
/// are those of `imports`.
void amend_design(const std::vector<ChangedFile>&, const Profile&, const Project* imports,
                  const KeptRun&, AmendedReport&, const AmendedRun&);
void amend_surfaces(const std::vector<ChangedFile>&, const KeptRun&, AmendedReport&, AmendedRun&);
/// All of it from all facts; the items stay in the kept run.
void amend_life(const Project& project, KeptRun&, AmendedReport&, AmendedRun&);

/// Classes whose methods may stand in other files, or that see those of others unnamed.
bool has_shared_classes(syntax::Language);

}  // namespace gh::analysis
