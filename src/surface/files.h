#pragma once
// The folder of the manifest as a scan sees it: on disk, in a tree of git, or in memory. Whoever
// implements it keeps every read inside of that folder.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "wire/document.h"

namespace gh::surface {

inline constexpr std::size_t kMaxInputFile = 10'485'760;
inline constexpr std::size_t kMaxSourceFile = 8u << 20;
inline constexpr std::size_t kMaxFolderFiles = 4000;

enum class EntryKind : std::uint8_t { missing, file, folder };

struct Found {
  std::string path;  // from the folder of the manifest, links followed; "" is the folder itself
  EntryKind kind = EntryKind::missing;
};

class Files {
 public:
  virtual ~Files() = default;
  /// `path` as it was written, from the folder `base`. input_unreadable when it leads outside.
  virtual Result<Found> find(std::string_view path, std::string_view base = "") = 0;
  virtual Result<std::string> read(const Found&, std::size_t max_bytes) = 0;
  virtual Result<std::vector<std::string>> list(const Found& folder) = 0;  // names, byte order
};

/// An existing file with its bytes. input_unreadable or document_too_large.
struct InputFile {
  std::string path;  // for display
  std::string bytes;
};
Result<InputFile> read_input(Files&, std::string_view path, std::string_view base = "",
                             std::size_t max_bytes = kMaxInputFile);

/// Paths of the files below a folder whose name ends with one of the suffixes (separated by
/// blanks), in byte order. A folder that links lead to is read once, and nothing outside of the
/// manifest's.
struct FolderFiles {
  std::vector<std::string> paths{};
  std::vector<std::string> refused{};  // entries that lead outside
  bool was_cut = false;                // there are more than kMaxFolderFiles
};
Result<FolderFiles> files_below(Files&, const Found& folder, std::string_view suffixes,
                                std::string_view skipped_folders = "");

struct InputDocument {
  std::string path;
  wire::Document document;
};
Result<InputDocument> read_input_document(Files&, std::string_view path,
                                          std::string_view base = "");

/// The same; what equal keys of a mapping hide is told.
Result<InputDocument> read_input_document(Files&, std::string_view path, std::string_view base,
                                          std::vector<std::string>& warnings);
void tell_repeats(const InputDocument&, std::vector<std::string>& warnings);

/// The document is well formed and not what is expected there: json_invalid or yaml_invalid.
tl::unexpected<Error> refuse_input(const InputDocument&, std::string_view pointer,
                                   std::string_view what);

/// "Input path '…' resolves outside manifest directory: …".
tl::unexpected<Error> refuse_outside(std::string_view path, std::string_view resolved);
bool is_outside(const Error&);  // it is one of those
/// A file whose content is not here: git-lfs put a pointer in its place.
bool is_pointer_text(std::string_view bytes);
tl::unexpected<Error> refuse_pointer(std::string_view path);
bool is_pointer(const Error&);  // it is one of those

}  // namespace gh::surface
