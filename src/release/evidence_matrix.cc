#include "release/evidence_matrix.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/peek.h"
#include "surface/words.h"

namespace gh::release {
namespace {

using surface::is_one_of;
using Texts = std::vector<std::string>;

bool any(const Peek& list, bool (*fits)(const Peek&)) {
  return std::ranges::any_of(list.list(), [&](const Value& v) { return fits(Peek(v)); });
}

void add_if(Texts& out, bool there, std::string_view name) {
  if (there) out.emplace_back(name);
}

Texts inventory_sources(const Peek& r) {
  Texts out;
  add_if(out, !r["tool_inventory"].list().empty(), "tool_inventory");
  add_if(out, r["tool_surface"]["total_tools"].number() > 0, "tool_surface");
  add_if(out, !r["source_warnings"].list().empty(), "source_warnings");
  return out;
}

Texts schema_sources(const Peek& r) {
  Texts out;
  add_if(out, !r["tool_surface_facts"]["tools"].list().empty(),
         "tool_surface_facts.tools[].hashes");
  add_if(out, r["api_surface"].exists(), "api_surface");
  return out;
}

Texts auth_sources(const Peek& r) {
  Texts out;
  add_if(out, !r["tool_surface_facts"]["scopes"].list().empty(), "tool_surface_facts.scopes");
  add_if(out,
         any(r["tool_inventory"], [](const Peek& t) { return !t["auth_scopes"].list().empty(); }),
         "tool_inventory[].auth_scopes");
  return out;
}

bool has_control(const Peek& r, std::string_view kind) {
  return std::ranges::any_of(r["tool_surface_facts"]["controls"].list(),
                             [&](const Value& c) { return Peek(c)["kind"].text() == kind; });
}

Texts approval_sources(const Peek& r) {
  Texts out;
  add_if(out, has_control(r, "approval_policy"),
         "tool_surface_facts.controls[kind=approval_policy]");
  return out;
}

Texts confirmation_sources(const Peek& r) {
  Texts out;
  add_if(out, has_control(r, "confirmation_policy"),
         "tool_surface_facts.controls[kind=confirmation_policy]");
  return out;
}

Texts idempotency_sources(const Peek& r) {
  Texts out;
  add_if(out, has_control(r, "idempotency_evidence"),
         "tool_surface_facts.controls[kind=idempotency_evidence]");
  add_if(out,
         any(r["action_surface_facts"]["actions"],
             [](const Peek& a) { return a["safeguards"]["idempotency"].exists(); }),
         "action_surface_facts.actions[].safeguards.idempotency");
  return out;
}

Texts side_effect_sources(const Peek& r) {
  Texts out;
  add_if(out,
         any(r["tool_inventory"], [](const Peek& t) { return !t["risk_tags"].list().empty(); }),
         "tool_inventory[].risk_tags");
  add_if(out,
         any(r["action_surface_facts"]["actions"],
             [](const Peek& a) { return a["effect"].text() != "read"; }),
         "action_surface_facts.actions[].effect");
  return out;
}

Texts no_sources(const Peek&) { return {}; }

Texts human_sources(const Peek& r) {
  Texts out;
  add_if(out,
         any(r["findings"],
             [](const Peek& f) {
               return !f["suppressed"].is_true() && f["evidence"]["source_provenance"].exists();
             }),
         "findings[].evidence.source_provenance");
  return out;
}

Texts prompt_sources(const Peek& r) {
  Texts out;
  for (const char* key : {"declared_intentions", "misalignments", "capability_facts"})
    add_if(out, !r[key].list().empty(), key);
  return out;
}

Texts api_sources(const Peek& r) {
  Texts out;
  add_if(out, r["api_surface"].exists(), "api_surface");
  return out;
}

Texts baseline_sources(const Peek& r) {
  Texts out;
  add_if(out, r["baseline"].exists(), "baseline");
  add_if(out, r["release_decision"]["baseline_delta"]["enabled"].is_true(),
         "release_decision.baseline_delta");
  return out;
}

Texts action_sources(const Peek& r) {
  Texts out;
  add_if(out, !r["action_surface_facts"]["actions"].list().empty(), "action_surface_facts.actions");
  add_if(out, r["action_surface_diff"]["enabled"].is_true(), "action_surface_diff");
  add_if(out, any(r["findings"], [](const Peek& f) { return f["blocks_release"].is_true(); }),
         "findings[].blocks_release");
  return out;
}

struct Domain {
  std::string_view name, otherwise, categories, checks;  // ids, or beginnings that end in '*'
  Texts (*sources)(const Peek& report);
};
// clang-format off
// table: domains of evidence
constexpr std::array<Domain, 13> kDomains{{
    {"Inventory", "missing", "inventory", "", inventory_sources},
    {"Schema", "not_declared", "schema", "SHIP-API-FUNCTION-SCHEMA-STRICTNESS SHIP-API-STRUCTURED-OUTPUT-READINESS SHIP-API-TOOL-OUTPUT-SCHEMA-MISSING", schema_sources},
    {"Auth", "not_declared", "auth", "SHIP-MANIFEST-UNUSED-SCOPE", auth_sources},
    {"Approval", "not_declared", "", "SHIP-POLICY-APPROVAL-MISSING SHIP-API-TRACE-APPROVAL-MISSING SHIP-EVIDENCE-APPROVAL-TRACE-MISSING", approval_sources},
    {"Confirmation", "not_declared", "", "SHIP-POLICY-CONFIRMATION-MISSING SHIP-API-TRACE-CONFIRMATION-MISSING", confirmation_sources},
    {"Idempotency", "not_declared", "side_effects", "SHIP-API-RETRY-WITHOUT-IDEMPOTENCY", idempotency_sources},
    {"Side effects", "informational", "side_effects", "SHIP-SCHEMA-MISSING-BOUNDS SHIP-SCHEMA-BROAD-FREE-TEXT", side_effect_sources},
    {"Memory isolation", "not_declared", "", "", no_sources},
    {"Human-in-the-loop evidence", "not_declared", "evidence", "", human_sources},
    {"Prompt/scope alignment", "not_declared", "scope", "SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH", prompt_sources},
    {"Retry/timeout", "not_declared", "", "SHIP-API-RETRY-POLICY-MISSING SHIP-API-TIMEOUT-MISSING SHIP-API-RETRY-WITHOUT-IDEMPOTENCY", api_sources},
    {"Baseline debt", "informational", "baseline", "", baseline_sources},
    {"Action-surface policy", "not_declared", "action_surface", "SHIP-ACTION-*", action_sources},
}};
// clang-format on

bool belongs(const Domain& domain, const Peek& finding) {
  if (is_one_of(finding["category"].text(), domain.categories)) return true;
  if (domain.name == "Baseline debt" && finding["baseline_status"].text() == "matched") return true;
  return std::ranges::any_of(split(domain.checks, ' '), [&](std::string_view p) {
    const std::string_view id = finding["check_id"].text();
    return !p.empty() && (p.ends_with('*') ? id.starts_with(p.substr(0, p.size() - 1)) : id == p);
  });
}

std::set<std::string> ids_of(const Peek& references) {
  std::set<std::string> out;
  for (const Value& item : references.list())
    out.emplace(Peek(item)["id"].text());
  return out;
}

Map row_of(const Domain& domain, const Peek& report) {
  const auto blockers = ids_of(report["release_decision"]["blockers"]);
  const auto reviews = ids_of(report["release_decision"]["review_items"]);
  std::set<std::string> confidences, missing;
  List blocking, reviewing;
  for (const Value& value : report["findings"].list()) {
    const Peek finding(value);
    if (finding["suppressed"].is_true() || !belongs(domain, finding)) continue;
    const std::string id = std::string(finding["id"].text());
    confidences.emplace(finding["confidence"].text());
    missing.emplace(finding["check_id"].text());
    if (blockers.contains(id)) blocking.emplace_back(id);
    if (reviews.contains(id)) reviewing.emplace_back(id);
  }
  Texts sources = domain.sources(report);
  const bool has_findings = !confidences.empty(), has_sources = !sources.empty();
  if (has_findings) sources.emplace_back("findings[]");
  return {{"domain", domain.name},
          {"evidence_present", has_findings && has_sources ? "partial"
                               : has_findings              ? "missing"
                               : has_sources               ? "covered"
                                                           : domain.otherwise},
          {"evidence_source", string_list(sources)},
          {"confidence", confidences.size() == 1 ? *confidences.begin()
                         : has_findings          ? "mixed"
                         : has_sources           ? "medium"
                                                 : "unknown"},
          {"missing_controls", string_list({missing.begin(), missing.end()})},
          {"blocking_findings", std::move(blocking)},
          {"review_items", std::move(reviewing)}};
}

}  // namespace

Map evidence_matrix(const Value& report) {
  List rows;
  for (const Domain& domain : kDomains)
    rows.emplace_back(row_of(domain, Peek(report)));
  return {
      {"rows", std::move(rows)},
      {"notes", List{"Derived from public report fields; it never contributes to the decision."}}};
}

std::int64_t matrix_gaps(const Map& matrix) {
  return std::ranges::count_if(Peek(matrix.find("rows")).list(), [](const Value& row) {
    return Peek(row)["evidence_present"].text() == "missing";
  });
}

}  // namespace gh::release
