// `proposal import`, `proposal sync`, `proposal rebase` and `check --proposal`: keeping copies and
// bases up to date.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/members.h"
#include "ops/proposal_evidence.h"
#include "ops/proposal_judge.h"
#include "ops/proposal_mirror.h"
#include "ops/proposal_ops.h"
#include "ops/proposal_record.h"
#include "patch/gates.h"
#include "proposal/meta.h"
#include "report/proposal_report.h"
#include "report/verdict_document.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

store::Change change_of(const Record& record) {
  store::Change change;
  change.proposal = record.row;
  change.proposal->rev = 0;
  change.blobs = {{record.row.diff_sha256, record.submitted},
                  {record.row.canonical_sha256, record.canonical}};
  if (record.report) change.blobs.push_back({digest_of(*record.report).hex(), *record.report});
  for (const Value& document : record.reviews) {
    const std::string sha256 = digest_of(wire::canonical_json(document)).hex();
    change.more_documents.push_back({sha256, "review", document});
    const Value* reasons = document.as_map()->find("reasons");
    change.reviews.push_back({.patch_id = record.row.patch_id,
                              .reviewer = text_in(document, "reviewer"),
                              .actor = text_in(document, "actor"),
                              .digest = text_in(document, "proposal_digest"),
                              .verdict = text_in(document, "verdict"),
                              .reasons = reasons == nullptr ? Value(List()) : *reasons,
                              .stale = false,
                              .created_utc = text_in(document, "created_utc"),
                              .sha256 = sha256});
  }
  for (const Value& document : record.carries)
    change.more_documents.push_back(
        {digest_of(wire::canonical_json(document)).hex(), "review_carry", document});
  for (const auto& [digest, receipt] : record.receipts)
    change.more_documents.push_back({digest, "receipt", receipt});
  change.promotion = record.promotion;
  change.proposal_files = record.files;
  return change;
}

/// What was decided elsewhere stays decided, whatever the refs say later.
bool takes_back(const store::ProposalRow& known, const store::ProposalRow& now) {
  return known.digest != now.digest ||
         (known.promotion_status != now.promotion_status && known.promotion_status != "proposed" &&
          known.promotion_status != "sandbox");
}

/// A record that was imported before and has gone on since: its reviews are only added to.
void leave_out_what_is_there(store::Change& change, const Record& known) {
  change.proposal->rev = known.row.rev;
  std::set<std::string> there;
  for (const Value& document : known.reviews)
    there.insert(digest_of(wire::canonical_json(document)).hex());
  std::erase_if(change.reviews,
                [&](const store::ReviewRow& row) { return there.contains(row.sha256); });
}

/// One transaction holds one admission; the others follow in their own.
Status store_admissions(ProposalSession& session, Context& context, const Record& record) {
  for (const Value& document : record.admissions) {
    const std::string id = digest_of(wire::canonical_json(document)).hex();
    const Value* checks = document.as_map()->find("checks");
    store::Change change;
    change.more_documents.push_back({id, "admission", document});
    change.admission = store::AdmissionRow{.id = id,
                                           .patch_id = record.row.patch_id,
                                           .phase = text_in(document, "phase"),
                                           .decision = text_in(document, "decision"),
                                           .checks = checks == nullptr ? Value(List()) : *checks,
                                           .created_utc = text_in(document, "created_utc")};
    change.events.push_back(
        proposal_event(session, context, "imported", record.row, Map{{"admission", id}}));
    GH_DO(session.ledger->commit(change, store::Durability::durable));
  }
  return {};
}

/// The chain of this ledger vouches for the record from now on, as the other one did.
Map import_payload(const Record& record) {
  const auto meta = proposal::meta_from_document(*record.row.body.as_map()->find("meta"));
  Map payload = binding_of(record.row, *meta, record.report ? digest_of(*record.report).hex() : "");
  std::vector<std::string> reviews;
  for (const std::vector<Value>* kept : {&record.reviews, &record.carries})
    for (const Value& document : *kept)
      reviews.push_back(digest_of(wire::canonical_json(document)).hex());
  for (const std::string& sha256 : reviews)
    payload.find("evidence")->as_list()->emplace_back(sha256);
  payload.set("reviews", string_list(reviews));
  payload.set("to", record.row.promotion_status);
  return payload;
}

