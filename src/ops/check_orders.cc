#include "ops/check_orders.h"

#include <algorithm>

#include "diff/patch.h"

namespace gh::ops {
namespace {

using Files = std::vector<ApprovedFile>;

using Ids = std::vector<std::optional<ObjectId>>;

/// What the target has at these places, in their order.
Result<Ids> ids_in(PatchSession& session, const CheckTarget& target, const Files& files) {
  Ids out;
  if (target.kind == TargetKind::range) {
    for (const ApprovedFile& file : files) {
      GH_TRY(entry, patch::find_entry(session.repo.objects(), *target.tree, file.path));
      out.push_back(entry ? std::optional(entry->id) : std::nullopt);
    }
    return out;
  }
  std::vector<std::string> paths;
  for (const ApprovedFile& file : files)
    paths.push_back(file.path);
  GH_TRY(entries, session.repo.staged(paths));
  for (const std::string& path : paths) {
    const auto at = std::ranges::find(entries, path, &git::StagedEntry::path);
    out.push_back(at == entries.end() ? std::nullopt : std::optional(at->id));
  }
  return out;
}

bool is_named(const Files& files, const std::string& path) {
  return std::ranges::find(files, path, &ApprovedFile::path) != files.end();
}

bool makes_executable(const diff::Section& section) {
  return section.op == diff::Operation::create && section.new_mode == FileMode::executable;
}

}  // namespace

Result<Files> approved_in(PatchSession& session, const CheckTarget& target, const Files& files) {
  Files out;
  if (target.kind != TargetKind::staged && target.kind != TargetKind::range) return out;
  GH_TRY(ids, ids_in(session, target, files));
  for (std::size_t i = 0; i < files.size(); ++i)
    if (ids[i] == files[i].id) out.push_back(files[i]);
  return out;
}

policy::PatchPolicy with_approved(policy::PatchPolicy policy, std::string_view diff,
                                  const Files& files) {
  const auto patch = diff::parse(diff, diff::Profile::git, diff::Position::exact);
  if (!patch) return policy;  // the gate will say what is wrong with it
  bool others_make_executables = false;
  for (const diff::Section& section : patch->sections) {
    if (!is_named(files, section.new_path) || section.old_path != section.new_path) {
      others_make_executables = others_make_executables || makes_executable(section);
      continue;
    }
    policy.allow_control_files.push_back(section.new_path);
    policy.max_files += 1;
    policy.max_added_lines += section.added;
    policy.max_deleted_lines += section.deleted;
    policy.max_deleted_files += section.op == diff::Operation::remove ? 1 : 0;
    policy.max_hunks += std::ssize(section.hunks);
  }
  if (!others_make_executables) policy.allow_new_executable = true;
  return policy;
}

Status let_in(PatchSession& session, const CheckTarget& target, const Files& files) {
  if (files.empty()) return {};
  GH_TRY(found, approved_in(session, target, files));
  if (!found.empty())
    session.policy =
        patch::CompiledPolicy(with_approved(session.policy.values, target.bytes, found));
  return {};
}

}  // namespace gh::ops
