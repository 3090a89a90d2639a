#include "surface/action_diff.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "model/peek.h"
#include "policy/redact.h"

namespace gh::surface {
namespace {

using enum FindingSeverity;
using Texts = std::vector<std::string>;

// table: critical tags of actions
constexpr std::string_view kCritical =
    "financial_write destructive production_ops identity_access secret_access code_execution";
// table: safeguards of actions
constexpr std::array<std::string_view, 4> kSafeguards{"idempotency", "audit_log", "rollback",
                                                      "dry_run"};

Texts texts_at(const Value& v, std::string_view key) {
  Texts out;
  for (const Value& item : Peek(v)[key].list())
    out.emplace_back(Peek(item).text());
  return out;
}

/// Those of `now` that are not in `then`: of two that are masked alike, one may be new.
Texts only_in(const Texts& now, Texts then) {
  Texts out;
  for (const std::string& text : now) {
    const auto known = std::ranges::find(then, text);
    if (known == then.end())
      out.push_back(text);
    else
      then.erase(known);
  }
  std::ranges::sort(out);
  return out;
}

Value masked_document(const Value& document) { return policy::redact_document(document).value; }
std::string masked_text(std::string_view text) { return policy::redact(text).text; }

FindingSeverity severity_of_new(const Action& action) {
  const auto& tags = action.risk_tags;
  if (std::ranges::any_of(tags, is_critical_tag)) return critical;
  const auto has_tag = [&](std::string_view tag) {
    return std::ranges::find(tags, tag) != tags.end();
  };
  if (has_tag("external_communication")) return high;
  return has_tag("writes_data") || action.effect != "read" ? medium : info;
}

/// One action that both scans have.
class Comparison {
 public:
  Comparison(const Value& base, const Action& live, std::vector<ActionChange>& out)
      : base_(masked_document(base)),
        live_(live),
        now_(masked_document(document_of(live))),
        out_(out) {}

  void compare() {
    const std::size_t before = out_.size();
    compare_scopes();
    compare_effects();
    compare_tags();
    compare_approval();
    for (const std::string_view safeguard : kSafeguards)
      compare_safeguard(safeguard);
    compare_input();
    if (out_.size() == before && hashes(base_) != hashes(now_))
      add("ACTION_MODIFIED", medium, "hashes of the action differ", hashes(base_), hashes(now_));
  }

 private:
  static Value hashes(const Value& action) { return Peek(action)["hashes"].map(); }

  ActionChange& add(std::string_view type, FindingSeverity severity, std::string reason,
                    Value before, Value after) {
    out_.push_back({std::string(type),
                    live_.id,
                    live_.agent_id,
                    live_.tool_name,
                    live_.operation,
                    severity,
                    std::move(reason),
                    std::move(before),
                    std::move(after),
                    {},
                    {},
                    live_.place,
                    &live_});
    return out_.back();
  }

  /// Both directions, when something was added.
  void add_lists(std::string_view type, FindingSeverity severity, std::string reason,
                 const Texts& then, const Texts& now) {
    ActionChange& change =
        add(type, severity, std::move(reason), string_list(then), string_list(now));
    change.added = only_in(now, then);
    change.removed = only_in(then, now);
  }

  void compare_scopes() {
    const Texts then = texts_at(base_, "required_scopes"), now = texts_at(now_, "required_scopes"),
                fresh = only_in(now, then);
    if (fresh.empty()) return;
    const bool broad = std::ranges::any_of(live_.required_scopes, [&](const std::string& scope) {
      return is_broad_scope(scope) && std::ranges::find(fresh, masked_text(scope)) != fresh.end();
    });
    add_lists("SCOPE_EXPANDED", broad ? critical : high,
              fmt::format("new scopes: {}", join(fresh, ", ")), then, now);
  }

  void compare_effects() {
    const std::string then{Peek(base_)["effect"].text()};
    if (effect_rank(live_.effect) > effect_rank(then))
      add("EFFECT_ESCALATED", critical, fmt::format("{} became {}", then, live_.effect), then,
          live_.effect);
  }

  void compare_tags() {
    const Texts then = texts_at(base_, "risk_tags"), fresh = only_in(live_.risk_tags, then);
    if (fresh.empty()) return;
    const bool is_critical = std::ranges::any_of(fresh, is_critical_tag);
    add_lists("RISK_TAG_ADDED", is_critical ? critical : high,
              fmt::format("new risk tags: {}", join(fresh, ", ")), then, live_.risk_tags);
  }

