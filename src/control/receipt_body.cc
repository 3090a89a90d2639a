#include "control/receipt_body.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "analysis/report_view.h"
#include "analysis/short_ids.h"
#include "base/text.h"
#include "model/peek.h"

namespace gh::control {
namespace {

using Facts = ReceiptBodyFacts;
using analysis::text_in;

constexpr std::size_t kMaxDecisions = 10;

// table: receipt verdicts
constexpr std::array<std::string_view, 3> kVerdicts{"clean", "needs_attention", "incomplete"};

struct ClaimRow {
  std::string_view type, reason;
  bool (*applies)(const Value& report);
};
bool always(const Value&) { return true; }
bool has_suppressed_clones(const Value& report) {
  return std::ranges::any_of(
      analysis::map_in(report, {"findings", "groups", "clones", "suppressed"}).entries(),
      [](const auto& entry) { return entry.second.as_list() && !entry.second.as_list()->empty(); });
}
// clang-format off
// table: claims that a receipt does not make
constexpr std::array<ClaimRow, 4> kClaims{{
    {"security_vulnerability",      "Security surfaces are an inventory; no weakness was searched for.", always},
    {"baseline_regression",         "What the baseline holds is known debt, not a regression of this change.", always},
    {"report_only_ci_failure",      "Families that are only reported fail no pipeline.", always},
    {"suppressed_clone_regression", "Suppressed groups of clones exist; they are not counted as regressions.", has_suppressed_clones},
}};

/// What the verdict depends on.
struct VerdictFacts {
  std::string_view patch_status;
  bool has_decisions = false, lacks_review = false;
};
struct VerdictRow {
  bool (*applies)(const VerdictFacts&);
  ReceiptVerdict verdict;
};
// table: verdict of a receipt
constexpr std::array<VerdictRow, 5> kVerdictRows{{
    {[](const VerdictFacts& f) { return f.patch_status == "violated"; },    ReceiptVerdict::needs_attention},
    {[](const VerdictFacts& f) { return f.has_decisions; },                 ReceiptVerdict::needs_attention},
    {[](const VerdictFacts& f) { return f.patch_status == "not_checked"; }, ReceiptVerdict::incomplete},
    {[](const VerdictFacts& f) { return f.lacks_review; },                  ReceiptVerdict::incomplete},
    {[](const VerdictFacts&) { return true; },                              ReceiptVerdict::clean},
}};

struct DecisionRow {
  std::string_view category, reason;
  bool (*applies)(const Value& finding);
};
// table: decisions that findings ask of people
constexpr std::array<DecisionRow, 2> kDecisions{{
    {"clone_divergence",      "A copy of this code was changed; decide whether the other copies must follow.",
     [](const Value& f) { return text_in(f, "family") == "clone"; }},
    {"baseline_debt_touched", "The change touches code with debt that the baseline accepts; decide whether it stays.",
     [](const Value& f) { return text_in(f, "novelty") == "known"; }},
}};
// clang-format on
struct QuestionRow {
  std::string_view category, reason;
  bool (*applies)(const Facts&);
};
bool is_let_through(const Facts& f) {
  return f.verification != nullptr && is_accepted(f.verification->status) &&
         !f.verification->contract_violations.empty();
}
const List& left_out(const Facts&);
// clang-format off
// table: decisions that the change as a whole asks of people
constexpr std::array<QuestionRow, 10> kQuestions{{
    {"scope_expansion",     "Related files were changed beside the declared ones; decide whether that is wanted.",
     [](const Facts& f) { return f.scope->check_status == "expanded"; }},
    {"relaxed_strictness",  "Violations of the contract were let through, because it was judged with strictness relaxed; decide whether that is enough.",
     is_let_through},
    {"unnamed_changes",     "Declared files were changed and committed since the start, and this finish does not name them; decide who answers for them.",
     [](const Facts& f) { return !f.scope->changed_unnamed.empty(); }},
    {"undeclared_commits",  "Files were committed since the start that nobody declared; decide who answers for them.",
     [](const Facts& f) { return !f.scope->committed_undeclared.empty(); }},
    {"ignored_files",       "Declared files are ignored by git, and this finish does not name them; nobody but a person can say whether they were changed.",
     [](const Facts& f) { return !f.scope->ignored_unnamed.empty(); }},
    {"undeclared_sources",  "Sources that nobody declared changed in the work tree while this change was made, and the analysis has read them; decide whether it holds without them.",
     [](const Facts& f) { return !f.scope->undeclared_sources.empty(); }},
    {"not_bound",           "Git could not tell what the change is, so that this receipt is bound to no content; decide what it speaks of.",
     [](const Facts& f) { return f.scope->is_unbound; }},
    {"not_verified",        "No finish accepted this change: what stands here was put together from what is stored; finish it before it is let in.",
     [](const Facts& f) { return f.verification == nullptr && f.is_unverified; }},
    {"suppressed_findings", "Comments hide findings, and this change adds them or brings up what they hide; decide whether they may stay hidden.",
     [](const Facts& f) { return f.verification != nullptr && (!f.verification->suppressions_added.empty() || !f.verification->hidden.empty()); }},
    {"source_not_analysed", "Source files were changed that no analysis reads, or not as a whole; a person must read them.",
     [](const Facts& f) { return !left_out(f).empty(); }},
}};
// clang-format on

Value or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }
Value or_null(const std::optional<std::int64_t>& number) {
  return number ? Value(*number) : Value();
}
Value count_of(std::size_t n) { return static_cast<std::int64_t>(n); }

Value path_list(const std::vector<std::string>& paths) {
  List out;
  for (const std::string& path : paths)
    out.emplace_back(utf8_or_escaped(path));
  return out;
}

// ------------------------------------------------------------------------------------ members

std::string_view baseline_status(const Value& report) {
  const Peek baseline = Peek(report)["meta"]["baseline"];
  if (baseline["status"].text() == "ok" || baseline["status"].text() == "updated") return "trusted";
  const bool is_absent = !baseline.exists() || baseline["status"].text() == "missing";
  return is_absent ? "not_loaded" : "untrusted";
}

bool has_extensions(const Facts& f) {
  return !(f.before_run_id.empty() && f.head_commit.empty() && f.tree_digest.empty() &&
           f.tool_version.empty());
}

Map provenance(const Facts& f) {
  Map out{{"report_digest", "sha256:" + f.report_digest},
          {"report_schema_version", or_null(Peek(f.report)["report_schema_version"].text())},
          {"baseline_status", baseline_status(f.report)},
          {"run_id", f.run_id},
          {"root", utf8_or_escaped(f.root)}};
  if (!has_extensions(f)) return out;
  out.set("before_run_id", or_null(f.before_run_id));
  if (f.verification != nullptr)
    if (const Value* from = f.verification->payload.find("judged_from"))
      out.set("judged_from", *from);  // in place of the run before
  out.set("head_commit", or_null(f.head_commit));
  out.set("tree_digest", or_null(f.tree_digest));
  out.set("tool_version", or_null(f.tool_version));
  return out;
}

Value profile_member(const Facts& f) {
  if (!f.profile) return {};
  const auto of = [&](std::string_view key) {
    const Value* found = f.profile->payload.find(key);
    return found == nullptr ? Value() : *found;
  };
  Map out{{"profile", f.profile->profile},
          {"reason", of("profile_reason")},
          {"python_source_touched", of("python_source_touched")},
          {"state_artifact_touched", f.profile->state_artifact_touched},
          {"governance_config_touched", f.profile->governance_config_touched},
          {"after_run_required", f.profile->after_run_required},
          {"structural_checks_applicable", f.profile->structural},
          {"checks_performed", of("checks_performed")},
          {"checks_not_applicable", of("checks_not_applicable")},
          {"limitations", string_list(f.profile->limitations)}};
  if (!left_out(f).empty()) out.set("not_analysed", left_out(f));
  return out;
}

const List& left_out(const Facts& f) {
  static const List kNone;
  const Value* found = f.profile ? f.profile->payload.find("not_analysed") : nullptr;
  return found == nullptr || found->as_list() == nullptr ? kNone : *found->as_list();
}

Value scope_member(const Facts& f) {
  if (!f.scope) return {};
  const ReceiptScope& s = *f.scope;
  Map out{{"intent_id", s.intent_id},
          {"intent_status", s.intent_status},
          {"intent_description", utf8_or_escaped(s.intent_description)},
          {"declared_files", path_list(s.declared_files)},
          {"changed_files", path_list(s.changed_files)},
          {"unexpected_files", path_list(s.unexpected_files)},
          {"forbidden_touched", path_list(s.forbidden_touched)},
          {"untouched_files", path_list(s.untouched_files)}};
  if (s.do_not_touch_held) out.set("do_not_touch_held", path_list(*s.do_not_touch_held));
  if (s.changed_in_git) {
    std::vector<std::string> same;
    std::ranges::set_difference(s.changed_files, *s.changed_in_git, std::back_inserter(same));
    out.set("changed_in_git", path_list(*s.changed_in_git));
    out.set("named_unchanged", path_list(same));
  }
  if (!s.changed_unnamed.empty()) out.set("changed_unnamed", path_list(s.changed_unnamed));
  if (!s.committed_undeclared.empty())
    out.set("committed_undeclared", path_list(s.committed_undeclared));
  if (!s.ignored_unnamed.empty()) out.set("ignored_unnamed", path_list(s.ignored_unnamed));
  return out;
}

Value blast_member(const Facts& f) {
  const Map* summary = f.blast_radius_summary.as_map();
  if (summary == nullptr) return {};
  Map out;
  for (const std::string_view key : {"radius_level", "direct_dependents_count",
                                     "clone_cohort_members_count", "do_not_touch_count"}) {
    const Value* found = summary->find(key);
    out.set(std::string(key), found == nullptr ? Value() : *found);
  }
  return out;
}

bool is_gate_relevant(const Value& finding) {
  const std::string_view severity = text_in(finding, "severity");
  return text_in(finding, "novelty") == "new" || severity == "critical" || severity == "warning";
}

std::size_t gate_relevant(const Value& report) {
  std::int64_t counted = 0;
  for (const Value& row : analysis::list_in(report, {"findings", analysis::kCountedMember}))
    if (is_gate_relevant(row)) counted += analysis::int_in(row, "count").value_or(0);
  if (counted != 0) return static_cast<std::size_t>(counted);
  const std::vector<const Value*> findings = analysis::finding_groups(report);
  return static_cast<std::size_t>(
      std::ranges::count_if(findings, [](const Value* f) { return is_gate_relevant(*f); }));
}

Map evidence_member(const Facts& f) {
  List items;
  for (const ReviewedFinding& r : f.reviewed)
    items.emplace_back(Map{{"finding_id", r.finding_id},
                           {"kind", r.kind},
                           {"severity", r.severity},
                           {"note", utf8_or_escaped(r.note)}});
  return Map{{"total_gate_relevant", count_of(gate_relevant(f.report))},
             {"reviewed_count", count_of(f.reviewed.size())},
             {"items", std::move(items)}};
}

/// The comparison that the receipt tells of: that of this finish, else that with the run before.
struct Delta {
  bool is_available = false;
  std::int64_t regressions = 0, improvements = 0;
  std::optional<std::int64_t> health{};
  std::string verdict{"not_available"};
};

Delta delta_of(const Facts& f) {
  if (f.verification != nullptr && !f.verification->structural_verdict.empty()) {
    const Verification& v = *f.verification;
    return {v.structural_verdict != "not_applicable", v.regressions, v.improvements, v.health_delta,
            v.structural_verdict};
  }
  if (f.profile && !f.profile->structural) return {.verdict = "not_applicable"};
  if (!f.comparison) return {};
  const analysis::RunComparison& c = *f.comparison;
  return {c.comparable, static_cast<std::int64_t>(c.regressions.size()),
          static_cast<std::int64_t>(c.improvements.size()), c.health_delta(),
          std::string(to_string(c.verdict))};
}

std::string patch_status(const Facts& f, const Delta& delta) {
  if (!f.scope) return "not_checked";
  if (f.verification != nullptr) {
    const VerifyStatus status = f.verification->status;
    const bool has_judged = is_accepted(status) || status == VerifyStatus::violated;
    return has_judged ? std::string(to_string(status)) : "not_checked";
  }
  if (f.scope->check_status == "violated" || f.gate_would_fail.value_or(false) ||
      delta.regressions > 0)
    return "violated";
  const bool knows_nothing =
      !f.gate_would_fail && f.scope->check_status.empty() && !delta.is_available;
  return knows_nothing ? "not_checked" : "accepted";
}

Value contract_member(const Facts& f, const Delta& delta, const std::string& status) {
  if (!f.include_patch_contract) return {};
  const Verification* v = f.verification;
  Map out{
      {"status", status},
      {"regressions", delta.regressions},
      {"improvements", delta.improvements},
      {"health_delta", or_null(delta.health)},
      {"contract_violations", v == nullptr ? Value(List{}) : string_list(v->contract_violations)},
      {"baseline_abuse_detected", v != nullptr && !v->abuse_triggers.empty()}};
  if (!f.strictness.empty()) out.set("strictness", f.strictness);
  return out;
}

Map delta_member(const Delta& d) {
  return Map{{"available", d.is_available},
             {"regressions", d.regressions},
             {"improvements", d.improvements},
             {"health_delta", or_null(d.health)},
             {"verdict", d.verdict}};
}

bool touches(const Value& finding, const std::set<std::string>& changed) {
  return std::ranges::any_of(analysis::paths_of(finding),
                             [&](const std::string& path) { return changed.contains(path); });
}

class Decisions {
 public:
  explicit Decisions(std::size_t room) : room_(room) {}
  void add(Value finding_id, std::string_view reason, std::string_view category) {
    if (rows_.size() == room_) return;
    rows_.emplace_back(Map{{"id", fmt::format("D-{}", rows_.size() + 1)},
                           {"finding_id", std::move(finding_id)},
                           {"reason", reason},
                           {"category", category}});
  }
  void make_room() { ++room_; }
  List take() { return std::move(rows_); }

