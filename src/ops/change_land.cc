#include "ops/change_land.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/analysis_scope.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxDiffBytes = 256u << 20;

/// The folder that the common git directory belongs to.
std::string main_tree(const ChangeSession& session) {
  const std::string& common = session.repo.common_dir();
  return common.substr(0, common.rfind('/'));
}

/// Where the work tree began; what was committed on its branch since is part of the change.
std::string base_of(const Intent& intent) {
  const Value* base = intent.unknown.find("base_commit");
  return base != nullptr && base->as_string() != nullptr ? *base->as_string() : "HEAD";
}

}  // namespace

Status enter_worktree(ChangeSession& session, Context& context, const Intent& intent) {
  GH_TRY(repo, repo_around(isolated_folder(session, intent.id), context));
  session.repo = std::move(repo);
  session.worktree = intent.worktree;
  return {};
}

Result<bool> remove_if_done(ChangeSession& session, Context& context, const Intent& intent,
                            const std::vector<std::string>& landed) {
  GH_TRY(dirt, look_at_tree(session, context));
  for (const auto& [path, entry] : dirt.entries)
    if (std::ranges::find(landed, path) == landed.end()) return false;
  GH_DO(session.repo.remove_worktree(isolated_folder(session, intent.id)));
  return true;
}

Result<Map> land_worktree(ChangeSession& session, Context& context, const Intent& intent,
                          const std::vector<std::string>& paths) {
  GH_DO(session.repo.stage(paths));
  GH_TRY(base, session.repo.objects().commit(base_of(intent)));
  GH_TRY(diff, session.repo.diff_staged(base.id, kMaxDiffBytes));
  const Operation& apply = *find_operation("patch apply");
  GH_TRY(request, Request::make(apply, {.options = {}, .operands = {"-"}}));
  Context inner = context;
  inner.cwd = main_tree(session);
  inner.read_input = [&diff](std::size_t) -> Result<std::string> { return diff; };
  GH_TRY(reply, apply.run(request, inner));
  const bool landed = reply.exit == ExitCode::done;
  Map out{{"landed", landed}, {"result", reply.document}};
  if (landed) {
    GH_TRY(removed, remove_if_done(session, context, intent, paths));
    out.set("worktree_removed", removed);
  }
  return out;
}

}  // namespace gh::ops
