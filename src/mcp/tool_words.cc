#include "mcp/tool_words.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/peek.h"

namespace gh::mcp {
namespace {

struct Phrase {
  std::string_view command, tool;
};
// clang-format off
// table: tool_phrases
constexpr std::array kPhrases{
    Phrase{"Start again with --analyze, or run 'gatehouse analyze' first",                   "Call analyze_repository, then start again"},
    Phrase{"finish with --analyze, or run 'gatehouse analyze' and give --after-run latest",  "call analyze_repository, and finish with its run_id as after_run_id"},
    Phrase{"finish with --analyze, or run 'gatehouse analyze' and give the new run",         "call analyze_repository, and finish with its run_id as after_run_id"},
    Phrase{"finish with --analyze, which does",                                                      "call analyze_repository with git_diff_ref \"HEAD\" and no settings of your own, and finish with its run_id as after_run_id"},
    Phrase{"run 'gatehouse analyze --rev HEAD --diff-against HEAD', which measures as the committed gatehouse.yaml says, and start again", "have the files made clean, call analyze_repository with git_diff_ref \"HEAD\" and start again"},
    Phrase{"run 'gatehouse analyze --diff-against HEAD' first",                                      "call analyze_repository with git_diff_ref \"HEAD\" first"},
    Phrase{"run 'gatehouse analyze' once they are clean, then promote with --run latest",            "call analyze_repository once they are clean, then promote with its run_id"},
    Phrase{"is promoted with --run latest after an analysis",                                        "is promoted with the run_id of an analysis"},
    Phrase{"Run 'gatehouse analyze', then promote with --run latest",                        "Call analyze_repository, then promote with its run_id"},
    Phrase{"run 'gatehouse analyze --rev HEAD' and start again",                             "call analyze_repository with rev \"HEAD\" and start again"},
    Phrase{"Run 'gatehouse analyze', or 'gatehouse runs list' for the runs that are kept",   "Call analyze_repository, or leave the run out: then it is the latest one"},
    Phrase{"Run 'gatehouse analyze'",                                                        "Call analyze_repository"},
    Phrase{"run 'gatehouse analyze'",                                                        "call analyze_repository"},
    Phrase{"'gatehouse change extend --add FILE' widens a scope",                            "manage_change_intent with action declare on the same run widens a scope"},
    Phrase{"--files and --diff",                                                             "changed_files and diff_ref"},
    Phrase{"--files FILE..., or --diff REF",                                                 "changed_files, or diff_ref"},
    Phrase{"a change needs a goal: --goal TEXT",                                             "a change needs an intent: say in a sentence what it is for"},
    Phrase{"gatehouse change start --analyze --goal TEXT --allow FILE",                      "start_controlled_change with analyze true, intent and scope.allowed_files"},
    Phrase{"Declare it as well: gatehouse change extend --add FILE",                                 "Declare it as well: manage_change_intent with action declare on the same run and the wider scope"},
    Phrase{"; if that is you, name the session with --session",                              ""},
    Phrase{"--files or --diff",                                                              "changed_files or diff_ref"},
    Phrase{"--on-conflict queue",                                                            "on_conflict \"queue\""},
    Phrase{"--continue-own-wip",                                                             "dirty_scope_policy \"continue_own_wip\""},
    Phrase{"with a longer --ttl",                                                            "with larger ttl_seconds"},
    Phrase{"Run the command with --help; it shows what is required",                         "The input schema of the tool says what is required"},
    Phrase{"Run the command with --help; it shows the accepted form and examples",           "The input schema of the tool says what it takes"},
    Phrase{"a commit or --run",                                                              "a commit or run_id"},
    Phrase{"Run 'gatehouse findings'",                                                       "Call findings"},
    Phrase{"leave --format out",                                                             "leave format out"},
    Phrase{"name a receipt, or --run, or --intent",                                          "name receipt_digest or commit, or run_id, or intent_id"},
    Phrase{"name a receipt, or --file FILE",                                                 "name receipt_digest or commit"},
};

struct Verb {
  std::string_view command, tool;
};
// table: tool_verbs
constexpr std::array kVerbs{
    Verb{"abandon", "manage_change_intent with action clear"},
    Verb{"extend",  "manage_change_intent with action declare"},
    Verb{"finish",  "finish_controlled_change"},
    Verb{"list",    "manage_change_intent with action list_workspace"},
    Verb{"promote", "manage_change_intent with action promote"},
    Verb{"recover", "manage_change_intent with action recover"},
    Verb{"renew",   "manage_change_intent with action renew"},
    Verb{"reset",   "manage_change_intent with action reset_workspace"},
    Verb{"start",   "start_controlled_change"},
    Verb{"status",  "manage_change_intent with action get"},
};
// clang-format on

constexpr std::string_view kCommand = "gatehouse change ";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string_view word_at(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of(" '.,;"), text.size()));
}

