// `proposal new`, `proposal lint` and `proposal submit`.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/proposal_evidence.h"
#include "ops/proposal_forecast.h"
#include "ops/proposal_judge.h"
#include "ops/proposal_ops.h"
#include "ops/proposal_record.h"
#include "ops/review_carry.h"
#include "proposal/meta.h"
#include "proposal/rules.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxDiff = 64u << 20, kMaxDraft = 1u << 20;
constexpr std::int64_t kSimilarAgainst = 50;
constexpr std::int64_t kSimilarFrom = 9'000;  // ten-thousandths of the added lines

std::vector<std::string> paths_of(const diff::Patch& patch) {
  std::set<std::string> paths;
  for (const diff::Section& s : patch.sections) {
    paths.insert(s.old_path);
    paths.insert(s.new_path);
  }
  return {paths.begin(), paths.end()};
}

std::string suggested_id(const Request& request, Timestamp now) {
  std::string id;
  for (const char c : request.has("id") ? request.text("id") : request.text("gap")) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain || upper) {
      id += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (id.ends_with('-'))
    id.pop_back();
  if (request.has("id")) return request.text("id");
  std::string stamp = to_string(now);
  std::erase_if(stamp, [](char c) { return c < '0' || c > '9'; });
  return fmt::format("{}-{}", id.empty() ? "change" : id.substr(0, 60), stamp);
}

std::vector<store::ProposalFile> files_of(const patch::Candidate& candidate) {
  std::vector<store::ProposalFile> out;
  const auto mode = [](const std::optional<FileMode>& m) {
    return m ? std::string(to_string(*m)) : std::string();
  };
  const auto id = [](const std::optional<ObjectId>& i) { return i ? i->hex() : std::string(); };
  for (const patch::TouchedEntry& e : candidate.entries)
    out.push_back({.path = utf8_or_escaped(e.path),
                   .op = !e.old_mode   ? "create"
                         : !e.new_mode ? "delete"
                                       : "modify",
                   .old_mode = mode(e.old_mode),
                   .new_mode = mode(e.new_mode),
                   .old_blob = id(e.old_id),
                   .new_blob = id(e.new_id)});
  return out;
}

/// Earlier rejected proposals that add nearly the same lines (8).
Result<List> similar_to(ProposalSession& session, const Judgement& judged) {
  List out;
  const auto mine = diff::parse(judged.canonical, diff::Profile::git, diff::Position::exact);
  if (!mine) return out;
  GH_TRY(rows, session.ledger->proposals({.status = "rejected", .limit = kSimilarAgainst}));
  for (const store::ProposalRow& row : rows) {
    GH_TRY(text, session.ledger->blob(row.canonical_sha256));
    if (!text) continue;
    const auto theirs = diff::parse(*text, diff::Profile::git, diff::Position::exact);
    if (theirs && row.patch_id != judged.meta->patch_id &&
        proposal::added_overlap(*mine, *theirs) > kSimilarFrom)
      out.emplace_back(row.patch_id);
  }
  return out;
}

/// What an id held before: the bytes stay in the ledger, and these rows say where.
List earlier_revisions(const store::ProposalRow& before, const std::string& new_digest) {
  const Map* body = before.body.as_map();
  const Value* kept = body == nullptr ? nullptr : body->find("revisions");
  List list = kept != nullptr && kept->as_list() != nullptr ? *kept->as_list() : List();
  if (before.digest != new_digest)
    list.emplace_back(Map{{"revision", before.revision},
                          {"proposal_digest", before.digest},
                          {"canonical_sha256", before.canonical_sha256},
                          {"diff_sha256", before.diff_sha256},
                          {"base_commit", before.base_commit},
                          {"received_utc", before.received_utc}});
  return list;
}

