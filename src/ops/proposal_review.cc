// `proposal review`, `proposal withdraw` and `proposal reject`.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/members.h"
#include "ops/promotion_plan.h"
#include "ops/promotion_queue.h"
#include "ops/proposal_ops.h"
#include "ops/proposal_record.h"
#include "ops/speaker.h"
#include "proposal/lifecycle.h"
#include "proposal/meta.h"
#include "proposal/waivers.h"
#include "runs/ssh_signature.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using proposal::Asker;
using proposal::Finding;

/// "CODE:TEXT", or "CODE:FILE:LINE:TEXT".
Result<ReviewReason> read_reason(const std::string& text) {
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts[0].empty())
    return fail(Code::bad_argument,
                fmt::format("--reason wants CODE:TEXT, not '{}'", printable(text, 120)));
  ReviewReason reason{.code = std::string(parts[0])};
  std::int64_t line = 0;
  const bool has_place = parts.size() >= 4 && !parts[2].empty() &&
                         parts[2].find_first_not_of("0123456789") == std::string_view::npos;
  if (has_place) {
    line = std::strtoll(std::string(parts[2]).c_str(), nullptr, 10);
    reason.file = parts[1];
    reason.line = line;
    reason.text = text.substr(parts[0].size() + parts[1].size() + parts[2].size() + 3);
  } else {
    reason.text = text.substr(parts[0].size() + 1);
  }
  return reason;
}

/// Two verdicts of one reviewer never carry the same second: the later one counts.
Timestamp after_the_last(const Stored& stored, std::string_view reviewer, Context& context) {
  Timestamp now = context.env.now();
  for (const Review& review : stored.reviews)
    if (const auto at = parse_timestamp(review.created_utc); at && review.reviewer == reviewer)
      now = std::max(now, Timestamp{at->seconds + 1});
  return now;
}

PromotionStatus state_of(const Stored& stored) {
  return promotion_status_of(stored.row.promotion_status).value_or(PromotionStatus::rejected);
}

/// What is left to do with a proposal that is not open.
std::string what_is_left(const Stored& stored) {
  const std::string& id = stored.row.patch_id;
  switch (state_of(stored)) {
    case PromotionStatus::sandbox:
      return "It was refused and is not open: submit it again, repaired, or leave it.";
    case PromotionStatus::promoted:
      return fmt::format("'gatehouse proposal rollback {} --reason TEXT' undoes a promotion.", id);
    case PromotionStatus::rejected:
      return fmt::format("It is decided; a changed proposal may name it: 'supersedes: [{}]'.", id);
    case PromotionStatus::proposed:
      break;
  }
  return {};
}

Finding state_invalid(const Stored& stored, std::string_view what) {
  return {
      .code = proposal::PropCode::PROP_STATE_INVALID,
      .message = fmt::format(
          "{} is {}; {} is not possible", stored.row.patch_id,
          stored.row.sub_state.empty() ? stored.row.promotion_status : stored.row.sub_state, what),
      .next = what_is_left(stored)};
}

Result<Reply> confirm(ProposalSession& session, Context& context, Stored stored, const Actor& who) {
  const policy::ProposalPolicy& policy = session.policy();
  const auto* known = policy::find_actor(policy, who.name);
  const bool human = policy.actors.empty() ? session.actor.kind == "human"
                                           : known != nullptr && known->kind == "human" &&
                                                 holds_role(policy, who, "reviewer");
  const bool trusted = who.name == policy.trust_reviewer;
  const Asker asker = trusted ? Asker::trust_reviewer
                      : human ? Asker::human_reviewer
                              : Asker::other_agent;
  const auto step = proposal::transition(state_of(stored), proposal::Event::confirm, asker);
  if (!step)
    return status_reply(stored, {state_invalid(stored, "a confirmation by this actor")}, "");
  if (who.name == stored.author_actor)
    return status_reply(
        stored,
        {{proposal::PropCode::REVIEW_NOT_INDEPENDENT, "nobody confirms a proposal of their own"}},
        "");
  const auto summary = proposal::summarise(stored.reviews, policy, stored.row.digest);
  if (!summary.all_ok)
    return status_reply(
        stored,
        {{proposal::PropCode::PROP_REVIEW_PENDING, "the required reviews are not all ok yet"}}, "");
  const std::string from = stored.row.trust_level;
  stored.row.updated_utc = to_string(context.env.now());
  set_status(stored, step->to, stored.row.sub_state, "reviewed");
  store::Change change;
  change.proposal = stored.row;
  change.events.push_back(
      proposal_event(session, context, "reviewed", stored.row,
                     Map{{"confirmed_by", who.name}, {"from", from}, {"to", "reviewed"}}));
  GH_DO(record(session, context, change, stored.row.patch_id));
  return status_reply(stored, {},
                      fmt::format("{}: trust level is now reviewed", stored.row.patch_id));
}

