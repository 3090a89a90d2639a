#include "runs/bundle.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "policy/redact.h"
#include "runs/zip.h"
#include "sys/files.h"

namespace gh::runs {
namespace {

constexpr std::string_view kBundle = "failure_bundle.zip";
constexpr std::string_view kManifest = "MANIFEST.sha256";
constexpr std::string_view kMask = "[REDACTED:";
constexpr std::string_view kBundleEvent = "BUNDLE_CREATED";
constexpr std::string_view kEvents = "events.jsonl";

constexpr std::array<std::string_view, 6> kRequired{
    "TRACE.md",
    "events.jsonl",
    "artifacts/PLAN.md",
    "artifacts/diff.patch",
    "artifacts/verify_report.json",
    "artifacts/patch_rejection.json",
};
constexpr std::array<std::string_view, 4> kOptional{
    "artifacts/canonical.patch",
    "artifacts/candidate.json",
    "artifacts/patch_policy.json",
    "artifacts/retry_state.json",
};
constexpr std::string_view kLogs = "logs";
constexpr std::array<std::string_view, 4> kWholeFolders{"artifacts/attempts", "reviews", "outbox",
                                                        kLogs};

constexpr std::size_t kMaxFolderDepth = 16;
constexpr std::size_t kMaxFiles = 1000;  // of each folder; the rest in byte order is left out
constexpr std::size_t kMaxFileBytes = 16u << 20;
constexpr std::size_t kFolderBudget = 48u << 20;  // shared by the files of one folder
constexpr std::size_t kMaxUnpackedBytes = 512u << 20;

/// How much may go in. Tried in order until the archive is small enough; the last always is.
struct Squeeze {
  std::size_t file_bytes;  // of each file below reviews, outbox and logs
  bool optional_files, whole_patch;
};
constexpr std::array kSqueezes{
    Squeeze{kMaxFileBytes, true, true},
    Squeeze{64u << 10, true, true},
    Squeeze{64u << 10, false, true},
    Squeeze{16u << 10, false, false},
};

bool is_file(const std::string& path) { return sys::info(path).kind == sys::FileKind::file; }

Result<std::string> cut_to(const std::string& path, std::size_t max_bytes) {
  GH_TRY(ends, sys::read_file_ends(path, max_bytes));
  if (ends.cut_bytes == 0) return std::move(ends.head);
  return fmt::format("{}\n[{} bytes cut here]\n{}", ends.head, ends.cut_bytes, ends.tail);
}

/// Files and folders below `folder`, relative to the run folder. Symbolic links, devices and
/// unfinished writes are passed over.
Result<std::vector<std::string>> list_below(const RunFolder& run, std::string_view folder) {
  std::vector<std::string> out, open{std::string(folder)};
  while (!open.empty()) {
    const std::string at = std::move(open.back());
    open.pop_back();
    out.push_back(at + "/");
    GH_TRY(names, sys::list_folder(run.file(at)));
    for (const std::string& name : names) {
      const std::string path = at + "/" + name;
      const sys::FileKind kind = sys::info(run.file(path)).kind;
      if (kind == sys::FileKind::file && !name.starts_with(".tmp-")) out.push_back(path);
      if (kind == sys::FileKind::folder &&
          static_cast<std::size_t>(std::ranges::count(path, '/')) < kMaxFolderDepth)
        open.push_back(path);
    }
  }
  std::ranges::sort(out);
  if (out.size() > kMaxFiles) out.resize(kMaxFiles);
  return out;
}

Status add_folder(std::vector<ZipEntry>& entries, const RunFolder& run, std::string_view folder,
                  const Squeeze& squeeze) {
  GH_TRY(names, list_below(run, folder));
  std::size_t total = 0;
  for (const std::string& name : names)
    total += std::min(static_cast<std::size_t>(sys::info(run.file(name)).size), squeeze.file_bytes);
  const std::size_t share = std::min(squeeze.file_bytes, kFolderBudget / names.size());
  const std::size_t limit = total <= kFolderBudget ? squeeze.file_bytes : share;
  for (const std::string& name : names) {
    ZipEntry entry{printable(name, kMaxFileBytes), {}};
    if (!name.ends_with('/')) {
      GH_TRY(bytes, cut_to(run.file(name), limit));
      // A log that another program wrote is masked here at the latest.
      entry.bytes = folder == kLogs ? policy::redact(bytes).text : std::move(bytes);
    }
    entries.push_back(std::move(entry));
  }
  return {};
}

Status add_file(std::vector<ZipEntry>& entries, const RunFolder& run, std::string_view name,
                std::size_t max_bytes) {
  GH_TRY(bytes, cut_to(run.file(name), max_bytes));
  entries.push_back({std::string(name), std::move(bytes)});
  return {};
}

std::string manifest_of(std::span<const ZipEntry> entries) {
  std::string out;
  for (const ZipEntry& entry : entries)
    if (!entry.name.ends_with('/'))
      out += fmt::format("{}  {}\n", digest_of(entry.bytes).hex(), entry.name);
  return out;
}

Result<std::vector<ZipEntry>> gather(const RunFolder& run, const Squeeze& squeeze,
                                     std::size_t max_bytes) {
  const std::size_t patch_bytes = squeeze.whole_patch ? kMaxUnpackedBytes : max_bytes / 2;
  std::vector<ZipEntry> entries{{"artifacts/", {}}};
  for (const std::string_view name : kRequired)
    GH_DO(add_file(entries, run, name, name.ends_with(".patch") ? patch_bytes : kMaxFileBytes));
  if (squeeze.optional_files)
    for (const std::string_view name : kOptional)
      if (is_file(run.file(name))) GH_DO(add_file(entries, run, name, kMaxFileBytes));
  for (const std::string_view folder : kWholeFolders)
    GH_DO(add_folder(entries, run, folder, squeeze));
  std::ranges::sort(entries, {}, &ZipEntry::name);
  // Two names that look the same when printed: the first one stays.
  const auto same_name = [](const ZipEntry& a, const ZipEntry& b) { return a.name == b.name; };
  entries.erase(std::unique(entries.begin(), entries.end(), same_name), entries.end());
  entries.insert(entries.begin(), {std::string(kManifest), manifest_of(entries)});
  return entries;
}

bool is_complete(const std::vector<ZipEntry>& entries) {
  const bool required = std::ranges::all_of(kRequired, [&](std::string_view name) {
    return std::ranges::find(entries, name, &ZipEntry::name) != entries.end();
  });
  if (!required || entries.front().name != kManifest) return false;
  return manifest_of(std::span(entries).subspan(1)) == entries.front().bytes;
}

/// The event line that a bundle adds lies behind the bundle itself; it makes no difference.
bool only_bundle_events(std::string_view lines) {
  return std::ranges::all_of(split(lines, '\n'), [](std::string_view line) {
    return line.empty() || contains(line, fmt::format("\"event\":\"{}\"", kBundleEvent));
  });
}

bool says_the_same(const ZipEntry& old_entry, const ZipEntry& new_entry) {
  if (old_entry == new_entry || new_entry.name == kManifest)
    return old_entry.name == new_entry.name;
  return old_entry.name == kEvents && new_entry.name == kEvents &&
         new_entry.bytes.starts_with(old_entry.bytes) &&
         only_bundle_events(std::string_view(new_entry.bytes).substr(old_entry.bytes.size()));
}

/// The archive on disk, when it is whole and its content is that of the folder.
std::optional<std::string> still_valid(const RunFolder& run, const std::vector<ZipEntry>& entries) {
  if (!is_file(run.file(kBundle))) return std::nullopt;
  auto archive = sys::read_file(run.file(kBundle), kMaxBundleBytes);
  if (!archive) return std::nullopt;
  const auto old_entries = read_zip(*archive, kMaxUnpackedBytes);
  if (!old_entries || old_entries->empty() || !is_complete(*old_entries)) return std::nullopt;
  // Written again it must give the same bytes: nothing hides between or behind the entries.
  const bool same = std::ranges::equal(*old_entries, entries, says_the_same) &&
                    write_zip(*old_entries) == *archive;
  return same ? std::optional(std::move(*archive)) : std::nullopt;
}

bool has_masked_log(const std::vector<ZipEntry>& entries) {
  return std::ranges::any_of(entries, [](const ZipEntry& entry) {
    return entry.name.starts_with("logs/") && contains(entry.bytes, kMask);
  });
}

Result<std::string> write_checked(const RunFolder& run, const std::vector<ZipEntry>& entries,
                                  const std::string& archive) {
  GH_DO(sys::write_file_atomic(run.file(kBundle), archive));
  GH_TRY(written, sys::read_file(run.file(kBundle), kMaxBundleBytes));
  GH_TRY(reopened, read_zip(written, kMaxUnpackedBytes));
  if (reopened != entries || !is_complete(reopened))
    return fail(Code::io_error,
                fmt::format("{} does not hold what was written to it", run.file(kBundle)));
  return std::move(written);
}

}  // namespace

Result<Bundle> make_bundle(RunFolder& run, std::size_t max_bytes) {
  for (const std::string_view name : kRequired)
    if (!is_file(run.file(name)))
      return fail(Code::bad_argument,
                  fmt::format("run folder {} has no {}: nothing to bundle", run.path(), name));
  const bool was_there = sys::info(run.file(kBundle)).kind != sys::FileKind::missing;
  std::vector<ZipEntry> entries;
  std::string archive;
  for (const Squeeze& squeeze : kSqueezes) {
    GH_TRY(gathered, gather(run, squeeze, max_bytes));
    GH_TRY(zipped, write_zip(gathered));
    entries = std::move(gathered);
    archive = std::move(zipped);
    if (archive.size() <= max_bytes) break;
  }
  Bundle bundle;
  if (auto valid = still_valid(run, entries)) {
    bundle.mode = "validated";
    archive = std::move(*valid);
  } else {
    bundle.mode = was_there ? "recreated" : "created";
    GH_TRY(written, write_checked(run, entries, archive));
    archive = std::move(written);
  }
  bundle.sha256 = digest_of(archive).hex();
  bundle.bytes = static_cast<std::int64_t>(archive.size());
  bundle.entries = static_cast<std::int64_t>(entries.size());
  bundle.contains_secret_candidate = has_masked_log(entries);
  GH_DO(run.append_event("gate", kBundleEvent, kBundle,
                         Map{{"mode", bundle.mode},
                             {"sha256", bundle.sha256},
                             {"bytes", bundle.bytes},
                             {"entries", bundle.entries},
                             {"contains_secret_candidate", bundle.contains_secret_candidate}}));
  return bundle;
}

}  // namespace gh::runs
