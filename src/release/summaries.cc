#include "release/summaries.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::release {
namespace {

constexpr std::size_t kMaxHeadline = 240, kMaxReviewerHeadline = 200, kMaxActions = 8;

const GatedFinding* strongest(const Findings& findings) {
  const GatedFinding* out = nullptr;
  for (const GatedFinding& f : findings) {
    if (f.suppressed) continue;
    const bool wins =
        out == nullptr || f.finding.severity > out->finding.severity ||
        (f.finding.severity == out->finding.severity && f.finding.check_id < out->finding.check_id);
    if (wins) out = &f;
  }
  return out;
}

struct Counts {
  std::int64_t blockers, review_items, automatic, human;
  bool gap;
};

Counts counts_of(const AgentFacts& facts) {
  Counts out{static_cast<std::int64_t>(facts.decision.blockers.size()),
             static_cast<std::int64_t>(facts.decision.review_items.size()), 0, 0,
             facts.decision.has_evidence_gap()};
  for (const GatedFinding& f : facts.findings) {
    if (f.suppressed) continue;
    out.automatic += f.agent_action == "auto_apply" ? 1 : 0;
    out.human +=
        surface::is_one_of(f.agent_action, "escalate_to_human propose_patch_for_review") ? 1 : 0;
  }
  return out;
}

std::string with_reason(std::string headline, const std::string& reason) {
  std::string longer = headline + " " + reason;
  return longer.size() < kMaxHeadline ? longer : headline;
}

std::string review_headline(const Counts& n, const std::string& reason) {
  if (n.human > 0 && n.automatic == 0)
    return with_reason(fmt::format("{} finding(s) require human review.", n.human), reason);
  if (n.human > 0)
    return with_reason(fmt::format("{} finding(s) require human review; {} also auto-applicable.",
                                   n.human, n.automatic),
                       reason);
  if (n.automatic > 0 && n.gap)
    return fmt::format("{} auto-applicable finding(s) flagged for release review; {}", n.automatic,
                       reason);
  if (n.automatic > 0)
    return fmt::format(
        "{} auto-applicable finding(s) flagged for release review; none require human "
        "input beyond apply-patches.",
        n.automatic);
  if (n.gap) return reason;
  return fmt::format("{} review item(s) flagged for release review.", n.review_items);
}

std::string headline(const Counts& n, const ReleaseDecision& d) {
  switch (d.outcome) {
    case Outcome::blocked:
      return n.review_items == 0
                 ? fmt::format("{} active finding(s) block release.", n.blockers)
                 : fmt::format("{} active finding(s) block release; {} further review item(s).",
                               n.blockers, n.review_items);
    case Outcome::review_required:
      return review_headline(n, d.reason);
    case Outcome::insufficient_evidence:
      return d.reason;
    case Outcome::passed:
      return with_reason("Release ready.", d.reason);
  }
  return {};
}

/// A word as a POSIX shell reads it back.
std::string quoted(std::string_view word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-/").find(c) != std::string_view::npos;
  });
  if (is_plain) return std::string(word);
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Value action(std::string_view kind, Value command, std::string why) {
  return Map{{"kind", kind}, {"command", std::move(command)}, {"why", std::move(why)}};
}

Value info(std::string why) { return action("info", nullptr, std::move(why)); }

std::string subject_of(const GatedFinding& f) {
  return f.finding.tool_name.empty() ? "agent" : f.finding.tool_name;
}

Value first_action(const AgentFacts& facts, const Counts& n) {
  const ReleaseDecision& d = facts.decision;
  const std::string apply = fmt::format("{} apply-patches --from {} --confidence high --apply",
                                        facts.program, quoted(facts.json_report));
  if (d.outcome == Outcome::insufficient_evidence)
    return info(d.reason +
                " Supply stronger inputs first: an MCP export, an OpenAPI file, an explicit "
                "inventory or validation traces.");
  if (n.automatic > 0 && !facts.json_report.empty())
    return action(
        "command", apply,
        fmt::format("{} finding(s) have patches that can be applied as they are.", n.automatic));
  if (n.automatic > 0)
    return info(
        fmt::format("{} finding(s) have patches that can be applied as they are; write the "
                    "JSON report and run apply-patches on it.",
                    n.automatic));
  const GatedFinding* top = strongest(facts.findings);
  if (d.outcome == Outcome::blocked && top != nullptr)
    return info(fmt::format("Surface {} on {}; release is blocked and no patch is auto-applicable.",
                            top->finding.check_id, subject_of(*top)));
  if (d.outcome != Outcome::review_required) return {};
  if (n.gap && n.human == 0)
    return info(d.reason + " Gather better evidence or accept the static posture.");
  if (top == nullptr) return {};
  return info(fmt::format("Walk a reviewer through {} item(s), starting with {} on {}.",
                          n.human > 0 ? n.human : n.review_items, top->finding.check_id,
                          subject_of(*top)));
}

// --------------------------------------------------------------------------------------- reviewer

