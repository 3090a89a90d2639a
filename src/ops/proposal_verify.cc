// `proposal verify`, `proposal export`: every decision repeated from what was kept, in the ledger
// or in a clone that has only refs/gatehouse/*.
#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "base/trailers.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/promotion_check.h"
#include "ops/proposal_evidence.h"
#include "ops/proposal_judge.h"
#include "ops/proposal_mirror.h"
#include "ops/proposal_ops.h"
#include "ops/proposal_record.h"
#include "ops/repo_config.h"
#include "ops/review_carry.h"
#include "patch/gates.h"
#include "proposal/carry.h"
#include "proposal/lifecycle.h"
#include "proposal/meta.h"
#include "store/audit_index.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::string_view kFetchLine = "git fetch origin '+refs/gatehouse/*:refs/gatehouse/*'";

using Fault = RecordFault;
using Faults = std::vector<Fault>;

class Examination {
 public:
  Examination(git::Repo& repo, const policy::Config& config, const Record& record,
              OtherRecord other, Faults& faults)
      : repo_(repo),
        config_(config),
        record_(record),
        other_(std::move(other)),
        faults_(faults),
        repo_id_(repository_id(repo)) {}

  Status run() {
    const Map* body = record_.row.body.as_map();
    const Value* meta = body == nullptr ? nullptr : body->find("meta");
    auto read = meta == nullptr ? Result<ProposalMeta>(fail(Code::json_invalid, "no metadata"))
                                : proposal::meta_from_document(*meta);
    if (!read) {
      blame("PROP_META_INVALID", read.error().message);
      return {};
    }
    meta_ = std::move(*read);
    check_digests();
    check_author();
    check_statuses();
    GH_DO(check_carries());
    check_reviews();
    check_admissions();
    GH_DO(check_tree());
    return check_promotion();
  }

 private:
  void blame(std::string code, std::string message) {
    faults_.push_back({record_.row.patch_id, std::move(code), std::move(message)});
  }

  void check_digests() {
    const store::ProposalRow& row = record_.row;
    if (digest_of(record_.canonical).hex() != row.canonical_sha256)
      blame("PROP_DIGEST_MISMATCH", "the canonical patch is not the one of the record");
    if (digest_of(record_.submitted).hex() != row.diff_sha256)
      blame("PROP_DIGEST_MISMATCH", "the submitted diff is not the one of the record");
    const std::string report = record_.report ? digest_of(*record_.report).hex() : "";
    if (proposal::proposal_digest(meta_, row.canonical_sha256, report) != row.digest)
      blame("PROP_DIGEST_MISMATCH", "metadata, patch and report do not give the recorded digest");
  }

  /// Nothing comes of it any more, and who may speak has changed since: the chain vouches for it.
  bool is_closed() const { return record_.row.promotion_status == "rejected"; }

  void check_author() {
    if (is_closed()) return;
    if (config_.proposals.signatures == policy::SignatureMode::off) return;
    if (const auto defect =
            author_signature_defect(config_.proposals, record_.row, record_.row.digest, repo_id_))
      blame("PROP_SIGNATURE_INVALID", "the author's signature: " + *defect);
    if (config_.proposals.signatures == policy::SignatureMode::required &&
        record_.row.actor == kExternal)
      blame("PROP_SIGNATURE_MISSING", "the policy requires a signature and there is none");
  }

  void check_statuses() {
    const store::ProposalRow& row = record_.row;
    if (meta_.promotion_status != row.promotion_status)
      blame("PROP_PROMOTION_FORGED",
            fmt::format("the metadata says {}, the record says {}",
                        printable(meta_.promotion_status, 40), row.promotion_status));
    if (meta_.trust_level != row.trust_level)
      blame("PROP_TRUST_EXCEEDED", fmt::format("the metadata says {}, the record says {}",
                                               printable(meta_.trust_level, 40), row.trust_level));
    if ((row.promotion_status == "promoted") != record_.promotion.has_value())
      blame("PROP_PROMOTION_FORGED", record_.promotion
                                         ? "a promotion is recorded of what is not called promoted"
                                         : "it is called promoted, and no promotion is recorded");
    if (!is_sub_state(row.sub_state))
      blame("PROP_STATE_INCONSISTENT",
            fmt::format("'{}' is no sub-state", printable(row.sub_state, 40)));
  }

