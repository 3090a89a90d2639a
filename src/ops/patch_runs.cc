// Operations on a run that is already there: its failure bundle, and clearing its alarm.
#include <fmt/format.h>

#include "base/text.h"
#include "ops/patch_ops.h"
#include "ops/patch_session.h"
#include "runs/bundle.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

struct OpenRun {
  git::Repo repo;
  std::unique_ptr<store::Ledger> ledger;
};

Result<OpenRun> open_run(Context& context) {
  GH_TRY(repo, git::Repo::open(
                   {.folder = context.cwd, .git_folder = {}, .allow_old = true, .need_idle = false},
                   context.env));
  GH_TRY(ledger, open_ledger(repo, context.env));
  return OpenRun{std::move(repo), std::move(ledger)};
}

/// The folder of a run: what the ledger says, else the default place of a check that was a
/// question.
Result<std::string> folder_of(OpenRun& open, const std::string& run_id) {
  GH_TRY(row, open.ledger->patch_run(run_id));
  if (row) return row->folder;
  const std::string folder = open.repo.state_dir() + "/runs/" + run_id;
  const bool plain = run_id.find('/') == std::string::npos && run_id.starts_with("prun-");
  if (plain && sys::info(folder).kind == sys::FileKind::folder) return folder;
  return fail(Code::unknown_id,
              fmt::format("no patch run '{}' in this repository", printable(run_id, 60)));
}

}  // namespace

Result<Reply> patch_bundle(const Request& request, Context& context) {
  if (!request.has("run")) return fail(Code::missing_argument, "name the run with --run ID");
  GH_TRY(open, open_run(context));
  const std::string run_id = request.text("run");
  GH_TRY(path, folder_of(open, run_id));
  GH_TRY(folder, runs::RunFolder::open_or_create(path, context.env));
  GH_TRY(bundle, runs::make_bundle(folder));
  const std::string file = folder.file("failure_bundle.zip");
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.bundle/1"},
                       {"run_id", run_id},
                       {"path", file},
                       {"mode", bundle.mode},
                       {"sha256", bundle.sha256},
                       {"bytes", bundle.bytes},
                       {"entries", bundle.entries},
                       {"contains_secret_candidate", bundle.contains_secret_candidate}};
  reply.text = [file, bundle](const report::Look&) {
    return fmt::format(
        "{}\n{}: {} entries, {} bytes, sha256 {}{}\n", file, bundle.mode, bundle.entries,
        bundle.bytes, bundle.sha256,
        bundle.contains_secret_candidate ? "; a log held what looks like a secret" : "");
  };
  return reply;
}

Result<Reply> patch_unfreeze(const Request& request, Context& context) {
  if (!request.has("run") || !request.has("reason"))
    return fail(Code::missing_argument, "an unfreeze needs --run ID and --reason TEXT");
  GH_TRY(open, open_run(context));
  const std::string run_id = request.text("run");
  GH_TRY(run, runs::unfreeze(*open.ledger, run_id, request.text("reason"), actor_of(context),
                             context.surface, context.env));
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.unfreeze/1"},
                       {"run_id", run_id},
                       {"state", run.state.state},
                       {"frozen", run.state.frozen},
                       {"attempts", static_cast<std::int64_t>(run.state.attempts.size())},
                       {"max_attempts", run.state.max_attempts}};
  reply.text = [run_id](const report::Look&) {
    return fmt::format("{} may be resubmitted again\nnext: gatehouse patch apply FILE --run {}\n",
                       run_id, run_id);
  };
  return reply;
}

}  // namespace gh::ops
