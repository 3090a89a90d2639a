#include "store/postgres.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "base/url.h"
#include "store/libpq.h"
#include "store/schema.h"
#include "store/sql_check.h"
#include "store/sqlite.h"

namespace gh::store {
namespace {

constexpr std::size_t kSchemaDigits = 16;
constexpr std::string_view kLockNotAvailable = "55P03";
constexpr int kBinary = 1;
/// Rows of a cursor that are fetched at once.
constexpr std::int64_t kFirstPage = 16, kPageRows = 2000, kPageBytes = 4 << 20;
constexpr Oid kByteaType = 17, kBigintType = 20, kIntegerType = 23;
constexpr std::int64_t kUnsentDataMs = 30'000;  // then a server that is away counts as lost
/// A process that hangs inside a transaction must not lock everybody else out. One that was stopped
/// while it waited for the lock gets it all the same; nothing of ours lets the server wait so long.
constexpr std::int64_t kIdleInTransactionMs = 10'000, kBetweenTriesMs = 50;

/// What SQLite's words in a table definition are called here. Text is compared by its bytes, as
/// there, whatever the language of the database.
struct Word {
  std::string_view sqlite, postgres;
};
constexpr std::array kWords{
    Word{GH_EDITED_BY_HAND,
         "CREATE OR REPLACE FUNCTION intents_edited() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
         "DELETE FROM intent_heads WHERE repo_id = OLD.repo_id AND intent_id = OLD.intent_id; "
         "RETURN NULL; END $$; "
         "CREATE TRIGGER intents_edited AFTER UPDATE OF payload_json ON intents FOR EACH ROW "
         "WHEN (NEW.rev = OLD.rev) EXECUTE FUNCTION intents_edited();"},
    Word{" STRICT, WITHOUT ROWID", ""},
    Word{" STRICT", ""},
    Word{"INTEGER", "BIGINT"},
    Word{"TEXT", "TEXT COLLATE \"C\""},
    Word{"BLOB", "BYTEA"},
};

/// The longest prefix of the SQLSTATE decides; rows with a longer one come first.
struct Cause {
  std::string_view state, words;
};
constexpr std::array kCauses{
    Cause{"57P0", "the server is away (it shuts down or starts)"},
    Cause{"53100", "the server's disk is full"},
    Cause{"53300", "the server takes no more connections"},
    Cause{"53", "the server lacks resources"},
    Cause{"58030", "input/output error on the server"},
    Cause{kLockNotAvailable, "another process holds its lock"},
    Cause{"40P01", "another process holds its lock"},
    Cause{"25006", "it cannot be written (read-only)"},
    Cause{"25P03", "the transaction took too long"},
    Cause{"42501", "permission denied"},
    Cause{"28", "the server refuses the user"},
    Cause{"3D000", "there is no such database"},
    Cause{"XX001", "the database is damaged"},
    Cause{"XX002", "the database is damaged"},
    Cause{"22021", "a text holds bytes that are no UTF-8"},
    Cause{"08", "the connection to the server is lost"},
    Cause{"23", "a record with that key is there already"},
};

std::string_view words_for(std::string_view state) {
  for (const Cause& cause : kCauses)
    if (state.starts_with(cause.state)) return cause.words;
  return "PostgreSQL error";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// "?" becomes $1, $2, …; our statements hold no question mark otherwise.
std::string numbered(std::string_view sql) {
  std::string out;
  int n = 0;
  for (const char c : sql)
    out += c == '?' ? fmt::format("${}", ++n) : std::string(1, c);
  return out;
}

std::array<char, 8> big_endian(std::int64_t number) {
  std::array<char, 8> out{};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<char>(static_cast<std::uint64_t>(number) >> (56 - 8 * i));
  return out;
}

std::int64_t from_big_endian(std::string_view bytes) {
  std::uint64_t out = !bytes.empty() && (bytes[0] & 0x80) != 0 ? ~std::uint64_t{0} : 0;
  for (const char c : bytes)
    out = out << 8 | static_cast<std::uint8_t>(c);
  return static_cast<std::int64_t>(out);
}

struct ResultDeleter {
  const Libpq* pq;
  void operator()(PGresult* result) const { pq->PQclear(result); }
};
using PgResult = std::unique_ptr<PGresult, ResultDeleter>;

/// Parameters in the binary form of their type: no text is ever quoted or cut at a zero byte.
class Parameters {
 public:
  void add_text(std::string_view text) { slots_.push_back({text, {}, Kind::bytes}); }
  void add_number(std::int64_t n) { slots_.push_back({{}, big_endian(n), Kind::number}); }
  void add_null() { slots_.push_back({{}, {}, Kind::null}); }
  void clear() { slots_.clear(); }

  struct Arrays {
    std::vector<const char*> values;
    std::vector<int> lengths, formats;
    int count() const { return static_cast<int>(values.size()); }
  };
  Arrays arrays() const {
    Arrays out;
    for (const Slot& slot : slots_) {
      const char* bytes = slot.text.data() == nullptr ? "" : slot.text.data();
      out.values.push_back(slot.kind == Kind::null     ? nullptr
                           : slot.kind == Kind::number ? slot.number.data()
                                                       : bytes);
      out.lengths.push_back(
          static_cast<int>(slot.kind == Kind::number ? slot.number.size() : slot.text.size()));
      out.formats.push_back(kBinary);
    }
    return out;
  }

 private:
  enum class Kind : std::uint8_t { null, number, bytes };
  struct Slot {
    std::string_view text;
    std::array<char, 8> number;
    Kind kind;
  };
  std::vector<Slot> slots_;
};

/// One session with the server: opened, opened again, and its failures in words.
class Session {
 public:
  Session(const Libpq* pq, std::string url, std::string schema, std::int64_t busy_timeout_ms,
          Access access)
      : pq_(pq),
        url_(std::move(url)),
        schema_(std::move(schema)),
        name_(fmt::format("{} schema {}", without_password(url_), schema_)),
        busy_timeout_ms_(busy_timeout_ms),
        access_(access) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { pq_->PQfinish(connection_); }

  Status open();
  const Libpq& pq() const { return *pq_; }
  PGconn* connection() const { return connection_; }
  const std::string& schema() const { return schema_; }
  const std::string& name() const { return name_; }
  /// Counts the openings: what was prepared before is unknown to the server now.
  int generation() const { return generation_; }
  bool lost() const { return pq_->PQstatus(connection_) != CONNECTION_OK; }
  PgResult own(PGresult* result) const { return PgResult(result, ResultDeleter{pq_}); }
  bool succeeded(const PgResult&) const;
  bool may_write() const { return access_ == Access::write; }
  Error failure(const PgResult&) const;
  std::string_view state(const PgResult&) const;  // SQLSTATE of a failure; empty: none is known
  Status check(const PgResult& result) const {
    if (succeeded(result)) return {};
    return tl::make_unexpected(failure(result));
  }
  PgResult exec(const std::string& sql) const { return own(pq_->PQexec(connection_, sql.c_str())); }

 private:
  Status read_password();
  PGconn* connect() const;
  Error failure(std::string_view words, std::string_view message) const;

  const Libpq* pq_;
  std::string url_, schema_, name_, password_;
  std::int64_t busy_timeout_ms_;
  Access access_;
  PGconn* connection_ = nullptr;
  int generation_ = 0;
};

/// libpq's own complaint about an address quotes parts of it, so it is not repeated.
Status Session::read_password() {
  char* defect = nullptr;
  PQconninfoOption* const options = pq_->PQconninfoParse(url_.c_str(), &defect);
  pq_->PQfreemem(defect);
  if (options == nullptr)
    return fail(Code::ledger_unavailable,
                fmt::format("ledger {}: store.url is no address of PostgreSQL", name_));
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option)
    if (std::string_view(option->keyword) == "password" && option->val != nullptr)
      password_ = option->val;
  pq_->PQconninfoFree(options);
  return {};
}

PGconn* Session::connect() const {
  // What stands before the address is a default that the address may change.
  const std::string seconds = fmt::to_string(std::max<std::int64_t>(2, busy_timeout_ms_ / 1000));
  const std::string unsent = fmt::to_string(kUnsentDataMs);
  const std::array<const char*, 6> keys{"connect_timeout", "tcp_user_timeout",
                                        "client_encoding", "fallback_application_name",
                                        "dbname",          nullptr};
  const std::array<const char*, 6> values{seconds.c_str(), unsent.c_str(), "UTF8",
                                          "gatehouse",     url_.c_str(),   nullptr};
  return pq_->PQconnectdbParams(keys.data(), values.data(), 1);
}

/// The three ways of a server to say that it has no connection to spare (SQLSTATE 53300, which
/// libpq does not hand out for a connection that failed).
bool is_full(std::string_view message) {
  return contains(message, "too many clients") || contains(message, "connection slots") ||
         contains(message, "too many connections");
}

Status Session::open() {
  if (connection_ == nullptr) GH_DO(read_password());
  for (std::int64_t waited = 0;; waited += kBetweenTriesMs) {
    pq_->PQfinish(connection_);
    connection_ = connect();
    // A full server is busy, as one with a lock is: the others end soon.
    if (!lost() || !is_full(pq_->PQerrorMessage(connection_)) || waited >= busy_timeout_ms_) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(kBetweenTriesMs));
  }
  ++generation_;
  if (lost())
    return tl::make_unexpected(
        failure("the server cannot be reached or refuses us", pq_->PQerrorMessage(connection_)));
  pq_->PQsetNoticeProcessor(
      connection_, [](void*, const char*) {}, nullptr);
  return check(exec(
      fmt::format("SET search_path TO {}; SET lock_timeout = {}; SET client_encoding = 'UTF8'; "
                  "SET idle_in_transaction_session_timeout = {}; "
                  "SET default_transaction_read_only = {}",
                  schema_, busy_timeout_ms_, kIdleInTransactionMs, may_write() ? "off" : "on")));
}

bool Session::succeeded(const PgResult& result) const {
  const ExecStatusType status = pq_->PQresultStatus(result.get());
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_SINGLE_TUPLE;
}

Error Session::failure(std::string_view words, std::string_view message) const {
  std::string text = replaced(std::string(message), password_, "***");
  while (text.ends_with('\n'))
    text.pop_back();
  return Error{Code::ledger_unavailable,
               fmt::format("ledger {}: {} ({})", name_, words,
                           printable(replaced(std::move(text), "\n", " "), 400))};
}

Error Session::failure(const PgResult& result) const {
  const std::string_view sqlstate = state(result);
  const char* message = pq_->PQresultErrorField(result.get(), PG_DIAG_MESSAGE_PRIMARY);
  if (sqlstate.empty()) return failure("the server is away", pq_->PQerrorMessage(connection_));
  Error error = failure(words_for(sqlstate), message != nullptr ? message : sqlstate);
  if (sqlstate.starts_with("23")) error.code = Code::conflict;
  return error;
}

std::string_view Session::state(const PgResult& result) const {
  const char* found = pq_->PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
  return found == nullptr ? std::string_view() : found;
}

class PostgresConnection;

class PostgresStatement final : public Statement {
 public:
  PostgresStatement(PostgresConnection& owner, const Session& session, std::string sql,
                    std::string name, Fetch fetch)
      : owner_(owner),
        session_(session),
        sql_(std::move(sql)),
        name_(std::move(name)),
        fetch_(fetch),
        result_(session.own(nullptr)) {}

