#include "proposal/admission.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "proposal/test_proposal.h"
#include "wire/json.h"

namespace gh::proposal {
namespace {

using testing::good_review;
using testing::kBase;
using testing::kDigest;
using testing::World;
using Status = PromotionStatus;

constexpr Phase kSubmit = Phase::submit, kPromote = Phase::promote;

std::vector<std::string> codes_of(const Admission& admission) {
  std::vector<std::string> codes;
  for (const CheckRow& row : admission.rows)
    if (row.finding) codes.emplace_back(to_string(row.finding->code));
  return codes;
}

Finding finding(std::string_view code) { return {*prop_code_from(code), "made by the caller"}; }

Other other(const std::string& id, Status status, const std::string& base = kBase) {
  Other o;
  o.patch_id = id;
  o.digest = std::string(64, 'e');
  o.canonical_sha256 = testing::kCanonical;
  o.base_commit = base;
  o.author_agent = "deepseek-coder-v2 / drafter";
  o.status = status;
  return o;
}

struct Case {
  std::string code, what;
  Phase phase;
  std::function<void(World&)> spoil;
  bool fires = true;
};

// docs/reference/proposals.md: at least one passing and two failing cases for each code.
// clang-format off
const std::vector<Case> kCases = {
    // A1
    {"PROP_META_MISSING", "a file is there", kSubmit, [](World&) {}, false},
    {"PROP_META_MISSING", "nothing was read", kSubmit, [](World& w) { w.facts.meta.reset(); }},
    {"PROP_META_MISSING", "no file", kSubmit, [](World& w) { w.facts.meta.reset(); w.facts.meta_fault = finding("PROP_META_MISSING"); }},
    {"PROP_META_INVALID", "conforming", kSubmit, [](World&) {}, false},
    {"PROP_META_INVALID", "not YAML", kSubmit, [](World& w) { w.facts.meta.reset(); w.facts.meta_fault = finding("PROP_META_INVALID"); }},
    {"PROP_META_INVALID", "not YAML any more", kPromote, [](World& w) { w.facts.meta.reset(); w.facts.meta_fault = finding("PROP_META_INVALID"); }},
    {"PROP_REPORT_MISSING", "not required", kSubmit, [](World&) {}, false},
    {"PROP_REPORT_MISSING", "required", kSubmit, [](World& w) { w.facts.report_fault = finding("PROP_REPORT_MISSING"); }},
    {"PROP_REPORT_MISSING", "required at promotion", kPromote, [](World& w) { w.facts.report_fault = finding("PROP_REPORT_MISSING"); }},
    {"PROP_REPORT_INVALID", "none", kSubmit, [](World&) {}, false},
    {"PROP_REPORT_INVALID", "too large", kSubmit, [](World& w) { w.facts.report_fault = finding("PROP_REPORT_INVALID"); }},
    {"PROP_REPORT_INVALID", "beside bad metadata", kSubmit, [](World& w) { w.facts.meta_fault = finding("PROP_META_INVALID"); w.facts.report_fault = finding("PROP_REPORT_INVALID"); }},
    // A2
    {"PROP_DENY_PATH", "ordinary paths", kSubmit, [](World&) {}, false},
    {"PROP_DENY_PATH", "a secret", kSubmit, [](World& w) { w.meta().affected_files.push_back("conf/server.pem"); }},
    {"PROP_DENY_PATH", "the host's folder", kSubmit, [](World& w) { w.meta().affected_files.push_back("/var/lib/cutter/state.db"); }},
    // A3
    {"PROP_SIGNATURE_MISSING", "optional", kSubmit, [](World&) {}, false},
    {"PROP_SIGNATURE_MISSING", "required", kSubmit, [](World& w) { w.policy.signatures = policy::SignatureMode::required; }},
    {"PROP_SIGNATURE_MISSING", "required at promotion", kPromote, [](World& w) { w.policy.signatures = policy::SignatureMode::required; }},
    {"PROP_SIGNATURE_INVALID", "holds", kSubmit, [](World& w) { w.facts.signature = {true, {}, "deep"}; }, false},
    {"PROP_SIGNATURE_INVALID", "switched off", kSubmit, [](World& w) { w.policy.signatures = policy::SignatureMode::off; w.facts.signature = {true, finding("PROP_SIGNATURE_INVALID"), {}}; }, false},
    {"PROP_SIGNATURE_INVALID", "other bytes", kSubmit, [](World& w) { w.facts.signature = {true, finding("PROP_SIGNATURE_INVALID"), {}}; }},
    {"PROP_SIGNATURE_INVALID", "a revoked key at promotion", kPromote, [](World& w) { w.facts.signature = {true, finding("PROP_SIGNATURE_INVALID"), "deep"}; }},
    {"PROP_ACTOR_UNKNOWN", "registered", kSubmit, [](World& w) { w.facts.signature = {true, {}, "deep"}; }, false},
    {"PROP_ACTOR_UNKNOWN", "a key of nobody", kSubmit, [](World& w) { w.facts.signature = {true, {}, {}}; }},
    {"PROP_ACTOR_UNKNOWN", "struck from the registry", kSubmit, [](World& w) { w.facts.signature = {true, {}, "gone"}; }},
    // A4
    {"PROP_ID_INVALID", "kebab case", kSubmit, [](World&) {}, false},
    {"PROP_ID_INVALID", "the shortest", kSubmit, [](World& w) { w.meta().patch_id = "a-1"; }, false},
    {"PROP_ID_INVALID", "too short", kSubmit, [](World& w) { w.meta().patch_id = "ab"; }},
    {"PROP_ID_INVALID", "too long", kSubmit, [](World& w) { w.meta().patch_id = std::string(101, 'a'); }},
    {"PROP_ID_INVALID", "two hyphens", kSubmit, [](World& w) { w.meta().patch_id = "fix--cut"; }},
    {"PROP_ID_INVALID", "upper case", kSubmit, [](World& w) { w.meta().patch_id = "Fix-cut"; }},
    {"PROP_ID_INVALID", "a hyphen at the end", kSubmit, [](World& w) { w.meta().patch_id = "fix-cut-"; }},
    {"PROP_ID_MISMATCH", "equal", kSubmit, [](World&) {}, false},
    {"PROP_ID_MISMATCH", "not from files", kSubmit, [](World& w) { w.facts.file_stem = ""; w.meta().patch_id = "other-id"; }, false},
    {"PROP_ID_MISMATCH", "another id", kSubmit, [](World& w) { w.meta().patch_id = "other-id"; }},
    {"PROP_ID_MISMATCH", "another file", kSubmit, [](World& w) { w.facts.file_stem = "o11-fix-cutplan-002"; }},
    {"PROP_ID_TAKEN", "same digest: idempotent", kSubmit, [](World& w) { w.facts.same_id = other(w.meta().patch_id, Status::proposed); w.facts.same_id->digest = kDigest; }, false},
    {"PROP_ID_TAKEN", "a new revision of a sandbox", kSubmit, [](World& w) { w.facts.same_id = other(w.meta().patch_id, Status::sandbox); }, false},
    {"PROP_ID_TAKEN", "proposed", kSubmit, [](World& w) { w.facts.same_id = other(w.meta().patch_id, Status::proposed); }},
    {"PROP_ID_TAKEN", "promoted", kSubmit, [](World& w) { w.facts.same_id = other(w.meta().patch_id, Status::promoted); }},
    {"PROP_ID_TAKEN", "rejected", kSubmit, [](World& w) { w.facts.same_id = other(w.meta().patch_id, Status::rejected); }},
    {"PROP_DUPLICATE", "another base", kSubmit, [](World& w) { w.facts.same_patch = {other("first-one", Status::proposed, std::string(40, 'e'))}; }, false},
    {"PROP_DUPLICATE", "promoted, so not open", kSubmit, [](World& w) { w.facts.same_patch = {other("first-one", Status::promoted)}; }, false},
    {"PROP_DUPLICATE", "itself", kPromote, [](World& w) { w.facts.same_patch = {other(w.meta().patch_id, Status::proposed)}; }, false},
    {"PROP_DUPLICATE", "open", kSubmit, [](World& w) { w.facts.same_patch = {other("first-one", Status::proposed)}; }},
    {"PROP_DUPLICATE", "open under another id", kSubmit, [](World& w) { w.facts.same_patch = {other("second-one", Status::proposed)}; }},
    {"PROP_DUPLICATE", "admitted before the other came", kPromote, [](World& w) { w.facts.same_patch = {other("first-one", Status::proposed)}; }, false},
    {"PROP_DUPLICATE", "refused before, in a sandbox", kSubmit, [](World& w) { w.facts.same_patch = {other("first-one", Status::sandbox)}; }, false},
    {"PROP_REPLAY", "a successor with other notes", kSubmit, [](World& w) {
       Other o = other("first-one", Status::rejected);
       o.failed_inputs = {"A12:0000"};
       w.facts.same_patch = w.facts.named = {o};
       w.meta().supersedes = {"first-one"};
     }, false},
    {"PROP_REPLAY", "of a withdrawn one that is not named", kSubmit, [](World& w) {
       Other o = other("first-one", Status::rejected);
       o.sub_state = "withdrawn";
       w.facts.same_patch = w.facts.named = {o};
     }},
    {"PROP_REPLAY", "a successor of a withdrawn one", kSubmit, [](World& w) {
       Other o = other("first-one", Status::rejected);
       o.sub_state = "withdrawn";
       w.facts.same_patch = w.facts.named = {o};
       w.meta().supersedes = {"first-one"};
     }, false},
    {"PROP_REPLAY", "of a superseded one that is not named", kSubmit, [](World& w) {
       Other o = other("first-one", Status::rejected);
       o.sub_state = "superseded";
       w.facts.same_patch = w.facts.named = {o};
     }},
    {"PROP_REPLAY", "a successor of a superseded one", kSubmit, [](World& w) {
       Other o = other("first-one", Status::rejected);
       o.sub_state = "superseded";
       w.facts.same_patch = w.facts.named = {o};
       w.meta().supersedes = {"first-one"};
     }, false},
    {"PROP_REPLAY", "of a rejected one", kSubmit, [](World& w) { w.facts.same_patch = {other("first-one", Status::rejected)}; }},
    {"PROP_REPLAY", "on another base", kSubmit, [](World& w) { w.facts.same_patch = {other("first-one", Status::rejected, std::string(40, 'e'))}; }},
    {"PROP_REPLAY", "a successor in which nothing changed", kSubmit, [](World& w) {
       Other o = other("first-one", Status::rejected);
       w.meta().supersedes = {"first-one"};
       o.failed_inputs = {check_input("A12", w.facts), check_input("A10", w.facts)};
       w.facts.same_patch = w.facts.named = {o};
     }},
    {"PROP_REPLAY", "changed, but not named", kSubmit, [](World& w) {
       Other o = other("first-one", Status::rejected);
       o.failed_inputs = {"A12:0000"};
       w.facts.same_patch = {o};
     }},
    {"PROP_ALREADY_APPLIED", "has an effect", kSubmit, [](World&) {}, false},
    {"PROP_ALREADY_APPLIED", "without effect", kSubmit, [](World& w) { w.facts.already_applied = true; }},
    {"PROP_ALREADY_APPLIED", "without effect at promotion", kPromote, [](World& w) { w.facts.already_applied = true; }},
    // A5
    {"PROP_TRUST_INVALID", "a level", kSubmit, [](World&) {}, false},
    {"PROP_TRUST_INVALID", "no level", kSubmit, [](World& w) { w.meta().trust_level = "high"; }},
    {"PROP_TRUST_INVALID", "empty", kSubmit, [](World& w) { w.meta().trust_level = ""; }},
    {"PROP_TRUST_EXCEEDED", "community with that ceiling", kSubmit, [](World& w) { w.policy.actors[4].ceiling = "community"; w.facts.signature = {true, {}, "deep"}; w.meta().trust_level = "community"; }, false},
    {"PROP_TRUST_EXCEEDED", "reviewed, as the record says", kPromote, [](World& w) { w.meta().trust_level = "reviewed"; w.facts.trust_of_record = TrustLevel::reviewed; }, false},
    {"PROP_TRUST_EXCEEDED", "community without a signature", kSubmit, [](World& w) { w.policy.actors[4].ceiling = "community"; w.meta().trust_level = "community"; }},
    {"PROP_TRUST_EXCEEDED", "community with ceiling untrusted", kSubmit, [](World& w) { w.facts.signature = {true, {}, "deep"}; w.meta().trust_level = "community"; }},
    {"PROP_TRUST_EXCEEDED", "reviewed at intake", kSubmit, [](World& w) { w.meta().trust_level = "reviewed"; }},
    {"PROP_TRUST_EXCEEDED", "reviewed by a hand edit", kPromote, [](World& w) { w.meta().trust_level = "reviewed"; w.facts.trust_of_record = TrustLevel::untrusted; }},
    {"PROP_TRUST_EXCEEDED", "promoted at intake", kSubmit, [](World& w) { w.meta().trust_level = "promoted"; w.meta().promotion_status = "promoted"; }},
    {"PROP_REVIEW_STATUS_INVALID", "pending", kSubmit, [](World&) {}, false},
    {"PROP_REVIEW_STATUS_INVALID", "a known value", kPromote, [](World& w) { w.meta().review_status = {"gemini_ok"}; w.meta().promotion_status = "proposed"; }, false},
    {"PROP_REVIEW_STATUS_INVALID", "other names, other values", kPromote, [](World& w) {
       w.policy.required_reviewers = {"ann"};
       w.facts.reviews = {good_review("ann", "gem")};
       w.meta().review_status = {"ann_ok"};
     }, false},
    {"PROP_REVIEW_STATUS_INVALID", "a stranger", kSubmit, [](World& w) { w.meta().review_status = {"claude_ok"}; }},
    {"PROP_REVIEW_STATUS_INVALID", "pending beside a value", kSubmit, [](World& w) { w.meta().review_status = {"pending", "gemini_ok"}; }},
    {"PROP_REVIEW_STATUS_INVALID", "one reviewer twice", kSubmit, [](World& w) { w.meta().review_status = {"gemini_ok", "gemini_changes"}; }},
    {"PROP_REVIEW_STATUS_INVALID", "empty", kSubmit, [](World& w) { w.meta().review_status = {""}; }},
    {"PROP_REVIEW_FORGED", "pending", kSubmit, [](World&) {}, false},
    {"PROP_REVIEW_FORGED", "what the record holds", kPromote, [](World& w) { w.meta().review_status = {"gemini_ok", "codex_ok"}; }, false},
    {"PROP_REVIEW_FORGED", "ok at intake", kSubmit, [](World& w) { w.meta().review_status = {"gemini_ok"}; }},
    {"PROP_REVIEW_FORGED", "both at intake", kSubmit, [](World& w) { w.meta().review_status = {"gemini_ok", "codex_ok"}; }},
    {"PROP_REVIEW_FORGED", "not on record", kPromote, [](World& w) { w.facts.reviews.pop_back(); w.meta().review_status = {"gemini_ok", "codex_ok"}; }},
    {"PROP_PROMOTION_STATUS_INVALID", "sandbox", kSubmit, [](World&) {}, false},
    {"PROP_PROMOTION_STATUS_INVALID", "proposed", kSubmit, [](World& w) { w.meta().promotion_status = "proposed"; }, false},
    {"PROP_PROMOTION_STATUS_INVALID", "another word", kSubmit, [](World& w) { w.meta().promotion_status = "merged"; }},
    {"PROP_PROMOTION_STATUS_INVALID", "another case", kSubmit, [](World& w) { w.meta().promotion_status = "Sandbox"; }},
    {"PROP_PROMOTION_FORGED", "proposed", kSubmit, [](World& w) { w.meta().promotion_status = "proposed"; }, false},
    {"PROP_PROMOTION_FORGED", "promoted at intake", kSubmit, [](World& w) { w.meta().promotion_status = "promoted"; }},
    {"PROP_PROMOTION_FORGED", "rejected at intake", kSubmit, [](World& w) { w.meta().promotion_status = "rejected"; }},
    {"PROP_PROMOTION_FORGED", "promoted by a hand edit", kPromote, [](World& w) { w.meta().promotion_status = "promoted"; }},
    {"PROP_RECORD_FORGED", "as it was taken in", kPromote, [](World&) {}, false},
    {"PROP_RECORD_FORGED", "metadata changed since", kPromote, [](World& w) { w.facts.record_faults = {finding("PROP_RECORD_FORGED")}; }},
    {"PROP_RECORD_FORGED", "beside a vanished review", kPromote, [](World& w) { w.facts.record_faults = {finding("PROP_REVIEW_FORGED"), finding("PROP_RECORD_FORGED")}; }},
    {"PROP_STATE_INCONSISTENT", "as a new one is", kSubmit, [](World&) {}, false},
    {"PROP_STATE_INCONSISTENT", "reviewed with all reviews", kPromote, [](World& w) { w.meta().trust_level = "reviewed"; w.facts.trust_of_record = TrustLevel::reviewed; }, false},
    {"PROP_STATE_INCONSISTENT", "rejected with a recorded check", kPromote, [](World& w) { w.meta().promotion_status = "rejected"; w.facts.failed_check_recorded = true; }, false},
    {"PROP_STATE_INCONSISTENT", "trust alone is promoted", kSubmit, [](World& w) { w.meta().trust_level = "promoted"; }},
    {"PROP_STATE_INCONSISTENT", "status alone is promoted", kSubmit, [](World& w) { w.meta().promotion_status = "promoted"; }},
    {"PROP_STATE_INCONSISTENT", "reviewed without reviews", kPromote, [](World& w) { w.meta().trust_level = "reviewed"; w.facts.reviews.pop_back(); }},
    {"PROP_STATE_INCONSISTENT", "a sandbox with reviews", kSubmit, [](World& w) { w.meta().review_status = {"gemini_ok"}; }},
    {"PROP_STATE_INCONSISTENT", "rejected without a recorded check", kPromote, [](World& w) { w.meta().promotion_status = "rejected"; }},
    // A6
    {"PROP_BASE_INVALID", "40 digits", kSubmit, [](World&) {}, false},
    {"PROP_BASE_INVALID", "64 digits", kSubmit, [](World& w) { w.meta().base_commit = std::string(64, 'a'); }, false},
    {"PROP_BASE_INVALID", "abbreviated", kSubmit, [](World& w) { w.meta().base_commit = "abcdef1"; }},
    {"PROP_BASE_INVALID", "upper case", kSubmit, [](World& w) { w.meta().base_commit = std::string(40, 'A'); }},
    {"PROP_BASE_INVALID", "a name", kSubmit, [](World& w) { w.meta().base_commit = "main"; }},
    {"PROP_BASE_INVALID", "of the other hash", kSubmit, [](World& w) { w.facts.base.well_formed_for_repo = false; }},
    {"PROP_BASE_UNKNOWN", "exists", kSubmit, [](World&) {}, false},
    {"PROP_BASE_UNKNOWN", "fabricated", kSubmit, [](World& w) { w.facts.base = {}; }},
    {"PROP_BASE_UNKNOWN", "gone at promotion", kPromote, [](World& w) { w.facts.base = {}; }},
    {"PROP_BASE_NOT_COMMIT", "a commit", kSubmit, [](World&) {}, false},
    {"PROP_BASE_NOT_COMMIT", "a tree", kSubmit, [](World& w) { w.facts.base.is_commit = false; }},
    {"PROP_BASE_NOT_COMMIT", "a tree at promotion", kPromote, [](World& w) { w.facts.base.is_commit = false; }},
    {"PROP_BASE_UNREACHABLE", "reachable", kPromote, [](World&) {}, false},
    {"PROP_BASE_UNREACHABLE", "planted", kSubmit, [](World& w) { w.facts.base.reachable = false; }},
    {"PROP_BASE_UNREACHABLE", "diverged", kPromote, [](World& w) { w.facts.staleness = Staleness::diverged; }},
    // A7
    {"PROP_DIFF_MISSING", "there", kSubmit, [](World&) {}, false},
    {"PROP_DIFF_MISSING", "no file", kSubmit, [](World& w) { w.facts.patch = nullptr; w.facts.intake_fault = finding("PROP_DIFF_MISSING"); }},
    {"PROP_DIFF_MISSING", "no bytes at promotion", kPromote, [](World& w) { w.facts.patch = nullptr; w.facts.intake_fault = finding("PROP_DIFF_MISSING"); }},
    {"PROP_DIGEST_MISMATCH", "not announced", kSubmit, [](World& w) { w.facts.diff_sha256 = std::string(64, '1'); }, false},
    {"PROP_DIGEST_MISMATCH", "as announced", kSubmit, [](World& w) { w.meta().diff_sha256 = w.facts.diff_sha256 = std::string(64, '1'); }, false},
    {"PROP_DIGEST_MISMATCH", "another", kSubmit, [](World& w) { w.meta().diff_sha256 = std::string(64, '1'); w.facts.diff_sha256 = std::string(64, '2'); }},
    {"PROP_DIGEST_MISMATCH", "another at promotion", kPromote, [](World& w) { w.meta().diff_sha256 = std::string(64, '1'); w.facts.diff_sha256 = std::string(64, '2'); }},
    {"PROP_MAIL_INVALID", "no mail", kSubmit, [](World&) {}, false},
    {"PROP_MAIL_INVALID", "two mails", kSubmit, [](World& w) { w.facts.patch = nullptr; w.facts.intake_fault = finding("PROP_MAIL_INVALID"); }},
    {"PROP_MAIL_INVALID", "beside a wrong digest", kSubmit, [](World& w) { w.facts.intake_fault = finding("PROP_MAIL_INVALID"); w.meta().diff_sha256 = "1"; w.facts.diff_sha256 = "2"; }},
    {"PROP_TRADITIONAL_AMBIGUOUS", "clear", kSubmit, [](World&) {}, false},
    {"PROP_TRADITIONAL_AMBIGUOUS", "names differ", kSubmit, [](World& w) { w.facts.patch = nullptr; w.facts.intake_fault = finding("PROP_TRADITIONAL_AMBIGUOUS"); }},
    {"PROP_TRADITIONAL_AMBIGUOUS", "at promotion", kPromote, [](World& w) { w.facts.patch = nullptr; w.facts.intake_fault = finding("PROP_TRADITIONAL_AMBIGUOUS"); }},
    {"PROP_PATCH_REJECTED", "accepted", kSubmit, [](World&) {}, false},
    {"PROP_PATCH_REJECTED", "refused", kSubmit, [](World& w) { w.facts.patch = nullptr; w.facts.patch_rejection = Value(Map{{"stage", "policy"}}); }},
    {"PROP_PATCH_REJECTED", "refused at promotion", kPromote, [](World& w) { w.facts.patch = nullptr; w.facts.patch_rejection = Value("evidence"); }},
    // A8
    {"PROP_DIFF_NOT_REDERIVABLE", "equal", kSubmit, [](World&) {}, false},
    {"PROP_DIFF_NOT_REDERIVABLE", "not reached", kSubmit, [](World& w) { w.facts.rederives.reset(); }, false},
    {"PROP_DIFF_NOT_REDERIVABLE", "different", kSubmit, [](World& w) { w.facts.rederives = false; }},
    {"PROP_DIFF_NOT_REDERIVABLE", "different at promotion", kPromote, [](World& w) { w.facts.rederives = false; }},
    // A9
    {"PROP_FILES_INVALID", "sound paths", kSubmit, [](World&) {}, false},
    {"PROP_FILES_INVALID", "empty", kSubmit, [](World& w) { w.meta().affected_files.clear(); }},
    {"PROP_FILES_INVALID", "twice", kSubmit, [](World& w) { w.meta().affected_files.push_back("src/cut.cc"); }},
    {"PROP_FILES_INVALID", "leaves the repository", kSubmit, [](World& w) { w.meta().affected_files.push_back("../x"); }},
    {"PROP_FILES_INVALID", "absolute", kSubmit, [](World& w) { w.meta().affected_files.push_back("/etc/passwd"); }},
    {"PROP_FILES_MISMATCH", "the same set in another order", kSubmit, [](World& w) { std::swap(w.meta().affected_files[0], w.meta().affected_files[1]); }, false},
    {"PROP_FILES_MISMATCH", "one missing", kSubmit, [](World& w) { w.meta().affected_files.pop_back(); }},
    {"PROP_FILES_MISMATCH", "one extra", kSubmit, [](World& w) { w.meta().affected_files.push_back("src/more.cc"); }},
    {"PROP_FILES_MISMATCH", "the old name of a rename is missing", kSubmit, [](World& w) {
       w.set_diff("diff --git a/docs/a.md b/docs/b.md\nsimilarity index 100%\nrename from docs/a.md\nrename to docs/b.md\n");
       w.meta().affected_files = {"docs/b.md"};
     }},
    // A10
    {"PROP_TESTS_EMPTY", "tests are named", kSubmit, [](World&) {}, false},
    {"PROP_TESTS_EMPTY", "docs only", kSubmit, [](World& w) { w.set_diff(testing::section("docs/a.md", "text")); w.meta().tests_added.clear(); }, false},
    {"PROP_TESTS_EMPTY", "code without tests", kSubmit, [](World& w) { w.meta().tests_added.clear(); }},
    {"PROP_TESTS_EMPTY", "a control file is no documentation", kSubmit, [](World& w) { w.set_diff(testing::section("AGENTS.md", "text")); w.meta().tests_added.clear(); }},
    {"PROP_TESTS_NOT_REAL", "a name on an added line", kSubmit, [](World& w) { w.meta().tests_added = {"KeepsTheEdge"}; }, false},
    {"PROP_TESTS_NOT_REAL", "not in the diff", kSubmit, [](World& w) { w.meta().tests_added = {"tests/other_test.cc"}; }},
    {"PROP_TESTS_NOT_REAL", "an unknown name", kSubmit, [](World& w) { w.meta().tests_added = {"KeepsNothing"}; }},
    {"PROP_TESTS_NOT_REAL", "one real and one not", kSubmit, [](World& w) { w.meta().tests_added.push_back("src/cut.cc"); }},
    {"PROP_TESTS_DO_NOT_DISCRIMINATE", "not asked", kSubmit, [](World&) {}, false},
    {"PROP_TESTS_DO_NOT_DISCRIMINATE", "fails before, passes after", kSubmit, [](World& w) { w.facts.tests_discriminate = true; }, false},
    {"PROP_TESTS_DO_NOT_DISCRIMINATE", "passes before", kSubmit, [](World& w) { w.facts.tests_discriminate = false; }},
    {"PROP_TESTS_DO_NOT_DISCRIMINATE", "passes before, at promotion", kPromote, [](World& w) { w.facts.tests_discriminate = false; }},
    // A11
    {"PROP_COMMANDS_EMPTY", "commands", kSubmit, [](World&) {}, false},
    {"PROP_COMMANDS_EMPTY", "docs only", kSubmit, [](World& w) { w.set_diff(testing::section("README.md", "text")); w.meta().commands_run.clear(); }, false},
    {"PROP_COMMANDS_EMPTY", "code without commands", kSubmit, [](World& w) { w.meta().commands_run.clear(); }},
    {"PROP_COMMANDS_EMPTY", "at promotion", kPromote, [](World& w) { w.meta().commands_run.clear(); }},
    {"PROP_COMMANDS_INVALID", "the grammar", kSubmit, [](World&) {}, false},
    {"PROP_COMMANDS_INVALID", "no result", kSubmit, [](World& w) { w.meta().commands_run.push_back("make"); }},
    {"PROP_COMMANDS_INVALID", "a control character", kSubmit, [](World& w) { w.meta().commands_run.push_back("make\x1b[0m => exit 0"); }},
    {"PROP_COMMANDS_INVALID", "too long", kSubmit, [](World& w) { w.meta().commands_run.push_back(std::string(2000, 'x') + " => ok"); }},
    {"PROP_COMMANDS_INVALID", "too many", kSubmit, [](World& w) { w.meta().commands_run.resize(201, "ctest => ok"); }},
    {"PROP_COMMANDS_INVALID", "200 are allowed", kSubmit, [](World& w) { w.meta().commands_run.resize(200, "ctest => ok"); }, false},
    {"PROP_COMMANDS_INVALID", "results of another length", kSubmit, [](World& w) { w.meta().command_results = Value(List{Map{}}); }},
    {"PROP_COMMANDS_INVALID", "results of another command", kSubmit, [](World& w) { w.meta().command_results = Value(List{Map{{"command", "make"}}, Map{{"command", "x"}}}); }},
    {"PROP_COMMANDS_INVALID", "results of the commands", kSubmit, [](World& w) { w.meta().command_results = Value(List{Map{{"command", "make"}}, Map{{"command", "ctest -R cut"}}}); }, false},
    {"PROP_COMMANDS_NO_TEST", "a runner", kSubmit, [](World&) {}, false},
    {"PROP_COMMANDS_NO_TEST", "the path of a test", kSubmit, [](World& w) { w.meta().commands_run = {"./run tests/cut_test.cc => ok"}; }, false},
    {"PROP_COMMANDS_NO_TEST", "only a build", kSubmit, [](World& w) { w.meta().commands_run = {"make => exit 0"}; }},
    {"PROP_COMMANDS_NO_TEST", "a skipped test run", kSubmit, [](World& w) { w.meta().commands_run = {"ctest => skipped: no time"}; }},
    {"PROP_COMMANDS_FAILED", "repaired", kSubmit, [](World& w) { w.meta().commands_run = {"ctest => exit 8", "ctest => exit 0"}; }, false},
    {"PROP_COMMANDS_FAILED", "a build failed, the tests did not", kSubmit, [](World& w) { w.meta().commands_run = {"ctest => ok", "make doc => exit 2"}; }, false},
    {"PROP_COMMANDS_FAILED", "waived", kPromote, [](World& w) { w.meta().commands_run = {"ctest => exit 8"}; w.facts.waivers = {"PROP_COMMANDS_FAILED"}; }, false},
    {"PROP_COMMANDS_FAILED", "failed", kSubmit, [](World& w) { w.meta().commands_run = {"ctest => exit 8"}; }},
    {"PROP_COMMANDS_FAILED", "timeout", kSubmit, [](World& w) { w.meta().commands_run = {"ctest => ok", "ctest => timeout"}; }},
    {"PROP_COMMANDS_FAILED", "the word", kSubmit, [](World& w) { w.meta().commands_run = {"ctest => failed"}; }},
    {"PROP_PRODUCTION_CLAIM", "inside the sandbox", kSubmit, [](World& w) { w.meta().sandbox = Value(Map{{"production_access", false}}); }, false},
    {"PROP_PRODUCTION_CLAIM", "a remote shell", kSubmit, [](World& w) { w.meta().commands_run.push_back("ssh db1 uptime => ok"); }},
    {"PROP_PRODUCTION_CLAIM", "said by the sandbox", kSubmit, [](World& w) { w.meta().sandbox = Value(Map{{"production_access", true}}); }},
    {"PROP_PRODUCTION_CLAIM", "in an entry of no grammar", kSubmit, [](World& w) { w.meta().commands_run.push_back("ssh db1 uptime"); }},
    // A12
    {"PROP_RISK_VAGUE", "concrete", kSubmit, [](World&) {}, false},
    {"PROP_RISK_VAGUE", "empty", kSubmit, [](World& w) { w.meta().risk_notes = ""; }},
    {"PROP_RISK_VAGUE", "low risk", kSubmit, [](World& w) { w.meta().risk_notes = "low risk"; }},
    {"PROP_ROLLBACK_VAGUE", "a revert", kSubmit, [](World&) {}, false},
    {"PROP_ROLLBACK_VAGUE", "N/A of documentation", kSubmit, [](World& w) { w.set_diff(testing::section("docs/a.md", "text")); w.meta().rollback_notes = "N/A"; }, false},
    {"PROP_ROLLBACK_VAGUE", "N/A of code", kSubmit, [](World& w) { w.meta().rollback_notes = "N/A"; }},
    {"PROP_ROLLBACK_VAGUE", "words", kSubmit, [](World& w) { w.meta().rollback_notes = "somebody will handle it"; }},
    {"PROP_AUTHOR_INVALID", "model and role", kSubmit, [](World&) {}, false},
    {"PROP_AUTHOR_INVALID", "no role", kSubmit, [](World& w) { w.meta().author_agent = "deepseek"; }},
    {"PROP_AUTHOR_INVALID", "an empty role", kSubmit, [](World& w) { w.meta().author_agent = "deepseek / "; }},
    {"PROP_AUTHOR_INVALID", "three parts", kSubmit, [](World& w) { w.meta().author_agent = "a / b / c"; }},
    {"PROP_AUTHOR_INVALID", "an escape", kSubmit, [](World& w) { w.meta().author_agent = "a\x1b / b"; }},
    {"PROP_AUTHOR_INVALID", "too long", kSubmit, [](World& w) { w.meta().author_agent = "a / " + std::string(197, 'b'); }},
    {"PROP_AUTHOR_INVALID", "200 characters", kSubmit, [](World& w) { w.meta().author_agent = "a / " + std::string(196, 'b'); }, false},
    {"PROP_GAP_INVALID", "a number of the knowledge base", kSubmit, [](World&) {}, false},
    {"PROP_GAP_INVALID", "an identifier", kSubmit, [](World& w) { w.meta().source_gap = "org/repo#12"; }, false},
    {"PROP_GAP_INVALID", "kb without digits", kSubmit, [](World& w) { w.meta().source_gap = "kb:x1"; }},
    {"PROP_GAP_INVALID", "one character", kSubmit, [](World& w) { w.meta().source_gap = "X"; }},
    {"PROP_GAP_INVALID", "a blank", kSubmit, [](World& w) { w.meta().source_gap = "GAP X"; }},
    {"PROP_GAP_INVALID", "129 characters", kSubmit, [](World& w) { w.meta().source_gap = std::string(129, 'g'); }},
    {"PROP_GAP_UNKNOWN", "no registry", kSubmit, [](World&) {}, false},
    {"PROP_GAP_UNKNOWN", "in the registry", kSubmit, [](World& w) { w.policy.gap_registry = {"kb:4400"}; }, false},
    {"PROP_GAP_UNKNOWN", "not in the registry", kSubmit, [](World& w) { w.policy.gap_registry = {"GAP-X"}; }},
    {"PROP_GAP_UNKNOWN", "nearly in the registry", kSubmit, [](World& w) { w.policy.gap_registry = {"kb:44000"}; }},
    {"PROP_TIME_INVALID", "seconds", kSubmit, [](World&) {}, false},
    {"PROP_TIME_INVALID", "milliseconds", kSubmit, [](World& w) { w.meta().created_utc = "2026-05-21T10:00:00.123Z"; }, false},
    {"PROP_TIME_INVALID", "a zone", kSubmit, [](World& w) { w.meta().created_utc = "2026-05-21T10:00:00+00:00"; }},
    {"PROP_TIME_INVALID", "no such day", kSubmit, [](World& w) { w.meta().created_utc = "2026-02-30T10:00:00Z"; }},
    {"PROP_TIME_INVALID", "a date", kSubmit, [](World& w) { w.meta().created_utc = "2026-05-21"; }},
    {"PROP_TIME_INVALID", "four decimals", kSubmit, [](World& w) { w.meta().created_utc = "2026-05-21T10:00:00.1234Z"; }},
    {"PROP_TIME_FUTURE", "300 s ahead", kSubmit, [](World& w) { w.meta().created_utc = "2026-05-21T12:05:00Z"; }, false},
    {"PROP_TIME_FUTURE", "301 s ahead", kSubmit, [](World& w) { w.meta().created_utc = "2026-05-21T12:05:01Z"; }},
    {"PROP_TIME_FUTURE", "a year ahead", kPromote, [](World& w) { w.meta().created_utc = "2027-05-21T12:00:00Z"; }},
    {"PROP_TIME_BEFORE_BASE", "at the base's time", kSubmit, [](World& w) { w.meta().created_utc = "2026-05-20T12:00:00Z"; }, false},
    {"PROP_TIME_BEFORE_BASE", "a second before", kSubmit, [](World& w) { w.meta().created_utc = "2026-05-20T11:59:59Z"; }},
    {"PROP_TIME_BEFORE_BASE", "a day before", kPromote, [](World& w) { w.meta().created_utc = "2026-05-19T12:00:00Z"; }},
    {"PROP_EXPIRED", "30 days", kSubmit, [](World& w) { w.facts.base.commit_time.reset(); w.meta().created_utc = "2026-04-21T12:00:00Z"; }, false},
    {"PROP_EXPIRED", "old, but submitted in time", kPromote, [](World& w) { w.facts.base.commit_time.reset(); w.meta().created_utc = "2026-01-01T12:00:00Z"; }, false},
    {"PROP_EXPIRED", "30 days and a second", kSubmit, [](World& w) { w.meta().created_utc = "2026-04-21T11:59:59Z"; }},
    {"PROP_EXPIRED", "a shorter limit", kSubmit, [](World& w) { w.policy.max_age_days = 1; w.meta().created_utc = "2026-05-20T11:00:00Z"; }},
    {"PROP_SUPERSEDES_INVALID", "an open one of the author", kSubmit, [](World& w) { w.meta().supersedes = {"first-one"}; w.facts.named = {other("first-one", Status::proposed)}; }, false},
    {"PROP_SUPERSEDES_INVALID", "unknown", kSubmit, [](World& w) { w.meta().supersedes = {"first-one"}; }},
    {"PROP_SUPERSEDES_INVALID", "promoted", kSubmit, [](World& w) { w.meta().supersedes = {"first-one"}; w.facts.named = {other("first-one", Status::promoted)}; }},
    {"PROP_SUPERSEDES_INVALID", "by another author", kSubmit, [](World& w) { w.meta().supersedes = {"first-one"}; w.facts.named = {other("first-one", Status::proposed)}; w.facts.named[0].author_agent = "x / y"; }},
    {"PROP_SUPERSEDES_INVALID", "signed by another actor", kSubmit, [](World& w) { w.meta().supersedes = {"first-one"}; w.facts.named = {other("first-one", Status::proposed)}; w.facts.named[0].author_actor = "somebody"; }},
    {"PROP_DEPENDS_INVALID", "an open one", kSubmit, [](World& w) { w.meta().depends_on = {"first-one"}; w.facts.named = {other("first-one", Status::proposed)}; }, false},
    {"PROP_DEPENDS_INVALID", "unknown", kSubmit, [](World& w) { w.meta().depends_on = {"first-one"}; }},
    {"PROP_DEPENDS_INVALID", "itself", kSubmit, [](World& w) { w.meta().depends_on = {w.meta().patch_id}; }},
    {"PROP_DEPENDS_INVALID", "a circle of three", kSubmit, [](World& w) {
       w.meta().depends_on = {"one"};
       w.facts.named = {other("one", Status::proposed), other("two", Status::proposed)};
       w.facts.named[0].depends_on = {"two"};
       w.facts.named[1].depends_on = {w.meta().patch_id};
     }},
    // A13
    {"PROP_STATE_INVALID", "proposed", kPromote, [](World&) {}, false},
    {"PROP_STATE_INVALID", "not asked at submit", kSubmit, [](World& w) { w.facts.state = Status::promoted; }, false},
    {"PROP_STATE_INVALID", "a sandbox", kPromote, [](World& w) { w.facts.state = Status::sandbox; }},
    {"PROP_STATE_INVALID", "rejected", kPromote, [](World& w) { w.facts.state = Status::rejected; }},
    {"PROP_STATE_INVALID", "promoted", kPromote, [](World& w) { w.facts.state = Status::promoted; }},
    // A14
    {"PROP_REVIEW_PENDING", "both ok", kPromote, [](World&) {}, false},
    {"PROP_REVIEW_PENDING", "a quorum of one", kPromote, [](World& w) { w.policy.quorum = 1; w.facts.reviews.pop_back(); }, false},
    {"PROP_REVIEW_PENDING", "one missing", kPromote, [](World& w) { w.facts.reviews.pop_back(); }},
    {"PROP_REVIEW_PENDING", "both missing", kPromote, [](World& w) { w.facts.reviews.clear(); }},
    {"PROP_REVIEW_CHANGES", "both ok", kPromote, [](World&) {}, false},
    {"PROP_REVIEW_CHANGES", "one asks for changes", kPromote, [](World& w) { w.facts.reviews[0].verdict = ReviewVerdict::changes; }},
    {"PROP_REVIEW_CHANGES", "the quorum is met, one asks for changes", kPromote, [](World& w) { w.policy.quorum = 1; w.facts.reviews[1].verdict = ReviewVerdict::changes; }},
    {"PROP_REVIEW_STALE", "current", kPromote, [](World&) {}, false},
    {"PROP_REVIEW_STALE", "another digest", kPromote, [](World& w) { w.facts.reviews[0].proposal_digest = std::string(64, 'e'); }},
    {"PROP_REVIEW_STALE", "another base", kPromote, [](World& w) { w.facts.reviews[1].base_commit = std::string(40, 'e'); }},
    {"PROP_REVIEW_NOT_INDEPENDENT", "independent", kPromote, [](World&) {}, false},
    {"PROP_REVIEW_NOT_INDEPENDENT", "one actor", kPromote, [](World& w) { w.facts.reviews[1].actor = "gem"; }},
    {"PROP_REVIEW_NOT_INDEPENDENT", "one provider", kPromote, [](World& w) { w.policy.actors[3].provider = "google"; }},
    {"PROP_REVIEW_NOT_INDEPENDENT", "the author", kPromote, [](World& w) { w.facts.author_actor = "gem"; }},
    // A15
    {"PROP_NOT_PROMOTER", "gate and asker are others", kPromote, [](World&) {}, false},
    {"PROP_NOT_PROMOTER", "no role", kPromote, [](World& w) { w.facts.asker_may_promote = false; }},
    {"PROP_NOT_PROMOTER", "the author asks", kPromote, [](World& w) { w.facts.asker_actor = "deep"; }},
    {"PROP_NOT_PROMOTER", "a reviewer asks", kPromote, [](World& w) { w.facts.asker_actor = "gem"; }},
    {"PROP_NOT_PROMOTER", "the gate is the author", kPromote, [](World& w) { w.facts.author_actor = "claude"; }},
    {"PROP_NOT_PROMOTER", "the gate reviewed", kPromote, [](World& w) { w.facts.reviews[0].actor = "claude"; }},
    {"PROP_CONFIRMATION_MISSING", "confirmed", kPromote, [](World&) {}, false},
    {"PROP_CONFIRMATION_MISSING", "the gate alone", kPromote, [](World& w) { w.policy.requires_human = false; w.facts.confirmed_by_human = false; }, false},
    {"PROP_CONFIRMATION_MISSING", "nobody confirmed", kPromote, [](World& w) { w.facts.confirmed_by_human = false; }},
    {"PROP_CONFIRMATION_MISSING", "nor reviewed", kPromote, [](World& w) { w.facts.confirmed_by_human = false; w.facts.reviews.clear(); }},
    // A16
    {"PROP_STALE_BASE", "current", kPromote, [](World&) {}, false},
    {"PROP_STALE_BASE", "disjoint", kPromote, [](World& w) { w.facts.staleness = Staleness::disjoint; }, false},
    {"PROP_STALE_BASE", "disjoint, not allowed", kPromote, [](World& w) { w.facts.staleness = Staleness::disjoint; w.policy.allow_disjoint = false; }},
    {"PROP_STALE_BASE", "overlap", kPromote, [](World& w) { w.facts.staleness = Staleness::overlap; }},
    {"PROP_STALE_BASE", "old", kPromote, [](World& w) { w.facts.staleness = Staleness::old; }},
    // A17
    {"PROP_CONFLICT", "none", kPromote, [](World&) {}, false},
    {"PROP_CONFLICT", "with promoted work", kPromote, [](World& w) { w.facts.staleness = Staleness::conflict; }},
    {"PROP_CONFLICT", "with one ahead in the queue", kPromote, [](World& w) { w.facts.conflicts = {finding("PROP_CONFLICT")}; }},
    // A18
    {"PROP_DEPENDENCY_OPEN", "none", kPromote, [](World&) {}, false},
    {"PROP_DEPENDENCY_OPEN", "one", kPromote, [](World& w) { w.facts.open_dependencies = {"first-one"}; }},
    {"PROP_DEPENDENCY_OPEN", "two", kPromote, [](World& w) { w.facts.open_dependencies = {"first-one", "second"}; }},
    // A19
    {"PROP_TREE_CHANGED", "the reviewed tree", kPromote, [](World&) {}, false},
    {"PROP_TREE_CHANGED", "another", kPromote, [](World& w) { w.facts.tree_fault = finding("PROP_TREE_CHANGED"); }},
    {"PROP_TREE_CHANGED", "another, nothing was run", kPromote, [](World& w) { w.facts.verify_ran = false; w.facts.tree_fault = finding("PROP_TREE_CHANGED"); }},
    {"PROP_VERIFY_FAILED", "passed", kPromote, [](World&) {}, false},
    {"PROP_VERIFY_FAILED", "failed", kPromote, [](World& w) { w.facts.verify_fault = finding("PROP_VERIFY_FAILED"); }},
    {"PROP_VERIFY_FAILED", "failed on another tree", kPromote, [](World& w) { w.facts.verify_fault = finding("PROP_VERIFY_FAILED"); w.facts.tree_fault = finding("PROP_TREE_CHANGED"); }},
    {"PROP_VERIFY_DIRTY", "clean", kPromote, [](World&) {}, false},
    {"PROP_VERIFY_DIRTY", "wrote a tracked file", kPromote, [](World& w) { w.facts.verify_fault = finding("PROP_VERIFY_DIRTY"); }},
    {"PROP_VERIFY_DIRTY", "beside a conflict", kPromote, [](World& w) { w.facts.verify_fault = finding("PROP_VERIFY_DIRTY"); w.facts.conflicts = {finding("PROP_CONFLICT")}; }},
    // A20
    {"PROP_OUT_OF_SCOPE", "no intent", kPromote, [](World&) {}, false},
    {"PROP_OUT_OF_SCOPE", "inside", kPromote, [](World& w) { w.facts.in_intent_scope = true; }, false},
    {"PROP_OUT_OF_SCOPE", "outside, at submit", kSubmit, [](World& w) { w.facts.in_intent_scope = false; }},
    {"PROP_OUT_OF_SCOPE", "outside", kPromote, [](World& w) { w.facts.in_intent_scope = false; }},
    {"PROP_OUT_OF_SCOPE", "outside and blocked", kPromote, [](World& w) { w.facts.in_intent_scope = false; w.facts.release_fault = finding("PROP_RELEASE_BLOCKED"); }},
    {"PROP_RELEASE_BLOCKED", "not configured", kPromote, [](World&) {}, false},
    {"PROP_RELEASE_BLOCKED", "blocked", kPromote, [](World& w) { w.facts.release_fault = finding("PROP_RELEASE_BLOCKED"); }},
    {"PROP_RELEASE_BLOCKED", "blocked inside the scope", kPromote, [](World& w) { w.facts.in_intent_scope = true; w.facts.release_fault = finding("PROP_RELEASE_BLOCKED"); }},
};
// clang-format on

TEST(Admission, EachCodeFiresWhereItShouldAndNowhereElse) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.code + ": " + c.what);
    World world(c.phase);
    c.spoil(world);
    const Admission got = judge(world.facts);
    const auto codes = codes_of(got);
    EXPECT_EQ(std::ranges::find(codes, c.code) != codes.end(), c.fires) << join(codes, " ");
    for (const CheckRow& row : got.rows)
      if (row.finding) {
        EXPECT_EQ(row.id, check_of(row.finding->code));
        EXPECT_FALSE(row.finding->message.empty());
      }
  }
}

