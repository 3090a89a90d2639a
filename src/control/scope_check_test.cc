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

}  // namespace
}  // namespace gh::control
