// The design's table: the worst of the parts that ran, allow < review < unverified < deny.
#include "model/verdict.h"

#include <string>

#include <gtest/gtest.h>

namespace gh {
namespace {

Part part(char word) {
  Part out{.gate = "patch", .ran = word != '-'};
  out.decision = word == 'd'   ? Decision::deny
                 : word == 'u' ? Decision::unverified
                 : word == 'r' ? Decision::review
                               : Decision::allow;
  if (!out.ran) out.decision = Decision::deny;  // what a gate that did not run would say is nothing
  return out;
}

TEST(VerdictParts, TheDecisionIsTheWorstOfThoseThatRan) {
  struct Row {
    const char* parts;
    const char* decision;
  };
  const Row rows[] = {
      {"", "allow"},         {"---", "allow"},      {"a--", "allow"},      {"aaa", "allow"},
      {"a-r", "review"},     {"rra", "review"},     {"aru", "unverified"}, {"-u-", "unverified"},
      {"ur-", "unverified"}, {"uda", "deny"},       {"d--", "deny"},       {"aad", "deny"},
      {"ddd", "deny"},       {"rud", "deny"},       {"a-a", "allow"},      {"-a-", "allow"},
      {"r--", "review"},     {"uuu", "unverified"}, {"arr", "review"},     {"dur", "deny"},
  };
  for (const Row& row : rows) {
    std::vector<Part> parts;
    for (const char word : std::string(row.parts))
      parts.push_back(part(word));
    EXPECT_EQ(to_string(worst(parts)), row.decision) << row.parts;
  }
}

// All combinations of three gates against the rule stated a second way.
TEST(VerdictParts, ADenyWinsThenDoubtThenReview) {
  const std::string words = "-arud";
  for (const char a : words)
    for (const char b : words)
      for (const char c : words) {
        const std::string all{a, b, c};
        const auto has = [&](char word) { return all.find(word) != all.npos; };
        const char* expected = has('d')   ? "deny"
                               : has('u') ? "unverified"
                               : has('r') ? "review"
                                          : "allow";
        EXPECT_EQ(to_string(worst({part(a), part(b), part(c)})), expected) << all;
      }
}

}  // namespace
}  // namespace gh
