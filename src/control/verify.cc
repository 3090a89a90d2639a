#include "control/verify.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/report_view.h"
#include "analysis/suppressions.h"
#include "base/text.h"
#include "control/scope_paths.h"
#include "policy/glob.h"

namespace gh::control {
namespace {

using analysis::ComparedFinding;
using analysis::kShortRunId;
using analysis::kShownSymbols;
using analysis::RunComparison;
using analysis::SymbolChange;

// table: verify statuses
constexpr std::array<std::string_view, 5> kStatuses{"accepted", "accepted_with_external_changes",
                                                    "violated", "unverified", "expired"};

constexpr std::string_view kStateArtifacts = "state_artifact_change";
constexpr std::string_view kGovernance = "governance_config";
constexpr std::size_t kShownStale = 20;

using F = VerifyFacts;
using enum VerifyStatus;

/// The run that a change is compared with.
const std::optional<RunFacts>& began(const F& f) { return f.base ? f.base : f.before; }

bool is_scope_violated(const F& f) { return f.scope && f.scope->status == "violated"; }
bool is_waiting(const F& f) {
  return f.intent && (f.intent->status == "queued" || f.intent->status == "blocked");
}

/// A run by other settings may leave a changed file out: another one like it would do so again.
bool is_measured_otherwise(const F& f, std::string_view run) {
  return std::ranges::find(f.measured_otherwise, run) != f.measured_otherwise.end();
}

// clang-format off
// table: order of a verification
constexpr std::array<VerifyStep, 12> kSteps{{
    { 1, [](const F& f) { return !f.before; },                                                     VerifyPath::ends, unverified, "no_before_run"},
    { 3, is_waiting,                                                                               VerifyPath::ends, unverified, "intent_not_active"},
    { 7, [](const F& f) { return f.profile.profile == kStateArtifacts; },                          VerifyPath::ends, violated,   "state_artifact_mutation"},
    { 8, [](const F& f) { return f.intent && f.intent->report_digest != f.before->report_digest; }, VerifyPath::ends, expired,    "report_digest_mismatch"},
    { 9, [](const F& f) { return !f.after_named && !f.evidence_given; },                           VerifyPath::ends, unverified, "no_after_run"},
    {10, [](const F& f) { return !f.after_named; },                                                VerifyPath::fast, accepted,   ""},
    {11, [](const F& f) { return !f.after; },                                                      VerifyPath::ends, unverified, "no_after_run"},
    {12, [](const F& f) { return f.profile.after_run_required && !f.not_of_base.empty() && !f.base; }, VerifyPath::ends, unverified, "before_run_not_of_base"},
    {12, [](const F& f) { return f.profile.after_run_required && f.profile.runs_see_it && began(f)->run_id == f.after->run_id; }, VerifyPath::ends, unverified, "after_run_not_new"},
    {13, [](const F& f) { return f.profile.after_run_required && !f.stale_paths.empty() && is_measured_otherwise(f, "after"); }, VerifyPath::ends, unverified, "incomparable_runs"},
    {13, [](const F& f) { return f.profile.after_run_required && !f.stale_paths.empty(); },        VerifyPath::ends, unverified, "after_run_stale"},
    {14, [](const F&) { return true; },                                                            VerifyPath::full, accepted,   ""},
}};

// table: verification without an after-run
constexpr std::array<VerifyStep, 4> kFastSteps{{
    {1, [](const F& f) { return is_scope_violated(f) && f.strictness != Strictness::relaxed; },          VerifyPath::ends, violated,   "scope_violation"},
    {2, [](const F& f) { return f.profile.after_run_required && f.profile.profile == kGovernance; },     VerifyPath::ends, unverified, "after_run_required_for_governance"},
    {2, [](const F& f) { return f.profile.after_run_required; },                                         VerifyPath::ends, unverified, "no_after_run"},
    {3, [](const F&) { return true; },                                                                   VerifyPath::ends, accepted,   ""},
}};

// table: next steps of a verification
constexpr std::array<ReasonStep, 14> kNextSteps{{
    {"no_before_run", "Run 'gatehouse analyze' first, or name the intent so that the run it began from is found."},
    {"no_after_run", "Analyse after editing: finish with --analyze, or run 'gatehouse analyze' and give --after-run latest."},
    {"after_run_not_new", "The after-run is the before-run: finish with --analyze, or run 'gatehouse analyze' and give the new run. If that is the same again, the files were edited before the change began: take them back, start, and edit again, or give it up with 'gatehouse change abandon'."},
    {"after_run_stale", "Files were changed after that analysis: finish with --analyze, or run 'gatehouse analyze' and give the new run."},
    {"before_run_not_of_base", "The run before has files of this change otherwise than the commit that it began from: finish, which reads that commit itself."},
    {"after_run_required_for_governance", "Changes of the configuration need an analysis after editing: finish with --analyze, or run 'gatehouse analyze' and give --after-run latest."},
    {"incomparable_runs", "Both runs have to measure by the settings of the committed gatehouse.yaml that the change began from: finish with --analyze, which does. If it is the run before that does not, give the change up, run 'gatehouse analyze --rev HEAD --diff-against HEAD', which measures as the committed gatehouse.yaml says, and start again with --continue-own-wip."},
    {"intent_not_active", "The intent may not edit yet: promote it if it waits in the queue or was promoted into uncommitted changes of others, once these are committed or taken back; if its start was blocked, start again once its files are free."},
    {"report_digest_mismatch", "Use the original intent with the run it began from, or run 'gatehouse analyze' and start anew."},
    {"state_artifact_mutation", "Take baseline, cache and state files out of the patch."},
    {"scope_violation", "Declare a wider scope with 'gatehouse change extend --add FILE', or take the changes outside of it back."},
    {"structural_regressions", "Fix the findings that this change made worse, then analyse and verify again."},
    {"gate_failures", "Fix what makes the gate fail, and the symbols that this change made worse, then analyse and verify again."},
    {"baseline_abuse:", "Take the update of the baseline out of this change, and make it a change of its own. If somebody else has committed it, give this change up, analyse and start again."},
}};

struct Trigger {
  std::string_view name;
  bool (*applies)(const AbuseFacts&);
};
// table: baseline abuse
constexpr std::array<Trigger, 4> kTriggers{{
    {"baseline_changed_with_functional_code",      [](const AbuseFacts& f) { return f.regressions > 0 || f.other_changed_files > 0; }},
    {"baseline_updated_while_regressions_present", [](const AbuseFacts& f) { return f.regressions > 0; }},
    {"baseline_updated_without_intent",            [](const AbuseFacts& f) { return !f.has_intent; }},
    {"ci_greened_by_accepting_debt",               [](const AbuseFacts& f) { return f.before_gate_failed && !f.after_gate_failed; }},
}};
// clang-format on

bool names(std::string_view pattern, std::string_view reason) {
  return pattern.ends_with(':') ? reason.starts_with(pattern) : reason == pattern;
}

const VerifyStep& first_of(std::span<const VerifyStep> steps, const F& f) {
  return *std::ranges::find_if(steps, [&](const VerifyStep& step) { return step.applies(f); });
}

// ----------------------------------------------------------------------------------- documents

Value or_null(const std::optional<std::int64_t>& number) {
  return number ? Value(*number) : Value();
}
Value or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

Value run_value(const std::optional<RunFacts>& run) {
  if (!run) return {};
  return Map{{"run_id", run->run_id.substr(0, kShortRunId)},
             {"health", or_null(analysis::run_health(*run->report).score)}};
}

Map card(const ComparedFinding& f) {
  return Map{{"id", f.short_id}, {"kind", f.kind}, {"severity", f.severity}};
}
Value cards(const std::vector<ComparedFinding>& findings) {
  List out;
  for (const ComparedFinding& f : findings)
    out.emplace_back(card(f));
  return out;
}
/// With the paths by which they were attributed.
Value placed_cards(const std::vector<const ComparedFinding*>& findings) {
  List out;
  for (const ComparedFinding* f : findings) {
    Map one = card(*f);
    one.set("paths", string_list(f->paths));
    if (!f->unread.empty()) one.set("unread", f->unread);
    out.emplace_back(std::move(one));
  }
  return out;
}

Value symbol_rows(const std::vector<const SymbolChange*>& changes) {
  List out;
  for (const SymbolChange* c : changes) {
    if (out.size() == kShownSymbols) break;
    out.emplace_back(Map{{"family", c->family},
                         {"path", c->path},
                         {"symbol", c->symbol},
                         {"before", c->before},
                         {"after", c->after},
                         {"delta", c->delta()}});
  }
  return out;
}

std::string message_of(const Verification& v) {
  switch (v.status) {
    case accepted:
      return "The patch keeps its contract.";
    case accepted_with_external_changes:
      return "The patch keeps its contract; something outside of its scope got worse.";
    case violated:
      return fmt::format("The patch breaks its contract: {}.", v.reason);
    case unverified:
      return fmt::format("Nothing was verified: {}.", v.reason);
    case expired:
      return "The run that the intent was declared on is no longer what it was.";
  }
  return {};
}

/// What every answer begins with.
Map head_of(const F& f, const Verification& v) {
  return Map{{"mode", "verify"},
             {"status", to_string(v.status)},
             {"reason", or_null(v.reason)},
             {"before", run_value(began(f))},
             {"after", f.after_named ? run_value(f.after) : Value()},
             {"intent_id", f.intent ? Value(f.intent->id) : Value()},
             {"strictness", to_string(f.strictness)}};
}

/// And what every answer ends with.
void add_tail(const F& f, Verification& v) {
  Map& out = v.payload;
  out.set("contract_violations", string_list(v.contract_violations));
  out.set("blocking_violations", string_list(v.blocking_violations));
  for (const auto& [key, value] : f.profile.payload.entries())
    out.set(key, value);
  v.claim_validation_recommended = is_accepted(v.status) && f.profile.after_run_required;
  out.set("claim_validation_recommended", v.claim_validation_recommended);
  out.set("message", message_of(v));
  if (is_accepted(v.status) && v.health_delta.value_or(0) < 0)
    out.set("health_regression_advisory",
            Map{{"health_delta", *v.health_delta},
                {"message", fmt::format("The health of the code fell by {}: say so in the review.",
                                        -*v.health_delta)}});
  if (is_accepted(v.status)) return;
  const bool is_forbidden =
      v.reason == "scope_violation" && f.scope &&
      !analysis::list_in(Value(f.scope->payload), {"forbidden_touched"}).empty();
  out.set("next_step", is_forbidden ? forbidden_step() : next_step_for(v.reason));
}

Value scope_value(const F& f) { return f.scope ? Value(f.scope->payload) : Value(); }

std::vector<std::string> violations_of_end(const F& f, std::string_view reason) {
  std::vector<std::string> out;
  if (reason == "state_artifact_mutation") {
    out.emplace_back(reason);
    if (is_scope_violated(f)) out.emplace_back("scope_violation");
  }
  if (reason == "report_digest_mismatch") out.emplace_back("intent_expired");
  if (reason == "scope_violation") out.emplace_back(reason);
  return out;
}

std::vector<std::string> first_of_paths(std::vector<std::string> paths) {
  if (paths.size() > kShownStale) paths.resize(kShownStale);
  return paths;
}

/// In place of the run before: the commit, and why.
Map judged_from(const F& f) {
  return Map{{"commit", f.base_commit},
             {"run_id", f.base ? Value(f.base->run_id.substr(0, kShortRunId)) : Value()},
             {"before_run_id", f.before->run_id.substr(0, kShortRunId)},
             {"differs", string_list(first_of_paths(f.not_of_base))}};
}

/// An answer for which no runs were compared.
Verification ended(const F& f, VerifyStatus status, std::string_view reason) {
  Verification out{.status = status, .reason = std::string(reason)};
  out.contract_violations = violations_of_end(f, reason);
  out.blocking_violations = out.contract_violations;
  out.payload = head_of(f, out);
  out.payload.set("scope_check", scope_value(f));
  if (reason == "incomparable_runs" && !f.measured_otherwise.empty())
    out.payload.set("measured_otherwise", string_list(f.measured_otherwise));
  if (reason == "before_run_not_of_base") out.payload.set("judged_from", judged_from(f));
  if (reason == "after_run_stale") {
    out.payload.set("stale_paths", string_list(first_of_paths(f.stale_paths)));
  }
  add_tail(f, out);
  return out;
}

Verification fast_path(const F& f) {
  const VerifyStep& step = first_of(kFastSteps, f);
  if (step.status != accepted) return ended(f, step.status, step.reason);
  Verification out{.status = accepted, .structural_verdict = "not_applicable"};
  if (is_scope_violated(f)) out.contract_violations = {"scope_violation"};  // relaxed
  out.payload = head_of(f, out);
  out.payload.set("structural_delta", Map{{"verdict", out.structural_verdict},
                                          {"reason", "no_python_source_files_touched"},
                                          {"regressions", List{}},
                                          {"improvements", List{}},
                                          {"health_delta", nullptr}});
  out.payload.set("scope_check", scope_value(f));
  out.payload.set("limitations", string_list(f.profile.limitations));
  add_tail(f, out);
  return out;
}

// ----------------------------------------------------------------------------------- full path

/// A list in two: what the declared scope is responsible for, and the rest.
template <class T>
struct Attributed {
  std::vector<const T*> intent{}, external{}, advisory{};
};

/// Nothing was seen to use it, and something outside of the code may: that is told, and judges
/// nobody (analysis reference, "Dead code": only what is certain enters a gate).
bool is_advisory(const ComparedFinding& finding) {
  return finding.family == "dead_code" && finding.severity == "info";
}

Attributed<ComparedFinding> attribute(const F& f, const std::vector<ComparedFinding>& findings) {
  Attributed<ComparedFinding> out;
  for (const ComparedFinding& finding : findings)
    (is_advisory(finding)                                     ? out.advisory
     : !f.intent || is_inside(finding.paths, f.intent->scope) ? out.intent
                                                              : out.external)
        .push_back(&finding);
  return out;
}

Attributed<SymbolChange> attribute(const F& f, const std::vector<SymbolChange>& symbols) {
  Attributed<SymbolChange> out;
  for (const SymbolChange& symbol : symbols) {
    const std::vector<std::string> paths =
        symbol.path.empty() ? std::vector<std::string>{} : std::vector<std::string>{symbol.path};
    (!f.intent || is_inside(paths, f.intent->scope) ? out.intent : out.external).push_back(&symbol);
  }
  return out;
}

struct Gates {
  GateResult before{}, after{};
  bool worsened = false;  // it passed before, and no longer does
};

void add_configured(GateResult& gate, const std::vector<std::string>& reasons) {
  for (const std::string& reason : reasons)
    if (std::ranges::find(gate.reasons, reason) == gate.reasons.end())
      gate.reasons.push_back(reason);
  gate.would_fail = !gate.reasons.empty();
}

Gates gates_of(const F& f, const RunComparison& comparison) {
  const Budgets budgets = budgets_for(f.strictness, run_thresholds(*f.after->report));
  const analysis::GateSettings settings = gate_settings(budgets);
  Gates out;
  out.before = preview_gates(
      settings, gate_state(*began(f)->report,
                           {.baseline = began(f)->baseline, .coverage_min = budgets.coverage_min}));
  out.after = preview_gates(
      settings, gate_state(*f.after->report, {.baseline = f.after->baseline,
                                              .suppressions_added = &comparison.suppressions_added,
                                              .coverage_min = budgets.coverage_min}));
  add_configured(out.before, f.configured_before);
  add_configured(out.after, f.configured_after);
  out.worsened = !out.before.would_fail && out.after.would_fail;
  return out;
}

std::vector<std::string> baseline_paths(const Value& report) {
  std::vector<std::string> out;
  for (const std::string_view which : {"baseline", "metrics_baseline"})
    if (const Value* row = analysis::member(report, {"meta", which}))
      if (const std::string_view path = analysis::text_in(*row, "path"); !path.empty())
        out.emplace_back(path);
  return out;
}

bool is_one_of(const std::string& path, const std::vector<std::string>& paths) {
  return std::ranges::find(paths, path) != paths.end();
}

std::vector<std::string> abuse_of(const F& f, const RunComparison& c, const Gates& gates) {
  const std::vector<std::string> baselines = baseline_paths(*f.after->report);
  const auto others = std::ranges::count_if(
      f.changed_files, [&](const std::string& path) { return !is_one_of(path, baselines); });
  return baseline_abuse(
      {.baseline_updated = is_baseline_updated(*f.before->report, *f.after->report, f.changed_files,
                                               f.is_baseline_of_others),
       .has_intent = f.intent.has_value(),
       .before_gate_failed = gates.before.would_fail,
       .after_gate_failed = gates.after.would_fail,
       .regressions = c.regressions.size(),
       .other_changed_files = static_cast<std::size_t>(others)});
}

/// Two comparable runs, and who is to blame for what.
struct Judgement {
  RunComparison comparison;
  Attributed<ComparedFinding> regressions{};
  Attributed<SymbolChange> worsened{};
  Gates gates{};
  bool gate_violated = false;  // by the patch
  bool gate_external = false;  // by somebody else
};

/// `out` holds the comparison already; the rest points into it.
/// Does a gate fail that the base passes?
bool fails_anew(const Gates& gates) {
  return std::ranges::any_of(gates.after.reasons, [&](const std::string& after) {
    return std::ranges::none_of(gates.before.reasons, [&](const std::string& before) {
      return gate_key(before) == gate_key(after);
    });
  });
}

void attribute_all(const F& f, Judgement& out) {
  out.regressions = attribute(f, out.comparison.regressions);
  out.worsened = attribute(f, out.comparison.worsened);
  out.gates = gates_of(f, out.comparison);
  const bool has_cause = !out.regressions.intent.empty() || !out.worsened.intent.empty();
  out.gate_violated = f.intent           ? out.gates.worsened && has_cause
                      : f.is_whole_delta ? fails_anew(out.gates)
                                         : out.gates.after.would_fail;
  out.gate_external = f.intent && out.gates.worsened && !has_cause;
}

std::vector<std::string> violations_of(const F& f, const Judgement& j,
                                       const std::vector<std::string>& abuse) {
  std::vector<std::string> out;
  if (!j.regressions.intent.empty()) out.emplace_back("structural_regressions");
  if (j.gate_violated) out.emplace_back("gate_failures");
  if (is_scope_violated(f)) out.emplace_back("scope_violation");
  for (const std::string& trigger : abuse)
    out.push_back("baseline_abuse:" + trigger);
  return out;
}

void decide(const F& f, const Judgement& j, Verification& out) {
  out.abuse_triggers = abuse_of(f, j.comparison, j.gates);
  out.contract_violations = violations_of(f, j, out.abuse_triggers);
  if (f.strictness != Strictness::relaxed) out.blocking_violations = out.contract_violations;
  const bool has_external = !j.regressions.external.empty() || j.gate_external;
  if (!out.blocking_violations.empty()) {
    out.status = violated;
    out.reason = out.blocking_violations.front();
  } else {
    out.status = has_external ? accepted_with_external_changes : accepted;
  }
}

void add_comparison(const Judgement& j, Verification& out) {
  const RunComparison& c = j.comparison;
  for (const ComparedFinding* finding : j.regressions.intent)
    out.intent_regressions.push_back(*finding);
  for (const ComparedFinding* finding : j.regressions.external)
    out.external_regressions.push_back(*finding);
  for (const ComparedFinding* finding : j.regressions.advisory)
    out.advisory_regressions.push_back(*finding);
  out.before_gate = j.gates.before;
  out.after_gate = j.gates.after;
  out.gate_violated = j.gate_violated;
  out.gate_external = j.gate_external;
  out.suppressions_added = analysis::suppression_cards(c.suppressions_added);
  out.hidden = c.hidden;
  out.structural_verdict = to_string(c.verdict);
  out.health_delta = c.health_delta();
  out.regressions = static_cast<std::int64_t>(c.regressions.size());
  out.improvements = static_cast<std::int64_t>(c.improvements.size());
  out.worsened_symbols = static_cast<std::int64_t>(c.worsened.size());
}

Map full_payload(const F& f, const Judgement& j, const Verification& v) {
  std::vector<const SymbolChange*> all;
  for (const SymbolChange& change : j.comparison.worsened)
    all.push_back(&change);
  Map out = head_of(f, v);
  if (f.base) out.set("judged_from", judged_from(f));
  out.set("structural_delta", Map{{"verdict", v.structural_verdict},
                                  {"health_delta", or_null(v.health_delta)},
                                  {"regressions", cards(j.comparison.regressions)},
                                  {"improvements", cards(j.comparison.improvements)}});
  out.set("intent_regressions", placed_cards(j.regressions.intent));
  out.set("external_regressions", placed_cards(j.regressions.external));
  if (!j.regressions.advisory.empty())
    out.set("advisory_regressions", placed_cards(j.regressions.advisory));
  if (!v.suppressions_added.empty()) out.set("suppressions_added", v.suppressions_added);
  std::vector<const ComparedFinding*> hidden;
  for (const ComparedFinding& finding : v.hidden)
    hidden.push_back(&finding);
  if (!hidden.empty()) out.set("suppressed_anew", placed_cards(hidden));
  out.set("worsened", symbol_rows(all));
  out.set("intent_worsened", symbol_rows(j.worsened.intent));
  out.set("external_worsened", symbol_rows(j.worsened.external));
  out.set("worsened_total", v.worsened_symbols);
  out.set("scope_check", scope_value(f));
  out.set("before_gate", document(j.gates.before));
  out.set("gate_preview", document(j.gates.after));
  out.set("gate_worsened", j.gates.worsened);
  out.set("intent_caused_gate_failure", j.gate_violated);
  out.set("baseline_abuse", Map{{"detected", !v.abuse_triggers.empty()},
                                {"triggers", string_list(v.abuse_triggers)}});
  return out;
}

/// A source that became a link out of the tree is gone from the run after, and all that was found
/// in it: nobody can say what stands there now.
void add_unread_links(const F& f, RunComparison& out) {
  for (const std::string& path : f.profile.unread_links) {
    const std::string id = fmt::format("structural:unread_file:{}", path);
    out.regressions.push_back({.id = id,
                               .short_id = id,
                               .family = "structural",
                               .kind = "unread_file",
                               .severity = "critical",
                               .paths = {path},
                               .place = path + ":1",
                               .unread = "link_leads_out"});
    std::erase_if(out.improvements, [&](const ComparedFinding& finding) {
      return std::ranges::find(finding.paths, path) != finding.paths.end();
    });
  }
  if (f.profile.unread_links.empty()) return;
  std::ranges::stable_sort(out.regressions, {}, &ComparedFinding::id);
  out.verdict =
      analysis::verdict_of(true, !out.improvements.empty() || out.health_delta().value_or(0) > 0);
}

Verification full_path(const F& f) {
  Judgement judgement{
      .comparison = analysis::compare_runs(
          {.run_id = began(f)->run_id, .root = began(f)->root, .report = *began(f)->report},
          {.run_id = f.after->run_id, .root = f.after->root, .report = *f.after->report})};
  if (!judgement.comparison.comparable || !f.measured_otherwise.empty())
    return ended(f, unverified, "incomparable_runs");
  add_unread_links(f, judgement.comparison);
  attribute_all(f, judgement);
  Verification out;
  decide(f, judgement, out);
  add_comparison(judgement, out);
  out.payload = full_payload(f, judgement, out);
  add_tail(f, out);
  return out;
}

}  // namespace

std::string_view to_string(VerifyStatus s) { return kStatuses[static_cast<std::size_t>(s)]; }

std::span<const VerifyStep> verify_steps() { return kSteps; }
std::span<const VerifyStep> fast_steps() { return kFastSteps; }
std::span<const ReasonStep> next_steps() { return kNextSteps; }

std::string_view gate_key(std::string_view reason) {
  constexpr std::string_view kThreshold = "clone:threshold";  // :<total>:<limit> behind it
  return reason.starts_with(kThreshold) ? kThreshold : reason.substr(0, reason.find(": "));
}

std::string_view forbidden_step() {
  return "Take the changes of the forbidden files back: a wider scope does not let them in. Other "
         "files are declared with 'gatehouse change extend --add FILE'.";
}

std::string_view next_step_for(std::string_view reason) {
  for (const ReasonStep& row : kNextSteps)
    if (names(row.reason, reason)) return row.text;
  return {};
}

bool is_inside(const std::vector<std::string>& paths, const Scope& scope) {
  const auto is_declared = [&](const std::string& path) {
    const std::string kept = path_from_git(path);  // a report names a file as it is, or escaped
    const auto matches = [&](const std::string& entry) {
      return path == entry || kept == entry || policy::matches_glob(path, entry) ||
             policy::matches_glob(kept, entry);
    };
    return std::ranges::any_of(scope.allowed_files, matches) ||
           std::ranges::any_of(scope.allowed_related, matches);
  };
  return paths.empty() || std::ranges::any_of(paths, is_declared);
}

bool is_baseline_updated(const Value& before, const Value& after,
                         const std::vector<std::string>& changed_files, bool is_of_others) {
  const std::vector<std::string> files = baseline_paths(after);
  if (std::ranges::any_of(changed_files,
                          [&](const std::string& path) { return is_one_of(path, files); }))
    return true;
  for (const std::string_view which : {"baseline", "metrics_baseline"}) {
    const Value *then = analysis::member(before, {"meta", which}),
                *now = analysis::member(after, {"meta", which});
    if (now == nullptr) continue;
    if (analysis::text_in(*now, "status") == "updated") return true;
    if (is_of_others) continue;
    for (const std::string_view digest : {"payload_sha256", "api_surface_payload_sha256"})
      if (then != nullptr && analysis::text_in(*then, digest) != analysis::text_in(*now, digest))
        return true;
  }
  return false;
}

std::vector<std::string> baseline_abuse(const AbuseFacts& facts) {
  std::vector<std::string> out;
  if (!facts.baseline_updated) return out;
  for (const Trigger& trigger : kTriggers)
    if (trigger.applies(facts)) out.emplace_back(trigger.name);
  return out;
}

Verification verify(const VerifyFacts& facts) {
  const VerifyStep& step = first_of(kSteps, facts);
  switch (step.path) {
    case VerifyPath::fast:
      return fast_path(facts);
    case VerifyPath::full:
      return full_path(facts);
    case VerifyPath::ends:
      break;
  }
  return ended(facts, step.status, step.reason);
}

}  // namespace gh::control
