#pragma once
// The answer of `check` for people: what each gate said, why not, and what to do next.
#include <functional>
#include <string>
#include <vector>

#include "model/verdict.h"
#include "patch/outcome.h"
#include "report/diagnostics.h"
#include "report/look.h"
#include "report/patch_text.h"

namespace gh::report {

struct CheckTextContext {
  const patch::Outcome* outcome = nullptr;  // null: the patch gate was not asked
  PatchTextContext patch{};
  /// The lines to show with a reason; empty: none are at hand.
  std::function<std::vector<SourceLine>(const Reason&)> source{};
  std::string remark{};  // said above the last line
};

/// Parts in their order, then reasons by gate. About a screen of them, unless the look is verbose.
std::string render_check(const Verdict&, const CheckTextContext&, const Look&);

}  // namespace gh::report
