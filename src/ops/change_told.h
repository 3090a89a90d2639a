// What a change does to the shape of the code, ready to be told: between two projects, or by a
// patch that nobody has applied yet.
#pragma once

#include <string>
#include <vector>

#include "analysis/change_answers.h"
#include "model/value.h"
#include "report/styled.h"

namespace gh::ops {

struct ChangeTold {
  std::vector<std::string> sentences{};
  Value document{};  // null: no change was asked about
};

/// `paths` hold everything that may differ; more than that does no harm.
ChangeTold tell_change(const analysis::Project& before, const analysis::Project& after,
                       const std::vector<std::string>& paths, const analysis::ChangeSides&);
/// `before` must live as long as this call.
ChangeTold tell_change(const analysis::Project& before, const analysis::Change&,
                       const analysis::ChangeSides&);

/// One line each; empty when there is nothing to tell and nobody asked.
report::Styled change_text(const ChangeTold&, std::size_t most);

}  // namespace gh::ops
