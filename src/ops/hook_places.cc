#include "ops/hook_places.h"

#include <array>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"
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
};
// clang-format off
// table: hook_places
constexpr std::array kRows{
    PlaceRow{"config",                  true,  PlaceRow::Kind::settings},
    PlaceRow{"config.worktree",         false, PlaceRow::Kind::settings},
    PlaceRow{"hooks",                   true,  PlaceRow::Kind::folder},
    PlaceRow{"info/attributes",         true,  PlaceRow::Kind::file},
    PlaceRow{"info/exclude",            true,  PlaceRow::Kind::file},
    PlaceRow{"info/grafts",             true,  PlaceRow::Kind::file},
    PlaceRow{"objects/info/alternates", true,  PlaceRow::Kind::file},
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
  const sys::FileInfo seen = sys::info(file);
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

}  // namespace

HookPlaces look_at_places(const HookSite& site, git::Repo& repo, const HookPlaces& before) {
  HookPlaces out;
  for (const PlaceRow& row : kRows) {
    const std::string path =
        (row.is_shared ? site.found.common_dir : site.found.git_dir) + "/" + std::string(row.path);
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
  const auto says = [](const HookPlaces& places, const std::string& path) {
    const auto at = places.find(path);
    // Settings that are not guarded may come and go with their file.
    return at == places.end() ? std::string() : at->second.says;
  };
  for (const auto& [path, place] : all)
    if (says(before, path) != says(now, path)) out.push_back(path);
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
