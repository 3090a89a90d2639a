#include "ops/hook_sight.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/product.h"
#include "control/intent_extract.h"
#include "control/intent_record.h"
#include "control/path_index.h"
#include "control/start_decision.h"
#include "ops/change_parts.h"
#include "ops/change_registry.h"
#include "ops/hook_memory.h"
#include "ops/intent_mirror.h"
#include "policy/glob.h"
#include "store/ledger.h"
#include "sys/files.h"
#include "sys/process_identity.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxConfigBytes = 1u << 20;

Result<hooks::Rules> work_tree_rules(const HookSite& site) {
  const std::string file = site.found.root + "/" + std::string(kConfigFile);
  auto bytes = sys::read_file(file, kMaxConfigBytes);
  if (!bytes) return fail(Code::policy_unreadable, std::move(bytes.error().message));
  GH_TRY(config, policy::parse_config(*bytes, kConfigFile));
  return hooks::rules_of(config);
}

Result<hooks::Rules> rules_for(const HookSite& site) {
  GH_TRY(kept, kept_rules(site));
  if (kept) return *std::move(kept);
  return work_tree_rules(site);
}

/// Texts that a record which concerns the step must hold.
std::vector<std::string> marks_of(const HookLook& look) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view text) { out.push_back(wire::canonical_json(Value(text))); };
  if (!look.caller.session_id.empty()) add(look.caller.session_id);
  for (const std::string& path : look.paths)
    control::each_cover(path, add);
  for (const control::Ancestor& ancestor : look.caller.ancestors)
    out.push_back(fmt::format("\"host_pid\":{}", ancestor.pid));
  return out;
}

bool may_concern(std::string_view record, const std::vector<std::string>& marks) {
  return std::ranges::any_of(
      marks, [&](const std::string& mark) { return record.find(mark) != record.npos; });
}

/// Records that break a rule are as if they were not there, as everywhere.
void add_record(std::vector<Intent>& out, const Value& record, std::string_view text,
                std::int64_t fence) {
  auto intent = control::from_record(record, text);
  if (!intent || is_terminal(intent->status)) return;
  intent->fence = fence;
  out.push_back(std::move(*intent));
}

/// Ids of the records that concern the step; each at least once.
Result<std::vector<std::string>> ids_for(store::IntentIndex& index, const HookLook& look) {
  const auto with = [&](control::KeyKind kind, std::span<const std::string> keys) {
    return index.with_keys(static_cast<std::int64_t>(kind), keys);
  };
  std::vector<std::string> hosts;
  for (const control::Ancestor& ancestor : look.caller.ancestors)
    hosts.push_back(control::process_key(ancestor.pid, ancestor.start_ticks));
  GH_TRY(out, with(control::KeyKind::host, hosts));
  const auto add = [&](Result<std::vector<std::string>> more) -> Status {
    if (!more) return tl::make_unexpected(std::move(more).error());
    out.insert(out.end(), more->begin(), more->end());
    return {};
  };
  if (!look.caller.session_id.empty())
    GH_DO(add(with(control::KeyKind::session, std::array{look.caller.session_id})));
  std::vector<std::string> covers;
  for (const std::string& path : look.paths)
    control::each_cover(path, [&](std::string_view cover) { covers.emplace_back(cover); });
  GH_DO(add(with(control::KeyKind::declared, covers)));
  GH_DO(add(index.without_extract()));
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return std::move(out);
}

Status read_rows(HookSight& sight, const HookLook& look, store::Ledger& ledger,
                 store::IntentIndex* index) {
  if (index == nullptr) {  // a ledger of an earlier version
    GH_TRY(rows, ledger.open_intents());
    const std::vector<std::string> marks = marks_of(look);
    for (const store::IntentRow& row : rows)
      if (may_concern(row.payload.stored_text(), marks))
        add_record(sight.intents, row.payload.value(), row.payload.stored_text(), row.fence);
    return {};
  }
  GH_TRY(ids, ids_for(*index, look));
  for (const std::string& id : ids) {
    GH_TRY(row, index->find(id));
    if (row && row->closed_at_utc.empty())
      add_record(sight.intents, row->payload.value(), row->payload.stored_text(), row->fence);
  }
  return {};
}

Status read_ledger(HookSight& sight, const HookLook& look) {
  const std::string file = sight.site->state() + "/ledger.db";
  GH_TRY(ledger, store::Ledger::open_sqlite_to_read(file));
  if (ledger == nullptr) return {};
  GH_TRY(index, ledger->intent_index());
  return read_rows(sight, look, *ledger, index.get());
}

Status read_mirror(HookSight& sight, const HookLook& look, Timestamp now) {
  GH_TRY(mirror, read_intent_mirror(sight.site->state()));
  const std::int64_t age = now.seconds - mirror.written_at.seconds;
  sight.mirror = age_text(age);
  if (age > sight.rules.lease_seconds)
    return fail(Code::ledger_unavailable,
                fmt::format("the mirror of the registry is {} old; any command of gatehouse change "
                            "renews it",
                            sight.mirror));
  const std::vector<std::string> marks = marks_of(look);
  for (const MirroredIntent& one : mirror.intents) {
    if (!may_concern(one.record, marks)) continue;
    const auto record = wire::read_own_json(one.record, "mirror");
    if (record) add_record(sight.intents, *record, one.record, one.fence);
  }
  return {};
}

}  // namespace

