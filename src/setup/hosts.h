#pragma once
// Agent hosts: how they are found, which files they read, what of ours stands in those, and what a
// host enforces (interfaces 2.2 to 2.8). Rows; texts of files are under data/setup/.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::setup {

enum class Host : std::uint8_t { claude, codex, cursor, vscode, gemini };
inline constexpr std::size_t kHostCount = 5;

struct HostRow {
  Host host;
  std::string_view name;      // on the command line
  std::string_view title;     // for people
  std::string_view files;     // whose presence shows it, separated by spaces
  std::string_view programs;  // on PATH, likewise
};
std::span<const HostRow> hosts();
const HostRow* find_host(std::string_view name);

/// How our part of a file is told from the rest.
enum class FileForm : std::uint8_t { json, toml_table, marked_text, whole };

/// When a file of a host is written.
enum class Written : std::uint8_t { always, if_there, with_policy };

struct HostFile {
  Host host;
  std::string_view path;  // from the repository root
  FileForm form;
  std::string_view data;     // below data/setup/
  std::string_view table{};  // of TOML
  Written written = Written::always;
};
/// In the order in which they are written.
std::span<const HostFile> host_files();

/// The programs that the hooks of such a file call, those of ours alone, as it names them.
std::vector<std::string> called_programs(const HostFile&, std::string_view text);

/// `command` instead of the bare name of the program, for sites that must pin a path.
Result<std::string> with_ours(const HostFile&, std::string_view text, std::string_view command);
/// Empty: nothing but ours was in it.
Result<std::string> without_ours(const HostFile&, std::string_view text);
/// What a person would have to add by hand.
std::string snippet(const HostFile&, std::string_view command);

/// Is that a hook entry of ours, or a group of nothing else?
bool is_our_entry(const Value&);

/// What stops what on a host.
struct Enforcement {
  std::string_view host;  // as people name it
  std::string_view edits, shell, crash, ending, last_net;
};
std::span<const Enforcement> enforcement();
const Enforcement& enforcement_of(Host);

/// Names of the events that a host knows; an unknown one is dropped by it without a word.
std::span<const std::string_view> event_names(Host);
/// Events of a hook file of ours that the host does not know.
std::vector<std::string> unknown_events(Host, const Value& document);

/// Why the host would not ask us before a write, as its file of hooks stands; empty: it would, or
/// the file is none of hooks.
std::string guard_defect(const HostFile&, std::string_view text);

/// A write that no intent covers, as the host would announce it, and whether the answer denies it.
/// Exit 2 would stop it too, and is no proof: that is also how a program ends that knows no such
/// hook.
std::string synthetic_write(Host, std::string_view root);
bool is_denied(Host, int exit_code, std::string_view answer);

}  // namespace gh::setup
