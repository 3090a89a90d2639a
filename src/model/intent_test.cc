#include "model/intent.h"

#include <gtest/gtest.h>

namespace gh {
namespace {

// change-control 5.1, typed again.
TEST(IntentStatus, SevenWordsArePersistedAndThreeOfThemEndAnIntent) {
  struct Row {
    const char* word;
    bool ends;
  };
  const Row rows[] = {{"active", false},   {"queued", false},   {"clean", true},
                      {"expanded", false}, {"violated", false}, {"expired", true},
                      {"orphaned", true}};
  for (const Row& row : rows) {
    const auto status = intent_status_of(row.word);
    ASSERT_TRUE(status) << row.word;
    EXPECT_EQ(to_string(*status), row.word);
    EXPECT_EQ(is_terminal(*status), row.ends) << row.word;
  }
  for (const char* word : {"", "blocked", "unverified", "Active", "accepted"})
    EXPECT_FALSE(intent_status_of(word)) << word;
}

TEST(IntentOrder, RecordsAreOrderedByDeclarationThenPidThenId) {
  Intent a, b;
  a.declared_at = b.declared_at = {100};
  a.agent_pid = b.agent_pid = 7;
  a.id = "intent-a";
  b.id = "intent-b";
  EXPECT_TRUE(comes_before(a, b));
  EXPECT_FALSE(comes_before(b, a));
  b.agent_pid = 6;
  EXPECT_TRUE(comes_before(b, a));
  a.declared_at = {99};
  EXPECT_TRUE(comes_before(a, b));
}

}  // namespace
}  // namespace gh
