#include "report/look.h"

#include <array>

#include <fmt/format.h>

namespace gh::report {

std::string paint(const Look& look, Ink ink, std::string_view text) {
  static constexpr std::array<std::string_view, 7> kCodes{"", "1", "2", "32", "33", "31", "36"};
  const std::string_view code = kCodes[static_cast<std::size_t>(ink)];
  if (!look.colour || code.empty() || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace gh::report
