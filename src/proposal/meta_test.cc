#include "proposal/meta.h"

#include <set>

#include "base/digest.h"
#include "base/text.h"
#include "proposal/test_proposal.h"
#include "wire/json.h"

namespace gh::proposal {
namespace {

const std::string kGood = R"(patch_id: o11-deepseek-fix-cutplan-001
author_agent: deepseek-coder-v2 / drafter
trust_level: untrusted
source_gap: kb:4400
affected_files: [src/a.cc]
base_commit: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
tests_added: []
commands_run:
  - make => exit 0
risk_notes: some notes
review_status: pending
promotion_status: sandbox
rollback_notes: revert
created_utc: 2026-05-21T10:00:00Z
)";

// docs/reference/proposals.md, Contract fields: the thirteen, in order, and which never change.
const std::vector<std::pair<std::string, bool>> kContract = {
    {"patch_id", true},       {"author_agent", true},      {"trust_level", false},
    {"source_gap", true},     {"affected_files", true},    {"base_commit", true},
    {"tests_added", true},    {"commands_run", true},      {"risk_notes", true},
    {"review_status", false}, {"promotion_status", false}, {"rollback_notes", true},
    {"created_utc", true}};

TEST(Meta, TheThirteenFieldsAreRead) {
  const auto got = read_meta(kGood, "x.yaml");
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got->patch_id, "o11-deepseek-fix-cutplan-001");
  EXPECT_EQ(got->created_utc, "2026-05-21T10:00:00Z");
  EXPECT_EQ(got->review_status, std::vector<std::string>{"pending"});
  EXPECT_EQ(got->commands_run, std::vector<std::string>{"make => exit 0"});
  EXPECT_EQ(got->schema, "");
}

std::string without(const std::string& field) {
  std::string out;
  bool skipping = false;
  for (const std::string_view line : split(kGood, '\n')) {
    if (!line.starts_with(' ')) skipping = line.starts_with(field + ":");
    if (!skipping && !line.empty()) out += std::string(line) + "\n";
  }
  return out;
}

TEST(Meta, EveryContractFieldIsRequiredAndTyped) {
  std::set<std::string> lists{"affected_files", "tests_added", "commands_run"};
  for (const auto& [field, immutable] : kContract) {
    SCOPED_TRACE(field);
    const auto missing = read_meta(without(field), "x.yaml");
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().message, "x.yaml:1:1: missing: " + field);
    const auto number = read_meta(without(field) + field + ": 7\n", "x.yaml");
    ASSERT_FALSE(number.has_value());
    EXPECT_TRUE(contains(number.error().message, field + ": expected ")) << number.error().message;
    const auto mapping = read_meta(without(field) + field + ": {a: b}\n", "x.yaml");
    EXPECT_FALSE(mapping.has_value());
    const auto items = read_meta(without(field) + field + ": [1]\n", "x.yaml");
    EXPECT_FALSE(items.has_value());
    const auto texts = read_meta(without(field) + field + ": [a]\n", "x.yaml");
    EXPECT_EQ(texts.has_value(), lists.contains(field));
  }
}

