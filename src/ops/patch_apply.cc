// `patch apply`: a submission that lands when every gate lets it pass (steps 0 to 7).
#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "landing/candidate.h"
#include "landing/on_ref.h"
#include "landing/recover.h"
#include "landing/work_tree.h"
#include "ops/patch_caller.h"
#include "ops/patch_ops.h"
#include "ops/patch_submit.h"
#include "ops/signing.h"
#include "ops/tree_watch.h"
#include "runs/receipt.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

std::string lock_holder(const PatchSession& session, const std::string& run_id, Context& context) {
  return fmt::format("pid {} on {}, {}, {}", context.env.process_id(), context.env.host_name(),
                     session.actor.name, run_id);
}

Result<sys::FileLock> take_lock(const PatchSession& session, const std::string& run_id,
                                Context& context, std::int64_t timeout_ms) {
  GH_DO(sys::make_folders(session.repo.state_dir()));
  return sys::FileLock::acquire(session.repo.state_dir() + "/apply.lock",
                                lock_holder(session, run_id, context), timeout_ms);
}

/// What is written to the journal at the commit point and finished from there, now or after a
/// crash.
Result<Value> make_record(const Submission& s, const PatchAnswer& answer) {
  const Map document = report::patch_document(answer.outcome, answer.document);
  const Map verdict = report::verdict_document(report::patch_verdict(
      answer.outcome, answer.document, {.repo_id = s.session.repo_id, .head = s.session.head}));
  GH_TRY(patch_id, s.session.repo.stable_patch_id(answer.outcome.canonical));
  Map receipt = runs::patch_receipt(
      {.candidate = *answer.outcome.candidate,
       .repo_id = s.session.repo_id,
       .canonical_sha256 = answer.outcome.canonical_sha256,
       .stable_patch_id = patch_id,
       .verdict_digest = verdict.find("digests")->as_map()->find("verdict")->as_string()->substr(7),
       .policy_digest = s.session.policy_sha256,
       .actor = s.session.actor,
       .created_utc = answer.document.created_utc});
  GH_TRY(key, read_signing_key(s.session.repo, s.session.store));
  if (key) GH_DO(runs::sign_receipt(receipt, *key));
  const store::Document stored = runs::receipt_record(std::move(receipt));
  List paths;
  for (const patch::TouchedEntry& e : answer.outcome.candidate->entries)
    paths.emplace_back(utf8_or_escaped(e.path));
  return Value(Map{{"run_id", s.run.state.run_id},
                   {"run_folder", s.folder.path()},
                   {"base_commit", s.who.base_commit},
                   {"actor", to_value(s.who.actor)},
                   {"intent_id", s.who.intent_id},
                   {"surface", s.who.surface},
                   {"mode", answer.outcome.landed->mode},
                   {"commit", answer.outcome.landed->commit},
                   {"paths", std::move(paths)},
                   {"document", document},
                   {"receipt_digest", stored.digest},
                   {"receipt_kind", stored.kind},
                   {"receipt", stored.body}});
}

std::string commit_message(const Submission& s, const patch::Outcome& outcome,
                           const Request& request, const std::string& receipt_digest) {
  std::string subject = printable(request.text("message"), 500);
  if (subject.empty())
    subject = fmt::format("Apply {} ({} files, +{} -{})", s.run.state.run_id,
                          outcome.touched_files.size(), outcome.added_lines, outcome.deleted_lines);
  return fmt::format("{}\n\nGatehouse-Receipt: {}\nGatehouse-Decision: accepted\n", subject,
                     receipt_digest);
}

Status check_target(const Request& request) {
  const bool on_ref = request.text("land") == "commit";
  for (const char* option : {"ref", "message"})
    if (request.has(option) && !on_ref)
      return fail(
          Code::bad_argument,
          fmt::format("--{} goes with --land commit; the work tree has no use for it", option));
  return {};
}

