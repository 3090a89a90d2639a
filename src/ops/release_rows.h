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
inline constexpr Option kWorkspaceOption{"workspace", OptionType::path, "DIR", ".", "the folder to look through", "", Completes::folder};
inline constexpr std::array kReleaseScanOptions{
    Option{"config", OptionType::path, "FILE", "", "the manifest, or a quoted pattern that names several (default: gatehouse.yaml with a release_gate block, else shipgate.yaml)", "", Completes::file, 'c'},
    Option{"workspace", OptionType::path, "DIR", "", "every manifest below this folder, one after the other", "", Completes::folder},
    Option{"out", OptionType::path, "DIR", "", "the folder of the reports (default: the manifest's, else gatehouse-reports, or agents-shipgate-reports for a shipgate.yaml)", "", Completes::written_folder},
    Option{"format", OptionType::text, "LIST", "", "which reports to write, separated by commas: markdown, json, sarif; none: nothing, and no packet (default: the manifest's, else markdown,json)"},
    Option{"packet", OptionType::flag, "", "", "write the evidence packet (default: the manifest's, else yes); --no-packet leaves it out"},
    Option{"packet-format", OptionType::text, "LIST", "", "its forms, separated by commas: md, json, html, pdf (default: the manifest's, else md,json,html)"},
    kReportFiles,
    Option{"ci-mode", OptionType::choice, "MODE", "", "strict: exit 1 when a finding blocks (default: the manifest's, else advisory)", "advisory strict"},
    Option{"fail-on", OptionType::text, "LIST", "", "severities that fail the gate, separated by commas"},
    Option{"baseline", OptionType::path, "FILE", "", "findings that were accepted earlier; only new ones fail the gate; default: the file that 'baseline save' writes", "", Completes::file},
    Option{"baseline-mode", OptionType::choice, "MODE", "", "how --baseline counts; there is one way", "new-findings"},
    Option{"diff-from", OptionType::path, "FILE", "", "an earlier report.json or baseline: what changed since, and what new actions lack", "", Completes::file},
    Option{"changed-files", OptionType::path, "FILE", "", "paths that a change touches, from the top of the repository, one a line: what guards the gate is judged with them; -: standard input", "", Completes::file},
    Option{"policy-pack", OptionType::path_list, "FILE", "", "rules of a team beside those of the manifest, from a file in its folder; may be repeated", "", Completes::file},
    Option{"heuristics", OptionType::flag, "", "true", "findings of keywords and patterns count; --no-heuristics suppresses them"},
    Option{"suggest-patches", OptionType::flag, "", "", "each finding says which change of the manifest would settle it"},
    Option{"profile", OptionType::choice, "PROFILE", "", "compat: the rules of shipgate.yaml alone; extended: ours besides (default: the manifest's)", "compat extended"},
    Option{"plugins", OptionType::flag, "", "true", "without effect, also as --no-plugins: no code of others is ever loaded"},
    Option{"strict-plugins", OptionType::flag, "", "", "likewise without effect"},
};
inline constexpr std::array kReleaseScanExamples{
    Example{"gatehouse release scan --config shipgate.yaml", "What may this agent do, and may it be released?"},
    Example{"gatehouse release scan --config shipgate.yaml --format none --field release_decision.decision", "The decision as one word; nothing is written."},
};
inline constexpr std::array kVerifyOptions{
    Option{"workspace", OptionType::path, "DIR", ".", "a folder of the repository", "", Completes::folder},
    Option{"config", OptionType::path, "FILE", "", "the manifest, from the workspace (default: the one that head or base has there, else at the top)", "", Completes::file, 'c'},
    Option{"base", OptionType::text, "REF", "", "what the change goes into; compared is with the commit where head left it", "", Completes::ref},
    Option{"head", OptionType::text, "REF", "", "the change, read from its tree (default: the work tree on top of HEAD)", "", Completes::ref},
    Option{"preview", OptionType::flag, "", "", "say what to do first; nothing is scanned, and no manifest is needed"},
    Option{"reports", OptionType::flag, "", "true", "write verifier.json, pr-comment.md and the reports of the scan; --no-reports only answers"},
    Option{"attest", OptionType::path, "FILE", "", "write the decision as an in-toto statement in a DSSE envelope, signed with store.signing_key; needs --head", "", Completes::written_file},
    Option{"out", OptionType::path, "DIR", "", "the folder of the reports (default: the manifest's, else gatehouse-reports, or agents-shipgate-reports for a shipgate.yaml)", "", Completes::written_folder},
    Option{"format", OptionType::choice, "FORM", "text", "how the answer is printed", "text json"},
    Option{"pr-comment-style", OptionType::choice, "STYLE", "capability-review", "what pr-comment.md leads with", "capability-review findings"},
    kReportFiles,
    Option{"ci-mode", OptionType::choice, "MODE", "", "strict: exit 1 when a finding blocks (default: the manifest's, else advisory)", "advisory strict"},
    Option{"fail-on", OptionType::text, "LIST", "", "severities that fail the gate, separated by commas"},
    Option{"baseline", OptionType::path, "FILE", "", "findings that were accepted earlier, of the head's tree when it is in the repository; default: the file that 'baseline save' writes", "", Completes::file},
    Option{"baseline-mode", OptionType::choice, "MODE", "", "how --baseline counts; there is one way", "new-findings"},
    Option{"diff-from", OptionType::path, "FILE", "", "an earlier report.json or baseline to compare with, instead of a scan of the base", "", Completes::file},
    Option{"policy-pack", OptionType::path_list, "FILE", "", "rules of a team beside those of the manifest, from a file in its folder; may be repeated", "", Completes::file},
    Option{"heuristics", OptionType::flag, "", "true", "findings of keywords and patterns count; --no-heuristics suppresses them"},
    Option{"suggest-patches", OptionType::flag, "", "", "each finding says which change of the manifest would settle it"},
    Option{"profile", OptionType::choice, "PROFILE", "", "compat: the rules of shipgate.yaml alone; extended: ours besides (default: the manifest's)", "compat extended"},
    Option{"plugins", OptionType::flag, "", "true", "without effect, also as --no-plugins: no code of others is ever loaded"},
    Option{"strict-plugins", OptionType::flag, "", "", "likewise without effect"},
};
inline constexpr std::array kVerifyExamples{
    Example{"gatehouse release verify --base HEAD --preview", "What is the first step here?"},
    Example{"gatehouse release verify --base main --head HEAD --field merge_verdict", "May the change be merged, in one word?"},
};
inline constexpr std::array kTriggerOptions{
    Option{"workspace", OptionType::path, "DIR", ".", "a folder of the repository", "", Completes::folder},
    Option{"base", OptionType::text, "REF", "", "what the change goes into", "", Completes::ref},
    Option{"head", OptionType::text, "REF", "", "the change (default: HEAD)", "", Completes::ref},
    Option{"changed-files", OptionType::path, "FILE", "", "paths that changed, one a line, instead of asking git; -: standard input", "", Completes::file},
    Option{"diff", OptionType::path, "FILE", "", "a unified diff, instead of asking git; -: standard input", "", Completes::file},
    Option{"manifest-present", OptionType::flag, "", "", "the repository has a manifest (default: look)"},
    Option{"user-requested", OptionType::flag, "", "", "a person asked for it"},
    Option{"list-rules", OptionType::flag, "", "", "the catalogue itself"},
};
inline constexpr std::array kTriggerExamples{
    Example{"gatehouse release trigger --base HEAD", "Is anything in this change the gate's business?"},
    Example{"gatehouse release trigger --list-rules --json", "The catalogue of rules."},
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
    Option{"reason", OptionType::text, "TEXT", "", "why new entries are accepted"},
    Option{"expires", OptionType::text, "DATE", "", "the last day on which new entries are accepted, YYYY-MM-DD"},
    Option{"apply-to-existing", OptionType::flag, "", "", "give reason and date to older entries, too, where they have none"},
};
inline constexpr std::array kReleaseSaveExamples{
    Example{"gatehouse release baseline save --config shipgate.yaml", "Accept today's findings; commit the file and the log beside it."},
    Example{"gatehouse release baseline save --config shipgate.yaml --out accepted.json", "Into another file."},
};
inline constexpr std::array kReleaseVerifyOptions{
    kManifestOption,
    Option{"baseline", OptionType::path, "FILE", "", "the baseline (default: where save puts it)", "", Completes::file},
    Option{"audit-log", OptionType::path, "FILE", "", "the log of its saves (default: the manifest's, else beside the file)", "", Completes::file},
    Option{"strict", OptionType::flag, "", "", "exit 1 when file and log disagree"},
};
inline constexpr std::array kReleaseVerifyExamples{
    Example{"gatehouse release baseline verify --config shipgate.yaml", "Do the file and the log of its saves agree?"},
    Example{"gatehouse release baseline verify --config shipgate.yaml --strict --json", "The same as a document; exit 1 when not."},
};

