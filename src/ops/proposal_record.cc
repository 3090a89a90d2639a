#include "ops/proposal_record.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "ops/proposal_mirror.h"
#include "report/proposal_report.h"
#include "report/verdict_document.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

std::string what_it_waits_for(const policy::ProposalPolicy& policy) {
  return policy.required_reviewers.empty()
             ? std::string()
             : "it waits for reviews by " + join(policy.required_reviewers, ", ");
}

}  // namespace

store::Document admission_record(const proposal::Admission& admission, std::string_view patch_id,
                                 std::string_view digest, Timestamp now) {
  Map document = proposal::to_document(admission, patch_id, digest, now);
  std::string id = digest_of(wire::canonical_json(document)).hex();
  return {std::move(id), "admission", std::move(document)};
}

store::AdmissionRow admission_row(const proposal::Admission& admission,
                                  const store::Document& document, std::string_view patch_id,
                                  Timestamp now) {
  const Value* checks = document.body.as_map()->find("checks");
  return {.id = document.digest,
          .patch_id = std::string(patch_id),
          .phase = std::string(to_string(admission.phase)),
          .decision = std::string(to_string(admission.decision)),
          .checks = checks == nullptr ? Value(List()) : *checks,
          .created_utc = to_string(now)};
}

Status record(ProposalSession& session, Context& context, const store::Change& change,
              std::string_view patch_id) {
  GH_DO(session.ledger->commit(change, store::Durability::durable));
  if (!session.policy().mirror) return {};
  std::vector<std::string> ids;
  if (!patch_id.empty()) ids.emplace_back(patch_id);
  for (const store::ProposalRow& row : change.more_proposals)
    ids.push_back(row.patch_id);
  if (const Status done = mirror(session, context, ids); !done)
    context.notice(
        fmt::format("the copy in refs/gatehouse could not be written ({}); "
                    "'gatehouse proposal export' makes it good",
                    done.error().message));
  return {};
}

Reply status_reply(const Stored& stored, const std::vector<proposal::Finding>& findings,
                   const std::string& says) {
  List reasons;
  std::string text;
  for (const proposal::Finding& f : findings) {
    reasons.emplace_back(
        Map{{"code", to_string(f.code)}, {"message", f.message}, {"next", next_step(f)}});
    text += fmt::format("{}: {}\n  next: {}\n", to_string(f.code), printable(f.message, 400),
                        next_step(f));
  }
  Reply reply;
  const Map* body = stored.row.body.as_map();
  const Value* review_status = body == nullptr ? nullptr : body->find("review_status");
  reply.document = Map{{"schema", "gatehouse.proposal_status/1"},
                       {"patch_id", stored.row.patch_id},
                       {"proposal_digest", stored.row.digest},
                       {"promotion_status", stored.row.promotion_status},
                       {"sub_state", stored.row.sub_state},
                       {"trust_level", stored.row.trust_level},
                       {"review_status", review_status == nullptr ? Value() : *review_status},
                       {"ok", findings.empty()},
                       {"reasons", std::move(reasons)}};
  reply.text = [text, says, good = findings.empty()](const report::Look&) {
    return good ? says + "\n" : text;
  };
  if (!findings.empty()) {
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("{}: {}", to_string(findings.front().code),
                            printable(findings.front().message, 200));
  }
  return reply;
}

ExitCode promotion_exit(gh::Decision decision, bool exit_review) {
  return decision == gh::Decision::review && !exit_review
             ? ExitCode::denied
             : exit_code(decision, {}, {.exit_review = exit_review});
}

Reply admission_reply(const ProposalSession& session, const Context& context,
                      const proposal::Admission& admission, const store::Document& document,
                      const Judgement& judged, bool exit_review, Kept kept) {
  const bool waits = kept == Kept::yes && admission.phase == proposal::Phase::submit;
  const report::AdmissionContext about{.patch_id = judged.meta ? judged.meta->patch_id : "",
                                       .base = judged.meta ? judged.meta->base_commit : "",
                                       .repo_id = session.repo_id,
                                       .policy_digest = session.policy_sha256,
                                       .digest = judged.digest,
                                       .dry = kept == Kept::no,
                                       .after = waits ? what_it_waits_for(session.policy()) : ""};
  const Verdict verdict = report::admission_verdict(admission, about);
  Reply reply;
  reply.exit = promotion_exit(verdict.decision, exit_review);
  if (reply.exit != ExitCode::done) reply.why = report::why_not_allowed(verdict);
  if (context.wants_document) {
    Map whole = *document.body.as_map();
    whole.set("verdict", report::verdict_document(verdict));
    reply.document = std::move(whole);
  }
  reply.text = [admission, about](const report::Look& look) {
    return report::render_admission(admission, about, look);
  };
  return reply;
}

}  // namespace gh::ops