Reply list_reply(std::string_view schema, std::string_view member,
                 const std::vector<std::string>& items, const std::vector<RecordFault>& faults,
                 std::string_view nothing) {
  List list, fault_list;
  std::string text;
  for (const std::string& item : items) {
    list.emplace_back(item);
    text += printable(item, 200) + "\n";
  }
  for (const RecordFault& f : faults) {
    fault_list.emplace_back(
        Map{{"patch_id", f.patch_id}, {"code", f.code}, {"message", f.message}});
    text +=
        fmt::format("{}: {}: {}\n", printable(f.patch_id, 100), f.code, printable(f.message, 400));
  }
  if (text.empty()) text = std::string(nothing) + "\n";
  Reply reply;
  reply.document = Map{{"schema", schema}, {"faults", std::move(fault_list)}};
  reply.document.as_map()->set(std::string(member), std::move(list));
  reply.text = [text](const report::Look&) { return text; };
  if (!faults.empty()) {
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("{}: {}", faults.front().code, faults.front().message);
  }
  return reply;
}

/// What a metadata file claims that the ledger does not hold.
std::vector<RecordFault> claims_of(const ProposalMeta& file, const ProposalMeta& kept) {
  std::vector<RecordFault> out;
  if (file.promotion_status != kept.promotion_status)
    out.push_back({kept.patch_id, "PROP_PROMOTION_FORGED",
                   fmt::format("the file says {}, the ledger says {}",
                               printable(file.promotion_status, 40), kept.promotion_status)});
  if (file.review_status != kept.review_status)
    out.push_back({kept.patch_id, "PROP_REVIEW_FORGED",
                   fmt::format("the file says {}, the ledger says {}",
                               printable(join(file.review_status, ", "), 80),
                               join(kept.review_status, ", "))});
  if (file.trust_level != kept.trust_level)
    out.push_back({kept.patch_id, "PROP_TRUST_EXCEEDED",
                   fmt::format("the file says {}, the ledger says {}",
                               printable(file.trust_level, 40), kept.trust_level)});
  return out;
}

/// "fix-001" -> "fix-001-r2" -> "fix-001-r3".
std::string next_id(const std::string& id) {
  const std::size_t at = id.rfind("-r");
  const std::string digits = at == std::string::npos ? "" : id.substr(at + 2);
  const bool counted = !digits.empty() && digits.size() < 6 &&
                       digits.find_first_not_of("0123456789") == std::string::npos;
  if (!counted) return id + "-r2";
  return fmt::format("{}-r{}", id.substr(0, at), std::stoi(digits) + 1);
}

/// The next id that nobody else has taken meanwhile. One that supersedes `known` already is its
/// rebase, and the one to go on from.
Result<std::string> free_id(store::Ledger& ledger, const Stored& known) {
  for (std::string id = next_id(known.row.patch_id);; id = next_id(id)) {
    GH_TRY(row, ledger.proposal(id));
    if (!row) return id;
    const auto taken = load_proposal(ledger, id);
    if (taken && taken->row.promotion_status == "proposed" &&
        std::ranges::find(taken->meta.supersedes, known.row.patch_id) !=
            taken->meta.supersedes.end())
      return fail(Code::conflict,
                  fmt::format("{} was rebased before, as {}: rebase that one, or withdraw it first",
                              known.row.patch_id, id));
  }
}

/// Nobody signs for the author: what a key vouched for is written out, to be signed and submitted.
Result<Reply> written_to_be_signed(const Request& request, ProposalSession& session,
                                   const Stored& known, const ProposalMeta& meta,
                                   const std::string& diff) {
  std::optional<std::string> report;
  if (!known.report_sha256.empty()) {
    GH_TRY(text, session.ledger->blob(known.report_sha256));
    report = std::move(text);
  }
  GH_TRY(draft, write_pair(request, session.repo.root(), meta, diff, report));
  const std::string text = fmt::format(
      "{0}\n{1}\n\n{2} was signed by {3}, who signs this one too; these are the bytes:\n"
      "  gatehouse proposal lint --payload --diff {0} --meta {1}\n",
      draft.diff_file, draft.meta_file, known.row.patch_id, known.author_actor);
  return Reply{.document = std::move(draft.document),
               .text = [text](const report::Look&) { return text; }};
}

}  // namespace

