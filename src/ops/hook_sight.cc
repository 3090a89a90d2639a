#include "ops/hook_sight.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/build_id.h"
#include "base/product.h"
#include "control/intent_extract.h"
#include "control/path_index.h"
#include "control/start_decision.h"
#include "ops/change_parts.h"
#include "ops/change_registry.h"
#include "ops/clone.h"
#include "ops/hook_far.h"
#include "ops/hook_memory.h"
#include "policy/glob.h"
#include "store/intent_file.h"
#include "sys/files.h"
#include "sys/process_identity.h"

namespace gh::ops {
namespace {

std::string config_file(const HookSite& tree) {
  return tree.found.root + "/" + std::string(kConfigFile);
}

Result<hooks::Rules> rules_for(const HookSite& site, const HookFar& far) {
  for (const HookSite& tree : policy_trees(site.found)) {
    GH_TRY(kept, kept_rules(tree, far));
    if (kept && kept->build != kBuildId) far.meet_other_build();
    if (kept) return *std::move(kept);
    if (sys::info(config_file(tree)).kind != sys::FileKind::missing)
      return far.work_tree_rules(tree);
  }
  return fail(Code::policy_unreadable, std::string(kConfigFile) + " is gone");
}

WantedRecords wanted_by(const HookLook& look) {
  WantedRecords out{.session = look.session};
  for (const std::string& path : look.paths)
    control::each_cover(path, [&](std::string_view cover) { out.covers.emplace_back(cover); });
  return out;
}

/// What is wanted, as keys of a file that tells what the ledger tells; it knows every record.
std::vector<store::FiledKey> filed_keys(const WantedRecords& wanted) {
  std::vector<store::FiledKey> out;
  const auto add = [&](control::KeyKind kind, std::string text) {
    out.push_back({static_cast<std::int64_t>(kind), std::move(text)});
  };
  if (!wanted.session.empty()) add(control::KeyKind::session, wanted.session);
  for (const std::string& cover : wanted.covers)
    add(control::KeyKind::declared, cover);
  for (const control::Ancestor& host : wanted.hosts)
    add(control::KeyKind::host, control::process_key(host.pid, host.start_ticks));
  return out;
}

Result<std::vector<Intent>> read_file(const store::IntentFile& file, const WantedRecords& wanted,
                                      const HookFar& far) {
  std::vector<Intent> out;
  GH_TRY(found, file.with_keys(filed_keys(wanted)));
  for (const store::FiledIntent& one : found)
    if (const auto record = read_own_document(one.record, "record", far))
      add_record(out, *record, one.record, one.fence);
  return out;
}

Result<store::IntentFile> open_mirror(HookSight& sight, Timestamp now) {
  GH_TRY(mirror, store::open_mirror(sight.site->state()));
  const std::int64_t age = now.seconds - mirror.written_at.seconds;
  sight.mirror = age_text(age);
  if (age > sight.rules.lease_seconds)
    return fail(Code::ledger_unavailable,
                fmt::format("the mirror of the registry is {} old; any command of gatehouse "
                            "change renews it",
                            sight.mirror));
  return std::move(mirror.file);
}

/// Where records are read from: the ledger, or a file that tells the same, which is all that there
/// is of a ledger that is far away.
Result<ReadRecords> open_records(HookSight& sight, Timestamp now, const HookFar& far) {
  const std::string state = sight.site->state();
  std::optional<store::IntentFile> file;
  if (!sight.rules.postgres) {
    file = store::open_file_of_ledger(state);
    if (!file) return open_hook_ledger(state, far);
  } else {
    GH_TRY(mirror, open_mirror(sight, now));
    file = std::move(mirror);
  }
  return [file = std::move(*file), &far](const WantedRecords& wanted) {
    return read_file(file, wanted, far);
  };
}

bool has_own(const std::vector<Intent>& intents, const std::string& session) {
  return !session.empty() && std::ranges::any_of(intents, [&](const Intent& intent) {
    return intent.owner && intent.owner->session_id == session;
  });
}

std::vector<control::Ancestor> hosts_above(Context& context) {
  std::vector<control::Ancestor> out;
  for (const sys::Ancestor& ancestor : sys::ancestors(context.env.process_id()))
    out.push_back({ancestor.pid, ancestor.start_ticks});
  return out;
}

Status read_intents(HookSight& sight, WantedRecords& wanted, Context& context, const HookFar& far) {
  GH_TRY(read, open_records(sight, context.env.now(), far));
  GH_TRY(intents, read(wanted));
  if (!has_own(intents, wanted.session)) {
    wanted.hosts = hosts_above(context);
    wanted.unknown = true;
    GH_TRY(more, read(wanted));
    intents = std::move(more);
  }
  sight.intents = std::move(intents);
  return {};
}

}  // namespace

std::string age_text(std::int64_t seconds) {
  constexpr std::int64_t kMinute = 60, kHour = 3'600;
  if (seconds < 2 * kMinute) return fmt::format("{} s", std::max<std::int64_t>(seconds, 0));
  if (seconds < 2 * kHour) return fmt::format("{} min", seconds / kMinute);
  return fmt::format("{} h", seconds / kHour);
}

HookSight read_rules(const HookSite& site, const HookFar& far) {
  HookSight out{.site = &site};
  if (auto rules = rules_for(site, far))
    out.rules = std::move(*rules);
  else
    out.fault = rules.error().message;
  if (!out.fault.empty()) out.rules.hooks.mode = policy::HookMode::enforce;
  return out;
}

void read_records(HookSight& sight, const HookLook& look, Context& context, const HookFar& far) {
  if (!sight.fault.empty()) return;
  for (auto* told : {&sight.here, &sight.rivals, &sight.apart})
    told->clear();  // of an earlier look
  const Timestamp now = context.env.now();
  WantedRecords wanted = wanted_by(look);
  if (const Status read = read_intents(sight, wanted, context, far); !read)
    sight.fault = read.error().message;
  sight.foreign_authorised =
      control::foreign_is_authorised(either_variable(context, "GATEHOUSE_HOOK_AUTHORIZE_FOREIGN",
                                                     "CODECLONE_HOOK_AUTHORIZE_FOREIGN"),
                                     !look.session.empty());
  if (sight.intents.empty()) return;
  const control::Here here{sys::host_id(context.env), sys::boot_id()};
  const std::string clone = sight.rules.postgres ? clone_id(sight.site->state()) : "";
  const control::HookCaller caller{look.session, wanted.hosts, clone};
  std::vector<control::Held> all;
  for (const Intent& intent : sight.intents) {
    const control::Liveness liveness = control::liveness_of(intent, probe_of(intent, here), here,
                                                            now, sight.rules.session_grace_seconds);
    all.push_back({&intent,
                   control::ownership_of(intent, control::is_own(intent, caller), liveness, now),
                   liveness});
  }
  const git::Found& found = sight.site->found;
  const std::string tree = worktree_name(found.root, found.git_dir, found.common_dir);
  sight.here = of_tree(all, tree, clone);
  sight.rivals = rivals_in(all, tree);
  std::ranges::copy_if(all, std::back_inserter(sight.apart), [&](const control::Held& held) {
    return is_isolated(*held.intent) && held.intent->worktree != tree &&
           control::is_own(*held.intent, caller);
  });
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
