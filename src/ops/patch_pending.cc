// Operations of the patch gate that land with its pipeline.
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
