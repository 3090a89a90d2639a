#pragma once
// The folder of a manifest on disk. Links are followed, and whatever leads out of the folder is
// refused before anything is read.
#include <cstdint>
#include <string>

#include "surface/files.h"

namespace gh::ops {

class DiskFiles : public surface::Files {
 public:
  /// A process that only scans gets its memory at once, and keeps it.
  enum class Process : std::uint8_t { lives_on, ends_soon };
  /// `root` is a real path.
  explicit DiskFiles(std::string root, Process process = Process::lives_on)
      : root_(std::move(root)), process_(process) {}
  Result<surface::Found> find(std::string_view path, std::string_view base = "") override;
  Result<std::string> read(const surface::Found&, std::size_t max_bytes) override;
  Result<std::vector<std::string>> list(const surface::Found& folder) override;

 private:
  std::string absolute(const std::string& inside) const {
    return inside.empty() ? root_ : root_ + "/" + inside;
  }
  std::string root_;
  Process process_;
};

}  // namespace gh::ops
