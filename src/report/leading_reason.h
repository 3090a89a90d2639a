#pragma once
// Which of many reasons is told in one line.
#include <string_view>

#include "model/verdict.h"

namespace gh::report {

/// What to tell first of a gate: the first reason that has a place, of the patch gate the first
/// one; null when it has none.
const Reason* leading_reason(const Verdict&, std::string_view gate);

}  // namespace gh::report
