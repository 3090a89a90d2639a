// `audit log`, `audit export` and `audit verify`.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/patch_session.h"
#include "ops/proposal_mirror.h"
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

std::string rows_text(const Rows& rows, const report::Look&) {
  if (rows.empty()) return "no rows\n";
  std::string out;
  for (const store::AuditRow& row : rows)
    out += fmt::format("{:>6}  {}  {:<16} {:<12} {}\n", row.seq, to_string(row.event.ts),
                       row.event.event, report::clipped(actor_name(row.event.actor), 40),
                       printable(wire::canonical_json(row.event.subject), 200));
  return out;
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
  GH_TRY(ledger, ledger_to_read(context));
  std::int64_t broken = 0, rows = 0;
  if (ledger != nullptr) {
    GH_TRY(first, ledger->first_broken_link());
    broken = first;
    GH_TRY(last, ledger->last_seq());
    rows = last;
  }
  const std::string says = broken == 0
                               ? fmt::format("the audit chain holds, {} rows", rows)
                               : fmt::format("AUDIT_BROKEN: the chain breaks at row {}", broken);
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.audit_check/1"},
                       {"ok", broken == 0},
                       {"code", broken == 0 ? "AUDIT_OK" : "AUDIT_BROKEN"},
                       {"first_broken_seq", broken == 0 ? Value() : Value(broken)},
                       {"rows", rows},
                       {"message", says},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [says](const report::Look&) { return says + "\n"; };
  if (broken != 0) {
    reply.exit = ExitCode::denied;
    reply.why = says;
  }
  return reply;
}

}  // namespace gh::ops
