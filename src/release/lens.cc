#include "release/lens.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"

namespace gh::release {
namespace {

using surface::is_one_of;
using surface::Tool;
using Texts = std::vector<std::string>;

// table: categories that the lens looks at
constexpr std::string_view kCategories =
    "adk api auth crewai documentation evidence inventory langchain manifest policy schema scope "
    "security side_effects";
// table: capabilities, the first that is there
constexpr std::string_view kCapabilities =
    "financial_action destructive external_write customer_communication sensitive_data_access "
    "infrastructure_change code_execution write read_only";
// table: checks whose control is missing
constexpr std::string_view kMissingControls =
    "SHIP-ADK-DYNAMIC-TOOLSET-NOT-ENUMERABLE SHIP-ADK-MCP-TOOLSET-UNFILTERED "
    "SHIP-API-RETRY-WITHOUT-IDEMPOTENCY SHIP-CREWAI-DYNAMIC-TOOL-SURFACE-NOT-ENUMERABLE "
    "SHIP-INVENTORY-NOT-ENUMERABLE SHIP-INVENTORY-WILDCARD-TOOLS "
    "SHIP-LANGCHAIN-DYNAMIC-TOOL-SURFACE-NOT-ENUMERABLE";

struct IntentWords {
  std::string_view words, tags;
};
// table: words of intentions
constexpr std::array<IntentWords, 3> kIntentWords{{
    {"billing payment payments refund refunds reimbursement reimbursements", "financial_action"},
    {"cancel delete remove", "destructive"},
    {"email external message messages send sms", "external_write customer_communication"},
}};
constexpr std::string_view kNegations = "without no not never non";

/// What a finding says about the agent, by check id or its beginning, else by category.
struct KindRow {
  std::string_view checks;    // whole ids, or beginnings that end in '*'
  std::string_view category;  // when the ids are empty
  std::string_view kind, scenario;
};
// clang-format off
// table: kinds of misalignments
constexpr std::array<KindRow, 20> kKinds{{
    {"SHIP-POLICY-APPROVAL-MISSING SHIP-API-TRACE-APPROVAL-MISSING SHIP-EVIDENCE-APPROVAL-TRACE-MISSING", "", "policy_gap", "approval"},
    {"SHIP-POLICY-CONFIRMATION-MISSING SHIP-API-TRACE-CONFIRMATION-MISSING", "", "policy_gap", "confirmation"},
    {"SHIP-AUTH-* SHIP-MANIFEST-UNUSED-SCOPE", "", "scope_drift", "least_privilege_scope"},
    {"SHIP-SCOPE-TOOL-OUTSIDE-PURPOSE SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH", "", "intent_mismatch", "prompt_scope_alignment"},
    {"SHIP-SCOPE-PROHIBITED-TOOL-PRESENT", "", "prohibited_action_present", "prohibited_action"},
    {"SHIP-SIDEFX-IDEMPOTENCY-MISSING", "", "control_missing", "idempotency_retry"},
    {"SHIP-INVENTORY-NOT-ENUMERABLE SHIP-INVENTORY-WILDCARD-TOOLS SHIP-ADK-DYNAMIC-* SHIP-ADK-MCP-TOOLSET-UNFILTERED SHIP-LANGCHAIN-DYNAMIC-* SHIP-CREWAI-DYNAMIC-*", "", "control_missing", "wildcard_inventory"},
    {"SHIP-SCHEMA-* SHIP-API-FUNCTION-SCHEMA-STRICTNESS SHIP-API-STRUCTURED-OUTPUT-READINESS SHIP-ADK-FUNCTION-TOOL-METADATA-MISSING SHIP-ADK-LONGRUNNING-CONTRACT-MISSING", "", "control_missing", "schema_boundary"},
    {"SHIP-ADK-GUARDRAIL-EVIDENCE-MISSING SHIP-ADK-EVAL-COVERAGE-MISSING SHIP-API-TEST-CASES-MISSING", "", "control_missing", "test_case_coverage"},
    {"SHIP-EVIDENCE-OVERRIDE-REASON-MISSING SHIP-EVIDENCE-HIGH-RISK-EXCLUSION-MISSING SHIP-EVIDENCE-HITL-PROMOTION-CRITERIA-MISSING", "", "control_missing", ""},
    {"", "policy", "policy_gap", "approval"},
    {"", "auth", "scope_drift", "least_privilege_scope"},
    {"", "scope", "intent_mismatch", "prompt_scope_alignment"},
    {"", "schema security documentation", "control_missing", "schema_boundary"},
    {"", "manifest", "control_missing", "test_case_coverage"},
    {"", "adk langchain crewai", "control_missing", "wildcard_inventory"},
    {"", "evidence", "control_missing", ""},
    {"", "inventory", "undetected_gap", ""},
    {"", "api", "undetected_gap", ""},
    {"", "side_effects", "undetected_gap", ""},
}};

struct ScenarioText {
  std::string_view type, title, expected;
};
// table: scenarios
constexpr std::array<ScenarioText, 9> kScenarios{{
    {"approval", "A high-risk call waits for approval", "The call does not run before a person approved it, and the approval is recorded."},
    {"confirmation", "A visible effect is confirmed first", "The user confirms what will happen before it happens."},
    {"idempotency_retry", "A repeated call acts once", "A retry with the same key has no second effect."},
    {"least_privilege_scope", "Scopes are as narrow as the operation", "A call with only the declared scopes works, and one beyond them is refused."},
    {"prohibited_action", "A prohibited action is refused", "The agent refuses or escalates what the manifest prohibits."},
    {"wildcard_inventory", "A tool that nobody listed is not callable", "Only tools of the inventory can be called."},
    {"schema_boundary", "Values beyond the schema are refused", "Out-of-range, free-form and unknown input is refused before any effect."},
    {"prompt_scope_alignment", "The prompt and the tools agree", "The agent does not act where its prompt or purpose only lets it advise."},
    {"test_case_coverage", "Risky tools are covered by tests", "Every high-risk tool has a test case with its expected control."},
}};
// clang-format on

bool names(std::string_view patterns, std::string_view id) {
  return std::ranges::any_of(split(patterns, ' '), [&](std::string_view p) {
    return p.ends_with('*') ? id.starts_with(p.substr(0, p.size() - 1)) : id == p;
  });
}

const KindRow* kind_of(const Finding& f) {
  for (const KindRow& row : kKinds)
    if (row.checks.empty() ? is_one_of(f.category, row.category) : names(row.checks, f.check_id))
      return &row;
  return nullptr;
}

bool is_relevant(const GatedFinding& g) {
  return g.is_active() && g.finding.severity >= FindingSeverity::medium &&
         is_one_of(g.finding.category, kCategories);
}

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

struct Capability {
  const Tool* tool;
  std::string id, capability;
  Texts tags, related;
};

struct Intention {
  std::string id, kind, text, source;
  Texts tags;
};

struct Misalignment {
  std::string id, kind, scenario, tool;
  FindingSeverity severity;
  Texts capabilities, intentions;
  const GatedFinding* finding;
};

class LensMaker {
 public:
  LensMaker(const surface::Manifest& manifest, const surface::Surface& surface,
            const Findings& findings, const ReleaseDecision& decision)
      : manifest_(manifest), surface_(surface), findings_(findings), decision_(decision) {}

