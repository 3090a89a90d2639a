#pragma once
// The table of shape_rules_test.cc, shared with the proof against git.
#include <string>
#include <vector>

#include "diff/patch.h"

namespace gh::diff {

struct ShapeCase {
  std::string answer;  // rule id, or "accept"
  std::string title;
  std::string input;
  Profile profile = Profile::strict;
  Position position = Position::exact;
};

const std::vector<ShapeCase>& shape_cases();

}  // namespace gh::diff
