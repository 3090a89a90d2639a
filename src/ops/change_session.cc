#include "ops/change_session.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "control/environment.h"
#include "control/scope_paths.h"
#include "git/dirty_snapshot.h"
#include "model/actor.h"
#include "ops/analysis_scope.h"
#include "ops/caller.h"
#include "ops/change_parts.h"
#include "ops/clone.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/repo_config.h"
#include "patch/touched_tree.h"
#include "sys/files.h"
#include "sys/process_identity.h"

namespace gh::ops {
namespace {

constexpr std::size_t kShownDescription = 500, kSummary = 2'000, kShownSession = 200;
constexpr std::int64_t kWholeTreeMs = 10'000;  // beyond it only the scope is looked at

/// A session has no process of its own. Numbers made from its name, and from the clone where there
/// are several, tell it from others in the same way on every machine.
std::int64_t number_of(std::string_view session) {
  const std::string hex = digest_of(session).hex().substr(0, 7);
  return 1 + static_cast<std::int64_t>(std::stoull(hex, nullptr, 16));
}
constexpr std::int64_t kSessionEpoch = 1;

ChangeCaller caller_of(const std::string& session, std::string label, const control::Here& here,
                       const std::string& clone) {
  const control::Caller who = caller_named(session, clone);
  const std::int64_t pid = who.agent_pid;
  return {.who = who,
          .owner = {.kind = OwnerKind::session,
                    .host_id = here.host_id,
                    .boot_id = here.boot_id,
                    .pid = pid,
                    .start_ticks = 0,
                    .session_id = session},
          .label = std::move(label)};
}

/// An agent of this process is that process to others: its liveness is no matter of leases.
ChangeCaller caller_of(const control::Caller& who, const sys::ProcessIdentity& self,
                       std::string label) {
  const std::vector<sys::Ancestor> above = sys::ancestors(self.pid, 1);
  const sys::Ancestor host = above.empty() ? sys::Ancestor{} : above.front();
  return {.who = who,
          .owner = {.kind = OwnerKind::process,
                    .host_id = self.host_id,
                    .boot_id = self.boot_id,
                    .pid = self.pid,
                    .start_ticks = self.start_ticks,
                    .session_id = who.session_id,
                    .host_pid = host.pid,
                    .host_start_ticks = host.start_ticks},
          .label = std::move(label)};
}

std::string label_of(const Request& request, Context& context) {
  if (std::string told = context.env.variable(kLabelVariable); !told.empty()) return told;
  if (find_option(request.operation(), "agent-label") != nullptr && request.has("agent-label"))
    return request.text("agent-label");
  const std::string user = context.env.variable("USER");
  return fmt::format("cli/{}", user.empty() ? fmt::to_string(context.env.user_id()) : user);
}

Result<policy::Config> config_at_head(git::Repo& repo) {
  const auto head = repo.objects().commit("HEAD");
  if (!head) return policy::Config{};  // nothing was committed yet
  return config_at(repo, *head);
}

}  // namespace

std::string either_variable(Context& context, std::string_view name, std::string_view older) {
  std::string value = context.env.variable(name);
  return value.empty() ? context.env.variable(older) : value;
}

/// A linked work tree is named from the folder that holds it together with the others.
std::string worktree_name(const std::string& root, const std::string& git_dir,
                          const std::string& common_dir) {
  if (git_dir == common_dir) return {};
  return utf8_or_escaped(root.starts_with(common_dir + "/") ? root.substr(common_dir.size() + 1)
                                                            : root);
}

std::string session_name(const Request& request, Context& context) {
  if (request.has("session")) return request.text("session");
  if (std::string named = context.env.variable(kSessionVariable); !named.empty()) return named;
  const sys::Ancestor leader = sys::session_leader();
  return fmt::format("{}{}-{}", kTerminal, leader.pid, leader.start_ticks);
}

bool is_shared(const store::Ledger* ledger) {
  return ledger != nullptr && ledger->facts().backend == "postgres";
}

control::Caller caller_named(const std::string& session, const std::string& clone) {
  return {.agent_pid = number_of(clone.empty() ? session : session + '\n' + clone),
          .agent_start_epoch = kSessionEpoch,
          .session_id = session};
}

namespace {

/// A configuration that names no usable registry is a fault of the registry, wherever it stands:
/// HEAD has the rules of changes, the usual branch the place of the ledger.
Error registry_fault(git::Repo& repo, Error error) {
  if (class_of(error.code) != CodeClass::usage) return error;
  for (const std::string& revision : {std::string("HEAD"), usual_branch(repo)}) {
    const auto commit = repo.objects().commit(revision);
    if (!commit) continue;
    if (const auto store = store_block_at(repo, *commit);
        !store && store.error().code != Code::policy_unreadable)
      return {Code::registry_config_invalid, store.error().message};
  }
  return error;
}

Result<ChangeSession> opened(const std::string& name, std::string label, Context& context,
                             LedgerUse use) {
  auto found = repo_around(context.cwd, context);
  if (!found && found.error().code == Code::not_a_repository)
    return fail(Code::root_not_a_repository, std::move(found.error().message));
  if (!found) return tl::make_unexpected(std::move(found).error());
  if (found->is_bare())
    return fail(Code::root_not_a_repository, "a bare repository has no work tree to change");
  auto config = config_at_head(*found);
  if (!config) return tl::make_unexpected(registry_fault(*found, std::move(config).error()));
  auto ledger = use == LedgerUse::write  ? open_ledger(*found, context.env)
                : use == LedgerUse::read ? open_ledger_to_read(*found, context.env)
                                         : open_ledger_to_look(*found);
  if (!ledger && ledger.error().code == Code::ledger_too_new)
    return fail(Code::registry_schema_unsupported, std::move(ledger.error().message));
  if (!ledger) return tl::make_unexpected(registry_fault(*found, std::move(ledger).error()));
  const sys::ProcessIdentity self = sys::self(context.env);
  ChangeSession out{std::move(*found), *std::move(config), std::move(*ledger)};
  out.root = utf8_or_escaped(out.repo.root());
  if (use != LedgerUse::look) out.repo_id = repository_id(out.repo);
  out.worktree = worktree_name(out.repo.root(), out.repo.git_dir(), out.repo.common_dir());
  out.here = {self.host_id, self.boot_id};
  if (is_shared(out.ledger.get())) {
    GH_TRY(clone, use == LedgerUse::write ? needed_clone_id(out.repo.state_dir(), context.env)
                                          : Result<std::string>(clone_id(out.repo.state_dir())));
    out.clone = std::move(clone);
  }
  out.caller = caller_of(name, std::move(label), out.here, out.clone);
  out.git_timeout_ms = out.policy().git_timeout_seconds * 1'000;
  return out;
}

}  // namespace

Result<ChangeSession> open_change_session(const Request& request, Context& context, LedgerUse use) {
  GH_TRY(out, opened(session_name(request, context), label_of(request, context), context, use));
  if (const auto process = agent_process(context))
    out.caller =
        caller_of(caller_here(request, context, out.clone), *process, label_of(request, context));
  return std::move(out);
}

Result<ChangeSession> open_change_session_of(const std::string& session, Context& context) {
  return opened(session, "hook", context, LedgerUse::write);
}

store::AuditEvent audit_event(const ChangeSession& session, Context& context, ChangeEvent told) {
  const Timestamp now = context.env.now();
  const std::string event_id =
      fmt::format("evt_{:x}_{}", now.seconds * 1'000, context.env.random_hex(4));
  const Intent* intent = told.intent;
  const std::string run_id =
      intent != nullptr && told.run_id.empty() ? intent->run_id : told.run_id;
  Map subject, payload{{"event_id", event_id},
                       {"report_digest", intent != nullptr ? intent->report_digest : ""},
                       {"workflow_id", intent != nullptr ? "intent:" + intent->id
                                       : !run_id.empty() ? "run:" + run_id
                                                         : "event:" + event_id},
                       {"tool_name", context.surface},
                       {"agent_label", session.caller.label},
                       {"agent_pid", session.caller.who.agent_pid},
                       {"agent_start_epoch", session.caller.who.agent_start_epoch},
                       {"session_id", printable(session.caller.owner.session_id, kShownSession)},
                       {"status", told.status},
                       {"summary", printable(told.summary, kSummary)}};
  if (intent != nullptr) {
    subject.set("intent_id", intent->id);
    payload.set("intent", printable(intent->description, kShownDescription));
    payload.set("fence", intent->fence);
    payload.set("lease_renewed_at_utc", to_string(intent->lease_renewed_at));
    payload.set("lease_seconds", intent->lease_seconds);
  }
  if (!run_id.empty()) subject.set("run_id", run_id);
  if (!told.receipt_digest.empty()) subject.set("receipt_digest", told.receipt_digest);
  if (!told.patch_trail_digest.empty()) subject.set("patch_trail_digest", told.patch_trail_digest);
  for (const auto& [key, value] : told.facts.entries())
    payload.set(key, value);
  return {.ts = now,
          .event = std::string(told.event),
          .severity = std::string(told.severity),
          .actor = to_value(actor_of(context)),
          .surface = context.surface,
          .subject = std::move(subject),
          .payload = std::move(payload)};
}

std::string head_commit(ChangeSession& session) {
  const auto head = session.repo.objects().commit("HEAD");
  return head ? head->id.hex() : std::string();
}

std::string base_commit_of(const Intent& intent) { return text_in(intent.unknown, kBaseCommit); }

namespace {
constexpr std::string_view kIsolated = "gatehouse/worktrees/";
}

std::string isolated_name(std::string_view intent_id) {
  return std::string(kIsolated).append(intent_id);
}
std::string isolated_folder(const ChangeSession& session, std::string_view intent_id) {
  return fmt::format("{}/{}", session.repo.common_dir(), isolated_name(intent_id));
}
std::string isolated_branch(std::string_view intent_id) {
  return fmt::format("gatehouse/{}", intent_id);
}
bool is_isolated(const Intent& intent) { return intent.worktree.starts_with(kIsolated); }

std::vector<control::Held> rivals_in(const std::vector<control::Held>& all,
                                     std::string_view worktree) {
  const bool is_apart = worktree.starts_with(kIsolated);
  std::vector<control::Held> out;
  for (const control::Held& held : all) {
    const bool is_shared = !is_isolated(*held.intent) || held.intent->landing;
    if (held.intent->worktree == worktree || (is_shared && !is_apart)) out.push_back(held);
  }
  return out;
}

std::vector<control::Held> rivals_of(const std::vector<control::Held>& all, const Intent& intent) {
  return rivals_in(all, intent.landing ? std::string_view() : std::string_view(intent.worktree));
}

std::vector<control::Held> of_tree(const std::vector<control::Held>& all, std::string_view worktree,
                                   const std::string& clone) {
  std::vector<control::Held> out;
  for (const control::Held& held : all)
    if (held.intent->worktree == worktree && !control::is_of_other_clone(*held.intent, clone))
      out.push_back(held);
  return out;
}

void set_clone(Intent& intent, const ChangeSession& session) {
  if (!session.clone.empty())
    intent.unknown.set(std::string(control::kClone), session.clone);
  else
    intent.unknown.erase(control::kClone);
}

namespace {

DirtySnapshot captured(ChangeSession& session, Context& context,
                       const std::vector<git::DirtyPath>& dirty) {
  DirtySnapshot raw = git::capture(session.repo, dirty, context.env.now());
  // Records, evidence and the tree name a file alike.
  DirtySnapshot out{raw.git_available, raw.captured_at, raw.partial, raw.paths_count};
  for (auto& [path, entry] : raw.entries)
    out.entries.emplace(control::path_from_git(path), std::move(entry));
  // Too many to look into each; whether they are in a scope is told by their names.
  if (raw.partial)
    for (const git::DirtyPath& path : dirty)
      out.entries.emplace(control::path_from_git(path.path), DirtyEntry{path.status_xy, {}});
  return out;
}

bool is_repository(const ChangeSession& session, const std::string& folder) {
  return sys::info(fmt::format("{}/{}/.git", session.repo.root(), control::bytes_of_path(folder)))
             .kind != sys::FileKind::missing;
}

/// The commit that HEAD names for a submodule; empty: it is none.
std::string recorded_commit(ChangeSession& session, const std::string& path) {
  const auto head = session.repo.objects().commit("HEAD");
  if (!head) return {};
  patch::TouchedTree tree(session.repo.objects(), head->tree);
  const auto found = tree.find(path);
  const bool is_submodule = found && found->entry && found->entry->mode == FileMode::gitlink;
  return is_submodule ? found->entry->id.hex() : std::string();
}

/// Of a repository below this one git tells no more than its name. Where somebody declared a file
/// of it, that file is looked at by itself.
Status look_inside(ChangeSession& session, const std::vector<std::string>& declared,
                   std::vector<git::DirtyPath>& dirty) {
  std::vector<git::DirtyPath> more;
  for (const git::DirtyPath& path : dirty) {
    if (!path.is_submodule) continue;
    std::vector<std::string> wanted;
    for (const std::string& entry : declared)
      if (std::string name = control::bytes_of_path(entry); name.starts_with(path.top_path + "/"))
        wanted.push_back(std::move(name));
    if (wanted.empty()) continue;
    const std::string base = path.status_xy == "??" ? "" : recorded_commit(session, path.top_path);
    GH_TRY(found, session.repo.status_reader(session.git_timeout_ms)
                      .dirty_within(path.top_path, base, wanted));
    more.insert(more.end(), found.begin(), found.end());
  }
  dirty.insert(dirty.end(), more.begin(), more.end());
  return {};
}

/// Whoever can set the times of a file can make git look away from it. What was declared is read.
Status add_overlooked(ChangeSession& session, const std::vector<std::string>& declared,
                      std::vector<git::DirtyPath>& dirty) {
  if (declared.empty()) return {};
  std::vector<std::string> names;
  for (const std::string& entry : declared)
    names.push_back(control::bytes_of_path(entry));
  GH_TRY(found, session.repo.status_reader(session.git_timeout_ms).overlooked(names, dirty));
  dirty.insert(dirty.end(), found.begin(), found.end());
  return {};
}

Result<DirtySnapshot> looked(ChangeSession& session, Context& context, git::DirtyQuestion question,
                             const std::vector<std::string>& declared = {},
                             std::vector<git::DirtyPath>* kept = nullptr) {
  if (question.timeout_ms == 0) question.timeout_ms = session.git_timeout_ms;
  // git shows a repository below this one when it is asked for that, and not for what is in it
  if (question.paths)
    for (const std::string& entry : declared)
      for (std::size_t end = entry.find('/'); end != entry.npos; end = entry.find('/', end + 1))
        if (is_repository(session, entry.substr(0, end)))
          question.paths->push_back(entry.substr(0, end));
  GH_TRY(dirty, session.repo.dirty_paths(question));
  GH_DO(add_overlooked(session, declared, dirty));
  GH_DO(look_inside(session, declared, dirty));
  if (kept != nullptr) *kept = dirty;
  return captured(session, context, dirty);
}

/// Shown in another form than git has it: it cannot be asked for by its name.
bool is_escaped(const std::string& path) { return path.find("\\x") != std::string::npos; }

}  // namespace

Result<DirtySnapshot> look_at_tree(ChangeSession& session, Context& context) {
  return looked(session, context, {});
}

Result<DirtySnapshot> look_at_paths(ChangeSession& session, Context& context,
                                    const std::vector<std::string>& paths) {
  if (std::ranges::any_of(paths, is_escaped)) return looked(session, context, {}, paths);
  return looked(session, context, {.paths = paths}, paths);
}

namespace {

sys::FileInfo index_of(const ChangeSession& session) {
  return sys::info_follow(session.repo.git_dir() + "/index");
}

bool is_same_file(const sys::FileInfo& a, const sys::FileInfo& b) {
  const auto identity = [](const sys::FileInfo& file) {
    return std::tie(file.kind, file.size, file.mtime_ns, file.ctime_ns, file.device, file.inode);
  };
  return identity(a) == identity(b);
}

Result<DirtySnapshot> scope_looked_at(ChangeSession& session, Context& context,
                                      const gh::Scope& scope, std::vector<git::DirtyPath>* kept) {
  std::vector<std::string> declared = scope.allowed_files;
  declared.insert(declared.end(), scope.allowed_related.begin(), scope.allowed_related.end());
  auto all = looked(session, context,
                    {.timeout_ms = std::min(kWholeTreeMs, session.git_timeout_ms)}, declared, kept);
  if (all && !all->partial) return all;
  GH_TRY(out, look_at_paths(session, context, declared));
  out.partial = true;
  if (all) {
    out.paths_count = all->paths_count;
    out.entries.merge(all->entries);
  }
  return out;
}

}  // namespace

Result<DirtySnapshot> look_at_scope(ChangeSession& session, Context& context,
                                    const gh::Scope& scope) {
  return scope_looked_at(session, context, scope, nullptr);
}

Result<std::vector<std::string>> ignored_of(ChangeSession& session,
                                            const std::vector<std::string>& paths) {
  std::vector<std::string> names, out;
  const auto head = session.repo.objects().commit("HEAD");
  std::optional<patch::TouchedTree> tree;
  if (head) tree.emplace(session.repo.objects(), head->tree);
  for (const std::string& path : paths) {
    std::string name = control::bytes_of_path(path);
    const sys::FileKind kind = sys::info(fmt::format("{}/{}", session.repo.root(), name)).kind;
    if (kind != sys::FileKind::file && kind != sys::FileKind::symlink) continue;
    const auto committed = tree ? tree->find(name) : Result<patch::Found>{};
    if (!committed || !committed->entry) names.push_back(std::move(name));
  }
  if (names.empty()) return out;  // the usual case, without git
  GH_TRY(found, session.repo.status_reader(session.git_timeout_ms).ignored(names));
  for (const std::string& name : found)
    out.push_back(control::path_from_git(name));
  std::ranges::sort(out);
  return out;
}

Result<TreeLook> look_to_return(ChangeSession& session, Context& context, const gh::Scope& scope) {
  TreeLook out;
  out.head = head_commit(session);
  out.index = index_of(session);
  GH_TRY(dirt, scope_looked_at(session, context, scope, &out.paths));
  out.dirt = std::move(dirt);
  return out;
}

Result<DirtySnapshot> look_again(ChangeSession& session, Context& context, const TreeLook& before,
                                 const std::vector<std::string>& paths) {
  std::vector<git::DirtyPath> known;
  for (const git::DirtyPath& path : before.paths)
    if (!path.is_submodule && std::ranges::binary_search(paths, control::path_from_git(path.path)))
      known.push_back(path);
  const bool stands_still = known.size() == paths.size() && !before.dirt.partial &&
                            is_same_file(index_of(session), before.index) &&
                            head_commit(session) == before.head;
  if (!stands_still) return look_at_paths(session, context, paths);
  return captured(session, context, known);
}

}  // namespace gh::ops
