// docs/reference/analysis.md, "Digest": taken again from the document, step by step.
#include "analysis/report_digest.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "analysis/report_view.h"
#include "base/digest.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

Value report() {
  const auto unit = [](const char* path, int cc) {
    return Value(Map{{"relative_path", path}, {"cyclomatic_complexity", cc}});
  };
  const auto family = [](List items) {
    return Value(Map{{"summary", Map{{"total", 1}}}, {"items", std::move(items)}});
  };
  return Map{
      {"report_schema_version", "gh-1.0"},
      {"meta", Map{{"scan_root", "."}, {"runtime", Map{{"jobs", 1}}}}},
      {"inventory", Map{{"file_registry", Map{{"items", List{"a.py", "b.py"}}}}}},
      {"findings", Map{{"groups", Map{{"clones", Map{{"functions", List{Map{{"id", "f"}}}},
                                                     {"blocks", List{Map{{"id", "b"}}}},
                                                     {"segments", List{Map{{"id", "s"}}}},
                                                     {"near_miss", List{Map{{"id", "n"}}}}}},
                                      {"structural", Map{{"groups", List{Map{{"id", "t"}}}}}},
                                      {"dead_code", Map{{"groups", List{Map{{"id", "d"}}}},
                                                        {"suppressed", List{}}}},
                                      {"design", Map{{"groups", List{Map{{"id", "g"}}}}}}}}}},
      {"metrics",
       Map{{"families",
            Map{{"complexity", family({unit("b.py", 9), unit("a.py", 3), unit("b.py", 1)})},
                {"coverage_adoption", family({unit("a.py", 0)})},
                {"overloaded_modules", family({Map{{"score", 2}, {"module", "m"}}})},
                {"cohesion", family({unit("a.py", 7)})},
                {"coupling", family({unit("b.py", 8)})},
                {"dependencies", family({Map{{"source", "m"}}})}}}}},
      {"derived", Map{{"hotlists", 1}}},
      {"integrity", Map{{"digest", 1}}}};
}

std::string sha(std::string_view text) { return raw_hash(HashKind::sha256, text); }

/// As the table of the reference says: which list, and how its digest is taken.
std::string expected() {
  Value out = report();
  Map& map = *out.as_map();
  map.erase("derived");
  map.erase("integrity");
  map.find("meta")->as_map()->erase("runtime");
  for (const char* path : {"inventory/file_registry/items", "findings/groups/clones/functions",
                           "findings/groups/clones/blocks", "findings/groups/clones/segments",
                           "findings/groups/clones/near_miss", "findings/groups/structural/groups",
                           "findings/groups/dead_code/groups", "findings/groups/design/groups",
                           "metrics/families/dependencies/items"}) {
    List& list = *list_at(out, path);
    list = {to_hex(sha(wire::canonical_json(Value(list))))};
  }
  *list_at(out, "metrics/families/overloaded_modules/items") = {to_hex(sha(R"([["m",2]])"))};
  const std::string a = R"({"cyclomatic_complexity":3,"relative_path":"a.py"})", line = "\n";
  const std::string b1 = R"({"cyclomatic_complexity":1,"relative_path":"b.py"})",
                    b9 = R"({"cyclomatic_complexity":9,"relative_path":"b.py"})";
  *list_at(out, "metrics/families/complexity/items") = {
      to_hex(sha(sha(a + line) + sha(b1 + line + b9 + line)))};
  *list_at(out, "metrics/families/coverage_adoption/items") = {
      to_hex(sha(sha(R"({"cyclomatic_complexity":0,"relative_path":"a.py"})" + line)))};
  *list_at(out, "metrics/families/cohesion/items") = {
      to_hex(sha(sha(R"({"cyclomatic_complexity":7,"relative_path":"a.py"})" + line)))};
  *list_at(out, "metrics/families/coupling/items") = {
      to_hex(sha(sha(R"({"cyclomatic_complexity":8,"relative_path":"b.py"})" + line)))};
  return digest_of(wire::canonical_json(out)).hex();
}

TEST(ReportDigest, IsTakenAsTheReferenceSays) { EXPECT_EQ(report_digest(report()), expected()); }

TEST(ReportDigest, HasAsManyPartsAsTheReferenceNames) {
  const std::vector<DigestPart> parts = digest_parts(report());
  EXPECT_EQ(parts.size(), 14u);  // eight lists, and the items of six families
  EXPECT_EQ(std::ranges::count_if(parts, &DigestPart::by_file), 4);
  EXPECT_EQ(std::ranges::count_if(parts, &DigestPart::by_row), 1);
}

TEST(ReportDigest, ChangesWithEveryPart) {
  const std::string digest = report_digest(report());
  for (const DigestPart& part : digest_parts(report())) {
    Value other = report();
    list_at(other, part.path)->push_back(Map{{"relative_path", "c.py"}});
    EXPECT_NE(report_digest(other), digest) << part.path;
  }
  Value other = report();
  other.as_map()->find("meta")->as_map()->set("scan_root", "elsewhere");
  EXPECT_NE(report_digest(other), digest);
}

TEST(ReportDigest, SaysItsVersionAndItsSections) {
  EXPECT_EQ(wire::canonical_json(integrity_document("ab")),
            R"({"canonicalization":{"scope":"canonical_only","sections":["report_schema_version",)"
            R"("meta","inventory","findings","metrics"],"version":"2"},)"
            R"("digest":{"algorithm":"sha256","value":"ab"}})");
}

TEST(ReportDigest, FilesWithoutItemsHaveNoPartInIt) {
  ItemsDigest items;
  items.text() = "{}";
  items.end_item();
  const std::string one = items.finish(), none(kDigestBytes, '\0');
  EXPECT_EQ(one, sha("{}\n"));
  EXPECT_EQ(digest_over_files(none + one + none), digest_over_files(one));
  EXPECT_EQ(items.finish(), sha(""));  // it begins anew
}

}  // namespace
}  // namespace gh::analysis
