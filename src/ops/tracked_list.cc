#include "ops/tracked_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kSettledNs = 2'000'000'000;  // as for the stamps of files
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;

}  // namespace

TrackedList::TrackedList(const git::Repo& repo, std::int64_t now_ns)
    : index_(repo.git_dir() + "/index"),
      file_(repo.state_dir() + "/cache", "tracked-" + digest_of(index_).hex().substr(0, 16)),
      now_ns_(now_ns),
      before_(sys::info(index_)) {}

/// Empty for an index that is not to be trusted.
std::string TrackedList::head(const sys::FileInfo& info) const {
  if (info.kind != sys::FileKind::file ||
      std::max(info.mtime_ns, info.ctime_ns) + kSettledNs > now_ns_)
    return {};
  return fmt::format("gatehouse tracked 2 {} {} {} {} {}\n", info.size, info.mtime_ns,
                     info.ctime_ns, info.device, info.inode);
}

std::optional<std::vector<std::string>> TrackedList::find() const {
  const std::string wanted = head(before_);
  if (wanted.empty()) return std::nullopt;
  const auto bytes = file_.read(kMaxBytes);
  if (!bytes || !bytes->starts_with(wanted)) return std::nullopt;
  std::vector<std::string> out;
  for (const std::string_view path : split(std::string_view(*bytes).substr(wanted.size()), '\0'))
    if (!path.empty()) out.emplace_back(path);
  return out;
}

void TrackedList::keep(const std::vector<std::string>& paths) const {
  std::string text = head(before_);
  if (text.empty() || head(sys::info(index_)) != text) return;
  for (const std::string& path : paths)
    text.append(path).append(1, '\0');
  file_.write(std::move(text));
}

}  // namespace gh::ops
