#pragma once
// Files below one folder, reached component by component without following a symbolic link. Whoever
// swaps a parent for a link between check and use gets an error, not a write elsewhere.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "sys/files.h"

namespace gh::sys {

enum class TreeFileKind : std::uint8_t {
  missing,
  regular,
  symlink,
  other,        // folder, device, ...
  below_link,   // a parent component is a symbolic link
  below_other,  // a parent component is no folder
};

struct TreeFile {
  TreeFileKind kind = TreeFileKind::missing;
  std::uint32_t permissions = 0;
  std::string bytes;  // content, or the target of a symlink
};

/// `path` is relative to `root`, '/'-separated, already checked.
Result<TreeFile> read_tree_file(const std::string& root, std::string_view path,
                                std::size_t max_bytes);

using TakePiece = std::function<void(std::string_view)>;
/// The same for a file that need not be held as a whole: its content goes to `take`, piece by
/// piece, and `bytes` stays empty. The target of a symlink is in `bytes`.
Result<TreeFile> scan_tree_file(const std::string& root, std::string_view path,
                                std::size_t max_bytes, const TakePiece& take);

/// Creates missing folders, writes a temporary file beside the target and renames it into place.
Status write_tree_file(const std::string& root, std::string_view path, std::string_view bytes,
                       std::uint32_t permissions);
Status write_tree_link(const std::string& root, std::string_view path, const std::string& target);
/// A path that is no file (missing, a folder, below a file) is left as it is.
Status remove_tree_file(const std::string& root, std::string_view path);
/// A path that is no empty folder is left as it is.
Status remove_empty_folder(const std::string& root, std::string_view path);

}  // namespace gh::sys
