#include "hooks/agent_identity.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/letters.h"
#include "base/text.h"
#include "base/trailers.h"

namespace gh::hooks {
namespace {

// clang-format off
// table: agent_variables
constexpr std::array<std::string_view, 8> kVariables{
    "GATEHOUSE_AGENT", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX", "CODEX_THREAD_ID", "CURSOR_AGENT", "GEMINI_CLI",
    "GATEHOUSE_SESSION"};

// table: agent_trailers
constexpr std::array<TrailerKey, 2> kTrailers{TrailerKey::agent, TrailerKey::intent};

// table: agent_addresses
constexpr std::array<std::string_view, 5> kAddresses{
    "noreply@anthropic.com", "codex@openai.com", "cursoragent@cursor.com", "gemini-code-assist@google.com", "copilot@github.com"};
// clang-format on

std::string_view address_in(std::string_view line) {
  for (const std::string_view address : kAddresses)
    if (contains(line, fmt::format("<{}>", address))) return address;
  return {};
}

}  // namespace

std::span<const std::string_view> agent_variables() { return kVariables; }

std::string_view agent_variable(const std::function<std::string(std::string_view)>& variable) {
  const auto at = std::ranges::find_if(
      kVariables, [&](std::string_view name) { return !variable(name).empty(); });
  return at == kVariables.end() ? std::string_view() : *at;
}

std::string agent_mark(const Authorship& commit) {
  if (const auto address = address_in(lower_ascii(commit.author)); !address.empty())
    return fmt::format("its author is {}", address);
  // Wherever they stand: a line that was a trailer of a commit stays in the message of a larger
  // one.
  for (const TrailerKey key : kTrailers)
    for (const std::string& value : values_anywhere(commit.message, key))
      return fmt::format("it has the trailer {}: {}", to_string(key), value);
  for (const std::string& who : values_anywhere(commit.message, TrailerKey::co_authored_by))
    if (const auto address = address_in(lower_ascii(who)); !address.empty())
      return fmt::format("{} is its co-author", address);
  return {};
}

}  // namespace gh::hooks
