#include "ops/check_scope.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "control/intent_record.h"
#include "control/scope_paths.h"
#include "control/start_decision.h"
#include "diff/patch.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/ledger_place.h"
#include "ops/members.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using control::Held;
using control::Ownership;
using control::ScopeRefusal;

constexpr std::size_t kMostReasons = 50;  // of one code; the rest is counted
constexpr std::size_t kShownPaths = 20;
constexpr std::string_view kOverHttp = "mcp-";
constexpr std::size_t kMaxShownLine = 4096;

/// Nobody can have declared anything where nothing was ever recorded.
Result<bool> has_records(git::Repo& repo) {
  GH_TRY(config, store_config(repo));
  return !config.url.empty() || sys::info(ledger_path(repo)).kind != sys::FileKind::missing;
}

bool is_own(const Held& held) {
  return held.ownership == Ownership::own_active || held.ownership == Ownership::own_stale;
}

bool has_same_owner(const Intent& a, const Intent& b) {
  return a.agent_pid == b.agent_pid && a.agent_start_epoch == b.agent_start_epoch;
}

Value some_of(const std::vector<std::string>& paths) {
  return string_list({paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(
                                                         std::min(kShownPaths, paths.size()))});
}

std::vector<std::string> paths_with(const control::ScopeGate& gate, std::string_view code) {
  std::vector<std::string> out;
  for (const ScopeRefusal& refusal : gate.refusals)
    if (refusal.code == code) out.push_back(refusal.path);
  return out;
}

/// The same declaration with these files in it as well.
Value wider_declaration(const Intent& intent, std::vector<std::string> more) {
  if (more.size() > kMostReasons) more.resize(kMostReasons);
  gh::Scope scope = intent.scope;
  scope.allowed_files.insert(scope.allowed_files.end(), more.begin(), more.end());
  std::ranges::sort(scope.allowed_files);
  return Map{{"action", "declare"},
             {"run_id", intent.run_id.substr(0, analysis::kShortRunId)},
             {"intent", intent.description},
             {"scope", control::scope_value(scope)}};
}

/// A command finds the intent of a session by its name, wherever it is typed. Names of sessions
/// over HTTP are for those who hold them.
std::string for_session(const Intent& intent) {
  const bool is_named = intent.owner && intent.owner->kind == OwnerKind::session &&
                        !intent.owner->session_id.starts_with(kTerminal) &&
                        !intent.owner->session_id.starts_with(kOverHttp);
  return is_named ? " --session " + shell_word(intent.owner->session_id) : std::string();
}

/// What one refusal is told with.
struct Told {
  const control::ScopeGate& gate;
  const DeclaredHere& declared;
  const ScopeRefusal& refusal;
  std::string intent_id() const { return gate.intent == nullptr ? "" : gate.intent->id; }
  /// Named where a command would not find it by itself.
  std::string operand() const {
    return declared.facts.own.size() > 1 ? " " + gate.intent->id : std::string();
  }
  /// In a tree that others work in too: what is left when theirs is left out.
  std::vector<std::string> accepted() const {
    std::vector<std::string> out;
    if (!declared.is_work_tree || !declared.folder.empty()) return out;
    std::ranges::copy_if(
        declared.facts.changed, std::back_inserter(out), [&](const std::string& path) {
          return std::ranges::find(gate.refusals, path, &ScopeRefusal::path) == gate.refusals.end();
        });
    return out;
  }
  /// Somebody else is at work in this tree: what is dirty in it may be theirs, whoever they are.
  bool is_shared() const {
    return std::ranges::any_of(declared.facts.others, [](const Held& held) {
      return held.intent->status != IntentStatus::queued &&
             (held.ownership == Ownership::foreign_active ||
              held.ownership == Ownership::foreign_stale);
    });
  }
  /// It was dirty when the change began: somebody else must answer for it, and extend refuses it.
  bool is_older(const std::string& path) const {
    return declared.is_work_tree && gate.intent != nullptr && gate.intent->dirty_snapshot &&
           gate.intent->dirty_snapshot->entries.contains(path);
  }
  /// Of a session that has declared all of it: git knows no session of a host, so whoever commits
  /// may be just that one.
  const Intent* likely_own() const {
    const auto found = std::ranges::find_if(declared.facts.others, [&](const Held& held) {
      return !for_session(*held.intent).empty() && held.intent->status == IntentStatus::active &&
             std::ranges::all_of(declared.facts.changed, [&](const std::string& path) {
               return std::ranges::find(held.intent->scope.allowed_files, path) !=
                      held.intent->scope.allowed_files.end();
             });
    });
    return found == declared.facts.others.end() ? nullptr : found->intent;
  }
};

