// One run from its sources to its row in the ledger, and back from there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/canonical_report.h"
#include "analysis/compare.h"
#include "analysis/run_identity.h"
#include "ops/analysis_run.h"
#include "policy/config.h"
#include "store/ledger.h"

namespace gh::ops {

struct FinishedRun {
  analysis::RunReport report{};  // canonical: without `meta.runtime`
  std::string run_id{}, inputs_sha256{};
  std::string measured_by{};  // digest of its settings (ops/analysis_settings.h)
  std::vector<analysis::RunInput> inputs{};
  std::optional<analysis::Names> changed{};  // as whoever asked for it said, or git
};
/// The report of a run, and the id that its inputs give it.
Result<FinishedRun> finished(Scope&, const AnalysisRun&, const analysis::Annotations&);

/// Its row in the ledger, without what that keeps beside it.
store::AnalysisRunRow row_of(const Scope&, const FinishedRun&, Timestamp now);
/// Keeps the run as the latest of its root, together with its audit row.
Status store_run(Scope&, const FinishedRun&, Context&);

/// How long runs are kept, as the configuration says.
store::RunRetention run_retention(const policy::StoreConfig&, Timestamp now);
/// The audit row of what that drops.
store::AuditEvent runs_dropped(Context&);

/// Makes a run that is kept already the latest one again, by these settings and made for no change
/// in particular. False when it is not there.
bool store_again(Scope&, const std::string& run_id, const std::string& measured_by, Context&);

/// Numbers of a report that lists and trends show.
Map run_summary(const Value& report);

/// The paths that the run was made for, in the form of change control; empty when nobody said.
std::vector<std::string> recorded_changes(const store::AnalysisRunRow&);
/// The digest of the settings that it was made by; empty: it does not say, as runs of earlier
/// programs.
std::string recorded_settings(const store::AnalysisRunRow&);

/// The whole report of a stored run. run_not_found when it was dropped, ledger_unavailable when it
/// is damaged.
Result<Value> load_report(store::Ledger&, const store::AnalysisRunRow&);

/// A run to read: a stored one, or one that was made for the question.
struct KnownRun {
  std::string run_id, root, source, revision, created_utc;
  Value report;
  std::string inputs_sha256{};
  analysis::ComparedRun compared() const { return {run_id, root, report}; }
};

/// Does the place that the run read hold what it read then? A run of a revision always does.
bool is_current(const KnownRun&, Context&);
/// Where it does not, a notice says so: lines and names may be others by now.
void tell_if_old(const KnownRun&, Context&);

/// The stored runs of the repository around the context's folder.
class RunShelf {
 public:
  static Result<RunShelf> open(Context&);

  const std::string& root() const { return repo_->root(); }
  git::Repo& repo() { return *repo_; }
  /// The latest first.
  Result<std::vector<store::AnalysisRunRow>> rows(std::int64_t limit);
  /// `latest`, `previous`, an id or the beginning of one, or a revision, which is analysed now.
  /// run_not_found when there is none, run_id_ambiguous when the beginning fits several.
  Result<KnownRun> find(const std::string& word, Context&);

 private:
  RunShelf(std::unique_ptr<git::Repo> repo, std::unique_ptr<store::Ledger> ledger)
      : repo_(std::move(repo)), ledger_(std::move(ledger)) {}
  std::string nothing_yet();
  Result<KnownRun> load(const store::AnalysisRunRow&);
  Result<std::optional<store::AnalysisRunRow>> by_prefix(const std::string& word);

  std::unique_ptr<git::Repo> repo_;
  std::unique_ptr<store::Ledger> ledger_;  // null: nothing was ever stored
};

}  // namespace gh::ops
