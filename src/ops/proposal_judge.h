#pragma once
// Gathers the facts of an admission and lets `proposal` judge them: at submit from the submitted
// files, at promotion from the stored bytes.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "git/quarantine.h"
#include "ops/proposal_pair.h"
#include "ops/proposal_session.h"
#include "patch/outcome.h"
#include "proposal/admission.h"
#include "proposal/intake.h"

namespace gh::ops {

struct Judgement {
  proposal::Admission admission;
  std::optional<ProposalMeta> meta;
  std::string submitted, diff_sha256;
  proposal::Intake intake;
  std::string canonical, canonical_sha256, report_sha256, digest;
  std::optional<patch::Candidate> candidate;
  std::optional<git::Quarantine> quarantine;  // holds the candidate's objects
  std::string author_actor;                   // registered signer, else kExternal
  bool docs_only = false;
  std::int64_t added = 0, deleted = 0;
  std::string target_ref;
  std::optional<store::ProposalRow> same_id;
  std::vector<std::string> failed_inputs;  // what the failed checks looked at
};

/// A1 to A12.
Result<Judgement> judge_submission(ProposalSession&, Context&, const Pair&);

/// What only a promotion knows.
struct PromotionFacts {
  std::string asker;  // actor name
  bool asker_may_promote = true;
  bool confirmed_by_human = false;
  // What the queue measured together with others, when it did.
  std::optional<proposal::Finding> conflict{}, verify_fault{};
};
/// A1 to A18 and A20; A19 follows in the worktree.
struct PromotionJudgement {
  Judgement judgement;
  proposal::Staleness staleness = proposal::Staleness::current;
  Map staleness_details;
};
Result<PromotionJudgement> judge_promotion(ProposalSession&, Context&, const Stored&,
                                           const PromotionFacts&);

/// How `base` relates to the head of the target, for these paths (proposals 7.1).
struct Relation {
  proposal::Staleness staleness = proposal::Staleness::current;
  Map details;
};
Result<Relation> relation_to_head(ProposalSession&, Context&, const Stored&);

/// Does this canonical patch apply exactly on `commit`, by our own applier? The tree it gives.
Result<std::optional<ObjectId>> applies_on(ProposalSession&, std::string_view canonical,
                                           const git::Commit&);

/// The canonical patch with every hunk where it fits on `onto` in exactly one way.
Result<std::optional<std::string>> placed_on(git::Repo&, const std::string& canonical,
                                             const git::Commit& onto);

}  // namespace gh::ops
