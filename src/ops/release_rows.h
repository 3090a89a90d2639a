#pragma once
// Rows of the operation table: the release gate. Included by operations.cc alone.
#include <array>

#include "ops/operation.h"
#include "ops/release_ops.h"
#include "ops/shared_rows.h"

namespace gh::ops {

// clang-format off
inline constexpr std::string_view kRelease = "RELEASE";

inline constexpr Option kManifestOption{"config", OptionType::path, "FILE", "", "the manifest (default: gatehouse.yaml with a release_gate block, else shipgate.yaml)", "", Completes::file, 'c'};
inline constexpr std::array kReleaseScanOptions{
    kManifestOption,
    Option{"out", OptionType::path, "DIR", "", "the folder of the reports (default: the manifest's, else gatehouse-reports, or agents-shipgate-reports for a shipgate.yaml)", "", Completes::written_folder},
    Option{"reports", OptionType::text, "LIST", "", "which reports to write, separated by commas: markdown, json, sarif; none: nothing (default: the manifest's, else markdown,json)"},
    Option{"ci-mode", OptionType::choice, "MODE", "", "strict: exit 1 when a finding blocks (default: the manifest's, else advisory)", "advisory strict"},
    Option{"fail-on", OptionType::text, "LIST", "", "severities that fail the gate, separated by commas"},
    Option{"baseline", OptionType::path, "FILE", "", "findings that were accepted earlier; only new ones fail the gate", "", Completes::file},
    Option{"diff-from", OptionType::path, "FILE", "", "an earlier report.json or baseline: what changed since, and what new actions lack", "", Completes::file},
    Option{"policy-pack", OptionType::path_list, "FILE", "", "rules of a team beside those of the manifest, from a file in its folder; may be repeated", "", Completes::file},
    Option{"heuristics", OptionType::flag, "", "true", "findings of keywords and patterns count; --no-heuristics suppresses them"},
    Option{"suggest-patches", OptionType::flag, "", "", "each finding says which change of the manifest would settle it"},
    Option{"profile", OptionType::choice, "PROFILE", "", "compat: the rules of shipgate.yaml alone; extended: ours besides (default: the manifest's)", "compat extended"},
    Option{"plugins", OptionType::flag, "", "true", "without effect, also as --no-plugins: no code of others is ever loaded"},
    Option{"strict-plugins", OptionType::flag, "", "", "likewise without effect"},
};
inline constexpr std::array kReleaseScanExamples{
    Example{"gatehouse release scan --config shipgate.yaml", "What may this agent do, and may it be released?"},
    Example{"gatehouse release scan --config shipgate.yaml --reports none --field release_decision.decision", "The decision as one word; nothing is written."},
};
inline constexpr std::array kListChecksOptions{
    Option{"plugins", OptionType::flag, "", "true", "without effect, also as --no-plugins: no code of others is ever loaded"},
};
inline constexpr std::array kListChecksExamples{
    Example{"gatehouse release list-checks", "Every check with its severity and what it asks for."},
    Example{"gatehouse release list-checks --json", "The catalogue as a document."},
};
inline constexpr std::array kReleaseExplainOperands{Operand{"CHECK_ID", Arity::required, "e.g. SHIP-POLICY-APPROVAL-MISSING"}};
inline constexpr std::array kReleaseExplainExamples{
    Example{"gatehouse release explain SHIP-POLICY-APPROVAL-MISSING", "Why the check exists, when it fires, what to do."},
    Example{"gatehouse release explain SHIP-SCHEMA-MISSING-BOUNDS --json", "The same as a document."},
};

inline constexpr Option kReportOption{"from", OptionType::path, "FILE", "", "the report.json to read (default: the one that the manifest's scan writes)", "", Completes::file};
inline constexpr std::array kReleaseFindingsOptions{
    kManifestOption, kReportOption,
    Option{"provenance-kind", OptionType::text, "LIST", "", "only findings of these kinds, separated by commas: static_declaration, ast_extraction, keyword_heuristic, regex_heuristic, policy_pack"},
    Option{"include-suppressed", OptionType::flag, "", "", "suppressed findings, too"},
};
inline constexpr std::array kReleaseFindingsExamples{
    Example{"gatehouse release findings --from agents-shipgate-reports/report.json", "What the last scan found."},
    Example{"gatehouse release findings --from agents-shipgate-reports/report.json --provenance-kind static_declaration --json", "Without guesses, as a document."},
};
inline constexpr std::array kExplainFindingOperands{Operand{"FINGERPRINT", Arity::required, "as the report has it, e.g. fp_66b1208b9f2e40ab"}};
inline constexpr std::array kExplainFindingOptions{
    kManifestOption, kReportOption,
    Option{"plugins", OptionType::flag, "", "true", "without effect, also as --no-plugins: no code of others is ever loaded"},
};
inline constexpr std::array kExplainFindingExamples{
    Example{"gatehouse release explain-finding fp_66b1208b9f2e40ab --from agents-shipgate-reports/report.json", "What fired, why it matters, and what to do, in a few sentences."},
    Example{"gatehouse release explain-finding fp_66b1208b9f2e40ab --from agents-shipgate-reports/report.json --json", "The same as a document."},
};

inline constexpr std::array kReleaseSaveOptions{
    kManifestOption,
    Option{"out", OptionType::path, "FILE", "", "the baseline (default: gatehouse.release-baseline.json, or .agents-shipgate/baseline.json for a shipgate.yaml)", "", Completes::written_file},
};
inline constexpr std::array kReleaseSaveExamples{
    Example{"gatehouse release baseline-save --config shipgate.yaml", "Accept today's findings; commit the file and the log beside it."},
    Example{"gatehouse release baseline-save --config shipgate.yaml --out accepted.json", "Into another file."},
};
inline constexpr std::array kReleaseVerifyOptions{
    kManifestOption,
    Option{"baseline", OptionType::path, "FILE", "", "the baseline (default: where save puts it)", "", Completes::file},
    Option{"strict", OptionType::flag, "", "", "exit 1 when file and log disagree"},
};
inline constexpr std::array kReleaseVerifyExamples{
    Example{"gatehouse release baseline-verify --config shipgate.yaml", "Do the file and the log of its saves agree?"},
    Example{"gatehouse release baseline-verify --config shipgate.yaml --strict --json", "The same as a document; exit 1 when not."},
};

inline constexpr std::array kReleaseRows{
    Operation{
        .name = "release_scan", .words = "release scan", .group = kRelease, .effect = Effect::writes_tree,
        .summary = "Judge what an agent's tools may do, and decide on its release",
        .description =
            "Reads the manifest and the tool sources that it names, and nothing else: no code is run and nothing is "
            "fetched. Writes the reports and answers with one decision: passed, review_required, insufficient_evidence "
            "or blocked. Gate on release_decision.decision.",
        .options = kReleaseScanOptions, .examples = kReleaseScanExamples,
        .exit_codes = "0 1 2 3 4", .run = release_scan, .paged = true},
    Operation{
        .name = "release_list_checks", .words = "release list-checks", .group = kRelease,
        .summary = "List the checks of the release gate",
        .description = "By id. Ids are stable: never renamed, never reused.",
        .options = kListChecksOptions, .examples = kListChecksExamples,
        .exit_codes = "0", .run = release_list_checks, .paged = true},
    Operation{
        .name = "release_explain", .words = "release explain", .group = kRelease,
        .summary = "Explain one check of the release gate",
        .description = "Why it exists, what fires it, the evidence that it leaves and the advice.",
        .operands = kReleaseExplainOperands, .options = kListChecksOptions, .examples = kReleaseExplainExamples,
        .exit_codes = "0 2", .run = release_explain},
    Operation{
        .name = "release_findings", .words = "release findings", .group = kRelease,
        .summary = "List the findings of an earlier scan",
        .description = "Reads a report.json of schema 0.15 or later; nothing is scanned. Filters by how a finding came about.",
        .options = kReleaseFindingsOptions, .examples = kReleaseFindingsExamples,
        .exit_codes = "0 2 3 4", .run = release_findings, .paged = true},
    Operation{
        .name = "release_explain_finding", .words = "release explain-finding", .group = kRelease,
        .summary = "Explain one finding of an earlier scan",
        .description = "By fingerprint or id: what fired on which tool, why it matters, the evidence, the advice, and who acts.",
        .operands = kExplainFindingOperands, .options = kExplainFindingOptions, .examples = kExplainFindingExamples,
        .exit_codes = "0 2 3 4", .run = release_explain_finding},
    Operation{
        .name = "release_baseline_save", .words = "release baseline-save", .group = kRelease, .effect = Effect::writes_tree,
        .summary = "Accept the findings of an agent as they are now",
        .description =
            "Scans and writes the active findings as the baseline, with a line in the log beside it. Provenance of entries that "
            "were there already stays. A save that changes nothing leaves the file byte by byte as it was.",
        .options = kReleaseSaveOptions, .examples = kReleaseSaveExamples,
        .exit_codes = "0 2 3 4", .run = release_baseline_save},
    Operation{
        .name = "release_baseline_verify", .words = "release baseline-verify", .group = kRelease,
        .summary = "Hold a release baseline against the log of its saves",
        .description = "Missing or broken log, another hash, entries without a save, expired entries, old check ids.",
        .options = kReleaseVerifyOptions, .examples = kReleaseVerifyExamples,
        .exit_codes = "0 1 2 3 4", .run = release_baseline_verify},
};
// clang-format on

}  // namespace gh::ops
