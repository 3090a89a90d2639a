// Modules that are large and on many ways at once, against the rest of the project (analysis
// reference, "Overloaded modules").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/columns.h"
#include "analysis/dependencies.h"
#include "analysis/project.h"
#include "model/value.h"

namespace gh::analysis {

/// What one module carries.
struct ModuleLoad {
  std::string module;
  std::string_view path;  // of its first file
  std::uint64_t loc = 0, functions = 0, methods = 0, classes = 0, callables = 0;
  std::uint64_t complexity_total = 0, complexity_max = 0;
  std::uint64_t fan_in = 0, fan_out = 0;  // other modules of the run
  std::uint64_t import_edges = 0;         // statements that lead to them

  std::uint64_t dependencies() const { return fan_in + fan_out; }
  std::uint64_t reimports() const { return import_edges > fan_out ? import_edges - fan_out : 0; }
};
/// By name.
std::vector<ModuleLoad> module_loads(const Project&, const Dependencies&);

enum class Overload : std::uint8_t { candidate, non_candidate, ranked_only };
std::string_view to_string(Overload);

struct ScoredModule {
  ModuleLoad load;
  Decimal reimport_ratio{}, instability{}, hub_balance{};
  Decimal reimport_rank{}, size{}, dependency{}, hub{}, shape{}, score{};
  Overload status = Overload::ranked_only;
  std::vector<std::string> reasons{};
};

struct OverloadedModules {
  std::vector<ScoredModule> modules{};  // by score, greatest first
  bool is_limited = true;               // too few to tell who stands out
  Decimal cutoff{};
};
/// A pure function of what the modules carry.
OverloadedModules overloaded_modules(std::vector<ModuleLoad>);
/// The same of modules that have nothing but their loads yet.
OverloadedModules ranked_modules(std::vector<ScoredModule>);

/// Without its items.
Map overloaded_family(const OverloadedModules&);
std::span<const Column<ScoredModule>> overloaded_columns();

}  // namespace gh::analysis