  void bind_text(std::string_view text) override { parameters_.add_text(text); }
  void bind_bytes(std::string_view bytes) override { parameters_.add_text(bytes); }
  void bind_number(std::int64_t number) override { parameters_.add_number(number); }
  void bind_null() override { parameters_.add_null(); }
  Result<bool> step() override;
  void reset() override;

  int columns() const override { return pq().PQnfields(result_.get()); }
  bool is_null(int column) const override {
    return pq().PQgetisnull(result_.get(), row_, column) != 0;
  }
  std::string text(int column) const override { return std::string(bytes(column)); }
  std::int64_t number(int column) const override { return from_big_endian(bytes(column)); }
  Cell cell(int column) const override {
    if (is_null(column)) return nullptr;
    const Oid type = pq().PQftype(result_.get(), column);
    if (type == kBigintType || type == kIntegerType) return number(column);
    if (type == kByteaType) return Blob{{}, text(column)};
    return text(column);
  }

  /// Sends the statement; the result is one of libpq's, success or not.
  PgResult start();

 private:
  const Libpq& pq() const { return session_.pq(); }
  std::string_view bytes(int column) const {
    return {pq().PQgetvalue(result_.get(), row_, column),
            static_cast<std::size_t>(pq().PQgetlength(result_.get(), row_, column))};
  }
  PgResult prepare();
  void ask_for_more();
  PgResult take_asked();
  Status fetch_more();

