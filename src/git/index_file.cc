#include "git/index_file.h"

#include <algorithm>

#include "base/error.h"

namespace gh::git {
namespace {

constexpr std::size_t kStatBytes = 24;       // ctime, mtime, device, inode before the mode
constexpr std::size_t kOwnerSizeBytes = 12;  // uid, gid, size after the mode
constexpr std::size_t kMaxNameInFlags = 0xfff;

void append_u32(std::string& out, std::uint32_t value) {
  for (const int shift : {24, 16, 8, 0})
    out += static_cast<char>(value >> shift & 0xff);
}

void append_u16(std::string& out, std::size_t value) {
  out += static_cast<char>(value >> 8 & 0xff);
  out += static_cast<char>(value & 0xff);
}

void append_entry(std::string& out, const IndexEntry& entry) {
  GH_ASSERT(entry.mode != FileMode::tree);
  const std::size_t start = out.size();
  out.append(kStatBytes, '\0');
  append_u32(out, static_cast<std::uint32_t>(entry.mode));
  out.append(kOwnerSizeBytes, '\0');
  out += entry.id.raw();
  append_u16(out, std::min(entry.path.size(), kMaxNameInFlags));
  out += entry.path;
  out.append(8 - (out.size() - start) % 8, '\0');  // at least one
}

}  // namespace

std::string index_bytes(std::vector<IndexEntry> entries, HashKind kind) {
  std::ranges::stable_sort(entries, {}, &IndexEntry::path);
  const auto kept =
      std::unique(entries.rbegin(), entries.rend(),
                  [](const IndexEntry& a, const IndexEntry& b) { return a.path == b.path; });
  entries.erase(entries.begin(), kept.base());
  std::string out = "DIRC";
  append_u32(out, 2);
  append_u32(out, static_cast<std::uint32_t>(entries.size()));
  for (const IndexEntry& entry : entries)
    append_entry(out, entry);
  return out + raw_hash(kind, out);
}

}  // namespace gh::git
