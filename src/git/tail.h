#pragma once
// What evidence keeps of a command's output (patch-gate 8.3).
#include <string>
#include <string_view>

namespace gh::git {

inline constexpr std::size_t kTailLines = 20;
inline constexpr std::size_t kTailBytes = 4096;

/// Last 20 lines, at most 4,096 bytes; invalid UTF-8 replaced by U+FFFD, control characters
/// escaped, `repo_root` written as <repo>. Pure.
std::string output_tail(std::string_view bytes, std::string_view repo_root);

}  // namespace gh::git
