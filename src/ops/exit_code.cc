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

std::span<const ExitCodeRow> exit_codes() { return kExitCodes; }

}  // namespace gh::ops