// Found by promotion's last step, by rollback and by the mirror, not by a check.
const std::set<std::string> kElsewhere = {"PROP_TARGET_MOVED", "PROP_ROLLBACK_CONFLICT",
                                          "PROP_MIRROR_FORGED"};

TEST(Admission, NoCodeIsWithoutOnePassingAndTwoFailingCases) {
  std::map<std::string, std::pair<int, int>> counts;
  for (const Case& c : kCases)
    ++(c.fires ? counts[c.code].second : counts[c.code].first);
  for (std::size_t i = 0; i < kPropCodeCount; ++i) {
    const std::string code(to_string(static_cast<PropCode>(i)));
    if (code.starts_with("REVIEW_") || kElsewhere.contains(code)) continue;
    EXPECT_GE(counts[code].first, 1) << code;
    EXPECT_GE(counts[code].second, 2) << code;
  }
}

// docs/reference/proposals.md, Admission checks.
const std::vector<std::string> kIds = {"A1",  "A2",  "A3",  "A4",  "A5",  "A6",  "A7",
                                       "A8",  "A9",  "A10", "A11", "A12", "A13", "A14",
                                       "A15", "A16", "A17", "A18", "A19", "A20"};

std::string shown(const Admission& a) {
  std::vector<std::string> rows;
  for (const CheckRow& row : a.rows)
    rows.push_back(fmt::format("{}{}", row.id, !row.ok ? "?" : *row.ok ? "+" : "-"));
  return fmt::format("{}: {}", to_string(a.decision), join(rows, " "));
}

