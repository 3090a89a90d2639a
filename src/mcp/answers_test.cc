// What a client reads that does not look at structured content: interfaces 1.8.
#include "mcp/answers.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ops/operation.h"

namespace gh::mcp {
namespace {

std::string text_of(Map document) { return compact_text(Value(std::move(document)), ops::Reply{}); }

TEST(ToolTexts, AVerdictThatIsAWordIsSaidWithItsNextStep) {
  struct Case {
    const char *schema, *verdict, *next;  // the beginning; empty: nothing is left to do
  };
  const std::vector<Case> cases{
      {"gatehouse.run_comparison/1", "regressed", "call findings"},
      {"gatehouse.run_comparison/1", "mixed", "call findings"},
      {"gatehouse.run_comparison/1", "incomparable", "call analyze_repository"},
      {"gatehouse.run_comparison/1", "stable", ""},
      {"gatehouse.run_comparison/1", "improved", ""},
      {"gatehouse.review_receipt/1", "needs_attention", "have a person decide"},
      {"gatehouse.review_receipt/1", "incomplete", "call finish_controlled_change"},
      {"gatehouse.review_receipt/1", "clean", ""},
  };
  for (const Case& c : cases) {
    const std::string text = text_of({{"schema", c.schema}, {"verdict", c.verdict}});
    const std::string expected = std::string("verdict: ") + c.verdict + "\n" +
                                 (*c.next == '\0' ? "" : std::string("next: ") + c.next);
    EXPECT_TRUE(text.starts_with(expected)) << text;
    EXPECT_EQ(text.find("next: ") == text.npos, *c.next == '\0') << text;
  }
}

TEST(ToolTexts, AComparisonNamesItsFirstRegressions) {
  List regressions;
  for (int i = 0; i < 7; ++i)
    regressions.emplace_back(Map{{"id", "dead:f" + std::to_string(i)}, {"severity", "warning"}});
  const std::string text = text_of({{"schema", "gatehouse.run_comparison/1"},
                                    {"verdict", "incomparable"},
                                    {"reason", "different_root"},
                                    {"summary", "one line"},
                                    {"regressions", std::move(regressions)}});
  EXPECT_TRUE(text.starts_with("verdict: incomparable (different_root)\none line\n")) << text;
  EXPECT_NE(text.find("- warning dead:f4\nand 2 more regressions\n"), text.npos) << text;
}

TEST(ToolTexts, WhatAnAgentNeedsOfAnAnswerStandsInItsText) {
  const Map verdict{{"decision", "allow"}, {"headline", "go on"}};
  struct Case {
    Map more;
    const char* line;
  };
  const std::vector<Case> cases{
      {{{"worktree", Map{{"path", "/w"}}}}, "work in: /w\n"},
      {{{"landing", Map{{"landed", true}}}}, "landed in the main work tree\n"},
      {{{"landing", Map{{"landed", true}, {"commit", "abc"}}}}, "commit: abc\n"},
      {{{"landing", Map{{"landed", true}, {"worktree", "/w"}}}}, "left behind: /w\n"},
      {{{"receipt_digest", Map{{"value", "12"}}}}, "receipt: sha256:12\n"},
      {{{"receipt", Map{{"receipt_digest", Map{{"value", "12"}}}}}}, "receipt: sha256:12\n"},
      {{{"workspace_hygiene", Map{{"dirty_paths_in_scope", List{"a", "b"}}}}},
       "uncommitted: a, b\n"},
      {{{"unexpected_files", List{"a", "b"}}}, "outside of the scope: a, b\n"},
      {{{"forbidden_touched", List{"a"}}}, "forbidden: a\n"},
      {{{"scope_check", Map{{"unexpected_files", List{"a"}}}}}, "outside of the scope: a\n"},
      {{{"scope_check", Map{{"forbidden_touched", List{"a"}}}}}, "forbidden: a\n"},
      {{{"external_changes", Map{{"sample", List{"a"}}}}}, "changed besides: a\n"},
      {{{"committed_outside_scope", Map{{"sample", List{"a"}}}}}, "committed besides: a\n"},
      {{{"committed_not_named", Map{{"sample", List{"a"}}}}}, "committed and not named: a\n"},
      {{{"ignored_in_scope", Map{{"sample", List{"a"}}}}}, "ignored by git: a\n"},
      {{{"warnings", List{Map{{"message", "look out"}}}}}, "warning: look out\n"},
  };
  for (const Case& c : cases) {
    Map document{{"schema", "gatehouse.change_start/1"}, {"status", "active"}};
    document.set("verdict", verdict);
    for (const auto& [key, value] : c.more.entries())
      document.set(key, value);
    const std::string text = text_of(std::move(document));
    EXPECT_TRUE(text.starts_with("allow: go on\nstatus: active\n")) << text;
    EXPECT_NE(text.find(c.line), text.npos) << c.line << text;
  }
}

TEST(ToolTexts, ARejectionSaysThatItIsOne) {
  const std::string text = text_of({{"action_taken", "recovery_rejected"},
                                    {"reason", "missing_run_id"},
                                    {"message", "Name the run it was declared on."}});
  EXPECT_TRUE(text.starts_with("action_taken: recovery_rejected (missing_run_id)\n")) << text;
}

TEST(ToolTexts, AClaimIsToldWithWhatSpeaksAgainstIt) {
  const List violations{
      Map{{"pattern", "P-1"}, {"reason", "it is an inventory"}, {"claim", "it is unsafe"}}};
  const List reasons{Map{{"id", "P-1"}, {"message", "more than the run shows"}}};
  const std::string text =
      text_of({{"schema", "gatehouse.claims/1"},
               {"violations", violations},
               {"verdict", Map{{"decision", "deny"}, {"headline", "no"}, {"reasons", reasons}}}});
  EXPECT_EQ(text, "deny: no\n- P-1 it is an inventory: \"it is unsafe\"\n");
}

TEST(ToolTexts, WhoeverHoldsAndMayNotEditIsToldSo) {
  EXPECT_EQ(text_of({{"status", "active"}, {"edit_allowed", false}, {"intent_id", "i"}}),
            "status: active\nedit_allowed: false\nintent_id: i\n");
  EXPECT_EQ(text_of({{"status", "active"}, {"edit_allowed", true}}), "status: active\n");
  const Map call{{"tool", "manage_change_intent"}, {"arguments", Map{{"action", "promote"}}}};
  EXPECT_EQ(text_of({{"status", "may_not_edit"}, {"next_step", "ask again"}, {"next", call}}),
            "status: may_not_edit\nnext: call manage_change_intent with {\"action\":\"promote\"} "
            "(ask again)\n");
}

TEST(ToolTexts, WhatWasLookedUpIsShown) {
  EXPECT_EQ(text_of({{"status", "ok"}, {"content", "# A page\n"}}), "status: ok\n# A page\n");
  EXPECT_EQ(text_of({{"status", "not_found"}, {"message", "none"}, {"content", Value()}}),
            "status: not_found\nnone\n");
}

TEST(ToolTexts, TheNextCallHasItsArguments) {
  const auto told = [](Map next) {
    const List reasons{Map{{"id", "X"}, {"message", "m"}, {"next", std::move(next)}}};
    const std::string text =
        text_of({{"verdict", Map{{"decision", "deny"}, {"headline", "no"}, {"reasons", reasons}}}});
    return text.substr(text.find("next: "));
  };
  EXPECT_EQ(told({{"tool", "explain"}, {"arguments", Map{{"id", "GH-X"}}}}),
            "next: call explain with {\"id\":\"GH-X\"}\n");
  EXPECT_EQ(told({{"tool", "status"}, {"command", "gatehouse status"}}), "next: call status\n");
  EXPECT_EQ(told({{"command", "gatehouse x"}}), "next: gatehouse x\n");
}

// change-control 19.2: a quarter of the characters, rounded up; a character is no byte.
TEST(ToolTexts, WhatAnAnswerCostsIsEstimatedByItsCharacters) {
  const auto tokens = [](const Map& document) {
    const Map told = token_estimate(document);
    EXPECT_EQ(*told.find("gatehouse/token_encoding")->as_string(), "chars_approx");
    EXPECT_EQ(told.size(), 2u);
    return *told.find("gatehouse/token_estimate")->as_int();
  };
  EXPECT_EQ(tokens({}), 1);                               // {}
  EXPECT_EQ(tokens({{"a", 12}}), 2);                      // {"a":12}
  EXPECT_EQ(tokens({{"a", 123}}), 3);                     // {"a":123}
  EXPECT_EQ(tokens({{"a", "\xC3\xA4\xE2\x82\xAC"}}), 3);  // {"a":"xy"}, nine characters and one
}

}  // namespace
}  // namespace gh::mcp
