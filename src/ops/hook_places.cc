#include "ops/hook_places.h"

#include <algorithm>
#include <array>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"
#include "ops/hook_install.h"
#include "ops/hook_sites.h"
#include "shell/classify.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxPlaces = 256, kMaxBytes = 256u << 10;
constexpr std::string_view kSample = ".sample";  // git puts those there and runs none

struct PlaceRow {
  std::string_view path;
  bool is_shared;  // by all work trees of the repository
  enum class Kind : std::uint8_t { file, folder, settings } kind;
  bool guards;  // decides whether hooks run
};
// clang-format off
// table: hook_places
constexpr std::array kRows{
    PlaceRow{"config",                  true,  PlaceRow::Kind::settings, true},
    PlaceRow{"config.worktree",         false, PlaceRow::Kind::settings, true},
    PlaceRow{"hooks",                   true,  PlaceRow::Kind::folder, true},
    PlaceRow{"info/attributes",         true,  PlaceRow::Kind::file, false},
    PlaceRow{"info/exclude",            true,  PlaceRow::Kind::file, false},
    PlaceRow{"info/grafts",             true,  PlaceRow::Kind::file, false},
    PlaceRow{"objects/info/alternates", true,  PlaceRow::Kind::file, false},
};
// clang-format on

std::string digest_of_settings(git::Repo& repo, const std::string& file) {
  const auto settings = repo.settings_in(file);
  if (!settings) return "unreadable";
  std::string guarded;
  for (const auto& [key, value] : *settings)
    if (shell::is_guarded_setting(key, value)) guarded += key + "=" + value + '\0';
  return guarded.empty() ? std::string() : digest_of(guarded).hex();
}

std::string digest_of_file(const std::string& file, const sys::FileInfo& seen) {
  if (seen.kind == sys::FileKind::symlink) return "-> " + sys::read_link(file).value_or("");
  const auto bytes = sys::read_file(file, kMaxBytes);
  // Whether it runs at all is a part of what a hook says.
  const std::string mode = (seen.mode & 0111) != 0 ? "x" : "-";
  return mode + (bytes ? digest_of(*bytes).hex() : std::to_string(seen.ctime_ns));
}

void add_place(const std::string& file, PlaceRow::Kind kind, git::Repo& repo,
               const HookPlaces& before, HookPlaces& out) {
  // Settings of people are often links into a folder that they keep.
  const bool follows = kind == PlaceRow::Kind::settings;
  const sys::FileInfo seen = follows ? sys::info_follow(file) : sys::info(file);
  if (seen.kind == sys::FileKind::missing || seen.kind == sys::FileKind::folder) return;
  HookPlace place{seen.size, seen.mtime_ns, seen.ctime_ns};
  const auto known = before.find(file);
  const bool is_same = known != before.end() && known->second.size == place.size &&
                       known->second.mtime_ns == place.mtime_ns &&
                       known->second.ctime_ns == place.ctime_ns;
  place.says = is_same                            ? known->second.says
               : kind == PlaceRow::Kind::settings ? digest_of_settings(repo, file)
                                                  : digest_of_file(file, seen);
  place.is_settings = kind == PlaceRow::Kind::settings;
  out.emplace(file, std::move(place));
}

std::string path_of(const PlaceRow& row, const HookSite& site) {
  return (row.is_shared ? site.found.common_dir : site.found.git_dir) + "/" + std::string(row.path);
}

const PlaceRow* row_of(const HookSite& site, std::string_view path) {
  const auto at = std::ranges::find_if(kRows, [&](const PlaceRow& row) {
    const std::string place = path_of(row, site);
    return path == place || path.starts_with(place + "/");
  });
  return at == kRows.end() ? nullptr : &*at;
}

}  // namespace

bool guards_git(const HookSite& site, std::string_view path) {
  const PlaceRow* row = row_of(site, path);
  return row == nullptr || row->guards;  // what is none of ours are settings of the user
}

std::string says_now(const HookSite& site, git::Repo& repo, const std::string& path) {
  // Settings of the user and of other work trees have no row here.
  const PlaceRow* row = row_of(site, path);
  HookPlaces out;
  add_place(path, row == nullptr ? PlaceRow::Kind::settings : row->kind, repo, {}, out);
  return said_at(out, path);
}

bool is_looked_at(const HookSite& site, sys::Env& env, std::string_view path) {
  const std::vector<std::string> of_user = settings_of_user(env);
  return row_of(site, path) != nullptr || std::ranges::find(of_user, path) != of_user.end();
}

std::string said_at(const HookPlaces& places, const std::string& path) {
  const auto at = places.find(path);
  return at == places.end() ? std::string() : at->second.says;
}

HookPlaces look_at_places(const HookSite& site, git::Repo& repo, sys::Env& env,
                          const HookPlaces& before) {
  HookPlaces out;
  for (const std::string& file : settings_of_user(env))
    if (file.starts_with('/')) add_place(file, PlaceRow::Kind::settings, repo, before, out);
  for (const PlaceRow& row : kRows) {
    const std::string path = path_of(row, site);
    if (row.kind != PlaceRow::Kind::folder) {
      add_place(path, row.kind, repo, before, out);
      continue;
    }
    const auto names = sys::list_folder(path);
    if (!names) continue;
    for (const std::string& name : *names)
      if (!name.ends_with(kSample) && out.size() < kMaxPlaces)
        add_place(path + "/" + name, row.kind, repo, before, out);
  }
  return out;
}

std::vector<std::string> changed_places(const HookPlaces& before, const HookPlaces& now) {
  std::vector<std::string> out;
  HookPlaces all = before;
  all.insert(now.begin(), now.end());
  // Settings that are not guarded may come and go with their file.
  for (const auto& [path, place] : all)
    if (said_at(before, path) != said_at(now, path)) out.push_back(path);
  return out;
}

Value to_value(const HookPlaces& places) {
  Map out;
  for (const auto& [path, place] : places)
    out.set(utf8_or_escaped(path), Map{{"size", place.size},
                                       {"mtime", place.mtime_ns},
                                       {"ctime", place.ctime_ns},
                                       {"says", place.says}});
  return out;
}

HookPlaces places_from(const Value& document) {
  HookPlaces out;
  for (const auto& [path, value] : Peek(document).map().entries()) {
    const Peek place(value);
    out.emplace(path, HookPlace{place["size"].number(), place["mtime"].number(),
                                place["ctime"].number(), std::string(place["says"].text())});
  }
  return out;
}

}  // namespace gh::ops
