#pragma once
// Operations of the release gate.
#include "ops/operation.h"

namespace gh::ops {

Result<Reply> release_scan(const Request&, Context&);
Result<Reply> release_verify(const Request&, Context&);
Result<Reply> release_trigger(const Request&, Context&);
Result<Reply> release_list_checks(const Request&, Context&);
Result<Reply> release_explain(const Request&, Context&);
Result<Reply> release_findings(const Request&, Context&);
Result<Reply> release_explain_finding(const Request&, Context&);
Result<Reply> release_baseline_save(const Request&, Context&);
Result<Reply> release_baseline_verify(const Request&, Context&);
Result<Reply> release_packet(const Request&, Context&);
Result<Reply> release_apply_patches(const Request&, Context&);
Result<Reply> release_detect(const Request&, Context&);
Result<Reply> release_init(const Request&, Context&);
Result<Reply> release_doctor(const Request&, Context&);
Result<Reply> release_fixture_list(const Request&, Context&);
Result<Reply> release_fixture_run(const Request&, Context&);
Result<Reply> release_fixture_copy(const Request&, Context&);
Result<Reply> release_fixture_verify(const Request&, Context&);
Result<Reply> release_diff(const Request&, Context&);

}  // namespace gh::ops
