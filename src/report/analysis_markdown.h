#pragma once
#include <string>

#include "model/value.h"

namespace gh::report {

/// An analysis report as Markdown, for comments and files.
std::string analysis_markdown(const Value& document);

/// The report as plain text, section by section, everything that was found.
std::string analysis_text(const Value& document);

/// "12.5", "3": without zeros that say nothing.
std::string shown(Decimal);

}  // namespace gh::report
