#include "release/verify_blocks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "model/peek.h"
#include "release/lens.h"

namespace gh::release {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kTrustRoot = "SHIP-VERIFY-TRUST-ROOT-TOUCHED",
                           kWeakened = "SHIP-VERIFY-POLICY-WEAKENED",
                           kGateRemoved = "SHIP-VERIFY-CI-GATE-REMOVED",
                           kExpanded = "SHIP-VERIFY-BASELINE-OR-WAIVER-EXPANDED",
                           kInstructions = "SHIP-VERIFY-AGENT-INSTRUCTIONS-WEAKENED",
                           kTriggers = "SHIP-VERIFY-TRIGGER-CATALOG-DRIFT";

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

// ----------------------------------------------------------------------------------- capabilities

struct Member {
  std::string_view direction, subject;
  std::string tool{}, action{}, scope{}, before{}, after{};
  std::vector<std::string> tags{};
  std::string_view confidence = "high";
  std::string rationale{};

  auto key() const { return std::tie(subject, tool, action, scope); }
  std::string id() const {
    return HashId("cap").add(direction).add(subject).add(tool).add(action).add(scope).id();
  }
};

std::string text_of(const Value& row, std::string_view key) {
  return std::string(Peek(row)[key].text());
}

Texts texts_of(const Value& row, std::string_view key) {
  Texts out;
  for (const Value& item : Peek(row)[key].list())
    out.emplace_back(Peek(item).text());
  return out;
}

/// What one row of a list says: by its kind, direction, subject and how sure that is.
struct Reading {
  std::string_view list, kind;  // of the tool diff
  std::string_view direction, subject, confidence;
  std::string_view rationale;
};
// clang-format off
// table: what a row of the tool diff says about capabilities
constexpr std::array kReadings = std::to_array<Reading>({
    {"tools", "added", "added", "tool", "high", "The agent has a tool more."},
    {"tools", "removed", "removed", "tool", "high", "The agent has a tool less."},
    {"tools", "changed", "broadened", "tool", "medium", "The tool changed; whether it can do more is for a reviewer."},
    {"scopes", "added", "broadened", "scope", "high", "A scope is asked for that base does not have."},
    {"scopes", "changed", "broadened", "scope", "medium", "Who uses the scope, or how broad it is, changed."},
    {"scopes", "removed", "narrowed", "scope", "high", "A scope is no longer asked for."},
    {"controls", "added", "narrowed", "policy", "high", "A control was declared."},
    {"controls", "removed", "broadened", "policy", "high", "A control is no longer declared."},
    {"controls", "changed", "broadened", "policy", "medium", "The reason of a control changed."},
    {"high_risk_effects", "added", "broadened", "action", "high", "The tool has an effect of high risk more."},
    {"high_risk_effects", "removed", "narrowed", "action", "high", "The tool has an effect of high risk less."},
    {"policy_drift", "", "broadened", "policy", "medium", "A policy of the manifest changed."},
});
// clang-format on

void read_row(const Reading& reading, const Value& row, std::vector<Member>& out) {
  Member m{.direction = reading.direction,
           .subject = reading.subject,
           .confidence = reading.confidence,
           .rationale = std::string(reading.rationale)};
  if (reading.list == "tools") {
    m.tool = text_of(row, "name");
  } else if (reading.list == "controls") {
    m.tool = text_of(row, "tool");
    m.action = text_of(row, "control");
  } else if (reading.list == "high_risk_effects") {
    m.tool = text_of(row, "tool");
    m.action = text_of(row, "tag");
    if (reading.direction == "broadened") m.tags = {m.action};
  } else if (reading.list == "policy_drift") {
    m.scope = fmt::format("{}:{}", text_of(row, "policy_kind"), text_of(row, "key"));
  } else {
    m.scope = text_of(row, "scope");
    const Texts tools = texts_of(row, "tool_names");
    for (const std::string& tool : tools) {
      m.tool = tool;
      out.push_back(m);
    }
    if (!tools.empty()) return;
  }
  out.push_back(std::move(m));
}

std::string scopes_of(const Value& action) {
  Texts scopes = texts_of(action, "required_scopes");
  std::ranges::sort(scopes);
  std::string out;
  for (const std::string& scope : scopes)
    out += (out.empty() ? "" : ",") + scope;
  return out;
}

std::vector<Member> members_of(const Map& tools, const Map& actions) {
  std::vector<Member> out;
  for (const auto& [list, direction] :
       {std::pair{"added", "added"}, std::pair{"removed", "removed"},
        std::pair{"modified", "broadened"}})
    for (const Value& row : Peek(actions.find(list)).list()) {
      Member m{.direction = direction,
               .subject = "action",
               .tool = text_of(row, "tool_name"),
               .action = text_of(row, "action_id"),
               .rationale = text_of(row, "reason")};
      if (m.direction == "broadened") m.tags = texts_of(row, "added");
      if (Peek(row)["type"].text() == "SCOPE_EXPANDED") {
        m.before = scopes_of(*row.as_map()->find("before"));
        m.after = scopes_of(*row.as_map()->find("after"));
      }
      out.push_back(std::move(m));
    }
  for (const Reading& reading : kReadings)
    for (const Value& row : Peek(tools.find(reading.list)).list())
      if (reading.kind.empty() || Peek(row)["kind"].text() == reading.kind)
        read_row(reading, row, out);
  return out;
}

/// Findings that are about a tool: ids, sorted, and whether one of them blocks.
struct About {
  std::set<std::string> ids{};
  bool blocks = false;
};

Map member_document(const Member& m, const std::string& id, const About& about) {
  const bool grows = m.direction == "added" || m.direction == "broadened";
  return {{"id", id},
          {"direction", m.direction},
          {"subject_kind", m.subject},
          {"tool", text_or_null(m.tool)},
          {"action", text_or_null(m.action)},
          {"scope", text_or_null(m.scope)},
          {"before_scope", text_or_null(m.before)},
          {"after_scope", text_or_null(m.after)},
          {"risk_tags", string_list(m.tags)},
          {"release_impact", about.blocks ? "blocks_release"
                             : grows      ? "review_required"
                                          : "informational"},
          {"provenance_kind", "static_declaration"},
          {"confidence", m.confidence},
          {"rationale", m.rationale},
          {"related_finding_ids", string_list({about.ids.begin(), about.ids.end()})}};
}

// ---------------------------------------------------------------------------------- trust and ack

std::string_view evidence_text(const Finding& f, std::string_view key) {
  return Peek(f.evidence.find(key)).text();
}

/// Concrete items of a finding's evidence: files, ids, scopes, fingerprints.
std::set<std::string> items_of(const Map& evidence) {
  std::set<std::string> out;
  for (const auto& [key, value] : evidence.entries()) {
    if (key == "kind") continue;
    if (value.as_string() != nullptr) out.insert(*value.as_string());
    for (const Value& item : Peek(value).list())
      out.emplace(Peek(item).text());
  }
  return out;
}

std::string_view surface_key(std::string_view check_id) {
  if (check_id == kWeakened) return "policy";
  if (check_id == kGateRemoved) return "ci_gate";
  return check_id == kExpanded ? "baseline_or_waiver" : "";
}

std::string ack_place(const surface::Manifest& m) {
  return fmt::format("{}#{}", m.file, m.pointer("/human_ack"));
}

Map ack_document(const surface::HumanAck& ack, std::string source) {
  return {{"owner", ack.owner},
          {"reason", ack.reason},
          {"affected_surface", ack.affected_surface},
          {"expires", text_or_null(ack.expires)},
          {"source", std::move(source)}};
}

bool is_same(const surface::HumanAck& ack, const Value& row) {
  const Peek at(row);
  return at["affected_surface"].text() == ack.affected_surface && at["owner"].text() == ack.owner &&
         at["reason"].text() == ack.reason && at["expires"].text() == ack.expires;
}

std::vector<surface::HumanAck> sorted_acks(const surface::Manifest& m) {
  auto out = m.human_acks;
  std::ranges::sort(out, [](const auto& a, const auto& b) {
    return std::tie(a.affected_surface, a.owner, a.reason, a.expires) <
           std::tie(b.affected_surface, b.owner, b.reason, b.expires);
  });
  return out;
}

std::int64_t length(const Map& change, const char* list) {
  return static_cast<std::int64_t>(Peek(change.find(list)).list().size());
}

}  // namespace

