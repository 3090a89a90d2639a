#include "store/sqlite.h"

#include <array>
#include <cstdint>
#include <map>

#include <fmt/format.h>
#include <sqlite3.h>

namespace gh::store {
namespace {

/// Twice the largest diff that is accepted: a row holds it and little else.
constexpr int kMaxValueBytes = 128 << 20;
/// Short, because whoever opens a ledger that nobody has open reads its log from one end to the
/// other: 100 pages take well under 1 ms.
constexpr int kCheckpointPages = 100;
/// A soft change does not flush, and a checkpoint would: it is left to the next durable one, until
/// the log is as long as SQLite itself lets it become.
constexpr int kSoftCheckpointPages = 1000;
constexpr int kRetryPauseMs = 5;

struct Cause {
  int code;  // primary result code
  std::string_view words;
};
constexpr std::array kCauses{
    Cause{SQLITE_FULL, "the disk is full"},
    Cause{SQLITE_READONLY, "it cannot be written (read-only)"},
    Cause{SQLITE_PERM, "permission denied"},
    Cause{SQLITE_BUSY, "another process holds its lock"},
    Cause{SQLITE_LOCKED, "another process holds its lock"},
    Cause{SQLITE_CORRUPT, "the file is damaged"},
    Cause{SQLITE_NOTADB, "the file is damaged or no ledger"},
    Cause{SQLITE_CANTOPEN, "it cannot be opened or created"},
    Cause{SQLITE_IOERR, "input/output error"},
    Cause{SQLITE_TOOBIG, "a value is too large"},
    Cause{SQLITE_CONSTRAINT, "a record with that key is there already"},
};

Error failure(const std::string& path, int code, const char* message) {
  const bool taken = (code & 0xFF) == SQLITE_CONSTRAINT;
  std::string_view words = "SQLite error";
  for (const Cause& cause : kCauses)
    if (cause.code == (code & 0xFF)) words = cause.words;
  return Error{taken ? Code::conflict : Code::ledger_unavailable,
               fmt::format("ledger {}: {} ({})", path, words, message)};
}

bool is_busy(int code) { return (code & 0xFF) == SQLITE_BUSY; }

class SqliteStatement final : public Statement {
 public:
  SqliteStatement(sqlite3* db, sqlite3_stmt* statement, const std::string* path)
      : db_(db), statement_(statement), path_(path) {}
  SqliteStatement(const SqliteStatement&) = delete;
  SqliteStatement& operator=(const SqliteStatement&) = delete;
  ~SqliteStatement() override { sqlite3_finalize(statement_); }

  void bind_text(std::string_view text) override {
    // A null pointer would bind NULL; an empty text is a text.
    const char* bytes = text.data() == nullptr ? "" : text.data();
    note(sqlite3_bind_text64(statement_, ++bound_, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8));
  }
  void bind_bytes(std::string_view bytes) override {
    const char* start = bytes.data() == nullptr ? "" : bytes.data();
    note(sqlite3_bind_blob64(statement_, ++bound_, start, bytes.size(), SQLITE_STATIC));
  }
  void bind_number(std::int64_t number) override {
    note(sqlite3_bind_int64(statement_, ++bound_, number));
  }
  void bind_null() override { note(sqlite3_bind_null(statement_, ++bound_)); }

  Result<bool> step() override {
    if (bind_error_ != 0)
      return tl::make_unexpected(failure(*path_, bind_error_, sqlite3_errstr(bind_error_)));
    const int result = sqlite3_step(statement_);
    if (result == SQLITE_ROW) return true;
    if (result == SQLITE_DONE) return false;
    return tl::make_unexpected(failure(*path_, result, sqlite3_errmsg(db_)));
  }

  void reset() override {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
    bound_ = bind_error_ = 0;
  }

  int columns() const override { return sqlite3_column_count(statement_); }
  bool is_null(int column) const override {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
  }
  std::string text(int column) const override {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    if (bytes == nullptr) return {};
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }
  std::int64_t number(int column) const override {
    return sqlite3_column_int64(statement_, column);
  }
  Cell cell(int column) const override {
    switch (sqlite3_column_type(statement_, column)) {
      case SQLITE_NULL:
        return nullptr;
      case SQLITE_INTEGER:
        return number(column);
      case SQLITE_BLOB:
        return Blob{{}, text(column)};
      default:
        return text(column);
    }
  }

