// What the manifests at the root say: which symbols others start or import.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gh::analysis {

/// The bytes of each manifest of the root; a missing one is not listed.
struct Manifest {
  std::string path, bytes;
};
using Manifests = std::vector<Manifest>;

inline constexpr std::size_t kMaxManifestBytes = std::size_t{1} << 20;  // a longer one is left out

/// Is this a file, directly at the root, that an analysis reads as a manifest?
bool is_manifest(std::string_view path);

struct EntryPoints {
  std::vector<std::string> symbols{};  // `module:local`
  std::vector<std::string> files{};    // paths below the root
};
EntryPoints entry_points_of(const Manifests&);

/// Others may import from here. Go is asked apart: it depends on what the packages hold.
bool names_a_package(const Manifests&);
bool has_manifest(const Manifests&, std::string_view path);

}  // namespace gh::analysis
