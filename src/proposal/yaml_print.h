#pragma once
// Values as strict YAML that reads back the same, laid out for people. Private to proposal.
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::proposal {

/// "key: value" lines of a mapping, nested ones in block form: the strict dialect allows little
/// flow nesting. Holds no Number.
std::string print_yaml(const Map&);

}  // namespace gh::proposal
