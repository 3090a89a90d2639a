// Which module needs which: edges, cycles, depth (analysis reference, "Dependencies").
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/project.h"
#include "model/value.h"

namespace gh::analysis {

struct DependencyEdge {
  std::uint32_t from = 0, to = 0;  // modules
  std::uint32_t line = 0, statements = 0;
  bool is_from = false, typing_only = false, deferred = false;  // of all its statements
  std::vector<std::string> paths{};  // who imports it, when `from` is more than one file; sorted
};

struct Cycle {
  std::vector<std::string> members{};  // sorted
  bool deferred = false;               // gone without the imports inside functions
  bool operator==(const Cycle&) const = default;
};

struct Dependencies {
  std::vector<std::string> modules{};  // sorted
  std::vector<DependencyEdge> edges{};
  std::vector<Cycle> cycles{};          // by length, then members
  std::vector<std::uint32_t> depths{};  // of modules
  std::uint32_t max_depth = 0, p95_depth = 0;
  Decimal average_depth{};
  std::vector<std::vector<std::string>> longest_chains{};
};

Dependencies dependencies_of(const Project&);

/// The same for modules and edges that are known, in their order: circles, depths and chains.
void complete(Dependencies&);

struct ModuleIndex;
/// What one file alone needs, in the order of the modules; `number` gives a module its number, or
/// kNone. Of a module with several files it says nothing.
std::vector<DependencyEdge> edges_of(const ModuleIndex&, const AnalysedFile&,
                                     const std::function<std::uint32_t(std::string_view)>& number);

}  // namespace gh::analysis