 private:
  void note(int result) {
    if (result != SQLITE_OK) bind_error_ = result;
  }
  sqlite3* db_;
  sqlite3_stmt* statement_;
  const std::string* path_;
  int bound_ = 0, bind_error_ = 0;
};

class SqliteConnection final : public Connection {
 public:
  explicit SqliteConnection(std::string path) : path_(std::move(path)) {}
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;
  ~SqliteConnection() override {
    prepared_.clear();
    sqlite3_close(db_);
  }

  Status open(std::int64_t busy_timeout_ms, Access);

  const std::string& name() const override { return path_; }
  std::string_view backend() const override { return "sqlite"; }
  Result<Query> query(std::string_view sql, Fetch) override;
  Status execute(std::string_view sql) override {
    return checked(sqlite3_exec(db_, std::string(sql).c_str(), nullptr, nullptr, nullptr));
  }
  Status define(std::string_view sql) override { return execute(sql); }
  std::int64_t changes() const override { return sqlite3_changes64(db_); }

  Status begin(Durability durability) override {
    GH_DO(set_durability(durability));
    const Status begun = run("BEGIN IMMEDIATE");
    lock_refused_ = !begun && is_busy(sqlite3_errcode(db_));
    return begun;
  }
  Status begin_reading() override { return run("BEGIN"); }
  Status commit() override { return run("COMMIT"); }
  void roll_back() override {
    if (sqlite3_get_autocommit(db_) == 0) (void)execute("ROLLBACK");
  }
  bool lock_refused() const override { return lock_refused_; }
  Result<std::optional<Timestamp>> server_time() override { return std::nullopt; }

  Result<std::pair<std::int64_t, bool>> tables() override {
    GH_TRY(query, this->query("SELECT count(*), coalesce(sum(name = 'meta'), 0) "
                              "FROM sqlite_schema",
                              Fetch::all));
    GH_DO(query.step());
    return std::pair{query.number(0), query.flag(1)};
  }
  Status prepare_schema() override { return {}; }
  Result<std::vector<std::string>> self_check() override;
  Status compact() override;
  Status copy_to(const std::string& file) override;