Map no_capability_change() {
  return {{"enabled", false},
          {"added", List{}},
          {"removed", List{}},
          {"broadened", List{}},
          {"narrowed", List{}}};
}

Map capability_change(const Map& tools, const Map& actions, const Findings& findings) {
  const bool has_tools = Peek(tools.find("enabled")).is_true(),
             has_actions = Peek(actions.find("enabled")).is_true();
  Map out = no_capability_change();
  if (!has_tools && !has_actions) return out;
  std::map<std::string, About, std::less<>> by_tool;
  for (const GatedFinding& g : findings) {
    if (!g.is_active() || g.finding.tool_name.empty()) continue;
    About& about = by_tool[g.finding.tool_name];
    about.ids.insert(g.id);
    about.blocks = about.blocks || g.finding.blocks_release;
  }
  auto members = members_of(tools, actions);
  std::ranges::stable_sort(members, [](const Member& a, const Member& b) {
    return std::tuple(a.key(), a.id()) < std::tuple(b.key(), b.id());
  });
  std::set<std::string> told;
  std::map<std::string_view, List> lists;
  for (const Member& m : members) {
    const std::string id = m.id();
    if (!told.insert(id).second) continue;
    const auto about = by_tool.find(m.tool);
    lists[m.direction].emplace_back(
        member_document(m, id, about == by_tool.end() ? About{} : about->second));
  }
  out.set("enabled", true);
  for (auto& [direction, list] : lists)
    out.set(std::string(direction), std::move(list));
  return out;
}

