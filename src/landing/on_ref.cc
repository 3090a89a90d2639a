#include "landing/on_ref.h"

#include <fmt/format.h>

#include "landing/recover.h"
#include "landing/verify_commands.h"
#include "patch/gate.h"
#include "sys/tree_files.h"

namespace gh::landing {
namespace {

using patch::Outcome;

struct Folder {
  std::string path;  // relative; empty: the root
  ObjectId tree;
};

/// Writes the blobs of `tree` below `root` as they are: no filter, no line-end conversion.
Status write_tree_files(git::Objects& objects, const ObjectId& tree, const std::string& root) {
  std::vector<Folder> unwritten{{"", tree}};
  while (!unwritten.empty()) {
    const Folder folder = std::move(unwritten.back());
    unwritten.pop_back();
    GH_TRY(entries, objects.tree(folder.tree));
    for (const TreeEntryView e : entries) {
      const std::string path = (folder.path.empty() ? "" : folder.path + "/") + std::string(e.name);
      if (e.mode == FileMode::tree) {
        unwritten.push_back({path, e.id});
      } else if (e.mode != FileMode::gitlink) {
        GH_TRY(bytes, objects.blob(e.id));
        GH_DO(e.mode == FileMode::symlink
                  ? sys::write_tree_link(root, path, bytes)
                  : sys::write_tree_file(root, path, bytes,
                                         e.mode == FileMode::executable ? 0755 : 0644));
      }
    }
  }
  return {};
}

Status verify_in(const Place& place, const std::string& folder, Outcome& outcome, sys::Env& env) {
  GH_TRY(checkout, git::Repo::open({.folder = folder,
                                    .git_folder = place.policy.git_path,
                                    .allow_old = true,
                                    .timeout_ms = place.policy.git_timeout_ms,
                                    .trusted_owners = place.policy.trusted_owners},
                                   env));
  GH_DO(write_tree_files(place.repo.objects(), outcome.candidate->tree, folder));
  GH_DO(checkout.read_tree_into_index(outcome.candidate->tree));
  const Place there{checkout,         place.quarantine, place.policy,     place.run_id,
                    place.run_folder, place.self,       place.interrupted};
  return verify_commands_at(there, outcome);
}

}  // namespace

Status prepare_for_ref(const Place& place, Outcome& outcome, sys::Env& env) {
  outcome.stage = Stage::apply;
  if (const Status moved = place.quarantine.migrate(); !moved) {
    patch::refuse(outcome,
                  {.rule = Rule::object_migration_failed, .message = moved.error().message});
    return {};
  }
  if (place.policy.verify.empty()) {
    outcome.verify = patch::VerifyReport{};
    return {};
  }
  const std::string folder = verify_worktree(place.repo, place.run_id);
  GH_DO(sys::make_folders(place.repo.state_dir() + "/worktrees"));
  GH_DO(place.repo.remove_worktree(folder));  // of a run that was killed: its id is ours now
  GH_DO(place.repo.add_worktree(folder, outcome.candidate->base_commit));
  const Status verified = verify_in(place, folder, outcome, env);
  GH_DO(place.repo.remove_worktree(folder));
  return verified;
}

Result<std::optional<Journal>> land_on_ref(const Place& place, const RefTarget& target,
                                           Outcome& outcome,
                                           const std::function<Result<Value>()>& make_record) {
  const patch::Candidate& candidate = *outcome.candidate;
  GH_TRY(commit, place.repo.commit_tree({.tree = candidate.tree,
                                         .parents = {candidate.base_commit},
                                         .message = target.message,
                                         .author = target.identity,
                                         .committer = target.identity,
                                         .time = target.time}));
  outcome.landed = patch::Landed{.mode = "commit", .ref = target.ref, .commit = commit.hex()};
  GH_TRY(journal, open_journal(place.repo.state_dir(), {.mode = "commit",
                                                        .run_id = place.run_id,
                                                        .run_folder = place.run_folder,
                                                        .root = place.repo.root(),
                                                        .base_commit = candidate.base_commit.hex(),
                                                        .candidate_tree = candidate.tree.hex(),
                                                        .ref = target.ref,
                                                        .commit = commit.hex()}));
  GH_TRY(record, make_record());
  GH_DO(mark_landed(journal, record));
  GH_TRY(update, place.repo.update_ref(target.ref, commit, candidate.base_commit, target.identity,
                                       target.time, "gatehouse: " + place.run_id));
  if (update == git::RefUpdate::done) return std::optional(std::move(journal));
  outcome.landed.reset();
  patch::refuse(outcome, {.rule = Rule::base_moved,
                          .message = fmt::format("{} is no longer at {}", target.ref,
                                                 candidate.base_commit.hex())});
  GH_DO(mark_rolled_back(journal));
  GH_DO(close_journal(place.repo.state_dir()));
  return std::nullopt;
}

}  // namespace gh::landing
