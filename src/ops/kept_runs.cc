#include "ops/kept_runs.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/extract_change.h"
#include "analysis/report_digest.h"
#include "analysis/report_view.h"
#include "analysis/run_extract.h"
#include "base/digest.h"
#include "base/sorted.h"
#include "base/text.h"
#include "control/scope_paths.h"
#include "model/actor.h"
#include "ops/amended_analysis.h"
#include "ops/analyze_judgement.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "store/run_base.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using store::AnalysisRunRow;

constexpr std::string_view kChangedPaths = "changed_paths",
                           kMeasuredBy = "measured_by";  // of a summary
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::size_t kRunIdDigits = 64;
constexpr std::int64_t kDaySeconds = 86'400, kReportsKept = 10;

Value family_number(const Value& report, std::string_view family, std::string_view key) {
  const Value* value = analysis::member(report, {"metrics", "families", family, "summary", key});
  return value == nullptr ? Value() : *value;
}

AnalysisRunRow row_of(const Scope& scope, const Value& report, const std::string& run_id,
                      const std::string& inputs_sha256, const std::string& measured_by,
                      const std::string& now) {
  return {.root = utf8_or_escaped(scope.root),
          .run_id = run_id,
          .source = std::string(to_string(scope.from)),
          .revision = utf8_or_escaped(scope.revision),
          .tree = scope.tree,
          .inputs_sha256 = inputs_sha256,
          .report_digest = analysis::stated_digest(report),
          .settings_sha256 = analysis::settings_digest(report),
          .report_sha256 = {},
          .summary = run_summary(report).set(std::string(kMeasuredBy), measured_by),
          .extract_sha256 = {},
          .created_utc = now,
          .seen_utc = now};
}

Value in_change_control(const analysis::Names& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths)
    out.push_back(control::path_from_git(path));
  sort_unique(out);
  return string_list(out);
}

tl::unexpected<Error> no_run(std::string_view message) {
  return fail(Code::run_not_found, std::string(message));
}

}  // namespace

Result<FinishedRun> finished(Scope& scope, const AnalysisRun& run,
                             const analysis::Annotations& annotations) {
  analysis::RunDigests digests;
  return finished(scope, run, annotations, digests);
}

Result<FinishedRun> finished(Scope& scope, const AnalysisRun& run,
                             const analysis::Annotations& annotations,
                             analysis::RunDigests& digests) {
  FinishedRun out{.report = analysis::run_report(run.project, run.findings, annotations,
                                                 static_cast<unsigned>(run.policy.jobs), digests)};
  GH_TRY(inputs, scope.files->inputs());
  out.inputs_sha256 = analysis::inputs_digest(inputs);
  out.run_id = analysis::run_id_of(out.report.frame, inputs, run.baseline.sha256);
  out.inputs = std::move(inputs);
  out.measured_by = measured_by(run);
  out.changed = run.changed;
  return out;
}

namespace {

store::Change completed(AnalysisRunRow row, Timestamp now, Context& context) {
  store::Change out{.events = {{.ts = now,
                                .event = "analysis.completed",
                                .actor = to_value(local_actor(context.env.user_id())),
                                .surface = context.surface,
                                .subject = Map{{"run_id", row.run_id}},
                                .payload = Map{{"report_digest", row.report_digest},
                                               {"inputs_sha256", row.inputs_sha256},
                                               {"settings_sha256", row.settings_sha256}}}}};
  out.analysis_run = std::move(row);
  return out;
}

}  // namespace

namespace {

/// A run is kept whatever becomes of old ones.
void drop_old(store::Ledger& ledger, const Scope& scope, Context& context) {
  if (const auto config = store_config(*scope.repo))
    (void)ledger.drop_analysis_runs(run_retention(*config, context.env.now()),
                                    runs_dropped(context));
}

}  // namespace

AnalysisRunRow row_of(const Scope& scope, const FinishedRun& run, Timestamp now) {
  return row_of(scope, run.report.frame, run.run_id, run.inputs_sha256, run.measured_by,
                to_string(now));
}

