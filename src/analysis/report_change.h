// How the report of a run differs from that of the run it was told from: what is kept of it in
// place of the whole. Items of files that did not change are those of the earlier report.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::analysis {

/// Of one long list of the report: its items in these files, and nowhere else.
struct ListChange {
  std::string path;  // its members joined by '/'
  List before{}, after{};
  std::vector<std::string> files{};
};

/// A list whose items are not told apart by file (analysis/text_list.h).
struct ListEdit {
  std::string path;
  List edits{};
};

struct ReportChange {
  std::vector<std::string> files{};  // also those that are gone
  std::deque<ListChange> lists{};    // those that are there stay where they are
  std::vector<ListEdit> edits{};
  // Modules are ranked again by whoever reads: one that grew moves all the others.
  List loads{};
  std::vector<std::string> gone_modules{};
  List health{};  // its items, all of them

  ListChange& list(std::string_view path);
};

/// `report` as an amended run has it, without the digests in place of its long lists.
Value frame_of(Value report, const ReportChange&);
Value change_document(Value frame, const ReportChange&, std::string_view base_run_id);
/// Empty for a document of another kind.
std::string_view base_of(const Value& document);
/// The whole report. Whoever reads it compares its digest.
Result<Value> changed_report(Value base, Value change);

}  // namespace gh::analysis
