#include "ops/kept_scans.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/keyed_hash.h"
#include "sys/files.h"
#include "sys/private_file.h"
#include "sys/renamed_file.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxKept = 256u << 20, kKeptScans = 16, kSecretDigits = 64;

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/' || folder.ends_with('/'));
}

std::optional<std::string> secret_in(const std::string& path) {
  if (!sys::is_ours_alone(sys::info(path))) return std::nullopt;
  auto bytes = sys::read_file(path, kSecretDigits);
  if (!bytes || bytes->size() != kSecretDigits) return std::nullopt;
  return std::move(*bytes);
}

/// A secret of the user, made when it is first asked for. It lies where neither a checkout nor a
/// restored cache brings one along.
std::string own_secret(const std::string& root, sys::Env& env) {
  std::string folder = env.variable("XDG_STATE_HOME");
  if (const std::string home = env.variable("HOME");
      folder.empty() && sys::info_follow(home).kind == sys::FileKind::folder)
    folder = home + "/.local/state";
  if (!folder.starts_with('/')) return {};
  folder += "/gatehouse";
  const std::string path = folder + "/kept-scans.key";
  if (!sys::make_folders(folder)) return {};
  const auto real = sys::real_path(folder);
  if (!real || is_below(*real, root)) return {};
  if (auto known = secret_in(path)) return *known;
  if (sys::info(path).kind != sys::FileKind::missing) return {};  // not ours alone: no word of it
  const std::string fresh = fmt::format("{}.{}", path, env.random_hex(16));
  if (!sys::write_file_atomic(fresh, env.random_hex(kSecretDigits), 0600)) return {};
  (void)sys::place_file(fresh, path);  // whoever came first has made it
  (void)sys::remove_file(fresh);
  return secret_in(path).value_or("");
}

}  // namespace

KeptScans::KeptScans(std::string state_dir, std::string root, sys::Env& env)
    : folder_(std::move(state_dir) + "/cache/base-scans"), secret_(own_secret(root, env)) {}

std::string KeptScans::place(std::string_view key, std::string_view name) const {
  return fmt::format("{}/{}/{}", folder_, key, name);
}

std::string KeptScans::seal_of(std::string_view key, std::string_view name,
                               std::string_view bytes) const {
  return to_hex(keyed_hash(secret_, fmt::format("{}\n{}\n{}", key, name, bytes)));
}

std::optional<std::string> KeptScans::read(std::string_view key, std::string_view name) const {
  if (secret_.empty()) return std::nullopt;
  const std::string path = place(key, name);
  auto bytes = sys::read_file(path, kMaxKept);
  const auto seal = sys::read_file(path + ".seal", kSecretDigits);
  if (!bytes || !seal || !is_same_hash(*seal, seal_of(key, name, *bytes))) return std::nullopt;
  return std::move(*bytes);
}

void KeptScans::keep(std::string_view key, std::string_view name, std::string_view bytes) const {
  if (secret_.empty()) return;
  const std::string path = place(key, name);
  if (!sys::make_folders(fmt::format("{}/{}", folder_, key)) ||
      !sys::write_file_renamed(path, bytes) ||
      !sys::write_file_renamed(path + ".seal", seal_of(key, name, bytes)))
    return;
  drop_old();
}

void KeptScans::drop_old() const {
  const auto names = sys::list_folder(folder_);
  if (!names || names->size() <= kKeptScans) return;
  std::vector<std::pair<std::int64_t, std::string>> aged;
  for (const std::string& name : *names)
    aged.emplace_back(sys::info(place(name, "report.json")).mtime_ns, name);
  std::ranges::sort(aged);
  for (std::size_t i = 0; i + kKeptScans < aged.size(); ++i)
    (void)sys::remove_folder_tree(fmt::format("{}/{}", folder_, aged[i].second));
}

}  // namespace gh::ops
