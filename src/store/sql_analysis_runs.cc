#include "store/sql_analysis_runs.h"

#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "wire/json.h"

namespace gh::store {
namespace {

constexpr std::string_view kWrite =
    "INSERT INTO analysis_runs(root, run_id, source, revision, tree, inputs_sha256, report_digest, "
    "settings_sha256, report_sha256, summary_json, extract_sha256, created_utc, seen_utc, "
    "audit_seq) "
    "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(root, run_id) DO UPDATE SET "
    "source = excluded.source, revision = excluded.revision, tree = excluded.tree, "
    "report_sha256 = excluded.report_sha256, summary_json = excluded.summary_json, "
    "extract_sha256 = excluded.extract_sha256, seen_utc = excluded.seen_utc, "
    "audit_seq = excluded.audit_seq";
constexpr std::string_view kSelect =
    "SELECT root, run_id, source, revision, tree, inputs_sha256, report_digest, settings_sha256, "
    "report_sha256, summary_json, extract_sha256, created_utc, seen_utc FROM analysis_runs";

// Runs behind the latest ones of their root, but for those that an open intent began with.
constexpr std::string_view kBehind =
    "SELECT root, run_id, report_sha256, extract_sha256 FROM (SELECT root, run_id, report_sha256, "
    "extract_sha256, seen_utc, "
    "ROW_NUMBER() OVER (PARTITION BY root ORDER BY audit_seq DESC) AS place "
    "FROM analysis_runs) AS ranked WHERE place > ? AND NOT EXISTS (SELECT 1 FROM intents "
    "WHERE closed_at_utc IS NULL AND payload_json LIKE '%' || ranked.run_id || '%')";

// A report may also be evidence of a proposal: whatever names the bytes keeps them.
constexpr std::string_view kDropBlob =
    "DELETE FROM blobs WHERE sha256 = ? "
    "AND NOT EXISTS (SELECT 1 FROM analysis_runs WHERE report_sha256 = blobs.sha256 "
    "OR extract_sha256 = blobs.sha256) "
    "AND NOT EXISTS (SELECT 1 FROM proposals WHERE diff_sha256 = blobs.sha256 "
    "OR canonical_sha256 = blobs.sha256 OR body LIKE '%' || blobs.sha256 || '%') "
    "AND NOT EXISTS (SELECT 1 FROM documents WHERE body LIKE '%' || blobs.sha256 || '%') "
    "AND NOT EXISTS (SELECT 1 FROM audit WHERE event LIKE 'proposal.%' "
    "AND payload LIKE '%' || blobs.sha256 || '%')";

constexpr std::string_view kDropParts = "DELETE FROM run_parts WHERE root = ? AND run_id = ?";
constexpr std::string_view kWritePart =
    "INSERT INTO run_parts(root, run_id, part, sha256, bytes) VALUES(?,?,?,?,?)";
constexpr std::string_view kSelectPart =
    "SELECT bytes FROM run_parts WHERE root = ? AND run_id = ? AND part = ?";
constexpr std::string_view kSelectBases = "SELECT root, bytes FROM run_parts WHERE part = ?";
constexpr int kMaxBases = 8;  // one behind the other

struct RunKey {
  std::string root, run_id, report_sha256, extract_sha256;
};

Result<std::vector<RunKey>> keys(Query query) {
  std::vector<RunKey> out;
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return out;
    out.push_back({query.text(0), query.text(1), query.text(2), query.text(3)});
  }
}

using Bases = std::set<std::pair<std::string, std::string>>;  // roots and ids of runs
Result<Bases> bases_of_others(Connection& db) {
  GH_TRY(query, db.query(kSelectBases));
  query.bind(kBasePart);
  Bases out;
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return out;
    out.emplace(query.text(0), query.text(1));
  }
}

/// Without those that a later run was told from: they go when it has gone.
void keep_bases(const Bases& bases, std::vector<RunKey>& keys) {
  std::erase_if(keys, [&](const RunKey& key) { return bases.contains({key.root, key.run_id}); });
}

