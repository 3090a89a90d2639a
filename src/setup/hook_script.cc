#include "setup/hook_script.h"

#include <array>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"

namespace gh::setup {
namespace {

constexpr std::string_view kOurs = "# gatehouse:hook v1";
constexpr std::string_view kMoved = "# The hook that stood here before is now ";

constexpr std::string_view kKnown = "gatehouse='", kKnownCall = "\"$gatehouse\"";

// table: script_steps
constexpr std::array<std::string_view, 4> kSteps{"keep", "write", "move_and_write", "refuse"};

bool is_product(std::string_view path) { return path.substr(path.rfind('/') + 1) == kProduct; }

}  // namespace

std::string hook_script(const ScriptWish& wish) {
  const bool is_known = !wish.known_at.empty();
  const std::string call =
      fmt::format("{} hook git {} \"$@\"", is_known ? kKnownCall : wish.command, wish.hook);
  std::string out = fmt::format("#!/bin/sh\n{} {}\n", kOurs, wish.hook);
  out += "# 'gatehouse hook uninstall' takes this file away and puts back what it found.\n";
  if (wish.replaces_another) out += fmt::format("{}{}.local, and runs first.\n", kMoved, wish.hook);
  // Whoever starts git chooses PATH: what stands before the call comes from the system's own.
  if (wish.reads_input) out += "lines=$(command -p cat)\n";
  const std::string_view feed = wish.reads_input ? "printf '%s\\n' \"$lines\" | " : "";
  out += fmt::format(
      "chained=\"$(command -p dirname -- \"$0\")/{}.local\"\n"
      "if [ -x \"$chained\" ]; then\n  {}\"$chained\" \"$@\" || exit $?\nfi\n",
      wish.hook, feed);
  // Every fetch moves refs; only branches can be protected.
  if (wish.hook == "reference-transaction")
    out +=
        "[ \"$1\" = prepared ] || exit 0\n"
        "case $lines in *\" refs/heads/\"*) ;; *) exit 0 ;; esac\n";
  if (is_known)
    out += fmt::format("{}{}'\n[ -x {} ] || gatehouse={}\n", kKnown, wish.known_at, kKnownCall,
                       wish.command);
  if (!feed.empty()) return out + fmt::format("{}{}{}\n", feed, call, wish.blocks ? "" : " || :");
  return out + (wish.blocks ? fmt::format("exec {}\n", call) : fmt::format("{} || :\n", call));
}

bool is_our_script(std::string_view text) { return contains(text, fmt::format("\n{}", kOurs)); }

bool is_whole_script(std::string_view text, ScriptWish wish) {
  const std::string call = fmt::format(" hook git {} ", wish.hook);
  const std::size_t end = text.rfind(call);
  if (end == text.npos || end == 0) return false;
  const std::size_t before = text.find_last_of(" \n", end - 1);
  wish.command = text.substr(before + 1, end - before - 1);
  wish.replaces_another = moved_another(text);
  if (wish.command != kKnownCall) return is_product(wish.command) && text == hook_script(wish);
  const std::size_t known = text.find(fmt::format("\n{}", kKnown)) + 1 + kKnown.size();
  wish.command = kProduct;
  wish.known_at = text.substr(known, text.find('\'', known) - known);
  return is_product(wish.known_at) && text == hook_script(wish);
}

bool moved_another(std::string_view script) { return contains(script, kMoved); }

std::string_view to_string(ScriptStep step) { return kSteps[static_cast<std::size_t>(step)]; }

ScriptStep decide_script(const ScriptFacts& facts) {
  if (!facts.exists) return ScriptStep::write;
  if (facts.is_ours) return facts.is_same ? ScriptStep::keep : ScriptStep::write;
  return facts.has_local ? ScriptStep::refuse : ScriptStep::move_and_write;
}

}  // namespace gh::setup
