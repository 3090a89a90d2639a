#pragma once
// Exit codes (interfaces 5.6), decided here and nowhere else.
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/error.h"
#include "model/verdict.h"

namespace gh::ops {

enum class ExitCode : std::uint8_t {
  done = 0,
  denied = 1,
  usage = 2,
  input = 3,
  environment = 4,
  internal = 5,
  review = 10,
  unverified = 11,
  interrupted = 130,
  terminated = 143,
};

ExitCode exit_code(CodeClass);

/// How the caller wants answers that are neither yes nor no to be told.
struct ExitWishes {
  bool exit_zero = false;    // --exit-zero: 1, 10 and 11 become 0; faults stay
  bool exit_review = false;  // --exit-review: 10 and 11 instead of 0 and 1
  bool strict = false;       // --strict: review counts as no
};

/// A deny is 1; else the class of the fault that kept a gate from deciding; else by decision.
ExitCode exit_code(Decision, std::optional<Code> fault = {}, ExitWishes = {});

/// Whose numbers the caller wants (--exit-codes).
enum class ExitMap : std::uint8_t { native, shipgate, codeclone };
std::optional<ExitMap> exit_map_named(std::string_view);
/// `own`: the number of the shipgate map where it tells the case apart; 0: it does not.
int mapped(ExitCode, ExitMap, int own = 0);
/// What that map's readers look for on standard error before the reason; empty: nothing.
std::string_view exit_headline(ExitCode, ExitMap);

struct ExitCodeRow {
  ExitCode code;
  std::string_view meaning;
};
/// Every code with its meaning, in ascending order: contract, help, docs.
std::span<const ExitCodeRow> exit_codes();

}  // namespace gh::ops
