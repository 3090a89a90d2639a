#pragma once
// Operations of change control.
#include "ops/operation.h"

namespace gh::ops {

Result<Reply> change_start(const Request&, Context&);
Result<Reply> change_status(const Request&, Context&);
Result<Reply> change_list(const Request&, Context&);
Result<Reply> change_check(const Request&, Context&);
Result<Reply> change_extend(const Request&, Context&);
Result<Reply> change_renew(const Request&, Context&);
Result<Reply> change_promote(const Request&, Context&);
Result<Reply> change_finish(const Request&, Context&);
Result<Reply> change_abandon(const Request&, Context&);
Result<Reply> change_queue(const Request&, Context&);
Result<Reply> change_watch(const Request&, Context&);
Result<Reply> change_recover(const Request&, Context&);
Result<Reply> change_reset(const Request&, Context&);
Result<Reply> change_reap(const Request&, Context&);
Result<Reply> change_budget(const Request&, Context&);
Result<Reply> change_verify(const Request&, Context&);
Result<Reply> receipt_create(const Request&, Context&);
Result<Reply> receipt_attach(const Request&, Context&);
Result<Reply> receipt_trailers(const Request&, Context&);
Result<Reply> hook_test(const Request&, Context&);
Result<Reply> check_claims(const Request&, Context&);

}  // namespace gh::ops
