#pragma once
// Private to the extract of a run: the long lists of a report, and what is kept of their items.
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "model/value.h"

namespace gh::analysis {

enum class KeptIn : std::uint8_t { lines, head, nowhere };
enum class KeptItems : std::uint8_t { all, high_confidence, complex, candidates };

struct ExtractList {
  std::string_view name;  // of its lines
  std::string_view path;  // in the report
  KeptIn place = KeptIn::lines;
  std::string_view key = {};                    // member that says what a line is about
  std::array<std::string_view, 7> fields = {};  // members that are kept
  KeptItems items = KeptItems::all;
  bool is_finding = false;
};
/// Lists of findings are in the order of report_view.h.
std::span<const ExtractList> extract_lists();
const ExtractList* extract_list_named(std::string_view name);

// Lines beside those of lists.
inline constexpr std::string_view kFileRow = "file";
inline constexpr std::string_view kImportRow = "import";
inline constexpr std::string_view kInputRow = "input";      // [mode, blob] of a path
inline constexpr std::string_view kFindingRow = "finding";  // [id, novelty] of one at a path

inline constexpr std::string_view kExtractSchema = "gatehouse.run_extract/1";

/// Which part holds the lines about that.
std::size_t part_of(std::string_view key);

}  // namespace gh::analysis
