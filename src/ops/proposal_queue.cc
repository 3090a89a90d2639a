// `proposal queue`: the approved proposals of one target are promoted in queue order. Each landing
// is the very promotion of `proposal promote`; the queue only chooses, tries together, and finds
// who is at fault.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/promotion.h"
#include "ops/promotion_lock.h"
#include "ops/promotion_plan.h"
#include "ops/promotion_queue.h"
#include "ops/proposal_ops.h"
#include "ops/proposal_record.h"
#include "ops/queue_trial.h"
#include "report/proposal_report.h"

namespace gh::ops {
namespace {

using proposal::Admission;
using proposal::PropCode;

constexpr int kMaxLooksAgain = 20;  // others may keep moving the target; at some point we give up

struct Step {
  std::string patch_id, outcome;  // promoted, rejected, deferred, waiting; in a dry run ready
  std::string commit{};
  std::vector<std::pair<std::string, std::string>> reasons{};  // code, message
};

/// Nothing but a human's word is missing.
bool waits_for_confirmation(const Admission& admission) {
  return admission.decision == proposal::Decision::defer &&
         std::ranges::all_of(admission.rows, [](const proposal::CheckRow& row) {
           return !row.finding || row.finding->code == PropCode::PROP_CONFIRMATION_MISSING;
         });
}

Step step_of(const std::string& id, const Admission& admission, std::string_view when_admitted) {
  Step step{.patch_id = id, .outcome = std::string(when_admitted)};
  using enum proposal::Decision;
  if (admission.decision == reject) step.outcome = "rejected";
  if (admission.decision == defer)
    step.outcome = admission.only_reviews_missing ? "waiting" : "deferred";
  for (const proposal::CheckRow& row : admission.rows)
    if (row.finding) step.reasons.emplace_back(to_string(row.finding->code), row.finding->message);
  return step;
}

/// Two that touch one file land one after the other: the later one needs a rebase in between.
bool is_disjoint(const Stored& one, const std::vector<Stored>& batch) {
  return std::ranges::none_of(batch, [&](const Stored& other) {
    return std::ranges::any_of(one.meta.affected_files, [&](const std::string& path) {
      return std::ranges::find(other.meta.affected_files, path) != other.meta.affected_files.end();
    });
  });
}

class QueueRun {
 public:
  QueueRun(Context& context, std::string target, bool exit_review)
      : context_(context), target_(std::move(target)), exit_review_(exit_review) {}

  /// What has landed is told in any case: a fault of the world ends the run, not the answer.
  Status run() {
    const Status done = run_all();
    if (done || steps_.empty()) return done;
    stopped_ = done.error().message;
    is_undecided_ = true;
    return {};
  }

  Reply reply() const;
  const std::string& first_head() const { return first_head_; }
  const std::string& last_head() const { return last_head_; }

 private:
  Status run_all() {
    while (stopped_.empty()) {
      GH_TRY(session, open_session_at(context_, target_));
      note_head(session.head);
      GH_TRY(waiting, queue_of(session));
      std::erase_if(waiting, [&](const std::string& id) { return set_aside_.contains(id); });
      if (waiting.empty()) return {};
      GH_TRY(batch, batch_of(session, waiting));
      GH_DO(batch.empty() ? refuse(waiting.front(), nullptr) : land(session, batch));
      if (context_.interrupted && context_.interrupted())
        return fail(Code::interrupted, "stopped between two promotions");
    }
    return {};
  }

  void note_head(const git::Commit& head) {
    if (first_head_.empty()) first_head_ = head.id.hex();
    last_head_ = head.id.hex();
    // Somebody else moved the target: what landed before is no longer all that lies between.
    if (history_.empty() || history_.back().commit.id != head.id) history_ = {{head, ""}};
  }

