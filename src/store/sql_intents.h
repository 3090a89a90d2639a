#pragma once
// Rows of intents: what a decision sees inside its transaction, writing, and reading. Every
// statement is about the ledger's own repository, under whatever id it has by then.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/sql.h"

namespace gh::store {

Result<std::vector<IntentRow>> read_open_intents(Connection&);
Result<std::vector<IntentRow>> read_closed_intents(Connection&, std::int64_t limit);
Result<std::optional<IntentRow>> read_intent(Connection&, std::string_view intent_id);
Result<Timestamp> time_of(Connection&, Timestamp ours);

/// Records that were written before the ledger was told whose it is. Inside a transaction.
Status adopt_intents(Connection&, std::string_view repo_id);

/// The extracts of open records, in a transaction or between them.
class SqlIntentIndex final : public IntentIndex {
 public:
  explicit SqlIntentIndex(Connection& db) : db_(db) {}
  Result<std::vector<IntentRow>> open() override { return read_open_intents(db_); }
  Result<std::vector<IntentHead>> heads() override;
  Result<std::vector<std::string>> with_keys(std::int64_t kind,
                                             std::span<const std::string> keys) override;
  Result<std::vector<std::string>> keys(std::int64_t kind, std::string_view from,
                                        std::string_view to) override;
  Result<std::vector<std::string>> without_extract() override;
  Result<std::optional<IntentRow>> find(std::string_view intent_id) override {
    return read_intent(db_, intent_id);
  }

 private:
  Connection& db_;
};

/// Lives inside one transaction. What was given out through it is written by write_intents.
class SqlIntentView final : public IntentView {
 public:
  SqlIntentView(Connection& db, std::int64_t last_seq, const Clock& ours)
      : db_(db), index_(db), last_seq_(last_seq), ours_(ours) {}

  Result<Timestamp> now() override;
  std::int64_t last_seq() const override { return last_seq_; }
  Result<std::vector<IntentRow>> open() override { return read_open_intents(db_); }
  Result<std::optional<IntentRow>> find(std::string_view intent_id) override {
    return index_.find(intent_id);
  }
  Result<std::vector<IntentHead>> heads() override { return index_.heads(); }
  Result<std::vector<std::string>> with_keys(std::int64_t kind,
                                             std::span<const std::string> keys) override {
    return index_.with_keys(kind, keys);
  }
  Result<std::vector<std::string>> keys(std::int64_t kind, std::string_view from,
                                        std::string_view to) override {
    return index_.keys(kind, from, to);
  }
  Result<std::vector<std::string>> without_extract() override { return index_.without_extract(); }
  Result<std::vector<std::string>> closed_before(Timestamp) override;
  Result<std::int64_t> next_fence() override;

  /// 0: none was given out.
  std::int64_t last_fence() const { return fence_; }

 private:
  Connection& db_;
  SqlIntentIndex index_;
  std::int64_t last_seq_, fence_ = 0;
  const Clock& ours_;
  std::optional<Timestamp> now_;
};

/// Rows and the last fence.
Status write_intents(Connection&, SqlIntentView&, const IntentChange&);

}  // namespace gh::store
