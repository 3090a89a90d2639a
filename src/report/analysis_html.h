#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::report {

/// The text of a source file of the run; nothing when it is not at hand.
using SourceText = std::function<std::optional<std::string>(std::string_view path)>;

/// An analysis report as one page that needs nothing else: no script, no network. Charts are drawn
/// here; everything from outside is escaped, and what cannot be seen is made visible.
std::string analysis_html(const Value& report, const SourceText&);

}  // namespace gh::report
