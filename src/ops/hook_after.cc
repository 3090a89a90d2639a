// After a step of an agent, at its end, and when a session begins: the second net. Here git may be
// asked, within a budget; what could not be looked at is told.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "control/intent_record.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "git/dirty_snapshot.h"
#include "hooks/decision.h"
#include "hooks/reconcile.h"
#include "ops/change_parts.h"
#include "ops/change_registry.h"
#include "ops/commit_stamps.h"
#include "ops/hook_command.h"
#include "ops/hook_host.h"
#include "ops/hook_install.h"
#include "ops/hook_memory.h"
#include "ops/hook_sight.h"
#include "ops/known_remotes.h"
#include "ops/own_changes.h"
#include "ops/repo_config.h"
#include "patch/gates.h"
#include "store/checkpoint.h"
#include "store/intent_file.h"
#include "store/ledger.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using hooks::Answer;
using hooks::Event;
using hooks::ToolClass;
using policy::HookMode;

/// A look at the tree must not read whole disks.
constexpr git::SnapshotLimits kLookLimits{
    .max_entries = 2'000, .max_file_bytes = 8 << 20, .max_total_bytes = 64 << 20};

/// The work tree around the agent with its rules, when a gate is on there.
struct Home {
  HookSites sites;
  HookSight sight{};
  bool is_on = false;
  HookMode mode = HookMode::off;

  Home(const HookRequest& request, const Event& event, Context& context)
      : sites(sites_of(event, context)) {
    if (sites.home() == nullptr || !sites.home()->gated) return;
    sight = read_rules(*sites.home());
    mode = request.mode.value_or(sight.rules.hooks.mode);
    is_on = mode != HookMode::off;
  }
  const HookSite& site() const { return *sites.home(); }
};

Result<git::Repo> open_repo(const HookSite& site, Context& context) {
  Context at_root = context;
  at_root.cwd = site.found.root;
  return open_to_read(at_root);
}

constexpr std::size_t kMaxHeadFile = 4096;
constexpr std::size_t kMaxNames = 50'000;  // of a look that reads no files

Result<TreeMemory> look_at(git::Repo& repo, Context& context, std::int64_t timeout_ms) {
  GH_TRY(dirty, repo.dirty_paths({.timeout_ms = timeout_ms}));
  const DirtySnapshot raw = git::capture(repo, dirty, context.env.now(), kLookLimits);
  TreeMemory out;
  out.dirty = {raw.git_available, raw.captured_at, raw.partial, raw.paths_count};
  for (const auto& [path, entry] : raw.entries)
    out.dirty.entries.emplace(control::path_from_git(path), entry);
  // Too many to read each: whoever floods the tree is seen by names and times.
  if (raw.partial)
    for (std::size_t i = 0; i < std::min(dirty.size(), kMaxNames); ++i)
      out.dirty.entries.emplace(control::path_from_git(dirty[i].path),
                                DirtyEntry{dirty[i].status_xy, {}});
  const auto head = repo.objects().commit("HEAD");
  if (head) out.head = head->id.hex();
  out.branch = sys::read_file(repo.git_dir() + "/HEAD", kMaxHeadFile).value_or("");
  return out;
}

/// What HEAD says about hooks, or nothing when it has no gatehouse.yaml.
Status compile_rules(const HookSite& site, git::Repo& repo) {
  const auto head = repo.objects().commit("HEAD");
  if (!head) return {};
  GH_TRY(entry, patch::find_entry(repo.objects(), head->tree, kConfigFile));
  if (!entry) {
    forget_rules(site);
    return {};
  }
  auto config = config_at(repo, *head);
  if (!config) {
    forget_rules(site);  // then the file of the work tree speaks, or nothing can be decided
    return tl::make_unexpected(std::move(config).error());
  }
  return keep_rules(site, hooks::rules_of(*config));
}

std::int64_t touched(const std::string& file) {
  const sys::FileInfo seen = sys::info(file);
  return std::max(seen.mtime_ns, seen.ctime_ns);
}

/// When the path, or else the folder that it is gone from, was touched last; or what git keeps of
/// it, where that is what changed.
std::int64_t touched_at(const HookSite& site, const hooks::ChangedPath& changed) {
  const std::string& root = site.found.root;
  std::string whole = changed.path.starts_with('/') ? changed.path : root + "/" + changed.path;
  while (whole.size() > root.size() && sys::info(whole).kind == sys::FileKind::missing)
    whole.resize(whole.rfind('/'));
  std::int64_t out = touched(whole);
  if (changed.path.starts_with('/')) {  // settings of the user, which may be a link
    const sys::FileInfo behind = sys::info_follow(whole);
    out = std::max({out, behind.mtime_ns, behind.ctime_ns});
  }
  if (changed.is_staged) out = std::max(out, touched(site.found.git_dir + "/index"));
  if (changed.is_committed) out = std::max(out, touched(site.found.git_dir + "/logs/HEAD"));
  return out;
}

constexpr std::size_t kMostNewCommits = 50, kMostBranches = 200;

std::optional<ObjectId> first_id(std::string_view line) {
  return ObjectId::parse(line.substr(0, line.find_first_of(" \n")));
}

/// Branches that nobody moved since the step began: what they hold was there before.
std::vector<ObjectId> known_before(const git::Repo& repo, std::int64_t began) {
  constexpr std::size_t kMaxRefFile = 4'096, kMaxPacked = 4u << 20;
  const std::string packed = repo.common_dir() + "/packed-refs";
  std::vector<ObjectId> out;
  const auto add = [&](std::string_view line) {
    if (const auto id = first_id(line); id && out.size() < kMostBranches) out.push_back(*id);
  };
  const auto names = repo.ref_names();
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    const std::string file = fmt::format("{}/refs/heads/{}", repo.common_dir(), name);
    if (sys::info(file).kind != sys::FileKind::file || touched(file) >= began) continue;
    if (const auto text = sys::read_file(file, kMaxRefFile)) add(*text);
  }
  if (touched(packed) < began)
    if (const auto text = sys::read_file(packed, kMaxPacked))
      for (const std::string_view line : split(*text, '\n'))
        if (contains(line, " refs/heads/")) add(line);
  return out;
}

