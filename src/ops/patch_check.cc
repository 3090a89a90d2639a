// `patch check`: steps 0 to 5. Without a run it is a question that joins no run; with one it is a
// submission. `--batch` keeps no folders and no ledger rows, only its result lines.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/patch_ops.h"
#include "ops/patch_submit.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

/// A check that names no run: a refusal keeps its bytes and documents in a folder of its own.
Status answer_question(PatchSession& session, const Request& request, std::string_view bytes,
                       PatchAnswer& answer, Context& context) {
  GH_TRY(quarantine, session.repo.quarantine());
  session.repo.expect_no_objects_after_checks();
  answer.outcome = patch::judge(
      bytes, {session.repo, quarantine, session.base.id, session.base.tree, session.policy},
      {.profile = session.profile});
  answer.outcome.repo = session.facts();
  answer.outcome.notes.insert(answer.outcome.notes.end(), session.notes.begin(),
                              session.notes.end());
  if (answer.outcome.error) return {};
  return file_question(session, request, bytes, answer, context);
}

Status answer_submission(PatchSession& session, const Request& request, std::string_view bytes,
                         PatchAnswer& answer, Context& context) {
  GH_TRY(submission, enter(session, request, bytes, context));
  answer.outcome = judge_submission(submission);
  if (answer.outcome.error) return {};
  return answer.outcome.ok() ? file_acceptance(submission, answer)
                             : file_refusal(submission, answer);
}

std::string batch_line(const std::string& file, const patch::Outcome& outcome) {
  const Value rule = outcome.error ? Value(to_string(outcome.error->code))
                     : outcome.violations.empty()
                         ? Value()
                         : Value(to_string(outcome.violations.front().rule));
  return wire::canonical_json(Map{{"file", utf8_or_escaped(file)},
                                  {"ok", outcome.ok()},
                                  {"stage", report::patch_stage(outcome)},
                                  {"code", report::patch_code(outcome)},
                                  {"rule", rule}}) +
         "\n";
}

Result<Reply> check_batch(const Request& request, Context& context) {
  const std::string folder = request.text("batch");
  auto files = sys::list_folder(folder);
  if (!files)
    return fail(Code::patch_missing,
                fmt::format("cannot list {}: {}", folder, files.error().message));
  GH_TRY(session, open_patch_session(request, context));
  session.repo.expect_checks(static_cast<std::int64_t>(files->size()));
  GH_TRY(quarantine, session.repo.quarantine());
  const patch::GateBase base{session.repo, quarantine, session.base.id, session.base.tree,
                             session.policy};
  std::int64_t refused = 0, judged = 0;
  std::optional<Code> fault;
  for (const std::string& file : *files) {
    if (context.interrupted()) break;
    const std::string path = folder + "/" + file;
    if (sys::info_follow(path).kind == sys::FileKind::folder) continue;
    patch::Outcome outcome;
    if (const auto bytes = read_submission(path, context)) {
      outcome = patch::judge(*bytes, base, {.profile = session.profile});
    } else {
      outcome.error = bytes.error();
    }
    ++judged;
    if (outcome.error && !fault) fault = outcome.error->code;
    if (!outcome.error && !outcome.ok()) ++refused;
    GH_DO(context.stream(batch_line(file, outcome)));
  }
  Reply reply;
  const Decision decision = refused > 0 ? Decision::deny
                            : fault     ? Decision::unverified
                                        : Decision::allow;
  reply.exit = exit_code(decision, fault);
  if (reply.exit != ExitCode::done)
    reply.why = refused > 0 ? fmt::format("{} of {} patches refused", refused, judged)
                            : fmt::format("{} while checking the folder", to_string(*fault));
  return reply;
}

}  // namespace

Status file_question(PatchSession& session, const Request& request, std::string_view bytes,
                     PatchAnswer& answer, Context& context) {
  if (answer.outcome.ok()) {
    audit_checked(session, report::patch_document(answer.outcome, answer.document), context);
    return {};
  }
  const runs::Submitter who = submitter_of(session, request, context);
  const runs::PatchRun run = runs::new_run(who, context.env);
  GH_TRY(folder, runs::RunFolder::open_or_create(run.folder, context.env));
  GH_DO(folder.keep_submission(bytes));
  answer.document.run_id = run.state.run_id;
  answer.run_folder = folder.path();
  const Map document = report::patch_document(answer.outcome, answer.document);
  const auto ledger = open_ledger(session.repo, context.env);
  return runs::record_question(ledger ? ledger->get() : nullptr, folder, run, who,
                               {.outcome = answer.outcome,
                                .document = document,
                                .submission = bytes,
                                .policy_sha256 = session.policy_sha256},
                               context.env);
}

Result<Reply> patch_check(const Request& request, Context& context) {
  if (request.has("batch")) return check_batch(request, context);
  PatchAnswer answer{.name = request.text("FILE"),
                     .started = context.env.now(),
                     .started_ms = context.env.monotonic_ms()};
  answer.document.created_utc = to_string(answer.started);
  if (answer.name.empty())
    return fail(Code::missing_argument, "patch check needs FILE, '-' or --batch DIR");
  auto bytes = read_submission(answer.name, context);
  const auto fault = [&](Error error) {
    answer.outcome.error = std::move(error);
    return make_reply(std::move(answer), bytes.value_or(std::string()), context);
  };
  if (!bytes) return fault(bytes.error());
  auto session = open_patch_session(request, context);
  if (!session)
    return report::is_patch_fault(session.error().code) ? Result<Reply>(fault(session.error()))
                                                        : tl::make_unexpected(session.error());
  answer.document = document_context(*session, answer.started);
  answer.repo_id = session->repo_id;
  answer.head = session->head;
  context.progress("judging the patch");
  Status done = check_expected(request, *session, *bytes);
  if (done) done = recover_landing(*session, context, false);
  if (done)
    done = request.has("run") ? answer_submission(*session, request, *bytes, answer, context)
                              : answer_question(*session, request, *bytes, answer, context);
  if (!done && !report::is_patch_fault(done.error().code)) return tl::make_unexpected(done.error());
  if (!done) answer.outcome.error = done.error();
  return make_reply(std::move(answer), std::move(*bytes), context);
}

}  // namespace gh::ops
