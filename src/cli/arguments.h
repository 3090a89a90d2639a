#pragma once
// Arguments to an operation and its request. Nothing is run and nothing is printed here.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "ops/operation.h"

namespace gh::cli {

enum class Format : std::uint8_t { text, json, ctcp };
enum class When : std::uint8_t { automatic, always, never };

struct Globals {
  std::string folder{};  // -C
  Format format = Format::text;
  std::string field{};
  int verbosity = 0;  // -q: -1, -v: 1, -vv: 2
  When colour = When::automatic;
  bool ascii = false, pager = true;
  ops::ExitMap exits = ops::ExitMap::native;
};

/// What was asked for. Exactly one of the first three holds unless `operation` is set.
struct Invocation {
  bool wants_version = false;
  bool wants_overview = false;  // no command, or --help without one
  std::string help_group{};     // `gatehouse patch --help`
  bool wants_help = false;      // --help of `operation`
  const ops::Operation* operation = nullptr;
  ops::RawRequest raw{};
  Globals globals{};
};

Result<Invocation> read_arguments(std::span<const std::string> args);

/// The words of the old name as ours: its commands are those of the group `release`, and its exit
/// codes are the default.
std::vector<std::string> from_old_name(std::span<const std::string> args);

/// Whether JSON was asked for, as far as can be told from arguments that may be wrong.
bool asks_for_json(std::span<const std::string> args);
/// Likewise, whose exit codes.
ops::ExitMap asked_exit_map(std::span<const std::string> args);

}  // namespace gh::cli
