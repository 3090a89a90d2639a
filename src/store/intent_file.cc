#include "store/intent_file.h"

#include <algorithm>
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "base/sorted.h"
#include "sys/file_part.h"
#include "sys/private_file.h"

namespace gh::store {
namespace {

constexpr std::string_view kMagic = "gatehouse.intent_file/1";
constexpr std::size_t kHeadBytes = 256, kLineBytes = 16 + 1 + 12 + 1 + 9 + 1;
constexpr std::uint64_t kMaxLines = 1u << 22, kMaxRecord = 1u << 24;
constexpr std::uint64_t kMaxFound = 1u << 26;  // bytes of all records together
constexpr std::size_t kMaxStamp = 200;
constexpr std::size_t kMaxIntents = 5'000;  // beyond, making it would take longer than it saves
/// Two writes within one tick of the clock of a file system have the same time.
constexpr std::int64_t kTickNs = 20'000'000;
constexpr std::uint32_t kPrivate = 0600;

constexpr std::string_view kOfLedger = "ledger ", kOfServer = "server ";

std::string file_in(const std::string& state) { return state + "/cache/intents"; }

/// Whatever is written to a ledger changes one of its two files.
struct Stamp {
  std::string text{};
  std::int64_t touched_ns = 0;
};

Stamp stamp_of(const std::string& state) {
  const sys::FileInfo db = sys::info(state + "/ledger.db"),
                      log = sys::info(state + "/ledger.db-wal");
  Stamp out{fmt::format("{}{}.{}.{}.{}", kOfLedger, db.device, db.inode, db.size, db.mtime_ns),
            db.mtime_ns};
  if (log.size == 0) return out;  // empty or not there: all is in the ledger itself
  out.text += fmt::format(" {}.{}.{}", log.inode, log.size, log.mtime_ns);
  out.touched_ns = std::max(out.touched_ns, log.mtime_ns);
  return out;
}

/// FNV-1a: what matters is that it is the same everywhere and needs no library.
std::uint64_t hash_of(const FiledKey& key) {
  std::uint64_t out = 0xcbf29ce484222325u;
  const auto add = [&](unsigned char byte) { out = (out ^ byte) * 0x100000001b3u; };
  add(static_cast<unsigned char>(key.kind));
  for (const char c : key.text)
    add(static_cast<unsigned char>(c));
  return out;
}

template <class Number>
std::optional<Number> number_in(std::string_view text, int base = 10) {
  Number out{};
  const char* const end = text.data() + text.size();
  const auto [at, wrong] = std::from_chars(text.data(), end, out, base);
  return wrong == std::errc{} && at == end ? std::optional(out) : std::nullopt;
}

tl::unexpected<Error> damaged() { return fail(Code::io_error, "the file of intents is damaged"); }

std::string head_of(std::string_view stamp, std::uint64_t lines) {
  std::string out = fmt::format("{} {:010} {}\n", kMagic, lines, stamp.substr(0, kMaxStamp));
  out.resize(kHeadBytes, ' ');
  return out;
}

struct Entry {
  std::uint64_t hash = 0;
  std::size_t record = 0;
  auto operator<=>(const Entry&) const = default;
};

/// Kept open: parts of it are read one after the other. Only our own word counts.
Result<IntentFile> open_file(const std::string& path) {
  GH_TRY(file, sys::PartReader::open(path));
  if (!sys::is_ours_alone(file.info()))
    return fail(Code::io_error, "the file of intents can be written by others");
  auto kept = std::make_shared<const sys::PartReader>(std::move(file));
  return IntentFile::over(
      [kept](std::uint64_t offset, std::size_t bytes) { return kept->read(offset, bytes); });
}

Status write_file(const std::string& state, const std::vector<FiledIntent>& intents,
                  std::string_view stamp) {
  return sys::write_file_atomic(file_in(state), intent_file_text(intents, stamp), kPrivate);
}

}  // namespace

std::string intent_file_text(const std::vector<FiledIntent>& intents, std::string_view stamp) {
  std::vector<std::string> records;
  std::vector<Entry> entries;
  for (const FiledIntent& intent : intents) {
    for (const FiledKey& key : intent.keys)
      entries.push_back({hash_of(key), records.size()});
    records.push_back(fmt::format("{} {}", intent.fence, intent.record));
  }
  std::ranges::sort(entries);
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = kHeadBytes + entries.size() * kLineBytes;
  for (const std::string& record : records) {
    offsets.push_back(end);
    end += record.size();
  }
  std::string out = head_of(stamp, entries.size());
  for (const Entry& entry : entries)
    out += fmt::format("{:016x} {:012} {:09}\n", entry.hash, offsets[entry.record],
                       records[entry.record].size());
  for (const std::string& record : records)
    out += record;
  return out;
}

Result<IntentFile> IntentFile::over(Read read) {
  GH_TRY(head, read(0, kHeadBytes));
  constexpr std::size_t kCountAt = kMagic.size() + 1, kDigits = 10,
                        kStampAt = kCountAt + kDigits + 1;
  const auto lines = number_in<std::uint64_t>(std::string_view(head).substr(kCountAt, kDigits));
  const std::size_t end = head.find('\n');
  if (!lines || *lines > kMaxLines || end == head.npos || end < kStampAt) return damaged();
  std::string stamp = head.substr(kStampAt, end - kStampAt);
  if (head != head_of(stamp, *lines)) return damaged();
  return IntentFile(std::move(read), *lines, std::move(stamp));
}

Result<IntentFile::Line> IntentFile::line(std::uint64_t at) const {
  GH_TRY(text, read_(kHeadBytes + at * kLineBytes, kLineBytes));
  const std::string_view all = text;
  const auto hash = number_in<std::uint64_t>(all.substr(0, 16), 16);
  const auto offset = number_in<std::uint64_t>(all.substr(17, 12)),
             length = number_in<std::uint64_t>(all.substr(30, 9));
  if (!hash || !offset || !length || *length > kMaxRecord) return damaged();
  return Line{*hash, *offset, *length};
}

Result<std::uint64_t> IntentFile::first_not_below(std::uint64_t hash) const {
  std::uint64_t low = 0, high = lines_;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    GH_TRY(here, line(middle));
    if (here.hash < hash)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

Result<std::vector<FiledIntent>> IntentFile::with_keys(std::span<const FiledKey> keys) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
  for (const FiledKey& key : keys) {
    const std::uint64_t hash = hash_of(key);
    GH_TRY(from, first_not_below(hash));
    for (std::uint64_t at = from; at < lines_; ++at) {
      GH_TRY(here, line(at));
      if (here.hash != hash) break;
      places.emplace_back(here.offset, here.length);
    }
  }
  sort_unique(places);
  std::vector<FiledIntent> out;
  std::uint64_t bytes = 0;
  for (const auto& [offset, length] : places) {
    bytes += length;
    if (bytes > kMaxFound) return damaged();
    GH_TRY(text, read_(offset, length));
    const std::size_t space = text.find(' ');
    const auto fence = number_in<std::int64_t>(std::string_view(text).substr(0, space));
    if (space == text.npos || !fence) return damaged();
    out.push_back({*fence, text.substr(space + 1), {}});
  }
  return out;
}

std::optional<IntentFile> open_file_of_ledger(const std::string& state) {
  auto file = open_file(file_in(state));
  if (!file || file->stamp() != stamp_of(state).text) return std::nullopt;
  return std::move(*file);
}

Status refresh_file_of_ledger(
    const std::string& state,
    const std::function<Result<std::vector<FiledIntent>>()>& read_ledger) {
  if (open_file_of_ledger(state)) return {};
  const std::string probe = file_in(state) + ".probe";
  if (!sys::write_scratch_file(probe, "now")) {
    GH_DO(sys::make_folders(state + "/cache"));
    GH_DO(sys::write_scratch_file(probe, "now"));
  }
  const std::int64_t now_ns = sys::info(probe).mtime_ns;
  const Stamp stamp = stamp_of(state);
  if (now_ns - stamp.touched_ns < kTickNs) return {};
  GH_TRY(intents, read_ledger());
  if (intents.size() > kMaxIntents || stamp_of(state).text != stamp.text) return {};
  return write_file(state, intents, stamp.text);
}

Result<IntentMirror> open_mirror(const std::string& state) {
  const auto unusable = [](std::string_view why) {
    return fail(Code::ledger_unavailable, fmt::format("the mirror of the registry {}", why));
  };
  if (sys::info(file_in(state)).kind == sys::FileKind::missing)
    return unusable("is not there; any command of gatehouse change writes it");
  auto file = open_file(file_in(state));
  if (!file) return unusable("cannot be used: " + file.error().message);
  const std::string_view stamp = file->stamp();
  if (!stamp.starts_with(kOfServer)) return unusable("is of another ledger");
  const auto written = parse_timestamp(stamp.substr(kOfServer.size()));
  if (!written) return unusable("is damaged");
  return IntentMirror{std::move(*file), *written};
}

Status write_mirror(const std::string& state, const std::vector<FiledIntent>& intents,
                    Timestamp now) {
  GH_DO(sys::make_folders(state + "/cache"));
  return write_file(state, intents, fmt::format("{}{}", kOfServer, to_string(now)));
}

}  // namespace gh::store
