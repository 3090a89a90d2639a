#include "report/agent_error.h"

#include <gtest/gtest.h>

#include "model/peek.h"
#include "report/error_document.h"
#include "wire/json.h"

namespace gh::report {
namespace {

const AskedAs kAsked{"gatehouse release", "gatehouse release scan --help"};

std::string member(const Error& error, const AgentFault* fault, std::string_view key) {
  const std::string line = agent_error_line(error, fault, kAsked);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto document = wire::read_json(line, "line");
  EXPECT_TRUE(document) << line;
  return document ? std::string(Peek(*document)[key].text()) : "";
}

TEST(ErrorDocument, AListKeepsItsLinesAndEveryFormMasksSecrets) {
  const Error error{Code::policy_bad_value,
                    "x is not valid:\n- a: 1\n- b: sk-ABCDEFGHIJKLMNOPQRSTUV\nand\ttab"};
  const std::string told = "x is not valid:\n- a: 1\n- b: [REDACTED:openai_api_key]\\nand\\ttab";
  EXPECT_EQ(told_message(error), told);
  EXPECT_EQ(Peek(error_document(error).find("message")).text(), told);
  const std::string text = render_error(error, Look{});
  EXPECT_NE(text.find("x is not valid:\n- a: 1\n- b: [REDACTED:openai_api_key]"), std::string::npos)
      << text;
  EXPECT_EQ(error_line(error),
            "policy_bad_value: x is not valid: - a: 1 - b: [REDACTED:openai_api_key]\\nand\\ttab");
  EXPECT_EQ(member(error, nullptr, "message"), told);
}

TEST(AgentError, EveryClassOfErrorHasItsKind) {
  const std::pair<Code, const char*> rows[] = {{Code::policy_bad_value, "config_error"},
                                               {Code::json_invalid, "input_parse_error"},
                                               {Code::io_error, "other_error"},
                                               {Code::internal_error, "internal_error"}};
  for (const auto& [code, kind] : rows)
    EXPECT_EQ(member({code, "x"}, nullptr, "error"), kind);
}

TEST(AgentError, TheFirstActionIsAlsoASentence) {
  EXPECT_EQ(next_sentence(next_action("command", "a b", "why")), "a b");
  EXPECT_EQ(next_sentence(next_action("edit", "f:3", "why")), "Edit f:3");
  EXPECT_EQ(next_sentence(next_action("review", "", "why")), "Review: why");
  EXPECT_EQ(next_sentence(next_action("stop", "", "why")), "Stop: why");
  for (const Code code :
       {Code::unknown_option, Code::unknown_command, Code::bad_argument, Code::missing_argument})
    EXPECT_EQ(member({code, "x"}, nullptr, "next_action"), kAsked.help_line);
  EXPECT_TRUE(member({Code::internal_error, "x"}, nullptr, "next_action").starts_with("Stop: "));
}

TEST(AgentError, WhatTheOperationKnowsWinsAndSecretsAreMasked) {
  const AgentFault fault{.kind = "unknown_check_id",
                         .facts = {{"check_id", "A"}},
                         .next_actions = {next_action("command", "c", "w")}};
  const Error error{Code::unknown_id, "no sk-ABCDEFGHIJKLMNOPQRSTUV"};
  EXPECT_EQ(member(error, &fault, "error"), "unknown_check_id");
  EXPECT_EQ(member(error, &fault, "check_id"), "A");
  EXPECT_EQ(member(error, &fault, "next_action"), "c");
  EXPECT_EQ(member(error, &fault, "message"), "no [REDACTED:openai_api_key]");
}

}  // namespace
}  // namespace gh::report
