#include "ops/change_land.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "control/scope_paths.h"
#include "git/user.h"
#include "ops/analysis_scope.h"
#include "runs/receipt_binding.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxDiffBytes = 256u << 20;

/// The folder that the common git directory belongs to.
std::string main_tree(const ChangeSession& session) {
  const std::string& common = session.repo.common_dir();
  return common.substr(0, common.rfind('/'));
}

}  // namespace

Status enter_worktree(ChangeSession& session, Context& context, const Intent& intent) {
  const std::string folder = isolated_folder(session, intent.id);
  if (sys::info(folder).kind != sys::FileKind::folder)
    return fail(
        Code::root_not_found,
        fmt::format("the work tree of {} is gone; give the intent up with 'gatehouse change "
                    "abandon {}'",
                    intent.id, intent.id));
  GH_TRY(repo, repo_around(folder, context));
  session.repo = std::move(repo);
  session.worktree = intent.worktree;
  return {};
}

Status enter_tree_of(ChangeSession& session, Context& context, const Intent& intent) {
  if (is_isolated(intent)) return enter_worktree(session, context, intent);
  if (intent.worktree == session.worktree) return {};
  const std::string name = control::bytes_of_path(intent.worktree);
  const std::string folder = name.empty()            ? main_tree(session)
                             : name.starts_with('/') ? name
                                                     : session.repo.common_dir() + "/" + name;
  auto repo = repo_around(folder, context);
  const bool is_there = repo && repo->common_dir() == session.repo.common_dir() &&
                        repo->root() == folder &&
                        (!name.empty() || repo->git_dir() == repo->common_dir());
  if (!is_there)
    return fail(Code::root_not_found,
                fmt::format("{} was declared in the work tree {}, which cannot be found from here: "
                            "go there, or give it up with 'gatehouse change abandon {}'",
                            intent.id,
                            printable(name.empty() ? std::string("of the repository") : name, 300),
                            intent.id));
  session.repo = std::move(*repo);
  session.root = utf8_or_escaped(session.repo.root());
  session.worktree = intent.worktree;
  return {};
}

Status leave_worktree(ChangeSession& session, Context& context) {
  GH_TRY(repo, repo_around(main_tree(session), context));
  session.repo = std::move(repo);
  session.worktree.clear();
  return {};
}

Result<bool> remove_if_done(ChangeSession& session, Context& context, const Intent& intent,
                            const std::vector<std::string>& landed) {
  GH_TRY(dirt, look_at_tree(session, context));
  GH_TRY(from, change_base(session, intent));
  GH_TRY(base, session.repo.objects().commit(from));
  GH_TRY(head, session.repo.objects().commit("HEAD"));
  GH_TRY(committed, session.repo.changed_paths(base.id, head.id));
  const auto has_landed = [&](const std::string& path) {
    return std::ranges::find(landed, path) != landed.end();
  };
  for (const auto& [path, entry] : dirt.entries)
    if (!has_landed(path)) return false;
  for (const std::string& path : committed)
    if (!has_landed(control::path_from_git(path))) return false;
  GH_DO(session.repo.remove_worktree(isolated_folder(session, intent.id)));
  return true;
}

Result<LandedChange> land_worktree(ChangeSession& session, Context& context, const Intent& intent,
                                   const std::vector<std::string>& paths,
                                   const ChangeBinding& judged) {
  GH_DO(session.repo.stage(paths));
  // What was committed on its branch since is part of the change.
  GH_TRY(from, change_base(session, intent));
  GH_TRY(base, session.repo.objects().commit(from));
  GH_TRY(diff, session.repo.diff_staged(base.id, kMaxDiffBytes));
  // What was judged is what was named; anything else that the tree has to give was not.
  GH_TRY(given, session.repo.staged_paths(base.id));
  std::erase_if(given, [&](const std::string& path) {
    return std::ranges::find(paths, control::path_from_git(path)) != paths.end();
  });
  if (!given.empty()) {
    for (std::string& path : given)
      path = control::path_from_git(path);
    return LandedChange{.told = Map{{"landed", false}, {"not_named", string_list(given)}}};
  }
  const bool is_judged = judged.changed_lines_sha256.empty() ||
                         runs::changed_lines_sha256(diff) == judged.changed_lines_sha256;
  if (!is_judged) return LandedChange{.told = Map{{"landed", false}, {"edited_meanwhile", true}}};
  const Operation& apply = *find_operation("patch apply");
  GH_TRY(request, Request::make(apply, {.options = {}, .operands = {"-"}}));
  Context inner = context;
  inner.cwd = main_tree(session);
  inner.wants_document = true;  // the answer tells what the gate objects to, in words too
  inner.read_input = [&diff](std::size_t) -> Result<std::string> { return diff; };
  GH_TRY(reply, apply.run(request, inner));
  const bool landed = reply.exit == ExitCode::done;
  LandedChange out{.told = Map{{"landed", landed}, {"result", reply.document}}};
  if (landed) {
    out.patch = std::move(diff);
    GH_TRY(removed, remove_if_done(session, context, intent, paths));
    out.told.set("worktree_removed", removed);
  }
  return out;
}

Result<CommitUsers> commit_users(const git::Repo& repo, Context& context) {
  GH_TRY(author, git::configured_user(repo, "AUTHOR", context.env));
  GH_TRY(committer, git::configured_user(repo, "COMMITTER", context.env));
  if (!author || !committer)
    return fail(Code::bad_argument,
                "--commit needs to know whose commit it is: git config user.name NAME, and "
                "user.email ADDRESS");
  return CommitUsers{*std::move(author), *std::move(committer)};
}

Result<ObjectId> commit_landed(ChangeSession& session, Context& context, const std::string& patch,
                               const std::string& message, const CommitUsers& users) {
  git::Repo& repo = session.repo;
  GH_TRY(branch, repo.head_ref());
  GH_TRY(head, repo.objects().commit("HEAD"));
  if (branch.empty())
    return fail(Code::conflict,
                "the change has landed, but HEAD is detached: commit it by hand, then run "
                "'gatehouse receipt attach'");
  GH_TRY(quarantine, repo.quarantine());
  GH_DO(repo.read_tree(quarantine, head.tree));
  GH_TRY(applied, repo.apply_cached(quarantine, patch));
  if (!applied.ok()) return fail(Code::conflict, "what has landed no longer fits HEAD");
  GH_TRY(tree, repo.write_tree(quarantine));
  GH_DO(quarantine.migrate());
  GH_TRY(commit, repo.commit_tree({.tree = tree,
                                   .parents = {head.id},
                                   .message = message,
                                   .author = users.author,
                                   .committer = users.committer,
                                   .time = context.env.now()}));
  GH_TRY(moved, repo.update_ref(branch, commit, head.id, users.committer, context.env.now(),
                                "gatehouse change finish"));
  if (moved == git::RefUpdate::done) return commit;
  return fail(Code::conflict,
              fmt::format("the change has landed, but {} was moved meanwhile: commit it by hand, "
                          "then run 'gatehouse receipt attach'",
                          branch));
}

}  // namespace gh::ops