  PostgresConnection& owner_;
  const Session& session_;
  std::string sql_, name_;
  Fetch fetch_;
  Parameters parameters_;
  PgResult result_;
  int row_ = -1, prepared_in_ = 0;
  std::int64_t page_ = kFirstPage;
  bool started_ = false, asked_ = false;
};

class PostgresConnection final : public Connection {
 public:
  PostgresConnection(const Libpq* pq, const std::string& url, std::string schema,
                     std::int64_t busy_timeout_ms, Access access)
      : session_(pq, url, std::move(schema), busy_timeout_ms, access) {}

  Status open() { return session_.open(); }

  const std::string& name() const override { return session_.name(); }
  std::string_view backend() const override { return "postgres"; }
  Result<Query> query(std::string_view sql, Fetch fetch) override {
    auto known = prepared_.find(sql);
    if (known == prepared_.end())
      known = prepared_
                  .try_emplace(std::string(sql), *this, session_, numbered(sql),
                               fmt::format("s{}", prepared_.size()), fetch)
                  .first;
    return Query(&known->second);
  }
  Status execute(std::string_view sql) override {
    GH_TRY(result, run([&] { return session_.exec(std::string(sql)); }));
    note_changes(result);
    return {};
  }
  Status define(std::string_view sql) override {
    std::string text(sql);
    for (const Word& word : kWords)
      text = replaced(std::move(text), word.sqlite, word.postgres);
    return execute(text);
  }
  std::int64_t changes() const override { return changes_; }