  /// Every carried review leads to the record of the proposal that was reviewed, and the patches
  /// are compared again.
  Status check_carries() {
    std::vector<std::string> digests;
    for (const Value& document : record_.carries) {
      digests.push_back(digest_of(wire::canonical_json(document)).hex());
      GH_TRY(defect, is_closed() ? Result<std::string>(std::string()) : carry_fault(document));
      if (!defect.empty())
        blame("PROP_REVIEW_FORGED", "a review that is said to be carried over: " + defect);
    }
    if (digests != texts_in(record_.row.body, "carried"))
      blame("PROP_REVIEW_FORGED", "the record names other carried reviews than are there");
    return {};
  }

  Result<std::string> carry_fault(const Value& document) {
    const auto carry = proposal::carry_from_document(document);
    if (!carry) return carry.error().message;
    if (config_.proposals.carry_reviews != "identical_patch")
      return std::string("the policy carries none over");
    GH_TRY(from, other_(carry->from_patch_id));
    const Value* meta = from && from->row.body.as_map() != nullptr
                            ? from->row.body.as_map()->find("meta")
                            : nullptr;
    const auto from_meta = meta == nullptr ? Result<ProposalMeta>(fail(Code::json_invalid, ""))
                                           : proposal::meta_from_document(*meta);
    const auto mine = diff::parse(record_.canonical, diff::Profile::git, diff::Position::exact);
    if (!from) return std::string("the proposal that was reviewed is not there");
    const auto theirs = diff::parse(from->canonical, diff::Profile::git, diff::Position::exact);
    if (!from_meta || !mine || !theirs)
      return std::string("the proposal that was reviewed is not there");
    GH_TRY(moved, is_moved_by_the_gate(repo_, from->canonical, from->row.base_commit,
                                       record_.canonical, record_.row.base_commit));
    if (!moved) return std::string("it is not the reviewed change on another base");
    const std::string their_report = from->report ? digest_of(*from->report).hex() : "";
    const std::string my_report = record_.report ? digest_of(*record_.report).hex() : "";
    // The other record is believed no more than this one: its digest is made anew from its bytes.
    if (proposal::proposal_digest(*from_meta, digest_of(from->canonical).hex(), their_report) !=
        from->row.digest)
      return std::string("the proposal that was reviewed does not have its digest");
    for (const Value& kept : from->reviews) {
      const std::string sha256 = digest_of(wire::canonical_json(kept)).hex();
      const auto review = proposal::review_from_document(kept);
      if (sha256 != carry->review_sha256 || !review) continue;
      const proposal::CarrySide to{meta_,
                                   *mine,
                                   record_.row.digest,
                                   my_report,
                                   record_.row.base_commit,
                                   record_.row.candidate_tree};
      if (const auto defect =
              proposal::carry_defect(*carry, *review, sha256,
                                     {*from_meta, *theirs, from->row.digest, their_report,
                                      from->row.base_commit, from->row.candidate_tree},
                                     to))
        return *defect;
      if (const auto defect = review_signature_defect(config_.proposals, *review, repo_id_))
        return *defect;
      reviews_.push_back(proposal::carried_review(*review, to));
      return std::string();
    }
    return std::string("the review is not there");
  }

