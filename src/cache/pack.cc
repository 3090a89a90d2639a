#include "cache/pack.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include <xxhash.h>

namespace gh::cache {
namespace {

// table: pack statuses
constexpr std::array<std::string_view, 6> kStatuses{
    "ok", "missing", "too_large", "unreadable", "version_mismatch", "integrity_failed"};

constexpr std::string_view kPackMagic = "gatehouse pack 1\n", kIndexMagic = "gatehouse index1\n";
constexpr std::size_t kMagicBytes = 32;  // padded with zeros
constexpr std::size_t kScanBytes = std::size_t{1} << 20;
constexpr std::uint32_t kMaxPayload = 1u << 30;
constexpr std::uint64_t kMaxIndex = 1u << 30;

struct RecordHead {
  Key key;
  std::uint32_t length;
  std::uint32_t check;  // of key and length
  std::uint64_t sum;    // of the payload
};
static_assert(sizeof(RecordHead) == 32);

struct IndexHead {
  std::uint64_t pack_size, count, sum;  // sum: of the entries
  std::uint64_t last_record;            // sum of the last record's head: the pack is this one
};

std::uint64_t sum_of(const void* bytes, std::size_t size) { return XXH3_64bits(bytes, size); }

std::uint32_t check_of(const RecordHead& head) {
  return static_cast<std::uint32_t>(sum_of(&head, offsetof(RecordHead, check)));
}

std::string padded(std::string_view magic) {
  std::string out(magic);
  out.resize(kMagicBytes, '\0');
  return out;
}

template <class T>
void append_bytes(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T read_bytes(std::string_view from, std::size_t at) {
  T out;
  std::memcpy(&out, from.data() + at, sizeof out);
  return out;
}

bool is_record(std::string_view bytes, const Key& key) {
  if (bytes.size() < sizeof(RecordHead)) return false;
  const auto head = read_bytes<RecordHead>(bytes, 0);
  const std::string_view payload = bytes.substr(sizeof(RecordHead));
  return head.key == key && head.length == payload.size() &&
         head.sum == sum_of(payload.data(), payload.size());
}

void append_record(std::string& out, const Key& key, std::string_view payload) {
  RecordHead head{key, static_cast<std::uint32_t>(payload.size()), 0,
                  sum_of(payload.data(), payload.size())};
  head.check = check_of(head);
  append_bytes(out, head);
  out += payload;
}

/// A whole file that nobody but this user can have written; an index is replaced, never edited.
std::optional<sys::FileBytes> private_bytes(const std::string& path) {
  const auto file = sys::DataFile::open(path, sys::DataFile::For::reading);
  if (!file || !file->is_private()) return std::nullopt;
  const auto size = file->size();
  if (!size || *size > kMaxIndex) return std::nullopt;
  auto bytes = file->read_first(static_cast<std::size_t>(*size));
  return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
}

bool lies_within(const Pack::Entry& entry, std::uint64_t pack_size) {
  return entry.offset >= kMagicBytes && entry.offset <= pack_size &&
         pack_size - entry.offset >= sizeof(RecordHead) + std::uint64_t{entry.length};
}

}  // namespace

std::string_view to_string(PackStatus status) {
  return kStatuses[static_cast<std::size_t>(status)];
}

Pack::Pack(std::string folder, std::uint64_t max_bytes)
    : folder_(std::move(folder)), max_bytes_(max_bytes) {
  const std::string path = folder_ + "/facts.gpk";
  if (sys::info(path).kind == sys::FileKind::missing) return;
  auto opened = sys::DataFile::open(path, sys::DataFile::For::reading);
  status_ = PackStatus::unreadable;
  if (!opened || !opened->is_private()) return;  // what others may have written is nobody's word
  file_ = std::make_unique<sys::DataFile>(std::move(*opened));
  read_index();
}

void Pack::read_index() {
  const auto size = file_->size();
  const auto magic = file_->read_at(0, kMagicBytes);
  if (!size || !magic) return;
  if (*magic != padded(kPackMagic)) {
    status_ = magic->starts_with("gatehouse pack ") ? PackStatus::version_mismatch
                                                    : PackStatus::integrity_failed;
    return;
  }
  if (*size > 2 * max_bytes_ + kMagicBytes) {
    status_ = PackStatus::too_large;
    return;
  }
  status_ = PackStatus::ok;
  if (!take_index(*size)) scan(*size);
  for (const Entry& entry : entries_)
    run_ = std::max(run_, entry.last_used + 1);
}

/// The index is a shortcut: it is believed when it is whole and speaks of this very pack.
bool Pack::take_index(std::uint64_t pack_size) {
  const auto read = private_bytes(folder_ + "/facts.gpi");
  const std::string_view bytes = read ? read->bytes() : std::string_view();
  const std::size_t head_end = kMagicBytes + sizeof(IndexHead);
  if (bytes.size() < head_end || !bytes.starts_with(padded(kIndexMagic))) return false;
  const auto head = read_bytes<IndexHead>(bytes, kMagicBytes);
  const std::size_t list = bytes.size() - head_end;
  if (head.pack_size != pack_size || list % sizeof(Entry) != 0 ||
      head.count != list / sizeof(Entry) || head.sum != sum_of(bytes.data() + head_end, list))
    return false;
  std::vector<Entry> entries(head.count);
  if (list > 0) std::memcpy(entries.data(), bytes.data() + head_end, list);
  if (!std::ranges::is_sorted(entries, {}, &Entry::key)) return false;
  if (!std::ranges::all_of(entries, [&](const Entry& e) { return lies_within(e, pack_size); }))
    return false;
  const auto last = std::ranges::max_element(entries, {}, &Entry::offset);
  if (last != entries.end()) {
    const auto found = file_->read_at(last->offset, sizeof(RecordHead));
    if (!found || found->size() != sizeof(RecordHead) ||
        sum_of(found->data(), found->size()) != head.last_record)
      return false;
  }
  entries_ = std::move(entries);
  end_ = pack_size;
  return true;
}

/// From the first record to the first that is damaged: what comes after it cannot be found.
void Pack::scan(std::uint64_t pack_size) {
  entries_.clear();
  end_ = kMagicBytes;
  std::string block;
  std::uint64_t block_start = 0;
  const auto head_at = [&](std::uint64_t at) -> std::optional<RecordHead> {
    if (at < block_start || at + sizeof(RecordHead) > block_start + block.size()) {
      auto read = file_->read_at(at, kScanBytes);
      if (!read || read->size() < sizeof(RecordHead)) return std::nullopt;
      block = std::move(*read);
      block_start = at;
    }
    return read_bytes<RecordHead>(block, static_cast<std::size_t>(at - block_start));
  };
  while (end_ + sizeof(RecordHead) <= pack_size) {
    const auto head = head_at(end_);
    if (!head || head->check != check_of(*head) || head->length > kMaxPayload ||
        end_ + sizeof(RecordHead) + head->length > pack_size)
      break;
    entries_.push_back({head->key, end_, head->length, 0});
    end_ += sizeof(RecordHead) + head->length;
  }
  if (end_ != pack_size) status_ = PackStatus::integrity_failed;
  // Of two records with one key the later one holds: it was put because the earlier was damaged.
  std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
    return std::pair(a.key, b.offset) < std::pair(b.key, a.offset);
  });
  const auto is_same = [](const Entry& a, const Entry& b) { return a.key == b.key; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), is_same), entries_.end());
}

