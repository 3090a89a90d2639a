#pragma once
// Operations that explain the product itself, and look after a repository's set-up.
#include "ops/operation.h"

namespace gh::ops {

Result<Reply> explain(const Request&, Context&);
Result<Reply> rule_list(const Request&, Context&);
Result<Reply> rule_show(const Request&, Context&);
Result<Reply> contract(const Request&, Context&);
Result<Reply> schema(const Request&, Context&);
Result<Reply> config_show(const Request&, Context&);
Result<Reply> config_validate(const Request&, Context&);
Result<Reply> audit_log(const Request&, Context&);
Result<Reply> audit_export(const Request&, Context&);
Result<Reply> audit_verify(const Request&, Context&);
Result<Reply> db_check(const Request&, Context&);
Result<Reply> db_backup(const Request&, Context&);
Result<Reply> db_migrate(const Request&, Context&);
Result<Reply> db_vacuum(const Request&, Context&);
Result<Reply> init(const Request&, Context&);
Result<Reply> doctor(const Request&, Context&);
Result<Reply> completion(const Request&, Context&);
Result<Reply> man(const Request&, Context&);
Result<Reply> version(const Request&, Context&);
Result<Reply> complete_values(const Request&, Context&);
Result<Reply> help(const Request&, Context&);

}  // namespace gh::ops
