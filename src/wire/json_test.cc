#include "wire/json.h"

#include <algorithm>
#include <limits>

#include "wire/small_json.h"

namespace gh::wire {
namespace {

std::string canonical(std::string_view json) {
  const auto value = read_json(json);
  return value ? canonical_json(*value) : "refused: " + value.error().message;
}

std::string refusal(std::string_view json, JsonLimits limits = {}) {
  const auto value = read_json(json, "doc.json", limits);
  return value ? "accepted: " + canonical_json(*value) : value.error().message;
}

std::string nested(std::size_t depth) {
  std::string json(2 * depth, '[');
  std::fill_n(json.begin() + static_cast<std::ptrdiff_t>(depth), depth, ']');
  return json;
}

/// Short texts are read by us, long ones by simdjson: white space at the end makes a text long.
std::string both(std::string_view json) {
  const std::string here = canonical(json);
  const std::string there = canonical(std::string(json) + std::string(kMaxSmallJson, ' '));
  return here == there ? here : here + " but " + there;
}

struct TextCase {
  std::string_view json, canonical;
};

TEST(Json, AcceptedTextHasOneCanonicalForm) {
  constexpr TextCase kCases[] = {
      {"null", "null"},
      {" true ", "true"},
      {"false\n", "false"},
      {"0", "0"},
      {"-0", "0"},
      {"42", "42"},
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {R"("")", R"("")"},
      {"[]", "[]"},
      {"{}", "{}"},
      {" [ 1 , 2 ] ", "[1,2]"},
      {R"({"b":1,"a":{"d":[],"c":null}})", R"({"a":{"c":null,"d":[]},"b":1})"},
      {R"({"é":1,"z":2,"Z":3,"":4})", R"({"":4,"Z":3,"z":2,"é":1})"},
      {R"("\/\u00e9\ud83d\ude00")", R"("/é😀")"},
      {R"("\u0000\u001f\u007f\b\t\n\f\r\"\\")", "\"\\u0000\\u001f\x7f\\b\\t\\n\\f\\r\\\"\\\\\""},
      {R"([[[["deep"]]],{"a":[{"b":[]}]}])", R"([[[["deep"]]],{"a":[{"b":[]}]}])"},
  };
  for (const TextCase& c : kCases)
    EXPECT_EQ(both(c.json), c.canonical) << c.json;
}

TEST(Json, ShortTextsAreReadAsLongOnes) {
  // Each is taken or refused by both, and means the same.
  for (const std::string_view text : {R"({"a":{"b":[1,{"c":"d"}]},"e":null})",
                                      R"(["\u00e9\ud83d\ude00\n\/\b\f\r\t\"\\"])",
                                      R"(["\ud83d"])",
                                      R"(["\ude00"])",
                                      R"(["\ud83d\u0041"])",
                                      R"(["\x"])",
                                      R"(["\u12g4"])",
                                      R"(["\u12"])",
                                      R"(["a)",
                                      "[\"a\nb\"]",
                                      R"([1,])",
                                      R"([,1])",
                                      R"({"a":1,})",
                                      R"({"a"})",
                                      R"({"a":1 "b":2})",
                                      R"({"a":1,"a":2})",
                                      R"([1 2])",
                                      "[1]x",
                                      "{} {}",
                                      "[",
                                      "{",
                                      "]",
                                      "",
                                      "nul",
                                      "01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "1e5",
                                      "1.5",
                                      "-0.0",
                                      "\xff",
                                      "[\"\xc3\"]"}) {
    const auto here = read_json(text);
    const auto there = read_json(std::string(text) + std::string(kMaxSmallJson, ' '));
    ASSERT_EQ(here.has_value(), there.has_value()) << text;
    if (here) EXPECT_EQ(*here, *there) << text;
    EXPECT_TRUE(!read_small_json(text, {}) || here.has_value()) << text;
  }
}