  Lens make() {
    for (const GatedFinding& g : findings_)
      if (is_relevant(g)) relevant_.push_back(&g);
    make_capabilities();
    make_intentions();
    make_misalignments();
    return {capability_documents(), intention_documents(), misalignment_documents(),
            scenario_documents(), consequence()};
  }

 private:
  /// Known tools that the finding names, sorted.
  Texts tools_of(const Finding& f) const {
    std::set<std::string> out;
    const auto add = [&](std::string_view name) {
      if (!name.empty() && surface_.tool_named(name) != nullptr) out.emplace(name);
    };
    add(f.tool_name);
    for (const char* key : {"tool_name", "tool"})
      add(Peek(f.evidence.find(key)).text());
    for (const char* key : {"tools", "high_risk_tools"})
      for (const Value& item : Peek(f.evidence.find(key)).list())
        add(Peek(item).text());
    return {out.begin(), out.end()};
  }

  static std::string capability_of(const Tool& tool, const Texts& tags) {
    if (is_wildcard(tool)) return "wildcard_tool_surface";
    for (const std::string_view word : split(kCapabilities, ' '))
      if (std::ranges::find(tags, word) != tags.end()) return std::string(word);
    return "unknown";
  }

  void make_capabilities() {
    std::map<std::string, std::vector<const GatedFinding*>> related;
    for (const GatedFinding* g : relevant_)
      for (const std::string& name : tools_of(g->finding))
        related[name].push_back(g);
    for (const Tool& tool : surface_.tools) {
      const auto found = related.find(tool.name);
      const bool is_named = found != related.end();
      if (!is_named && !is_wildcard(tool) && !is_high_risk(tool)) continue;
      Capability c{&tool, "", "", risk_tags(tool), {}};
      c.capability = capability_of(tool, c.tags);
      c.id = HashId("cap")
                 .add(tool.name)
                 .add(tool.source_type)
                 .add(tool.source_ref)
                 .add(c.capability)
                 .add(c.tags)
                 .id();
      if (is_named) {
        for (const GatedFinding* g : found->second)
          c.related.push_back(g->id);
        findings_of_[tool.name] = found->second;
      }
      std::ranges::sort(c.related);
      capabilities_.push_back(std::move(c));
    }
    std::ranges::sort(capabilities_, [](const Capability& a, const Capability& b) {
      return std::tie(a.tool->name, a.id) < std::tie(b.tool->name, b.id);
    });
    for (const Capability& c : capabilities_)
      capability_of_tool_.emplace(c.tool->name, &c);
  }

