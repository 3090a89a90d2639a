#include "release/triggers.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/data.h"
#include "base/text.h"
#include "model/peek.h"
#include "policy/glob.h"
#include "surface/words.h"
#include "wire/json.h"

namespace gh::release {
namespace {

using Texts = std::vector<std::string>;

constexpr std::array<std::string_view, 5> kSkips{"", "stop_conditions", "skip_rule", "dry_run_only",
                                                 "no_match"};
// table: predicates of trigger rules
constexpr std::string_view kPredicates =
    "glob diff_contains file_present file_absent every_file_matches none_match_glob any_of all_of "
    "detect_returns user_did_not_request";
constexpr std::string_view kActions = "force_run run_shipgate dry_run skip_shipgate";
constexpr std::string_view kManifest = "shipgate.yaml";
constexpr std::size_t kMaxPredicates = 4096;

Texts texts(const Value& value) {
  Texts out;
  if (value.as_string() != nullptr) out.push_back(*value.as_string());
  for (const Value& item : Peek(value).list())
    out.emplace_back(Peek(item).text());
  return out;
}

/// Lines that the diff adds, without their sign. Context and removed lines start nothing.
std::string added_lines(std::string_view diff) {
  std::string out;
  for (const std::string_view line : split(diff, '\n'))
    if (line.starts_with('+') && !line.starts_with("+++ ")) out.append(line.substr(1)) += '\n';
  return out;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// As a word of its own: "@tool" is not in "me@toolbox.org".
bool holds_token(std::string_view text, std::string_view token) {
  for (std::size_t at = text.find(token); at != text.npos; at = text.find(token, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + token.size();
    const bool ends = end == text.size() || !is_word(token.back()) || !is_word(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

/// One rule's condition. Nested lists are walked with a stack of our own: a catalogue may come
/// from a change.
class Predicate {
 public:
  Predicate(const TriggerFacts& facts, const std::string& added) : facts_(facts), added_(added) {}

  bool holds(const Value& when) const { return all(when); }

 private:
  /// Every key of one mapping holds; an empty one does not.
  bool all(const Value& when) const {
    const Map* map = when.as_map();
    if (map == nullptr || map->empty()) return false;
    return std::ranges::all_of(map->entries(),
                               [&](const auto& entry) { return one(entry.first, entry.second); });
  }

  /// Lists of lists are not deeper than one more level in any catalogue that was read.
  bool one(std::string_view key, const Value& value) const {
    const List& items = Peek(value).list();
    const auto leaf = [&](const Value& v) {
      const Map* map = v.as_map();
      return map != nullptr && !map->empty() &&
             std::ranges::all_of(map->entries(), [&](const auto& entry) {
               return simple(entry.first, entry.second);
             });
    };
    if (key == "any_of") return std::ranges::any_of(items, leaf);
    if (key == "all_of") return !items.empty() && std::ranges::all_of(items, leaf);
    return simple(key, value);
  }

  bool is_present(std::string_view path) const {
    return path == kManifest && facts_.manifest_present;
  }

  bool matches(const std::string& file, const std::string& glob) const {
    const std::string folded = surface::lower_case(file);
    // A gatehouse.yaml that holds the manifest stands for it.
    if (glob == kManifest && !facts_.gatehouse_yaml.empty() && file == facts_.gatehouse_yaml)
      return true;
    return policy::matches_pathglob(folded, surface::lower_case(glob));
  }

  bool simple(std::string_view key, const Value& value) const {
    const Texts globs = texts(value);
    const auto any = [&](const std::string& file) {
      return std::ranges::any_of(globs,
                                 [&](const std::string& glob) { return matches(file, glob); });
    };
    const auto& files = facts_.changed_files;
    if (key == "glob") return std::ranges::any_of(files, any);
    if (key == "every_file_matches")
      return !files.empty() && !globs.empty() && std::ranges::all_of(files, any);
    if (key == "none_match_glob") return !globs.empty() && std::ranges::none_of(files, any);
    if (key == "diff_contains")
      return std::ranges::any_of(globs, [&](const std::string& token) {
        return !token.empty() && holds_token(added_, token);
      });
    if (key == "file_present") return is_present(Peek(value).text());
    if (key == "file_absent") return !Peek(value).text().empty() && !is_present(Peek(value).text());
    if (key == "user_did_not_request") return !facts_.user_requested;
    return false;  // detect_returns: nobody asked detect
  }

  const TriggerFacts& facts_;
  const std::string& added_;
};

std::set<std::string> tokens_of(const Value& catalogue) {
  std::set<std::string> out;
  std::vector<const Value*> open{&catalogue};
  while (!open.empty()) {
    const Value& at = *open.back();
    open.pop_back();
    for (const Value& item : Peek(at).list())
      open.push_back(&item);
    for (const auto& [key, value] : Peek(at).map().entries()) {
      if (key == "diff_contains")
        for (std::string& token : texts(value))
          out.insert(std::move(token));
      open.push_back(&value);
    }
  }
  return out;
}

bool has_action(const TriggerResult& r, std::string_view action) {
  return std::ranges::find(r.matched, action, &TriggerMatch::action) != r.matched.end();
}

/// Predicates that nobody knows would be false for ever, and their rules silent.
Status check_rules(const Value& document, std::string_view name) {
  const auto refuse = [&](std::string_view what) {
    return fail(Code::json_invalid, fmt::format("{}: {}", name, what));
  };
  if (Peek(document)["schema_version"].text() != kTriggerSchema)
    return refuse(fmt::format("a catalogue of schema {} is expected", kTriggerSchema));
  std::size_t seen = 0;
  const auto check_one = [&](const Value& when) -> Status {
    if (++seen > kMaxPredicates) return refuse("too many predicates");
    for (const auto& entry : Peek(when).map().entries())
      if (!surface::is_one_of(entry.first, kPredicates))
        return refuse(fmt::format("no predicate is called '{}'", printable(entry.first, 60)));
    return {};
  };
  for (const Value& rule : Peek(document)["rules"].list()) {
    if (Peek(rule)["id"].text().empty() ||
        !surface::is_one_of(Peek(rule)["action"].text(), kActions))
      return refuse("a rule needs an id and a known action");
    const Value* when = rule.as_map()->find("when");
    if (when == nullptr) continue;
    GH_DO(check_one(*when));
    for (const auto& [key, value] : Peek(*when).map().entries())
      for (const Value& item : Peek(value).list())
        if (item.as_map() != nullptr) GH_DO(check_one(item));
  }
  return {};
}

}  // namespace

std::string_view to_string(SkipReason reason) { return kSkips[static_cast<std::size_t>(reason)]; }

std::string_view TriggerResult::action() const {
  if (stop_conditions_fired) return "skip_shipgate";
  if (force_run) return "force_run";
  if (should_run) return "run_shipgate";
  if (skip == SkipReason::dry_run_only) return "dry_run";
  return skip == SkipReason::skip_rule ? "skip_shipgate" : "none";
}

Map document_of(const TriggerResult& r) {
  List matched;
  for (const TriggerMatch& m : r.matched)
    matched.emplace_back(Map{
        {"id", m.id}, {"action", m.action}, {"rationale", m.rationale}, {"command", m.command}});
  return {{"schema_version", kTriggerSchema},
          {"should_run", r.should_run},
          {"run_shipgate", r.should_run},
          {"trigger_action", r.action()},
          {"force_run", r.force_run},
          {"dry_run_recommended", r.dry_run_recommended},
          {"skip_reason", r.skip == SkipReason::none ? Value() : Value(to_string(r.skip))},
          {"stop_conditions_fired", r.stop_conditions_fired},
          {"rationale", r.rationale},
          {"matched_rules", std::move(matched)},
          {"changed_files", string_list(r.changed_files)},
          {"diff_tokens", string_list(r.diff_tokens)}};
}

Result<TriggerCatalogue> TriggerCatalogue::read(std::string_view json, std::string_view name) {
  TriggerCatalogue out;
  GH_TRY(document, wire::read_json(json, name));
  GH_DO(check_rules(document, name));
  out.document_ = std::move(document);
  return out;
}

const TriggerCatalogue& TriggerCatalogue::built_in() {
  static const TriggerCatalogue catalogue =
      *read(data::find("release/triggers.json"), "docs/triggers.json");
  return catalogue;
}

namespace {

/// The catalogue has the name of our own; who started the program by another reads that one.
std::string spelled(std::string_view command, const TriggerFacts& facts) {
  constexpr std::string_view kOwn = "gatehouse release";
  if (!command.starts_with(kOwn)) return std::string(command);
  return facts.program + std::string(command.substr(kOwn.size()));
}

}  // namespace

TriggerResult TriggerCatalogue::evaluate(const TriggerFacts& facts) const {
  TriggerResult out{.changed_files = facts.changed_files};
  const std::string added = added_lines(facts.diff);
  const Predicate predicate(facts, added);
  for (const std::string& token : tokens_of(document_))
    if (holds_token(added, token)) out.diff_tokens.push_back(token);
  for (const Value& rule : Peek(document_)["rules"].list()) {
    const Value* when = rule.as_map()->find("when");
    if (when == nullptr || !predicate.holds(*when)) continue;
    out.matched.push_back(
        {std::string(Peek(rule)["id"].text()), std::string(Peek(rule)["action"].text()),
         std::string(Peek(rule)["rationale"].text()),
         Peek(rule)["command"].exists() ? Value(spelled(Peek(rule)["command"].text(), facts))
                                        : Value()});
  }
  const Value* stop = document_.as_map()->find("stop_conditions");
  out.stop_conditions_fired = stop != nullptr && predicate.holds(*stop);
  out.force_run = facts.forced || has_action(out, "force_run");
  const bool runs = has_action(out, "run_shipgate"), skips = has_action(out, "skip_shipgate"),
             is_dry = has_action(out, "dry_run");
  if (out.stop_conditions_fired) {
    out.skip = SkipReason::stop_conditions;
    out.force_run = false;
    out.rationale = "Nothing here is an agent's, and nobody asked for a verification.";
  } else if (out.force_run) {
    out.rationale = facts.forced && !has_action(out, "force_run")
                        ? "The change takes the manifest away."
                        : "The repository has a manifest: every change is looked at.";
  } else if (skips) {
    out.skip = SkipReason::skip_rule;
    out.rationale = "Only documentation and tests changed.";
  } else if (runs) {
    out.rationale = "The change touches what an agent can do.";
  } else {
    out.skip = is_dry ? SkipReason::dry_run_only : SkipReason::no_match;
    out.dry_run_recommended = is_dry;
    out.rationale = is_dry ? "A framework of agents changed; a dry run is advised."
                           : "No rule of the catalogue fits the change.";
  }
  out.should_run = out.skip == SkipReason::none;
  return out;
}

}  // namespace gh::release
