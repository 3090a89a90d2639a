// `hook test`: may this be written now? The question that the hooks of agents put, by hand: what
// the hook would stop is never allowed here. It reads the registry as it is: nothing is made, moved
// on or closed, and no lock is waited for.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "ops/analysis_scope.h"
#include "ops/change_ops.h"
#include "ops/change_registry.h"
#include "ops/change_text.h"
#include "ops/hook_far.h"
#include "ops/hook_host.h"
#include "ops/real_place.h"
#include "ops/run_text.h"
#include "sys/process_identity.h"

namespace gh::ops {
namespace {

/// The registry, or why it cannot be read.
struct Registered {
  std::string backend{"sqlite"}, fault{};
  Workspace workspace{};  // the records below point into it
  std::vector<control::Held> held{};
};

/// A hook knows its conversation and its ancestors, not the owner.
control::HookCaller hook_caller(const std::string& session, Context& context) {
  control::HookCaller out{.session_id = session};
  for (const sys::Ancestor& ancestor : sys::ancestors(context.env.process_id()))
    out.ancestors.push_back({ancestor.pid, ancestor.start_ticks});
  return out;
}

/// The records of this tree, as the hook stands to their owners.
Result<Registered> read_registry(const Request& request, Context& context,
                                 control::HookCaller caller) {
  GH_TRY(session, open_change_session(request, context, LedgerUse::look));
  caller.clone = session.clone;
  Registered out;
  if (session.ledger != nullptr) out.backend = session.ledger->facts().backend;
  GH_TRY(workspace, read_workspace(session, context));
  out.held = of_tree(workspace.held, session.worktree, session.clone);
  out.workspace = std::move(workspace);
  for (control::Held& held : out.held)
    held.ownership = control::ownership_of(*held.intent, is_own(*held.intent, caller),
                                           held.liveness, out.workspace.now);
  return out;
}

struct RuleIdRow {
  control::WriteReason reason;
  std::string_view code;  // that rule_of knows
};
// table: write_gate_rules
constexpr std::array<RuleIdRow, 4> kRuleIds{{
    {control::WriteReason::queued_intent_not_editable, "queued_intent_not_editable"},
    {control::WriteReason::no_active_intent, "no_active_intent"},
    {control::WriteReason::registry_error, "registry_error"},
    {control::WriteReason::path_outside_scope, "path_outside_scope"},
}};

Value rule_id(const control::WriteAnswer& answer) {
  if (!answer.forbidden_by.empty()) return rule_of("forbidden_touched");
  for (const RuleIdRow& row : kRuleIds)
    if (row.reason == answer.reason) return rule_of(row.code);
  return {};
}

struct Advice {
  std::string_view says, next;
};

Advice advice_on(control::WriteReason reason) {
  switch (reason) {
    case control::WriteReason::active_intent:
      return {"the write is covered by an active intent", ""};
    case control::WriteReason::queued_intent_not_editable:
      return {"the intent still waits in the queue",
              "Ask whether it is your turn: gatehouse change promote ID."};
    case control::WriteReason::no_active_intent:
      return {
          "no active intent covers a write here",
          "Declare the change first: gatehouse change start --analyze --goal TEXT --allow FILE."};
    case control::WriteReason::registry_error:
      return {"the registry cannot be read, so nothing may be written", "Run 'gatehouse doctor'."};
    case control::WriteReason::path_outside_scope:
      return {"the path is not in the declared scope",
              "Declare it as well: gatehouse change extend --add FILE."};
  }
  return {};
}

/// Nothing covers the write, and an intent of the caller did until its lease ran out, or will once
/// its files are clean.
Advice advice_on(const control::WriteAnswer& answer) {
  if (answer.unclean != nullptr)
    return {"the intent holds its files, and they have uncommitted changes of somebody else",
            "Have these committed, stashed or reverted, then ask again: gatehouse change promote "
            "ID."};
  if (answer.lapsed == nullptr) return advice_on(answer.reason);
  return {"the lease of the intent that would cover a write here has run out",
          "Renew it, then write: gatehouse change renew ID."};
}

Map answer_document(const control::WriteAnswer& answer, const Registered& registry,
                    bool foreign_authorised) {
  Map details{{"foreign_authorised", foreign_authorised}};
  if (!answer.path.empty()) details.set("path", answer.path);
  if (!answer.forbidden_by.empty()) details.set("forbidden_by", answer.forbidden_by);
  if (!registry.fault.empty()) details.set("error", printable(registry.fault, 400));
  const Advice advice = advice_on(answer);
  Map out{{"allowed", answer.allowed}, {"reason", to_string(answer.reason)}};
  if (const control::Held* held = answer.unclean != nullptr  ? answer.unclean
                                  : answer.lapsed != nullptr ? answer.lapsed
                                                             : answer.held) {
    out.set("intent_id", held->intent->id);
    out.set("status", to_string(held->intent->status));
    out.set("ownership", to_string(held->ownership));
    out.set("agent_label", held->intent->agent_label);
  }
  out.set("rule_id", rule_id(answer));
  out.set("registry_backend", registry.backend);
  out.set("details", std::move(details));
  out.set("message", advice.says);
  if (!advice.next.empty()) {
    std::string next(advice.next);
    if (const Value* id = out.find("intent_id"); id != nullptr && next.ends_with(" ID."))
      next.replace(next.size() - 3, 2, *id->as_string());
    out.set("next_step", next);
  }
  return out;
}

ExitCode exit_of(const control::WriteAnswer& answer) {
  if (answer.allowed) return ExitCode::done;
  return answer.reason == control::WriteReason::registry_error ? ExitCode::environment
                                                               : ExitCode::denied;
}

Result<git::Repo> work_tree_around(Context& context) {
  auto repo = repo_around(context.cwd, context);
  if (!repo && repo.error().code == Code::not_a_repository)
    return fail(Code::root_not_a_repository, std::move(repo.error().message));
  if (repo && repo->is_bare())
    return fail(Code::root_not_a_repository, "a bare repository has no work tree to write to");
  return repo;
}

/// A refusal of the hook that the registry knows nothing of.
struct StoppedRow {
  std::string_view rule;
  std::string_view reason;  // a code of change control
  std::string_view says, next;
  ExitCode exit = ExitCode::denied;
};
// clang-format off
// table: write_gate_stops
constexpr std::array<StoppedRow, 4> kStops{{
    {"GH-PROTECT-001", "state_artifact_mutation", "the path is protected: it steers git, the gate or the agents", "Leave it alone; a person changes it, and no intent can open it."},
    {"GH-GATE-001",    "registry_error",          "the hook cannot decide, so nothing may be written",           "Run 'gatehouse doctor'.", ExitCode::environment},
    {"GH-INTENT-003",  "path_outside_scope",      "another agent holds the path",                                "Wait until it is done: gatehouse change queue."},
    {"GH-SCOPE-001",   "path_outside_scope",      "the path is not in the declared scope",                       "Declare it as well: gatehouse change extend --add FILE."},
}};
// clang-format on

/// What the hook of a host decides about a write of these files, where it stops one.
struct Stopped {
  const StoppedRow* row = nullptr;
  std::string path{};
};
Stopped stopped_by_hook(const git::Repo& repo, const std::vector<std::string>& paths,
                        const std::string& session, Context& context) {
  hooks::Event event{.kind = hooks::EventKind::pre_tool,
                     .session = session,
                     .cwd = context.cwd,
                     .tool_class = hooks::ToolClass::write};
  for (const std::string& path : paths)
    event.targets.push_back(fmt::format("{}/{}", repo.root(), path));
  if (event.targets.empty()) return {};
  const auto judged = judge_step(event, context, hook_far());
  if (!judged || judged->row->outcome != hooks::Outcome::deny) return {};
  const auto row = std::ranges::find(kStops, judged->row->rule, &StoppedRow::rule);
  return row == kStops.end() ? Stopped{} : Stopped{&*row, judged->path};
}

void tell_stop(const Stopped& stopped, Map& document) {
  document.set("allowed", false);
  document.set("reason", stopped.row->reason);
  document.set("rule_id", stopped.row->rule);
  document.set("message", stopped.row->says);
  document.set("next_step", stopped.row->next);
  Map details = *document.find("details")->as_map();
  if (!stopped.path.empty()) details.set("path", utf8_or_escaped(stopped.path));
  document.set("details", std::move(details));
}

std::string text_of(const Map& document) {
  const auto text = [&](std::string_view key) {
    const Value* found = document.find(key);
    return found != nullptr && found->as_string() != nullptr ? *found->as_string() : std::string();
  };
  std::string out = fmt::format(
      "{} ({})\n", *document.find("allowed")->as_bool() ? "allowed" : "denied", text("reason"));
  out += text("message") + "\n";
  if (const std::string id = text("intent_id"); !id.empty())
    out += fmt::format("intent {}, {}, of {}\n", id, text("ownership"),
                       printable(text("agent_label"), 100));
  if (const std::string next = text("next_step"); !next.empty())
    out += fmt::format("Next: {}\n", next);
  return out;
}

}  // namespace

Result<Reply> hook_test(const Request& request, Context& context) {
  GH_TRY(repo, work_tree_around(context));
  GH_TRY(named_paths,
         control::normalise_evidence(by_letter(repo, request.list("path")), repo.root()));
  GH_TRY(paths, written_places(repo.root(), named_paths));
  const std::string named =
      request.has("session") ? request.text("session") : context.env.variable("GATEHOUSE_SESSION");
  const bool foreign =
      control::foreign_is_authorised(either_variable(context, "GATEHOUSE_HOOK_AUTHORIZE_FOREIGN",
                                                     "CODECLONE_HOOK_AUTHORIZE_FOREIGN"),
                                     !named.empty());
  auto read = read_registry(request, context, hook_caller(session_name(request, context), context));
  Registered registry = read ? std::move(*read) : Registered{.fault = read.error().message};
  const control::WriteAnswer answer = control::decide_write(
      {.registry_readable = registry.fault.empty(), .foreign_authorised = foreign, .paths = paths},
      registry.held);
  Map document = answer_document(answer, registry, foreign);
  Reply reply;
  reply.exit = exit_of(answer);
  std::string reason{to_string(answer.reason)}, path = answer.path;
  const Stopped stopped = stopped_by_hook(
      repo, named_paths, named.empty() ? named : session_name(request, context), context);
  if (stopped.row != nullptr && (answer.allowed || stopped.row == &kStops.front())) {
    tell_stop(stopped, document);
    reply.exit = stopped.row->exit;
    reason = stopped.row->reason;
    path = stopped.path;
  }
  hint_session(document, request);
  if (reply.exit != ExitCode::done)
    reply.why = fmt::format("{}{}", reason, path.empty() ? "" : ": " + printable(path, 200));
  reply.text = [text = text_of(document)](const report::Look&) { return text; };
  reply.document = framed("gatehouse.write_gate/1", std::move(document));
  return reply;
}

}  // namespace gh::ops
