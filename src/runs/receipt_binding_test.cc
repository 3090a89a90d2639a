#include "runs/receipt_binding.h"

#include <gtest/gtest.h>

#include "base/digest.h"

namespace gh::runs {
namespace {

Map receipt(std::string_view kind, std::string_view lines = "l1") {
  return Map{
      {"kind", kind},
      {"subject", Map{{"base", "b1"}, {"tree", "t1"}}},
      {"inputs",
       Map{{"candidate_tree", "t1"}, {"stable_patch_id", "p1"}, {"changed_lines_sha256", lines}}}};
}

struct Case {
  const char* name;
  CommitFacts commit;
  Binding change, patch, promotion;
};

// docs/formats/receipt.md, "Binding".
TEST(ReceiptBinding, ACommitHoldsTheChangeOrAnotherOne) {
  using enum Binding;
  const std::vector<Case> cases{
      {"the tree on the base", {"t1", {"b1"}, {}}, exact, exact, exact},
      {"a merge into the base", {"t1", {"b1", "y"}, {}}, exact, exact, exact},
      {"a merge that undoes the other side", {"t1", {"x", "b1"}, {}}, other, other, exact},
      {"the patch at another place of the base",
       {"t2", {"b1"}, {{"p1", "l1"}}},
       other,
       other,
       other},
      {"the tree on another base", {"t1", {"b2"}, {}}, other, other, other},
      {"another tree on the base", {"t2", {"b1"}, {}}, other, other, other},
      {"the patch elsewhere", {"t2", {"b2"}, {{"p1", "l1"}}}, rebound, rebound, other},
      {"the patch since its base",
       {"t2", {"b2"}, {{"p9", "l9"}, {"p1", "l1"}}},
       rebound,
       rebound,
       other},
      {"the patch but for white space", {"t2", {"b2"}, {{"p1", "l2"}}}, other, other, other},
      {"the lines with another patch id", {"t2", {"b2"}, {{"p2", "l1"}}}, other, other, other},
      {"no patch at all", {"t2", {"b2"}, {{"", "l1"}}}, other, other, other},
      {"a first commit", {"t1", {}, {}}, other, other, other},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(binding_of(receipt("change"), c.commit), c.change);
    EXPECT_EQ(binding_of(receipt("patch"), c.commit), c.patch);
    EXPECT_EQ(binding_of(receipt("promotion"), c.commit), c.promotion);
    EXPECT_EQ(binding_of(receipt("release"), c.commit), c.promotion);
    EXPECT_EQ(binding_of(receipt("no such kind"), c.commit), c.promotion);
  }
}

TEST(ReceiptBinding, AReceiptThatIsBoundToNothingHoldsForNothing) {
  const Map unbound{{"kind", "change"},
                    {"subject", Map{{"base", nullptr}, {"tree", nullptr}}},
                    {"inputs", Map{{"candidate_tree", nullptr}, {"stable_patch_id", nullptr}}}};
  EXPECT_EQ(binding_of(unbound, {"", {""}, {{"", ""}}}), Binding::other);
  EXPECT_EQ(binding_of({}, {}), Binding::other);
  // Lines are compared where the receipt has them.
  EXPECT_EQ(binding_of(receipt("change", ""), {"t2", {"b2"}, {{"p1", "l2"}}}), Binding::rebound);
}

Map with_blobs(std::string_view kind) {
  const List files{Map{{"path", "x"}, {"old_blob", "o1"}, {"new_blob", "n1"}},
                   Map{{"path", "new"}, {"old_blob", nullptr}, {"new_blob", "n2"}}};
  Map out = receipt(kind);
  if (kind == "patch")
    out.set("body", Map{{"paths", files}});
  else
    out.find("inputs")->as_map()->set("changed_blobs", files);
  return out;
}

TEST(ReceiptBinding, TheSameLinesAtAnotherPlaceOfTheSameFileAreAnotherChange) {
  struct PlaceCase {
    const char* name;
    std::vector<BlobChange> blobs;
    Binding binding;
  };
  const std::vector<PlaceCase> cases{
      {"the same files", {{"new", "", "n2"}, {"x", "o1", "n1"}}, Binding::rebound},
      {"at another place", {{"new", "", "n2"}, {"x", "o1", "n9"}}, Binding::other},
      {"on a file that got other lines", {{"new", "", "n2"}, {"x", "o9", "n9"}}, Binding::rebound},
      {"a new file is what it is", {{"new", "", "n9"}, {"x", "o1", "n1"}}, Binding::other},
      {"a file that nobody judged", {{"x", "o1", "n1"}, {"y", "o1", "n1"}}, Binding::other},
      {"a file that is gone", {{"x", "o1", ""}}, Binding::other},
      {"only modes", {}, Binding::rebound},
  };
  for (const PlaceCase& c : cases) {
    SCOPED_TRACE(c.name);
    const CommitFacts commit{"t2", {"b2"}, {{"p1", "l1", c.blobs}}};
    EXPECT_EQ(binding_of(with_blobs("change"), commit), c.binding);
    EXPECT_EQ(binding_of(with_blobs("patch"), commit), c.binding);
    EXPECT_EQ(binding_of(receipt("change"), commit), Binding::rebound) << "it does not say";
  }
  EXPECT_EQ(changed_blobs({{"x", "o1", "n1"}, {"new", "", "n2"}}),
            (List{Map{{"path", "x"}, {"old_blob", "o1"}, {"new_blob", "n1"}},
                  Map{{"path", "new"}, {"old_blob", nullptr}, {"new_blob", "n2"}}}));
}

// Two blocks with the same lines, above and below which somebody else has written.
TEST(ReceiptBinding, InAFileThatGotOtherLinesEachHunkStandsAtTheSameOfItsPlaces) {
  using Texts = std::vector<std::string>;
  struct PlaceCase {
    const char* name;
    Texts judged, now;
    Binding binding;
  };
  const std::vector<PlaceCase> cases{
      {"one place each, then and now", {}, {}, Binding::rebound},
      {"the second of two, then and now", {"2 of 2"}, {"2 of 2"}, Binding::rebound},
      {"the other one", {"2 of 2"}, {"1 of 2"}, Binding::other},
      {"one of them is gone, nobody knows which", {"2 of 2"}, {}, Binding::other},
      {"another one came", {}, {"1 of 2"}, Binding::other},
      {"a third one came", {"2 of 2"}, {"2 of 3"}, Binding::other},
      {"of two hunks one has moved", {"1 of 1", "1 of 2"}, {"1 of 1", "2 of 2"}, Binding::other},
      {"nobody counted", {"0 of 0"}, {"0 of 0"}, Binding::other},
      {"nobody counted the second", {"1 of 2", "0 of 0"}, {"1 of 2", "0 of 0"}, Binding::other},
  };
  for (const PlaceCase& c : cases) {
    SCOPED_TRACE(c.name);
    Map judged = receipt("change");
    judged.find("inputs")->as_map()->set("changed_blobs",
                                         changed_blobs({{"x", "o1", "n1", c.judged}}));
    const auto on = [&](const BlobChange& blob) {
      return binding_of(judged, {"t2", {"b2"}, {{"p1", "l1", {blob}}}});
    };
    EXPECT_EQ(on({"x", "o9", "n9", c.now}), c.binding);
    EXPECT_EQ(on({"x", "o1", "n1", c.now}), Binding::rebound) << "the same file all through";
    EXPECT_EQ(on({"x", "o1", "n9", c.now}), Binding::other) << "changed in the same file";
  }
  EXPECT_EQ(
      changed_blobs({{"x", "o1", "n1", {"2 of 2"}}}),
      (List{
          Map{{"path", "x"}, {"old_blob", "o1"}, {"new_blob", "n1"}, {"places", List{"2 of 2"}}}}));
}

TEST(ReceiptBinding, WordsOfTheDocument) {
  EXPECT_EQ(to_string(Binding::exact), "exact");
  EXPECT_EQ(to_string(Binding::rebound), "rebound");
  EXPECT_EQ(to_string(Binding::other), "other");
}

constexpr std::string_view kDiff =
    "diff --git a/x b/x\n"
    "index 1..2 100644\n"
    "--- a/x\n"
    "+++ b/x\n"
    "@@ -1,2 +1,2 @@ f\n"
    " kept\n"
    "-old\n"
    "+new\n"
    "\\ No newline at end of file\n";

TEST(ChangedLines, PlacesAndContextAreLeftOut) {
  std::string moved(kDiff);
  moved.replace(moved.find("-1,2 +1,2 @@ f"), 14, "-71,2 +71,2 @@");
  moved.replace(moved.find(" kept"), 5, " else");
  moved.replace(moved.find("1..2"), 4, "3..4");
  EXPECT_EQ(changed_lines_sha256(moved), changed_lines_sha256(kDiff));
  EXPECT_EQ(changed_lines_sha256(kDiff),
            digest_of("diff --git a/x b/x\n--- a/x\n+++ b/x\n-old\n+new\n"
                      "\\ No newline at end of file\n")
                .hex());
}

TEST(ChangedLines, EveryOtherDifferenceCounts) {
  for (const auto& [from, to] :
       {std::pair{"+new", "+ new"}, std::pair{"-old", "-older"}, std::pair{"b/x", "b/y"},
        std::pair{"+new", "+new "}, std::pair{"\\ No newline at end of file\n", ""},
        std::pair{"index", "new file mode 100755\nindex"}}) {
    std::string other(kDiff);
    other.replace(other.find(from), std::string_view(from).size(), to);
    EXPECT_NE(changed_lines_sha256(other), changed_lines_sha256(kDiff)) << from;
  }
}

}  // namespace
}  // namespace gh::runs
