#pragma once
// Arguments of a tool as a request of an operation.
#include <string>

#include "mcp/catalogue.h"

namespace gh::mcp {

struct Translated {
  const Case* chosen = nullptr;
  ops::RawRequest request{};
  std::string input{};  // what the operation reads as standard input
  std::string root{};
  std::string detail_level{"summary"}, cursor{};
  std::size_t limit = 20;
};

/// Errors name the argument: bad_argument, invalid_choice, missing_argument.
Result<Translated> translate(const Tool&, const Map& arguments);

/// One argument into a request, also for variables of resources.
Status put_argument(const ops::Operation&, const Argument&, const Value&, Translated&);

}  // namespace gh::mcp
