// What a report says of a change, row by row as the contract prints it (release-gate 17.5, 17.7).
#include "release/verify_blocks.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"
#include "wire/json.h"

namespace gh::release {
namespace {

Map json(const std::string& text) { return *wire::read_json(text, "test")->as_map(); }

using Texts = std::vector<std::string>;

Findings found(std::vector<Finding> raw) { return identified(std::move(raw)); }

/// "direction subject_kind tool action scope confidence impact" of every member.
std::string members(const Map& change) {
  std::string out;
  for (const char* list : {"added", "removed", "broadened", "narrowed"})
    for (const Value& value : Peek(change.find(list)).list()) {
      const Peek m(value);
      std::string key;
      for (const char* part : {"direction", "subject_kind", "tool", "action", "scope"})
        key += std::string(m[part].text()) + (std::string_view(part) == "scope" ? "" : "|");
      EXPECT_EQ(m["id"].text(), "cap_" + digest_of(key).hex().substr(0, 16)) << key;
      EXPECT_EQ(m["direction"].text(), list);
      EXPECT_EQ(m["provenance_kind"].text(), "static_declaration");
      out += key + " " + std::string(m["confidence"].text()) + " " +
             std::string(m["release_impact"].text()) + "\n";
    }
  return out;
}

TEST(CapabilityChange, EveryRowOfBothDiffsSaysWhatTheContractSays) {
  struct Row {
    const char *name, *tools, *actions, *expected;
  };
  const Row rows[] = {
      {"action added", "", R"("added":[{"tool_name":"t","action_id":"a"}])",
       "added|action|t|a| high review_required\n"},
      {"action removed", "", R"("removed":[{"tool_name":"t","action_id":"a"}])",
       "removed|action|t|a| high informational\n"},
      {"action modified", "",
       R"("modified":[{"tool_name":"t","action_id":"a","type":"EFFECT_ADDED","added":["x"]}])",
       "broadened|action|t|a| high review_required\n"},
      {"tool added", R"("tools":[{"kind":"added","name":"t"}])", "",
       "added|tool|t|| high review_required\n"},
      {"tool removed", R"("tools":[{"kind":"removed","name":"t"}])", "",
       "removed|tool|t|| high informational\n"},
      {"tool changed", R"("tools":[{"kind":"changed","name":"t"}])", "",
       "broadened|tool|t|| medium review_required\n"},
      {"scope added", R"("scopes":[{"kind":"added","scope":"s","tool_names":["t","u"]}])", "",
       "broadened|scope|t||s high review_required\nbroadened|scope|u||s high review_required\n"},
      {"scope of no tool", R"("scopes":[{"kind":"added","scope":"s","tool_names":[]}])", "",
       "broadened|scope|||s high review_required\n"},
      {"scope changed", R"("scopes":[{"kind":"changed","scope":"s","tool_names":["t"]}])", "",
       "broadened|scope|t||s medium review_required\n"},
      {"scope removed", R"("scopes":[{"kind":"removed","scope":"s","tool_names":["t"]}])", "",
       "narrowed|scope|t||s high informational\n"},
      {"control added", R"("controls":[{"kind":"added","tool":"t","control":"approval"}])", "",
       "narrowed|policy|t|approval| high informational\n"},
      {"control removed", R"("controls":[{"kind":"removed","tool":"t","control":"approval"}])", "",
       "broadened|policy|t|approval| high review_required\n"},
      {"control changed", R"("controls":[{"kind":"changed","tool":"t","control":"approval"}])", "",
       "broadened|policy|t|approval| medium review_required\n"},
      {"effect added", R"("high_risk_effects":[{"kind":"added","tool":"t","tag":"write"}])", "",
       "broadened|action|t|write| high review_required\n"},
      {"effect removed", R"("high_risk_effects":[{"kind":"removed","tool":"t","tag":"write"}])", "",
       "narrowed|action|t|write| high informational\n"},
      {"policy drift", R"("policy_drift":[{"kind":"added","policy_kind":"pack","key":"k"}])", "",
       "broadened|policy|||pack:k medium review_required\n"},
  };
  const auto diff = [](std::string_view body) {
    return json(body.empty() ? R"({"enabled":false})"
                             : R"({"enabled":true,)" + std::string(body) + "}");
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Map change = capability_change(diff(row.tools), diff(row.actions), {});
    EXPECT_TRUE(Peek(change.find("enabled")).is_true());
    EXPECT_EQ(members(change), row.expected);
  }
  const Map none = capability_change(diff(""), diff(""), {});
  EXPECT_FALSE(Peek(none.find("enabled")).is_true());
  EXPECT_EQ(members(none), "");
}

TEST(CapabilityChange, AScopeThatGrowsShowsBothSidesAndAMemberItsFindings) {
  Finding blocking{.check_id = "SHIP-X", .title = "t", .category = "policy", .tool_name = "t"};
  blocking.blocks_release = true;
  Finding other = blocking;
  other.check_id = "SHIP-Y";
  other.blocks_release = false;
  const Findings all = found({blocking, other});
  const Map change = capability_change(
      json(R"({"enabled":true,"tools":[{"kind":"added","name":"t"},{"kind":"added","name":"t"}]})"),
      json(R"({"enabled":true,"modified":[{"tool_name":"u","action_id":"a","type":"SCOPE_EXPANDED",
               "before":{"required_scopes":["b","a"]},"after":{"required_scopes":["c","a","b"]}}]})"),
      all);
  ASSERT_EQ(Peek(change.find("added")).list().size(), 1u) << "the same member is one";
  const Peek added(Peek(change.find("added")).list()[0]);
  EXPECT_EQ(added["release_impact"].text(), "blocks_release");
  EXPECT_EQ(added["related_finding_ids"].list().size(), 2u);
  EXPECT_FALSE(added["before_scope"].exists() || added["after_scope"].exists());
  const Peek grown(Peek(change.find("broadened")).list().at(0));
  EXPECT_EQ(grown["before_scope"].text(), "a,b");
  EXPECT_EQ(grown["after_scope"].text(), "a,b,c");
}

