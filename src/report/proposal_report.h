#pragma once
// Proposals for people and programs: the Verdict of an admission, and the tables that the command
// line prints. Every text of a proposal is its author's claim and is escaped.
#include <string>
#include <string_view>
#include <vector>

#include "model/proposal.h"
#include "model/verdict.h"
#include "proposal/admission.h"
#include "proposal/lifecycle.h"
#include "report/look.h"

namespace gh::report {

struct AdmissionContext {
  std::string patch_id, base, repo_id, policy_digest, digest;
  std::string gate = "admission";
  bool dry = false;     // nothing is kept
  std::string after{};  // what comes next, when it is admitted
};

/// admit: allow; refuse, reject: deny; defer: review when only reviews or the confirmation are
/// missing, else unverified (interfaces 0.2).
Verdict admission_verdict(const proposal::Admission&, const AdmissionContext&);

std::string render_admission(const proposal::Admission&, const AdmissionContext&, const Look&);

struct ListedProposal {
  std::string patch_id, status, sub_state, trust, author, base, title;
  std::int64_t files = 0, added = 0, deleted = 0;
  std::vector<std::string> review_status;
};
std::string render_proposals(const std::vector<ListedProposal>&, std::int64_t total, const Look&);

/// A unified diff with its lines inked; control characters made visible.
std::string render_diff(std::string_view diff, const Look&);

struct ShownProposal {
  const ProposalMeta& meta;
  std::string status, sub_state, digest, base_commit, candidate_tree, target_ref, received, updated;
  std::string author_actor, promotion_commit, rollback_commit;
  std::vector<std::string> review_status, review_lines;
  std::vector<std::string> similar_to, conflicts;
  std::string ending{};  // why it was rejected
  std::int64_t revision = 1, added = 0, deleted = 0;
  bool docs_only = false;
};
std::string render_proposal(const ShownProposal&, const Look&);

}  // namespace gh::report
