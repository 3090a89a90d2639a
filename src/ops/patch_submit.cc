#include "ops/patch_submit.h"

#include <fmt/format.h>

#include "base/text.h"
#include "landing/recover.h"
#include "ops/tree_watch.h"
#include "runs/run_dir.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::string_view kStateFile = "artifacts/worktree_state.json";

/// Forms that are no text diff at all: the change came by another channel than the slot's.
bool is_other_channel(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  const std::string_view rest = bytes.substr(first);
  return rest.starts_with("{") || rest.starts_with("[") || rest.starts_with("PK\x03\x04");
}

/// Paths that others changed since the rejection, when the tree was watched. What lands was made in
/// a tree of its own: whoever works in this one is somebody else.
std::vector<std::string> changed_since_rejection(Submission& s) {
  if (s.who.is_landing() || s.run.state.worktree_sha256.empty()) return {};
  const auto now = watched_state(s.session.repo);
  if (now && watched_sha256(*now) == s.run.state.worktree_sha256) return {};
  const auto text = sys::read_file(s.folder.file(kStateFile), 64u << 20);
  const auto then =
      text ? wire::read_own_json(*text, "worktree_state.json") : Result<Value>(Value());
  if (!then || then->as_map() == nullptr ||
      watched_sha256(*then->as_map()) != s.run.state.worktree_sha256)
    return {std::string(kStateFile)};  // the record of the earlier state was itself changed
  return changed_elsewhere(s.session.repo, *then->as_map())
      .value_or(std::vector<std::string>{"HEAD"});
}

std::string canonical_of(Submission& s) {
  const auto position =
      s.session.policy.values.position == "unique" ? diff::Position::unique : diff::Position::exact;
  const auto patch = diff::parse(s.bytes, s.session.profile, position);
  return patch ? digest_of(diff::print_canonical(*patch)).hex() : std::string();
}

bool is_resubmission(const Submission& s) {
  return !s.run.state.attempts.empty() || s.run.state.frozen;
}

std::optional<Violation> refused_retry(Submission& s, patch::Outcome& outcome) {
  if (!is_resubmission(s)) return std::nullopt;
  const patch::RetryFacts facts{.run = s.run.state,
                                .sha256 = digest_of(s.bytes).hex(),
                                .canonical_sha256 = canonical_of(s),
                                .policy_sha256 = s.session.policy_sha256,
                                .base_commit = s.session.base.id.hex(),
                                .is_unified_diff = !is_other_channel(s.bytes),
                                .changed_elsewhere = changed_since_rejection(s)};
  outcome.problem_paths = facts.changed_elsewhere;
  return patch::decide_retry(facts);
}

void complete(const Submission& s, const runs::PatchRun& run, PatchAnswer& answer) {
  answer.document.run_id = run.state.run_id;
  answer.document.attempt = static_cast<std::int64_t>(run.state.attempts.size());
  answer.document.max_attempts = run.state.max_attempts;
  answer.run_folder = s.folder.path();
}

Status log_command(Submission& s, const patch::Outcome& outcome) {
  if (!outcome.command) return {};
  const std::string name = outcome.stage == Stage::git_check                        ? "git_check"
                           : outcome.violations.front().rule == Rule::verify_failed ? "verify"
                                                                                    : "git_apply";
  GH_DO(s.folder.log_command(name, outcome.command->stdout_tail, outcome.command->stderr_tail));
  return s.folder.trace({.argv = outcome.command->argv,
                         .rc = outcome.command->rc,
                         .logs = {name + ".stdout.log", name + ".stderr.log"}});
}

/// Writes the state of the tree beside the rejection and gives its digest for the ledger.
std::string watch(Submission& s) {
  const auto state = watched_state(s.session.repo);
  if (!state || !sys::write_file_atomic(s.folder.file(kStateFile), wire::pretty_json(*state)))
    return {};
  return watched_sha256(*state);
}

}  // namespace

