#include "ops/tree_watch.h"

#include <set>

#include "base/digest.h"
#include "base/text.h"
#include "ops/members.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxLogBytes = 256u << 20;

/// What the gate itself did since the log had `offset` bytes.
struct OwnWork {
  std::set<std::string> paths, commits;
};

OwnWork own_work_since(const git::Repo& repo, std::int64_t offset) {
  OwnWork out;
  const auto log = sys::read_file(landings_log(repo), kMaxLogBytes);
  if (!log || static_cast<std::int64_t>(log->size()) <= offset) return out;
  for (const std::string_view line :
       split(std::string_view(*log).substr(static_cast<std::size_t>(offset)), '\n')) {
    const auto value = wire::read_own_json(line, "landings");
    if (!value || value->as_map() == nullptr) continue;
    out.commits.insert(text_in(*value->as_map(), "commit"));
    const Value* paths = value->as_map()->find("paths");
    if (paths == nullptr || paths->as_list() == nullptr) continue;
    for (const Value& path : *paths->as_list())
      if (path.as_string() != nullptr) out.paths.insert(*path.as_string());
  }
  return out;
}

/// Canonical text of each change by its path.
std::map<std::string, std::string> changes_by_path(const Map& state) {
  std::map<std::string, std::string> out;
  const Value* changes = state.find("changes");
  if (changes == nullptr || changes->as_list() == nullptr) return out;
  for (const Value& change : *changes->as_list())
    if (change.as_map() != nullptr)
      out[text_in(*change.as_map(), "path")] = wire::canonical_json(change);
  return out;
}

}  // namespace

std::string landings_log(const git::Repo& repo) { return repo.state_dir() + "/landings.jsonl"; }

std::int64_t landings_so_far(const git::Repo& repo) { return sys::info(landings_log(repo)).size; }

Status note_landing(const git::Repo& repo, const Map& record) {
  const std::string line = wire::canonical_json(Map{{"run_id", *record.find("run_id")},
                                                    {"mode", *record.find("mode")},
                                                    {"commit", *record.find("commit")},
                                                    {"paths", *record.find("paths")}});
  const auto log = sys::read_file(landings_log(repo), kMaxLogBytes);
  if (log && log->ends_with("\n" + line + "\n")) return {};
  if (log && *log == line + "\n") return {};
  return sys::append_line(landings_log(repo), line);
}

Result<Map> watched_state(git::Repo& repo) {
  const auto head = repo.objects().commit("HEAD");
  GH_TRY(changes, repo.tracked_changes());
  List rows;
  for (const git::TrackedChange& c : changes)
    rows.emplace_back(Map{{"path", utf8_or_escaped(c.path)},
                          {"index", c.index_mode + " " + c.index_id},
                          {"work", c.work_mode + " " + c.work_sha256}});
  return Map{{"schema", "gatehouse.worktree_state/1"},
             {"head", head ? Value(head->id.hex()) : Value()},
             {"landings", landings_so_far(repo)},
             {"changes", std::move(rows)}};
}

std::string watched_sha256(const Map& state) {
  const auto member = [&](std::string_view key) {
    const Value* found = state.find(key);
    return found == nullptr ? Value() : *found;
  };
  return digest_of(
             wire::canonical_json(Map{{"head", member("head")}, {"changes", member("changes")}}))
      .hex();
}

Result<std::vector<std::string>> changed_elsewhere(git::Repo& repo, const Map& then) {
  GH_TRY(now, watched_state(repo));
  const Value* offset = then.find("landings");
  const OwnWork own = own_work_since(
      repo, offset != nullptr && offset->as_int() != nullptr ? *offset->as_int() : 0);
  std::set<std::string> out;
  if (text_in(now, "head") != text_in(then, "head") && !own.commits.contains(text_in(now, "head")))
    out.insert("HEAD");
  const auto before = changes_by_path(then);
  const auto after = changes_by_path(now);
  // A path that went back to what HEAD holds brings no change in by another way: that is what the
  // advice asks for.
  for (const auto& [path, state] : after)
    if (const auto it = before.find(path);
        (it == before.end() || it->second != state) && !own.paths.contains(path))
      out.insert(path);
  return std::vector<std::string>(out.begin(), out.end());
}

}  // namespace gh::ops