  void compare_approval() {
    if (Peek(base_)["approval_policy"]["required"].is_true() && !live_.approval_required)
      add("APPROVAL_REMOVED", critical, "approval is not required any more", true, false);
  }

  void compare_safeguard(std::string_view name) {
    const Peek now = Peek(now_)["safeguards"][name];
    if (!Peek(base_)["safeguards"][name].is_true() || now.is_true()) return;
    // What it did counts too: an effect that is declared away takes no severity with it.
    const bool is_last_resort =
        name == "rollback" &&
        (live_.effect == "destructive" || Peek(base_)["effect"].text() == "destructive");
    ActionChange& change =
        add("SAFEGUARD_REMOVED", is_last_resort ? critical : high,
            fmt::format("safeguard {} is gone", name), true, now.exists() ? Value(false) : Value());
    change.removed = {std::string(name)};
  }

  void compare_input() {
    const Texts fields = texts_at(base_, "input_fields"),
                needed = texts_at(base_, "required_input_fields");
    const Texts now = texts_at(now_, "input_fields"),
                needed_now = texts_at(now_, "required_input_fields");
    const Texts fresh = only_in(now, fields), newly = only_in(needed_now, needed);
    if (fresh.empty() && newly.empty()) return;
    ActionChange& change = add(
        "INPUT_SCHEMA_EXPANDED", medium, "new or newly required input fields",
        Map{{"input_fields", string_list(fields)}, {"required_input_fields", string_list(needed)}},
        Map{{"input_fields", string_list(now)},
            {"required_input_fields", string_list(needed_now)}});
    change.added = fresh;
    change.added.insert(change.added.end(), newly.begin(), newly.end());
    sort_unique(change.added);
  }

  const Value base_;
  const Action& live_;
  const Value now_;
  std::vector<ActionChange>& out_;
};

ActionChange added_change(const Action& live) {
  return {"ACTION_ADDED",
          live.id,
          live.agent_id,
          live.tool_name,
          live.operation,
          severity_of_new(live),
          "the action is new",
          Value(),
          Map{{"effect", live.effect},
              {"risk_tags", string_list(live.risk_tags)},
              {"required_scopes", string_list(live.required_scopes)}},
          {},
          {},
          live.place,
          &live};
}

ActionChange removed_change(const Value& base) {
  const auto text = [&](std::string_view key) { return std::string(Peek(base)[key].text()); };
  return {"ACTION_REMOVED",
          text("action_id"),
          text("agent_id"),
          text("tool_name"),
          text("operation"),
          info,
          "the action is gone",
          Map{{"effect", text("effect")},
              {"risk_tags", string_list(texts_at(base, "risk_tags"))},
              {"required_scopes", string_list(texts_at(base, "required_scopes"))}},
          Value()};
}

}  // namespace

Map document_of(const ActionChange& c, bool with_place) {
  Map out{{"type", c.type},
          {"action_id", c.action_id},
          {"agent_id", c.agent_id},
          {"tool_name", c.tool_name},
          {"operation", c.operation},
          {"severity", to_string(c.severity)},
          {"reason", c.reason},
          {"before", c.before},
          {"after", c.after},
          {"added", string_list(c.added)},
          {"removed", string_list(c.removed)}};
  if (!with_place) return out;
  out.set("source_path", c.place.path.empty() ? Value() : Value(c.place.path));
  out.set("source_start_line", c.place.start_line == 0 ? Value() : Value(c.place.start_line));
  return out;
}

ActionDiff diff_actions(const List& base, const std::vector<Action>& live) {
  std::map<std::string, std::deque<const Value*>> then;  // ids that are masked alike in their order
  for (const Value& action : base)
    then[masked_text(Peek(action)["action_id"].text())].push_back(&action);
  ActionDiff out;
  for (const Action& action : live) {
    const auto known = then.find(masked_text(action.id));
    if (known == then.end() || known->second.empty()) {
      out.added.push_back(added_change(action));
      continue;
    }
    Comparison(*known->second.front(), action, out.modified).compare();
    known->second.pop_front();
  }
  for (const auto& [id, left] : then)
    for (const Value* action : left)
      out.removed.push_back(removed_change(*action));
  return out;
}

bool is_critical_tag(std::string_view tag) { return is_one_of(tag, kCritical); }

}  // namespace gh::surface
