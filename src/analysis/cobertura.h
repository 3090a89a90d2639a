// A Cobertura report: which lines of which files a test run could reach, and which it did
// (analysis reference, "Coverage").
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace gh::analysis {

inline constexpr std::size_t kMaxCoverageBytes = 25u << 20;
inline constexpr std::size_t kMaxCoverageSources = 100;

struct LineHit {
  std::uint32_t line = 0;
  bool covered = false;
  bool operator==(const LineHit&) const = default;
};

/// What the report says, as it says it.
struct CoberturaReport {
  struct Class {
    std::string filename;
    std::vector<LineHit> lines{};
  };
  std::vector<std::string> sources{};
  std::vector<Class> classes{};
};
/// `name` is what messages show. Elements that lack what they need are passed over.
Result<CoberturaReport> read_cobertura(std::string_view xml, std::string_view name);

/// Where the files of the report are looked for.
struct CoverageRoot {
  std::string folder;                            // absolute
  std::function<bool(std::string_view)> exists;  // is there a file of this path below it?
};

/// The path from the folder on; nullopt when it is not below it. Both are in normal form.
std::optional<std::string> below(std::string_view folder, std::string_view path);

/// Which file below the root the report means; nullopt: none that could be there.
std::optional<std::string> resolved_filename(std::string_view filename,
                                             const std::vector<std::string>& sources,
                                             const CoverageRoot&);

/// By path below the root; lines in their order, each once, covered when any class says so.
using CoveredFiles = std::map<std::string, std::vector<LineHit>, std::less<>>;
CoveredFiles covered_files(const CoberturaReport&, const CoverageRoot&);

}  // namespace gh::analysis