std::string rows(std::size_t passed, std::size_t failed_at = 99) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < kIds.size(); ++i)
    out.push_back(kIds[i] + (i + 1 == failed_at ? "-" : i < passed ? "+" : "?"));
  return join(out, " ");
}

TEST(Admission, SubmitAsksTwelveChecksAndPromotionAllTwenty) {
  World submit(kSubmit), promote(kPromote);
  EXPECT_EQ(shown(judge(submit.facts)), "admit: " + rows(12));
  EXPECT_EQ(shown(judge(promote.facts)), "admit: " + rows(20));
}

TEST(Admission, TheFirstThreeChecksStopTheWalk) {
  World no_meta;
  no_meta.facts.meta.reset();
  EXPECT_EQ(shown(judge(no_meta.facts)), "refuse: " + rows(0, 1));
  World denied;
  denied.meta().affected_files = {".env", "a/id_rsa", ".git/config"};
  denied.meta().risk_notes = "";
  EXPECT_EQ(shown(judge(denied.facts)), "reject: " + rows(1, 2));
  EXPECT_EQ(codes_of(judge(denied.facts)), std::vector<std::string>{"PROP_DENY_PATH"});
  World unsigned_one(kPromote);
  unsigned_one.policy.signatures = policy::SignatureMode::required;
  EXPECT_EQ(shown(judge(unsigned_one.facts)), "reject: " + rows(2, 3));
}

