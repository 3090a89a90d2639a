#pragma once
// What the commands of the release gate begin with: the manifest on disk.
#include <string>
#include <vector>

#include "base/error.h"
#include "ops/operation.h"
#include "surface/manifest.h"

namespace gh::ops {

struct LoadedManifest {
  surface::Manifest manifest{};
  std::string folder{};  // real path
  std::string sha256{};  // of its bytes, hex
};
/// The manifest that --config names, or the one that the folder has. A failure leaves in
/// `context.fault` what an agent does next.
Result<LoadedManifest> load_manifest(const Request&, Context&);
/// One is named, or there, whatever is in it.
bool has_manifest(const Request&, const Context&);
Result<LoadedManifest> load_manifest_at(const std::string& path, Context&);

/// Of every manifest that was asked for: below --workspace, those that a pattern in --config names,
/// else the one of load_manifest. Never empty.
Result<std::vector<std::string>> manifest_paths(const Request&, Context&);

/// A file that the command cannot do without: input_unreadable when it cannot be read.
Result<std::string> read_needed(const std::string& path, std::size_t max_bytes);

/// The same for a report. One that is missing is made by a scan.
Result<std::string> read_report_file(const std::string& path, std::size_t max_bytes, Context&);

/// Files that the caller named, and those that are meant where none was: nothing outside of the
/// caller's bounds is read, and what is said of it tells nothing about it.
Status check_bounds(const Context&, const std::string& path);
/// Of every option of the request that names one file.
Status check_bounds(const Context&, const Request&);

/// The nearest folder upwards that is a repository, or the folder itself.
std::string repository_root(const std::string& folder);

/// `path` from `folder`, without "." and "..".
std::string joined_path(const std::string& folder, const std::string& path);

}  // namespace gh::ops
