#include "store/sql_proposals.h"

#include <array>

#include <fmt/format.h>

#include "wire/json.h"

namespace gh::store {
namespace {

constexpr std::string_view kInsertProposal =
    "INSERT INTO proposals(revision, digest, canonical_sha256, diff_sha256, author_agent, actor, "
    "trust_level, promotion_status, sub_state, base_commit, candidate_tree, target_ref, "
    "source_gap, docs_only, added, deleted, files_n, created_utc, received_utc, updated_utc, body, "
    "audit_seq, rev, patch_id) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
    "ON CONFLICT(patch_id) DO NOTHING";
constexpr std::string_view kUpdateProposal =
    "UPDATE proposals SET revision = ?, digest = ?, canonical_sha256 = ?, diff_sha256 = ?, "
    "author_agent = ?, actor = ?, trust_level = ?, promotion_status = ?, sub_state = ?, "
    "base_commit = ?, candidate_tree = ?, target_ref = ?, source_gap = ?, docs_only = ?, "
    "added = ?, deleted = ?, files_n = ?, created_utc = ?, received_utc = ?, updated_utc = ?, "
    "body = ?, audit_seq = ?, rev = ? WHERE patch_id = ? AND rev = ?";
constexpr std::string_view kSelectProposal =
    "SELECT patch_id, revision, digest, canonical_sha256, diff_sha256, author_agent, actor, "
    "trust_level, promotion_status, sub_state, base_commit, candidate_tree, target_ref, "
    "source_gap, docs_only, added, deleted, files_n, created_utc, received_utc, updated_utc, body, "
    "rev FROM proposals";
constexpr std::string_view kAddToCount =
    "INSERT INTO proposal_counts(promotion_status, n) VALUES(?,?) "
    "ON CONFLICT(promotion_status) DO UPDATE SET n = proposal_counts.n + excluded.n";
constexpr std::string_view kSumOfCounts =
    "SELECT CAST(coalesce(sum(n), 0) AS BIGINT) FROM proposal_counts";
constexpr std::string_view kInsertFile =
    "INSERT INTO proposal_files(patch_id, n, path, op, old_mode, new_mode, old_blob, new_blob) "
    "VALUES(?,?,?,?,?,?,?,?)";
constexpr std::string_view kSelectFiles =
    "SELECT path, op, old_mode, new_mode, old_blob, new_blob FROM proposal_files "
    "WHERE patch_id = ? ORDER BY n";
constexpr std::string_view kInsertReview =
    "INSERT INTO reviews(patch_id, audit_seq, n, reviewer, actor, digest, verdict, reasons_json, "
    "stale, created_utc, sha256) VALUES(?,?,?,?,?,?,?,?,?,?,?)";
constexpr std::string_view kSelectReviews =
    "SELECT patch_id, reviewer, actor, digest, verdict, reasons_json, stale, created_utc, sha256 "
    "FROM reviews WHERE patch_id = ? ORDER BY audit_seq, n";
constexpr std::string_view kInsertAdmission =
    "INSERT INTO admissions(id, patch_id, audit_seq, phase, decision, checks_json, created_utc) "
    "VALUES(?,?,?,?,?,?,?) ON CONFLICT(id) DO NOTHING";
constexpr std::string_view kSelectAdmissions =
    "SELECT id, patch_id, phase, decision, checks_json, created_utc FROM admissions "
    "WHERE patch_id = ? ORDER BY audit_seq, id";
constexpr std::string_view kInsertPromotion =
    "INSERT INTO promotions(patch_id, commit_id, branch, target_ref, old_head, new_head, promoter, "
    "rollback_commit, created_utc) VALUES(?,?,?,?,?,?,?,?,?)";
constexpr std::string_view kSelectPromotion =
    "SELECT patch_id, commit_id, branch, target_ref, old_head, new_head, promoter, "
    "rollback_commit, created_utc FROM promotions WHERE patch_id = ?";
constexpr std::string_view kInsertConflict =
    "INSERT INTO conflicts(a, b, kind, paths_json, computed_at_head) VALUES(?,?,?,?,?)";
constexpr std::string_view kSelectConflicts =
    "SELECT a, b, kind, paths_json, computed_at_head FROM conflicts";

/// A statement with one parameter and no rows.
Status run(Connection& db, std::string_view sql, std::string_view parameter) {
  GH_TRY(query, db.query(sql));
  return query.bind(parameter).run();
}

Result<std::string> status_of(Connection& db, std::string_view patch_id) {
  GH_TRY(query, db.query("SELECT promotion_status FROM proposals WHERE patch_id = ?"));
  GH_TRY(found, query.bind(patch_id).step());
  return found ? query.text(0) : std::string();
}

Status add_to_count(Connection& db, const std::string& status, std::int64_t n) {
  GH_TRY(query, db.query(kAddToCount));
  return query.bind(status).bind(n).run();
}

Status write_row(Connection& db, const ProposalRow& p, std::int64_t seq) {
  const std::string body = wire::canonical_json(p.body);
  GH_TRY(query, db.query(p.rev == 0 ? kInsertProposal : kUpdateProposal));
  query.bind_all(p.revision, p.digest, p.canonical_sha256, p.diff_sha256, p.author_agent, p.actor,
                 p.trust_level, p.promotion_status, p.sub_state, p.base_commit, p.candidate_tree,
                 p.target_ref, p.source_gap, p.docs_only, p.added, p.deleted, p.files_n,
                 p.created_utc, p.received_utc, p.updated_utc, body, seq, p.rev + 1, p.patch_id);
  if (p.rev != 0) query.bind(p.rev);
  GH_DO(query.run());
  if (db.changes() == 1) return {};
  return fail(Code::conflict, p.rev == 0
                                  ? fmt::format("proposal {} is there already", p.patch_id)
                                  : fmt::format("proposal {} was changed by another process since "
                                                "revision {} of its record",
                                                p.patch_id, p.rev));
}

/// The row, and the counts of the states it leaves and enters: counting 100,000 rows for each list
/// would take longer than the list.
Status write_proposal(Connection& db, const ProposalRow& p, std::int64_t seq) {
  GH_TRY(before, p.rev == 0 ? Result<std::string>() : status_of(db, p.patch_id));
  GH_DO(write_row(db, p, seq));
  if (p.rev != 0 && before == p.promotion_status) return {};
  if (p.rev != 0) GH_DO(add_to_count(db, before, -1));
  return add_to_count(db, p.promotion_status, 1);
}

Status replace_files(Connection& db, std::string_view patch_id,
                     const std::vector<ProposalFile>& files) {
  GH_DO(run(db, "DELETE FROM proposal_files WHERE patch_id = ?", patch_id));
  std::int64_t n = 0;
  for (const ProposalFile& f : files) {
    GH_TRY(query, db.query(kInsertFile));
    GH_DO(query
              .bind_all(patch_id, n++, Bytes{f.path}, f.op, f.old_mode, f.new_mode, f.old_blob,
                        f.new_blob)
              .run());
  }
  return {};
}

Status write_reviews(Connection& db, const std::vector<ReviewRow>& reviews, std::int64_t seq) {
  std::int64_t n = 0;
  for (const ReviewRow& r : reviews) {
    const std::string reasons = wire::canonical_json(r.reasons);
    GH_TRY(query, db.query(kInsertReview));
    GH_DO(query
              .bind_all(r.patch_id, seq, n++, r.reviewer, r.actor, r.digest, r.verdict, reasons,
                        r.stale, r.created_utc, r.sha256)
              .run());
  }
  return {};
}

Status write_admission(Connection& db, const AdmissionRow& a, std::int64_t seq) {
  const std::string checks = wire::canonical_json(a.checks);
  GH_TRY(query, db.query(kInsertAdmission));
  return query.bind_all(a.id, a.patch_id, seq, a.phase, a.decision, checks, a.created_utc).run();
}

Status write_promotion(Connection& db, const PromotionRow& p) {
  GH_DO(run(db, "DELETE FROM promotions WHERE patch_id = ?", p.patch_id));
  GH_TRY(query, db.query(kInsertPromotion));
  return query
      .bind_all(p.patch_id, p.commit_id, p.branch, p.target_ref, p.old_head, p.new_head, p.promoter,
                p.rollback_commit, p.created_utc)
      .run();
}

Status replace_conflicts(Connection& db, std::string_view patch_id,
                         const std::vector<ConflictRow>& conflicts) {
  GH_DO(run(db, "DELETE FROM conflicts WHERE a = ?", patch_id));
  GH_DO(run(db, "DELETE FROM conflicts WHERE b = ?", patch_id));
  for (const ConflictRow& c : conflicts) {
    const std::string paths = wire::canonical_json(c.paths);
    GH_TRY(query, db.query(kInsertConflict));
    GH_DO(query.bind_all(c.a, c.b, c.kind, paths, c.computed_at_head).run());
  }
  return {};
}

Result<Value> json_column(Connection& db, const Query& query, int column, std::string_view what) {
  auto value = wire::read_own_json(query.text(column), what);
  if (!value)
    return tl::make_unexpected(
        damaged(db, fmt::format("{} of {} cannot be read", what, query.text(0))));
  return std::move(*value);
}

Result<ProposalRow> proposal_row(Connection& db, const Query& q) {
  GH_TRY(body, json_column(db, q, 21, "proposal body"));
  return ProposalRow{.patch_id = q.text(0),
                     .revision = q.number(1),
                     .digest = q.text(2),
                     .canonical_sha256 = q.text(3),
                     .diff_sha256 = q.text(4),
                     .author_agent = q.text(5),
                     .actor = q.text(6),
                     .trust_level = q.text(7),
                     .promotion_status = q.text(8),
                     .sub_state = q.text(9),
                     .base_commit = q.text(10),
                     .candidate_tree = q.text(11),
                     .target_ref = q.text(12),
                     .source_gap = q.text(13),
                     .docs_only = q.flag(14),
                     .added = q.number(15),
                     .deleted = q.number(16),
                     .files_n = q.number(17),
                     .created_utc = q.text(18),
                     .received_utc = q.text(19),
                     .updated_utc = q.text(20),
                     .body = std::move(body),
                     .rev = q.number(22)};
}

Result<ProposalFile> file_row(Connection&, const Query& q) {
  return ProposalFile{q.text(0), q.text(1), q.text(2), q.text(3), q.text(4), q.text(5)};
}

Result<ReviewRow> review_row(Connection& db, const Query& q) {
  GH_TRY(reasons, json_column(db, q, 5, "review reasons"));
  return ReviewRow{q.text(0), q.text(1), q.text(2), q.text(3), q.text(4),
                   reasons,   q.flag(6), q.text(7), q.text(8)};
}

Result<AdmissionRow> admission_row(Connection& db, const Query& q) {
  GH_TRY(checks, json_column(db, q, 4, "admission checks"));
  return AdmissionRow{q.text(0), q.text(1), q.text(2), q.text(3), checks, q.text(5)};
}

Result<ConflictRow> conflict_row(Connection& db, const Query& q) {
  GH_TRY(paths, json_column(db, q, 3, "conflict paths"));
  return ConflictRow{q.text(0), q.text(1), q.text(2), paths, q.text(4)};
}

template <class Row>
Result<std::vector<Row>> all_rows(Connection& db, Query& query,
                                  Result<Row> (*read)(Connection&, const Query&)) {
  std::vector<Row> rows;
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return rows;
    GH_TRY(row, read(db, query));
    rows.push_back(std::move(row));
  }
}

template <class Row>
Result<std::vector<Row>> rows_of(Connection& db, std::string_view sql, std::string_view patch_id,
                                 Result<Row> (*read)(Connection&, const Query&)) {
  GH_TRY(query, db.query(sql));
  return all_rows(db, query.bind(patch_id), read);
}

struct Condition {
  std::string_view sql;
  std::string ProposalFilter::*value;  // empty: the condition is not asked for
};
constexpr std::array kConditions{
    Condition{"promotion_status = ?", &ProposalFilter::status},
    Condition{"sub_state = ?", &ProposalFilter::sub_state},
    Condition{"author_agent = ?", &ProposalFilter::author},
    Condition{"target_ref = ?", &ProposalFilter::target_ref},
    Condition{"canonical_sha256 = ?", &ProposalFilter::canonical_sha256},
    Condition{"patch_id > ?", &ProposalFilter::after},
};
constexpr std::string_view kTouchesFile =
    "patch_id IN (SELECT patch_id FROM proposal_files WHERE path = ?)";

/// " WHERE … AND …" of what the filter asks for. Each combination is a statement of its own, so
/// that the database can use the index that fits.
std::string where(const ProposalFilter& filter) {
  std::string out;
  const auto add = [&](std::string_view sql) {
    out += out.empty() ? " WHERE " : " AND ";
    out += sql;
  };
  for (const Condition& c : kConditions)
    if (!(filter.*c.value).empty()) add(c.sql);
  if (!filter.file.empty()) add(kTouchesFile);
  return out;
}

void bind_filter(Query& query, const ProposalFilter& filter) {
  for (const Condition& c : kConditions)
    if (!(filter.*c.value).empty()) query.bind(filter.*c.value);
  if (!filter.file.empty()) query.bind(Bytes{filter.file});
}

}  // namespace

