// `db check`, `db backup`, `db migrate` and `db vacuum`: looking after the ledger itself.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "model/actor.h"
#include "ops/kept_runs.h"
#include "ops/patch_session.h"
#include "ops/repo_config.h"
#include "ops/support_ops.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;

struct OpenStore {
  policy::StoreConfig config;
  std::unique_ptr<store::Ledger> ledger;
};

Result<OpenStore> open_store(Context& context) {
  GH_TRY(repo, open_to_read(context));
  GH_TRY(config, store_config(repo));
  GH_TRY(ledger, open_ledger(repo, context.env));
  return OpenStore{std::move(config), std::move(ledger)};
}

Map facts_document(std::string_view schema, const store::LedgerFacts& facts) {
  return Map{{"schema", schema},
             {"backend", facts.backend},
             {"ledger", facts.name},
             {"schema_version", facts.schema_version},
             {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
}

Reply reply_of(Map document, std::string says) {
  document.set("message", says);
  Reply reply;
  reply.document = std::move(document);
  reply.text = [says = std::move(says)](const report::Look&) { return says + "\n"; };
  return reply;
}

struct Health {
  std::vector<std::string> defects;
  std::int64_t rows = 0, broken = 0;
};

Result<Health> examine(store::Ledger& ledger) {
  Health out;
  GH_TRY(defects, ledger.check());
  out.defects = std::move(defects);
  GH_TRY(broken, ledger.first_broken_link());
  out.broken = broken;
  if (broken != 0)
    out.defects.push_back(fmt::format("AUDIT_BROKEN: the chain breaks at row {}", broken));
  GH_TRY(rows, ledger.last_seq());
  out.rows = rows;
  return out;
}

std::string health_text(const Health& health, const std::string& name) {
  if (health.defects.empty())
    return fmt::format("ledger {} is sound, {} audit rows", name, health.rows);
  std::string out = fmt::format("ledger {} is damaged", name);
  for (const std::string& defect : health.defects)
    out += "\n  " + printable(defect, 400);
  return out;
}

}  // namespace

Result<Reply> db_check(const Request&, Context& context) {
  GH_TRY(repo, open_to_read(context));
  GH_TRY(ledger, open_ledger_to_read(repo, context.env));
  if (ledger == nullptr)
    return reply_of(Map{{"schema", "gatehouse.ledger_check/1"},
                        {"ok", true},
                        {"backend", nullptr},
                        {"defects", List{}},
                        {"first_broken_seq", nullptr},
                        {"rows", 0}},
                    "there is no ledger yet; the first submission makes it");
  const store::LedgerFacts facts = ledger->facts();
  GH_TRY(health, examine(*ledger));
  const bool ok = health.defects.empty();
  Reply reply =
      reply_of(facts_document("gatehouse.ledger_check/1", facts)
                   .set("ok", ok)
                   .set("defects", string_list(health.defects))
                   .set("first_broken_seq", health.broken == 0 ? Value() : Value(health.broken))
                   .set("rows", health.rows),
               health_text(health, facts.name));
  if (!ok) {
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("the ledger is damaged: {}", printable(health.defects.front(), 200));
  }
  return reply;
}

Result<Reply> db_backup(const Request& request, Context& context) {
  GH_TRY(store, open_store(context));
  const std::string file = request.text("FILE");
  GH_TRY(copy, store.ledger->back_up(file));
  Reply reply = reply_of(facts_document("gatehouse.ledger_backup/1", store.ledger->facts())
                             .set("path", file)
                             .set("ok", copy.first_broken_seq == 0)
                             .set("rows", copy.rows),
                         fmt::format("{} holds the whole ledger as an SQLite file, {} audit rows",
                                     printable(file, 400), copy.rows));
  if (copy.first_broken_seq != 0) {
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("the audit chain of the copy breaks at row {}", copy.first_broken_seq);
  }
  return reply;
}

Result<Reply> db_migrate(const Request&, Context& context) {
  GH_TRY(store, open_store(context));
  const store::LedgerFacts facts = store.ledger->facts();
  const std::string says = facts.found_version == facts.schema_version
                               ? fmt::format("ledger {} has schema version {}, the newest",
                                             facts.name, facts.schema_version)
                           : facts.found_version == 0
                               ? fmt::format("ledger {} was made with schema version {}",
                                             facts.name, facts.schema_version)
                               : fmt::format("ledger {} was brought from schema version {} to {}",
                                             facts.name, facts.found_version, facts.schema_version);
  return reply_of(facts_document("gatehouse.ledger_migration/1", facts)
                      .set("from_version", facts.found_version),
                  says);
}

Result<Reply> db_vacuum(const Request&, Context& context) {
  GH_TRY(store, open_store(context));
  const Timestamp now = context.env.now();
  const Timestamp before{now.seconds - store.config.audit_payload_days * kDaySeconds};
  store::AuditEvent event{.ts = now,
                          .event = "ledger.vacuumed",
                          .actor = to_value(local_actor(context.env.user_id())),
                          .surface = context.surface,
                          .subject = {},
                          .payload = {}};
  GH_TRY(dropped, store.ledger->drop_payloads(before, std::move(event)));
  GH_TRY(runs,
         store.ledger->drop_analysis_runs(run_retention(store.config, now), runs_dropped(context)));
  GH_DO(store.ledger->compact());
  const store::LedgerFacts facts = store.ledger->facts();
  return reply_of(
      facts_document("gatehouse.ledger_vacuum/1", facts)
          .set("payloads_dropped", dropped)
          .set("before", to_string(before))
          .set("reports_dropped", runs.reports)
          .set("runs_dropped", runs.rows),
      fmt::format("ledger {} is compact; {} payloads from before {} were dropped, their "
                  "hashes stay; {} reports of old runs were dropped",
                  facts.name, dropped, to_string(before), runs.reports));
}

}  // namespace gh::ops
