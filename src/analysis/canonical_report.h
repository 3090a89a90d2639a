// The document of a run. What is digested depends on the sources and the profile alone: not on
// threads, caches, clocks, folders or machines.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/adoption.h"
#include "analysis/api_surface.h"
#include "analysis/blocks.h"
#include "analysis/clone_documents.h"
#include "analysis/clones.h"
#include "analysis/coverage.h"
#include "analysis/dead_code.h"
#include "analysis/dependencies.h"
#include "analysis/metric_families.h"
#include "analysis/overloaded_modules.h"
#include "analysis/project.h"
#include "analysis/surfaces.h"
#include "model/value.h"

namespace gh::analysis {

struct Findings {
  std::vector<CloneGroup> function_clones{};
  std::vector<BlockGroup> block_clones{};
  std::size_t blocks_left_out = 0;
  Segments segments{};
  NearMisses near_misses{};
  Structural structural{};
  GoldenClones golden{};  // no longer in the lists above
  Dependencies dependencies{};
  DeadCode dead_code{};
  Adoption adoption{};
  ApiSurface api_surface{};                // empty unless the profile asks for it
  std::optional<CoverageJoin> coverage{};  // absent: not asked for
  std::vector<Surface> surfaces{};
  OverloadedModules overloaded{};
  std::vector<CloneGroup> suppressed_functions{};
  std::vector<BlockGroup> suppressed_blocks{};
  std::vector<SegmentGroup> suppressed_segments{};
  std::vector<NearMissGroup> suppressed_near_misses{};
  Structural suppressed_structural{};
};
/// `jobs` as in run_all.
Findings find_all(const Project&, const GoldenFixtures& = {}, unsigned jobs = 1);
/// And who uses whom, where that is to be kept.
Findings find_all(const Project&, const GoldenFixtures&, unsigned jobs, UseGraph* uses);

/// Clones of every family, and what is drawn from them; the other findings stay as they are.
void find_clones(const Project&, const GoldenFixtures&, Findings&);
/// The same as the report lists it, with what was left out on request.
struct CloneLists {
  Map clones{}, suppressed_clones{};  // one list per family
  List structural{}, suppressed_structural{};
  std::size_t suppressed() const;  // clones
};
CloneLists clone_lists(const Project&, const Findings&);
List suppressed_dead_groups(const DeadCode&);

struct Annotations;

/// A report without its longest lists: what they hold is made while it is written. They point into
/// the project and its findings.
struct RunReport {
  Value frame{};
  const Findings* findings = nullptr;          // metrics: adoption, dead code, dependencies, loads
  std::vector<ScoredUnit> units{};             // metrics: complexity
  std::vector<const DeadItem*> ranked_dead{};  // findings: dead code
};
RunReport run_report(const Project&, const Findings&, const Annotations&, unsigned jobs = 1);
std::string canonical_bytes(const RunReport&);
/// Every item of the list at that path of the report, its members joined by '/'; also of one that
/// is made late. Nothing where the report has no such list.
void for_each_item(const RunReport&, std::string_view path,
                   const std::function<void(const Value&)>&);
/// The same, each as canonical JSON.
void for_each_text(const RunReport&, std::string_view path,
                   const std::function<void(std::string_view)>&);
Value whole_report(RunReport);

/// `integrity` holds the SHA-256 of the canonical JSON of everything else but `derived`.
Value canonical_report(const Project&, const Findings&, const Annotations&);
/// With its health, and compared with nothing.
Value canonical_report(const Project&, const Findings&);

}  // namespace gh::analysis
