#include "ops/promotion_check.h"

#include <functional>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

// proposals 7, typed out from there.
constexpr std::string_view kMessage =
    "fix-001: a title\n\nrisk notes\nGatehouse-Proposal: other\n\n"
    "Gatehouse-Proposal: fix-001\n"
    "Gatehouse-Receipt: sha256:r\n"
    "Gatehouse-Decision: promoted\n"
    "Gatehouse-Agent: model / role\n"
    "Reviewed-By: gemini 11\n"
    "Reviewed-By: codex 22\n"
    "Promoted-By: alice\n";

Record record() {
  Record out;
  out.row.patch_id = "fix-001";
  out.row.author_agent = "model / role";
  out.row.base_commit = "base";
  out.row.canonical_sha256 = "canonical";
  out.row.candidate_tree = "tree";
  out.row.digest = "digest";
  out.row.target_ref = "refs/heads/main";
  out.promotion.emplace();
  out.promotion->promoter = "alice";
  return out;
}

Map receipt() {
  return Map{{"kind", "promotion"},
             {"decision", "allow"},
             {"status", "promoted"},
             {"subject", Map{{"base", "base"}, {"tree", "tree"}, {"proposal_id", "fix-001"}}},
             {"inputs", Map{{"canonical_sha256", "canonical"}, {"candidate_tree", "tree"}}},
             {"actor", Map{{"name", "alice"}}},
             {"body", Map{{"proposal_digest", "digest"},
                          {"target_ref", "refs/heads/main"},
                          {"author_agent", "model / role"},
                          {"reviews", List{Map{{"reviewer", "gemini"}, {"sha256", "11"}},
                                           Map{{"reviewer", "codex"}, {"sha256", "22"}}}}}}};
}

std::string defect(std::string_view message) {
  return trailer_defect(message, promotion_trailers(record(), "sha256:r", receipt())).value_or("");
}

struct Edit {
  const char *from, *to, *expected;
};
const std::vector<Edit> kEdits = {
    {"-Proposal: fix-001\n", "-Proposal: fix-002\n",
     "Gatehouse-Proposal says 'fix-002', not 'fix-001'"},
    {"sha256:r", "sha256:s", "Gatehouse-Receipt says 'sha256:s', not 'sha256:r'"},
    {"Decision: promoted", "Decision: rejected",
     "Gatehouse-Decision says 'rejected', not 'promoted'"},
    {"Agent: model / role", "Agent: human", "Gatehouse-Agent says 'human', not 'model / role'"},
    {"codex 22", "codex 23", "Reviewed-By says 'codex 23', not 'codex 22'"},
    {"Reviewed-By: codex 22\n", "", "'Promoted-By: alice' stands where Reviewed-By belongs"},
    {"Reviewed-By: codex 22\n", "Reviewed-By: codex 22\nReviewed-By: boss 33\n",
     "'Reviewed-By: boss 33' stands where Promoted-By belongs"},
    {"Promoted-By: alice", "Promoted-By: bob", "Promoted-By says 'bob', not 'alice'"},
    {"Promoted-By: alice\n", "", "Promoted-By is missing"},
    {"Promoted-By: alice\n", "Promoted-By: alice\nSigned-off-by: me\n",
     "'Signed-off-by: me' is a line too many"},
    {"Promoted-By: alice\n", "Promoted-By: alice\n\nmore\n",
     "'more' stands where Gatehouse-Proposal belongs"},
};

TEST(PromotionTrailers, MustBeThoseOfReceiptAndRecord) {
  EXPECT_EQ(defect(kMessage), "");
  EXPECT_EQ(defect("no trailers"), "Gatehouse-Proposal is missing");
  for (const Edit& edit : kEdits) {
    std::string message(kMessage);
    message.replace(message.rfind(edit.from), std::string_view(edit.from).size(), edit.to);
    EXPECT_EQ(defect(message), edit.expected);
  }
}

struct Bend {
  const char *outer, *inner, *expected;
};
const std::vector<Bend> kBends = {
    {"kind", "", "kind of the receipt is 'x', not 'promotion'"},
    {"decision", "", "decision of the receipt is 'x', not 'allow'"},
    {"status", "", "status of the receipt is 'x', not 'promoted'"},
    {"subject", "base", "subject.base of the receipt is 'x', not 'base'"},
    {"subject", "proposal_id", "subject.proposal_id of the receipt is 'x', not 'fix-001'"},
    {"inputs", "canonical_sha256",
     "inputs.canonical_sha256 of the receipt is 'x', not 'canonical'"},
    {"inputs", "candidate_tree", "inputs.candidate_tree of the receipt is 'x', not 'tree'"},
    {"actor", "name", "actor.name of the receipt is 'x', not 'alice'"},
    {"body", "proposal_digest", "body.proposal_digest of the receipt is 'x', not 'digest'"},
    {"body", "target_ref", "body.target_ref of the receipt is 'x', not 'refs/heads/main'"},
    {"body", "author_agent", "body.author_agent of the receipt is 'x', not 'model / role'"},
};

TEST(PromotionReceipts, MustSayWhatTheRecordSays) {
  Map honest = receipt();
  honest.find("body")->as_map()->set("reviews", List());
  EXPECT_EQ(join(receipt_defects(record(), honest), "\n"), "");
  for (const Bend& bend : kBends) {
    Map bent = honest;
    if (std::string_view(bend.inner).empty())
      bent.set(bend.outer, "x");
    else
      bent.find(bend.outer)->as_map()->set(bend.inner, "x");
    EXPECT_EQ(join(receipt_defects(record(), bent), "\n"), bend.expected);
  }
}

TEST(PromotionReceipts, NameOnlyReviewsThatAreOnRecord) {
  Record kept = record();
  kept.reviews.emplace_back(Map{{"reviewer", "gemini"}});
  Map said = receipt();
  said.find("body")->as_map()->set(
      "reviews", List{Map{{"reviewer", "gemini"},
                          {"sha256", digest_of(wire::canonical_json(kept.reviews[0])).hex()}},
                      Map{{"reviewer", "codex"}, {"sha256", "22"}}});
  EXPECT_EQ(join(receipt_defects(kept, said), "\n"),
            "the receipt names a review by codex that is not on record");
}

}  // namespace
}  // namespace gh::ops
