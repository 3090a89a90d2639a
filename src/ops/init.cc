// `init`: one command after which a repository is guarded, and one that takes it all away again.
#include "ops/init.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "git/dirty_snapshot.h"
#include "ops/analysis_scope.h"
#include "ops/approvals.h"
#include "ops/git_hook.h"
#include "ops/hook_install.h"
#include "ops/hook_memory.h"
#include "ops/init_files.h"
#include "ops/live_deny.h"
#include "ops/support_ops.h"
#include "setup/line_diff.h"
#include "setup/plugin.h"
#include "sys/files.h"
#include "wire/toml.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxFile = 1u << 20;
constexpr int kMostQuestions = 3;
constexpr std::string_view kSource = "pyproject.toml";

using setup::Host;

/// What one run of init is about.
struct Setup {
  git::Repo repo;
  std::optional<Map> settings{};  // of [tool.codeclone]
  std::vector<FoundHost> found{};
  std::vector<Host> hosts{};
  InstallWish program{};
  policy::HookMode wanted = policy::HookMode::enforce;
  ConfigPlan config{};
  std::vector<PlannedFile> files{};
  std::vector<HookFile> hooks{};
  std::vector<std::string> ci{};
  bool with_ci = false;
  bool is_written = false;
};

struct Tried {
  Host host;
  LiveAnswer enforced{}, as_set{};
};

Result<std::optional<Map>> other_settings(const git::Repo& repo) {
  const std::string path = fmt::format("{}/{}", repo.root(), kSource);
  if (sys::info(path).kind == sys::FileKind::missing) return std::optional<Map>();
  GH_TRY(toml, sys::read_file(path, kMaxFile));
  return wire::read_toml_table(toml, kSource, {"tool", "codeclone"});
}

Result<std::vector<Host>> chosen_hosts(const Request& request,
                                       const std::vector<FoundHost>& found) {
  std::vector<Host> out;
  if (request.flag("all")) {
    for (const setup::HostRow& row : setup::hosts())
      out.push_back(row.host);
    return out;
  }
  if (!request.has("host")) {
    for (const FoundHost& one : found)
      out.push_back(one.host);
    return out;
  }
  const std::string text = request.text("host");
  for (const std::string_view name : split(text, ',')) {
    const setup::HostRow* row = setup::find_host(name);
    if (row == nullptr)
      return fail(Code::bad_argument,
                  fmt::format("--host takes claude, codex, cursor, vscode and gemini, with commas "
                              "between them, not '{}'",
                              printable(name, 60)));
    if (std::ranges::find(out, row->host) == out.end()) out.push_back(row->host);
  }
  return out;
}

bool is_trial(const Request& request) { return request.flag("dry-run") || request.flag("check"); }

/// Nobody's answer is guessed: --mode, --yes, or a word of the person at the terminal.
Result<policy::HookMode> chosen_mode(const Request& request, Context& context) {
  if (request.has("mode"))
    return request.text("mode") == "advise" ? policy::HookMode::advise : policy::HookMode::enforce;
  if (request.flag("yes") || is_trial(request)) return policy::HookMode::enforce;
  for (int i = 0; i < kMostQuestions; ++i) {
    const auto answer = context.ask
                            ? context.ask(
                                  "What shall the hooks do with a write that is not allowed?\n"
                                  "  enforce  stop it\n  advise   say so, and let it happen\n"
                                  "enforce or advise? ")
                            : std::nullopt;
    if (!answer)
      return fail(Code::missing_argument,
                  "nobody can be asked here; --yes writes, --mode advise writes a milder start, "
                  "--dry-run shows what would be written");
    if (*answer == "enforce" || *answer == "e") return policy::HookMode::enforce;
    if (*answer == "advise" || *answer == "a") return policy::HookMode::advise;
  }
  return fail(Code::bad_argument,
              "nothing was written: neither 'enforce' nor 'advise' was answered");
}

