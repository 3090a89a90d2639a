#include "setup/yaml_pointer.h"

#include <gtest/gtest.h>

#include "wire/json.h"
#include "wire/yaml.h"

namespace gh::setup {
namespace {

constexpr std::string_view kManifest =
    "# who owns this\n"
    "version: \"0.1\"   # stays\n"
    "permissions:\n"
    "  scopes:\n"
    "    - orders:read  # why\n"
    "    - \"payments:refund\"\n"
    "checks:\n"
    "  ignore:\n"
    "    # the first\n"
    "    - check_id: A\n"
    "      reason: >-\n"
    "        two\n"
    "        lines\n"
    "    - {check_id: B, reason: r}\n"
    "policies:\n"
    "  require_approval_for_tools: [one, 'two', {tool: three, reason: 'a, b'}]  # flow\n"
    "risk_overrides:\n"
    "  tools:\n"
    "    pay.refund: {tags: [x], reason: y}\n"
    "    \"ship\\u00ff/it\":\n"
    "      reason: z\n"
    "ci: {mode: advisory}\n";

struct Case {
  std::string_view name;
  EditKind kind;
  std::string_view pointer, value;  // JSON
  std::string_view before, after;   // a part of the text, and what becomes of it
};

std::string replaced(std::string text, std::string_view before, std::string_view after) {
  const std::size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

TEST(YamlPointer, OnlyTheBytesOfTheEditChange) {
  const Case cases[] = {
      {"item of a block", EditKind::remove, "/permissions/scopes/0", "",
       "    - orders:read  # why\n", ""},
      {"item over several lines", EditKind::remove, "/checks/ignore/0", "",
       "    - check_id: A\n      reason: >-\n        two\n        lines\n", ""},
      {"item in flow form, within a block", EditKind::remove, "/checks/ignore/1", "",
       "    - {check_id: B, reason: r}\n", ""},
      {"first of a flow", EditKind::remove, "/policies/require_approval_for_tools/0", "", "[one, ",
       "["},
      {"last of a flow", EditKind::remove, "/policies/require_approval_for_tools/2", "",
       ", {tool: three, reason: 'a, b'}]", "]"},
      {"member in flow form", EditKind::remove, "/risk_overrides/tools/pay.refund", "",
       "    pay.refund: {tags: [x], reason: y}\n", ""},
      {"quoted key with a slash", EditKind::remove, "/risk_overrides/tools/ship\u00ff~1it", "",
       "    \"ship\\u00ff/it\":\n      reason: z\n", ""},
      {"append to a block", EditKind::append, "/permissions/scopes", "\"x:y\"",
       "    - \"payments:refund\"\n", "    - \"payments:refund\"\n    - x:y\n"},
      {"append what must be quoted", EditKind::append, "/permissions/scopes", "\"on\"",
       "    - \"payments:refund\"\n", "    - \"payments:refund\"\n    - \"on\"\n"},
      {"append to a flow", EditKind::append, "/policies/require_approval_for_tools", "\"four\"",
       "'a, b'}]", "'a, b'}, four]"},
      {"append where nothing was", EditKind::append, "/permissions/more", "\"a\"",
       "    - \"payments:refund\"\n", "    - \"payments:refund\"\n  more:\n    - a\n"},
      {"append below new keys", EditKind::append, "/a/b", "\"c\"", "ci: {mode: advisory}\n",
       "ci: {mode: advisory}\na:\n  b:\n    - c\n"},
      {"set a scalar in a flow", EditKind::set, "/ci/mode", "\"strict\"", "advisory", "strict"},
      {"set a scalar before a remark", EditKind::set, "/version", "\"0.2\"", "\"0.1\"", "\"0.2\""},
      {"set a new member of a flow", EditKind::set, "/ci/fail_on", "[\"high\"]", "advisory}",
       "advisory, fail_on: [\"high\"]}"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Value value = c.value.empty() ? Value() : *wire::read_json(c.value, "value");
    const auto out = edited_yaml(kManifest, "m.yaml", {c.kind, std::string(c.pointer), value});
    ASSERT_TRUE(out) << out.error().message;
    EXPECT_EQ(*out, replaced(std::string(kManifest), c.before, c.after));
  }
}

TEST(YamlPointer, WhatHeldTheLastOneStaysAndIsEmpty) {
  const auto list =
      edited_yaml("a:\n  b:   # note\n    - x\nc: 1\n", "m", {EditKind::remove, "/a/b/0"});
  ASSERT_TRUE(list);
  EXPECT_EQ(*list, "a:\n  b: []   # note\nc: 1\n");
  const auto again = edited_yaml(*list, "m", {EditKind::append, "/a/b", Value("y")});
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, "a:\n  b: [y]   # note\nc: 1\n");
  const auto map = edited_yaml("a:\n  b:\n    k: v\n", "m", {EditKind::remove, "/a/b/k"});
  ASSERT_TRUE(map);
  EXPECT_EQ(*map, "a:\n  b: {}\n");
  const auto flow = edited_yaml("a: [x]\n", "m", {EditKind::remove, "/a/0"});
  ASSERT_TRUE(flow);
  EXPECT_EQ(*flow, "a: []\n");
}

TEST(YamlPointer, WhatCannotBeChangedByLinesIsRefused) {
  const auto code = [](std::string_view text, PointerEdit edit) {
    const auto out = edited_yaml(text, "m", edit);
    return out ? "changed: " + *out : std::string(to_string(out.error().code));
  };
  EXPECT_EQ(code("a: &x [1]\nb: *x\n", {EditKind::append, "/b", Value(2)}), "conflict");
  EXPECT_EQ(code("- - x\n  - y\n", {EditKind::remove, "/0/0"}), "conflict");
  EXPECT_EQ(code("a: |\n  text\n", {EditKind::set, "/a", Value("b")}), "conflict");
  EXPECT_EQ(code("a:\n", {EditKind::append, "/a", Value("b")}), "conflict");
  EXPECT_EQ(code("a: 1\n", {EditKind::remove, "/b"}), "bad_argument");
  EXPECT_EQ(code("a: 1\n", {EditKind::remove, ""}), "bad_argument");
  EXPECT_EQ(code("a: 1\n", {EditKind::remove, "a"}), "bad_argument");
  EXPECT_EQ(code("a: [1]\n", {EditKind::remove, "/a/01"}), "bad_argument");
  EXPECT_EQ(code("a: [1]\n", {EditKind::remove, "/a/1"}), "bad_argument");
  EXPECT_EQ(code("a: 1\n", {EditKind::append, "/a", Value("b")}), "bad_argument");
  EXPECT_EQ(code("a: [\n", {EditKind::remove, "/a/0"}), "input_unreadable");
}

/// Every place of a file, removed one after the other: each answer is what the model says, or a
/// refusal.
TEST(YamlPointer, EveryRemovalIsExactOrRefused) {
  const auto document = *wire::read_yaml(kManifest, "m", wire::YamlDialect::compatible);
  std::vector<std::pair<std::string, const Value*>> open{{"", &document.root}};
  int exact = 0, refused = 0;
  while (!open.empty()) {
    const auto [pointer, value] = open.back();
    open.pop_back();
    std::vector<std::pair<std::string, const Value*>> children;
    if (const Map* map = value->as_map())
      for (const auto& [key, child] : map->entries()) {
        std::string part;
        for (const char c : key)
          part += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        children.emplace_back(pointer + "/" + part, &child);
      }
    if (const List* list = value->as_list())
      for (std::size_t i = 0; i < list->size(); ++i)
        children.emplace_back(pointer + "/" + std::to_string(i), &(*list)[i]);
    for (const auto& child : children) {
      const PointerEdit edit{EditKind::remove, child.first};
      const auto out = edited_yaml(kManifest, "m", edit);
      if (!out) {
        ++refused;
        EXPECT_EQ(to_string(out.error().code), "conflict") << child.first;
      } else {
        ++exact;
        EXPECT_EQ(wire::read_yaml(*out, "m", wire::YamlDialect::compatible)->root,
                  *edited(document.root, edit))
            << child.first;
      }
      open.push_back(child);
    }
  }
  EXPECT_GE(exact, 25);
  EXPECT_LE(refused, 4);
}

}  // namespace
}  // namespace gh::setup
