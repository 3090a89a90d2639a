#pragma once
// What the name of a tool says it does, for every kind of source (tool-surface 16.2).
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surface/tool.h"

namespace gh::surface {

/// `deleteUser`, `delete-user` and `users.delete` in single words, lower case.
std::vector<std::string> name_words(std::string_view name);

/// What a verb does; one that may do anything is ambiguous.
struct VerbClass {
  std::string verb;
  std::string_view what;  // destructive, write, financial, code, network, read
  bool ambiguous = false;
};

/// By the first word of the name, else its last, else the first of the description: what comes
/// first keeps "list deployments" a read. One that may do anything only when no other is there.
std::optional<VerbClass> verb_of(const Tool&);
bool is_mutating(const VerbClass&);  // it changes something, and nothing else can be meant
/// It says what the tool does, rather than that it does something.
inline bool is_evidence(const std::optional<VerbClass>& verb) { return verb && !verb->ambiguous; }

}  // namespace gh::surface