std::string some_words(const std::vector<std::string>& paths, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, paths.size()); ++i)
    out += " " + path_word(paths[i]);
  return out;
}

Map no_intent_evidence(const Told& t) {
  const Intent* own = t.likely_own();
  return own == nullptr ? Map{} : Map{{"held_by", own->id}, {"agent_label", own->agent_label}};
}
/// What is judged is there already, so that a start finds its own files changed.
Next start_next(const std::vector<std::string>& changed, std::string_view why) {
  return {.kind = "command",
          .command = fmt::format("{} change start --analyze --continue-own-wip --goal 'what and "
                                 "why' --allow{}",
                                 kProduct,
                                 changed.empty() ? " FILE" : some_words(changed, changed.size())),
          .tool = "start_controlled_change",
          .why = std::string(why),
          .arguments = Map{{"analyze", true},
                           {"dirty_scope_policy", "continue_own_wip"},
                           {"intent", "what and why"},
                           {"scope", Map{{"allowed_files", some_of(changed)}}}}};
}
Next no_intent_next(const Told& t) {
  const std::vector<std::string>& changed = t.declared.facts.changed;
  if (const Intent* own = t.likely_own())
    return {.kind = "command",
            .command = fmt::format("{} change finish {} --files{} --analyze{}", kProduct, own->id,
                                   some_words(changed, changed.size()), for_session(*own)),
            .tool = "finish_controlled_change",
            .why = "If that is your change, finish it: its receipt lets the commit in.",
            .arguments = Map{
                {"analyze", true}, {"changed_files", some_of(changed)}, {"intent_id", own->id}}};
  return start_next(changed, "Declare the change, with every file that it touches.");
}

/// All of them at once: whoever is told one at a time declares for a long time.
std::vector<std::string> to_declare(const Told& t) {
  std::vector<std::string> paths = paths_with(t.gate, "unexpected_files");
  std::erase_if(paths, [&](const std::string& path) { return t.is_older(path); });
  return paths;
}

struct RefusalRow {
  std::string_view code;
  std::string (*message)(const Told&);
  Map (*evidence)(const Told&);
  Next (*next)(const Told&);
};

Map holder_evidence(const Told& t) {
  Map out{{"held_by", t.refusal.holder->id},
          {"agent_label", t.refusal.holder->agent_label},
          {"held", some_of(t.refusal.holder->scope.allowed_files)}};
  if (t.gate.intent != nullptr) out.set("declared", some_of(t.gate.intent->scope.allowed_files));
  return out;
}
std::string holder_message(const Told& t) {
  return fmt::format("{} is held by {} ({})", printable(t.refusal.path, 160),
                     printable(t.refusal.holder->agent_label, 60), t.refusal.holder->id);
}
/// One's own files alone, as a finish that names them looks at them.
Next own_files_next(const Told& t, const std::vector<std::string>& own) {
  return {.kind = "command",
          .command = fmt::format("{} check --files{}{}", kProduct, some_words(own, own.size()),
                                 t.gate.intent == nullptr ? "" : for_session(*t.gate.intent)),
          .tool = "check",
          .why = "Judge your own files alone: a finish that names them leaves the others out too.",
          .arguments = Map{{"files", string_list(own)}}};
}

