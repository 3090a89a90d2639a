#include "ops/tracked_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "sys/data_file.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kSettledNs = 2'000'000'000;  // as for the stamps of files
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;
constexpr std::size_t kDigestDigits = 64;

}  // namespace

TrackedList::TrackedList(const git::Repo& repo, std::int64_t now_ns)
    : index_(repo.git_dir() + "/index"),
      folder_(repo.state_dir() + "/cache"),
      path_(folder_ + "/tracked-" + digest_of(index_).hex().substr(0, 16)),
      now_ns_(now_ns),
      before_(sys::info(index_)) {}

/// Empty for an index that is not to be trusted.
std::string TrackedList::head(const sys::FileInfo& info) const {
  if (info.kind != sys::FileKind::file ||
      std::max(info.mtime_ns, info.ctime_ns) + kSettledNs > now_ns_)
    return {};
  return fmt::format("gatehouse tracked 1 {} {} {} {} {}\n", info.size, info.mtime_ns,
                     info.ctime_ns, info.device, info.inode);
}

std::optional<std::vector<std::string>> TrackedList::find() const {
  const std::string wanted = head(before_);
  const auto file = sys::DataFile::open(path_, sys::DataFile::For::reading);
  if (wanted.empty() || !file || !file->is_private()) return std::nullopt;
  const auto size = file->size();
  if (!size || *size > kMaxBytes || *size < kDigestDigits + wanted.size()) return std::nullopt;
  const auto bytes = file->read_at(0, static_cast<std::size_t>(*size));
  if (!bytes || bytes->size() != *size) return std::nullopt;
  std::string_view left = *bytes;
  const std::string_view digest = left.substr(0, kDigestDigits);
  left.remove_prefix(kDigestDigits);
  if (!left.starts_with(wanted) || digest_of(left).hex() != digest) return std::nullopt;
  left.remove_prefix(wanted.size());
  std::vector<std::string> out;
  for (const std::string_view path : split(left, '\0'))
    if (!path.empty()) out.emplace_back(path);
  return out;
}

void TrackedList::keep(const std::vector<std::string>& paths) const {
  std::string text = head(before_);
  if (text.empty() || head(sys::info(index_)) != text || !sys::make_folders(folder_)) return;
  for (const std::string& path : paths)
    text.append(path).append(1, '\0');
  const std::string fresh = path_ + ".new";
  (void)sys::remove_file(fresh);
  if (sys::write_scratch_file(fresh, digest_of(text).hex() + text))
    (void)sys::replace_file(fresh, path_);
}

}  // namespace gh::ops
