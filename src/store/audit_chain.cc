#include "store/audit_chain.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "wire/json.h"

namespace gh::store {
namespace {

bool needs_no_escape(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

/// `key` and the text as a JSON string. Nearly every column is plain, and a chain is long.
void append_member(std::string& out, std::string_view key, const std::string& text) {
  out += key;
  if (std::ranges::all_of(text, needs_no_escape))
    out.append(1, '"').append(text).append(1, '"');
  else
    out += wire::canonical_json(Value(text));
}

/// Canonical JSON of the row without payload and hash. Actor and subject are in it as they are
/// stored, so that no change to their bytes goes unseen, not even one of white space.
std::string hash_of(const AuditColumns& row) {
  std::string text;
  text.reserve(512 + row.actor.size() + row.subject.size());
  text.append(R"({"actor":)").append(row.actor);
  append_member(text, R"(,"event":)", row.event);
  append_member(text, R"(,"payload_sha256":)", row.payload_sha256);
  append_member(text, R"(,"prev_hash":)", row.prev_hash);
  text.append(R"(,"seq":)").append(fmt::to_string(row.seq));
  append_member(text, R"(,"severity":)", row.severity);
  text.append(R"(,"subject":)").append(row.subject);
  append_member(text, R"(,"surface":)", row.surface);
  append_member(text, R"(,"ts":)", row.ts);
  text += '}';
  return digest_of(text).hex();
}

/// One value and no more: otherwise a column could end inside its neighbour, with the same bytes
/// hashed.
bool is_json(const std::string& text) { return wire::read_own_json(text, "audit").has_value(); }

bool payload_holds(const AuditColumns& row) {
  if (!row.payload) return row.severity == "info";
  return digest_of(*row.payload).hex() == row.payload_sha256;
}

}  // namespace

AuditColumns make_link(const AuditEvent& event, std::int64_t seq, std::string_view prev_hash) {
  AuditColumns row;
  row.seq = seq;
  row.ts = to_string(event.ts);
  row.event = event.event;
  row.severity = event.severity;
  row.actor = wire::canonical_json(event.actor);
  row.surface = event.surface;
  row.subject = wire::canonical_json(event.subject);
  row.payload = event.payload.is_null() ? "{}" : wire::canonical_json(event.payload);
  row.payload_sha256 = digest_of(*row.payload).hex();
  row.prev_hash = prev_hash;
  row.hash = hash_of(row);
  return row;
}

bool link_holds(const AuditColumns& row, std::int64_t seq, std::string_view prev_hash,
                std::string_view good_actor) {
  return row.seq == seq && row.prev_hash == prev_hash && payload_holds(row) &&
         hash_of(row) == row.hash && (row.actor == good_actor || is_json(row.actor)) &&
         is_json(row.subject);
}

Result<AuditRow> to_audit_row(const AuditColumns& row) {
  AuditRow out;
  out.seq = row.seq;
  GH_TRY(ts, parse_timestamp(row.ts));
  GH_TRY(actor, wire::read_own_json(row.actor, "audit actor"));
  GH_TRY(subject, wire::read_own_json(row.subject, "audit subject"));
  GH_TRY(payload, wire::read_own_json(row.payload.value_or("null"), "audit payload"));
  const Map* subject_map = subject.as_map();
  if (subject_map == nullptr) return fail(Code::json_invalid, "audit subject is no mapping");
  out.event = {ts, row.event, row.severity, actor, row.surface, *subject_map, payload};
  out.payload_sha256 = row.payload_sha256;
  out.prev_hash = row.prev_hash;
  out.hash = row.hash;
  return out;
}

}  // namespace gh::store