/// Whoever declares it at once takes over what somebody else is writing.
Next maybe_theirs_next(const Told& t) {
  Next out = own_files_next(t, t.accepted());
  out.why =
      "Others work in this tree: judge your own files alone. Only what you changed yourself is "
      "yours to declare ('change extend').";
  return out;
}

Next not_yours_next(const Told& t) {
  if (const auto own = t.accepted(); !own.empty()) return own_files_next(t, own);
  return {.kind = "human",
          .why = "It was changed before this change began: leave it to whoever did."};
}

Next holder_next(const Told& t) {
  if (const auto own = t.accepted(); !own.empty()) return own_files_next(t, own);
  return {.kind = "command",
          .command = fmt::format("{} change list", kProduct),
          .tool = "manage_change_intent",
          .why = "Wait until the holder is done, or take the file out of the change.",
          .arguments = Map{{"action", "list_workspace"}}};
}

Next promote_next(const Told& t) {
  return {.kind = "command",
          .command = fmt::format("{} change promote {}{}", kProduct, t.intent_id(),
                                 for_session(*t.gate.intent)),
          .tool = "manage_change_intent",
          .why = t.gate.situation == control::ScopeSituation::unclean
                     ? "Have these files committed, stashed or reverted first; it says yes once "
                       "they are clean."
                     : "It becomes active as soon as nobody is in the way.",
          .arguments = Map{{"action", "promote"}, {"intent_id", t.intent_id()}}};
}

// clang-format off
// table: reasons of the scope gate
constexpr RefusalRow kRefusals[] = {
    {"no_active_intent",
     [](const Told&) { return std::string("the policy wants a declared intent, and this session has none"); },
     no_intent_evidence, no_intent_next},
    {"queued_intent_not_editable",
     [](const Told& t) { return fmt::format("{} is still queued: its files are not yours yet", t.intent_id()); },
     [](const Told& t) { return Map{{"intent_id", t.intent_id()}}; },
     promote_next},
    {"intent_not_active",
     [](const Told& t) { return fmt::format("{} may not edit yet: its files had uncommitted changes when it was promoted", t.intent_id()); },
     [](const Told& t) {
       return Map{{"intent_id", t.intent_id()}, {"dirty_paths_in_scope", *t.gate.intent->unknown.find(control::kDirtyAtPromotion)}};
     },
     promote_next},
    {"intent_expired",
     [](const Told& t) { return fmt::format("the time of {} is over", t.intent_id()); },
     [](const Told& t) { return Map{{"intent_id", t.intent_id()}, {"expires_at_utc", to_string(t.gate.intent->expires_at)}}; },
     [](const Told& t) { return start_next(t.declared.facts.changed, "Declare the change anew."); }},
    {"intent_ambiguous",
     [](const Told& t) {
       return fmt::format("this session holds {} intents: say which one this change belongs to", t.declared.facts.own.size());
     },
     [](const Told& t) {
       List ids;
       for (const Held& held : t.declared.facts.own) ids.emplace_back(held.intent->id);
       return Map{{"intents", std::move(ids)}};
     },
     [](const Told& t) {
       return Next{.kind = "command", .command = fmt::format("{} check --intent {}", kProduct, t.declared.facts.own.front().intent->id),
                   .why = "Name the intent; the newest one is shown here."};
     }},
    {"state_artifact_mutation",
     [](const Told& t) { return fmt::format("{} is protected: no change may carry it", printable(t.refusal.path, 160)); },
     [](const Told& t) { return Map{{"rule", "state_artifact"}, {"intent_id", t.intent_id()}}; },
     [](const Told&) {
       return Next{.kind = "human", .why = "Take baseline, cache and state files out of the change."};
     }},
    {"forbidden_touched",
     [](const Told& t) { return fmt::format("{} is forbidden by the declared scope", printable(t.refusal.path, 160)); },
     [](const Told& t) {
       return Map{{"forbidden", some_of(t.gate.intent->scope.forbidden)}, {"rule", "scope.forbidden"}, {"intent_id", t.intent_id()}};
     },
     [](const Told&) {
       return Next{.kind = "human", .why = "Take the file out of the change; a person decides whether it may be touched."};
     }},
    {"foreign_active_overlap", holder_message, holder_evidence, holder_next},
    {"foreign_stale_overlap", holder_message, holder_evidence, holder_next},
    {"unexpected_files",
     [](const Told& t) { return fmt::format("{} is outside the declared scope", printable(t.refusal.path, 160)); },
     [](const Told& t) {
       return Map{{"declared", some_of(t.gate.intent->scope.allowed_files)}, {"rule", "scope.exact"}, {"intent_id", t.intent_id()}};
     },
     [](const Told& t) {
       if (t.is_older(t.refusal.path)) return not_yours_next(t);
       if (t.is_shared() && !t.accepted().empty()) return maybe_theirs_next(t);
       return Next{.kind = "command",
                   .command = fmt::format("{} change extend{} --add{}{}", kProduct, t.operand(), some_words(to_declare(t), kMostReasons), for_session(*t.gate.intent)),
                   .tool = "manage_change_intent",
                   .why = t.accepted().empty() ? "Declare the file, or take it out of the change."
                                               : "Declare the file; if it is somebody else's, judge your own with --files.",
                   .arguments = wider_declaration(*t.gate.intent, to_declare(t))};
     }},
};
// clang-format on