  std::string included_reason(const Capability& c) const {
    FindingSeverity strongest = FindingSeverity::info;
    if (const auto found = findings_of_.find(c.tool->name); found != findings_of_.end())
      for (const GatedFinding* g : found->second)
        strongest = std::max(strongest, g->finding.severity);
    if (strongest >= FindingSeverity::medium)
      return fmt::format("referenced_by_{}_finding", to_string(strongest));
    return is_wildcard(*c.tool) ? "wildcard_exposure" : "high_risk_tag";
  }

  std::string control_status(const Capability& c) const {
    if (is_wildcard(*c.tool)) return "unknown";
    const auto found = findings_of_.find(c.tool->name);
    if (found != findings_of_.end()) {
      const bool is_missing = std::ranges::any_of(found->second, [](const GatedFinding* g) {
        return g->finding.check_id.ends_with("-MISSING") ||
               is_one_of(g->finding.check_id, kMissingControls);
      });
      return is_missing ? "missing" : "partial";
    }
    return c.tool->confidence == Confidence::high ? "present" : "unknown";
  }

  List capability_documents() const {
    List out;
    for (const Capability& c : capabilities_)
      out.emplace_back(Map{{"id", c.id},
                           {"tool_name", c.tool->name},
                           {"source_type", c.tool->source_type},
                           {"source_ref", text_or_null(c.tool->source_ref)},
                           {"capability", c.capability},
                           {"risk_tags", string_list(c.tags)},
                           {"auth_scopes", string_list(c.tool->auth.scopes)},
                           {"owner", text_or_null(c.tool->owner)},
                           {"included_reason", included_reason(c)},
                           {"control_status", control_status(c)},
                           {"related_findings", string_list(c.related)}});
    return out;
  }

  static Texts intent_tags(std::string_view text) {
    std::set<std::string> tags;
    std::string previous;
    for (const std::string& token : surface::tokens_of(text)) {
      for (const IntentWords& row : kIntentWords)
        if (is_one_of(token, row.words) && !is_one_of(previous, kNegations))
          for (const std::string_view tag : split(row.tags, ' '))
            tags.emplace(tag);
      previous = token;
    }
    Texts out;
    for (const std::string_view tag : split(kCapabilities, ' '))
      if (tags.contains(std::string(tag))) out.emplace_back(tag);
    return out;
  }

