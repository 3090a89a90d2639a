#pragma once
// Pieces of the path gate that the other gates use too; the rules of one path are policy's.
#include "policy/path_rules.h"

namespace gh::patch {

using policy::any_component;
using policy::basename;

}  // namespace gh::patch
