#pragma once
// What a hook sees of one work tree: its rules, and the open intents that concern a step. Nothing
// is written, no git is started, and no lock is waited for.
#include <memory>
#include <string>
#include <vector>

#include "control/ownership.h"
#include "hooks/decision.h"
#include "hooks/event.h"
#include "hooks/message.h"
#include "hooks/rules.h"
#include "ops/hook_far.h"
#include "ops/hook_sites.h"
#include "ops/operation.h"

namespace gh::ops {

/// Whose records matter: those of the agent's session or host, and those that declare these paths.
struct HookLook {
  std::string session{};  // empty: not known
  std::vector<std::string> paths{};
};

struct HookSight {
  const HookSite* site = nullptr;
  hooks::Rules rules{};
  std::string fault{};   // why the gate cannot decide; empty: it can
  std::string mirror{};  // how old a mirror is that was read; empty: it was the ledger
  bool foreign_authorised = false;
  std::vector<Intent> intents{};
  std::vector<control::Held> here{};    // of this tree, as the hook stands to their owners
  std::vector<control::Held> rivals{};  // that may hold files of it
  std::vector<control::Held> apart{};   // own ones, each in a work tree that was made for it

  hooks::Standing standing() const;
  hooks::Target target(const HookPath&) const;
  /// The record that speaks for this session; null: none does.
  const control::Held* own() const;
  const Intent* holder(std::string_view path) const;
};

/// The rules alone: cheap, and enough for a step that writes nothing.
HookSight read_rules(const HookSite&, const HookFar& = hook_far());
/// With the records, unless the gate cannot decide already.
void read_records(HookSight&, const HookLook&, Context&, const HookFar& = hook_far());

/// What the message of a refusal speaks of.
hooks::Told told_of(const HookSight&, std::string_view rule, const std::string& path,
                    const hooks::Event&, Timestamp now);

/// "3 min" and the like.
std::string age_text(std::int64_t seconds);

}  // namespace gh::ops
