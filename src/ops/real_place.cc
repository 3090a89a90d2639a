#include "ops/real_place.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "control/scope_paths.h"
#include "patch/gates.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

tl::unexpected<Error> leads_out(const std::string& path) {
  return fail(Code::path_outside_root,
              fmt::format("'{}' leads out of the work tree through a link", printable(path, 200)));
}

/// A path of the file system as change control names it.
Result<std::string> below_root(const std::string& root, const std::string& real,
                               const std::string& named) {
  if (!real.starts_with(root + "/")) return leads_out(named);
  return control::path_from_git(real.substr(root.size() + 1));
}

}  // namespace

std::vector<std::string> by_real_root(const std::string& root, std::vector<std::string> paths) {
  for (std::string& path : paths) {
    const bool is_away = path.starts_with('/') && path != root && !path.starts_with(root + "/");
    if (!is_away || contains(path, "/..")) continue;
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      const auto real = sys::real_path(path.substr(0, end));
      if (!real) break;
      if (*real == root) path = end == path.npos ? root : root + path.substr(end);
      if (*real == root || end == path.npos) break;
    }
  }
  return paths;
}

std::vector<std::string> by_letter(git::Repo& repo, std::vector<std::string> typed) {
  const auto is_file = [&](const std::string& name) {
    const sys::FileKind kind = sys::info(repo.root() + "/" + name).kind;
    if (kind == sys::FileKind::file || kind == sys::FileKind::symlink) return true;
    const auto head = repo.objects().commit("HEAD");
    if (!head) return false;
    const auto entry = patch::find_entry(repo.objects(), head->tree, name);
    return entry && *entry && (*entry)->mode != FileMode::tree;
  };
  for (std::string& word : typed) {
    // What reads like an escaped byte is one, as answers of ours write it.
    const bool is_plain = control::bytes_of_path(word) == word && !word.starts_with('/') &&
                          word.find('\0') == word.npos && !contains("/" + word + "/", "/../");
    if (is_plain && control::is_typed_otherwise(word) && is_file(word))
      word = control::typed_to_the_letter(word);
  }
  return typed;
}

Result<std::string> real_place(const std::string& root, const std::string& path) {
  const std::string name = control::bytes_of_path(path);
  for (std::size_t end = name.rfind('/'); end != name.npos && end != 0;
       end = name.rfind('/', end - 1)) {
    const std::string folder = root + "/" + name.substr(0, end);
    if (const auto real = sys::real_path(folder))
      return below_root(root, *real + name.substr(end), path);
    if (sys::info(folder).kind == sys::FileKind::symlink) return leads_out(path);
  }
  return path;  // nothing above it is there yet
}

Result<std::vector<std::string>> written_places(const std::string& root,
                                                const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    GH_TRY(place, real_place(root, path));
    const std::string on_disk = root + "/" + control::bytes_of_path(place);
    out.push_back(std::move(place));
    if (sys::info(on_disk).kind != sys::FileKind::symlink) continue;
    const auto target = sys::real_path(on_disk);
    if (!target) return leads_out(path);
    GH_TRY(behind, below_root(root, *target, path));
    out.push_back(std::move(behind));
  }
  sort_unique(out);
  return out;
}

Result<std::vector<MovedEntry>> move_to_real_places(const std::string& root, gh::Scope& scope) {
  std::vector<MovedEntry> out;
  for (std::vector<std::string>* list : {&scope.allowed_files, &scope.allowed_related}) {
    for (std::string& entry : *list) {
      GH_TRY(place, real_place(root, entry));
      if (place == entry) continue;
      out.push_back({entry, place});
      entry = std::move(place);
    }
    sort_unique(*list);
  }
  if (!out.empty()) GH_DO(control::check_normal(scope));  // a link may lead into git's own folder
  return out;
}

}  // namespace gh::ops
