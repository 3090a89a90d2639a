// `proposal rollback`: the inverse of a promotion on the head of the target, as a commit of its
// own.
#include <fmt/format.h>

#include "base/text.h"
#include "ops/promotion_build.h"
#include "ops/promotion_lock.h"
#include "ops/promotion_plan.h"
#include "ops/promotion_receipt.h"
#include "ops/proposal_ops.h"
#include "ops/speaker.h"
#include "proposal/lifecycle.h"

namespace gh::ops {
namespace {

using proposal::PropCode;

constexpr std::size_t kMaxDiff = 64u << 20, kNamedCommits = 5;

}  // namespace

Result<Reply> proposal_rollback(const Request& request, Context& context) {
  if (!request.has("reason")) return fail(Code::missing_argument, "a rollback needs --reason TEXT");
  const std::string id = request.text("ID");
  GH_TRY(session, open_proposal_session(context));
  GH_DO(load_proposal(*session.ledger, id));
  GH_TRY(lock, PromotionLock::take(session, context, id));
  GH_DO(settle(session, context, id));
  GH_TRY(stored, load_proposal(*session.ledger, id));
  GH_DO(aim_at(session, stored.row.target_ref));
  const auto refuse = [&](PropCode code, const std::string& message, Map details,
                          std::string_view advice = {}) -> Reply {
    const std::string_view next = advice.empty() ? proposal::help(code) : advice;
    Reply reply;
    reply.document = Map{{"schema", "gatehouse.proposal_status/1"},
                         {"patch_id", id},
                         {"promotion_status", stored.row.promotion_status},
                         {"ok", false},
                         {"reasons", List{Map{{"code", to_string(code)},
                                              {"message", message},
                                              {"details", std::move(details)},
                                              {"next", next}}}}};
    const std::string text = fmt::format("{}: {}\n  next: {}\n", to_string(code), message, next);
    reply.text = [text](const report::Look&) { return text; };
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("{}: {}", to_string(code), message);
    return reply;
  };
  GH_TRY(asker, asker_of(session, request, context));
  session.actor = std::move(asker);
  const bool may = may_promote(session.policy(), session.actor);
  const auto state = promotion_status_of(stored.row.promotion_status);
  if (!may) return refuse(PropCode::PROP_NOT_PROMOTER, "only a promoter or an admin may ask", {});
  if (!proposal::transition(state, proposal::Event::rollback, proposal::Asker::gate) ||
      stored.row.sub_state == "rolled_back")
    return refuse(
        PropCode::PROP_STATE_INVALID,
        fmt::format("{} is {}{}; there is nothing to roll back", id, stored.row.promotion_status,
                    stored.row.sub_state.empty() ? "" : ", " + stored.row.sub_state),
        {}, "Nothing: the target does not hold it.");
  GH_TRY(promotion, session.ledger->promotion(id));
  GH_TRY(base, session.repo.objects().commit(stored.row.base_commit));
  const auto tree = ObjectId::parse(stored.row.candidate_tree);
  if (!promotion || !tree)
    return fail(Code::ledger_unavailable, "the ledger's record of the promotion is damaged");
  GH_TRY(inverse, session.repo.diff_trees(*tree, base.tree, kMaxDiff));
  GH_TRY(built, build_on(session, inverse, session.head));
  if (!built && promotion->new_head == promotion->old_head)
    return refuse(PropCode::PROP_STATE_INVALID,
                  fmt::format("{} was put on the branch {} alone; {} does not hold it", id,
                              promotion->branch, session.target_ref),
                  Map{{"branch", promotion->branch}}, "Delete the branch, if it is not wanted.");
  if (!built) {
    GH_TRY(landed, session.repo.objects().commit(promotion->new_head));
    GH_TRY(later,
           session.repo.commits_touching(landed.id, session.head.id, stored.meta.affected_files));
    List commits;
    std::vector<std::string> named;
    for (const ObjectId& commit : later) {
      commits.emplace_back(commit.hex());
      if (named.size() == kNamedCommits) continue;
      const auto read = session.repo.objects().commit(commit.hex());
      const std::string subject =
          read ? read->message.substr(0, read->message.find('\n')) : std::string();
      named.push_back(fmt::format("{} ({})", commit.hex().substr(0, 12), printable(subject, 60)));
    }
    return refuse(PropCode::PROP_ROLLBACK_CONFLICT,
                  fmt::format("it no longer fits; later commits that changed its files: {}{}",
                              join(named, ", "), later.size() > named.size() ? ", …" : ""),
                  Map{{"commits", std::move(commits)}});
  }
  const git::Identity who = identity_of(session.actor.name);
  const Timestamp now = context.env.now();
  GH_TRY(commit,
         session.repo.commit_tree(
             {.tree = built->outcome.candidate->tree,
              .parents = {session.head.id},
              .message = fmt::format("Revert \"{}\"\n\n{}\nGatehouse-Rollback: {}\nReverts: {}\n",
                                     subject_of(stored.meta), safe_lines(request.text("reason")),
                                     id, promotion->commit_id),
              .author = who,
              .committer = who,
              .time = now}));
  const Landing plan{.kind = "rollback",
                     .commit = commit.hex(),
                     .branch = "",
                     .target_ref = session.target_ref,
                     .old_head = session.head.id.hex(),
                     .new_head = commit.hex(),
                     .promoter = session.actor.name,
                     .receipt = "",
                     .admission = "",
                     .reason = printable(request.text("reason"), 2000)};
  GH_DO(write_plan(session, context, stored, plan, nullptr, nullptr, nullptr, lock.lease()));
  auto moved = session.repo.update_ref(plan.target_ref, commit, session.head.id, who, now,
                                       "gatehouse: roll back " + id);
  if (!moved) {
    (void)settle(session, context, id);
    return tl::make_unexpected(std::move(moved).error());
  }
  if (*moved == git::RefUpdate::moved) {
    GH_DO(settle(session, context, id));
    return refuse(PropCode::PROP_TARGET_MOVED, plan.target_ref + " moved meanwhile", {});
  }
  GH_DO(finish_landing_of(session, context, stored, plan, lock.lease()));
  GH_DO(tell_about_work_tree(session.repo, context, plan.target_ref, plan.old_head, plan.new_head));
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.proposal_status/1"},
                       {"patch_id", id},
                       {"promotion_status", stored.row.promotion_status},
                       {"sub_state", stored.row.sub_state},
                       {"trust_level", stored.row.trust_level},
                       {"rollback_commit", plan.commit},
                       {"ok", true},
                       {"reasons", List()}};
  const std::string line = fmt::format("{} is rolled back by {}\n", id, plan.commit);
  reply.text = [line](const report::Look&) { return line; };
  return reply;
}

}  // namespace gh::ops