Status store_run(Scope& scope, const FinishedRun& run, Context& context) {
  GH_TRY(ledger, open_ledger(*scope.repo, context.env));
  const Timestamp now = context.env.now();
  AnalysisRunRow row = row_of(scope, run, now);
  if (run.changed)
    row.summary.as_map()->set(std::string(kChangedPaths), in_change_control(*run.changed));
  std::string bytes = analysis::canonical_bytes(run.report);
  // What could not be read again is not kept; the extract is.
  const bool is_readable = bytes.size() <= wire::JsonLimits{}.max_bytes;
  if (is_readable) row.report_sha256 = digest_of(bytes).hex();
  store::Blob blob{row.report_sha256, std::move(bytes)};
  analysis::ExtractBytes extract = analysis::extract_bytes(run.report, run.inputs);
  row.extract_sha256 = digest_of(extract.head).hex();
  store::Blob extract_blob{row.extract_sha256, std::move(extract.head)};
  store::Change change = completed(std::move(row), now, context);
  if (is_readable) change.blobs.push_back(std::move(blob));
  change.blobs.push_back(std::move(extract_blob));
  change.run_parts = std::move(extract.parts);
  GH_DO(ledger->commit(change, store::Durability::durable));
  drop_old(*ledger, scope, context);
  return {};
}

namespace {

/// The row with that very id; nullopt when it is not there, or its report is not.
Result<std::optional<AnalysisRunRow>> kept_row(store::Ledger& ledger, const std::string& root,
                                               std::string_view run_id) {
  GH_TRY(rows, ledger.analysis_runs({.root = root, .prefix = std::string(run_id), .limit = 1}));
  if (rows.empty() || rows.front().report_sha256.empty() || rows.front().extract_sha256.empty())
    return std::nullopt;
  return std::move(rows.front());
}

void add_blob(store::Change& change, std::string& named, std::string bytes) {
  named = digest_of(bytes).hex();
  change.blobs.push_back({named, std::move(bytes)});
}

Status commit_amended(store::Ledger& ledger, const Scope& scope, const AmendedAnalysis& run,
                      const std::string& measured_by, Context& context) {
  const std::string root = utf8_or_escaped(scope.root);
  GH_TRY(base, kept_row(ledger, root, run.base_run_id));
  if (!base) return no_run("the run before is not kept");
  GH_TRY(head, ledger.blob(base->extract_sha256));
  if (!head) return no_run("the run before is not kept");
  const auto read = [&](std::size_t part, std::string_view) -> Result<std::string> {
    GH_TRY(bytes, ledger.run_part(*base, static_cast<std::int64_t>(part)));
    if (!bytes) return no_run("the run before is not kept");
    return std::move(*bytes);
  };
  const analysis::AmendedRun& amended = run.run;
  const Value frame = analysis::frame_of(amended.report, amended.change);
  analysis::ExtractChange change{.lists = amended.change.lists,
                                 .inputs = run.changed,
                                 .dead_code = amended.dead_code,
                                 .ids = amended.ids};
  change.lists.insert(change.lists.end(), amended.extract.begin(), amended.extract.end());
  GH_TRY(extract, analysis::changed_extract(*head, read, frame, change));
  const Timestamp now = context.env.now();
  store::Change out =
      completed(row_of(scope, frame, run.run_id, analysis::inputs_digest(run.inputs), measured_by,
                       to_string(now)),
                now, context);
  add_blob(out, out.analysis_run->report_sha256,
           wire::canonical_json(analysis::change_document(frame, amended.change, run.base_run_id)));
  add_blob(out, out.analysis_run->extract_sha256, std::move(extract.head));
  out.run_parts = std::move(extract.parts);
  out.run_parts.resize(store::kBasePart + 1);
  out.run_parts[store::kBasePart] = run.base_run_id;
  return ledger.commit(out, store::Durability::durable).map([](std::int64_t) {});
}

}  // namespace

bool store_amended(Scope& scope, const AmendedAnalysis& run, const std::string& measured_by,
                   Context& context) {
  if (scope.repo == nullptr) return false;
  const auto ledger = open_ledger(*scope.repo, context.env);
  if (!ledger || !commit_amended(**ledger, scope, run, measured_by, context)) return false;
  drop_old(**ledger, scope, context);
  return true;
}

store::RunRetention run_retention(const policy::StoreConfig& config, Timestamp now) {
  return {.before = Timestamp{now.seconds - config.run_days * kDaySeconds},
          .reports_kept = std::min(kReportsKept, config.runs_kept),
          .rows_kept = config.runs_kept};
}

