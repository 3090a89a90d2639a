// Functions, methods and classes that nothing uses (analysis reference, "Dead code").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/finding.h"
#include "analysis/project.h"
#include "analysis/registrations.h"

namespace gh::analysis {

enum class DeadReason : std::uint8_t {
  unreferenced,
  unreachable_cycle,
  only_used_by_dead_code,
  unknown_decorator,
  property,
  external_base,
  named_in_string,
  interface_method,
};
std::string_view to_string(DeadReason);

struct DeadItem {
  Place place;
  DeclarationKind kind = DeclarationKind::function;
  DeadReason reason = DeadReason::unreferenced;

  bool is_high() const { return reason == DeadReason::unreferenced; }  // the others are medium
};

struct DeadCode {
  std::vector<DeadItem> items{}, suppressed{};  // by path, lines, qualname, kind
  std::uint64_t candidates = 0;
  List registrations{};  // documents of what frameworks call

  std::uint64_t high_confidence() const;
};
DeadCode dead_code_of(const Project&);
struct UseGraph;
/// And who uses whom, to be kept.
DeadCode dead_code_of(const Project&, UseGraph&);

/// Does the root look like something that others import?
bool keeps_public_api(const Project&);

/// Without its items, which may be many.
Map dead_code_family(const DeadCode&);
/// Their findings: by priority, then id.
std::vector<const DeadItem*> ranked_dead_code(const std::vector<DeadItem>&);
Severity severity_of(const DeadItem&);
Group dead_code_group(const DeadItem&);
Map dead_code_item(const DeadItem&);

}  // namespace gh::analysis
