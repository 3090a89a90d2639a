// Comments by which a declaration asks that a rule leave it alone (analysis reference,
// "Suppressions").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/names.h"
#include "model/value.h"
#include "syntax/ir.h"

namespace gh::analysis {

struct Declarations;
struct FileFacts;
struct Project;
struct UnitRef;

enum class Rule : std::uint8_t {
  dead_code,
  clone,
  complexity,
  coupling,
  cohesion,
  duplicated_branches,
  clone_cohort_drift,
  clone_guard_exit_divergence,
};
std::string_view to_string(Rule);

struct Directive {
  std::uint32_t line = 0;
  std::uint32_t declaration = kNone;  // kNone: it stands where it binds to nothing
  bool is_malformed = false;
  std::vector<NameId> rules{};
};

struct Suppressions {
  std::vector<Directive> directives{};
};

Suppressions suppressions_of(const syntax::Tree&, const Declarations&,
                             const std::vector<std::uint32_t>& nodes, NameWriter&);

bool is_suppressed(const FileFacts&, std::uint32_t declaration, Rule);
bool is_unit_suppressed(const FileFacts&, std::uint32_t unit, Rule);
bool is_class_suppressed(const FileFacts&, std::uint32_t class_index, Rule);
bool is_suppressed(const Project&, UnitRef, Rule);

/// Directives without effect: where, which rule, why.
List unused_suppressions(const Project&);

/// Those that bind, one entry per rule that is known: where, which symbol, which rule.
List bound_suppressions(const Project&);
/// Entries of `after` without a counterpart in `before`: the same rule, file and declaration. What
/// moved to another, also of that name, is added: comments are not carried to where they help.
List added_suppressions(const List& before, const List& after);
/// Each as a finding of its own, `suppression_added`.
List suppression_cards(const List& added);
/// A project in which these were never written.
Project without_suppressions(Project, const List& added);

}  // namespace gh::analysis