Result<Setup> gather(const Request& request, Context& context) {
  GH_TRY(repo, repo_around(context.cwd, context));
  if (repo.is_bare())
    return fail(Code::bad_argument,
                "a bare repository has no files to set up; 'gatehouse hook install' guards it");
  Setup out{.repo = std::move(repo)};
  GH_TRY(settings, other_settings(out.repo));
  out.settings = std::move(settings);
  out.found = detect_hosts(out.repo, context.env);
  out.ci = detect_ci(out.repo);
  GH_TRY(hosts, chosen_hosts(request, out.found));
  out.hosts = std::move(hosts);
  GH_TRY(program, program_of_hooks(request.flag("absolute"), context.env));
  out.program = std::move(program);
  return out;
}

// ----------------------------------------------------------------------------------- answers

std::vector<const PlannedFile*> all_files(const Setup& s) {
  std::vector<const PlannedFile*> out{&s.config.file};
  for (const PlannedFile& file : s.files)
    out.push_back(&file);
  return out;
}

std::string diff_of_all(const Setup& s) {
  std::string out;
  for (const PlannedFile* file : all_files(s))
    if (file->changes())
      out += setup::unified_diff(file->path, file->before ? &*file->before : nullptr,
                                 file->after ? &*file->after : nullptr);
  return out;
}

bool changes(const Setup& s) {
  const auto all = all_files(s);
  return std::ranges::any_of(all, [](const PlannedFile* file) { return file->changes(); }) ||
         std::ranges::any_of(s.hooks, [](const HookFile& file) {
           return file.did != "kept" && file.did != "refused";
         });
}

/// What keeps git from calling us although our files are there; empty: nothing does.
std::string uncalled(const Setup& s) {
  const auto found =
      std::ranges::find_if(s.hooks, [](const HookFile& f) { return !f.why.empty(); });
  return found == s.hooks.end() ? std::string() : found->why;
}

bool leaves_some(const Setup& s) {
  const auto all = all_files(s);
  return std::ranges::any_of(all, [](const PlannedFile* file) { return !file->why.empty(); });
}

std::string_view state_of(const Setup& s, const PlannedFile& file) {
  if (!file.why.empty()) return "left_alone";
  if (!file.changes()) return "unchanged";
  if (!s.is_written) return "would_change";
  return !file.after ? "removed" : file.before ? "changed" : "created";
}

std::string_view title_of(Host host) {
  return setup::hosts()[static_cast<std::size_t>(host)].title;
}
std::string_view name_of(Host host) { return setup::hosts()[static_cast<std::size_t>(host)].name; }

List files_list(const Setup& s) {
  List out;
  for (const PlannedFile* file : all_files(s)) {
    if (!file->before && !file->after && file->why.empty()) continue;
    Map row{{"path", file->path}, {"state", state_of(s, *file)}};
    if (!file->why.empty()) row.set("why", printable(file->why, 400));
    if (!file->snippet.empty()) row.set("snippet", file->snippet);
    out.emplace_back(std::move(row));
  }
  return out;
}

