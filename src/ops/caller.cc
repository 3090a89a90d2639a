#include "ops/caller.h"

#include <charconv>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::ops {
namespace {

std::int64_t number_in(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  return wrong == std::errc{} && end == text.data() + text.size() ? out : 0;
}

}  // namespace

AgentEnv::AgentEnv(sys::Env& world, std::string session, std::string label,
                   const std::optional<sys::ProcessIdentity>& process, SessionKeeper* keeper)
    : world_(world), session_(std::move(session)), label_(std::move(label)), keeper_(keeper) {
  if (process) process_ = fmt::format("{} {}", process->pid, process->start_epoch);
}

std::string AgentEnv::variable(std::string_view name) {
  if (name == kSessionVariable) return session_;
  if (name == kLabelVariable) return label_;
  if (name == kProcessVariable) return process_;
  return world_.variable(name);
}

std::optional<sys::ProcessIdentity> agent_process(Context& context) {
  const std::string told = context.env.variable(kProcessVariable);
  const std::size_t space = told.find(' ');
  if (space == std::string::npos) return std::nullopt;
  const std::string_view text = told;
  if (number_in(text.substr(0, space)) != context.env.process_id()) return std::nullopt;
  sys::ProcessIdentity out = sys::self(context.env);
  out.start_epoch = number_in(text.substr(space + 1));
  return out.start_epoch > 0 ? std::optional(std::move(out)) : std::nullopt;
}

control::Caller caller_here(const Request& request, Context& context, const std::string& clone) {
  std::string session = session_name(request, context);
  const auto process = agent_process(context);
  if (!process) return caller_named(session, clone);
  return {.agent_pid = process->pid,
          .agent_start_epoch = process->start_epoch,
          .session_id = std::move(session)};
}

}  // namespace gh::ops
