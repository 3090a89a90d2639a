// `proposal list`, `proposal show` and `proposal diff`.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/members.h"
#include "ops/proposal_mirror.h"
#include "ops/proposal_ops.h"
#include "ops/proposal_record.h"
#include "ops/review_carry.h"
#include "proposal/lifecycle.h"
#include "proposal/meta.h"
#include "report/proposal_report.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxDiff = 64u << 20;
constexpr std::int64_t kPage = 500;

std::string title_of(const store::ProposalRow& row) {
  const Map* body = row.body.as_map();
  const Value* meta = body == nullptr ? nullptr : body->find("meta");
  const Value* title =
      meta == nullptr || meta->as_map() == nullptr ? nullptr : meta->as_map()->find("title");
  return title != nullptr && title->as_string() != nullptr ? *title->as_string() : std::string();
}

Value listed_value(const store::ProposalRow& row) {
  return Map{{"patch_id", row.patch_id},
             {"promotion_status", row.promotion_status},
             {"sub_state", row.sub_state},
             {"trust_level", row.trust_level},
             {"review_status", string_list(texts_in(row.body, "review_status"))},
             {"author_agent", row.author_agent},
             {"title", title_of(row)},
             {"base_commit", row.base_commit},
             {"target_ref", row.target_ref},
             {"files", row.files_n},
             {"added", row.added},
             {"deleted", row.deleted},
             {"proposal_digest", row.digest},
             {"received_utc", row.received_utc}};
}

store::ProposalFilter filter_of(const Request& request) {
  store::ProposalFilter filter;
  filter.status = request.text("status");
  filter.author = request.text("author");
  filter.file = request.text("file");
  filter.after = request.text("after");
  filter.limit = *request.integer("limit");
  return filter;
}

Result<Reply> list_conflicts(ProposalSession& session) {
  GH_TRY(rows, session.ledger->conflicts(""));
  List list;
  std::string text;
  for (const store::ConflictRow& row : rows) {
    list.emplace_back(Map{{"a", row.a},
                          {"b", row.b},
                          {"kind", row.kind},
                          {"paths", row.paths},
                          {"computed_at_head", row.computed_at_head}});
    text += fmt::format("{}  {}  {}  {}\n", row.a, row.b, row.kind,
                        printable(wire::canonical_json(row.paths), 200));
  }
  Reply reply;
  reply.document =
      Map{{"schema", "gatehouse.proposal_conflicts/1"}, {"conflicts", std::move(list)}};
  reply.text = [text](const report::Look&) { return text.empty() ? "no conflicts\n" : text; };
  return reply;
}

/// A reviewer with an open review must not be led by the verdict of another one (5, blind).
bool hides_verdicts(const ProposalSession& session, const Stored& stored, const Request& request) {
  if (!session.policy().blind || !request.has("as")) return false;
  const auto summary = proposal::summarise(stored.reviews, session.policy(), stored.row.digest);
  return std::ranges::find(summary.missing, request.text("as")) != summary.missing.end();
}

std::vector<std::string> review_lines(const Stored& stored) {
  std::vector<std::string> out;
  for (const Review& review : stored.reviews) {
    std::string line =
        fmt::format("{}: {} ({}{})", review.reviewer, to_string(review.verdict), review.created_utc,
                    review.origin ? ", carried over from " + review.origin->patch_id
                    : review.proposal_digest == stored.row.digest ? ""
                                                                  : ", stale");
    for (const ReviewReason& reason : review.reasons)
      line += fmt::format(
          "; {}: {}{}", reason.code,
          reason.file.empty() ? "" : fmt::format("{}:{}: ", reason.file, reason.line), reason.text);
    out.push_back(std::move(line));
  }
  return out;
}

Value row_document(const Stored& stored) {
  const store::ProposalRow& row = stored.row;
  return Map{{"schema", "gatehouse.proposal_record/1"},
             {"patch_id", row.patch_id},
             {"revision", row.revision},
             {"proposal_digest", row.digest},
             {"canonical_sha256", row.canonical_sha256},
             {"diff_sha256", row.diff_sha256},
             {"promotion_status", row.promotion_status},
             {"sub_state", row.sub_state},
             {"trust_level", row.trust_level},
             {"review_status", string_list(texts_in(row.body, "review_status"))},
             {"actor", row.actor},
             {"base_commit", row.base_commit},
             {"candidate_tree", row.candidate_tree},
             {"target_ref", row.target_ref},
             {"docs_only", row.docs_only},
             {"added", row.added},
             {"deleted", row.deleted},
             {"received_utc", row.received_utc},
             {"updated_utc", row.updated_utc},
             {"similar_to", string_list(texts_in(row.body, "similar_to"))},
             {"metadata", proposal::to_document(stored.meta)}};
}