struct BadCase {
  std::string yaml, message;
};
const std::string kList = "schema: gatehouse.proposal/1\n";
const std::vector<BadCase> kBad = {
    {"", "x.yaml:1:1: expected a mapping of fields, found a null"},
    {"- a\n", "x.yaml:1:1: expected a mapping of fields, found a list"},
    {kGood + "patchid: x\n", "x.yaml:15:1: unknown field 'patchid'; did you mean 'patch_id'?"},
    {kGood + "zzz: x\n", "x.yaml:15:1: unknown field 'zzz'"},
    {kGood + "title: a\ntitle: b\n", "x.yaml:16:1: key 'title' is already at 15:1"},
    {kGood + "x_a: &q 1\n", "x.yaml:15:6: anchors are not allowed"},
    {kGood + "x_a: *q\n", "x.yaml:15:6: aliases are not allowed"},
    {kGood + "x_a: !!str 1\n", "x.yaml:15:6: tags are not allowed"},
    {kGood + "<<: {a: b}\n", "x.yaml:15:1: merge keys are not allowed"},
    {kGood + "---\na: b\n", "x.yaml:15:1: a second document"},
    {"\xEF\xBB\xBF" + kGood, "x.yaml:1:1: a byte order mark is not allowed"},
    {kGood + "x_a: [[[1]]]\n", ""},
    {kGood + "x_a: 1.23456\n",
     "x.yaml:15:1: x_a: numbers are 64-bit integers or have at most four decimals"},
    {kGood + "schema: gatehouse.proposal/2\n",
     "x.yaml:15:1: schema: expected gatehouse.proposal/1, found 'gatehouse.proposal/2'"},
    {without("review_status") + "review_status: [gemini_ok]\n",
     "x.yaml:14:1: review_status: a list needs schema: gatehouse.proposal/1"},
    {kList + without("review_status") + "review_status: []\n",
     "x.yaml:15:1: review_status: the list is empty"},
    {kGood + "title: \"a\\nb\"\n",
     "x.yaml:15:1: title: expected one line of at most 120 characters"},
    {kGood + "title: " + std::string(121, 't') + "\n",
     "x.yaml:15:1: title: expected one line of at most 120 characters"},
    {kGood + "target_ref: main\n",
     "x.yaml:15:1: target_ref: expected a branch such as refs/heads/main"},
    {kGood + "target_ref: refs/heads/a..b\n",
     "x.yaml:15:1: target_ref: expected a branch such as refs/heads/main"},
    {kGood + "diff_sha256: abc\n", "x.yaml:15:1: diff_sha256: expected 64 lower-case hex digits"},
    {kGood + "supersedes: one\n",
     "x.yaml:15:1: supersedes: expected a list of strings, found a string"},
    {kGood + "command_results: [a]\n",
     "x.yaml:15:19: command_results[0]: expected a mapping, found a string"},
    {kGood + "sandbox: none\n", "x.yaml:15:1: sandbox: expected a mapping, found a string"},
    {kGood + "sandbox:\n  net: none\n", "x.yaml:16:3: unknown key 'net' in sandbox"},
    {kGood + "sandbox:\n  network: some\n",
     "x.yaml:16:3: network: expected none, allowlist or full, found a string"},
    {kGood + "sandbox:\n  production_access: 'no'\n",
     "x.yaml:16:3: production_access: expected true or false, found a string"},
    {kGood + "sandbox:\n  mounts: [1]\n",
     "x.yaml:16:3: mounts: expected a list of strings, found a list"},
    {kGood + "sandbox:\n  id: 1\n", "x.yaml:16:3: id: expected a string, found a integer"},
    {kGood + "sandbox:\n  image: 1\n", "x.yaml:16:3: image: expected a string, found a integer"},
    {kGood + "intent_id: 5\n",
     "x.yaml:15:1: intent_id: expected a string (quote it if it looks like a number), found a "
     "integer"},
};

TEST(Meta, WhatIsOutsideTheContractIsRefusedWithItsPlace) {
  for (const BadCase& c : kBad) {
    const auto got = read_meta(c.yaml, "x.yaml");
    ASSERT_FALSE(got.has_value()) << c.yaml;
    EXPECT_EQ(got.error().code, Code::yaml_invalid);
    if (c.message.empty()) continue;
    EXPECT_EQ(got.error().message, c.message);
  }
}

TEST(Meta, AtMost64KiB) {
  std::string text = kGood + "x_fill: ";
  text += std::string(kMaxMetaBytes - text.size() - 1, 'f') + "\n";
  ASSERT_EQ(text.size(), 65'536u);
  EXPECT_TRUE(read_meta(text, "x.yaml").has_value());
  const auto got = read_meta(text + "#", "x.yaml");
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().message, "x.yaml:1:1: 65537 bytes, at most 65536");
}

