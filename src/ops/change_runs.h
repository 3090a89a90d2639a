#pragma once
// Runs as change control reads them: of every run what a start needs, and the whole report only
// where two runs are compared.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run_identity.h"
#include "ops/change_session.h"
#include "ops/kept_runs.h"

namespace gh::ops {

struct ControlRun {
  store::AnalysisRunRow row{};
  Value report{};        // the extract: analysis/run_extract.h
  std::string inputs{};  // what was read: "mode blob path", sorted by path, NUL after each

  const std::string& id() const { return row.run_id; }
  std::string short_id() const { return row.run_id.substr(0, analysis::kShortRunId); }
};

/// What is kept of a run for those who declare changes.
Value extract_document(const analysis::RunReport&, std::vector<analysis::RunInput>);

/// The latest run of the root whose report is still kept.
Result<std::optional<ControlRun>> latest_run(ChangeSession&);
/// `latest`, an id, or the beginning of one; nullopt when it is not known. run_id_ambiguous.
Result<std::optional<ControlRun>> run_named(ChangeSession&, const std::string& word);
/// run_not_found when it is not known.
Result<ControlRun> needed_run(ChangeSession&, const std::string& word);

/// The file as the run read it; nullopt when it did not.
std::optional<analysis::RunInput> input_of(const ControlRun&, std::string_view path);

/// Paths whose content or mode on disk is not what the run read; at most `limit`, sorted.
Result<std::vector<std::string>> changed_since(ChangeSession&, const ControlRun&,
                                               const std::vector<std::string>& paths,
                                               std::size_t limit);

/// Is the file source of a language that runs analyse?
bool is_analysed(std::string_view path);

}  // namespace gh::ops