  /// The first ones that would be admitted now, up to the policy's batch; empty when the first
  /// would not.
  Result<std::vector<Stored>> batch_of(ProposalSession& session,
                                       const std::vector<std::string>& waiting) {
    std::vector<Stored> batch;
    const policy::ProposalPolicy& policy = session.policy();
    for (const std::string& id : waiting) {
      if (std::ssize(batch) >= policy.batch || (!batch.empty() && !policy.allow_disjoint)) break;
      GH_TRY(stored, load_proposal(*session.ledger, id));
      GH_TRY(judged, judge_promotion(session, context_, stored,
                                     {.asker = session.actor.name, .confirmed_by_human = true}));
      if (judged.judgement.admission.decision != proposal::Decision::admit ||
          !is_disjoint(stored, batch))
        break;
      batch.push_back(std::move(stored));
    }
    return batch;
  }

  Status land(ProposalSession& session, const std::vector<Stored>& batch) {
    GH_TRY(trial, try_together(session, context_, history_, batch, tried_));
    if (trial.target_fault) {
      stopped_ = "the target fails its verify commands by itself: " + *trial.target_fault;
      is_undecided_ = true;
      return {};
    }
    if (trial.culprit) return refuse(*trial.culprit, &trial.measured);
    for (const Stored& one : batch) {
      GH_DO(promote(one.row.patch_id));
      const bool landed = !steps_.empty() && steps_.back().patch_id == one.row.patch_id &&
                          steps_.back().outcome == "promoted";
      if (!landed) return {};  // the rest is looked at anew
    }
    return {};
  }

  Status promote(const std::string& id) { return ask_gate(id, {.tried = &tried_}); }

  /// Known not to be admitted: the gate says why, and nobody is asked to confirm it.
  Status refuse(const std::string& id, const Measured* measured) {
    return ask_gate(id, {.may_ask = false, .measured = measured, .tried = &tried_});
  }

  Status ask_gate(const std::string& id, const PromotionWishes& wishes) {
    auto answer = promote_one(context_, id, wishes);
    if (!answer && answer.error().code == Code::conflict && ++looks_again_ < kMaxLooksAgain)
      return {};
    if (!answer) return tl::make_unexpected(answer.error());
    Step step = step_of(id, answer->admission, "promoted");
    if (answer->landed) {
      step.commit = answer->landed->commit_id;
      last_head_ = answer->landed->new_head;
      GH_TRY(session, open_session_at(context_, target_));
      if (session.head.id.hex() == answer->landed->new_head) history_.push_back({session.head, id});
    } else {
      set_aside_.insert(id);
    }
    if (waits_for_confirmation(answer->admission))
      stopped_ = fmt::format("{} waits for a human's confirmation", id);
    steps_.push_back(std::move(step));
    return {};
  }