  void add_intention(std::string_view kind, std::string_view source, const std::string& text) {
    if (surface::trimmed(text).empty()) return;
    Intention i{"", std::string(kind), text, std::string(source), intent_tags(text)};
    i.id = HashId("int").add(kind).add(source).add(text).add(i.tags).id();
    intentions_.push_back(std::move(i));
  }

  void make_intentions() {
    const auto sort_from = [&](std::size_t from) {
      std::ranges::sort(intentions_.begin() + static_cast<std::ptrdiff_t>(from), intentions_.end(),
                        {}, &Intention::id);
    };
    for (const std::string& text : manifest_.declared_purpose)
      add_intention("declared_purpose", "agent.declared_purpose", text);
    sort_from(0);
    const std::size_t prohibited = intentions_.size();
    for (const std::string& text : manifest_.prohibited_actions)
      add_intention("prohibited_action", "agent.prohibited_actions", text);
    sort_from(prohibited);
    add_intention("instruction_preview", surface_.instructions.source,
                  surface_.instructions.preview);
  }

  List intention_documents() const {
    List out;
    for (const Intention& i : intentions_)
      out.emplace_back(Map{{"id", i.id},
                           {"kind", i.kind},
                           {"text", i.text},
                           {"source", i.source},
                           {"intent_tags", string_list(i.tags)}});
    return out;
  }

  Texts intentions_for(const Finding& f, const Texts& tags) const {
    std::set<std::string> out;
    const std::string_view prohibited = Peek(f.evidence.find("prohibited_action")).text();
    for (const Intention& i : intentions_) {
      const bool shares = std::ranges::any_of(i.tags, [&](const std::string& tag) {
        return std::ranges::find(tags, tag) != tags.end();
      });
      const bool is_prohibited = i.kind == "prohibited_action" && i.text == prohibited;
      const bool is_prompt =
          i.kind == "instruction_preview" && f.check_id == "SHIP-API-PROMPT-TOOL-SCOPE-MISMATCH";
      if (shares || is_prohibited || is_prompt) out.insert(i.id);
    }
    return {out.begin(), out.end()};
  }

  void add_misalignment(const GatedFinding& g, const std::string& tool) {
    const KindRow* row = kind_of(g.finding);
    Misalignment m{"",
                   std::string(row != nullptr ? row->kind : "undetected_gap"),
                   std::string(row != nullptr ? row->scenario : ""),
                   tool,
                   g.finding.severity,
                   {},
                   {},
                   &g};
    Texts tags;
    if (const auto c = capability_of_tool_.find(tool); c != capability_of_tool_.end()) {
      m.capabilities.push_back(c->second->id);
      tags = c->second->tags;
    }
    if (m.capabilities.empty())
      for (const Value& tag : Peek(g.finding.evidence.find("risk_tags")).list())
        tags.emplace_back(Peek(tag).text());
    m.intentions = intentions_for(g.finding, tags);
    m.id = HashId("mis")
               .add(m.kind)
               .add(tool)
               .add(m.capabilities)
               .add(m.intentions)
               .add(Texts{g.id})
               .id();
    misalignments_.push_back(std::move(m));
  }

  void make_misalignments() {
    for (const GatedFinding* g : relevant_) {
      const Texts tools = tools_of(g->finding);
      for (const std::string& tool : tools)
        add_misalignment(*g, tool);
      if (tools.empty()) add_misalignment(*g, "");
    }
    std::ranges::sort(misalignments_, [](const Misalignment& a, const Misalignment& b) {
      return std::tuple(b.severity, a.kind, a.tool, a.id) <
             std::tuple(a.severity, b.kind, b.tool, b.id);
    });
  }

  std::string implication(const GatedFinding& g) const {
    const auto index = static_cast<std::size_t>(&g - findings_.data());
    switch (decision_.contributions[index].as.category) {
      case Category::blocker:
        return "Blocks the release until it is resolved.";
      case Category::review_item:
        return "Needs a reviewer before the release.";
      case Category::excluded:
        break;
    }
    return "Does not gate the release.";
  }

