#include "ops/hidden_options.h"

#include <array>

namespace gh::ops {
namespace {

constexpr std::array kServe{Option{"test-fixtures", OptionType::flag, "", "",
                                   "the catalogue of the conformance suites, on loopback alone"}};

}  // namespace

std::span<const Option> hidden_options(const Operation& op) {
  if (op.words == "serve") return kServe;
  return {};
}

}  // namespace gh::ops
