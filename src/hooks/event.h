#pragma once
// What an agent host tells a hook, in one form for all hosts (interfaces 2.1). Hosts differ in the
// names of events, tools and members; those are rows. A tool that is not known and names a file
// counts as one that writes it: a new tool of a host must not pass unseen.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::hooks {

inline constexpr std::size_t kMaxEventBytes = 16u << 20;  // a tool may write a large file
inline constexpr std::size_t kMaxTargets = 4096;

enum class Host : std::uint8_t { claude, codex, cursor, vscode, gemini };
std::string_view to_string(Host);
std::optional<Host> host_named(std::string_view);

enum class EventKind : std::uint8_t { pre_tool, post_tool, stop, session_start, prompt, other };
std::string_view to_string(EventKind);

enum class ToolClass : std::uint8_t { write, shell, mcp, read, other };
std::string_view to_string(ToolClass);

struct Event {
  Host host = Host::claude;
  EventKind kind = EventKind::other;
  std::string name{};  // as the host calls it
  std::string session{}, agent{}, cwd{};
  std::string project{};  // what the host was started for, when the event says so
  std::string tool{}, tool_call{};
  ToolClass tool_class = ToolClass::other;
  std::string mcp_server{};
  std::vector<std::string> targets{};  // as the host names them; sorted, each once
  bool is_elsewhere = false;           // a patch for an environment that only the host knows
  bool takes_patch = false;            // of a tool that writes: what is said in a text
  std::string command{};               // of a shell tool, or of an MCP tool that takes one
  std::string folder{};                // where that runs, when the tool says so
  bool loop = false;                   // the host asks again because a hook made it go on
};

/// What a host means by that name; the names of kinds are understood too.
EventKind kind_named(Host, std::string_view name);
/// The name that the host itself has for this event.
std::string_view name_on(const Event&);

/// The event of a document. `wanted` is the event that the command line names, if any. An error: it
/// is no event, or its tool names more than kMaxTargets files.
Result<Event> read_event(Host, const Value& document, std::string_view wanted = {});

}  // namespace gh::hooks
