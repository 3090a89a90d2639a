#pragma once
// The admission checks A1 to A20 (docs/reference/proposals.md) as rows over gathered facts. All
// independent checks speak; A1 to A3 stop at the first that fails.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "diff/patch.h"
#include "model/actor.h"
#include "model/object_id.h"
#include "model/proposal.h"
#include "policy/patch_policy.h"
#include "policy/proposal_policy.h"
#include "proposal/finding.h"
#include "proposal/lifecycle.h"

namespace gh::proposal {

enum class Phase : std::uint8_t { submit, promote };
enum class Decision : std::uint8_t { admit, refuse, reject, defer };
std::string_view to_string(Phase);
std::string_view to_string(Decision);

inline constexpr std::string_view kExternal = "external";  // an author without a registered key

/// Another proposal of the ledger, as far as section 8 and the cross-field rules ask.
struct Other {
  std::string patch_id, digest, canonical_sha256, base_commit, author_agent;
  std::string author_actor{kExternal};
  std::string target_ref{};
  PromotionStatus status = PromotionStatus::proposed;
  std::string sub_state{};
  std::string metadata_sha256{};  // asked of the same id alone
  bool reviewed = false;          // likewise: somebody spoke of the digest that comes now
  std::vector<std::string> depends_on{};
  std::vector<std::string> failed_inputs{};  // digests of what its failed checks looked at
};

struct BaseFacts {
  bool well_formed_for_repo = true;  // 40 or 64 digits as the repository has
  bool exists = false, is_commit = false, reachable = false;
  std::optional<Timestamp> commit_time;
};

/// 7.1, computed with git by the caller.
enum class Staleness : std::uint8_t { current, disjoint, overlap, conflict, diverged, old };
std::string_view to_string(Staleness);

struct SignatureFacts {
  bool present = false;
  std::optional<Finding> fault;       // why it does not hold
  std::optional<std::string> signer;  // registered actor whose key made it
};

struct AdmissionFacts {
  Phase phase = Phase::submit;
  const policy::ProposalPolicy& policy;
  const policy::PatchPolicy& patch_policy;  // control_files, secret_patterns
  Timestamp now;
  std::string file_stem{};       // <patch_id> of the file names; empty when not from files
  std::string real_repo_root{};  // for DENY host prefixes

  // A1
  std::optional<Finding> meta_fault{}, report_fault{};
  std::optional<ProposalMeta> meta{};
  // A3
  SignatureFacts signature{};
  // A4
  std::optional<Other> same_id{};
  std::vector<Other> same_patch{};  // other ids with the same canonical patch
  std::vector<Other> named{};       // proposals named by supersedes and depends_on
  std::string target_ref{};         // where this one wants to go
  bool already_applied = false;
  std::string digest{}, canonical_sha256{}, diff_sha256{};
  // A6 to A8
  BaseFacts base{};
  std::optional<Finding> intake_fault{};     // mail, traditional
  std::optional<Value> patch_rejection{};    // the gate's evidence
  const diff::Patch* patch = nullptr;        // canonical, when the gate accepted
  std::optional<bool> rederives{};           // nullopt: not reached
  std::optional<bool> tests_discriminate{};  // nullopt: policy does not ask
  std::optional<bool> in_intent_scope{};     // nullopt: no intent named

  // promotion
  PromotionStatus state = PromotionStatus::sandbox;
  std::optional<TrustLevel> trust_of_record{};  // what the ledger holds; nullopt: nothing yet
  bool failed_check_recorded = false;           // a rejected record names its failed check
  std::vector<Finding> record_faults{};         // where record and audit chain differ
  std::vector<Review> reviews{};
  std::vector<std::string> waivers{};  // codes waived by a reviewer with reason
  std::string gate_actor{}, asker_actor{}, author_actor{};
  bool asker_may_promote = true;
  bool confirmed_by_human = false;
  std::optional<Staleness> staleness{};
  Map staleness_details{};
  std::vector<Finding> conflicts{};  // PROP_CONFLICT, ready made
  std::vector<std::string> open_dependencies{};
  bool verify_ran = false;                 // false: A19 without a fault is not evaluated
  std::optional<Finding> verify_fault{};   // PROP_VERIFY_FAILED, PROP_VERIFY_DIRTY
  std::optional<Finding> tree_fault{};     // PROP_TREE_CHANGED
  std::optional<Finding> release_fault{};  // PROP_RELEASE_BLOCKED
};

struct CheckRow {
  std::string_view id;     // A1
  std::optional<bool> ok;  // nullopt: not evaluated
  std::optional<Finding> finding{};
};

struct Admission {
  Phase phase = Phase::submit;
  Decision decision = Decision::admit;
  std::vector<CheckRow> rows{};  // in order; one row per finding
  bool only_reviews_missing = false;
};

Admission judge(const AdmissionFacts&);

/// "A12:<sha256>" over what a check looked at. Kept with a rejection, so that a successor can show
/// that something changed (8).
std::string check_input(std::string_view check, const AdmissionFacts&);
/// check_input of every failed check, in order, each once.
std::vector<std::string> failed_inputs(const Admission&, const AdmissionFacts&);

/// gatehouse.admission/1
Map to_document(const Admission&, std::string_view patch_id, std::string_view digest,
                Timestamp created);

/// 3.2: computed, never declared.
bool is_docs_only(const diff::Patch&, const policy::ProposalPolicy&, const policy::PatchPolicy&);

/// Paths with added lines that match the policy's test patterns, sorted.
std::vector<std::string> test_paths(const diff::Patch&, const policy::ProposalPolicy&);

/// 3.3: the first prefix or pattern that makes `path` a DENY entry.
std::optional<std::string> deny_hit(std::string_view path, const policy::ProposalPolicy&,
                                    const policy::PatchPolicy&, std::string_view real_repo_root);

/// Paths of the diff, old and new side, sorted, each once.
std::vector<std::string> paths_of(const diff::Patch&);

/// 3.1: what the author may emit. `signer` is empty for an unsigned one.
TrustLevel ceiling_of(const policy::ProposalPolicy&, std::string_view signer);

/// Share of `patch`'s added lines that `other` also adds, in ten-thousandths (8, similar_to).
std::int64_t added_overlap(const diff::Patch& patch, const diff::Patch& other);

}  // namespace gh::proposal
