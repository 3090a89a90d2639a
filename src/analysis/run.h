// One run: files in, project out. Threads share the work and never the order.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/project.h"
#include "base/error.h"

namespace gh::analysis {

struct SourceEntry {
  std::string path;  // relative to the root, with '/'
  std::uint64_t size = 0;
  std::string blob{};             // its object id when git knows it without reading
  bool is_closed_folder = false;  // "folder/": what is in it cannot be seen
};

/// Where sources come from: a work tree, a tree of git, an index, memory.
class FileSource {
 public:
  virtual ~FileSource() = default;
  /// Every file below the root, in any order.
  virtual Result<std::vector<SourceEntry>> list() = 0;
  virtual Result<std::string> read(const SourceEntry&) = 0;
  /// The object id of what was read, which may be another one than was listed; empty: not known.
  virtual std::string id_of(const SourceEntry& entry) { return entry.blob; }
  /// May several threads read at once?
  virtual bool is_shared() const { return false; }
};

/// Facts of files that were read before, by the hash of their content. Several threads ask at once.
/// What it gives back is checked; it may forget anything.
class FactStore {
 public:
  virtual ~FactStore() = default;
  virtual std::optional<std::string> find(const Hash&) = 0;
  virtual void keep(const Hash&, std::string bytes) = 0;
};

/// Files that this very process has read, by the object id of their content: what is the same on
/// the other side of a change is not read twice. Nothing that anybody else can write takes part.
class ReadFiles {
 public:
  /// The file must live as long as this.
  void add(const std::string& blob, const AnalysedFile&);
  const FileFacts* find(std::string_view blob, syntax::Language) const;

 private:
  std::unordered_map<std::string, const FileFacts*> facts_{};
};

inline constexpr std::size_t kMaxFiles = 100'000;

struct RunOptions {
  Profile profile{};
  unsigned jobs = 0;  // 0: one per core
  std::size_t max_files = kMaxFiles;
  FactStore* store = nullptr;        // none: every file is read
  const ReadFiles* known = nullptr;  // none: nothing was read before
  std::function<void(std::size_t done, std::size_t of)> progress{};
  std::optional<bool> has_cpp{};  // is there C++ beside these files? none: as they say themselves
  std::atomic<std::uint64_t>* parsed = nullptr;  // counts files whose facts were not known
};

/// path_invalid when there are more than `max_files`. A file that cannot be read is skipped by
/// name.
Result<Project> analyse(FileSource&, const RunOptions&);

/// Is the file one that a run reads: source of a language, or what says how it is imported?
bool is_wanted(std::string_view path);

/// Is a folder of this path one that is left out by default?
bool is_excluded(std::string_view path);

}  // namespace gh::analysis
