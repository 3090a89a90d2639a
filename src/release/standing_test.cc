#include "release/standing.h"

#include <gtest/gtest.h>

#include "wire/json.h"

namespace gh::release {
namespace {

Value json(std::string_view text) { return *wire::read_json(std::string(text), "report"); }

/// A report with these findings and what the decision makes of them.
Value report(const std::string& decision, const std::string& findings,
             const std::string& blockers = "", const std::string& reviews = "",
             const std::string& warnings = "", int weak = 0) {
  return json(R"({"findings":[)" + findings + R"(],"source_warnings":[)" + warnings +
              R"(],"release_decision":{"decision":")" + decision + R"(","blockers":[)" + blockers +
              R"(],"review_items":[)" + reviews +
              R"(],"evidence_coverage":{"low_confidence_tool_count":)" + std::to_string(weak) +
              "}}}");
}
const std::string kA = R"({"id":"fp_a","fingerprint":"fp_a"})",
                  kB = R"({"id":"fp_b","fingerprint":"fp_b"})";

Decision decided(const Value& head, const Value* base = nullptr) {
  return outcome_of_change(head, base).decision;
}

TEST(Standing, TheDecisionIsThatOfTheReportWhereTheBaseSaysNothing) {
  EXPECT_EQ(decided(report("passed", "")), Decision::allow);
  EXPECT_EQ(decided(report("review_required", kA, "", kA)), Decision::review);
  EXPECT_EQ(decided(report("insufficient_evidence", "")), Decision::unverified);
  EXPECT_EQ(decided(report("blocked", kA, kA)), Decision::deny);
  EXPECT_EQ(decided(report("", "")), Decision::unverified) << "no decision";
  EXPECT_EQ(decided(report("nobody_knows", "")), Decision::unverified);
  EXPECT_EQ(decided(Value()), Decision::unverified);
}

TEST(Standing, OnlyANewBlockerStopsAChange) {
  const Value base = report("blocked", kA, kA);
  const ChangeOutcome old = outcome_of_change(report("blocked", kA, kA), &base);
  EXPECT_EQ(old.decision, Decision::review);
  EXPECT_EQ(old.standing, std::set<std::string>{"fp_a"});
  const ChangeOutcome both =
      outcome_of_change(report("blocked", kA + "," + kB, kA + "," + kB), &base);
  EXPECT_EQ(both.decision, Decision::deny);
  EXPECT_EQ(both.standing, std::set<std::string>{"fp_a"});
  // The base knew it, and let it pass.
  const Value lax = report("passed", kA);
  EXPECT_EQ(decided(report("blocked", kA, kA), &lax), Decision::review);
}

TEST(Standing, WhatTheBaseSuppressesDidNotStandThere) {
  const Value base = report("passed", R"({"id":"fp_a","fingerprint":"fp_a","suppressed":true})");
  EXPECT_EQ(decided(report("blocked", kA, kA), &base), Decision::deny);
}

TEST(Standing, OneMoreOfTheSameKindIsNew) {
  const std::string twin = R"({"id":"fp_a_2","fingerprint":"fp_a"})";
  const Value base = report("blocked", kA, kA);
  EXPECT_EQ(decided(report("blocked", kA + "," + twin, kA + "," + twin), &base), Decision::deny);
}

TEST(Standing, EvidenceThatWasMissingBeforeLeavesAPersonToLook) {
  const Value base = report("insufficient_evidence", "", "", "", R"("w")", 3);
  EXPECT_EQ(decided(report("insufficient_evidence", "", "", "", R"("w")", 3), &base),
            Decision::review);
  EXPECT_EQ(decided(report("insufficient_evidence", "", "", "", R"("v")", 3), &base),
            Decision::unverified);
  EXPECT_EQ(decided(report("insufficient_evidence", "", "", "", R"("w")", 4), &base),
            Decision::unverified);
  const Value passed = report("passed", "");
  EXPECT_EQ(decided(report("insufficient_evidence", "", "", "", "", 0), &passed),
            Decision::unverified);
  // A blocker of old does not hide a source that can no longer be read.
  const Value blocked = report("blocked", kA, kA);
  EXPECT_EQ(decided(report("blocked", kA, kA, "", R"("v")"), &blocked), Decision::unverified);
}

}  // namespace
}  // namespace gh::release
