// The corpus of before/after pairs: how many rows are right, and how many widenings are found.
#include <algorithm>
#include <cstdio>
#include <set>

#include <gtest/gtest.h>

#include "powers/compare.h"
#include "tests/host_diff_kit.h"

namespace gh::powers {
namespace {

struct Score {
  int right = 0, wrong = 0, missing = 0, widenings = 0, missing_widenings = 0;
};

Score score_of(const host_pairs::Pair& pair, std::string& told) {
  Score out;
  std::multiset<std::string> expected, got;
  for (const std::string& row : pair.rows)
    expected.insert(host_pairs::plain(row));
  for (const Row& row : compare(host_pairs::files_of(pair)))
    got.insert(host_pairs::plain(host_pairs::line_of(row)));
  for (const std::string& row : expected) {
    const bool widens = row.starts_with("widens ");
    out.widenings += widens;
    if (got.contains(row)) continue;
    ++out.missing;
    out.missing_widenings += widens;
    told += "\n  " + pair.name + "\n    missing: " + row;
  }
  for (const std::string& row : got) {
    ++(expected.contains(row) ? out.right : out.wrong);
    if (!expected.contains(row)) told += "\n  " + pair.name + "\n    wrong:   " + row;
  }
  return out;
}

TEST(HostPairs, are_at_least_sixty_over_all_hosts) {
  const auto pairs = host_pairs::all_pairs();
  EXPECT_GE(pairs.size(), 60u);
  std::set<std::string> hosts;
  for (const auto& pair : pairs)
    for (const std::string& row : pair.rows)
      hosts.insert(std::string(split(row, ' ')[3]));
  EXPECT_EQ(hosts, (std::set<std::string>{"agents", "ci", "claude", "codex", "cursor", "gemini",
                                          "vscode"}));
  std::set<std::string> names;
  for (const auto& pair : pairs)
    EXPECT_TRUE(names.insert(pair.name).second) << pair.name;
}

TEST(HostPairs, give_the_rows_that_were_written_from_the_documentation) {
  Score all;
  std::string told;
  for (const auto& pair : host_pairs::all_pairs()) {
    const Score one = score_of(pair, told);
    all.right += one.right;
    all.wrong += one.wrong;
    all.missing += one.missing;
    all.widenings += one.widenings;
    all.missing_widenings += one.missing_widenings;
  }
  const double precision = static_cast<double>(all.right) / (all.right + all.wrong);
  const double recall = static_cast<double>(all.widenings - all.missing_widenings) / all.widenings;
  std::printf("rows %d right, %d wrong, %d missing; precision %.4f, recall of widenings %.4f%s\n",
              all.right, all.wrong, all.missing, precision, recall, told.c_str());
  EXPECT_GE(precision, 0.98) << told;
  EXPECT_GE(recall, 0.95) << told;
}

TEST(HostPairs, are_decided_as_their_rows_say) {
  for (const auto& pair : host_pairs::all_pairs())
    EXPECT_EQ(to_string(decision_of(compare(host_pairs::files_of(pair)))), pair.decision)
        << pair.name;
}

TEST(HostPairs, read_backwards_widen_where_they_narrowed) {
  // A change that is undone gives back what it took: whoever narrows forwards may not be silent
  // backwards, and the other way around.
  for (const auto& pair : host_pairs::all_pairs()) {
    auto files = host_pairs::files_of(pair);
    const auto forwards = compare(files);
    for (FilePair& file : files)
      std::swap(file.before, file.after);
    const auto backwards = compare(files);
    const auto has = [](const std::vector<Row>& rows, Effect effect) {
      return std::ranges::any_of(rows, [&](const Row& row) { return row.effect == effect; });
    };
    if (has(forwards, Effect::unread)) continue;
    EXPECT_EQ(forwards.empty(), backwards.empty()) << pair.name;
    if (has(forwards, Effect::narrows) && !has(forwards, Effect::widens))
      EXPECT_TRUE(has(backwards, Effect::widens)) << pair.name;
  }
}

TEST(HostPairs, give_the_same_rows_in_any_order_of_files) {
  for (const auto& pair : host_pairs::all_pairs()) {
    auto files = host_pairs::files_of(pair);
    const auto rows = compare(files);
    std::ranges::reverse(files);
    EXPECT_EQ(compare(files), rows) << pair.name;
  }
}

}  // namespace
}  // namespace gh::powers