 private:
  void configure(std::int64_t busy_timeout_ms);
  Status use_log();
  Status run(std::string_view sql) {
    GH_TRY(query, this->query(sql, Fetch::all));
    return query.run();
  }
  Status checked(int result) const {
    if (result != SQLITE_OK)
      return tl::make_unexpected(failure(path_, result, sqlite3_errmsg(db_)));
    return {};
  }
  /// `synchronous` belongs to the connection and cannot change inside a transaction.
  Status set_durability(Durability durability) {
    if (durability_ == durability) return {};
    GH_DO(execute(durability == Durability::durable ? "PRAGMA synchronous=FULL"
                                                    : "PRAGMA synchronous=NORMAL"));
    durability_ = durability;
    return {};
  }
  /// What SQLite calls after each commit with the pages that the log holds now.
  static int logged(void* self, sqlite3*, const char*, int pages) {
    static_cast<SqliteConnection*>(self)->shorten_log(pages);
    return SQLITE_OK;
  }
  /// Into the file, and away: that a log was taken over is known only while somebody has it open.
  /// The next process would read all of it again, and take it over again. No failure where others
  /// read in it; who writes next tries again.
  void shorten_log(int pages) {
    const bool is_durable = durability_ == Durability::durable;
    if (pages < (is_durable ? kCheckpointPages : kSoftCheckpointPages)) return;
    int in_log = 0, taken = 0;
    const int result =
        sqlite3_wal_checkpoint_v2(db_, nullptr, SQLITE_CHECKPOINT_PASSIVE, &in_log, &taken);
    if (!is_durable || result != SQLITE_OK || taken < in_log) return;
    sqlite3_busy_timeout(db_, 0);
    sqlite3_wal_checkpoint_v2(db_, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    sqlite3_busy_timeout(db_, static_cast<int>(busy_timeout_ms_));
  }

  std::string path_;
  sqlite3* db_ = nullptr;
  std::int64_t busy_timeout_ms_ = 0;
  std::optional<Durability> durability_;
  bool lock_refused_ = false;
  std::map<std::string, SqliteStatement, std::less<>> prepared_;
  /// Statements by where their text lies; the text itself decides.
  struct Asked {
    const char* from = nullptr;
    const std::string* text = nullptr;
    SqliteStatement* statement = nullptr;
  };
  std::array<Asked, 64> asked_{};
};

Status SqliteConnection::open(std::int64_t busy_timeout_ms, Access access) {
  const int how =
      access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int flags = how | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE;
  const int result = sqlite3_open_v2(path_.c_str(), &db_, flags, nullptr);
  if (result != SQLITE_OK)
    return tl::make_unexpected(
        failure(path_, result, db_ != nullptr ? sqlite3_errmsg(db_) : sqlite3_errstr(result)));
  configure(busy_timeout_ms);
  return access == Access::read ? Status() : use_log();
}

void SqliteConnection::configure(std::int64_t busy_timeout_ms) {
  busy_timeout_ms_ = busy_timeout_ms;
  sqlite3_busy_timeout(db_, static_cast<int>(busy_timeout_ms));
  sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  sqlite3_wal_hook(db_, logged, this);
  // The file may have been written by somebody else: its schema may call no functions, and an
  // ordinary close leaves the log alone (a checkpoint would cost two flushes per command).
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

Status SqliteConnection::use_log() {
  // The change to WAL does not wait for the busy timeout by itself when two processes create the
  // ledger at once.
  int result = SQLITE_OK;
  for (std::int64_t waited = 0; waited <= busy_timeout_ms_; waited += kRetryPauseMs) {
    result = sqlite3_exec(db_, "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
    if (!is_busy(result)) break;
    sqlite3_sleep(kRetryPauseMs);
  }
  return checked(result);
}

Result<Query> SqliteConnection::query(std::string_view sql, Fetch) {
  // Nearly every statement is a constant and comes from where it came from last time.
  Asked& asked = asked_[(reinterpret_cast<std::uintptr_t>(sql.data()) >> 3U) % asked_.size()];
  if (asked.from == sql.data() && *asked.text == sql) return Query(asked.statement);
  if (const auto known = prepared_.find(sql); known != prepared_.end()) {
    asked = {sql.data(), &known->first, &known->second};
    return Query(&known->second);
  }
  sqlite3_stmt* statement = nullptr;
  GH_DO(checked(sqlite3_prepare_v3(db_, sql.data(), static_cast<int>(sql.size()),
                                   SQLITE_PREPARE_PERSISTENT, &statement, nullptr)));
  return Query(&prepared_.try_emplace(std::string(sql), db_, statement, &path_).first->second);
}

Result<std::vector<std::string>> SqliteConnection::self_check() {
  std::vector<std::string> defects;
  GH_TRY(query, this->query("PRAGMA integrity_check(20)", Fetch::all));
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return defects;
    if (query.text(0) != "ok") defects.push_back(query.text(0));
  }
}

Status SqliteConnection::compact() {
  GH_DO(execute("VACUUM"));
  return execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

/// Through the backup interface, which other writers do not disturb.
Status SqliteConnection::copy_to(const std::string& file) {
  SqliteConnection copy(file);
  int result =
      sqlite3_open_v2(file.c_str(), &copy.db_,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE, nullptr);
  GH_DO(copy.checked(result));
  sqlite3_backup* backup = sqlite3_backup_init(copy.db_, "main", db_, "main");
  if (backup == nullptr) return copy.checked(sqlite3_extended_errcode(copy.db_));
  for (std::int64_t waited = 0; waited <= busy_timeout_ms_; waited += kRetryPauseMs) {
    result = sqlite3_backup_step(backup, -1);
    if (!is_busy(result)) break;
    sqlite3_sleep(kRetryPauseMs);
  }
  const int finished = sqlite3_backup_finish(backup);
  if (result != SQLITE_DONE) return copy.checked(finished != SQLITE_OK ? finished : result);
  return {};
}

}  // namespace

Result<std::unique_ptr<Connection>> connect_sqlite(const std::string& path,
                                                   std::int64_t busy_timeout_ms, Access access) {
  auto connection = std::make_unique<SqliteConnection>(path);
  GH_DO(connection->open(busy_timeout_ms, access));
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace gh::store