TEST(Admission, AllOtherReasonsComeTogether) {
  World w;
  w.meta().patch_id = "X";
  w.meta().trust_level = "promoted";
  w.facts.base = {};
  w.facts.patch = nullptr;
  w.facts.rederives.reset();
  w.meta().risk_notes = w.meta().rollback_notes = "tbd";
  const Admission got = judge(w.facts);
  EXPECT_EQ(join(codes_of(got), " "),
            "PROP_ID_INVALID PROP_ID_MISMATCH PROP_TRUST_EXCEEDED PROP_STATE_INCONSISTENT "
            "PROP_BASE_UNKNOWN PROP_RISK_VAGUE PROP_ROLLBACK_VAGUE");
  EXPECT_EQ(shown(got),
            "reject: A1+ A2+ A3+ A4- A4- A5- A5- A6- A7? A8? A9? A10? A11+ A12- A12- A13? A14? "
            "A15? A16? A17? A18? A19? A20?");
}

struct DecisionCase {
  std::string what;
  Phase phase;
  std::function<void(World&)> spoil;
  std::string_view decision;
  bool only_reviews_missing;
};

// docs/reference/proposals.md: fatal rejects, fixable is refused at submit and rejects at
// promotion, too early defers.
const std::vector<DecisionCase> kDecisions = {
    {"nothing", kSubmit, [](World&) {}, "admit", false},
    {"fixable", kSubmit, [](World& w) { w.meta().risk_notes = ""; }, "refuse", false},
    {"fatal", kSubmit, [](World& w) { w.facts.base = {}; }, "reject", false},
    {"both", kSubmit,
     [](World& w) {
       w.facts.base = {};
       w.meta().risk_notes = "";
     },
     "reject", false},
    {"nothing", kPromote, [](World&) {}, "admit", false},
    {"fixable", kPromote, [](World& w) { w.meta().risk_notes = ""; }, "reject", false},
    {"a review is missing", kPromote, [](World& w) { w.facts.reviews.pop_back(); }, "defer", true},
    {"the confirmation is missing", kPromote, [](World& w) { w.facts.confirmed_by_human = false; },
     "defer", true},
    {"stale", kPromote, [](World& w) { w.facts.staleness = Staleness::overlap; }, "defer", false},
    {"stale and no review", kPromote,
     [](World& w) {
       w.facts.staleness = Staleness::old;
       w.facts.reviews.clear();
     },
     "defer", false},
    {"a dependency is open", kPromote, [](World& w) { w.facts.open_dependencies = {"first-one"}; },
     "defer", false},
    {"too early and wrong", kPromote,
     [](World& w) {
       w.facts.reviews.clear();
       w.meta().rollback_notes = "";
     },
     "reject", false},
    {"changes are asked for", kPromote,
     [](World& w) { w.facts.reviews[0].verdict = ReviewVerdict::changes; }, "reject", false},
    {"conflict", kPromote, [](World& w) { w.facts.staleness = Staleness::conflict; }, "reject",
     false},
    {"tests failed, and a reviewer who could waive it has not spoken", kPromote,
     [](World& w) {
       w.meta().commands_run = {"ctest -R cut => exit 8"};
       w.facts.reviews.pop_back();
     },
     "defer", false},
    {"tests failed, and all reviewers have spoken", kPromote,
     [](World& w) { w.meta().commands_run = {"ctest -R cut => exit 8"}; }, "reject", false},
    {"conflict with one ahead in the queue", kPromote,
     [](World& w) {
       w.facts.conflicts = {finding("PROP_CONFLICT")};
       w.facts.conflicts[0].waits = true;
     },
     "defer", false},
    {"conflict with one ahead, and with what landed", kPromote,
     [](World& w) {
       w.facts.conflicts = {finding("PROP_CONFLICT"), finding("PROP_CONFLICT")};
       w.facts.conflicts[0].waits = true;
     },
     "reject", false},
};

