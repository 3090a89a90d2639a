#include "ops/proposal_judge.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "landing/candidate.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/promotion_queue.h"
#include "ops/proposal_evidence.h"
#include "ops/repo_config.h"
#include "patch/gate.h"
#include "proposal/conflicts.h"
#include "proposal/meta.h"
#include "proposal/waivers.h"
#include "report/patch_document.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using proposal::AdmissionFacts;
using proposal::Finding;
using proposal::Phase;
using proposal::PropCode;

constexpr std::size_t kMaxRederived = 64u << 20;
constexpr std::int64_t kMaxOthers = 100;
constexpr std::size_t kMaxFollowed = 10'000;

/// What the gathering of both phases shares. Owns every text that the facts point into.
struct Work {
  ProposalSession& session;
  Context& context;
  Judgement out{};
  policy::Config base_config{};  // with the patch block that judges
  std::optional<diff::Patch> patch{};
  AdmissionFacts facts;
};

Work begin(ProposalSession& session, Context& context, Phase phase) {
  Work work{.session = session,
            .context = context,
            .facts = {.phase = phase,
                      .policy = session.config.proposals,
                      .patch_policy = session.config.patch,
                      .now = context.env.now()}};
  work.facts.real_repo_root = sys::real_path(session.repo.root()).value_or(session.repo.root());
  return work;
}

proposal::Other other_of(const store::ProposalRow& row) {
  proposal::Other other{.patch_id = row.patch_id,
                        .digest = row.digest,
                        .canonical_sha256 = row.canonical_sha256,
                        .base_commit = row.base_commit,
                        .author_agent = row.author_agent,
                        .author_actor = row.actor,
                        .target_ref = row.target_ref,
                        .depends_on = {},
                        .failed_inputs = {}};
  other.status = promotion_status_of(row.promotion_status).value_or(PromotionStatus::rejected);
  other.sub_state = row.sub_state;
  const Map* body = row.body.as_map();
  const Value* meta = body == nullptr ? nullptr : body->find("meta");
  if (meta != nullptr)
    if (const auto read = proposal::meta_from_document(*meta)) other.depends_on = read->depends_on;
  other.failed_inputs = texts_in(row.body, "failed_inputs");
  return other;
}

Status gather_base(Work& work) {
  const std::string& base = work.out.meta->base_commit;
  proposal::BaseFacts& facts = work.facts.base;
  const auto id = ObjectId::parse(base);
  facts.well_formed_for_repo = id && id->kind() == work.session.repo.hash_kind();
  if (!facts.well_formed_for_repo) return {};
  GH_TRY(type, work.session.repo.objects().type_of(*id));
  facts.exists = !type.empty();
  facts.is_commit = type == "commit";
  if (!facts.is_commit) return {};
  GH_TRY(commit, work.session.repo.objects().commit(base));
  facts.commit_time = commit.committed;
  std::vector<std::string> refs = work.session.policy().base_refs;
  if (refs.empty()) refs.push_back(work.out.target_ref);
  for (const std::string& ref : refs) {
    GH_TRY(contains, work.session.repo.contains(ref, base));
    facts.reachable = facts.reachable || contains;
  }
  return {};
}

/// The patch gate on the base commit, under the patch policy at the head of the target: an old base
/// must not bring an old policy along.
Result<patch::Outcome> run_patch_gate(Work& work, std::string_view diff) {
  git::Repo& repo = work.session.repo;
  GH_TRY(base, repo.objects().commit(work.out.meta->base_commit));
  work.base_config = work.session.config;
  work.base_config.patch.position = "exact";
  const patch::CompiledPolicy policy(work.base_config.patch);
  GH_TRY(quarantine, repo.quarantine());
  patch::Outcome outcome = patch::judge(diff, {repo, quarantine, base.id, base.tree, policy},
                                        {.profile = diff::Profile::git});
  if (!outcome.ok()) return outcome;
  GH_TRY(private_place, repo.quarantine());
  git::GitRun last;
  GH_DO(landing::build_candidate(repo, private_place, outcome, last));
  work.out.quarantine.emplace(std::move(private_place));
  return outcome;
}

