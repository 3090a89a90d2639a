#include "forge/sticky.h"

#include <gtest/gtest.h>

namespace gh::forge {
namespace {

std::string body(const std::string& decision, const std::string& verdict,
                 const std::string& job = "check") {
  return "<!-- gatehouse:comment:v1 repo=aa job=" + job +
         " -->\n<!-- gatehouse:state decision=" + decision + " verdict=sha256:" + verdict +
         " -->\n## Gatehouse: x\n\n**" + decision + "** words\n\n| Gate |\n";
}

std::optional<Comment> there(std::string text) { return Comment{"1", std::move(text)}; }

struct Row {
  const char* what;
  std::string body;
  std::optional<Comment> there;
  When when;
  Plan::Act act;
  bool collapses;
};

TEST(StickyComment, IsMadeOnceAndThenEdited) {
  const std::string folded = collapsed(body("allow", "2"));
  const Row rows[] = {
      {"none is there", body("deny", "1"), {}, When::always, Plan::Act::create, false},
      {"none is there, and it passes",
       body("allow", "1"),
       {},
       When::on_change,
       Plan::Act::create,
       false},
      {"another verdict", body("deny", "2"), there(body("deny", "1")), When::always,
       Plan::Act::update, false},
      {"the same, to the letter", body("deny", "1"), there(body("deny", "1")), When::always,
       Plan::Act::leave, false},
      {"the same, with other ends of lines", "a", there("a\r\n"), When::always, Plan::Act::leave,
       false},
      {"the same verdict, other words", body("deny", "1") + "x", there(body("deny", "1")),
       When::on_change, Plan::Act::leave, false},
      {"the same verdict, other words, always", body("deny", "1") + "x", there(body("deny", "1")),
       When::always, Plan::Act::update, false},
      {"passes after a failure", body("allow", "2"), there(body("deny", "1")), When::always,
       Plan::Act::update, true},
      {"passes after a doubt", body("allow", "2"), there(body("unverified", "1")), When::on_change,
       Plan::Act::update, true},
      {"passes again", body("allow", "3"), there(folded), When::always, Plan::Act::update, true},
      {"passes again in the same way", body("allow", "2"), there(folded), When::always,
       Plan::Act::leave, false},
      {"fails again", body("deny", "4"), there(folded), When::always, Plan::Act::update, false},
      {"passed all the time", body("allow", "2"), there(body("allow", "1")), When::always,
       Plan::Act::update, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const Plan made = plan(row.body, row.there, row.when);
    EXPECT_EQ(made.act, row.act);
    EXPECT_EQ(is_collapsed(made.body), row.collapses) << made.body;
  }
}

TEST(StickyComment, IsFoundByItsWholeFirstLineAlone) {
  const std::string own = body("deny", "1");
  const std::vector<Comment> all{{"1", "see " + own},
                                 {"2", "> " + own},
                                 {"3", body("deny", "1", "other")},
                                 {"4", own + "\r\n"},
                                 {"5", "<!-- gatehouse:comment:v1 repo=aa"},
                                 {"6", own}};
  std::string found;
  for (const Comment& comment : ours(own, all))
    found += comment.id;
  EXPECT_EQ(found, "46");
  EXPECT_TRUE(ours("no marker", {{"1", "no marker"}}).empty());
}

TEST(StickyComment, CollapsedItIsOneLineThatIsShown) {
  EXPECT_EQ(collapsed(body("allow", "2")),
            "<!-- gatehouse:comment:v1 repo=aa job=check -->\n<!-- gatehouse:state decision=allow "
            "verdict=sha256:2 collapsed -->\nGatehouse: **allow** words\n");
}

}  // namespace
}  // namespace gh::forge
