#include "report/patch_document.h"

#include <set>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "report/verdict_document.h"
#include "wire/json.h"

namespace gh::report {
namespace {

constexpr const char* kCommit = "1111111111111111111111111111111111111111";
constexpr const char* kTree = "2222222222222222222222222222222222222222";

ObjectId id(const char* hex) { return *ObjectId::parse(hex); }

patch::Outcome accepted() {
  patch::Outcome out;
  out.stage = Stage::git_check;
  out.touched_files = {"src/a.c", "src/b.c"};
  out.added_lines = 5;
  out.deleted_lines = 2;
  out.sha256 = digest_of("patch").hex();
  out.canonical_sha256 = digest_of("canonical").hex();
  out.bytes = 120;
  out.candidate = patch::Candidate{id(kCommit), id(kCommit), id(kTree), {}};
  out.repo = {kCommit, kCommit, kTree, "2.39.5"};
  return out;
}

patch::Outcome refused(Rule rule, std::string message = "too much") {
  patch::Outcome out;
  out.violations = {{rule, std::move(message), "src/a.c", 7, 2, "+\x1b[31m", 5, 9}};
  out.violations_total = 1;
  out.sha256 = digest_of("patch").hex();
  return out;
}

const Map& details(const Map& document) { return *document.find("details")->as_map(); }

std::set<std::string> keys(const Map& map) {
  std::set<std::string> out;
  for (const auto& [key, value] : map.entries())
    out.insert(key);
  return out;
}

TEST(PatchDocument, HasEveryMemberOfTheContractWhateverTheOutcome) {
  const std::set<std::string> common{
      "schema", "ok",       "stage",         "code",        "message",        "details",
      "patch",  "severity", "touched_files", "added_lines", "deleted_lines",  "policy",
      "repo",   "run",      "created_utc",   "tool",        "evidence_sha256"};
  const std::set<std::string> inner{"gate",          "rule",       "files",
                                    "limits",        "line",       "section",
                                    "excerpt",       "violations", "violations_total",
                                    "changed_paths", "command",    "advice",
                                    "notes",         "split"};
  patch::Outcome fault;
  fault.error = Error{Code::not_a_repository, "no repository here", {}};
  for (const patch::Outcome& outcome : {refused(Rule::max_files), fault}) {
    const Map document = patch_document(outcome, {});
    EXPECT_EQ(keys(document), common);
    EXPECT_EQ(keys(details(document)), inner);
  }
  std::set<std::string> with_result = common;
  with_result.insert({"candidate_tree", "landed", "verify"});
  const Map document = patch_document(accepted(), {});
  EXPECT_EQ(keys(document), with_result);
  EXPECT_EQ(keys(details(document)), inner);
}

TEST(PatchDocument, AcceptanceNamesFilesAndCounts) {
  const Map document = patch_document(accepted(), {});
  EXPECT_EQ(*document.find("schema"), Value("gatehouse.patch_result/1"));
  EXPECT_EQ(*document.find("stage"), Value("git_check"));
  EXPECT_EQ(*document.find("code"), Value("PATCH_OK"));
  EXPECT_EQ(*document.find("message"),
            Value("accepted: 2 files, 5 lines added, 2 deleted: src/a.c, src/b.c"));
  EXPECT_TRUE(details(document).find("rule")->is_null());
  EXPECT_TRUE(details(document).find("gate")->is_null());
  EXPECT_EQ(*document.find("candidate_tree"), Value(kTree));
  EXPECT_TRUE(document.find("landed")->is_null());
  EXPECT_TRUE(document.find("verify")->is_null());
}

struct CodeCase {
  Rule rule;
  const char* stage;
  const char* code;
  const char* gate;
};

TEST(PatchDocument, EachGateHasItsStageAndCode) {
  const CodeCase cases[] = {
      {Rule::not_a_diff, "parse", "PATCH_PARSE_INVALID", "shape"},
      {Rule::path_traversal, "parse", "PATCH_PARSE_INVALID", "path"},
      {Rule::max_files, "policy", "PATCH_POLICY_DENY", "policy"},
      {Rule::retry_identical, "policy", "PATCH_POLICY_DENY", "policy"},
      {Rule::base_missing, "git_check", "PATCH_GIT_CHECK_FAIL", "tree"},
      {Rule::oracle_disagrees, "git_check", "PATCH_GIT_CHECK_FAIL", "git"},
      {Rule::base_moved, "apply", "PATCH_APPLY_FAIL", "apply"},
  };
  for (const CodeCase& c : cases) {
    SCOPED_TRACE(c.code);
    const Map document = patch_document(refused(c.rule), {});
    EXPECT_EQ(*document.find("stage"), Value(c.stage));
    EXPECT_EQ(*document.find("code"), Value(c.code));
    EXPECT_EQ(*details(document).find("gate"), Value(c.gate));
    EXPECT_EQ(*details(document).find("rule"), Value(to_string(c.rule)));
  }
}

TEST(PatchDocument, FaultsAreTheirOwnStages) {
  patch::Outcome outcome;
  outcome.error = Error{Code::lock_busy, "held by 12", {}};
  EXPECT_EQ(patch_stage(outcome), "env");
  EXPECT_EQ(patch_code(outcome), "PATCH_ENV_INVALID");
  outcome.error = Error{Code::policy_unknown_key, "gatehouse.yaml:2:3: max_fils", {}};
  const Map document = patch_document(outcome, {});
  EXPECT_EQ(*document.find("stage"), Value("config"));
  EXPECT_EQ(*document.find("code"), Value("PATCH_POLICY_INVALID"));
  EXPECT_EQ(*details(document).find("gate"), Value("config"));
  EXPECT_EQ(*details(document).find("rule"), Value("policy_unknown_key"));
}

TEST(PatchDocument, OnlyEnvironmentAndPolicyFaultsAreThePatchGatesOwn) {
  EXPECT_TRUE(is_patch_fault(Code::git_too_old));
  EXPECT_TRUE(is_patch_fault(Code::patch_missing));
  EXPECT_TRUE(is_patch_fault(Code::policy_bad_value));
  EXPECT_FALSE(is_patch_fault(Code::unknown_option));
  EXPECT_FALSE(is_patch_fault(Code::ref_unresolved));
  EXPECT_FALSE(is_patch_fault(Code::internal_error));
}

TEST(PatchDocument, TextFromThePatchIsEscapedAndCut) {
  patch::Outcome outcome = refused(Rule::max_files, std::string(400, 'm'));
  outcome.violations[0].excerpt = std::string(300, '\x1b');
  outcome.violations[0].file = "src/\xFF\n.c";
  const Map document = patch_document(outcome, {});
  EXPECT_EQ(document.find("message")->as_string()->size(), 239u + 3u);  // … is three bytes
  const std::string excerpt = *details(document).find("excerpt")->as_string();
  EXPECT_TRUE(excerpt.starts_with("\\x1b\\x1b"));
  EXPECT_LE(excerpt.size(), 159u + 3u);
  EXPECT_EQ(*details(document).find("files"), Value(List{"src/\\xff\\n.c"}));
}

TEST(PatchDocument, MessageSaysHowManyMoreThereAre) {
  patch::Outcome outcome = refused(Rule::max_files);
  outcome.violations_total = 60;
  EXPECT_EQ(patch_message(outcome), "too much (and 59 more)");
  outcome.violations[0].message = std::string(500, 'x');
  EXPECT_TRUE(patch_message(outcome).ends_with("… (and 59 more)"));
  EXPECT_LE(patch_message(outcome).size(), 240u + 2u);
}

TEST(PatchDocument, LimitsAreKeyedByRule) {
  const Map document = patch_document(refused(Rule::max_files), {});
  EXPECT_EQ(*details(document).find("limits"),
            Value(Map{{"max_files", Map{{"limit", 5}, {"actual", 9}}}}));
}

TEST(PatchDocument, AlarmsAndBrokenRollbacksAreCritical) {
  EXPECT_EQ(*patch_document(refused(Rule::oracle_disagrees), {}).find("severity"),
            Value("critical"));
  EXPECT_EQ(*patch_document(refused(Rule::result_tree_mismatch), {}).find("severity"),
            Value("critical"));
  EXPECT_EQ(*patch_document(refused(Rule::rollback_incomplete), {}).find("severity"),
            Value("critical"));
  EXPECT_EQ(*patch_document(refused(Rule::verify_failed), {}).find("severity"), Value("normal"));
}

TEST(PatchDocument, EvidenceDigestLeavesOutRunTimeAndDurations) {
  patch::Outcome outcome = refused(Rule::git_apply_check_failed);
  outcome.command = patch::CommandRecord{{"git", "apply"}, 1, "", "error: x", 12};
  const Map first =
      patch_document(outcome, {.run_id = "prun-1", .created_utc = "2026-01-01T00:00:00Z"});
  outcome.command->duration_ms = 99;
  const Map second = patch_document(outcome, {.run_id = "prun-2", .attempt = 2});
  EXPECT_EQ(*first.find("evidence_sha256"), *second.find("evidence_sha256"));
  outcome.command->stderr_tail = "error: y";
  EXPECT_FALSE(*patch_document(outcome, {}).find("evidence_sha256") ==
               *first.find("evidence_sha256"));
}

TEST(PatchDocument, CtcpFormHasTheOldMembersAndThePathPair) {
  const Map document = ctcp_document(patch_document(refused(Rule::path_absolute), {}));
  EXPECT_EQ(keys(document),
            (std::set<std::string>{"ok", "stage", "code", "message", "touched_files", "added_lines",
                                   "command", "stdout", "stderr", "details"}));
  EXPECT_EQ(*document.find("stage"), Value("path"));
  EXPECT_EQ(*document.find("code"), Value("PATCH_PATH_INVALID"));
  EXPECT_EQ(*ctcp_document(patch_document(refused(Rule::max_files), {})).find("stage"),
            Value("policy"));
}

TEST(VerifyReport, NothingRunIsNull) {
  const Map document = verify_report_document({});
  EXPECT_TRUE(document.find("ok")->is_null());
  EXPECT_EQ(*document.find("results"), Value(List{}));
}

// --- verdict ------------------------------------------------------------------------------------

TEST(PatchVerdict, PartsStandInTheOrderOfTheDesign) {
  const Map verdict = verdict_document(patch_verdict(refused(Rule::max_files), {}, {}));
  std::vector<std::string> gates;
  for (const Value& part : *verdict.find("parts")->as_list())
    gates.push_back(*part.as_map()->find("gate")->as_string());
  EXPECT_EQ(gates, (std::vector<std::string>{"patch", "scope", "structure", "surface", "admission",
                                             "landing"}));
  const Map& patch_part = *(*verdict.find("parts")->as_list())[0].as_map();
  EXPECT_EQ(*patch_part.find("state"), Value("ran"));
  EXPECT_EQ(*patch_part.find("status"), Value("PATCH_POLICY_DENY"));
  const Map& scope = *(*verdict.find("parts")->as_list())[1].as_map();
  EXPECT_EQ(*scope.find("state"), Value("skipped"));
  EXPECT_TRUE(scope.find("decision")->is_null());
  EXPECT_EQ(*scope.find("why"), Value("not asked: 'gatehouse check' asks it"));
}

TEST(PatchVerdict, DecisionFollowsTheOutcome) {
  EXPECT_EQ(patch_verdict(accepted(), {}, {}).decision, Decision::allow);
  EXPECT_EQ(patch_verdict(refused(Rule::nul_byte), {}, {}).decision, Decision::deny);
  patch::Outcome fault;
  fault.error = Error{Code::git_not_found, "no git", {}};
  EXPECT_EQ(patch_verdict(fault, {}, {}).decision, Decision::unverified);
}

TEST(PatchVerdict, ReasonsAreSortedBySeverityPathLineAndId) {
  Verdict v;
  const auto reason = [](Severity severity, std::string path, std::int64_t line, std::string name) {
    Reason r;
    r.id = std::move(name);
    r.severity = severity;
    r.path = std::move(path);
    r.line = line;
    return r;
  };
  v.reasons = {reason(Severity::note, "a", 1, "z"),  reason(Severity::error, "b", 2, "y"),
               reason(Severity::error, "b", 1, "y"), reason(Severity::error, "a", 9, "y"),
               reason(Severity::error, "a", 9, "x"), reason(Severity::warning, "a", 1, "w")};
  std::string order;
  const Map document = verdict_document(v);
  for (const Value& value : *document.find("reasons")->as_list()) {
    const Map& r = *value.as_map();
    order += *r.find("path")->as_string() + std::to_string(*r.find("line")->as_int()) +
             *r.find("id")->as_string() + " ";
  }
  EXPECT_EQ(order, "a9x a9y b1y b2y a1w a1z ");
}

TEST(PatchVerdict, FingerprintHashesIdPathContextAndOrdinal) {
  Reason r;
  r.id = "max_files";
  r.path = "src/a.c";
  r.context = "+x";
  const std::string key = std::string("max_files\0src/a.c\0+x\0", 21) + "1";
  EXPECT_EQ(reason_fingerprint(r, 1), digest_of(key).hex().substr(0, 32));
  EXPECT_NE(reason_fingerprint(r, 2), reason_fingerprint(r, 1));
  r.line = 99;
  EXPECT_EQ(reason_fingerprint(r, 1), digest_of(key).hex().substr(0, 32));
}

TEST(PatchVerdict, EqualReasonsGetDifferentFingerprints) {
  patch::Outcome outcome = refused(Rule::content_bidi);
  outcome.violations.push_back(outcome.violations.front());
  const Map document = verdict_document(patch_verdict(outcome, {}, {}));
  const List& reasons = *document.find("reasons")->as_list();
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_FALSE(*reasons[0].as_map()->find("fingerprint") ==
               *reasons[1].as_map()->find("fingerprint"));
}

TEST(PatchVerdict, DigestCoversAllButMetaAndItself) {
  const patch::Outcome outcome = refused(Rule::max_files);
  Map first = verdict_document(
      patch_verdict(outcome, {}, {.started = "2026-01-01T00:00:00Z", .duration_ms = 3}));
  Map second = verdict_document(patch_verdict(outcome, {}, {.duration_ms = 44}));
  EXPECT_EQ(*first.find("digests"), *second.find("digests"));
  const std::string told = *first.find("digests")->as_map()->find("verdict")->as_string();
  first.erase("meta");
  first.find("digests")->as_map()->erase("verdict");
  EXPECT_EQ(told, "sha256:" + digest_of(wire::canonical_json(first)).hex());
}

TEST(PatchVerdict, HeadlineIsAtMost120Characters) {
  const Verdict v = patch_verdict(refused(Rule::max_files, std::string(500, 'x')), {}, {});
  EXPECT_EQ(v.headline.size(), 119u + 3u);
}

TEST(PatchVerdict, EveryReasonHasANextStepWithALiteralCommand) {
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const Rule rule = static_cast<Rule>(i);
    const Verdict v = patch_verdict(refused(rule), {}, {});
    SCOPED_TRACE(to_string(rule));
    EXPECT_TRUE(v.reasons[0].next.command.starts_with("git ") ||
                v.reasons[0].next.command.starts_with("gatehouse "));
    EXPECT_EQ(v.reasons[0].next.kind == "human", is_alarm(rule));
    EXPECT_FALSE(v.reasons[0].next.why.empty());
  }
}

TEST(PatchVerdict, LastLineNamesGateRuleAndPlace) {
  EXPECT_EQ(why_not_allowed(patch_verdict(refused(Rule::max_files), {}, {})),
            "gate 'patch' denied, first max_files at src/a.c (patch line 7)");
  patch::Outcome fault;
  fault.error = Error{Code::git_not_found, "no git", {}};
  EXPECT_EQ(why_not_allowed(patch_verdict(fault, {}, {})),
            "gate 'patch' says unverified, first git_not_found");
}

}  // namespace
}  // namespace gh::report
