#pragma once
// The files of a folder that may hold many agents, as the release gate looks through them: sorted,
// within limits, without what is built, cached or installed there. Links are not followed.
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gh::ops {

inline constexpr std::size_t kMaxWorkspaceEntries = 200'000;

struct WorkspaceFiles {
  std::vector<std::string> paths{};  // from the folder, in byte order
  bool was_cut = false;              // there are more entries than may be looked at
};
/// input_unreadable when there is no such folder.
Result<WorkspaceFiles> workspace_files(const std::string& folder);

/// Is a folder of that name left out?
bool is_skipped_folder(std::string_view name);

}  // namespace gh::ops