struct SurfaceRow {
  bool (*fits)(const ReviewerFacts&);
  std::string_view kind, name, path, why;
};
// clang-format off
// table: where a reviewer starts
constexpr std::array<SurfaceRow, 11> kSurfaces{{
    {[](const ReviewerFacts& f) { return f.outcome == Outcome::blocked; }, "release_decision", "release_decision", "report.release_decision", "Findings block the release."},
    {[](const ReviewerFacts& f) { return f.outcome == Outcome::insufficient_evidence; }, "release_decision", "release_decision", "report.release_decision", "The evidence is too weak to decide on."},
    {[](const ReviewerFacts& f) { return f.action_surface_changes > 0; }, "lens", "action_surface_diff", "report.action_surface_diff", "What the agent can do has changed."},
    {[](const ReviewerFacts& f) { return f.baseline_integrity_issues > 0; }, "audit", "baseline_integrity", "report.findings[]", "The baseline cannot be trusted as it is."},
    {[](const ReviewerFacts& f) { return f.overrides_tier_crossed > 0; }, "audit", "policy_audit", "report.policy_audit.severity_overrides_applied", "A severity was moved to another tier."},
    {[](const ReviewerFacts& f) { return f.capability_misalignments > 0; }, "lens", "capability_intent_diff", "report.misalignments", "Tools and declared intent part."},
    {[](const ReviewerFacts& f) { return f.tool_surface_changes > 0; }, "lens", "tool_surface_diff", "report.tool_surface_diff", "The tool surface has changed."},
    {[](const ReviewerFacts& f) { return f.privacy_redactions > 0; }, "audit", "privacy_audit", "report.privacy_audit.redacted_paths", "Secrets were masked in the report."},
    {[](const ReviewerFacts& f) { return f.evidence_matrix_gaps > 0; }, "evidence_matrix", "evidence_matrix", "packet.evidence_matrix.rows", "Evidence is missing for a control."},
    {[](const ReviewerFacts& f) { return f.overrides_applied > 0; }, "audit", "policy_audit", "report.policy_audit.severity_overrides_applied", "Severities were changed by the manifest."},
    {[](const ReviewerFacts& f) { return f.outcome == Outcome::review_required; }, "release_decision", "release_decision", "report.release_decision", "Findings need a reviewer."},
}};
// clang-format on

constexpr std::array<std::string_view, 4> kHeads{
    "Release ready", "Review required", "Evidence coverage below threshold", "Release blocked"};

std::string reviewer_headline(const ReviewerFacts& f, const SurfaceRow* surface) {
  const std::int64_t lens = f.tool_surface_changes + f.capability_misalignments +
                            f.action_surface_changes + f.evidence_matrix_gaps;
  const std::int64_t audit =
      f.overrides_applied + f.privacy_redactions + f.baseline_integrity_issues;
  std::vector<std::string> parts;
  if (lens > 0) parts.push_back(fmt::format("{} lens change(s)", lens));
  if (audit > 0) parts.push_back(fmt::format("{} audit event(s)", audit));
  std::string out = fmt::format("{}: {}.", kHeads[static_cast<std::size_t>(f.outcome)],
                                parts.empty() ? "no reviewer signals" : join(parts, "; "));
  if (surface == nullptr) return out;
  const std::string longer = fmt::format("{} Start at {}.", out, surface->name);
  return longer.size() <= kMaxReviewerHeadline ? longer : out;
}

}  // namespace

Map agent_summary(const AgentFacts& facts) {
  const Counts n = counts_of(facts);
  return {{"verdict", to_string(facts.decision.outcome)},
          {"headline", headline(n, facts.decision)},
          {"blocker_count", n.blockers},
          {"review_item_count", n.review_items},
          {"auto_appliable_patches", n.automatic},
          {"needs_human_review", n.human},
          {"first_recommended_action", first_action(facts, n)}};
}

Map reviewer_summary(const ReviewerFacts& f) {
  const auto row = std::ranges::find_if(kSurfaces, [&](const SurfaceRow& r) { return r.fits(f); });
  const SurfaceRow* surface = row == kSurfaces.end() ? nullptr : &*row;
  return {{"verdict", to_string(f.outcome)},
          {"headline", reviewer_headline(f, surface)},
          {"tool_surface_changes", f.tool_surface_changes},
          {"capability_misalignments", f.capability_misalignments},
          {"action_surface_changes", f.action_surface_changes},
          {"evidence_matrix_gaps", f.evidence_matrix_gaps},
          {"severity_overrides_applied", f.overrides_applied},
          {"severity_overrides_tier_crossed", f.overrides_tier_crossed},
          {"privacy_redactions", f.privacy_redactions},
          {"baseline_integrity_issues", f.baseline_integrity_issues},
          {"first_recommended_surface", surface == nullptr ? Value()
                                                           : Value(Map{{"kind", surface->kind},
                                                                       {"name", surface->name},
                                                                       {"path", surface->path},
                                                                       {"why", surface->why}})}};
}

List recommended_actions(const Findings& findings) {
  std::vector<const GatedFinding*> active;
  for (const GatedFinding& f : findings)
    if (f.is_active()) active.push_back(&f);
  std::ranges::stable_sort(active, [](const GatedFinding* a, const GatedFinding* b) {
    return std::tuple(b->finding.severity, a->finding.check_id) <
           std::tuple(a->finding.severity, b->finding.check_id);
  });
  List out;
  std::set<std::string> seen;
  for (const GatedFinding* f : active)
    if (out.size() < kMaxActions && seen.insert(f->finding.recommendation).second)
      out.emplace_back(f->finding.recommendation);
  return out;
}

std::int64_t baseline_integrity_issues(const Findings& findings) {
  return std::ranges::count_if(findings, [](const GatedFinding& f) {
    return f.is_active() && f.finding.check_id.starts_with("SHIP-BASELINE-");
  });
}

}  // namespace gh::release
