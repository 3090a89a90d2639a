#pragma once
// Drawings of an analysis report, as SVG inside a page. Each thing that stands for a value has the
// class `mark` and says the value in its title.
#include <string>
#include <string_view>

#include "model/peek.h"

namespace gh::report {

/// The score as a ring, with its grade.
std::string health_ring(std::int64_t score, std::string_view grade);
/// One bar per dimension, from 0 to 100.
std::string health_chart(const Peek& dimensions);
/// How many functions have which complexity.
std::string complexity_chart(const Peek& family);
/// One bar per name, the longest first.
std::string count_chart(const Peek& counts, std::string_view label);
/// Modules in layers: whoever imports stands to the left of what it needs. Only those with most
/// neighbours when there are many.
std::string dependency_chart(const Peek& family);

}  // namespace gh::report
