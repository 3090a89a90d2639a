#include "store/audit_chain.h"

#include "base/digest.h"
#include "wire/json.h"

namespace gh::store {
namespace {

/// The value of canonical JSON text; absent when the text is anything else, also other white space
/// or key order, so that no change to a column goes unseen.
std::optional<Value> canonical_value(const std::string& text) {
  auto value = wire::read_own_json(text, "audit");
  if (!value || wire::canonical_json(*value) != text) return std::nullopt;
  return std::move(*value);
}

std::string hash_of(const AuditColumns& row, const Value& actor, const Value& subject) {
  return digest_of(wire::canonical_json(Map{{"seq", row.seq},
                                            {"ts", row.ts},
                                            {"event", row.event},
                                            {"severity", row.severity},
                                            {"actor", actor},
                                            {"surface", row.surface},
                                            {"subject", subject},
                                            {"payload_sha256", row.payload_sha256},
                                            {"prev_hash", row.prev_hash}}))
      .hex();
}

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
  row.hash = hash_of(row, event.actor, event.subject);
  return row;
}

bool link_holds(const AuditColumns& row, std::int64_t seq, std::string_view prev_hash) {
  if (row.seq != seq || row.prev_hash != prev_hash || !payload_holds(row)) return false;
  const auto actor = canonical_value(row.actor);
  const auto subject = canonical_value(row.subject);
  return actor && subject && hash_of(row, *actor, *subject) == row.hash;
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
