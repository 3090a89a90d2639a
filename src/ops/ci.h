#pragma once
#include "ops/operation.h"

namespace gh::ops {

Result<Reply> run_ci(const Request&, Context&);
Result<Reply> comment_render(const Request&, Context&);

}  // namespace gh::ops
