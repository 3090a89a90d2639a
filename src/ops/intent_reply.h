#pragma once
// What the answers of commands about one intent have in common.
#include <string>
#include <string_view>

#include "control/conflicts.h"
#include "control/start_decision.h"
#include "ops/operation.h"

namespace gh::ops {

/// A framed document with its text; a refusal names its reason.
Reply replied(std::string_view schema, Map document, ExitCode exit,
              std::string (*text)(const Value&, const report::Look&));

Map conflict_fields(const control::Conflicts&);

void add_all(Map& to, const Map& from);

/// What a wider scope must not touch, and what to look at.
Map boundaries(const Map& blast);

/// One step, and it works: the files are made clean, and promote says so.
std::string promotion_step(const control::NextStep&, const std::string& id);

}  // namespace gh::ops
