// Independent pieces of work side by side. What they make is theirs alone until all are done, so
// that no order of threads can be seen in it.
#pragma once

#include <functional>
#include <span>

namespace gh {

/// Calls each task once, at most `jobs` at a time (0: one per core), and returns when all are done.
/// With one job they run here, in order; begin with the longest.
void run_all(unsigned jobs, std::span<const std::function<void()>> tasks);

}  // namespace gh