/// Has a remote all of it, as it was fetched?
bool is_fetched(git::Repo& repo, const ObjectId& commit) {
  const auto remotes = refs_of_upstream(repo);
  if (!remotes) return false;
  const auto rest = repo.commits_without(commit, {}, *remotes, kMostNewCommits);
  return rest && rest->empty();
}

/// What new commits bring of their own: what they were put on was fetched, and is somebody's
/// already. Nothing where nobody can tell, or HEAD has only gone back.
std::optional<std::set<std::string>> brought_by_new(git::Repo& repo, const ObjectId& from,
                                                    const ObjectId& to) {
  const auto remotes = refs_of_upstream(repo);
  if (!remotes) return std::nullopt;
  const auto fresh = repo.commits_without(to, {from}, *remotes, kMostNewCommits);
  if (!fresh || fresh->empty()) return std::nullopt;
  std::set<std::string> out;
  for (const ObjectId& id : *fresh) {
    const auto commit = repo.objects().commit(id.hex());
    if (!commit || commit->parents.empty()) return std::nullopt;
    const auto paths = commit->parents.size() > 1 ? own_paths(repo, *commit)
                                                  : repo.changed_paths(commit->parents.front(), id);
    if (!paths) return std::nullopt;
    out.insert(paths->begin(), paths->end());
  }
  return out;
}

/// Was a branch only checked out? Then it is nobody's work.
bool is_checked_out(git::Repo& repo, const ObjectId& from, const ObjectId& to,
                    std::optional<std::int64_t> began) {
  const auto base = repo.merge_base(from, to);
  if (!base || !*base || **base != from) return true;
  if (!began) return false;
  const std::vector<ObjectId> known = known_before(repo, *began);
  return std::ranges::find(known, to) != known.end();
}

/// Paths that HEAD has otherwise than before, and not because it went to commits that everybody
/// has.
std::vector<std::string> committed_since(git::Repo& repo, const TreeMemory& before,
                                         const TreeMemory& after,
                                         std::optional<std::int64_t> began) {
  const auto from = ObjectId::parse(before.head), to = ObjectId::parse(after.head);
  if (!from || !to || *from == *to) return {};
  if (before.branch != after.branch && is_checked_out(repo, *from, *to, began)) return {};
  if (is_fetched(repo, *to)) return {};
  auto paths = repo.changed_paths(*from, *to);
  if (!paths) return {};
  if (const auto brought = brought_by_new(repo, *from, *to))
    std::erase_if(*paths, [&](const std::string& path) { return !brought->contains(path); });
  return *std::move(paths);
}

