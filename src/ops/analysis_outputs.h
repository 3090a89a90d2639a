// Reports of a run as files: a page, Markdown, SARIF, text, JSON.
#pragma once

#include "ops/analysis_scope.h"
#include "policy/analysis_policy.h"

namespace gh::ops {

/// bad_argument when the name of a file does not end as its format does. Before any work.
Status check_outputs(const policy::AnalysisPolicy&);

/// Is a file asked for?
bool writes_outputs(const policy::AnalysisPolicy&);

/// Writes what was asked for, below `home` when the path is relative.
Status write_outputs(const policy::AnalysisPolicy&, const Value& report, const std::string& home,
                     int exit_code, Scope&, Context&);

}  // namespace gh::ops
