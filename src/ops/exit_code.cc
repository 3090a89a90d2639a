#include "ops/exit_code.h"

#include <array>

namespace gh::ops {
namespace {

constexpr std::array kExitCodes{
    ExitCodeRow{ExitCode::done, "done, allowed, or nothing to do"},
    ExitCodeRow{ExitCode::denied,
                "a gate said no (any patch rejection), or a check found a difference"},
    ExitCodeRow{ExitCode::usage,
                "usage or configuration error: unknown option or id, invalid gatehouse.yaml, "
                "a named revision that does not resolve"},
    ExitCodeRow{ExitCode::input,
                "input error: a file the command needs is missing, unreadable, malformed or too "
                "large"},
    ExitCodeRow{ExitCode::environment,
                "environment error: not a repository, git missing or too old, lock timeout, ledger "
                "unreadable, output not writable"},
    ExitCodeRow{ExitCode::internal, "internal error (a bug); prints an incident id"},
    ExitCodeRow{ExitCode::review, "review required (only with --exit-review)"},
    ExitCodeRow{ExitCode::unverified, "unverified (only with --exit-review)"},
    ExitCodeRow{ExitCode::interrupted, "interrupted by SIGINT"},
    ExitCodeRow{ExitCode::terminated, "interrupted by SIGTERM"},
};

struct MapRow {
  ExitCode native;
  int shipgate, codeclone;
  std::string_view headline;  // of codeclone
};
// table: exit maps
constexpr std::array kMaps{
    MapRow{ExitCode::done, 0, 0, ""},
    MapRow{ExitCode::denied, 20, 3, "GATING FAILURE:"},
    MapRow{ExitCode::usage, 2, 2, "CONTRACT ERROR:"},
    MapRow{ExitCode::input, 3, 2, "CONTRACT ERROR:"},
    MapRow{ExitCode::environment, 4, 2, "CONTRACT ERROR:"},
    MapRow{ExitCode::internal, 4, 5, "INTERNAL ERROR:"},
};
// table: names of exit maps
constexpr std::array<std::string_view, 3> kMapNames{"native", "shipgate", "codeclone"};

ExitCode by_decision(Decision decision, ExitWishes wishes) {
  switch (decision) {
    case Decision::allow:
      return ExitCode::done;
    case Decision::review:
      if (wishes.exit_review) return ExitCode::review;
      return wishes.strict ? ExitCode::denied : ExitCode::done;
    case Decision::unverified:
      return wishes.exit_review ? ExitCode::unverified : ExitCode::denied;
    case Decision::deny:
      return ExitCode::denied;
  }
  return ExitCode::internal;
}

}  // namespace

ExitCode exit_code(CodeClass klass) {
  switch (klass) {
    case CodeClass::usage:
      return ExitCode::usage;
    case CodeClass::input:
      return ExitCode::input;
    case CodeClass::environment:
      return ExitCode::environment;
    case CodeClass::internal:
      return ExitCode::internal;
  }
  return ExitCode::internal;
}

ExitCode exit_code(Decision decision, std::optional<Code> fault, ExitWishes wishes) {
  if (fault && decision != Decision::deny) return exit_code(class_of(*fault));
  return wishes.exit_zero ? ExitCode::done : by_decision(decision, wishes);
}

std::optional<ExitMap> exit_map_named(std::string_view name) {
  for (std::size_t i = 0; i < kMapNames.size(); ++i)
    if (kMapNames[i] == name) return static_cast<ExitMap>(i);
  return std::nullopt;
}

int mapped(ExitCode code, ExitMap map, int own) {
  if (map == ExitMap::shipgate && own != 0) return own;
  for (const MapRow& row : kMaps) {
    if (row.native != code || map == ExitMap::native) continue;
    return map == ExitMap::shipgate ? row.shipgate : row.codeclone;
  }
  return static_cast<int>(code);
}

std::string_view exit_headline(ExitCode code, ExitMap map) {
  if (map != ExitMap::codeclone) return {};
  for (const MapRow& row : kMaps)
    if (row.native == code) return row.headline;
  return {};
}

std::span<const ExitCodeRow> exit_codes() { return kExitCodes; }

}  // namespace gh::ops
