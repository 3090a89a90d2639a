#include "ops/file_stamps.h"

#include <algorithm>
#include <cstring>

namespace gh::ops {
namespace {

// Clocks of file systems tick in steps of up to two seconds.
constexpr std::int64_t kSettledNs = 2'000'000'000;
constexpr std::string_view kMagic = "GHSTAMP2";

template <class T>
void put(std::string& out, const T& x) {
  out.append(reinterpret_cast<const char*>(&x), sizeof x);
}
void put_text(std::string& out, std::string_view text) {
  put(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

template <class T>
bool take(std::string_view& in, T& x) {
  if (in.size() < sizeof x) return false;
  std::memcpy(&x, in.data(), sizeof x);
  in.remove_prefix(sizeof x);
  return true;
}
bool take_text(std::string_view& in, std::string_view& text) {
  std::uint32_t size = 0;
  if (!take(in, size) || in.size() < size) return false;
  text = in.substr(0, size);
  in.remove_prefix(size);
  return true;
}

}  // namespace

FileStamps::FileStamps(std::string kept) : kept_(std::move(kept)) {
  std::string_view left = kept_, last;
  if (!left.starts_with(kMagic) || left.size() > UINT32_MAX) return;
  left.remove_prefix(kMagic.size());
  while (!left.empty()) {
    const auto start = static_cast<std::uint32_t>(kept_.size() - left.size());
    Row row;
    if (!take_text(left, row.path) || !take(left, row.stamp) || !take_text(left, row.id) ||
        row.path <= last) {
      starts_.clear();
      return;
    }
    starts_.push_back(start);
    last = row.path;
  }
  is_asked_.resize(starts_.size(), 0);
}

FileStamps::Row FileStamps::row(std::size_t i) const {
  std::string_view left = std::string_view(kept_).substr(starts_[i]);
  Row out;
  (void)(take_text(left, out.path) && take(left, out.stamp) && take_text(left, out.id));
  return out;
}

FileStamps::Row FileStamps::find(std::string_view path) {
  if (next_ < starts_.size())
    if (row(next_).path == path) return take_row(next_);
  std::size_t low = 0, high = starts_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (row(middle).path < path)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == starts_.size() || row(low).path != path) return {};
  return take_row(low);
}

FileStamps::Row FileStamps::take_row(std::size_t i) {
  is_asked_[i] = 1;
  next_ = i + 1;
  return row(i);
}

FileStamps::Stamp FileStamps::stamp_of(const sys::FileInfo& info) {
  return {info.size, info.mtime_ns, info.ctime_ns, info.device, info.inode};
}

std::string_view FileStamps::id_of(std::string_view path, const sys::FileInfo& info) {
  if (!learned_.empty())
    if (const auto found = learned_.find(path); found != learned_.end())
      return found->second.stamp == stamp_of(info) ? found->second.id : std::string_view();
  const Row found = find(path);
  return !found.path.empty() && found.stamp == stamp_of(info) ? found.id : std::string_view();
}

void FileStamps::learn(const std::string& path, const sys::FileInfo& info, std::string id,
                       std::int64_t read_at_ns) {
  if (std::max(info.mtime_ns, info.ctime_ns) + kSettledNs > read_at_ns) return;
  if (id_of(path, info) == id) return;
  learned_.insert_or_assign(path, Learned{stamp_of(info), std::move(id)});
  changed_ = true;
}

std::string FileStamps::bytes() const {
  std::string out(kMagic);
  const auto add = [&](std::string_view path, const Stamp& stamp, std::string_view id) {
    put_text(out, path);
    put(out, stamp);
    put_text(out, id);
  };
  auto fresh = learned_.begin();
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    if (is_asked_[i] == 0) continue;
    const Row kept = row(i);
    for (; fresh != learned_.end() && fresh->first < kept.path; ++fresh)
      add(fresh->first, fresh->second.stamp, fresh->second.id);
    if (fresh == learned_.end() || fresh->first != kept.path) add(kept.path, kept.stamp, kept.id);
  }
  for (; fresh != learned_.end(); ++fresh)
    add(fresh->first, fresh->second.stamp, fresh->second.id);
  return out;
}

}  // namespace gh::ops
