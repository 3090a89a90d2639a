#pragma once
// Options that are taken and shown nowhere: they are for tests of others, not for people.
#include <span>

#include "ops/operation.h"

namespace gh::ops {

std::span<const Option> hidden_options(const Operation&);

}  // namespace gh::ops
