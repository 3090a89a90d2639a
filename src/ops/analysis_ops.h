#pragma once
// Operations on the shape of code.
#include "ops/operation.h"

namespace gh::ops {

Result<Reply> analyze(const Request&, Context&);
Result<Reply> evaluate_gates(const Request&, Context&);
Result<Reply> runs_list(const Request&, Context&);
Result<Reply> runs_show(const Request&, Context&);
Result<Reply> runs_compare(const Request&, Context&);
Result<Reply> runs_trend(const Request&, Context&);
Result<Reply> findings(const Request&, Context&);
Result<Reply> clones(const Request&, Context&);
Result<Reply> hotspots(const Request&, Context&);
Result<Reply> blast(const Request&, Context&);
Result<Reply> baseline_save(const Request&, Context&);
Result<Reply> baseline_show(const Request&, Context&);
Result<Reply> baseline_diff(const Request&, Context&);
Result<Reply> baseline_verify(const Request&, Context&);
Result<Reply> baseline_update(const Request&, Context&);

}  // namespace gh::ops