const Intent* owner_of(const HookSight& sight) {
  const control::Held* own = sight.own();
  return own == nullptr ? nullptr : own->intent;
}

/// One look at the tree after a step.
class Look {
 public:
  /// `folder`: how commands of the agent name the tree.
  Look(const HookRequest& request, const Event& event, Context& context, Home& home,
       std::optional<std::int64_t> began, std::string folder)
      : request_(request),
        event_(event),
        context_(context),
        home_(home),
        memory_(home.site(), event.session),
        began_(began),
        folder_(std::move(folder)),
        started_ms_(context.env.monotonic_ms()) {}

  Answer answer() {
    gather();
    if (!changed_.empty() || !in_git_changes_.empty() || !strays_.limits.empty()) judge();
    keep_in_mind();
    if (strays_.outside.empty() && strays_.external.empty() && strays_.limits.empty()) return {};
    strays_.session = event_.session;
    strays_.folder = folder_;
    strays_.own = owner_of(home_.sight);
    strays_.mirror = home_.sight.mirror;
    const bool objects = home_.mode == HookMode::enforce && !strays_.outside.empty();
    tell_audit(objects);
    return hooks::render(request_.host, hooks::name_on(event_),
                         objects ? hooks::Saying::object : hooks::Saying::context,
                         hooks::stray_message(strays_));
  }

 private:
  std::int64_t time_left() const {
    return std::max<std::int64_t>(request_.budget_ms - (context_.env.monotonic_ms() - started_ms_),
                                  1);
  }

  void gather() {
    auto repo = open_repo(home_.site(), context_);
    const auto before = memory_.tree();
    HookPlaces places;
    if (repo) {
      places = look_at_places(home_.site(), *repo, context_.env,
                              before && before->places ? *before->places : HookPlaces{});
      compare_places(before ? before->places : std::nullopt, places);
      places_before_ = before ? before->places : std::nullopt;
    }
    auto now = repo ? look_at(*repo, context_, time_left()) : tl::make_unexpected(repo.error());
    if (!now) return gather_named(now.error());
    if (!has_own_rules(home_.site())) (void)compile_rules(home_.site(), *repo);
    now->places = std::move(places);
    compare(*repo, before, *now);
    (void)memory_.keep_tree(*now);
  }

  /// Over budget: the paths that the command names are all that can be looked at.
  void gather_named(const Error& why) {
    strays_.limits = context_.env.monotonic_ms() - started_ms_ >= request_.budget_ms
                         ? fmt::format(
                               "git needed more than {} ms: only the paths that the "
                               "command names were looked at.",
                               request_.budget_ms)
                         : fmt::format("The tree could not be looked at: {}.", why.message);
    for (const shell::Write& write : read_hook_command(event_, home_.sites).writes)
      for (const HookPath& at : home_.sites.locate(write.path))
        if (at.in_site && at.site == 0) changed_.push_back({at.path});
  }

  /// What git's own folder holds otherwise. Without an earlier look times alone tell, and nobody
  /// knows which settings were there.
  void compare_places(const std::optional<HookPlaces>& before, const HookPlaces& now) {
    tampering_ = kept_tampering(home_.site());
    std::erase_if(tampering_, [&](const auto& one) {
      // Only where this look keeps in mind what it saw: else what comes back comes back unseen.
      const bool is_undone = is_looked_at(home_.site(), context_.env, one.first) &&
                             said_at(now, one.first) == one.second;
      if (is_undone) undone_.insert(one.first);
      return is_undone;
    });
    const std::string below = home_.site().found.root + "/";
    const auto add = [&](const std::string& whole) {
      if (undone_.contains(whole)) return;
      std::string shown = whole.starts_with(below) ? whole.substr(below.size()) : whole;
      in_git_.emplace(shown, whole);
      in_git_changes_.push_back({.path = std::move(shown)});
    };
    if (before)
      for (const std::string& whole : changed_places(*before, now))
        add(whole);
    else if (began_)
      for (const auto& [whole, place] : now)
        if (!place.is_settings && std::max(place.mtime_ns, place.ctime_ns) >= *began_) add(whole);
  }