Value rejection_document(const Work& work, const patch::Outcome& outcome) {
  const report::DocumentContext about{
      .policy = &work.base_config.patch,
      .policy_source = work.base_config.source,
      .policy_sha256 = policy::policy_digest(work.base_config.patch).hex(),
      .actor = work.session.actor.name,
      .max_attempts = work.base_config.patch.max_attempts,
      .created_utc = to_string(work.facts.now)};
  return report::patch_document(outcome, about);
}

/// Lines that a section takes and gives, in order: what two spellings of one change share.
struct Effect {
  bool exists_before = false, exists_after = false;
  std::string taken, given;
  bool operator==(const Effect&) const = default;
};

std::map<std::string, Effect> effects_of(const diff::Patch& patch) {
  std::map<std::string, Effect> out;
  for (const diff::Section& s : patch.sections) {
    using enum diff::Operation;
    if (s.op == rename || s.op == copy) {  // content is compared by tree
      if (s.op == rename) out[s.old_path] = {true, false, "", ""};
      out[s.new_path] = {false, true, "", ""};
      continue;
    }
    Effect effect{s.op != create, s.op != remove, "", ""};
    for (const diff::Hunk& hunk : s.hunks)
      diff::for_each_line(hunk, [&](char kind, std::string_view text, std::int64_t, bool newline) {
        if (kind == ' ') return;
        std::string& side = kind == '-' ? effect.taken : effect.given;
        (side += text) += newline ? '\n' : '\0';
      });
    out[s.new_path] = std::move(effect);
  }
  return out;
}

/// git's own diff of the candidate must say what the submitted one said (3.4).
Result<bool> rederives(Work& work, const patch::Candidate& candidate) {
  GH_TRY(text, work.session.repo.rederive(*work.out.quarantine, candidate.base_tree, candidate.tree,
                                          kMaxRederived));
  const auto git_patch = diff::parse(text, diff::Profile::git, diff::Position::exact);
  if (!git_patch) return false;
  auto ours = effects_of(*work.patch), theirs = effects_of(*git_patch);
  for (const diff::Section& s : work.patch->sections)
    if (s.op == diff::Operation::rename || s.op == diff::Operation::copy)
      for (const std::string& path : {s.old_path, s.new_path})
        if (const auto at = theirs.find(path); at != theirs.end() && ours.contains(path))
          at->second.taken = at->second.given = "";
  return ours == theirs;
}

Status gather_diff(Work& work, std::string_view submitted) {
  Judgement& out = work.out;
  out.submitted = submitted;
  out.diff_sha256 = digest_of(submitted).hex();
  work.facts.diff_sha256 = out.diff_sha256;
  auto intake = proposal::take_in(submitted);
  if (!intake) {
    work.facts.intake_fault = intake.error();
    return {};
  }
  out.intake = std::move(*intake);
  if (!work.facts.base.is_commit) return {};
  GH_TRY(outcome, run_patch_gate(work, out.intake.diff));
  if (outcome.error) return tl::make_unexpected(*outcome.error);
  if (!outcome.ok()) {
    work.facts.patch_rejection = rejection_document(work, outcome);
    return {};
  }
  out.canonical = outcome.canonical;
  out.canonical_sha256 = outcome.canonical_sha256;
  out.candidate = outcome.candidate;
  auto parsed = diff::parse(out.canonical, diff::Profile::git, diff::Position::exact);
  if (!parsed) return fail(Code::internal_error, "the canonical patch cannot be read back");
  work.patch = std::move(*parsed);
  work.facts.patch = &*work.patch;
  out.added = work.patch->added;
  out.deleted = work.patch->deleted;
  GH_TRY(same, rederives(work, *out.candidate));
  work.facts.rederives = same;
  out.digest = proposal::proposal_digest(*out.meta, out.canonical_sha256, out.report_sha256);
  work.facts.digest = out.digest;
  work.facts.canonical_sha256 = out.canonical_sha256;
  return {};
}

/// The change is there already when its inverse applies to the head of the target.
Result<bool> is_applied_already(Work& work) {
  if (!work.out.candidate || work.out.candidate->tree == work.session.head.tree ||
      work.out.candidate->base_tree == work.session.head.tree)
    return work.out.candidate && work.out.candidate->tree == work.session.head.tree;
  GH_TRY(inverse, work.session.repo.rederive(*work.out.quarantine, work.out.candidate->tree,
                                             work.out.candidate->base_tree, kMaxRederived));
  GH_TRY(tree, applies_on(work.session, inverse, work.session.head));
  return tree.has_value();
}