Result<Reply> proposal_import(const Request&, Context& context) {
  GH_TRY(session, open_proposal_session(context));
  GH_TRY(ids, ids_in_refs(session.repo));
  GH_TRY(chain, mirrored_chain(session.repo));
  std::vector<std::string> taken;
  std::vector<RecordFault> faults;
  if (chain.first_broken != 0) faults.push_back(broken_mirror(chain));
  for (const std::string& id : ids) {
    GH_TRY(known, audited_record(*session.ledger, id));
    if ((known && !is_only_imported(known->events)) || chain.first_broken != 0) continue;
    const auto read = record_in_refs(session.repo, id);
    if (!read) faults.push_back({id, "PROP_MIRROR_FORGED", read.error().message});
    if (!read || !*read) continue;
    const std::optional<Record>& record = *read;
    if (known && same_files(known->record, *record)) continue;
    if (known && takes_back(known->record.row, record->row)) {
      faults.push_back(
          {id, "PROP_MIRROR_FORGED",
           fmt::format("refs/gatehouse/proposals calls it {}, and it was imported as {}",
                       record->row.promotion_status, known->record.row.promotion_status)});
      continue;
    }
    GH_TRY(found, faults_of(session.repo, *record, chain.events[id], others_in_refs(session.repo)));
    GH_TRY(exact, is_exact_copy(session.repo, *record));
    if (!exact)
      found.push_back({id, "PROP_MIRROR_FORGED",
                       "its folder in refs/gatehouse/proposals holds other files than its record"});
    if (!found.empty()) {
      faults.insert(faults.end(), found.begin(), found.end());
      continue;
    }
    store::Change change = change_of(*record);
    if (known) leave_out_what_is_there(change, known->record);
    change.events.push_back(
        proposal_event(session, context, "imported", record->row, import_payload(*record)));
    GH_DO(session.ledger->commit(change, store::Durability::durable));
    GH_DO(store_admissions(session, context, *record));
    taken.push_back(id);
  }
  return list_reply("gatehouse.proposal_import/1", "imported", taken, faults,
                    "the ledger holds everything that refs/gatehouse hold");
}

Result<Reply> proposal_sync(const Request& request, Context& context) {
  std::string folder = request.text("DIR");
  if (sys::info(folder + "/patches").kind == sys::FileKind::folder) folder += "/patches";
  GH_TRY(names, sys::list_folder(folder));
  GH_TRY(session, open_proposal_session(context));
  std::vector<std::string> restored;
  std::vector<RecordFault> faults;
  for (const std::string& name : names) {
    const std::string file = folder + "/" + name;
    if (!name.ends_with(kMetaEnd) || sys::info(file).kind != sys::FileKind::file) continue;
    const std::string id = name.substr(0, name.size() - kMetaEnd.size());
    GH_TRY(row, session.ledger->proposal(id));
    if (!row || row->promotion_status == "sandbox") continue;
    GH_TRY(stored, load_proposal(*session.ledger, id));
    const auto bytes = sys::read_file(file, proposal::kMaxMetaBytes);
    const std::string wanted = proposal::print_meta(stored.meta);
    if (bytes && *bytes == wanted) continue;
    const auto claimed = bytes ? proposal::read_meta(*bytes, name)
                               : Result<ProposalMeta>(fail(Code::input_unreadable, ""));
    if (claimed) {
      // A file that still says what was submitted is only late; anything else was made up.
      const bool late =
          claimed->promotion_status == "proposed" || claimed->promotion_status == "sandbox";
      const auto found = claims_of(*claimed, stored.meta);
      if (!late || claimed->review_status != std::vector<std::string>{"pending"} ||
          claimed->trust_level != "untrusted")
        faults.insert(faults.end(), found.begin(), found.end());
    }
    GH_DO(sys::write_file_atomic(file, wanted));
    store::Change change;
    change.events.push_back(proposal_event(session, context, "sync_restored", stored.row,
                                           Map{{"file", printable(name, 200)}}));
    GH_DO(record(session, context, change, id));
    restored.push_back(name);
  }
  return list_reply("gatehouse.proposal_sync/1", "restored", restored, faults,
                    "all files say what the ledger says");
}

