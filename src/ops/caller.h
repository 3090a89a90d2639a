#pragma once
// Who asks, where the door knows it better than the command line: one MCP session is one agent. It
// is told through the environment that is handed in, like everything else about who runs this.
#include <optional>
#include <string>
#include <string_view>

#include "ops/change_session.h"
#include "sys/env.h"
#include "sys/process_identity.h"

namespace gh::ops {

/// The session that commands and calls share; what others see as its name; and "PID EPOCH" of the
/// process that it lives and dies with, believed by that process alone.
inline constexpr std::string_view kSessionVariable = "GATEHOUSE_SESSION",
                                  kLabelVariable = "GATEHOUSE_AGENT_LABEL",
                                  kProcessVariable = "GATEHOUSE_AGENT_PROCESS";

class SessionKeeper;

/// The world as an agent's calls see it.
class AgentEnv final : public sys::Env {
 public:
  /// `process`: over stdio. Looked up once by whoever makes this, as the clock may jump.
  /// `keeper`: of a door that stays open; may be null.
  AgentEnv(sys::Env& world, std::string session, std::string label,
           const std::optional<sys::ProcessIdentity>& process, SessionKeeper* keeper = nullptr);
  SessionKeeper* keeper() const { return keeper_; }

  Timestamp now() override { return world_.now(); }
  std::int64_t monotonic_ms() override { return world_.monotonic_ms(); }
  std::string random_hex(std::size_t digits) override { return world_.random_hex(digits); }
  std::string variable(std::string_view name) override;
  std::uint32_t user_id() override { return world_.user_id(); }
  std::int64_t process_id() override { return world_.process_id(); }
  std::string host_name() override { return world_.host_name(); }

 private:
  sys::Env& world_;
  std::string session_, label_, process_;
  SessionKeeper* keeper_;
};

/// The process that the asking agent lives and dies with; none: it is a session by name.
std::optional<sys::ProcessIdentity> agent_process(Context&);

/// Who asks, to the registry.
control::Caller caller_here(const Request&, Context&, const std::string& clone);

}  // namespace gh::ops
