#include "ops/change_land.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "control/scope_paths.h"
#include "git/user.h"
#include "model/peek.h"
#include "ops/analysis_scope.h"
#include "ops/patch_ops.h"
#include "ops/receipt_find.h"
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

namespace {

constexpr int kLandingTries = 8;  // of as many that land at once
constexpr std::size_t kShownReasons = 10;

/// The entries of these paths as they are in the index now.
Result<std::vector<git::IndexChange>> entries_now(const git::Repo& repo,
                                                  const std::vector<std::string>& paths) {
  std::vector<git::IndexChange> out;
  GH_TRY(entries, repo.staged(paths));
  for (const std::string& path : paths) {
    const auto entry = std::ranges::find(entries, path, &git::StagedEntry::path);
    if (entry == entries.end())
      out.push_back({path, std::nullopt, std::nullopt});
    else
      out.push_back({path, static_cast<FileMode>(entry->mode), entry->id});
  }
  return out;
}

bool is_refused_for(const Reply& reply, std::string_view rule) {
  return reply.exit != ExitCode::done && Peek(reply.document)["details"]["rule"].text() == rule;
}

/// An operation on this diff, as if it stood on standard input, in the main tree.
using Answering = std::function<Result<Reply>(const Request&, Context&)>;
Result<Reply> ask_about(const ChangeSession& session, const Context& context,
                        std::string_view operation, const std::string& diff,
                        decltype(RawRequest::options) options, const Answering& answering) {
  const Operation& op = *find_operation(operation);
  GH_TRY(request, Request::make(op, {.options = std::move(options), .operands = {"-"}}));
  Context inner = context;
  inner.cwd = main_tree(session);
  inner.wants_document = true;  // the answer tells what the gates object to, in words too
  inner.stoppable = {};         // the files of the main tree are held meanwhile
  inner.read_input = [&diff](std::size_t) -> Result<std::string> { return diff; };
  return answering(request, inner);
}

bool is_allowed_by_patch_gate(const Peek& verdict) {
  return std::ranges::any_of(verdict["parts"].list(), [](const Value& part) {
    return Peek(part)["gate"].text() == "patch" && Peek(part)["decision"].text() == "allow";
  });
}

/// What the change gives on top of what the main tree got since it was judged: nobody has looked at
/// that yet. The patch gate's own no is told by the landing.
struct MergedResult {
  Map told{};
  bool is_refused = false;
};
Result<MergedResult> judge_merged(const ChangeSession& session, const Context& context,
                                  const JudgedChange& landing, const std::string& diff,
                                  const std::string& tip) {
  GH_TRY(reply, ask_about(session, context, "check", diff,
                          {{"base", {tip}},
                           {"intent", {landing.intent.id}},
                           {"strictness", {landing.strictness}}},
                          check_change));
  const Peek verdict(reply.document);
  MergedResult out{.told = Map{{"base", tip}, {"decision", verdict["decision"].text()}}};
  out.is_refused = reply.exit != ExitCode::done && is_allowed_by_patch_gate(verdict);
  if (!out.is_refused) return out;
  List reasons = verdict["reasons"].list();
  if (reasons.size() > kShownReasons) reasons.resize(kShownReasons);
  out.told.set("headline", verdict["headline"].text());
  out.told.set("reasons", std::move(reasons));
  return out;
}

Result<LandedChange> land_staged(ChangeSession& session, Context& context,
                                 const JudgedChange& landing);

}  // namespace

Result<LandedChange> land_worktree(ChangeSession& session, Context& context,
                                   const JudgedChange& landing) {
  GH_TRY(before, entries_now(session.repo, landing.paths));
  GH_DO(session.repo.stage(landing.paths));
  auto landed = land_staged(session, context, landing);
  // What did not land stays as whoever made it had left it.
  if (!landed || landed->patch.empty()) {
    const Status restored = session.repo.set_index_entries(before);
    if (landed && !restored) return tl::make_unexpected(restored.error());
  }
  return landed;
}