TEST(Meta, BombsAreRefused) {
  std::string deep = kGood + "x_a:\n";
  for (std::size_t i = 1; i < 40; ++i)
    deep += std::string(i * 2, ' ') + "a:\n";
  EXPECT_FALSE(read_meta(deep, "x.yaml").has_value());
  std::string wide = kGood + "x_a:\n";
  for (int i = 0; i < 12'000; ++i)
    wide += "- \n";
  EXPECT_TRUE(read_meta(wide, "x.yaml").has_value());
}

ProposalMeta full_meta() {
  ProposalMeta m = testing::good_meta();
  m.schema = kProposalSchema;
  m.title = "Keep the edge";
  m.review_status = {"gemini_ok", "codex_changes"};
  m.supersedes = {"one-two"};
  m.depends_on = {"three"};
  m.target_ref = "refs/heads/main";
  m.diff_sha256 = std::string(64, '0');
  m.intent_id = "intent-1";
  m.command_results = List{Map{{"command", "make"}, {"exit", 0}}, Map{}};
  m.sandbox = Map{{"id", "s1"},
                  {"network", "none"},
                  {"mounts", List{"/a", "b c"}},
                  {"production_access", false}};
  m.extra =
      Map{{"x_list", List{1, true, nullptr, List{List{}}, Map{}}}, {"x_ratio", Decimal{15'000}}};
  return m;
}

TEST(Meta, ThePrintedFileReadsBackTheSame) {
  const std::vector<std::string> texts = {"plain",
                                          "",
                                          "with: colon",
                                          "# no comment",
                                          "- dash",
                                          "true",
                                          "null",
                                          "~",
                                          "12",
                                          "1e3",
                                          "a\nb",
                                          "a\nb\n",
                                          "a\n\nb\n\n",
                                          "\nstart",
                                          " lead\nx",
                                          "x\n lead",
                                          "tab\tx\ny",
                                          "quote \" \\ '",
                                          "\x01\x1b\x7f",
                                          "\u0085\u2028\u2029x\ny",
                                          "\ufeffbom",
                                          "\u00e9\U0001F600",
                                          "trail \nx",
                                          "a\r\nb",
                                          "|",
                                          ">",
                                          "a\n---\nb",
                                          "a\n...\nb\n",
                                          "{a: b}",
                                          "%x"};
  for (const std::string& text : texts) {
    SCOPED_TRACE(text);
    ProposalMeta m = full_meta();
    m.risk_notes = m.source_gap = text;
    m.affected_files = {text, "x"};
    m.extra.set("x_text", Map{{"k", text}});
    const std::string printed = print_meta(m);
    const auto again = read_meta(printed, "x.yaml");
    ASSERT_TRUE(again.has_value()) << again.error().message << "\n" << printed;
    EXPECT_EQ(*again, m) << printed;
    const auto document = meta_from_document(to_document(m));
    ASSERT_TRUE(document.has_value());
    EXPECT_EQ(*document, m);
  }
}

TEST(Meta, TheFileHasTheOrderOfTheContract) {
  ProposalMeta m = testing::good_meta();
  m.tests_added.clear();
  EXPECT_EQ(print_meta(m), R"(patch_id: o11-fix-cutplan-001
author_agent: "deepseek-coder-v2 / drafter"
trust_level: untrusted
source_gap: "kb:4400"
affected_files:
  - src/cut.cc
  - tests/cut_test.cc
base_commit: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
tests_added: []
commands_run:
  - "make => exit 0"
  - "ctest -R cut => exit 0"
risk_notes: "failure: src/cut.cc may drop the last edge. blast_radius: callers of cut(). data: untouched. idempotent: yes."
review_status: pending
promotion_status: sandbox
rollback_notes: "git revert of the promoted commit"
created_utc: "2026-05-21T10:00:00Z"
)");
  m.review_status = {"gemini_ok", "codex_ok"};
  EXPECT_TRUE(contains(print_meta(m), "\nreview_status: codex_ok\n"));
  m.schema = kProposalSchema;
  EXPECT_TRUE(contains(print_meta(m), "\nreview_status:\n  - gemini_ok\n  - codex_ok\n"));
}

TEST(Meta, TheDocumentHoldsEveryContractField) {
  const Map document = to_document(ProposalMeta{});
  ASSERT_EQ(document.size(), 13u);
  for (const auto& [field, immutable] : kContract)
    EXPECT_NE(document.find(field), nullptr) << field;
}

TEST(Digest, CoversTheImmutableFieldsThePatchAndTheReport) {
  const ProposalMeta m = testing::good_meta();
  Map fields;
  const Map document = to_document(m);
  for (const auto& [field, immutable] : kContract)
    if (immutable) fields.set(field, *document.find(field));
  const std::string body =
      "gatehouse.proposal/1\n" + wire::canonical_json(fields) + "\n" + testing::kCanonical + "\n";
  EXPECT_EQ(immutable_fields(m), wire::canonical_json(fields));
  EXPECT_EQ(proposal_digest(m, testing::kCanonical, ""), digest_of(body).hex());
  const std::string report(64, '7');
  EXPECT_EQ(proposal_digest(m, testing::kCanonical, report), digest_of(body + report + "\n").hex());
}

TEST(Digest, StaysWhenOnlyStatusesChange) {
  const ProposalMeta m = testing::good_meta();
  const std::string digest = proposal_digest(m, testing::kCanonical, "");
  ProposalMeta other = m;
  other.trust_level = "reviewed";
  other.review_status = {"gemini_ok"};
  other.promotion_status = "proposed";
  EXPECT_EQ(proposal_digest(other, testing::kCanonical, ""), digest);
  for (const auto& [field, immutable] : kContract) {
    if (!immutable) continue;
    Map document = to_document(m);
    const bool list = document.find(field)->as_list() != nullptr;
    document.set(field, list ? Value(List{"z"}) : Value("z"));
    EXPECT_NE(proposal_digest(*meta_from_document(document), testing::kCanonical, ""), digest)
        << field;
  }
}

TEST(Digest, OfTheMetadataCoversEverythingButTheStatuses) {
  ProposalMeta m = testing::good_meta();
  m.title = "t", m.target_ref = "refs/heads/main", m.intent_id = "i", m.supersedes = {"a"};
  m.extra.set("x_note", 1);
  Map document = to_document(m);
  for (const char* status : {"trust_level", "review_status", "promotion_status"})
    EXPECT_TRUE(document.erase(status));
  const std::string digest = metadata_digest(m);
  EXPECT_EQ(digest, digest_of(wire::canonical_json(document)).hex());
  m.trust_level = "reviewed", m.review_status = {"gemini_ok"}, m.promotion_status = "rejected";
  EXPECT_EQ(metadata_digest(m), digest);
  m.depends_on = {"b"};
  EXPECT_NE(metadata_digest(m), digest);
}

// docs/reference/proposals.md, Review record.
const std::vector<std::string> kReviewFields = {
    "schema",  "patch_id", "proposal_digest", "base_commit", "candidate_tree", "reviewer", "actor",
    "verdict", "reasons",  "checked",         "tool",        "created_utc",    "signature"};

TEST(ReviewDocument, ReadsBackTheSame) {
  Review r = testing::good_review("gemini", "gem");
  r.verdict = ReviewVerdict::changes;
  r.reasons = {{"vague_risk", "", 0, "say more"}, {"bug", "src/cut.cc", 3, "off by one"}};
  r.checked = {"diff", "tests", "risk", "rollback", "scope"};
  r.signature = "-----BEGIN SSH SIGNATURE-----\nabc\n-----END SSH SIGNATURE-----\n";
  const Map document = to_document(r);
  ASSERT_EQ(document.size(), kReviewFields.size());
  for (const std::string& field : kReviewFields)
    EXPECT_NE(document.find(field), nullptr) << field;
  const auto again = review_from_document(document);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(*again, r);
  EXPECT_TRUE(contains(print_review(r), "schema: gatehouse.review/1\n") ||
              contains(print_review(r), "schema: \"gatehouse.review/1\"\n"));
}

TEST(ReviewDocument, IsTyped) {
  Review r = testing::good_review("gemini", "gem");
  for (const std::string& field : kReviewFields) {
    if (field == "signature") continue;
    Map missing = to_document(r), wrong = to_document(r);
    missing.erase(field);
    EXPECT_FALSE(review_from_document(missing).has_value()) << field;
    wrong.set(field, 7);
    EXPECT_FALSE(review_from_document(wrong).has_value()) << field;
  }
  Map verdict = to_document(r), checked = to_document(r), reason = to_document(r),
      changes = to_document(r);
  verdict.set("verdict", "maybe");
  checked.set("checked", List{"style"});
  reason.set("reasons", List{Map{{"code", "x"}, {"line", 0}, {"text", "y"}}});
  changes.set("verdict", "changes");
  for (const Map& bad : {verdict, checked, reason, changes})
    EXPECT_FALSE(review_from_document(bad).has_value());
  EXPECT_FALSE(review_from_document(List{}).has_value());
}

}  // namespace
}  // namespace gh::proposal
