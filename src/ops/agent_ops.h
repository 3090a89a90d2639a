#pragma once
// Operations that agents ask for first of all.
#include "ops/operation.h"

namespace gh::ops {

Result<Reply> status(const Request&, Context&);
Result<Reply> change_declare(const Request&, Context&);
Result<Reply> document_show(const Request&, Context&);

}  // namespace gh::ops
