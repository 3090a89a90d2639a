#include "hooks/message.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/shell_word.h"
#include "base/text.h"
#include "wire/json.h"

namespace gh::hooks {
namespace {

constexpr std::size_t kShownPath = 120, kShownWords = 80, kShownFault = 160, kShownPaths = 4;
constexpr std::string_view kGoal = "what and why";
// Where nothing was analysed yet, that is done on the way: the line works as it stands.
constexpr std::string_view kStart = "change start --analyze --goal";

std::string shown(std::string_view path) { return printable(path, kShownPath); }

/// The first few, then how many more there are.
std::string listed(const std::vector<std::string>& paths) {
  std::string out;
  for (std::size_t i = 0; i < std::min(paths.size(), kShownPaths); ++i)
    out += (i == 0 ? "" : ", ") + printable(paths[i], 40);
  if (paths.size() > kShownPaths) out += fmt::format(" and {} more", paths.size() - kShownPaths);
  return out;
}

std::string pasted(std::string_view word) {
  return printable(word, word.size()) == word ? shell_word(word) : "FILE";  // one line shows it all
}

std::string pasted_path(std::string_view path) {
  return printable(path, path.size()) == path ? path_word(path) : "FILE";
}

std::string for_session(std::string_view session) {
  return session.empty() ? std::string() : " --session " + pasted(session);
}

/// A program that works in the folder that it has, or in the one that is named.
std::string in_folder(std::string_view program, std::string_view folder) {
  return folder.empty() ? std::string(program) : fmt::format("{} -C {}", program, pasted(folder));
}
std::string gatehouse(std::string_view folder) { return in_folder("gatehouse", folder); }

std::string call(std::string_view tool, Map arguments, std::string_view folder = {}) {
  if (!folder.empty()) arguments.set("root", folder);
  return fmt::format("{} {}", tool, wire::canonical_json(std::move(arguments)));
}

/// What to do next, the fullest form first; the first that leaves the message short enough is told.
using Forms = std::vector<std::string>;

Forms tool_or_command(const std::string& tool, const std::string& command,
                      std::string_view shortest, std::string_view session) {
  return {fmt::format("{}, or: {}", tool, command), command, tool,
          std::string(shortest) + for_session(session), std::string(shortest)};
}

/// Who declared over MCP has an intent that only calls of that server find, no command.
bool is_of_server(const Intent* own) {
  return own != nullptr && own->owner && own->owner->kind == OwnerKind::process;
}
Forms tool_alone(const std::string& tool, std::string_view shortest) {
  return {tool, std::string(shortest)};
}

Map scope_of(std::vector<std::string> files) { return Map{{"allowed_files", string_list(files)}}; }

Forms start_forms(const Told& t, bool queue) {
  Map arguments{
      {"analyze", true}, {"intent", kGoal}, {"root", t.root}, {"scope", scope_of({t.path})}};
  if (queue) arguments.set("on_conflict", "queue");
  return tool_or_command(
      call("start_controlled_change", std::move(arguments)),
      fmt::format("{} {} '{}' --allow {}{}{}", gatehouse(t.folder), kStart, kGoal,
                  pasted_path(t.path), queue ? " --on-conflict queue" : "", for_session(t.session)),
      fmt::format("gatehouse {} TEXT --allow FILE", kStart), t.session);
}

Forms about_intent(const Told& t, std::string_view action) {
  const std::string id = t.own == nullptr ? "ID" : t.own->id;
  const std::string tool =
      call("manage_change_intent", Map{{"action", action}, {"intent_id", id}}, t.folder);
  if (is_of_server(t.own))
    return tool_alone(tool, fmt::format("manage_change_intent with action {}", action));
  return tool_or_command(
      tool,
      fmt::format("{} change {} {}{}", gatehouse(t.folder), action, id, for_session(t.session)),
      fmt::format("gatehouse change {} ID", action), t.session);
}

constexpr std::string_view kDeclare = "manage_change_intent with action declare";

std::string wider_call(const Intent& own, const std::vector<std::string>& more,
                       std::string_view folder) {
  std::vector<std::string> files = own.scope.allowed_files;
  files.insert(files.end(), more.begin(), more.end());
  std::ranges::sort(files);
  return call("manage_change_intent",
              Map{{"action", "declare"},
                  {"intent", own.description},
                  {"run_id", own.run_id.substr(0, 8)},
                  {"scope", scope_of(std::move(files))}},
              folder);
}

std::string declare_call(const Told& t) {
  return t.own == nullptr ? std::string(kDeclare) : wider_call(*t.own, {t.path}, t.folder);
}

Forms widen_forms(const Told& t) {
  if (is_of_server(t.own)) return tool_alone(declare_call(t), kDeclare);
  return tool_or_command(declare_call(t),
                         fmt::format("{} change extend --add {}{}", gatehouse(t.folder),
                                     pasted_path(t.path), for_session(t.session)),
                         "gatehouse change extend --add FILE", t.session);
}

// --- one pair for each rule: the fact, and what to do next ---

std::string no_intent_fact(const Told& t) {
  if (t.lapsed)
    return fmt::format("{} may not be written: the lease of {} ran out.", shown(t.path), t.own->id);
  return fmt::format("{} may not be written: this session has declared no change.", shown(t.path));
}
Forms no_intent_next(const Told& t) {
  return t.lapsed ? about_intent(t, "renew") : start_forms(t, false);
}

std::string queued_fact(const Told& t) {
  return fmt::format("{} may not be written yet: {} still waits in the queue.", shown(t.path),
                     t.own == nullptr ? "the intent" : t.own->id);
}
Forms queued_next(const Told& t) { return about_intent(t, "promote"); }

std::string held_fact(const Told& t) {
  if (t.holder == nullptr) return fmt::format("{} is held by another agent.", shown(t.path));
  return fmt::format("{} is held by {} for {} ({}: {}).", shown(t.path),
                     printable(t.holder->agent_label, 40), t.holder_age, t.holder->id,
                     printable(t.holder->description, 60));
}
Forms held_next(const Told& t) { return start_forms(t, true); }

std::string outside_fact(const Told& t) {
  if (t.path.empty()) return "The tool does not say which file it writes.";
  return fmt::format("{} is outside of the declared scope.", shown(t.path));
}

std::string forbidden_fact(const Told& t) {
  return fmt::format("{} is forbidden by the declared scope.", shown(t.path));
}
Forms forbidden_next(const Told& t) {
  const std::string_view leave = "leave it alone";
  return {fmt::format("{}, or declare the change anew without that pattern: {}", leave,
                      declare_call(t)),
          fmt::format("{}, or declare the change anew without that pattern", leave)};
}

std::string protected_fact(const Told& t) {
  return fmt::format("{} is protected: it steers git, the gate or the agents.", shown(t.path));
}
Forms protected_next(const Told&) {
  return {"leave it alone and tell the user what you wanted; no intent can open it"};
}

std::string bypass_fact(const Told& t) {
  if (!t.tampered.empty())
    return fmt::format("git commits, merges and pushes nothing while {} is not as it was.",
                       listed(t.tampered));
  return fmt::format("The command goes around the gate: {}.", printable(t.words, kShownWords));
}
Forms bypass_next(const Told& t) {
  if (!t.tampered.empty())
    return {
        "tell the user, who puts it back as it was, or keeps it as it is by 'gatehouse hook "
        "install'"};
  if (t.words.ends_with("is for people")) return {"ask a person to run it"};
  return {"run it without that, and mend what the gate objects to"};
}

std::string gate_fact(const Told& t) {
  if (!t.fault.empty())
    return fmt::format("The gate cannot decide: {}.", printable(t.fault, kShownFault));
  return fmt::format("Nobody can tell what this command writes: {}.",
                     printable(t.words, kShownWords));
}
Forms gate_next(const Told& t) {
  if (!t.fault.empty()) return {"gatehouse doctor; until it is mended nothing may be written"};
  return {"use the edit tools, or commands that name the files they write"};
}

struct RuleText {
  std::string_view rule;
  std::string (*fact)(const Told&);
  Forms (*next)(const Told&);
};
// table: hook_messages
constexpr std::array kTexts{
    RuleText{"GH-INTENT-001", no_intent_fact, no_intent_next},
    RuleText{"GH-INTENT-002", queued_fact, queued_next},
    RuleText{"GH-INTENT-003", held_fact, held_next},
    RuleText{"GH-SCOPE-001", outside_fact, widen_forms},
    RuleText{"GH-SCOPE-002", forbidden_fact, forbidden_next},
    RuleText{"GH-PROTECT-001", protected_fact, protected_next},
    RuleText{"GH-BYPASS-001", bypass_fact, bypass_next},
    RuleText{"GH-GATE-001", gate_fact, gate_next},
};

std::string explained(std::string_view rule) { return fmt::format("explain {}", rule); }

std::string three_lines(std::string_view fact, const Forms& next, std::string_view read,
                        std::string_view mirror) {
  std::string more = fmt::format("More: gatehouse {}", read);
  if (!mirror.empty()) more += fmt::format(" (registry as it was {} ago)", mirror);
  const auto joined = [&](std::string_view said, std::string_view form) {
    return fmt::format("Gatehouse: {}\nNext: {}\n{}", said, form, more);
  };
  for (const std::string& form : next)
    if (std::string out = joined(fact, form); out.size() <= kMaxMessage) return out;
  // Characters of many bytes: as many of them as fit in any case.
  constexpr std::size_t kWidest = 4;
  const std::size_t rest = joined("", next.back()).size();
  return joined(printable(fact, (kMaxMessage - rest) / kWidest - 1), next.back());
}

std::string words_of(const std::vector<std::string>& paths, std::string_view below = {}) {
  std::string out;
  for (const std::string& path : paths)
    out += " " + pasted_path(below.empty() ? path : fmt::format("{}/{}", below, path));
  return out;
}

/// The commands that make the work tree as HEAD has it.
std::string way_back(const Strays& strays) {
  std::vector<std::string> known;
  std::ranges::copy_if(strays.outside, std::back_inserter(known), [&](const std::string& path) {
    return std::ranges::find(strays.fresh, path) == strays.fresh.end() &&
           std::ranges::find(strays.in_git, path) == strays.in_git.end();
  });
  std::string out;
  if (!known.empty())
    out = fmt::format("{} restore --source HEAD --staged --worktree --{}",
                      in_folder("git", strays.folder), words_of(known));
  if (!strays.fresh.empty())
    out +=
        fmt::format("{}rm --{}", out.empty() ? "" : " && ", words_of(strays.fresh, strays.folder));
  return out;
}

/// How an agent comes to own what it changed already: only then may it keep it or take it back.
std::string claim_of(const Strays& strays, std::string_view files) {
  if (strays.rule == "GH-SCOPE-001")
    return fmt::format("{} change extend --add{}{}", gatehouse(strays.folder), files,
                       for_session(strays.session));
  if (strays.rule == "GH-INTENT-001")
    return fmt::format("{} {} '{}' --continue-own-wip --allow{}{}", gatehouse(strays.folder),
                       kStart, kGoal, files, for_session(strays.session));
  return {};
}

/// The same for who declared over MCP.
Forms claims_of_server(const Strays& strays) {
  if (strays.rule == "GH-SCOPE-001")
    return tool_alone(wider_call(*strays.own, strays.outside, strays.folder), kDeclare);
  if (strays.rule == "GH-INTENT-001")
    return tool_alone(call("manage_change_intent",
                           Map{{"action", "renew"}, {"intent_id", strays.own->id}}, strays.folder),
                      "manage_change_intent with action renew");
  return {};
}

Forms stray_forms(const Strays& strays) {
  if (is_of_server(strays.own)) {
    Forms out = claims_of_server(strays);
    const std::string back = way_back(strays);
    if (!out.empty() && !back.empty())
      out.insert(out.begin(), fmt::format("{} (then keep it, or: {})", out.front(), back));
    if (!out.empty()) return out;
  }
  const std::string files = words_of(strays.outside), back = way_back(strays);
  if (claim_of(strays, files).empty()) {
    const std::string user =
        fmt::format("tell the user, who may take it back{}",
                    strays.stops_git ? " (until then git commits, merges and pushes nothing)" : "");
    return back.empty() ? Forms{user} : Forms{fmt::format("{}: {}", user, back), user};
  }
  return {fmt::format("{} (then keep it, or: {})", claim_of(strays, files), back),
          fmt::format("{} (then keep it, or take it back)", claim_of(strays, files)),
          fmt::format("{} (then keep it, or take it back)", claim_of(strays, " FILE")),
          "declare it, and then keep it or take it back"};
}

}  // namespace

std::string refusal_message(const Told& told) {
  const auto text = std::ranges::find(kTexts, told.rule, &RuleText::rule);
  const RuleText& row = text == kTexts.end() ? kTexts.back() : *text;
  return three_lines(row.fact(told), row.next(told), explained(row.rule), told.mirror);
}

std::string stray_message(const Strays& strays) {
  std::string fact;
  if (!strays.outside.empty())
    fact = fmt::format("the call changed what it may not: {}.", listed(strays.outside));
  if (!strays.external.empty())
    fact += fmt::format("{}Changed by somebody else meanwhile: {}.", fact.empty() ? "" : " ",
                        listed(strays.external));
  if (!strays.limits.empty()) fact += fmt::format("{}{}", fact.empty() ? "" : " ", strays.limits);
  if (strays.outside.empty())
    return three_lines(fact, {"nothing; leave it as it is"}, "help hook claude", strays.mirror);
  return three_lines(fact, stray_forms(strays), explained(strays.rule), strays.mirror);
}

std::string unfinished_message(const Intent& intent, const std::vector<std::string>& changed,
                               std::string_view session, std::string_view folder) {
  const std::string files =
      changed.size() == 1 ? "one file" : fmt::format("{} files", changed.size());
  const std::string tool = call(
      "finish_controlled_change",
      Map{{"analyze", true}, {"changed_files", string_list(changed)}, {"intent_id", intent.id}},
      folder);
  const std::string fact = fmt::format("{} is still open, with {} changed.", intent.id, files);
  if (is_of_server(&intent))
    return three_lines(fact, tool_alone(tool, "finish_controlled_change with diff_ref HEAD"),
                       "help change finish", "");
  return three_lines(
      fact,
      tool_or_command(tool,
                      fmt::format("{} change finish {} --files{} --analyze{}", gatehouse(folder),
                                  intent.id, words_of(changed), for_session(session)),
                      "gatehouse change finish --diff HEAD --analyze", session),
      "help change finish", "");
}

}  // namespace gh::hooks
