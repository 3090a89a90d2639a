#include "ops/init_files.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/data.h"
#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "ops/calibration.h"
#include "ops/live_deny.h"
#include "policy/config.h"
#include "setup/ci_files.h"
#include "setup/json_text.h"
#include "setup/line_text.h"
#include "setup/yaml_pointer.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kCommitsLookedAt = 1'000, kFewCommits = 20, kWantedPercent = 95;
constexpr std::uint32_t kModeBits = 07777;
constexpr std::string_view kSeal = "# gatehouse:init ";
constexpr std::size_t kSealDigits = 16;

std::string full(const git::Repo& repo, std::string_view path) {
  return fmt::format("{}/{}", repo.root(), path);
}

bool exists(const std::string& path) { return sys::info(path).kind != sys::FileKind::missing; }

/// A file that is there and cannot be read is never touched.
PlannedFile look_at(const git::Repo& repo, std::string_view path) {
  PlannedFile out{.path = std::string(path)};
  const std::string file = full(repo, path);
  const sys::FileInfo seen = sys::info(file);
  if (seen.kind == sys::FileKind::missing) return out;
  auto text = sys::read_file(file, setup::kMaxFileBytes);
  if (seen.kind != sys::FileKind::file)
    out.why = fmt::format("{} is no regular file", path);
  else if (!text)
    out.why = text.error().message;
  else
    out.before = out.after = std::move(*text);
  return out;
}

const std::string& text_in(const PlannedFile& file) {
  static const std::string kNone;
  return file.after ? *file.after : kNone;
}

void leave_alone(PlannedFile& file, const setup::HostFile& row, const Error& error,
                 std::string_view command) {
  file.why = error.message;
  file.snippet = setup::snippet(row, command);
  file.after = file.before;
}

// ----------------------------------------------------------------------------------- policy

struct Limits {
  std::int64_t files, added, commits = 0;
};

/// What most commits of this history keep within.
Limits limits_of(git::Repo& repo) {
  const policy::PatchPolicy usual = policy::default_patch_policy();
  Limits out{usual.max_files, usual.max_added_lines};
  const auto head = repo.objects().commit("HEAD");
  if (!head) {
    repo.objects().hang_up();
    return out;
  }
  const auto sizes = repo.commit_sizes(head->id, kCommitsLookedAt);
  if (!sizes || std::ssize(*sizes) < kFewCommits) return out;
  const Calibration found = calibrate(*sizes, out.files, out.added);
  const auto at = std::ranges::find(found.proposals, kWantedPercent, &Proposal::percent);
  if (at == found.proposals.end() || at->max_files < 1 || at->max_added_lines < 1) return out;
  return {at->max_files, at->max_added_lines, found.commits};
}

std::string limit_lines(const Limits& limits) {
  std::string out;
  if (limits.commits > 0)
    out = fmt::format("  # {} of 100 commits of the last {} keep within each of these.\n",
                      kWantedPercent, limits.commits);
  return out + fmt::format("  max_files: {}\n  max_added_lines: {}", limits.files, limits.added);
}

void replace(std::string& text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  if (at != text.npos) text.replace(at, what.size(), by);
}

std::string seal_of(std::string_view text) {
  return fmt::format("{}{}\n", kSeal, digest_of(text).hex().substr(0, kSealDigits));
}

/// Written by init and not touched since.
bool is_sealed(std::string_view text) {
  const std::size_t at = text.rfind(kSeal);
  return at != text.npos && text.substr(at) == seal_of(text.substr(0, at));
}

std::string start_text(git::Repo& repo, policy::HookMode mode) {
  std::string out(data::find("setup/gatehouse.yaml"));
  replace(out, "@LIMITS@", limit_lines(limits_of(repo)));
  replace(out, "@MODE@", to_string(mode));
  return out;
}

setup::Lines mode_lines(policy::HookMode mode) {
  return {"hooks:", fmt::format("  mode: {}", to_string(mode))};
}

/// Does the text have that block? An empty text has none.
bool has_hooks(std::string_view yaml) {
  return std::ranges::any_of(split(yaml, '\n'),
                             [](std::string_view line) { return line.starts_with("hooks:"); });
}

Result<InitPlan> copied_into(std::string_view yaml, const Map* settings) {
  if (settings == nullptr) return InitPlan{.before = std::string(yaml), .after = std::string(yaml)};
  return plan_init(yaml, *settings);
}

/// An existing file with what it lacks.
Result<InitPlan> extended(std::string_view yaml, const Map* settings, policy::HookMode wanted) {
  GH_TRY(plan, copied_into(yaml, settings));
  if (!has_hooks(plan.after))
    plan.after = setup::with_block(plan.after, mode_lines(wanted), setup::hash_marks());
  return plan;
}

