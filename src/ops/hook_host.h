#pragma once
// `gatehouse hook <host>`: what an agent host asks before and after a step of its agent
// (docs/hooks.md). The answer is what is printed, and an exit status of 0 or 2, whatever happens.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hooks/answer.h"
#include "hooks/decision.h"
#include "hooks/event.h"
#include "ops/operation.h"
#include "policy/hook_policy.h"

namespace gh::ops {

inline constexpr std::int64_t kHookBudgetMs = 150;  // of a look at the tree after a step

struct HookRequest {
  hooks::Host host = hooks::Host::claude;
  std::string event{};                     // empty: the event says what it is
  std::optional<policy::HookMode> mode{};  // instead of hooks.mode
  std::int64_t budget_ms = kHookBudgetMs;
};

/// `input` is one JSON object.
hooks::Answer answer_hook(const HookRequest&, std::string_view input, Context&);

/// The same answer for a step that is about to happen and a short event; nothing for all others.
struct HookFar;
std::optional<hooks::Answer> answer_step(const HookRequest&, std::string_view input, Context&,
                                         const HookFar&);

/// What is decided about such a step, in the mode of the policy, without an answer or a trace of
/// it; nothing where no gate is concerned.
struct JudgedStep {
  const hooks::Row* row;
  std::string path;  // that the row speaks of
};
std::optional<JudgedStep> judge_step(const hooks::Event&, Context&, const HookFar&);

/// Nothing could be read or decided. Blocks, unless no gate is on where the program runs.
hooks::Answer refuse_hook(std::string_view why, Context&);

/// The same for the event that the request names: whatever goes wrong, a session can always end.
hooks::Answer refuse_event(const HookRequest&, std::string_view why, Context&);

// --- one function for each kind of event ---
hooks::Answer before_tool(const HookRequest&, const hooks::Event&, Context&, const HookFar&);
hooks::Answer after_tool(const HookRequest&, const hooks::Event&, Context&);
hooks::Answer at_stop(const HookRequest&, const hooks::Event&, Context&);
hooks::Answer at_session_start(const HookRequest&, const hooks::Event&, Context&);
/// A host that told of no session yet: the policy of HEAD is compiled before its first step.
void compile_missing_rules(const hooks::Event&, Context&);
hooks::Answer at_prompt(const HookRequest&, const hooks::Event&, Context&);

struct HookSite;
/// A row for the audit chain, appended beside the ledger; its loss is no failure.
struct HookTold {
  std::string_view event{};  // hook.denied, hook.bypass, hook.stop_override
  std::string rule{}, path{}, intent_id{};
  bool stopped = true;  // false: only advised
};
void spool_hook(const HookSite&, const hooks::Event&, const HookTold&, Context&);

}  // namespace gh::ops
