#pragma once
// A refusal before its section and file are attached.
#include <string>
#include <utility>

#include "base/text.h"
#include "diff/lines.h"
#include "model/patch_rule.h"

namespace gh::diff {

struct Defect {
  Rule rule;
  Line line;  // number 0: the patch as a whole
  std::string message;
};
template <class T>
using Checked = tl::expected<T, Defect>;

inline tl::unexpected<Defect> defect(Rule rule, Line line, std::string message) {
  return tl::make_unexpected(Defect{rule, line, std::move(message)});
}

/// A name inside a message.
inline std::string shown(std::string_view name) { return printable(name, 60); }

}  // namespace gh::diff
