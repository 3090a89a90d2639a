// What change control tells an agent to do, in the words of tools.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "control/finish.h"
#include "control/start_decision.h"
#include "control/verify.h"
#include "mcp/tool_words.h"

namespace gh::mcp {
namespace {

// An agent that only has tools can do what it is told.
TEST(ToolWords, NoNextStepOfChangeControlNamesACommandOrAnOption) {
  std::vector<std::string> texts{
      *control::needs_analysis_answer("/r").find("next_step")->as_string()};
  for (const control::NextStep& step : control::start_next_steps())
    texts.emplace_back(step.text);
  for (const control::ReasonStep& step : control::next_steps())
    texts.emplace_back(step.text);
  for (const control::ReasonStep& step : control::finish_next_steps())
    texts.emplace_back(step.text);
  ASSERT_GE(texts.size(), 25u);
  for (const std::string& text : texts) {
    const std::string told = in_tool_words(text);
    EXPECT_FALSE(contains(told, "gatehouse ")) << told;
    EXPECT_FALSE(contains(told, "--")) << told;
  }
}

}  // namespace
}  // namespace gh::mcp
