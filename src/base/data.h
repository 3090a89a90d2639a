#pragma once
// The files of data/, carried inside the binary.
#include <span>
#include <string_view>

namespace gh::data {

struct File {
  std::string_view name;  // path below data/, e.g. "rules/patch.yaml"
  std::string_view bytes;
};

/// All embedded files in byte order of their names.
std::span<const File> files();

/// The bytes of one file; empty when there is no such file (an embedded file is never empty).
std::string_view find(std::string_view name);

}  // namespace gh::data