store::ProposalRow row_of(const ProposalSession& session, const Judgement& judged, Timestamp now,
                          std::string_view status, std::string_view sub_state) {
  const ProposalMeta& meta = *judged.meta;
  const std::string canonical = digest_of(judged.canonical).hex();
  store::ProposalRow row{
      .patch_id = meta.patch_id,
      .digest = judged.digest.empty()
                    ? proposal::proposal_digest(meta, canonical, judged.report_sha256)
                    : judged.digest,
      .canonical_sha256 = canonical,
      .diff_sha256 = judged.diff_sha256,
      .author_agent = meta.author_agent,
      .actor = judged.author_actor,
      .trust_level = meta.trust_level,
      .promotion_status = std::string(status),
      .sub_state = std::string(sub_state),
      .base_commit = meta.base_commit,
      .candidate_tree = judged.candidate ? judged.candidate->tree.hex() : "",
      .target_ref = judged.target_ref.empty() ? session.target_ref : judged.target_ref,
      .source_gap = meta.source_gap,
      .docs_only = judged.docs_only,
      .added = judged.added,
      .deleted = judged.deleted,
      .files_n = std::ssize(meta.affected_files),
      .created_utc = meta.created_utc,
      .received_utc = to_string(now),
      .updated_utc = to_string(now),
      .body = {}};
  if (judged.same_id) {
    row.rev = judged.same_id->rev;
    row.revision = judged.same_id->revision + (judged.same_id->digest == row.digest ? 0 : 1);
  }
  ProposalMeta kept = meta;
  kept.promotion_status = status;
  row.body = Map{{"meta", proposal::to_document(kept)},
                 {"form", judged.intake.form},
                 {"mail_subject", judged.intake.mail_subject},
                 {"mail_body", judged.intake.mail_body},
                 {"report_sha256", judged.report_sha256},
                 {"review_status", string_list({"pending"})},
                 {"similar_to", List()},
                 {"failed_inputs", string_list(judged.failed_inputs)},
                 {"signature", nullptr}};
  if (judged.same_id) {
    List revisions = earlier_revisions(*judged.same_id, row.digest);
    if (!revisions.empty()) row.body.as_map()->set("revisions", std::move(revisions));
  }
  return row;
}

/// Where a failed submission leaves its id: nowhere when it cannot be read or belongs to somebody.
bool may_record_failure(const Judgement& judged) {
  if (!judged.meta) return false;
  for (const proposal::CheckRow& row : judged.admission.rows)
    if (row.finding && (row.finding->code == proposal::PropCode::PROP_ID_INVALID ||
                        row.finding->code == proposal::PropCode::PROP_ID_TAKEN ||
                        row.finding->code == proposal::PropCode::PROP_ID_MISMATCH))
      return false;
  if (!judged.same_id) return true;
  return judged.same_id->promotion_status == "sandbox" &&
         judged.same_id->author_agent == judged.meta->author_agent &&
         judged.same_id->actor == judged.author_actor;  // nobody spoils another's id
}

struct Writing {
  std::string_view status, sub_state, verb;
};
Writing writing_of(proposal::Decision decision) {
  switch (decision) {
    case proposal::Decision::admit:
      return {"proposed", "in_review", "submitted"};
    case proposal::Decision::reject:
      return {"rejected", "", "rejected"};
    default:
      return {"sandbox", "refused", "refused"};
  }
}