inline constexpr std::array kReleasePacketOptions{
    kManifestOption,
    Option{"from", OptionType::path, "FILE", "", "a report.json or packet.json (default: the report that the manifest's scan writes)", "", Completes::file},
    Option{"out", OptionType::path, "DIR", "", "where the packet goes (default: beside the file it is made from)", "", Completes::written_folder},
    Option{"format", OptionType::text, "LIST", "md,json,html", "forms of the packet, separated by commas: md, json, html, pdf"},
};
inline constexpr std::array kReleasePacketExamples{
    Example{"gatehouse release packet --from agents-shipgate-reports/report.json --format html,pdf", "A page and a PDF for the reviewer."},
    Example{"gatehouse release packet --from agents-shipgate-reports/packet.json --json", "The packet on standard output; nothing is written."},
};
inline constexpr std::array kApplyPatchesOptions{
    kManifestOption, kReportOption,
    Option{"confidence", OptionType::choice, "LEVEL", "high", "the least confidence of a patch that is applied", "low medium high"},
    Option{"kinds", OptionType::text, "LIST", "", "only these, separated by commas: set_pointer, append_pointer, remove_pointer"},
    Option{"apply", OptionType::flag, "", "", "write; without it, what would be written is shown"},
};
inline constexpr std::array kApplyPatchesExamples{
    Example{"gatehouse release apply-patches --from agents-shipgate-reports/report.json", "What would change in the manifest, as a diff."},
    Example{"gatehouse release apply-patches --from agents-shipgate-reports/report.json --confidence high --apply", "Write what needs no second thought."},
};
inline constexpr std::array kDetectOptions{kWorkspaceOption};
inline constexpr std::array kDetectExamples{
    Example{"gatehouse release detect", "Is this an agent, and which of its files say what its tools are?"},
    Example{"gatehouse release detect --workspace . --json", "The same as a document."},
};
inline constexpr std::array kReleaseInitOptions{
    kWorkspaceOption,
    Option{"write", OptionType::flag, "", "", "write the files; without it, they are shown"},
    Option{"minimal", OptionType::flag, "", "", "only the keys that a manifest must have"},
    Option{"ci", OptionType::flag, "", "", "also write a GitHub workflow that scans"},
    Option{"agent-instructions", OptionType::choice, "WHICH", "", "also write what coding agents find: notes for them, or all discovery files", "agents all", Completes::nothing, 0, "agents"},
};
inline constexpr std::array kReleaseInitExamples{
    Example{"gatehouse release init", "The manifest that would be written."},
    Example{"gatehouse release init --workspace . --minimal --json", "The same as a document, shorter."},
};
inline constexpr std::array kReleaseDoctorOptions{
    kManifestOption,
    Option{"workspace", OptionType::path, "DIR", "", "the folder of the manifest", "", Completes::folder},
};
inline constexpr std::array kReleaseDoctorExamples{
    Example{"gatehouse release doctor --config shipgate.yaml", "Can a scan read everything that the manifest names?"},
    Example{"gatehouse release doctor --config shipgate.yaml --json", "The same as a document, which always exits with 0."},
};
inline constexpr std::array kFixtureOperands{Operand{"NAME", Arity::required, "as 'release fixture list' prints it"}};
inline constexpr std::array kFixtureRunOptions{
    Option{"ci-mode", OptionType::choice, "MODE", "", "strict: exit 1 when a finding blocks", "advisory strict"},
    Option{"out", OptionType::path, "DIR", "", "write the reports there (default: nowhere)", "", Completes::written_folder},
};
inline constexpr std::array kFixtureCopyOptions{
    Option{"to", OptionType::path, "DIR", "", "a folder that does not exist yet", "", Completes::written_folder},
};
inline constexpr std::array kFixtureListExamples{
    Example{"gatehouse release fixture list", "The agents that are built in, with what a scan says of each."},
    Example{"gatehouse release fixture list --json", "The same as a document."},
};
inline constexpr std::array kFixtureRunExamples{
    Example{"gatehouse release fixture run refund-agent", "See a decision without writing a manifest first."},
    Example{"gatehouse release fixture run reader-agent --ci-mode strict", "One that passes."},
};
inline constexpr std::array kFixtureCopyExamples{
    Example{"gatehouse release fixture copy refund-agent --to refund-agent", "Its files, to try changes on."},
    Example{"gatehouse release fixture copy reader-agent --to reader --json", "Which files were written, as a document."},
};
inline constexpr std::array kFixtureVerifyExamples{
    Example{"gatehouse release fixture verify refund-agent", "Does this program still decide as it should?"},
    Example{"gatehouse release fixture verify reader-agent --json", "The same as a document."},
};

