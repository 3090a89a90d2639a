#include "control/scope_check.h"

#include <gtest/gtest.h>

#include "control/test_intent.h"
#include "wire/json.h"

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

// change-control 12.2
TEST(ScopeCheck, EachListHasItsDefinition) {
  struct Case {
    Strings allowed, related, forbidden, evidence;
    const char* status;
    Strings unexpected, forbidden_touched, untouched, expanded;
  };
  const Case kCases[] = {
      {{"a", "b"}, {"c"}, {}, {"a"}, "clean", {}, {}, {"b"}, {}},
      {{"a", "b"}, {"c"}, {}, {"b", "a", "b"}, "clean", {}, {}, {}, {}},
      {{"a"}, {"c"}, {}, {"c"}, "expanded", {}, {}, {"a"}, {"c"}},
      {{"a"}, {"c"}, {}, {"a", "c", "d"}, "violated", {"d"}, {}, {}, {"c"}},
      {{"a"}, {}, {"d*"}, {"dx"}, "violated", {}, {"dx"}, {"a"}, {}},
      {{"a"}, {}, {"a"}, {"a"}, "violated", {}, {"a"}, {}, {}},
      {{"a"}, {"r"}, {"r"}, {"r"}, "violated", {}, {"r"}, {"a"}, {"r"}},
      {{"a"}, {}, {}, {".gatehouse/x"}, "violated", {}, {".gatehouse/x"}, {"a"}, {}},
      {{"docs"}, {}, {}, {"docs/x.md"}, "violated", {"docs/x.md"}, {}, {"docs"}, {}},
      {{"docs/*"}, {}, {}, {"docs/x.md"}, "violated", {"docs/x.md"}, {}, {"docs/*"}, {}},
      {{"docs/*"}, {}, {}, {"docs/*"}, "clean", {}, {}, {}, {}},
      {{"a"}, {}, {}, {}, "clean", {}, {}, {"a"}, {}},
  };
  for (const Case& c : kCases) {
    const ScopeCheck check = check_scope(scope_of(c.allowed, c.related, c.forbidden), c.evidence);
    EXPECT_EQ(to_string(check.status), c.status) << &c - kCases;
    EXPECT_EQ(check.unexpected_files, c.unexpected) << &c - kCases;
    EXPECT_EQ(check.forbidden_touched, c.forbidden_touched) << &c - kCases;
    EXPECT_EQ(check.untouched_in_declared, c.untouched) << &c - kCases;
    EXPECT_EQ(check.expanded, c.expanded) << &c - kCases;
    EXPECT_EQ(check.declared_scope, c.allowed);
    EXPECT_EQ(check.required_action,
              std::string_view(c.status) == "violated" ? "human_approval" : "");
  }
}

TEST(ScopeCheck, ThePayloadHasNineMembers) {
  ScopeCheck check = check_scope(scope_of({"a"}), {"z", "a"});
  check.message = "m";
  EXPECT_EQ(wire::canonical_json(to_value(check, "i")),
            R"({"actual_changed_files":["a","z"],"declared_scope":["a"],"forbidden_touched":[],)"
            R"("intent_id":"i","message":"m","required_action":"human_approval",)"
            R"("status":"violated","unexpected_files":["z"],"untouched_in_declared":[]})");
  EXPECT_TRUE(to_value(check_scope(scope_of({"a"}), {"a"}), "i")
                  .as_map()
                  ->find("required_action")
                  ->is_null());
  for (const Strings& evidence : {Strings{"a"}, Strings{"z"}})
    EXPECT_FALSE(check_scope(scope_of({"a"}), evidence).message.empty());
}

// change-control 5.1: a check never closes a record.
TEST(ScopeCheck, TheRegistryKeepsTheRecordOpen) {
  EXPECT_EQ(registry_status_after(ScopeStatus::clean), IntentStatus::active);
  EXPECT_EQ(registry_status_after(ScopeStatus::expanded), IntentStatus::expanded);
  EXPECT_EQ(registry_status_after(ScopeStatus::violated), IntentStatus::violated);
}

TEST(ScopeCheck, AnotherReportEndsTheIntent) {
  Intent intent = test_intent();
  EXPECT_FALSE(is_expired_for_check(intent, intent.report_digest));
  EXPECT_TRUE(is_expired_for_check(intent, std::string(64, 'd')));
  EXPECT_TRUE(is_expired_for_check(intent, ""));
}

// change-control 4.3 and 5.1: what the session sees, and what the registry keeps.
TEST(ScopeCheck, TheSessionSeesWhatTheCheckSaidAndTheRecordOfACleanOneStaysActive) {
  struct Case {
    IntentStatus before;
    Strings evidence;
    IntentStatus record;
    const char* session;
  };
  const Case kCases[] = {
      {IntentStatus::active, {"a"}, IntentStatus::active, "clean"},
      {IntentStatus::active, {"a", "r"}, IntentStatus::expanded, "expanded"},
      {IntentStatus::active, {"a", "z"}, IntentStatus::violated, "violated"},
      {IntentStatus::violated, {"a"}, IntentStatus::active, "clean"},
      {IntentStatus::queued, {"a"}, IntentStatus::queued, "queued"},
  };
  for (const Case& c : kCases) {
    Intent intent = test_intent();
    intent.status = c.before;
    intent.scope = scope_of({"a"}, {"r"}, {});
    EXPECT_EQ(session_status(intent), gh::to_string(c.before));
    EXPECT_TRUE(check_result(intent).is_null());
    const ScopeCheck check = check_scope(intent.scope, c.evidence);
    intent = with_check(std::move(intent), check, kDeclared);
    EXPECT_EQ(intent.status, c.record) << &c - kCases;
    EXPECT_EQ(session_status(intent), c.session) << &c - kCases;
    Value expected = to_value(check, intent.id);
    expected.as_map()->set("at_utc", gh::to_string(kDeclared));
    EXPECT_EQ(check_result(intent), expected);
    for (const IntentStatus closed : {IntentStatus::clean, IntentStatus::expired}) {
      Intent over = intent;
      over.status = closed;
      EXPECT_EQ(session_status(over), gh::to_string(closed));
    }
    intent = without_check(std::move(intent));
    EXPECT_EQ(session_status(intent), gh::to_string(c.record));
    EXPECT_TRUE(check_result(intent).is_null());
  }
}

TEST(ScopeCheck, OfTooManyFilesOnlyWhatWasSaidIsKept) {
  Strings evidence;
  for (std::size_t i = 0; i <= kMostCheckedFiles; ++i)
    evidence.push_back("f" + std::to_string(i));
  Intent intent = test_intent();
  intent = with_check(std::move(intent), check_scope(intent.scope, evidence), kDeclared);
  EXPECT_FALSE(intent.checked_files.has_value());
  EXPECT_EQ(wire::canonical_json(check_result(intent)),
            R"({"at_utc":")" + gh::to_string(kDeclared) + R"(","status":"violated"})");
  evidence.pop_back();
  intent = with_check(std::move(intent), check_scope(intent.scope, evidence), kDeclared);
  EXPECT_EQ(intent.checked_files->size(), kMostCheckedFiles);
}

}  // namespace
}  // namespace gh::control
