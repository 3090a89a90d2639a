#include "ops/base_run.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "control/scope_paths.h"
#include "ops/analysis_scope.h"
#include "ops/analyze_judgement.h"
#include "ops/source_files.h"
#include "policy/glob.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kRunsLookedAt = 1'000;

using Inputs = std::map<std::string, analysis::RunInput>;  // by path, as reports name it

bool is_same(const analysis::RunInput& a, const analysis::RunInput& b) {
  return a.mode == b.mode && a.blob == b.blob;
}

/// Paths that only one of them has, or that they have in two forms.
std::vector<std::string> differing(const Inputs& a, const Inputs& b) {
  std::vector<std::string> out;
  for (const auto& [path, input] : a)
    if (const auto at = b.find(path); at == b.end() || !is_same(at->second, input))
      out.push_back(path);
  for (const auto& [path, input] : b)
    if (!a.contains(path)) out.push_back(path);
  std::ranges::sort(out);
  return out;
}

Inputs by_path(std::vector<analysis::RunInput> inputs) {
  Inputs out;
  for (analysis::RunInput& input : inputs)
    out.emplace(utf8_or_escaped(input.path), std::move(input));
  return out;
}

bool is_of_change(const Intent& intent, const std::vector<std::string>& changed,
                  const std::string& path) {
  const auto covers = [&](const std::string& entry) { return policy::matches_prefix(path, entry); };
  return std::ranges::find(changed, path) != changed.end() ||
         std::ranges::any_of(intent.scope.allowed_files, covers) ||
         std::ranges::any_of(intent.scope.allowed_related, covers);
}

/// Has the run after the file as the commit has it?
Result<bool> is_gone_by(ControlRun& after, const Inputs& base, const std::string& path) {
  GH_TRY(now, after.extract.input(path));
  const auto then = base.find(path);
  return now ? then != base.end() && is_same(*now, then->second) : then == base.end();
}

}  // namespace

Result<BaseLook> look_at_base(ChangeSession& session, const Intent& intent, ControlRun& before,
                              ControlRun& after, const std::vector<std::string>& changed) {
  BaseLook out{.commit = base_commit_of(intent)};
  if (out.commit.empty()) out.commit = head_commit(session);  // there was none when it began
  if (out.commit.empty()) return out;
  const auto commit = session.repo.objects().commit(out.commit);
  if (!commit) {  // it went with the history that it was part of: nothing can be said
    out.differs = changed;
    return out;
  }
  GH_TRY(inputs, files_of_tree(session.repo, commit->tree)->inputs());
  out.inputs_sha256 = analysis::inputs_digest(inputs);
  if (out.inputs_sha256 == before.row.inputs_sha256) return out;
  const Inputs base = by_path(std::move(inputs));
  GH_TRY(read, before.extract.inputs());
  for (const std::string& path : differing(base, by_path(std::move(read)))) {
    std::string name = control::path_from_git(path);
    bool counts = is_of_change(intent, changed, name);
    if (!counts) {
      GH_TRY(is_gone, is_gone_by(after, base, path));
      counts = is_gone;
    }
    if (counts) out.differs.push_back(std::move(name));
  }
  return out;
}

Result<std::optional<ControlRun>> kept_base(ChangeSession& session, const BaseLook& look) {
  if (look.inputs_sha256.empty()) return std::nullopt;
  GH_TRY(rows, session.ledger->analysis_runs({.limit = kRunsLookedAt}));
  for (const store::AnalysisRunRow& row : rows) {
    if (row.inputs_sha256 != look.inputs_sha256) continue;
    GH_TRY(run, run_named(session, row.run_id));
    if (run && is_measured_by(*run, session.config.analysis)) return run;
  }
  return std::nullopt;
}

Result<ReadBase> read_base(ChangeSession& session, Context& context, const BaseLook& look) {
  GH_TRY(scope, open_scope({.path = session.repo.root(), .revision = look.commit}, context));
  GH_TRY(measured, run_analysis(scope, session.config.analysis, context));
  GH_TRY(run, finished(scope, measured, judge(measured).annotations));
  ReadBase out;
  out.run.row = row_of(scope, run, context.env.now());
  const auto bytes = std::make_shared<const analysis::ExtractBytes>(
      analysis::extract_bytes(run.report, run.inputs));
  GH_TRY(extract,
         analysis::RunExtract::open(
             bytes->head, [bytes](std::size_t part, std::string_view) -> Result<std::string> {
               return bytes->parts.at(part);
             }));
  out.run.extract = std::move(extract);
  out.report = analysis::whole_report(std::move(run.report));
  return out;
}

}  // namespace gh::ops
