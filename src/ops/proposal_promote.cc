// `proposal promote` and `proposal recover`: the change is made again from the base commit in a
// place of its own, and one compare-and-swap of the target ref is the commit point.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/promotion.h"
#include "ops/promotion_build.h"
#include "ops/promotion_lock.h"
#include "ops/promotion_plan.h"
#include "ops/promotion_receipt.h"
#include "ops/proposal_judge.h"
#include "ops/proposal_ops.h"
#include "ops/proposal_record.h"
#include "ops/repo_config.h"
#include "report/proposal_report.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using proposal::Admission;
using proposal::CheckRow;
using proposal::Finding;
using proposal::PropCode;
using proposal::Staleness;

constexpr std::size_t kMaxDiff = 64u << 20;
constexpr std::size_t kMaxSignatureBytes = 16'384;

// ----------------------------------------------------------------------------- who asks, and how

struct Asked {
  Actor actor;
  bool may_promote = false, confirmed = false;
};

/// A request signed by a registered human, or the id typed at a terminal (7).
Result<Asked> who_asks(ProposalSession& session, const PromotionWishes& wishes, Context& context,
                       const Stored& stored) {
  const policy::ProposalPolicy& policy = session.policy();
  Asked asked{.actor = session.actor};
  if (!wishes.confirmation.empty()) {
    GH_TRY(armoured, sys::read_file(wishes.confirmation, kMaxSignatureBytes));
    GH_TRY(signer, signer_among(policy, armoured,
                                signed_payload(stored.row.digest, session.repo_id, "promoter",
                                               stored.meta.created_utc),
                                kPromotionNamespace, context.env.now()));
    asked.actor = {.name = signer->name, .kind = signer->kind, .via = "key"};
    asked.confirmed = signer->kind == "human";
  }
  if (const auto* known = policy::find_actor(policy, asked.actor.name))
    asked.actor.kind = known->kind;  // somebody at a terminal is what the registry calls them
  asked.may_promote = may_promote(policy, asked.actor);
  const bool asks = wishes.may_ask && !wishes.dry_run && context.ask && asked.may_promote;
  if (!policy.requires_human || asked.confirmed || !asks) return asked;
  const auto typed = context.ask(
      fmt::format("type the id '{}' to promote it: ", printable(stored.row.patch_id, 100)));
  asked.confirmed = typed && *typed == stored.row.patch_id && asked.actor.kind == "human";
  return asked;
}

void add_finding(Admission& admission, std::string_view id, std::optional<Finding> finding) {
  for (CheckRow& row : admission.rows)
    if (row.id == id) {
      row.ok = !finding.has_value();
      row.finding = finding;
    }
  if (!finding) return;
  admission.decision =
      proposal::is_too_early(*finding) ? proposal::Decision::defer : proposal::Decision::reject;
  admission.only_reviews_missing = false;
}

policy::Integration integration_of(const std::string& word, const ProposalSession& session,
                                   Staleness staleness) {
  using enum policy::Integration;
  const policy::Integration wanted = word == "merge"         ? merge
                                     : word == "branch-only" ? branch_only
                                     : word == "ff"          ? ff
                                                             : session.policy().integrate;
  return wanted == ff && staleness == Staleness::disjoint ? merge : wanted;
}

struct Promotion {
  ProposalSession& session;
  Context& context;
  Stored& stored;
  const PromotionLock& lock;
  Asked asked;
  TriedTrees* tried = nullptr;
};

/// A19, unless the same commands passed on the same tree a moment ago.
Result<std::optional<Finding>> verify_once(Promotion& p, Built& result) {
  const std::pair key{p.session.policy_sha256, result.outcome.candidate->tree.hex()};
  if (p.tried != nullptr && p.tried->contains(key)) return std::nullopt;
  GH_TRY(fault, verify_built(p.session, p.context, result, p.stored.row.patch_id,
                             p.session.policy().verify_commands));
  if (!fault && p.tried != nullptr) p.tried->insert(key);
  return fault;
}

