// Two runs side by side (analysis reference, "Comparing two runs"): what came, what went, what got
// worse. A pure function of two canonical reports; baselines play no part.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::analysis {

/// What a comparison knows of a run besides its report.
struct ComparedRun {
  std::string run_id;  // 64 hex digits
  std::string root;    // what was analysed: runs of other places are not comparable
  const Value& report;
};

enum class Focus : std::uint8_t { all, clones, structural, metrics };
std::optional<Focus> focus_named(std::string_view);

enum class RunVerdict : std::uint8_t { incomparable, stable, improved, regressed, mixed };
std::string_view to_string(RunVerdict);
/// The verdict of two comparable runs.
RunVerdict verdict_of(bool negative, bool positive);

struct ComparedFinding {
  std::string id, short_id, family, kind, severity;
  std::vector<std::string> paths{};  // sorted
  std::string place{};               // path:line of the first
  std::string unread{};              // of a file that could not be read: its status in the report
};

/// A clone group that is in both runs and has members that it had not.
struct GrownClones {
  std::string id, short_id;
  std::vector<std::string> new_members{};  // qualnames
};

/// One symbol that is in both runs with another value.
struct SymbolChange {
  std::string_view family;
  std::string path, symbol;
  std::int64_t before = 0, after = 0;
  std::int64_t delta() const { return after - before; }
};

/// What an inventory gained and lost: security surfaces, names of the public interface.
struct InventoryChange {
  struct Counts {
    std::int64_t added = 0, removed = 0;
    bool operator==(const Counts&) const = default;
  };
  std::string_view family;
  std::vector<std::string> added{}, removed{};               // sorted
  std::map<std::string, Counts, std::less<>> by_category{};  // empty where there are none
};

struct RunHealth {
  std::optional<std::int64_t> score{}, tenths{};
};
/// Empty as long as the report has no health family.
RunHealth run_health(const Value& report);

struct RunComparison {
  std::string before_id, after_id;
  RunHealth before, after;
  bool comparable = true;
  std::string_view reason{};  // why not
  RunVerdict verdict = RunVerdict::stable;
  std::vector<ComparedFinding> regressions{}, improvements{};  // by canonical id
  std::int64_t unchanged = 0, unknown = 0;
  std::vector<std::string> partial_paths{};
  std::vector<GrownClones> grown{};
  std::vector<SymbolChange> worsened{};  // by delta, greatest first
  std::vector<SymbolChange> eased{};     // the other way
  std::vector<SymbolChange> coverage{};  // greatest loss first; decides nothing
  std::vector<InventoryChange> inventories{};
  List suppressions_added{};  // what they cover is compared as if they were not there
  /// Symbols that came to be findings, hidden by a comment that the earlier run has too. They judge
  /// nobody.
  std::vector<ComparedFinding> hidden{};

  std::optional<std::int64_t> health_delta() const;
  std::optional<std::int64_t> health_delta_tenths() const;
};

RunComparison compare_runs(const ComparedRun& before, const ComparedRun& after, Focus = Focus::all);

inline constexpr std::size_t kShownSymbols = 20;  // of worsened and eased ones
inline constexpr std::size_t kShortRunId = 8;

/// gatehouse.run_comparison/1 but for its frame.
Map comparison_document(const RunComparison&);
/// One line.
std::string summary_of(const RunComparison&);

/// Files of which not everything could be read: `partial`, or the status of one that was left out.
std::map<std::string, std::string, std::less<>> unread_files(const Value& report);

/// The settings that two runs must share: mode, thresholds, versions, languages.
Value comparison_settings(const Value& report);

}  // namespace gh::analysis