  Status begin(Durability durability) override {
    if (!session_.may_write())
      return fail(Code::ledger_unavailable,
                  fmt::format("ledger {}: it cannot be written (opened to read)", name()));
    // One message to the server. The lock is asked for first and each later statement sees what
    // was committed until then: that keeps the chain free of gaps.
    return start_transaction(fmt::format(
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = {}; "
        "SELECT pg_advisory_xact_lock({})",
        durability == Durability::durable ? "on" : "off", lock_key()));
  }
  Status begin_reading() override {
    return start_transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  }
  Status commit() override;
  void roll_back() override {
    if (!session_.lost()) (void)session_.exec("ROLLBACK");
    in_transaction_ = false;
  }
  bool lock_refused() const override { return lock_refused_; }
  Result<std::optional<Timestamp>> server_time() override;

  Result<std::pair<std::int64_t, bool>> tables() override {
    GH_TRY(query, this->query(fmt::format("SELECT count(*), count(*) FILTER (WHERE tablename = "
                                          "'meta') FROM pg_tables WHERE schemaname = '{}'",
                                          session_.schema()),
                              Fetch::all));
    GH_DO(query.step());
    return std::pair{query.number(0), query.flag(1)};
  }
  Status prepare_schema() override {
    return execute(fmt::format("CREATE SCHEMA IF NOT EXISTS {}", session_.schema()));
  }
  Result<std::vector<std::string>> self_check() override;
  Status compact() override {
    for (const std::string_view table : store::tables())
      GH_DO(execute(fmt::format("VACUUM (ANALYZE) {}", table)));
    return {};
  }
  Status copy_to(const std::string& file) override;

