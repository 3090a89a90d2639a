#pragma once
// What steers git from inside of its own folder, where no look of git goes: hooks, the settings
// that have it run programs, what it ignores. Told apart from one step of an agent to the next.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "git/repo.h"
#include "model/value.h"
#include "ops/operation.h"

namespace gh::ops {

struct HookSite;

struct HookPlace {
  std::int64_t size = 0, mtime_ns = 0, ctime_ns = 0;
  std::string says{};  // digest of what counts: of settings those that are guarded
  bool is_settings = false;
  bool operator==(const HookPlace&) const = default;
};
using HookPlaces = std::map<std::string, HookPlace>;  // by whole path

/// Of this repository, and the settings of the user. What is as it was `before` by its size and
/// times is not read again.
HookPlaces look_at_places(const HookSite&, git::Repo&, sys::Env&, const HookPlaces& before);

/// Does it decide whether the hooks of git run? Then git may not go on until it is undone.
bool guards_git(const HookSite&, std::string_view path);

/// What a place says; empty: it is not there.
std::string said_at(const HookPlaces&, const std::string& path);

/// What one place says now, whoever looks from wherever: by its whole path alone.
std::string says_now(const HookSite&, git::Repo&, const std::string& path);
/// Does a look from here go to that place?
bool is_looked_at(const HookSite&, sys::Env&, std::string_view path);

/// Those that an agent changed and that still say something else. Reading forgets nothing.
std::vector<std::string> tampered_places(const HookSite&, Context&);

/// Whole paths of those that say something else, or came, or are gone; sorted.
std::vector<std::string> changed_places(const HookPlaces& before, const HookPlaces& now);

Value to_value(const HookPlaces&);
HookPlaces places_from(const Value&);  // what cannot be read is left out

}  // namespace gh::ops
