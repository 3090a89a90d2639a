#include "policy/control_policy.h"

#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "policy/config.h"
#include "wire/json.h"

namespace gh::policy {
namespace {

struct KeyCase {
  std::string key, default_json, good_yaml, good_json, bad_yaml, bad_message;
};

// clang-format off
// interfaces 0.10 and change-control 22.3 B13: every key with its default, a good and a bad value.
const std::vector<KeyCase> kKeys = {
    {"conflict_matching", R"("prefix")", "exact", R"("exact")", "glob", "conflict_matching: expected one of exact, prefix, found 'glob'"},
    {"strict_finish", "false", "true", "true", "1", "strict_finish: expected true or false, found 1"},
    {"claims_block_finish", "false", "true", "true", "yes", "claims_block_finish: expected true or false, found 'yes'"},
    {"ttl_seconds", "3600", "7200", "7200", "soon", "ttl_seconds: expected an integer, found 'soon'"},
    {"lease_seconds", "300", "120", "120", "true", "lease_seconds: expected an integer, found true"},
    {"session_grace_seconds", "900", "0", "0", "-1", "session_grace_seconds: expected an integer from 0 to 2592000, found -1"},
    {"retention_days", "14", "1", "1", "0", "retention_days: expected an integer from 1 to 36500, found 0"},
    {"git_timeout_seconds", "30", "5", "5", "0", "git_timeout_seconds: expected an integer from 1 to 3600, found 0"},
    {"min_strictness", R"("relaxed")", "strict", R"("strict")", "lax", "min_strictness: expected one of relaxed, ci, strict, found 'lax'"},
    {"require_fresh_before_run", "false", "true", "true", "1", "require_fresh_before_run: expected true or false, found 1"},
    {"require_intent", "false", "true", "true", "maybe", "require_intent: expected true or false, found 'maybe'"},
};
// clang-format on

std::string yaml_with(const std::string& key, const std::string& value) {
  return fmt::format("change_control:\n  {}: {}\n", key, value);
}

std::string shown(const ControlPolicy& policy, const std::string& key) {
  const Value document = to_value(policy);
  const Value* value = document.as_map()->find(key);
  return value == nullptr ? "absent" : wire::canonical_json(*value);
}

std::string message_of(const std::string& yaml) {
  const auto config = parse_config(yaml, "g");
  return config ? "accepted" : config.error().message;
}

TEST(ControlPolicy, EveryKeyHasItsDefaultAGoodAndABadValue) {
  for (const KeyCase& c : kKeys) {
    SCOPED_TRACE(c.key);
    EXPECT_EQ(shown({}, c.key), c.default_json);
    const auto good = parse_config(yaml_with(c.key, c.good_yaml), "g");
    ASSERT_TRUE(good.has_value()) << good.error().message;
    EXPECT_EQ(shown(good->control, c.key), c.good_json);
    EXPECT_EQ(message_of(yaml_with(c.key, c.bad_yaml)), "g:2:3: change_control." + c.bad_message);
  }
}

TEST(ControlPolicy, NoKeyIsWithoutACase) {
  std::vector<std::string> have, cases;
  const Value document = to_value(ControlPolicy{});
  for (const auto& entry : document.as_map()->entries())
    have.push_back(entry.first);
  for (const KeyCase& c : kKeys)
    cases.push_back(c.key);
  EXPECT_EQ(have, cases);
}

TEST(ControlPolicyPage, NamesEveryKeyOnceInTheOrderOfTheTable) {
  std::ifstream page("docs/reference/change-control.md");
  std::vector<std::string> names, cases;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) inside = line == "## Configuration";
    if (inside && line.starts_with("| `")) names.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  for (const KeyCase& c : kKeys)
    cases.push_back(c.key);
  EXPECT_EQ(names, cases);
}

// change-control 4.1: 60..86400 and 60..600; 5.3: clamped silently.
TEST(ControlPolicy, SecondsOutOfRangeAreMovedIntoIt) {
  struct Case {
    const char *key, *given, *kept;
  };
  for (const Case& c :
       {Case{"ttl_seconds", "59", "60"}, Case{"ttl_seconds", "60", "60"},
        Case{"ttl_seconds", "86400", "86400"}, Case{"ttl_seconds", "86401", "86400"},
        Case{"ttl_seconds", "-5", "60"}, Case{"lease_seconds", "59", "60"},
        Case{"lease_seconds", "600", "600"}, Case{"lease_seconds", "601", "600"}}) {
    const auto config = parse_config(yaml_with(c.key, c.given), "g");
    ASSERT_TRUE(config.has_value()) << c.key;
    EXPECT_EQ(shown(config->control, c.key), c.kept) << c.key << ' ' << c.given;
  }
}

TEST(ControlPolicy, AFloorOnlyTightens) {
  struct Case {
    const char *floor, *asked, *held;
  };
  for (const Case& c :
       {Case{"relaxed", "relaxed", "relaxed"}, Case{"relaxed", "ci", "ci"},
        Case{"relaxed", "strict", "strict"}, Case{"ci", "relaxed", "ci"}, Case{"ci", "ci", "ci"},
        Case{"ci", "strict", "strict"}, Case{"strict", "relaxed", "strict"},
        Case{"strict", "ci", "strict"}, Case{"strict", "strict", "strict"}})
    EXPECT_EQ(at_least(c.floor, c.asked), c.held) << c.floor << ' ' << c.asked;
  EXPECT_EQ(strictness_words().size(), 3u);
}

TEST(ControlPolicy, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(message_of("change_control: []\n"),
            "g:1:1: change_control: expected a mapping of keys");
  EXPECT_EQ(message_of("change_control:\n  ttl: 5\n"),
            "g:2:3: unknown key 'ttl' in change_control; did you mean 'ttl_seconds'?");
}

}  // namespace
}  // namespace gh::policy
