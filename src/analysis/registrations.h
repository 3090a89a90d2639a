// Symbols that a framework calls, and how that is known (analysis reference, "Registrations").
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/symbols.h"

namespace gh::analysis {

struct Registration {
  std::uint32_t target = 0;  // symbol
  std::string framework{};
  std::string_view edge_kind{};  // decorator, argument, hook
  bool is_high = true;           // confidence: high, else medium
  std::uint32_t line = 0;        // of the evidence, in `file`
  std::uint32_t file = 0;
  std::string evidence{};         // what stands there, resolved
  std::string evidence_symbol{};  // the constructor, call or base class
  std::uint32_t source = kNone;   // the symbol whose code registers it; kNone: the module's
};

/// Is it the name of a method that a framework calls by itself?
bool is_framework_hook(std::string_view method);

/// By target, then place.
std::vector<Registration> registrations_of(const Project&, const SymbolIndex&, const Ancestry&);

/// qualname, lines and kind of the target, and everything of the registration.
Map registration_document(const Project&, const SymbolIndex&, const Registration&);

}  // namespace gh::analysis