/// The same file with another mode; a seal of ours stays one.
Result<std::string> with_mode(const std::string& yaml, policy::HookMode wanted) {
  GH_TRY(config, policy::parse_config(yaml, kConfigFile));
  if (config.hooks.mode == wanted) return yaml;
  const bool sealed = is_sealed(yaml);
  const std::string body = sealed ? yaml.substr(0, yaml.rfind(kSeal)) : yaml;
  GH_TRY(changed, setup::edited_yaml(body, kConfigFile,
                                     {.pointer = "/hooks/mode", .value = to_string(wanted)}));
  return sealed ? changed + seal_of(changed) : changed;
}

bool says_nothing(std::string_view yaml) {
  return std::ranges::all_of(split(yaml, '\n'), [](std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first == line.npos || line[first] == '#';
  });
}

constexpr std::string_view kHidden = "*.gatehouse.bak";
setup::Lines hidden_lines() { return {std::string(kHidden)}; }

/// Folders on the way that hold nothing any more.
void drop_empty_folders(const git::Repo& repo, std::string path) {
  while (path.size() > repo.root().size()) {
    const auto names = sys::list_folder(path);
    if (!names || !names->empty()) return;
    (void)sys::remove_folder_tree(path);
    path.resize(path.rfind('/'));
  }
}

}  // namespace

std::vector<FoundHost> detect_hosts(const git::Repo& repo, sys::Env& env) {
  std::vector<FoundHost> out;
  for (const setup::HostRow& row : setup::hosts()) {
    FoundHost found{row.host};
    for (const std::string_view file : split(row.files, ' '))
      if (exists(full(repo, file))) found.by.emplace_back(file);
    for (const std::string_view program : split(row.programs, ' '))
      if (std::string file = program_on_path(program, env); !file.empty())
        found.by.push_back(std::move(file));
    if (!found.by.empty()) out.push_back(std::move(found));
  }
  return out;
}

std::vector<std::string> detect_ci(const git::Repo& repo) {
  std::vector<std::string> out;
  for (const setup::CiRow& row : setup::ci_files())
    if (exists(full(repo, row.shown_by))) out.emplace_back(row.name);
  return out;
}

std::vector<PlannedFile> plan_ci(const git::Repo& repo) {
  std::vector<PlannedFile> out;
  for (const setup::CiRow& row : setup::ci_files()) {
    if (!exists(full(repo, row.shown_by))) continue;
    PlannedFile file = look_at(repo, row.file);
    if (file.why.empty()) {
      file.has_ours = setup::without_ci_step(row, text_in(file)) != text_in(file);
      auto with = setup::with_ci_step(row, text_in(file));
      file.after = with ? *std::move(with) : file.before;
      if (!with) file.why = with.error().message;
    }
    if (!file.why.empty()) file.snippet = setup::ci_step(row);
    out.push_back(std::move(file));
  }
  return out;
}

std::vector<PlannedFile> unplan_ci(const git::Repo& repo) {
  std::vector<PlannedFile> out;
  for (const setup::CiRow& row : setup::ci_files()) {
    PlannedFile file = look_at(repo, row.file);
    if (row.form == setup::CiForm::by_hand || !file.before) continue;
    file.after = setup::without_ci_step(row, *file.before);
    if (file.after->empty() && row.form == setup::CiForm::file) file.after.reset();
    out.push_back(std::move(file));
  }
  return out;
}

Status hide_backups(const git::Repo& repo, bool hide) {
  const std::string folder = repo.common_dir() + "/info", path = folder + "/exclude";
  const std::string now = sys::read_file(path, setup::kMaxFileBytes).value_or("");
  const std::string with = hide ? setup::with_block(now, hidden_lines(), setup::hash_marks())
                                : setup::without_block(now, setup::hash_marks());
  if (with == now) return {};
  GH_DO(sys::make_folders(folder));
  return sys::write_file_atomic(path, with, 0644);
}

std::vector<PlannedFile> plan_hosts(const git::Repo& repo, const std::vector<setup::Host>& wanted,
                                    std::string_view command, bool with_policy) {
  std::vector<PlannedFile> out;
  for (const setup::HostFile& row : setup::host_files()) {
    if (std::ranges::find(wanted, row.host) == wanted.end()) continue;
    if (std::ranges::find(out, row.path, &PlannedFile::path) != out.end()) continue;
    PlannedFile file = look_at(repo, row.path);
    const bool is_there = file.before || !file.why.empty();
    if (row.written == setup::Written::if_there && !is_there) continue;
    if (row.written == setup::Written::with_policy && !with_policy) continue;
    if (file.why.empty()) {
      const auto without = setup::without_ours(row, text_in(file));
      file.has_ours = without && *without != text_in(file);
      auto with = setup::with_ours(row, text_in(file), command);
      if (with)
        file.after = std::move(*with);
      else
        leave_alone(file, row, with.error(), command);
    } else {
      file.snippet = setup::snippet(row, command);
    }
    out.push_back(std::move(file));
  }
  return out;
}