Reason reason_of(const Told& told, const AddedLines& lines) {
  const RefusalRow& row = *std::ranges::find(kRefusals, told.refusal.code, &RefusalRow::code);
  Reason out{.id = std::string(rule_of(told.refusal.code)), .gate = "scope"};
  if (out.id == told.refusal.code) out.id = rule_of("registry_error");  // it could not decide
  out.message = row.message(told);
  out.path = told.refusal.path;
  out.evidence = row.evidence(told);
  out.evidence.set("code", told.refusal.code);
  out.next = row.next(told);
  if (const auto at = lines.find(told.refusal.path); at != lines.end()) {
    const report::SourceLine& added = at->second.back();
    out.line = out.end_line = added.number;
    out.column = 1;
    out.context = added.text;
  }
  return out;
}

Reason rest_of(std::string_view code, std::size_t count) {
  return {.id = std::string(rule_of(code)),
          .gate = "scope",
          .severity = Severity::note,
          .message = fmt::format("{} more paths are refused for the same reason", count),
          .evidence = Map{{"code", code}, {"count", static_cast<std::int64_t>(count)}},
          .context = std::string(code)};
}

}  // namespace

const Intent* DeclaredHere::only() const {
  const Intent* found = nullptr;
  for (const Held& held : facts.own) {
    if (!control::may_edit_now(*held.intent) || held.ownership == Ownership::expired) continue;
    if (found != nullptr) return nullptr;
    found = held.intent;
  }
  return found;
}

