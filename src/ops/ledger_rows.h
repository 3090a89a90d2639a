#pragma once
// Rows of the operation table: the audit chain and the database behind it. Included by
// operations.cc alone.
#include <array>

#include "ops/operation.h"
#include "ops/shared_rows.h"
#include "ops/support_ops.h"

namespace gh::ops {

// clang-format off
inline constexpr std::array kAuditLogOptions{
    Option{"from", OptionType::integer, "SEQ", "", "first row to show (default: the newest rows)"},
    Option{"limit", OptionType::integer, "N", "50", "how many rows at most"},
};
inline constexpr std::array kAuditLogExamples{
    Example{"gatehouse audit log", "The newest 50 rows of the audit chain."},
    Example{"gatehouse audit log --from 1 --limit 10 --json", "The first ten rows as a document."},
};
inline constexpr std::array kAuditExportOptions{
    Option{"from", OptionType::integer, "SEQ", "1", "first row to print"},
};
inline constexpr std::array kAuditExportExamples{
    Example{"gatehouse audit export > audit.jsonl", "The whole chain, one JSON object per line."},
    Example{"gatehouse audit export --from 1 | head -n 1", "Only the first row."},
};
inline constexpr std::array kAuditVerifyExamples{
    Example{"gatehouse audit verify", "Recompute the hash chain; exit 1 names the first broken row or the promotion that does not hold."},
    Example{"gatehouse audit verify --json", "The same as a document."},
};

inline constexpr std::array kDbCheckExamples{
    Example{"gatehouse db check", "Is the database whole, and does the audit chain hold?"},
    Example{"gatehouse db check --json", "The same as a document."},
};
inline constexpr std::array kDbBackupOperands{Operand{"FILE", Arity::required, "new file for the copy", Completes::written_file}};
inline constexpr std::array kDbBackupExamples{
    Example{"gatehouse db backup ledger-copy.db", "A copy in one file, while others go on writing."},
    Example{"gatehouse db backup ledger-copy.db --json", "The same, with the number of rows in it."},
};
inline constexpr std::array kDbMigrateExamples{
    Example{"gatehouse db migrate", "Bring the tables to this version, and say what was done."},
    Example{"gatehouse db migrate --field schema_version", "The version of the tables, as a number."},
};
inline constexpr std::array kDbVacuumExamples{
    Example{"gatehouse db vacuum", "Drop old payloads and give the room back."},
    Example{"gatehouse db vacuum --json", "The same as a document."},
};

inline constexpr std::array kLedgerRows{
    Operation{
        .name = "audit_log", .words = "audit log", .group = kEvidence,
        .summary = "Show the audit chain",
        .description = "Rows of the append-only audit chain of this repository's ledger, oldest first.",
        .options = kAuditLogOptions, .examples = kAuditLogExamples,
        .exit_codes = "0 2 4", .run = audit_log, .paged = true},
    Operation{
        .name = "audit_export", .words = "audit export", .group = kEvidence,
        .summary = "Print the whole audit chain as JSON lines",
        .description =
            "Every row with all its columns, oldest first: enough to recompute the chain elsewhere. "
            "The lines are JSON with and without --json.",
        .options = kAuditExportOptions, .examples = kAuditExportExamples,
        .exit_codes = "0 2 4", .run = audit_export},
    Operation{
        .name = "audit_verify", .words = "audit verify", .group = kEvidence,
        .summary = "Recompute the audit chain and compare promotions with it",
        .description =
            "Every row holds the hash of the one before it; a changed, removed or inserted row breaks the chain. "
            "Then the commit of each promotion must exist, and its trailers must say what its receipt and the "
            "record say. In a clone without a ledger all of it is read from refs/gatehouse/*.",
        .examples = kAuditVerifyExamples,
        .exit_codes = "0 1 4", .run = audit_verify},
    Operation{
        .name = "db_check", .words = "db check", .group = kEvidence,
        .summary = "Check the ledger's database and its audit chain",
        .description =
            "Lets the database check itself, reads every record, compares kept bytes with their digests "
            "and recomputes the chain. Every defect is named; exit 1 when there is one.",
        .examples = kDbCheckExamples,
        .exit_codes = "0 1 2 4", .run = db_check},
    Operation{
        .name = "db_backup", .words = "db backup", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Copy the whole ledger into a new SQLite file",
        .description =
            "One consistent state, whatever is written meanwhile. The copy of a ledger in PostgreSQL is an "
            "SQLite ledger too; pg_dump --schema makes a copy that PostgreSQL can take back. An existing "
            "FILE is never overwritten.",
        .operands = kDbBackupOperands, .examples = kDbBackupExamples,
        .exit_codes = "0 1 2 4", .run = db_backup},
    Operation{
        .name = "db_migrate", .words = "db migrate", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Bring the ledger's tables to this version",
        .description =
            "Every command that opens the ledger does the same by itself; this one says so. Tables only go "
            "forward: a ledger of a later version is refused.",
        .examples = kDbMigrateExamples,
        .exit_codes = "0 2 4", .run = db_migrate},
    Operation{
        .name = "db_vacuum", .words = "db vacuum", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Drop old payloads and give the room back",
        .description =
            "The payloads of info rows that are older than store.audit_payload_days become null; rows and "
            "hashes stay, so that the chain still holds. Reports of analyses that are older than store.run_days go, except the latest ten of a place, and their numbers beyond store.runs_kept. Then the database is compacted.",
        .examples = kDbVacuumExamples,
        .exit_codes = "0 2 4", .run = db_vacuum},
};
// clang-format on

}  // namespace gh::ops
