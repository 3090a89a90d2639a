#pragma once
// What steers git from inside of its own folder, where no look of git goes: hooks, the settings
// that have it run programs, what it ignores. Told apart from one step of an agent to the next.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "git/repo.h"
#include "model/value.h"

namespace gh::ops {

struct HookSite;

struct HookPlace {
  std::int64_t size = 0, mtime_ns = 0, ctime_ns = 0;
  std::string says{};  // digest of what counts: of settings those that are guarded
  bool is_settings = false;
  bool operator==(const HookPlace&) const = default;
};
using HookPlaces = std::map<std::string, HookPlace>;  // by whole path

/// What is as it was `before` by its size and times is not read again.
HookPlaces look_at_places(const HookSite&, git::Repo&, const HookPlaces& before);

/// Whole paths of those that say something else, or came, or are gone; sorted.
std::vector<std::string> changed_places(const HookPlaces& before, const HookPlaces& now);

Value to_value(const HookPlaces&);
HookPlaces places_from(const Value&);  // what cannot be read is left out

}  // namespace gh::ops
