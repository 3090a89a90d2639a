#pragma once
// Who broke it (proposals 7.2): the queue tries trees, this says which one to try next.
#include <cstddef>
#include <functional>

#include "base/error.h"

namespace gh::proposal {

/// `passes(k)`: do the first k of n hold together? The first n are known to fail. Answers the k
/// whose k-th member turned a passing row into a failing one, both tried; 0: it fails without any
/// of them, and nobody in the row is to blame. Asks at most 1 + log2(n) times.
Result<std::size_t> first_failing(std::size_t n,
                                  const std::function<Result<bool>(std::size_t)>& passes);

}  // namespace gh::proposal
