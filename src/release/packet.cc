#include "release/packet.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "policy/redact.h"
#include "release/evidence_matrix.h"
#include "release/schema_version.h"
#include "release/surface_diff.h"

namespace gh::release {
namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kMaxHighlights = 5;
constexpr int kOldestReport = 8, kOldestPacket = 1;
// Checks of a section: ids, or beginnings that end in '*', separated by blanks.
constexpr std::string_view kIntentChecks =
    "SHIP-SCOPE-TOOL-OUTSIDE-PURPOSE SHIP-SCOPE-PROHIBITED-TOOL-PRESENT "
    "SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH";
constexpr std::string_view kApprovalChecks =
    "SHIP-POLICY-APPROVAL-MISSING SHIP-API-TRACE-APPROVAL-MISSING "
    "SHIP-EVIDENCE-APPROVAL-TRACE-MISSING";
constexpr std::string_view kIdempotencyChecks = "SHIP-SIDEFX-* SHIP-API-RETRY-WITHOUT-IDEMPOTENCY";
constexpr std::string_view kScopeChecks = "SHIP-AUTH-* SHIP-MANIFEST-UNUSED-SCOPE";
constexpr std::string_view kTraceChecks = "SHIP-API-TRACE-* SHIP-EVIDENCE-*";

constexpr std::string_view kDisclaimer =
    "This is local evidence only: its absence does not prove that a control is absent at run time, "
    "and its presence does not prove that one is enforced.";
constexpr std::string_view kRebuilt =
    "Rebuilt from a report: what only the scan itself saw (files of human-in-the-loop evidence) is "
    "known from findings alone.";

// table: verdicts of a packet
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kVerdicts{{
    {"passed", "PASSED"},
    {"review_required", "REVIEW REQUIRED"},
    {"insufficient_evidence", "INSUFFICIENT EVIDENCE"},
    {"blocked", "BLOCKED"},
}};

struct Unproven {
  std::string_view label, detail;
};
// table: what a static scan never proves
constexpr std::array<Unproven, 4> kUnproven{{
    {"Prompt robustness", "Whether the prompts hold against unusual or hostile input."},
    {"Runtime behavior", "What the agent does when it runs, with real tools and real data."},
    {"Model correctness", "Whether the model chooses the right tool with the right arguments."},
    {"Adversarial resistance", "Whether somebody can make the agent misuse its tools."},
}};

bool is_active(const Value& finding) { return !Peek(finding)["suppressed"].is_true(); }

bool matches(std::string_view id, std::string_view patterns) {
  return std::ranges::any_of(split(patterns, ' '), [&](std::string_view p) {
    return p.ends_with('*') ? id.starts_with(p.substr(0, p.size() - 1)) : id == p;
  });
}

/// Active findings of these checks.
List findings_of(const Peek& report, std::string_view patterns) {
  List out;
  for (const Value& f : report["findings"].list())
    if (is_active(f) && matches(Peek(f)["check_id"].text(), patterns)) out.push_back(f);
  return out;
}

/// The shape in which blockers and review items name a finding.
Map reference_of(const Value& finding) {
  Map out;
  for (const char* key : {"id", "fingerprint", "check_id", "severity", "title", "baseline_status",
                          "blocks_release", "source", "policy_evidence_source"}) {
    const Value* held = finding.as_map()->find(key);
    out.set(key, held != nullptr ? *held : Value());
  }
  return out;
}

List references(const List& findings) {
  List out;
  for (const Value& f : findings)
    out.emplace_back(reference_of(f));
  return out;
}

Texts texts_of(const Peek& list) {
  Texts out;
  for (const Value& item : list.list())
    out.emplace_back(Peek(item).text());
  return out;
}

Value member(const Peek& map, std::string_view key) {
  const Value* held = map.map().find(key);
  return held != nullptr ? *held : Value();
}

Value list_member(const Peek& map, std::string_view key) { return Value(map[key].list()); }

/// Gaps and declarations to the status of a section.
std::string_view status_of(bool declared, bool has_gaps) {
  if (has_gaps) return declared ? "partial" : "missing";
  return declared ? "covered" : "not_declared";
}

// --------------------------------------------------------------------------------------- sections

Map decision_section(const Peek& report) {
  const Peek d = report["release_decision"];
  const auto row =
      std::ranges::find(kVerdicts, d["decision"].text(), &decltype(kVerdicts)::value_type::first);
  return {{"decision", d["decision"].text()},
          {"verdict", row == kVerdicts.end() ? "REVIEW REQUIRED" : row->second},
          {"reason", d["reason"].text()},
          {"blockers", list_member(d, "blockers")},
          {"review_items", list_member(d, "review_items")},
          {"evidence_coverage", member(d, "evidence_coverage")},
          {"baseline_delta", member(d, "baseline_delta")},
          {"fail_policy", member(d, "fail_policy")}};
}

Texts tools_of(const List& findings, std::string_view check_id) {
  std::set<std::string> out;
  for (const Value& f : findings)
    if (Peek(f)["check_id"].text() == check_id && Peek(f)["tool_name"].exists())
      out.emplace(Peek(f)["tool_name"].text());
  return {out.begin(), out.end()};
}

Map intent_section(const Peek& report) {
  const Peek agent = report["agent"];
  const List divergent = findings_of(report, kIntentChecks);
  const auto fired = [&](std::string_view id) {
    return std::ranges::any_of(divergent,
                               [&](const Value& f) { return Peek(f)["check_id"].text() == id; });
  };
  const auto row = [&](std::string_view label, std::string declared, std::string_view check_id) {
    return Map{{"label", label},
               {"declared", std::move(declared)},
               {"observed", join(tools_of(divergent, check_id), ", ")},
               {"divergent", fired(check_id)}};
  };
  Texts tools;
  for (const Value& tool : report["tool_inventory"].list())
    tools.emplace_back(Peek(tool)["name"].text());
  const bool declared =
      !agent["declared_purpose"].list().empty() || !agent["prohibited_actions"].list().empty();
  return {{"status", !divergent.empty() ? "missing"
                     : declared         ? "covered"
                                        : "not_declared"},
          {"declared_purpose", list_member(agent, "declared_purpose")},
          {"prohibited_actions", list_member(agent, "prohibited_actions")},
          {"observed_tools", string_list(tools)},
          {"rows",
           List{row("Declared purpose", join(texts_of(agent["declared_purpose"]), "; "),
                    "SHIP-SCOPE-TOOL-OUTSIDE-PURPOSE"),
                row("Prohibited actions", join(texts_of(agent["prohibited_actions"]), "; "),
                    "SHIP-SCOPE-PROHIBITED-TOOL-PRESENT"),
                row("Prompt and tools", std::string(agent["instructions"]["value_preview"].text()),
                    "SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH")}},
          {"divergence_findings", references(divergent)}};
}

/// Which tools a control of this kind names, and where it was declared.
std::map<std::string, std::string> controlled(const Peek& report, std::string_view kind) {
  std::map<std::string, std::string> out;
  for (const Value& value : report["tool_surface_facts"]["controls"].list()) {
    const Peek control(value);
    if (control["kind"].text() != kind) continue;
    const std::string_view source = control["source"].text();
    out.emplace(control["tool"].text(), source == "manifest"        ? "policies"
                                        : source == "anthropic_api" ? "anthropic"
                                                                    : std::string(source));
  }
  return out;
}

/// Tools that only read, whatever their words suggest.
std::set<std::string> readers(const Peek& report) {
  std::set<std::string> out;
  for (const Value& value : report["action_surface_facts"]["actions"].list()) {
    const List& tags = Peek(value)["risk_tags"].list();
    if (std::ranges::any_of(tags, [](const Value& t) { return Peek(t).text() == "read_only"; }))
      out.emplace(Peek(value)["tool_name"].text());
  }
  return out;
}

Map high_risk_section(const Peek& report) {
  const auto approved = controlled(report, "approval_policy");
  const auto idempotent = controlled(report, "idempotency_evidence");
  const auto reading = readers(report);
  List tools;
  bool all_approved = true;
  for (const Value& value : report["tool_inventory"].list()) {
    const Peek tool(value);
    const std::string name(tool["name"].text());
    const bool is_risky =
        std::ranges::any_of(tool["risk_tags"].list(),
                            [](const Value& t) { return is_high_risk_tag(Peek(t).text()); }) &&
        !reading.contains(name);
    if (!is_risky) continue;
    all_approved = all_approved && approved.contains(name);
    tools.emplace_back(Map{{"name", name},
                           {"source_type", tool["source_type"].text()},
                           {"risk_tags", list_member(tool, "risk_tags")},
                           {"has_approval_policy", approved.contains(name)},
                           {"has_idempotency_policy", idempotent.contains(name)}});
  }
  const std::int64_t total = report["tool_surface"]["total_tools"].number();
  return {{"status", total == 0     ? "missing"
                     : all_approved ? "covered"
                                    : "partial"},
          {"total_tools", total},
          {"high_risk_count", report["tool_surface"]["high_risk_tools"].number()},
          {"tools", std::move(tools)}};
}

/// One text of each list in turn, until there are enough.
List in_turn(const std::vector<Texts>& lists) {
  List out;
  for (std::size_t i = 0; out.size() < kMaxHighlights; ++i) {
    bool any = false;
    for (const Texts& list : lists)
      if (i < list.size() && out.size() < kMaxHighlights) {
        out.emplace_back(list[i]);
        any = true;
      }
    if (!any) break;
  }
  return out;
}

Map tool_diff_section(const Peek& report) {
  const Peek diff = report["tool_surface_diff"];
  Texts controls, effects, tools;
  for (const Value& c : diff["controls"].list())
    if (Peek(c)["kind"].text() == "removed")
      controls.push_back(
          fmt::format("{} of {} was removed", Peek(c)["control"].text(), Peek(c)["tool"].text()));
  for (const Value& e : diff["high_risk_effects"].list())
    if (Peek(e)["kind"].text() == "added")
      effects.push_back(fmt::format("{} is now {}", Peek(e)["tool"].text(), Peek(e)["tag"].text()));
  for (const Value& t : diff["tools"].list())
    tools.push_back(fmt::format("tool {}: {}", Peek(t)["kind"].text(), Peek(t)["name"].text()));
  const bool enabled = diff["enabled"].is_true();
  return {{"status", enabled ? "informational" : "not_declared"},
          {"enabled", enabled},
          {"base_kind", diff["base"]["kind"].exists() ? diff["base"]["kind"].text() : "none"},
          {"summary", Value(diff["summary"].map())},
          {"highlights", in_turn({controls, effects, tools})},
          {"notes", list_member(diff, "notes")}};
}

Map action_diff_section(const Peek& report) {
  const Peek diff = report["action_surface_diff"];
  std::vector<Texts> parts;
  for (const char* key : {"added", "modified", "removed"}) {
    Texts& texts = parts.emplace_back();
    for (const Value& row : diff[key].list())
      texts.push_back(fmt::format("{} {}: {}", Peek(row)["severity"].text(),
                                  Peek(row)["type"].text(), Peek(row)["action_id"].text()));
  }
  List reasons;
  for (const Value& f : report["findings"].list())
    if (is_active(f) && Peek(f)["blocks_release"].is_true() &&
        Peek(f)["baseline_status"].text() != "matched")
      reasons.emplace_back(
          fmt::format("{}: {}", Peek(f)["check_id"].text(), Peek(f)["title"].text()));
  const bool enabled = diff["enabled"].is_true();
  return {{"status", enabled ? "informational" : "not_declared"},
          {"enabled", enabled},
          {"base_kind", diff["base"]["kind"].exists() ? diff["base"]["kind"].text() : "none"},
          {"summary", Value(diff["summary"].map())},
          {"highlights", in_turn(parts)},
          {"blocking_reasons", std::move(reasons)},
          {"notes", list_member(diff, "notes")}};
}

/// Tools that a control names or a finding misses it for.
Map coverage_section(const Peek& report, std::string_view control, std::string_view checks) {
  const auto declared = controlled(report, control);
  const List gaps = findings_of(report, checks);
  std::map<std::string, List> ids;
  for (const auto& [tool, source] : declared)
    ids.try_emplace(tool);
  for (const Value& f : gaps)
    if (Peek(f)["tool_name"].exists())
      ids[std::string(Peek(f)["tool_name"].text())].emplace_back(Peek(f)["id"].text());
  List rows;
  for (auto& [tool, found] : ids) {
    const auto source = declared.find(tool);
    rows.emplace_back(Map{{"tool", tool},
                          {"declared", source != declared.end()},
                          {"source", source != declared.end() ? Value(source->second) : Value()},
                          {"gap_finding_ids", std::move(found)}});
  }
  return {{"status", status_of(!declared.empty(), !gaps.empty())},
          {"rows", std::move(rows)},
          {"gap_findings", references(gaps)}};
}

/// Unknown without artifacts of an API, which alone can declare one.
Value retry_policy_declared(const Peek& report) {
  if (!report["api_surface"].exists()) return {};
  return findings_of(report, "SHIP-API-RETRY-POLICY-MISSING").empty();
}

bool covers(std::string_view declared, std::string_view scope) {
  if (declared == "*" || declared == scope) return true;
  return declared.ends_with(":*") && scope.starts_with(declared.substr(0, declared.size() - 1));
}

Map scope_section(const Peek& report) {
  Texts declared;
  std::map<std::string, Value> used;
  for (const Value& value : report["tool_surface_facts"]["scopes"].list()) {
    const Peek scope(value);
    const std::string name(scope["scope"].text());
    if (scope["kind"].text() == "manifest_declared") {
      declared.push_back(name);
      used.try_emplace(name, List{});
    } else {
      used[name] = list_member(scope, "tool_names");
    }
  }
  List rows;
  for (auto& [name, tools] : used)
    rows.emplace_back(Map{
        {"scope", name},
        {"declared", std::ranges::any_of(
                         declared, [&, &scope = name](const auto& d) { return covers(d, scope); })},
        {"used_by_tools", std::move(tools)}});
  const List gaps = findings_of(report, kScopeChecks);
  std::set<std::string> unused, missing;
  for (const Value& value : gaps) {
    const Peek evidence = Peek(value)["evidence"];
    if (Peek(value)["check_id"].text() == "SHIP-MANIFEST-UNUSED-SCOPE")
      unused.emplace(evidence["scope"].text());
    for (const Value& scope : evidence["missing_scopes"].list())
      missing.emplace(Peek(scope).text());
  }
  return {{"status", status_of(!declared.empty(), !gaps.empty())},
          {"declared_scopes", string_list(declared)},
          {"rows", std::move(rows)},
          {"unused_declared", string_list({unused.begin(), unused.end()})},
          {"missing_declared", string_list({missing.begin(), missing.end()})},
          {"gap_findings", references(gaps)}};
}

Map memory_section() {
  return {{"status", "not_declared"},
          {"is_declared", false},
          {"notes", List{"The manifest has no word for memory yet: nothing is known about it."}}};
}

List names_of(const std::map<std::string, std::string>& tools) {
  List out;
  for (const auto& [tool, source] : tools)
    out.emplace_back(tool);
  return out;
}

/// Rows that findings carry, each once, sorted.
List provenance_of_findings(const List& findings) {
  std::map<std::array<std::string, 5>, Value> out;
  for (const Value& f : findings)
    for (const Value& row : Peek(f)["evidence"]["source_provenance"].list()) {
      const Peek p(row);
      out.emplace(std::array{std::string(p["type"].text()), std::string(p["ref"].text()),
                             std::string(p["location"].text()), std::string(p["status"].text()),
                             std::string(p["detail"].text())},
                  row);
    }
  List rows;
  for (auto& [key, row] : out)
    rows.push_back(std::move(row));
  return rows;
}

Map human_section(const Peek& report, const PacketOrigin& origin) {
  const auto approval = controlled(report, "approval_policy");
  const auto confirmation = controlled(report, "confirmation_policy");
  const List traces = findings_of(report, kTraceChecks);
  List provenance =
      origin.mode == "fresh_scan" ? origin.provenance : provenance_of_findings(traces);
  const bool configured = !approval.empty() || !confirmation.empty() || !provenance.empty();
  return {{"status", status_of(configured, !traces.empty())},
          {"is_configured", configured},
          {"human_review_recommended", report["summary"]["human_review_recommended"].is_true()},
          {"approval_required_tools", names_of(approval)},
          {"confirmation_required_tools", names_of(confirmation)},
          {"trace_findings", references(traces)},
          {"source_provenance", std::move(provenance)},
          {"provenance_mode", origin.mode},
          {"runtime_control_disclaimer", kDisclaimer}};
}

Map scenario_section(const Peek& report) {
  struct Scenario {
    std::string title, why;
    List ids{};
  };
  std::map<std::string, Scenario> by_check;
  for (const Value& value : report["findings"].list()) {
    const Peek f(value);
    if (!is_active(value) || !f["requires_human_review"].is_true()) continue;
    Scenario& s = by_check[std::string(f["check_id"].text())];
    if (s.ids.empty())
      s = {std::string(f["title"].text()), std::string(f["recommendation"].text())};
    s.ids.emplace_back(f["id"].text());
  }
  List rows;
  for (auto& [check, s] : by_check)
    rows.emplace_back(Map{{"scenario", fmt::format("{}: show at run time that this is under "
                                                   "control: {}",
                                                   check, s.title)},
                          {"why", s.why},
                          {"finding_ids", std::move(s.ids)}});
  if (!report["source_warnings"].list().empty())
    rows.emplace_back(
        Map{{"scenario", "List the tools that the running agent really has, and compare"},
            {"why", "Sources were read with warnings, so the inventory may lack tools."},
            {"finding_ids", List{}}});
  return {{"status", rows.empty() ? "covered" : "informational"}, {"scenarios", std::move(rows)}};
}

Map unproven_section(const Peek& report, const PacketOrigin& origin) {
  List unconditional, weak, suppressed, residuals;
  for (const Unproven& row : kUnproven)
    unconditional.emplace_back(Map{{"label", row.label}, {"detail", row.detail}});
  for (const Value& tool : report["tool_surface_facts"]["tools"].list())
    if (Peek(tool)["extraction_confidence"].text() != "high")
      weak.emplace_back(Peek(tool)["name"].text());
  for (const Value& f : report["findings"].list())
    if (!is_active(f)) suppressed.emplace_back(Peek(f)["id"].text());
  if (origin.mode == "rebuilt_from_findings") residuals.emplace_back(kRebuilt);
  return {{"headline", "A static scan reads declarations. It does not prove the following."},
          {"unconditional", std::move(unconditional)},
          {"source_warnings", list_member(report, "source_warnings")},
          {"low_confidence_tools", std::move(weak)},
          {"suppressed_finding_ids", std::move(suppressed)},
          {"additional_residuals", std::move(residuals)}};
}

/// For a packet that was written before there was a matrix.
Map unavailable_matrix() {
  Map matrix = evidence_matrix(Value(Map{}));
  for (Value& row : *matrix.find("rows")->as_list()) {
    Map& r = *row.as_map();
    const bool is_memory = Peek(r.find("domain")).text() == "Memory isolation";
    r.set("evidence_present", is_memory ? "not_declared" : "informational");
    r.set("confidence", "unknown");
    for (const char* key :
         {"evidence_source", "missing_controls", "blocking_findings", "review_items"})
      r.set(key, List{});
  }
  matrix.set("notes", List{"Unavailable: the packet was written before schema 0.6."});
  return matrix;
}

tl::unexpected<Error> no_packet(std::string_view name) {
  return fail(Code::bad_argument,
              fmt::format("{}: neither a packet.json of schema {} or earlier nor a report.json of "
                          "schema 0.{} or later",
                          printable(name, 400), kPacketSchema, kOldestReport));
}

}  // namespace

