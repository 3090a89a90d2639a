#pragma once
// What a change does to the powers of coding agents, one row for each grant that changed.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "powers/rule.h"

namespace gh::powers {

enum class Host : std::uint8_t { claude, codex, cursor, vscode, gemini, ci, agents };
enum class Kind : std::uint8_t {
  permission,
  mode,
  directory,
  hook,
  server,
  plugin,
  sandbox,
  network,
  environment,
  program,
  trust,
  agent,
  instruction,
  workflow,
  setting,
  file
};
/// What it is for the agent: more power, less, something to know, or nobody can tell.
enum class Effect : std::uint8_t { widens, unread, tells, narrows };
enum class Change : std::uint8_t { added, removed, widened, narrowed, changed, unread };
std::string_view to_string(Host);
std::string_view to_string(Kind);
std::string_view to_string(Effect);
std::string_view to_string(Change);

struct Place {
  std::string path{};
  std::int64_t line = 1;
  auto operator<=>(const Place&) const = default;
};

struct Row {
  Effect effect = Effect::tells;
  Change change = Change::changed;
  Weight weight = Weight::low;
  Host host = Host::claude;
  Kind kind = Kind::permission;
  std::string before{}, after{};  // the rule as it stands; empty: none
  Place place{};                  // where it stands after the change, else where it stood
  bool is_before = false;         // the place is on the old side
  std::string why{};              // why it matters

  bool operator==(const Row&) const = default;
};

/// Worst first, then by place and text.
void sort_rows(std::vector<Row>&);

/// Why a row of that kind matters, in a sentence.
std::string_view why_of(Kind, Effect);

}  // namespace gh::powers
