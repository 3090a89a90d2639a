#include "ops/change_runs.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/run.h"
#include "base/digest.h"
#include "base/text.h"
#include "control/profiles.h"
#include "control/scope_paths.h"
#include "git/objects.h"
#include "model/peek.h"
#include "ops/analysis_scope.h"
#include "ops/analysis_settings.h"
#include "sys/files.h"
#include "sys/tree_files.h"

namespace gh::ops {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string short_of(const std::string& run_id) { return run_id.substr(0, analysis::kShortRunId); }

tl::unexpected<Error> unreadable(const std::string& run_id) {
  return fail(Code::ledger_unavailable,
              fmt::format("what is kept of run {} cannot be read", short_of(run_id)));
}

Result<std::optional<ControlRun>> loaded(ChangeSession& session, store::AnalysisRunRow row) {
  GH_TRY(head, session.ledger->blob(row.extract_sha256));
  if (!head) return std::nullopt;
  auto extract = analysis::RunExtract::open(
      *head,
      [ledger = session.ledger.get(), row](std::size_t part,
                                           std::string_view sha256) -> Result<std::string> {
        GH_TRY(bytes, ledger->run_part(row, static_cast<std::int64_t>(part)));
        if (!bytes || digest_of(*bytes).hex() != sha256) return unreadable(row.run_id);
        return std::move(*bytes);
      });
  if (!extract) return unreadable(row.run_id);
  return ControlRun{std::move(row), std::move(*extract)};
}

/// Where the change is made: of a change in a work tree of its own, that one.
std::string tree_root(const ChangeSession& session) { return utf8_or_escaped(session.repo.root()); }

/// A run of another revision than HEAD tells nothing of the work tree, however lately it was made.
bool is_of_work_tree(ChangeSession& session, const store::AnalysisRunRow& row) {
  if (row.source != to_string(ReadFrom::revision)) return true;
  const auto head = session.repo.objects().commit("HEAD");
  return head && head->tree.hex() == row.tree;
}

/// The latest run of the work tree as rows; those of other revisions are passed over.
Result<std::vector<store::AnalysisRunRow>> latest_row(ChangeSession& session) {
  const std::string root = tree_root(session);
  for (const std::int64_t looked_at : {1, 1'000}) {  // nearly always it is the first
    GH_TRY(rows, session.ledger->analysis_runs({.root = root, .limit = looked_at}));
    for (store::AnalysisRunRow& row : rows)
      if (is_of_work_tree(session, row)) return std::vector{std::move(row)};
  }
  return std::vector<store::AnalysisRunRow>();
}

bool is_read_by_runs(std::string_view path) {
  return !analysis::is_excluded(path) &&
         (analysis::is_wanted(path) || analysis::is_governance(path));
}

/// Where a link leads, as runs follow it; nullopt: nowhere, or out of what they read.
std::optional<std::string> followed(const std::string& root, const std::string& path) {
  const auto target = sys::real_path(root + "/" + path);
  if (!target || !target->starts_with(root + "/")) return std::nullopt;
  std::string out = target->substr(root.size() + 1);
  if (out.starts_with(".git/")) return std::nullopt;
  return out;
}

/// What a link names, whether or not it is there: a file that was deleted was read until then.
std::string next_of(const std::string& root, const std::string& link) {
  const auto named = sys::read_tree_file(root, link, git::kMaxBlobBytes);
  if (!named || named->kind != sys::TreeFileKind::symlink) return {};
  std::vector<std::string> at;
  const std::string whole = link.substr(0, link.rfind('/') + 1) + named->bytes;  // npos + 1 is 0
  for (const std::string_view part : split(whole, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..")
      at.emplace_back(part);
    else if (at.empty())
      return {};
    else
      at.pop_back();
  }
  return join(at, "/");
}

}  // namespace

Result<std::optional<store::AnalysisRunRow>> run_row(ChangeSession& session,
                                                     const std::string& word) {
  const bool is_latest = word == "latest";
  if (session.ledger == nullptr || word.empty() || word.size() > 64 ||
      (!is_latest && word.find_first_not_of(kHexDigits) != std::string::npos))
    return std::nullopt;
  for (const std::string& of : {tree_root(session), std::string()}) {
    GH_TRY(found, is_latest
                      ? latest_row(session)
                      : session.ledger->analysis_runs({.root = of, .prefix = word, .limit = 2}));
    if (found.empty() && !is_latest) continue;
    if (found.size() > 1 && found[0].run_id != found[1].run_id)
      return fail(Code::run_id_ambiguous, fmt::format("'{}' begins the ids of several runs", word));
    if (found.empty() || found[0].extract_sha256.empty()) return std::nullopt;
    return std::move(found.front());
  }
  return std::nullopt;
}

Result<std::optional<ControlRun>> run_named(ChangeSession& session, const std::string& word) {
  GH_TRY(row, run_row(session, word));
  if (!row) return std::nullopt;
  return loaded(session, std::move(*row));
}

Result<std::optional<ControlRun>> latest_run(ChangeSession& session) {
  return run_named(session, "latest");
}

Result<ControlRun> needed_run(ChangeSession& session, const std::string& word) {
  GH_TRY(found, run_named(session, word));
  if (!found)
    return fail(Code::run_not_found, word == "latest"
                                         ? "there is no run of this work tree yet"
                                         : fmt::format("no kept run is '{}'", printable(word, 80)));
  return std::move(*found);
}

Result<std::optional<analysis::RunInput>> input_on_disk(ChangeSession& session,
                                                        const std::string& path) {
  const std::string& root = session.repo.root();
  GH_TRY(found, sys::read_tree_file(root, path, git::kMaxBlobBytes));
  const bool is_link = found.kind == sys::TreeFileKind::symlink;
  if (const auto target = is_link ? followed(root, path) : std::nullopt) {
    GH_TRY(behind, sys::read_tree_file(root, *target, git::kMaxBlobBytes));
    found = std::move(behind);
  }
  if (found.kind != sys::TreeFileKind::regular) return std::nullopt;
  const std::string_view mode = is_link                           ? "120000"
                                : (found.permissions & 0111) != 0 ? "100755"
                                                                  : "100644";
  return analysis::RunInput{path, std::string(mode),
                            ObjectId::of(session.repo.hash_kind(), "blob", found.bytes).hex()};
}

Result<std::vector<std::string>> changed_since(ChangeSession& session, ControlRun& run,
                                               const std::vector<std::string>& paths,
                                               std::size_t limit) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    if (out.size() >= limit) break;
    const std::string name = control::bytes_of_path(path);
    GH_TRY(then, run.extract.input(utf8_or_escaped(name)));  // as a stored report has it
    if (!then && !is_read_by_runs(name)) continue;           // it cannot be stale
    GH_TRY(now, input_on_disk(session, name));
    bool is_same = now.has_value() == then.has_value() &&
                   (!now || (now->blob == then->blob && now->mode == then->mode));
    // A run by settings of somebody's own may have left out what the policy wants to be read.
    const bool is_wanted = then && is_analysed(name) && analysis::is_wanted(name) &&
                           !name.ends_with("go.mod") && is_chosen_by(session.config.analysis, name);
    if (is_same && is_wanted) {
      GH_TRY(was_read, run.extract.analysed(utf8_or_escaped(name)));
      is_same = was_read;
    }
    if (!is_same) out.push_back(path);
  }
  std::ranges::sort(out);
  return out;
}