Status store_submission(ProposalSession& session, Context& context, const Judgement& judged,
                        const Pair& pair, const store::Document& admission) {
  const Timestamp now = context.env.now();
  const Writing writing = writing_of(judged.admission.decision);
  store::Change change;
  change.document = admission;
  if (judged.admission.decision != proposal::Decision::admit && !may_record_failure(judged)) {
    store::ProposalRow nobody;
    nobody.patch_id = judged.meta ? printable(judged.meta->patch_id, 100) : "";
    change.events.push_back(
        proposal_event(session, context, "refused", nobody, Map{{"admission", admission.digest}}));
    return record(session, context, change, "");
  }
  store::ProposalRow row = row_of(session, judged, now, writing.status, writing.sub_state);
  if (judged.admission.decision == proposal::Decision::admit) {
    GH_TRY(similar, similar_to(session, judged));
    row.body.as_map()->set("similar_to", std::move(similar));
  }
  // What nobody looked at is not kept as if it had been.
  if (pair.signature && session.policy().signatures != policy::SignatureMode::off)
    row.body.as_map()->set("signature", utf8_or_escaped(*pair.signature));
  change.blobs = {{judged.diff_sha256, judged.submitted}, {row.canonical_sha256, judged.canonical}};
  if (pair.report) change.blobs.push_back({judged.report_sha256, *pair.report});
  if (judged.candidate) change.proposal_files = files_of(*judged.candidate);
  change.admission = admission_row(judged.admission, admission, row.patch_id, now);
  Map payload = binding_of(row, *judged.meta, judged.report_sha256);
  payload.set("from", judged.same_id ? judged.same_id->promotion_status : "sandbox");
  payload.set("to", writing.status);
  payload.set("admission", admission.digest);
  change.events.push_back(proposal_event(session, context, writing.verb, row, payload));
  if (judged.admission.decision == proposal::Decision::admit) {
    Stored stored{.row = row,
                  .meta = *judged.meta,
                  .canonical = judged.canonical,
                  .report_sha256 = judged.report_sha256};
    stored.meta.promotion_status = writing.status;
    GH_TRY(conflicts, forecast_conflicts(session, stored));
    change.conflicts_of = {row.patch_id, std::move(conflicts)};
    // A signed rebase comes back from its author; what it was made from is named last.
    if (!judged.meta->supersedes.empty()) {
      GH_TRY(from, load_proposal(*session.ledger, judged.meta->supersedes.back()));
      GH_DO(carry_over(session, context, from, stored, change));
    }
    if (judged.same_id && judged.same_id->digest == row.digest) {  // reviewed while it was refused
      GH_TRY(before, load_proposal(*session.ledger, row.patch_id));
      stored.reviews = std::move(before.reviews);
    }
    if (!stored.reviews.empty()) refresh_review_status(stored, session.policy());
    row = std::move(stored.row);
  }
  change.proposal = row;
  return record(session, context, change, row.patch_id);
}

Reply already_there(const ProposalSession&, const store::ProposalRow& row, const Context&) {
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.proposal_status/1"},
                       {"patch_id", row.patch_id},
                       {"proposal_digest", row.digest},
                       {"promotion_status", row.promotion_status},
                       {"idempotent", true}};
  const bool is_over = row.promotion_status == "rejected";
  std::string line = fmt::format("{} is here already, {} since {}\n", row.patch_id,
                                 row.sub_state == "withdrawn" ? "withdrawn" : row.promotion_status,
                                 row.updated_utc);
  if (is_over) {
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("{} is {}, and its id is used up", row.patch_id, row.promotion_status);
    line +=
        fmt::format("  next: submit a changed one under another patch_id with 'supersedes: [{}]'\n",
                    row.patch_id);
  }
  reply.text = [line](const report::Look&) { return line; };
  return reply;
}

}  // namespace

Result<Reply> submit_pair(ProposalSession& session, Context& context, const Pair& pair, bool keep) {
  context.progress("checking the proposal");
  GH_TRY(judged, judge_submission(session, context, pair));
  const bool same = judged.same_id && !judged.digest.empty() &&
                    judged.same_id->digest == judged.digest &&
                    judged.same_id->promotion_status != "sandbox";
  if (same && judged.admission.decision == proposal::Decision::admit)
    return already_there(session, *judged.same_id, context);
  const store::Document admission =
      admission_record(judged.admission, judged.meta ? judged.meta->patch_id : pair.stem,
                       judged.digest, context.env.now());
  if (keep) GH_DO(store_submission(session, context, judged, pair, admission));
  return admission_reply(session, context, judged.admission, admission, judged, false,
                         keep ? Kept::yes : Kept::no);
}