  void compare(git::Repo& repo, const std::optional<TreeMemory>& before, const TreeMemory& now) {
    const bool by_times = now.dirty.partial || (before && before->dirty.partial);
    if (by_times)
      strays_.limits = "Too many uncommitted files: what this call changed is told by times alone.";
    for (const auto& [path, entry] : now.dirty.entries)
      if (entry.status_xy == "??") fresh_.insert(path);
    if (before) {
      changed_ = hooks::changed_between(by_times ? DirtySnapshot{} : before->dirty, now.dirty);
      if (by_times) std::erase_if(changed_, [&](const auto& one) { return is_old(one); });
      for (const std::string& path : committed_since(repo, *before, now, began_))
        add_committed(control::path_from_git(path));
      return;
    }
    // No look was taken before: what was touched since the step began is what it changed.
    for (hooks::ChangedPath& one : hooks::changed_between({}, now.dirty))
      if (!is_old(one)) changed_.push_back(std::move(one));
  }

  void add_committed(std::string path) {
    const auto known = std::ranges::find(changed_, path, &hooks::ChangedPath::path);
    if (known != changed_.end())
      known->is_committed = true;
    else
      changed_.push_back({.path = std::move(path), .is_committed = true});
  }
  bool is_old(const hooks::ChangedPath& changed) const {
    return !began_ || is_somebody_elses(changed);
  }
  bool is_somebody_elses(const hooks::ChangedPath& changed) const {
    return hooks::is_somebody_elses(touched_at(home_.site(), changed), began_);
  }

  void judge() {
    changed_.insert(changed_.end(), in_git_changes_.begin(), in_git_changes_.end());
    std::ranges::sort(changed_, {}, &hooks::ChangedPath::path);
    HookLook look{.session = event_.session};
    for (const hooks::ChangedPath& one : changed_)
      look.paths.push_back(one.path);
    read_records(home_.sight, look, context_);
    const hooks::Call call{.mode = home_.mode,
                           .tool_class = ToolClass::write,
                           .readable = home_.sight.fault.empty(),
                           .require_intent = home_.sight.rules.hooks.require_intent,
                           .standing = home_.sight.standing()};
    for (const hooks::ChangedPath& one : changed_) {
      const bool in_git = in_git_.contains(one.path);
      const hooks::Target target =
          home_.sight.target({.path = one.path, .in_site = true, .in_git = in_git});
      const hooks::Row& row = hooks::decide(call, &target);
      if (row.outcome == hooks::Outcome::pass) continue;
      if (is_somebody_elses(one)) {
        strays_.external.push_back(one.path);
        continue;
      }
      if (strays_.outside.empty()) strays_.rule = row.rule;
      strays_.outside.push_back(one.path);
      if (in_git) note_tampering(one.path);
      if (fresh_.contains(one.path)) strays_.fresh.push_back(one.path);
    }
  }

  void note_tampering(const std::string& shown) {
    strays_.in_git.push_back(shown);
    const std::string& whole = in_git_.at(shown);
    if (!guards_git(home_.site(), whole)) return;
    strays_.stops_git = true;
    tampering_.emplace(whole, places_before_ ? said_at(*places_before_, whole) : kNotKnown);
  }

  /// What was undone is forgotten, what was changed is kept in mind.
  void keep_in_mind() const {
    if (!tampering_.empty() || !undone_.empty()) (void)keep_tampering(home_.site(), tampering_);
  }

  void tell_audit(bool objects) const {
    if (strays_.outside.empty()) return;
    spool_hook(home_.site(), event_,
               {.event = "hook.denied",
                .rule = strays_.rule,
                .path = join(strays_.outside, " "),
                .stopped = objects},
               context_);
  }

  const HookRequest& request_;
  const Event& event_;
  Context& context_;
  Home& home_;
  SessionMemory memory_;
  std::optional<std::int64_t> began_;
  std::string folder_;
  std::int64_t started_ms_;
  std::vector<hooks::ChangedPath> changed_{};
  std::set<std::string> fresh_{};                     // not known to git
  std::vector<hooks::ChangedPath> in_git_changes_{};  // in git's own folder
  std::map<std::string, std::string> in_git_{};       // as they are told, and their whole paths
  std::optional<HookPlaces> places_before_{};
  Tampering tampering_{};           // that still is
  std::set<std::string> undone_{};  // and that is no more
  hooks::Strays strays_{};
};

