#include "inventory/collect.h"

#include <deque>

#include <gtest/gtest.h>

#include "inventory/http_channel.h"
#include "model/peek.h"
#include "wire/json.h"

namespace gh::inventory {
namespace {

/// Answers by a script, in order; remembers what it was asked.
class Scripted : public Channel {
 public:
  explicit Scripted(std::deque<std::string> answers) : answers_(std::move(answers)) {}
  Result<Answer> ask(std::string_view method, Map params) override {
    asked.push_back(std::string(method) + " " + wire::canonical_json(Value(std::move(params))));
    if (answers_.empty()) return fail(Code::io_error, "nothing more");
    const Value answer = *wire::read_json(answers_.front());
    answers_.pop_front();
    if (const Value* error = answer.as_map()->find("error")) return Answer{{}, *error};
    return Answer{*answer.as_map()->find("result"), {}};
  }
  Status tell(std::string_view method, Map) override {
    asked.emplace_back(method);
    return {};
  }
  void settle(mcp::Era era, std::string_view) override { is_modern = era == mcp::Era::modern; }
  std::vector<std::string> asked{};
  bool is_modern = false;

 private:
  std::deque<std::string> answers_;
};

const std::string kHello =
    R"({"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"i"}})";
std::string page(std::string_view tools, std::string_view cursor = "") {
  return R"({"result":{"tools":[)" + std::string(tools) + "]" +
         (cursor.empty() ? "" : R"(,"nextCursor":")" + std::string(cursor) + "\"") + "}}";
}
const std::string kRefused = R"({"error":{"code":-32601,"message":"no"}})";

TEST(Collect, SaysHelloAndTakesEveryPage) {
  Scripted server({kHello, page(R"({"name":"b"})", "2"), page(R"({"name":"a"})")});
  const auto found = collect(server, "me", EraChoice::legacy_first, {});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->revision, "2025-06-18");
  EXPECT_EQ(found->instructions, "i");
  EXPECT_EQ(found->tools.size(), 2u);
  ASSERT_EQ(server.asked.size(), 4u);
  EXPECT_NE(server.asked[0].find(R"("clientInfo":{"name":"me")"), std::string::npos);
  EXPECT_EQ(server.asked[1], "notifications/initialized");
  EXPECT_EQ(server.asked[2], "tools/list {}");
  EXPECT_EQ(server.asked[3], R"(tools/list {"cursor":"2"})");
}

TEST(Collect, WhoeverRefusesToBeInitializedIsDiscovered) {
  Scripted server(
      {kRefused,
       R"({"result":{"supportedVersions":["2026-07-28"],"capabilities":{"prompts":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"m","version":"2"}}}})",
       page(R"({"name":"a"})"), R"({"result":{"prompts":[{"name":"p"}]}})"});
  const auto found = collect(server, "me", EraChoice::legacy_first, {});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(server.is_modern);
  EXPECT_EQ(found->revision, "2026-07-28");
  EXPECT_EQ(Peek(*found->server.find("name")).text(), "m");
  EXPECT_EQ(found->prompts.size(), 1u);
  EXPECT_NE(server.asked[2].find("io.modelcontextprotocol/protocolVersion"), std::string::npos);
}

TEST(Collect, AServerWithoutToolsHasNone) {
  Scripted server({kHello, kRefused});
  const auto found = collect(server, "me", EraChoice::legacy, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->tools.empty());
}

TEST(Collect, MisbehaviourIsAnError) {
  const std::vector<std::pair<std::string, std::deque<std::string>>> cases{
      {"refuses to begin", {kRefused}},
      {"'1999-01-01', which is not known", {R"({"result":{"protocolVersion":"1999-01-01"}})"}},
      {"same next page twice", {kHello, page("", "x"), page("", "x")}},
      {"an item has no 'name'", {kHello, page("{}")}},
      {"an item has no 'name'", {kHello, page("7")}},
      {"the server refuses", {kHello, R"({"error":{"code":-32603,"message":"broken"}})"}},
  };
  for (const auto& [why, answers] : cases) {
    Scripted server(answers);
    const auto found = collect(server, "me", EraChoice::legacy, {});
    ASSERT_FALSE(found) << why;
    EXPECT_EQ(found.error().code, Code::input_unreadable) << why;
    EXPECT_NE(found.error().message.find(why), std::string::npos) << found.error().message;
  }
}

TEST(Collect, PagesAndItemsHaveAnEnd) {
  std::deque<std::string> endless{kHello};
  for (int i = 0; i < 20; ++i)
    endless.push_back(page("", std::to_string(i)));
  Scripted server(endless);
  EXPECT_FALSE(collect(server, "me", EraChoice::legacy, {.max_pages = 10}));
  EXPECT_EQ(server.asked.size(), 12u);
  Scripted many({kHello, page(R"({"name":"a"},{"name":"b"},{"name":"c"})")});
  EXPECT_FALSE(collect(many, "me", EraChoice::legacy, {.max_items = 2}));
}

Listing listing_of(std::string_view tools) {
  Listing out{.server = {{"name", "s"}, {"version", "1"}}, .revision = "2025-11-25"};
  out.tools = *wire::read_json(tools)->as_list();
  return out;
}

TEST(InventoryExport, IsSortedAndHashesTheContractOfEachTool) {
  const Map one = export_document(
      listing_of(R"([{"name":"b","inputSchema":{"type":"object"}},{"name":"a","title":"x"}])"),
      "stdio");
  const Map other = export_document(
      listing_of(R"([{"title":"y","name":"a"},{"inputSchema":{"type":"object"},"name":"b"}])"),
      "stdio");
  EXPECT_EQ(Peek((*one.find("tools")->as_list())[0])["name"].text(), "a");
  EXPECT_EQ(*one.find("hashes"), *other.find("hashes")) << "a title is no part of the contract";
  const Map changed = export_document(
      listing_of(R"([{"name":"a"},{"name":"b","inputSchema":{"type":"string"}}])"), "stdio");
  EXPECT_NE(*one.find("hashes"), *changed.find("hashes"));
  // sha256 of {"name":"a"}
  EXPECT_EQ(Peek(*changed.find("hashes"))["tools"]["a"].text(),
            "sha256:d9d719b27480b55cd4918020e7473e716ed3569c8adafe926cf9b10b4f8ef064");
}

TEST(InventoryExport, NamesWhatDiffersBetweenTwoClients) {
  const Listing one = listing_of(R"([{"name":"a"},{"name":"b"},{"name":"c"}])");
  EXPECT_TRUE(differences(one, listing_of(R"([{"name":"c"},{"name":"b"},{"name":"a"}])")).empty());
  EXPECT_EQ(
      differences(one, listing_of(R"([{"name":"a","description":"x"},{"name":"b"},{"name":"d"}])")),
      (std::vector<std::string>{"a", "c", "d"}));
}

TEST(Events, AreReadHoweverTheyAreCut) {
  const std::string stream =
      ": hi\r\n\r\nevent: message\nid: 1\ndata: {\"a\":\ndata:1}\n\nretry: 5\ndata:\n\ndata: "
      "b\n\ndata: open";
  for (const std::size_t size : {1u, 3u, 1000u}) {
    Events events;
    std::vector<std::string> all;
    for (std::size_t at = 0; at < stream.size(); at += size)
      for (std::string& data : events.feed(std::string_view(stream).substr(at, size)))
        all.push_back(std::move(data));
    EXPECT_EQ(all, (std::vector<std::string>{"{\"a\":\n1}", "b"})) << size;
  }
}

}  // namespace
}  // namespace gh::inventory
