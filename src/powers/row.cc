#include "powers/row.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace gh::powers {
namespace {

struct WhyRow {
  Kind kind;
  Effect effect;
  std::string_view text;
};
// clang-format off
// table: why a change of that kind matters
constexpr WhyRow kWhy[] = {
    {Kind::permission, Effect::widens, "The agent does this without asking, or is no longer stopped from it."},
    {Kind::permission, Effect::narrows, "The agent has to ask for this, or is stopped from it."},
    {Kind::permission, Effect::tells, "Another rule comes first, so this one gives nothing while that one stays."},
    {Kind::mode, Effect::widens, "More of what the agent does is approved without a person."},
    {Kind::mode, Effect::narrows, "More of what the agent does needs a person."},
    {Kind::directory, Effect::widens, "The agent may work outside of the project."},
    {Kind::directory, Effect::narrows, "A folder outside of the project is out of reach again."},
    {Kind::hook, Effect::widens, "A hook runs its program with the rights of whoever starts the agent, and a guard that is gone, skipped or failing open stops nothing."},
    {Kind::hook, Effect::narrows, "A guard sees more, or a program no longer runs."},
    {Kind::hook, Effect::tells, "The hook stays, some of its conduct differs."},
    {Kind::server, Effect::widens, "A server brings tools, and its program runs with the rights of whoever starts the agent."},
    {Kind::server, Effect::narrows, "The agent has fewer tools, or the server is pinned more closely."},
    {Kind::server, Effect::tells, "The server stays, some of its conduct differs."},
    {Kind::plugin, Effect::widens, "Plugins bring commands, hooks and servers of others; a marketplace says where they come from."},
    {Kind::plugin, Effect::narrows, "What the plugin brought is gone."},
    {Kind::sandbox, Effect::widens, "The system no longer holds what the agent runs."},
    {Kind::sandbox, Effect::narrows, "The system holds more of what the agent runs."},
    {Kind::network, Effect::widens, "What the agent runs can send data to more places."},
    {Kind::network, Effect::narrows, "What the agent runs reaches fewer places."},
    {Kind::environment, Effect::widens, "This decides which code runs, who reads the conversation, or which secrets a command sees."},
    {Kind::environment, Effect::narrows, "Fewer variables reach what the agent runs."},
    {Kind::environment, Effect::tells, "Programs that the agent starts see this variable."},
    {Kind::program, Effect::widens, "The host runs this program by itself."},
    {Kind::program, Effect::tells, "Hooks of the host may run this file."},
    {Kind::program, Effect::narrows, "The host no longer runs this program."},
    {Kind::trust, Effect::widens, "Configuration of the project takes effect without a question."},
    {Kind::trust, Effect::narrows, "The host asks again before it believes the project."},
    {Kind::agent, Effect::widens, "Whoever uses this agent, command or skill hands it these tools."},
    {Kind::agent, Effect::narrows, "It has fewer tools."},
    {Kind::agent, Effect::tells, "The agent, command or skill is another one."},
    {Kind::instruction, Effect::widens, "A model reads characters that no reviewer sees."},
    {Kind::instruction, Effect::tells, "The agent follows this text."},
    {Kind::workflow, Effect::widens, "An agent in CI runs with the token, the secrets and the triggers of its job."},
    {Kind::workflow, Effect::narrows, "The agent in CI may do less."},
    {Kind::workflow, Effect::tells, "The agent in CI is started in another way."},
    {Kind::setting, Effect::tells, "Nothing that is known here reads power from it; the host may."},
    {Kind::setting, Effect::unread, "Nobody here knows what this setting does; it may grant anything."},
    {Kind::file, Effect::unread, "What could not be read may grant anything."},
    {Kind::mode, Effect::unread, "Nobody here knows what this value means; it may grant anything."},
};
// clang-format on

template <class E, std::size_t N>
std::string_view name_in(const std::array<std::string_view, N>& names, E value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view to_string(Host host) {
  constexpr std::array<std::string_view, 7> kNames{"claude", "codex", "cursor", "vscode",
                                                   "gemini", "ci",    "agents"};
  return name_in(kNames, host);
}

std::string_view to_string(Kind kind) {
  constexpr std::array<std::string_view, 16> kNames{
      "permission",  "mode",     "directory",   "hook",    "server", "plugin",
      "sandbox",     "network",  "environment", "program", "trust",  "agent",
      "instruction", "workflow", "setting",     "file"};
  return name_in(kNames, kind);
}

std::string_view to_string(Effect effect) {
  constexpr std::array<std::string_view, 4> kNames{"widens", "unread", "tells", "narrows"};
  return name_in(kNames, effect);
}

std::string_view to_string(Change change) {
  constexpr std::array<std::string_view, 6> kNames{"added",    "removed", "widened",
                                                   "narrowed", "changed", "unread"};
  return name_in(kNames, change);
}

void sort_rows(std::vector<Row>& rows) {
  const auto key = [](const Row& row) {
    return std::tuple(row.effect, -static_cast<int>(row.weight), std::string_view(row.place.path),
                      row.place.line, row.host, row.kind, std::string_view(row.after),
                      std::string_view(row.before), row.change);
  };
  std::ranges::sort(rows, {}, key);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

std::string_view why_of(Kind kind, Effect effect) {
  for (const WhyRow& row : kWhy)
    if (row.kind == kind && row.effect == effect) return row.text;
  return effect == Effect::unread ? "Nobody here knows what this means; it may grant anything."
                                  : "";
}

}  // namespace gh::powers
