#pragma once
// The summary of a step of GitHub Actions (release-gate 21.4), from report.json alone.
#include <string>

#include "model/value.h"

namespace gh::report {

/// Markdown. `highlights` are those of the packet.
std::string release_step_summary(const Value& report, const List& highlights);

}  // namespace gh::report
