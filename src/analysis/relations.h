// Who calls or names which function of the project (analysis reference, "Function relationships").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/project.h"
#include "analysis/relation_facts.h"

namespace gh::analysis {

/// How a relation was decided. The first five lead to a declaration of the run.
enum class ResolutionRule : std::uint8_t {
  imported_symbol,
  imported_module_attribute,
  same_module_function,
  same_module_class_method,
  self_or_cls_method,
  local_shadowing,
  ambiguous_import,
  unresolved_name,
  unresolved_dynamic,
};
std::string_view to_string(ResolutionRule);
bool is_resolved(ResolutionRule);

enum class OriginLane : std::uint8_t { production, test };
std::string_view to_string(OriginLane);

struct Relation {
  std::uint32_t file = 0;  // whose code it is
  std::string source_qualname{};
  std::uint32_t line = 0;
  RelationKind kind = RelationKind::call;
  OriginLane lane = OriginLane::production;
  ResolutionRule rule = ResolutionRule::unresolved_name;
  std::uint32_t target_file = kNone;  // kNone when it is not resolved
  std::string target_qualname{};
  std::string expression{};

  bool operator==(const Relation&) const = default;
};

/// `facts[i]` are those of file i; empty for files whose code is of no interest. Every call and the
/// references that are resolved, by file and in the order of the source, each once.
std::vector<Relation> relations_of(const Project&, const std::vector<RelationFacts>& facts);

}  // namespace gh::analysis