/// Those that git does not know: nothing can restore them.
std::vector<std::string> unknown_to_git(const HookSite& site, const std::vector<std::string>& paths,
                                        Context& context) {
  auto repo = open_repo(site, context);
  const auto known = repo ? repo->staged(paths) : tl::make_unexpected(repo.error());
  if (!known) return {};
  std::vector<std::string> out = paths;
  std::erase_if(out, [&](const std::string& path) {
    return std::ranges::find(*known, path, &git::StagedEntry::path) != known->end();
  });
  return out;
}

/// A host that only tells of an edit afterwards, or that had no form for advice before it.
Answer after_write(const HookRequest& request, const Event& event, Context& context, Home& home) {
  hooks::Strays strays{.session = event.session, .folder = home.sites.way_to(home.site())};
  std::vector<HookPath> written;
  for (const std::string& target : event.targets)
    for (HookPath& at : home.sites.locate(target))
      if (at.in_site && at.site == 0) written.push_back(std::move(at));
  if (written.empty()) return {};
  HookLook look{.session = event.session};
  for (const HookPath& at : written)
    look.paths.push_back(at.path);
  read_records(home.sight, look, context);
  const hooks::Call call{.mode = home.mode,
                         .tool_class = ToolClass::write,
                         .readable = home.sight.fault.empty(),
                         .require_intent = home.sight.rules.hooks.require_intent,
                         .standing = home.sight.standing()};
  for (const HookPath& at : written) {
    const hooks::Target target = home.sight.target(at);
    const hooks::Row& row = hooks::decide(call, &target);
    if (row.outcome == hooks::Outcome::pass) continue;
    if (strays.outside.empty()) strays.rule = row.rule;
    strays.outside.push_back(at.path);
  }
  if (strays.outside.empty()) return {};
  strays.fresh = unknown_to_git(home.site(), strays.outside, context);
  strays.own = owner_of(home.sight);
  strays.mirror = home.sight.mirror;
  return hooks::render(request.host, hooks::name_on(event), hooks::Saying::context,
                       hooks::stray_message(strays));
}

/// Does the lease run by itself while its owner is silent? Whoever owns it as a process is told by
/// the host that both live below.
bool may_renew(const Intent& intent, const Event& event) {
  if (!intent.owner) return false;
  if (intent.owner->kind == OwnerKind::process) return intent.owner->host_pid > 0;
  return !event.session.empty() && intent.owner->session_id == event.session;
}

/// The owner was heard of: where a third of its lease is over, it is renewed. What the registry
/// refuses, it refuses the owner too.
void renew(const Home& home, const Event& event, const Intent& intent, Context& context) {
  if (!may_renew(intent, event) || !control::is_renewal_due(intent, context.env.now())) return;
  Context at_root = context;
  at_root.cwd = home.site().found.root;
  at_root.surface = "hook";
  auto session = open_change_session_of(event.session, at_root);
  if (!session) return;
  session->caller.who = {intent.agent_pid, intent.agent_start_epoch, intent.owner->session_id};
  (void)renew_lease(*session, at_root, intent.id, {});
}

/// Before the tree is judged: a lease that ran out during the step is that of whoever took it.
void renew_own(Home& home, const Event& event, Context& context) {
  read_records(home.sight, {.session = event.session}, context);
  if (!home.sight.fault.empty()) return;
  std::vector<Intent> own;
  if (const Intent* here = owner_of(home.sight)) own.push_back(*here);
  for (const control::Held& held : home.sight.apart)
    own.push_back(*held.intent);
  for (const Intent& intent : own)
    renew(home, event, intent, context);
}

Result<std::vector<store::FiledIntent>> open_records(const std::string& state) {
  GH_TRY(ledger, store::Ledger::open_sqlite_to_read(state + "/ledger.db"));
  if (ledger == nullptr) return std::vector<store::FiledIntent>();
  GH_TRY(rows, ledger->open_intents());
  return filed(rows);
}