/// Codes of the checks that the last submission failed.
Result<std::vector<std::string>> failed_codes(store::Ledger& ledger, const std::string& patch_id) {
  GH_TRY(rows, ledger.admissions(patch_id));
  std::vector<std::string> out;
  const List* checks = rows.empty() ? nullptr : rows.back().checks.as_list();
  if (checks == nullptr) return out;
  for (const Value& check : *checks)
    if (std::string code = text_in(check, "code"); !code.empty()) out.push_back(std::move(code));
  return out;
}

/// A sandbox has no status to change: it is the author who submits again.
void note_reviews_of_refused(Stored& stored, const policy::ProposalPolicy& policy) {
  const auto summary = proposal::summarise(stored.reviews, policy, stored.row.digest);
  stored.row.body.as_map()->set("review_status", string_list(summary.status));
}

Status write_review_file(const Request& request, const Review& review) {
  if (!request.has("out")) return {};
  const std::string file =
      fmt::format("{}/{}.review.{}.yaml", request.text("out"), review.patch_id, review.reviewer);
  return sys::write_file_atomic(file, proposal::print_review(review));
}

/// Between the moving of a ref and its record nobody else has a word.
Status refuse_while_landing(const Stored& stored) {
  if (!pending_plan(stored.row)) return {};
  return fail(Code::lock_busy,
              fmt::format("{} is being promoted, or was when somebody was interrupted; "
                          "'gatehouse proposal recover' settles it",
                          stored.row.patch_id));
}

struct Ending {
  proposal::Event event;
  Asker rightful;           // the one whom the table lets
  std::string who_that_is;  // in words
  std::string_view sub_state, verb, doing;
  std::string next{};  // for somebody else
};

/// Ends a proposal on somebody's word; the promotion gate writes it, the event names both.
Result<Reply> end_proposal(ProposalSession& session, Context& context, Stored stored,
                           const Ending& ending, bool is_rightful, const ReviewReason& reason) {
  GH_DO(refuse_while_landing(stored));
  const auto step = proposal::transition(state_of(stored), ending.event,
                                         is_rightful ? ending.rightful : Asker::other_agent);
  if (!step && proposal::transition(state_of(stored), ending.event, ending.rightful))
    return status_reply(
        stored,
        {{.code = proposal::PropCode::PROP_STATE_INVALID,
          .message = fmt::format("{} asks, and only {} may", printable(session.actor.name, 100),
                                 ending.who_that_is),
          .next = ending.next}},
        "");
  if (!step) return status_reply(stored, {state_invalid(stored, ending.doing)}, "");
  const std::string from = stored.row.promotion_status;
  stored.row.updated_utc = to_string(context.env.now());
  set_status(stored, step->to, ending.sub_state, stored.row.trust_level);
  store::Change change;
  change.proposal = stored.row;
  GH_TRY(measured, measured_conflicts(*session.ledger, stored.row.patch_id));
  change.conflicts_of = {stored.row.patch_id, std::move(measured)};
  change.events.push_back(proposal_event(
      session, context, ending.verb, stored.row,
      Map{{"from", from},
          {"to", stored.row.promotion_status},
          {"reason", Map{{"code", reason.code}, {"text", printable(reason.text, 2000)}}},
          {"asked_by", session.actor.name},
          {"gate", session.policy().promotion_gate}}));
  GH_DO(record(session, context, change, stored.row.patch_id));
  return status_reply(stored, {}, fmt::format("{} is {}", stored.row.patch_id, ending.verb));
}

}  // namespace

