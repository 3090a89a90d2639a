// `audit log`, `audit export` and `audit verify`.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/patch_session.h"
#include "ops/promotion_check.h"
#include "ops/repo_config.h"
#include "ops/support_ops.h"
#include "report/columns.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kPage = 1000;

Result<std::unique_ptr<store::Ledger>> ledger_to_read(Context& context) {
  GH_TRY(repo, open_to_read(context));
  return open_ledger_to_read(repo, context.env);
}

using Rows = std::vector<store::AuditRow>;

/// The newest `limit` rows, oldest first.
Result<Rows> newest_rows(store::Ledger& ledger, std::int64_t limit) {
  GH_TRY(last, ledger.last_seq());
  return ledger.audit_rows(std::max<std::int64_t>(1, last - limit + 1), limit);
}

std::string actor_name(const Value& actor) {
  const Map* map = actor.as_map();
  const Value* name = map == nullptr ? nullptr : map->find("name");
  return name != nullptr && name->as_string() != nullptr ? *name->as_string() : std::string("-");
}

/// Agents of one user are told apart by their sessions.
std::string who(const store::AuditRow& row) {
  const Map* payload = row.event.payload.as_map();
  const Value* session = payload == nullptr ? nullptr : payload->find("session_id");
  const std::string name = actor_name(row.event.actor);
  if (session == nullptr || session->as_string() == nullptr) return name;
  return fmt::format("{}/{}", name, printable(*session->as_string(), 40));
}

std::string rows_text(const Rows& rows, const report::Look&) {
  if (rows.empty()) return "no rows\n";
  std::string out;
  for (const store::AuditRow& row : rows)
    out += fmt::format("{:>6}  {}  {:<16} {:<12} {}\n", row.seq, to_string(row.event.ts),
                       row.event.event, report::clipped(who(row), 40),
                       printable(wire::canonical_json(row.event.subject), 200));
  return out;
}

std::string counted(std::int64_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

Reply verify_reply(std::int64_t broken, std::int64_t rows, bool mirrored,
                   const PromotionCheck& check) {
  std::string code = "AUDIT_OK", says, text;
  List faults;
  for (const RecordFault& f : check.faults) {
    faults.emplace_back(Map{{"patch_id", f.patch_id}, {"code", f.code}, {"message", f.message}});
    text +=
        fmt::format("{}: {}: {}\n", printable(f.patch_id, 100), f.code, printable(f.message, 400));
  }
  if (broken != 0) {
    code = "AUDIT_BROKEN";
    says = fmt::format("AUDIT_BROKEN: the chain breaks at row {}", broken);
  } else if (!check.faults.empty()) {
    const RecordFault& first = check.faults.front();
    code = first.code;
    says = fmt::format("{}: {}: {}", first.code, first.patch_id, first.message);
  } else {
    says = fmt::format("the audit chain holds, {} rows", rows);
    if (check.promotions > 0)
      says += fmt::format("; {} told alike by commit, receipt and record",
                          counted(check.promotions, "promotion"));
  }
  const bool ok = code == "AUDIT_OK";
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.audit_check/1"},
                       {"ok", ok},
                       {"code", code},
                       {"first_broken_seq", broken == 0 ? Value() : Value(broken)},
                       {"rows", rows},
                       {"promotions", check.promotions},
                       {"faults", std::move(faults)},
                       {"source", mirrored ? "refs/gatehouse" : "the ledger"},
                       {"message", says},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  if (text.empty()) text = says + "\n";
  reply.text = [text](const report::Look&) { return text; };
  if (!ok) {
    reply.exit = ExitCode::denied;
    reply.why = says;
  }
  return reply;
}

}  // namespace

Result<Reply> audit_log(const Request& request, Context& context) {
  GH_TRY(ledger, ledger_to_read(context));
  const std::int64_t limit = *request.integer("limit");
  Rows rows;
  if (ledger != nullptr) {
    const auto from = request.integer("from");
    GH_TRY(read, from ? ledger->audit_rows(*from, limit) : newest_rows(*ledger, limit));
    rows = std::move(read);
  }
  List list;
  for (const store::AuditRow& row : rows)
    list.push_back(audit_row_value(row));
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.audit_log/1"},
                       {"rows", std::move(list)},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [rows = std::move(rows)](const report::Look& look) { return rows_text(rows, look); };
  return reply;
}

/// Page by page, so that a chain of any length needs no memory.
Result<Reply> audit_export(const Request& request, Context& context) {
  GH_TRY(ledger, ledger_to_read(context));
  if (ledger == nullptr) return Reply{};
  for (std::int64_t from = request.integer("from").value_or(1); !context.interrupted();) {
    GH_TRY(page, ledger->audit_rows(from, kPage));
    if (page.empty()) break;
    from = page.back().seq + 1;
    std::string lines;
    for (const store::AuditRow& row : page)
      lines += audit_line(row) + "\n";
    GH_DO(context.stream(lines));
  }
  return Reply{};
}

Result<Reply> audit_verify(const Request&, Context& context) {
  GH_TRY(repo, open_to_read(context));
  GH_TRY(ledger, open_ledger_to_read(repo, context.env));
  std::int64_t broken = 0, rows = 0;
  PromotionCheck check;
  if (ledger != nullptr) {
    GH_TRY(first, ledger->first_broken_link());
    broken = first;
    GH_TRY(last, ledger->last_seq());
    rows = last;
  }
  // A clone has the chain in its refs; a ledger that holds nothing yet is no better than none.
  const bool mirrored = rows == 0;
  if (mirrored) {
    GH_TRY(chain, mirrored_chain(repo));
    broken = chain.first_broken;
    rows = chain.rows;
    if (broken == 0) {  // a broken chain says nothing about commits
      GH_TRY(found, check_promotions(repo, chain));
      check = std::move(found);
    }
  } else if (broken == 0) {
    GH_TRY(found, check_promotions(repo, *ledger));
    check = std::move(found);
  }
  return verify_reply(broken, rows, mirrored, check);
}

}  // namespace gh::ops
