#pragma once
// A thin RAII cover of the SQLite calls that the ledger needs. Every failure is ledger_unavailable
// with the cause in plain words; no SQLite type leaves the module.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gh::store {

/// One use of a prepared statement: bind in order, step, read columns. Reset on destruction.
class Query {
 public:
  Query(sqlite3* db, sqlite3_stmt* statement, const std::string* path)
      : db_(db), statement_(statement), path_(path) {}
  Query(Query&&) noexcept;
  Query& operator=(Query&&) = delete;
  ~Query();

  Query& bind(std::string_view text);  // must outlive the query
  Query& bind(std::int64_t number);
  Query& bind_null();
  Result<bool> step();  // true: a row is there
  Status run();         // for statements without rows

  std::string text(int column) const;
  std::optional<std::string> optional_text(int column) const;
  std::int64_t number(int column) const;

 private:
  sqlite3* db_;
  sqlite3_stmt* statement_;
  const std::string* path_;
  int bound_ = 0, bind_error_ = 0;
};

class Database {
 public:
  static Result<std::unique_ptr<Database>> open(const std::string& path,
                                                std::int64_t busy_timeout_ms);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// `sql` is a literal: statements are kept prepared by its address.
  Result<Query> query(const char* sql);
  Status execute(const char* sql);  // several statements, no parameters
  /// Rows changed by the last statement.
  std::int64_t changes() const;
  const std::string& path() const { return path_; }

 private:
  explicit Database(std::string path) : path_(std::move(path)) {}
  Status configure(std::int64_t busy_timeout_ms);

  std::string path_;
  sqlite3* db_ = nullptr;
  std::vector<std::pair<const char*, sqlite3_stmt*>> prepared_;
};

/// BEGIN IMMEDIATE now, ROLLBACK on destruction unless committed.
class Transaction {
 public:
  static Result<Transaction> begin(Database&);
  Transaction(Transaction&& other) noexcept : db_(std::exchange(other.db_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Status commit();

 private:
  explicit Transaction(Database* db) : db_(db) {}
  Database* db_;
};

}  // namespace gh::store