Status write_proposals(Connection& db, const Change& change, std::int64_t seq) {
  if (change.proposal) GH_DO(write_proposal(db, *change.proposal, seq));
  if (change.proposal_files) {
    GH_ASSERT(change.proposal.has_value());
    GH_DO(replace_files(db, change.proposal->patch_id, *change.proposal_files));
  }
  for (const ProposalRow& other : change.more_proposals)
    GH_DO(write_proposal(db, other, seq));
  if (!change.stale_reviews_of.empty())
    GH_DO(run(db, "UPDATE reviews SET stale = 1 WHERE patch_id = ?", change.stale_reviews_of));
  GH_DO(write_reviews(db, change.reviews, seq));
  if (change.admission) GH_DO(write_admission(db, *change.admission, seq));
  if (change.promotion) GH_DO(write_promotion(db, *change.promotion));
  if (change.conflicts_of)
    GH_DO(replace_conflicts(db, change.conflicts_of->first, change.conflicts_of->second));
  return {};
}

Result<std::optional<ProposalRow>> read_proposal(Connection& db, std::string_view patch_id) {
  GH_TRY(rows, rows_of(db, fmt::format("{} WHERE patch_id = ?", kSelectProposal), patch_id,
                       proposal_row));
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

Result<std::vector<ProposalRow>> read_proposals(Connection& db, const ProposalFilter& filter) {
  GH_TRY(query,
         db.query(fmt::format("{}{} ORDER BY patch_id LIMIT ?", kSelectProposal, where(filter))));
  bind_filter(query, filter);
  return all_rows(db, query.bind(filter.limit), proposal_row);
}

Result<std::int64_t> count_proposals(Connection& db, const ProposalFilter& filter) {
  const std::string asked = where(filter);
  const bool is_kept = asked.empty() || asked == " WHERE promotion_status = ?";
  GH_TRY(query, db.query(is_kept ? std::string(kSumOfCounts) + asked
                                 : "SELECT count(*) FROM proposals" + asked));
  bind_filter(query, filter);
  GH_DO(query.step());
  return query.number(0);
}

Result<std::vector<ProposalFile>> read_files(Connection& db, std::string_view patch_id) {
  return rows_of(db, kSelectFiles, patch_id, file_row);
}

Result<std::vector<ReviewRow>> read_reviews(Connection& db, std::string_view patch_id) {
  return rows_of(db, kSelectReviews, patch_id, review_row);
}

Result<std::vector<AdmissionRow>> read_admissions(Connection& db, std::string_view patch_id) {
  return rows_of(db, kSelectAdmissions, patch_id, admission_row);
}

Result<std::optional<PromotionRow>> read_promotion(Connection& db, std::string_view patch_id) {
  GH_TRY(q, db.query(kSelectPromotion));
  GH_TRY(found, q.bind(patch_id).step());
  if (!found) return std::nullopt;
  return PromotionRow{q.text(0), q.text(1), q.text(2), q.text(3), q.text(4),
                      q.text(5), q.text(6), q.text(7), q.text(8)};
}

Result<std::vector<ConflictRow>> read_conflicts(Connection& db, std::string_view patch_id) {
  const bool one = !patch_id.empty();
  GH_TRY(query, db.query(fmt::format("{}{} ORDER BY a, b, kind", kSelectConflicts,
                                     one ? " WHERE a = ? OR b = ?" : "")));
  if (one) query.bind(patch_id).bind(patch_id);
  return all_rows(db, query, conflict_row);
}

}  // namespace gh::store
