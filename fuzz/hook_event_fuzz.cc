// What a hook reads from outside: the event of a host, the compiled copy of its rules. The first
// byte says which; whatever the rest is, the answer keeps its promises.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "hooks/answer.h"
#include "hooks/event.h"
#include "hooks/message.h"
#include "hooks/rules.h"
#include "wire/json.h"

namespace {

using namespace gh;

void read_event_of(hooks::Host host, const Value& document) {
  const auto event = hooks::read_event(host, document);
  REQUIRE(document.as_map() != nullptr || !event);
  if (!event) return;
  REQUIRE(event->targets.size() <= hooks::kMaxTargets);
  REQUIRE(std::ranges::is_sorted(event->targets));
  REQUIRE(std::ranges::adjacent_find(event->targets) == event->targets.end());
  REQUIRE(std::ranges::find(event->targets, "") == event->targets.end());
  REQUIRE(event->command.empty() || event->tool_class == hooks::ToolClass::shell ||
          event->tool_class == hooks::ToolClass::mcp);
  const std::string text = hooks::refusal_message(
      {.rule = "GH-INTENT-001",
       .path = event->targets.empty() ? event->command : event->targets.front(),
       .root = event->cwd,
       .session = event->session});
  REQUIRE(text.size() <= hooks::kMaxMessage);
  REQUIRE(std::ranges::count(text, '\n') == 2);
  const hooks::Answer answer =
      hooks::render(host, hooks::name_on(*event), hooks::Saying::deny, text);
  REQUIRE(answer.exit == 0 && wire::read_json(answer.out).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  constexpr unsigned kHosts = 5;
  const unsigned which = data[0] % (kHosts + 1);
  const auto document = wire::read_json(text, "event", {.max_bytes = 1u << 20, .max_depth = 64});
  if (!document) return 0;
  if (which == kHosts) {
    const auto rules = hooks::rules_from(*document);
    if (rules) REQUIRE(*hooks::rules_from(hooks::to_value(*rules)) == *rules);
    return 0;
  }
  read_event_of(static_cast<hooks::Host>(which), *document);
  return 0;
}
