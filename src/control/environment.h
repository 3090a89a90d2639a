#pragma once
// How settings of the environment are read. Callers hand in the text, empty when the variable is
// unset or was looked for under its other name in vain.
#include <cstdint>
#include <string_view>

#include "model/value.h"
#include "policy/control_policy.h"

namespace gh::control {

/// 1, true, yes, on, in any case and with space around them.
bool is_yes(std::string_view environment);

/// A parameter, else the environment, else what is configured. One that is no whole number means
/// what is configured; out of range is moved into it. `environment` is empty when unset.
std::int64_t resolve_seconds(const policy::SecondsRange&, const Value& parameter,
                             std::string_view environment, std::int64_t configured);

}  // namespace gh::control
