#include "git/index_reader.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "base/digest.h"

namespace gh::git {
namespace {

constexpr std::size_t kHeaderBytes = 12, kExtensionHeader = 8;
constexpr std::size_t kModeAt = 24, kIdAt = 40;  // within an entry; times and owner around the mode
constexpr std::uint32_t kKindOfMode = 0170000, kGitlink = 0160000;
constexpr std::uint32_t kAssumed = 0x8000, kExtended = 0x4000, kNameBytes = 0x0FFF;
constexpr std::uint32_t kKnownExtended = 0x6000;  // skip-worktree, intent-to-add
constexpr std::uint32_t kOldest = 2, kNewest = 4, kCompressedNames = 4;
constexpr std::size_t kMaxEntries = 50'000'000;
constexpr std::size_t kMaxNoted = 256u << 20;  // bytes of names; compressed ones grow

/// Parts behind the entries that say nothing of single entries, or what is checked here.
// table: git index extensions
constexpr std::array<std::string_view, 6> kExtensions{"TREE", "REUC", "UNTR",
                                                      "FSMN", "EOIE", "IEOT"};

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < width; ++i)
    out = out << 8U | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

/// How git writes lengths that names of version 4 begin with.
std::optional<std::size_t> take_varint(std::string_view bytes, std::size_t& at) {
  constexpr std::size_t kMost = 1u << 24;
  std::size_t value = 0;
  for (bool is_first = true;; is_first = false) {
    if (at >= bytes.size() || value > kMost) return std::nullopt;
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value = (is_first ? 0 : value + 1) << 7U | (byte & 0x7FU);
    if ((byte & 0x80U) == 0) return value;
  }
}

class Reader {
 public:
  Reader(std::string_view bytes, HashKind kind)
      : bytes_(bytes), id_bytes_(kind == HashKind::sha1 ? 20 : 32) {}

  std::optional<std::vector<IndexNote>> notes() {
    if (!take_header()) return std::nullopt;
    for (std::size_t i = 0; i < starts_.size(); ++i)
      if (!take_entry(i)) return std::nullopt;
    entries_end_ = at_;
    while (at_ < bytes_.size())
      if (!take_extension()) return std::nullopt;
    return std::move(notes_);
  }

 private:
  bool take_header() {
    if (bytes_.size() < kHeaderBytes + id_bytes_ || !bytes_.starts_with("DIRC")) return false;
    version_ = number_at(bytes_, 4, 4);
    const std::size_t count = number_at(bytes_, 8, 4);
    bytes_.remove_suffix(id_bytes_);  // git does not look at the digest either
    at_ = kHeaderBytes;
    if (version_ < kOldest || version_ > kNewest || count > kMaxEntries ||
        count > bytes_.size() / (kIdAt + id_bytes_))
      return false;
    starts_.resize(count);
    return true;
  }

  bool take_entry(std::size_t i) {
    const std::size_t start = starts_[i] = at_, flags_at = start + kIdAt + id_bytes_;
    if (flags_at + 4 > bytes_.size()) return false;
    const std::uint32_t flags = number_at(bytes_, flags_at, 2);
    at_ = flags_at + 2;
    if ((flags & kExtended) != 0) {
      if (version_ == kOldest || (number_at(bytes_, at_, 2) & ~kKnownExtended) != 0) return false;
      at_ += 2;
    }
    if (!take_name(start, flags & kNameBytes)) return false;
    const std::uint32_t mode = number_at(bytes_, start + kModeAt, 4);
    const bool is_link = (mode & kKindOfMode) == kGitlink;
    if ((flags & kAssumed) == 0 && !is_link) return true;
    noted_ += name_.size();
    if (noted_ > kMaxNoted) return false;
    notes_.push_back({.path = std::string(name_),
                      .mode = fmt::format("{:06o}", is_link ? kGitlink : mode),
                      .id = to_hex(bytes_.substr(start + kIdAt, id_bytes_)),
                      .is_assumed_unchanged = (flags & kAssumed) != 0});
    return true;
  }

  /// `told`: its length, as far as that fits into the flags. Another length than the text has
  /// would let git read on elsewhere.
  bool take_name(std::size_t start, std::size_t told) {
    std::size_t kept = 0;
    if (version_ == kCompressedNames) {
      const auto dropped = take_varint(bytes_, at_);
      if (!dropped || *dropped > before_.size()) return false;
      kept = before_.size() - *dropped;
    }
    const std::size_t end = bytes_.find('\0', at_);
    if (end == std::string_view::npos) return false;
    const std::string_view text = bytes_.substr(at_, end - at_);
    if (std::min<std::size_t>(kept + text.size(), kNameBytes) != told || told == 0) return false;
    if (version_ == kCompressedNames) {
      before_.replace(kept, std::string::npos, text);
      name_ = before_;
      at_ = end + 1;
      return true;
    }
    name_ = text;
    at_ = start + ((end - start) / 8 + 1) * 8;  // at least one NUL
    return at_ <= bytes_.size();
  }

  bool take_extension() {
    if (bytes_.size() - at_ < kExtensionHeader) return false;
    const std::string_view name = bytes_.substr(at_, 4);
    const std::size_t size = number_at(bytes_, at_ + 4, 4);
    at_ += kExtensionHeader;
    if (size > bytes_.size() - at_ || std::ranges::find(kExtensions, name) == kExtensions.end())
      return false;
    const std::string_view body = bytes_.substr(at_, size);
    at_ += size;
    if (name == "EOIE") return size >= 4 && number_at(body, 0, 4) == entries_end_;
    return name != "IEOT" || is_our_reading(body);
  }

  /// Where threads of git begin to read must be where we came by.
  bool is_our_reading(std::string_view blocks) const {
    if (blocks.size() % 8 != 4 || number_at(blocks, 0, 4) != 1) return false;
    std::size_t entry = 0;
    for (std::size_t at = 4; at < blocks.size(); at += 8) {
      if (entry >= starts_.size() || number_at(blocks, at, 4) != starts_[entry]) return false;
      entry += number_at(blocks, at + 4, 4);
    }
    return entry == starts_.size();
  }

  std::string_view bytes_;
  std::size_t id_bytes_, at_ = 0, entries_end_ = 0, noted_ = 0;
  std::uint32_t version_ = 0;
  std::vector<std::size_t> starts_{};
  std::string before_{};  // the name before, of version 4
  std::string_view name_{};
  std::vector<IndexNote> notes_{};
};

}  // namespace

std::optional<std::vector<IndexNote>> notes_in_index(std::string_view bytes, HashKind kind) {
  return Reader(bytes, kind).notes();
}

}  // namespace gh::git
