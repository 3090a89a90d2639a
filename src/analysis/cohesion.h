// LCOM4: into how many parts the methods of a class fall (analysis reference, "Cohesion").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/bindings.h"
#include "syntax/ir.h"

namespace gh::analysis {

struct Cohesion {
  std::uint32_t lcom4 = 1, methods = 0, instance_variables = 0, graph_nodes = 0;
  auto operator<=>(const Cohesion&) const = default;
};

struct MethodFact {
  std::string name;
  bool has_body = true;
  bool of_instance = true;               // takes part in the graph
  std::vector<std::string> touched{};    // members reached through the receiver, sorted
  std::vector<std::string> mentioned{};  // names that are members when the class has them, sorted
  bool operator==(const MethodFact&) const = default;
};

/// What a class, or a part of it, holds.
struct Members {
  bool is_protocol = false;
  std::vector<MethodFact> methods{};
  std::vector<std::string> fields{};  // that are declared, sorted
  bool operator==(const Members&) const = default;
};

/// The functions that are methods of the class at `node`, also those below conditions in its body.
std::vector<std::uint32_t> methods_of(const syntax::Tree&, std::uint32_t node);
bool is_protocol(const syntax::Tree&, const Bindings&, std::uint32_t node);
/// Classes of a file by their names, of those languages in which a bare name may be inherited.
using ClassesByName = std::unordered_map<std::string_view, std::uint32_t>;
ClassesByName classes_by_name(const syntax::Tree&);
Members members_of(const syntax::Tree&, const Bindings&, std::uint32_t node,
                   const ClassesByName& = {});
Cohesion cohesion_of(const Members&);
Cohesion cohesion_of(const syntax::Tree&, const Bindings&, std::uint32_t node);

}  // namespace gh::analysis
