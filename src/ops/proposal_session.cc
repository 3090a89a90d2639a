#include "ops/proposal_session.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/repo_config.h"
#include "ops/review_carry.h"
#include "proposal/lifecycle.h"
#include "proposal/meta.h"
#include "runs/ssh_signature.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

tl::unexpected<Error> damaged(std::string_view patch_id) {
  return fail(Code::ledger_unavailable,
              fmt::format("the ledger's record of proposal {} cannot be read", patch_id));
}

std::string digest_of_policies(const policy::Config& config) {
  return digest_of(wire::canonical_json(Map{{"patch", policy::to_value(config.patch)},
                                            {"proposals", policy::to_value(config.proposals)}}))
      .hex();
}

}  // namespace

Status aim_at(ProposalSession& session, const std::string& target_ref) {
  GH_TRY(target, target_at(session.repo, target_ref));
  // That branch may be anybody's: it judges what goes into it, and names no ledger and no key.
  target.config.store = std::move(session.config.store);
  session.target_ref = target_ref;
  session.head = std::move(target.head);
  session.config = std::move(target.config);
  session.policy_sha256 = digest_of_policies(session.config);
  session.repo.set_timeout(session.config.patch.git_timeout_ms);
  return {};
}

Result<ProposalSession> open_proposal_session(Context& context) {
  GH_TRY(repo, open_to_read(context));
  GH_TRY(target, usual_target(repo));
  if (target.ref == "HEAD") {
    GH_TRY(branch, repo.head_ref());
    if (!branch.empty()) target.ref = branch;
  }
  policy::Config& config = target.config;
  GH_DO(repo.check_owners(config.patch.trusted_owners, context.env));
  GH_DO(repo.check_version(config.patch.git_allow_old));
  repo.set_timeout(config.patch.git_timeout_ms);
  GH_TRY(ledger, open_ledger(repo, context.env));
  std::string repo_id = repository_id(repo);
  const std::string digest = digest_of_policies(config);
  return ProposalSession{.repo = std::move(repo),
                         .target_ref = std::move(target.ref),
                         .head = std::move(target.head),
                         .config = std::move(target.config),
                         .policy_sha256 = digest,
                         .ledger = std::move(ledger),
                         .repo_id = std::move(repo_id),
                         .actor = actor_of(context)};
}

Result<ProposalSession> open_session_at(Context& context, const std::string& target_ref) {
  GH_TRY(session, open_proposal_session(context));
  if (!target_ref.empty()) GH_DO(aim_at(session, target_ref));
  return std::move(session);
}

bool holds_role(const policy::ProposalPolicy& policy, const Actor& actor, std::string_view role) {
  if (policy.actors.empty()) return gh::holds_role(actor, role);
  const auto* known = policy::find_actor(policy, actor.name);
  return known != nullptr && std::ranges::find(known->roles, role) != known->roles.end();
}

bool may_promote(const policy::ProposalPolicy& policy, const Actor& actor) {
  return holds_role(policy, actor, "promoter") || holds_role(policy, actor, "admin");
}

std::string signed_payload(std::string_view digest, std::string_view repo_id, std::string_view role,
                           std::string_view created_utc) {
  return fmt::format("sha256:{}\n{}\n{}\n{}\n", digest, repo_id, role, created_utc);
}

Result<const policy::RegisteredActor*> signer_among(const policy::ProposalPolicy& policy,
                                                    std::string_view armoured,
                                                    std::string_view message,
                                                    std::string_view name_space, Timestamp when) {
  GH_TRY(line, runs::signer_of(armoured, message, name_space));
  for (const policy::RegisteredActor& actor : policy.actors)
    for (const policy::ActorKey& key : actor.keys) {
      if (key.line != line) continue;
      if ((key.valid_after && when < *key.valid_after) ||
          (key.valid_before && !(when < *key.valid_before)))
        return fail(Code::signature_invalid,
                    fmt::format("the key of {} is not valid at {}", actor.name, to_string(when)));
      return &actor;
    }
  return fail(Code::signature_invalid, "the signature was made by a key that is not registered");
}

std::string author_payload(const ProposalMeta& meta, std::string_view digest,
                           std::string_view repo_id) {
  std::string payload = signed_payload(digest, repo_id, "author", meta.created_utc);
  if (proposal::has_extensions(meta))
    payload += fmt::format("metadata sha256:{}\n", proposal::metadata_digest(meta));
  return payload;
}

std::optional<std::string> author_signature_defect(const policy::ProposalPolicy& policy,
                                                   const store::ProposalRow& row,
                                                   std::string_view digest,
                                                   std::string_view repo_id) {
  const std::string signature = text_in(row.body, "signature");
  if (signature.empty()) {
    if (row.actor == kExternal) return std::nullopt;
    return fmt::format("'{}' is said to have signed it, and there is no signature",
                       printable(row.actor, 60));
  }
  const auto when = parse_timestamp(row.received_utc);
  if (!when) return "the time of its submission cannot be read";
  const Map* body = row.body.as_map();
  const Value* kept = body == nullptr ? nullptr : body->find("meta");
  auto meta = kept == nullptr ? Result<ProposalMeta>(fail(Code::json_invalid, ""))
                              : proposal::meta_from_document(*kept);
  if (!meta) return "its metadata cannot be read";
  meta->created_utc = row.created_utc;
  const auto signer = signer_among(policy, signature, author_payload(*meta, digest, repo_id),
                                   kProposalNamespace, *when);
  if (!signer) return signer.error().message;
  if ((*signer)->name != row.actor) return "it is signed by another actor than the record names";
  return std::nullopt;
}

