// Who holds what, who waits for what: views of the registry that change nothing.
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "analysis/report_view.h"
#include "base/text.h"
#include "ops/change_ops.h"
#include "ops/change_payload.h"
#include "ops/change_registry.h"
#include "ops/change_text.h"
#include "ops/run_text.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

bool runs_out(const Workspace& workspace) {
  for (const control::Held& held : workspace.held)
    if (control::closed_as(control::Sweep::lazy_close, *held.intent, held.liveness, workspace.now))
      return true;
  return !workspace.corrupted.empty();
}

Result<Map> listed(ChangeSession& session, Context& context, const Workspace& workspace) {
  auto dirt = look_at_tree(session, context);
  return workspace_payload(session, workspace, dirt ? &*dirt : nullptr);
}

List queue_of(const ChangeSession& session, const Workspace& workspace) {
  std::vector<const control::Held*> waiting;
  for (const control::Held& held : workspace.held)
    if (held.intent->status == IntentStatus::queued) waiting.push_back(&held);
  const auto position = [&](const control::Held* held) {
    return control::queue_position(*held->intent, workspace.held);
  };
  std::ranges::sort(waiting, {}, position);
  List out;
  for (const control::Held* held : waiting) {
    // From where the waiting one stands: everybody else is foreign to it.
    std::vector<control::Held> others;
    for (control::Held other : rivals_in(workspace.held, held->intent->worktree)) {
      if (other.intent == held->intent) continue;
      if (other.ownership == control::Ownership::own_active)
        other.ownership = control::Ownership::foreign_active;
      if (other.ownership == control::Ownership::own_stale)
        other.ownership = control::Ownership::foreign_stale;
      others.push_back(other);
    }
    const control::Conflicts conflicts =
        control::find_conflicts(held->intent->scope, others, session.policy().conflict_matching);
    out.emplace_back(Map{{"intent_id", held->intent->id},
                         {"agent_label", held->intent->agent_label},
                         {"ownership", to_string(held->ownership)},
                         {"queue_position", position(held)},
                         {"declared_at_utc", to_string(held->intent->declared_at)},
                         {"blocked_by", conflicts.blocked_by}});
  }
  return out;
}

}  // namespace

Result<Reply> change_list(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  GH_TRY(workspace, read_workspace(session, context));
  if (runs_out(workspace)) {
    GH_DO(change_registry(session, context, [](Registry&) -> Status { return {}; }));
    GH_TRY(again, read_workspace(session, context));
    workspace = std::move(again);
  }
  GH_TRY(document, listed(session, context, workspace));
  Reply reply;
  reply.document = framed("gatehouse.workspace/1", std::move(document));
  reply.text = [copy = reply.document](const report::Look& look) {
    return workspace_text(copy, look);
  };
  return reply;
}

Result<Reply> change_queue(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context, LedgerUse::read));
  GH_TRY(workspace, read_workspace(session, context));
  Reply reply;
  reply.document = framed("gatehouse.change_queue/1", Map{{"queue", queue_of(session, workspace)}});
  reply.text = [copy = reply.document](const report::Look& look) { return queue_text(copy, look); };
  return reply;
}

Result<Reply> change_watch(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context, LedgerUse::read));
  const std::int64_t looks = request.has("count") ? *request.integer("count") : 0;
  const std::int64_t pause_ms = *request.seconds("interval") * 1'000;
  constexpr std::int64_t kStepMs = 50;  // how soon an interrupt is heard
  Reply reply;
  context.may_stop(true);
  for (std::int64_t look = 1;; ++look) {
    GH_TRY(workspace, read_workspace(session, context));
    GH_TRY(document, listed(session, context, workspace));
    document.set("queue", queue_of(session, workspace));
    document.set("at_utc", to_string(workspace.now));
    reply.document = framed("gatehouse.workspace/1", std::move(document));
    reply.text = [copy = reply.document](const report::Look& style) {
      return workspace_text(copy, style);
    };
    reply.is_compact = true;  // a line for each look, also for the last
    if (look == looks) return reply;
    // The last look is the answer; those before it are shown as they come.
    const std::string shown =
        context.wants_document ? wire::canonical_json(reply.document) + "\n"
                               : fmt::format("{}{}\n", context.is_terminal ? "\x1b[H\x1b[2J" : "",
                                             workspace_text(reply.document, {}));
    GH_DO(context.stream(shown));
    for (std::int64_t waited = 0; waited < pause_ms; waited += kStepMs) {
      if (context.interrupted && context.interrupted())
        return fail(Code::interrupted, "watching ended");
      std::this_thread::sleep_for(std::chrono::milliseconds(std::min(kStepMs, pause_ms)));
    }
  }
}

}  // namespace gh::ops