Status gather_others(Work& work) {
  store::Ledger& ledger = *work.session.ledger;
  const ProposalMeta& meta = *work.out.meta;
  GH_TRY(same_id, ledger.proposal(meta.patch_id));
  work.out.same_id = same_id;
  if (same_id) work.facts.same_id = other_of(*same_id);
  if (!work.out.canonical_sha256.empty())
    for (const char* status : {"proposed", "rejected", "promoted"}) {  // refusals are no obstacle
      GH_TRY(rows, ledger.proposals({.status = status,
                                     .canonical_sha256 = work.out.canonical_sha256,
                                     .limit = kMaxOthers}));
      for (const store::ProposalRow& row : rows)
        if (row.patch_id != meta.patch_id) work.facts.same_patch.push_back(other_of(row));
    }
  // Dependencies are followed to their ends: a circle may be any number of proposals long.
  std::vector<std::string> open = meta.supersedes;
  open.insert(open.end(), meta.depends_on.begin(), meta.depends_on.end());
  std::set<std::string> asked;
  while (!open.empty() && asked.size() < kMaxFollowed) {
    const std::string id = std::move(open.back());
    open.pop_back();
    if (!asked.insert(id).second) continue;
    GH_TRY(row, ledger.proposal(id));
    if (!row) continue;
    work.facts.named.push_back(other_of(*row));
    const auto& next = work.facts.named.back().depends_on;
    open.insert(open.end(), next.begin(), next.end());
  }
  return {};
}

void gather_signature(Work& work, const std::optional<std::string>& signature) {
  proposal::SignatureFacts& facts = work.facts.signature;
  facts.present = signature.has_value();
  if (!signature || work.out.digest.empty()) return;
  const auto signer =
      signer_among(work.session.policy(), *signature,
                   author_payload(*work.out.meta, work.out.digest, work.session.repo_id),
                   kProposalNamespace, work.facts.now);
  if (signer) {
    facts.signer = (*signer)->name;
  } else {
    facts.fault = Finding{PropCode::PROP_SIGNATURE_INVALID, signer.error().message};
  }
}

/// Reviews whose tree is the proposal's and whose signature holds; carried ones only by policy.
std::vector<Review> sound_reviews(const ProposalSession& session, const Stored& stored) {
  const bool carries = session.policy().carry_reviews == "identical_patch";
  std::vector<Review> out;
  for (const Review& review : stored.reviews)
    if (review.candidate_tree == stored.row.candidate_tree && (carries || !review.origin) &&
        !review_signature_defect(session.policy(), review, session.repo_id))
      out.push_back(review);
  return out;
}

std::vector<std::string> waivers_in(const ProposalSession& session, const Stored& stored) {
  return proposal::waived_codes(proposal::current_reviews(sound_reviews(session, stored),
                                                          session.policy(), stored.row.digest));
}

/// What a reviewer let pass when these bytes were refused before, or on the proposal that this one
/// is a rebase of.
Status gather_waivers(Work& work, const Pair& pair) {
  const auto& same = work.out.same_id;
  const bool refused_before =
      same && same->promotion_status == "sandbox" && same->digest == work.out.digest;
  if (pair.rebase_of.empty() && !refused_before) return {};
  GH_TRY(stored,
         load_proposal(*work.session.ledger, refused_before ? same->patch_id : pair.rebase_of));
  work.facts.waivers = waivers_in(work.session, stored);
  return {};
}

/// What was said under this id is of its extension fields too, which the digest leaves out.
Status look_at_same_id(Work& work) {
  if (!work.out.same_id) return {};
  const Map* body = work.out.same_id->body.as_map();
  const Value* meta = body == nullptr ? nullptr : body->find("meta");
  if (meta != nullptr)
    if (const auto read = proposal::meta_from_document(*meta))
      work.facts.same_id->metadata_sha256 = proposal::metadata_digest(*read);
  GH_TRY(reviews, work.session.ledger->reviews(work.out.same_id->patch_id));
  for (const store::ReviewRow& review : reviews)
    if (review.digest == work.out.digest) work.facts.same_id->reviewed = true;
  return {};
}

