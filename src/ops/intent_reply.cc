#include "ops/intent_reply.h"

#include <fmt/format.h>

#include "ops/change_payload.h"
#include "ops/members.h"
#include "ops/run_text.h"

namespace gh::ops {

Reply replied(std::string_view schema, Map document, ExitCode exit,
              std::string (*text)(const Value&, const report::Look&)) {
  Reply reply;
  reply.document = framed(schema, std::move(document));
  reply.exit = exit;
  if (exit != ExitCode::done) {
    for (const std::string_view member : {"reason", "next_step_code", "status"})
      if (reply.why.empty()) reply.why = text_in(reply.document, member);
  }
  reply.text = [copy = reply.document, text](const report::Look& look) { return text(copy, look); };
  return reply;
}

Map conflict_fields(const control::Conflicts& conflicts) {
  Map out{{"concurrent_intents", conflicts.concurrent_intents},
          {"workspace_relations", conflicts.workspace_relations}};
  if (!conflicts.queued_context.empty()) out.set("queued_context", conflicts.queued_context);
  return out;
}

void add_all(Map& to, const Map& from) {
  for (const auto& [key, value] : from.entries())
    to.set(key, value);
}

Map boundaries(const Map& blast) {
  Map out;
  for (const std::string_view name :
       {"do_not_touch", "do_not_touch_summary", "review_context", "review_context_summary"})
    if (const Value* list = blast.find(name)) out.set(std::string(name), *list);
  return out;
}

std::string promotion_step(const control::NextStep& next, const std::string& id) {
  const std::string_view what =
      next.code == "git_error" ? "Git could not tell what is dirty in the files: make 'git status' "
                                 "work here"
      : next.code == "foreign_dirty_overlap"
          ? "Another live agent declared files of this scope that have uncommitted changes: "
            "coordinate with it until they are clean"
          : "The files are yours and have uncommitted changes that are not: have these committed, "
            "stashed or reverted";
  return fmt::format("{}, then ask again: 'gatehouse change promote {}'.", what, id);
}

}  // namespace gh::ops