/// Steps 3 to 7, once A1 to A18 hold. The finding says why nothing was promoted.
Result<std::optional<Finding>> carry_out(Promotion& p, Admission& admission,
                                         policy::Integration how, Judgement& judged,
                                         store::Document& document) {
  ProposalSession& session = p.session;
  git::Repo& repo = session.repo;
  const std::string& id = p.stored.row.patch_id;
  GH_TRY(base, repo.objects().commit(p.stored.row.base_commit));
  GH_TRY(on_base, build_on(session, p.stored.canonical, base));
  if (!on_base || on_base->outcome.candidate->tree.hex() != p.stored.row.candidate_tree)
    return Finding{PropCode::PROP_TREE_CHANGED,
                   "the patch no longer gives the tree that was reviewed"};
  Built& built = *on_base;
  const bool merges = how == policy::Integration::merge && base.id != session.head.id;
  if (base.id != session.head.id && !merges && how != policy::Integration::branch_only)
    return Finding{PropCode::PROP_STALE_BASE,
                   fmt::format("the target is at {} and the policy merges nothing",
                               session.head.id.hex().substr(0, 12))};
  std::optional<Built> merged;
  if (merges) {
    GH_TRY(on_head, build_on(session, p.stored.canonical, session.head));
    if (!on_head)
      return Finding{PropCode::PROP_CONFLICT,
                     fmt::format("the patch does not apply on {}", session.head.id.hex())};
    merged = std::move(on_head);
  }
  Built& result = merged ? *merged : built;
  p.context.progress("running verify commands on the candidate");
  GH_TRY(idle_tests, check_tests_discriminate(session, p.context, p.stored, base, built));
  if (idle_tests) return idle_tests;
  GH_TRY(verify_fault, verify_once(p, result));
  add_finding(admission, "A19", verify_fault);
  if (verify_fault) return verify_fault;
  GH_TRY(inverse, repo.diff_trees(built.outcome.candidate->tree, base.tree, kMaxDiff));
  git::Commit candidate = base;
  candidate.tree = built.outcome.candidate->tree;
  GH_TRY(undone, applies_on(session, inverse, candidate));
  document = admission_record(admission, id, p.stored.row.digest, p.context.env.now());
  const Verdict verdict =
      report::admission_verdict(admission, {.patch_id = id,
                                            .base = p.stored.row.base_commit,
                                            .repo_id = session.repo_id,
                                            .policy_digest = session.policy_sha256,
                                            .digest = p.stored.row.digest});
  GH_TRY(receipt, make_receipt(session, p.context, p.stored, result, document.digest, p.asked.actor,
                               verdict, undone && *undone == base.tree));
  const git::Identity who = identity_of(
      session.policy().requires_human ? p.asked.actor.name : session.policy().promotion_gate);
  const Timestamp now = p.context.env.now();
  const std::string message =
      commit_message(p.stored, session.policy(), receipt.digest, p.asked.actor.name);
  GH_TRY(commit, repo.commit_tree({.tree = built.outcome.candidate->tree,
                                   .parents = {base.id},
                                   .message = message,
                                   .author = who,
                                   .committer = who,
                                   .time = now}));
  ObjectId new_head = commit;
  if (merges) {
    GH_TRY(merge, repo.commit_tree({.tree = result.outcome.candidate->tree,
                                    .parents = {session.head.id, commit},
                                    .message = message,
                                    .author = who,
                                    .committer = who,
                                    .time = now}));
    new_head = merge;
  }
  const bool branch_only = how == policy::Integration::branch_only;
  const Landing plan{.commit = commit.hex(),
                     .branch = branch_of(id),
                     .target_ref = p.stored.row.target_ref,
                     .old_head = session.head.id.hex(),
                     .new_head = branch_only ? session.head.id.hex() : new_head.hex(),
                     .promoter = p.asked.actor.name,
                     .receipt = receipt.digest,
                     .admission = document.digest,
                     .rollback_proven = undone && *undone == base.tree};
  GH_DO(write_plan(session, p.context, p.stored, plan, &receipt, &document, &admission,
                   p.lock.lease()));
  const std::string reason = "gatehouse: promote " + id;
  const auto given_up = [&](Error error) {  // git could not: nothing is left for somebody to find
    (void)settle(session, p.context, id);
    return tl::make_unexpected(std::move(error));
  };
  auto branch = repo.create_ref(plan.branch, commit, who, now, reason);
  if (!branch) return given_up(std::move(branch).error());
  if (*branch == git::RefUpdate::moved) {
    GH_DO(settle(session, p.context, id));
    GH_TRY(again, load_proposal(*session.ledger, id));
    p.stored = std::move(again);
    return Finding{
        PropCode::PROP_TARGET_MOVED,
        plan.branch +
            " exists already, or a branch stands in its way; whoever made it must remove it"};
  }
  if (!branch_only) {
    auto moved = repo.update_ref(plan.target_ref, new_head, session.head.id, who, now, reason);
    if (!moved) return given_up(std::move(moved).error());
    if (*moved == git::RefUpdate::moved) {
      GH_DO(settle(session, p.context, id));
      GH_TRY(again, load_proposal(*session.ledger, id));
      p.stored = std::move(again);
      return Finding{PropCode::PROP_TARGET_MOVED,
                     fmt::format("{} moved away from {} meanwhile", plan.target_ref,
                                 session.head.id.hex().substr(0, 12))};
    }
  }
  judged.target_ref = plan.target_ref;
  GH_DO(finish_landing_of(session, p.context, p.stored, plan, p.lock.lease()));
  return std::nullopt;
}