inline constexpr std::array kReleaseDiffOptions{
    Option{"base", OptionType::text, "REF", "", "what the change is held against, from where it forked off (default: HEAD, with --head main)", "", Completes::ref},
    Option{"head", OptionType::text, "REF", "", "the change (default: the work tree)", "", Completes::ref},
    Option{"strict", OptionType::flag, "", "", "exit 1 when a person must look"},
    Option{"exit-review", OptionType::flag, "", "", "exit 10 for review and 11 for unverified"},
    Option{"exit-zero", OptionType::flag, "", "", "exit 0 whatever the answer is; faults stay"},
};
inline constexpr std::array kReleaseDiffExamples{
    Example{"gatehouse release diff", "What does the work tree change in what coding agents may do?"},
    Example{"gatehouse release diff --base HEAD --head HEAD --json", "Two commits, as a document."},
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
        .name = "release_verify", .words = "release verify", .group = kRelease, .effect = Effect::writes_tree,
        .summary = "Did this change widen what the agent may do, or what the gate lets through?",
        .description =
            "Compares the tree of a change with the tree that it left, both read from git objects: nothing is checked out, "
            "fetched or run. New and wider tools, actions and scopes are told beside what the change does to the gate itself: "
            "policy, baseline, waivers, workflows, instructions. Writes verifier.json, pr-comment.md and the reports of a scan. "
            "When the base is missing the verdict is unknown, the exit code 2, and the line that fetches it is printed.\n\n"
            "--attest writes the decision as a receipt of kind release, wrapped as an in-toto statement in a DSSE envelope and "
            "signed with store.signing_key; 'receipt verify --file FILE' checks it, and so does any other reader of DSSE.",
        .options = kVerifyOptions, .examples = kVerifyExamples,
        .exit_codes = "0 1 2 3 4 5", .run = release_verify, .paged = true,
        .writes = "gatehouse-reports"},
    Operation{
        .name = "release_trigger", .words = "release trigger", .group = kRelease,
        .summary = "Does the gate have to look at this change?",
        .description =
            "Holds the paths and added lines of a change against a catalogue of rules. Where there is a manifest, every change "
            "is looked at.",
        .options = kTriggerOptions, .examples = kTriggerExamples,
        .exit_codes = "0 2", .run = release_trigger},
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
        .name = "release_baseline_save", .words = "release baseline save", .group = kRelease, .effect = Effect::writes_tree,
        .summary = "Accept the findings of an agent as they are now",
        .description =
            "Scans and writes the active findings as the baseline, with a line in the log beside it. Provenance of entries that "
            "were there already stays. A save that changes nothing leaves the file byte by byte as it was.",
        .options = kReleaseSaveOptions, .examples = kReleaseSaveExamples,
        .exit_codes = "0 2 3 4", .run = release_baseline_save},
    Operation{
        .name = "release_baseline_verify", .words = "release baseline verify", .group = kRelease,
        .summary = "Hold a release baseline against the log of its saves",
        .description = "Missing or broken log, another hash, entries without a save, expired entries, old check ids.",
        .options = kReleaseVerifyOptions, .examples = kReleaseVerifyExamples,
        .exit_codes = "0 1 2 3 4", .run = release_baseline_verify},
    Operation{
        .name = "release_packet", .words = "release packet", .group = kRelease, .effect = Effect::writes_tree,
        .summary = "Write the evidence packet of an earlier scan for a reviewer",
        .description =
            "A scan writes it already; this makes it again, in other forms or from an older report. From a packet.json it is drawn "
            "again; from a report.json it is rebuilt, and says what only the scan itself knew. The PDF needs gatehouse-pdf "
            "beside the program; without it the other forms are written and the lack is said.",
        .options = kReleasePacketOptions, .examples = kReleasePacketExamples,
        .exit_codes = "0 2 4", .run = release_packet},
    Operation{
        .name = "release_apply_patches", .words = "release apply-patches", .group = kRelease, .effect = Effect::writes_tree,
        .summary = "Make the changes of a manifest that a scan suggested",
        .description =
            "Reads a report that was written with --suggest-patches. Shows a diff; --apply writes it. Comments, quotes and the order "
            "of keys stay. A file that changed since the scan is left alone, and a patch that leads out of the manifest's "
            "folder stops all of it. What needs a person is never applied.",
        .options = kApplyPatchesOptions, .examples = kApplyPatchesExamples,
        .exit_codes = "0 2 3 4", .run = release_apply_patches},
    Operation{
        .name = "release_detect", .words = "release detect", .group = kRelease,
        .summary = "Look for agents and for files that say what their tools are",
        .description = "Reads files by their names and contents; nothing is run. What is suggested was read as a source once, and holds tools.",
        .options = kDetectOptions, .examples = kDetectExamples,
        .exit_codes = "0 2 3", .run = release_detect},
    Operation{
        .name = "release_init", .words = "release init", .group = kRelease, .effect = Effect::writes_tree,
        .summary = "Draft a manifest from what detect finds",
        .description =
            "Shows it; --write writes it. A manifest that is there is never touched. It never writes strict mode, a baseline, "
            "suppressions or acknowledgements: those are decisions of people.",
        .options = kReleaseInitOptions, .examples = kReleaseInitExamples,
        .exit_codes = "0 2 4", .run = release_init, .writes = "shipgate.yaml"},
    Operation{
        .name = "release_doctor", .words = "release doctor", .group = kRelease,
        .summary = "Can a scan read all that the manifest names?",
        .description = "Names every source that cannot be found, with its line in the manifest, and what else keeps a scan from a good answer.",
        .options = kReleaseDoctorOptions, .examples = kReleaseDoctorExamples,
        .exit_codes = "0 2 3", .run = release_doctor},
    Operation{
        .name = "release_fixture_list", .words = "release fixture list", .group = kRelease,
        .summary = "List the agents that are built in",
        .description = "Small whole projects to learn on, and to prove that this program decides as it should.",
        .examples = kFixtureListExamples, .exit_codes = "0", .run = release_fixture_list},
    Operation{
        .name = "release_fixture_run", .words = "release fixture run", .group = kRelease, .effect = Effect::writes_tree,
        .summary = "Scan one of them",
        .description = "Answers and exits as a scan does. Nothing is written without --out.",
        .operands = kFixtureOperands, .options = kFixtureRunOptions, .examples = kFixtureRunExamples,
        .exit_codes = "0 1 2 4", .run = release_fixture_run, .paged = true},
    Operation{
        .name = "release_fixture_copy", .words = "release fixture copy", .group = kRelease, .effect = Effect::writes_tree,
        .summary = "Write the files of one of them",
        .description = "Into a folder that does not exist yet.",
        .operands = kFixtureOperands, .options = kFixtureCopyOptions, .examples = kFixtureCopyExamples,
        .exit_codes = "0 2 4", .run = release_fixture_copy},
    Operation{
        .name = "release_fixture_verify", .words = "release fixture verify", .group = kRelease,
        .summary = "Is the decision on one of them the expected one?",
        .description = "Compares decision, reason, and the fingerprints that block or are reviewed.",
        .operands = kFixtureOperands, .examples = kFixtureVerifyExamples,
        .exit_codes = "0 1 2", .run = release_fixture_verify},
    Operation{
        .name = "release_diff", .words = "release diff", .group = kRelease,
        .summary = "See what a change does to the powers of coding agents",
        .description =
            "Reads the files of agent hosts on both sides: settings, permission rules, hooks, MCP servers, instructions, and CI that "
            "starts agents. No manifest is needed and nothing is checked out. One row for each grant that changed; what could not be "
            "read is a row, too. A critical row denies, any other that widens asks for a person, an unread one leaves it unverified. The document has the "
            "Verdict of the surface gate as its member 'verdict'; exit 0: allow, or review without --strict; 1: deny, or unverified "
            "without --exit-review.",
        .options = kReleaseDiffOptions, .examples = kReleaseDiffExamples,
        .exit_codes = "0 1 2 3 4 10 11", .run = release_diff, .paged = true},
};
// clang-format on

}  // namespace gh::ops