store::AuditEvent runs_dropped(Context& context) {
  return {.ts = context.env.now(),
          .event = "analysis.dropped",
          .actor = to_value(local_actor(context.env.user_id())),
          .surface = context.surface,
          .subject = {},
          .payload = {}};
}

bool store_again(Scope& scope, const std::string& run_id, const std::string& measured_by,
                 Context& context) {
  if (scope.repo == nullptr || run_id.empty()) return false;
  const auto ledger = open_ledger(*scope.repo, context.env);
  if (!ledger) return false;
  auto rows =
      (*ledger)->analysis_runs({.root = utf8_or_escaped(scope.root), .prefix = run_id, .limit = 1});
  if (!rows || rows->empty() || rows->front().extract_sha256.empty()) return false;
  AnalysisRunRow row = std::move(rows->front());
  const Timestamp now = context.env.now();
  row.seen_utc = to_string(now);
  row.source = to_string(scope.from);  // the same files may have been read from elsewhere before
  row.revision = utf8_or_escaped(scope.revision);
  row.tree = scope.tree;
  row.summary.as_map()->erase(kChangedPaths);
  row.summary.as_map()->set(std::string(kMeasuredBy), measured_by);
  return (*ledger)
      ->commit(completed(std::move(row), now, context), store::Durability::durable)
      .has_value();
}

Map run_summary(const Value& report) {
  const analysis::RunHealth health = analysis::run_health(report);
  const auto number = [&](std::initializer_list<std::string_view> path) {
    const Value* value = analysis::member(report, path);
    return value == nullptr ? Value() : *value;
  };
  return Map{{"files", number({"inventory", "files", "total_found"})},
             {"lines", number({"inventory", "code", "parsed_lines"})},
             {"findings", number({"findings", "summary", "total"})},
             {"families", number({"findings", "summary", "families"})},
             {"health", health.score ? Value(*health.score) : Value()},
             {"complexity_average", family_number(report, "complexity", "average")},
             {"complexity_max", family_number(report, "complexity", "max")},
             {"complexity_high", family_number(report, "complexity", "high_risk")},
             {"coupling_max", family_number(report, "coupling", "max")},
             {"cohesion_max", family_number(report, "cohesion", "max")},
             {"cycles", family_number(report, "dependencies", "cycles")}};
}

std::vector<std::string> recorded_changes(const AnalysisRunRow& row) {
  return texts_in(row.summary, kChangedPaths);
}

std::string recorded_settings(const AnalysisRunRow& row) {
  return text_in(row.summary, kMeasuredBy);
}

Result<RunShelf> RunShelf::open(Context& context) {
  GH_TRY(repo, repo_around(context.cwd, context));
  auto kept = std::make_unique<git::Repo>(std::move(repo));
  GH_TRY(ledger, open_ledger_to_read(*kept, context.env));
  return RunShelf(std::move(kept), std::move(ledger));
}

Result<std::vector<AnalysisRunRow>> RunShelf::rows(std::int64_t limit) {
  if (ledger_ == nullptr) return std::vector<AnalysisRunRow>();
  return ledger_->analysis_runs({.root = utf8_or_escaped(root()), .limit = limit});
}

/// Of this root before those of others; nullopt when none begins like that.
Result<std::optional<AnalysisRunRow>> RunShelf::by_prefix(const std::string& word) {
  if (ledger_ == nullptr || word.size() > kRunIdDigits ||
      word.find_first_not_of(kHexDigits) != std::string::npos)
    return std::nullopt;
  for (const std::string& of : {utf8_or_escaped(root()), std::string()}) {
    GH_TRY(found, ledger_->analysis_runs({.root = of, .prefix = word, .limit = 2}));
    if (found.empty()) continue;
    if (found.size() > 1 && found[0].run_id != found[1].run_id)
      return fail(Code::run_id_ambiguous, fmt::format("'{}' begins the ids of several runs", word));
    return std::move(found.front());
  }
  return std::nullopt;
}

