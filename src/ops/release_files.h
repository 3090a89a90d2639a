#pragma once
// The folder of a manifest on disk. Links are followed, and whatever leads out of the folder is
// refused before anything is read.
#include <string>

#include "surface/files.h"

namespace gh::ops {

/// The real path of what exists of it, links followed, with the rest behind.
std::string real_place(const std::string& path);
bool is_in_folder(const std::string& real_path, const std::string& real_folder);

/// Does it lie in the folder, links followed? A link that leads nowhere may lead anywhere.
bool is_within(const std::string& path, const std::string& real_folder);

class DiskFiles : public surface::Files {
 public:
  /// `root` is a real path.
  explicit DiskFiles(std::string root) : root_(std::move(root)) {}
  Result<surface::Found> find(std::string_view path, std::string_view base = "") override;
  Result<std::string> read(const surface::Found&, std::size_t max_bytes) override;
  Result<std::vector<std::string>> list(const surface::Found& folder) override;

 private:
  std::string absolute(const std::string& inside) const {
    return inside.empty() ? root_ : root_ + "/" + inside;
  }
  std::string root_;
};

}  // namespace gh::ops
