#include "git/memory.h"

#include <fmt/format.h>

#include "sys/files.h"

namespace gh::git {
namespace {

constexpr std::size_t kMaxBytes = 64 * 1024;
constexpr std::string_view kVersionFile = "git-version";

/// Everything that changes when a file is edited or another one takes its place.
std::string file_identity(const std::string& path) {
  const sys::FileInfo seen = sys::info_follow(path);
  return fmt::format("{} {} {} {} {} {}\n", seen.device, seen.inode, seen.size, seen.mtime_ns,
                     seen.ctime_ns, path);
}

/// The times of a folder change with every file in it and say nothing about the folder.
std::string folder_identity(const std::string& path) {
  const sys::FileInfo seen = sys::info_follow(path);
  return fmt::format("{} {} {}\n", seen.device, seen.inode, path);
}

/// What git reads to find the top level, the git dirs and the object format.
std::string place_identity(const Found& found, const Executable& git) {
  const std::string dot_git = found.root + "/.git";
  const bool is_pointer = sys::info_follow(dot_git).kind == sys::FileKind::file;
  return file_identity(git.file) + folder_identity(found.root) +
         (is_pointer ? file_identity(dot_git) : folder_identity(dot_git)) +
         folder_identity(found.git_dir) + folder_identity(found.common_dir) +
         file_identity(found.git_dir + "/commondir") + file_identity(found.common_dir + "/config") +
         file_identity(found.git_dir + "/config.worktree");
}

std::string place_name(const Found& found) {
  return "place-" + digest_of(found.root).hex().substr(0, 16);
}

}  // namespace

std::optional<std::string> Memory::recall(const std::string& name, const std::string& key) const {
  auto text = sys::read_file(folder_ + '/' + name, kMaxBytes);
  if (!text || !text->starts_with(key) || !text->ends_with('\n')) return std::nullopt;
  return text->substr(key.size(), text->size() - key.size() - 1);
}

void Memory::keep(const std::string& name, const std::string& key, std::string_view answer) const {
  if (!sys::make_folders(folder_)) return;
  (void)sys::write_file_atomic(folder_ + '/' + name, fmt::format("{}{}\n", key, answer));
}

std::optional<Version> Memory::version(const Executable& git) const {
  const auto answer = recall(std::string(kVersionFile), file_identity(git.file));
  const auto version = answer ? parse_version("git version " + *answer) : std::nullopt;
  return version && to_string(*version) == *answer ? version : std::nullopt;
}

void Memory::remember(const Executable& git, Version version) const {
  keep(std::string(kVersionFile), file_identity(git.file), to_string(version));
}

std::optional<HashKind> Memory::agreement(const Found& found, const Executable& git) const {
  const auto answer = recall(place_name(found), place_identity(found, git));
  if (answer == "sha1") return HashKind::sha1;
  if (answer == "sha256") return HashKind::sha256;
  return std::nullopt;
}

void Memory::remember(const Found& found, const Executable& git, HashKind kind) const {
  keep(place_name(found), place_identity(found, git), kind == HashKind::sha1 ? "sha1" : "sha256");
}

}  // namespace gh::git
