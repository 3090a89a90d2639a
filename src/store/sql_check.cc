#include "store/sql_check.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "store/audit_index.h"
#include "store/schema.h"
#include "wire/json.h"

namespace gh::store {
namespace {

constexpr std::size_t kMaxOfAKind = 20;
using Lines = std::vector<std::string>;

/// Columns that hold JSON, with the key of their row.
struct JsonColumn {
  std::string_view what, sql;
};
constexpr std::array kJsonColumns{
    JsonColumn{"patch run", "SELECT run_id, body FROM patch_runs"},
    JsonColumn{"attempts of patch run", "SELECT run_id, attempts FROM patch_runs"},
    JsonColumn{"document", "SELECT digest, body FROM documents"},
    JsonColumn{"proposal", "SELECT patch_id, body FROM proposals"},
    JsonColumn{"review of", "SELECT patch_id, reasons_json FROM reviews"},
    JsonColumn{"admission", "SELECT id, checks_json FROM admissions"},
    JsonColumn{"conflict of", "SELECT a, paths_json FROM conflicts"},
    JsonColumn{"summary of analysis run", "SELECT run_id, summary_json FROM analysis_runs"},
    JsonColumn{"intent", "SELECT intent_id, payload_json FROM intents"},
};

/// Calls fn(query) for each row until there are none or it has said enough.
template <class Fn>
Status each_row(Connection& db, std::string_view sql, Fn fn) {
  GH_TRY(query, db.query(sql, Fetch::streamed));
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return {};
    fn(query);
  }
}

void add(Lines& out, std::size_t& count, std::string line) {
  if (++count <= kMaxOfAKind) out.push_back(std::move(line));
}

Status check_json(Connection& db, Lines& out) {
  for (const JsonColumn& column : kJsonColumns) {
    std::size_t count = 0;
    GH_DO(each_row(db, column.sql, [&](const Query& q) {
      if (!wire::read_own_json(q.text(1), column.what))
        add(out, count, fmt::format("{} {} cannot be read", column.what, q.text(0)));
    }));
  }
  return {};
}

Status check_blobs(Connection& db, Lines& out) {
  for (const std::string_view sql :
       {"SELECT sha256, bytes FROM blobs", "SELECT sha256, bytes FROM run_parts"}) {
    std::size_t count = 0;
    GH_DO(each_row(db, sql, [&](const Query& q) {
      if (!is_digest_of(q.text(0), q.text(1)))
        add(out, count, fmt::format("the bytes kept as {} are other ones", q.text(0)));
    }));
  }
  return {};
}

constexpr std::string_view kWrongCounts =
    "SELECT promotion_status FROM proposal_counts c WHERE n <> "
    "(SELECT count(*) FROM proposals p WHERE p.promotion_status = c.promotion_status) "
    "UNION SELECT promotion_status FROM proposals WHERE promotion_status NOT IN "
    "(SELECT promotion_status FROM proposal_counts)";

Status check_counts(Connection& db, Lines& out) {
  return each_row(db, kWrongCounts, [&](const Query& q) {
    out.push_back(fmt::format("the number of proposals in state '{}' is wrong", q.text(0)));
  });
}

using Pair = std::pair<std::string, std::int64_t>;

Result<std::vector<Pair>> indexed_pairs(Connection& db) {
  std::vector<Pair> out;
  GH_DO(each_row(db, "SELECT patch_id, seq FROM audit_proposals ORDER BY patch_id, seq",
                 [&](const Query& q) { out.emplace_back(q.text(0), q.number(1)); }));
  return out;
}

Result<std::vector<Pair>> named_pairs(Connection& db) {
  std::vector<Pair> out;
  GH_DO(each_row(db, "SELECT seq, subject FROM audit ORDER BY seq", [&](const Query& q) {
    const auto subject = wire::read_own_json(q.text(1), "subject");
    if (!subject || subject->as_map() == nullptr) return;  // the chain check names it
    for (std::string& patch_id : proposals_named(*subject->as_map()))
      out.emplace_back(std::move(patch_id), q.number(0));
  }));
  std::ranges::sort(out);
  return out;
}

/// The chain does not cover the index, so it is compared with what the chain says.
Status check_index(Connection& db, Lines& out) {
  GH_TRY(indexed, indexed_pairs(db));
  GH_TRY(named, named_pairs(db));
  std::vector<Pair> apart;
  std::ranges::set_symmetric_difference(indexed, named, std::back_inserter(apart));
  std::size_t count = 0;
  for (const auto& [patch_id, seq] : apart)
    add(out, count,
        fmt::format("audit_proposals and audit row {} disagree about proposal {}", seq, patch_id));
  return {};
}

Status insert_row(Connection& to, std::string_view sql, const std::vector<Cell>& row) {
  GH_TRY(insert, to.query(sql));
  for (const Cell& cell : row) {
    if (const auto* number = std::get_if<std::int64_t>(&cell))
      insert.bind(*number);
    else if (const auto* text = std::get_if<std::string>(&cell))
      insert.bind(*text);
    else if (const auto* blob = std::get_if<Blob>(&cell))
      insert.bind(Bytes{blob->bytes});
    else
      insert.bind_null();
  }
  return insert.run();
}

/// The same migrations made both, so columns stand in the same order.
Status copy_table(Connection& from, Connection& to, std::string_view table) {
  GH_DO(to.execute(fmt::format("DELETE FROM {}", table)));
  GH_TRY(query, from.query(fmt::format("SELECT * FROM {}", table), Fetch::streamed));
  std::string insert;
  while (true) {
    GH_TRY(found, query.step());
    if (!found) return {};
    std::vector<Cell> row;
    for (int column = 0; column < query.columns(); ++column)
      row.push_back(query.cell(column));
    if (insert.empty()) {
      insert = fmt::format("INSERT INTO {} VALUES(?", table);
      for (std::size_t i = 1; i < row.size(); ++i)
        insert += ",?";
      insert += ")";
    }
    GH_DO(insert_row(to, insert, row));
  }
}

}  // namespace

Result<std::vector<std::string>> defects(Connection& db) {
  GH_TRY(out, db.self_check());
  GH_TRY(transaction, Transaction::begin_reading(db));
  GH_DO(check_json(db, out));
  GH_DO(check_blobs(db, out));
  GH_DO(check_index(db, out));
  GH_DO(check_counts(db, out));
  GH_DO(transaction.commit());
  return std::move(out);
}

Status copy_tables(Connection& from, Connection& to) {
  GH_TRY(reading, Transaction::begin_reading(from));
  GH_TRY(writing, Transaction::begin(to, Durability::durable));
  for (const std::string_view table : tables())
    GH_DO(copy_table(from, to, table));
  GH_DO(writing.commit());
  return reading.commit();
}

}  // namespace gh::store
