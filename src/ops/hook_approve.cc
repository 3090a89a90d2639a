// `hook approve`: an administrator lets the control files of one commit in.
#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "model/actor.h"
#include "ops/analysis_scope.h"
#include "ops/approvals.h"
#include "ops/git_hook.h"
#include "ops/git_hook_ops.h"
#include "ops/proposal_session.h"
#include "ops/repo_config.h"
#include "store/spool.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxReason = 1'000;

/// An id that is not here yet is as good as one that is: it names its content.
Result<ObjectId> named_commit(git::Repo& repo, const std::string& name) {
  if (const auto id = ObjectId::parse(name)) return *id;
  GH_TRY(commit, repo.objects().commit(name));
  return commit.id;
}

Status check_may_approve(git::Repo& repo, const Actor& actor) {
  const auto target = usual_target(repo);
  const policy::ProposalPolicy policy =
      target ? target->config.proposals : policy::default_proposal_policy();
  if (holds_role(policy, actor, "admin")) return {};
  return fail(Code::not_permitted, fmt::format("{} does not hold the role admin", actor.name));
}

}  // namespace

Result<Reply> hook_approve(const Request& request, Context& context) {
  GH_TRY(repo, repo_around(context.cwd, context));
  const std::string reason = printable(request.text("reason"), kMaxReason);
  if (reason.empty()) return fail(Code::missing_argument, "an approval needs --reason TEXT");
  const Actor actor = local_actor(context.env.user_id());
  GH_DO(check_may_approve(repo, actor));
  GH_TRY(commit, named_commit(repo, request.text("COMMIT")));
  GH_DO(approve_commit(repo, commit, fmt::format("{} {}\n", actor.name, reason)));
  (void)store::spool_event(repo.state_dir(),
                           {.ts = context.env.now(),
                            .event = "hook.bypass",
                            .severity = "warn",
                            .actor = to_value(actor),
                            .surface = context.surface,
                            .subject = Map{{"commit", commit.hex()}},
                            .payload = Map{{"status", "approved"}, {"reason", reason}}});
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.commit_approval/1"},
                       {"commit", commit.hex()},
                       {"actor", actor.name},
                       {"reason", reason},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [line = fmt::format("{} may bring its control files in; written down for {}\n",
                                   commit.hex(), actor.name)](const report::Look&) { return line; };
  return reply;
}

}  // namespace gh::ops