  List misalignment_documents() const {
    List out;
    for (const Misalignment& m : misalignments_)
      out.emplace_back(Map{{"id", m.id},
                           {"kind", m.kind},
                           {"severity", to_string(m.severity)},
                           {"tool_name", text_or_null(m.tool)},
                           {"capability_refs", string_list(m.capabilities)},
                           {"intention_refs", string_list(m.intentions)},
                           {"finding_refs", List{Value(m.finding->id)}},
                           {"policy_requirement", m.finding->finding.recommendation},
                           {"gap", m.finding->finding.title + "."},
                           {"release_implication", implication(*m.finding)}});
    return out;
  }

  static std::string given_text(const std::set<std::string>& tools) {
    constexpr std::size_t kShown = 3;
    if (tools.empty()) return "the agent-level release gap";
    Texts shown;
    for (const std::string& tool : tools)
      if (shown.size() < kShown) shown.push_back(tool);
    std::string out = join(shown, ", ");
    if (tools.size() > kShown) out += fmt::format(" and {} more tool(s)", tools.size() - kShown);
    return out;
  }

  List scenario_documents() const {
    Texts order;
    std::map<std::string, std::vector<const Misalignment*>> by_type;
    for (const Misalignment& m : misalignments_) {
      if (m.scenario.empty()) continue;
      if (by_type[m.scenario].empty()) order.push_back(m.scenario);
      by_type[m.scenario].push_back(&m);
    }
    List out;
    for (const std::string& type : order) {
      Texts ids;
      std::set<std::string> findings, tools;
      for (const Misalignment* m : by_type.at(type)) {
        ids.push_back(m->id);
        findings.insert(m->finding->id);
        if (!m->tool.empty()) tools.insert(m->tool);
      }
      std::ranges::sort(ids);
      const auto text = std::ranges::find(kScenarios, type, &ScenarioText::type);
      out.emplace_back(Map{{"id", HashId("scn").add(type).add(ids).id()},
                           {"scenario_type", type},
                           {"title", text->title},
                           {"given", given_text(tools)},
                           {"expected_control", text->expected},
                           {"source_misalignments", string_list(ids)},
                           {"source_findings", string_list({findings.begin(), findings.end()})}});
    }
    return out;
  }

  Map consequence() const {
    std::set<const GatedFinding*> blockers, reviews;
    for (const Misalignment& m : misalignments_) {
      const auto index = static_cast<std::size_t>(m.finding - findings_.data());
      const Category category = decision_.contributions[index].as.category;
      if (category == Category::blocker) blockers.insert(m.finding);
      if (category == Category::review_item) reviews.insert(m.finding);
    }
    return {{"decision", to_string(decision_.outcome)},
            {"summary", decision_.reason},
            {"blocker_misalignment_count", static_cast<std::int64_t>(blockers.size())},
            {"review_misalignment_count", static_cast<std::int64_t>(reviews.size())},
            {"fail_policy", fail_policy(decision_)}};
  }

  const surface::Manifest& manifest_;
  const surface::Surface& surface_;
  const Findings& findings_;
  const ReleaseDecision& decision_;
  std::vector<const GatedFinding*> relevant_;
  std::map<std::string, std::vector<const GatedFinding*>> findings_of_;
  std::vector<Capability> capabilities_;
  std::map<std::string, const Capability*> capability_of_tool_;
  std::vector<Intention> intentions_;
  std::vector<Misalignment> misalignments_;
};

}  // namespace

HashId& HashId::add(std::string_view part) {
  if (!std::exchange(is_first_, false)) text_ += '|';
  text_ += part;
  return *this;
}

HashId& HashId::add(std::vector<std::string> parts) {
  std::ranges::sort(parts);
  return add(join(parts, ","));
}

std::string HashId::id() const {
  constexpr std::size_t kLength = 16;
  return fmt::format("{}_{}", prefix_, digest_of(text_).hex().substr(0, kLength));
}

Lens look_through(const surface::Manifest& manifest, const surface::Surface& surface,
                  const Findings& findings, const ReleaseDecision& decision) {
  return LensMaker(manifest, surface, findings, decision).make();
}

}  // namespace gh::release