TEST(Json, RefusedTextIsNamedWithLineAndColumn) {
  constexpr TextCase kCases[] = {
      {"", "doc.json:1:1: the document is empty"},
      {" \n ", "doc.json:1:1: the document is empty"},
      {"{\n  \"a\": 1,\n  \"b\": 2,\n  \"a\": 3\n}", "doc.json:4:3: key 'a' is already at 2:3"},
      {R"({"\u0061":1,"a":2})", "doc.json:1:13: key 'a' is already at 1:2"},
      {R"([{"x":{"k":1,"k":1}}])", "doc.json:1:14: key 'k' is already at 1:8"},
      {"\"a\xff\"", "doc.json:1:3: not UTF-8"},
      {"[\"\xc3\xa9\",\n\"\xed\xa0\x80\"]", "doc.json:2:2: not UTF-8"},
      {"[\"abc", "doc.json:1:2: the string does not end"},
      {"[\"a\nb\"]", "doc.json:1:4: control character in a string"},
      {"[1 2]", "doc.json:1:4: expected ',' or ']'"},
      {"[1,]", "doc.json:1:4: expected a value"},
      {"[,1]", "doc.json:1:2: expected a value"},
      {"[01]", "doc.json:1:2: expected a value"},
      {"[+1]", "doc.json:1:2: expected a value"},
      {"[.5]", "doc.json:1:2: expected a value"},
      {"[1.]", "doc.json:1:2: expected a value"},
      {"[1e]", "doc.json:1:2: expected a value"},
      {"[1e999]", "doc.json:1:2: expected a value"},
      {"[NaN]", "doc.json:1:2: expected a value"},
      {"[tru]", "doc.json:1:2: expected a value"},
      {"[truefalse]", "doc.json:1:2: expected a value"},
      {"{\"a\":1,}", "doc.json:1:8: expected ',' or '}' or a key"},
      {"{\"a\" 1}", "doc.json:1:6: expected ',' or '}' or a key"},
      {"{1:2}", "doc.json:1:2: expected ',' or '}' or a key"},
      {"{\"a\":}", "doc.json:1:6: expected a value"},
      {"[\"\\x\"]", "doc.json:1:2: bad escape in the string"},
      {R"(["\ud800"])", "doc.json:1:2: bad escape in the string"},
      {R"(["\udc00"])", "doc.json:1:2: bad escape in the string"},
      {R"({"\ud800":1})", "doc.json:1:2: bad escape in the key"},
      {"[1] []", "doc.json:1:5: more text after the end of the document"},
      {"[1] 2", "doc.json:1:6: expected ']' at the end"},
      {"\"a\" \"b\"", "doc.json:1:5: more text after the end of the document"},
      {"1 2", "doc.json:1:1: expected a value"},
      {"'a'", "doc.json:1:1: expected a value"},
      {"\xef\xbb\xbf{}", "doc.json:1:1: expected a value"},
      {"[1", "doc.json:1:3: expected ']' at the end"},
      {"{\"a\":1", "doc.json:1:7: expected '}' at the end"},
      {"{\"a\":[1}", "doc.json:1:8: expected ',' or ']'"},
      {"// c\n1", "doc.json:1:1: expected a value"},
  };
  for (const TextCase& c : kCases)
    EXPECT_EQ(refusal(c.json), c.canonical) << c.json;
}

TEST(Json, NumbersWithoutACanonicalFormKeepTheirText) {
  for (const std::string_view text :
       {"9223372036854775808", "-9223372036854775809", "1e3", "-0.0", "1E+2", "0.10000", "1.50",
        "0.00", "0.12345", "1.5e1", "9223372036854775.5", "123456789012345678.5"}) {
    const auto value = read_json(text);
    ASSERT_TRUE(value.has_value()) << text;
    const auto* number = std::get_if<Number>(&value->data());
    ASSERT_NE(number, nullptr) << text;
    EXPECT_EQ(number->text, text);
    EXPECT_FALSE(read_own_json(text).has_value()) << text;
  }
  EXPECT_EQ(std::get<Number>(read_json("-2.5e1")->data()).value, -25.0);
}

TEST(Json, FractionsOfOurOwnDocumentsSurviveReadingAndWriting) {
  for (const std::string_view text :
       {"0.0", "0.9", "1.5", "-1.5", "0.0001", "-0.0001", "12.003", "1.25", "100.0",
        "99999999999999.9999", "-99999999999999.9999", "922337203685477.5807",
        "-922337203685477.5808"}) {
    const auto value = read_json(text);
    ASSERT_TRUE(value.has_value()) << text;
    ASSERT_TRUE(std::holds_alternative<Decimal>(value->data())) << text;
    EXPECT_EQ(canonical_json(*value), text);
    EXPECT_EQ(read_own_json(text).value(), *value);
  }
  const auto own = read_own_json(R"({"a":[{"ratio":0.9,"n":7}]})");
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(canonical_json(*own), R"({"a":[{"n":7,"ratio":0.9}]})");
}

