// `check`, the front door: one change, every gate that applies, one Verdict (interfaces 0.1, 5.3).
#include <fmt/format.h>

#include "ops/patch_ops.h"
#include "ops/patch_session.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

/// What is to be judged: its bytes, and how people call it.
struct Target {
  std::string bytes{}, name{};
  std::string head = "worktree";
  bool from_git =
      false;  // a diff that git made of a human branch: profile git unless asked otherwise
};

std::optional<std::pair<std::string, std::string>> as_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos || sys::info_follow(text).kind == sys::FileKind::file)
    return std::nullopt;
  const std::string to = text.substr(dots + 2);
  return std::pair{text.substr(0, dots), to.empty() ? "HEAD" : to};
}

Result<Target> range_target(PatchSession& session, const std::string& to, const std::string& name) {
  GH_TRY(head, session.repo.objects().commit(to));
  GH_TRY(bytes, session.repo.diff_trees(session.base.tree, head.tree, diff::kMaxPatchBytes + 1));
  return Target{bytes, name, head.id.hex(), true};
}

Result<Target> staged_target(PatchSession& session) {
  GH_TRY(bytes, session.repo.diff_staged(session.base.id, diff::kMaxPatchBytes + 1));
  return Target{bytes, "staged changes", "worktree", true};
}

/// No TARGET: what is staged, else the work tree, else the commits since upstream.
Result<Target> chosen_target(PatchSession& session) {
  GH_TRY(staged, staged_target(session));
  if (!staged.bytes.empty()) return std::move(staged);
  GH_TRY(bytes, session.repo.diff_work_tree(session.base.id, diff::kMaxPatchBytes + 1));
  return Target{bytes, "work tree against HEAD", "worktree", true};
}

Verdict nothing_changed(const PatchSession& session, const PatchAnswer& answer, Context& context) {
  Verdict verdict;
  verdict.gate = "check";
  verdict.headline = "nothing changed, nothing to check";
  for (const char* gate : {"patch", "scope", "structure", "surface", "admission", "landing"})
    verdict.parts.push_back({.gate = gate, .why = "nothing changed"});
  verdict.repo = session.repo_id;
  verdict.base = session.base.id.hex();
  verdict.head = answer.head;
  verdict.policy_digest = session.policy_sha256;
  verdict.started = to_string(answer.started);
  verdict.duration_ms = context.env.monotonic_ms() - answer.started_ms;
  return verdict;
}

}  // namespace

Result<Reply> check_change(const Request& request, Context& context) {
  PatchAnswer answer{
      .started = context.env.now(), .started_ms = context.env.monotonic_ms(), .gate = "check"};
  answer.document.created_utc = to_string(answer.started);
  const std::string named = request.has("TARGET") ? request.text("TARGET") : "";
  if (!named.empty() && request.flag("staged"))
    return fail(Code::bad_argument, "give a TARGET or --staged, not both");
  Target target{.name = named};
  const auto range = as_range(named);
  if (!named.empty() && !range) {
    GH_TRY(bytes, read_submission(named, context));
    target.bytes = std::move(bytes);
  }
  auto session = open_patch_session(request, context, range ? range->first : "");
  if (!session) {
    if (!report::is_patch_fault(session.error().code)) return tl::make_unexpected(session.error());
    answer.outcome.error = session.error();
    return make_reply(std::move(answer), "", context);
  }
  if (named.empty() || range) {
    GH_TRY(found, range                    ? range_target(*session, range->second, named)
                  : request.flag("staged") ? staged_target(*session)
                                           : chosen_target(*session));
    target = std::move(found);
  }
  answer.document = document_context(*session, answer.started);
  answer.name = target.name;
  answer.repo_id = session->repo_id;
  answer.head = target.head;
  if (target.bytes.empty() && target.from_git) {
    const Verdict verdict = nothing_changed(*session, answer, context);
    const std::string line = fmt::format("{}: {}\n", target.name, verdict.headline);
    return Reply{.document = report::verdict_document(verdict),
                 .text = [line](const report::Look&) { return line; }};
  }
  GH_TRY(quarantine, session->repo.quarantine());
  const diff::Profile profile =
      target.from_git && !request.has("profile") ? diff::Profile::git : session->profile;
  answer.outcome = patch::judge(
      target.bytes,
      {session->repo, quarantine, session->base.id, session->base.tree, session->policy},
      {.profile = profile});
  answer.outcome.repo = session->facts();
  if (!answer.outcome.error)
    audit_checked(*session, report::patch_document(answer.outcome, answer.document), context);
  const ExitWishes wishes{.exit_zero = request.flag("exit-zero"),
                          .exit_review = request.flag("exit-review"),
                          .strict = request.flag("strict")};
  return make_reply(std::move(answer), std::move(target.bytes), context, wishes);
}

}  // namespace gh::ops