List hooks_list(const Setup& s) {
  List out;
  for (const HookFile& file : s.hooks) {
    Map row{{"hook", file.hook}, {"file", utf8_or_escaped(file.file)}, {"state", file.did}};
    if (!file.why.empty()) row.set("why", printable(file.why, 2'000));
    out.emplace_back(std::move(row));
  }
  return out;
}

List hosts_list(const Setup& s, const std::vector<Tried>& tried) {
  List out;
  for (const Host host : s.hosts) {
    const setup::Enforcement& row = setup::enforcement_of(host);
    const auto found = std::ranges::find(s.found, host, &FoundHost::host);
    Map one{
        {"host", name_of(host)},
        {"found_by", string_list(found == s.found.end() ? std::vector<std::string>{} : found->by)},
        {"edits", row.edits},
        {"shell", row.shell},
        {"crash", row.crash},
        {"ending", row.ending},
        {"last_net", row.last_net}};
    const auto proof = std::ranges::find(tried, host, &Tried::host);
    one.set("denied", proof == tried.end() ? Value() : Value(proof->enforced.denied));
    out.emplace_back(std::move(one));
  }
  return out;
}

List left_out_list(const std::vector<LeftOut>& all) {
  List out;
  for (const LeftOut& one : all)
    out.emplace_back(Map{{"key", one.key}, {"why", one.why}});
  return out;
}

std::string files_text(const Setup& s) {
  std::string out;
  for (const PlannedFile* file : all_files(s)) {
    const std::string_view state = state_of(s, *file);
    if (state == "unchanged") continue;
    out += fmt::format("{:<12} {}\n", state, file->path);
    if (!file->why.empty()) out += fmt::format("             {}\n", printable(file->why, 300));
    if (!file->snippet.empty())
      out += fmt::format("             add by hand:\n{}\n", file->snippet);
  }
  for (const HookFile& file : s.hooks)
    if (file.did != "kept" || !file.why.empty()) {
      out += fmt::format("{:<12} {}\n", file.did, printable(file.file, 200));
      if (!file.why.empty()) out += fmt::format("             {}\n", file.why);
    }
  for (const LeftOut& one : s.config.copied.left_out)
    out += fmt::format("left out: {}: {}\n", one.key, printable(one.why, 300));
  return out;
}

/// What is enforced, and what is advice alone, host by host.
std::string hosts_text(const Setup& s, const std::vector<Tried>& tried) {
  if (s.hosts.empty())
    return "No agent host is in use here; '--host claude' sets one up all the same.\n";
  std::string out = fmt::format("\n{:<12} {:<22} {:<21} {:<28} {}\n", "host", "edit out of scope",
                                "shell writes", "hook crash", "live test");
  for (const Host host : s.hosts) {
    const setup::Enforcement& row = setup::enforcement_of(host);
    const auto proof = std::ranges::find(tried, host, &Tried::host);
    const std::string_view live = proof == tried.end()     ? "not run"
                                  : proof->enforced.denied ? "denied, as it must"
                                                           : "NOT DENIED";
    out += fmt::format("{:<12} {:<22} {:<21} {:<28} {}\n", title_of(host), row.edits, row.shell,
                       row.crash, live);
  }
  if (std::ranges::find(s.hosts, Host::codex) != s.hosts.end())
    out += "Codex runs a new hook only after you trusted it: type /hooks in Codex.\n";
  for (const Tried& one : tried)
    if (!one.enforced.denied) out += fmt::format("{}: {}\n", title_of(one.host), one.enforced.what);
  return out;
}

std::string advice_text(const Setup& s, const std::vector<Tried>& tried) {
  std::string out;
  for (const Tried& one : tried)
    if (s.config.mode == policy::HookMode::advise && one.enforced.denied)
      out += fmt::format("{} would now be told: {}\n", title_of(one.host),
                         printable(one.as_set.what, 300));
  if (!s.ci.empty() && !s.with_ci)
    out += fmt::format(
        "CI ({}): 'gatehouse init --ci' has it judge every change, which no hook can skip.\n",
        join(s.ci, ", "));
  return out;
}

/// What init has changed in files that are committed.
std::vector<std::string> written_paths(const Setup& s) {
  std::vector<std::string> out;
  for (const PlannedFile* file : all_files(s))
    if (file->changes() && file->after) out.push_back(file->path);
  for (const HookFile& file : s.hooks)
    if (file.did == "entry") out.push_back(file.file);
  return out;
}

/// The person who ran this has let it in, for one commit.
Status approve_written(const Setup& s) {
  std::vector<ApprovedFile> files;
  for (const git::WorkFile& file : git::ids_of_files(s.repo, written_paths(s)))
    if (file.id) files.push_back({file.path, file.id});
  return approve_files(s.repo, files);
}

/// Those that git leaves out: neither tracked nor among the files that it would take.
std::vector<std::string> ignored_of(const git::Repo& repo, const std::vector<std::string>& paths) {
  const auto tracked = repo.staged(paths);
  const auto untracked = repo.untracked_files();
  if (!tracked || !untracked) return {};
  std::vector<std::string> out;
  for (const std::string& path : paths)
    if (std::ranges::find(*untracked, path) == untracked->end() &&
        std::ranges::find(*tracked, path, &git::StagedEntry::path) == tracked->end())
      out.push_back(path);
  return out;
}

/// git refuses to add what it tracks below a folder that it ignores, unless it is made to.
bool has_tracked(const git::Repo& repo, const std::vector<std::string>& paths) {
  const auto tracked = repo.staged(paths);
  return tracked && !tracked->empty();
}

std::string commit_text(const Setup& s) {
  std::vector<std::string> paths = written_paths(s);
  if (paths.empty()) return {};
  const std::vector<std::string> ignored = ignored_of(s.repo, paths);
  std::erase_if(paths, [&](const std::string& path) {
    return std::ranges::find(ignored, path) != ignored.end();
  });
  std::string out;
  if (!ignored.empty())
    out = fmt::format("\ngit ignores {}: it is set up for you alone\n", join(ignored, ", "));
  if (!paths.empty())
    out += fmt::format("\nCommit it:\n  git add {}-- {}\n  git commit -m 'Set up Gatehouse'\n",
                       has_tracked(s.repo, paths) ? "-f " : "", join(paths, " "));
  return out;
}

/// The words that named hosts, for a command that does the same.
std::string asked_hosts(const Request& request) {
  std::string out = request.flag("all") ? " --all" : "";
  if (request.has("host")) out += " --host " + printable(request.text("host"), 100);
  if (request.flag("ci")) out += " --ci";
  if (request.flag("policy")) out += " --policy";
  if (request.flag("absolute")) out += " --absolute";
  return out + (request.flag("git") ? "" : " --no-git");
}

/// An edit by hand would be one of a control file, which the next commit refuses.
std::string mode_line(const Request& request, policy::HookMode mode) {
  const policy::HookMode other =
      mode == policy::HookMode::enforce ? policy::HookMode::advise : policy::HookMode::enforce;
  return fmt::format("mode: {}; to change it: {} init --mode {}{}, and commit it", to_string(mode),
                     kProduct, to_string(other), asked_hosts(request));
}

Reply reply_of(const Setup& s, const std::vector<Tried>& tried, std::string text,
               std::string message) {
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.init/1"},
                       {"path", kConfigFile},
                       {"existed", s.config.file.before.has_value()},
                       {"written", s.is_written},
                       {"mode", to_string(s.config.mode)},
                       {"files", files_list(s)},
                       {"git_hooks", hooks_list(s)},
                       {"hosts", hosts_list(s, tried)},
                       {"ci", string_list(s.ci)},
                       {"copied", string_list(s.config.copied.copied)},
                       {"left_out", left_out_list(s.config.copied.left_out)},
                       {"diff", diff_of_all(s)},
                       {"message", message},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  text += message + "\n";
  reply.text = [text = std::move(text)](const report::Look&) { return text; };
  return reply;
}

/// What keeps the hooks of git out is no reason to leave the rest undone.
Result<std::vector<HookFile>> hooks_of(Setup& s, Context& context, bool is_trial) {
  InstallWish wish = s.program;
  wish.is_trial = is_trial;
  auto hooks = install_hooks(s.repo, context, wish);
  if (hooks || hooks.error().code != Code::conflict) return hooks;
  const std::string why = fmt::format("{}. {}", hooks.error().message, help(hooks.error()));
  return std::vector{HookFile{.hook = "all", .file = "hooks of git", .did = "refused", .why = why}};
}

/// Files of others may hold what moves the cursor of a terminal.
std::string shown_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t ink = std::min(line.find_first_not_of(" \t+-"), line.size());
    out.append(line.substr(0, ink)).append(printable(line.substr(ink), kMaxFile)).append("\n");
  }
  if (out.ends_with("\n\n")) out.pop_back();
  return out;
}