namespace {

Result<LandedChange> land_staged(ChangeSession& session, Context& context,
                                 const JudgedChange& landing) {
  // What was committed on its branch since is part of the change.
  GH_TRY(from, change_base(session, landing.intent));
  GH_TRY(base, session.repo.objects().commit(from));
  GH_TRY(diff, session.repo.diff_staged(base.id, kMaxDiffBytes));
  // What was judged is what was named; anything else that the tree has to give was not.
  GH_TRY(given, session.repo.staged_paths(base.id));
  std::erase_if(given, [&](const std::string& path) {
    return std::ranges::find(landing.paths, control::path_from_git(path)) != landing.paths.end();
  });
  if (!given.empty()) {
    for (std::string& path : given)
      path = control::path_from_git(path);
    return LandedChange{.told = Map{{"landed", false}, {"not_named", string_list(given)}}};
  }
  const ChangeBinding& bound = landing.judged;
  const bool is_judged = bound.changed_lines_sha256.empty() ||
                         (runs::changed_lines_sha256(diff) == bound.changed_lines_sha256 &&
                          runs::has_same_places(bound.blobs, blobs_of(session.repo, diff)));
  if (!is_judged) return LandedChange{.told = Map{{"landed", false}, {"edited_meanwhile", true}}};
  GH_TRY(main, repo_around(main_tree(session), context));
  LandedChange out;
  // Somebody else's landed first: the gates look again whether it still fits, and holds there.
  for (int tries = 0; tries < kLandingTries; ++tries) {
    GH_TRY(tip, main.objects().commit("HEAD"));
    std::optional<MergedResult> merged;
    if (tip.tree != base.tree) {
      GH_TRY(judged, judge_merged(session, context, landing, diff, tip.id.hex()));
      merged = std::move(judged);
    }
    if (merged && merged->is_refused)
      return LandedChange{.told =
                              Map{{"landed", false}, {"merged_result", std::move(merged->told)}}};
    const auto land = [&](const Request& request, Context& inner) {
      return apply_for_intent(request, inner, landing.intent.id);
    };
    GH_TRY(reply,
           ask_about(session, context, "patch apply", diff, {{"base", {tip.id.hex()}}}, land));
    const bool landed = reply.exit == ExitCode::done;
    out.told = Map{{"landed", landed}, {"result", reply.document}};
    if (merged && landed) out.told.set("merged_result", std::move(merged->told));
    if (landed) out.patch = diff;
    if (!is_refused_for(reply, "base_moved")) break;
  }
  if (out.patch.empty()) return out;
  GH_TRY(removed, remove_if_done(session, context, landing.intent, landing.paths));
  out.told.set("worktree_removed", removed);
  if (!removed)
    out.told.set("worktree", utf8_or_escaped(isolated_folder(session, landing.intent.id)));
  return out;
}

}  // namespace

Result<CommitUsers> commit_users(const git::Repo& repo, Context& context) {
  GH_TRY(author, git::configured_user(repo, "AUTHOR", context.env));
  GH_TRY(committer, git::configured_user(repo, "COMMITTER", context.env));
  if (!author || !committer)
    return fail(Code::bad_argument,
                "--commit needs to know whose commit it is: git config user.name NAME, and "
                "user.email ADDRESS");
  return CommitUsers{*std::move(author), *std::move(committer)};
}

Status check_commit_place(const ChangeSession& session, Context& context) {
  GH_TRY(repo, repo_around(main_tree(session), context));
  GH_TRY(branch, repo.head_ref());
  if (!branch.empty()) return {};
  return fail(Code::bad_argument,
              "--commit needs a branch, and HEAD of the main tree is detached: check a branch out "
              "there, or finish without --commit and commit by hand");
}

namespace {

/// Nothing: the branch was moved meanwhile.
Result<std::optional<ObjectId>> try_commit(git::Repo& repo, Context& context,
                                           const std::string& branch, const std::string& patch,
                                           const std::string& message, const CommitUsers& users) {
  GH_TRY(head, repo.objects().commit("HEAD"));
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
  if (moved != git::RefUpdate::done) return std::nullopt;
  return commit;
}

}  // namespace

Result<ObjectId> commit_landed(ChangeSession& session, Context& context, const std::string& patch,
                               const std::string& message, const CommitUsers& users) {
  GH_TRY(branch, session.repo.head_ref());
  if (branch.empty())
    return fail(Code::conflict,
                "the change has landed, but HEAD is detached: commit it by hand, then run "
                "'gatehouse receipt attach'");
  for (int tries = 0; tries < kLandingTries; ++tries) {
    GH_TRY(made, try_commit(session.repo, context, branch, patch, message, users));
    if (made) return *made;
  }
  return fail(Code::conflict,
              fmt::format("the change has landed, but {} was moved meanwhile: commit it by hand, "
                          "then run 'gatehouse receipt attach'",
                          branch));
}

}  // namespace gh::ops
