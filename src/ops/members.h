#pragma once
// Members of the documents that we wrote ourselves.
#include <string>
#include <string_view>
#include <vector>

#include "model/members.h"

namespace gh::ops {

// Named here too: beside a reader of the same name from elsewhere they are ambiguous, not hidden.
using gh::number_in;
using gh::text_in;
using gh::texts_in;

}  // namespace gh::ops
