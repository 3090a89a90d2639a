// `claim check`: does a review text say more than the run shows?
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "control/claims.h"
#include "ops/change_ops.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/change_verify.h"
#include "ops/committed_baseline.h"
#include "ops/run_text.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxTextBytes = 1u << 20;

Result<std::optional<std::int64_t>> health_delta(const Request& request) {
  if (!request.has("health-delta")) return std::nullopt;
  std::string text = request.text("health-delta");
  if (text.starts_with('+')) text.erase(0, 1);
  std::int64_t out = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (fault != std::errc{} || end != text.data() + text.size())
    return fail(Code::bad_argument, "--health-delta takes a whole number, e.g. -2");
  return out;
}

}  // namespace

Result<Reply> check_claims(const Request& request, Context& context) {
  const std::string from = request.text("FILE");
  auto text =
      from == "-" ? context.read_input(kMaxTextBytes) : sys::read_named_file(from, kMaxTextBytes);
  if (!text) return tl::make_unexpected(std::move(text).error());
  GH_DO(control::check_claim_text(*text));
  GH_TRY(delta, health_delta(request));
  GH_TRY(session, open_change_session(request, context));
  GH_TRY(run, needed_run(session, request.text("run")));
  GH_TRY(report, run.extract.whole());
  GH_TRY(runs, session.ledger->analysis_runs({.root = run.row.root, .limit = 2}));
  const std::vector<std::string> changed = recorded_changes(run.row);
  std::optional<bool> is_structural;
  if (!changed.empty()) {
    GH_TRY(profile, profile_for(session, changed));
    is_structural = profile.structural;
  }
  GH_TRY(baseline, baseline_of_change(session, nullptr));
  const control::ClaimAnswer answer =
      control::check_claims(*text, {.run_id = run.id(),
                                    .findings = control::cited_findings(report, known_by(baseline)),
                                    .comparison_run_available = runs.size() > 1,
                                    .require_citations = request.flag("require-citations"),
                                    .patch_health_delta = delta,
                                    .is_structural = is_structural});
  GH_DO(session.ledger->append(audit_event(session, context,
                                           {.event = answer.valid() ? "claim_validation.completed"
                                                                    : "claim_validation.violated",
                                            .severity = answer.valid() ? "info" : "warn",
                                            .run_id = run.id(),
                                            .status = answer.valid() ? "valid" : "violated"}),
                               store::Durability::soft));
  Map document = control::document(answer);
  std::vector<std::string> codes;
  for (const control::ClaimViolation& violation : answer.violations)
    codes.push_back(violation.pattern);
  document.set(
      "verdict",
      change_verdict(session, context,
                     {.gate = "structure",
                      .status = answer.valid() ? "valid" : "invalid",
                      .codes = codes,
                      .message = answer.valid() ? "the text claims no more than the run shows"
                                                : "the text claims more than the run shows"}));
  Reply reply;
  reply.document = framed("gatehouse.claims/1", std::move(document));
  reply.exit = answer.valid() ? ExitCode::done : ExitCode::denied;
  if (!answer.valid())
    reply.why =
        fmt::format("{} not borne out by the run", counted_text(answer.violations.size(), "claim"));
  reply.text = [copy = reply.document](const report::Look& look) {
    return claims_text(copy, look);
  };
  return reply;
}

}  // namespace gh::ops
