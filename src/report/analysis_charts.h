#pragma once
// Drawings of an analysis report, as SVG inside a page.
#include <string>
#include <string_view>

#include "model/peek.h"

namespace gh::report {

std::string html(std::string_view text, std::size_t max = 2000);  // escaped, printable

/// One bar per dimension, from 0 to 100.
std::string health_chart(const Peek& dimensions);
/// How many functions have which complexity.
std::string complexity_chart(const Peek& family);
/// Modules in layers, by the longest chain below them; only those with most neighbours when there
/// are many.
std::string dependency_chart(const Peek& family);

}  // namespace gh::report