 private:
  std::size_t room_;
  List rows_{};
};

List decision_points(const Facts& f) {
  if (!f.scope) return {};
  std::vector<const QuestionRow*> asked;
  for (const QuestionRow& row : kQuestions)
    if (row.applies(f)) asked.push_back(&row);
  // However many findings there are, the questions about the whole are asked.
  Decisions out(kMaxDecisions - asked.size());
  const std::set<std::string> changed(f.scope->changed_files.begin(), f.scope->changed_files.end());
  const std::vector<const Value*> findings = analysis::finding_groups(f.report);
  const analysis::ShortIds shorts = analysis::short_ids_of(f.report, findings);
  for (const Value* finding : findings) {
    if (!touches(*finding, changed)) continue;
    for (const DecisionRow& row : kDecisions)
      if (row.applies(*finding))
        out.add(shorts.at(std::string(text_in(*finding, "id"))), row.reason, row.category);
  }
  for (const QuestionRow* row : asked) {
    out.make_room();
    out.add({}, row->reason, row->category);
  }
  return out.take();
}

List claims_member(const Value& report) {
  List out;
  for (const ClaimRow& row : kClaims)
    if (row.applies(report))
      out.emplace_back(Map{{"claim_type", row.type}, {"reason", row.reason}});
  return out;
}

Map health_member(const Facts& f) {
  const Peek summary = Peek(f.report)["metrics"]["families"]["health"]["summary"];
  return Map{{"score", or_null(analysis::run_health(f.report).score)},
             {"grade", or_null(summary["grade"].text())},
             {"delta", or_null(f.baseline_health_delta)}};
}

ReceiptVerdict verdict_of(const VerdictFacts& facts) {
  return std::ranges::find_if(kVerdictRows, [&](const VerdictRow& r) { return r.applies(facts); })
      ->verdict;
}

}  // namespace

std::string_view to_string(ReceiptVerdict v) { return kVerdicts[static_cast<std::size_t>(v)]; }

Map receipt_body(const ReceiptBodyFacts& f) {
  const Delta delta = delta_of(f);
  const std::string status = patch_status(f, delta);
  List decisions = decision_points(f);
  const bool lacks_review = f.has_review_markers && f.reviewed.size() < gate_relevant(f.report);
  const ReceiptVerdict verdict = verdict_of(
      {.patch_status = status, .has_decisions = !decisions.empty(), .lacks_review = lacks_review});
  return Map{{"receipt_version", has_extensions(f) ? "2" : "1"},
             {"generated_at_utc", or_null(f.generated_at_utc)},
             {"provenance", provenance(f)},
             {"verification_profile", profile_member(f)},
             {"scope", scope_member(f)},
             {"blast_radius", blast_member(f)},
             {"reviewed_evidence", evidence_member(f)},
             {"patch_contract", contract_member(f, delta, status)},
             {"structural_delta", delta_member(delta)},
             {"human_decision_points", std::move(decisions)},
             {"claims_not_made", claims_member(f.report)},
             {"health", health_member(f)},
             {"verdict", to_string(verdict)}};
}

}  // namespace gh::control
