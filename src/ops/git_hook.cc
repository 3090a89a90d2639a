// `hook git NAME`: the door that git knocks at.
#include "ops/git_hook.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "hooks/agent_identity.h"
#include "model/actor.h"
#include "ops/change_registry.h"
#include "ops/git_hook_ops.h"
#include "ops/repo_config.h"
#include "store/spool.h"
#include "sys/files.h"
#include "sys/process_identity.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxReason = 1'000;

using Run = Result<HookAnswer> (*)(HookCall&);
// In the order of hooks::GitHook.
constexpr std::array<Run, 9> kRuns{pre_commit,  prepare_commit_msg, commit_msg,
                                   post_commit, pre_push,           pre_receive,
                                   update_hook, post_receive,       reference_transaction};

/// git runs the hooks of a push inside of the git folder, all others at the top level.
std::string place_of_hook(const std::string& cwd) {
  constexpr std::string_view kGitFolder = "/.git";
  if (!cwd.ends_with(kGitFolder)) return cwd;
  std::string above = cwd.substr(0, cwd.size() - kGitFolder.size());
  return git::discover(above) ? above : cwd;
}

/// Objects that a push brings lie below the object folder until the push is accepted. Any other
/// place was not chosen by git.
Result<std::string> incoming_folder(const std::string& place, sys::Env& env) {
  const std::string named = env.variable("GIT_QUARANTINE_PATH");
  if (named.empty()) return std::string();
  GH_TRY(found, git::discover(place));
  GH_TRY(folder, sys::real_path(named));
  GH_TRY(objects, sys::real_path(found.common_dir + "/objects"));
  if (!folder.starts_with(objects + "/"))
    return fail(Code::bad_argument, "GIT_QUARANTINE_PATH names a folder outside of the repository");
  return std::move(folder);
}

Result<git::GivenByGit> given_by_git(const hooks::GitHookRow& row, const std::string& place,
                                     const Context& context) {
  git::GivenByGit out;
  out.readers = std::make_shared<git::SharedReaders>();
  if (row.side == hooks::HookSide::server) {
    GH_TRY(incoming, incoming_folder(place, context.env));
    out.incoming_folder = std::move(incoming);
    return out;
  }
  // Only the hooks of a commit speak of an index, which need not be the repository's own.
  const std::string index = context.env.variable("GIT_INDEX_FILE");
  if (!index.empty())
    out.index_file = index.starts_with('/') ? index : fmt::format("{}/{}", context.cwd, index);
  return out;
}

/// Notes which phase takes longest, beside whatever the door does with it.
class Watch {
 public:
  Watch(Context& context, SlowStep& slowest) : env_(context.env), slowest_(slowest) {
    begun_ = env_.monotonic_ms();
    context.progress = [this, next = std::move(context.progress)](std::string_view phase) {
      turn(phase);
      if (next) next(phase);
    };
  }
  void turn(std::string_view phase) {
    const std::int64_t now = env_.monotonic_ms();
    if (now - begun_ > slowest_.ms) slowest_ = {name_, now - begun_};
    name_ = phase;
    begun_ = now;
  }

 private:
  sys::Env& env_;
  SlowStep& slowest_;
  std::string name_ = "starting";
  std::int64_t begun_ = 0;
};

/// The one slow step of what people wait for most often, when it took longer than it may.
std::string slowness(const hooks::GitHookRow& row, std::int64_t took, const SlowStep& slowest) {
  if (row.hook != hooks::GitHook::pre_commit || took <= row.budget_ms) return {};
  return fmt::format("{}: {} took {} ms (budget {} ms); the slowest step was '{}' with {} ms\n",
                     kProduct, row.name, took, row.budget_ms, slowest.name, slowest.ms);
}