List protected_surface_changes(const Findings& findings) {
  struct Row {
    std::string glob{};
    std::set<std::string> ids{};
  };
  std::map<std::pair<std::string, std::string>, Row> rows;  // kind, path
  const auto add = [&](std::string_view kind, std::string_view path, const GatedFinding& g,
                       std::string_view glob = {}) {
    Row& row = rows[{std::string(kind), std::string(path)}];
    row.ids.insert(g.id);
    if (!glob.empty()) row.glob = glob;
  };
  for (const GatedFinding& g : findings) {
    if (!g.is_active()) continue;
    const Finding& f = g.finding;
    const auto each = [&](std::string_view kind, const char* key) {
      for (const Value& path : Peek(f.evidence.find(key)).list())
        add(kind, Peek(path).text(), g);
    };
    if (f.check_id == kTrustRoot)
      add(evidence_text(f, "trust_root_class"), evidence_text(f, "changed_file"), g,
          evidence_text(f, "matched_glob"));
    if (f.check_id == kGateRemoved) each("ci_gate", "removed_workflow_files");
    if (f.check_id == kGateRemoved && !evidence_text(f, "workflow_file").empty())
      add("ci_gate", evidence_text(f, "workflow_file"), g);
    if (f.check_id == kInstructions) each("agent_instructions", "changed_instruction_files");
    if (f.check_id == kTriggers) each("trigger_catalog", "changed_trigger_files");
    if (f.check_id == kWeakened && evidence_text(f, "kind") == "base_snapshot_unavailable")
      each("policy", "changed_policy_files");
  }
  List out;
  for (const auto& [key, row] : rows)
    out.emplace_back(Map{{"path", key.second},
                         {"kind", key.first},
                         {"glob", text_or_null(row.glob)},
                         {"related_finding_ids", string_list({row.ids.begin(), row.ids.end()})}});
  return out;
}

