#pragma once
// The functions of libpq that the ledger calls, found when the first connection is made: most
// commands never need them, and loading them with the program would cost every start
// (docs/adr/0009).
#include <libpq-fe.h>

#include "base/error.h"

namespace gh::store {

// clang-format off
#define GH_LIBPQ_FUNCTIONS(GH_PQ)                                                                \
  GH_PQ(PQconnectdbParams) GH_PQ(PQfinish) GH_PQ(PQstatus) GH_PQ(PQerrorMessage)                 \
  GH_PQ(PQsetNoticeProcessor) GH_PQ(PQconninfoParse) GH_PQ(PQconninfoFree) GH_PQ(PQfreemem)      \
  GH_PQ(PQexec) GH_PQ(PQprepare) GH_PQ(PQexecPrepared) GH_PQ(PQsendQueryParams) GH_PQ(PQgetResult) \
  GH_PQ(PQresultStatus) GH_PQ(PQresultErrorField)                                                \
  GH_PQ(PQclear) GH_PQ(PQntuples) GH_PQ(PQnfields) GH_PQ(PQftype) GH_PQ(PQgetisnull)             \
  GH_PQ(PQgetvalue) GH_PQ(PQgetlength) GH_PQ(PQcmdTuples) GH_PQ(PQcmdStatus)
// clang-format on

struct Libpq {
#define GH_PQ(name) decltype(&::name) name = nullptr;
  GH_LIBPQ_FUNCTIONS(GH_PQ)
#undef GH_PQ
};

/// ledger_unavailable when the library is not on this machine.
Result<const Libpq*> load_libpq();

}  // namespace gh::store