Status gather_all(Work& work, std::string_view submitted) {
  work.out.target_ref =
      work.out.meta->target_ref.empty() ? work.session.target_ref : work.out.meta->target_ref;
  work.facts.target_ref = work.out.target_ref;
  // Nothing declares intents yet, so no scope holds anything: whoever names one must not be let in
  // as if it had been looked at.
  if (!work.out.meta->intent_id.empty()) work.facts.in_intent_scope = false;
  GH_DO(gather_base(work));
  GH_DO(gather_diff(work, submitted));
  return gather_others(work);
}

void finish(Work& work) {
  work.facts.meta = work.out.meta;
  work.out.author_actor = work.facts.signature.signer.value_or(std::string(kExternal));
  work.out.docs_only = work.patch && proposal::is_docs_only(*work.patch, work.session.policy(),
                                                            work.session.config.patch);
  work.out.admission = proposal::judge(work.facts);
  work.out.failed_inputs = proposal::failed_inputs(work.out.admission, work.facts);
}

// ------------------------------------------------------------------------------------- promotion

Status gather_dependencies(Work& work) {
  for (const std::string& id : work.out.meta->depends_on) {
    GH_TRY(row, work.session.ledger->proposal(id));
    GH_TRY(promotion, work.session.ledger->promotion(id));
    bool stands = row && promotion && row->promotion_status == "promoted" &&
                  row->sub_state != "rolled_back" && row->target_ref == work.out.target_ref;
    if (stands) {  // put on a branch alone, it is not on the target
      GH_TRY(held, work.session.repo.contains(row->target_ref, promotion->commit_id));
      stands = held;
    }
    if (!stands) work.facts.open_dependencies.push_back(id);
  }
  return {};
}

/// A3 again, from what was stored: the registry may have changed since, and so may the record.
void gather_stored_signature(Work& work, const store::ProposalRow& row) {
  proposal::SignatureFacts& facts = work.facts.signature;
  facts.present = row.actor != kExternal || !text_in(row.body, "signature").empty();
  if (!facts.present) return;
  if (row.actor != kExternal) facts.signer = row.actor;
  if (const auto defect = author_signature_defect(work.session.policy(), row, work.out.digest,
                                                  work.session.repo_id))
    facts.fault = Finding{PropCode::PROP_SIGNATURE_INVALID, "the author's signature: " + *defect};
}

/// What was submitted, reviewed and decided is what the audit chain says it was.
Status gather_record_faults(Work& work, std::string_view patch_id) {
  GH_TRY(audited, audited_record(*work.session.ledger, patch_id));
  if (!audited) return {};
  for (const RecordFault& fault : chain_faults(audited->record, audited->events))
    work.facts.record_faults.push_back(
        {proposal::prop_code_from(fault.code).value_or(PropCode::PROP_RECORD_FORGED),
         fault.message});
  return {};
}

/// The patch was judged before; here the question is only whether it fits.
policy::PatchPolicy wide_open(std::string_view position) {
  policy::PatchPolicy open = policy::default_patch_policy();
  open.position = position;
  open.rewrite_mode = policy::RewriteMode::off;
  open.max_result_file_bytes = git::kMaxBlobBytes;
  open.allow_symlinks = open.allow_mode_changes = open.allow_new_executable = true;
  return open;
}

}  // namespace

Result<std::optional<ObjectId>> applies_on(ProposalSession& session, std::string_view canonical,
                                           const git::Commit& commit) {
  const auto parsed = diff::parse(canonical, diff::Profile::git, diff::Position::exact);
  if (!parsed) return std::nullopt;
  GH_TRY(predicted,
         patch::predict(*parsed, wide_open("exact"), commit.tree, session.repo.objects(), {}));
  return predicted.violations.empty() ? predicted.tree : std::nullopt;
}

Result<std::optional<std::string>> placed_on(git::Repo& repo, const std::string& canonical,
                                             const git::Commit& onto) {
  const auto parsed = diff::parse(canonical, diff::Profile::git, diff::Position::unique);
  if (!parsed) return std::nullopt;
  GH_TRY(predicted, patch::predict(*parsed, wide_open("unique"), onto.tree, repo.objects(), {}));
  if (!predicted.violations.empty()) return std::nullopt;
  return diff::print_canonical(predicted.placed);
}