List declared_acks(const surface::Manifest& m) {
  List out;
  for (const surface::HumanAck& ack : sorted_acks(m))
    out.emplace_back(ack_document(ack, ack_place(m)));
  return out;
}

Map human_ack(const surface::Manifest& m, const std::optional<List>& base_acks,
              const Findings& findings, std::string_view today) {
  List rows;
  std::vector<const surface::HumanAck*> counting;
  const auto sorted = sorted_acks(m);
  for (const surface::HumanAck& ack : sorted) {
    const bool is_known = base_acks && std::ranges::any_of(*base_acks, [&](const Value& row) {
                            return is_same(ack, row);
                          });
    rows.emplace_back(ack_document(ack, is_known ? ack_place(m) : "head_only"));
    if (is_known && (ack.expires.empty() || ack.expires >= today)) counting.push_back(&ack);
  }
  std::map<std::string, bool> required;  // key -> covered, by every finding that needs it
  for (const GatedFinding& g : findings) {
    const std::string_view key = surface_key(g.finding.check_id);
    if (!g.is_active() || key.empty()) continue;
    const auto items = items_of(g.finding.evidence);
    const bool covered = std::ranges::any_of(counting, [&](const surface::HumanAck* ack) {
      return ack->affected_surface == key || items.contains(ack->affected_surface);
    });
    const auto known = required.find(std::string(key));
    if (known == required.end())
      required.emplace(key, covered);
    else
      known->second = known->second && covered;
  }
  Texts outstanding;
  for (const auto& [key, covered] : required)
    if (!covered) outstanding.push_back(key);
  return {{"required", !required.empty()},
          {"satisfied", outstanding.empty()},
          {"acks", std::move(rows)},
          {"outstanding", string_list(outstanding)}};
}

Map verifier_summary(const Findings& findings, const ReleaseDecision& decision,
                     const VerifiedBlocks& blocks) {
  constexpr std::size_t kTopCodes = 5;
  std::map<std::string, std::int64_t> severities;
  struct Code {
    std::int64_t count = 0;
    FindingSeverity severity = FindingSeverity::info;
  };
  std::map<std::string, Code> codes;
  for (const GatedFinding& f : findings) {
    if (f.suppressed) continue;
    ++severities[std::string(to_string(f.finding.severity))];
    Code& code = codes[f.finding.check_id];
    ++code.count;
    code.severity = std::max(code.severity, f.finding.severity);
  }
  Map by_severity, by_code;
  for (const auto& [name, count] : severities)
    by_severity.set(name, count);
  std::vector<std::pair<std::string, Code>> ranked(codes.begin(), codes.end());
  for (const auto& [id, code] : ranked)
    by_code.set(id, code.count);
  std::ranges::sort(ranked, [](const auto& a, const auto& b) {
    return std::tuple(b.second.severity, b.second.count, a.first) <
           std::tuple(a.second.severity, a.second.count, b.first);
  });
  List top;
  for (const auto& [id, code] : ranked)
    if (top.size() < kTopCodes) top.emplace_back(Map{{"reason_code", id}, {"count", code.count}});
  const Map& change = blocks.capability_change;
  return {{"verdict", to_string(decision.outcome)},
          {"by_severity", std::move(by_severity)},
          {"by_reason_code", std::move(by_code)},
          {"capability_delta_summary", Map{{"added", length(change, "added")},
                                           {"removed", length(change, "removed")},
                                           {"broadened", length(change, "broadened")},
                                           {"narrowed", length(change, "narrowed")}}},
          {"protected_surface_touched", !blocks.protected_changes.empty()},
          {"policy_weakened", codes.contains(std::string(kWeakened))},
          {"human_ack_required", Peek(blocks.human_ack.find("required")).is_true()},
          {"human_ack_satisfied", Peek(blocks.human_ack.find("satisfied")).is_true()},
          {"top_reason_codes", std::move(top)}};
}

}  // namespace gh::release