Result<List> audit_list(ProposalSession& session, std::string_view patch_id, std::string& text) {
  GH_TRY(rows, session.ledger->audit_of_proposal(patch_id));
  List list;
  for (const store::AuditRow& row : rows) {
    list.push_back(audit_row_value(row));
    text += fmt::format("{:>6}  {}  {}  {}\n", row.seq, to_string(row.event.ts), row.event.event,
                        printable(wire::canonical_json(row.event.payload), 300));
  }
  return list;
}

Result<List> admission_list(ProposalSession& session, std::string_view patch_id,
                            std::string& text) {
  GH_TRY(rows, session.ledger->admissions(patch_id));
  List list;
  for (const store::AdmissionRow& row : rows) {
    GH_TRY(document, session.ledger->document(row.id));
    if (document) list.push_back(*document);
    text += fmt::format("{}  {}: {}\n", printable(row.created_utc, 40), printable(row.phase, 20),
                        printable(row.decision, 20));
    if (row.checks.as_list() != nullptr)
      for (const Value& check : *row.checks.as_list())  // perhaps of a record from elsewhere
        if (const std::string code = text_in(check, "code"); !code.empty())
          text += fmt::format("  {} {} {}\n", printable(text_in(check, "id"), 10),
                              printable(code, 60), printable(text_in(check, "message"), 300));
  }
  return list;
}

/// git's own diff of base and candidate: what reviewers see (3.4).
Result<std::string> rederived_diff(ProposalSession& session, const Stored& stored) {
  const auto base = session.repo.objects().commit(stored.row.base_commit);
  const auto tree = ObjectId::parse(stored.row.candidate_tree);
  if (base && tree)
    if (auto diff = session.repo.diff_trees(base->tree, *tree, kMaxDiff)) return diff;
  return stored.canonical;  // its objects are not in this repository yet
}

/// One revision of an id: the change and what it was made on.
struct Revision {
  std::int64_t number = 0;
  std::string base_commit, canonical_sha256;
};

Result<Revision> revision_of(const Stored& stored, std::int64_t wanted) {
  if (wanted == stored.row.revision)
    return Revision{wanted, stored.row.base_commit, stored.row.canonical_sha256};
  const Map* body = stored.row.body.as_map();
  const Value* list = body->find("revisions");
  if (list != nullptr && list->as_list() != nullptr)
    for (const Value& row : *list->as_list())
      if (row.as_map() != nullptr && number_in(*row.as_map(), "revision") == wanted)
        return Revision{wanted, text_in(row, "base_commit"), text_in(row, "canonical_sha256")};
  return fail(Code::bad_argument, fmt::format("{} has the revisions 1 to {}, not {}",
                                              stored.row.patch_id, stored.row.revision, wanted));
}

/// Tree of a revision, made in quarantine: what was refused left no objects behind.
Result<ObjectId> tree_of(ProposalSession& session, const git::Quarantine& quarantine,
                         const Revision& revision) {
  const auto no_tree = [&] {
    return fail(Code::bad_argument,
                fmt::format("revision {} gives no tree: its diff did not pass the patch gate",
                            revision.number));
  };
  GH_TRY(patch, session.ledger->blob(revision.canonical_sha256));
  const auto base = session.repo.objects().commit(revision.base_commit);
  if (!patch || patch->empty() || !base) return no_tree();
  GH_DO(session.repo.read_tree(quarantine, base->tree));
  GH_TRY(applied, session.repo.apply_cached(quarantine, *patch));
  if (!applied.ok()) return no_tree();
  return session.repo.write_tree(quarantine);
}

/// What the result of the present revision has and that of an earlier one had not.
Result<std::string> diff_of_revisions(ProposalSession& session, const Stored& stored,
                                      std::int64_t from) {
  GH_TRY(before, revision_of(stored, from));
  GH_TRY(now, revision_of(stored, stored.row.revision));
  GH_TRY(quarantine, session.repo.quarantine());
  GH_TRY(old_tree, tree_of(session, quarantine, before));
  GH_TRY(new_tree, tree_of(session, quarantine, now));
  return session.repo.rederive(quarantine, old_tree, new_tree, kMaxDiff);
}

