// `change start`: may this agent edit these files now?
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "analysis/blast_radius.h"
#include "analysis/report_view.h"
#include "base/digest.h"
#include "base/text.h"
#include "control/audit_events.h"
#include "control/budgets.h"
#include "control/environment.h"
#include "control/hygiene.h"
#include "control/intent_record.h"
#include "control/scope_check.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "hooks/rules.h"
#include "model/peek.h"
#include "ops/change_ops.h"
#include "ops/change_payload.h"
#include "ops/change_registry.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/change_verify.h"
#include "ops/committed_baseline.h"
#include "ops/members.h"
#include "ops/real_place.h"
#include "ops/run_text.h"
#include "sys/files.h"
#include "wire/json.h"
#include "wire/json_stream.h"

namespace gh::ops {
namespace {

using control::StartStatus;

constexpr std::size_t kShownGoal = 200;
constexpr std::int64_t kClosedLookedAt = 50;  // those that were closed last

/// What was asked for, checked.
struct Wish {
  gh::Scope scope{};
  std::vector<MovedEntry> moved{};  // entries that named a file through a link
  std::string description{};
  std::vector<std::string> effects{};
  bool queues = false, is_full = false, has_worktree = false;
  control::DirtyScopePolicy dirty = control::DirtyScopePolicy::block;
  std::string strictness{}, depth{};
};

Result<Wish> read_wish(const Request& request, ChangeSession& session) {
  Wish out;
  GH_TRY(scope,
         control::normalise_scope(
             Map{{"allowed_files", string_list(by_letter(session.repo, request.list("allow")))},
                 {"allowed_related", string_list(by_letter(session.repo, request.list("related")))},
                 {"forbidden", string_list(request.list("forbid"))}}));
  out.scope = std::move(scope);
  GH_TRY(moved, move_to_real_places(session.repo.root(), out.scope));
  out.moved = std::move(moved);
  out.description = control::stored_description(request.text("goal"));
  if (out.description.empty())
    return fail(Code::intent_text_required, "a change needs a goal: --goal TEXT");
  GH_TRY(effects, control::normalise_effects(string_list(request.list("expect"))));
  out.effects = std::move(effects);
  out.queues = request.text("on-conflict") == "queue";
  out.is_full = request.flag("full");
  out.has_worktree = request.flag("worktree");
  if (request.flag("continue-own-wip")) out.dirty = control::DirtyScopePolicy::continue_own_wip;
  out.strictness = policy::at_least(session.policy().min_strictness, request.text("strictness"));
  out.depth = request.text("depth");
  return out;
}

Value typed_digest_of(std::string_view kind, std::string_view canonical) {
  return Map{{"kind", kind},
             {"algorithm", "sha256"},
             {"digest_version", "1"},
             {"value", digest_of(canonical).hex()}};
}

Value typed_digest(std::string_view kind, const Value& of) {
  return typed_digest_of(kind, wire::canonical_json(of));
}

/// What makes two starts the same one (change control reference, "The same start again").
Value request_digest(const Wish& wish, const ChangeSession& session, const ControlRun& run) {
  return typed_digest("start_request_v1",
                      Map{{"owner", control::owner_identity(session.caller.who.agent_pid,
                                                            session.caller.who.agent_start_epoch,
                                                            &session.caller.owner)},
                          {"root", session.root},
                          {"scope", control::scope_value(wish.scope)},
                          {"intent", wish.description},
                          {"expected_effects", string_list(wish.effects)},
                          {"on_conflict", wish.queues ? Value("queue") : Value()},
                          {"strictness", wish.strictness},
                          {"blast_radius_depth", wish.depth},
                          {"blast_radius_detail", wish.is_full ? "full" : "summary"},
                          {"dirty_scope_policy", to_string(wish.dirty)},
                          {"isolation", wish.has_worktree ? Value("worktree") : Value()},
                          {"run_id", run.id()}});
}

/// The records of others as they count for a start: who holds what, not when they last said so.
Value registry_digest(const Workspace& workspace) {
  // Canonical JSON of a list of mappings; there may be a thousand of them.
  std::string text = "[";
  for (const control::Held& held : workspace.held) {
    if (is_own(held.ownership)) continue;  // also one that gives way to this very start
    text += text.size() == 1 ? R"({"id":)" : R"(,{"id":)";
    wire::append_canonical(text, held.intent->id);
    const auto head = workspace.scope_digests.find(held.intent->id);
    text.append(R"(,"ownership":")").append(to_string(held.ownership));
    text.append(R"(","scope":")")
        .append(head != workspace.scope_digests.end() ? head->second
                                                      : control::scope_digest(held.intent->scope));
    text.append(R"(","status":")").append(to_string(held.intent->status)) += "\"}";
  }
  return typed_digest_of("workspace_registry_v1", text += ']');
}

Value tree_digest(const DirtySnapshot& dirt) {
  Map entries;
  for (const auto& [path, entry] : dirt.entries)
    entries.set(path, Map{{"status_xy", entry.status_xy},
                          {"digest", entry.digest ? Value(*entry.digest) : Value()}});
  return typed_digest("workspace_state_v1", Map{{"count", dirt.paths_count}, {"entries", entries}});
}

struct Impact : Concerned {
  Value transitive_summary{};
};

Result<Impact> impact_of(const Wish& wish, ControlRun& run) {
  GH_TRY(concerned, concerned_by(wish.scope, run.extract));
  Impact out{std::move(concerned)};
  const bool goes_on = wish.depth == "transitive" ||
                       (wish.depth == "auto" && out.radius.level == analysis::RadiusLevel::high);
  if (!goes_on) return out;
  constexpr std::size_t kTop = 10;
  analysis::BlastQuestion further = out.question;
  further.transitive = true;
  GH_TRY(report, run.extract.dependents(further.files));
  const std::vector<std::string> all =
      analysis::blast_radius(report, further).transitive_dependents;
  const std::size_t shown = std::min(kTop, all.size());
  out.transitive_summary = Map{
      {"total", static_cast<std::int64_t>(all.size())},
      {"shown", static_cast<std::int64_t>(shown)},
      {"truncated", all.size() > shown},
      {"top_paths", string_list({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown)})}};
  return out;
}

/// Lists of the whole answer that a summary only counts.
// table: start_lanes
constexpr std::array<std::string_view, 6> kLanes{"direct_dependents",    "transitive_dependents",
                                                 "clone_cohort_members", "in_dependency_cycle",
                                                 "structural_risk",      "review_context"};

std::int64_t size_of(const Value& lane) {
  if (lane.as_list() != nullptr) return static_cast<std::int64_t>(lane.as_list()->size());
  std::int64_t out = 0;
  if (lane.as_map() != nullptr)
    for (const auto& [name, part] : lane.as_map()->entries())
      out += size_of(part);
  return out;
}

Map blast_answer(const Wish& wish, const Impact& impact, const ControlRun& run, Value digest) {
  Map out;
  for (const auto& [key, value] : impact.document.entries()) {
    const bool is_lane = std::ranges::find(kLanes, key) != kLanes.end();
    if (wish.is_full || !is_lane) {
      out.set(key, value);
      continue;
    }
    const std::int64_t total = size_of(value);
    out.set(key, Map{{"total", total}, {"shown", 0}, {"truncated", total > 0}});
  }
  if (!impact.transitive_summary.is_null())
    out.set("transitive_summary", impact.transitive_summary);
  const std::string value(analysis::text_in(digest, "value"));
  out.set("blast_artifact", Map{{"blast_artifact_id", "blast-" + value},
                                {"run_id", run.id()},
                                {"projection_digest", std::move(digest)},
                                {"detail_contract_version", "1"},
                                {"retrieval_tool", "report_get"},
                                {"object_lookup", "available"}});
  return out;
}

List warnings_of(ChangeSession& session, const Wish& wish, ControlRun& run,
                 std::vector<std::string>& stale) {
  List out;
  // A submodule is one entry to git, as a link is: both are changed as files are.
  const auto is_folder = [&](std::string_view path) {
    const std::string whole = fmt::format("{}/{}", session.repo.root(), path);
    return sys::info(whole).kind == sys::FileKind::folder &&
           sys::info(whole + "/.git").kind == sys::FileKind::missing;
  };
  for (const control::Warning& warning : control::scope_warnings(wish.scope, is_folder))
    out.push_back(to_value(warning));
  for (const MovedEntry& entry : wish.moved)
    out.emplace_back(
        Map{{"code", "scope_entry_through_link"},
            {"message", fmt::format("'{}' lies below a link: '{}' is declared in its place",
                                    printable(entry.named, 200), printable(entry.lies, 200))},
            {"path", entry.named},
            {"declared", entry.lies}});
  const hooks::Rules rules = hooks::rules_of(session.config);
  for (const std::string& path : wish.scope.allowed_files)
    if (hooks::is_protected(rules, path) || hooks::is_hook_configuration(path))
      out.emplace_back(
          Map{{"code", "scope_entry_is_forbidden"},
              {"message",
               fmt::format("'{}' steers git, the gate or the agents: hooks and commits refuse a "
                           "change of it, whatever is declared; a person makes it",
                           printable(path, 200))},
              {"path", path}});
  constexpr std::size_t kNamed = 20;
  std::vector<std::string> readable = wish.scope.allowed_files;
  if (const auto ignored = ignored_of(session, wish.scope.allowed_files))
    for (const std::string& path : *ignored) {
      std::erase(readable, path);
      out.emplace_back(
          Map{{"code", "scope_entry_ignored"},
              {"message",
               fmt::format("git ignores '{}': no run reads it, and no finish sees it change unless "
                           "you name it",
                           printable(path, 200))},
              {"path", path}});
    }
  if (const auto found = changed_since(session, run, readable, kNamed)) stale = *found;
  if (!stale.empty())
    out.emplace_back(
        Map{{"code", "before_run_stale"},
            {"message", fmt::format("the latest run does not know {} as it is now; run 'gatehouse "
                                    "analyze' first, or the finish compares with the commit",
                                    printable(join(stale, ", "), 300))},
            {"paths", string_list(stale)}});
  if (!is_measured_by(run, session.config.analysis))
    out.emplace_back(
        Map{{"code", "before_run_settings_differ"},
            {"message",
             "the latest run was made with other settings than the committed gatehouse.yaml has; "
             "run 'gatehouse analyze --diff-against HEAD' first, or nothing can be verified by "
             "it"}});
  return out;
}

/// Own work that is gone on with: what the run has read of it is judged all the same.
Value known_work_warning(ChangeSession& session, const Wish& wish, ControlRun& run,
                         const DirtySnapshot& dirt) {
  if (wish.dirty != control::DirtyScopePolicy::continue_own_wip) return {};
  std::vector<std::string> dirty;
  for (const std::string& path : wish.scope.allowed_files)
    if (dirt.entries.contains(path) && is_analysed(path)) dirty.push_back(path);
  const auto unknown = changed_since(session, run, dirty, dirty.size());
  if (!unknown) return {};
  std::erase_if(
      dirty, [&](const std::string& path) { return std::ranges::binary_search(*unknown, path); });
  if (dirty.empty()) return {};
  return Map{{"code", "before_run_has_own_changes"},
             {"message",
              fmt::format("the latest run has {} with your changes in it: the finish compares with "
                          "the last commit instead, so that what they made worse is yours; run "
                          "'gatehouse analyze --rev HEAD' and start again to see it from there",
                          printable(join(dirty, ", "), 300))},
             {"paths", string_list(dirty)}};
}

/// All that is known when the registry is asked.
struct Gathered {
  Wish wish{};
  ControlRun run{};
  DirtySnapshot dirt{};
  bool git_failed = false, is_outside = false;  // of the budget, by the gates of the run
  Impact impact{};
  std::int64_t ttl_seconds = 3600, lease_seconds = 300;
  Value request{}, blast_digest{}, budget_digest{};
  std::string head_commit{};
  std::vector<Intent> closed{};  // the last ones of this tree
};

/// What the transaction decided.
struct Decided {
  control::StartOutcome outcome{};
  Map hygiene_document{};
  control::NextStep next{};
  Intent intent{};
  Value workspace{}, blocked_by{List{}};
  List replaced{};  // what was declared before on this run, and gave way
  std::int64_t queue_position = 0;
  bool is_replay = false, continues = false;
};

Intent declared(const ChangeSession& session, const Gathered& g, Timestamp now) {
  Intent out;
  out.agent_pid = session.caller.who.agent_pid;
  out.agent_start_epoch = session.caller.who.agent_start_epoch;
  out.agent_label = session.caller.label;
  out.run_id = g.run.id();
  out.declared_at = out.lease_renewed_at = now;
  out.ttl_seconds = g.ttl_seconds;
  out.expires_at = {now.seconds + g.ttl_seconds};
  out.lease_seconds = g.lease_seconds;
  out.description = g.wish.description;
  out.scope = g.wish.scope;
  out.blast_radius_summary = g.impact.summary;
  out.report_digest = g.run.row.report_digest;
  out.dirty_snapshot = control::stored_snapshot(g.dirt);
  out.owner = session.caller.owner;
  out.expected_effects = g.wish.effects;
  out.dirty_scope_policy = std::string(to_string(g.wish.dirty));
  return out;
}

/// What was closed last in this tree. Without dirt nobody asks.
std::vector<Intent> closed_here(ChangeSession& session, const Gathered& g) {
  std::vector<Intent> out;
  if (g.dirt.entries.empty()) return out;
  if (const auto rows = session.ledger->closed_intents(kClosedLookedAt))
    for (const store::IntentRow& row : *rows)
      if (auto intent = control::from_record(row.payload);
          intent && intent->worktree == session.worktree) {
        intent->fence = row.fence;
        out.push_back(std::move(*intent));
      }
  return out;
}

/// The change before this one of the same session in the same tree, unless it was accepted.
const Intent* unsettled(const Registry& registry, const ChangeSession& session, const Gathered& g) {
  for (const control::Held* held : registry.workspace().own())
    if (held->intent->worktree == session.worktree && held->intent->status != IntentStatus::queued)
      return held->intent;
  const Intent* last = nullptr;  // times are of whole seconds, fences are not
  for (const Intent& intent : g.closed)
    if (control::is_own(intent, session.caller.who) &&
        (last == nullptr || last->fence < intent.fence))
      last = &intent;
  const bool is_accepted = last != nullptr && last->status == IntentStatus::clean &&
                           last->unknown.find(kGivenUp) == nullptr;
  return is_accepted ? nullptr : last;
}

/// Starting again makes nothing old that the session changed outside of what it had declared.
void carry_dirt(const Registry& registry, const ChangeSession& session, const Gathered& g,
                Intent& intent) {
  const Intent* earlier = unsettled(registry, session, g);
  if (earlier == nullptr || !earlier->dirty_snapshot || !intent.dirty_snapshot) return;
  std::vector<gh::Scope> declared{earlier->scope};
  for (const control::Held& held : registry.workspace().held)
    if (control::is_own(*held.intent, session.caller.who)) declared.push_back(held.intent->scope);
  for (const Intent& other : g.closed)
    if (!control::is_own(other, session.caller.who) && other.status == IntentStatus::clean &&
        other.unknown.find(kGivenUp) == nullptr)
      declared.push_back(other.scope);
  intent.dirty_snapshot = control::carried_snapshot(std::move(*intent.dirty_snapshot),
                                                    *earlier->dirty_snapshot, declared);
}

const Value* started_with(const Intent& intent, std::string_view key) {
  const Value* start = intent.unknown.find("start");
  return start == nullptr || start->as_map() == nullptr ? nullptr : start->as_map()->find(key);
}

/// The same request by the same owner while everything around it stands still.
const control::Held* same_start(const Registry& registry, const Gathered& g) {
  for (const control::Held* held : registry.workspace().own(g.run.id())) {
    if (control::session_status(*held->intent) != "active" ||
        !control::holds_files(*held->intent) || held->liveness == control::Liveness::dead)
      continue;
    const Value* request = started_with(*held->intent, "request");
    const Value* seen = started_with(*held->intent, "registry");
    const Value* tree = started_with(*held->intent, "tree");
    if (request != nullptr && *request == g.request && seen != nullptr && tree != nullptr &&
        *seen == registry_digest(registry.workspace()) && *tree == tree_digest(g.dirt))
      return held;
  }
  return nullptr;
}

std::string_view event_of(StartStatus status) {
  return status == StartStatus::queued    ? "intent.queued"
         : status == StartStatus::blocked ? "intent.blocked"
                                          : "intent.declared";
}

Status decide(Registry& registry, ChangeSession& session, const Gathered& g, Decided& out) {
  if (const control::Held* same = same_start(registry, g)) {
    out.is_replay = true;
    out.intent = *same->intent;
    return {};
  }
  const std::vector<control::Held>& all = registry.workspace().held;
  // In a tree of one's own nobody is in the way; what others changed meets it when it lands.
  const std::vector<control::Held> held =
      g.wish.has_worktree ? std::vector<control::Held>{} : rivals_in(all, session.worktree);
  const control::Conflicts conflicts =
      control::find_conflicts(g.wish.scope, held, session.policy().conflict_matching);
  const std::vector<control::Held> here = of_tree(held, session.worktree, session.clone);
  const control::StartHygiene hygiene =
      control::start_hygiene(g.wish.scope, g.git_failed ? nullptr : &g.dirt, here);
  const control::StartHygieneFacts dirt{
      .git_failed = hygiene.git_failed,
      .blocks_edit = hygiene.blocks_edit(),
      .foreign_dirty_overlap = !hygiene.foreign_dirty_overlaps.empty(),
      .policy = g.wish.dirty};
  out.continues = control::continues_own_work(dirt);
  out.outcome = control::decide_start({.run_exists = true,
                                       .conflicts = conflicts.any(),
                                       .queue_asked = g.wish.queues,
                                       .hygiene_blocks = control::hygiene_stops_start(dirt)});
  out.next =
      control::next_step({.git_failed = hygiene.git_failed,
                          .foreign_active = conflicts.any_of(control::Ownership::foreign_active),
                          .foreign_stale = conflicts.any_of(control::Ownership::foreign_stale),
                          .hygiene_blocks = dirt.blocks_edit,
                          .foreign_dirty_overlap = dirt.foreign_dirty_overlap});
  out.hygiene_document = to_value(hygiene, out.continues);
  out.workspace = workspace_value(conflicts, control::workspace_counts(all));
  out.blocked_by = conflicts.blocked_by;

  out.intent = declared(session, g, registry.now());
  GH_TRY(id, registry.next_id(g.run.id()));
  out.intent.id = std::move(id);
  if (!g.head_commit.empty()) out.intent.unknown.set(std::string(kBaseCommit), g.head_commit);
  set_clone(out.intent, session);
  out.intent.worktree = g.wish.has_worktree ? isolated_name(out.intent.id) : session.worktree;
  if (!g.wish.has_worktree) carry_dirt(registry, session, g, out.intent);
  // One intent per run and session: what was declared before gives way, also to its own successor.
  std::vector<control::Held> waiting = all;
  if (out.outcome.record)
    for (const control::Held* earlier : registry.workspace().own(g.run.id())) {
      // Whoever asks again for what it waits for keeps its place in line.
      const bool waits_on = out.outcome.record == IntentStatus::queued &&
                            earlier->intent->status == IntentStatus::queued &&
                            earlier->intent->scope == out.intent.scope;
      if (waits_on) out.intent.declared_at = earlier->intent->declared_at;
      std::erase_if(waiting, [&](const control::Held& h) { return h.intent == earlier->intent; });
      out.replaced.emplace_back(
          Map{{"intent_id", earlier->intent->id},
              {"status", to_string(earlier->intent->status)},
              {"intent", printable(earlier->intent->description, kShownGoal)},
              {"allowed_files", string_list(earlier->intent->scope.allowed_files)}});
      registry.tell({.event = "intent.cleared",
                     .intent = earlier->intent,
                     .status = "clean",
                     .summary = "declared anew",
                     .facts = Map{{"verified", false}}});
      Intent given_up = *earlier->intent;
      given_up.unknown.set(std::string(kGivenUp), true);
      registry.close(std::move(given_up), IntentStatus::clean);
    }
  if (out.outcome.record == IntentStatus::active) {
    GH_TRY(active, registry.activate(std::move(out.intent)));
    out.intent = std::move(active);
    out.intent.unknown.set("start", Map{{"request", g.request},
                                        {"registry", registry_digest(registry.workspace())},
                                        {"tree", tree_digest(g.dirt)},
                                        {"blast_radius", g.blast_digest},
                                        {"budget", g.budget_digest}});
  } else if (out.outcome.record) {
    out.intent.status = *out.outcome.record;
  }
  if (out.outcome.status == StartStatus::queued)
    out.queue_position = control::queue_position(out.intent, waiting);
  if (conflicts.any())
    registry.tell({.event = "workspace.conflict_detected",
                   .severity = "warn",
                   .intent = &out.intent,
                   .status = std::string(to_string(out.outcome.status)),
                   .summary = "another agent holds part of the scope",
                   .facts = Map{{"blocked_by", out.blocked_by}}});
  registry.tell({.event = event_of(out.outcome.status),
                 .severity = control::audit_severity(event_of(out.outcome.status), conflicts.any()),
                 .intent = &out.intent,
                 .status = std::string(to_string(out.outcome.status)),
                 .summary = out.outcome.edit_allowed ? "may edit" : std::string(out.next.code),
                 .facts = Map{{"scope", control::scope_value(g.wish.scope)},
                              {"expires_at_utc", to_string(out.intent.expires_at)},
                              {"edit_allowed", out.outcome.edit_allowed}}});
  if (out.outcome.record) {  // what the trail of its finish refers to
    out.intent.unknown.set(std::string(kDeclaredSequence), registry.last_told());
    registry.put(out.intent);
  }
  // Also the answer of a blocked start names what is kept.
  if (out.outcome.status != StartStatus::queued) {
    registry.keep({std::string(analysis::text_in(g.blast_digest, "value")), "blast_artifact",
                   Value(g.impact.document)});
    const std::string level(to_string(g.impact.radius.level));
    registry.tell({.event = "blast_radius.computed", .intent = &out.intent, .status = level});
    registry.tell({.event = "blast_artifact.created",
                   .intent = &out.intent,
                   .status = level,
                   .facts = Map{{"projection_digest", g.blast_digest}}});
    registry.tell({.event = "patch_budget.computed",
                   .severity = control::audit_severity("patch_budget.computed", g.is_outside),
                   .intent = &out.intent,
                   .status = g.is_outside ? "outside" : "within",
                   .facts = Map{{std::string(kGatePreview), true}}});
  }
  return {};
}

/// A session has one intent on a run: whoever declares another is told what that ended.
void add_replaced(const Decided& d, List& warnings) {
  for (const Value& earlier : d.replaced)
    warnings.emplace_back(Map{
        {"code", "intent_replaced"},
        {"message",
         fmt::format("{} ('{}') of this session was {} on the same run and is given up for this "
                     "one; 'gatehouse change extend --add FILE' widens a scope",
                     text_in(earlier, "intent_id"), text_in(earlier, "intent"),
                     text_in(earlier, "status"))},
        {"replaced", earlier}});
}

Map replay_answer(const Decided& d, const Gathered& g, Timestamp now) {
  const std::int64_t left = control::lease_left(d.intent, now);
  const auto kept = [&](std::string_view key) {
    const Value* value = started_with(d.intent, key);
    return value == nullptr ? Value() : *value;
  };
  return Map{{"idempotent_replay", true},
             {"scope_unchanged", true},
             {"analysis_run_unchanged", true},
             {"workspace_unchanged", true},
             {"intent_id", d.intent.id},
             {"status", "active"},
             {"edit_allowed", true},
             {"run_id", g.run.id()},
             {"lease_expires_at_utc", to_string(d.intent.lease_expires_at())},
             {"scope_digest", control::scope_digest(d.intent.scope)},
             {"workspace_digest", kept("registry")},
             {"blast_radius_digest", kept("blast_radius")},
             {"budget_digest", kept("budget")},
             {"renew_required", left <= d.intent.lease_seconds / 3},
             {"message", "this change was started before and nothing around it changed"}};
}

Map queued_answer(const Decided& d, const Gathered& g, List warnings) {
  Map out{
      {"intent_id", d.intent.id},
      {"status", "queued"},
      {"run_id", g.run.id()},
      {"blocked_by", d.blocked_by},
      {"queue_position", d.queue_position},
      {"before_run_pinned", false},
      {"edit_allowed", false},
      {"workspace", d.workspace},
      {"dirty_snapshot", control::snapshot_summary(g.dirt)},
      {"message", control::queued_message(d.queue_position)},
      {"next_step", fmt::format("Wait, then call 'gatehouse change promote {}'.", d.intent.id)}};
  if (!warnings.empty()) out.set("warnings", std::move(warnings));
  return out;
}

Map answer(const Decided& d, const Gathered& g, Map budget, List warnings, bool registered) {
  Map out{{"intent_id", d.intent.id},
          {"status", to_string(d.outcome.status)},
          {"run_id", g.run.id()},
          {"edit_allowed", d.outcome.edit_allowed},
          {"dirty_scope_policy", to_string(g.wish.dirty)},
          {"workspace", d.workspace},
          {"workspace_registered", registered},
          {"scope", control::scope_value(g.wish.scope)},
          {"blast_radius", blast_answer(g.wish, g.impact, g.run, g.blast_digest)},
          {"blast_radius_detail", g.wish.is_full ? "full" : "summary"},
          {"requested_blast_radius_detail", g.wish.is_full ? "full" : "summary"},
          {"dirty_snapshot", control::snapshot_summary(g.dirt)},
          {"workspace_hygiene", d.hygiene_document},
          {"warnings", std::move(warnings)}};
  if (registered) {
    out.set("lease_expires_at_utc", to_string(d.intent.lease_expires_at()));
    out.set("expires_at_utc", to_string(d.intent.expires_at));
  }
  out.set("budget", std::move(budget));
  if (d.outcome.edit_allowed) {
    out.set("message", control::active_message(
                           {.continuing_own_wip = d.continues,
                            .high_radius = g.impact.radius.level == analysis::RadiusLevel::high,
                            .budget_outside = g.is_outside}));
    return out;
  }
  out.set("user_action_required", true);
  out.set("next_step_code", d.next.code);
  out.set("next_step", d.next.text);
  out.set("message", d.next.text);
  return out;
}

std::vector<std::string> held_paths(const Map& document) {
  std::vector<std::string> out;
  const Value all(document);
  for (const Value& other : Peek(all)["workspace"]["concurrent_intents"].list())
    for (const char* key : {"hard_overlap", "soft_overlap"})
      for (const Value& path : Peek(other)[key].list())
        if (path.as_string() != nullptr) out.push_back(*path.as_string());
  return out;
}

Reply replied(const ChangeSession& session, Context& context, const Request& request,
              Map document) {
  hint_session(document, request);
  const std::string status = text_in(document, "status");
  const bool allowed = decision_of(status) == Decision::allow;
  std::string code = text_in(document, "next_step_code");
  if (code.empty() && !allowed) code = status;
  document.set("verdict",
               change_verdict(session, context,
                              {.status = status,
                               .codes = allowed ? std::vector<std::string>{} : std::vector{code},
                               .message = text_in(document, "message"),
                               .next_step = text_in(document, "next_step"),
                               .paths = held_paths(document),
                               .intent_id = text_in(document, "intent_id")}));
  Reply reply;
  reply.document = framed("gatehouse.change_start/1", std::move(document));
  reply.exit = exit_code(decision_of(status), {}, {.exit_review = request.flag("exit-review")});
  if (!allowed) reply.why = fmt::format("the change may not start: {}", code);
  reply.text = [copy = reply.document](const report::Look& look) { return start_text(copy, look); };
  return reply;
}

Status add_isolated(ChangeSession& session, Context& context, const std::string& folder,
                    const std::string& branch, const ObjectId& commit) {
  GH_DO(sys::make_folders(folder.substr(0, folder.rfind('/'))));
  GH_TRY(made,
         session.repo.add_worktree_on_branch(folder, "refs/heads/" + branch, commit,
                                             {.name = "Gatehouse", .email = "gatehouse@localhost"},
                                             context.env.now(), "gatehouse change start"));
  if (made == git::RefUpdate::done) return {};
  return fail(Code::conflict, fmt::format("the branch {} is there already", branch));
}

/// The worktree of an isolated intent is made once its record stands; without it there is no
/// intent.
Result<Map> make_worktree(ChangeSession& session, Context& context, const Intent& intent) {
  const std::string folder = isolated_folder(session, intent.id);
  const std::string branch = isolated_branch(intent.id);
  const auto head = session.repo.objects().commit("HEAD");
  Status made = head ? add_isolated(session, context, folder, branch, head->id)
                     : Status(tl::make_unexpected(head.error()));
  if (!made) {
    GH_DO(change_registry(session, context, [&](Registry& registry) -> Status {
      GH_TRY(held, still_held(registry, intent, session));
      registry.tell({.event = "intent.cleared",
                     .severity = "warn",
                     .intent = &held,
                     .status = "clean",
                     .summary = "its worktree could not be made",
                     .facts = Map{{"verified", false}}});
      registry.close(held, IntentStatus::clean);
      return {};
    }));
    return tl::make_unexpected(std::move(made).error());
  }
  return Map{{"path", utf8_or_escaped(folder)}, {"branch", branch}, {"base", head->id.hex()}};
}

/// The latest run, unless there is none or the policy wants one that knows these files as they are.
Result<std::optional<ControlRun>> usable_run(ChangeSession& session, const Wish& wish,
                                             List& warnings) {
  GH_TRY(run, latest_run(session));
  warnings.clear();
  if (!run) return run;
  std::vector<std::string> stale;
  warnings = warnings_of(session, wish, *run, stale);
  if (session.policy().require_fresh_before_run && !stale.empty()) return std::nullopt;
  return run;
}

/// Own work that is gone on with makes every run stale, and a run that has read it is no better.
bool asks_for_analysis(const Wish& wish, std::string_view warning) {
  return warning == "before_run_settings_differ" ||
         (warning == "before_run_stale" &&
          wish.dirty != control::DirtyScopePolicy::continue_own_wip);
}

Result<std::optional<ControlRun>> run_to_start_from(ChangeSession& session, Context& context,
                                                    const Wish& wish, bool may_analyse,
                                                    List& warnings) {
  GH_TRY(run, usable_run(session, wish, warnings));
  const bool will_do = run && !std::ranges::any_of(warnings, [&](const Value& warning) {
                         return asks_for_analysis(wish, Peek(warning)["code"].text());
                       });
  if (will_do || !may_analyse) return run;
  GH_DO(analyse_now(session, context));
  return usable_run(session, wish, warnings);
}

}  // namespace