std::vector<PlannedFile> unplan_hosts(const git::Repo& repo,
                                      const std::vector<setup::Host>& wanted) {
  std::vector<PlannedFile> out;
  for (const setup::HostFile& row : setup::host_files()) {
    if (std::ranges::find(wanted, row.host) == wanted.end()) continue;
    if (std::ranges::find(out, row.path, &PlannedFile::path) != out.end()) continue;
    PlannedFile file = look_at(repo, row.path);
    if (!file.before) continue;
    const auto kept =
        sys::read_file(full(repo, row.path) + std::string(kBackup), setup::kMaxFileBytes);
    auto again = kept ? setup::with_ours(row, *kept, kProduct) : kept;
    if (again && *again == *file.before) {
      file.after = *kept;
    } else if (auto without = setup::without_ours(row, *file.before); !without) {
      file.why = without.error().message;
    } else if (without->empty()) {
      file.after.reset();
    } else {
      file.after = std::move(*without);
    }
    out.push_back(std::move(file));
  }
  return out;
}

Result<ConfigPlan> plan_config(git::Repo& repo, const Map* settings, policy::HookMode wanted,
                               ModeWish wish) {
  ConfigPlan out{.file = look_at(repo, kConfigFile)};
  if (!out.file.why.empty()) return fail(Code::policy_unreadable, out.file.why);
  const std::string before = text_in(out.file);
  out.file.has_ours =
      is_sealed(before) || setup::without_block(before, setup::hash_marks()) != before;
  if (!out.file.before) {
    GH_TRY(plan, copied_into(start_text(repo, wanted), settings));
    out.copied = std::move(plan);
    out.file.after = out.copied.after + seal_of(out.copied.after);
  } else {
    GH_TRY(plan, extended(before, settings, wanted));
    if (wish == ModeWish::asked_for) {
      GH_TRY(changed, with_mode(plan.after, wanted));
      plan.after = std::move(changed);
    }
    out.copied = std::move(plan);
    out.file.after = out.copied.after;
  }
  GH_TRY(config, policy::parse_config(*out.file.after, kConfigFile));
  out.mode = config.hooks.mode;
  return out;
}

PlannedFile unplan_config(git::Repo& repo, const Map* settings) {
  PlannedFile file = look_at(repo, kConfigFile);
  if (!file.before || !file.why.empty()) return file;
  if (is_sealed(*file.before)) {
    file.after.reset();
    return file;
  }
  const auto kept =
      sys::read_file(full(repo, kConfigFile) + std::string(kBackup), setup::kMaxFileBytes);
  const auto config = policy::parse_config(*file.before, kConfigFile);
  if (kept && config) {
    const auto again = extended(*kept, settings, config->hooks.mode);
    const auto with = again.and_then(
        [&](const InitPlan& plan) { return with_mode(plan.after, config->hooks.mode); });
    if (with && *with == *file.before) {
      file.after = *kept;
      return file;
    }
  }
  std::string without = setup::without_block(*file.before, setup::hash_marks());
  if (says_nothing(without) && without != *file.before) {
    file.after.reset();
  } else {
    file.after = std::move(without);
  }
  return file;
}

Status write_planned(const git::Repo& repo, const PlannedFile& file) {
  if (!file.changes() || !file.after) return {};
  const std::string path = full(repo, file.path), backup = path + std::string(kBackup);
  const sys::FileInfo seen = sys::info_follow(path);
  const std::uint32_t mode = file.before ? seen.mode & kModeBits : 0644;
  if (file.before && !file.has_ours && !exists(backup)) {
    GH_DO(sys::write_file_atomic(backup, *file.before, mode));
  }
  GH_DO(sys::make_folders(path.substr(0, path.rfind('/'))));
  return sys::write_file_atomic(path, *file.after, mode);
}

Status undo_planned(const git::Repo& repo, const PlannedFile& file) {
  if (!file.changes()) return {};
  const std::string path = full(repo, file.path);
  GH_DO(file.after
            ? sys::write_file_atomic(path, *file.after, sys::info_follow(path).mode & kModeBits)
            : sys::remove_file(path));
  GH_DO(sys::remove_file(path + std::string(kBackup)));
  drop_empty_folders(repo, path.substr(0, path.rfind('/')));
  return {};
}

}  // namespace gh::ops
