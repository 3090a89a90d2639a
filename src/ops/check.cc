// `check`, the front door: one change, every gate that applies, one Verdict (interfaces 0.1, 5.3).
#include <fmt/format.h>

#include "base/text.h"
#include "ops/patch_ops.h"
#include "ops/patch_session.h"
#include "ops/patch_submit.h"
#include "ops/proposal_ops.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::string_view kUpstream = "@{upstream}";

/// What is to be judged: its bytes, and how people call it.
struct Target {
  std::string bytes{}, name{};
  std::string head = "worktree";
  bool from_git =
      false;  // a diff that git made of a human branch: profile git unless asked otherwise
  std::optional<ObjectId> tree{};  // what it must give
};

std::optional<std::pair<std::string, std::string>> as_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos || text.starts_with("../") || text.find("/../") != text.npos ||
      sys::info_follow(text).kind == sys::FileKind::file)
    return std::nullopt;
  const std::string to = text.substr(dots + 2);
  return std::pair{text.substr(0, dots), to.empty() ? "HEAD" : to};
}

Result<Target> range_target(PatchSession& session, const std::string& to, const std::string& name) {
  GH_TRY(head, session.repo.objects().commit(to));
  GH_TRY(bytes, session.repo.diff_trees(session.base.tree, head.tree, diff::kMaxPatchBytes + 1));
  return Target{bytes, name, head.id.hex(), true, head.tree};
}

Result<Target> staged_target(PatchSession& session) {
  GH_TRY(bytes, session.repo.diff_staged(session.base.id, diff::kMaxPatchBytes + 1));
  return Target{bytes, "staged changes", "worktree", true};
}

/// No TARGET: what is staged, else the work tree, else the commits since upstream. The last one is
/// judged on another base, so it needs a session of its own.
Result<Target> chosen_target(PatchSession& session, const Request& request, Context& context) {
  GH_TRY(staged, staged_target(session));
  if (!staged.bytes.empty()) return std::move(staged);
  GH_TRY(bytes, session.repo.diff_work_tree(session.base.id, diff::kMaxPatchBytes + 1));
  Target work_tree{bytes, "work tree against HEAD", "worktree", true};
  const auto upstream = session.repo.objects().commit(std::string(kUpstream));
  if (!bytes.empty() || request.has("base") || !upstream || upstream->id == session.base.id)
    return work_tree;
  GH_TRY(other, open_patch_session(request, context, std::string(kUpstream)));
  session = std::move(other);
  return range_target(session, "HEAD", "HEAD against its upstream");
}

/// Files that no diff shows, because git does not know them.
std::string untracked_words(const PatchSession& session) {
  const auto files = session.repo.untracked_files();
  if (!files || files->empty()) return {};
  const bool one = files->size() == 1;
  return fmt::format("; {} untracked {} not looked at ('git add' makes {} part of the change)",
                     files->size(), one ? "file was" : "files were", one ? "it" : "them");
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
  if (request.has("proposal")) return check_proposal(request, context);
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
  if (Status done = recover_landing(*session, context, false); !done)
    return tl::make_unexpected(done.error());
  if (named.empty() && session->repo.is_bare())
    return fail(Code::bad_argument,
                "a bare repository has no work tree; name a patch file or a range A..B");
  if (named.empty() || range) {
    GH_TRY(found, range                    ? range_target(*session, range->second, named)
                  : request.flag("staged") ? staged_target(*session)
                                           : chosen_target(*session, request, context));
    target = std::move(found);
  }
  answer.document = document_context(*session, answer.started);
  answer.name = target.name;
  answer.repo_id = session->repo_id;
  answer.head = target.head;
  if (target.bytes.empty() && target.from_git) {
    const Verdict verdict = nothing_changed(*session, answer, context);
    const std::string line =
        fmt::format("{}: {}{}\n", target.name, verdict.headline, untracked_words(*session));
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
  if (target.tree && answer.outcome.ok() && answer.outcome.candidate->tree != *target.tree)
    patch::refuse(answer.outcome, {.rule = Rule::result_tree_mismatch,
                                   .message = fmt::format(
                                       "the diff of {} gives tree {}, the commit holds {}",
                                       printable(target.name, 60),
                                       answer.outcome.candidate->tree.hex(), target.tree->hex())});
  if (!answer.outcome.error) GH_DO(file_question(*session, request, target.bytes, answer, context));
  const ExitWishes wishes{.exit_zero = request.flag("exit-zero"),
                          .exit_review = request.flag("exit-review"),
                          .strict = request.flag("strict")};
  Reply reply = make_reply(std::move(answer), std::move(target.bytes), context, wishes);
  if (named.empty() && reply.text)  // we chose, so we say what
    reply.text = [name = target.name, rest = std::move(reply.text)](const report::Look& look) {
      return fmt::format("checking: {}\n{}", name, rest(look));
    };
  return reply;
}

}  // namespace gh::ops
