#include "setup/json_edit.h"

#include <gtest/gtest.h>

#include "setup/hosts.h"
#include "wire/json.h"

namespace gh::setup {
namespace {

constexpr std::string_view kServers =
    R"({"mcpServers":{"gatehouse":{"command":"gatehouse","args":["mcp"]}}})";
constexpr std::string_view kHooks =
    R"({"hooks":{"A":[{"matcher":"x","hooks":[{"command":"gatehouse hook codex","timeout":10}]}],)"
    R"("B":[{"command":"gatehouse hook codex"}]},"permissions":{"deny":["one","two"]}})";

std::string merged(std::string_view text, std::string_view wanted) {
  const auto out = merge_json(text, wanted, is_our_entry, "gatehouse", "f.json");
  return out ? *out : "error: " + out.error().message;
}
std::string unmerged(std::string_view text, std::string_view wanted) {
  const auto out = unmerge_json(text, wanted, is_our_entry, "gatehouse", "f.json");
  return out ? *out : "error: " + out.error().message;
}

/// Bytes of `text` that are gone from `after`, in order; empty: it is a part of it.
bool is_subsequence(std::string_view text, std::string_view after) {
  std::size_t at = 0;
  for (const char c : after)
    if (at < text.size() && text[at] == c) ++at;
  return at == text.size();
}

const std::vector<std::string> kFiles = {
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "\xEF\xBB\xBF{}\r\n",
    "{\"a\":1}",
    "{\n  \"a\": 1\n}\n",
    "{\r\n\t\"a\": 1\r\n}\r\n",
    "{\n  // why\n  \"a\": 1, // last\n  /* more */\n}\n",
    "{\n  \"a\": 1 // no comma\n}\n",
    "{\n  \"a\": 1 /* x */ // y  \n\n}",
    "{\"mcpServers\":{}}",
    "{\"mcpServers\": { } , \"z\": [1, 2]}",
    "{\n    \"mcpServers\": {\n        \"other\": {\"command\": \"x\"}\n    }\n}\n",
    "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}, // theirs\n  },\n}\n",
    "{\"hooks\":{}}",
    "{\"hooks\":{\"A\":[]}}",
    "{\"hooks\":{\"A\":[ ],\"B\":[\n]}}",
    "{\n  \"hooks\": {\n    \"A\": [\n      {\"matcher\": \"mine\", \"hooks\": [{\"command\": "
    "\"./x\"}]}\n    ]\n  }\n}\n",
    "{\n  \"permissions\": {\n    \"deny\": [\"one\"],\n    \"allow\": []\n  }\n}\n",
    "{\"permissions\":{\"deny\":[]}}",
    "// head\n{\"b\": \"// no comment, \\\" */\"} // tail",
};

TEST(JsonEdit, WhatIsPutInIsThereAndTheOldBytesComeBack) {
  for (const std::string& file : kFiles)
    for (const std::string_view wanted : {kServers, kHooks}) {
      SCOPED_TRACE(file);
      const std::string with = merged(file, wanted);
      ASSERT_FALSE(with.starts_with("error")) << with;
      EXPECT_NE(with, file);
      EXPECT_TRUE(is_subsequence(file, with)) << with;
      EXPECT_EQ(merged(with, wanted), with);
      EXPECT_EQ(unmerged(with, wanted), file) << with;
      EXPECT_TRUE(JsonText::read(with, "f").has_value());
    }
}

TEST(JsonEdit, BothCanStandInOneFile) {
  for (const std::string& file : kFiles) {
    SCOPED_TRACE(file);
    const std::string with = merged(merged(file, kServers), kHooks);
    EXPECT_EQ(unmerged(unmerged(with, kHooks), kServers), file) << with;
  }
}

TEST(JsonEdit, ItLooksAsAPersonWouldWriteIt) {
  EXPECT_EQ(merged("{\n  \"a\": 1 // one\n}\n", kServers),
            "{\n  \"a\": 1, // one\n  \"mcpServers\": {\n    \"gatehouse\": {\n      \"command\": "
            "\"gatehouse\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n");
  EXPECT_EQ(merged("{\n\t\"mcpServers\": {\n\t\t\"x\": {}\n\t}\n}\n", kServers),
            "{\n\t\"mcpServers\": {\n\t\t\"x\": {},\n\t\t\"gatehouse\": {\n\t\t\t\"command\": "
            "\"gatehouse\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}\n");
  EXPECT_EQ(
      laid_out(kServers),
      "{\n  \"mcpServers\": {\n    \"gatehouse\": {\n      \"command\": \"gatehouse\",\n      "
      "\"args\": [\"mcp\"]\n    }\n  }\n}\n");
}

TEST(JsonEdit, ANewFileGoesAsAWhole) {
  EXPECT_EQ(unmerged(laid_out(kServers), kServers), "");
  EXPECT_EQ(unmerged(laid_out(kHooks), kHooks), "");
}

TEST(JsonEdit, WhatIsOursAndOldIsBroughtUpToDateInItsPlace) {
  const std::string old =
      "{\"hooks\":{\"A\":[{\"command\":\"gatehouse hook "
      "codex\",\"timeout\":3},{\"command\":\"z\"}]}}";
  const std::string now = merged(old, kHooks);
  const auto json = wire::read_json(now);
  ASSERT_TRUE(json.has_value()) << now;
  const auto text = JsonText::read(now, "f");
  const std::size_t list = text->member(text->member(0, "hooks"), "A");
  ASSERT_EQ(text->at(list).children.size(), 2u) << "one of ours, first as before: " << now;
  EXPECT_EQ(text->value_of(text->at(list).children[1]), *wire::read_json(R"({"command":"z"})"));
  EXPECT_TRUE(is_our_entry(text->value_of(text->at(list).children[0])));
}

TEST(JsonEdit, AnEntryThatAPersonPutBesideOursStays) {
  const std::string with = merged("{}", kHooks);
  const std::string shared = [&] {
    std::string out = with;
    const std::string own = "\"command\": \"gatehouse hook codex\",";
    const std::size_t at = out.find("[", out.find("\"hooks\": [", out.find("\"A\"")));
    return out.insert(at + 1, "{\"command\":\"./mine\"}, ");
  }();
  EXPECT_EQ(merged(shared, kHooks), shared);
  const std::string rest = unmerged(shared, kHooks);
  EXPECT_NE(rest.find("./mine"), std::string::npos) << rest;
  EXPECT_EQ(rest.find("gatehouse"), std::string::npos) << rest;
  EXPECT_TRUE(wire::read_json(rest).has_value()) << rest;
}

TEST(JsonEdit, AFileThatIsNotUnderstoodIsNotTouched) {
  for (const char* text : {"", "{", "[1,]x", "{\"a\":1,,}", "{\"a\":1 \"b\":2}", "{\"a\":01}",
                           "/* open", "{\"a\":1}{}", "{\"a\":1,\"a\":2}"})
    EXPECT_TRUE(merged(text, kServers).starts_with("error: f.json"))
        << text << merged(text, kServers);
  EXPECT_TRUE(merged("[1]", kServers).starts_with("error: f.json: the document is no object"));
  EXPECT_TRUE(merged("{\"mcpServers\":[]}", kServers).starts_with("error: f.json: mcpServers"));
  EXPECT_TRUE(merged("{\"hooks\":{\"A\":{}}}", kHooks).starts_with("error: f.json: hooks.A"));
  std::string deep(kMaxJsonDepth + 1, '[');
  EXPECT_FALSE(JsonText::read(deep + std::string(kMaxJsonDepth + 1, ']'), "f").has_value());
  EXPECT_FALSE(JsonText::read(std::string(kMaxFileBytes + 1, ' '), "f").has_value());
}

TEST(JsonEdit, AValueThatAHostDemandsMustBeThere) {
  constexpr std::string_view kWanted =
      R"({"version":1,"hooks":{"stop":[{"command":"gatehouse hook cursor"}]}})";
  EXPECT_TRUE(merged("{\"hooks\":{}}", kWanted).starts_with("error: f.json does not say"));
  EXPECT_TRUE(merged("{\"version\":2}", kWanted).starts_with("error: f.json does not say"));
  const std::string file = "{\n  \"version\": 1,\n  \"hooks\": {}\n}\n";
  EXPECT_EQ(unmerged(merged(file, kWanted), kWanted), file);
  EXPECT_EQ(unmerged(laid_out(kWanted), kWanted), "");
}

}  // namespace
}  // namespace gh::setup
