#include "base/parallel.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gh {
namespace {

using Tasks = std::vector<std::function<void()>>;

TEST(RunAll, CallsEachTaskOnceWhateverTheNumberOfJobs) {
  for (const unsigned jobs : {0u, 1u, 2u, 8u}) {
    std::vector<std::atomic<int>> calls(100);
    Tasks tasks;
    for (std::atomic<int>& count : calls)
      tasks.emplace_back([&count] { ++count; });
    run_all(jobs, tasks);
    for (const std::atomic<int>& count : calls)
      EXPECT_EQ(count, 1) << jobs;
  }
}

TEST(RunAll, OneJobRunsHereAndInOrder) {
  std::vector<int> order;
  const std::thread::id here = std::this_thread::get_id();
  Tasks tasks;
  for (int i = 0; i < 5; ++i)
    tasks.emplace_back([&, i] {
      EXPECT_EQ(std::this_thread::get_id(), here);
      order.push_back(i);
    });
  run_all(1, tasks);
  EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
}

TEST(RunAll, NothingToDoIsDone) { run_all(4, Tasks{}); }

}  // namespace
}  // namespace gh