  void check_reviews() {
    for (const Value& document : record_.reviews) {
      auto review = proposal::review_from_document(document);
      if (!review || review->patch_id != record_.row.patch_id) {
        blame("PROP_REVIEW_FORGED", "a review document cannot be read or is of another proposal");
        continue;
      }
      if (review->proposal_digest == record_.row.digest &&
          (review->candidate_tree != record_.row.candidate_tree ||
           review->base_commit != record_.row.base_commit))
        blame("PROP_REVIEW_FORGED", "a review is of another base or tree");
      if (const auto defect = is_closed()
                                  ? std::nullopt
                                  : review_signature_defect(config_.proposals, *review, repo_id_))
        blame("PROP_REVIEW_FORGED",
              "a review by " + printable(review->reviewer, 60) + ": " + *defect);
      reviews_.push_back(std::move(*review));
    }
    if (record_.row.promotion_status != "promoted") return;  // the policy may be another one now
    const auto summary = proposal::summarise(reviews_, config_.proposals, record_.row.digest);
    const Map* body = record_.row.body.as_map();
    const Value* recorded = body->find("review_status");
    if (recorded == nullptr || !(*recorded == string_list(summary.status)))
      blame("PROP_REVIEW_FORGED", fmt::format("the reviews say {}, the record says something else",
                                              join(summary.status, ", ")));
    if (!summary.all_ok)
      blame("PROP_REVIEW_FORGED", "it was promoted, and its reviews do not all say ok");
  }

  void check_admissions() {
    for (const Value& document : record_.admissions) {
      const Map* map = document.as_map();
      if (map == nullptr || text_in(*map, "patch_id") != record_.row.patch_id) {
        blame("PROP_STATE_INCONSISTENT", "an admission document is of another proposal");
        continue;
      }
      const Value* checks = map->find("checks");
      bool failed = false;
      if (checks != nullptr && checks->as_list() != nullptr)
        for (const Value& check : *checks->as_list()) {
          const Value* ok = check.as_map() == nullptr ? nullptr : check.as_map()->find("ok");
          failed = failed || (ok != nullptr && ok->as_bool() != nullptr && !*ok->as_bool());
        }
      if (failed == (text_in(*map, "decision") == "admit"))
        blame("PROP_STATE_INCONSISTENT", "an admission says another thing than its checks");
    }
  }

  Status check_tree() {
    const auto base = repo_.objects().commit(record_.row.base_commit);
    if (record_.row.candidate_tree.empty()) return {};
    if (!base) {
      blame("PROP_BASE_UNKNOWN", "the base commit is not in this repository");
      return {};
    }
    const auto parsed = diff::parse(record_.canonical, diff::Profile::git, diff::Position::exact);
    if (!parsed) {
      blame("PROP_PATCH_REJECTED", "the canonical patch cannot be read");
      return {};
    }
    policy::PatchPolicy open = config_.patch;
    open.position = "exact";
    open.rewrite_mode = policy::RewriteMode::off;
    GH_TRY(predicted, patch::predict(*parsed, open, base->tree, repo_.objects(), {}));
    if (!predicted.tree || predicted.tree->hex() != record_.row.candidate_tree)
      blame("PROP_TREE_CHANGED", "patch and base do not give the recorded tree");
    return {};
  }

  Status check_promotion() {
    if (!record_.promotion || record_.row.promotion_status != "promoted") return {};
    for (Fault& fault : promotion_faults(repo_, record_))
      faults_.push_back(std::move(fault));
    GH_TRY(on_target, repo_.contains(record_.row.target_ref, record_.promotion->new_head));
    const auto target = repo_.objects().commit(record_.row.target_ref);
    if (target && !on_target)
      blame("PROP_PROMOTION_FORGED",
            fmt::format("{} does not hold the promotion; if this clone is behind, 'git pull' first",
                        printable(record_.row.target_ref, 100)));
    const auto commit = repo_.objects().commit(record_.promotion->commit_id);
    if (!commit) return {};
    std::vector<std::string> wanted;
    for (const std::string& name : config_.proposals.required_reviewers)
      for (auto it = reviews_.rbegin(); it != reviews_.rend(); ++it)
        if (it->reviewer == name && it->proposal_digest == record_.row.digest) {
          wanted.push_back(name + " " +
                           digest_of(wire::canonical_json(proposal::to_document(*it))).hex());
          break;
        }
    if (trailers(commit->message, TrailerKey::reviewed_by) != wanted)
      blame("PROP_REVIEW_FORGED", "the commit's Reviewed-By trailers are not the recorded reviews");
    return {};
  }

