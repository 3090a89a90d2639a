#include "ops/base_run.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "control/scope_paths.h"
#include "ops/analysis_scope.h"
#include "ops/analyze_judgement.h"
#include "ops/change_receipt.h"
#include "ops/source_files.h"
#include "policy/glob.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kRunsLookedAt = 1'000;

using Input = std::optional<analysis::RunInput>;

bool is_same(const Input& a, const Input& b) {
  return a && b ? a->mode == b->mode && a->blob == b->blob : a.has_value() == b.has_value();
}

bool is_of_change(const Intent& intent, const std::vector<std::string>& changed,
                  const std::string& path) {
  const auto covers = [&](const std::string& entry) { return policy::matches_prefix(path, entry); };
  return std::ranges::find(changed, path) != changed.end() ||
         std::ranges::any_of(intent.scope.allowed_files, covers) ||
         std::ranges::any_of(intent.scope.allowed_related, covers);
}

/// All that can matter: the files of the change, and those that the two runs have otherwise. What
/// both have alike was not gone in between.
Result<std::set<std::string>> looked_at(const Intent& intent, ControlRun& before, ControlRun& after,
                                        const std::vector<std::string>& changed) {
  GH_TRY(out, analysis::RunExtract::changed_inputs(before.extract, after.extract));
  for (const std::vector<std::string>* paths :
       {&changed, &intent.scope.allowed_files, &intent.scope.allowed_related})
    for (const std::string& path : *paths)
      out.insert(utf8_or_escaped(control::bytes_of_path(path)));
  return out;
}

/// Clean when a finish looked, and the run has read something else than HEAD has. Of a link it read
/// what that leads to, which may be dirty by itself.
bool is_unseen(const DirtySnapshot* seen, const std::string& name, const Input& committed,
               const Input& then, const Input& now) {
  constexpr std::string_view kLink = "120000";
  const bool is_link = (then && then->mode == kLink) || (now && now->mode == kLink);
  return seen != nullptr && !seen->partial && !is_link && !seen->entries.contains(name) &&
         !is_same(committed, then);
}

/// What a receipt is bound to is what a change is judged from. A commit that is gone stays named:
/// nothing can be said then.
Result<std::string> judged_from(ChangeSession& session, const Intent& intent) {
  const std::string began = base_commit_of(intent);
  if (!began.empty() && !session.repo.objects().commit(began)) return began;
  return change_base(session, intent);
}

}  // namespace

Result<BaseLook> look_at_base(ChangeSession& session, const Intent& intent, ControlRun& before,
                              ControlRun& after, const std::vector<std::string>& changed) {
  GH_TRY(from, judged_from(session, intent));
  BaseLook out{.commit = std::move(from)};
  if (out.commit.empty()) return out;
  const auto commit = session.repo.objects().commit(out.commit);
  if (!commit) {  // it went with the history that it was part of: nothing can be said
    out.differs = changed;
    return out;
  }
  GH_TRY(paths, looked_at(intent, before, after, changed));
  for (const std::string& path : paths) {
    const std::string bytes = control::bytes_of_path(path);
    std::string name = control::path_from_git(bytes);
    GH_TRY(base, input_in_tree(session.repo, commit->tree, bytes));
    GH_TRY(then, before.extract.input(path));
    if (is_same(base, then)) continue;
    GH_TRY(now, after.extract.input(path));
    if (is_of_change(intent, changed, name) || is_same(base, now))
      out.differs.push_back(std::move(name));
  }
  if (out.differs.empty()) return out;
  GH_TRY(inputs, files_of_tree(session.repo, commit->tree)->inputs());
  out.inputs_sha256 = analysis::inputs_digest(inputs);
  return out;
}

Result<std::vector<std::string>> gone_since(ChangeSession& session, Context& context,
                                            const Intent& intent, ControlRun& before,
                                            ControlRun& after,
                                            const std::vector<std::string>& changed,
                                            const DirtySnapshot* seen) {
  std::vector<std::string> out;
  if (base_commit_of(intent).empty()) return out;
  GH_TRY(from, judged_from(session, intent));
  const auto commit = session.repo.objects().commit(from),
             head = session.repo.objects().commit("HEAD");
  if (!commit || !head) return out;
  GH_TRY(paths, analysis::RunExtract::changed_inputs(before.extract, after.extract));
  std::vector<std::string> names, unseen;
  for (const std::string& path : paths)
    names.push_back(control::path_from_git(control::bytes_of_path(path)));
  GH_TRY(ignored, ignored_of(session, names));
  for (const std::string& path : paths) {
    const std::string bytes = control::bytes_of_path(path);
    std::string name = control::path_from_git(bytes);
    if (is_of_change(intent, changed, name)) continue;
    GH_TRY(then, after.extract.input(path));
    GH_TRY(base, input_in_tree(session.repo, commit->tree, bytes));
    Input committed = base;
    if (head->tree != commit->tree) {
      GH_TRY(at_head, input_in_tree(session.repo, head->tree, bytes));
      committed = std::move(at_head);
    }
    if (is_same(base, then) && is_same(committed, then)) continue;
    GH_TRY(now, input_on_disk(session, bytes));
    // No analysis would read it now.
    if (std::ranges::find(ignored, name) != ignored.end()) now.reset();
    if (is_same(base, now) && !is_same(base, then))
      out.push_back(std::move(name));
    else if (is_unseen(seen, name, committed, then, now))
      (is_same(now, then) ? unseen : out).push_back(std::move(name));
  }
  // Where git converts line ends, what is clean is not as HEAD has it.
  if (!unseen.empty()) {
    GH_TRY(dirt, look_at_paths(session, context, unseen));
    for (std::string& name : unseen)
      if (dirt.entries.contains(name)) out.push_back(std::move(name));
    std::ranges::sort(out);
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
