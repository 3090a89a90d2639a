// Who is concerned when files change: a pure function of a run's report (analysis reference, "Blast
// radius").
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::analysis {

/// Parts of an answer that may be left out.
enum class BlastLane : std::uint8_t {
  imports,
  clone_cohorts,
  coverage,
  risk_signals,
  do_not_touch,
  review_context,
  cycles,
};
inline constexpr std::size_t kBlastLaneCount = static_cast<std::size_t>(BlastLane::cycles) + 1;
std::string_view to_string(BlastLane);

enum class RadiusLevel : std::uint8_t { low, medium, high };
std::string_view to_string(RadiusLevel);
RadiusLevel radius_level(std::size_t concerned);

struct BlastQuestion {
  std::vector<std::string> files{};  // paths of the run
  bool transitive = false;
  std::vector<std::string> forbidden{};               // patterns
  std::optional<std::vector<std::string>> allowed{};  // paths that may be changed
  std::optional<std::set<BlastLane>> include{};       // none: everything
};

struct BlastEntry {
  std::string path;
  std::string_view reason, category, severity;
};

struct Guardrail {
  std::string_view code, text;
};

struct BlastRadius {
  std::vector<std::string> origin{};  // every list of paths is sorted
  bool transitive = false;
  std::vector<std::string> direct_dependents{}, transitive_dependents{}, clone_cohort_members{};
  std::vector<std::string> in_dependency_cycle{};
  RadiusLevel level = RadiusLevel::low;
  std::vector<std::string> high_complexity{}, high_coupling{}, low_coverage{}, overloaded{};
  std::vector<BlastEntry> do_not_touch{}, review_context{};
  std::vector<Guardrail> guardrails{};
};
BlastRadius blast_radius(const Value& report, const BlastQuestion&);

/// The module that a file is; empty for one of no language.
std::string module_at(const std::string& path);

/// The files of a run by its modules. What a language calls a module may be many files.
class ModuleFiles {
 public:
  explicit ModuleFiles(const Value& report);
  /// Of these modules alone.
  ModuleFiles(const std::vector<std::string>& paths,
              const std::set<std::string, std::less<>>& modules);
  const std::string& module_of(
      const std::string& path) const;  // empty when the run has no such file
  /// Of a module that the run does not have, the path that it might have.
  std::vector<std::string> files_of(std::string_view module) const;

 private:
  std::map<std::string, std::string, std::less<>> modules_{};
  std::map<std::string, std::vector<std::string>, std::less<>> files_{};
};

/// All lists, those of entries cut to what a reader can take in, with their counts.
Map blast_document(const BlastRadius&);

/// What is stored with a declared change. `matches(path, pattern)` is asked for `forbidden`.
Map blast_summary(const BlastRadius&, const std::vector<std::string>& forbidden,
                  const std::function<bool(std::string_view, std::string_view)>& matches);

/// Files that hold decisions and state of Gatehouse, and of tools that a repository may come from.
std::vector<std::string_view> state_artifacts();

}  // namespace gh::analysis
