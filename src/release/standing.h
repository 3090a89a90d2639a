#pragma once
// What a verification means for the change alone (docs/adr/0039): what stood at its base already
// stops nobody, and is told to a person. A projection of two reports; nothing here finds anything.
#include <set>
#include <string>

#include "model/value.h"
#include "model/verdict.h"

namespace gh::release {

struct ChangeOutcome {
  Decision decision = Decision::unverified;
  /// Ids of blockers and review items of head that base has, too.
  std::set<std::string> standing{};
};

/// Of the reports of both sides; `base` is null when there is none. Only blockers that base has not
/// deny; only gaps of evidence that base has not leave the change unverified.
ChangeOutcome outcome_of_change(const Value& head, const Value* base);

}  // namespace gh::release
