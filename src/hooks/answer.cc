#include "hooks/answer.h"

#include <algorithm>
#include <array>

#include "model/value.h"
#include "wire/json.h"

namespace gh::hooks {
namespace {

using Text = std::string_view;

Value specific(Text event, Map members) {
  Map inner{{"hookEventName", event}};
  for (auto& [name, value] : members.entries())
    inner.set(name, value);
  return Map{{"hookSpecificOutput", std::move(inner)}};
}
Value permission(Text event, Text decision, Text text) {
  return specific(event, Map{{"permissionDecision", decision}, {"permissionDecisionReason", text}});
}

Value claude_deny(Text event, Text text) { return permission(event, "deny", text); }
Value claude_ask(Text event, Text text) { return permission(event, "ask", text); }
Value claude_context(Text event, Text text) {
  return specific(event, Map{{"additionalContext", text}});
}
Value blocks(Text, Text text) { return Map{{"decision", "block"}, {"reason", text}}; }

/// A call that failed is over: the host takes words about it, and no decision.
Value claude_object(Text event, Text text) {
  return event == "PostToolUseFailure" ? claude_context(event, text) : blocks(event, text);
}

Value cursor_says(Text decision, Text text) {
  return Map{{"permission", decision}, {"user_message", text}, {"agent_message", text}};
}
Value cursor_deny(Text, Text text) { return cursor_says("deny", text); }
Value cursor_ask(Text, Text text) { return cursor_says("ask", text); }
Value cursor_advise(Text, Text text) {
  return Map{{"permission", "allow"}, {"agent_message", text}};
}
Value cursor_context(Text event, Text text) {
  if (event != "postToolUse") return {};  // other events of it have no answer
  return Map{{"additional_context", text}};
}
Value cursor_go_on(Text, Text text) { return Map{{"followup_message", text}}; }

Value gemini_deny(Text, Text text) { return Map{{"decision", "deny"}, {"reason", text}}; }
Value gemini_context(Text, Text text) {
  return Map{{"hookSpecificOutput", Map{{"additionalContext", text}}}};
}
Value nothing(Text, Text) { return {}; }

using Form = Value (*)(Text event, Text text);
struct HostForms {
  Host host;
  Form deny, ask, advise, context, object, go_on;  // in the order of Saying
};
// clang-format off
// table: hook_answers
constexpr std::array kForms{
    HostForms{Host::claude, claude_deny, claude_ask,  claude_context, claude_context, claude_object,  blocks},
    HostForms{Host::codex,  claude_deny, claude_deny, nothing,        claude_context, blocks,         blocks},
    HostForms{Host::cursor, cursor_deny, cursor_ask,  cursor_advise,  cursor_context, cursor_context, cursor_go_on},
    HostForms{Host::vscode, claude_deny, claude_ask,  claude_context, claude_context, blocks,         blocks},
    HostForms{Host::gemini, gemini_deny, gemini_deny, nothing,        gemini_context, gemini_context, gemini_deny},
};
// clang-format on

const HostForms& forms_of(Host host) { return *std::ranges::find(kForms, host, &HostForms::host); }

Form form_of(Host host, Saying saying) {
  const HostForms& forms = forms_of(host);
  const std::array all{forms.deny,    forms.ask,    forms.advise,
                       forms.context, forms.object, forms.go_on};
  return all[static_cast<std::size_t>(saying)];
}

}  // namespace

Answer render(Host host, std::string_view event, Saying saying, std::string_view text) {
  const Value document = form_of(host, saying)(event, text);
  if (document.is_null()) return {.err = std::string(text) + "\n"};
  return {.out = wire::canonical_json(document) + "\n"};
}

Answer block(std::string_view text) { return {.err = std::string(text) + "\n", .exit = 2}; }

bool can_ask(Host host) { return forms_of(host).ask != forms_of(host).deny; }

}  // namespace gh::hooks