TEST(Admission, DecidesByTheWeightOfWhatFailed) {
  for (const DecisionCase& c : kDecisions) {
    World world(c.phase);
    c.spoil(world);
    const Admission got = judge(world.facts);
    EXPECT_EQ(to_string(got.decision), c.decision) << c.what;
    EXPECT_EQ(got.only_reviews_missing, c.only_reviews_missing) << c.what;
  }
}

struct StaleCase {
  Staleness relation;
  std::string_view word, code, decision;
};
// docs/reference/proposals.md, Stale bases: each relation and its default answer.
constexpr StaleCase kStale[] = {
    {Staleness::current, "current", "", "admit"},
    {Staleness::disjoint, "stale-disjoint", "", "admit"},
    {Staleness::overlap, "stale-overlap", "PROP_STALE_BASE", "defer"},
    {Staleness::conflict, "stale-conflict", "PROP_CONFLICT", "reject"},
    {Staleness::diverged, "diverged", "PROP_BASE_UNREACHABLE", "reject"},
    {Staleness::old, "stale-old", "PROP_STALE_BASE", "defer"},
};

TEST(Admission, EachStaleRelationHasItsAnswer) {
  for (const StaleCase& c : kStale) {
    World w(kPromote);
    w.facts.staleness = c.relation;
    w.facts.staleness_details = Map{{"behind", 3}};
    const Admission got = judge(w.facts);
    EXPECT_EQ(to_string(c.relation), c.word);
    EXPECT_EQ(join(codes_of(got), " "), c.code) << c.word;
    EXPECT_EQ(to_string(got.decision), c.decision) << c.word;
    for (const CheckRow& row : got.rows)
      if (row.finding) {
        EXPECT_EQ(wire::canonical_json(row.finding->details),
                  fmt::format(R"({{"behind":3,"relation":"{}"}})", c.word));
      }
  }
}

