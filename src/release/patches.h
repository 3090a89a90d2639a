#pragma once
// Changes of the manifest that would settle a finding (tool-surface 12). Nothing here writes.
#include <string>

#include "release/gated.h"
#include "surface/manifest.h"

namespace gh::release {

/// The manifest as it lies on disk.
struct PatchTarget {
  std::string file;    // absolute
  std::string sha256;  // of its bytes, hex
};

/// Every active finding gets at least one patch; suppressed ones get none.
void attach_patches(Findings&, const surface::Manifest&, const PatchTarget&);

}  // namespace gh::release
