#include "release/verifier.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "model/peek.h"
#include "policy/redact.h"

namespace gh::release {
namespace {

constexpr std::array<std::string_view, 9> kBaseStatuses{
    "not_requested",    "skipped",     "diff_from_provided", "ref_missing", "archive_failed",
    "missing_manifest", "scan_failed", "cache_hit",          "succeeded"};
constexpr std::array<std::string_view, 3> kHeadStatuses{"skipped", "succeeded", "failed"};

struct VerdictRow {
  std::string_view decision, verdict;
};
// table: merge verdicts by decision
constexpr std::array<VerdictRow, 5> kVerdicts{{
    {"passed", "mergeable"},
    {"review_required", "human_review_required"},
    {"insufficient_evidence", "insufficient_evidence"},
    {"blocked", "blocked"},
    {"", "unknown"},
}};

// table: impacts of capability changes, the strongest first
constexpr std::array<std::string_view, 5> kImpacts{"blocks_release", "insufficient_evidence",
                                                   "review_required", "informational", "none"};
// table: directions of capability changes, in the order of reading
constexpr std::array<std::string_view, 4> kDirections{"added", "broadened", "narrowed", "removed"};
constexpr std::size_t kMostChanges = 5;

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

Value copy_of(Peek report, const Value* document, std::string_view key) {
  return report[key].exists() ? *document->as_map()->find(key) : Value();
}

template <class Row>
std::size_t rank(const Row& row, std::string_view word) {
  return static_cast<std::size_t>(std::ranges::find(row, word) - row.begin());
}

std::string subject_of(const Peek& m) {
  const std::string tool(m["tool"].text());
  const std::string_view kind = m["subject_kind"].text();
  if (kind == "scope")
    return tool.empty() ? std::string(m["scope"].text())
                        : fmt::format("{}:{}", tool, m["scope"].text());
  if (kind == "policy" && m["action"].exists())
    return tool.empty() ? std::string(m["action"].text())
                        : fmt::format("{}:{}", tool, m["action"].text());
  if (tool.empty())
    return std::string(m["scope"].exists() ? m["scope"].text() : m["action"].text());
  return tool;
}

/// Where the tools of a report's diff stand.
struct ToolPlace {
  Value path{}, line{};
};
std::map<std::string, ToolPlace> places_in(Peek diff) {
  std::map<std::string, ToolPlace> out;
  for (const auto& [list, rows] : diff.map().entries())
    for (const Value& value : Peek(rows).list()) {
      const Peek row(value);
      const std::string_view tool = row["tool"].exists() ? row["tool"].text() : row["name"].text();
      if (tool.empty() || !row["source_path"].exists()) continue;
      const Value* line = value.as_map()->find("source_start_line");
      out.try_emplace(std::string(tool),
                      ToolPlace{row["source_path"].text(), line != nullptr ? *line : Value()});
    }
  return out;
}

List top_changes(Peek change, Peek tool_diff) {
  const auto places = places_in(tool_diff);
  struct Row {
    std::size_t impact, direction;
    std::string subject_kind, subject, id;
    const Value* member;
  };
  std::vector<Row> rows;
  for (const std::string_view direction : kDirections)
    for (const Value& value : change[direction].list()) {
      const Peek m(value);
      rows.push_back({rank(kImpacts, m["release_impact"].text()), rank(kDirections, direction),
                      std::string(m["subject_kind"].text()), subject_of(m),
                      std::string(m["id"].text()), &value});
    }
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return std::tie(a.impact, a.direction, a.subject_kind, a.subject, a.id) <
           std::tie(b.impact, b.direction, b.subject_kind, b.subject, b.id);
  });
  if (rows.size() > kMostChanges) rows.resize(kMostChanges);
  List out;
  for (const Row& row : rows) {
    const Map& m = *row.member->as_map();
    const auto place = places.find(std::string(Peek(*row.member)["tool"].text()));
    const ToolPlace at = place == places.end() ? ToolPlace{} : place->second;
    out.emplace_back(
        Map{{"id", row.id},
            {"title",
             fmt::format("{} {}: {}", row.subject_kind, kDirections[row.direction], row.subject)},
            {"impact", *m.find("release_impact")},
            {"rationale", *m.find("rationale")},
            {"related_finding_ids", *m.find("related_finding_ids")},
            {"change_type", fmt::format("{}_{}", row.subject_kind, kDirections[row.direction])},
            {"change_bucket", kDirections[row.direction]},
            {"subject_kind", row.subject_kind},
            {"subject", row.subject},
            {"source_path", at.path},
            {"source_start_line", at.line}});
  }
  return out;
}

Map capability_review(Peek report) {
  const Peek change = report["capability_change"], summary = report["verifier_summary"];
  const auto count = [&](const char* list) {
    return static_cast<std::int64_t>(change[list].list().size());
  };
  List notes;
  for (const char* lens : {"tool_surface_diff", "action_surface_diff"})
    if (report[lens].exists() && !report[lens]["enabled"].is_true() &&
        !report[lens]["notes"].list().empty())
      notes.push_back(report[lens]["notes"].list().front());
  return {{"trust_root_touched", summary["protected_surface_touched"].is_true()},
          {"policy_weakened", summary["policy_weakened"].is_true()},
          {"capability_changes_added", count("added")},
          {"capability_changes_removed", count("removed")},
          {"capability_changes_modified", count("broadened") + count("narrowed")},
          {"top_changes", top_changes(change, report["tool_surface_diff"])},
          {"notes", std::move(notes)}};
}