/// Whoever sits there sees what would be written and says yes; --yes has said so beforehand.
Result<bool> is_agreed(const Request& request, Context& context, Setup& s) {
  if (request.flag("yes") || !context.can_ask) return true;
  if (request.flag("git")) {
    GH_TRY(hooks, hooks_of(s, context, true));
    s.hooks = std::move(hooks);
  }
  if (!changes(s)) return true;
  std::string question = shown_lines(diff_of_all(s) + files_text(s));
  for (int i = 0; i < kMostQuestions; ++i) {
    const auto answer = context.ask(question + "Write this? yes or no: ");
    if (!answer) return fail(Code::missing_argument, "nothing was written: nobody answered");
    if (*answer == "yes" || *answer == "y") return true;
    if (*answer == "no" || *answer == "n") return false;
    question.clear();
  }
  return fail(Code::bad_argument, "nothing was written: neither 'yes' nor 'no' was answered");
}

Status write_all(Setup& s, const Request& request, Context& context) {
  GH_DO(hide_backups(s.repo, true));
  for (const PlannedFile* file : all_files(s))
    GH_DO(write_planned(s.repo, *file));
  if (request.flag("git")) {
    GH_TRY(hooks, hooks_of(s, context, false));
    s.hooks = std::move(hooks);
    forget_tampering(s.repo.state_dir());  // a person has looked at what stands there
  }
  if (request.flag("share-receipts")) GH_DO(share_receipts(s.repo, true));
  s.is_written = true;
  return approve_written(s);
}