Reply reply_of(const hooks::GitHookRow& row, HookAnswer answer, std::string slow) {
  Reply reply;
  Map document{{"schema", "gatehouse.git_hook/1"},
               {"hook", row.name},
               {"passed", !answer.refused},
               {"why", answer.why.empty() ? Value() : Value(answer.why)}};
  for (auto& [key, value] : answer.facts.entries())
    document.set(key, value);
  document.set("tool", Map{{"name", kProduct}, {"version", kVersion}});
  reply.document = std::move(document);
  reply.text = [parts = std::move(answer.parts), slow = std::move(slow)](const report::Look& look) {
    std::string out;
    for (const auto& part : parts)
      out += part(look);
    return out + slow;
  };
  if (answer.refused) {
    reply.exit = ExitCode::denied;
    reply.why = std::move(answer.why);
  }
  return reply;
}

/// An agent that hides what its host marks it with still runs below that host, whose server holds
/// an intent. People declare theirs on the command line.
std::string agent_by_host(HookCall& call) {
  const bool is_asked = call.row.side == hooks::HookSide::work &&
                        call.row.hook != hooks::GitHook::reference_transaction &&
                        call.row.hook != hooks::GitHook::post_commit;
  if (!is_asked) return {};
  const std::vector<Intent>& own = intents_of_caller(call);
  const auto found = std::ranges::find_if(own, [](const Intent& intent) {
    return intent.owner && intent.owner->kind == OwnerKind::process;
  });
  return found == own.end() ? std::string() : fmt::format("intent {} of its host", found->id);
}

std::vector<Intent> read_intents_of_caller(HookCall& call) {
  control::HookCaller caller{.session_id = session_name(call.request, call.context)};
  for (const sys::Ancestor& ancestor : sys::ancestors(call.context.env.process_id()))
    caller.ancestors.push_back({ancestor.pid, ancestor.start_ticks});
  auto session = open_change_session(call.request, call.context, LedgerUse::look);
  if (!session || session->ledger == nullptr) return {};
  caller.clone = session->clone;
  const auto workspace = read_workspace_at(
      *session, call.context, {.sessions = {caller.session_id}, .hosts = caller.ancestors});
  if (!workspace) return {};
  std::vector<Intent> out;
  for (const control::Held& held : of_tree(workspace->held, session->worktree, session->clone)) {
    const bool may_edit = held.intent->status != IntentStatus::queued &&
                          control::ownership_of(*held.intent, true, held.liveness,
                                                workspace->now) != control::Ownership::expired;
    if (may_edit && control::is_own(*held.intent, caller)) out.push_back(*held.intent);
  }
  if (!call.ledger) call.ledger = std::move(session->ledger);
  return out;
}

/// A gate that cannot decide refuses; a convenience that cannot work is left out.
HookAnswer failed(const hooks::GitHookRow& row, const Error& error) {
  HookAnswer out{.refused = row.blocks};
  const std::string_view rule = row.blocks ? "GH-GATE-001: " : "";
  out.why = fmt::format("{}{}: {}: {}", rule, row.name, to_string(error.code),
                        printable(error.message, 300));
  out.say(fmt::format("{}: {}\n  = next: {}\n", kProduct, out.why, help(error)));
  return out;
}

}  // namespace

std::string agent_of(const Context& context) {
  return std::string(
      hooks::agent_variable([&](std::string_view name) { return context.env.variable(name); }));
}

void HookAnswer::say(std::string text) {
  parts.emplace_back([text = std::move(text)](const report::Look&) { return text; });
}

Result<policy::Config> hook_config(git::Repo& repo) {
  const auto head = repo.objects().commit("HEAD");
  if (!head) repo.objects().hang_up();
  return hook_config(repo, head ? std::optional(*head) : std::nullopt);
}

Result<policy::Config> hook_config(git::Repo& repo, const std::optional<git::Commit>& head) {
  if (head) {
    GH_TRY(config, config_at(repo, *head));
    if (config.source != "defaults" || repo.is_bare()) return config;
  }
  return repo.is_bare() ? Result<policy::Config>(policy::Config{}) : config_in_work_tree(repo);
}

Result<store::Ledger*> ledger_of(HookCall& call, git::Repo& repo) {
  if (!call.ledger) {
    GH_TRY(opened, open_ledger_to_look(repo));
    call.ledger = std::move(opened);
  }
  return call.ledger->get();
}

const std::vector<Intent>& intents_of_caller(HookCall& call) {
  if (!call.own) call.own = read_intents_of_caller(call);
  return *call.own;
}

