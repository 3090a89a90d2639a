// `hook install`, `hook uninstall` and `hook status`. Nothing that somebody else wrote is lost:
// hooks are chained, managers get an entry, and the way back gives the same bytes.
#include "ops/hook_install.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/product.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "hooks/git_hook.h"
#include "ops/analysis_scope.h"
#include "ops/git_hook.h"
#include "ops/git_hook_ops.h"
#include "ops/hook_memory.h"
#include "ops/live_deny.h"
#include "ops/own_settings.h"
#include "ops/receipt_notes.h"
#include "ops/ref_guard.h"
#include "setup/hook_script.h"
#include "sys/files.h"
#include "sys/own_program.h"

namespace gh::ops {
namespace {

constexpr std::string_view kSharedFolder = ".githooks", kHooksPath = "core.hooksPath";
constexpr std::size_t kMaxScript = 1u << 20;
constexpr std::uint32_t kExecutable = 0755;
constexpr std::uint32_t kModeBits = 07777;
constexpr std::uint32_t kMayExecute = 0111;

bool exists(const std::string& path) { return sys::info(path).kind != sys::FileKind::missing; }

Result<std::string> text_at(const std::string& path) {
  if (!exists(path)) return std::string();
  return sys::read_file(path, kMaxScript);
}

/// git passes over a hook that it may not run, without failing.
bool is_executable(const std::string& path) {
  return (sys::info_follow(path).mode & kMayExecute) != 0;
}

/// With the mode that the file has, or `fresh`.
Status write_over(const std::string& path, std::string_view bytes, std::uint32_t fresh) {
  GH_DO(sys::make_folders(path.substr(0, path.rfind('/'))));
  const sys::FileInfo seen = sys::info_follow(path);
  const bool is_new = seen.kind == sys::FileKind::missing;
  return sys::write_file_atomic(path, bytes, is_new ? fresh : seen.mode & kModeBits);
}

}  // namespace

std::vector<std::string> settings_of_user(sys::Env& env) {
  if (std::string named = env.variable("GIT_CONFIG_GLOBAL"); !named.empty()) return {named};
  const std::string home = env.variable("HOME"), config = env.variable("XDG_CONFIG_HOME");
  std::vector<std::string> out;
  if (!home.empty()) out.push_back(home + "/.gitconfig");
  if (!config.empty() || !home.empty())
    out.push_back((config.empty() ? home + "/.config" : config) + "/git/config");
  return out;
}

namespace {

const setup::ManagerRow* manager_of(const git::Repo& repo) {
  if (repo.is_bare()) return nullptr;
  const auto rows = setup::managers();
  const auto at = std::ranges::find_if(rows, [&](const setup::ManagerRow& row) {
    return exists(fmt::format("{}/{}", repo.root(), row.file));
  });
  return at == rows.end() ? nullptr : &*at;
}

bool calls(const setup::ManagerRow* manager, std::string_view hook) {
  if (manager == nullptr) return false;
  const std::vector<std::string_view> names = split(manager->hooks, ' ');
  return std::ranges::find(names, hook) != names.end();
}

bool reads_input(hooks::GitHook hook) {
  using hooks::GitHook;
  return hook == GitHook::pre_push || hook == GitHook::pre_receive ||
         hook == GitHook::post_receive || hook == GitHook::reference_transaction;
}

/// Those of the side that the repository is on.
std::vector<const hooks::GitHookRow*> rows_for(const git::Repo& repo) {
  const hooks::HookSide side = repo.is_bare() ? hooks::HookSide::server : hooks::HookSide::work;
  std::vector<const hooks::GitHookRow*> out;
  for (const hooks::GitHookRow& row : hooks::git_hooks())
    if (row.installed && row.side == side) out.push_back(&row);
  return out;
}

std::string shown(const git::Repo& repo, const std::string& path) {
  return path.starts_with(repo.root() + "/") ? path.substr(repo.root().size() + 1) : path;
}

/// One file that we shall write, beside the way to it.
struct Place {
  std::string path, local;
};
Place place_of(const HooksPlace& place, std::string_view hook) {
  const std::string path = fmt::format("{}/{}", place.folder, hook);
  return {path, path + ".local"};
}

Result<HookFile> install_script(const git::Repo& repo, const HooksPlace& place,
                                const hooks::GitHookRow& row, const InstallWish& wish) {
  const Place at = place_of(place, row.name);
  HookFile out{.hook = std::string(row.name), .file = shown(repo, at.path)};
  GH_TRY(now, text_at(at.path));
  const bool is_there = exists(at.path), is_ours = setup::is_our_script(now);
  const bool chains = is_ours ? setup::moved_another(now) : is_there;
  const bool stays_here = at.path.starts_with(repo.common_dir() + "/");
  const std::string wanted = setup::hook_script({.hook = row.name,
                                                 .command = wish.command,
                                                 .known_at = stays_here ? wish.known_at : "",
                                                 .blocks = row.blocks,
                                                 .reads_input = reads_input(row.hook),
                                                 .replaces_another = chains});
  const setup::ScriptStep step =
      setup::decide_script({.exists = is_there,
                            .is_ours = is_ours,
                            .is_same = now == wanted && is_executable(at.path),
                            .has_local = exists(at.local)});
  if (step == setup::ScriptStep::refuse) {
    out.did = "refused";
    out.why = fmt::format("{} and {}.local are both taken", out.file, out.file);
    return out;
  }
  out.did = step == setup::ScriptStep::keep             ? "kept"
            : step == setup::ScriptStep::move_and_write ? "chained"
                                                        : "written";
  if (wish.is_trial || step == setup::ScriptStep::keep) return out;
  if (step == setup::ScriptStep::move_and_write) GH_DO(sys::replace_file(at.path, at.local));
  GH_DO(sys::make_folders(place.folder));
  GH_DO(sys::write_file_atomic(at.path, wanted, kExecutable));
  return out;
}

Result<HookFile> install_husky(const git::Repo& repo, const hooks::GitHookRow& row,
                               const InstallWish& wish) {
  const std::string path = fmt::format("{}/.husky/{}", repo.root(), row.name);
  GH_TRY(now, text_at(path));
  const std::string with = setup::with_husky_entry(now, row.name, row.blocks, wish.command);
  if (with != now && !wish.is_trial) GH_DO(write_over(path, with, kExecutable));
  return HookFile{.hook = std::string(row.name),
                  .file = shown(repo, path),
                  .did = with == now ? "kept" : "entry"};
}

/// husky is called from its own folder, or from scripts that it makes in a folder below; neither
/// comes with a clone.
bool calls_husky(const git::Repo& repo, const HooksPlace& place, std::string_view hook) {
  const std::string own = fmt::format("{}/.husky", repo.root());
  if (place.folder == own) return true;
  return place.folder.starts_with(own + "/") && is_executable(place_of(place, hook).path);
}

/// What a person has to do before git calls the manager in this clone; empty: it does already.
std::string to_be_installed(const git::Repo& repo, const HooksPlace& place) {
  const setup::ManagerRow& manager = *place.manager;
  const bool is_husky = manager.manager == setup::Manager::husky;
  for (const std::string_view hook : split(manager.hooks, ' '))
    if (is_husky ? !calls_husky(repo, place, hook) : !exists(place_of(place, hook).path))
      return fmt::format("git does not call {} here yet: run '{}'", manager.name, manager.install);
  return {};
}

/// The entries of a manager that has one file for all hooks.
Result<HookFile> install_entries(const git::Repo& repo, const setup::ManagerRow& manager,
                                 const InstallWish& wish) {
  const std::string path = fmt::format("{}/{}", repo.root(), manager.file);
  HookFile out{.hook = std::string(manager.hooks), .file = std::string(manager.file)};
  GH_TRY(now, text_at(path));
  const auto with = setup::with_entries(manager, now, wish.command);
  if (!with) {
    out.did = "refused";
    out.why = with.error().message;
    return out;
  }
  out.did = *with == now ? "kept" : "entry";
  if (*with != now && !wish.is_trial) GH_DO(write_over(path, *with, 0644));
  return out;
}

/// .githooks, which everybody gets with the next pull; git is told once in each clone.
Result<HooksPlace> shared_place(git::Repo& repo, HooksPlace place, const InstallWish& wish) {
  const std::string folder = fmt::format("{}/{}", repo.root(), kSharedFolder);
  if (place.folder == folder) return place;
  if (!place.set_by.empty())
    return fail(Code::conflict, fmt::format("{} already names {}; take that away first", kHooksPath,
                                            printable(place.folder, 200)));
  place.folder = folder;
  if (!wish.is_trial) GH_DO(add_own_setting(repo, kHooksPath, kSharedFolder));
  return place;
}

Result<HookFile> uninstall_script(const git::Repo& repo, const HooksPlace& place,
                                  std::string_view hook) {
  const Place at = place_of(place, hook);
  HookFile out{.hook = std::string(hook), .file = shown(repo, at.path), .did = "absent"};
  GH_TRY(now, text_at(at.path));
  if (!setup::is_our_script(now)) return out;
  const bool puts_back = setup::moved_another(now) && exists(at.local);
  GH_DO(puts_back ? sys::replace_file(at.local, at.path) : sys::remove_file(at.path));
  out.did = puts_back ? "restored" : "removed";
  return out;
}

Result<HookFile> take_out(const git::Repo& repo, const std::string& path, std::string hook,
                          const Result<std::string>& without, const std::string& now) {
  HookFile out{.hook = std::move(hook), .file = shown(repo, path), .did = "absent"};
  if (!without) return tl::make_unexpected(without.error());
  if (*without == now) return out;
  out.did = "removed";
  GH_DO(without->empty() ? sys::remove_file(path) : write_over(path, *without, 0644));
  return out;
}

std::string state_of(const std::string& path, const std::string& script,
                     const hooks::GitHookRow& row) {
  if (script.empty()) return "missing";
  if (!setup::is_our_script(script)) return "foreign";
  if (!is_executable(path)) return "disabled";
  if (!setup::is_whole_script(
          script, {.hook = row.name, .blocks = row.blocks, .reads_input = reads_input(row.hook)}))
    return "edited";
  return setup::moved_another(script) ? "chained" : "ours";
}

// ----------------------------------------------------------------------------------- answers

Reply reply_of(const git::Repo& repo, const HooksPlace& place, const std::vector<HookFile>& files,
               std::string_view action) {
  List list;
  std::string text;
  bool refused = false;
  for (const HookFile& file : files) {
    Map row{{"hook", file.hook}, {"file", utf8_or_escaped(file.file)}, {"state", file.did}};
    if (!file.why.empty()) row.set("why", printable(file.why, 2'000));
    list.emplace_back(std::move(row));
    text += fmt::format("{:<9} {:<22} {}\n", file.did, printable(file.hook, 60),
                        printable(file.file, 200));
    if (!file.why.empty()) text += fmt::format("          {}\n", file.why);
    refused = refused || file.did == "refused";
  }
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.git_hooks/1"},
                       {"action", action},
                       {"folder", utf8_or_escaped(shown(repo, place.folder))},
                       {"manager", place.manager == nullptr ? Value() : Value(place.manager->name)},
                       {"hooks", std::move(list)},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [text](const report::Look&) { return text; };
  if (refused) {
    reply.exit = ExitCode::denied;
    reply.why = "not every hook could be installed; nothing that was there was touched";
  }
  return reply;
}

}  // namespace

Result<HooksPlace> find_hooks_place(const git::Repo& repo, sys::Env& env) {
  HooksPlace out{.folder = repo.common_dir() + "/hooks", .manager = manager_of(repo)};
  GH_TRY(local, repo.setting(std::string(kHooksPath)));
  std::string named = local;
  if (!named.empty()) out.set_by = "the repository's configuration";
  for (const std::string& file : settings_of_user(env)) {
    if (!named.empty() || !exists(file)) continue;
    GH_TRY(value, repo.setting_in(file, std::string(kHooksPath)));
    named = value;
    if (!named.empty()) out.set_by = file;
  }
  if (named.empty()) return out;
  if (named.starts_with("~/")) named = env.variable("HOME") + named.substr(1);
  out.folder =
      normal_path(named.starts_with('/') ? named : fmt::format("{}/{}", repo.root(), named));
  const auto is_below = [&](const std::string& folder) {
    return out.folder.starts_with(folder + "/");
  };
  out.is_ours_to_write = is_below(repo.root()) || is_below(repo.common_dir());
  return out;
}

std::string own_path(const git::Repo& repo) {
  const std::string own = repo.common_dir() + "/hooks";
  return fmt::format("git config {} {}", kHooksPath, path_word(shown(repo, own)));
}

Result<std::vector<HookFile>> install_hooks(git::Repo& repo, Context& context,
                                            const InstallWish& wish) {
  GH_TRY(place, find_hooks_place(repo, context.env));
  if (wish.shared) {
    GH_TRY(shared, shared_place(repo, place, wish));
    place = std::move(shared);
  }
  const bool is_husky = place.manager != nullptr && place.manager->manager == setup::Manager::husky;
  if (!place.is_ours_to_write && !is_husky)
    return fail(
        Code::conflict,
        fmt::format("{} is set by {} to {}, which other repositories share", kHooksPath,
                    place.set_by, printable(place.folder, 200)),
        fmt::format("Set it for this one alone, and run the command again: {}", own_path(repo)));
  std::vector<HookFile> out;
  if (place.manager != nullptr && !is_husky) {
    GH_TRY(entries, install_entries(repo, *place.manager, wish));
    if (entries.why.empty()) entries.why = to_be_installed(repo, place);
    out.push_back(std::move(entries));
  }
  for (const hooks::GitHookRow* row : rows_for(repo)) {
    if (calls(place.manager, row->name) && !is_husky) continue;
    if (is_husky && !calls(place.manager, row->name)) continue;
    GH_TRY(file,
           is_husky ? install_husky(repo, *row, wish) : install_script(repo, place, *row, wish));
    out.push_back(std::move(file));
  }
  if (is_husky && !out.empty()) out.front().why = to_be_installed(repo, place);
  if (wish.is_trial)
    for (HookFile& file : out)
      if (file.did == "written" || file.did == "chained" || file.did == "entry")
        file.did = "would_write";
  if (repo.is_bare() || wish.is_trial) return out;
  GH_DO(note_protected_branches(repo));
  GH_TRY(rewrites, repo.setting(std::string(kRewriteRef)));
  if (rewrites.empty()) GH_DO(add_own_setting(repo, kRewriteRef, kNotesRef));
  return out;
}

bool has_own_hooks(const git::Repo& repo) {
  const std::array places{fmt::format("{}/hooks/pre-commit", repo.common_dir()),
                          fmt::format("{}/{}/pre-commit", repo.root(), kSharedFolder)};
  return std::ranges::any_of(places, [](const std::string& path) {
    const auto text = text_at(path);
    return text && setup::is_our_script(*text);
  });
}

Status can_share_receipts(const git::Repo& repo) {
  GH_TRY(url, repo.setting("remote.origin.url"));
  if (!url.empty()) return {};
  return fail(Code::bad_argument,
              "--share-receipts needs a remote named origin; nothing was written. Add one first: "
              "git remote add origin URL");
}

Status share_receipts(git::Repo& repo, bool share) {
  // Names with a star: they may match nothing, so that neither fetch nor push ever fails for them.
  constexpr std::string_view kReceipts = "refs/notes/gatehouse*:refs/notes/gatehouse*";
  constexpr std::string_view kFetch = "remote.origin.fetch", kPush = "remote.origin.push";
  constexpr std::string_view kCurrent = "HEAD";  // what git push sends where nothing is said
  if (!share) {
    GH_DO(drop_own_setting(repo, kFetch, kReceipts));
    GH_DO(drop_own_setting(repo, kPush, kReceipts));
    return drop_own_setting(repo, kPush, kCurrent);
  }
  GH_DO(can_share_receipts(repo));
  GH_TRY(pushes, repo.setting(std::string(kPush)));
  GH_DO(add_own_setting(repo, kFetch, kReceipts));
  if (pushes.empty()) GH_DO(add_own_setting(repo, kPush, kCurrent));
  return add_own_setting(repo, kPush, kReceipts);
}

Result<std::vector<HookFile>> uninstall_hooks(git::Repo& repo, Context& context) {
  GH_TRY(place, find_hooks_place(repo, context.env));
  std::vector<HookFile> out;
  if (place.is_ours_to_write)
    for (const hooks::GitHookRow& row : hooks::git_hooks()) {
      GH_TRY(file, uninstall_script(repo, place, row.name));
      if (file.did != "absent") out.push_back(std::move(file));
    }
  if (place.manager != nullptr && place.manager->manager == setup::Manager::husky) {
    for (const std::string_view hook : split(place.manager->hooks, ' ')) {
      const std::string path = fmt::format("{}/.husky/{}", repo.root(), hook);
      GH_TRY(now, text_at(path));
      GH_TRY(file, take_out(repo, path, std::string(hook), setup::without_husky_entry(now), now));
      if (file.did != "absent") out.push_back(std::move(file));
    }
  } else if (place.manager != nullptr) {
    const std::string path = fmt::format("{}/{}", repo.root(), place.manager->file);
    GH_TRY(now, text_at(path));
    GH_TRY(file, take_out(repo, path, std::string(place.manager->hooks),
                          setup::without_entries(*place.manager, now), now));
    if (file.did != "absent") out.push_back(std::move(file));
  }
  if (sys::list_folder(place.folder).value_or(std::vector<std::string>{}).empty())
    GH_DO(drop_own_setting(repo, kHooksPath, kSharedFolder));
  GH_DO(drop_own_setting(repo, kRewriteRef, kNotesRef));
  return out;
}

Result<std::vector<HookFile>> hooks_now(git::Repo& repo, Context& context) {
  GH_TRY(place, find_hooks_place(repo, context.env));
  std::vector<HookFile> out;
  for (const hooks::GitHookRow* row : rows_for(repo)) {
    const std::string path = place_of(place, row->name).path;
    HookFile file{.hook = std::string(row->name), .file = shown(repo, path)};
    GH_TRY(script, text_at(path));
    file.did = state_of(path, script, *row);
    if (file.did == "disabled") file.why = "it may not be executed, so git passes over it";
    if (file.did == "edited") file.why = "it is not what 'gatehouse hook install' writes";
    if (file.did != "ours" && file.did != "chained" && calls(place.manager, row->name)) {
      const bool is_husky = place.manager->manager == setup::Manager::husky;
      const std::string entry = is_husky ? fmt::format("{}/.husky/{}", repo.root(), row->name)
                                         : fmt::format("{}/{}", repo.root(), place.manager->file);
      GH_TRY(text, text_at(entry));
      if (contains(text, fmt::format("hook git {}", row->name))) {
        if (is_husky || script.empty()) file.why = to_be_installed(repo, place);
        file.did = file.why.empty() ? "entry" : "idle";
        file.file = shown(repo, entry);
      }
    }
    out.push_back(std::move(file));
  }
  return out;
}

namespace {

/// As PATH names it, where that is this program: a link stays when what is behind it is replaced.
std::string lasting_name(const std::string& self, sys::Env& env) {
  std::string named = program_on_path(kProduct, env);
  const auto there = sys::real_path(named), here = sys::real_path(self);
  return named.starts_with('/') && there && here && *there == *here ? named : self;
}

}  // namespace

Result<InstallWish> program_of_hooks(bool absolute, sys::Env& env) {
  auto self = sys::called_program();
  if (absolute) {
    if (!self) return tl::make_unexpected(self.error());
    return InstallWish{.command = *self};
  }
  if (!self) return InstallWish{};
  std::string known = lasting_name(*self, env);
  if (contains(known, "'") || contains(known, "\n")) known.clear();  // no word of a shell
  return InstallWish{.known_at = std::move(known)};
}

Result<Reply> hook_install(const Request& request, Context& context) {
  GH_TRY(repo, repo_around(context.cwd, context));
  InstallWish wish{.shared = request.flag("shared"), .is_trial = request.flag("dry-run")};
  if (request.flag("shared") && request.flag("local"))
    return fail(Code::bad_argument, "give --shared or --local, not both");
  if (wish.shared && repo.is_bare())
    return fail(Code::bad_argument, "a bare repository has no files to share hooks with");
  GH_TRY(program, program_of_hooks(request.flag("absolute"), context.env));
  wish.command = program.command;
  wish.known_at = program.known_at;
  GH_TRY(files, install_hooks(repo, context, wish));
  // A person who installs them has seen what stands there; an agent does not pardon itself.
  if (!wish.is_trial && agent_of(context).empty()) forget_tampering(repo.state_dir());
  GH_TRY(place, find_hooks_place(repo, context.env));
  return reply_of(repo, place, files, "install");
}

Result<Reply> hook_uninstall(const Request&, Context& context) {
  GH_TRY(repo, repo_around(context.cwd, context));
  GH_TRY(place, find_hooks_place(repo, context.env));
  GH_TRY(files, uninstall_hooks(repo, context));
  Reply reply = reply_of(repo, place, files, "uninstall");
  if (files.empty())
    reply.text = [](const report::Look&) { return std::string("nothing of ours is installed\n"); };
  return reply;
}

Result<Reply> hook_status(const Request&, Context& context) {
  GH_TRY(repo, repo_around(context.cwd, context));
  GH_TRY(place, find_hooks_place(repo, context.env));
  GH_TRY(files, hooks_now(repo, context));
  return reply_of(repo, place, files, "status");
}

}  // namespace gh::ops
