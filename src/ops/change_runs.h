#pragma once
// Runs as change control reads them: the head of a run's extract, and of the rest what is asked
// for.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run_extract.h"
#include "analysis/run_identity.h"
#include "git/dirty_snapshot.h"
#include "ops/change_session.h"
#include "ops/kept_runs.h"

namespace gh::ops {

struct ControlRun {
  store::AnalysisRunRow row{};
  analysis::RunExtract extract{};  // reads from the ledger of the session that gave it

  const std::string& id() const { return row.run_id; }
  std::string short_id() const { return row.run_id.substr(0, analysis::kShortRunId); }
};

/// The latest run of the work tree whose report is still kept: not one of another revision than
/// HEAD.
Result<std::optional<ControlRun>> latest_run(ChangeSession&);
/// `latest`, an id, or the beginning of one; nullopt when it is not known. run_id_ambiguous. The
/// row alone, for those who ask what it is and not what is in it.
Result<std::optional<store::AnalysisRunRow>> run_row(ChangeSession&, const std::string& word);
Result<std::optional<ControlRun>> run_named(ChangeSession&, const std::string& word);
/// run_not_found when it is not known.
Result<ControlRun> needed_run(ChangeSession&, const std::string& word);

/// A file of the work tree as a run would read it: of a link, what it leads to.
Result<std::optional<analysis::RunInput>> input_on_disk(ChangeSession&, const std::string& path);

/// Paths whose content or mode on disk is not what the run read; at most `limit`, sorted.
Result<std::vector<std::string>> changed_since(ChangeSession&, ControlRun&,
                                               const std::vector<std::string>& paths,
                                               std::size_t limit);

/// The same of files that were read for something else, by their paths as records name them. Not of
/// links, of which a run has what they lead to.
Result<std::vector<std::string>> other_than_read(ChangeSession&, ControlRun&,
                                                 const std::vector<git::WorkFile>&);

/// run_not_found, when the policy wants runs that know the files of a scope as they are
/// (require_fresh_before_run) and this one does not.
Status check_freshness(ChangeSession&, ControlRun&, const gh::Scope&);

/// Was the run made by the settings of this policy? Not by those of whoever asked for it.
bool is_measured_by(const ControlRun&, const policy::AnalysisPolicy&);

/// Is the file source of a language that runs analyse?
bool is_analysed(std::string_view path);

/// Of a link: no file below the root stands behind it, so that no run reads it.
bool leads_out(const ChangeSession&, const std::string& path);

/// Links of the index through which runs read one of these files, as a source or as one of their
/// baselines: what is changed there is changed here as well. Sorted, none of `paths`.
Result<std::vector<std::string>> links_to(ChangeSession&, const std::vector<std::string>& paths,
                                          const std::vector<std::string>& baselines);

/// Why no run reads a file that is code, or a repository inside of this one; empty: it is read, or
/// it is no code.
std::string_view left_out_of_runs(std::string_view path, const policy::AnalysisPolicy&,
                                  bool is_repository, bool is_ignored);

}  // namespace gh::ops