TEST(Json, LastDuplicateWinsAtTheFirstPlaceWhenAsked) {
  const auto value =
      read_json(R"({"a":1,"b":2,"a":3,"c":4,"a":5})", "x", {}, DuplicateKeys::last_wins);
  ASSERT_TRUE(value.has_value());
  ASSERT_EQ(value->as_map()->size(), 3u);
  EXPECT_EQ(value->as_map()->entries()[0].first, "a");
  EXPECT_EQ(canonical_json(*value), R"({"a":5,"b":2,"c":4})");
}

TEST(Json, LimitsHoldAtTheirBound) {
  EXPECT_EQ(refusal("[1,2]", {.max_bytes = 5}), "accepted: [1,2]");
  EXPECT_EQ(refusal("[1,2]", {.max_bytes = 4}), "doc.json:1:1: 5 bytes, at most 4");
  EXPECT_EQ(refusal("[[1]]", {.max_depth = 2}), "accepted: [[1]]");
  EXPECT_EQ(refusal("[{\"a\":[]}]", {.max_depth = 2}), "doc.json:1:7: nested deeper than 2 levels");
  EXPECT_TRUE(read_json(nested(200)).has_value());
  EXPECT_EQ(refusal(nested(1'000'000)), "doc.json:1:201: nested deeper than 200 levels");
  EXPECT_EQ(read_json("[]", "x", {.max_bytes = 1}).error().code, Code::document_too_large);
  EXPECT_EQ(read_json("[").error().code, Code::json_invalid);
}

TEST(Json, ManyKeysAreReadInNearLinearTime) {
  std::string json = "{";
  for (int i = 0; i < 200'000; ++i)
    json += fmt::format("\"k{}\":{},", i, i);
  json.back() = '}';
  const auto value = read_json(json);
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->as_map()->size(), 200'000u);
}

TEST(CanonicalJson, DecimalsAreShortestWithOneDigitAtLeast) {
  struct Case {
    std::int64_t ten_thousandths;
    std::string_view text;
  };
  constexpr Case kCases[] = {{0, "0.0"},
                             {15'000, "1.5"},
                             {9'000, "0.9"},
                             {1, "0.0001"},
                             {-1, "-0.0001"},
                             {-15'000, "-1.5"},
                             {10'100, "1.01"},
                             {120'030, "12.003"},
                             {std::numeric_limits<std::int64_t>::max(), "922337203685477.5807"},
                             {std::numeric_limits<std::int64_t>::min(), "-922337203685477.5808"}};
  for (const Case& c : kCases)
    EXPECT_EQ(canonical_json(Value(Decimal{c.ten_thousandths})), c.text);
}

TEST(CanonicalJson, BytesThatAreNotUtf8ShowAsEscapedText) {
  EXPECT_EQ(canonical_json(Value(std::string("a\xff\xc3\xa9"))), "\"a\\\\xffé\"");
  EXPECT_EQ(canonical_json(Value(Map{{"\xfe", 1}})), "{\"\\\\xfe\":1}");
}

TEST(CanonicalJson, EveryControlCharacterIsEscapedWhereverItStands) {
  for (int byte = 0; byte < 0x20; ++byte)
    for (std::size_t offset = 0; offset < 20; ++offset) {
      std::string text(20, 'x');
      text[offset] = static_cast<char>(byte);
      const std::string json = canonical_json(Value(text));
      EXPECT_EQ(std::ranges::count_if(json, [](char c) { return c >= 0 && c < 0x20; }), 0);
      const auto back = read_json(json);
      ASSERT_TRUE(back.has_value());
      EXPECT_EQ(*back, Value(text));
    }
}

TEST(CanonicalJson, LongPlainRunsSurviveUnchanged) {
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += fmt::format("plain {} \" \\ é\x7f\x80", i % 7);
  std::erase(text, '\x80');
  EXPECT_EQ(*read_json(canonical_json(Value(text))), Value(text));
}

TEST(CanonicalJson, ANumberOfAnOutsideDocumentIsABrokenPromise) {
  EXPECT_DEATH(canonical_json(Value(Number{1.5, "1.5"})), "number");
}

TEST(PrettyJson, IsTheCanonicalOrderWithTwoSpaceIndent) {
  const Value value =
      Map{{"b", List{1, List{}, Map{}, Map{{"y", nullptr}, {"x", true}}}}, {"a", "text"}};
  EXPECT_EQ(pretty_json(value), R"({
  "a": "text",
  "b": [
    1,
    [],
    {},
    {
      "x": true,
      "y": null
    }
  ]
}
)");
  EXPECT_EQ(pretty_json(Value(7)), "7\n");
  EXPECT_EQ(pretty_json(Value(List{})), "[]\n");
}

}  // namespace
}  // namespace gh::wire