Result<std::optional<std::string>> find_part(Connection& db, const std::string& root,
                                             const std::string& run_id, std::int64_t part) {
  GH_TRY(query, db.query(kSelectPart));
  GH_TRY(found, query.bind(root).bind(run_id).bind(part).step());
  return found ? std::optional(query.text(0)) : std::nullopt;
}

Status for_each_key(Connection& db, const std::vector<RunKey>& all, std::string_view statement) {
  for (const RunKey& key : all) {
    GH_TRY(query, db.query(statement));
    GH_DO(query.bind(key.root).bind(key.run_id).run());
  }
  return {};
}

Status write_parts(Connection& db, const AnalysisRunRow& run,
                   const std::vector<std::string>& parts) {
  GH_TRY(drop, db.query(kDropParts));
  GH_DO(drop.bind(run.root).bind(run.run_id).run());
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (parts[part].empty()) continue;
    const std::string sha256 = digest_of(parts[part]).hex();
    GH_TRY(query, db.query(kWritePart));
    GH_DO(query
              .bind_all(run.root, run.run_id, static_cast<std::int64_t>(part), sha256,
                        Bytes{parts[part]})
              .run());
  }
  return {};
}

}  // namespace

Status write_analysis_run(Connection& db, const AnalysisRunRow& r,
                          const std::vector<std::string>& parts, std::int64_t seq) {
  if (!parts.empty()) GH_DO(write_parts(db, r, parts));
  const std::string summary = wire::canonical_json(r.summary);
  GH_TRY(query, db.query(kWrite));
  return query
      .bind_all(r.root, r.run_id, r.source, r.revision, r.tree, r.inputs_sha256, r.report_digest,
                r.settings_sha256, r.report_sha256, summary, r.extract_sha256, r.created_utc,
                r.seen_utc, seq)
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
                   query.text(10), query.text(11), query.text(12)});
  }
}

Result<std::optional<std::string>> read_run_part(Connection& db, const AnalysisRunRow& run,
                                                 std::int64_t part) {
  std::string of = run.run_id;
  for (int i = 0; i < kMaxBases; ++i) {
    GH_TRY(own, find_part(db, run.root, of, part));
    if (own) return own;
    GH_TRY(base, find_part(db, run.root, of, kBasePart));
    if (!base) return std::nullopt;
    of = std::move(*base);
  }
  return std::nullopt;
}

Result<DroppedRuns> drop_analysis_runs(Connection& db, const RunRetention& retention) {
  GH_TRY(many, db.query(kBehind));
  many.bind(retention.rows_kept);
  GH_TRY(rows, keys(std::move(many)));
  const std::string time = to_string(retention.before);
  GH_TRY(aged, db.query(fmt::format("{} AND report_sha256 || extract_sha256 <> '' AND seen_utc < ?",
                                    kBehind)));
  aged.bind(retention.reports_kept).bind(time);
  GH_TRY(reports, keys(std::move(aged)));
  GH_TRY(bases, bases_of_others(db));
  keep_bases(bases, rows);
  keep_bases(bases, reports);
  GH_DO(for_each_key(db, reports,
                     "UPDATE analysis_runs SET report_sha256 = '', extract_sha256 = '' WHERE root "
                     "= ? AND run_id = ?"));
  GH_DO(for_each_key(db, rows, "DELETE FROM analysis_runs WHERE root = ? AND run_id = ?"));
  for (const std::vector<RunKey>* gone : {&reports, &rows}) {
    GH_DO(for_each_key(db, *gone, kDropParts));
    for (const RunKey& key : *gone) {
      for (const std::string* sha256 : {&key.report_sha256, &key.extract_sha256}) {
        GH_TRY(query, db.query(kDropBlob));
        GH_DO(query.bind(*sha256).run());
      }
    }
  }
  return DroppedRuns{static_cast<std::int64_t>(reports.size()),
                     static_cast<std::int64_t>(rows.size())};
}

}  // namespace gh::store
