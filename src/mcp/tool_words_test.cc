#include "mcp/tool_words.h"

#include <vector>

#include <gtest/gtest.h>

namespace gh::mcp {
namespace {

TEST(ToolWords, CommandsBecomeToolsAndOptionsArguments) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"Start again with --analyze, or run 'gatehouse analyze' first.",
       "Call analyze_repository, then start again."},
      {"Wait, then call 'gatehouse change promote intent-a1-001-b2'.",
       "Wait, then call manage_change_intent with action promote and intent_id intent-a1-001-b2."},
      {"Renew it, then write: gatehouse change renew intent-a1-001-b2.",
       "Renew it, then write: manage_change_intent with action renew and intent_id "
       "intent-a1-001-b2."},
      {"Declare a wider scope with 'gatehouse change extend --add FILE', or not.",
       "Declare a wider scope with manage_change_intent with action declare, or not."},
      {"or remove it with 'gatehouse change reset ID'",
       "or remove it with manage_change_intent with action reset_workspace"},
      {"gatehouse change recover intent-a1-001-b2",
       "manage_change_intent with action recover and intent_id intent-a1-001-b2"},
      {"or give it up with 'gatehouse change abandon'.",
       "or give it up with manage_change_intent with action clear."},
      {"or start again with --on-conflict queue.", "or start again with on_conflict \"queue\"."},
      {"use --continue-own-wip only for your own work.",
       "use dirty_scope_policy \"continue_own_wip\" only for your own work."},
      {"Name every path with --files or --diff.",
       "Name every path with changed_files or diff_ref."},
      {"--files and --diff exclude each other", "changed_files and diff_ref exclude each other"},
      {"say what was changed: --files FILE..., or --diff REF",
       "say what was changed: changed_files, or diff_ref"},
      {"a change needs a goal: --goal TEXT",
       "a change needs an intent: say in a sentence what it is for"},
      {"it belongs to ada; if that is you, name the session with --session", "it belongs to ada"},
      {"Run 'gatehouse change list' for the intents.",
       "Call manage_change_intent with action list_workspace for the intents."},
      {"Run 'gatehouse change start' first.", "Call start_controlled_change first."},
      {"then run 'gatehouse change finish'.", "then call finish_controlled_change."},
      {"see 'gatehouse change status'.", "see manage_change_intent with action get."},
      {"; run 'gatehouse analyze --rev HEAD' and start again to see it from there",
       "; call analyze_repository with rev \"HEAD\" and start again to see it from there"},
      {"Run 'gatehouse analyze', or 'gatehouse runs list' for the runs that are kept.",
       "Call analyze_repository, or leave the run out: then it is the latest one."},
      {"Run the command with --help; it shows what is required.",
       "The input schema of the tool says what is required."},
      {"Run the command with --help; it shows the accepted form and examples.",
       "The input schema of the tool says what it takes."},
      {"name a receipt by its digest, a commit or --run",
       "name a receipt by its digest, a commit or run_id"},
      {"Run 'gatehouse findings' for the ids of a run.", "Call findings for the ids of a run."},
      {"there alone: leave --format out.", "there alone: leave format out."},
      {"name a receipt, or --run, or --intent; one of them",
       "name receipt_digest or commit, or run_id, or intent_id; one of them"},
      {"name a receipt, or --file FILE", "name receipt_digest or commit"},
      {"gatehouse change finish", "finish_controlled_change"},
      {"Analyse: finish with --analyze, or run 'gatehouse analyze' and give --after-run latest.",
       "Analyse: call analyze_repository, and finish with its run_id as after_run_id."},
      {"Stale: finish with --analyze, or run 'gatehouse analyze' and give the new run.",
       "Stale: call analyze_repository, and finish with its run_id as after_run_id."},
      {"Others: finish with --analyze, which does.",
       "Others: call analyze_repository with git_diff_ref \"HEAD\" and no settings of your own, "
       "and "
       "finish with its run_id as after_run_id."},
      {"give it up, run 'gatehouse analyze --rev HEAD --diff-against HEAD', which measures as the "
       "committed gatehouse.yaml says, and start again",
       "give it up, have the files made clean, call analyze_repository with git_diff_ref \"HEAD\" "
       "and start again"},
      {"run 'gatehouse analyze --diff-against HEAD' first, or not",
       "call analyze_repository with git_diff_ref \"HEAD\" first, or not"},
      {"run 'gatehouse analyze' once they are clean, then promote with --run latest",
       "call analyze_repository once they are clean, then promote with its run_id"},
      {"one that waits is promoted with --run latest after an analysis",
       "one that waits is promoted with the run_id of an analysis"},
      {"Run 'gatehouse analyze', then promote with --run latest.",
       "Call analyze_repository, then promote with its run_id."},
      {"Run 'gatehouse analyze' first.", "Call analyze_repository first."},
      {"then run 'gatehouse analyze' and go on", "then call analyze_repository and go on"},
      {"'gatehouse change extend --add FILE' widens a scope",
       "manage_change_intent with action declare on the same run widens a scope"},
      {"Declare the change first: gatehouse change start --analyze --goal TEXT --allow FILE.",
       "Declare the change first: start_controlled_change with analyze true, intent and "
       "scope.allowed_files."},
      {"Declare it as well: gatehouse change extend --add FILE.",
       "Declare it as well: manage_change_intent with action declare on the same run and the wider "
       "scope."},
      {"start anew, with a longer --ttl", "start anew, with larger ttl_seconds"},
      {"gatehouse change watch", "gatehouse change watch"},
      {"'gatehouse change promote", "manage_change_intent with action promote"},
      {"nothing of this", "nothing of this"},
      {"", ""},
  };
  for (const auto& [command, tool] : rows)
    EXPECT_EQ(in_tool_words(command), tool) << command;
}

TEST(ToolWords, TheMembersOfAnAnswerThatSayWhatToDo) {
  const std::string command = "run 'gatehouse analyze'", tool = "call analyze_repository";
  const Map told = in_tool_words(Map{{"next_step", command},
                                     {"message", command},
                                     {"reason", command},
                                     {"warnings", List{Map{{"message", command}, {"code", "c"}}}},
                                     {"verification", Map{{"next_step", command}}},
                                     {"verdict", Map{{"headline", command}}},
                                     {"recovery_next_step", nullptr}});
  EXPECT_EQ(told, (Map{{"next_step", tool},
                       {"message", tool},
                       {"reason", command},
                       {"warnings", List{Map{{"message", tool}, {"code", "c"}}}},
                       {"verification", Map{{"next_step", tool}}},
                       {"verdict", Map{{"headline", command}}},
                       {"recovery_next_step", nullptr}}));
}

TEST(ToolWords, WhatCanBeRecoveredIsToldWithTheRunThatTheToolWants) {
  const Map told = in_tool_words(
      Map{{"recovery_available", List{Map{{"intent_id", "intent-a1-001-b2"},
                                          {"run_id", "a1"},
                                          {"hint", "gatehouse change recover intent-a1-001-b2"}},
                                      Map{{"run_id", "c3"}, {"hint", "its run is gone"}}}}});
  EXPECT_EQ(
      told,
      (Map{{"recovery_available",
            List{Map{{"intent_id", "intent-a1-001-b2"},
                     {"run_id", "a1"},
                     {"hint",
                      "manage_change_intent with action recover and intent_id intent-a1-001-b2 "
                      "and run_id a1"}},
                 Map{{"run_id", "c3"}, {"hint", "its run is gone"}}}}}));
}

}  // namespace
}  // namespace gh::mcp