Result<std::vector<std::string>> other_than_read(ChangeSession& session, ControlRun& run,
                                                 const std::vector<git::WorkFile>& files) {
  std::vector<std::string> out;
  for (const git::WorkFile& file : files) {
    if (!is_read_by_runs(file.path) || file.mode == FileMode::symlink) continue;
    GH_TRY(then, run.extract.input(utf8_or_escaped(file.path)));
    const bool is_there = file.mode && file.id;
    if (!then && !is_there) continue;
    const bool is_same =
        then && is_there && then->blob == file.id->hex() && then->mode == to_string(*file.mode);
    std::string path = control::path_from_git(file.path);
    if (!then) {  // of what git ignores a run knows nothing
      GH_TRY(ignored, ignored_of(session, {path}));
      if (!ignored.empty()) continue;
    }
    if (!is_same) out.push_back(std::move(path));
  }
  std::ranges::sort(out);
  return out;
}

Status check_freshness(ChangeSession& session, ControlRun& run, const gh::Scope& scope) {
  constexpr std::size_t kShown = 20;
  if (!session.policy().require_fresh_before_run) return {};
  GH_TRY(stale, changed_since(session, run, scope.allowed_files, kShown));
  if (stale.empty()) return {};
  return fail(
      Code::run_not_found,
      fmt::format("run {} does not know {} as it is now, and the policy wants one that does "
                  "(require_fresh_before_run)",
                  run.id(), printable(join(stale, ", "), 300)));
}

bool is_measured_by(const ControlRun& run, const policy::AnalysisPolicy& policy) {
  const std::string by = recorded_settings(run.row);
  return by.empty() ? measures_like(policy, run.extract.head()) : by == measuring_digest(policy);
}

bool leads_out(const ChangeSession& session, const std::string& path) {
  const std::string& root = session.repo.root();
  const auto target = followed(root, path);
  return !target || sys::info(root + "/" + *target).kind != sys::FileKind::file;
}

bool is_analysed(std::string_view path) {
  return analysis::is_wanted(path) && !analysis::is_excluded(path);
}

Result<std::vector<std::string>> links_to(ChangeSession& session,
                                          const std::vector<std::string>& paths,
                                          const std::vector<std::string>& baselines) {
  std::vector<std::string> out;
  if (paths.empty()) return out;
  const std::set<std::string> changed(paths.begin(), paths.end());
  GH_TRY(links, session.repo.status_reader(session.git_timeout_ms).links());
  for (const std::string& link : links) {
    std::string path = control::path_from_git(link);
    const bool matters = is_read_by_runs(link) || control::is_state_artifact(link) ||
                         std::ranges::find(baselines, path) != baselines.end();
    if (!matters || changed.contains(path)) continue;
    const auto there = followed(session.repo.root(), link);
    const std::string target = there ? *there : next_of(session.repo.root(), link);
    if (changed.contains(control::path_from_git(target))) out.push_back(std::move(path));
  }
  std::ranges::sort(out);
  return out;
}

std::string_view left_out_of_runs(std::string_view path, const policy::AnalysisPolicy& policy,
                                  bool is_repository, bool is_ignored) {
  if (is_repository) return "nested_repository";
  if (!analysis::is_wanted(path) && !analysis::is_governance(path)) return {};
  if (is_ignored) return "ignored_by_git";
  if (analysis::is_excluded(path)) return "excluded_folder";
  if (!analysis::is_wanted(path)) return {};
  return is_chosen_by(policy, path) ? std::string_view() : "not_chosen_by_policy";
}

}  // namespace gh::ops
