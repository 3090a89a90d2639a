#pragma once
// What hooks keep from one step of an agent to the next, below <state>/cache/hooks: the compiled
// policy of a work tree, and of each session what was dirty last and when a step began. All of it
// may be deleted at any time; what is believed is a file of our own that nobody else can write.
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "hooks/rules.h"
#include "model/intent.h"
#include "ops/hook_places.h"

namespace gh::ops {

struct HookSite;
struct HookFar;

bool has_rules(const HookSite&);
/// There is a copy, and this build made it.
bool has_own_rules(const HookSite&);
/// nullopt: there is no copy. json_invalid: there is one, and it is damaged or not ours alone.
Result<std::optional<hooks::Rules>> kept_rules(const HookSite&, const HookFar&);
Status keep_rules(const HookSite&, const hooks::Rules&);
void forget_rules(const HookSite&);

/// What was dirty after the last step, and the commit that was checked out.
struct TreeMemory {
  std::string head{};
  std::string branch{};  // what HEAD points to, as its file says
  DirtySnapshot dirty{};
  std::optional<HookPlaces> places{};  // none: they were not looked at
};

class SessionMemory {
 public:
  SessionMemory(const HookSite&, std::string_view session);

  std::optional<TreeMemory> tree() const;
  Status keep_tree(const TreeMemory&) const;

  /// The time of the file system itself is what counts: files of the tree have theirs from it too.
  void begin_call(std::string_view call) const;
  std::optional<std::int64_t> end_call(std::string_view call) const;  // nanoseconds; forgets it

  /// Has this session been told once that its intent is open?
  bool was_stopped(std::string_view intent_id) const;
  void remember_stop(std::string_view intent_id) const;
  void forget_stops() const;

 private:
  std::string file(std::string_view name) const;
  std::string folder_;
};

/// What a step changed of what guards git, until it is undone: the whole path, and what the place
/// said before, or kNotKnown. All work trees and sessions of the repository share it.
using Tampering = std::map<std::string, std::string>;
inline constexpr std::string_view kNotKnown = "?";

bool has_tampering(const HookSite&);
Tampering kept_tampering(const HookSite&);
Status keep_tampering(const HookSite&, const Tampering&);
/// A person has looked at it: `state` is the folder of the gate.
void forget_tampering(const std::string& state);

/// Sessions that were silent for a week.
void forget_old_sessions(const HookSite&, Timestamp now);

}  // namespace gh::ops
