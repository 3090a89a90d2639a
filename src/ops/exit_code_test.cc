#include "ops/exit_code.h"

#include <vector>

#include <gtest/gtest.h>

namespace gh::ops {
namespace {

TEST(ExitCode, ClassesOfFaults) {
  EXPECT_EQ(static_cast<int>(exit_code(CodeClass::usage)), 2);
  EXPECT_EQ(static_cast<int>(exit_code(CodeClass::input)), 3);
  EXPECT_EQ(static_cast<int>(exit_code(CodeClass::environment)), 4);
  EXPECT_EQ(static_cast<int>(exit_code(CodeClass::internal)), 5);
}

struct Row {
  Decision decision;
  bool exit_zero, exit_review, strict;
  int code;
};

TEST(ExitCode, DecisionsWithEveryWish) {
  const Row rows[] = {
      {Decision::allow, false, false, false, 0},
      {Decision::allow, false, true, true, 0},
      {Decision::review, false, false, false, 0},
      {Decision::review, false, false, true, 1},
      {Decision::review, false, true, false, 10},
      {Decision::review, false, true, true, 10},
      {Decision::review, true, false, true, 0},
      {Decision::unverified, false, false, false, 1},
      {Decision::unverified, false, true, false, 11},
      {Decision::unverified, true, true, false, 0},
      {Decision::deny, false, false, false, 1},
      {Decision::deny, false, true, false, 1},
      {Decision::deny, true, false, false, 0},
  };
  for (const Row& r : rows)
    EXPECT_EQ(static_cast<int>(exit_code(r.decision, {}, {r.exit_zero, r.exit_review, r.strict})),
              r.code)
        << to_string(r.decision);
}

TEST(ExitCode, AFaultKeepsItsCodeUnlessAnotherGateDenied) {
  EXPECT_EQ(exit_code(Decision::unverified, Code::git_not_found), ExitCode::environment);
  EXPECT_EQ(exit_code(Decision::unverified, Code::policy_bad_value), ExitCode::usage);
  EXPECT_EQ(exit_code(Decision::unverified, Code::patch_missing), ExitCode::input);
  EXPECT_EQ(exit_code(Decision::unverified, Code::policy_bad_value, {.exit_zero = true}),
            ExitCode::usage);
  EXPECT_EQ(exit_code(Decision::deny, Code::git_not_found), ExitCode::denied);
}

TEST(ExitCode, MapsOfOtherTools) {
  struct Mapped {
    ExitCode code;
    int native, shipgate, codeclone;
    std::string_view headline;
  };
  const Mapped mapped_rows[] = {
      {ExitCode::done, 0, 0, 0, ""},
      {ExitCode::denied, 1, 20, 3, "GATING FAILURE:"},
      {ExitCode::usage, 2, 2, 2, "CONTRACT ERROR:"},
      {ExitCode::input, 3, 3, 2, "CONTRACT ERROR:"},
      {ExitCode::environment, 4, 4, 2, "CONTRACT ERROR:"},
      {ExitCode::internal, 5, 4, 5, "INTERNAL ERROR:"},
      {ExitCode::interrupted, 130, 130, 130, ""},
  };
  for (const Mapped& row : mapped_rows) {
    EXPECT_EQ(mapped(row.code, ExitMap::native), row.native);
    EXPECT_EQ(mapped(row.code, ExitMap::shipgate), row.shipgate);
    EXPECT_EQ(mapped(row.code, ExitMap::codeclone), row.codeclone);
    EXPECT_EQ(exit_headline(row.code, ExitMap::codeclone), row.headline);
    EXPECT_EQ(exit_headline(row.code, ExitMap::native), "");
  }
  EXPECT_EQ(exit_map_named("native"), ExitMap::native);
  EXPECT_EQ(exit_map_named("shipgate"), ExitMap::shipgate);
  EXPECT_EQ(exit_map_named("codeclone"), ExitMap::codeclone);
  EXPECT_EQ(exit_map_named("other"), std::nullopt);
}

TEST(ExitCode, TableListsTheCodesOfTheContract) {
  std::vector<int> codes;
  for (const ExitCodeRow& row : exit_codes())
    codes.push_back(static_cast<int>(row.code));
  EXPECT_EQ(codes, (std::vector<int>{0, 1, 2, 3, 4, 5, 10, 11, 130, 143}));
}

}  // namespace
}  // namespace gh::ops