/// What an uninstallation has done, and what of ours is still there.
std::string taken_away(const Request& request, const Setup& s) {
  const std::string of =
      request.has("host") ? " for " + printable(request.text("host"), 100) : std::string();
  std::string out = !changes(s)      ? fmt::format("nothing that init writes{} was here", of)
                    : leaves_some(s) ? fmt::format("not everything that init wrote{} is gone", of)
                                     : fmt::format("everything that init wrote{} is gone", of);
  if (request.has("host")) return out;
  if (s.config.file.after && !s.config.file.changes())
    out += fmt::format("; {} stays: it is yours, or was edited since", kConfigFile);
  if (!request.flag("git")) out += "; the hooks of git were not looked at (--no-git)";
  return out;
}

Result<Reply> uninstall(const Request& request, Context& context, Setup& s) {
  if (!request.has("host"))
    for (const setup::HostRow& row : setup::hosts())
      if (std::ranges::find(s.hosts, row.host) == s.hosts.end()) s.hosts.push_back(row.host);
  s.files = unplan_hosts(s.repo, s.hosts);
  if (!request.has("host")) {
    s.config.file = unplan_config(s.repo, s.settings ? &*s.settings : nullptr);
    std::ranges::move(unplan_ci(s.repo), std::back_inserter(s.files));
  }
  if (is_trial(request)) return reply_of(s, {}, diff_of_all(s), "nothing was taken away yet");
  if (request.flag("git") && !request.has("host")) {
    GH_TRY(hooks, uninstall_hooks(s.repo, context));
    s.hooks = std::move(hooks);
  }
  for (const PlannedFile* file : all_files(s))
    GH_DO(undo_planned(s.repo, *file));
  GH_DO(withdraw_approvals(s.repo));
  if (!request.has("host")) {
    GH_DO(hide_backups(s.repo, false));
    GH_DO(share_receipts(s.repo, false));
  }
  s.is_written = true;
  Reply reply = reply_of(s, {}, files_text(s), taken_away(request, s));
  if (leaves_some(s)) {
    reply.exit = ExitCode::denied;
    reply.why = "a file was left alone; what is ours in it is to be taken out by hand";
  }
  return reply;
}

/// An answer to --dry-run and --check.
Reply trial_reply(const Request& request, const Setup& s) {
  const std::string uncalled_why = uncalled(s);
  Reply reply = reply_of(s, {}, diff_of_all(s) + files_text(s),
                         changes(s)             ? "nothing was written"
                         : uncalled_why.empty() ? "nothing to do: all is in place"
                                                : "not guarded: " + uncalled_why);
  if (request.flag("check") && (changes(s) || leaves_some(s) || !uncalled_why.empty())) {
    reply.exit = ExitCode::denied;
    reply.why =
        leaves_some(s) ? "a file would be left alone; what to add to it is printed above"
        : changes(s)
            ? fmt::format(
                  "files differ from what init would write; 'gatehouse init --yes{}' writes "
                  "them",
                  asked_hosts(request))
            : "not guarded: " + uncalled_why;
  }
  return reply;
}