Result<Reply> proposal_rebase(const Request& request, Context& context) {
  GH_TRY(opened, open_proposal(context, request.text("ID")));
  ProposalSession& session = opened.session;
  Stored& known = opened.stored;
  GH_TRY(onto, session.repo.objects().commit(request.has("onto") ? request.text("onto")
                                                                 : session.head.id.hex()));
  GH_TRY(diff, placed_on(session.repo, known.canonical, onto));
  if (!diff)
    return status_reply(known,
                        {{proposal::PropCode::PROP_CONFLICT,
                          fmt::format("{} does not fit on {} in exactly one place: make the change "
                                      "anew there and submit it under another id",
                                      known.row.patch_id, onto.id.hex().substr(0, 12))}},
                        "");
  ProposalMeta meta = known.meta;
  GH_TRY(id, free_id(*session.ledger, known));
  meta.patch_id = id;
  meta.base_commit = onto.id.hex();
  meta.created_utc = to_string(context.env.now());
  meta.review_status = {"pending"};
  meta.promotion_status = "proposed";
  meta.trust_level = "untrusted";
  meta.diff_sha256 = digest_of(*diff).hex();
  meta.supersedes.push_back(known.row.patch_id);  // behind those that it took the place of itself
  meta.schema = proposal::kProposalSchema;
  if (known.author_actor != kExternal)
    return written_to_be_signed(request, session, known, meta, *diff);
  GH_TRY(folder, sys::TempDir::create(session.repo.state_dir() + "/tmp", "rebase-"));
  Pair pair;
  pair.stem = meta.patch_id;
  pair.rebase_of = known.row.patch_id;
  pair.meta_name = meta.patch_id + std::string(kMetaEnd);
  pair.meta = proposal::print_meta(meta);
  pair.diff_file = folder.path() + "/diff";
  GH_DO(sys::write_scratch_file(pair.diff_file, *diff));
  if (!known.report_sha256.empty()) {
    GH_TRY(report, session.ledger->blob(known.report_sha256));
    pair.report = report;
  }
  return submit_pair(session, context, pair, true);
}

Result<Reply> check_proposal(const Request& request, Context& context) {
  const Timestamp started = context.env.now();
  const std::int64_t started_ms = context.env.monotonic_ms();
  GH_TRY(opened, open_proposal(context, request.text("proposal")));
  ProposalSession& session = opened.session;
  Stored& known = opened.stored;
  GH_TRY(judged, judge_promotion(session, context, known,
                                 {.asker = session.actor.name,
                                  .asker_may_promote = true,
                                  .confirmed_by_human = false}));
  const report::AdmissionContext about{.patch_id = known.row.patch_id,
                                       .base = known.row.base_commit,
                                       .repo_id = session.repo_id,
                                       .policy_digest = session.policy_sha256,
                                       .digest = known.row.digest,
                                       .gate = "check"};
  Verdict verdict = report::admission_verdict(judged.judgement.admission, about);
  verdict.started = to_string(started);
  verdict.duration_ms = context.env.monotonic_ms() - started_ms;
  Reply reply;
  reply.exit = exit_code(verdict.decision, {},
                         {.exit_zero = request.flag("exit-zero"),
                          .exit_review = request.flag("exit-review"),
                          .strict = request.flag("strict")});
  if (reply.exit != ExitCode::done) reply.why = report::why_not_allowed(verdict);
  reply.document = report::verdict_document(verdict);
  reply.text = [admission = judged.judgement.admission, about](const report::Look& look) {
    return report::render_admission(admission, about, look);
  };
  return reply;
}

}  // namespace gh::ops
