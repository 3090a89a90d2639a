#include "setup/hook_script.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::setup {
namespace {

constexpr std::string_view kOurs = "# gatehouse:hook v1";
constexpr std::string_view kMoved = "# The hook that stood here before is now ";

// table: script_steps
constexpr std::array<std::string_view, 4> kSteps{"keep", "write", "move_and_write", "refuse"};

}  // namespace

std::string hook_script(const ScriptWish& wish) {
  const std::string call = fmt::format("{} hook git {} \"$@\"", wish.command, wish.hook);
  std::string out = fmt::format("#!/bin/sh\n{} {}\n", kOurs, wish.hook);
  out += "# 'gatehouse hook uninstall' takes this file away and puts back what it found.\n";
  if (wish.replaces_another) out += fmt::format("{}{}.local, and runs first.\n", kMoved, wish.hook);
  if (wish.reads_input) out += "lines=$(cat)\n";
  const std::string_view feed = wish.reads_input ? "printf '%s\\n' \"$lines\" | " : "";
  out += fmt::format(
      "chained=\"$(dirname -- \"$0\")/{}.local\"\n"
      "if [ -x \"$chained\" ]; then\n  {}\"$chained\" \"$@\" || exit $?\nfi\n",
      wish.hook, feed);
  // Every fetch moves refs; only branches can be protected.
  if (wish.hook == "reference-transaction")
    out +=
        "[ \"$1\" = prepared ] || exit 0\n"
        "case $lines in *\" refs/heads/\"*) ;; *) exit 0 ;; esac\n";
  if (!feed.empty()) return out + fmt::format("{}{}{}\n", feed, call, wish.blocks ? "" : " || :");
  return out + (wish.blocks ? fmt::format("exec {}\n", call) : fmt::format("{} || :\n", call));
}

bool is_our_script(std::string_view text) { return contains(text, fmt::format("\n{}", kOurs)); }

bool moved_another(std::string_view script) { return contains(script, kMoved); }

std::string_view to_string(ScriptStep step) { return kSteps[static_cast<std::size_t>(step)]; }

ScriptStep decide_script(const ScriptFacts& facts) {
  if (!facts.exists) return ScriptStep::write;
  if (facts.is_ours) return facts.is_same ? ScriptStep::keep : ScriptStep::write;
  return facts.has_local ? ScriptStep::refuse : ScriptStep::move_and_write;
}

}  // namespace gh::setup
