#pragma once
// Files that live in memory: fixtures of tests and fuzzing, and snapshots.
#include <map>
#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "surface/files.h"

namespace gh::surface {

class MemoryFiles : public Files {
 public:
  explicit MemoryFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  Result<Found> find(std::string_view path, std::string_view base = "") override {
    constexpr std::string_view kRoot = "/manifest";
    const std::string place = normal_path(
        path.starts_with('/') ? std::string(path) : fmt::format("{}/{}/{}", kRoot, base, path));
    if (place != kRoot && !place.starts_with(fmt::format("{}/", kRoot)))
      return refuse_outside(path, place);
    const std::string inside = place == kRoot ? "" : place.substr(kRoot.size() + 1);
    if (files_.contains(inside)) return Found{inside, EntryKind::file};
    const std::string prefix = inside.empty() ? "" : inside + "/";
    const auto below = files_.lower_bound(prefix);
    const bool is_folder = below != files_.end() && below->first.starts_with(prefix);
    return Found{inside, is_folder ? EntryKind::folder : EntryKind::missing};
  }

  Result<std::string> read(const Found& found, std::size_t max_bytes) override {
    const std::string& bytes = files_.at(found.path);
    if (bytes.size() <= max_bytes) return bytes;
    return fail(Code::document_too_large,
                fmt::format("{}: {} bytes, at most {}", found.path, bytes.size(), max_bytes));
  }

  Result<std::vector<std::string>> list(const Found& folder) override {
    std::vector<std::string> out;
    const std::string prefix = folder.path.empty() ? "" : folder.path + "/";
    for (const auto& [path, bytes] : files_) {
      if (!path.starts_with(prefix)) continue;
      const std::string rest = path.substr(prefix.size());
      const std::string name = rest.substr(0, rest.find('/'));
      if (out.empty() || out.back() != name) out.push_back(name);
    }
    return out;
  }

 private:
  std::map<std::string, std::string> files_;
};

}  // namespace gh::surface