Result<std::string> target_ref(Submission& s, const Request& request) {
  if (!request.has("ref")) {
    GH_TRY(head, s.session.repo.head_ref());
    if (!head.empty()) return head;
    return fail(Code::missing_argument, "HEAD is detached; name the branch with --ref REF");
  }
  const std::string named = request.text("ref");
  const std::string ref = named.starts_with("refs/") ? named : "refs/heads/" + named;
  GH_TRY(sound, s.session.repo.is_ref_name(ref));
  const bool is_branch = ref.starts_with("refs/heads/") && ref != "refs/heads/HEAD" &&
                         !ref.starts_with("refs/heads/-");
  if (!is_branch || !sound)
    return fail(Code::bad_argument, fmt::format("'{}' is no name of a branch, such as "
                                                "refs/heads/agent/fix",
                                                printable(named, 200)));
  return ref;
}

/// Commit landing. The receipt's digest is in the commit message, so it is made before the commit.
Result<std::optional<landing::Journal>> land_commit(Submission& s, const landing::Place& place,
                                                    const Request& request, PatchAnswer& answer) {
  GH_TRY(ref, target_ref(s, request));
  GH_TRY(checked_out, s.session.repo.head_ref());
  if (checked_out == ref && !s.session.repo.is_bare())
    answer.warning = fmt::format(
        "{} is checked out here, and its files were left as they were: git status shows the change "
        "backwards until you run 'git read-tree -m -u {} HEAD'",
        ref, s.session.base.id.hex().substr(0, 12));
  GH_DO(landing::prepare_for_ref(place, answer.outcome, s.context.env));
  if (!answer.outcome.ok()) return std::nullopt;
  answer.outcome.landed = patch::Landed{.mode = "commit", .ref = ref};
  GH_TRY(draft, make_record(s, answer));
  const landing::RefTarget target{
      .ref = ref,
      .message = commit_message(s, answer.outcome, request,
                                *draft.as_map()->find("receipt_digest")->as_string()),
      .identity = {.name = "Gatehouse", .email = "gatehouse@localhost"},
      .time = s.context.env.now()};
  return landing::land_on_ref(place, target, answer.outcome,
                              [&] { return make_record(s, answer); });
}

Result<std::optional<landing::Journal>> land_work_tree(const landing::Place& place,
                                                       PatchAnswer& answer, git::GitRun& last) {
  GH_DO(landing::check_work_tree(place, answer.outcome));
  if (!answer.outcome.ok()) return std::nullopt;
  return landing::land_in_work_tree(place, answer.outcome, last);
}

Status log_verify(runs::RunFolder& folder, const patch::VerifyResult& result) {
  const std::string name = "verify." + result.name;
  GH_DO(folder.log_command(name, result.stdout_tail, result.stderr_tail));
  return folder.trace(
      {.argv = result.argv, .rc = result.rc, .logs = {name + ".stdout.log", name + ".stderr.log"}});
}

