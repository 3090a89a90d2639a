#include "ops/workspace_files.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

// table: folders that are not looked through
constexpr std::array<std::string_view, 25> kSkipped{".agents-private",
                                                    ".cache",
                                                    ".claude",
                                                    ".direnv",
                                                    ".git",
                                                    ".hg",
                                                    ".nox",
                                                    ".svn",
                                                    ".mypy_cache",
                                                    ".next",
                                                    ".pnpm-store",
                                                    ".pytest_cache",
                                                    ".ruff_cache",
                                                    ".turbo",
                                                    ".tox",
                                                    ".venv",
                                                    "__pycache__",
                                                    "agents-shipgate-reports",
                                                    "gatehouse-reports",
                                                    "build",
                                                    "dist",
                                                    "env",
                                                    "node_modules",
                                                    "target",
                                                    "venv"};

}  // namespace

bool is_skipped_folder(std::string_view name) {
  return name.starts_with(".venv") || std::ranges::find(kSkipped, name) != kSkipped.end();
}

Result<WorkspaceFiles> workspace_files(const std::string& folder) {
  if (sys::info_follow(folder).kind != sys::FileKind::folder)
    return fail(Code::input_unreadable,
                fmt::format("there is no folder {}", printable(folder, 400)));
  WorkspaceFiles out;
  std::vector<std::string> open{""};
  std::size_t seen = 0;
  while (!open.empty()) {
    const std::string at = std::move(open.back());
    open.pop_back();
    const auto names = sys::list_folder(at.empty() ? folder : folder + "/" + at);
    if (!names) continue;  // a folder that may not be read holds nothing for us
    for (const std::string& name : *names) {
      if (++seen > kMaxWorkspaceEntries) {
        out.was_cut = true;
        std::ranges::sort(out.paths);
        return out;
      }
      std::string path = at.empty() ? name : at + "/" + name;
      const sys::FileKind kind = sys::info(folder + "/" + path).kind;
      if (kind == sys::FileKind::folder && !is_skipped_folder(name))
        open.push_back(std::move(path));
      else if (kind == sys::FileKind::file)
        out.paths.push_back(std::move(path));
    }
  }
  std::ranges::sort(out.paths);
  return out;
}

}  // namespace gh::ops
