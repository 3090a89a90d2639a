#include "hooks/reconcile.h"

namespace gh::hooks {
namespace {

/// The first letter of a status is the index; what is not there is as HEAD has it.
bool stages(const DirtyEntry* before, const DirtyEntry* after) {
  const auto letter = [](const DirtyEntry* entry) {
    const char c = entry == nullptr || entry->status_xy.empty() ? '.' : entry->status_xy[0];
    return c == '?' ? '.' : c;
  };
  return letter(before) != letter(after);
}

}  // namespace

std::vector<ChangedPath> changed_between(const DirtySnapshot& before, const DirtySnapshot& after) {
  std::vector<ChangedPath> out;
  auto old_at = before.entries.begin();
  auto new_at = after.entries.begin();
  while (old_at != before.entries.end() || new_at != after.entries.end()) {
    const bool only_old = new_at == after.entries.end() ||
                          (old_at != before.entries.end() && old_at->first < new_at->first);
    const bool only_new = old_at == before.entries.end() ||
                          (new_at != after.entries.end() && new_at->first < old_at->first);
    if (only_old) {
      out.push_back({old_at->first, stages(&old_at->second, nullptr)});
      ++old_at;
    } else if (only_new) {
      out.push_back({new_at->first, stages(nullptr, &new_at->second)});
      ++new_at;
    } else {
      if (old_at->second != new_at->second)
        out.push_back({new_at->first, stages(&old_at->second, &new_at->second)});
      ++old_at, ++new_at;
    }
  }
  return out;
}

bool is_somebody_elses(std::optional<std::int64_t> touched, std::optional<std::int64_t> began) {
  return touched && began && *touched < *began;
}

}  // namespace gh::hooks