Map packet_of(const Value& document, const PacketOrigin& origin) {
  const Peek report(document);
  Map idempotency = coverage_section(report, "idempotency_evidence", kIdempotencyChecks);
  idempotency.set("retry_policy_declared", retry_policy_declared(report));
  return {{"packet_schema_version", kPacketSchema},
          {"generated_at", nullptr},
          {"run_id", member(report, "run_id")},
          {"project", Value(report["project"].map())},
          {"agent", Value(report["agent"].map())},
          {"environment", Value(report["environment"].map())},
          {"release_decision", decision_section(report)},
          {"evidence_matrix", evidence_matrix(document)},
          {"capability_intent", intent_section(report)},
          {"high_risk_surface", high_risk_section(report)},
          {"tool_surface_diff", tool_diff_section(report)},
          {"action_surface_diff", action_diff_section(report)},
          {"approval_coverage", coverage_section(report, "approval_policy", kApprovalChecks)},
          {"idempotency_risk", std::move(idempotency)},
          {"scope_coverage", scope_section(report)},
          {"memory_isolation", memory_section()},
          {"human_in_the_loop", human_section(report, origin)},
          {"dynamic_scenarios", scenario_section(report)},
          {"not_proven", unproven_section(report, origin)}};
}

Result<Map> packet_from(const Value& document, std::string_view name) {
  const Peek root(document);
  if (root["report_schema_version"].exists()) {
    if (!is_schema_at_least(root["report_schema_version"].text(), kOldestReport))
      return no_packet(name);
    const Value report = policy::redact_document(document).value;
    return packet_of(report, {.mode = "rebuilt_from_findings"});
  }
  const std::string_view version = root["packet_schema_version"].text();
  if (!is_schema_at_least(version, kOldestPacket) || is_schema_at_least(version, 7))
    return no_packet(name);
  Value redacted = policy::redact_document(document).value;
  Map& packet = *redacted.as_map();
  if (version == kPacketSchema) return std::move(packet);
  const Map whole = packet_of(Value(Map{}), {.mode = "unavailable"});
  for (const auto& [key, value] : whole.entries())
    if (packet.find(key) == nullptr) packet.set(key, value);
  packet.set("evidence_matrix", unavailable_matrix());
  packet.set("packet_schema_version", kPacketSchema);
  return std::move(packet);
}

}  // namespace gh::release