Reply promoted_reply(Reply reply, const store::PromotionRow& row) {
  if (reply.document.as_map() != nullptr)
    reply.document.as_map()->set("promotion", Map{{"commit", row.commit_id},
                                                  {"branch", row.branch},
                                                  {"target_ref", row.target_ref},
                                                  {"new_head", row.new_head}});
  const bool is_merged = row.new_head != row.commit_id && row.new_head != row.old_head;
  const std::string line =
      row.new_head == row.old_head
          ? fmt::format("promoted as {} on the branch {}\n", row.commit_id, row.branch)
      : is_merged ? fmt::format("promoted as {}, merged into {} by {}\n", row.commit_id,
                                row.target_ref, row.new_head)
                  : fmt::format("promoted as {} on {}\n", row.commit_id, row.target_ref);
  reply.text = [rest = std::move(reply.text), line](const report::Look& look) {
    return rest(look) + line;
  };
  return reply;
}

Result<PromotionAnswer> promote_locked(const PromotionWishes& wishes, Context& context,
                                       ProposalSession& session, Stored& stored,
                                       const PromotionLock& lock) {
  const Measured* measured = wishes.measured;
  if (measured != nullptr && measured->head != session.head.id.hex())
    return fail(Code::conflict, fmt::format("{} moved meanwhile", session.target_ref));
  GH_TRY(asked, who_asks(session, wishes, context, stored));
  if (!asked.may_promote)  // whoever may not ask must not be able to get it rejected either
    return fail(Code::not_permitted,
                fmt::format("{} holds neither the role promoter nor admin", asked.actor.name));
  if (session.policy().mirror) GH_DO(check_chain_is_known(session.repo, *session.ledger));
  context.progress("checking the proposal again");
  PromotionFacts facts{.asker = asked.actor.name,
                       .asker_may_promote = asked.may_promote,
                       .confirmed_by_human = asked.confirmed};
  if (measured != nullptr) {
    facts.conflict = measured->conflict;
    facts.verify_fault = measured->verify_fault;
  }
  GH_TRY(judged, judge_promotion(session, context, stored, facts));
  Admission& admission = judged.judgement.admission;
  store::Document document =
      admission_record(admission, stored.row.patch_id, stored.row.digest, context.env.now());
  const auto reply = [&] {
    return admission_reply(session, context, admission, document, judged.judgement,
                           wishes.exit_review);
  };
  if (wishes.dry_run) return PromotionAnswer{reply(), admission};
  session.actor = asked.actor;
  if (admission.decision == proposal::Decision::admit) {
    const auto how = integration_of(wishes.integrate, session, judged.staleness);
    Promotion promotion{session, context, stored, lock, asked, wishes.tried};
    GH_TRY(fault, carry_out(promotion, admission, how, judged.judgement, document));
    if (!fault) {
      GH_TRY(row, session.ledger->promotion(stored.row.patch_id));
      if (!row) return fail(Code::ledger_unavailable, "the promotion is not in the ledger");
      return PromotionAnswer{promoted_reply(reply(), *row), admission, row};
    }
    const std::string_view check = proposal::check_of(fault->code);
    add_finding(admission, check.empty() ? "A16" : check, *fault);
    document =
        admission_record(admission, stored.row.patch_id, stored.row.digest, context.env.now());
  }
  GH_DO(record_refusal(session, context, stored, admission, document,
                       judged.judgement.failed_inputs, asked.actor,
                       measured != nullptr ? measured->pairs : std::vector<store::ConflictRow>()));
  return PromotionAnswer{reply(), admission};
}

