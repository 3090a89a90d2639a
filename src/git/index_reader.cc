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
constexpr std::uint32_t kPromised = 0x2000, kKnownExtended = 0x6000;  // the rest: skip-worktree
constexpr std::uint32_t kStage = 0x3000;
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

/// One entry while it is passed.
struct Passed {
  std::string_view fixed;  // its bytes up to the id, and the id
  std::string_view name;
  std::uint32_t mode = 0, flags = 0, extended = 0;
  std::string id() const { return to_hex(fixed.substr(kIdAt)); }
  std::uint32_t number(std::size_t at) const { return number_at(fixed, at, 4); }
};

class Reader {
 public:
  Reader(std::string_view bytes, HashKind kind)
      : bytes_(bytes), id_bytes_(kind == HashKind::sha1 ? 20 : 32) {}

  /// False where git has to be asked, or where `pass` says so; what was passed is worth nothing
  /// then.
  bool walk(const std::function<bool(const Passed&)>& pass) {
    if (!take_header()) return false;
    for (std::size_t i = 0; i < starts_.size(); ++i)
      if (!take_entry(i, pass)) return false;
    entries_end_ = at_;
    while (at_ < bytes_.size())
      if (!take_extension()) return false;
    return true;
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

  bool take_entry(std::size_t i, const std::function<bool(const Passed&)>& pass) {
    const std::size_t start = starts_[i] = at_, flags_at = start + kIdAt + id_bytes_;
    if (flags_at + 4 > bytes_.size()) return false;
    Passed entry{.fixed = bytes_.substr(start, kIdAt + id_bytes_), .name = {}};
    entry.flags = number_at(bytes_, flags_at, 2);
    at_ = flags_at + 2;
    if ((entry.flags & kExtended) != 0) {
      entry.extended = number_at(bytes_, at_, 2);
      if (version_ == kOldest || (entry.extended & ~kKnownExtended) != 0) return false;
      at_ += 2;
    }
    if (!take_name(start, entry.flags & kNameBytes)) return false;
    entry.name = name_;
    entry.mode = entry.number(kModeAt);
    return pass(entry);
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
  std::size_t id_bytes_, at_ = 0, entries_end_ = 0;
  std::uint32_t version_ = 0;
  std::vector<std::size_t> starts_{};
  std::string before_{};  // the name before, of version 4
  std::string_view name_{};
};

std::string mode_text(std::uint32_t mode) { return fmt::format("{:06o}", mode); }

}  // namespace

std::optional<std::vector<IndexNote>> notes_in_index(std::string_view bytes, HashKind kind) {
  std::vector<IndexNote> out;
  std::size_t noted = 0;
  const bool is_read = Reader(bytes, kind).walk([&](const Passed& entry) {
    const bool is_link = (entry.mode & kKindOfMode) == kGitlink;
    const bool is_assumed = (entry.flags & kAssumed) != 0;
    if (!is_assumed && !is_link) return true;
    noted += entry.name.size();
    if (noted > kMaxNoted) return false;
    out.push_back({.path = std::string(entry.name),
                   .mode = mode_text(is_link ? kGitlink : entry.mode),
                   .id = entry.id(),
                   .is_assumed_unchanged = is_assumed});
    return true;
  });
  return is_read ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::vector<IndexedFile>> files_in_index(std::string_view bytes, HashKind kind,
                                                       const WantedFile& wanted) {
  std::vector<IndexedFile> out;
  std::size_t noted = 0;
  const bool is_read = Reader(bytes, kind).walk([&](const Passed& entry) {
    const bool is_file = (entry.flags & kStage) == 0 && (entry.extended & kPromised) == 0;
    if (!is_file || !wanted(entry.name, entry.mode)) return true;
    noted += entry.name.size();
    if (noted > kMaxNoted) return false;
    out.push_back({.path = std::string(entry.name),
                   .mode = mode_text(entry.mode),
                   .id = entry.id(),
                   .ctime_s = entry.number(0),
                   .ctime_ns = entry.number(4),
                   .mtime_s = entry.number(8),
                   .mtime_ns = entry.number(12),
                   .inode = entry.number(20),
                   .size = entry.number(36)});
    return true;
  });
  return is_read ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace gh::git
