#pragma once
// The scope gate of `check` (interfaces 0.4): does a change stay inside of what its author
// declared, and out of what others hold? Gathering records and paths is somebody else's work.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/ownership.h"
#include "control/scope_check.h"

namespace gh::control {

struct ScopeGateFacts {
  std::vector<std::string> changed{};  // as records name paths
  std::vector<Held> own{};             // open ones of the author, newest first
  std::vector<Held> others{};          // of everybody else, as far as they hold files in this tree
  bool intent_required = false;        // by policy
  bool is_accepted = false;            // a finish has accepted just this change
};

/// One reason why not. `path` is empty where the change as a whole is meant.
struct ScopeRefusal {
  std::string_view code{};  // of change control
  std::string path{};
  const Intent* holder = nullptr;  // foreign overlaps only
  bool operator==(const ScopeRefusal&) const = default;
};

enum class ScopeSituation : std::uint8_t {
  none,
  missing,
  waiting,
  unclean,  // promoted into uncommitted files, and not asked for again since
  ambiguous,
  expired,
  declared,
  accepted
};

struct ScopeGate {
  ScopeSituation situation = ScopeSituation::none;
  bool ran = false;
  std::string_view status{};       // the gate's own word; empty when it did not run
  std::string_view why{};          // it did not run
  const Intent* intent = nullptr;  // what the change was measured against
  ScopeCheck check{};              // of a declared one
  std::vector<ScopeRefusal> refusals{};
};

/// The answer points into the facts.
ScopeGate judge_scope(const ScopeGateFacts&);

struct SituationRow {
  ScopeSituation situation;
  bool (*applies)(const ScopeGateFacts&);
  std::string_view status, code, why;
};
/// The first row that applies.
std::span<const SituationRow> scope_situations();

}  // namespace gh::control