Result<DeclaredHere> read_declared(const Request& request, Context& context, PatchSession& session,
                                   const policy::ControlPolicy& policy,
                                   const std::vector<std::string>* changed) {
  DeclaredHere out;
  out.facts.intent_required = policy.require_intent;
  const std::string wanted = request.text("intent");
  GH_TRY(has_any, has_records(session.repo));
  if (session.repo.is_bare() || !has_any) {
    if (wanted.empty()) return out;
    return fail(Code::unknown_intent, "nothing was ever declared in this repository");
  }
  GH_TRY(control, open_change_session(request, context, LedgerUse::read));
  PathLook look{.sessions = {control.caller.who.session_id}};
  if (!wanted.empty()) look.ids.push_back(wanted);
  if (changed != nullptr) look.paths = *changed;
  GH_TRY(workspace, changed == nullptr ? read_workspace(control, context)
                                       : read_workspace_at(control, context, look));
  out.workspace = std::move(workspace);
  const std::vector<Held>& all = out.workspace.held;
  if (!wanted.empty()) {
    const Held* named = out.workspace.find(wanted);
    if (named == nullptr)
      return fail(Code::unknown_intent,
                  fmt::format("no open intent has the id {}", printable(wanted, 140)));
    out.facts.own = {*named};
  } else {
    std::vector<Held> own;
    std::ranges::copy_if(all, std::back_inserter(own), is_own);
    std::ranges::reverse(own);
    out.facts.own = of_tree(own, control.worktree, control.clone);  // others say nothing of this
  }
  for (const Held& held : rivals_in(all, control.worktree)) {
    const bool is_authors =
        wanted.empty() ? is_own(held) : has_same_owner(*held.intent, *out.facts.own.front().intent);
    if (!is_authors && !is_isolated(*held.intent)) out.facts.others.push_back(held);
  }
  // Asked about by name, an intent of this session is no stranger to those of others.
  for (Held& held : out.facts.others)
    if (is_own(held)) held.ownership = Ownership::foreign_active;
  if (const Intent* only = out.only(); only != nullptr && is_isolated(*only)) {
    out.folder = isolated_folder(control, only->id);
    out.base = text_in(only->unknown, "base_commit");
  }
  return out;
}

namespace {

std::vector<report::SourceLine> first_added(const diff::Section& section) {
  std::vector<report::SourceLine> out;
  for (const diff::Hunk& hunk : section.hunks) {
    std::int64_t number = hunk.new_start;
    bool is_found = false;
    diff::for_each_line(hunk, [&](char kind, std::string_view text, auto&&...) {
      if (is_found || kind == '-') return;
      is_found = kind == '+';
      if (!is_found) out.clear();
      out.push_back({number++, std::string(text.substr(0, kMaxShownLine)), kind});
    });
    if (is_found) return out;
    out.clear();
  }
  return out;
}

}  // namespace

AddedLines first_added_lines(std::string_view diff) {
  AddedLines out;
  const auto patch = diff::parse(diff, diff::Profile::git, diff::Position::exact);
  if (!patch) return out;
  for (const diff::Section& section : patch->sections)
    if (auto lines = first_added(section); !lines.empty())
      out.emplace(control::path_from_git(section.new_path), std::move(lines));
  return out;
}

GateAnswer scope_answer(const control::ScopeGate& gate, const DeclaredHere& declared,
                        const AddedLines& lines) {
  GateAnswer out{.part = {.gate = "scope",
                          .ran = gate.ran,
                          .decision = gate.ran ? decision_of(gate.status) : Decision::allow,
                          .status = std::string(gate.status),
                          .why = std::string(gate.why)}};
  std::map<std::string_view, std::size_t> seen;
  for (const ScopeRefusal& refusal : gate.refusals)
    if (++seen[refusal.code] <= kMostReasons)
      out.reasons.push_back(reason_of({gate, declared, refusal}, lines));
  for (const auto& [code, count] : seen)
    if (count > kMostReasons) out.reasons.push_back(rest_of(code, count - kMostReasons));
  return out;
}

GateAnswer undecided(std::string_view gate, const Error& error) {
  GateAnswer out{.part = {.gate = std::string(gate),
                          .ran = true,
                          .decision = Decision::unverified,
                          .status = "unverified"}};
  out.reasons.push_back(
      {.id = std::string(rule_of("registry_error")),
       .gate = std::string(gate),
       .message = printable(error.message, 240),
       .evidence = Map{{"code", to_string(error.code)}},
       .next = {.kind = "command",
                .command = fmt::format("{} explain {}", kProduct, to_string(error.code)),
                .why = std::string(help(error))},
       .context = std::string(to_string(error.code))});
  return out;
}

}  // namespace gh::ops
