#include "wire/spaced_json.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "wire/json.h"

namespace gh::wire {
namespace {

Value json(std::string_view text) { return *read_json(text); }

TEST(SpacedJson, SortsKeysAndPutsOneBlankAfterEachSeparator) {
  EXPECT_EQ(spaced_json(json(R"({"b":[1,2],"a":{"y":null,"x":true}})")),
            R"({"a": {"x": true, "y": null}, "b": [1, 2]})");
  EXPECT_EQ(spaced_json(json("{\"a\":[],\"b\":{}}")), R"({"a": [], "b": {}})");
}

TEST(SpacedJson, EscapesWhatIsBeyondAsciiAsUtf16) {
  EXPECT_EQ(spaced_json(Value("caf\xC3\xA9 \xF0\x9F\x98\x80 \n\x01\x7F")),
            "\"caf\\u00e9 \\ud83d\\ude00 \\n\\u0001\x7F\"");
}

TEST(SpacedJson, FractionsHaveTheirShortestFormWithAPoint) {
  for (const auto& [text, printed] :
       {std::pair{"1.0", "1.0"}, std::pair{"0.5", "0.5"}, std::pair{"1e16", "1e+16"},
        std::pair{"1e15", "1000000000000000.0"}, std::pair{"0.00001", "1e-05"},
        std::pair{"1.50", "1.5"}, std::pair{"123456789.123456789", "123456789.12345679"},
        std::pair{"18446744073709551616", "18446744073709551616"}, std::pair{"-3", "-3"}})
    EXPECT_EQ(spaced_json(json(text)), printed);
}

TEST(SpacedJson, IdentitySortsItemsByTheirTextAndDropsKeysAtEveryDepth) {
  constexpr std::string_view kDropped[] = {"observed"};
  EXPECT_EQ(
      identity_json(json(R"({"z":["b","a",{"observed":1,"k":[2,10]}],"observed":2})"), kDropped),
      R"({"z": ["a", "b", {"k": [10, 2]}]})");
}

TEST(SpacedJson, TheReportKeepsItsOrderAndIndentsByTwo) {
  EXPECT_EQ(report_json(json(R"({"b":[1,{"c":"\u00e9"}],"a":{}})")),
            "{\n  \"b\": [\n    1,\n    {\n      \"c\": \"\xC3\xA9\"\n    }\n  ],\n  \"a\": {}\n}");
}

TEST(SpacedJson, PacketsAreSortedAndEndWithANewline) {
  EXPECT_EQ(sorted_json(json(R"({"b":1.50,"a":[]})")), "{\n  \"a\": [],\n  \"b\": 1.5\n}\n");
}

TEST(SpacedJson, ALongListIsWrittenAsAShortOneIs) {
  constexpr int kItems = 1000;
  List items;
  std::string spaced, indented;
  for (int i = 0; i < kItems; ++i) {
    items.push_back(json(R"({"n":)" + std::to_string(i) + R"(,"l":[[]]})"));
    const std::string n = std::to_string(i);
    spaced += (i > 0 ? ", " : "") + (R"({"l": [[]], "n": )" + n) + "}";
    indented += std::string(i > 0 ? "," : "") + "\n    {\n      \"n\": " + n +
                ",\n      \"l\": [\n        []\n      ]\n    }";
  }
  const Value document(Map{{"items", std::move(items)}});
  EXPECT_EQ(spaced_json(document), "{\"items\": [" + spaced + "]}");
  EXPECT_EQ(report_json(document), "{\n  \"items\": [" + indented + "\n  ]\n}");

  std::string pieces;
  const Sink take = [&](std::string_view piece) { pieces += piece; };
  write_spaced_json(document, take);
  EXPECT_EQ(pieces, spaced_json(document));
  pieces.clear();
  write_report_json(document, {}, take);
  EXPECT_EQ(pieces, report_json(document));
  pieces.clear();
  const std::string long_text(200'000, 'x');
  write_report_json(Value(List{long_text, long_text}), {}, take);
  EXPECT_EQ(pieces, report_json(Value(List{long_text, long_text})));
}

TEST(SpacedJson, WhatIsPlainAndWhatIsNotIsToldAtEveryPlaceOfAText) {
  for (std::size_t size = 1; size < 20; ++size)
    for (std::size_t at = 0; at < size; ++at)
      for (const auto& [given, spaced] : {std::pair{"\"", "\\\""}, std::pair{"\\", "\\\\"},
                                          std::pair{"\n", "\\n"}, std::pair{"\x1f", "\\u001f"}}) {
        const std::string before(at, 'a'), after(size - at - 1, 'b');
        const Value text(before + given + after);
        EXPECT_EQ(spaced_json(text), '"' + before + spaced + after + '"');
        EXPECT_EQ(report_json(text), '"' + before + spaced + after + '"');
      }
}

TEST(SpacedJson, KeysAreInTheOrderOfTheirBytes) {
  EXPECT_EQ(spaced_json(json(R"({"same_start_b":1,"same_start_a":2,"same":3,"a\u0000":4,"a":5,
                                 "\u00e9":6,"Z":7,"":8,"same_sta":9})")),
            R"({"": 8, "Z": 7, "a": 5, "a\u0000": 4, "same": 3, "same_sta": 9, )"
            R"("same_start_a": 2, "same_start_b": 1, "\u00e9": 6})");
}

// docs/reference/release-findings.md, "Fingerprint".
TEST(SpacedJson, ThePublishedPreImageHashesToItsFingerprint) {
  const Value identity = json(
      R"({"tool_name":"payments.create_refund","check_id":"SHIP-POLICY-APPROVAL-MISSING",
          "evidence":{"risk_tags":["financial_action"],"policy_match":null}})");
  const std::string text = identity_json(identity);
  EXPECT_EQ(
      text,
      "{\"check_id\": \"SHIP-POLICY-APPROVAL-MISSING\", \"evidence\": {\"policy_match\": null, "
      "\"risk_tags\": [\"financial_action\"]}, \"tool_name\": \"payments.create_refund\"}");
  EXPECT_EQ(digest_of(text).hex().substr(0, 16), "66b1208b9f2e40ab");
}

}  // namespace
}  // namespace gh::wire
