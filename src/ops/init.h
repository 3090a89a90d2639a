// The text work of `init`: settings of another tool's table into our configuration, by insertion
// alone. Whatever a person wrote stays, byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/value.h"

namespace gh::ops {

struct LeftOut {
  std::string key, why;
};

struct InitPlan {
  std::string before{}, after{};      // of gatehouse.yaml
  std::vector<std::string> copied{};  // keys
  std::vector<LeftOut> left_out{};
  bool changes() const { return before != after; }
};

/// `settings` are those of [tool.codeclone]. policy errors when `yaml` cannot be read: such a file
/// is never touched. bad_argument when its analysis block is written in a way that cannot be
/// extended line by line; the message holds what to add by hand.
Result<InitPlan> plan_init(std::string_view yaml, const Map& settings);

}  // namespace gh::ops
