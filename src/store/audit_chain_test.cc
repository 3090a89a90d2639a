#include "store/audit_chain.h"

#include <functional>

#include <gtest/gtest.h>

namespace gh::store {
namespace {

AuditEvent event(const char* ts, const char* name, const char* severity, Value actor,
                 const char* surface, Map subject, Value payload) {
  return {parse_timestamp(ts).value(), name,   severity, std::move(actor), surface,
          std::move(subject),          payload};
}

AuditEvent first_event() {
  return event("2026-01-02T03:04:05Z", "patch.checked", "info",
               Map{{"name", "local:1000"}, {"kind", "human"}, {"via", "local"}}, "cli",
               Map{{"patch_run_id", "prun-0123456789abcdef"}}, Map{{"n", 1}, {"code", "PATCH_OK"}});
}

// The digests were computed with sha256sum over JSON typed by hand.
constexpr const char* kHash1 = "aed5581355a6a5c403e6b8ba22bd0494b59017c082b8ee0b1e61339ee78b7704";
constexpr const char* kHash2 = "f386d1230b34d352bb317f422a2c61058b2b82a86000b31ddb1fc6e56a89ec12";
constexpr const char* kHash3 = "061e833ea9236d21a1d21793c67e8dd69840c340c914e798689b24ce99e5d1e5";

TEST(AuditChain, RowsHashToTheDigestsComputedElsewhere) {
  const AuditColumns one = make_link(first_event(), 1, kFirstPrevHash);
  EXPECT_EQ(one.prev_hash, std::string(64, '0'));
  EXPECT_EQ(*one.payload, R"({"code":"PATCH_OK","n":1})");
  EXPECT_EQ(one.payload_sha256, "86ce9b4df4f06e7b73232f35c98d4e065374641da3433ed8a603bd98b310e04f");
  EXPECT_EQ(one.hash, kHash1);

  const AuditColumns two = make_link(
      event("2026-01-02T03:04:06Z", "patch.rejected", "warn",
            Map{{"via", "token"}, {"kind", "agent"}, {"name", "codex"}}, "mcp", Map{}, nullptr),
      2, one.hash);
  EXPECT_EQ(*two.payload, "{}");
  EXPECT_EQ(two.payload_sha256, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  EXPECT_EQ(two.hash, kHash2);

  const AuditColumns three =
      make_link(event("2026-12-31T23:59:59Z", "patch.unfrozen", "error",
                      Map{{"name", "ann"}, {"kind", "human"}, {"via", "key"}}, "http",
                      Map{{"ref", "refs/heads/main"}, {"commit", "ab"}},
                      Map{{"reason", "caf\xC3\xA9 \"x\""}}),
                3, two.hash);
  EXPECT_EQ(three.payload_sha256,
            "30abcf158e38520e7f65327e6d458f460f04e9e4c20482b489e626ed6726a180");
  EXPECT_EQ(three.hash, kHash3);
}

struct Tampering {
  const char* what;
  std::function<void(AuditColumns&)> change;
};

TEST(AuditChain, ALinkHoldsOnlyWhileNoColumnIsTouched) {
  const AuditColumns row = make_link(first_event(), 1, kFirstPrevHash);
  ASSERT_TRUE(link_holds(row, 1, kFirstPrevHash));
  const Tampering changes[] = {
      {"seq", [](AuditColumns& r) { r.seq = 2; }},
      {"ts", [](AuditColumns& r) { r.ts = "2026-01-02T03:04:06Z"; }},
      {"event", [](AuditColumns& r) { r.event = "patch.applied"; }},
      {"severity", [](AuditColumns& r) { r.severity = "warn"; }},
      {"actor", [](AuditColumns& r) { r.actor = R"({"kind":"human","name":"x","via":"local"})"; }},
      {"actor, white space only",
       [](AuditColumns& r) { r.actor = R"({"kind":"human","name":"local:1000", "via":"local"})"; }},
      {"actor, key order only",
       [](AuditColumns& r) { r.actor = R"({"name":"local:1000","kind":"human","via":"local"})"; }},
      {"actor, no JSON", [](AuditColumns& r) { r.actor = "local:1000"; }},
      {"actor, no number of ours", [](AuditColumns& r) { r.actor = "[1.5e300]"; }},
      {"surface", [](AuditColumns& r) { r.surface = "ci"; }},
      {"subject", [](AuditColumns& r) { r.subject = "{}"; }},
      {"payload", [](AuditColumns& r) { r.payload = R"({"code":"PATCH_OK","n":2})"; }},
      {"payload and its digest",
       [](AuditColumns& r) {
         r.payload = "{}";
         r.payload_sha256 = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
       }},
      {"payload_sha256", [](AuditColumns& r) { r.payload_sha256[0] = 'f'; }},
      {"prev_hash", [](AuditColumns& r) { r.prev_hash[63] = '1'; }},
      {"hash", [](AuditColumns& r) { r.hash[0] = 'b'; }},
  };
  for (const Tampering& tampering : changes) {
    SCOPED_TRACE(tampering.what);
    AuditColumns changed = row;
    tampering.change(changed);
    EXPECT_FALSE(link_holds(changed, 1, kFirstPrevHash));
  }
}

TEST(AuditChain, AColumnCannotReachIntoItsNeighbour) {
  // Same bytes under the hash, cut at another place: the subject's first member becomes columns.
  AuditEvent sly = first_event();
  const std::string other(64, 'a');
  sly.subject = Map{{"a", 1},
                    {"event", "patch.applied"},
                    {"payload_sha256", other},
                    {"prev_hash", std::string(kFirstPrevHash)},
                    {"seq", 1},
                    {"severity", "info"},
                    {"subject", Map{}}};
  const AuditColumns row = make_link(sly, 1, kFirstPrevHash);
  AuditColumns moved = row;
  moved.actor = row.actor + R"(,"event":"patch.checked","payload_sha256":")" + row.payload_sha256 +
                R"(","prev_hash":")" + row.prev_hash +
                R"(","seq":1,"severity":"info","subject":{"a":1)";
  moved.event = "patch.applied";
  moved.payload_sha256 = other;
  moved.payload.reset();
  moved.subject = "{}}";
  EXPECT_TRUE(link_holds(row, 1, kFirstPrevHash));
  EXPECT_FALSE(link_holds(moved, 1, kFirstPrevHash));
}

TEST(AuditChain, TheHashSurvivesTheLossOfAnInfoPayloadAndNoOther) {
  AuditColumns info = make_link(first_event(), 1, kFirstPrevHash);
  info.payload.reset();
  EXPECT_TRUE(link_holds(info, 1, kFirstPrevHash));

  AuditEvent warning = first_event();
  warning.severity = "warn";
  AuditColumns warn = make_link(warning, 1, kFirstPrevHash);
  warn.payload.reset();
  EXPECT_FALSE(link_holds(warn, 1, kFirstPrevHash));
}

TEST(AuditChain, ARowReadsBackAsTheEventThatWasWritten) {
  const AuditRow row = to_audit_row(make_link(first_event(), 7, kHash2)).value();
  EXPECT_EQ(row.seq, 7);
  EXPECT_EQ(to_string(row.event.ts), "2026-01-02T03:04:05Z");
  EXPECT_EQ(row.event.subject, (Map{{"patch_run_id", "prun-0123456789abcdef"}}));
  EXPECT_EQ(row.event.payload, Value(Map{{"n", 1}, {"code", "PATCH_OK"}}));
  EXPECT_EQ(row.prev_hash, kHash2);
}

}  // namespace
}  // namespace gh::store