Result<Judgement> judge_submission(ProposalSession& session, Context& context, const Pair& pair) {
  Work work = begin(session, context, Phase::submit);
  work.facts.file_stem = pair.stem;
  work.facts.meta_fault = pair.fault;
  work.facts.report_fault = pair.report_fault;
  if (!pair.fault) {
    auto meta = proposal::read_meta(pair.meta, pair.meta_name);
    if (meta) {
      work.out.meta = std::move(*meta);
    } else {
      work.facts.meta_fault = Finding{PropCode::PROP_META_INVALID, meta.error().message};
    }
  }
  if (work.out.meta && !work.out.meta->target_ref.empty()) {
    if (!session.repo.objects().commit(work.out.meta->target_ref)) {
      work.facts.meta_fault = Finding{PropCode::PROP_META_INVALID,
                                      fmt::format("target_ref: there is no branch '{}' here",
                                                  printable(work.out.meta->target_ref, 200))};
    } else {
      GH_DO(aim_at(session, work.out.meta->target_ref));
    }
  }
  if (!work.facts.meta_fault && !pair.report && session.policy().report_required)
    work.facts.report_fault =
        Finding{PropCode::PROP_REPORT_MISSING,
                fmt::format("the policy wants a report; there is no {}.report.md",
                            printable(pair.stem, 100))};
  if (work.out.meta && !work.facts.meta_fault && !work.facts.report_fault) {
    if (pair.report) work.out.report_sha256 = digest_of(*pair.report).hex();
    GH_TRY(diff, read_diff_of(pair, diff::kMaxPatchBytes));
    GH_DO(gather_all(work, diff));
    gather_signature(work, session.policy().signatures == policy::SignatureMode::off
                               ? std::nullopt
                               : pair.signature);
    GH_TRY(applied, is_applied_already(work));
    work.facts.already_applied = applied;
    GH_DO(gather_waivers(work, pair));
    GH_DO(look_at_same_id(work));
  }
  finish(work);
  return std::move(work.out);
}

namespace {

/// Each word of review_status is the verdict of a review that is on record for this digest.
bool is_borne_out(const Stored& stored, const ProposalSession& session) {
  std::set<std::string> said{"pending"};
  // What was carried over may have been taken back where it came from; the chain vouches for it.
  if (!texts_in(stored.row.body, "carried").empty())
    for (const std::string& reviewer : session.policy().required_reviewers)
      said.insert(reviewer + "_ok");
  for (const Review& review : stored.reviews)
    if (review.proposal_digest == stored.row.digest &&
        review.candidate_tree == stored.row.candidate_tree &&
        !is_tampered(session.policy(), review, session.repo_id))
      said.insert(fmt::format("{}_{}", review.reviewer, to_string(review.verdict)));
  return std::ranges::all_of(stored.meta.review_status,
                             [&](const std::string& word) { return said.contains(word); });
}

/// Where the patch does not fit, in the words of the patch gate.
Result<List> misfits_on(ProposalSession& session, std::string_view canonical,
                        const git::Commit& onto) {
  List out;
  const auto parsed = diff::parse(canonical, diff::Profile::git, diff::Position::unique);
  if (!parsed) return out;
  GH_TRY(predicted,
         patch::predict(*parsed, wide_open("unique"), onto.tree, session.repo.objects(), {}));
  for (const Violation& v : predicted.violations.first)
    out.emplace_back(Map{{"path", utf8_or_escaped(v.file)},
                         {"line", v.line},
                         {"rule", to_string(v.rule)},
                         {"message", v.message}});
  return out;
}

}  // namespace