Pack::Entry* Pack::find(const Key& key) {
  const auto at = std::ranges::lower_bound(entries_, key, {}, &Entry::key);
  return at != entries_.end() && at->key == key ? &*at : nullptr;
}

std::optional<std::string> Pack::get(const Key& key) {
  Entry* entry = find(key);
  if (entry == nullptr) {
    const std::lock_guard lock(putting_);
    const auto fresh = fresh_.find(key);
    return fresh == fresh_.end() ? std::nullopt : std::optional(fresh->second);
  }
  auto bytes = file_->read_at(entry->offset, sizeof(RecordHead) + entry->length);
  if (!bytes || !is_record(*bytes, key)) {
    const std::lock_guard lock(putting_);
    damaged_.push_back(key);
    return std::nullopt;
  }
  std::atomic_ref(entry->last_used).store(run_, std::memory_order_relaxed);
  bytes->erase(0, sizeof(RecordHead));
  return std::move(*bytes);
}

void Pack::put(const Key& key, std::string payload) {
  if (payload.size() > kMaxPayload) return;
  const std::lock_guard lock(putting_);
  fresh_.insert_or_assign(key, std::move(payload));
}

void Pack::save() {
  if (fresh_.empty()) return;
  if (!sys::make_folders(folder_)) return;
  const auto file = sys::DataFile::open(folder_ + "/facts.gpk", sys::DataFile::For::writing);
  if (!file || !file->is_private() || !file->try_lock()) return;
  append(*file);
}

