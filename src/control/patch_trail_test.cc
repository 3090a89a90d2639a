#include "control/patch_trail.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/digest.h"
#include "wire/json.h"

namespace gh::control {
namespace {

std::vector<std::string> paths(int count) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i)
    out.push_back(fmt::format("p/{:04}", i));
  return out;
}

std::set<std::string> members_of(const Value* value) {
  std::set<std::string> out;
  if (value != nullptr && value->as_map() != nullptr)
    for (const auto& [key, member] : value->as_map()->entries())
      out.insert(key);
  return out;
}
std::set<std::string> members_of(const Map& map) {
  const Value value(map);
  return members_of(&value);
}

TrailFacts some_facts() {
  TrailFacts f;
  f.intent_id = "intent-1";
  f.intent_description = "why";
  f.scope = {.allowed_files = {"b", "a", "a"}, .allowed_related = {"r"}};
  f.changed_files = {"x", "a", "r"};
  f.unexpected_files = {"x"};
  f.expanded_related_files = {"r"};
  f.do_not_touch_declared = {"x", "n"};
  f.review_context_declared = {"r", "c"};
  f.scope_check_status = "violated";
  f.evidence = {.repo_root_digest = "0123456789abcdef", .report_digest = "d", .intent_declared = 7};
  return f;
}

TEST(PatchTrail, HasTheMembersOfTheReference) {
  const Map trail = patch_trail(some_facts());
  EXPECT_EQ(members_of(trail), (std::set<std::string>{"schema_version",
                                                      "intent_id",
                                                      "intent_description",
                                                      "declared_files",
                                                      "declared_related",
                                                      "changed_files",
                                                      "untouched_in_declared",
                                                      "unexpected_files",
                                                      "forbidden_touched",
                                                      "expanded_related_files",
                                                      "do_not_touch_declared",
                                                      "do_not_touch_held",
                                                      "review_context_declared",
                                                      "review_context_untouched",
                                                      "scope_check_status",
                                                      "verification_profile",
                                                      "verification_status",
                                                      "verification_skipped",
                                                      "verification_failed",
                                                      "workspace_hygiene",
                                                      "external_execution",
                                                      "evidence",
                                                      "truncation",
                                                      "patch_trail_digest"}));
  EXPECT_EQ(members_of(trail.find("workspace_hygiene")),
            (std::set<std::string>{"blocks_finish", "finish_block_reason",
                                   "unacknowledged_dirty_in_scope", "dirty_paths_outside_scope",
                                   "attribution_counts"}));
  EXPECT_EQ(
      members_of(trail.find("evidence")),
      (std::set<std::string>{"repo_root_digest", "report_digest", "intent_declared_audit_sequence",
                             "scope_check_audit_sequence", "patch_verify_audit_sequence",
                             "receipt_audit_sequence", "patch_trail_audit_sequence"}));
  EXPECT_EQ(
      wire::canonical_json(*trail.find("external_execution")),
      R"({"failed_commands":[],"schema_version":"0","status":"not_collected","test_deltas":[]})");
  EXPECT_EQ(*trail.find("schema_version")->as_string(), "1");
  EXPECT_EQ(*trail.find("verification_status")->as_string(), "not_reached");
}

TEST(PatchTrail, ListsAreSortedOnceAndHeldIsDeclaredMinusChanged) {
  const Map trail = patch_trail(some_facts());
  const auto list = [&](std::string_view name) { return wire::canonical_json(*trail.find(name)); };
  EXPECT_EQ(list("declared_files"), R"(["a","b"])");
  EXPECT_EQ(list("changed_files"), R"(["a","r","x"])");
  EXPECT_EQ(list("untouched_in_declared"), R"(["b"])");
  EXPECT_EQ(list("do_not_touch_held"), R"(["n"])");
  EXPECT_EQ(list("review_context_untouched"), R"(["c"])");
}

