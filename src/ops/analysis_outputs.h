// Reports of a run as files: a page, Markdown, SARIF, text, JSON.
#pragma once

#include <optional>

#include "ops/analysis_scope.h"
#include "policy/analysis_policy.h"

namespace gh::ops {

/// bad_argument when the name of a file does not end as its format does. Before any work.
Status check_outputs(const policy::AnalysisPolicy&);
/// A path below `home` must not lead out of it through a link.
Status check_below(const std::string& home, const std::string& path);

/// Is a file asked for?
bool writes_outputs(const policy::AnalysisPolicy&);

/// How the document itself is printed, on standard output and into a file.
struct JsonForm {
  std::optional<std::int64_t> items{};  // of each metric, at most; none: all
  bool is_compact = false;
};
JsonForm json_form(const Request&);
/// The document with at most so many items of each metric; those that lost some say so. What it
/// says of its digest stays: that is of the whole one.
void limit_items(Value& report, const JsonForm&);

/// Writes what was asked for. A relative path of the request is below the current folder, one of
/// the configuration below the root.
Status write_outputs(const policy::AnalysisPolicy&, const Value& report, const Request&,
                     int exit_code, Scope&, Context&);

}  // namespace gh::ops
