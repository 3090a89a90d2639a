#pragma once
// Options that every command takes (interfaces 5.2). They steer the door, never the decision.
#include <span>

#include "ops/operation.h"

namespace gh::ops {

std::span<const Option> global_options();

}  // namespace gh::ops
