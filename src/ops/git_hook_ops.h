#pragma once
// Operations on the hooks of git.
#include "ops/operation.h"

namespace gh::ops {

Result<Reply> hook_git(const Request&, Context&);
Result<Reply> hook_install(const Request&, Context&);
Result<Reply> hook_uninstall(const Request&, Context&);
Result<Reply> hook_status(const Request&, Context&);
Result<Reply> hook_approve(const Request&, Context&);

}  // namespace gh::ops
