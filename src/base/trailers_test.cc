#include "base/trailers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gh {
namespace {

using Values = std::vector<std::string>;

Values decisions(std::string_view message) { return trailers(message, TrailerKey::decision); }

TEST(Trailers, KeysAreThoseOfTheDocuments) {
  constexpr std::string_view kNames[] = {
      "Gatehouse-Intent", "Gatehouse-Receipt",  "Gatehouse-Decision",
      "Gatehouse-Agent",  "Gatehouse-Proposal", "Gatehouse-Rollback",
      "Reviewed-By",      "Promoted-By",        "Co-Authored-By"};
  for (std::size_t i = 0; i < std::size(kNames); ++i)
    EXPECT_EQ(to_string(static_cast<TrailerKey>(i)), kNames[i]);
}

TEST(Trailers, StandInTheLastParagraph) {
  EXPECT_EQ(decisions("fix\n\nGatehouse-Decision: accepted\n"), Values{"accepted"});
  EXPECT_EQ(decisions("fix\n\nGatehouse-Decision: accepted\n\nmore\n"), Values{});
  EXPECT_EQ(decisions("Gatehouse-Decision: accepted\n"), Values{}) << "a title";
  EXPECT_EQ(decisions("fix\n\nGatehouse-Decision: a\nGatehouse-Decision: b\n"), (Values{"a", "b"}));
}

// What an attack found: forms that git reads, and that were taken for nothing.
TEST(Trailers, EveryFormThatGitReadsIsRead) {
  for (const std::string_view form :
       {"Gatehouse-Decision: bypassed", "gatehouse-decision: bypassed",
        "GATEHOUSE-DECISION: bypassed", "Gatehouse-Decision : bypassed",
        "Gatehouse-Decision\t \t: bypassed", "Gatehouse-Decision:bypassed",
        "Gatehouse-Decision:   bypassed  ", "Gatehouse-Decision:\n bypassed",
        "Gatehouse-Decision:\n\tbypassed", "Gatehouse-Decision:\r\n bypassed\r",
        "Gatehouse-Decision: bypassed\r"}) {
    EXPECT_EQ(decisions(fmt::format("fix\n\nbody\n\n{}\n", form)), Values{"bypassed"}) << form;
    EXPECT_EQ(decisions(fmt::format("fix\r\n\r\nbody\r\n\r\n{}\r\n", form)), Values{"bypassed"})
        << form;
    EXPECT_EQ(decisions(fmt::format("fix\n\n{}\n\n# comment\n", form)), Values{"bypassed"}) << form;
    EXPECT_EQ(decisions(fmt::format("fix\n\n{}\n  \n\n", form)), Values{"bypassed"}) << form;
    EXPECT_EQ(decisions(fmt::format("fix\n\n{}\n---\n a | 1 +\n", form)), Values{"bypassed"});
    EXPECT_EQ(decisions(fmt::format("fix\n\n{}\n\nConflicts:\n\ta\n", form)), Values{"bypassed"});
    EXPECT_EQ(decisions(fmt::format(
                  "fix\n\n{}\n# ------------------------ >8 ------------------------\nx\n", form)),
              Values{"bypassed"});
  }
  EXPECT_EQ(trailers("x\n\nGatehouse-Receipt: sha256:\n  ab\n  cd\n", TrailerKey::receipt),
            Values{"sha256: ab cd"});
}

// git with other settings, or a later one, may read these.
TEST(Trailers, FormsThatOnlySomeGitReadsAreReadToo) {
  for (const std::string_view message :
       {"fix\n\nGatehouse-Decision: bypassed\n\n; comment\n",
        "fix\n\nGatehouse-Decision: bypassed\n\n// one\n// two\n",
        "fix\n\nthis is no trailer\nGatehouse-Decision: bypassed\nnor is this\nor this\n",
        "fix\n\nGatehouse-Decision= bypassed\n", "\nGatehouse-Decision: bypassed\n",
        "fix\n\n# Note\nGatehouse-Decision: bypassed\n",
        "fix\n\nGatehouse-Decision: bypassed\n--- \nbody\n\nKey: x\n"})
    EXPECT_EQ(decisions(message), Values{"bypassed"}) << message;
  EXPECT_EQ(decisions(std::string_view("fix\n\nGatehouse-Decision: bypassed\n\0\n\nKey: x\n", 47)),
            Values{"bypassed"});
}

TEST(Trailers, WhatNoReaderTakesForOneIsNone) {
  for (const std::string_view message :
       {"fix\n\n Gatehouse-Decision: bypassed\n", "fix\n\nx Gatehouse-Decision: bypassed\n",
        "fix\n\nThe Gatehouse-Decision: bypassed\n", "fix\n\nGatehouse-Decision bypassed\n",
        "fix\n\nGatehouse-Decisions: bypassed\n", "fix\n\n> Gatehouse-Decision: bypassed\n", ""})
    EXPECT_EQ(decisions(message), Values{}) << message;
}

TEST(Trailers, AnywhereIsEveryLine) {
  constexpr std::string_view kMessage =
      "squashed\n\n* one\n\nco-authored-by : A <a@b>\nGatehouse-Agent: claude\n\n* two\n\nbody\n";
  EXPECT_EQ(values_anywhere(kMessage, TrailerKey::agent), Values{"claude"});
  EXPECT_EQ(values_anywhere(kMessage, TrailerKey::co_authored_by), Values{"A <a@b>"});
  EXPECT_EQ(trailers(kMessage, TrailerKey::agent), Values{});
}

TEST(Trailers, AMessageSpeaksOfUsInAnyCase) {
  EXPECT_TRUE(speaks_of_gatehouse("x\n\ngAtehouse-Receipt: y\n"));
  EXPECT_FALSE(speaks_of_gatehouse("the gatehouse is open\n"));
  EXPECT_FALSE(speaks_of_gatehouse(""));
}

}  // namespace
}  // namespace gh
