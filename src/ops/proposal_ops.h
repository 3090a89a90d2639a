#pragma once
// The operations of proposals (proposals 12) and of receipts.
#include "ops/operation.h"

namespace gh::ops {

Result<Reply> proposal_new(const Request&, Context&);
Result<Reply> proposal_submit(const Request&, Context&);
Result<Reply> proposal_lint(const Request&, Context&);
Result<Reply> proposal_list(const Request&, Context&);
Result<Reply> proposal_show(const Request&, Context&);
Result<Reply> proposal_diff(const Request&, Context&);
Result<Reply> proposal_review(const Request&, Context&);
Result<Reply> proposal_withdraw(const Request&, Context&);
Result<Reply> proposal_reject(const Request&, Context&);
Result<Reply> proposal_promote(const Request&, Context&);
Result<Reply> proposal_queue(const Request&, Context&);
Result<Reply> proposal_rollback(const Request&, Context&);
Result<Reply> proposal_recover(const Request&, Context&);
Result<Reply> proposal_rebase(const Request&, Context&);
Result<Reply> proposal_verify(const Request&, Context&);
Result<Reply> proposal_export(const Request&, Context&);
Result<Reply> proposal_import(const Request&, Context&);
Result<Reply> proposal_sync(const Request&, Context&);
/// `check --proposal ID`: what a promotion would say now, as one Verdict.
Result<Reply> check_proposal(const Request&, Context&);
Result<Reply> receipt_show(const Request&, Context&);
Result<Reply> receipt_verify(const Request&, Context&);
Result<Reply> receipt_export(const Request&, Context&);

}  // namespace gh::ops
