#pragma once
// What a hook prints, in the form that each host reads (docs/hooks.md, "What a host is told"). A
// host that has no form for something gets it on standard error, where people look for it: a
// member that a host does not know makes it drop the whole answer.
#include <cstdint>
#include <string>
#include <string_view>

#include "hooks/event.h"

namespace gh::hooks {

enum class Saying : std::uint8_t {
  deny,     // before a tool runs: it must not
  ask,      // before a tool runs: a person decides
  advise,   // before a tool runs: it would be stopped, were the gate enforced
  context,  // after a tool ran: the model should know
  object,   // after a tool ran: the model must mend it
  go_on     // the agent wants to end and must not yet
};

struct Answer {
  std::string out{};  // one JSON object, or nothing
  std::string err{};  // for people, and for the model where the exit status is 2
  int exit = 0;       // 0 or 2
  bool operator==(const Answer&) const = default;
};

/// `event` is the host's own name of it.
Answer render(Host, std::string_view event, Saying, std::string_view text);

/// Nothing could be decided or written: blocks on every host.
Answer block(std::string_view text);

/// Can a person be asked through this host?
bool can_ask(Host);

}  // namespace gh::hooks
