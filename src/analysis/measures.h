// One run in numbers and names: all that health, baseline, gates and comparisons ask of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/canonical_report.h"
#include "analysis/project.h"
#include "model/value.h"

namespace gh::analysis {

using Names = std::vector<std::string>;  // sorted, unique

/// One metric over everything that it was taken of.
struct Spread {
  std::uint64_t count = 0, sum = 0, max = 0, medium = 0, high = 0;
  Names beyond{};  // those of high risk; the second of a name is "name#2"
};

struct DeadCodeMeasures {
  std::uint64_t candidates = 0;
  Names any{}, high{};  // dead with any confidence, and with high confidence
};

/// Function and block keys, as the groups of a changed scope or of a whole run.
struct CloneKeys {
  Names functions{}, blocks{};
  std::size_t size() const { return functions.size() + blocks.size(); }
  bool operator==(const CloneKeys&) const = default;
};

struct AdoptionMeasures {
  std::int64_t typing_param_permille = 0, typing_return_permille = 0, docstring_permille = 0;
  std::int64_t any_count = 0;
};

struct CoverageMeasures {
  bool is_valid = false;
  std::uint64_t hotspots = 0;
};

struct Measures {
  Names languages{};
  std::uint64_t files_found = 0, files_analysed = 0, files_skipped = 0;
  Names unreadable{};  // paths that could not be read at all
  Names unclear{};     // paths that were not analysed, or only in part

  Spread complexity{}, coupling{}, cohesion{};
  std::uint64_t graph_classes = 0, low_cohesion_graph_classes = 0;  // of two methods and more

  std::vector<Names> cycles{};
  std::uint64_t modules = 0, modules_in_cycles = 0, max_depth = 0, p95_depth = 0;
  Decimal average_depth{};

  CloneKeys clones{};
  Names near_misses{};
  std::map<std::string, Names, std::less<>> members{};      // of clone groups, qualnames by key
  std::uint64_t statements = 0, duplicated_statements = 0;  // of production files

  DeadCodeMeasures dead{};
  AdoptionMeasures adoption{};
  std::optional<Value> api_surface{};  // absent: not asked for
  Names reexports{};                   // `module:name` of what modules have from others
  bool api_strict_types = false;
  std::map<std::string, Names, std::less<>> security{};  // sorted items by category
  std::optional<CoverageMeasures> coverage{};            // absent: not asked for
};

Measures measure(const Project&, const Findings&);

/// Of the numbers above those that come from clones alone, but for `statements`; and from imports.
void measure_clones(const Project&, const Findings&, Measures&);
void measure_dependencies(const Dependencies&, Measures&);

/// The keys of groups that have an item in one of these files.
CloneKeys clone_keys_in(const Project&, const Findings&, const Names& paths);

}  // namespace gh::analysis
