#include "analysis/run.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

#include <fmt/format.h>

#include "analysis/extract.h"
#include "analysis/import_targets.h"
#include "analysis/known_facts.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

// table: excluded folders
constexpr std::array<std::string_view, 19> kExcluded{
    ".git",          ".venv",      "venv",    "__pycache__", "node_modules",
    "site-packages", "migrations", "alembic", "dist",        "build",
    ".tox",          ".hg",        ".svn",    ".mypy_cache", ".pytest_cache",
    ".ruff_cache",   "target",     "vendor",  "third_party"};

/// Whether a header is C or C++ is a matter of what else there is.
bool holds_cpp(const std::vector<SourceEntry>& entries) {
  return std::ranges::any_of(entries, [](const SourceEntry& entry) {
    return syntax::language_of_path(entry.path) == syntax::Language::cpp;
  });
}

syntax::Language language_of(const SourceEntry& entry, bool has_cpp) {
  if (entry.is_closed_folder) return syntax::Language::python;  // of no language: nobody asks
  const bool is_header = entry.path.ends_with(".h");
  return is_header && has_cpp ? syntax::Language::cpp : *syntax::language_of_path(entry.path);
}

bool is_go_module(std::string_view path) { return path == "go.mod" || path.ends_with("/go.mod"); }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The path after the word `module`; empty when there is none.
std::string go_module_path(std::string_view text) {
  for (std::string_view line : split(text, '\n')) {
    line = trimmed(line.substr(0, line.find("//")));
    if (!line.starts_with("module ") && !line.starts_with("module\t")) continue;
    line = trimmed(line.substr(6));
    if (line.size() > 1 && line.front() == '"') line = line.substr(1, line.size() - 2);
    return std::string(line);
  }
  return "";
}

void read_go_modules(FileSource& source, const std::vector<SourceEntry>& entries, Project& out) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20;
  for (const SourceEntry& entry : entries) {
    if (entry.size > kMaxBytes) continue;
    const Result<std::string> text = source.read(entry);
    std::string path = text ? go_module_path(*text) : std::string();
    const std::size_t slash = entry.path.rfind('/');
    if (!path.empty())
      out.go_modules.push_back(
          {slash == std::string::npos ? "" : entry.path.substr(0, slash), std::move(path)});
  }
}

class Work {
 public:
  Work(FileSource& source, const std::vector<SourceEntry>& entries, const RunOptions& options,
       Project& out)
      : source_(source), entries_(entries), options_(options), out_(out) {
    // Largest first, so that no thread begins a long file when the others are done.
    order_.resize(entries.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(
        order_, [&](std::size_t a, std::size_t b) { return entries[a].size > entries[b].size; });
  }

  void run() {
    const unsigned jobs =
        options_.jobs != 0 ? options_.jobs : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < jobs; ++i)
      threads.emplace_back([this] { work(); });
    work();
  }

 private:
  void work() {
    Extractor extractor;
    for (;;) {
      const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
      if (i >= order_.size()) return;
      const std::size_t slot = order_[i];
      AnalysedFile& file = out_.files[slot];
      file.facts = facts_of(extractor, entries_[slot], file.language);
      if (options_.progress) {
        const std::lock_guard lock(reading_);
        options_.progress(++done_, order_.size());
      }
    }
  }

  FileFacts facts_of(Extractor& extractor, const SourceEntry& entry, syntax::Language language) {
    if (entry.is_closed_folder) return {.status = FileStatus::stat_error};
    if (entry.size > kMaxFileBytes)
      return {.status = FileStatus::file_too_large, .bytes = entry.size};
    if (const FileFacts* read = read_before(entry.blob, language)) return *read;
    if (auto known = known_.find(entry.blob, language)) return *std::move(known);
    Result<std::string> bytes = read(entry);
    if (!bytes) {
      // A source says io_error of what could not even be looked at, all else is its content.
      const bool is_hidden = bytes.error().code == Code::io_error;
      return {.status = is_hidden ? FileStatus::stat_error : FileStatus::source_read_error,
              .bytes = entry.size};
    }
    if (bytes->size() > kMaxFileBytes)  // git tells no size beforehand
      return {.status = FileStatus::file_too_large, .bytes = bytes->size()};
    const std::string id = id_of(entry);
    if (const FileFacts* read = read_before(id, language)) return *read;
    if (id != entry.blob)
      if (auto known = known_.find(id, language)) return *std::move(known);
    FileFacts facts = extractor.facts_of(language, *bytes);
    if (options_.parsed != nullptr) ++*options_.parsed;
    known_.keep(id, language, facts);
    return facts;
  }