/// The next step looks into the ledger again, and has less time.
void tidy(const Home& home) {
  if (home.sight.rules.postgres) return;
  const std::string state = home.site().state();
  (void)store::empty_log(state + "/ledger.db");
  (void)store::refresh_file_of_ledger(state, [&] { return open_records(state); });
}

}  // namespace

namespace {

std::string folder_of(const HookSite& site, const Intent& apart) {
  return site.found.common_dir + "/" + apart.worktree;
}

/// Work trees that were made for intents of this session, wherever the agent stands.
std::vector<std::string> trees_apart(const Home& home) {
  std::vector<std::string> out;
  for (const control::Held& held : home.sight.apart)
    if (control::may_edit_now(*held.intent) && held.ownership != control::Ownership::expired)
      out.push_back(folder_of(home.site(), *held.intent));
  return out;
}

Answer after_command(const HookRequest& request, const Event& event, Context& context, Home& home) {
  const auto began = SessionMemory(home.site(), event.session).end_call(event.tool_call);
  const std::vector<std::string> apart = trees_apart(home);
  Answer out = Look(request, event, context, home, began, home.sites.way_to(home.site())).answer();
  for (const std::string& folder : apart) {
    Event there = event;
    there.cwd = folder;
    Home other(request, there, context);
    if (!other.is_on || other.site().found.root != folder) continue;
    Answer told = Look(request, there, context, other, began, folder).answer();
    if (out.out.empty() && out.err.empty()) out = std::move(told);
  }
  return out;
}

}  // namespace

namespace {

/// Did this step commit something that the hooks of git did not see, though they lie here? Whoever
/// led git past them did so where no look goes.
bool has_unseen_commit(const Event& event, Context& context, const Home& home) {
  auto repo = open_repo(home.site(), context);
  if (!repo || !has_own_hooks(*repo)) return false;
  const auto before = SessionMemory(home.site(), event.session).tree();
  const auto from = before ? ObjectId::parse(before->head) : std::nullopt;
  const auto head = repo->objects().commit("HEAD");
  if (!from || !head || head->id == *from) return false;
  const auto fresh = repo->commits_without(head->id, {*from}, {}, kMostNewCommits);
  if (!fresh) return true;  // nobody can tell
  return std::ranges::any_of(*fresh, [&](const ObjectId& id) {
    const auto commit = repo->objects().commit(id.hex());
    return !commit || (commit->parents.size() < 2 && !has_any_stamp(*repo, commit->tree));
  });
}

Answer after_shell(const HookRequest& request, const Event& event, Context& context, Home& home) {
  const shell::Reading reading = read_hook_command(event, home.sites);
  if (reading.shell_class == shell::ShellClass::read_only &&
      !(reading.meets_gate && has_unseen_commit(event, context, home)))
    return {};
  return after_command(request, event, context, home);
}

}  // namespace

std::vector<std::string> tampered_places(const HookSite& site, Context& context) {
  auto repo = open_repo(site, context);
  const Tampering kept = kept_tampering(site);
  const std::string below = site.found.root + "/";
  std::vector<std::string> out;
  for (const auto& [path, said] : kept)
    if (!repo || says_now(site, *repo, path) != said)
      out.push_back(path.starts_with(below) ? path.substr(below.size()) : path);
  return out;
}

Answer after_tool(const HookRequest& request, const Event& event, Context& context) {
  if (event.tool_class == ToolClass::read) return {};
  Home home(request, event, context);
  if (!home.is_on) return {};
  renew_own(home, event, context);
  Answer out;
  if (event.tool_class == ToolClass::write) {
    // What a patch says it writes is a matter of reading; what it wrote is not.
    if (event.takes_patch) out = after_command(request, event, context, home);
    if (out.out.empty() && out.err.empty()) out = after_write(request, event, context, home);
  } else if (event.tool_class == ToolClass::shell) {
    out = after_shell(request, event, context, home);
  } else {
    out = after_command(request, event, context, home);
  }
  tidy(home);
  return out;
}

