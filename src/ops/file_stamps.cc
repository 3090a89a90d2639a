#include "ops/file_stamps.h"

#include <cstring>

namespace gh::ops {
namespace {

// Clocks of file systems tick in steps of up to two seconds.
constexpr std::int64_t kSettledNs = 2'000'000'000;
constexpr std::string_view kMagic = "GHSTAMP1";

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
bool take_text(std::string_view& in, std::string& text) {
  std::uint32_t size = 0;
  if (!take(in, size) || in.size() < size) return false;
  text = in.substr(0, size);
  in.remove_prefix(size);
  return true;
}

}  // namespace

FileStamps::FileStamps(std::string_view kept) {
  if (!kept.starts_with(kMagic)) return;
  kept.remove_prefix(kMagic.size());
  while (!kept.empty()) {
    std::string path;
    Stamp s;
    if (!take_text(kept, path) || !take(kept, s.size) || !take(kept, s.mtime_ns) ||
        !take(kept, s.ctime_ns) || !take(kept, s.device) || !take(kept, s.inode) ||
        !take_text(kept, s.id)) {
      stamps_.clear();
      return;
    }
    stamps_.emplace_hint(stamps_.end(), std::move(path), std::move(s));
  }
}

bool FileStamps::is_of(const Stamp& stamp, const sys::FileInfo& info) {
  return stamp.size == info.size && stamp.mtime_ns == info.mtime_ns &&
         stamp.ctime_ns == info.ctime_ns && stamp.device == info.device &&
         stamp.inode == info.inode;
}

std::string FileStamps::id_of(const std::string& path, const sys::FileInfo& info) const {
  const auto found = stamps_.find(path);
  return found == stamps_.end() || !is_of(found->second, info) ? std::string() : found->second.id;
}

void FileStamps::learn(const std::string& path, const sys::FileInfo& info, std::string id,
                       std::int64_t read_at_ns) {
  if (std::max(info.mtime_ns, info.ctime_ns) + kSettledNs > read_at_ns) return;
  Stamp& kept = stamps_[path];
  if (is_of(kept, info) && kept.id == id) return;
  kept = {info.size, info.mtime_ns, info.ctime_ns, info.device, info.inode, std::move(id)};
  changed_ = true;
}

std::string FileStamps::bytes() const {
  std::string out(kMagic);
  for (const auto& [path, s] : stamps_) {
    put_text(out, path);
    put(out, s.size);
    put(out, s.mtime_ns);
    put(out, s.ctime_ns);
    put(out, s.device);
    put(out, s.inode);
    put_text(out, s.id);
  }
  return out;
}

}  // namespace gh::ops
