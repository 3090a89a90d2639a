// Groups of units that are the same code (analysis reference, "Clone families").
#pragma once

#include <vector>

#include "analysis/project.h"

namespace gh::analysis {

enum class CloneType : std::uint8_t { type1 = 1, type2 = 2, type3 = 3 };

struct CloneGroup {
  Hash key{};
  CloneType type = CloneType::type2;
  std::vector<UnitRef> items{};       // by path, line, name
  std::vector<UnitRef> suppressed{};  // members that ask to be left out
};

/// Languages with the same number may share a group: JavaScript and TypeScript, C and C++.
int clone_family(syntax::Language);

/// Large enough, and read as a whole.
bool takes_part_in_function_clones(const UnitFact&, const Profile&);

/// Units of equal fingerprint that are large enough; largest groups first, then by key.
/// Before a group is told, its members are compared statement by statement: what only shares the
/// fingerprint is split off.
std::vector<CloneGroup> function_clones(const Project&);

}  // namespace gh::analysis
