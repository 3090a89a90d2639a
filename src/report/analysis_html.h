#pragma once
#include <string>

#include "model/value.h"
#include "report/side_by_side.h"

namespace gh::report {

/// An analysis report as one page that needs nothing else: no script, no network. Charts are drawn
/// here; everything from outside is escaped, and what cannot be seen is made visible.
std::string analysis_html(const Value& document, const SourceText&);

}  // namespace gh::report