  git::Repo& repo_;
  const policy::Config& config_;
  const Record& record_;
  OtherRecord other_;
  Faults& faults_;
  std::string repo_id_;
  ProposalMeta meta_{};
  std::vector<Review> reviews_{};
};

/// The head that a promotion was judged at, when history bears it out; otherwise nothing.
Result<std::optional<git::Commit>> head_of_promotion(git::Repo& repo, const Record& record) {
  if (!record.promotion || record.row.promotion_status != "promoted") return std::nullopt;
  const store::PromotionRow& p = *record.promotion;
  const auto landed = repo.objects().commit(p.new_head);
  if (!landed) return std::nullopt;
  // What moved no target could name any old commit: it is judged by the rules of now.
  const bool follows = !landed->parents.empty() && landed->parents.front().hex() == p.old_head;
  if (!follows) return std::nullopt;
  GH_TRY(on_target, repo.contains(record.row.target_ref, p.new_head));
  const auto head = repo.objects().commit(p.old_head);
  return on_target && head ? std::optional(*head) : std::nullopt;
}

/// Policy and registry that judge a record: those that stood when it was promoted, so that history
/// survives a change of reviewers or keys; for everything else those of the target now.
Result<policy::Config> config_for(git::Repo& repo, const Record& record) {
  GH_TRY(then, head_of_promotion(repo, record));
  if (then) return config_at(repo, *then);
  auto commit = repo.objects().commit(record.row.target_ref);
  if (!commit) commit = repo.objects().commit("HEAD");
  if (!commit) return policy::Config{};
  return config_at(repo, *commit);
}

