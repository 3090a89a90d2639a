#include "ops/calibration.h"

#include <gtest/gtest.h>

#include "wire/json.h"

namespace gh::ops {
namespace {

std::vector<git::CommitSize> sizes(std::initializer_list<std::pair<int, int>> files_and_added) {
  std::vector<git::CommitSize> out;
  for (const auto& [files, added] : files_and_added)
    out.push_back({ObjectId::of(HashKind::sha1, "blob", "x"), files, added, 0, false});
  return out;
}

TEST(Calibration, CountsCommitsWithinEachCandidate) {
  const Calibration c = calibrate(sizes({{1, 10}, {2, 30}, {5, 400}, {6, 401}}), 5, 400);
  EXPECT_EQ(c.commits, 4);
  EXPECT_EQ(c.admitted_now, 3);
  EXPECT_EQ(c.files[0].limit, 1);
  EXPECT_EQ(c.files[0].commits, 1);
  EXPECT_EQ(c.files[3].limit, 5);
  EXPECT_EQ(c.files[3].commits, 3);
  EXPECT_EQ(c.added_lines[4].limit, 400);
  EXPECT_EQ(c.added_lines[4].commits, 3);
}

TEST(Calibration, ProposesTheSmallestLimitThatAdmitsTheShare) {
  std::vector<git::CommitSize> all;
  for (int i = 1; i <= 100; ++i)
    all.push_back({ObjectId::of(HashKind::sha1, "blob", "x"), i, 1000 - i, 0, false});
  const Calibration c = calibrate(all, 5, 400);
  ASSERT_EQ(c.proposals.size(), 3u);
  EXPECT_EQ(c.proposals[0].percent, 90);
  EXPECT_EQ(c.proposals[0].max_files, 90);
  EXPECT_EQ(c.proposals[0].max_added_lines, 989);
  EXPECT_EQ(c.proposals[0].commits, 80);  // both at once admit fewer than each alone
  EXPECT_EQ(c.proposals[1].max_files, 95);
  EXPECT_EQ(c.proposals[2].max_files, 99);
}

TEST(Calibration, ALimitIsAtLeastOne) {
  const Calibration c = calibrate(sizes({{0, 0}, {0, 0}}), 5, 400);
  EXPECT_EQ(c.proposals[0].max_files, 1);
  EXPECT_EQ(c.proposals[0].max_added_lines, 1);
}

TEST(Calibration, BucketsHoldEveryCommitOnce) {
  const Calibration c = calibrate(
      sizes({{1, 0}, {4, 1}, {5, 10}, {6, 11}, {20, 400}, {21, 401}, {51, 1001}, {900, 9}}), 5,
      400);
  std::int64_t files = 0, added = 0;
  for (const Bucket& b : c.files_histogram)
    files += b.commits;
  for (const Bucket& b : c.added_histogram)
    added += b.commits;
  EXPECT_EQ(files, 8);
  EXPECT_EQ(added, 8);
  EXPECT_EQ(c.files_histogram[3].commits, 2);  // 4-5
  EXPECT_EQ(c.files_histogram.back().commits, 2);
}

TEST(Calibration, AnEmptyHistoryIsNoFault) {
  const Calibration c = calibrate({}, 5, 400);
  EXPECT_TRUE(c.proposals.empty());
  EXPECT_EQ(render_calibration(c, {}), "there are no commits to learn from\n");
  EXPECT_NE(wire::canonical_json(calibration_document(c)).find("\"commits\":0"), std::string::npos);
}

TEST(Calibration, SharesAreDecimals) {
  const Calibration c = calibrate(sizes({{1, 1}, {1, 1}, {9, 1}}), 5, 400);
  const Map document = calibration_document(c);
  EXPECT_NE(wire::canonical_json(document).find(
                R"("current":{"commits":2,"max_added_lines":400,"max_files":5,"share":0.6666})"),
            std::string::npos);
}

}  // namespace
}  // namespace gh::ops
