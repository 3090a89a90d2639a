#include "store/sql_analysis_runs.h"

#include <fmt/format.h>

#include "wire/json.h"

namespace gh::store {
namespace {

constexpr std::string_view kWrite =
    "INSERT INTO analysis_runs(root, run_id, source, revision, tree, inputs_sha256, report_digest, "
    "settings_sha256, report_sha256, summary_json, created_utc, seen_utc, audit_seq) "
    "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(root, run_id) DO UPDATE SET "
    "source = excluded.source, revision = excluded.revision, tree = excluded.tree, "
    "seen_utc = excluded.seen_utc, audit_seq = excluded.audit_seq";
constexpr std::string_view kSelect =
    "SELECT root, run_id, source, revision, tree, inputs_sha256, report_digest, settings_sha256, "
    "report_sha256, summary_json, created_utc, seen_utc FROM analysis_runs";

}  // namespace

Status write_analysis_run(Connection& db, const AnalysisRunRow& r, std::int64_t seq) {
  const std::string summary = wire::canonical_json(r.summary);
  GH_TRY(query, db.query(kWrite));
  return query
      .bind_all(r.root, r.run_id, r.source, r.revision, r.tree, r.inputs_sha256, r.report_digest,
                r.settings_sha256, r.report_sha256, summary, r.created_utc, r.seen_utc, seq)
      .run();
}

Result<std::vector<AnalysisRunRow>> read_analysis_runs(Connection& db,
                                                       const AnalysisRunFilter& filter) {
  std::string where;
  if (!filter.root.empty()) where += " AND root = ?";
  if (!filter.prefix.empty()) where += " AND run_id >= ? AND run_id < ?";
  GH_TRY(query,
         db.query(fmt::format("{} WHERE 1 = 1{} ORDER BY audit_seq DESC, root, run_id LIMIT ?",
                              kSelect, where)));
  const std::string end = filter.prefix + "g";  // behind every hex digit
  if (!filter.root.empty()) query.bind(filter.root);
  if (!filter.prefix.empty()) query.bind(filter.prefix).bind(end);
  query.bind(filter.limit);
  std::vector<AnalysisRunRow> out;
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return out;
    auto summary = wire::read_own_json(query.text(9), "summary");
    if (!summary)
      return tl::make_unexpected(
          damaged(db, fmt::format("summary of run {} cannot be read", query.text(1))));
    out.push_back({query.text(0), query.text(1), query.text(2), query.text(3), query.text(4),
                   query.text(5), query.text(6), query.text(7), query.text(8), std::move(*summary),
                   query.text(10), query.text(11)});
  }
}

}  // namespace gh::store