TEST(Admission, TheDocumentHasOneRowPerFinding) {
  World w;
  w.meta().affected_files.pop_back();
  const Admission got = judge(w.facts);
  const Map document = to_document(got, "o11-fix-cutplan-001", kDigest, w.facts.now);
  EXPECT_EQ(*document.find("schema")->as_string(), "gatehouse.admission/1");
  EXPECT_EQ(*document.find("phase")->as_string(), "submit");
  EXPECT_EQ(*document.find("decision")->as_string(), "refuse");
  EXPECT_EQ(*document.find("created_utc")->as_string(), "2026-05-21T12:00:00Z");
  const List& checks = *document.find("checks")->as_list();
  ASSERT_EQ(checks.size(), 20u);
  EXPECT_EQ(wire::canonical_json(checks[0]),
            R"({"code":null,"details":{},"id":"A1","message":null,"ok":true})");
  EXPECT_EQ(
      wire::canonical_json(checks[8]),
      R"({"code":"PROP_FILES_MISMATCH","details":{"extra":[],"missing":["tests/cut_test.cc"]},)"
      R"("id":"A9","message":"affected_files is not what the diff touches; missing: )"
      R"(tests/cut_test.cc","ok":false})");
  EXPECT_EQ(wire::canonical_json(checks[12]),
            R"({"code":null,"details":{},"id":"A13","message":null,"ok":null})");
}