Result<Relation> relation_to_head(ProposalSession& session, Context& context,
                                  const Stored& stored) {
  using enum proposal::Staleness;
  git::Repo& repo = session.repo;
  GH_TRY(base, repo.objects().commit(stored.row.base_commit));
  const git::Commit& head = session.head;
  if (base.id == head.id) return Relation{};
  GH_TRY(ancestor, repo.contains(head.id.hex(), base.id.hex()));
  if (!ancestor) return Relation{diverged, Map{{"base", base.id.hex()}, {"head", head.id.hex()}}};
  GH_TRY(behind, repo.count_commits(base.id, head.id));
  Map details{{"base", base.id.hex()}, {"head", head.id.hex()}, {"commits_behind", behind}};
  const policy::ProposalPolicy& policy = session.policy();
  const std::int64_t age_days =
      base.committed ? (context.env.now().seconds - base.committed->seconds) / 86'400 : 0;
  GH_TRY(changed, repo.changed_paths(base.tree, head.tree));
  List shared;
  for (const std::string& path : stored.meta.affected_files)
    if (std::ranges::binary_search(changed, path)) shared.emplace_back(utf8_or_escaped(path));
  GH_TRY(tree, applies_on(session, stored.canonical, head));
  const bool touches_same = !shared.empty();
  details.set("changed_since", std::move(shared));
  // Lines that only moved are no conflict: a rebase finds their one new place.
  GH_TRY(placed, tree ? Result<std::optional<std::string>>(std::string())
                      : placed_on(session.repo, stored.canonical, head));
  if (!placed) {
    GH_TRY(misfits, misfits_on(session, stored.canonical, head));
    details.set("misfits", std::move(misfits));
    return Relation{conflict, std::move(details)};
  }
  if (behind > policy.max_base_age_commits || age_days > policy.max_base_age_days) {
    details.set("age_days", age_days);
    return Relation{old, std::move(details)};
  }
  return Relation{touches_same ? overlap : disjoint, std::move(details)};
}

Result<PromotionJudgement> judge_promotion(ProposalSession& session, Context& context,
                                           const Stored& stored, const PromotionFacts& asked) {
  Work work = begin(session, context, Phase::promote);
  work.facts.file_stem = stored.row.patch_id;
  work.out.meta = stored.meta;
  work.out.report_sha256 = stored.report_sha256;
  GH_DO(gather_all(work, stored.canonical));
  work.facts.diff_sha256 = stored.row.diff_sha256;  // the canonical form is what is stored
  gather_stored_signature(work, stored.row);
  work.facts.state =
      promotion_status_of(stored.row.promotion_status).value_or(PromotionStatus::rejected);
  work.facts.failed_check_recorded =
      true;  // the audit chain holds what ended it, or names it forged
  work.facts.trust_of_record = trust_level_of(stored.row.trust_level);
  // What was reviewed is a tree, and with a registry somebody's key must have said so.
  work.facts.reviews = sound_reviews(session, stored);
  work.facts.waivers = waivers_in(session, stored);
  // The status was written under the reviewers and keys of its day. Where the reviews on record
  // bear it out, it is read as today's policy would write it; only else it was forged.
  if (is_borne_out(stored, session)) {
    const auto today = proposal::summarise(work.facts.reviews, session.policy(), stored.row.digest);
    work.out.meta->review_status =
        stored.meta.schema.empty() ? std::vector<std::string>{today.plain_status} : today.status;
  }
  work.facts.gate_actor = session.policy().promotion_gate;
  work.facts.asker_actor = asked.asker;
  work.facts.asker_may_promote = asked.asker_may_promote;
  work.facts.confirmed_by_human = asked.confirmed_by_human;
  work.facts.author_actor = stored.author_actor;
  GH_TRY(relation, relation_to_head(session, context, stored));
  work.facts.staleness = relation.staleness;
  work.facts.staleness_details = relation.details;
  GH_DO(gather_dependencies(work));
  GH_DO(gather_record_faults(work, stored.row.patch_id));
  GH_TRY(ahead, conflicts_ahead(session, stored));
  work.facts.conflicts = std::move(ahead);
  if (asked.conflict) work.facts.conflicts.push_back(*asked.conflict);
  work.facts.verify_fault = asked.verify_fault;
  if (work.out.candidate && work.out.candidate->tree.hex() != stored.row.candidate_tree)
    work.facts.tree_fault =
        Finding{PropCode::PROP_TREE_CHANGED,
                fmt::format("the patch gives tree {}, the one that was reviewed is {}",
                            work.out.candidate->tree.hex(), stored.row.candidate_tree)};
  finish(work);
  return PromotionJudgement{std::move(work.out), relation.staleness, relation.details};
}

}  // namespace gh::ops