struct LimitCase {
  std::string list;
  std::size_t limit;
  void (*fill)(TrailFacts&, std::vector<std::string>);
};
// Typed again from the reference.
const std::vector<LimitCase> kLimits = {
    {"declared_files", 500,
     [](TrailFacts& f, std::vector<std::string> p) { f.scope.allowed_files = p; }},
    {"declared_related", 200,
     [](TrailFacts& f, std::vector<std::string> p) { f.scope.allowed_related = p; }},
    {"changed_files", 500, [](TrailFacts& f, std::vector<std::string> p) { f.changed_files = p; }},
    {"untouched_in_declared", 500,
     [](TrailFacts& f, std::vector<std::string> p) { f.scope.allowed_files = p; }},
    {"unexpected_files", 200,
     [](TrailFacts& f, std::vector<std::string> p) { f.unexpected_files = p; }},
    {"forbidden_touched", 50,
     [](TrailFacts& f, std::vector<std::string> p) { f.forbidden_touched = p; }},
    {"expanded_related_files", 200,
     [](TrailFacts& f, std::vector<std::string> p) { f.expanded_related_files = p; }},
    {"do_not_touch_declared", 200,
     [](TrailFacts& f, std::vector<std::string> p) { f.do_not_touch_declared = p; }},
    {"do_not_touch_held", 200,
     [](TrailFacts& f, std::vector<std::string> p) { f.do_not_touch_declared = p; }},
    {"review_context_declared", 200,
     [](TrailFacts& f, std::vector<std::string> p) { f.review_context_declared = p; }},
    {"review_context_untouched", 200,
     [](TrailFacts& f, std::vector<std::string> p) { f.review_context_declared = p; }},
    {"verification_skipped", 32,
     [](TrailFacts& f, std::vector<std::string> p) { f.verification_skipped = p; }},
    {"verification_failed", 32,
     [](TrailFacts& f, std::vector<std::string> p) { f.verification_failed = p; }},
    {"unacknowledged_dirty_in_scope", 50,
     [](TrailFacts& f, std::vector<std::string> p) {
       f.hygiene.unacknowledged_dirty_in_scope = p;
     }},
    {"dirty_paths_outside_scope", 50,
     [](TrailFacts& f, std::vector<std::string> p) { f.hygiene.dirty_paths_outside_scope = p; }},
};

TEST(PatchTrail, EveryLimitAndItsTruncation) {
  for (const LimitCase& c : kLimits)
    for (const int more : {0, 1}) {
      TrailFacts facts;
      c.fill(facts, paths(static_cast<int>(c.limit) + more));
      const Map trail = patch_trail(facts);
      const Value* list = trail.find(c.list);
      if (list == nullptr) list = trail.find("workspace_hygiene")->as_map()->find(c.list);
      ASSERT_NE(list, nullptr) << c.list;
      EXPECT_EQ(list->as_list()->size(), c.limit) << c.list;
      EXPECT_EQ(*trail.find("truncation")->as_map()->find(c.list)->as_bool(), more == 1) << c.list;
      EXPECT_EQ(trail.find("truncation")->as_map()->size(), kLimits.size());
    }
}

TEST(PatchTrail, TheDigestIsOverEverythingElse) {
  Map trail = patch_trail(some_facts());
  const std::string digest = *trail.find("patch_trail_digest")->as_string();
  EXPECT_EQ(patch_trail_digest(trail), digest);
  Map rest = trail;
  rest.erase("patch_trail_digest");
  EXPECT_EQ(digest_of(wire::canonical_json(rest)).hex(), digest);
  EXPECT_EQ(patch_trail(some_facts()), trail);
  trail.set("verification_status", "accepted");
  EXPECT_NE(patch_trail_digest(trail), digest);
}

TEST(PatchTrail, SummaryAndFullForm) {
  TrailFacts facts = some_facts();
  facts.intent_description = std::string(499, 'x') + "\xc3\xbc\xc3\xbc";
  const Map trail = patch_trail(facts);
  const Map summary = trail_summary(trail);
  EXPECT_EQ(
      members_of(summary),
      (std::set<std::string>{"schema_version", "intent_id", "intent_description",
                             "scope_check_status", "verification_status", "counts", "truncation",
                             "patch_trail_digest", "evidence", "retrieval_policy"}));
  EXPECT_EQ(wire::canonical_json(*summary.find("counts")),
            R"({"changed":3,"declared":2,"do_not_touch_declared":2,"do_not_touch_held":1,)"
            R"("forbidden_touched":0,"review_context_declared":2,"review_context_untouched":1,)"
            R"("unexpected":1,"untouched_in_declared":1})");
  EXPECT_EQ(*summary.find("intent_description")->as_string(), std::string(499, 'x') + "\xc3\xbc");
  EXPECT_EQ(*trail.find("intent_description")->as_string(), facts.intent_description);
  EXPECT_EQ(wire::canonical_json(*summary.find("retrieval_policy")),
            R"({"patch_trail_does_not_authorize_edits":true,)"
            R"("patch_trail_does_not_override_findings":true})");
  const Map full = trail_full(trail);
  EXPECT_EQ(full.size(), trail.size() + 1);
  EXPECT_NE(full.find("retrieval_policy"), nullptr);
}

TEST(PatchTrail, BytesThatAreNoTextAreShownAsEscapes) {
  TrailFacts facts;
  facts.changed_files = {"a\xff"};
  EXPECT_EQ(wire::canonical_json(*patch_trail(facts).find("changed_files")), R"(["a\\xff"])");
}

}  // namespace
}  // namespace gh::control
