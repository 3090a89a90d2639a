#include "proposal/bisect.h"

namespace gh::proposal {

Result<std::size_t> first_failing(std::size_t n,
                                  const std::function<Result<bool>(std::size_t)>& passes) {
  std::size_t first = 0, failing = n;  // what lies before `first` passes
  while (first < failing) {
    const std::size_t middle = first + (failing - first) / 2;
    GH_TRY(holds, passes(middle));
    if (holds) {
      first = middle + 1;
    } else {
      failing = middle;
    }
  }
  return failing;
}

}  // namespace gh::proposal
