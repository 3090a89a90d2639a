#pragma once
// Ledgers for tests, on both back ends, with the same rows.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "store/ledger.h"
#include "store/postgres.h"
#include "store/sqlite.h"
#include "sys/env.h"
#include "sys/files.h"
#include "tests/postgres_server.h"

namespace gh::testing {

enum class BackEnd : std::uint8_t { sqlite, postgres };
inline std::string name_of(const ::testing::TestParamInfo<BackEnd>& info) {
  return info.param == BackEnd::sqlite ? "Sqlite" : "Postgres";
}

inline constexpr std::int64_t kBusyMs = 5000;

/// A place for one ledger that nobody else has: a folder, or the id of a repository.
class LedgerPlace {
 public:
  explicit LedgerPlace(BackEnd back_end) : back_end_(back_end) {
    if (back_end == BackEnd::postgres) (void)postgres_server();
  }

  Result<std::unique_ptr<store::Ledger>> try_open(std::int64_t busy_ms = kBusyMs) const {
    if (back_end_ == BackEnd::sqlite) return store::Ledger::open_sqlite(file(), busy_ms);
    return store::Ledger::open_postgres(postgres_server().url(), repo_id_, busy_ms);
  }
  std::unique_ptr<store::Ledger> open(std::int64_t busy_ms = kBusyMs) const {
    auto ledger = try_open(busy_ms);
    EXPECT_TRUE(ledger.has_value()) << (ledger ? "" : ledger.error().message);
    return std::move(*ledger);
  }
  Result<std::unique_ptr<store::Ledger>> open_to_read() const {
    if (back_end_ == BackEnd::sqlite) return store::Ledger::open_sqlite_to_read(file());
    return store::Ledger::open_postgres_to_read(postgres_server().url(), repo_id_);
  }
  /// The database without the ledger's rules, as somebody has it who edits it by hand.
  std::unique_ptr<store::Connection> back_door(store::Access access = store::Access::write) const {
    auto door = back_end_ == BackEnd::sqlite
                    ? store::connect_sqlite(file(), kBusyMs, access)
                    : store::connect_postgres(postgres_server().url(), repo_id_, kBusyMs, access);
    EXPECT_TRUE(door.has_value()) << (door ? "" : door.error().message);
    return std::move(*door);
  }
  void edit(const std::string& sql) const {
    const auto done = back_door()->execute(sql);
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }

  std::string file() const { return folder_.path() + "/ledger.db"; }
  const std::string& folder() const { return folder_.path(); }
  const std::string& repo_id() const { return repo_id_; }

 private:
  BackEnd back_end_;
  sys::TempDir folder_ = std::move(*sys::TempDir::create("/tmp", "gh-ledger-"));
  std::string repo_id_ = sys::real_env().random_hex(40);
};

inline store::AuditEvent event(std::string name = "patch.checked", std::string severity = "info") {
  store::AuditEvent out;
  out.ts = Timestamp{1'767'323'045};
  out.event = std::move(name);
  out.severity = std::move(severity);
  out.actor = Map{{"name", "local:1000"}, {"kind", "human"}, {"via", "local"}};
  out.subject = Map{{"patch_run_id", "prun-0123456789abcdef"}};
  out.payload = Map{{"code", "PATCH_OK"}};
  return out;
}

inline store::AuditEvent proposal_event(const std::string& patch_id) {
  store::AuditEvent out = event("proposal.submitted");
  out.subject = Map{{"proposal_id", patch_id}};
  return out;
}

inline store::AuditEvent intent_event(std::string name) {
  store::AuditEvent out = event(std::move(name));
  out.subject = Map{{"intent_id", "intent-01234567-001-abcdef"}};
  return out;
}

inline store::IntentRow intent_row(std::string id) {
  store::IntentRow row;
  row.intent_id = std::move(id);
  row.agent_pid = 4711;
  row.agent_start_epoch = 1'767'323'000;
  row.declared_at_utc = "2026-01-02T03:04:05Z";
  row.payload = Map{{"status", "active"}};
  return row;
}

inline store::PatchRunRow run_row(std::string id, std::string state = "rejected") {
  store::PatchRunRow row;
  row.run_id = std::move(id);
  row.actor = "local:1000";
  row.base_commit = "abc";
  row.state = std::move(state);
  row.folder = "/runs/" + row.run_id;
  row.attempts = {Map{{"sha256", "11"}}};
  row.body = Map{{"max_attempts", 3}};
  return row;
}

inline store::ProposalRow proposal_row(const std::string& patch_id) {
  store::ProposalRow row;
  row.patch_id = patch_id;
  row.digest = digest_of(patch_id).tagged();
  row.canonical_sha256 = digest_of("canonical " + patch_id).hex();
  row.diff_sha256 = digest_of("diff " + patch_id).hex();
  row.author_agent = "agent-a";
  row.actor = "local:1000";
  row.trust_level = "untrusted";
  row.promotion_status = "proposed";
  row.sub_state = "in_review";
  row.base_commit = "abc";
  row.candidate_tree = "def";
  row.target_ref = "refs/heads/main";
  row.added = 3;
  row.files_n = 1;
  row.created_utc = row.received_utc = row.updated_utc = "2026-01-02T03:04:05Z";
  row.body = Map{{"title", "fix " + patch_id}};
  return row;
}

inline void append_many(store::Ledger& ledger, int count) {
  for (int i = 0; i < count; ++i)
    ASSERT_TRUE(ledger.append(event(), store::Durability::soft).has_value());
}

}  // namespace gh::testing