runs::Submitter submitter_of(const PatchSession& session, const Request& request,
                             const Context& context) {
  return {.actor = session.actor,
          .surface = context.surface,
          .base_commit = session.base.id.hex(),
          .max_attempts = session.policy.values.max_attempts,
          .runs_root = session.runs_root(),
          .run_id = request.has("run") ? request.text("run") : "",
          .run_dir = request.has("run-dir") ? request.text("run-dir") : ""};
}

Result<Submission> enter(PatchSession& session, const Request& request, std::string_view bytes,
                         Context& context, const std::string& landing_of) {
  runs::Submitter who = submitter_of(session, request, context);
  who.intent_id = landing_of;
  if (!who.run_dir.empty()) {
    GH_TRY(folder, runs::checked_run_dir(who.run_dir, {.repo_root = session.repo.root(),
                                                       .git_dir = session.repo.git_dir(),
                                                       .common_dir = session.repo.common_dir()}));
    who.run_dir = folder;
  }
  GH_TRY(ledger, open_ledger(session.repo, context.env));
  GH_TRY(known_id, ledger->repo_id());
  if (known_id.empty() && !session.repo_id.empty()) GH_DO(ledger->set_repo_id(session.repo_id));
  GH_TRY(run, runs::enter_run(*ledger, who, context.env));
  GH_TRY(folder, runs::RunFolder::open_or_create(run.folder, context.env));
  GH_DO(folder.keep_submission(bytes));
  if (!session.narrowing.empty()) GH_DO(folder.keep_narrowing(session.narrowing));
  return Submission{session,
                    context,
                    bytes,
                    std::move(who),
                    std::move(ledger),
                    std::move(run),
                    std::move(folder),
                    landings_so_far(session.repo)};
}

patch::Outcome judge_submission(Submission& s) {
  patch::Outcome outcome;
  if (auto refused = refused_retry(s, outcome)) {
    outcome.sha256 = digest_of(s.bytes).hex();
    outcome.bytes = static_cast<std::int64_t>(s.bytes.size());
    outcome.repo = s.session.facts();
    patch::refuse(outcome, std::move(*refused));
    return outcome;
  }
  const auto quarantine = s.session.repo.quarantine();
  if (!quarantine) {
    outcome.error = quarantine.error();
    return outcome;
  }
  outcome = patch::judge(
      s.bytes,
      {s.session.repo, *quarantine, s.session.base.id, s.session.base.tree, s.session.policy},
      {.profile = s.session.profile, .is_retry = is_resubmission(s)});
  outcome.repo = s.session.facts();
  outcome.notes.insert(outcome.notes.end(), s.session.notes.begin(), s.session.notes.end());
  return outcome;
}

Status file_refusal(Submission& s, PatchAnswer& answer) {
  const Rule rule = answer.outcome.violations.front().rule;
  complete(s, s.run, answer);
  if (runs::uses_up_attempt(rule)) ++answer.document.attempt;
  GH_DO(log_command(s, answer.outcome));
  if (answer.outcome.verify)
    GH_DO(s.folder.write_verify_report(report::verify_report_document(*answer.outcome.verify)));
  const Map document = report::patch_document(answer.outcome, answer.document);
  // What uses up no attempt is compared with the same state again; a newer one would only hide it.
  const bool is_watched = runs::uses_up_attempt(rule) && !s.who.is_landing();
  const std::string watched = is_watched ? watch(s) : s.run.state.worktree_sha256;
  GH_TRY(run, runs::record_rejection(*s.ledger, s.folder, s.run, s.who,
                                     {.outcome = answer.outcome,
                                      .document = document,
                                      .submission = s.bytes,
                                      .policy_sha256 = s.session.policy_sha256,
                                      .worktree_sha256 = watched},
                                     s.context.env));
  s.run = run;
  return {};
}

Status file_acceptance(Submission& s, PatchAnswer& answer) {
  complete(s, s.run, answer);
  const Map document = report::patch_document(answer.outcome, answer.document);
  GH_DO(s.folder.write_acceptance(document));
  (void)s.ledger->append(runs::checked_event(document, s.who, s.context.env.now()),
                         store::Durability::soft);
  return {};
}

}  // namespace gh::ops