/// Open proposals whose target went on since (7.1): what they were built on is no longer its head.
Result<std::vector<store::ProposalRow>> stale_rows(ProposalSession& session,
                                                   store::ProposalFilter filter) {
  std::vector<store::ProposalRow> out;
  std::map<std::string, std::string> heads;
  filter.status = "proposed";
  filter.limit = kPage;
  for (;;) {
    GH_TRY(rows, session.ledger->proposals(filter));
    for (store::ProposalRow& row : rows) {
      filter.after = row.patch_id;
      auto head = heads.find(row.target_ref);
      if (head == heads.end()) {
        const auto commit = session.repo.objects().commit(row.target_ref);
        head = heads.emplace(row.target_ref, commit ? commit->id.hex() : "").first;
      }
      if (row.base_commit != head->second) out.push_back(std::move(row));
    }
    if (std::ssize(rows) < kPage) return out;
  }
}

/// Why it came to its end, in the words of the last event that ended it; empty for an open one.
Result<std::string> ending_of(ProposalSession& session, const Stored& stored) {
  if (stored.row.promotion_status != "rejected") return std::string();
  GH_TRY(rows, session.ledger->audit_of_proposal(stored.row.patch_id));
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const Map* payload = row->event.payload.as_map();
    if (payload == nullptr || text_in(*payload, "to") != "rejected") continue;
    if (const std::string by = text_in(*payload, "by"); !by.empty()) return by + " landed instead";
    if (const Value* reason = payload->find("reason"); reason != nullptr && reason->as_map())
      return fmt::format("{}: {}", text_in(*reason, "code"), text_in(*reason, "text"));
    break;
  }
  return "'gatehouse proposal show " + stored.row.patch_id + " --checks' says why";
}

/// A clone that fetched refs/gatehouse has everything but a ledger that knows it.
Status tell_of_unread_refs(ProposalSession& session, Context& context) {
  GH_TRY(known, session.ledger->count_proposals({}));
  GH_TRY(mirrored, ids_in_refs(session.repo));
  if (known == 0 && !mirrored.empty())
    context.notice(
        fmt::format("refs/gatehouse hold {} proposal{} that this ledger does not know; "
                    "'gatehouse proposal import' examines them and takes them in",
                    mirrored.size(), mirrored.size() == 1 ? "" : "s"));
  return {};
}

}  // namespace

Result<Reply> proposal_list(const Request& request, Context& context) {
  GH_TRY(session, open_proposal_session(context));
  if (request.flag("conflicts")) return list_conflicts(session);
  const store::ProposalFilter filter = filter_of(request);
  const bool stale = request.flag("stale");
  GH_TRY(found, stale ? stale_rows(session, filter) : session.ledger->proposals(filter));
  std::vector<store::ProposalRow>& rows = found;
  GH_TRY(total,
         stale ? Result<std::int64_t>(std::ssize(rows)) : session.ledger->count_proposals(filter));
  if (std::ssize(rows) > filter.limit) rows.resize(static_cast<std::size_t>(filter.limit));
  if (total == 0) GH_DO(tell_of_unread_refs(session, context));
  List list;
  std::vector<report::ListedProposal> shown;
  for (const store::ProposalRow& row : rows) {
    list.push_back(listed_value(row));
    shown.push_back({.patch_id = row.patch_id,
                     .status = row.promotion_status,
                     .sub_state = row.sub_state,
                     .trust = row.trust_level,
                     .author = row.author_agent,
                     .base = row.base_commit,
                     .title = title_of(row),
                     .files = row.files_n,
                     .added = row.added,
                     .deleted = row.deleted,
                     .review_status = texts_in(row.body, "review_status")});
  }
  Reply reply;
  reply.document = Map{
      {"schema", "gatehouse.proposal_list/1"}, {"proposals", std::move(list)}, {"total", total}};
  reply.text = [shown = std::move(shown), total](const report::Look& look) {
    return report::render_proposals(shown, total, look);
  };
  return reply;
}