  const FileFacts* read_before(std::string_view blob, syntax::Language language) const {
    return options_.known == nullptr ? nullptr : options_.known->find(blob, language);
  }

  Result<std::string> read(const SourceEntry& entry) {
    if (source_.is_shared()) return source_.read(entry);
    const std::lock_guard lock(reading_);
    return source_.read(entry);
  }

  /// After it was read.
  std::string id_of(const SourceEntry& entry) {
    if (source_.is_shared()) return source_.id_of(entry);
    const std::lock_guard lock(reading_);
    return source_.id_of(entry);
  }

  FileSource& source_;
  const std::vector<SourceEntry>& entries_;
  const RunOptions& options_;
  KnownFacts known_{options_.store};
  Project& out_;
  std::vector<std::size_t> order_{};
  std::atomic<std::size_t> next_{0};
  std::size_t done_ = 0;
  std::mutex reading_{};
};

/// The same bytes can be a file of two languages.
std::string key_of(std::string_view blob, syntax::Language language) {
  return fmt::format("{} {}", static_cast<int>(language), blob);
}

/// One that cannot be read says nothing.
Manifests manifests_in(FileSource& source, const std::vector<SourceEntry>& entries) {
  Manifests out;
  for (const SourceEntry& entry : entries)
    if (is_manifest(entry.path) && entry.size <= kMaxManifestBytes)
      if (auto bytes = source.read(entry)) out.push_back({entry.path, std::move(*bytes)});
  std::ranges::sort(out, {}, &Manifest::path);
  return out;
}

}  // namespace

void ReadFiles::add(const std::string& blob, const AnalysedFile& file) {
  if (!blob.empty()) facts_.emplace(key_of(blob, file.language), &file.facts);
}

const FileFacts* ReadFiles::find(std::string_view blob, syntax::Language language) const {
  if (blob.empty()) return nullptr;
  const auto found = facts_.find(key_of(blob, language));
  return found == facts_.end() ? nullptr : found->second;
}

bool is_wanted(std::string_view path) {
  return is_go_module(path) || syntax::language_of_path(path).has_value();
}

bool is_excluded(std::string_view path) {
  for (std::size_t slash; (slash = path.find('/')) != std::string_view::npos;) {
    if (std::ranges::find(kExcluded, path.substr(0, slash)) != kExcluded.end()) return true;
    path.remove_prefix(slash + 1);
  }
  return false;
}

Result<Project> analyse(FileSource& source, const RunOptions& options) {
  GH_TRY(all, source.list());
  std::vector<SourceEntry> entries, go_modules;
  Manifests manifests = manifests_in(source, all);
  for (SourceEntry& entry : all)
    if (is_go_module(entry.path) && !is_excluded(entry.path))
      go_modules.push_back(std::move(entry));
    else if ((entry.is_closed_folder || syntax::language_of_path(entry.path)) &&
             !is_excluded(entry.path))
      entries.push_back(std::move(entry));
  if (entries.size() > options.max_files)
    return fail(Code::path_invalid,
                fmt::format("{} source files; at most {} are analysed: name a folder below",
                            entries.size(), options.max_files));
  std::ranges::sort(entries, {}, &SourceEntry::path);
  std::ranges::sort(go_modules, {}, &SourceEntry::path);
  const bool has_cpp = options.has_cpp.value_or(holds_cpp(entries));
  Project out{.files = {}, .profile = options.profile, .manifests = std::move(manifests)};
  for (const SourceEntry& entry : entries)
    out.files.push_back({.path = entry.path, .language = language_of(entry, has_cpp)});
  read_go_modules(source, go_modules, out);
  Work(source, entries, options, out).run();
  mark_test_modules(out);
  return out;
}

}  // namespace gh::analysis