  /// Outside of a transaction nothing was promised yet, so a server that was restarted is asked
  /// once more through a new connection.
  template <class Fn>
  Result<PgResult> run(Fn fn) {
    PgResult result = fn();
    if (!session_.succeeded(result) && session_.lost() && !in_transaction_) {
      GH_DO(session_.open());
      result = fn();
    }
    GH_DO(session_.check(result));
    return result;
  }
  void note_changes(const PgResult& result) {
    const std::string_view count = session_.pq().PQcmdTuples(result.get());
    changes_ = 0;
    std::from_chars(count.data(), count.data() + count.size(), changes_);
  }

 private:
  Status read_rows(std::string_view table);
  Status read_table(std::string_view table);
  Status start_transaction(const std::string& sql) {
    const auto begun = run([&] {
      PgResult result = session_.exec(sql);
      lock_refused_ = session_.state(result) == kLockNotAvailable;
      return result;
    });
    if (!begun) {
      roll_back();  // the lock may have been refused after BEGIN
      return tl::make_unexpected(begun.error());
    }
    in_transaction_ = true;
    return {};
  }
  std::int64_t lock_key() const {
    const std::string hex = digest_of("gatehouse " + session_.schema()).hex();
    std::uint64_t key = 0;
    std::from_chars(hex.data(), hex.data() + 16, key, 16);
    return static_cast<std::int64_t>(key);
  }

