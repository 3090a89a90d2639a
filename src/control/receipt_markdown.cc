// The receipt for people, from its body alone.
#include <array>

#include <fmt/format.h>

#include "control/receipt_body.h"
#include "model/peek.h"
#include "wire/markdown.h"

namespace gh::control {
namespace {

constexpr std::size_t kShownPaths = 50, kShownText = 4000;
constexpr std::string_view kNone = "Not available.";

std::string text_of(Peek value) { return wire::md_text(value.text(), kShownText); }

/// A number as it stands, or n/a.
std::string number_of(Peek value) {
  return value.exists() ? fmt::format("{}", value.number()) : "n/a";
}
std::string signed_of(Peek value) {
  return value.exists() ? fmt::format("{:+}", value.number()) : "n/a";
}
std::string yes_no(Peek value) { return value.is_true() ? "yes" : "no"; }

std::string text_or(Peek value, std::string_view otherwise) {
  return value.text().empty() ? std::string(otherwise) : text_of(value);
}

/// Each on a line of its own, or "- none".
std::string paths_of(std::string_view title, const List& paths) {
  std::string out = fmt::format("\n{}:\n\n", title);
  if (paths.empty()) return out + "- none\n";
  std::size_t shown = 0;
  for (const Value& path : paths) {
    if (shown++ == kShownPaths)
      return out + fmt::format("- and {} more\n", paths.size() - kShownPaths);
    out += fmt::format("- {}\n", wire::md_code(Peek(path).text()));
  }
  return out;
}

std::string words_of(const List& words) {
  std::string out;
  for (const Value& word : words)
    out += (out.empty() ? "" : ", ") + wire::md_text(Peek(word).text(), kShownText);
  return out.empty() ? "none" : out;
}

std::string head(Peek body) {
  const Peek from = body["provenance"];
  std::string out = fmt::format(
      "# Review receipt\n\n"
      "Report: {}\n\nSchema: {}\n\nBaseline: {}\n\nReview contract: {}\n",
      wire::md_code(from["report_digest"].text()), text_or(from["report_schema_version"], "n/a"),
      text_of(from["baseline_status"]), text_of(body["receipt_version"]));
  if (const Peek judged = from["judged_from"]; judged.exists())
    out += fmt::format("\nJudged from: commit {}; the run before had otherwise: {}\n",
                       wire::md_code(judged["commit"].text()), words_of(judged["differs"].list()));
  return out;
}

std::string profile_section(Peek body) {
  const Peek p = body["verification_profile"];
  if (!p.exists()) return std::string(kNone) + "\n";
  std::string out = fmt::format(
      "- Profile: {}\n- Reason: {}\n- After-run required: {}\n- Structural checks apply: {}\n"
      "- Performed: {}\n- Not applicable: {}\n",
      text_of(p["profile"]), text_or(p["reason"], "n/a"), yes_no(p["after_run_required"]),
      yes_no(p["structural_checks_applicable"]), words_of(p["checks_performed"].list()),
      words_of(p["checks_not_applicable"].list()));
  for (const Value& limit : p["limitations"].list())
    out += fmt::format("- Limitation: {}\n", text_of(Peek(limit)));
  for (const Value& file : p["not_analysed"].list())
    out += fmt::format("- Not analysed: {} ({})\n", wire::md_code(Peek(file)["path"].text()),
                       text_of(Peek(file)["reason"]));
  return out;
}

std::string scope_section(Peek body) {
  const Peek s = body["scope"];
  if (!s.exists()) return "No intent declared.\n";
  std::string out =
      fmt::format("- Intent: {} ({})\n- Description: {}\n", wire::md_code(s["intent_id"].text()),
                  text_of(s["intent_status"]), text_or(s["intent_description"], "none"));
  out += paths_of("Declared", s["declared_files"].list());
  if (s["changed_in_git"].exists()) {
    out += paths_of("Changed", s["changed_in_git"].list());
    out += paths_of("Named, and the same as at the base", s["named_unchanged"].list());
  } else {
    out += paths_of("Changed", s["changed_files"].list());
  }
  if (s["changed_unnamed"].exists())
    out += paths_of("Changed since the start, and not named", s["changed_unnamed"].list());
  if (s["committed_undeclared"].exists())
    out += paths_of("Committed since the start, and declared by nobody",
                    s["committed_undeclared"].list());
  if (s["ignored_unnamed"].exists())
    out += paths_of("Declared, ignored by git, and not named", s["ignored_unnamed"].list());
  out += paths_of("Unexpected", s["unexpected_files"].list());
  out += paths_of("Forbidden, and touched", s["forbidden_touched"].list());
  out += paths_of("Declared, and untouched", s["untouched_files"].list());
  if (s["do_not_touch_held"].exists())
    out += paths_of("Not to be touched, and held", s["do_not_touch_held"].list());
  return out;
}

std::string blast_section(Peek body) {
  const Peek b = body["blast_radius"];
  if (!b.exists()) return std::string(kNone) + "\n";
  return fmt::format(
      "- Level: {}\n- Direct dependents: {}\n- Members of clone cohorts: {}\n"
      "- Not to be touched: {}\n",
      text_or(b["radius_level"], "n/a"), number_of(b["direct_dependents_count"]),
      number_of(b["clone_cohort_members_count"]), number_of(b["do_not_touch_count"]));
}

std::string evidence_section(Peek body) {
  const Peek e = body["reviewed_evidence"];
  std::string out = fmt::format("{} / {} gate-relevant findings\n", number_of(e["reviewed_count"]),
                                number_of(e["total_gate_relevant"]));
  if (!e["items"].list().empty()) out += '\n';
  for (const Value& item : e["items"].list()) {
    const Peek i(item);
    out += fmt::format("- {} ({}, {}): {}\n", wire::md_code(i["finding_id"].text()),
                       text_of(i["kind"]), text_of(i["severity"]), text_or(i["note"], "no note"));
  }
  return out;
}

std::string contract_section(Peek body) {
  const Peek c = body["patch_contract"];
  if (!c.exists()) return std::string(kNone) + "\n";
  std::string out = fmt::format(
      "- Status: {}\n- Regressions: {}\n- Improvements: {}\n- Health: {}\n"
      "- Violations: {}\n- Baseline abuse: {}\n",
      text_of(c["status"]), number_of(c["regressions"]), number_of(c["improvements"]),
      signed_of(c["health_delta"]), words_of(c["contract_violations"].list()),
      c["baseline_abuse_detected"].is_true() ? "detected" : "none");
  if (c["strictness"].exists()) out += fmt::format("- Strictness: {}\n", text_of(c["strictness"]));
  return out;
}

std::string delta_section(Peek body) {
  const Peek d = body["structural_delta"];
  if (!d["available"].is_true())
    return fmt::format("{} ({})\n", kNone, text_or(d["verdict"], "not\\_available"));
  return fmt::format("- Verdict: {}\n- Regressions: {}\n- Improvements: {}\n- Health: {}\n",
                     text_of(d["verdict"]), number_of(d["regressions"]),
                     number_of(d["improvements"]), signed_of(d["health_delta"]));
}

std::string decisions_section(Peek body) {
  std::string out;
  for (const Value& row : body["human_decision_points"].list()) {
    const Peek d(row);
    const std::string about =
        d["finding_id"].exists() ? " " + wire::md_code(d["finding_id"].text()) : std::string();
    out += fmt::format("- {}{}: {} ({})\n", text_of(d["id"]), about, text_of(d["reason"]),
                       text_of(d["category"]));
  }
  return out.empty() ? "- none\n" : out;
}

std::string claims_section(Peek body) {
  std::string out;
  for (const Value& row : body["claims_not_made"].list())
    out +=
        fmt::format("- {}: {}\n", text_of(Peek(row)["claim_type"]), text_of(Peek(row)["reason"]));
  return out.empty() ? "- none\n" : out;
}

std::string health_section(Peek body) {
  const Peek h = body["health"];
  if (!h["score"].exists()) return std::string(kNone) + "\n";
  return fmt::format("{}/100 ({}), against the baseline {}\n", h["score"].number(),
                     text_or(h["grade"], "n/a"), signed_of(h["delta"]));
}

std::string verdict_section(Peek body) { return text_of(body["verdict"]) + "\n"; }

struct Section {
  std::string_view title;
  std::string (*content)(Peek body);
};
// table: sections of a receipt
constexpr std::array<Section, 10> kSections{{
    {"Verification Profile", profile_section},
    {"Scope", scope_section},
    {"Blast Radius", blast_section},
    {"Reviewed Evidence", evidence_section},
    {"Patch Contract", contract_section},
    {"Structural Delta", delta_section},
    {"Human Decisions Requested", decisions_section},
    {"Claims Not Made", claims_section},
    {"Health", health_section},
    {"Receipt verdict", verdict_section},
}};

}  // namespace

std::string receipt_markdown(const Map& body) {
  const Value value(body);
  const Peek peek(value);
  std::string out = head(peek);
  for (const Section& section : kSections)
    out += fmt::format("\n## {}\n\n{}", section.title, section.content(peek));
  out += fmt::format("\n---\n\nRun {}, {}\n", wire::md_code(peek["provenance"]["run_id"].text()),
                     text_or(peek["generated_at_utc"], "time not known"));
  return out;
}

}  // namespace gh::control