Reply settled_reply(const std::vector<std::string>& settled) {
  List list;
  std::string text;
  for (const std::string& line : settled) {
    list.emplace_back(line);
    text += line + "\n";
  }
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.proposal_recovery/1"}, {"settled", std::move(list)}};
  reply.text = [text](const report::Look&) {
    return text.empty() ? "nothing was left half done\n" : text;
  };
  return reply;
}

}  // namespace

Result<PromotionAnswer> promote_one(Context& context, const std::string& id,
                                    const PromotionWishes& wishes) {
  GH_TRY(session, open_proposal_session(context));
  GH_DO(load_proposal(*session.ledger, id));
  GH_TRY(lock, PromotionLock::take(session, context, id));
  for (const std::string& left : {lock.left_by(), id}) {
    if (left.empty()) continue;
    GH_TRY(says, settle(session, context, left));
    if (!says.empty()) context.notice("an interrupted promotion was settled first: " + says);
  }
  // The target is the proposal's own, and it may have moved while we waited.
  GH_TRY(stored, load_proposal(*session.ledger, id));
  GH_DO(aim_at(session, stored.row.target_ref));
  return promote_locked(wishes, context, session, stored, lock);
}

Result<Reply> proposal_promote(const Request& request, Context& context) {
  GH_TRY(answer, promote_one(context, request.text("ID"),
                             {.integrate = request.text("integrate"),
                              .confirmation = request.text("confirmation"),
                              .dry_run = request.flag("dry-run"),
                              .exit_review = request.flag("exit-review")}));
  if (answer.landed) {
    GH_TRY(repo, open_to_read(context));
    GH_DO(tell_about_work_tree(repo, context, answer.landed->target_ref, answer.landed->old_head,
                               answer.landed->new_head));
  }
  return std::move(answer.reply);
}

Result<Reply> proposal_recover(const Request&, Context& context) {
  GH_TRY(session, open_proposal_session(context));
  GH_TRY(lock, PromotionLock::take(session, context, "recover"));
  std::string first;
  if (!lock.left_by().empty()) {
    GH_TRY(says, settle(session, context, lock.left_by()));
    first = std::move(says);
  }
  GH_TRY(settled, settle_all(session, context));
  if (!first.empty()) settled.insert(settled.begin(), first);
  if (session.policy().mirror)  // a writer that was killed behind its transaction left it behind
    if (const Status done = mirror(session, context, {}); !done)
      context.notice(done.error().message);
  return settled_reply(settled);
}

}  // namespace gh::ops