  Session session_;
  std::int64_t changes_ = 0;
  bool in_transaction_ = false, lock_refused_ = false;
  std::map<std::string, PostgresStatement, std::less<>> prepared_;
};

PgResult PostgresStatement::prepare() {
  PgResult result =
      session_.own(pq().PQprepare(session_.connection(), name_.c_str(), sql_.c_str(), 0, nullptr));
  if (session_.succeeded(result)) prepared_in_ = session_.generation();
  return result;
}

PgResult PostgresStatement::start() {
  if (fetch_ == Fetch::streamed)
    return session_.exec(fmt::format("DECLARE {} NO SCROLL CURSOR FOR {}", name_, sql_));
  if (prepared_in_ != session_.generation())
    if (PgResult prepared = prepare(); !session_.succeeded(prepared)) return prepared;
  const auto p = parameters_.arrays();
  return session_.own(pq().PQexecPrepared(session_.connection(), name_.c_str(), p.count(),
                                          p.values.data(), p.lengths.data(), p.formats.data(),
                                          kBinary));
}

void PostgresStatement::ask_for_more() {
  const std::string sql = fmt::format("FETCH {} FROM {}", page_, name_);
  asked_ = pq().PQsendQueryParams(session_.connection(), sql.c_str(), 0, nullptr, nullptr, nullptr,
                                  nullptr, kBinary) != 0;
}

/// What was asked for; one result and the end of it.
PgResult PostgresStatement::take_asked() {
  PgResult result = session_.own(pq().PQgetResult(session_.connection()));
  while (result != nullptr && session_.own(pq().PQgetResult(session_.connection())) != nullptr) {
  }
  asked_ = false;
  return result;
}

/// The next rows of the cursor: as many as will be some megabytes, judged by the last ones. The
/// server prepares the rows behind them while ours are looked at.
Status PostgresStatement::fetch_more() {
  if (!asked_) ask_for_more();
  result_ = take_asked();
  GH_DO(session_.check(result_));
  const int rows = pq().PQntuples(result_.get());
  std::int64_t bytes = 1;
  for (row_ = 0; row_ < rows; ++row_)
    for (int column = 0; column < columns(); ++column)
      bytes += pq().PQgetlength(result_.get(), row_, column);
  row_ = 0;
  if (rows == 0) return {};
  page_ = std::clamp<std::int64_t>(kPageBytes * rows / bytes, 1, kPageRows);
  ask_for_more();
  return {};
}

Result<bool> PostgresStatement::step() {
  if (!started_) {
    GH_TRY(result, owner_.run([&] { return start(); }));
    result_ = std::move(result);
    started_ = true;
    row_ = -1;
    if (fetch_ == Fetch::all) owner_.note_changes(result_);
  }
  if (++row_ < pq().PQntuples(result_.get())) return true;
  if (fetch_ == Fetch::all) return false;
  GH_DO(fetch_more());
  return pq().PQntuples(result_.get()) > 0;
}

void PostgresStatement::reset() {
  if (asked_) (void)take_asked();
  if (started_ && fetch_ == Fetch::streamed) (void)session_.exec("CLOSE " + name_);
  started_ = false;
  result_ = session_.own(nullptr);
  parameters_.clear();
}

Status PostgresConnection::commit() {
  const PgResult result = session_.exec("COMMIT");
  in_transaction_ = false;
  if (!session_.succeeded(result) && session_.lost())
    return fail(Code::ledger_unavailable,
                fmt::format("ledger {}: the server went away before it confirmed the change; it "
                            "may or may not have been recorded",
                            name()));
  GH_DO(session_.check(result));
  // The server answers COMMIT of a failed transaction with success, and takes it back.
  if (std::string_view(session_.pq().PQcmdStatus(result.get())) != "COMMIT")
    return fail(Code::ledger_unavailable,
                fmt::format("ledger {}: the server took the change back", name()));
  return {};
}

/// Of this moment, not of the transaction's begin, which may have waited for its lock.
Result<std::optional<Timestamp>> PostgresConnection::server_time() {
  GH_TRY(query, this->query("SELECT CAST(floor(extract(epoch FROM clock_timestamp())) AS BIGINT)",
                            Fetch::all));
  GH_DO(query.step());
  return Timestamp{query.number(0)};
}

Status PostgresConnection::read_rows(std::string_view table) {
  GH_TRY(query, this->query(fmt::format("SELECT * FROM {}", table), Fetch::streamed));
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return {};
  }
}

/// Reads every page that holds a row, which finds what checksums and row headers can tell.
Status PostgresConnection::read_table(std::string_view table) {
  GH_TRY(transaction, Transaction::begin_reading(*this));
  GH_DO(read_rows(table));
  return transaction.commit();
}

Result<std::vector<std::string>> PostgresConnection::self_check() {
  std::vector<std::string> defects;
  for (const std::string_view table : store::tables())
    if (const Status read = read_table(table); !read) defects.push_back(read.error().message);
  GH_TRY(fsync, this->query("SELECT current_setting('fsync')", Fetch::all));
  GH_DO(fsync.step());
  if (fsync.text(0) != "on")
    defects.emplace_back("the server runs with fsync off: what it confirms may be lost");
  return defects;
}

Status PostgresConnection::copy_to(const std::string& file) {
  GH_TRY(copy, connect_sqlite(file, 0));
  GH_DO(migrate(*copy));
  return copy_tables(*this, *copy);
}

}  // namespace

std::string schema_of(std::string_view repo_id) {
  return "gh_" + std::string(repo_id.substr(0, kSchemaDigits));
}

Result<std::unique_ptr<Connection>> connect_postgres(const std::string& url,
                                                     std::string_view repo_id,
                                                     std::int64_t busy_timeout_ms, Access access) {
  if (repo_id.size() < kSchemaDigits ||
      repo_id.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return fail(Code::ledger_unavailable,
                "a ledger in PostgreSQL needs a repository with at least one commit");
  GH_TRY(pq, load_libpq());
  auto connection =
      std::make_unique<PostgresConnection>(pq, url, schema_of(repo_id), busy_timeout_ms, access);
  GH_DO(connection->open());
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace gh::store