Answer at_session_start(const HookRequest& request, const Event& event, Context& context) {
  const Home home(request, event, context);
  if (home.sites.home() == nullptr) return {};
  auto repo = open_repo(home.site(), context);
  if (!repo) return home.site().gated ? Answer{.err = repo.error().message + "\n"} : Answer{};
  Answer out;
  if (const Status compiled = compile_rules(home.site(), *repo); !compiled)
    out.err = compiled.error().message + "\n";
  if (!home.site().gated && !has_rules(home.site())) return {};  // neither here nor in HEAD
  forget_old_sessions(home.site(), context.env.now());
  const SessionMemory memory(home.site(), event.session);
  memory.forget_stops();
  auto tree = look_at(*repo, context, 0);
  if (tree) tree->places = look_at_places(home.site(), *repo, context.env, {});
  if (!tree)
    out.err += tree.error().message + "\n";
  else if (const Status kept = memory.keep_tree(*tree); !kept)
    out.err += kept.error().message + "\n";
  tidy(home);
  return out;
}

void compile_missing_rules(const Event& event, Context& context) {
  if (event.tool_class == ToolClass::read) return;
  const HookSites sites = sites_of(event, context);
  if (sites.home() == nullptr || !sites.home()->gated || has_rules(*sites.home())) return;
  if (auto repo = open_repo(*sites.home(), context)) (void)compile_rules(*sites.home(), *repo);
}

Answer at_prompt(const HookRequest& request, const Event& event, Context& context) {
  const Home home(request, event, context);
  if (home.is_on) SessionMemory(home.site(), event.session).forget_stops();
  return {};
}

namespace {

/// An intent that is open, in the tree that it works in.
struct Open {
  const Intent* intent = nullptr;
  std::string folder{};  // as commands name it; empty: the agent is at it
  std::vector<std::string> changed{};
};

Result<Open> look_at_open(const Intent& intent, const std::string& root, std::string folder,
                          Context& context) {
  Context there = context;
  there.cwd = root;
  GH_TRY(repo, open_to_read(there));
  std::vector<std::string> declared = intent.scope.allowed_files;
  declared.insert(declared.end(), intent.scope.allowed_related.begin(),
                  intent.scope.allowed_related.end());
  GH_TRY(dirty, repo.dirty_paths({.paths = declared}));
  Open out{&intent, std::move(folder)};
  for (const git::DirtyPath& path : dirty)
    out.changed.push_back(control::path_from_git(path.path));
  return out;
}

/// Of this tree, else of one that was made for an intent of the session. None: nothing is open
/// that anything was changed in.
Result<std::optional<Open>> unfinished(const Home& home, Context& context) {
  if (home.sight.standing() == hooks::Standing::active) {
    GH_TRY(open, look_at_open(*home.sight.own()->intent, home.site().found.root,
                              home.sites.way_to(home.site()), context));
    if (!open.changed.empty()) return std::optional(std::move(open));
  }
  for (const control::Held& held : home.sight.apart) {
    const bool is_open =
        control::may_edit_now(*held.intent) && held.ownership != control::Ownership::expired &&
        sys::info(folder_of(home.site(), *held.intent)).kind == sys::FileKind::folder;
    if (!is_open) continue;
    const std::string folder = folder_of(home.site(), *held.intent);
    GH_TRY(open, look_at_open(*held.intent, folder, folder, context));
    if (!open.changed.empty()) return std::optional(std::move(open));
  }
  return std::nullopt;
}

}  // namespace

Answer at_stop(const HookRequest& request, const Event& event, Context& context) {
  Home home(request, event, context);
  if (!home.is_on) return {};
  read_records(home.sight, {.session = event.session}, context);
  if (!home.sight.fault.empty()) return {};
  const auto found = unfinished(home, context);
  if (!found) return {.err = found.error().message + "\n"};
  if (!*found) return {};
  const Open& open = **found;
  const SessionMemory memory(home.site(), event.session);
  const std::string text =
      hooks::unfinished_message(*open.intent, open.changed, event.session, open.folder);
  if (home.mode != HookMode::enforce) return {.err = text + "\n"};
  if (event.loop || memory.was_stopped(open.intent->id)) {
    spool_hook(home.site(), event,
               {.event = "hook.stop_override", .intent_id = open.intent->id, .stopped = false},
               context);
    return {};
  }
  memory.remember_stop(open.intent->id);
  return hooks::render(request.host, hooks::name_on(event), hooks::Saying::go_on, text);
}

}  // namespace gh::ops