/// Step 6 under the lock. On refusal the outcome says why and nothing has changed.
Status land(Submission& s, const Request& request, PatchAnswer& answer) {
  PatchSession& session = s.session;
  patch::Outcome& outcome = answer.outcome;
  const bool on_ref = request.text("land") == "commit";
  if (!on_ref && session.repo.is_bare())
    return fail(Code::bad_argument, "a bare repository has no work tree; use --land commit");
  GH_DO(read_signing_key(session.repo,
                         session.store));  // before anything lands that could not be signed
  GH_TRY(lock,
         take_lock(session, s.run.state.run_id, s.context, session.policy.values.lock_timeout_ms));
  session.repo.hold_while_running(lock.descriptor());
  GH_DO(recover_landing(session, s.context, true));
  if (!on_ref && landings_so_far(session.repo) != s.landings_at_start) {
    patch::refuse(outcome, {.rule = Rule::base_moved,
                            .message = "another patch landed in this work tree meanwhile"});
    return {};
  }
  GH_TRY(quarantine, session.repo.quarantine());
  git::GitRun last;
  s.context.progress("building the result with git");
  GH_DO(landing::build_candidate(session.repo, quarantine, outcome, last));
  if (!outcome.ok()) return {};
  GH_DO(s.folder.write_candidate(outcome.canonical, runs::candidate_document(*outcome.candidate)));
  GH_TRY(self, sys::real_path("/proc/self/exe"));
  const landing::Place place{session.repo,    quarantine, session.policy.values, s.run.state.run_id,
                             s.folder.path(), self,       s.context.interrupted};
  s.context.progress(session.policy.values.verify.empty() ? "landing"
                                                          : "landing and running verify commands");
  GH_TRY(journal,
         on_ref ? land_commit(s, place, request, answer) : land_work_tree(place, answer, last));
  if (outcome.verify)
    GH_DO(s.folder.write_verify_report(report::verify_report_document(*outcome.verify)));
  for (const patch::VerifyResult& r :
       outcome.verify&& outcome.ok() ? outcome.verify->results : std::vector<patch::VerifyResult>())
    GH_DO(log_verify(s.folder, r));
  GH_DO(s.folder.log_command("git_apply", last.out, last.err));
  GH_DO(s.folder.trace({.argv = last.argv,
                        .rc = last.timed_out ? std::nullopt : std::optional(last.exit_code),
                        .logs = {"git_apply.stdout.log", "git_apply.stderr.log"}}));
  if (!journal) return {};
  if (!on_ref) {
    GH_TRY(record, make_record(s, answer));
    GH_DO(landing::mark_landed(*journal, record));
  }
  GH_DO(finish_landing(session, *s.ledger, *journal->landed, s.folder.path(), s.context));
  return landing::close_journal(session.repo.state_dir());
}

}  // namespace

Status finish_landing(PatchSession& session, store::Ledger& ledger, const Value& record,
                      const std::string& run_folder, Context& context) {
  const Map& map = *record.as_map();
  const auto text = [&](std::string_view key) {
    const Value* value = map.find(key);
    return value != nullptr && value->as_string() != nullptr ? *value->as_string() : std::string();
  };
  const std::string run_id = text("run_id");
  GH_TRY(known, runs::load_run(ledger, run_id));
  GH_TRY(folder, runs::RunFolder::open_or_create(run_folder, context.env));
  const Map& document = *map.find("document")->as_map();
  if (known && known->state.state == "applied") {
    GH_DO(folder.write_acceptance(document));
    return note_landing(session.repo, map);
  }
  // Whoever finishes it after a crash, it is the landing of the one who began it.
  const runs::Submitter who{.actor = actor_from(*map.find("actor")),
                            .surface = text("surface"),
                            .base_commit = text("base_commit"),
                            .max_attempts = session.policy.values.max_attempts,
                            .runs_root = session.runs_root(),
                            .intent_id = text("intent_id")};
  runs::PatchRun run = known ? std::move(*known) : runs::new_run(who, context.env);
  run.state.run_id = run_id;
  run.folder = folder.path();
  GH_TRY(landed, runs::record_landing(ledger, folder, run, who, document,
                                      {.digest = text("receipt_digest"),
                                       .kind = text("receipt_kind"),
                                       .body = *map.find("receipt")},
                                      context.env));
  (void)landed;
  return note_landing(session.repo, map);
}

/// The folder that the journal names, if it is a run folder; evidence goes nowhere else.
std::string run_folder_of(const PatchSession& session, const landing::Plan& plan) {
  const bool known =
      sys::info(plan.run_folder + "/logs/apply_journal.jsonl").kind == sys::FileKind::file;
  return known ? plan.run_folder : session.runs_root() + "/" + plan.run_id;
}

/// What a record must hold to be finished.
bool is_complete(const Value& record) {
  const Map* map = record.as_map();
  const auto text = [&](std::string_view key) {
    const Value* value = map->find(key);
    return value != nullptr && value->as_string() != nullptr;
  };
  const auto holds_map = [&](std::string_view key) {
    const Value* value = map->find(key);
    return value != nullptr && value->as_map() != nullptr;
  };
  return map != nullptr && text("run_id") && text("run_folder") && text("receipt_digest") &&
         text("receipt_kind") && holds_map("document") && holds_map("actor") &&
         holds_map("receipt");
}

