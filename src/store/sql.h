#pragma once
// The one seam to a database: statements with `?` parameters, transactions, and nothing that only
// one of the back ends can do. SQL is written once, in SQLite's words; a back end translates what
// its own dialect calls otherwise. Every failure is ledger_unavailable with the cause in plain
// words, or conflict when a key is taken.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "store/ledger.h"

namespace gh::store {

struct Bytes {
  std::string_view value;
};
using Cell = std::variant<std::nullptr_t, std::int64_t, std::string, Blob>;  // Blob: its bytes only

/// all: the rows are fetched at once. streamed: bit by bit, for a table of any size; without
/// parameters, inside a transaction, and with no other statement on the connection meanwhile.
enum class Fetch : std::uint8_t { all, streamed };

/// read: nothing is made or written through the connection, and it must be there already.
enum class Access : std::uint8_t { write, read };

/// A prepared statement of a back end. Columns are counted from 0.
class Statement {
 public:
  virtual ~Statement() = default;
  virtual void bind_text(std::string_view) = 0;  // must outlive the use
  virtual void bind_bytes(std::string_view) = 0;
  virtual void bind_number(std::int64_t) = 0;
  virtual void bind_null() = 0;
  virtual Result<bool> step() = 0;
  virtual void reset() = 0;  // ready for the next use
  virtual int columns() const = 0;
  virtual bool is_null(int column) const = 0;
  virtual std::string text(int column) const = 0;  // also of bytes
  virtual std::int64_t number(int column) const = 0;
  virtual Cell cell(int column) const = 0;
};

/// One use of a prepared statement: bind in order, step, read columns. Reset on destruction.
class Query {
 public:
  explicit Query(Statement* statement) : statement_(statement) {}
  Query(Query&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Query& operator=(Query&&) = delete;
  ~Query() {
    if (statement_ != nullptr) statement_->reset();
  }

  Query& bind(std::string_view text) {
    return with([&] { statement_->bind_text(text); });
  }
  Query& bind(std::int64_t number) {
    return with([&] { statement_->bind_number(number); });
  }
  Query& bind(Bytes bytes) {
    return with([&] { statement_->bind_bytes(bytes.value); });
  }
  Query& bind(bool flag) { return bind(std::int64_t{flag}); }
  Query& bind(const char*) = delete;  // would become a flag
  Query& bind_null() {
    return with([&] { statement_->bind_null(); });
  }
  template <class... Args>
  Query& bind_all(const Args&... args) {
    (bind(args), ...);
    return *this;
  }
  Result<bool> step() { return statement_->step(); }  // true: a row is there
  Status run() {                                      // for statements without rows
    return step().map([](bool) {});
  }

  int columns() const { return statement_->columns(); }
  std::string text(int column) const { return statement_->text(column); }
  std::int64_t number(int column) const { return statement_->number(column); }
  bool flag(int column) const { return number(column) != 0; }
  Cell cell(int column) const { return statement_->cell(column); }
  std::optional<std::string> optional_text(int column) const {
    if (statement_->is_null(column)) return std::nullopt;
    return statement_->text(column);
  }

 private:
  template <class Fn>
  Query& with(Fn fn) {
    fn();
    return *this;
  }
  Statement* statement_;
};

class Connection {
 public:
  virtual ~Connection() = default;
  /// What messages call the ledger; never holds a password.
  virtual const std::string& name() const = 0;
  virtual std::string_view backend() const = 0;  // sqlite, postgres
  /// Statements are kept prepared by their text.
  virtual Result<Query> query(std::string_view sql, Fetch = Fetch::all) = 0;
  virtual Status execute(std::string_view sql) = 0;  // several statements, no parameters
  virtual Status define(std::string_view sql) = 0;   // tables and indexes, in SQLite's words
  /// Rows changed by the last statement.
  virtual std::int64_t changes() const = 0;
  /// Writers stand in line from here to the end of the transaction.
  virtual Status begin(Durability) = 0;
  virtual Status begin_reading() = 0;  // one state of the data, whatever others write
  virtual Status commit() = 0;
  virtual void roll_back() = 0;
  /// Whether the last `begin` failed because another process held the lock all the time.
  virtual bool lock_refused() const = 0;
  virtual Result<std::optional<Timestamp>> server_time() = 0;  // nullopt: there is no server
  /// Tables of the ledger, and whether `meta` is one of them.
  virtual Result<std::pair<std::int64_t, bool>> tables() = 0;
  virtual Status prepare_schema() = 0;  // inside the transaction that makes the first table
  /// Defects that the database itself finds, in its own words.
  virtual Result<std::vector<std::string>> self_check() = 0;
  virtual Status compact() = 0;  // gives freed room back; outside of a transaction
  virtual Status copy_to(const std::string& file) = 0;  // `file` is new
};

/// Begins now, rolled back on destruction unless committed.
class Transaction {
 public:
  static Result<Transaction> begin(Connection& db, Durability durability) {
    GH_DO(db.begin(durability));
    return Transaction(&db);
  }
  static Result<Transaction> begin_reading(Connection& db) {
    GH_DO(db.begin_reading());
    return Transaction(&db);
  }
  Transaction(Transaction&& other) noexcept : db_(std::exchange(other.db_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction() {
    if (db_ != nullptr) db_->roll_back();
  }
  Status commit() {
    GH_DO(db_->commit());
    db_ = nullptr;
    return {};
  }

 private:
  explicit Transaction(Connection* db) : db_(db) {}
  Connection* db_;
};

/// "ledger NAME: WORDS"
Error damaged(const Connection&, std::string_view what);

}  // namespace gh::store
