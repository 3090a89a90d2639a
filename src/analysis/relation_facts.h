// What the code of a file calls and names, as written. It is read only when somebody asks who uses
// a function; whose names they are is decided over the project (relations.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/names.h"
#include "syntax/front_end.h"

namespace gh::analysis {

enum class RelationKind : std::uint8_t { call, reference };
std::string_view to_string(RelationKind);

/// What the first name of an expression is, as far as its own file can tell.
enum class RelationHead : std::uint8_t {
  name,
  local,     // bound by the function around it
  receiver,  // the object of the method, or its class
  base,      // the same, but what the class itself declares is passed over
  none,      // no name: the result of a call, an element, a literal
};

struct RelationFact {
  std::uint32_t owner = kNone;  // the declaration whose code it is; kNone: the module's
  RelationKind kind = RelationKind::call;
  RelationHead head = RelationHead::name;
  std::uint32_t line = 0;
  std::vector<std::string> path{};  // `a.b.c`; empty without a name
  std::string expression{};         // at most kMaxExpression bytes
};

/// One name that an import brings. `bound` is "*" when it brings all names of the module, `name` is
/// empty when it brings the module itself.
struct ImportedName {
  std::uint32_t owner = kNone;  // the function that it is written in
  std::string bound{}, module{}, name{};
  std::uint32_t level = 0;
  bool is_from = false;
};

struct BaseFact {
  std::uint32_t declaration = 0;
  std::vector<std::string> path{};
};

struct RelationFacts {
  std::vector<RelationFact> all{};  // in the order of the source
  std::vector<ImportedName> imports{};
  std::vector<BaseFact> bases{};
};

inline constexpr std::size_t kMaxExpression = 200;

/// Reads one file. Declarations are numbered as in its FileFacts. Nothing from a file that cannot
/// be read.
class RelationReader {
 public:
  RelationFacts facts_of(syntax::Language, std::string_view source);

 private:
  syntax::FrontEnd front_end_{};
  syntax::Tree tree_{};
};

}  // namespace gh::analysis
