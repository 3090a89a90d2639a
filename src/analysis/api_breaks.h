// What a caller of yesterday's surface can no longer do (analysis reference, "Public API").
#pragma once

#include <string>
#include <vector>

#include "analysis/api_surface.h"

namespace gh::analysis {

enum class ApiChangeKind : std::uint8_t { removed, signature_break };
std::string_view to_string(ApiChangeKind);

struct ApiChange {
  std::string path, qualname, detail;
  std::uint32_t start_line = 0, end_line = 0;
  ApiChangeKind kind = ApiChangeKind::removed;

  Map document() const;
};

struct ApiDifference {
  std::vector<ApiChange> breaking{};  // by path, lines, qualname, kind
  std::vector<std::string> added{};   // qualnames, sorted
};

/// `strict_types`: another annotation breaks too. `unclear`: sorted paths of files of `after` that
/// could not be read as a whole; what they still offer is not known.
ApiDifference compare_api(const ApiSurface& before, const ApiSurface& after, bool strict_types,
                          const std::vector<std::string>& unclear = {});

/// What breaks callers of `before`; empty: nothing does.
std::string signature_break(const ApiSymbol& before, const ApiSymbol& after, bool strict_types);

}  // namespace gh::analysis