/// What the decision leaves to do, and for whom.
NextAction next_after_scan(Peek report, std::string_view verdict) {
  const Peek recommended = report["agent_summary"]["first_recommended_action"];
  const Peek summary = report["verifier_summary"],
             coverage = report["release_decision"]["evidence_coverage"];
  if (verdict == "mergeable") return {.why = "The gate has nothing against the change."};
  const bool has_gap = coverage["source_warning_count"].number() > 0 ||
                       coverage["low_confidence_tool_count"].number() > 0;
  const bool is_mechanical = recommended["kind"].text() == "command" &&
                             report["agent_summary"]["needs_human_review"].number() == 0 &&
                             !summary["protected_surface_touched"].is_true() &&
                             !summary["policy_weakened"].is_true() && !has_gap;
  if (recommended.exists())
    return {.actor = is_mechanical ? "coding_agent" : "human",
            .kind = std::string(recommended["kind"].text()),
            .command = std::string(recommended["command"].text()),
            .why = std::string(recommended["why"].text())};
  return {.actor = "human",
          .kind = "review",
          .why = std::string(report["release_decision"]["reason"].text())};
}

bool merges_alone(Peek report, std::string_view verdict) {
  const Peek decision = report["release_decision"], summary = report["verifier_summary"];
  return verdict == "mergeable" && decision["blockers"].list().empty() &&
         decision["review_items"].list().empty() &&
         !decision["evidence_coverage"]["human_review_recommended"].is_true() &&
         !summary["protected_surface_touched"].is_true() && !summary["policy_weakened"].is_true();
}

std::string_view mode_of(const VerifierFacts& f, Peek report) {
  if (f.is_preview) return "preview";
  if (f.report != nullptr) return report["release_decision"]["fail_policy"]["ci_mode"].text();
  return "skipped";
}

bool is_trigger_skip(const VerifierFacts& f) {
  return !f.is_preview && f.report == nullptr && f.head_status == HeadStatus::skipped &&
         f.trigger && !f.trigger->should_run;
}

std::string headline_without_report(const VerifierFacts& f) {
  if (f.is_preview) return "Preview: nothing was scanned.";
  if (is_trigger_skip(f)) return "No verification is needed for this change.";
  return "The verification could not be completed.";
}

}  // namespace

std::string_view to_string(BaseStatus status) {
  return kBaseStatuses[static_cast<std::size_t>(status)];
}
std::string_view to_string(HeadStatus status) {
  return kHeadStatuses[static_cast<std::size_t>(status)];
}

std::string_view merge_verdict_of(std::string_view decision) {
  const auto row = std::ranges::find(kVerdicts, decision, &VerdictRow::decision);
  return row == kVerdicts.end() ? "human_review_required" : row->verdict;
}

Map document_of(const NextAction& action) {
  return {{"actor", action.actor},
          {"kind", action.kind},
          {"command", text_or_null(action.command)},
          {"why", action.why}};
}

Value verifier_document(const VerifierFacts& f) {
  const Peek report(f.report);
  const std::string_view decision = report["release_decision"]["decision"].text();
  const std::string_view verdict = merge_verdict_of(decision);
  const bool is_skip = is_trigger_skip(f);
  const bool needs_human = verdict != "mergeable" && !f.is_preview && !is_skip;
  Value why;
  if (needs_human)
    why = f.report != nullptr ? Value(report["release_decision"]["reason"].text())
                              : Value(
                                    "Nothing was decided; a person decides, or the cause is "
                                    "removed and the verification runs again.");
  Map artifacts;
  for (const auto& [name, path] : f.artifacts)
    artifacts.set(name, path);
  const Map review = capability_review(report);
  Map out{{"verifier_schema_version", kVerifierSchema},
          {"workspace", f.workspace},
          {"config", f.config},
          {"mode", mode_of(f, report)},
          {"merge_verdict", verdict},
          {"can_merge_without_human", merges_alone(report, verdict)},
          {"decision", text_or_null(decision)},
          {"headline", f.report != nullptr ? Value(report["agent_summary"]["headline"].text())
                                           : Value(headline_without_report(f))},
          {"human_review", Map{{"required", needs_human}, {"why", std::move(why)}}},
          {"first_next_action",
           document_of(f.report != nullptr ? next_after_scan(report, verdict) : f.next)},
          {"trust_root_touched", *review.find("trust_root_touched")},
          {"capability_review", review},
          {"trigger", f.trigger ? Value(document_of(*f.trigger)) : Value()},
          {"base_ref", f.base_ref ? Value(*f.base_ref) : Value()},
          {"head_ref", f.head_ref},
          {"base_status", to_string(f.base_status)},
          {"base_tree_sha", text_or_null(f.base_tree)},
          {"base_report_json", text_or_null(f.base_report)},
          {"base_notes", string_list(f.base_notes)},
          {"head_status", to_string(f.head_status)},
          {"head_tree_sha", text_or_null(f.head_tree)},
          {"head_report_json", text_or_null(f.head_report)},
          {"head_exit_code", f.head_exit_code ? Value(*f.head_exit_code) : Value()},
          {"failure", text_or_null(f.failure)},
          {"changed_files", string_list(f.changed_files)},
          {"diff_text_available", f.has_diff_text},
          {"release_decision", copy_of(report, f.report, "release_decision")},
          {"agent_summary", copy_of(report, f.report, "agent_summary")},
          {"reviewer_summary", copy_of(report, f.report, "reviewer_summary")},
          {"applicability", f.report != nullptr ? "verified"
                            : is_skip           ? "not_applicable"
                                                : "unknown"},
          {"artifacts", std::move(artifacts)}};
  return policy::redact_document(Value(std::move(out))).value;
}

}  // namespace gh::release
