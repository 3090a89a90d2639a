// What a file hands to frameworks, before it is known what those things are.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/declarations.h"

namespace gh::analysis {

/// `app = FastAPI()`, or a function that a decorator turns into an object.
struct ObjectFact {
  NameId name = 0, maker = 0;  // the maker as a resolved dotted name
};

/// A decorator that may register what it decorates.
struct DecorationFact {
  std::uint32_t declaration = 0, line = 0;
  NameId target = 0;  // resolved dotted name
};

/// A name that is passed to a call which may register it.
struct HandedFact {
  NameId callee = 0, argument = 0;  // resolved dotted names
  std::uint32_t owner = kNone, line = 0;
};

struct RegistrationFacts {
  std::vector<ObjectFact> objects{};
  std::vector<DecorationFact> decorations{};
  std::vector<HandedFact> handed{};
};

RegistrationFacts registration_facts_of(const syntax::Tree&, const Bindings&, const Declarations&,
                                        const std::vector<std::uint32_t>& nodes, NameWriter&);

}  // namespace gh::analysis