namespace {

constexpr std::size_t kMaxBases = 8;  // as deep as the ledger looks for parts

/// As it is kept: a report, or how one differs from that of another run.
Result<Value> kept_report(store::Ledger& ledger, const AnalysisRunRow& row) {
  GH_TRY(bytes, ledger.blob(row.report_sha256));
  if (!bytes) return fail(Code::json_invalid, "it is gone");
  return wire::read_own_json(*bytes, "report");
}

Result<Value> whole_report_of(store::Ledger& ledger, const AnalysisRunRow& row) {
  std::vector<Value> changes;
  GH_TRY(report, kept_report(ledger, row));
  while (!analysis::base_of(report).empty()) {
    if (changes.size() == kMaxBases) return fail(Code::json_invalid, "it has no beginning");
    GH_TRY(base, kept_row(ledger, row.root, analysis::base_of(report)));
    if (!base) return fail(Code::json_invalid, "what it was told from is gone");
    changes.push_back(std::move(report));
    GH_TRY(before, kept_report(ledger, *base));
    report = std::move(before);
  }
  for (; !changes.empty(); changes.pop_back()) {
    GH_TRY(whole, analysis::changed_report(std::move(report), std::move(changes.back())));
    report = std::move(whole);
  }
  return std::move(report);
}

}  // namespace

Result<Value> load_report(store::Ledger& ledger, const AnalysisRunRow& row) {
  const std::string short_id = row.run_id.substr(0, analysis::kShortRunId);
  if (row.report_sha256.empty())
    return no_run(fmt::format(
        "the report of run {} is not kept: its time is over (store.run_days), or it is larger than "
        "{} MiB; its numbers stand in 'gatehouse runs trend', and 'gatehouse runs show REVISION' "
        "makes it anew",
        short_id, wire::JsonLimits{}.max_bytes >> 20U));
  auto report = whole_report_of(ledger, row);
  if (!report || analysis::report_digest(*report) != row.report_digest)
    return fail(Code::ledger_unavailable,
                fmt::format("the report of run {} cannot be read, or is another one", short_id));
  return std::move(*report);
}

Result<KnownRun> RunShelf::load(const AnalysisRunRow& row) {
  GH_TRY(report, load_report(*ledger_, row));
  return KnownRun{row.run_id,      row.root,          row.source,       row.revision,
                  row.created_utc, std::move(report), row.inputs_sha256};
}

/// Somebody who analysed one folder is told how to ask about that run.
std::string RunShelf::nothing_yet() {
  constexpr std::string_view kNone = "there is no run yet; 'gatehouse analyze' makes one";
  if (ledger_ == nullptr) return std::string(kNone);
  const auto others = ledger_->analysis_runs({.limit = 1});
  if (!others || others->empty()) return std::string(kNone);
  return fmt::format(
      "there is no run of {} yet, 'gatehouse analyze' makes one; the latest run is of {}, name it "
      "by "
      "its id {}",
      printable(root(), 200), printable(others->front().root, 200),
      others->front().run_id.substr(0, analysis::kShortRunId));
}

Result<KnownRun> RunShelf::find(const std::string& word, Context& context) {
  if (word == "latest" || word == "previous") {
    const std::size_t back = word == "latest" ? 0 : 1;
    GH_TRY(latest, rows(2));
    if (latest.empty()) return fail(Code::run_not_found, nothing_yet());
    if (latest.size() <= back)
      return no_run("there is only one run; name a revision instead, for example HEAD");
    return load(latest[back]);
  }
  GH_TRY(stored, by_prefix(word));
  if (stored) return load(*stored);
  if (!repo_->objects().commit(word))
    return no_run(fmt::format("'{}' is neither a run nor a revision", printable(word, 100)));
  GH_TRY(scope, open_scope({.path = {}, .revision = word}, context));
  GH_TRY(measured, run_analysis(scope, nullptr, context));
  GH_TRY(run, finished(scope, measured, judge(measured).annotations));
  return KnownRun{run.run_id,
                  utf8_or_escaped(scope.root),
                  std::string(to_string(scope.from)),
                  word,
                  to_string(context.env.now()),
                  analysis::whole_report(std::move(run.report)),
                  run.inputs_sha256};
}

bool is_current(const KnownRun& run, Context& context) {
  if (!run.revision.empty()) return true;
  const auto scope = open_scope({.path = run.root, .staged = run.source == "index"}, context);
  if (!scope || !scope->files->list()) return false;
  auto inputs = scope->files->inputs();
  return inputs && analysis::inputs_digest(*inputs) == run.inputs_sha256;
}

void tell_if_old(const KnownRun& run, Context& context) {
  if (context.notice && !is_current(run, context))
    context.notice(
        fmt::format("the sources changed since run {}; 'gatehouse analyze' reads them anew",
                    run.run_id.substr(0, analysis::kShortRunId)));
}

}  // namespace gh::ops
