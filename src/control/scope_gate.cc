#include "control/scope_gate.h"

#include <algorithm>
#include <array>

#include "control/profiles.h"
#include "control/rows.h"
#include "control/start_decision.h"
#include "policy/glob.h"

namespace gh::control {
namespace {

using F = ScopeGateFacts;
using enum ScopeSituation;

bool is_waiting(const Held& held) { return held.intent->status == IntentStatus::queued; }

bool is_unclean(const Held& held) { return waits_for_clean_files(*held.intent); }
bool is_editing(const Held& held) { return may_edit_now(*held.intent); }

std::ptrdiff_t editing(const F& f) { return std::ranges::count_if(f.own, is_editing); }

bool is_expired(const F& f) {
  return f.own.size() == 1 && f.own.front().ownership == Ownership::expired;
}

// clang-format off
// table: scope gate
constexpr std::array<SituationRow, 8> kSituations{{
    {accepted,  [](const F& f) { return f.is_accepted; },                         "accepted",   "",                           ""},
    {expired,   is_expired,                                                       "expired",    "intent_expired",             ""},
    {ambiguous, [](const F& f) { return editing(f) > 1; },                        "unverified", "intent_ambiguous",           ""},
    {declared,  [](const F& f) { return editing(f) == 1; },                       "",           "",                           ""},
    {unclean,   [](const F& f) { return std::ranges::any_of(f.own, is_unclean); }, "unverified", "intent_not_active",          ""},
    {waiting,   [](const F& f) { return !f.own.empty(); },                        "queued",     "queued_intent_not_editable", ""},
    {missing,   [](const F& f) { return f.intent_required && !f.changed.empty(); }, "blocked",  "no_active_intent",           ""},
    {none,      [](const F&) { return true; },                                    "",           "",                           "no intent declared"},
}};
// clang-format on

/// Everything that a path can be refused for.
struct PathFacts {
  const std::string& path;
  const ScopeCheck* check;  // null without a declared intent
  const Held* holder;       // null: nobody else holds it
};
struct PathRow {
  bool (*applies)(const PathFacts&);
  std::string_view code;
};

bool is_in(const std::vector<std::string>& sorted, const std::string& path) {
  return std::ranges::binary_search(sorted, path);
}

// clang-format off
// table: scope gate, one path
constexpr std::array<PathRow, 5> kPaths{{
    {[](const PathFacts& p) { return p.check != nullptr && is_state_artifact(p.path); },                     "state_artifact_mutation"},
    {[](const PathFacts& p) { return p.check != nullptr && is_in(p.check->forbidden_touched, p.path); },     "forbidden_touched"},
    {[](const PathFacts& p) { return p.holder != nullptr && p.holder->ownership == Ownership::foreign_active; }, "foreign_active_overlap"},
    {[](const PathFacts& p) { return p.holder != nullptr; },                                                 "foreign_stale_overlap"},
    {[](const PathFacts& p) { return p.check != nullptr && is_in(p.check->unexpected_files, p.path); },      "unexpected_files"},
}};
// clang-format on

/// Who lives, may edit, and declared this path or a folder above it.
const Held* holder_of(const F& f, const std::string& path) {
  const auto holds = [&](const Held& held) {
    return is_live_foreign(held.ownership) && !is_waiting(held) &&
           std::ranges::any_of(held.intent->scope.allowed_files, [&](const std::string& entry) {
             return policy::matches_prefix(path, entry);
           });
  };
  const auto found = std::ranges::find_if(f.others, holds);
  return found == f.others.end() ? nullptr : &*found;
}

void look_at_paths(const F& f, ScopeGate& out) {
  std::vector<std::string> changed = f.changed;
  sort_unique(changed);
  const ScopeCheck* check = out.intent == nullptr ? nullptr : &out.check;
  for (const std::string& path : changed) {
    const PathFacts facts{path, check, holder_of(f, path)};
    const auto row =
        std::ranges::find_if(kPaths, [&](const PathRow& r) { return r.applies(facts); });
    if (row == kPaths.end()) continue;
    const bool is_overlap = row->code.ends_with("_overlap");
    out.refusals.push_back({row->code, path, is_overlap ? facts.holder->intent : nullptr});
  }
}

}  // namespace

std::span<const SituationRow> scope_situations() { return kSituations; }

ScopeGate judge_scope(const ScopeGateFacts& f) {
  const SituationRow& row =
      *std::ranges::find_if(kSituations, [&](const SituationRow& r) { return r.applies(f); });
  ScopeGate out{.situation = row.situation, .status = row.status, .why = row.why};
  if (!row.code.empty()) out.refusals.push_back({row.code});
  if (row.situation == declared) {
    out.intent = std::ranges::find_if(f.own, is_editing)->intent;
    out.check = check_scope(out.intent->scope, f.changed);
  } else if (row.situation == unclean) {
    out.intent = std::ranges::find_if(f.own, is_unclean)->intent;
  } else if (row.situation == waiting || row.situation == expired) {
    out.intent = f.own.front().intent;
  }
  if (row.situation == declared || row.situation == none) look_at_paths(f, out);
  if (row.situation == declared)
    out.status = out.refusals.empty() ? to_string(out.check.status) : "violated";
  else if (row.situation == none && !out.refusals.empty())
    out.status = "blocked";  // nothing was declared, and others hold what was changed
  out.ran = !out.status.empty();
  if (out.ran) out.why = {};
  return out;
}

}  // namespace gh::control
