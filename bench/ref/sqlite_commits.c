/* sqlite_commits FILE N [soft [BYTES [MORE LOG]]]: microseconds of one durable transaction of bare SQLite that
 * changes a row of state and appends one of the size of an audit row. Same journal mode, same
 * flushes, no ledger. soft: without a flush of its own. BYTES: the changed row has a text of that
 * size, which is written anew, and a third row says where the log ends: what a ledger writes. MORE: a
 * fourth one, with a text of that size, and LOG bytes in that of the log.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3* db;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void run(const char* sql) {
  if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
    exit(1);
  }
}

static sqlite3_stmt* prepare(const char* sql) {
  sqlite3_stmt* statement = NULL;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) exit(1);
  return statement;
}

static void step(sqlite3_stmt* statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    exit(1);
  }
  sqlite3_reset(statement);
}

static void number(char* text, long i) {
  char digits[24];
  const int size = snprintf(digits, sizeof digits, "%ld", i);
  if (strlen(text) >= (size_t)size) memcpy(text, digits, (size_t)size);
}

int main(int argc, char** argv) {
  if (argc < 3 || argc > 7 || sqlite3_open(argv[1], &db) != SQLITE_OK) return 2;
  const long count = strtol(argv[2], NULL, 10);
  const long log_bytes = argc == 7 ? strtol(argv[6], NULL, 10) : 600;
  char* const text = calloc((size_t)log_bytes + 1, 1);
  if (text == NULL) return 1;
  memset(text, 'x', (size_t)log_bytes);
  run("PRAGMA journal_mode=WAL");
  run(argc >= 4 ? "PRAGMA synchronous=NORMAL" : "PRAGMA synchronous=FULL");
  run("CREATE TABLE log(seq INTEGER PRIMARY KEY, text TEXT NOT NULL)");
  run("CREATE TABLE state(id INTEGER PRIMARY KEY, rev INTEGER NOT NULL, text TEXT NOT NULL)");
  run("INSERT INTO state VALUES(1, 0, 'x')");
  run("CREATE TABLE head(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  run("INSERT INTO head VALUES('head', 'x')");
  const long more = argc == 7 ? strtol(argv[5], NULL, 10) : 0;
  run("CREATE TABLE extract(id TEXT PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID");
  run("INSERT INTO extract VALUES('id', 'x')");
  const long bytes = argc >= 5 ? strtol(argv[4], NULL, 10) : 0;
  char* const record = calloc((size_t)bytes + 1, 1);
  if (record == NULL) return 1;
  memset(record, 'r', (size_t)bytes);
  sqlite3_stmt* const begin = prepare("BEGIN IMMEDIATE");
  sqlite3_stmt* const insert = prepare("INSERT INTO log(text) VALUES(?)");
  sqlite3_stmt* const update =
      prepare(bytes == 0 ? "UPDATE state SET rev = rev + 1 WHERE id = 1"
                         : "UPDATE state SET rev = rev + 1, text = ? WHERE id = 1");
  sqlite3_stmt* const move = prepare("UPDATE head SET value = ? WHERE key = 'head'");
  sqlite3_stmt* const extract = prepare("UPDATE extract SET text = ? WHERE id = 'id'");
  sqlite3_stmt* const commit = prepare("COMMIT");
  double start = 0;
  for (long i = -20; i < count; ++i) {
    if (i == 0) start = now();
    /* SQLite leaves a row alone that would get the bytes it has. */
    number(text, i);
    number(record, i);
    step(begin);
    sqlite3_bind_text(insert, 1, text, -1, SQLITE_STATIC);
    step(insert);
    if (bytes != 0) sqlite3_bind_text(update, 1, record, -1, SQLITE_STATIC);
    step(update);
    if (bytes != 0) {
      sqlite3_bind_text(move, 1, text, 70, SQLITE_STATIC);
      step(move);
    }
    if (more != 0) {
      sqlite3_bind_blob(extract, 1, record, (int)more, SQLITE_STATIC);
      step(extract);
    }
    step(commit);
  }
  printf("%.1f\n", (now() - start) / (double)count);
  return 0;
}