  Context& context_;
  std::string target_;
  bool exit_review_;
  TriedTrees tried_{};
  std::vector<Standing> history_{};
  std::set<std::string> set_aside_{};
  std::vector<Step> steps_{};
  std::string stopped_{}, first_head_{}, last_head_{};
  bool is_undecided_ = false;
  int looks_again_ = 0;
};

Value steps_value(const std::vector<Step>& steps) {
  List list;
  for (const Step& step : steps) {
    List reasons;
    for (const auto& [code, message] : step.reasons)
      reasons.emplace_back(Map{{"code", code}, {"message", message}});
    list.emplace_back(Map{{"patch_id", step.patch_id},
                          {"outcome", step.outcome},
                          {"commit", step.commit.empty() ? Value() : Value(step.commit)},
                          {"reasons", std::move(reasons)}});
  }
  return list;
}

std::string steps_text(const std::vector<Step>& steps) {
  std::string out;
  for (const Step& step : steps) {
    out += fmt::format("{:<9} {}", step.outcome, printable(step.patch_id, 100));
    if (!step.commit.empty()) out += fmt::format(" as {}", step.commit.substr(0, 12));
    out += "\n";
    for (const auto& [code, message] : step.reasons)
      out += fmt::format("          {}: {}\n", code, printable(message, 400));
  }
  return out;
}

/// The worst of the steps, as a verdict: rejected is a no, deferred is nothing decided.
gh::Decision decision_of(const std::vector<Step>& steps, bool is_undecided) {
  gh::Decision worst = is_undecided ? gh::Decision::unverified : gh::Decision::allow;
  for (const Step& step : steps) {
    const gh::Decision one = step.outcome == "rejected"   ? gh::Decision::deny
                             : step.outcome == "deferred" ? gh::Decision::unverified
                             : step.outcome == "waiting"  ? gh::Decision::review
                                                          : gh::Decision::allow;
    worst = std::max(worst, one);
  }
  return worst;
}

Reply queue_reply(Map document, const std::vector<Step>& steps, const std::string& stopped,
                  bool is_undecided, bool exit_review) {
  Reply reply;
  document.set("stopped", stopped.empty() ? Value() : Value(stopped));
  document.set("steps", steps_value(steps));
  reply.document = std::move(document);
  std::string text = steps_text(steps);
  if (!stopped.empty()) text += fmt::format("stopped: {}\n", printable(stopped, 400));
  if (text.empty()) text = "nothing is approved and waiting\n";
  reply.text = [text](const report::Look&) { return text; };
  reply.exit = promotion_exit(decision_of(steps, is_undecided), exit_review);
  if (reply.exit == ExitCode::done) return reply;
  const auto bad = std::ranges::find_if(steps, [](const Step& s) { return !s.reasons.empty(); });
  reply.why =
      !stopped.empty() || bad == steps.end()
          ? stopped
          : fmt::format("{} is {}: {}", bad->patch_id, bad->outcome, bad->reasons.front().first);
  return reply;
}

Reply QueueRun::reply() const {
  return queue_reply(Map{{"schema", "gatehouse.proposal_queue/1"},
                         {"target_ref", target_},
                         {"dry_run", false},
                         {"old_head", first_head_},
                         {"new_head", last_head_}},
                     steps_, stopped_, is_undecided_, exit_review_);
}

/// A promotion that was killed behind its commit point is on the target and still open in the
/// ledger: nobody must be judged before that is put right.
Status settle_before(ProposalSession& session, Context& context) {
  GH_TRY(lock, PromotionLock::take(session, context, "queue"));
  if (!lock.left_by().empty()) GH_DO(settle(session, context, lock.left_by()));
  GH_TRY(settled, settle_all(session, context));
  for (const std::string& says : settled)
    context.notice("an interrupted promotion was settled first: " + says);
  return {};
}

/// What each promotion would say if it were asked for now, in the order of the queue.
Result<Reply> forecast_queue(ProposalSession& session, Context& context, const Request& request) {
  GH_TRY(order, queue_of(session));
  const bool human = session.policy().requires_human;
  std::vector<Step> steps;
  for (const std::string& id : order) {
    GH_TRY(stored, load_proposal(*session.ledger, id));
    GH_TRY(judged, judge_promotion(session, context, stored,
                                   {.asker = session.actor.name, .confirmed_by_human = !human}));
    steps.push_back(step_of(id, judged.judgement.admission, "ready"));
  }
  return queue_reply(Map{{"schema", "gatehouse.proposal_queue/1"},
                         {"target_ref", session.target_ref},
                         {"dry_run", true},
                         {"old_head", session.head.id.hex()},
                         {"new_head", session.head.id.hex()}},
                     steps, "", false, request.flag("exit-review"));
}

}  // namespace

Result<Reply> proposal_queue(const Request& request, Context& context) {
  GH_TRY(session, open_session_at(context, request.text("target")));
  if (!may_promote(session.policy(), session.actor))
    return fail(Code::not_permitted,
                fmt::format("{} holds neither the role promoter nor admin", session.actor.name));
  if (request.has("first")) {
    if (request.flag("dry-run"))
      return fail(Code::bad_argument, "--first is kept, so it does not go with --dry-run");
    GH_DO(put_first(session, context, request.text("first")));
  }
  if (request.flag("dry-run")) return forecast_queue(session, context, request);
  GH_DO(settle_before(session, context));
  QueueRun run(context, session.target_ref, request.flag("exit-review"));
  GH_DO(run.run());
  GH_DO(tell_about_work_tree(session.repo, context, session.target_ref, run.first_head(),
                             run.last_head()));
  return run.reply();
}

}  // namespace gh::ops
