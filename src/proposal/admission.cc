#include "proposal/admission.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "proposal/promotion_rules.h"
#include "proposal/rules.h"
#include "wire/json.h"

namespace gh::proposal {
namespace {

using List = std::vector<Finding>;

// ---------------------------------------------------------------------------- A1, A6, A7 and A8

Findings check_metadata(const AdmissionFacts& facts) {
  List out;
  if (facts.meta_fault) out.push_back(*facts.meta_fault);
  if (!facts.meta && out.empty())
    out.push_back({PropCode::PROP_META_MISSING, "there is no metadata file"});
  if (facts.report_fault) out.push_back(*facts.report_fault);
  return out;
}

bool is_commit_name(std::string_view text) { return ObjectId::parse(text).has_value(); }

struct BaseRow {
  PropCode code;
  bool (*holds)(const AdmissionFacts&);
  std::string_view message;  // completes "base_commit ID "
};
// The first row that does not hold is the answer: what does not exist cannot be reachable.
// table: base rules
constexpr std::array<BaseRow, 4> kBaseRows{{
    {PropCode::PROP_BASE_INVALID,
     [](const AdmissionFacts& f) {
       return is_commit_name(f.meta->base_commit) && f.base.well_formed_for_repo;
     },
     "is not a full commit id of this repository's kind"},
    {PropCode::PROP_BASE_UNKNOWN, [](const AdmissionFacts& f) { return f.base.exists; },
     "does not exist in this repository"},
    {PropCode::PROP_BASE_NOT_COMMIT, [](const AdmissionFacts& f) { return f.base.is_commit; },
     "is not a commit"},
    {PropCode::PROP_BASE_UNREACHABLE, [](const AdmissionFacts& f) { return f.base.reachable; },
     "is not reachable from an allowed base ref"},
}};

Findings check_base(const AdmissionFacts& facts) {
  for (const BaseRow& row : kBaseRows)
    if (!row.holds(facts))
      return List{{row.code, fmt::format("base_commit '{}' {}",
                                         printable(facts.meta->base_commit, 64), row.message)}};
  List out;
  if (facts.phase == Phase::promote)
    if (auto finding = stale_finding(facts, PropCode::PROP_BASE_UNREACHABLE))
      out.push_back(*std::move(finding));
  return out;
}

Map rejection_details(const Value& evidence) {
  return evidence.as_map() != nullptr ? *evidence.as_map() : Map{{"evidence", evidence}};
}

/// The first rule that the patch gate names, and how many more there are.
std::string rejection_message(const Map& evidence) {
  const Value* inner = evidence.find("details");
  const Map* details = inner == nullptr ? nullptr : inner->as_map();
  const Value* violations = details == nullptr ? nullptr : details->find("violations");
  const gh::List* list = violations == nullptr ? nullptr : violations->as_list();
  const Map* first = list == nullptr || list->empty() ? nullptr : list->front().as_map();
  if (first == nullptr) return "the patch gate refuses the diff";
  const auto text = [&](std::string_view key) {
    const Value* value = first->find(key);
    return value != nullptr && value->as_string() != nullptr ? *value->as_string() : std::string();
  };
  const std::string more = list->size() == 1 ? "" : fmt::format(" (and {} more)", list->size() - 1);
  const std::string file = text("file").empty() ? "" : printable(text("file"), 120) + ": ";
  return fmt::format("the patch gate refuses the diff by {}: {}{}{}", text("rule"), file,
                     text("message"), more);
}

Findings check_patch(const AdmissionFacts& facts) {
  List out;
  const std::string& announced = facts.meta->diff_sha256;
  if (!announced.empty() && !facts.diff_sha256.empty() && announced != facts.diff_sha256)
    out.push_back(
        {PropCode::PROP_DIGEST_MISMATCH, fmt::format("the diff has SHA-256 {}, diff_sha256 says {}",
                                                     facts.diff_sha256, announced)});
  if (facts.intake_fault) out.push_back(*facts.intake_fault);
  if (facts.patch_rejection) {
    Map details = rejection_details(*facts.patch_rejection);
    std::string message = rejection_message(details);
    out.push_back({PropCode::PROP_PATCH_REJECTED, std::move(message), std::move(details)});
  }
  if (out.empty() && facts.patch == nullptr) return {};
  return out;
}

Findings check_rederivation(const AdmissionFacts& facts) {
  if (!facts.rederives) return {};
  if (*facts.rederives) return List{};
  return List{{PropCode::PROP_DIFF_NOT_REDERIVABLE,
               "what git derives from base and candidate is not the submitted diff"}};
}

// ----------------------------------------------------------------------------------------- table

struct Row {
  std::string_view id;
  bool at_submit;
  bool stops;  // nothing behind it is evaluated when it fails
  Findings (*check)(const AdmissionFacts&);
};
// table: admission checks
// clang-format off
constexpr std::array<Row, 20> kChecks{{
    {"A1",  true,  true,  check_metadata},
    {"A2",  true,  true,  check_deny},
    {"A3",  true,  true,  check_signature},
    {"A4",  true,  false, check_identity},
    {"A5",  true,  false, check_statuses},
    {"A6",  true,  false, check_base},
    {"A7",  true,  false, check_patch},
    {"A8",  true,  false, check_rederivation},
    {"A9",  true,  false, check_files},
    {"A10", true,  false, check_tests},
    {"A11", true,  false, check_commands},
    {"A12", true,  false, check_fields},
    {"A13", false, false, check_state},
    {"A14", false, false, check_reviews},
    {"A15", false, false, check_promoter},
    {"A16", false, false, check_stale},
    {"A17", false, false, check_conflicts},
    {"A18", false, false, check_dependencies},
    {"A19", false, false, check_verification},
    {"A20", true,  false, check_other_gates},
}};
// clang-format on

void append_rows(std::vector<CheckRow>& rows, std::string_view id, Findings found) {
  if (!found) {
    rows.push_back({id, std::nullopt});
  } else if (found->empty()) {
    rows.push_back({id, true});
  } else {
    for (Finding& finding : *found)
      rows.push_back({id, false, std::move(finding)});
  }
}

bool any_failed(const std::vector<CheckRow>& rows, auto&& wanted) {
  return std::ranges::any_of(
      rows, [&](const CheckRow& row) { return row.finding && wanted(*row.finding); });
}

/// proposals 4: at submit a fatal failure rejects and any other refuses; at promotion only "too
/// early" leaves the proposal as it is.
Decision decide(Phase phase, const std::vector<CheckRow>& rows) {
  const auto is_fatal = [](const Finding& f) { return weight_of(f.code) == Weight::fatal; };
  const auto is_wrong = [](const Finding& f) { return !is_too_early(f); };
  if (!any_failed(rows, [](const Finding&) { return true; })) return Decision::admit;
  if (phase == Phase::submit)
    return any_failed(rows, is_fatal) ? Decision::reject : Decision::refuse;
  return any_failed(rows, is_wrong) ? Decision::reject : Decision::defer;
}

bool is_review_missing(PropCode code) {
  return code == PropCode::PROP_REVIEW_PENDING || code == PropCode::PROP_CONFIRMATION_MISSING;
}

template <class Enum, std::size_t N>
std::string_view word(Enum value, const std::array<std::string_view, N>& words) {
  return words[static_cast<std::size_t>(value)];
}

// ---------------------------------------------------------------------------- inputs of the checks

Value texts(const std::vector<std::string>& list) { return string_list(list); }

Value reviews_value(const std::vector<Review>& reviews) {
  gh::List out;
  for (const Review& r : reviews)
    out.emplace_back(Map{{"reviewer", r.reviewer},
                         {"actor", r.actor},
                         {"digest", r.proposal_digest},
                         {"verdict", to_string(r.verdict)}});
  return out;
}

Value patch_input(const AdmissionFacts& f) {
  return Map{{"base", f.meta->base_commit}, {"canonical", f.canonical_sha256}};
}

Value metadata_input(const AdmissionFacts& f) { return f.meta->patch_id; }
Value files_input(const AdmissionFacts& f) { return texts(f.meta->affected_files); }
Value signature_input(const AdmissionFacts& f) { return f.signature.signer.value_or(""); }
Value status_input(const AdmissionFacts& f) {
  return Map{{"trust", f.meta->trust_level},
             {"review", texts(f.meta->review_status)},
             {"promotion", f.meta->promotion_status}};
}
Value base_input(const AdmissionFacts& f) { return f.meta->base_commit; }
Value tests_input(const AdmissionFacts& f) { return texts(f.meta->tests_added); }
Value commands_input(const AdmissionFacts& f) { return texts(f.meta->commands_run); }
Value fields_input(const AdmissionFacts& f) {
  return Map{{"risk", f.meta->risk_notes},
             {"rollback", f.meta->rollback_notes},
             {"author", f.meta->author_agent},
             {"gap", f.meta->source_gap},
             {"created", f.meta->created_utc},
             {"supersedes", texts(f.meta->supersedes)},
             {"depends_on", texts(f.meta->depends_on)}};
}
Value reviews_input(const AdmissionFacts& f) { return reviews_value(f.reviews); }
Value dependency_input(const AdmissionFacts& f) { return texts(f.meta->depends_on); }

struct InputRow {
  std::string_view id;
  Value (*input)(const AdmissionFacts&);
};
// What of a proposal a check looks at. A check whose input is the change itself cannot change while
// the change is the same, so such a rejection cannot be lifted by resubmission.
// table: check inputs
constexpr std::array<InputRow, 20> kInputs{{
    {"A1", metadata_input}, {"A2", files_input},     {"A3", signature_input},
    {"A4", patch_input},    {"A5", status_input},    {"A6", base_input},
    {"A7", patch_input},    {"A8", patch_input},     {"A9", files_input},
    {"A10", tests_input},   {"A11", commands_input}, {"A12", fields_input},
    {"A13", patch_input},   {"A14", reviews_input},  {"A15", reviews_input},
    {"A16", base_input},    {"A17", base_input},     {"A18", dependency_input},
    {"A19", patch_input},   {"A20", files_input},
}};

}  // namespace

std::string_view to_string(Phase p) {
  return word(p, std::array<std::string_view, 2>{"submit", "promote"});
}
std::string_view to_string(Decision d) {
  return word(d, std::array<std::string_view, 4>{"admit", "refuse", "reject", "defer"});
}
std::string_view to_string(Staleness s) {
  return word(s, std::array<std::string_view, 6>{"current", "stale-disjoint", "stale-overlap",
                                                 "stale-conflict", "diverged", "stale-old"});
}

Admission judge(const AdmissionFacts& facts) {
  Admission out;
  out.phase = facts.phase;
  bool stopped = false;
  for (const Row& row : kChecks) {
    const bool asked = !stopped && (row.at_submit || facts.phase == Phase::promote);
    append_rows(out.rows, row.id, asked ? row.check(facts) : Findings{});
    const bool failed = out.rows.back().finding.has_value();
    stopped = stopped || (row.stops && failed);
  }
  out.decision = decide(facts.phase, out.rows);
  out.only_reviews_missing =
      out.decision == Decision::defer &&
      !any_failed(out.rows, [](const Finding& f) { return !is_review_missing(f.code); });
  return out;
}

std::string check_input(std::string_view check, const AdmissionFacts& facts) {
  const auto row = std::ranges::find(kInputs, check, &InputRow::id);
  if (row == kInputs.end() || !facts.meta) return std::string(check) + ":";
  return fmt::format("{}:{}", check, digest_of(wire::canonical_json(row->input(facts))).hex());
}

std::vector<std::string> failed_inputs(const Admission& admission, const AdmissionFacts& facts) {
  std::vector<std::string> out;
  std::set<std::string_view> seen;
  for (const CheckRow& row : admission.rows)
    if (row.finding && seen.insert(row.id).second) out.push_back(check_input(row.id, facts));
  return out;
}

Map to_document(const Admission& admission, std::string_view patch_id, std::string_view digest,
                Timestamp created) {
  gh::List checks;
  for (const CheckRow& row : admission.rows) {
    const Finding* finding = row.finding ? &*row.finding : nullptr;
    checks.emplace_back(
        Map{{"id", row.id},
            {"ok", row.ok ? Value(*row.ok) : Value()},
            {"code", finding != nullptr ? Value(to_string(finding->code)) : Value()},
            {"message", finding != nullptr ? Value(finding->message) : Value()},
            {"details", finding != nullptr ? Value(finding->details) : Value(Map{})}});
  }
  return Map{{"schema", "gatehouse.admission/1"},
             {"patch_id", patch_id},
             {"proposal_digest", digest},
             {"phase", to_string(admission.phase)},
             {"decision", to_string(admission.decision)},
             {"checks", std::move(checks)},
             {"created_utc", to_string(created)},
             {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
}

}  // namespace gh::proposal
