#pragma once
// The small scripts that git runs as hooks, and what becomes of a hook that was there before. It is
// moved to NAME.local and runs first; taking ours away puts it back.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gh::setup {

struct ScriptWish {
  std::string_view hook;          // its name
  std::string command{};          // "gatehouse", or where it is
  std::string known_at{};         // where it is looked for before PATH; empty: nowhere
  bool blocks = true;             // its failure stops git
  bool reads_input = false;       // git sends it lines
  bool replaces_another = false;  // a hook of another hand stood there
};
std::string hook_script(const ScriptWish&);

bool is_our_script(std::string_view text);
/// A script of ours that nobody has changed since, wherever it finds the program. The command of
/// the wish is not asked.
bool is_whole_script(std::string_view text, ScriptWish wish);
/// Was another hook moved aside for this script of ours?
bool moved_another(std::string_view script);

/// What an installation does with one file.
enum class ScriptStep : std::uint8_t { keep, write, move_and_write, refuse };
std::string_view to_string(ScriptStep);

struct ScriptFacts {
  bool exists = false, is_ours = false;
  bool is_same = false;    // as it would be written
  bool has_local = false;  // NAME.local exists
};
ScriptStep decide_script(const ScriptFacts&);

}  // namespace gh::setup
