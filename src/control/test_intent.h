#pragma once
// Records as the tests of control want them. Included by tests only.
#include <string>
#include <vector>

#include "control/ownership.h"
#include "control/scope_paths.h"

namespace gh::control {

inline constexpr Timestamp kDeclared{1'800'000'000};

inline Scope scope_of(std::vector<std::string> allowed, std::vector<std::string> related = {},
                      std::vector<std::string> forbidden = {}) {
  return normalise_scope(Value(Map{{"allowed_files", string_list(allowed)},
                                   {"allowed_related", string_list(related)},
                                   {"forbidden", string_list(forbidden)}}))
      .value();
}

inline Intent test_intent(std::string id = "intent-0a1b2c3d-001-abcdef") {
  Intent intent;
  intent.id = std::move(id);
  intent.agent_pid = 4711;
  intent.agent_start_epoch = 1'799'990'000;
  intent.agent_label = "agent/1.0";
  intent.run_id = std::string(64, 'a');
  intent.declared_at = intent.lease_renewed_at = kDeclared;
  intent.expires_at = {kDeclared.seconds + 3600};
  intent.description = "Tidy the parser";
  intent.scope = scope_of({"pkg/a.py", "pkg/b.py"}, {"pkg/c.py"});
  intent.report_digest = std::string(64, 'b');
  return intent;
}

}  // namespace gh::control