TEST(Admission, FailedInputsChangeWithWhatTheCheckLooksAt) {
  World w;
  w.meta().risk_notes = "";
  w.meta().commands_run.clear();
  const Admission got = judge(w.facts);
  const auto inputs = failed_inputs(got, w.facts);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_TRUE(inputs[0].starts_with("A11:"));
  EXPECT_TRUE(inputs[1].starts_with("A12:"));
  World again;
  again.meta().risk_notes = "";
  EXPECT_EQ(check_input("A12", again.facts), inputs[1]);
  EXPECT_NE(check_input("A11", again.facts), inputs[0]);
}

struct InputChange {
  std::string what;
  std::function<void(World&)> change;
  std::string checks;  // whose input it is
};
const std::vector<InputChange> kInputChanges = {
    {"id", [](World& w) { w.meta().patch_id = "other-id"; }, "A1"},
    {"files", [](World& w) { w.meta().affected_files.pop_back(); }, "A2 A9 A20"},
    {"signer", [](World& w) { w.facts.signature.signer = "deep"; }, "A3"},
    {"patch", [](World& w) { w.facts.canonical_sha256 = "x"; }, "A4 A7 A8 A13 A19"},
    {"base", [](World& w) { w.meta().base_commit = "x"; }, "A4 A6 A7 A8 A13 A16 A17 A19"},
    {"trust", [](World& w) { w.meta().trust_level = "community"; }, "A5"},
    {"tests", [](World& w) { w.meta().tests_added.clear(); }, "A10"},
    {"commands", [](World& w) { w.meta().commands_run.clear(); }, "A11"},
    {"notes", [](World& w) { w.meta().rollback_notes = "x"; }, "A12"},
    {"reviews", [](World& w) { w.facts.reviews.pop_back(); }, "A14 A15"},
    {"dependencies", [](World& w) { w.meta().depends_on = {"x"}; }, "A12 A18"},
};

