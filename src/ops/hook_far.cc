#include "ops/hook_far.h"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "base/product.h"
#include "base/sorted.h"
#include "control/intent_extract.h"
#include "control/intent_record.h"
#include "ops/hook_places.h"
#include "ops/hook_sites.h"
#include "policy/config.h"
#include "store/ledger.h"
#include "sys/files.h"
#include "wire/json.h"
#include "wire/short_json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxConfigBytes = 1u << 20;

Result<hooks::Rules> work_tree_rules(const HookSite& site) {
  auto bytes = sys::read_file(site.found.root + "/" + std::string(kConfigFile), kMaxConfigBytes);
  if (!bytes) return fail(Code::policy_unreadable, std::move(bytes.error().message));
  GH_TRY(config, policy::parse_config(*bytes, kConfigFile));
  return hooks::rules_of(config);
}

/// Texts that a record which concerns the step must hold.
std::vector<std::string> marks_of(const WantedRecords& wanted) {
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

/// Ids of the records that concern the step, each once.
Result<std::vector<std::string>> ids_for(store::IntentIndex& index, const WantedRecords& wanted) {
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
  sort_unique(out);
  return out;
}

/// The ledger and what finds records in it; the index ends before the ledger.
struct OpenLedger {
  std::unique_ptr<store::Ledger> ledger{};
  std::unique_ptr<store::IntentIndex> index{};
};

void add_row(std::vector<Intent>& out, const store::IntentRow& row, const HookFar& far) {
  const std::string_view text = row.payload.stored_text();
  if (const auto record = read_own_document(text, "record", far))
    add_record(out, *record, text, row.fence);
}

Result<std::vector<Intent>> read_by_index(store::IntentIndex& index, const WantedRecords& wanted,
                                          const HookFar& far) {
  std::vector<Intent> out;
  GH_TRY(ids, ids_for(index, wanted));
  for (const std::string& id : ids) {
    GH_TRY(row, index.find(id));
    if (row && row->closed_at_utc.empty()) add_row(out, *row, far);
  }
  return out;
}

Result<std::vector<Intent>> read_ledger(OpenLedger& open, const WantedRecords& wanted,
                                        const HookFar& far) {
  if (open.index != nullptr) return read_by_index(*open.index, wanted, far);
  std::vector<Intent> out;
  if (open.ledger == nullptr) return out;
  far.meet_other_build();  // a ledger of an earlier version: there is no index
  const std::vector<std::string> marks = marks_of(wanted);
  GH_TRY(rows, open.ledger->open_intents());
  for (const store::IntentRow& row : rows)
    if (may_concern(row.payload.stored_text(), marks)) add_row(out, row, far);
  return out;
}

/// What another build compiled is read as well as it can be, until the next step compiles it anew.
void take_other_build() {}

constexpr HookFar kAll{.read_own_json = wire::read_own_json,
                       .work_tree_rules = work_tree_rules,
                       .meet_other_build = take_other_build,
                       .meaning_of = meaning_of,
                       .tampered = tampered_places};

}  // namespace

const HookFar& hook_far() { return kAll; }

Result<Value> read_own_document(std::string_view text, std::string_view name, const HookFar& far) {
  if (auto value = wire::read_own_short_json(text)) return *std::move(value);
  return far.read_own_json(text, name);
}

Result<ReadRecords> open_hook_ledger(const std::string& state, const HookFar& far) {
  const auto open = std::make_shared<OpenLedger>();
  GH_TRY(ledger, store::Ledger::open_sqlite_to_read(state + "/ledger.db"));
  open->ledger = std::move(ledger);
  if (open->ledger != nullptr) {
    GH_TRY(index, open->ledger->intent_index());
    open->index = std::move(index);
  }
  return [open, &far](const WantedRecords& wanted) { return read_ledger(*open, wanted, far); };
}

void add_record(std::vector<Intent>& out, const Value& record, std::string_view text,
                std::int64_t fence) {
  auto intent = control::from_record(record, text);
  if (!intent || is_terminal(intent->status)) return;
  intent->fence = fence;
  out.push_back(std::move(*intent));
}

}  // namespace gh::ops
