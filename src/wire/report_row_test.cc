#include "wire/report_row.h"

#include <array>

#include <gtest/gtest.h>

#include "wire/spaced_json.h"

namespace gh::wire {
namespace {

template <class Row>
void tell(Row& row) {
  row.text("name", "a \"b\"\n\xc3\xa4");
  row.flag("yes", true);
  row.flag("unknown", std::nullopt);
  row.number("line", -12);
  row.texts("tags", {"one", "t\\wo"});
  row.texts("none", {});
  optional_text(row, "owner", "");
  optional_text(row, "reason", "x");
  row.open("nothing");
  row.close();
  row.open("hashes");
  row.texts("inner", {"z"});
  row.null("last");
  row.close();
}

Value value() {
  ValueRow row;
  tell(row);
  return row.done();
}

TEST(ReportRow, TextIsWhatTheReportMakesOfTheValue) {
  std::string text;
  TextRow row(text, 0);
  tell(row);
  row.close();
  EXPECT_EQ(text, report_json(value()));
  EXPECT_NE(text.find("\"last\": null\n  }\n}"), std::string::npos) << text;
}

TEST(ReportRow, LateRowsStandWhereTheValuesWould) {
  for (const std::size_t count : {0u, 1u, 1000u}) {
    const Value whole(Map{{"facts", Map{{"rows", List(count, value())}, {"more", 1}}}});
    const Value frame(Map{{"facts", Map{{"rows", List{}}, {"more", 1}}}});
    const List& place = *frame.as_map()->find("facts")->as_map()->find("rows")->as_list();
    const auto write = [](std::size_t, std::string& out) {
      TextRow row(out, 3);
      tell(row);
      row.close();
    };
    std::string text;
    write_report_json(frame, std::array{LateItems{&place, count, write}},
                      [&](std::string_view piece) { text += piece; });
    EXPECT_EQ(text, report_json(whole)) << count;
  }
}

}  // namespace
}  // namespace gh::wire
