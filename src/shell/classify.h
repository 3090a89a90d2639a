#pragma once
// What a command line may write, as far as its text tells: nothing, these paths, or nobody knows.
//
// A text cannot decide what a program does; what is `opaque` here is looked at after it has run.
// What is said to be read-only or to write certain paths must be true of every shell that agents
// use.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gh::shell {

enum class ShellClass : std::uint8_t { read_only, writes, opaque };
std::string_view to_string(ShellClass);

/// A file that is written, moved or removed.
struct Write {
  std::string path{};         // relative to where the command starts, or absolute
  std::string into{};         // its name when `path` turns out to be a folder; empty: never asked
  bool makes_folder = false;  // and nothing else, of which git keeps nothing

  auto operator<=>(const Write&) const = default;
};

/// Our own program: whoever has the table of its commands judges it.
struct OwnCall {
  std::vector<std::string> words{};     // behind its name
  bool is_certain = true;               // every word is known
  bool by_old_name = false;             // whose commands are those of a group
  std::optional<std::string> folder{};  // where it runs; none: nobody knows

  auto operator<=>(const OwnCall&) const = default;
};

/// A branch that is moved, renamed, copied over or deleted: whoever knows which are guarded judges
/// it.
struct BranchMove {
  std::string words{};                  // that do it
  std::string ref{};                    // the whole name, or one that ends with a star; empty: the
                                        // branch that is checked out there
  std::optional<std::string> folder{};  // where git runs; none: nobody knows
  bool is_local = false;                // what it gets comes from a path of this machine

  auto operator<=>(const BranchMove&) const = default;
};

struct Reading {
  ShellClass shell_class = ShellClass::read_only;
  std::vector<Write> writes{};  // sorted, each once; of an opaque text those that are known
  std::string why{};            // of an opaque text: the first part that nobody can tell
  std::string bypass{};         // the words that switch a gate off; empty: none do
  std::vector<std::string> fragments{};  // what is known of paths that only the shell knows
  std::vector<std::string>
      git_folders{};  // where git runs, led by the settings that it finds there
  std::vector<OwnCall> own{};
  std::vector<BranchMove> branches{};
  bool meets_gate = false;  // some git in it commits, merges or pushes
};

struct Circumstances {
  bool patch_first = false;  // patches enter through the patch gate, not by git apply
  std::span<const std::string_view> agent_variables{};  // by which hosts mark what they start
};

/// Does a setting of git run a program, lead to other settings or move the gate? The key as git
/// lists it.
bool is_guarded_setting(std::string_view key, std::string_view value);

Reading classify(std::string_view text, const Circumstances& circumstances = {});

}  // namespace gh::shell
