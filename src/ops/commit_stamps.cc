#include "ops/commit_stamps.h"

#include <algorithm>

#include <fmt/format.h>

#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kStampDays = 90;
constexpr std::size_t kFewStamps = 1'000;  // below that nothing is dropped

std::string folder_of(const git::Repo& repo) { return repo.state_dir() + "/stamps"; }

std::string stamp_of(const git::Repo& repo, const ObjectId& tree,
                     const std::optional<ObjectId>& base) {
  return fmt::format("{}/{}.{}", folder_of(repo), tree.hex(), base ? base->hex() : "root");
}

}  // namespace

Status leave_stamp(const git::Repo& repo, const ObjectId& tree, const std::optional<ObjectId>& base,
                   Timestamp now) {
  GH_DO(sys::make_folders(folder_of(repo)));
  return sys::write_scratch_file(stamp_of(repo, tree, base), to_string(now) + "\n");
}

bool has_stamp(const git::Repo& repo, const ObjectId& tree, const std::optional<ObjectId>& base) {
  return sys::info(stamp_of(repo, tree, base)).kind == sys::FileKind::file;
}

bool has_any_stamp(const git::Repo& repo, const ObjectId& tree) {
  const auto names = sys::list_folder(folder_of(repo));
  return names && std::ranges::any_of(*names, [wanted = tree.hex() + "."](const std::string& name) {
           return name.starts_with(wanted);
         });
}

void drop_old_stamps(const git::Repo& repo, Timestamp now) {
  const auto names = sys::list_folder(folder_of(repo));
  if (!names || names->size() < kFewStamps) return;
  const std::int64_t before = now.seconds - kStampDays * 86'400;
  for (const std::string& name : *names) {
    const std::string path = fmt::format("{}/{}", folder_of(repo), name);
    if (sys::info(path).mtime_ns / 1'000'000'000 < before) (void)sys::remove_file(path);
  }
}

}  // namespace gh::ops