void append(Faults& faults, Faults more) {
  faults.insert(faults.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

/// Whether the events leave a record behind that is more than a refused attempt.
bool was_taken_in(const std::vector<ChainEvent>& events) {
  return std::ranges::any_of(events, [](const ChainEvent& event) {
    const std::string_view status = status_said(event);
    return !status.empty() && status != "sandbox";
  });
}

/// `behind`: the copy in the refs has not caught up, because its writer was interrupted or is at
/// it.
Status examine_ledger(ProposalSession& session, const std::vector<std::string>& ids, Faults& faults,
                      bool& behind) {
  for (const std::string& id : ids) {
    GH_TRY(kept, audited_record(*session.ledger, id));
    if (!kept) {
      GH_TRY(told, session.ledger->audit_of_proposal(id));
      if (!was_taken_in(chain_events(told)))
        return fail(Code::unknown_id, fmt::format("there is no proposal '{}'", printable(id, 120)));
      faults.push_back({id, "PROP_RECORD_FORGED",
                        "the audit chain speaks of this proposal, its record is gone"});
      continue;
    }
    const auto other = [&](const std::string& patch_id) {
      return record_in_ledger(*session.ledger, patch_id);
    };
    GH_TRY(found, faults_of(session.repo, kept->record, kept->events, other));
    append(faults, std::move(found));
    if (!session.policy().mirror) continue;
    const auto copy = record_in_refs(session.repo, id);
    if (copy && *copy && same_files(kept->record, **copy)) continue;
    GH_TRY(mirrored, mirrored_rows(session.repo));
    GH_TRY(is_others, mirrors_another_ledger(session.repo, *session.ledger));
    const bool is_overwritten = is_others && copy && !*copy;  // by a fetch from elsewhere
    if (is_overwritten || (!kept->events.empty() && kept->events.back().seq > mirrored))
      behind = true;
    else
      faults.push_back(
          {id, "PROP_MIRROR_FORGED",
           is_only_imported(kept->events)
               ? "refs/gatehouse/proposals holds another record than was imported; if its origin "
                 "has moved on, 'gatehouse proposal import' takes the newer one"
               : "refs/gatehouse/proposals disagrees with the ledger; the ledger stands"});
  }
  return {};
}

/// The index beside the chain says which rows speak of a proposal; it must say all of them.
Status examine_index(store::Ledger& ledger, Faults& faults) {
  GH_TRY(defects, ledger.check());
  for (std::string& defect : defects)
    faults.push_back({"", "AUDIT_BROKEN", std::move(defect)});
  return {};
}

Status examine_refs(git::Repo& repo, MirroredChain& chain, const std::vector<std::string>& ids,
                    bool all, Faults& faults) {
  for (const std::string& id : ids) {
    const auto read = record_in_refs(repo, id);
    if (!read || (all && !*read && !was_taken_in(chain.events[id]))) {
      faults.push_back(
          {id, "PROP_MIRROR_FORGED",
           read ? "its folder in refs/gatehouse/proposals holds no record" : read.error().message});
      continue;
    }
    const std::optional<Record>& copy = *read;
    if (!copy && was_taken_in(chain.events[id])) {
      faults.push_back(
          {id, "PROP_RECORD_FORGED",
           "the audit chain speaks of this proposal, refs/gatehouse/proposals does not"});
      continue;
    }
    if (!copy)
      return fail(
          Code::unknown_id,
          fmt::format("refs/gatehouse/proposals holds no '{}'; a plain clone does not bring "
                      "these refs: {}",
                      printable(id, 120), kFetchLine));
    GH_TRY(found, faults_of(repo, *copy, chain.events[id], others_in_refs(repo)));
    append(faults, std::move(found));
    GH_TRY(exact, is_exact_copy(repo, *copy));
    if (!exact)
      faults.push_back(
          {id, "PROP_MIRROR_FORGED",
           "its folder in refs/gatehouse/proposals holds other files than its record"});
  }
  if (chain.first_broken != 0) faults.push_back(broken_mirror(chain));
  return {};
}

Result<std::vector<std::string>> all_ids(store::Ledger& ledger) {
  std::vector<std::string> ids;
  for (std::string after;;) {
    GH_TRY(rows, ledger.proposals({.after = after, .limit = 500}));
    for (const store::ProposalRow& row : rows)
      if (row.promotion_status != "sandbox") ids.push_back(row.patch_id);
    if (rows.size() < 500) return ids;
    after = rows.back().patch_id;
  }
}

/// Those of the records and those that the chain speaks of: a record may have been taken away, or
/// made to look like a refused attempt.
Result<std::vector<std::string>> all_known(store::Ledger& ledger) {
  GH_TRY(ids, all_ids(ledger));
  std::set<std::string> known(ids.begin(), ids.end());
  for (const std::string_view event :
       {"proposal.submitted", "proposal.rejected", "proposal.imported"}) {
    GH_TRY(rows, ledger.audit_of_event(event));
    for (const store::AuditRow& row : rows)
      for (std::string& id : store::proposals_named(row.event.subject))
        known.insert(std::move(id));
  }
  return std::vector(known.begin(), known.end());
}

Result<std::vector<std::string>> all_mirrored(git::Repo& repo, const MirroredChain& chain) {
  GH_TRY(ids, ids_in_refs(repo));
  std::set<std::string> known(ids.begin(), ids.end());
  for (const auto& [id, events] : chain.events)
    if (was_taken_in(events)) known.insert(id);
  return std::vector(known.begin(), known.end());
}

Reply verify_reply(const Faults& faults, std::size_t count, std::string_view from) {
  List list;
  std::string text;
  for (const Fault& f : faults) {
    list.emplace_back(Map{{"patch_id", f.patch_id}, {"code", f.code}, {"message", f.message}});
    text += fmt::format("{}: {}: {}\n", f.patch_id.empty() ? "audit" : printable(f.patch_id, 100),
                        f.code, printable(f.message, 400));
  }
  if (faults.empty())
    text = fmt::format("{} proposal{} verified from {}\n", count, count == 1 ? "" : "s", from);
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.proposal_verification/1"},
                       {"ok", faults.empty()},
                       {"proposals", static_cast<std::int64_t>(count)},
                       {"source", from},
                       {"faults", std::move(list)}};
  reply.text = [text](const report::Look&) { return text; };
  if (!faults.empty()) {
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("{}: {}", faults.front().code, faults.front().message);
  }
  return reply;
}

}  // namespace