namespace {

Result<Reply> submit_or_lint(const Request& request, Context& context, bool keep) {
  GH_TRY(pair, read_pair(request, context));
  GH_TRY(session, open_proposal_session(context));
  if (!keep && request.flag("payload")) {
    GH_TRY(judged, judge_submission(session, context, pair));
    if (judged.digest.empty())
      return fail(Code::input_unreadable, "the pair has no digest yet; repair it first");
    const std::string payload = author_payload(*judged.meta, judged.digest, session.repo_id);
    return Reply{.document = Map{{"schema", "gatehouse.signed_payload/1"}, {"payload", payload}},
                 .text = [payload](const report::Look&) { return payload; }};
  }
  return submit_pair(session, context, pair, keep);
}

constexpr std::string_view kQuestion = "<fill in>";
std::string question(std::string_view what) { return fmt::format("{} {}", kQuestion, what); }

/// A draft that is there already: what its author wrote stays, the rest is made anew.
Status keep_what_was_written(const Request& request, const std::string& file, Context& context,
                             ProposalMeta& meta) {
  if (sys::info(file).kind == sys::FileKind::missing) return {};
  GH_TRY(bytes, sys::read_file(file, kMaxDraft));
  const auto written = proposal::read_meta(bytes, file);
  if (!written)
    return fail(
        Code::bad_argument,
        fmt::format("{} is there already and cannot be read ({}): repair it, or move it away", file,
                    written.error().message));
  std::vector<std::string> kept;
  const auto keep = [&](std::string_view option, std::string_view name, std::string& now,
                        const std::string& then) {
    if (request.has(option) || then.empty() || then.starts_with(kQuestion)) return;
    now = then;
    kept.emplace_back(name);
  };
  keep("risk", "risk_notes", meta.risk_notes, written->risk_notes);
  keep("rollback", "rollback_notes", meta.rollback_notes, written->rollback_notes);
  keep("title", "title", meta.title, written->title);
  const auto keep_list = [&](std::string_view name, std::vector<std::string>& now,
                             const std::vector<std::string>& then) {
    if (then.empty()) return;
    now = then;
    kept.emplace_back(name);
  };
  keep_list("supersedes", meta.supersedes, written->supersedes);
  keep_list("depends_on", meta.depends_on, written->depends_on);
  if (!written->extra.empty()) {
    meta.extra = written->extra;
    kept.emplace_back("x_*");
  }
  if (!request.has("command") && !written->commands_run.empty()) {
    meta.commands_run = written->commands_run;
    kept.emplace_back("commands_run");
  }
  context.notice(kept.empty() ? fmt::format("{} is made anew", file)
                              : fmt::format("{} is made anew; kept: {}", file, join(kept, ", ")));
  return {};
}

void tell_of_untracked(const git::Repo& repo, const std::string& drafts, Context& context) {
  auto files = repo.untracked_files();
  if (!files) return;
  std::erase_if(*files, [&](const std::string& file) {
    return (repo.root() + "/" + file).starts_with(drafts + "/");
  });
  if (files->empty()) return;
  const std::size_t count = files->size();
  if (count > 3) files->resize(3);
  for (std::string& file : *files)
    file = printable(file, 100);
  context.notice(fmt::format(
      "{} untracked file{} not part of the change ({}{}); 'git add' what "
      "belongs to it and run this again",
      count, count == 1 ? " is" : "s are", join(*files, ", "), count > 3 ? ", ..." : ""));
}

/// What is staged, else the work tree, without the pairs of proposals that lie in it.
Result<std::string> change_in(const git::Repo& repo, const ObjectId& base, Context& context) {
  static const std::vector<std::string> pairs{"patches/*.patch.diff", "patches/*.patch.meta.yaml",
                                              "patches/*.patch.sig", "patches/*.report.md",
                                              "patches/*.review.*.yaml"};
  GH_TRY(all, repo.diff_staged(base, kMaxDiff));
  GH_TRY(staged, all.empty() ? Result<std::string>(std::string())
                             : repo.diff_staged(base, kMaxDiff, pairs));
  if (staged != all) context.notice("pairs of proposals in patches/ are no part of the change");
  if (!staged.empty()) return std::move(staged);
  return repo.diff_work_tree(base, kMaxDiff, pairs);
}

}  // namespace

