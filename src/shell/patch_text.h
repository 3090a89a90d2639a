#pragma once
// The patches that agents send as one text: `*** Begin Patch`, then `*** Add File: PATH` and the
// like. Hosts read them with parsers of their own, some of them tolerant. Whatever any of those may
// take for a header names a path here; what no reader could take for one is content.
//
// Never decides whether the text is a patch that would apply: begin, end and order are not looked
// at, so a header outside of them counts too.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gh::shell {

inline constexpr std::size_t kMaxPatchPaths = 4096;
inline constexpr std::size_t kMaxPatchPath = 4096;  // bytes; no system opens a longer one

struct PatchText {
  std::vector<std::string> paths{};  // of every reading of every header; sorted, each once
  bool begins = false;               // some line begins a patch
  bool is_elsewhere = false;  // it names the environment it is for: where that is, nobody knows
  bool is_too_long = false;   // more paths than were read
};
PatchText read_patch_text(std::string_view text);

}  // namespace gh::shell