// Example of the contract.
TEST(CapabilityChange, TheIdOfTheExampleIsThatOfTheContract) {
  const Map change = capability_change(
      json(R"({"enabled":true,"tools":[{"kind":"added","name":"payments.create_refund"}]})"),
      json(R"({"enabled":false})"), {});
  EXPECT_EQ(Peek(Peek(change.find("added")).list().at(0))["id"].text(), "cap_2cf5a0b619d61d4e");
}

struct AckCase {
  const char *name, *check_id, *evidence, *surface, *expires;
  bool in_base;
  const char* outstanding;
};

TEST(HumanAck, EachSurfaceIsCoveredByItsKeyOrByAConcreteItemOfTheFinding) {
  const char *weakened = "SHIP-VERIFY-POLICY-WEAKENED", *gate = "SHIP-VERIFY-CI-GATE-REMOVED",
             *grown = "SHIP-VERIFY-BASELINE-OR-WAIVER-EXPANDED";
  const char* removed = R"({"kind":"ci_gate_removed","removed_workflow_files":["a.yml"]})";
  const char* waiver = R"({"kind":"waiver_expanded","added_scopes":["SHIP-X:*"]})";
  const char* mode = R"({"kind":"ci_mode_weakened","base":"strict","head":"advisory"})";
  const AckCase rows[] = {
      {"policy by its key", weakened, mode, "policy", "", true, ""},
      {"policy by another key", weakened, mode, "ci_gate", "", true, "policy"},
      {"the kind is no item", weakened, mode, "ci_mode_weakened", "", true, "policy"},
      {"gate by its key", gate, removed, "ci_gate", "", true, ""},
      {"gate by its file", gate, removed, "a.yml", "", true, ""},
      {"gate by another file", gate, removed, "b.yml", "", true, "ci_gate"},
      {"waiver by its key", grown, waiver, "baseline_or_waiver", "", true, ""},
      {"waiver by its scope", grown, waiver, "SHIP-X:*", "", true, ""},
      {"in head alone", gate, removed, "ci_gate", "", false, "ci_gate"},
      {"expired", gate, removed, "ci_gate", "2026-01-01", true, "ci_gate"},
      {"expires today", gate, removed, "ci_gate", "2026-01-02", true, ""},
      {"expires later", gate, removed, "ci_gate", "2027-01-01", true, ""},
      {"nothing that needs one", "SHIP-VERIFY-TRUST-ROOT-TOUCHED", R"({"changed_file":"x"})",
       "policy", "", true, ""},
  };
  for (const AckCase& row : rows) {
    SCOPED_TRACE(row.name);
    surface::Manifest manifest;
    manifest.file = "shipgate.yaml";
    manifest.human_acks.push_back({row.surface, "owner", "reason", row.expires});
    const std::optional<List> base =
        row.in_base ? std::optional(declared_acks(manifest)) : std::optional(List{});
    Finding f{.check_id = row.check_id, .title = "t", .category = "verify"};
    f.evidence = json(row.evidence);
    const Map block = human_ack(manifest, base, found({f}), "2026-01-02");
    Texts outstanding;
    for (const Value& key : Peek(block.find("outstanding")).list())
      outstanding.emplace_back(Peek(key).text());
    EXPECT_EQ(join(outstanding, ","), row.outstanding);
    EXPECT_EQ(Peek(block.find("satisfied")).is_true(), outstanding.empty());
    EXPECT_EQ(Peek(block.find("required")).is_true(),
              std::string_view(row.check_id) != "SHIP-VERIFY-TRUST-ROOT-TOUCHED");
    const Peek ack(Peek(block.find("acks")).list().at(0));
    EXPECT_EQ(ack["source"].text(), row.in_base ? "shipgate.yaml#/human_ack" : "head_only");
    EXPECT_EQ(ack["expires"].text(), row.expires);
    // Without a base nothing counts.
    const Map unknown = human_ack(manifest, std::nullopt, found({f}), "2026-01-02");
    EXPECT_EQ(Peek(unknown.find("satisfied")).is_true(), !Peek(block.find("required")).is_true());
  }
}

}  // namespace
}  // namespace gh::release
