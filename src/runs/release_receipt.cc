#include "runs/release_receipt.h"

#include <algorithm>
#include <array>

#include "base/digest.h"
#include "base/product.h"
#include "model/peek.h"
#include "model/verdict.h"
#include "wire/json.h"

namespace gh::runs {
namespace {

struct DecisionRow {
  std::string_view word;
  Decision decision;
};
// table: decisions of the release gate in a receipt
constexpr std::array<DecisionRow, 4> kDecisions{{{"passed", Decision::allow},
                                                 {"review_required", Decision::review},
                                                 {"insufficient_evidence", Decision::unverified},
                                                 {"blocked", Decision::deny}}};

Value text_or_null(std::string_view text) { return text.empty() ? Value() : Value(text); }

Value copy_of(const Peek& parent, std::string_view key) {
  const Value* value = parent.map().find(key);
  return value != nullptr ? *value : Value();
}

}  // namespace

Map release_receipt(const ReleaseReceiptFacts& facts) {
  const Peek verifier(facts.verifier);
  const std::string_view word = verifier["decision"].text();
  const auto row = std::ranges::find(kDecisions, word, &DecisionRow::word);
  const Decision decision = row != kDecisions.end() ? row->decision : Decision::unverified;
  Map artifacts;
  std::string report;
  for (const auto& [name, sha256] : facts.artifacts) {
    artifacts.set(name, sha256);
    if (name == "report.json") report = "sha256:" + sha256;
  }
  const Value decided = copy_of(verifier, "release_decision");
  const std::string_view tree = verifier["head_tree_sha"].text();
  return Map{
      {"schema", "gatehouse.receipt/1"},
      {"kind", "release"},
      {"decision", to_string(decision)},
      {"status", word.empty() ? Value("unknown") : Value(word)},
      {"repo_id", text_or_null(facts.repo_id)},
      {"subject", Map{{"base", text_or_null(facts.base_commit)},
                      {"tree", text_or_null(tree)},
                      {"intent_id", nullptr},
                      {"proposal_id", nullptr}}},
      {"inputs", Map{{"before_run_id", nullptr},
                     {"after_run_id", nullptr},
                     {"report_digest", text_or_null(report)},
                     {"canonical_sha256", nullptr},
                     {"candidate_tree", text_or_null(tree)},
                     {"stable_patch_id", nullptr}}},
      {"digests",
       Map{{"verdict",
            decided.is_null() ? Value() : Value(digest_of(wire::canonical_json(decided)).tagged())},
           {"policy", nullptr}}},
      {"actor", to_value(facts.actor)},
      {"body", Map{{"release_decision", decided},
                   {"merge_verdict", copy_of(verifier, "merge_verdict")},
                   {"can_merge_without_human", copy_of(verifier, "can_merge_without_human")},
                   {"config", copy_of(verifier, "config")},
                   {"base_status", copy_of(verifier, "base_status")},
                   {"head_status", copy_of(verifier, "head_status")},
                   {"base_tree", copy_of(verifier, "base_tree_sha")},
                   {"head_tree", copy_of(verifier, "head_tree_sha")},
                   {"changed_files", copy_of(verifier, "changed_files")},
                   {"artifacts", std::move(artifacts)}}},
      {"meta",
       Map{{"created_utc", facts.created_utc}, {"audit_seq", nullptr}, {"tool_version", kVersion}}},
      {"signature", nullptr}};
}

}  // namespace gh::runs
