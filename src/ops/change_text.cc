#include "ops/change_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "model/peek.h"
#include "ops/run_text.h"
#include "report/columns.h"
#include "report/verdict_document.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using report::Ink;
using report::Look;

struct DecisionRow {
  std::string_view status;
  Decision decision;
};
// table: change_decisions
constexpr std::array kDecisions{
    DecisionRow{"active", Decision::allow},
    DecisionRow{"accepted", Decision::allow},
    DecisionRow{"accepted_with_external_changes", Decision::allow},
    DecisionRow{"valid", Decision::allow},
    DecisionRow{"clean", Decision::allow},
    DecisionRow{"expanded", Decision::allow},
    DecisionRow{"blocked", Decision::deny},
    DecisionRow{"queued", Decision::deny},
    DecisionRow{"violated", Decision::deny},
    DecisionRow{"invalid", Decision::deny},
    DecisionRow{"recovery_rejected", Decision::deny},
    DecisionRow{"rejected", Decision::deny},
    DecisionRow{"needs_analysis", Decision::unverified},
    DecisionRow{"unverified", Decision::unverified},
    DecisionRow{"expired", Decision::unverified},
};

struct RuleRow {
  std::string_view code, rule;
};
// table: change_rules
constexpr std::array kRules{
    RuleRow{"no_active_intent", "GH-INTENT-001"},
    RuleRow{"queued_intent_not_editable", "GH-INTENT-002"},
    RuleRow{"intent_not_active", "GH-INTENT-002"},
    RuleRow{"foreign_active_overlap", "GH-INTENT-003"},
    RuleRow{"foreign_stale_overlap", "GH-INTENT-003"},
    RuleRow{"path_outside_scope", "GH-SCOPE-001"},
    RuleRow{"unexpected_files", "GH-SCOPE-001"},
    RuleRow{"forbidden_touched", "GH-SCOPE-002"},
    RuleRow{"state_artifact_mutation", "GH-PROTECT-001"},
    RuleRow{"registry_error", "GH-GATE-001"},
};

constexpr int kLabel = 13;

