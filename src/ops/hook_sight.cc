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
#include "policy/glob.h"
#include "store/intent_file.h"
#include "store/ledger.h"
#include "sys/files.h"
#include "sys/process_identity.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxConfigBytes = 1u << 20;

std::string config_file(const HookSite& tree) {
  return tree.found.root + "/" + std::string(kConfigFile);
}

Result<hooks::Rules> work_tree_rules(const HookSite& site) {
  auto bytes = sys::read_file(config_file(site), kMaxConfigBytes);
  if (!bytes) return fail(Code::policy_unreadable, std::move(bytes.error().message));
  GH_TRY(config, policy::parse_config(*bytes, kConfigFile));
  return hooks::rules_of(config);
}

Result<hooks::Rules> rules_for(const HookSite& site) {
  for (const HookSite& tree : policy_trees(site.found)) {
    GH_TRY(kept, kept_rules(tree));
    if (kept) return *std::move(kept);
    if (sys::info(config_file(tree)).kind != sys::FileKind::missing) return work_tree_rules(tree);
  }
  return fail(Code::policy_unreadable, std::string(kConfigFile) + " is gone");
}

/// What records are asked for by. The processes above us cost as much to find as the rest, so they
/// are asked for only when the session has declared nothing under its name.
struct Wanted {
  std::string session{};
  std::vector<std::string> covers{};  // the paths, and the folders above them
  std::vector<control::Ancestor> hosts{};
  bool unknown = false;  // records that no key finds: nothing was extracted from them yet
};

Wanted wanted_by(const HookLook& look) {
  Wanted out{.session = look.session};
  for (const std::string& path : look.paths)
    control::each_cover(path, [&](std::string_view cover) { out.covers.emplace_back(cover); });
  return out;
}

/// Texts that a record which concerns the step must hold.
std::vector<std::string> marks_of(const Wanted& wanted) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view text) { out.push_back(wire::canonical_json(Value(text))); };
  if (!wanted.session.empty()) add(wanted.session);
  for (const std::string& cover : wanted.covers)
    add(cover);
  for (const control::Ancestor& host : wanted.hosts)
    out.push_back(fmt::format("\"host_pid\":{}", host.pid));
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

/// Ids of the records that concern the step, each once.
Result<std::vector<std::string>> ids_for(store::IntentIndex& index, const Wanted& wanted) {
  using control::KeyKind;
  std::vector<std::string> out;
  const auto add = [&](KeyKind kind, std::span<const std::string> keys) -> Status {
    if (keys.empty()) return {};
    GH_TRY(more, index.with_keys(static_cast<std::int64_t>(kind), keys));
    out.insert(out.end(), more.begin(), more.end());
    return {};
  };
  std::vector<std::string> hosts;
  for (const control::Ancestor& host : wanted.hosts)
    hosts.push_back(control::process_key(host.pid, host.start_ticks));
  if (!wanted.session.empty()) GH_DO(add(KeyKind::session, std::array{wanted.session}));
  GH_DO(add(KeyKind::declared, wanted.covers));
  GH_DO(add(KeyKind::host, hosts));
  if (wanted.unknown) {
    GH_TRY(unknown, index.without_extract());
    out.insert(out.end(), unknown.begin(), unknown.end());
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// The same as keys of a file that tells what the ledger tells; it knows every record.
std::vector<store::FiledKey> filed_keys(const Wanted& wanted) {
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

/// Where records are read from: the ledger, or a file that tells the same, which is all that there
/// is of a ledger that is far away.
class Records {
 public:
  static Result<Records> open(HookSight& sight, Timestamp now) {
    Records out;
    const std::string state = sight.site->state();
    if (!sight.rules.postgres) {
      out.file_ = store::open_file_of_ledger(state);
      if (out.file_) return out;
      GH_TRY(ledger, store::Ledger::open_sqlite_to_read(state + "/ledger.db"));
      out.ledger_ = std::move(ledger);
      if (out.ledger_ == nullptr) return out;
      GH_TRY(index, out.ledger_->intent_index());
      out.index_ = std::move(index);
      return out;
    }
    GH_TRY(mirror, store::open_mirror(state));
    const std::int64_t age = now.seconds - mirror.written_at.seconds;
    sight.mirror = age_text(age);
    if (age > sight.rules.lease_seconds)
      return fail(Code::ledger_unavailable,
                  fmt::format("the mirror of the registry is {} old; any command of gatehouse "
                              "change renews it",
                              sight.mirror));
    out.file_ = std::move(mirror.file);
    return out;
  }

  Result<std::vector<Intent>> read(const Wanted& wanted) {
    if (file_) return read_file(wanted);
    if (index_ != nullptr) return read_by_index(wanted);
    std::vector<Intent> out;
    if (ledger_ == nullptr) return out;
    const std::vector<std::string> marks = marks_of(wanted);
    GH_TRY(rows, ledger_->open_intents());  // a ledger of an earlier version
    for (const store::IntentRow& row : rows)
      if (may_concern(row.payload.stored_text(), marks))
        add_record(out, row.payload.value(), row.payload.stored_text(), row.fence);
    return out;
  }

 private:
  Result<std::vector<Intent>> read_file(const Wanted& wanted) {
    std::vector<Intent> out;
    GH_TRY(found, file_->with_keys(filed_keys(wanted)));
    for (const store::FiledIntent& one : found)
      if (const auto record = wire::read_own_json(one.record, "record"))
        add_record(out, *record, one.record, one.fence);
    return out;
  }
  Result<std::vector<Intent>> read_by_index(const Wanted& wanted) {
    std::vector<Intent> out;
    GH_TRY(ids, ids_for(*index_, wanted));
    for (const std::string& id : ids) {
      GH_TRY(row, index_->find(id));
      if (row && row->closed_at_utc.empty())
        add_record(out, row->payload.value(), row->payload.stored_text(), row->fence);
    }
    return out;
  }

  std::optional<store::IntentFile> file_{};
  std::unique_ptr<store::Ledger> ledger_{};
  std::unique_ptr<store::IntentIndex> index_{};  // ends before the ledger
};

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

Status read_intents(HookSight& sight, Wanted& wanted, Context& context) {
  GH_TRY(records, Records::open(sight, context.env.now()));
  GH_TRY(intents, records.read(wanted));
  if (!has_own(intents, wanted.session)) {
    wanted.hosts = hosts_above(context);
    wanted.unknown = true;
    GH_TRY(more, records.read(wanted));
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
  Wanted wanted = wanted_by(look);
  if (const Status read = read_intents(sight, wanted, context); !read)
    sight.fault = read.error().message;
  sight.foreign_authorised =
      control::foreign_is_authorised(either_variable(context, "GATEHOUSE_HOOK_AUTHORIZE_FOREIGN",
                                                     "CODECLONE_HOOK_AUTHORIZE_FOREIGN"),
                                     !look.session.empty());
  if (sight.intents.empty()) return;
  const control::Here here{sys::host_id(context.env), sys::boot_id()};
  const control::HookCaller caller{look.session, wanted.hosts};
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