Result<Reply> proposal_show(const Request& request, Context& context) {
  GH_TRY(opened, open_proposal(context, request.text("ID")));
  ProposalSession& session = opened.session;
  Stored& stored = opened.stored;
  if (request.has("payload")) {
    const std::string payload = signed_payload(stored.row.digest, session.repo_id,
                                               request.text("payload"), stored.meta.created_utc);
    return Reply{.document = Map{{"schema", "gatehouse.signed_payload/1"}, {"payload", payload}},
                 .text = [payload](const report::Look&) { return payload; }};
  }
  const bool blind = hides_verdicts(session, stored, request);
  if (blind) stored.reviews.clear();
  GH_TRY(promotion, session.ledger->promotion(stored.row.patch_id));
  GH_TRY(conflicts, session.ledger->conflicts(stored.row.patch_id));
  Map document = *row_document(stored).as_map();
  if (blind) {
    document.set("review_status", string_list({"hidden"}));
    document.set("sub_state", "hidden");  // it follows from the verdicts
    stored.row.sub_state = "reviews hidden";
  }
  List reviews;
  for (const Review& review : stored.reviews)
    reviews.emplace_back(proposal::to_document(review));
  document.set("reviews", std::move(reviews));
  GH_TRY(carries, carry_documents(*session.ledger, stored.row));
  if (!blind && !carries.empty()) document.set("carried", List(carries.begin(), carries.end()));
  std::string more;
  if (request.flag("checks")) {
    GH_TRY(list, admission_list(session, stored.row.patch_id, more));
    document.set("admissions", std::move(list));
  }
  if (request.flag("audit")) {
    GH_TRY(list, audit_list(session, stored.row.patch_id, more));
    document.set("audit", std::move(list));
  }
  std::string diff;
  if (request.flag("diff")) {
    GH_TRY(text, rederived_diff(session, stored));
    diff = std::move(text);
    document.set("diff", utf8_or_escaped(diff));
  }
  std::vector<std::string> conflict_lines;
  for (const store::ConflictRow& row : conflicts) {
    const std::string& other = row.a == stored.row.patch_id ? row.b : row.a;
    if (std::ranges::find(stored.meta.supersedes, other) == stored.meta.supersedes.end())
      conflict_lines.push_back(fmt::format("{} with {}", row.kind, other));
  }
  GH_TRY(ending, ending_of(session, stored));
  document.set("conflicts", string_list(conflict_lines));
  document.set("promotion", promotion ? Value(Map{{"commit", promotion->commit_id},
                                                  {"branch", promotion->branch},
                                                  {"target_ref", promotion->target_ref},
                                                  {"old_head", promotion->old_head},
                                                  {"new_head", promotion->new_head},
                                                  {"promoter", promotion->promoter},
                                                  {"rollback_commit", promotion->rollback_commit},
                                                  {"created_utc", promotion->created_utc}})
                                      : Value());
  Reply reply;
  reply.document = std::move(document);
  reply.text = [stored, more, diff, blind, conflict_lines, ending = std::move(ending),
                promotion = std::move(promotion)](const report::Look& look) {
    const report::ShownProposal shown{
        .meta = stored.meta,
        .status = stored.row.promotion_status,
        .sub_state = stored.row.sub_state,
        .digest = stored.row.digest,
        .base_commit = stored.row.base_commit,
        .candidate_tree = stored.row.candidate_tree,
        .target_ref = stored.row.target_ref,
        .received = stored.row.received_utc,
        .updated = stored.row.updated_utc,
        .author_actor = stored.author_actor,
        .promotion_commit = promotion ? promotion->commit_id : "",
        .rollback_commit = promotion ? promotion->rollback_commit : "",
        .review_status = blind ? std::vector<std::string>{"hidden until your own is given"}
                               : texts_in(stored.row.body, "review_status"),
        .review_lines = review_lines(stored),
        .similar_to = texts_in(stored.row.body, "similar_to"),
        .conflicts = conflict_lines,
        .ending = ending,
        .revision = stored.row.revision,
        .added = stored.row.added,
        .deleted = stored.row.deleted,
        .docs_only = stored.row.docs_only};
    std::string out = report::render_proposal(shown, look);
    if (!more.empty()) out += "\n" + more;
    if (!diff.empty()) out += "\n" + report::render_diff(diff, look);
    return out;
  };
  return reply;
}

Result<Reply> proposal_diff(const Request& request, Context& context) {
  GH_TRY(session, open_proposal_session(context));
  GH_TRY(stored, load_proposal(*session.ledger, request.text("ID")));
  const auto from = request.integer("from");
  GH_TRY(diff, from ? diff_of_revisions(session, stored, *from) : rederived_diff(session, stored));
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.proposal_diff/1"},
                       {"patch_id", stored.row.patch_id},
                       {"revision", stored.row.revision},
                       {"from", from ? Value(*from) : Value()},
                       {"diff", utf8_or_escaped(diff)}};
  reply.text = [diff, from](const report::Look& look) -> std::string {
    if (diff.empty() && from)
      return fmt::format("the change is the one of revision {}; only its metadata differs\n",
                         *from);
    return look.colour || look.terminal ? report::render_diff(diff, look) : diff;
  };
  return reply;
}

}  // namespace gh::ops
