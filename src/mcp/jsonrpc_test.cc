#include "mcp/jsonrpc.h"

#include <array>

#include <gtest/gtest.h>

#include "wire/json.h"

namespace gh::mcp {
namespace {

/// Interfaces 1.3, the table of codes: code, status of HTTP in the legacy and in the modern era.
struct Row {
  int code, legacy, modern;
};
constexpr std::array<Row, 11> kDocument{{{-32700, 400, 400},
                                         {-32600, 400, 400},
                                         {-32601, 200, 404},
                                         {-32602, 200, 200},
                                         {-32603, 200, 200},
                                         {-32000, 400, 400},
                                         {-32001, 404, 404},
                                         {-32002, 200, 200},
                                         {-32020, 400, 400},
                                         {-32021, 400, 400},
                                         {-32022, 400, 400}}};

TEST(RpcStatusTable, SaysOfEveryCodeWhatHttpSays) {
  for (const Row& row : kDocument) {
    const RpcError error{static_cast<RpcCode>(row.code), "x"};
    EXPECT_EQ(http_status(error, Era::legacy), row.legacy) << row.code;
    EXPECT_EQ(http_status(error, Era::modern), row.modern) << row.code;
  }
}

TEST(RpcStatusTable, GivesWayToTheStatusThatTheErrorNames) {
  EXPECT_EQ(http_status({RpcCode::invalid_params, "envelope", {}, 400}, Era::modern), 400);
  EXPECT_EQ(http_status({RpcCode::transport_refusal, "host", {}, 403}, Era::legacy), 403);
}

Message read_one(std::string_view text) {
  const auto read = read_incoming(text, kMaxBodyBytes);
  EXPECT_TRUE(read) << text;
  return read ? read->messages.front() : Message{};
}

struct ReadCase {
  std::string_view text;
  bool is_valid;
  RpcCode fault;
  std::string_view id;  // canonical JSON
};
constexpr auto kParse = RpcCode::parse_error, kInvalid = RpcCode::invalid_request;
constexpr std::array<ReadCase, 15> kRead{{
    {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", true, kInvalid, "1"},
    {R"({"jsonrpc":"2.0","id":"a","method":"ping","params":{}})", true, kInvalid, "\"a\""},
    {R"({"jsonrpc":"2.0","id":-9,"method":"x","more":true})", true, kInvalid, "-9"},
    {R"({"jsonrpc":"2.0","method":"n"})", true, kInvalid, "null"},
    {R"({"jsonrpc":"2.0","id":3,"result":{}})", true, kInvalid, "3"},
    {R"({"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"m"}})", true, kInvalid, "3"},
    {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", false, kParse, "null"},
    {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", false, kInvalid, "null"},
    {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", false, kInvalid, "null"},
    {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", false, kInvalid, "1"},
    {R"({"id":1,"method":"ping"})", false, kInvalid, "1"},
    {R"({"jsonrpc":"2.0","id":1,"method":7})", false, kInvalid, "1"},
    {R"({"jsonrpc":"2.0","id":1,"method":"x","params":[1]})", false, kInvalid, "1"},
    {R"({"jsonrpc":"2.0","id":1})", false, kInvalid, "1"},
    {R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})", false, kInvalid, "1"},
}};

TEST(RpcReader, TellsMessagesFromWhatIsNone) {
  for (const ReadCase& row : kRead) {
    const Message message = read_one(row.text);
    EXPECT_EQ(message.is_valid, row.is_valid) << row.text;
    EXPECT_TRUE(row.is_valid || message.fault.code == row.fault) << row.text;
    EXPECT_EQ(wire::canonical_json(message.id), row.id) << row.text;
  }
}

TEST(RpcReader, KnowsRequestsNotificationsAndResponses) {
  EXPECT_EQ(read_one(R"({"jsonrpc":"2.0","id":1,"method":"m"})").kind, MessageKind::request);
  EXPECT_EQ(read_one(R"({"jsonrpc":"2.0","method":"m"})").kind, MessageKind::notification);
  EXPECT_EQ(read_one(R"({"jsonrpc":"2.0","id":1,"result":{}})").kind, MessageKind::response);
}

RpcCode refusal(std::string_view text, std::size_t max = kMaxBodyBytes) {
  const auto read = read_incoming(text, max);
  EXPECT_FALSE(read) << text.substr(0, 40);
  return read ? RpcCode::internal_error : read.error().code;
}

TEST(RpcReader, RefusesWhatIsNoJson) {
  EXPECT_EQ(refusal("{"), RpcCode::parse_error);
  EXPECT_EQ(refusal("nonsense"), RpcCode::parse_error);
  EXPECT_EQ(refusal("{\"a\":\"\xff\"}"), RpcCode::parse_error);
  EXPECT_EQ(refusal("{} {}"), RpcCode::parse_error);
}

TEST(RpcReader, HoldsItsLimits) {
  const std::string deep(200, '[');
  EXPECT_EQ(refusal(deep + std::string(200, ']')), RpcCode::parse_error);
  EXPECT_EQ(refusal("{\"jsonrpc\":\"2.0\"}", 5), RpcCode::invalid_request);
  const std::string most(127, '['), end(127, ']');
  EXPECT_TRUE(read_incoming(R"({"jsonrpc":"2.0","method":"m","x":)" + most + end + "}", 4096));
}

TEST(RpcReader, LetsTheLastOfTwoKeysWinAndSaysSo) {
  const auto read = read_incoming(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"m"})", 4096);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->messages.front().has_duplicate_keys);
  EXPECT_EQ(*read->messages.front().id.as_int(), 2);
}

TEST(RpcReader, ReadsBatchesAndRefusesEmptyAndLongOnes) {
  const auto batch = read_incoming(
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"n"},5])", 4096);
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->is_batch);
  ASSERT_EQ(batch->messages.size(), 3U);
  EXPECT_FALSE(batch->messages[2].is_valid);
  EXPECT_EQ(refusal("[]"), RpcCode::invalid_request);
  std::string many = "[1";
  for (int i = 0; i < 100; ++i)
    many += ",1";
  EXPECT_EQ(refusal(many + "]"), RpcCode::invalid_request);
}

TEST(RpcFrames, AreOneLineAndEchoTheId) {
  EXPECT_EQ(error_frame("a", {RpcCode::invalid_params, "no\nway", Map{{"uri", "u"}}}),
            R"({"error":{"code":-32602,"data":{"uri":"u"},"message":"no\nway"},"id":"a",)"
            R"("jsonrpc":"2.0"})");
  EXPECT_EQ(result_frame(7, {}), R"({"id":7,"jsonrpc":"2.0","result":{}})");
  EXPECT_EQ(notification_frame("n", {}), R"({"jsonrpc":"2.0","method":"n"})");
}

}  // namespace
}  // namespace gh::mcp
