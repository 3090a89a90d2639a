// `status`: what may be done here now, and what comes next.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/shell_word.h"
#include "base/sorted.h"
#include "base/text.h"
#include "control/hygiene.h"
#include "control/intent_record.h"
#include "control/start_decision.h"
#include "model/peek.h"
#include "ops/agent_ops.h"
#include "ops/change_registry.h"
#include "ops/change_runs.h"
#include "ops/change_text.h"
#include "ops/run_text.h"
#include "policy/glob.h"
#include "policy/patch_policy.h"

namespace gh::ops {
namespace {

/// The situation that decides what comes next; the first row that applies.
struct Situation {
  bool has_run = false, is_queued = false, may_edit = false, holds = false, is_unclean = false;
};
constexpr std::string_view kFinish = "gatehouse change finish";  // with what it is about
constexpr std::size_t kNamedFiles = 50;
struct NextRow {
  bool (*applies)(const Situation&);
  std::string_view tool, command, says;
};
// table: next_steps
constexpr std::array<NextRow, 6> kNext{{
    {[](const Situation& s) { return s.may_edit; }, "finish_controlled_change", kFinish,
     "edit inside the scope, then hand the change in"},
    {[](const Situation& s) { return s.is_queued; }, "manage_change_intent",
     "gatehouse change promote ID", "ask whether it is your turn"},
    {[](const Situation& s) { return s.is_unclean; }, "manage_change_intent",
     "gatehouse change promote ID",
     "the files have uncommitted changes of somebody else: have them made clean, then ask again"},
    {[](const Situation& s) { return s.holds; }, "manage_change_intent",
     "gatehouse change renew ID", "the lease ran out: renew it before you go on"},
    {[](const Situation& s) { return !s.has_run; }, "analyze_repository", "gatehouse analyze",
     "nothing was analysed yet: do that before a change starts"},
    {[](const Situation&) { return true; }, "start_controlled_change",
     "gatehouse change start --goal TEXT --allow FILE",
     "declare what you are going to change before you write"},
}};

/// What a finish is to look at. In a tree of its own all that is there is the change; elsewhere the
/// declared files are, with what else of the scope is dirty: whatever differs from HEAD may be
/// somebody else's, and one's own may be committed.
struct Evidence {
  std::string words{};
  Map arguments{};
};
Evidence evidence_for(const Intent& intent, const DirtySnapshot* dirt) {
  const std::string base = base_commit_of(intent);
  std::vector<std::string> files = intent.scope.allowed_files;
  for (const auto& dirty : dirt == nullptr ? decltype(dirt->entries){} : dirt->entries)
    if (std::ranges::any_of(intent.scope.allowed_related, [&](const std::string& related) {
          return policy::matches_prefix(dirty.first, related);
        }))
      files.push_back(dirty.first);
  sort_unique(files);
  Evidence out{.arguments = Map{{"analyze", true}, {"intent_id", intent.id}}};
  if (!base.empty() && (is_isolated(intent) || files.size() > kNamedFiles)) {
    out.words = " --diff " + base;
    out.arguments.set("diff_ref", base);
    return out;
  }
  out.words = " --files";
  for (const std::string& file : files)
    out.words += " " + path_word(file);
  out.arguments.set("changed_files", string_list(files));
  return out;
}

/// With the intent that it speaks of.
std::string command_of(const NextRow& row, const std::string& intent_id, const Evidence& evidence,
                       bool is_only) {
  if (row.command == kFinish)
    return fmt::format("{}{}{} --analyze", kFinish, is_only ? "" : " " + intent_id, evidence.words);
  if (!row.command.ends_with(" ID")) return std::string(row.command);
  return std::string(row.command.substr(0, row.command.size() - 2)) + intent_id;
}

/// The same for a tool; null where only the caller knows.
Value arguments_of(const NextRow& row, const std::string& intent_id, Evidence evidence) {
  if (row.command == kFinish) return std::move(evidence.arguments);
  constexpr std::string_view kAbout = "gatehouse change ";
  if (!row.command.starts_with(kAbout) || !row.command.ends_with(" ID")) return {};
  const std::string_view action =
      row.command.substr(kAbout.size(), row.command.size() - kAbout.size() - 3);
  return Map{{"action", action}, {"intent_id", intent_id}};
}

Map own_card(const ChangeSession& session, const control::Held& held, Timestamp now) {
  const Intent& intent = *held.intent;
  Map out{{"intent_id", intent.id},
          {"status", to_string(intent.status)},
          {"intent", printable(intent.description, 200)},
          {"run_id", intent.run_id},
          {"allowed_files", string_list(intent.scope.allowed_files)},
          {"lease_expires_in_seconds", control::lease_left(intent, now)},
          {"expires_at_utc", to_string(intent.expires_at)}};
  if (is_isolated(intent))
    out.set("worktree_path", utf8_or_escaped(isolated_folder(session, intent.id)));
  return out;
}

Map foreign_card(const control::Held& held) {
  return Map{{"intent_id", held.intent->id},
             {"agent_label", held.intent->agent_label},
             {"status", to_string(held.intent->status)},
             {"ownership", to_string(held.ownership)},
             {"allowed_files", string_list(held.intent->scope.allowed_files)}};
}

Value run_card(const std::optional<store::AnalysisRunRow>& run) {
  if (!run) return {};
  return Map{{"run_id", run->run_id},
             {"source", run->source},
             {"report_digest", run->report_digest},
             {"seen_utc", run->seen_utc}};
}

std::string paths_of(const Peek& card) {
  std::vector<std::string> out;
  for (const Value& path : card["allowed_files"].list())
    if (path.as_string() != nullptr) out.push_back(*path.as_string());
  return printable(join(out, " "), 120);
}

std::string status_text(const Value& document, const report::Look& look) {
  const Peek doc(document);
  std::string out = report::paint(look, report::Ink::bold, doc["message"].text()) + "\n";
  for (const Value& item : doc["own_intents"].list()) {
    out += fmt::format("  yours    {} {}  {}\n", Peek(item)["intent_id"].text(),
                       Peek(item)["status"].text(), paths_of(Peek(item)));
    if (const std::string_view tree = Peek(item)["worktree_path"].text(); !tree.empty())
      out += fmt::format("  work in  {}\n", tree);
  }
  for (const Value& item : doc["other_intents"].list())
    out += fmt::format("  {:<8} {} {}  {}\n", printable(Peek(item)["agent_label"].text(), 30),
                       Peek(item)["intent_id"].text(), Peek(item)["status"].text(),
                       paths_of(Peek(item)));
  const std::string_view run = doc["latest_run"]["run_id"].text();
  out += fmt::format("  latest run  {}\n", run.empty() ? "none" : run.substr(0, 8));
  out += fmt::format("  dirty paths {}\n", doc["dirty"]["dirty_paths_count"].number());
  return out +
         fmt::format("next: {} ({})\n", doc["next"]["command"].text(), doc["next_step"].text());
}

}  // namespace

Result<Reply> status(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context, LedgerUse::read));
  GH_TRY(workspace, read_workspace(session, context));
  std::optional<store::AnalysisRunRow> run;
  if (session.ledger != nullptr) {
    GH_TRY(found, run_row(session, "latest"));
    run = std::move(found);
  }
  Situation now{.has_run = run.has_value()};
  List own, others;
  std::string next_id;
  const Intent* editing = nullptr;
  for (const control::Held& held : workspace.held) {
    if (!control::is_own(held.ownership)) {
      others.emplace_back(foreign_card(held));
      continue;
    }
    const bool is_queued = held.intent->status == IntentStatus::queued;
    now.holds = true;
    now.is_queued = now.is_queued || is_queued;
    next_id = held.intent->id;
    now.is_unclean = now.is_unclean || control::waits_for_clean_files(*held.intent);
    if (held.ownership == control::Ownership::own_active && control::may_edit_now(*held.intent)) {
      now.may_edit = true;
      editing = held.intent;
    }
    own.emplace_back(own_card(session, held, workspace.now));
  }
  const NextRow& next =
      *std::ranges::find_if(kNext, [&](const NextRow& row) { return row.applies(now); });
  const auto dirt = look_at_tree(session, context);
  Evidence evidence;
  if (editing != nullptr) {
    next_id = editing->id;
    evidence = evidence_for(*editing, dirt ? &*dirt : nullptr);
  }
  const bool is_only = own.size() == 1;
  std::string command = with_session(command_of(next, next_id, evidence, is_only), request);
  Map document{
      {"status", now.may_edit ? "may_edit" : "may_not_edit"},
      {"edit_allowed", now.may_edit},
      {"repo", Map{{"root", session.root},
                   {"id", session.repo_id},
                   {"head", head_commit(session)},
                   {"worktree", session.worktree}}},
      {"policy", Map{{"source", session.config.source},
                     {"digest", policy::policy_digest(session.config.patch).tagged()}}},
      {"session", Map{{"id", session.caller.who.session_id}, {"label", session.caller.label}}},
      {"latest_run", run_card(run)},
      {"own_intents", std::move(own)},
      {"other_intents", std::move(others)},
      {"dirty", dirt ? Value(control::workspace_dirty_summary(*dirt)) : Value()},
      {"message", now.may_edit ? "You may edit the files that you declared."
                               : "You may not edit anything yet."},
      {"next_step", next.says},
      {"next", Map{{"kind", "tool"},
                   {"tool", next.tool},
                   {"command", std::move(command)},
                   {"arguments", arguments_of(next, next_id, std::move(evidence))},
                   {"why", next.says}}}};
  Reply reply;
  reply.document = framed("gatehouse.status/1", std::move(document));
  reply.text = [copy = reply.document](const report::Look& look) {
    return status_text(copy, look);
  };
  return reply;
}

}  // namespace gh::ops