std::string review_payload(const Review& review, std::string_view repo_id) {
  Review bare = review;
  bare.signature.clear();
  return signed_payload(digest_of(wire::canonical_json(proposal::to_document(bare))).hex(), repo_id,
                        "reviewer", review.created_utc);
}

bool is_tampered(const policy::ProposalPolicy& policy, const Review& review,
                 std::string_view repo_id) {
  return !policy.actors.empty() &&
         !runs::signer_of(review.signature, review_payload(review, repo_id), kReviewNamespace);
}

std::optional<std::string> review_signature_defect(const policy::ProposalPolicy& policy,
                                                   const Review& review, std::string_view repo_id) {
  if (policy.actors.empty()) return std::nullopt;
  if (!proposal::may_speak_as(policy, review.actor, review.reviewer))
    return fmt::format("'{}' spoke as '{}'", printable(review.actor, 60),
                       printable(review.reviewer, 60));
  const auto when = parse_timestamp(review.created_utc);
  if (!when) return "its time cannot be read";
  const auto signer = signer_among(policy, review.signature, review_payload(review, repo_id),
                                   kReviewNamespace, *when);
  if (!signer) return signer.error().message;
  if ((*signer)->name != review.actor) return "it is signed by somebody else";
  return std::nullopt;
}

Result<OpenProposal> open_proposal(Context& context, std::string_view patch_id) {
  GH_TRY(session, open_proposal_session(context));
  GH_TRY(stored, load_proposal(*session.ledger, patch_id));
  if (session.repo.objects().commit(stored.row.target_ref))
    GH_DO(aim_at(session, stored.row.target_ref));
  return OpenProposal{std::move(session), std::move(stored)};
}

Result<Stored> load_without_reviews(store::Ledger& ledger, std::string_view patch_id) {
  GH_TRY(found, ledger.proposal(patch_id));
  if (!found)
    return fail(Code::unknown_id,
                fmt::format("there is no proposal '{}'", printable(patch_id, 120)));
  Stored stored{.row = std::move(*found)};
  const Map* body = stored.row.body.as_map();
  const Value* meta = body == nullptr ? nullptr : body->find("meta");
  if (meta == nullptr) return damaged(patch_id);
  auto read = proposal::meta_from_document(*meta);
  if (!read) return damaged(patch_id);
  stored.meta = std::move(*read);
  stored.report_sha256 = text_in(*body, "report_sha256");
  stored.author_actor = stored.row.actor;
  GH_TRY(canonical, ledger.blob(stored.row.canonical_sha256));
  if (!canonical || digest_of(*canonical).hex() != stored.row.canonical_sha256)
    return damaged(patch_id);
  stored.canonical = std::move(*canonical);
  return stored;
}

Result<Stored> load_proposal(store::Ledger& ledger, std::string_view patch_id) {
  GH_TRY(stored, load_without_reviews(ledger, patch_id));
  GH_TRY(carried, carried_reviews(ledger, stored));
  stored.reviews = std::move(carried);  // older than any of its own
  GH_TRY(rows, ledger.reviews(patch_id));
  for (const store::ReviewRow& row : rows) {
    GH_TRY(document, ledger.document(row.sha256));
    auto review = document ? proposal::review_from_document(*document)
                           : Result<Review>(fail(Code::ledger_unavailable, ""));
    if (!review) return damaged(patch_id);
    stored.reviews.push_back(std::move(*review));
  }
  return std::move(stored);
}

void refresh_review_status(Stored& stored, const policy::ProposalPolicy& policy) {
  const auto summary = proposal::summarise(stored.reviews, policy, stored.row.digest);
  stored.meta.review_status =
      stored.meta.schema.empty() ? std::vector<std::string>{summary.plain_status} : summary.status;
  stored.row.sub_state = summary.sub_state;
  Map& body = *stored.row.body.as_map();
  body.set("review_status", string_list(summary.status));
  body.set("meta", proposal::to_document(stored.meta));
}

store::AuditEvent proposal_event(const ProposalSession& session, Context& context,
                                 std::string_view verb, const store::ProposalRow& row,
                                 const Map& payload) {
  Map whole{{"patch_id", row.patch_id}, {"proposal_digest", row.digest}};
  for (const auto& [key, value] : payload.entries())
    whole.set(key, value);
  return {.ts = context.env.now(),
          .event = fmt::format("proposal.{}", verb),
          .severity = verb == "refused" || verb == "rejected" ? "warn" : "info",
          .actor = to_value(session.actor),
          .surface = context.surface,
          .subject = Map{{"proposal_id", row.patch_id}},
          .payload = std::move(whole)};
}

void set_status(Stored& stored, PromotionStatus status, std::string_view sub_state,
                std::string_view trust) {
  stored.meta.promotion_status = to_string(status);
  stored.meta.trust_level = trust;
  stored.row.promotion_status = to_string(status);
  stored.row.sub_state = sub_state;
  stored.row.trust_level = trust;
  stored.row.body.as_map()->set("meta", proposal::to_document(stored.meta));
}

std::string branch_of(std::string_view patch_id) {
  return fmt::format("refs/heads/gatehouse/{}", patch_id);
}

}  // namespace gh::ops
