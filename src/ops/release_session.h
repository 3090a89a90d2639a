#pragma once
// What the commands of the release gate begin with: the manifest on disk.
#include <string>

#include "base/error.h"
#include "ops/operation.h"
#include "surface/manifest.h"

namespace gh::ops {

struct LoadedManifest {
  surface::Manifest manifest;
  std::string folder;  // real path
  std::string sha256;  // of its bytes, hex
};
/// The manifest that --config names, or the one that the folder has.
Result<LoadedManifest> load_manifest(const Request&, const Context&);

/// `path` from `folder`, without "." and "..".
std::string joined_path(const std::string& folder, const std::string& path);

}  // namespace gh::ops