Result<Reply> proposal_submit(const Request& request, Context& context) {
  return submit_or_lint(request, context, true);
}

Result<Reply> proposal_lint(const Request& request, Context& context) {
  return submit_or_lint(request, context, false);
}

Result<Reply> proposal_new(const Request& request, Context& context) {
  if (!request.has("agent") || !request.has("gap"))
    return fail(Code::missing_argument, "a proposal needs --agent 'MODEL / ROLE' and --gap ID");
  if (const auto defect = proposal::author_defect(request.text("agent")))
    return fail(Code::bad_argument, "--agent: " + *defect);
  if (request.has("id") && !proposal::is_patch_id(request.text("id")))
    return fail(Code::bad_argument,
                fmt::format("--id: '{}' is not 3 to 100 of a-z 0-9 in groups joined by '-'",
                            printable(request.text("id"), 100)));
  GH_TRY(session, open_proposal_session(context));
  GH_TRY(base, session.repo.objects().commit(request.has("base") ? request.text("base") : "HEAD"));
  GH_TRY(diff, session.repo.is_bare() ? Result<std::string>(std::string())
                                      : change_in(session.repo, base.id, context));
  if (diff.empty())
    return fail(Code::patch_missing,
                fmt::format("nothing differs from {}; 'git add' new files first",
                            base.id.hex().substr(0, 12)));
  auto patch = diff::parse(diff, diff::Profile::git, diff::Position::exact);
  if (!patch)
    return fail(Code::patch_missing,
                fmt::format("the change cannot be a proposal: {}", patch.error().message));
  ProposalMeta meta;
  meta.patch_id = suggested_id(request, context.env.now());
  meta.author_agent = request.text("agent");
  meta.trust_level = "untrusted";
  meta.source_gap = request.text("gap");
  meta.affected_files = paths_of(*patch);
  meta.base_commit = base.id.hex();
  meta.review_status = {"pending"};
  meta.promotion_status = "proposed";
  meta.created_utc = to_string(context.env.now());
  meta.schema = proposal::kProposalSchema;
  meta.target_ref = session.target_ref;
  meta.diff_sha256 = digest_of(diff).hex();
  meta.tests_added = proposal::test_paths(*patch, session.policy());
  meta.commands_run = request.list("command");
  meta.risk_notes = request.has("risk")
                        ? request.text("risk")
                        : question(
                              "failure: what can go wrong; blast_radius: which part; data: "
                              "touched or not; idempotent: yes or no");
  meta.rollback_notes = request.has("rollback") ? request.text("rollback")
                                                : question(
                                                      "how is it undone: revert, inverse diff, "
                                                      "or N/A with a reason");
  meta.title = request.text("title");
  const std::string folder = draft_folder(request, session.repo.root());
  GH_DO(keep_what_was_written(request, folder + "/" + meta.patch_id + std::string(kMetaEnd),
                              context, meta));
  if (!session.repo.is_bare()) tell_of_untracked(session.repo, folder, context);
  GH_TRY(draft, write_pair(request, session.repo.root(), meta, diff, std::nullopt));
  const std::string text = fmt::format(
      "{0}\n{1}\n\nFill in what only you know (risk_notes, rollback_notes, tests_added, "
      "commands_run), then:\n  gatehouse proposal lint --diff {0} --meta {1}\n",
      draft.diff_file, draft.meta_file);
  return Reply{.document = std::move(draft.document),
               .text = [text](const report::Look&) { return text; }};
}

}  // namespace gh::ops
