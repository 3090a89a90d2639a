#include "ops/approvals.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/peek.h"
#include "patch/gates.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using Files = std::vector<ApprovedFile>;

constexpr std::size_t kMaxBytes = 1u << 20, kMostFiles = 1'000;
constexpr std::string_view kSchema = "gatehouse.approvals/1";

std::string folder_of(const git::Repo& repo) { return repo.state_dir() + "/approvals"; }
std::string list_of(const git::Repo& repo) { return folder_of(repo) + "/files.json"; }
std::string place_of(const git::Repo& repo, const ObjectId& commit) {
  return fmt::format("{}/{}", folder_of(repo), commit.hex());
}

void add_to(List& list, const Files& files, bool is_spent) {
  for (const ApprovedFile& file : files)
    list.emplace_back(Map{{"path", file.path},
                          {"id", file.id ? Value(file.id->hex()) : Value()},
                          {"spent", is_spent}});
}

Status write(const git::Repo& repo, const Approvals& all) {
  List list;
  add_to(list, all.fresh, false);
  add_to(list, all.spent, true);
  GH_DO(sys::make_folders(folder_of(repo)));
  return sys::write_file_atomic(
      list_of(repo), wire::canonical_json(Map{{"schema", kSchema}, {"files", std::move(list)}}));
}

void replace(Files& files, const ApprovedFile& by) {
  std::erase_if(files, [&](const ApprovedFile& file) { return file.path == by.path; });
  if (files.size() < kMostFiles) files.push_back(by);
}

}  // namespace

Approvals read_approvals(const git::Repo& repo) {
  Approvals out;
  const auto bytes = sys::read_file(list_of(repo), kMaxBytes);
  if (!bytes) return out;
  const auto document = wire::read_own_json(*bytes, "approvals");
  if (!document || Peek(*document)["schema"].text() != kSchema) return out;
  for (const Value& item : Peek(*document)["files"].list()) {
    const Peek file(item);
    const auto id = ObjectId::parse(file["id"].text());
    if (file["id"].exists() && !id) continue;
    (file["spent"].is_true() ? out.spent : out.fresh)
        .push_back({std::string(file["path"].text()), id ? std::optional(*id) : std::nullopt});
  }
  return out;
}

Status approve_files(const git::Repo& repo, const Files& files) {
  if (files.empty()) return {};
  Approvals all = read_approvals(repo);
  for (const ApprovedFile& file : files)
    replace(all.fresh, file);
  return write(repo, all);
}

Status withdraw_approvals(const git::Repo& repo) {
  Approvals all = read_approvals(repo);
  if (all.fresh.empty()) return {};
  all.fresh.clear();
  return write(repo, all);
}

Status spend_approvals(git::Repo& repo, const git::Commit& commit) {
  Approvals all = read_approvals(repo);
  if (all.fresh.empty()) return {};
  Files left;
  for (const ApprovedFile& file : all.fresh) {
    GH_TRY(entry, patch::find_entry(repo.objects(), commit.tree, file.path));
    const bool holds_it = file.id ? entry && entry->id == *file.id : !entry;
    if (holds_it)
      replace(all.spent, file);
    else
      left.push_back(file);
  }
  if (left.size() == all.fresh.size()) return {};
  all.fresh = std::move(left);
  return write(repo, all);
}

Status approve_commit(const git::Repo& repo, const ObjectId& commit, std::string_view words) {
  GH_DO(sys::make_folders(folder_of(repo)));
  return sys::write_file_atomic(place_of(repo, commit), words);
}

bool is_approved(const git::Repo& repo, const ObjectId& commit) {
  return sys::info(place_of(repo, commit)).kind == sys::FileKind::file;
}

Result<Files> files_of_commit(git::Repo& repo, const git::Commit& commit) {
  ObjectId before = ObjectId::of(repo.hash_kind(), "tree", "");
  if (!commit.parents.empty()) {
    GH_TRY(parent, repo.objects().commit(commit.parents.front().hex()));
    before = parent.tree;
  }
  GH_TRY(paths, repo.changed_paths(before, commit.tree));
  Files out;
  for (std::string& path : paths) {
    GH_TRY(entry, patch::find_entry(repo.objects(), commit.tree, path));
    out.push_back({std::move(path), entry ? std::optional(entry->id) : std::nullopt});
  }
  return out;
}

}  // namespace gh::ops