void audit_hook(const HookCall& call, const git::Repo& repo, std::string_view event,
                std::string_view severity, Map payload) {
  Actor actor = local_actor(call.context.env.user_id());
  if (!call.agent.empty()) actor.kind = "agent";
  payload.set("hook", call.row.name);
  if (!call.agent.empty()) payload.set("agent", call.agent);
  Map subject;
  for (const char* key : {"commit", "ref"})
    if (const Value* value = payload.find(key)) subject.set(key, *value);
  (void)store::spool_event(repo.state_dir(), {.ts = call.context.env.now(),
                                              .event = std::string(event),
                                              .severity = std::string(severity),
                                              .actor = to_value(actor),
                                              .surface = "git",
                                              .subject = std::move(subject),
                                              .payload = std::move(payload)});
}

void soften(HookCall& call, const git::Repo& repo, const policy::HookPolicy& policy,
            HookAnswer& answer) {
  if (!answer.refused) return;
  audit_hook(call, repo, "hook.denied", "warn", Map{{"why", printable(answer.why, 400)}});
  if (policy.mode == policy::HookMode::advise) {
    answer.refused = false;
    answer.facts.set("mode", "advise");
    answer.say(
        fmt::format("{}: advice only, git goes on; 'hooks: {{mode: enforce}}' in {} makes "
                    "this a refusal\n",
                    kProduct, kConfigFile));
    return;
  }
  if (call.reason.empty()) {
    if (call.agent.empty())
      answer.say(fmt::format(
          "{}: a person may go on with GATEHOUSE_BYPASS_REASON=\"why\", which is written down\n",
          kProduct));
    return;
  }
  if (!call.agent.empty()) {
    answer.say(
        fmt::format("{}: GATEHOUSE_BYPASS_REASON is for people; {} shows that an agent runs "
                    "this\n",
                    kProduct, call.agent));
    return;
  }
  answer.refused = false;
  answer.facts.set("bypassed", call.reason);
  audit_hook(call, repo, "hook.bypass", "warn",
             Map{{"reason", call.reason}, {"why", printable(answer.why, 400)}});
  answer.say(fmt::format("{}: bypassed, and written down: {}\n", kProduct, call.reason));
}

Result<Reply> check_for_hook(HookCall& call,
                             std::map<std::string, std::vector<std::string>, std::less<>> options,
                             std::vector<std::string> operands, const CheckOrders& orders) {
  RawRequest raw{.options = std::move(options), .operands = std::move(operands)};
  GH_TRY(request, Request::make(*find_operation("check"), std::move(raw)));
  return check_as_ordered(request, call.context, orders);
}

Result<Reply> hook_git(const Request& request, Context& context) {
  const hooks::GitHookRow* row = hooks::find_git_hook(request.text("NAME"));
  if (row == nullptr) return fail(Code::bad_argument, "no such hook");  // the row has checked it
  const std::string place =
      row->side == hooks::HookSide::server || row->hook == hooks::GitHook::reference_transaction
          ? place_of_hook(context.cwd)
          : context.cwd;
  const auto given = given_by_git(*row, place, context);
  if (!given) return reply_of(*row, failed(*row, given.error()), {});
  HookCall call{.row = *row,
                .request = request,
                .context = context,
                .words = request.list("ARG"),
                .agent = agent_of(context),
                .reason = printable(context.env.variable("GATEHOUSE_BYPASS_REASON"), kMaxReason)};
  call.context.cwd = place;
  call.context.surface = "git";
  call.context.given = &*given;
  SlowStep slowest;
  Watch watch(call.context, slowest);
  const std::int64_t begun = context.env.monotonic_ms();
  if (call.agent.empty()) call.agent = agent_by_host(call);
  auto answer = kRuns[static_cast<std::size_t>(row->hook)](call);
  const std::int64_t took = context.env.monotonic_ms() - begun;
  watch.turn("");
  return reply_of(*row, answer ? std::move(*answer) : failed(*row, answer.error()),
                  slowness(*row, took, slowest));
}

}  // namespace gh::ops