/// What another run appended since this one looked stays: the file is read again under the lock.
bool Pack::read_again(const sys::DataFile& file, std::uint64_t size) {
  const std::vector<Entry> used = std::move(entries_);
  entries_.clear();
  auto again = sys::DataFile::open(folder_ + "/facts.gpk", sys::DataFile::For::reading);
  if (!again || !again->is_private()) return false;
  file_ = std::make_unique<sys::DataFile>(std::move(*again));
  const bool is_good =
      size >= kMagicBytes && file_->read_at(0, kMagicBytes).value_or("") == padded(kPackMagic);
  if (!is_good) {
    end_ = kMagicBytes;
    if (!file.truncate(0) || !file.write_at(0, padded(kPackMagic))) return false;
  } else if (!take_index(size)) {
    scan(size);
  }
  for (const Entry& entry : used)
    if (Entry* here = find(entry.key)) here->last_used = std::max(here->last_used, entry.last_used);
  std::erase_if(entries_, [&](const Entry& entry) {
    return std::ranges::find(damaged_, entry.key) != damaged_.end();
  });
  return true;
}

void Pack::append(const sys::DataFile& file) {
  const auto size = file.size();
  if (!size) return;
  // Nobody else was here: what is known of it still holds.
  const bool is_as_read = status_ == PackStatus::ok && damaged_.empty() && file_ != nullptr &&
                          *size == end_ && file_->is_same(file);
  if (!is_as_read && !read_again(file, *size)) return;
  std::string bytes;  // of some records, not of all: they are in memory once already
  std::uint64_t at = end_;
  std::vector<Entry> added;
  bool is_written = file.truncate(end_).has_value();
  const auto write = [&] {
    is_written = is_written && file.write_at(at, bytes).has_value();
    at += bytes.size();
    bytes.clear();
  };
  for (const auto& [key, payload] : fresh_) {
    if (find(key) != nullptr) continue;
    added.push_back({key, at + bytes.size(), static_cast<std::uint32_t>(payload.size()), run_});
    append_record(bytes, key, payload);
    if (bytes.size() >= kScanBytes) write();
  }
  write();
  if (!is_written) {
    (void)file.truncate(end_);  // a half-written record would only be found out later
    return;
  }
  end_ = at;
  const auto middle = static_cast<std::ptrdiff_t>(entries_.size());
  entries_.insert(entries_.end(), added.begin(), added.end());  // both in the order of keys
  std::ranges::inplace_merge(entries_, entries_.begin() + middle, {}, &Entry::key);
  fresh_.clear();
  if (end_ > max_bytes_)
    compact();
  else
    write_index(end_);
}

/// The records that were used last, up to three quarters of the limit, in a new file.
void Pack::compact() {
  std::vector<Entry> by_use = entries_;
  std::ranges::stable_sort(by_use, std::ranges::greater(), &Entry::last_used);
  const std::string fresh_path = folder_ + "/facts.gpk.new";
  (void)sys::remove_file(fresh_path);
  auto fresh = sys::DataFile::open(fresh_path, sys::DataFile::For::writing);
  if (!fresh || !fresh->write_at(0, padded(kPackMagic))) return;
  std::vector<Entry> kept;
  std::uint64_t at = kMagicBytes;
  for (Entry entry : by_use) {
    const std::uint64_t bytes = sizeof(RecordHead) + entry.length;
    if (at + bytes > max_bytes_ / 4 * 3) break;
    const auto content = file_->read_at(entry.offset, static_cast<std::size_t>(bytes));
    if (!content || content->size() != bytes) continue;
    if (!fresh->write_at(at, *content)) return;
    entry.offset = at;
    at += bytes;
    kept.push_back(entry);
  }
  if (!sys::replace_file(fresh_path, folder_ + "/facts.gpk")) return;
  file_ = std::make_unique<sys::DataFile>(std::move(*fresh));
  std::ranges::sort(kept, {}, &Entry::key);
  entries_ = std::move(kept);
  end_ = at;
  write_index(end_);
}

void Pack::write_index(std::uint64_t pack_size) {
  IndexHead head{pack_size, entries_.size(),
                 sum_of(entries_.data(), entries_.size() * sizeof(Entry)), 0};
  const auto last = std::ranges::max_element(entries_, {}, &Entry::offset);
  if (last != entries_.end())
    if (const auto bytes = file_->read_at(last->offset, sizeof(RecordHead)))
      head.last_record = sum_of(bytes->data(), bytes->size());
  std::string out = padded(kIndexMagic);
  append_bytes(out, head);
  out.append(reinterpret_cast<const char*>(entries_.data()), entries_.size() * sizeof(Entry));
  // Not waited for until it is on the disk: one that is damaged is found out, and made again.
  const std::string fresh = folder_ + "/facts.gpi.new";
  (void)sys::remove_file(fresh);
  if (sys::write_scratch_file(fresh, out)) (void)sys::replace_file(fresh, folder_ + "/facts.gpi");
}

}  // namespace gh::cache
