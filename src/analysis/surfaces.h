// Where the project reaches beyond itself: an inventory, and no claim that anything is wrong
// (analysis reference, "Security surfaces").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/project.h"
#include "analysis/surface_rows.h"
#include "model/value.h"

namespace gh::analysis {

enum class SurfaceScope : std::uint8_t { module, class_, callable };
std::string_view to_string(SurfaceScope);

struct Surface {
  std::string_view path;
  std::uint32_t start_line = 0, end_line = 0;
  std::string qualname{}, module{};
  const SurfaceRow* row = nullptr;
  std::string evidence_symbol{};
  SurfaceScope scope = SurfaceScope::module;
};

/// By path, lines, name, category, capability and evidence.
std::vector<Surface> surfaces_of(const Project&);

Map surface_family(const std::vector<Surface>&);
/// Of its items.
Map surface_summary(const List& items);

/// What of each category there is: names with what they reach, sorted, each as often
/// as it does so.
std::map<std::string, std::vector<std::string>, std::less<>> surfaces_by_category(
    const std::vector<Surface>&);

}  // namespace gh::analysis
