#include "serve/modern_headers.h"

#include <gtest/gtest.h>

namespace gh::serve {
namespace {

mcp::Message request(std::string method, Map params = {}) {
  params.set("_meta", Map{{std::string(mcp::kMetaVersion), "2026-07-28"}});
  mcp::Message out;
  out.id = 1;
  out.method = std::move(method);
  out.params = std::move(params);
  return out;
}

const std::vector<mcp::HeaderArgument> kRegion{{"Region", "region"}};

// interfaces 1.7, row "Headers": what must stand in which field.
struct Case {
  std::string_view name;
  mcp::Message message;
  http::Fields fields;
  bool is_fine;
  std::vector<mcp::HeaderArgument> arguments{};
};

TEST(ModernHeaders, SayTheSameAsTheBody) {
  const http::Field version{"mcp-protocol-version", "2026-07-28"};
  const auto method = [](std::string m) { return http::Field{"Mcp-Method", std::move(m)}; };
  const auto name = [](std::string n) { return http::Field{"MCP-NAME", std::move(n)}; };
  const auto region = [](std::string r) { return http::Field{"Mcp-Param-Region", std::move(r)}; };
  const auto list = request("tools/list");
  const auto call = request("tools/call", Map{{"name", "status"}});
  const auto read = request("resources/read", Map{{"uri", "gatehouse://policy"}});
  const auto where =
      request("tools/call", Map{{"name", "t"}, {"arguments", Map{{"region", "eu"}}}});
  const auto nowhere = request("tools/call", Map{{"name", "t"}, {"arguments", Map{}}});
  const auto number = request("tools/call", Map{{"name", "t"}, {"arguments", Map{{"region", 42}}}});
  for (const Case& c : {
           Case{"both", list, {version, method("tools/list")}, true},
           Case{"no version", list, {method("tools/list")}, false},
           Case{"other version",
                list,
                {{"MCP-Protocol-Version", "2025-11-25"}, method("tools/list")},
                false},
           Case{"no method", list, {version}, false},
           Case{"other method", list, {version, method("tools/call")}, false},
           Case{"method in other case", list, {version, method("Tools/List")}, false},
           Case{"white space around", list, {version, method("  tools/list\t")}, true},
           Case{"name", call, {version, method("tools/call"), name("status")}, true},
           Case{"no name", call, {version, method("tools/call")}, false},
           Case{"other name", call, {version, method("tools/call"), name("check")}, false},
           Case{"encoded name",
                call,
                {version, method("tools/call"), name("=?base64?c3RhdHVz?=")},
                true},
           Case{"uri", read, {version, method("resources/read"), name("gatehouse://policy")}, true},
           Case{"other uri",
                read,
                {version, method("resources/read"), name("gatehouse://x")},
                false},
           Case{"prompt",
                request("prompts/get", Map{{"name", "p"}}),
                {version, method("prompts/get"), name("p")},
                true},
           Case{"no name is asked for", list, {version, method("tools/list"), name("x")}, true},
           Case{"argument",
                where,
                {version, method("tools/call"), name("t"), region("eu")},
                true,
                kRegion},
           Case{"argument encoded",
                where,
                {version, method("tools/call"), name("t"), region("=?base64?ZXU=?=")},
                true,
                kRegion},
           Case{"argument wrongly encoded",
                where,
                {version, method("tools/call"), name("t"), region("=?base64?ZXU?=")},
                false,
                kRegion},
           Case{"half a wrapper is literal",
                where,
                {version, method("tools/call"), name("t"), region("=?base64?ZXU=")},
                false,
                kRegion},
           Case{"argument missing in the field",
                where,
                {version, method("tools/call"), name("t")},
                false,
                kRegion},
           Case{"argument missing in the body",
                nowhere,
                {version, method("tools/call"), name("t"), region("eu")},
                false,
                kRegion},
           Case{"argument missing in both",
                nowhere,
                {version, method("tools/call"), name("t")},
                true,
                kRegion},
           Case{"number",
                number,
                {version, method("tools/call"), name("t"), region("42")},
                true,
                kRegion},
           Case{"nobody marked it",
                where,
                {version, method("tools/call"), name("t"), region("us")},
                true},
       }) {
    const auto wrong = check_headers(c.fields, c.message, c.arguments);
    EXPECT_EQ(!wrong, c.is_fine) << c.name << (wrong ? ": " + wrong->message : "");
    if (wrong) {
      EXPECT_EQ(static_cast<int>(wrong->code), -32020) << c.name;
      EXPECT_EQ(wrong->status, 400) << c.name;
    }
  }
}

TEST(ModernHeaders, AValueIsDecodedOnlyInItsWrapper) {
  EXPECT_EQ(header_value("plain"), "plain");
  EXPECT_EQ(header_value("=?base64?aGVsbG8=?="), "hello");
  EXPECT_EQ(header_value("=?BASE64?aGVsbG8=?="), "hello");
  EXPECT_EQ(header_value("=?base64?="), "=?base64?=");
  EXPECT_EQ(header_value("aGVsbG8=?="), "aGVsbG8=?=");
  EXPECT_EQ(header_value("=?base64?"
                         "?="),
            "");
  EXPECT_EQ(header_value("=?base64?aGV sbG8=?="), std::nullopt);
}

}  // namespace
}  // namespace gh::serve
