// Operations that arrive with the patch pipeline; each leaves this file when it is defined there.
#include "ops/patch_ops.h"

namespace gh::ops {

Result<Reply> check_change(const Request&, Context&) {
  return fail(Code::internal_error, "the patch pipeline is not linked in");
}
Result<Reply> patch_check(const Request& r, Context& c) { return check_change(r, c); }
Result<Reply> patch_apply(const Request& r, Context& c) { return check_change(r, c); }
Result<Reply> patch_bundle(const Request& r, Context& c) { return check_change(r, c); }
Result<Reply> patch_unfreeze(const Request& r, Context& c) { return check_change(r, c); }

}  // namespace gh::ops
