// A run in which few files changed, from what the run before left behind. Parts of the report that
// the change cannot have touched are those of that run; the others are made again, by the same code
// as in any run, from what was kept of all files or, where that does not do, from all their facts.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/kept_run.h"
#include "analysis/report_change.h"
#include "model/value.h"

namespace gh::analysis {

enum class FileFate : std::uint8_t { edited, added, removed };

struct ChangedFile {
  FileFate fate = FileFate::edited;
  // Of one that came or went the other side has no facts.
  AnalysedFile before{}, after{};
  std::uint32_t file = 0;           // its number now; amend says which
  std::uint32_t kept_file = kNone;  // its number in the kept run

  const AnalysedFile& here() const { return fate == FileFate::removed ? before : after; }
};

/// Which parts of the report were made again.
struct PartsTouched {
  bool clones = false, imports = false, surfaces = false, hotspots = false;
  bool life = false;  // dead code, over the whole project
};

/// Clones, and the project that they are found in.
struct FoundClones {
  std::shared_ptr<const Project> project{};
  Findings findings{};  // of clones alone
};

/// What a change of few files can change of a run.
struct AmendedRun {
  Value report{};  // with `integrity`; each long list holds its digest
  Measures measures{};
  Health health{}, compatible{};
  PartsTouched made_again{};
  // Of the parts that were made again.
  std::optional<FoundClones> clones{};
  std::optional<Dependencies> dependencies{};
  std::optional<Map> surfaces{};  // their summary
  // What the report says otherwise than that of the kept run, and what an extract says of it.
  ReportChange change{};
  std::deque<ListChange> extract{};  // lists that `change` has as edits
  List dead_code{};                  // all of it
  // Ids of all findings of each list that is another one, by its path.
  std::map<std::string, std::vector<std::string>, std::less<>> ids{};
};

/// What stays the same between the two runs, and the way to what was not kept.
struct AmendSource {
  const Profile& profile;
  const GoldenFixtures& golden;
  std::function<std::optional<Project>()> whole;  // all files as they are now; nullopt: not so
  // One that did not change; nullopt: nothing is known of it.
  std::function<std::optional<AnalysedFile>(std::string_view path)> facts;
};

/// The kept run becomes that of the files as they are now. nullopt: that cannot be told, `why_not`
/// says what stands against it, and the kept run is of no use any more.
std::optional<AmendedRun> amend(KeptRun&, std::vector<ChangedFile>&, const AmendSource&,
                                std::string_view& why_not);

/// Its dead code as items of a run; they point into it.
std::vector<DeadItem> dead_items(const KeptRun&);

/// The number of a file; nullopt when it is none that was analysed.
std::optional<std::uint32_t> file_named(const KeptRun&, std::string_view path);

}  // namespace gh::analysis
