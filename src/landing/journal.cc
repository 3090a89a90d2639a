#include "landing/journal.h"

#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::landing {
namespace {

constexpr std::size_t kMaxJournalBytes = 64u << 20;

std::string pointer_path(const std::string& state) { return state + "/landing.json"; }

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

std::string text_of(const Map& map, std::string_view key) {
  const Value* value = map.find(key);
  const std::string* text = value == nullptr ? nullptr : value->as_string();
  return text == nullptr ? std::string() : *text;
}

void read_begin(const Map& line, Plan& plan) {
  plan.mode = text_of(line, "mode");
  plan.run_id = text_of(line, "run_id");
  plan.run_folder = text_of(line, "run_folder");
  plan.root = text_of(line, "root");
  plan.base_commit = text_of(line, "base_commit");
  plan.candidate_tree = text_of(line, "candidate_tree");
  plan.ref = text_of(line, "ref");
  plan.commit = text_of(line, "commit");
  const Value* folders = line.find("created_folders");
  if (folders == nullptr || folders->as_list() == nullptr) return;
  for (const Value& folder : *folders->as_list())
    if (folder.as_string() != nullptr) plan.created_folders.push_back(*folder.as_string());
}

void read_entry(const Map& line, Plan& plan) {
  patch::TouchedEntry entry{.path = text_of(line, "path"),
                            .old_mode = patch_mode(text_of(line, "old_mode")),
                            .new_mode = patch_mode(text_of(line, "new_mode")),
                            .old_id = ObjectId::parse(text_of(line, "old_blob")),
                            .new_id = ObjectId::parse(text_of(line, "new_blob"))};
  const Value* permissions = line.find("old_permissions");
  const std::int64_t* bits = permissions == nullptr ? nullptr : permissions->as_int();
  plan.entries.push_back(std::move(entry));
  plan.old_permissions.push_back(bits == nullptr ? 0 : static_cast<std::uint32_t>(*bits));
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
    const std::string event = text_of(*map, "event");
    if (event == "begin") read_begin(*map, out.plan);
    if (event == "path") read_entry(*map, out.plan);
    if (event == "landed") out.landed = *map->find("record");
    if (event == "rolled_back") out.rolled_back = true;
    begun = begun || event == "begin";
  }
  if (!begun)
    return fail(Code::io_error,
                fmt::format("the landing journal {} cannot be read; the work tree may "
                            "hold part of a patch",
                            path));
  return out;
}

}  // namespace

Result<Journal> open_journal(const std::string& state, const Plan& plan) {
  std::string text = begin_line(plan) + "\n";
  for (std::size_t i = 0; i < plan.entries.size(); ++i)
    text += entry_line(plan.entries[i], plan.old_permissions[i]) + "\n";
  Journal out;
  out.plan = plan;
  out.path = plan.run_folder + "/logs/apply_journal.jsonl";
  GH_DO(sys::make_folders(plan.run_folder + "/logs"));
  GH_DO(sys::write_file_atomic(out.path, text));
  GH_DO(sys::write_file_atomic(pointer_path(state),
                               wire::canonical_json(Map{{"journal", out.path}}) + "\n"));
  return out;
}

Result<std::optional<Journal>> find_journal(const std::string& state) {
  const std::string pointer = pointer_path(state);
  if (sys::info(pointer).kind == sys::FileKind::missing) return std::nullopt;
  GH_TRY(text, sys::read_file(pointer, 1u << 16));
  GH_TRY(value, wire::read_own_json(text, pointer));
  if (value.as_map() == nullptr) return fail(Code::io_error, pointer + " is damaged");
  GH_TRY(journal, read_journal(text_of(*value.as_map(), "journal")));
  return std::move(journal);
}

Status mark_landed(Journal& journal, Value record) {
  GH_DO(sys::append_line(journal.path,
                         wire::canonical_json(Map{{"event", "landed"}, {"record", record}})));
  journal.landed = std::move(record);
  return {};
}

Status mark_rolled_back(Journal& journal) {
  journal.rolled_back = true;
  return sys::append_line(journal.path, wire::canonical_json(Map{{"event", "rolled_back"}}));
}

Status close_journal(const std::string& state) { return sys::remove_file(pointer_path(state)); }

}  // namespace gh::landing
