#include "control/intent_record.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/digesting.h"
#include "base/text.h"
#include "base/unicode.h"
#include "control/scope_paths.h"
#include "control/snapshot_reading.h"
#include "control/trim.h"
#include "policy/control_policy.h"
#include "wire/json.h"
#include "wire/json_stream.h"

namespace gh::control {
namespace {

constexpr std::size_t kMostCharacters = 4000;
constexpr std::size_t kRunDigits = 8, kOwnerDigits = 6, kMostIdBytes = 128;

bool is_hex64(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// --- reading single members; false: the member breaks its rule
// ------------------------------------

bool read_text(std::string& field, const Value& value) {
  const std::string* text = value.as_string();
  if (text != nullptr) field = *text;
  return text != nullptr;
}
bool read_some_text(std::string& field, const Value& value) {
  return read_text(field, value) && !field.empty();
}
bool read_int(std::int64_t& field, const Value& value, std::int64_t min,
              std::int64_t max = INT64_MAX) {
  const std::int64_t* number = value.as_int();
  if (number == nullptr || *number < min || *number > max) return false;
  field = *number;
  return true;
}
bool read_yes(bool& field, const Value& value) {
  field = value.as_bool() != nullptr && *value.as_bool();
  return field;  // no is told by its absence
}
bool read_time(Timestamp& field, const Value& value) {
  const std::string* text = value.as_string();
  if (text == nullptr) return false;
  const auto time = parse_timestamp(*text);
  if (time) field = *time;
  return time.has_value();
}

/// Sorted by bytes and without repetition, as every list of a record is.
bool read_sorted(std::vector<std::string>& field, const Value* value) {
  const List* list = value == nullptr ? nullptr : value->as_list();
  if (list == nullptr) return false;
  field.clear();
  for (const Value& item : *list) {
    const std::string* text = item.as_string();
    if (text == nullptr || (!field.empty() && *text <= field.back())) return false;
    field.push_back(*text);
  }
  return true;
}

bool has_only(const Map& map, std::initializer_list<std::string_view> names) {
  return std::ranges::all_of(map.entries(), [&](const auto& entry) {
    return std::ranges::find(names, entry.first) != names.end();
  });
}

bool read_scope(Scope& field, const Value& value) {
  const Map* map = value.as_map();
  if (map == nullptr || !has_only(*map, {"allowed_files", "allowed_related", "forbidden"}))
    return false;
  if (!read_sorted(field.allowed_files, map->find("allowed_files")) ||
      !read_sorted(field.allowed_related, map->find("allowed_related")) ||
      !read_sorted(field.forbidden, map->find("forbidden")))
    return false;
  return check_normal(field).has_value();
}

bool read_entry(DirtyEntry& field, const Value& value) {
  const Map* map = value.as_map();
  if (map == nullptr || !has_only(*map, {"status_xy", "digest", "digest_status"})) return false;
  const Value *xy = map->find("status_xy"), *digest = map->find("digest"),
              *status = map->find("digest_status");
  if (xy == nullptr || !read_text(field.status_xy, *xy) || field.status_xy.size() != 2)
    return false;
  if (status == nullptr || status->as_string() == nullptr) return false;
  if (*status->as_string() == "unavailable") return digest == nullptr || digest->is_null();
  if (*status->as_string() != "ok" || digest == nullptr || digest->as_string() == nullptr ||
      !is_hex64(*digest->as_string()))
    return false;
  field.digest = *digest->as_string();
  return true;
}

/// Only counts are kept of too many entries.
bool read_counts(DirtySnapshot& field, const Map& map) {
  const Value *partial = map.find("partial"), *count = map.find("paths_count");
  field.paths_count = static_cast<std::int64_t>(field.entries.size());
  if (partial == nullptr && count == nullptr) return true;
  if (partial == nullptr || partial->as_bool() == nullptr || !*partial->as_bool()) return false;
  field.partial = true;
  return count != nullptr && read_int(field.paths_count, *count, 0);
}

bool read_snapshot(std::optional<DirtySnapshot>& field, const Value& value) {
  const Map* map = value.as_map();
  if (map == nullptr ||
      !has_only(*map, {"git_available", "captured_at_utc", "entries", "partial", "paths_count"}))
    return false;
  const Value *git = map->find("git_available"), *time = map->find("captured_at_utc"),
              *entries = map->find("entries");
  DirtySnapshot snapshot;
  if (git == nullptr || git->as_bool() == nullptr || time == nullptr ||
      !read_time(snapshot.captured_at, *time) || entries == nullptr || entries->as_map() == nullptr)
    return false;
  snapshot.git_available = *git->as_bool();
  for (const auto& [path, entry] : entries->as_map()->entries())
    if (path.empty() || !read_entry(snapshot.entries[path], entry)) return false;
  if (!read_counts(snapshot, *map)) return false;
  field = std::move(snapshot);
  return true;
}

bool read_owner(std::optional<Owner>& field, const Value& value) {
  const Map* map = value.as_map();
  if (map == nullptr) return false;
  Owner owner;
  const auto text = [&](std::string_view name, std::string& into) {
    const Value* given = map->find(name);
    return given == nullptr || read_text(into, *given);
  };
  const auto number = [&](std::string_view name, std::int64_t& into) {
    const Value* given = map->find(name);
    return given == nullptr || read_int(into, *given, 0);
  };
  std::string kind;
  if (!text("kind", kind) || !owner_kind_of(kind)) return false;
  owner.kind = *owner_kind_of(kind);
  if (!text("host_id", owner.host_id) || !text("boot_id", owner.boot_id) ||
      !text("session_id", owner.session_id) || !number("pid", owner.pid) ||
      !number("start_ticks", owner.start_ticks) || !number("host_pid", owner.host_pid) ||
      !number("host_start_ticks", owner.host_start_ticks))
    return false;
  field = std::move(owner);
  return true;
}

bool read_last_check(std::optional<LastCheck>& field, const Value& value) {
  const Map* map = value.as_map();
  if (map == nullptr || map->find("status") == nullptr || map->find("at_utc") == nullptr)
    return false;
  LastCheck check;
  if (!read_some_text(check.status, *map->find("status")) ||
      !read_time(check.at, *map->find("at_utc")))
    return false;
  field = std::move(check);
  return true;
}

bool read_checked_files(std::optional<std::vector<std::string>>& field, const Value& value) {
  std::vector<std::string> files;
  if (!read_sorted(files, &value)) return false;
  field = std::move(files);
  return true;
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(std::ranges::count_if(
      utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// --- the members ---------------------------------------------------------------------------------

using Shown = std::optional<Value>;

/// Which versions have the member: all and always, all but the first, any that wants it, only 3.
enum class In : std::uint8_t { always, since_2, optional, only_3 };

struct Field {
  std::string_view name;
  In in;
  bool (*read)(Intent&, const Value&);
  Shown (*show)(const Intent&);
};

Shown some(Value value) { return value; }
Shown if_any(bool any, Value value) { return any ? Shown(std::move(value)) : Shown(); }
Value time_value(Timestamp t) { return gh::to_string(t); }

// table: intent_record
// clang-format off
constexpr Field kFields[] = {
    {"intent_id", In::always,
     [](Intent& i, const Value& v) { return read_text(i.id, v) && is_safe_intent_id(i.id); },
     [](const Intent& i) { return some(i.id); }},
    {"agent_pid", In::always, [](Intent& i, const Value& v) { return read_int(i.agent_pid, v, 1); },
     [](const Intent& i) { return some(i.agent_pid); }},
    {"agent_start_epoch", In::always,
     [](Intent& i, const Value& v) { return read_int(i.agent_start_epoch, v, 1); },
     [](const Intent& i) { return some(i.agent_start_epoch); }},
    {"agent_label", In::always, [](Intent& i, const Value& v) { return read_text(i.agent_label, v); },
     [](const Intent& i) { return some(i.agent_label); }},
    {"run_id", In::always,
     [](Intent& i, const Value& v) { return read_text(i.run_id, v) && is_hex64(i.run_id); },
     [](const Intent& i) { return some(i.run_id); }},
    {"declared_at_utc", In::always, [](Intent& i, const Value& v) { return read_time(i.declared_at, v); },
     [](const Intent& i) { return some(time_value(i.declared_at)); }},
    {"expires_at_utc", In::always, [](Intent& i, const Value& v) { return read_time(i.expires_at, v); },
     [](const Intent& i) { return some(time_value(i.expires_at)); }},
    {"ttl_seconds", In::always,
     [](Intent& i, const Value& v) {
       return read_int(i.ttl_seconds, v, policy::kTtlRange.min, policy::kTtlRange.max);
     },
     [](const Intent& i) { return some(i.ttl_seconds); }},
    {"status", In::always,
     [](Intent& i, const Value& v) {
       const auto status = v.as_string() == nullptr ? std::nullopt : intent_status_of(*v.as_string());
       if (status) i.status = *status;
       return status.has_value();
     },
     [](const Intent& i) { return some(gh::to_string(i.status)); }},
    {"intent", In::always,
     [](Intent& i, const Value& v) {
       return read_some_text(i.description, v) && characters(i.description) <= kMostCharacters;
     },
     [](const Intent& i) { return some(i.description); }},
    {"scope", In::always, [](Intent& i, const Value& v) { return read_scope(i.scope, v); },
     [](const Intent& i) { return some(scope_value(i.scope)); }},
    {"scope_digest", In::always,  // compared once the scope is known
     [](Intent&, const Value& v) { return v.as_string() != nullptr && is_hex64(*v.as_string()); },
     [](const Intent& i) { return some(scope_digest(i.scope)); }},
    {"blast_radius_summary", In::always,
     [](Intent& i, const Value& v) {
       i.blast_radius_summary = v;
       return v.as_map() != nullptr;
     },
     [](const Intent& i) { return some(i.blast_radius_summary); }},
    {"lease_renewed_at_utc", In::since_2,
     [](Intent& i, const Value& v) { return read_time(i.lease_renewed_at, v); },
     [](const Intent& i) { return some(time_value(i.lease_renewed_at)); }},
    {"lease_seconds", In::since_2,
     [](Intent& i, const Value& v) {
       return read_int(i.lease_seconds, v, policy::kLeaseRange.min, policy::kLeaseRange.max);
     },
     [](const Intent& i) { return some(i.lease_seconds); }},
    {"report_digest", In::since_2, [](Intent& i, const Value& v) { return read_text(i.report_digest, v); },
     [](const Intent& i) { return some(i.report_digest); }},
    {"dirty_snapshot", In::optional,
     [](Intent& i, const Value& v) { return read_snapshot(i.dirty_snapshot, v); },
     [](const Intent& i) { return i.dirty_snapshot ? some(snapshot_value(*i.dirty_snapshot)) : Shown(); }},
    {"owner", In::only_3, [](Intent& i, const Value& v) { return read_owner(i.owner, v); },
     [](const Intent& i) { return i.owner ? some(owner_value(*i.owner)) : Shown(); }},
    {"fence", In::only_3, [](Intent& i, const Value& v) { return read_int(i.fence, v, 1); },
     [](const Intent& i) { return if_any(i.fence != 0, i.fence); }},
    {"passed_by", In::only_3, [](Intent& i, const Value& v) { return read_int(i.passed_by, v, 1); },
     [](const Intent& i) { return if_any(i.passed_by != 0, i.passed_by); }},
    {"last_check", In::only_3, [](Intent& i, const Value& v) { return read_last_check(i.last_check, v); },
     [](const Intent& i) {
       return i.last_check ? some(Map{{"status", i.last_check->status},
                                      {"at_utc", time_value(i.last_check->at)}})
                           : Shown();
     }},
    {"checked_files", In::only_3,
     [](Intent& i, const Value& v) { return read_checked_files(i.checked_files, v); },
     [](const Intent& i) { return i.checked_files ? some(string_list(*i.checked_files)) : Shown(); }},
    {"worktree", In::only_3, [](Intent& i, const Value& v) { return read_some_text(i.worktree, v); },
     [](const Intent& i) { return if_any(!i.worktree.empty(), i.worktree); }},
    {"landing", In::only_3, [](Intent& i, const Value& v) { return read_yes(i.landing, v); },
     [](const Intent& i) { return if_any(i.landing, true); }},
    {"expected_effects", In::only_3,
     [](Intent& i, const Value& v) { return read_sorted(i.expected_effects, &v); },
     [](const Intent& i) { return if_any(!i.expected_effects.empty(), string_list(i.expected_effects)); }},
    {"dirty_scope_policy", In::only_3,
     [](Intent& i, const Value& v) { return read_some_text(i.dirty_scope_policy, v); },
     [](const Intent& i) { return if_any(!i.dirty_scope_policy.empty(), i.dirty_scope_policy); }},
};
// clang-format on

// table: registry_versions
constexpr std::array<std::string_view, 3> kVersions{"1", "2", "3"};

bool is_in(In in, std::size_t version) {
  return in == In::always || in == In::optional ||
         (in == In::since_2 ? version >= 2 : version == 3);
}
bool is_required(In in, std::size_t version) {
  return in == In::always || (in == In::since_2 && version >= 2);
}

tl::unexpected<Error> corrupted(std::string_view member, std::string_view what) {
  return fail(Code::json_invalid,
              fmt::format("intent record: {}: {}", printable(member, 60), what));
}

/// Everything of the record that has a row of its own besides the members above.
bool is_frame(std::string_view name) { return name == "registry_version" || name == "integrity"; }

/// Only what can be written canonically has a digest.
bool is_canonical(const Value& record) {
  std::vector<const Value*> open{&record};
  while (!open.empty()) {
    const Value& next = *open.back();
    open.pop_back();
    if (std::holds_alternative<Number>(next.data())) return false;
    if (const List* list = next.as_list())
      for (const Value& item : *list)
        open.push_back(&item);
    if (const Map* map = next.as_map())
      for (const auto& [key, item] : map->entries())
        open.push_back(&item);
  }
  return true;
}

std::string payload_digest(const Map& record) {
  Map payload = record;
  payload.erase("integrity");
  return digest_of(wire::canonical_json(payload)).hex();
}

/// Is that the digest of the canonical text without the member that states it?
bool is_digest_of_rest(std::string_view text, std::string_view digest) {
  const std::string member = fmt::format(R"("integrity":{{"payload_sha256":"{}"}},)", digest);
  const std::size_t at = text.find(member);
  if (at == text.npos) return false;
  Digesting rest;
  rest.add(text.substr(0, at));
  rest.add(text.substr(at + member.size()));
  return equal_in_constant_time(digest, rest.hex());
}

/// What stands behind `member` up to `end`, when the member is there once: no text can hold it, as
/// the quotes of a text are escaped. Looked for without its first quote, which is everywhere.
std::optional<std::string_view> only_one(std::string_view text, std::string_view member, char end) {
  member.remove_prefix(1);
  const std::size_t at = text.find(member);
  if (at == text.npos || at == 0 || text[at - 1] != '"') return {};
  const std::size_t from = at + member.size();
  if (text.find(member, from) != text.npos) return {};
  const std::size_t to = text.find(end, from);
  if (to == text.npos) return {};
  return text.substr(from, to - from);
}

Status check_integrity(const Map& record, std::string_view text) {
  const Value* integrity = record.find("integrity");
  const Map* map = integrity == nullptr ? nullptr : integrity->as_map();
  const Value* stated = map == nullptr ? nullptr : map->find("payload_sha256");
  if (stated == nullptr || stated->as_string() == nullptr || !has_only(*map, {"payload_sha256"}))
    return corrupted("integrity", "expected {payload_sha256}");
  if (!is_digest_of_rest(text, *stated->as_string()) &&
      !equal_in_constant_time(*stated->as_string(), payload_digest(record)))
    return corrupted("integrity.payload_sha256", "is not the digest of the record");
  return {};
}

Result<std::size_t> version_of(const Map& record) {
  const Value* given = record.find("registry_version");
  const std::string* text = given == nullptr ? nullptr : given->as_string();
  const auto row = text == nullptr ? kVersions.end() : std::ranges::find(kVersions, *text);
  if (row == kVersions.end())
    return corrupted("registry_version", "expected \"1\", \"2\" or \"3\"");
  return static_cast<std::size_t>(row - kVersions.begin()) + 1;
}

/// Members without a row: kept from version 3 on, an error before.
Status keep_unknown(Intent& intent, const Map& record, std::size_t version) {
  for (const auto& [name, value] : record.entries()) {
    const auto* row = std::ranges::find(kFields, name, &Field::name);
    if (is_frame(name) || (row != std::end(kFields) && is_in(row->in, version))) continue;
    if (version < 3) return corrupted(name, fmt::format("unknown in version {}", version));
    intent.unknown.set(name, value);
  }
  return {};
}

Status check_together(const Intent& intent, const Map& record, std::size_t version) {
  if (*record.find("scope_digest")->as_string() != scope_digest(intent.scope))
    return corrupted("scope_digest", "is not the digest of the scope");
  if (intent.expires_at.seconds < intent.declared_at.seconds + intent.ttl_seconds)
    return corrupted("expires_at_utc", "ends before the time to live does");
  if (version < 3 && intent.dirty_snapshot && intent.dirty_snapshot->partial)
    return corrupted("dirty_snapshot", "a partial snapshot needs version 3");
  return {};
}

bool needs_version_3(const Intent& intent) {
  return !intent.unknown.empty() || (intent.dirty_snapshot && intent.dirty_snapshot->partial) ||
         std::ranges::any_of(kFields, [&](const Field& field) {
           return field.in == In::only_3 && field.show(intent).has_value();
         });
}

}  // namespace

Value scope_value(const Scope& scope) {
  return Map{{"allowed_files", string_list(scope.allowed_files)},
             {"allowed_related", string_list(scope.allowed_related)},
             {"forbidden", string_list(scope.forbidden)}};
}

std::string scope_digest(const Scope& scope) {
  // Canonical JSON of scope_value, which every look at a record asks for.
  std::string text;
  const auto add = [&](std::string_view before, const std::vector<std::string>& list) {
    text += before;
    for (const std::string& entry : list) {
      if (&entry != &list.front()) text += ',';
      wire::append_canonical(text, entry);
    }
    text += ']';
  };
  add(R"({"allowed_files":[)", scope.allowed_files);
  add(R"(,"allowed_related":[)", scope.allowed_related);
  add(R"(,"forbidden":[)", scope.forbidden);
  return digest_of(text += '}').hex();
}

std::optional<DirtySnapshot> snapshot_from(const Value& value) {
  std::optional<DirtySnapshot> out;
  return read_snapshot(out, value) ? out : std::nullopt;
}

Value snapshot_value(const DirtySnapshot& snapshot) {
  std::vector<std::pair<std::string, Value>> entries;
  for (const auto& [path, entry] : snapshot.entries)
    entries.emplace_back(path, Map{{"status_xy", entry.status_xy},
                                   {"digest", entry.digest ? Value(*entry.digest) : Value()},
                                   {"digest_status", entry.digest ? "ok" : "unavailable"}});
  Map out{{"git_available", snapshot.git_available},
          {"captured_at_utc", time_value(snapshot.captured_at)},
          {"entries", Map(std::move(entries))}};
  if (snapshot.partial) {
    out.set("partial", true);
    out.set("paths_count", snapshot.paths_count);
  }
  return out;
}

Value owner_value(const Owner& owner) {
  return Map{{"kind", gh::to_string(owner.kind)}, {"host_id", owner.host_id},
             {"boot_id", owner.boot_id},          {"pid", owner.pid},
             {"start_ticks", owner.start_ticks},  {"session_id", owner.session_id},
             {"host_pid", owner.host_pid},        {"host_start_ticks", owner.host_start_ticks}};
}

Value to_record(const Intent& intent) {
  Map record{{"registry_version", kVersions[needs_version_3(intent) ? 2 : 1]}};
  for (const Field& field : kFields)
    if (Shown value = field.show(intent)) record.set(std::string(field.name), std::move(*value));
  for (const auto& [name, value] : intent.unknown.entries())
    if (record.find(name) == nullptr) record.set(name, value);
  Value out = std::move(record);
  std::string digest = digest_of(wire::canonical_json(out)).hex();
  out.as_map()->set("integrity", Map{{"payload_sha256", std::move(digest)}});
  return out;
}

Result<Intent> from_record(const Value& value, std::string_view text) {
  const Map* record = value.as_map();
  if (record == nullptr) return corrupted("record", "expected a mapping");
  if (!is_canonical(value)) return corrupted("record", "has a number without canonical form");
  GH_TRY(version, version_of(*record));
  GH_DO(check_integrity(*record, text));
  Intent intent;
  for (const Field& field : kFields) {
    const Value* given = record->find(field.name);
    if (given == nullptr && is_required(field.in, version)) return corrupted(field.name, "missing");
    if (given == nullptr || !is_in(field.in, version)) continue;
    if (!field.read(intent, *given)) return corrupted(field.name, "breaks its rule");
  }
  if (version == 1) intent.lease_renewed_at = intent.declared_at;
  GH_DO(keep_unknown(intent, *record, version));
  GH_DO(check_together(intent, *record, version));
  return intent;
}

std::string with_lease(std::string_view text, const Intent& renewed) {
  const auto digest = only_one(text, R"("integrity":{"payload_sha256":")", '"');
  const auto time = only_one(text, R"("lease_renewed_at_utc":")", '"');
  const auto seconds = only_one(text, R"("lease_seconds":)", ',');
  if (!digest || !time || !seconds || !is_hex64(*digest)) return {};
  const auto offset = [&](std::string_view part) {
    return static_cast<std::size_t>(part.data() - text.data());
  };
  constexpr std::string_view kClose = R"("},)";
  const std::string member = fmt::format(R"("integrity":{{"payload_sha256":"{}"}},)", *digest);
  const std::size_t begin = offset(*digest) + digest->size() + kClose.size() - member.size();
  const std::size_t end = begin + member.size();
  if (text.substr(begin, member.size()) != member || offset(*time) < end ||
      offset(*seconds) < offset(*time))
    return {};
  // The digest comes where the old one was, once the rest is known.
  std::string out;
  out.reserve(text.size() + 16);
  out.append(text.substr(0, offset(*time)));
  const std::size_t after_time = offset(*time) + time->size();
  out.append(gh::to_string(renewed.lease_renewed_at))
      .append(text.substr(after_time, offset(*seconds) - after_time))
      .append(fmt::to_string(renewed.lease_seconds))
      .append(text.substr(offset(*seconds) + seconds->size()));
  Digesting made;
  made.add(std::string_view(out).substr(0, begin));
  made.add(std::string_view(out).substr(end));
  out.replace(offset(*digest), digest->size(), made.hex());
  return out;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < b.size(); ++i)
    difference |=
        static_cast<unsigned char>(i < a.size() ? a[i] : '\0') ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

std::string owner_identity(std::int64_t agent_pid, std::int64_t agent_start_epoch,
                           const Owner* owner) {
  return fmt::format("{}\n{}\n{}\n{}", agent_pid, agent_start_epoch,
                     owner == nullptr ? "" : owner->session_id,
                     owner == nullptr ? "" : owner->host_id);
}

std::string compose_intent_id(std::string_view run_id, std::int64_t sequence,
                              std::string_view owner_identity) {
  return fmt::format("intent-{}-{:03}-{}", run_id.substr(0, kRunDigits), sequence,
                     digest_of(owner_identity).hex().substr(0, kOwnerDigits));
}

bool is_safe_intent_id(std::string_view id) {
  if (id.empty() || id.size() > kMostIdBytes || !is_alnum(id[0])) return false;
  return std::ranges::all_of(
      id, [](char c) { return is_alnum(c) || c == '.' || c == '_' || c == '-'; });
}

std::string stored_description(std::string_view text) {
  text = trimmed(text);
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U && ++seen > kMostCharacters)
      return std::string(trimmed(text.substr(0, i)));
  return std::string(text);
}

}  // namespace gh::control
