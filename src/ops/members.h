#pragma once
// Trailers of a commit message, and members of the documents that we wrote ourselves.
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/members.h"

namespace gh::ops {

// Named here too: beside a reader of the same name from elsewhere they are ambiguous, not hidden.
using gh::number_in;
using gh::text_in;
using gh::texts_in;

/// Values of a trailer, in order. Only the last paragraph holds trailers; what an author wrote
/// above it can look like one.
inline std::vector<std::string> trailers(std::string_view message, std::string_view key) {
  while (message.ends_with('\n'))
    message.remove_suffix(1);
  const std::size_t paragraph = message.rfind("\n\n");
  if (paragraph == std::string_view::npos) return {};
  std::vector<std::string> out;
  const std::string start = std::string(key) + ": ";
  for (const std::string_view line : split(message.substr(paragraph + 2), '\n'))
    if (line.starts_with(start)) out.emplace_back(line.substr(start.size()));
  return out;
}

}  // namespace gh::ops
