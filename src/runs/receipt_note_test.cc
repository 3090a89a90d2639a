#include "runs/receipt_note.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "runs/receipt.h"

namespace gh::runs {
namespace {

Map receipt(std::string_view status) {
  return Map{{"schema", "gatehouse.receipt/1"}, {"kind", "change"}, {"status", status}};
}

TEST(ReceiptNote, ALineIsCanonicalAndEndsOnce) {
  EXPECT_EQ(note_line(receipt("accepted"), false),
            R"({"rebound":false,"receipt":{"kind":"change","schema":"gatehouse.receipt/1",)"
            R"("status":"accepted"},"schema":"gatehouse.receipt_note/1"})"
            "\n");
}

TEST(ReceiptNote, LinesAreSortedAndStandOnceAsCatSortUniqLeavesThem) {
  std::string note;
  for (const char* status : {"c", "a", "b", "a"})
    note = note_with(note, receipt(status), false);
  EXPECT_EQ(note, note_line(receipt("a"), false) + note_line(receipt("b"), false) +
                      note_line(receipt("c"), false));
  EXPECT_EQ(note_with(note, receipt("b"), false), note) << "nothing new, nothing changes";
}

TEST(ReceiptNote, WhatOthersWroteStays) {
  const std::string note = note_with("a remark\n\n{\"schema\":\"x\"}\n", receipt("a"), false);
  EXPECT_TRUE(contains(note, "a remark\n"));
  EXPECT_TRUE(contains(note, "{\"schema\":\"x\"}\n"));
  ASSERT_EQ(read_note(note).size(), 1u);
  EXPECT_EQ(read_note(note).front().digest, receipt_digest(receipt("a")));
}

TEST(ReceiptNote, AReceiptThatWasReboundGivesUpItsOldLine) {
  const std::string note = note_with(note_line(receipt("a"), false), receipt("a"), true);
  EXPECT_EQ(note, note_line(receipt("a"), true));
  // Two clones that united both lines: it was rebound.
  const auto united = read_note(note_line(receipt("a"), false) + note_line(receipt("a"), true));
  ASSERT_EQ(united.size(), 1u);
  EXPECT_TRUE(united.front().rebound);
}

TEST(ReceiptNote, ReceiptsThatAreNamedGoAndRemarksStay) {
  const std::string note = note_with("a remark\n" + note_line(receipt("a"), false), receipt("b"),
                                     false, {receipt_digest(receipt("a"))});
  EXPECT_EQ(note, "a remark\n" + note_line(receipt("b"), false));
}

TEST(ReceiptNote, WhatIsNoReceiptIsNotRead) {
  for (const char* line :
       {"", "no json", "[]", "{}", R"({"schema":"gatehouse.receipt_note/1"})",
        R"({"schema":"gatehouse.receipt_note/1","receipt":[]})",
        R"({"schema":"gatehouse.receipt_note/1","receipt":{"schema":"gatehouse.receipt/2"}})",
        R"({"schema":"gatehouse.receipt_note/2","receipt":{"schema":"gatehouse.receipt/1"}})",
        R"({"schema":"gatehouse.receipt_note/1","receipt":{"schema":"gatehouse.receipt/1"})"})
    EXPECT_TRUE(read_note(std::string(line) + "\n").empty()) << line;
  EXPECT_TRUE(read_note(std::string(kMaxNoteBytes + 1, ' ')).empty());
}

TEST(ReceiptNote, NoMoreLinesAreReadThanAllowed) {
  std::string note(2 * kMaxNoteLines, '\n');
  for (std::size_t i = 0; i < kMaxNoteLines; ++i)
    note += "remark\n";
  note += note_line(receipt("a"), false);
  EXPECT_TRUE(read_note(note).empty());
  EXPECT_TRUE(contains(note_with(note, receipt("b"), false), note_line(receipt("a"), false)))
      << "but none is thrown away";
}

}  // namespace
}  // namespace gh::runs
