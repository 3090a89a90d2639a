#include "git/quarantine.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sys/files.h"

namespace gh::git {
namespace {

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Folders that hold objects: "00" ... "ff" and "pack".
bool holds_objects(std::string_view folder) {
  return folder == "pack" || (folder.size() == 2 && is_hex(folder));
}

bool is_object(std::string_view folder, std::string_view file) {
  if (folder == "pack") return file.starts_with("pack-");
  return (file.size() == 38 || file.size() == 62) && is_hex(file);
}

/// An index makes its pack visible, so it comes last.
bool comes_later(const std::string& a, const std::string& b) {
  return std::pair(a.ends_with(".idx"), a) < std::pair(b.ends_with(".idx"), b);
}

Status migrate_folder(const std::string& from, const std::string& to, std::string_view folder) {
  GH_TRY(names, sys::list_folder(from));
  std::ranges::sort(names, comes_later);
  GH_DO(sys::make_folders(to));
  for (const std::string& name : names)
    if (is_object(folder, name)) GH_DO(sys::place_file(from + '/' + name, to + '/' + name));
  return sys::sync_folder(to);
}

}  // namespace

Quarantine::Quarantine(const std::string& parent, std::string repo_objects, sys::Env& env)
    : place_(fmt::format("{}/q-{}-{}", parent, env.process_id(), env.random_hex(16))),
      repo_objects_(std::move(repo_objects)) {}

Quarantine::Quarantine(Quarantine&& other) noexcept
    : place_(std::exchange(other.place_, {})), repo_objects_(std::move(other.repo_objects_)) {}

Quarantine& Quarantine::operator=(Quarantine&& other) noexcept {
  std::swap(place_, other.place_);
  std::swap(repo_objects_, other.repo_objects_);
  return *this;
}

Quarantine::~Quarantine() {
  if (place_.empty()) return;
  (void)sys::remove_file(index_file());
  (void)sys::remove_folder_tree(place_);
}

Status Quarantine::write_index(std::vector<IndexEntry> entries, HashKind kind) const {
  return sys::write_scratch_file(index_file(), index_bytes(std::move(entries), kind));
}

Status Quarantine::make_object_folder() const { return sys::make_folders(place_); }

Status Quarantine::migrate() const {
  GH_DO(make_object_folder());
  GH_TRY(folders, sys::list_folder(objects()));
  for (const std::string& folder : folders)
    if (holds_objects(folder))
      GH_DO(migrate_folder(objects() + '/' + folder, repo_objects_ + '/' + folder, folder));
  return sys::sync_folder(repo_objects_);
}

}  // namespace gh::git