Result<Reply> proposal_review(const Request& request, Context& context) {
  if (!request.has("as")) return fail(Code::missing_argument, "say who reviews with --as NAME");
  if (request.flag("confirm") == request.has("verdict"))
    return fail(Code::missing_argument, "give --verdict ok or --verdict changes, or --confirm");
  GH_TRY(opened, open_proposal(context, request.text("ID")));
  ProposalSession& session = opened.session;
  Stored& stored = opened.stored;
  GH_TRY(key, named_key(request));
  GH_TRY(who, speaker(session, request.text("as"), key, context.env.now()));
  session.actor = who;
  GH_DO(refuse_while_landing(stored));
  if (!key && !session.policy().actors.empty() && !request.flag("confirm"))
    return fail(Code::not_permitted, "where actors are registered a review is signed: --key FILE");
  if (request.flag("confirm")) return confirm(session, context, std::move(stored), who);
  Review review{
      .patch_id = stored.row.patch_id,
      .proposal_digest = request.has("digest") ? request.text("digest") : stored.row.digest,
      .base_commit = stored.row.base_commit,
      .candidate_tree = stored.row.candidate_tree,
      .reviewer = request.text("as"),
      .actor = who.name,
      .verdict = request.text("verdict") == "ok" ? ReviewVerdict::ok : ReviewVerdict::changes,
      .checked = request.list("checked"),
      .tool = fmt::format("{} {}", kProduct, kVersion),
      .created_utc = to_string(after_the_last(stored, request.text("as"), context))};
  for (const std::string& text : request.list("reason")) {
    GH_TRY(reason, read_reason(text));
    review.reasons.push_back(std::move(reason));
  }
  if (review.verdict == ReviewVerdict::changes && review.reasons.empty())
    return fail(Code::missing_argument, "--verdict changes needs at least one --reason CODE:TEXT");
  for (const std::string& text : request.list("waive")) {
    if (review.verdict != ReviewVerdict::ok)
      return fail(Code::bad_argument, "--waive goes with --verdict ok");
    GH_TRY(waiver, proposal::read_waiver(text));
    review.reasons.push_back(std::move(waiver));
  }
  if (key) {
    GH_TRY(signature, key->sign(review_payload(review, session.repo_id), kReviewNamespace));
    review.signature = signature;
  }
  const bool refused = stored.row.promotion_status == "sandbox";
  GH_TRY(failed, refused ? failed_codes(*session.ledger, stored.row.patch_id)
                         : Result<std::vector<std::string>>({}));
  const auto findings = proposal::review_findings(
      {.review = review,
       .policy = session.policy(),
       .earlier = stored.reviews,
       .state = state_of(stored),
       .current_digest = stored.row.digest,
       .author_actor = stored.author_actor,
       .author_agent = stored.row.author_agent,
       .lifts_refusal = proposal::lift_refusal(proposal::waived_codes({review}), failed)});
  if (!findings.empty()) return status_reply(stored, findings, "");
  const Map document = proposal::to_document(review);
  const std::string sha256 = digest_of(wire::canonical_json(document)).hex();
  stored.reviews.push_back(review);
  stored.row.updated_utc = review.created_utc;
  if (refused) {
    note_reviews_of_refused(stored, session.policy());
  } else {
    refresh_review_status(stored, session.policy());
  }
  List reasons;
  for (const ReviewReason& r : review.reasons)
    reasons.emplace_back(
        Map{{"code", r.code}, {"file", r.file}, {"line", r.line}, {"text", r.text}});
  store::Change change;
  change.document = store::Document{sha256, "review", document};
  change.proposal = stored.row;
  change.reviews.push_back({.patch_id = review.patch_id,
                            .reviewer = review.reviewer,
                            .actor = review.actor,
                            .digest = review.proposal_digest,
                            .verdict = std::string(to_string(review.verdict)),
                            .reasons = std::move(reasons),
                            .created_utc = review.created_utc,
                            .sha256 = sha256});
  change.events.push_back(proposal_event(session, context, "reviewed", stored.row,
                                         Map{{"reviewer", review.reviewer},
                                             {"verdict", to_string(review.verdict)},
                                             {"evidence", string_list({sha256})}}));
  GH_DO(record(session, context, change, stored.row.patch_id));
  GH_DO(write_review_file(request, review));
  return status_reply(
      stored, {},
      fmt::format("{}: {} says {}; {}{}", stored.row.patch_id, review.reviewer,
                  to_string(review.verdict), stored.row.sub_state,
                  stored.row.sub_state == "approved"
                      ? fmt::format("\n  next: gatehouse proposal promote {}", stored.row.patch_id)
                  : refused ? "\n  next: its author submits the same bytes again"
                            : ""));
}

Result<Reply> proposal_withdraw(const Request& request, Context& context) {
  GH_TRY(opened, open_proposal(context, request.text("ID")));
  ProposalSession& session = opened.session;
  Stored& stored = opened.stored;
  GH_TRY(asker, asker_of(session, request, context));
  session.actor = std::move(asker);
  // Without a registry the local user is everybody; who has a token is somebody.
  const bool is_anybody = session.policy().actors.empty() && session.actor.via != "token";
  const bool own = is_anybody || session.actor.name == stored.author_actor;
  const Ending ending{
      .event = proposal::Event::withdraw,
      .rightful = Asker::author_agent,
      .who_that_is = "its author, " + printable(stored.author_actor, 100) + ",",
      .sub_state = "withdrawn",
      .verb = "withdrawn",
      .doing = "withdrawing it",
      .next = stored.author_actor == kExternal
                  ? fmt::format("It was not signed, so its author cannot be told; a "
                                "promoter can end it: 'gatehouse proposal reject {} "
                                "--reason CODE:TEXT'.",
                                stored.row.patch_id)
                  : "Sign with a key of its author: --key FILE."};
  return end_proposal(session, context, std::move(stored), ending, own,
                      {.code = "withdrawn", .text = request.text("reason")});
}

Result<Reply> proposal_reject(const Request& request, Context& context) {
  if (!request.has("reason"))
    return fail(Code::missing_argument, "a rejection needs --reason CODE:TEXT");
  GH_TRY(reason, read_reason(request.text("reason")));
  GH_TRY(opened, open_proposal(context, request.text("ID")));
  ProposalSession& session = opened.session;
  Stored& stored = opened.stored;
  GH_TRY(asker, asker_of(session, request, context));
  session.actor = std::move(asker);
  const bool may = may_promote(session.policy(), session.actor);
  const Ending ending{.event = proposal::Event::operator_reject,
                      .rightful = Asker::promoter,
                      .who_that_is = "a promoter or an admin",
                      .sub_state = "",
                      .verb = "rejected",
                      .doing = "rejecting it",
                      .next = "Ask one of them, or sign with a key of theirs: --key FILE."};
  return end_proposal(session, context, std::move(stored), ending, may, reason);
}

}  // namespace gh::ops