Result<Reply> change_start(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  Gathered g;
  GH_TRY(wish, read_wish(request, session));
  g.wish = std::move(wish);
  g.ttl_seconds = control::resolve_seconds(
      policy::kTtlRange, request.has("ttl") ? Value(*request.seconds("ttl")) : Value(),
      either_variable(context, "GATEHOUSE_INTENT_TTL_SECONDS", "CODECLONE_INTENT_TTL_SECONDS"),
      session.policy().ttl_seconds);
  g.lease_seconds = control::resolve_seconds(
      policy::kLeaseRange, Value(),
      either_variable(context, "GATEHOUSE_INTENT_LEASE_SECONDS", "CODECLONE_INTENT_LEASE_SECONDS"),
      session.policy().lease_seconds);

  List warnings;
  GH_TRY(run, run_to_start_from(session, context, g.wish, request.flag("analyze"), warnings));
  if (!run) {
    Map needed = control::needs_analysis_answer(session.root);
    if (!warnings.empty())  // there is one
      needed.set(
          "message",
          "The latest analysis run does not know the declared files as they are now, and the "
          "policy wants one that does (change_control.require_fresh_before_run).");
    return replied(session, context, request, std::move(needed));
  }
  g.run = std::move(*run);
  for (Value& warning :
       rewriting_warnings(request, {"allow", "related", "forbid"}, entries_of(g.wish.scope)))
    warnings.push_back(std::move(warning));
  if (Value clamped = clamp_warning("ttl", policy::kTtlRange, request.seconds("ttl"));
      !clamped.is_null())
    warnings.push_back(std::move(clamped));

  // Before the transaction: git may take its time, the registry may not. A tree of its own is
  // clean.
  if (!g.wish.has_worktree) {
    if (auto dirt = look_at_scope(session, context, g.wish.scope))
      g.dirt = std::move(*dirt);
    else
      g.git_failed = true;
  }
  if (Value known = known_work_warning(session, g.wish, g.run, g.dirt); !known.is_null())
    warnings.push_back(std::move(known));
  g.dirt.captured_at = context.env.now();
  g.closed = closed_here(session, g);
  g.head_commit = head_commit(session);
  GH_TRY(impact, impact_of(g.wish, g.run));
  g.impact = std::move(impact);
  g.request = request_digest(g.wish, session, g.run);
  g.blast_digest = typed_digest("blast_projection_v1", g.impact.document);
  const control::Strictness strictness = *control::strictness_named(g.wish.strictness);
  GH_TRY(compared, compared_run(session, g.run.row, strictness, nullptr));
  Map budget = control::start_budget(
      {.run_id = g.run.id(),
       .strictness = strictness,
       .report = compared.used() != nullptr ? *compared.report : g.run.extract.head(),
       .baseline = compared.used()});
  g.budget_digest = typed_digest("budget_projection_v1", budget);
  g.is_outside = Peek(Value(budget))["gate_preview"]["would_fail"].is_true();

  Decided decided;
  GH_DO(change_registry_around(session, context, g.wish.scope, [&](Registry& registry) {
    return decide(registry, session, g, decided);
  }));
  if (decided.is_replay)
    return replied(session, context, request, replay_answer(decided, g, context.env.now()));
  add_replaced(decided, warnings);
  if (decided.outcome.status == StartStatus::queued)
    return replied(session, context, request, queued_answer(decided, g, std::move(warnings)));
  Map out = answer(decided, g, std::move(budget), std::move(warnings),
                   decided.outcome.record.has_value());
  if (g.wish.has_worktree && decided.outcome.edit_allowed) {
    GH_TRY(made, make_worktree(session, context, decided.intent));
    out.set("worktree", std::move(made));
  }
  return replied(session, context, request, std::move(out));
}

}  // namespace gh::ops
