#include "analysis/text_list.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

Value item(const std::string& id, std::int64_t n) { return Map{{"id", id}, {"n", n}}; }

List list_of(std::initializer_list<Value> items) { return List(items); }

TEST(TextList, IsDigestedAsTheListIs) {
  const List list = list_of({item("a", 1), item("b", 2)});
  EXPECT_EQ(text_list(list).digest(), digest_of(wire::canonical_json(list)).hex());
  EXPECT_EQ(text_list({}).digest(), digest_of("[]").hex());
}

TEST(TextList, EditsTurnOneListIntoTheOther) {
  const List a = list_of({item("a", 1), item("b", 2), item("c", 3), item("d", 4)});
  const List lists[] = {a,
                        {},
                        list_of({item("d", 4), item("c", 3), item("b", 2), item("a", 1)}),
                        list_of({item("b", 2), item("c", 3), item("new", 5)}),
                        list_of({item("a", 1), item("a", 1), item("d", 9), item("d", 4)})};
  for (const List& from : lists)
    for (const List& to : lists) {
      const auto made = edited_list(from, edits_between(text_list(from), text_list(to)));
      ASSERT_TRUE(made) << made.error().message;
      EXPECT_EQ(*made, to);
    }
  EXPECT_EQ(wire::canonical_json(edits_between(text_list(a), text_list(lists[3]))),
            R"([[1,2],{"id":"new","n":5}])");
}

TEST(TextList, ItemsThatDifferBringThoseOfTheirKeyWithThem) {
  const TextList before = text_list(list_of({item("a", 1), item("a", 2), item("b", 3)}));
  const TextList after = text_list(list_of({item("a", 1), item("b", 3), item("c", 4)}));
  const ItemsChanged alone = items_changed(before, after, "");
  EXPECT_EQ(alone.before, list_of({item("a", 2)}));
  EXPECT_EQ(alone.after, list_of({item("c", 4)}));
  const ItemsChanged keyed = items_changed(before, after, "id");
  EXPECT_EQ(keyed.before, list_of({item("a", 2), item("a", 1)}));
  EXPECT_EQ(keyed.after, list_of({item("c", 4), item("a", 1)}));
}

TEST(TextList, EveryCopyOfAnItemCounts) {
  const TextList two = text_list(list_of({item("a", 1), item("a", 1)}));
  const TextList one = text_list(list_of({item("a", 1)}));
  EXPECT_EQ(items_changed(two, one, "").before, list_of({item("a", 1)}));
  EXPECT_EQ(items_changed(one, two, "").after, list_of({item("a", 1)}));
  EXPECT_TRUE(items_changed(two, two, "id").before.empty());
}

TEST(TextList, AMemberIsReadWithItsEscapes) {
  EXPECT_EQ(member_text(wire::canonical_json(item("plain", 1)), "id"), "plain");
  EXPECT_EQ(member_text(wire::canonical_json(item("quo\"te\\", 1)), "id"), "quo\"te\\");
  EXPECT_EQ(member_text(wire::canonical_json(item("x", 1)), "none"), "");
}

}  // namespace
}  // namespace gh::analysis