std::string line(std::string_view label, std::string_view text, const Look& look) {
  return report::paint(look, Ink::bold, report::padded(label, kLabel)) +
         report::folded(printable(text, 2'000), std::max(40, look.width - kLabel), kLabel) + "\n";
}

Ink ink_of(std::string_view status) {
  switch (decision_of(status)) {
    case Decision::allow:
      return Ink::good;
    case Decision::deny:
      return Ink::bad;
    default:
      return Ink::warning;
  }
}

std::string paths_line(std::string_view label, const List& paths, const Look& look) {
  if (paths.empty()) return "";
  std::vector<std::string> shown;
  constexpr std::size_t kShown = 8;
  for (const Value& path : paths)
    if (shown.size() < kShown) shown.push_back(cell_text(&path));
  std::string text = join(shown, ", ");
  if (paths.size() > kShown) text += fmt::format(" and {} more", paths.size() - kShown);
  return line(label, text, look);
}

std::string headline(const Peek& doc, std::string_view what, const Look& look) {
  const std::string status(doc["status"].text());
  const std::string reason(doc["reason"].text());
  return fmt::format("{} {}{}\n", report::paint(look, ink_of(status), status), printable(what, 200),
                     reason.empty() ? "" : " (" + printable(reason, 100) + ")");
}

std::string holders(const Peek& workspace, const Look& look) {
  std::string out;
  for (const Value& other : workspace["concurrent_intents"].list()) {
    const Peek o(other);
    std::vector<std::string> files;
    for (const char* key : {"hard_overlap", "soft_overlap"})
      for (const Value& path : o[key].list())
        files.push_back(cell_text(&path));
    out += line("Held by",
                fmt::format("{} ({}): {}", o["agent_label"].text(), o["ownership"].text(),
                            join(files, ", ")),
                look);
  }
  return out;
}

/// An item of blocked_by: who, and what of it is in the way.
std::string held_by(const Peek& holder) {
  std::vector<std::string> files;
  for (const Value& path : holder["overlapping_files"].list())
    files.push_back(cell_text(&path));
  return fmt::format("{} ({}): {}", holder["agent_label"].text(), holder["ownership"].text(),
                     join(files, ", "));
}

/// What a refusal is about.
List paths_of_reasons(const Peek& verdict) {
  List out;
  for (const Value& reason : verdict["reasons"].list())
    if (const std::string_view path = Peek(reason)["path"].text(); !path.empty())
      out.emplace_back(path);
  return out;
}

std::string warnings_text(const Peek& doc, const Look& look) {
  std::string out;
  for (const Value& warning : doc["warnings"].list())
    out += line("Warning", Peek(warning)["message"].text(), look);
  return out;
}

std::string next_text(const Peek& doc, const Look& look) {
  const std::string_view next = doc["next_step"].text();
  return next.empty() ? "" : line("Next", next, look);
}

}  // namespace

Decision decision_of(std::string_view status) {
  const auto* row = std::ranges::find(kDecisions, status, &DecisionRow::status);
  return row == kDecisions.end() ? Decision::unverified : row->decision;
}

std::string with_session(std::string text, const Request& request) {
  constexpr std::string_view kCommand = "gatehouse change ";
  if (!request.has("session")) return text;
  const std::string more = " --session " + shell_word(request.text("session"));
  for (std::size_t at = text.find(kCommand); at != text.npos; at = text.find(kCommand, at)) {
    const bool is_quoted = at > 0 && text[at - 1] == '\'';
    std::size_t end = is_quoted ? text.find('\'', at) : text.size() - (text.ends_with('.') ? 1 : 0);
    if (end == text.npos) end = text.size();
    text.insert(end, more);
    at = end + more.size();
  }
  return text;
}

std::string with_tree(std::string text, const ChangeSession& session, const Context& context) {
  constexpr std::string_view kCommand = "'gatehouse analyze";
  const std::string& root = session.repo.root();
  if (text.find(kCommand) == text.npos || context.cwd == root ||
      context.cwd.starts_with(root + "/"))
    return text;
  if (context.surface != "cli")  // tools are told in their own words
    return fmt::format("{} The work tree to analyse is {}.", text, utf8_or_escaped(root));
  const std::string there =
      fmt::format("'gatehouse -C {} analyze", shell_word(utf8_or_escaped(root)));
  for (std::size_t at = text.find(kCommand); at != text.npos;
       at = text.find(kCommand, at + there.size()))
    text.replace(at, kCommand.size(), there);
  return text;
}

void hint_session(Map& document, const Request& request) {
  const Value* next = document.find("next_step");
  if (next != nullptr && next->as_string() != nullptr)
    document.set("next_step", with_session(*next->as_string(), request));
}

std::string_view rule_of(std::string_view code) {
  const auto* row = std::ranges::find(kRules, code, &RuleRow::code);
  return row == kRules.end() ? code : row->rule;
}

Map change_verdict(const ChangeSession& session, Context& context, const ChangeVerdict& told) {
  Verdict verdict;
  verdict.gate = std::string(told.gate);
  verdict.headline = printable(told.message, 120);
  verdict.decision = decision_of(told.status);
  verdict.parts.push_back(
      {.gate = verdict.gate, .ran = true, .decision = verdict.decision, .status = told.status});
  verdict.reasons = told.reasons;
  for (const std::string& code : told.codes) {
    if (!told.reasons.empty()) break;
    Reason reason{.id = std::string(rule_of(code)),
                  .gate = verdict.gate,
                  .message = printable(told.message, 400),
                  .evidence = Map{{"code", code}},
                  .next = {.kind = "human", .why = printable(told.next_step, 400)},
                  .context = code};
    const bool has_paths = &code == &told.codes.front() && !told.paths.empty();
    if (!has_paths) {
      verdict.reasons.push_back(std::move(reason));
      continue;
    }
    for (const std::string& path : told.paths) {
      reason.path = path;
      verdict.reasons.push_back(reason);
    }
  }
  verdict.repo = session.repo_id;
  verdict.head = "worktree";
  verdict.policy_digest = digest_of(wire::canonical_json(to_value(session.policy()))).hex();
  verdict.started = to_string(context.env.now());
  verdict.intent_id = told.intent_id;
  return report::verdict_document(verdict);
}

std::string short_text(const Value& document, const Look& look) {
  const Peek doc(document);
  std::string out = headline(doc, doc["intent_id"].text(), look);
  if (const std::string_view message = doc["message"].text(); !message.empty())
    out += printable(message, 2'000) + "\n";
  return out + warnings_text(doc, look) + next_text(doc, look);
}

std::string promote_text(const Value& document, const Look& look) {
  const Peek doc(document);
  std::string out = headline(doc, doc["intent_id"].text(), look);
  out += line("Told", doc["message"].text(), look);
  for (const Value& holder : doc["blocked_by"].list())
    out += line("Held by", held_by(Peek(holder)), look);
  out += paths_line("Dirty", doc["workspace_hygiene"]["dirty_paths_in_scope"].list(), look);
  return out + warnings_text(doc, look) + next_text(doc, look);
}

std::string start_text(const Value& document, const Look& look) {
  const Peek doc(document);
  std::string out = headline(doc, doc["intent_id"].text(), look);
  out += line("Told", doc["message"].text(), look);
  out += holders(doc["workspace"], look);
  out += paths_line("Dirty", doc["workspace_hygiene"]["dirty_paths_in_scope"].list(), look);
  if (doc["queue_position"].exists())
    out += line("Position", fmt::format("{}", doc["queue_position"].number()), look);
  if (doc["blast_radius"].exists()) {
    const Peek blast = doc["blast_radius"];
    out +=
        line("Radius",
             fmt::format(
                 "{}: {} files import these, {} share code with them", blast["radius_level"].text(),
                 blast["direct_dependents"]["total"].exists()
                     ? blast["direct_dependents"]["total"].number()
                     : static_cast<std::int64_t>(blast["direct_dependents"].list().size()),
                 blast["clone_cohort_members"]["total"].exists()
                     ? blast["clone_cohort_members"]["total"].number()
                     : static_cast<std::int64_t>(blast["clone_cohort_members"].list().size())),
             look);
    out += line("Budget", doc["budget"]["message"].text(), look);
  }
  if (const std::string_view tree = doc["worktree"]["path"].text(); !tree.empty())
    out += line("Work in", tree, look);
  if (const std::string_view until = doc["lease_expires_at_utc"].text(); !until.empty())
    out += line("Lease", fmt::format("until {}; renew it while you work", until), look);
  out += warnings_text(doc, look);
  if (doc["next_step"].text() != doc["message"].text()) out += next_text(doc, look);
  return out;
}

std::string intent_text(const Value& document, const Look& look) {
  const Peek doc(document);
  std::string out = headline(doc, doc["intent_id"].text(), look);
  out += line("Goal", doc["intent"].text(), look);
  out += paths_line("May touch", doc["scope"]["allowed_files"].list(), look);
  out += paths_line("If it must", doc["scope"]["allowed_related"].list(), look);
  if (const std::string_view tree = doc["worktree_path"].text(); !tree.empty())
    out += line("Work in", tree, look);
  out += line("Run", doc["run_id"].text().substr(0, 8), look);
  out += line("Lease", fmt::format("until {}", doc["lease_expires_at_utc"].text()), look);
  out += line("Ends", doc["expires_at_utc"].text(), look);
  out += holders(doc, look);
  out += paths_line("Dirty", doc["dirty_paths_in_scope"].list(), look);
  return out + warnings_text(doc, look) + next_text(doc, look);
}

std::string workspace_text(const Value& document, const Look& look) {
  const Peek doc(document);
  const List& intents = doc["workspace_intents"].list();
  std::string out;
  if (intents.empty()) {
    out = "nobody holds anything\n";
  } else {
    std::vector<std::vector<std::string>> rows{
        {"INTENT", "WHO", "STATUS", "OWNERSHIP", "LEASE", "FILES", "GOAL"}};
    for (const Value& item : intents) {
      const Peek i(item);
      const List& files = i["scope"]["allowed_files"].list();
      std::string shown = files.empty() ? "" : cell_text(&files.front());
      if (files.size() > 1) shown += fmt::format(" +{}", files.size() - 1);
      rows.push_back({std::string(i["intent_id"].text()), std::string(i["agent_label"].text()),
                      std::string(i["status"].text()), std::string(i["ownership"].text()),
                      fmt::format("{}s", i["lease_expires_in_seconds"].number()), shown,
                      printable(i["intent"].text(), 60)});
    }
    out = table_text(rows, "<<<<><<", look);
  }
  const Peek dirt = doc["workspace_dirty_summary"];
  if (dirt["dirty_paths_count"].number() > 0)
    out += fmt::format(
        "{} uncommitted in the work tree\n",
        counted_text(static_cast<std::size_t>(dirt["dirty_paths_count"].number()), "file"));
  if (const std::string_view next = doc["recovery_next_step"].text(); !next.empty())
    out += line("Recover", next, look);
  return out;
}

std::string queue_text(const Value& document, const Look& look) {
  const List& queue = Peek(document)["queue"].list();
  if (queue.empty()) return "nobody waits\n";
  std::vector<std::vector<std::string>> rows{{"#", "INTENT", "WHO", "WAITS FOR", "HELD BY"}};
  for (const Value& item : queue) {
    const Peek q(item);
    std::vector<std::string> files, who;
    for (const Value& block : q["blocked_by"].list()) {
      for (const Value& file : Peek(block)["overlapping_files"].list())
        files.push_back(cell_text(&file));
      who.emplace_back(Peek(block)["agent_label"].text());
    }
    rows.push_back({fmt::to_string(q["queue_position"].number()),
                    std::string(q["intent_id"].text()), std::string(q["agent_label"].text()),
                    files.empty() ? "nothing: promote it" : join(files, ", "), join(who, ", ")});
  }
  return table_text(rows, "><<<<", look);
}

std::string scope_check_text(const Value& document, const Look& look) {
  const Peek doc(document);
  std::string out = headline(doc, doc["intent_id"].text(), look);
  out += printable(doc["message"].text(), 1'000) + "\n";
  out += paths_line("Unexpected", doc["unexpected_files"].list(), look);
  out += paths_line("Forbidden", doc["forbidden_touched"].list(), look);
  out += paths_line("Untouched", doc["untouched_in_declared"].list(), look);
  return out + warnings_text(doc, look) + next_text(doc, look);
}

namespace {

std::string cards(std::string_view label, const List& list, const Look& look) {
  std::string out;
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < std::min(kShown, list.size()); ++i) {
    const Peek card(list[i]);
    out += line(i == 0 ? label : "",
                fmt::format("{} {}", card["severity"].text(), card["id"].text()), look);
  }
  if (list.size() > kShown) out += line("", fmt::format("and {} more", list.size() - kShown), look);
  return out;
}

/// Runs that nobody may be judged by.
std::string other_settings(const List& runs, const Look& look) {
  std::vector<std::string> which;
  for (const Value& run : runs)
    which.emplace_back(Peek(run).text());
  if (which.empty()) return "";
  return line(
      "Settings",
      fmt::format("the run {} was made by others than the policy's", join(which, " and the one ")),
      look);
}

/// Changed code that nothing but a person looked at.
std::string not_analysed(const List& files, const Look& look) {
  std::vector<std::string> shown;
  for (const Value& file : files)
    shown.push_back(fmt::format("{} ({})", Peek(file)["path"].text(), Peek(file)["reason"].text()));
  return shown.empty() ? "" : line("Not analysed", join(shown, ", "), look);
}

/// Comments that silence a rule, and what earlier ones hide now.
std::string silenced(const Peek& verification, const Look& look) {
  std::string out;
  for (const Value& card : verification["suppressions_added"].list())
    out += line("Silenced",
                fmt::format("{} of {}", Peek(card)["rule"].text(), Peek(card)["qualname"].text()),
                look);
  return out + cards("Hidden", verification["suppressed_anew"].list(), look);
}

std::string worse(std::string_view label, const List& list, const Look& look) {
  std::string out;
  for (const Value& item : list) {
    const Peek w(item);
    out += line(label,
                fmt::format("{} of {} {} -> {}", w["family"].text(), w["symbol"].text(),
                            w["before"].number(), w["after"].number()),
                look);
    label = "";
  }
  return out;
}

}  // namespace

std::string verify_text(const Value& document, const Look& look) {
  const Peek doc(document);
  std::string out = headline(doc, doc["intent_id"].text(), look);
  if (const std::string_view message = doc["message"].text(); !message.empty())
    out += line("Told", message, look);
  out += line("Profile", doc["verification_profile"].text(), look);
  const Peek delta = doc["structural_delta"];
  if (delta.exists())
    out += line("Structure",
                delta["health_delta"].exists()
                    ? fmt::format("{}, health {:+}", delta["verdict"].text(),
                                  delta["health_delta"].number())
                    : std::string(delta["verdict"].text()),
                look);
  out += cards("Made worse", doc["intent_regressions"].list(), look);
  out += worse("More complex", doc["intent_worsened"].list(), look);
  out += cards("By others", doc["external_regressions"].list(), look);
  out += cards("Uncertain", doc["advisory_regressions"].list(), look);
  out += not_analysed(doc["not_analysed"].list(), look);
  out += silenced(doc, look);
  out += other_settings(doc["measured_otherwise"].list(), look);
  out += paths_line("Unexpected", doc["scope_check"]["unexpected_files"].list(), look);
  out += paths_line("Forbidden", doc["scope_check"]["forbidden_touched"].list(), look);
  out += paths_line("Broken", doc["contract_violations"].list(), look);
  return out + warnings_text(doc, look) + next_text(doc, look);
}

namespace {

std::string landing_lines(const Peek& landing, const Look& look) {
  std::string out;
  if (!landing.exists()) return out;
  for (const Value& holder : landing["blocked_by"].list())
    out += line("Held by", held_by(Peek(holder)), look);
  for (const Value& path : landing["not_named"].list())
    out += line("Not named", printable(Peek(path).text(), 120), look);
  if (landing["edited_meanwhile"].is_true())
    out += line("Refused", "the files were edited while the change was judged", look);
  for (const Value& item : landing["merged_result"]["reasons"].list()) {
    const Peek reason(item);
    out += line(
        "Refused",
        fmt::format("{}: {}{}", reason["id"].text(),
                    reason["path"].text().empty() ? "" : fmt::format("{}: ", reason["path"].text()),
                    reason["message"].text()),
        look);
  }
  for (const Value& violation : landing["result"]["details"]["violations"].list()) {
    const Peek v(violation);
    const std::string_view file = v["file"].text();
    out += line("Refused",
                fmt::format("{}: {}{}", v["rule"].text(),
                            file.empty() ? "" : fmt::format("{}: ", file), v["message"].text()),
                look);
  }
  if (landing["landed"].is_true()) out += line("Landed", "in the main work tree", look);
  if (const std::string_view tree = landing["worktree"].text(); !tree.empty())
    out += line("Left", fmt::format("{}: it has more than what landed", tree), look);
  if (const std::string_view commit = landing["commit"].text(); !commit.empty())
    out += line("Commit", commit, look);
  return out;
}

}  // namespace

std::string finish_text(const Value& document, const Look& look) {
  const Peek doc(document);
  std::string out = headline(doc, doc["intent_id"].text(), look);
  if (const std::string_view message = doc["message"].text(); !message.empty())
    out += line("Told", message, look);
  const Peek hygiene = doc["workspace_hygiene_after"];
  out += paths_line("Not named", hygiene["unacknowledged_dirty_in_scope"].list(), look);
  if (hygiene["finish_block_reason"].text() == "own_unscoped_dirty")
    out += paths_line("Not declared", paths_of_reasons(doc["verdict"]), look);
  for (const Value& overlap : hygiene["foreign_dirty_overlaps"].list()) {
    const Peek o(overlap);
    out += line("Held by",
                fmt::format("{} ({}): {}", o["foreign_agent_label"].text(),
                            o["foreign_ownership"].text(), o["path"].text()),
                look);
  }
  out += paths_line("Unexpected", doc["scope_check"]["unexpected_files"].list(), look);
  out += paths_line("Forbidden", doc["scope_check"]["forbidden_touched"].list(), look);
  const Peek verification = doc["verification"];
  out += cards("Made worse", verification["intent_regressions"].list(), look);
  out += cards("Uncertain", verification["advisory_regressions"].list(), look);
  out += not_analysed(verification["not_analysed"].list(), look);
  out += silenced(verification, look);
  out += other_settings(verification["measured_otherwise"].list(), look);
  out += worse("More complex", verification["intent_worsened"].list(), look);
  if (doc["external_changes"].exists())
    out += line("Others",
                fmt::format("{} uncommitted outside of your scope",
                            counted_text(
                                static_cast<std::size_t>(doc["external_changes"]["count"].number()),
                                "file")),
                look);
  out += paths_line("Not named", doc["committed_not_named"]["sample"].list(), look);
  out += paths_line("Committed", doc["committed_outside_scope"]["sample"].list(), look);
  out += paths_line("Ignored", doc["ignored_in_scope"]["sample"].list(), look);
  if (doc["health_regression_advisory"].exists())
    out += line("Note", doc["health_regression_advisory"]["message"].text(), look);
  for (const Value& violation : doc["claims"]["violations"].list())
    out += line("Claim", Peek(violation)["reason"].text(), look);
  out += landing_lines(doc["landing"], look);
  if (const std::string_view digest = doc["receipt"]["receipt_digest"]["value"].text();
      !digest.empty())
    out += line("Receipt", digest, look);
  out += warnings_text(doc, look);
  for (const Value& left : doc["omitted"].list())
    out += line("Left out",
                fmt::format("{}: {}", Peek(left)["member"].text(), Peek(left)["command"].text()),
                look);
  return out + next_text(doc, look);
}

namespace {

constexpr std::string_view kForbid = "forbid_";

/// A measure, what it may be, and what is left of that.
struct BudgetRow {
  std::string_view state, budget, headroom, words;  // {}: the number
};
// table: budgets as people read them
constexpr std::array<BudgetRow, 7> kBudgetRows{{
    {"health_score", "health_floor", "health_headroom", "at least {}"},
    {"complexity_max", "complexity_delta", "complexity_headroom", "at most {}"},
    {"coupling_max", "coupling_delta", "coupling_headroom", "at most {}"},
    {"cohesion_max", "cohesion_delta", "cohesion_headroom", "at most {}"},
    {"dependency_cycles", "forbid_dependency_cycle", "", "none"},
    {"clone_groups", "clone_regression", "", "{} new"},
    {"dead_code_high_confidence", "forbid_dead_code_regression", "", "none"},
}};

std::string budget_words(const BudgetRow& row, const Value* budget) {
  if (budget == nullptr || budget->is_null() || *budget == Value(false)) return "any";
  std::string out(row.words);
  if (const std::size_t at = out.find("{}"); at != out.npos) out.replace(at, 2, cell_text(budget));
  return out;
}

}  // namespace

std::string budget_text(const Value& document, const Look& look) {
  const Peek doc(document);
  std::string out = line("Strictness", doc["strictness"].text(), look);
  out += line("Told", doc["message"].text(), look);
  std::vector<std::vector<std::string>> rows{{"MEASURE", "NOW", "BUDGET", "LEFT"}};
  for (const BudgetRow& row : kBudgetRows) {
    const Value *now = doc["current_state"].map().find(row.state),
                *left = doc["headroom"].map().find(row.headroom);
    rows.push_back({std::string(row.state), cell_text(now),
                    budget_words(row, doc["budgets"].map().find(row.budget)),
                    left == nullptr || left->is_null() ? "" : cell_text(left)});
  }
  out += table_text(rows, "<><>", look);
  std::vector<std::string> forbidden;
  for (const auto& [key, value] : doc["budgets"].map().entries())
    if (key.starts_with(kForbid) && value == Value(true))
      forbidden.push_back(key.substr(kForbid.size()));
  if (!forbidden.empty()) out += line("Forbidden", join(forbidden, ", "), look);
  for (const Value& reason : doc["gate_preview"]["reasons"].list())
    out += line("Fails", cell_text(&reason), look);
  return out;
}

std::string claims_text(const Value& document, const Look& look) {
  const Peek doc(document);
  const bool valid = doc["valid"].is_true();
  std::string out = report::paint(look, valid ? Ink::good : Ink::bad, valid ? "valid" : "invalid");
  out += fmt::format(", {} cited\n", doc["citations_found"].number());
  for (const Value& violation : doc["violations"].list()) {
    const Peek v(violation);
    const std::string_view pattern = v["pattern"].text(), reason = v["reason"].text();
    out += pattern.size() < kLabel ? line(pattern, reason, look)
                                   : line("Claim", fmt::format("{}: {}", pattern, reason), look);
    out += line("", v["claim"].text(), look);
  }
  for (const Value& warning : doc["warnings"].list())
    out += line("Warning", Peek(warning)["message"].text(), look);
  return out;
}

}  // namespace gh::ops
