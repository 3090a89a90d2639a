#include "hooks/agent_identity.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::hooks {
namespace {

// clang-format off
// table: agent_variables
constexpr std::array<std::string_view, 7> kVariables{
    "GATEHOUSE_AGENT", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX", "CODEX_THREAD_ID", "CURSOR_AGENT", "GEMINI_CLI"};

// table: agent_trailers
constexpr std::array<std::string_view, 2> kTrailers{"Gatehouse-Agent: ", "Gatehouse-Intent: "};

// table: agent_addresses
constexpr std::array<std::string_view, 5> kAddresses{
    "noreply@anthropic.com", "codex@openai.com", "cursoragent@cursor.com", "gemini-code-assist@google.com", "copilot@github.com"};
// clang-format on

constexpr std::string_view kTogether = "co-authored-by: ";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

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
  if (const auto address = address_in(lower(commit.author)); !address.empty())
    return fmt::format("its author is {}", address);
  for (const std::string_view line : split(commit.message, '\n')) {
    for (const std::string_view trailer : kTrailers)
      if (line.starts_with(trailer)) return fmt::format("it has the trailer {}", line);
    const std::string low = lower(line);
    if (!low.starts_with(kTogether)) continue;
    if (const auto address = address_in(low); !address.empty())
      return fmt::format("{} is its co-author", address);
  }
  return {};
}

}  // namespace gh::hooks