OtherRecord others_in_refs(git::Repo& repo) {
  return [&repo](const std::string& patch_id) { return record_in_refs(repo, patch_id); };
}

Result<std::vector<RecordFault>> faults_of(git::Repo& repo, const Record& record,
                                           const std::vector<ChainEvent>& events,
                                           const OtherRecord& other) {
  Faults faults;
  GH_TRY(config, config_for(repo, record));
  GH_DO(Examination(repo, config, record, other, faults).run());
  append(faults, chain_faults(record, events));
  return faults;
}

Result<Reply> proposal_verify(const Request& request, Context& context) {
  const bool all = request.flag("all");
  if (all == request.has("ID")) return fail(Code::missing_argument, "name a proposal, or --all");
  GH_TRY(repo, open_to_read(context));
  if (is_shallow(repo))
    context.notice(
        "this clone is shallow, so no signature can hold; 'git fetch --unshallow' first");
  Faults faults;
  GH_TRY(ledger, open_ledger_to_read(repo, context.env));
  if (ledger != nullptr) {
    GH_TRY(session, open_proposal_session(context));
    GH_TRY(known, all_known(*session.ledger));
    if (!known.empty()) {
      const std::vector<std::string> ids = all ? known : std::vector{request.text("ID")};
      bool behind = false;
      GH_DO(examine_ledger(session, ids, faults, behind));
      if (all) GH_DO(examine_index(*session.ledger, faults));
      if (session.policy().mirror)
        if (const Status known_rows = check_chain_is_known(session.repo, *session.ledger);
            !known_rows)
          faults.push_back({"", "AUDIT_BROKEN", known_rows.error().message});
      if (behind)
        context.notice(
            "refs/gatehouse are behind the ledger; the next change, or 'gatehouse proposal "
            "export', brings them along");
      return verify_reply(faults, ids.size(), "the ledger");
    }
  }
  GH_TRY(chain, mirrored_chain(repo));
  GH_TRY(mirrored, all_mirrored(repo, chain));
  if (all && mirrored.empty())
    context.notice(
        fmt::format("no proposals here; a plain clone does not bring them: {}", kFetchLine));
  const std::vector<std::string> ids = all ? mirrored : std::vector{request.text("ID")};
  GH_DO(examine_refs(repo, chain, ids, all, faults));
  return verify_reply(faults, ids.size(), "refs/gatehouse");
}

Result<Reply> proposal_export(const Request&, Context& context) {
  GH_TRY(session, open_proposal_session(context));
  GH_TRY(ids, all_ids(*session.ledger));
  GH_DO(mirror(session, context, ids, Trust::none));
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.proposal_export/1"},
                       {"proposals", static_cast<std::int64_t>(ids.size())},
                       {"refs", string_list({std::string(kProposalsRef), std::string(kReceiptsRef),
                                             std::string(kAuditRef)})}};
  const std::string line = fmt::format("{} proposals in refs/gatehouse\n", ids.size());
  reply.text = [line](const report::Look&) { return line; };
  return reply;
}

}  // namespace gh::ops