std::string age_text(std::int64_t seconds) {
  constexpr std::int64_t kMinute = 60, kHour = 3'600;
  if (seconds < 2 * kMinute) return fmt::format("{} s", std::max<std::int64_t>(seconds, 0));
  if (seconds < 2 * kHour) return fmt::format("{} min", seconds / kMinute);
  return fmt::format("{} h", seconds / kHour);
}

control::HookCaller hook_caller_of(const hooks::Event& event, Context& context) {
  control::HookCaller out{.session_id = event.session};
  for (const sys::Ancestor& ancestor : sys::ancestors(context.env.process_id()))
    out.ancestors.push_back({ancestor.pid, ancestor.start_ticks});
  return out;
}

HookSight read_rules(const HookSite& site) {
  HookSight out{.site = &site};
  if (auto rules = rules_for(site))
    out.rules = std::move(*rules);
  else
    out.fault = rules.error().message;
  if (!out.fault.empty()) out.rules.hooks.mode = policy::HookMode::enforce;
  return out;
}

void read_records(HookSight& sight, const HookLook& look, Context& context) {
  if (!sight.fault.empty()) return;
  const Timestamp now = context.env.now();
  const Status read =
      sight.rules.postgres ? read_mirror(sight, look, now) : read_ledger(sight, look);
  if (!read) sight.fault = read.error().message;
  sight.foreign_authorised =
      control::foreign_is_authorised(either_variable(context, "GATEHOUSE_HOOK_AUTHORIZE_FOREIGN",
                                                     "CODECLONE_HOOK_AUTHORIZE_FOREIGN"),
                                     !look.caller.session_id.empty());
  if (sight.intents.empty()) return;
  const control::Here here{sys::host_id(context.env), sys::boot_id()};
  std::vector<control::Held> all;
  for (const Intent& intent : sight.intents) {
    const control::Liveness liveness = control::liveness_of(intent, probe_of(intent, here), here,
                                                            now, sight.rules.session_grace_seconds);
    all.push_back(
        {&intent,
         control::ownership_of(intent, control::is_own(intent, look.caller), liveness, now),
         liveness});
  }
  const git::Found& found = sight.site->found;
  const std::string tree = worktree_name(found.root, found.git_dir, found.common_dir);
  sight.here = of_tree(all, tree);
  sight.rivals = rivals_in(all, tree);
}

hooks::Standing HookSight::standing() const {
  using control::WriteReason;
  const WriteReason reason =
      control::decide_write({.foreign_authorised = foreign_authorised}, here).reason;
  return reason == WriteReason::active_intent                ? hooks::Standing::active
         : reason == WriteReason::queued_intent_not_editable ? hooks::Standing::queued
                                                             : hooks::Standing::none;
}

const control::Held* HookSight::own() const {
  const auto answer = control::decide_write({.foreign_authorised = foreign_authorised}, here);
  if (answer.held != nullptr) return answer.held;
  const auto lapsed = std::ranges::find_if(here, [](const control::Held& held) {
    return held.ownership == control::Ownership::own_stale;
  });
  return lapsed == here.end() ? nullptr : &*lapsed;
}

const Intent* HookSight::holder(std::string_view path) const {
  const auto holds = [&](const control::Held& held) {
    return control::is_live_foreign(held.ownership) && control::holds_files(*held.intent) &&
           std::ranges::any_of(held.intent->scope.allowed_files, [&](const std::string& entry) {
             return policy::matches_prefix(path, entry);
           });
  };
  const auto found = std::ranges::find_if(rivals, holds);
  return found == rivals.end() ? nullptr : found->intent;
}

hooks::Target HookSight::target(const HookPath& at) const {
  const auto answer =
      control::decide_write({.foreign_authorised = foreign_authorised, .paths = {at.path}}, here);
  return {.is_protected = at.in_git || hooks::is_protected(rules, at.path),
          .in_scope = answer.allowed,
          .is_held = holder(at.path) != nullptr,
          .is_forbidden = !answer.forbidden_by.empty()};
}

hooks::Told told_of(const HookSight& sight, std::string_view rule, const std::string& path,
                    const hooks::Event& event, Timestamp now) {
  hooks::Told out{.rule = rule,
                  .path = path,
                  .root = sight.site == nullptr ? "" : sight.site->found.root,
                  .session = event.session,
                  .fault = sight.fault,
                  .mirror = sight.mirror};
  if (const control::Held* own = sight.own()) {
    out.own = own->intent;
    out.lapsed = own->ownership == control::Ownership::own_stale;
  }
  out.holder = sight.holder(path);
  if (out.holder != nullptr)
    out.holder_age = age_text(now.seconds - out.holder->declared_at.seconds);
  return out;
}

}  // namespace gh::ops
