#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "landing/verify_commands.h"
#include "ops/hook_install.h"
#include "ops/hook_memory.h"
#include "ops/hook_places.h"
#include "ops/hook_sites.h"
#include "ops/live_deny.h"
#include "ops/patch_session.h"
#include "ops/receipt_notes.h"
#include "ops/repo_config.h"
#include "ops/signing.h"
#include "ops/support_ops.h"
#include "setup/hosts.h"
#include "setup/json_text.h"
#include "sys/files.h"
#include "sys/own_program.h"
#include "wire/simdjson_loader.h"

namespace gh::ops {
namespace {

constexpr std::uint64_t kLittleSpace = 256u << 20;
constexpr std::int64_t kClocksApart = 60;
constexpr std::size_t kIsolations = 3;  // network, filesystem, environment

struct Finding {
  std::string_view id;
  std::string_view state;  // ok, warn, fail
  std::string what;
  std::string fix{};
};
using Findings = std::vector<Finding>;

std::string_view fix_for(const Error& error) { return gh::help(error); }

void check_git(Findings& out, Context& context) {
  const auto git = git::find_git({}, context.env);
  if (!git) {
    out.push_back({"git", "fail", git.error().message, std::string(fix_for(git.error()))});
    return;
  }
  out.push_back({"git", "ok", fmt::format("git is {}", git->file)});
}

void check_version(Findings& out, const git::Repo& repo) {
  const std::string found = git::to_string(repo.git_version());
  if (const Status old = repo.check_version(false); !old)
    out.push_back({"git_version", "fail", old.error().message, std::string(fix_for(old.error()))});
  else
    out.push_back({"git_version", "ok", fmt::format("git {} (at least {})", found, kGitMinimum)});
}

void check_repository(Findings& out, const git::Repo& repo, Context& context) {
  out.push_back({"repository", "ok", fmt::format("repository at {}", printable(repo.root(), 400))});
  if (const Status owned = repo.check_owners({}, context.env); !owned)
    out.push_back({"owner", "fail", owned.error().message, std::string(fix_for(owned.error()))});
  else
    out.push_back({"owner", "ok", "the repository belongs to you"});
  if (const Status idle = repo.check_idle(); !idle)
    out.push_back({"idle", "warn", idle.error().message, std::string(fix_for(idle.error()))});
  else
    out.push_back({"idle", "ok", "no git operation is in progress"});
}

/// Of the work tree; where there is none, what HEAD has.
Result<policy::Config> config_here(git::Repo& repo) {
  if (!repo.is_bare()) return config_in_work_tree(repo);
  const auto head = repo.objects().commit("HEAD");
  if (head) return config_at(repo, *head);
  repo.objects().hang_up();
  return policy::Config{};
}

/// The policy that judges is HEAD's; an edited file in the work tree is worth a word.
void check_policy(Findings& out, git::Repo& repo) {
  const auto here = config_here(repo);
  if (!here) {
    out.push_back({"policy", "fail", here.error().message, "gatehouse config validate"});
    return;
  }
  out.push_back({"policy", "ok",
                 here->source == "defaults"
                     ? fmt::format("no {}: the defaults are in force", kConfigFile)
                     : fmt::format("{} is valid", kConfigFile)});
  const auto head = repo.objects().commit("HEAD");
  if (!head) {
    out.push_back({"head", "warn", "there is no commit yet, so there is no base to judge against",
                   "git commit"});
    return;
  }
  const auto judged = config_at(repo, *head);
  if (!judged) {
    out.push_back(
        {"policy_at_head", "fail", judged.error().message, "git add gatehouse.yaml && git commit"});
  } else if (!(judged->patch == here->patch)) {
    out.push_back(
        {"policy_at_head", "warn",
         fmt::format("{} in the work tree differs from HEAD's, which is the one that judges",
                     kConfigFile),
         "git add gatehouse.yaml && git commit"});
  }
}

void check_ledger(Findings& out, git::Repo& repo, Context& context) {
  const auto ledger = open_ledger_to_read(repo, context.env);
  if (!ledger) {
    out.push_back({"ledger", "fail", ledger.error().message, std::string(fix_for(ledger.error()))});
    return;
  }
  if (*ledger == nullptr) {
    out.push_back({"ledger", "ok", "no ledger yet; the first submission makes it"});
    return;
  }
  const auto broken = (*ledger)->first_broken_link();
  if (!broken)
    out.push_back({"ledger", "fail", broken.error().message, std::string(fix_for(broken.error()))});
  else if (*broken != 0)
    out.push_back({"ledger", "fail", fmt::format("the audit chain breaks at row {}", *broken),
                   "gatehouse audit verify"});
  else
    out.push_back({"ledger", "ok", "the ledger opens and its audit chain holds"});
}

void check_state_folder(Findings& out, const git::Repo& repo) {
  const Status made = sys::make_folders(repo.state_dir());
  auto probe = made ? sys::TempDir::create(repo.state_dir(), "doctor-")
                    : Result<sys::TempDir>(tl::make_unexpected(made.error()));
  if (!probe)
    out.push_back(
        {"state_folder", "fail", probe.error().message, std::string(fix_for(probe.error()))});
  else
    out.push_back({"state_folder", "ok", "evidence can be written below the git folder"});
}

void check_disk(Findings& out, const git::Repo& repo) {
  const auto free = sys::free_bytes(repo.state_dir());
  if (!free)
    out.push_back({"disk", "fail", free.error().message, std::string(fix_for(free.error()))});
  else if (*free < kLittleSpace)
    out.push_back({"disk", "warn",
                   fmt::format("only {} MiB are free below the git folder", *free >> 20),
                   "git gc, or move old run folders away"});
  else
    out.push_back({"disk", "ok", fmt::format("{} MiB are free", *free >> 20)});
}

/// Evidence carries our clock, files carry the file system's; on a network drive they may differ.
void check_clock(Findings& out, const git::Repo& repo, Context& context) {
  const auto probe = sys::TempDir::create(repo.state_dir(), "doctor-");
  if (!probe) return;  // check_state_folder has said why
  const std::int64_t there = sys::info(probe->path()).mtime_ns / 1'000'000'000;
  const std::int64_t apart = std::abs(there - context.env.now().seconds);
  if (apart > kClocksApart)
    out.push_back(
        {"clock", "warn",
         fmt::format("the file system's clock is {} seconds away from this machine's", apart),
         "synchronise both with NTP"});
  else
    out.push_back({"clock", "ok", "the clock agrees with the file system"});
}

/// Runs a real command the way a verify command runs.
void check_isolation(Findings& out, const git::Repo& repo) {
  const auto home = sys::TempDir::create(repo.state_dir(), "doctor-");
  const auto self = sys::real_path("/proc/self/exe");
  if (!home || !self) return;
  const auto report = landing::run_verify_commands(
      {{.name = "doctor", .argv = {"/bin/true"}, .timeout_s = 10}},
      {.cwd = home->path(), .private_folder = home->path(), .read_only = {}, .self = *self});
  const std::string held = join(report.isolation, ", ");
  if (report.ok != true)
    out.push_back({"isolation", "fail", "verify commands cannot be started here",
                   "patch.verify cannot work on this machine"});
  else if (report.isolation.size() < kIsolations)
    out.push_back(
        {"isolation", "warn",
         fmt::format("verify commands run with only: {}", held.empty() ? "nothing" : held),
         "allow unprivileged user namespaces (kernel.unprivileged_userns_clone=1)"});
  else
    out.push_back({"isolation", "ok", fmt::format("verify commands are isolated: {}", held)});
}

void check_signing_key(Findings& out, git::Repo& repo) {
  const auto config = config_here(repo);
  if (!config || config->store.signing_key.empty()) return;
  if (const auto key = read_signing_key(repo, config->store); !key)
    out.push_back({"signing_key", "fail", key.error().message, std::string(fix_for(key.error()))});
  else
    out.push_back({"signing_key", "ok", "receipts are signed with " + (*key)->public_line()});
}

void check_roles(Findings& out, git::Repo& repo, Context& context) {
  const auto config = config_here(repo);
  const std::size_t actors = config ? config->proposals.actors.size() : 0;
  if (actors > 0)
    out.push_back({"roles", "ok", fmt::format("{} actors are registered", actors)});
  else
    out.push_back(
        {"roles", "warn",
         fmt::format(
             "no actors are registered: local:{} holds every role, so separation of duties is off",
             context.env.user_id()),
         "list them under proposals.actors in gatehouse.yaml"});
}

void check_json(Findings& out) {
  if (const Status loaded = wire::load_simdjson(); !loaded)
    out.push_back({"json", "fail", loaded.error().message, "apt-get install libsimdjson14"});
  else
    out.push_back({"json", "ok", "the JSON library loads"});
}

// --------------------------------------------------------------------------- hooks and hosts

constexpr std::string_view kInstall = "gatehouse hook install";

/// Where git looks for hooks in a folder that others share, it has to look elsewhere first.
std::string way_to_hooks(const git::Repo& repo, Context& context) {
  const auto place = find_hooks_place(repo, context.env);
  const bool is_shared = place && !place->is_ours_to_write && place->manager == nullptr;
  return is_shared ? fmt::format("{} && {}", own_path(repo), kInstall) : std::string(kInstall);
}

/// What a step of an agent changed of what guards git, and is not as it was.
void check_tampering(Findings& out, const git::Repo& repo, Context& context) {
  const HookSite site{
      .found = {.root = repo.root(), .git_dir = repo.git_dir(), .common_dir = repo.common_dir()}};
  if (!has_tampering(site)) return;
  const std::vector<std::string> still = tampered_places(site, context);
  if (!still.empty())
    out.push_back({"git_hooks", "fail",
                   fmt::format("an agent changed {}: agents commit, merge and push nothing here",
                               printable(join(still, ", "), 300)),
                   fmt::format("put it back as it was, or keep it as it is: {}", kInstall)});
}

/// Is every hook of git there, and is it ours?
void check_git_hooks(Findings& out, git::Repo& repo, Context& context, bool& calls_us) {
  check_tampering(out, repo, context);
  const auto hooks = hooks_now(repo, context);
  if (!hooks) {
    out.push_back(
        {"git_hooks", "warn", hooks.error().message, std::string(fix_for(hooks.error()))});
    return;
  }
  std::vector<std::string> lacking;
  std::string why;
  for (const HookFile& hook : *hooks) {
    if (hook.did == "disabled" || hook.did == "edited")
      out.push_back(
          {"git_hooks", "fail", fmt::format("{}: {}", hook.file, hook.why), std::string(kInstall)});
    if (hook.did == "missing" || hook.did == "foreign" || hook.did == "idle")
      lacking.push_back(hook.hook);
    if (hook.did == "idle") why = hook.why;
  }
  calls_us = calls_us || lacking.size() < hooks->size();
  if (lacking.empty())
    out.push_back({"git_hooks", "ok", fmt::format("{} git hooks call Gatehouse", hooks->size())});
  else
    out.push_back({"git_hooks", "warn",
                   fmt::format("{}git does not call Gatehouse at {}",
                               lacking.size() == hooks->size() ? "nothing is guarded here: " : "",
                               join(lacking, ", ")),
                   why.empty() ? way_to_hooks(repo, context) : why});
}

/// Without it a rebase leaves receipts behind.
void check_notes(Findings& out, const git::Repo& repo) {
  const auto rewrites = repo.setting(std::string(kRewriteRef));
  if (rewrites && *rewrites == kNotesRef)
    out.push_back({"notes", "ok", "receipts follow their commits through a rebase"});
  else
    out.push_back({"notes", "warn", "receipts do not follow their commits through a rebase",
                   fmt::format("git config {} {}", kRewriteRef, kNotesRef)});
}

/// Hosts call the bare name of the program, from a shell that reads no profile.
void check_program(Findings& out, Context& context) {
  if (const auto found = resolved_program(context))
    out.push_back({"program", "ok", fmt::format("hooks find the program at {}", *found)});
  else
    out.push_back(
        {"program", "fail",
         fmt::format("a shell that is no login shell does not find '{}'", kProduct),
         "put it into a folder of PATH such as /usr/local/bin, or gatehouse init --absolute"});
}

std::string read_text(const git::Repo& repo, std::string_view path) {
  return sys::read_file(fmt::format("{}/{}", repo.root(), path), setup::kMaxFileBytes)
      .value_or(std::string());
}

/// Is something of ours in a file of the host, and is it what init would write?
struct HostState {
  bool is_set_up = false;
  std::vector<std::string> differs{}, events{};
  bool is_absolute = false;  // it calls this program by its path
};
HostState look_at_host(const git::Repo& repo, setup::Host host) {
  HostState out;
  const std::string self = sys::called_program().value_or(std::string(kProduct));
  for (const setup::HostFile& row : setup::host_files()) {
    if (row.host != host) continue;
    const std::string text = read_text(repo, row.path);
    const bool is_hooks = row.form == setup::FileForm::json && contains(text, "hook");
    if (is_hooks && contains(text, kProduct)) out.is_set_up = true;
    if (text.empty()) continue;
    const auto with = setup::with_ours(row, text, kProduct);
    const auto without = setup::without_ours(row, text);
    const bool has_ours = without && *without != text;
    const auto by_path = setup::with_ours(row, text, self);
    const bool is_by_path = by_path && *by_path == text;
    if (has_ours && contains(text, self) && self != kProduct) out.is_absolute = true;
    if (has_ours && !is_by_path && (!with || *with != text)) out.differs.emplace_back(row.path);
    if (const auto json = setup::JsonText::read(text, row.path); is_hooks && json)
      for (std::string& event : setup::unknown_events(host, json->value_of(setup::JsonText::kRoot)))
        out.events.push_back(std::move(event));
  }
  return out;
}

/// A host whose hook does not stop a write when it must guards nothing, whatever its files say.
void check_host(Findings& out, const setup::HostRow& row, const git::Repo& repo, Context& context,
                bool& calls_us) {
  const HostState state = look_at_host(repo, row.host);
  if (!state.is_set_up) return;
  calls_us = true;
  const std::string again = fmt::format("gatehouse init --host {} --yes{}", row.name,
                                        state.is_absolute ? " --absolute" : "");
  for (const std::string& event : state.events)
    out.push_back({"host_events", "fail",
                   fmt::format("{} knows no event '{}' and drops its hook without a word",
                               row.title, printable(event, 60)),
                   again});
  if (!state.differs.empty())
    out.push_back(
        {"host_files", "warn",
         fmt::format("{}: {} differ from what init writes", row.title, join(state.differs, ", ")),
         again});
  const LiveAnswer answer = try_hook(row.host, repo, context, true);
  if (!answer.denied) {
    out.push_back({"host_denies", "fail",
                   fmt::format("{}: its hook did not deny a write that no intent covers: {}",
                               row.title, answer.what),
                   again});
    return;
  }
  const setup::Enforcement& level = setup::enforcement_of(row.host);
  out.push_back({"host_denies", "ok",
                 fmt::format("{} denies a write that no intent covers (edits: {}; hook crash: {})",
                             row.title, level.edits, level.crash)});
  if (row.host == setup::Host::codex)
    out.push_back({"host_trust", "warn",
                   "Codex runs a new or changed hook only after you trusted it",
                   "type /hooks in Codex and trust 'gatehouse hook codex'"});
}

void check_mode(Findings& out, const git::Repo& repo) {
  const auto config = config_in_work_tree(repo);
  if (!config || config->hooks.mode == policy::HookMode::enforce) return;
  out.push_back({"mode", "warn",
                 fmt::format("hooks.mode is {}: nothing is stopped", to_string(config->hooks.mode)),
                 "hooks: {mode: enforce} in gatehouse.yaml"});
}

/// All that calls us, and whether it can.
void check_callers(Findings& out, git::Repo& repo, Context& context) {
  bool calls_us = false;
  check_git_hooks(out, repo, context, calls_us);
  if (!repo.is_bare()) {
    check_notes(out, repo);
    for (const setup::HostRow& row : setup::hosts())
      check_host(out, row, repo, context, calls_us);
    if (calls_us) check_mode(out, repo);
  }
  if (calls_us) check_program(out, context);
}

Findings examine(Context& context) {
  Findings out;
  check_git(out, context);
  check_json(out);
  auto repo = open_to_read(context);
  if (!repo) {
    out.push_back({"repository", "fail", repo.error().message, std::string(fix_for(repo.error()))});
    return out;
  }
  check_version(out, *repo);
  check_repository(out, *repo, context);
  check_policy(out, *repo);
  check_state_folder(out, *repo);
  check_disk(out, *repo);
  check_clock(out, *repo, context);
  check_isolation(out, *repo);
  check_signing_key(out, *repo);
  check_ledger(out, *repo, context);
  check_roles(out, *repo, context);
  check_callers(out, *repo, context);
  return out;
}

std::string findings_text(const Findings& findings, const report::Look& look) {
  using report::Ink;
  std::string out;
  for (const Finding& f : findings) {
    const Ink ink = f.state == "ok" ? Ink::good : f.state == "warn" ? Ink::warning : Ink::bad;
    out += fmt::format("{}  {}\n", report::paint(look, ink, fmt::format("{:<4}", f.state)), f.what);
    if (!f.fix.empty()) out += fmt::format("      fix: {}\n", f.fix);
  }
  return out;
}

}  // namespace

Result<Reply> doctor(const Request&, Context& context) {
  const Findings findings = examine(context);
  const auto failed = std::ranges::find(findings, std::string_view("fail"), &Finding::state);
  List checks;
  for (const Finding& f : findings)
    checks.push_back(Map{{"id", f.id},
                         {"state", f.state},
                         {"what", f.what},
                         {"fix", f.fix.empty() ? Value() : Value(f.fix)}});
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.doctor/1"},
                       {"ok", failed == findings.end()},
                       {"checks", std::move(checks)},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [findings](const report::Look& look) { return findings_text(findings, look); };
  if (failed != findings.end()) {
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("doctor found a fault, first {}: {}", failed->id, failed->what);
  }
  return reply;
}

}  // namespace gh::ops