/// 'gatehouse change VERB ID', in quotation marks or not, from `at` on. Options of it are left out:
/// the action has what they say.
std::size_t rewrite_command(std::string& text, std::size_t at) {
  const std::string_view rest = std::string_view(text).substr(at + kCommand.size());
  const std::string_view verb = word_at(rest);
  const auto* row = std::ranges::find(kVerbs, verb, &Verb::command);
  if (row == kVerbs.end()) return at + kCommand.size();
  const bool is_quoted = at > 0 && text[at - 1] == '\'';
  std::size_t end = at + kCommand.size() + verb.size();
  std::string_view id;
  if (rest.substr(verb.size()).starts_with(' ') && !rest.substr(verb.size()).starts_with(" --")) {
    id = word_at(rest.substr(verb.size() + 1));
    if (!id.starts_with("intent-") && id != "ID") id = {};
  }
  if (!id.empty()) end += 1 + id.size();
  if (is_quoted) end = std::min(text.find('\'', end), text.size() - 1) + 1;
  const std::string said = id.empty() || id == "ID"
                               ? std::string(row->tool)
                               : fmt::format("{} and intent_id {}", row->tool, id);
  const std::size_t from = is_quoted ? at - 1 : at;
  text.replace(from, end - from, said);
  // A command is run, a tool is called.
  for (const auto& [run, call] : {std::pair("Run ", "Call "), std::pair("run ", "call ")})
    if (from >= 4 && text.compare(from - 4, 4, run) == 0) {
      text.replace(from - 4, 4, call);
      return from + 1 + said.size();
    }
  return from + said.size();
}

void rewrite_member(Map& document, std::string_view name) {
  if (Value* value = document.find(name); value != nullptr && value->as_string() != nullptr)
    document.set(std::string(name), in_tool_words(*value->as_string()));
}

void rewrite_items(Map& document, std::string_view list, std::string_view name) {
  Value* value = document.find(list);
  if (value == nullptr || value->as_list() == nullptr) return;
  for (Value& item : *value->as_list())
    if (item.as_map() != nullptr) rewrite_member(*item.as_map(), name);
}

/// At the command line the run goes without saying; the tool wants it.
void add_run_ids(Map& document) {
  Value* list = document.find("recovery_available");
  if (list == nullptr || list->as_list() == nullptr) return;
  for (Value& item : *list->as_list()) {
    const Peek told{item};
    const std::string hint{told["hint"].text()}, run{told["run_id"].text()};
    if (item.as_map() != nullptr && hint.find("action recover") != hint.npos && !run.empty())
      item.as_map()->set("hint", fmt::format("{} and run_id {}", hint, run));
  }
}

}  // namespace

std::string in_tool_words(std::string_view text) {
  std::string out(text);
  for (const Phrase& phrase : kPhrases)
    replace_all(out, phrase.command, phrase.tool);
  for (std::size_t at = out.find(kCommand); at != out.npos; at = out.find(kCommand, at))
    at = rewrite_command(out, at);
  return out;
}

Map in_tool_words(Map document) {
  for (const std::string_view member : {"next_step", "message", "recovery_next_step"})
    rewrite_member(document, member);
  rewrite_items(document, "warnings", "message");
  rewrite_items(document, "recovery_available", "hint");
  add_run_ids(document);
  if (Value* inner = document.find("verification"); inner != nullptr && inner->as_map() != nullptr)
    rewrite_member(*inner->as_map(), "next_step");
  return document;
}

}  // namespace gh::mcp
