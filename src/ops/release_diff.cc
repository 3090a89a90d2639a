// `release diff`: what a change does to the powers of coding agents. Both sides are read from git's
// objects; the later one from the work tree when no --head is named. Nothing is checked out.
#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "git/repo.h"
#include "model/peek.h"
#include "ops/host_sides.h"
#include "ops/patch_session.h"
#include "ops/release_ops.h"
#include "ops/repo_config.h"
#include "powers/compare.h"
#include "report/host_diff.h"
#include "report/verdict_document.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

/// Where the change began: what the base gained since is none of it.
Result<git::Commit> fork_point(git::Repo& repo, const git::Commit& base, const git::Commit& head,
                               const std::string& base_ref) {
  GH_TRY(common, repo.merge_base(base.id, head.id));
  if (!common)
    return fail(Code::ref_unresolved,
                fmt::format("'{}' and the change have no commit in common here; a shallow clone "
                            "needs 'git fetch --unshallow' first",
                            printable(base_ref, 100)),
                "git fetch --unshallow");
  return repo.objects().commit(common->hex());
}

/// The surface gate's share of the one answer, from the same rows (interfaces 0.2).
Verdict verdict_of(const std::vector<powers::Row>& rows, const Value& document, git::Repo& repo,
                   const report::HostDiffSides& sides) {
  Verdict out;
  out.gate = "surface";
  for (const char* gate : {"patch", "scope", "structure", "surface", "admission", "landing"})
    out.parts.push_back({.gate = gate, .why = "not asked: 'gatehouse check' asks it"});
  GateAnswer answer = report::host_answer(rows);
  out.parts[3] = std::move(answer.part);
  out.parts[5].why = "nothing was to be landed";
  out.reasons = std::move(answer.reasons);
  out.decision = worst(out.parts);
  out.headline = Peek(document)["headline"].text();
  out.repo = repository_id(repo);
  out.base = sides.base_commit;
  out.head = sides.head_commit.empty() ? "worktree" : sides.head_commit;
  out.input_digest = digest_of(wire::canonical_json(*document.as_map()->find("rows"))).hex();
  return out;
}

}  // namespace

Result<Reply> release_diff(const Request& request, Context& context) {
  const std::int64_t begun = context.env.monotonic_ms();
  GH_TRY(repo, open_to_read(context));
  report::HostDiffSides sides;
  const bool has_head = request.has("head");
  sides.head_ref = has_head ? request.text("head") : "HEAD";
  sides.base_ref = request.has("base") ? request.text("base")
                   : has_head          ? usual_branch(repo)
                                       : "HEAD";
  if (!has_head && repo.is_bare())
    return fail(Code::missing_argument, "a bare repository has no work tree: name --head");
  GH_TRY(head, repo.objects().commit(sides.head_ref));
  GH_TRY(named_base, repo.objects().commit(sides.base_ref));
  GH_TRY(base, fork_point(repo, named_base, head, sides.base_ref));
  sides.base_commit = base.id.hex();
  if (has_head)
    sides.head_commit = head.id.hex();
  else
    sides.head_ref = "worktree";
  GH_TRY(base_files, repo.tree_files(base.tree));
  const TreeListing was = listing_of(std::move(base_files));
  TreeListing is;
  const auto before = hosts_in_tree(was, repo.objects());
  std::unique_ptr<HostSide> after;
  if (has_head) {
    GH_TRY(files, repo.tree_files(head.tree));
    is = listing_of(std::move(files));
    after = hosts_in_tree(is, repo.objects());
  } else {
    GH_TRY(listing, listing_on_disk(repo));
    after = hosts_on_disk(repo.root(), listing);
  }
  GH_TRY(gathered, host_files(*before, *after));
  sides.files = gathered.changed;
  const std::vector<powers::Row> rows = powers::compare(gathered.files);
  Map document = report::host_diff_document(rows, sides);
  Verdict verdict = verdict_of(rows, document, repo, sides);
  verdict.started = to_string(context.env.now());
  verdict.duration_ms = context.env.monotonic_ms() - begun;
  document.set("verdict", report::verdict_document(verdict));
  Reply reply;
  reply.document = std::move(document);
  reply.exit = exit_code(powers::decision_of(rows), {},
                         {.exit_zero = request.flag("exit-zero"),
                          .exit_review = request.flag("exit-review"),
                          .strict = request.flag("strict")});
  if (reply.exit != ExitCode::done && !rows.empty())
    reply.why =
        fmt::format("{}, first {}:{}", *reply.document.as_map()->find("headline")->as_string(),
                    printable(rows.front().place.path, 200), rows.front().place.line);
  reply.text = [document = reply.document](const report::Look& look) {
    return report::host_diff_text(document, look);
  };
  return reply;
}

}  // namespace gh::ops