/// A folder of files for a marketplace; nothing that is there already is overwritten.
Result<Reply> write_plugin(const Request& request, Context& context) {
  if (!request.has("DIR")) return fail(Code::missing_argument, "--plugin needs a folder: DIR");
  const setup::HostRow* host = setup::find_host(request.text("plugin"));
  GH_TRY(files, setup::plugin_files(host->host, kVersion));
  const std::string named = request.text("DIR");
  const std::string folder =
      named.starts_with('/') ? named : fmt::format("{}/{}", context.cwd, named);
  std::string text;
  List list;
  for (const setup::PluginFile& file : files) {
    const std::string path = fmt::format("{}/{}", folder, file.path);
    const auto there = sys::read_file(path, kMaxFile);
    if (there && *there != file.text)
      return fail(Code::conflict, fmt::format("{} is there already and differs", printable(path)));
    const bool writes = !there && !is_trial(request);
    if (writes) {
      GH_DO(sys::make_folders(path.substr(0, path.rfind('/'))));
      GH_DO(sys::write_file_atomic(path, file.text, 0644));
    }
    const std::string_view state = there ? "unchanged" : writes ? "created" : "would_change";
    text += fmt::format("{:<12} {}\n", state, file.path);
    list.emplace_back(Map{{"path", file.path}, {"state", state}});
  }
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.plugin/1"},
                       {"host", host->name},
                       {"folder", utf8_or_escaped(folder)},
                       {"files", std::move(list)},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [text = std::move(text)](const report::Look&) { return text; };
  return reply;
}

}  // namespace

Result<Reply> init(const Request& request, Context& context) {
  if (request.has("plugin")) return write_plugin(request, context);
  if (request.has("DIR")) return fail(Code::bad_argument, "a DIR goes with --plugin alone");
  GH_TRY(s, gather(request, context));
  if (request.flag("uninstall")) return uninstall(request, context, s);
  if (request.flag("share-receipts")) GH_DO(can_share_receipts(s.repo));
  GH_TRY(mode, chosen_mode(request, context));
  GH_TRY(config, plan_config(s.repo, s.settings ? &*s.settings : nullptr, mode,
                             request.has("mode") ? ModeWish::asked_for : ModeWish::usual));
  s.config = std::move(config);
  const bool with_policy = request.flag("policy");
  if (with_policy && std::ranges::find(s.hosts, Host::gemini) == s.hosts.end())
    return fail(Code::bad_argument, "--policy is a file of Gemini CLI: it goes with --host gemini");
  s.files = plan_hosts(s.repo, s.hosts, s.program.command, with_policy);
  s.with_ci = request.flag("ci");
  if (s.with_ci) std::ranges::move(plan_ci(s.repo), std::back_inserter(s.files));
  if (is_trial(request)) {
    if (request.flag("git")) {
      GH_TRY(hooks, hooks_of(s, context, true));
      s.hooks = std::move(hooks);
    }
    return trial_reply(request, s);
  }
  GH_TRY(agreed, is_agreed(request, context, s));
  if (!agreed) {
    Reply reply = reply_of(s, {}, "", "nothing was written");
    reply.exit = ExitCode::denied;
    reply.why = "nothing was written, as you said";
    return reply;
  }
  GH_DO(write_all(s, request, context));
  std::vector<Tried> tried;
  for (const Host host : s.hosts)
    tried.push_back({host, try_hook(host, s.repo, context, true),
                     s.config.mode == policy::HookMode::advise
                         ? try_hook(host, s.repo, context, false)
                         : LiveAnswer{}});
  Reply reply = reply_of(
      s, tried, files_text(s) + hosts_text(s, tried) + advice_text(s, tried) + commit_text(s),
      mode_line(request, s.config.mode));
  const bool all_denied =
      std::ranges::all_of(tried, [](const Tried& one) { return one.enforced.denied; });
  const bool all_hooked =
      std::ranges::none_of(s.hooks, [](const HookFile& file) { return file.did == "refused"; });
  const bool all_written = !leaves_some(s);
  if (!all_denied || !all_hooked || !all_written) {
    reply.exit = ExitCode::denied;
    reply.why = !all_denied   ? "a host's hook did not deny a write that no intent covers"
                : !all_hooked ? "not every git hook could be installed"
                              : "a file was left alone; what to add to it is printed above";
  }
  return reply;
}

}  // namespace gh::ops