TEST(Admission, EveryCheckHasItsInputAndNoOther) {
  std::set<std::string> seen;
  for (const InputChange& c : kInputChanges) {
    std::vector<std::string> changed;
    for (const std::string& id : kIds) {
      World before(kPromote), after(kPromote);
      c.change(after);
      if (check_input(id, before.facts) != check_input(id, after.facts)) changed.push_back(id);
    }
    EXPECT_EQ(join(changed, " "), c.checks) << c.what;
    seen.insert(changed.begin(), changed.end());
  }
  EXPECT_EQ(seen.size(), kIds.size());
}

struct CeilingCase {
  std::string signer, ceiling;
  TrustLevel most;
};
// docs/reference/proposals.md, Trust levels: what an author may emit.
TEST(Trust, TheCeilingIsTheSigners) {
  for (const CeilingCase& c : {CeilingCase{"", "community", TrustLevel::untrusted},
                               CeilingCase{"nobody", "community", TrustLevel::untrusted},
                               CeilingCase{"deep", "untrusted", TrustLevel::untrusted},
                               CeilingCase{"deep", "community", TrustLevel::community},
                               CeilingCase{"alice", "community", TrustLevel::untrusted}}) {
    World w;
    w.policy.actors[4].ceiling = c.ceiling;
    EXPECT_EQ(ceiling_of(w.policy, c.signer), c.most) << c.signer << " " << c.ceiling;
  }
}

}  // namespace
}  // namespace gh::proposal
