#include "store/sqlite.h"

#include <array>

#include <fmt/format.h>
#include <sqlite3.h>

namespace gh::store {
namespace {

/// A document in one column; patches themselves live in files.
constexpr int kMaxValueBytes = 64 << 20;
/// Short, because the first opener after a kill reads the log once: 100 pages take well under 1 ms.
constexpr int kCheckpointPages = 100;
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
};

Error failure(const std::string& path, int code, const char* message) {
  std::string_view words = "SQLite error";
  for (const Cause& cause : kCauses)
    if (cause.code == (code & 0xFF)) words = cause.words;
  return Error{Code::ledger_unavailable, fmt::format("ledger {}: {} ({})", path, words, message)};
}

bool is_busy(int code) { return (code & 0xFF) == SQLITE_BUSY; }

}  // namespace

Query::Query(Query&& other) noexcept
    : db_(other.db_),
      statement_(std::exchange(other.statement_, nullptr)),
      path_(other.path_),
      bound_(other.bound_),
      bind_error_(other.bind_error_) {}

Query::~Query() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

Query& Query::bind(std::string_view text) {
  // A null pointer would bind NULL; an empty text is a text.
  const char* bytes = text.data() == nullptr ? "" : text.data();
  const int result =
      sqlite3_bind_text64(statement_, ++bound_, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (result != SQLITE_OK) bind_error_ = result;
  return *this;
}

Query& Query::bind(std::int64_t number) {
  GH_ASSERT(sqlite3_bind_int64(statement_, ++bound_, number) == SQLITE_OK);
  return *this;
}

Query& Query::bind_null() {
  GH_ASSERT(sqlite3_bind_null(statement_, ++bound_) == SQLITE_OK);
  return *this;
}

Result<bool> Query::step() {
  if (bind_error_ != 0)
    return tl::make_unexpected(failure(*path_, bind_error_, sqlite3_errstr(bind_error_)));
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  return tl::make_unexpected(failure(*path_, result, sqlite3_errmsg(db_)));
}

Status Query::run() {
  return step().map([](bool) {});
}

std::optional<std::string> Query::optional_text(int column) const {
  const auto* bytes = sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(bytes),
                     static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::string Query::text(int column) const { return optional_text(column).value_or(""); }

std::int64_t Query::number(int column) const { return sqlite3_column_int64(statement_, column); }

Result<std::unique_ptr<Database>> Database::open(const std::string& path,
                                                 std::int64_t busy_timeout_ms) {
  std::unique_ptr<Database> database(new Database(path));
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                    SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE;
  const int result = sqlite3_open_v2(path.c_str(), &database->db_, flags, nullptr);
  if (result != SQLITE_OK)
    return tl::make_unexpected(failure(
        path, result, database->db_ ? sqlite3_errmsg(database->db_) : sqlite3_errstr(result)));
  GH_DO(database->configure(busy_timeout_ms));
  return database;
}

Status Database::configure(std::int64_t busy_timeout_ms) {
  sqlite3_busy_timeout(db_, static_cast<int>(busy_timeout_ms));
  sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  // The file may have been written by somebody else: its schema may call no functions, and an
  // ordinary close leaves the log alone (a checkpoint would cost two flushes per command).
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_wal_autocheckpoint(db_, kCheckpointPages);
  // The change to WAL does not wait for the busy timeout by itself when two processes create the
  // ledger at once.
  int result = SQLITE_OK;
  for (std::int64_t waited = 0; waited <= busy_timeout_ms; waited += kRetryPauseMs) {
    result = sqlite3_exec(db_, "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
    if (!is_busy(result)) break;
    sqlite3_sleep(kRetryPauseMs);
  }
  if (result != SQLITE_OK) return tl::make_unexpected(failure(path_, result, sqlite3_errmsg(db_)));
  return {};
}

Database::~Database() {
  for (const auto& [sql, statement] : prepared_)
    sqlite3_finalize(statement);
  sqlite3_close(db_);
}

Result<Query> Database::query(const char* sql) {
  for (const auto& [known, statement] : prepared_)
    if (known == sql) return Query(db_, statement, &path_);
  sqlite3_stmt* statement = nullptr;
  const int result =
      sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (result != SQLITE_OK) return tl::make_unexpected(failure(path_, result, sqlite3_errmsg(db_)));
  prepared_.emplace_back(sql, statement);
  return Query(db_, statement, &path_);
}

Status Database::execute(const char* sql) {
  const int result = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) return tl::make_unexpected(failure(path_, result, sqlite3_errmsg(db_)));
  return {};
}

std::int64_t Database::changes() const { return sqlite3_changes64(db_); }

Result<Transaction> Transaction::begin(Database& db) {
  GH_TRY(begin, db.query("BEGIN IMMEDIATE"));
  GH_DO(begin.run());
  return Transaction(&db);
}

Transaction::~Transaction() {
  if (db_ != nullptr) (void)db_->execute("ROLLBACK");
}

Status Transaction::commit() {
  GH_TRY(commit, db_->query("COMMIT"));
  GH_DO(commit.run());
  db_ = nullptr;
  return {};
}

}  // namespace gh::store
