#include "policy/hook_policy.h"

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
// interfaces 0.10, row `hooks`: every key with its default, a good and a bad value.
const std::vector<KeyCase> kKeys = {
    {"mode", R"("advise")", "enforce", R"("enforce")", "strict", "hooks.mode: expected one of off, advise, enforce, found 'strict'"},
    {"require_intent", "true", "false", "false", "no", "hooks.require_intent: expected true or false, found 'no'"},
    {"shell_opaque", R"("allow_and_reconcile")", "ask", R"("ask")", "allow", "hooks.shell_opaque: expected one of allow_and_reconcile, deny, ask, found 'allow'"},
    {"protect", "[]", "[\"db/**\", \"*.pem\"]", R"(["db/**","*.pem"])", "db", "hooks.protect: expected a list of strings, found 'db'"},
    {"patch_first", "false", "true", "true", "1", "hooks.patch_first: expected true or false, found 1"},
    {"local_ref_guard", R"("off")", "on", R"("on")", "true", "hooks.local_ref_guard: expected one of off, on, found true"},
    {"require_receipts", "true", "false", "false", "all", "hooks.require_receipts: expected true or false, found 'all'"},
};
// clang-format on

std::string yaml_with(const std::string& key, const std::string& value) {
  return fmt::format("hooks:\n  {}: {}\n", key, value);
}
std::string shown(const HookPolicy& policy, const std::string& key) {
  const Value document = to_value(policy);
  const Value* value = document.as_map()->find(key);
  return value == nullptr ? "absent" : wire::canonical_json(*value);
}

TEST(HookPolicy, EveryKeyHasItsDefaultAGoodAndABadValue) {
  for (const KeyCase& c : kKeys) {
    SCOPED_TRACE(c.key);
    EXPECT_EQ(shown({}, c.key), c.default_json);
    const auto good = parse_config(yaml_with(c.key, c.good_yaml), "g");
    ASSERT_TRUE(good.has_value()) << good.error().message;
    EXPECT_EQ(shown(good->hooks, c.key), c.good_json);
    const auto bad = parse_config(yaml_with(c.key, c.bad_yaml), "g");
    EXPECT_EQ(bad ? "accepted" : bad.error().message, "g:2:3: " + c.bad_message);
  }
  EXPECT_EQ(to_value(HookPolicy{}).as_map()->entries().size(), kKeys.size());
}

TEST(HookPolicy, EveryWordOfAChoiceIsRead) {
  for (const char* mode : {"off", "advise", "enforce"})
    EXPECT_EQ(to_string(parse_config(yaml_with("mode", mode), "g")->hooks.mode), mode);
  for (const char* what : {"allow_and_reconcile", "deny", "ask"})
    EXPECT_EQ(to_string(parse_config(yaml_with("shell_opaque", what), "g")->hooks.shell_opaque),
              what);
}

TEST(HookPolicy, APatternThatNoPathCanMatchIsRefused) {
  const auto bad = parse_config("hooks:\n  protect: [../x]\n", "g");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().message, "g:2:13: hooks.protect[0]: '../x' has a '.' or '..' component");
}

}  // namespace
}  // namespace gh::policy
