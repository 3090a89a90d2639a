/* postgres_commits URL N: microseconds of one durable transaction of bare PostgreSQL that changes a
 * row of state and appends one of the size of an audit row, through libpq with prepared statements.
 */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static PGconn* db;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void check(PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    fprintf(stderr, "%s", PQerrorMessage(db));
    exit(1);
  }
  PQclear(result);
}

static void run(const char* sql) { check(PQexec(db, sql)); }

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  db = PQconnectdb(argv[1]);
  if (PQstatus(db) != CONNECTION_OK) {
    fprintf(stderr, "%s", PQerrorMessage(db));
    return 1;
  }
  const long count = strtol(argv[2], NULL, 10);
  char text[601];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  const char* const values[1] = {text};
  run("SET client_min_messages = error; SET synchronous_commit = on");
  run("DROP TABLE IF EXISTS log, state");
  run("CREATE TABLE log(seq bigserial PRIMARY KEY, text text NOT NULL)");
  run("CREATE TABLE state(id bigint PRIMARY KEY, rev bigint NOT NULL)");
  run("INSERT INTO state VALUES(1, 0)");
  check(PQprepare(db, "i", "INSERT INTO log(text) VALUES($1)", 1, NULL));
  check(PQprepare(db, "u", "UPDATE state SET rev = rev + 1 WHERE id = 1", 0, NULL));
  double start = 0;
  for (long i = -20; i < count; ++i) {
    if (i == 0) start = now();
    run("BEGIN");
    check(PQexecPrepared(db, "i", 1, values, NULL, NULL, 0));
    check(PQexecPrepared(db, "u", 0, NULL, NULL, NULL, 0));
    run("COMMIT");
  }
  printf("%.1f\n", (now() - start) / (double)count);
  run("DROP TABLE log, state");
  PQfinish(db);
  return 0;
}
