#include "landing/journal.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "model/members.h"
#include "patch/gates.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::landing {
namespace {

constexpr std::size_t kMaxJournalBytes = 64u << 20;

std::string journal_path(const std::string& state) { return state + "/landing.jsonl"; }

/// The copy in the run folder is for people. Nothing reads it: an agent may own that folder.
std::string evidence_path(const Plan& plan) {
  return plan.run_folder + "/logs/apply_journal.jsonl";
}

Status append(const Journal& journal, const std::string& line) {
  GH_DO(sys::append_line(journal.path, line));
  (void)sys::append_line(evidence_path(journal.plan), line);
  return {};
}

Value mode_value(const std::optional<FileMode>& mode) {
  return mode ? Value(to_string(*mode)) : Value();
}
Value id_value(const std::optional<ObjectId>& id) { return id ? Value(id->hex()) : Value(); }

std::string begin_line(const Plan& plan) {
  return wire::canonical_json(Map{{"event", "begin"},
                                  {"mode", plan.mode},
                                  {"run_id", plan.run_id},
                                  {"run_folder", plan.run_folder},
                                  {"root", plan.root},
                                  {"base_commit", plan.base_commit},
                                  {"candidate_tree", plan.candidate_tree},
                                  {"ref", plan.ref},
                                  {"commit", plan.commit},
                                  {"created_folders", string_list(plan.created_folders)}});
}

std::string entry_line(const patch::TouchedEntry& e, std::uint32_t permissions) {
  return wire::canonical_json(Map{{"event", "path"},
                                  {"path", e.path},
                                  {"old_mode", mode_value(e.old_mode)},
                                  {"old_blob", id_value(e.old_id)},
                                  {"new_mode", mode_value(e.new_mode)},
                                  {"new_blob", id_value(e.new_id)},
                                  {"old_permissions", std::int64_t{permissions}}});
}

void read_begin(const Map& line, Plan& plan) {
  plan.mode = text_in(line, "mode");
  plan.run_id = text_in(line, "run_id");
  plan.run_folder = text_in(line, "run_folder");
  plan.root = text_in(line, "root");
  plan.base_commit = text_in(line, "base_commit");
  plan.candidate_tree = text_in(line, "candidate_tree");
  plan.ref = text_in(line, "ref");
  plan.commit = text_in(line, "commit");
  const Value* folders = line.find("created_folders");
  if (folders == nullptr || folders->as_list() == nullptr) return;
  for (const Value& folder : *folders->as_list())
    if (folder.as_string() != nullptr) plan.created_folders.push_back(*folder.as_string());
}

void read_entry(const Map& line, Plan& plan) {
  patch::TouchedEntry entry{.path = text_in(line, "path"),
                            .old_mode = patch_mode(text_in(line, "old_mode")),
                            .new_mode = patch_mode(text_in(line, "new_mode")),
                            .old_id = ObjectId::parse(text_in(line, "old_blob")),
                            .new_id = ObjectId::parse(text_in(line, "new_blob"))};
  const Value* permissions = line.find("old_permissions");
  const std::int64_t* bits = permissions == nullptr ? nullptr : permissions->as_int();
  plan.entries.push_back(std::move(entry));
  plan.old_permissions.push_back(bits == nullptr ? 0 : static_cast<std::uint32_t>(*bits));
}

tl::unexpected<Error> damaged(const std::string& path) {
  return fail(Code::io_error,
              fmt::format("the landing journal {} is not one of ours or damaged; the work tree may "
                          "hold part of a patch: look at it, then remove the journal",
                          path));
}

Result<Journal> read_journal(const std::string& path) {
  GH_TRY(text, sys::read_file(path, kMaxJournalBytes));
  Journal out;
  out.path = path;
  bool begun = false;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    const auto value = wire::read_own_json(line, path);
    if (!value) break;  // a torn last line: its event did not happen
    const Map* map = value->as_map();
    if (map == nullptr) break;
    const std::string event = text_in(*map, "event");
    if (event == "begin") read_begin(*map, out.plan);
    if (event == "path") read_entry(*map, out.plan);
    if (event == "landed") {
      const Value* record = map->find("record");
      if (record == nullptr || record->as_map() == nullptr) return damaged(path);
      out.landed = *record;
    }
    if (event == "rolled_back") out.rolled_back = true;
    begun = begun || event == "begin";
  }
  if (!begun) return damaged(path);
  return out;
}

bool is_run_id(std::string_view id) {
  return id.size() == 21 && id.starts_with("prun-") &&
         id.find_first_not_of("0123456789abcdef", 5) == std::string_view::npos;
}

/// A journal is followed only where a landing of this repository could have written it: whoever
/// planted another one must not be able to lead us out of the work tree.
bool is_plausible(const Plan& plan, const std::string& root) {
  const bool is_ref = plan.mode == "commit";
  const auto sound = [](std::string_view path) { return !patch::path_defect(path, false); };
  return plan.root == root && (is_ref || plan.mode == "worktree") && is_run_id(plan.run_id) &&
         plan.run_folder.starts_with('/') && ObjectId::parse(plan.base_commit) &&
         ObjectId::parse(plan.candidate_tree) &&
         (!is_ref || (plan.ref.starts_with("refs/") && ObjectId::parse(plan.commit))) &&
         std::ranges::all_of(plan.created_folders, sound) &&
         std::ranges::all_of(plan.entries, [&](const patch::TouchedEntry& e) {
           return sound(e.path) && e.old_mode.has_value() == e.old_id.has_value() &&
                  e.new_mode.has_value() == e.new_id.has_value();
         });
}

}  // namespace

Result<Journal> open_journal(const std::string& state, const Plan& plan) {
  std::string text = begin_line(plan) + "\n";
  for (std::size_t i = 0; i < plan.entries.size(); ++i)
    text += entry_line(plan.entries[i], plan.old_permissions[i]) + "\n";
  Journal out;
  out.plan = plan;
  out.path = journal_path(state);
  GH_DO(sys::make_folders(plan.run_folder + "/logs"));
  GH_DO(sys::write_file_atomic(evidence_path(plan), text));
  GH_DO(sys::write_file_atomic(out.path, text));
  return out;
}

bool is_landing(const std::string& state) {
  return sys::info(journal_path(state)).kind != sys::FileKind::missing;
}

Result<std::optional<Journal>> find_journal(const std::string& state, const std::string& root) {
  if (!is_landing(state)) return std::nullopt;
  GH_TRY(journal, read_journal(journal_path(state)));
  if (!is_plausible(journal.plan, root)) return damaged(journal.path);
  return std::move(journal);
}

Status mark_landed(Journal& journal, Value record) {
  GH_DO(append(journal, wire::canonical_json(Map{{"event", "landed"}, {"record", record}})));
  journal.landed = std::move(record);
  return {};
}

Status mark_rolled_back(Journal& journal) {
  journal.rolled_back = true;
  return append(journal, wire::canonical_json(Map{{"event", "rolled_back"}}));
}

Status mark_abandoned(const Journal& journal) {
  return append(journal, wire::canonical_json(Map{{"event", "abandoned"}}));
}

Status close_journal(const std::string& state) { return sys::remove_file(journal_path(state)); }

}  // namespace gh::landing