Status recover_landing(PatchSession& session, Context& context, bool lock_is_held) {
  if (!landing::needs_recovery(session.repo)) return {};
  std::optional<sys::FileLock> lock;
  if (!lock_is_held) {
    auto taken = take_lock(session, "recovery", context, 0);
    if (!taken) return {};  // somebody is landing right now; that is no crash
    lock.emplace(std::move(*taken));
    session.repo.hold_while_running(lock->descriptor());
  }
  GH_TRY(found, landing::recover(session.repo));
  if (!found) return {};
  if (!found->left.empty())
    return fail(Code::io_error,
                fmt::format("an interrupted landing cannot be undone: {} was changed since. Commit "
                            "or undo that change, then run this again",
                            printable(found->left.front(), 200)));
  GH_TRY(ledger, open_ledger(session.repo, context.env));
  const std::string& run_id = found->journal.plan.run_id;
  if (found->landed) {
    if (!is_complete(*found->journal.landed) ||
        *found->journal.landed->as_map()->find("run_id")->as_string() != run_id)
      return fail(Code::io_error, found->journal.path + " is damaged; look at it and remove it");
    GH_DO(finish_landing(session, *ledger, *found->journal.landed,
                         run_folder_of(session, found->journal.plan), context));
    context.notice(fmt::format("an interrupted landing was finished first: {}", run_id));
  } else {
    context.notice(found->abandoned
                       ? fmt::format("HEAD has moved since the interrupted landing of {}; its "
                                     "files were left as they are",
                                     run_id)
                       : fmt::format("an interrupted landing was undone first: {}", run_id));
    GH_DO(ledger->append(
        runs::rolled_back_event(run_id, session.actor, context.surface, context.env.now()),
        store::Durability::durable));
    GH_TRY(folder, runs::RunFolder::open_or_create(run_folder_of(session, found->journal.plan),
                                                   context.env));
    GH_DO(folder.append_event("gate",
                              found->abandoned ? "LANDING_ABANDONED" : "LANDING_ROLLED_BACK",
                              "logs/apply_journal.jsonl", Map{{"run_id", run_id}}));
  }
  return landing::close_journal(session.repo.state_dir());
}

Result<Reply> patch_apply(const Request& request, Context& context) {
  return apply_for_intent(request, context, {});
}

Result<Reply> apply_for_intent(const Request& request, Context& context,
                               const std::string& intent_id) {
  PatchAnswer answer{.name = request.text("FILE"),
                     .started = context.env.now(),
                     .started_ms = context.env.monotonic_ms()};
  answer.document.created_utc = to_string(answer.started);
  auto bytes = read_submission(answer.name, context);
  const auto fault = [&](Error error) {
    answer.outcome.error = std::move(error);
    return make_reply(std::move(answer), bytes.value_or(std::string()), context);
  };
  if (!bytes) return fault(bytes.error());
  if (intent_id.empty()) {
    GH_TRY(refusal, agent_refusal(request, *bytes, context));
    if (refusal) return *std::move(refusal);
  }
  auto session = open_patch_session(request, context);
  if (!session)
    return report::is_patch_fault(session.error().code) ? Result<Reply>(fault(session.error()))
                                                        : tl::make_unexpected(session.error());
  answer.document = document_context(*session, answer.started);
  answer.repo_id = session->repo_id;
  answer.head = session->head;
  const auto work = [&]() -> Status {
    GH_DO(check_expected(request, *session, *bytes));
    GH_DO(check_target(request));
    GH_DO(recover_landing(*session, context, false));
    GH_TRY(submission, enter(*session, request, *bytes, context, intent_id));
    context.progress("judging the patch");
    answer.outcome = judge_submission(submission);
    answer.document.run_id = submission.run.state.run_id;
    answer.run_folder = submission.folder.path();
    if (answer.outcome.ok()) GH_DO(land(submission, request, answer));
    if (answer.outcome.error || answer.outcome.ok()) return {};
    return file_refusal(submission, answer);
  };
  const Status done = work();
  if (!done && !report::is_patch_fault(done.error().code)) return tl::make_unexpected(done.error());
  if (!done) answer.outcome.error = done.error();
  return make_reply(std::move(answer), std::move(*bytes), context);
}

}  // namespace gh::ops
