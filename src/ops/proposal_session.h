#pragma once
// What every proposal operation stands on: the repository, the policy and the registry of actors as
// they are at the head of the target (never from the proposal), and the ledger.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/repo.h"
#include "model/actor.h"
#include "model/proposal.h"
#include "ops/operation.h"
#include "policy/config.h"
#include "policy/proposal_policy.h"
#include "proposal/admission.h"
#include "store/ledger.h"

namespace gh::ops {

struct ProposalSession {
  git::Repo repo;
  std::string target_ref;
  git::Commit head;  // of the target
  policy::Config config;
  std::string policy_sha256;
  std::unique_ptr<store::Ledger> ledger;
  std::string repo_id;
  Actor actor;  // who runs this, as authenticated

  const policy::ProposalPolicy& policy() const { return config.proposals; }
};

/// Aimed at the default target of the policy, else at the branch that HEAD is on. The ledger is the
/// one that this target's policy names, whatever a proposal aims at.
Result<ProposalSession> open_proposal_session(Context&);

/// From here on the policy and the actors are those at the head of `target_ref`, as it is now.
Status aim_at(ProposalSession&, const std::string& target_ref);
/// Both; an empty `target_ref` leaves the default target.
Result<ProposalSession> open_session_at(Context&, const std::string& target_ref);

/// Without a registry the local user holds every role.
bool holds_role(const policy::ProposalPolicy&, const Actor&, std::string_view role);
bool may_promote(const policy::ProposalPolicy&, const Actor&);  // a promoter or an admin

/// The bytes that an actor signs (proposals 9); `role` is author, reviewer or promoter.
std::string signed_payload(std::string_view digest, std::string_view repo_id, std::string_view role,
                           std::string_view created_utc);
using proposal::kExternal;
inline constexpr std::string_view kProposalNamespace = "gatehouse-proposal";
inline constexpr std::string_view kReviewNamespace = "gatehouse-review";
inline constexpr std::string_view kPromotionNamespace = "gatehouse-promotion";

/// The registered actor whose key made `armoured` and may use it at `when`; an Error says why not.
Result<const policy::RegisteredActor*> signer_among(const policy::ProposalPolicy&,
                                                    std::string_view armoured,
                                                    std::string_view message,
                                                    std::string_view name_space, Timestamp when);

/// The stored signature of the author still holds over `digest`, and was made by the actor that the
/// record names. Says what is wrong; an unsigned proposal of nobody has no defect.
/// The registry is the one handed in: a key that was taken out of it is revoked, also for what it
/// signed before. Its time is asked at `received_utc`, our clock at submission: a key that ran out
/// since was good when it was used.
/// What an author signs: where there are extension fields, these too.
std::string author_payload(const ProposalMeta&, std::string_view digest, std::string_view repo_id);
std::optional<std::string> author_signature_defect(const policy::ProposalPolicy&,
                                                   const store::ProposalRow&,
                                                   std::string_view digest,
                                                   std::string_view repo_id);

/// What a reviewer signs: the whole review without its signature, so that no word of it can be
/// changed afterwards.
std::string review_payload(const Review&, std::string_view repo_id);
/// With a registry: the words are not those that were signed, by whatever key.
bool is_tampered(const policy::ProposalPolicy&, const Review&, std::string_view repo_id);
/// With a registry: the review is signed by a key that its actor held then. Says what is wrong.
std::optional<std::string> review_signature_defect(const policy::ProposalPolicy&, const Review&,
                                                   std::string_view repo_id);

/// A stored proposal with its metadata; unknown_id when there is none.
struct Stored {
  store::ProposalRow row;
  ProposalMeta meta{};
  std::string canonical{}, report_sha256{}, author_actor{};
  std::vector<Review> reviews{};
};
Result<Stored> load_proposal(store::Ledger&, std::string_view patch_id);
/// For who needs the change and its metadata alone.
Result<Stored> load_without_reviews(store::Ledger&, std::string_view patch_id);

/// A stored proposal and a session aimed at its target. A target that is gone has no policy any
/// more; the default target's speaks then.
struct OpenProposal {
  ProposalSession session;
  Stored stored;
};
Result<OpenProposal> open_proposal(Context&, std::string_view patch_id);

/// An event of the proposal chain (proposals 10).
store::AuditEvent proposal_event(const ProposalSession&, Context&, std::string_view verb,
                                 const store::ProposalRow&, const Map& payload);

/// review_status and sub-state as the reviews of `stored` add up now, in metadata and columns.
void refresh_review_status(Stored&, const policy::ProposalPolicy&);

/// The statuses of a record written into its metadata and columns together.
void set_status(Stored&, PromotionStatus, std::string_view sub_state, std::string_view trust);

/// Human words for an actor line.
std::string branch_of(std::string_view patch_id);  // refs/heads/gatehouse/<id>

}  // namespace gh::ops
