#pragma once
// Rows of the operation table: the analysis of code, its baseline and its runs. Included by
// operations.cc alone.
#include <array>

#include "ops/agent_ops.h"
#include "ops/analysis_ops.h"
#include "ops/operation.h"
#include "ops/shared_rows.h"
#include "ops/support_ops.h"

namespace gh::ops {

// clang-format off
inline constexpr std::string_view kCode = "CODE";

inline constexpr std::array kDoctorExamples{
    Example{"gatehouse doctor", "Is everything the gate needs in order here?"},
    Example{"gatehouse doctor --json", "The same as a document."},
};
inline constexpr std::array kAnalyzeOperands{
    Operand{"PATH", Arity::optional, "a folder; inside a repository only what lies below it is read (default: the repository around the current folder)", Completes::folder}};
inline constexpr Option kAnalyzeRev{"rev", OptionType::text, "REV", "", "a revision, read straight from git", "", Completes::ref};
inline constexpr Option kAnalyzeJobs{"jobs", OptionType::integer, "N", "0", "threads (0: one per core)", "", Completes::nothing, 0, "", 0};
inline constexpr Option kStructuralBaseline{"baseline", OptionType::path, "FILE", "", "the baseline (default: the one of gatehouse.yaml, gatehouse.baseline.json)", "", Completes::file};
inline constexpr Option kSkipMetrics{"skip-metrics", OptionType::flag, "", "", "clones alone"};
inline constexpr Option kApiSurface{"api-surface", OptionType::flag, "", "", "measure the API"};
inline constexpr Option kMinLoc{"min-loc", OptionType::integer, "N", "", "lines of a function before it can be a clone"};
inline constexpr Option kMinStmt{"min-stmt", OptionType::integer, "N", "", "direct statements of a function before it can be a clone"};
inline constexpr Option kStaged{"staged", OptionType::flag, "", "", "what is staged, read straight from git"};
inline constexpr Option kFailComplexity{"fail-complexity", OptionType::integer, "[N]", "", "refuse a complexity above N (alone: 20; -1: off)", "", Completes::nothing, 0, "20", -1};
inline constexpr Option kFailCoupling{"fail-coupling", OptionType::integer, "[N]", "", "refuse a coupling above N (alone: 10; -1: off)", "", Completes::nothing, 0, "10", -1};
inline constexpr Option kFailCohesion{"fail-cohesion", OptionType::integer, "[N]", "", "refuse an LCOM4 above N (alone: 4; -1: off)", "", Completes::nothing, 0, "4", -1};
inline constexpr Option kFailHealth{"fail-health", OptionType::integer, "[N]", "", "refuse a health below N (alone: 60; -1: off)", "", Completes::nothing, 0, "60", -1, 100};
inline constexpr Option kFailCycles{"fail-cycles", OptionType::flag, "", "", "refuse cycles of modules"};
inline constexpr Option kFailDeadCode{"fail-dead-code", OptionType::flag, "", "", "refuse what is dead with high confidence"};
inline constexpr Option kFailOnNewMetrics{"fail-on-new-metrics", OptionType::flag, "", "", "refuse functions, classes, cycles, dead code and a health that are worse than the baseline"};
inline constexpr Option kMinTypingCoverage{"min-typing-coverage", OptionType::integer, "P", "", "refuse fewer than P percent of parameters with types (-1: off)", "", Completes::nothing, 0, "", -1, 100};
inline constexpr Option kMinDocstringCoverage{"min-docstring-coverage", OptionType::integer, "P", "", "refuse less than P percent of documentation (-1: off)", "", Completes::nothing, 0, "", -1, 100};
inline constexpr Option kFailOnTypingRegression{"fail-on-typing-regression", OptionType::flag, "", "", "refuse lost types"};
inline constexpr Option kFailOnDocstringRegression{"fail-on-docstring-regression", OptionType::flag, "", "", "refuse lost documentation"};
inline constexpr Option kFailOnApiBreak{"fail-on-api-break", OptionType::flag, "", "", "refuse breaking changes of the API"};
inline constexpr Option kFailOnUntestedHotspots{"fail-on-untested-hotspots", OptionType::flag, "", "", "refuse complex functions that are hardly tested; needs --coverage"};
inline constexpr Option kFailOnNew{"fail-on-new", OptionType::flag, "", "", "refuse groups of clones that the baseline does not hold"};
inline constexpr Option kFailThreshold{"fail-threshold", OptionType::integer, "N", "", "refuse more than N groups of clones (-1: off)", "", Completes::nothing, 0, "", -1};
inline constexpr Option kWrittenBaseline{"baseline", OptionType::path, "FILE", "", "the baseline (default: the one of gatehouse.yaml, gatehouse.baseline.json)", "", Completes::written_file};
inline constexpr Option kMetricsBaseline{"metrics-baseline", OptionType::path, "FILE", "", "the baseline of metrics and API, when it is another file", "", Completes::file};
inline constexpr Option kCoverageMin{"coverage-min", OptionType::integer, "P", "", "percent below which a complex function is hardly tested", "", Completes::nothing, 0, "", 0, 100};
inline constexpr std::array kAnalyzeOptions{
    kAnalyzeRev,
    kStaged,
    kSession,
    Option{"store", OptionType::flag, "", "true", "keep the run in the ledger, so that others can be compared with it"},
    kAnalyzeJobs,
    kMinLoc,
    kMinStmt,
    Option{"block-min-loc", OptionType::integer, "N", "", "lines of a run of statements before it can be a clone"},
    Option{"block-min-stmt", OptionType::integer, "N", "", "direct statements of a function before runs in it can be clones"},
    Option{"segment-min-loc", OptionType::integer, "N", "", "lines of a function before segments of it are compared"},
    Option{"segment-min-stmt", OptionType::integer, "N", "", "direct statements of a function before segments of it are compared"},
    Option{"complexity-threshold", OptionType::integer, "N", "", "complexity above which a function is a finding"},
    Option{"coupling-threshold", OptionType::integer, "N", "", "coupling above which a class is a finding"},
    Option{"cohesion-threshold", OptionType::integer, "N", "", "LCOM4 from which on a class is a finding"},
    Option{"cache", OptionType::flag, "", "true", "use what earlier runs remembered of files that did not change"},
    kStructuralBaseline,
    kMetricsBaseline,
    Option{"coverage", OptionType::path, "FILE", "", "a Cobertura report to join", "", Completes::file},
    kCoverageMin,
    kSkipMetrics,
    Option{"skip-dead-code", OptionType::flag, "", "", "no dead code"},
    Option{"skip-dependencies", OptionType::flag, "", "", "no dependencies"},
    kApiSurface,
    Option{"ci", OptionType::flag, "", "", "refuse new clones, and worse metrics where the baseline has them; no colour, few words"},
    kFailComplexity,
    kFailCoupling,
    kFailCohesion,
    kFailHealth,
    kFailCycles,
    kFailDeadCode,
    kFailOnNewMetrics,
    kMinTypingCoverage,
    kMinDocstringCoverage,
    kFailOnTypingRegression,
    kFailOnDocstringRegression,
    kFailOnApiBreak,
    kFailOnUntestedHotspots,
    kFailOnNew,
    kFailThreshold,
    Option{"fail-on-new-near-miss", OptionType::flag, "", "", "refuse new groups of functions that are nearly equal"},
    Option{"fail-on-new-security-surface", OptionType::text_list, "CAT", "", "refuse new items of these categories, separated by commas"},
    Option{"changed-only", OptionType::flag, "", "", "count and show only clones with an item in a changed file; needs --diff-against"},
    Option{"diff-against", OptionType::text, "REV", "", "the revision that changes are counted from; says what the change since then copies, leaves behind and makes more complex", "", Completes::ref},
    Option{"changed-paths", OptionType::path_list, "FILE", "", "count and show only clones with an item in one of these files", "", Completes::file},
    Option{"paths-from-git-diff", OptionType::text, "REV", "", "the same as --changed-only --diff-against REV", "", Completes::ref},
    Option{"html", OptionType::path, "[FILE]", "", "write one page with charts and clones side by side (alone: gatehouse-reports/analysis.html)", "", Completes::written_file, 0, "gatehouse-reports/analysis.html"},
    Option{"md", OptionType::path, "[FILE]", "", "write Markdown (alone: gatehouse-reports/analysis.md)", "", Completes::written_file, 0, "gatehouse-reports/analysis.md"},
    Option{"sarif", OptionType::path, "[FILE]", "", "write SARIF 2.1.0 (alone: gatehouse-reports/analysis.sarif)", "", Completes::written_file, 0, "gatehouse-reports/analysis.sarif"},
    Option{"text", OptionType::path, "[FILE]", "", "write everything as text (alone: gatehouse-reports/analysis.txt)", "", Completes::written_file, 0, "gatehouse-reports/analysis.txt"},
    Option{"json-file", OptionType::path, "[FILE]", "", "write the document (alone: gatehouse-reports/analysis.json)", "", Completes::written_file, 0, "gatehouse-reports/analysis.json"},
    Option{"out", OptionType::path, "DIR", "", "the folder of report files that are asked for without a name (default: gatehouse-reports)", "", Completes::written_folder},
    Option{"report-items", OptionType::integer, "N", "", "at most N items of each metric in the JSON document; the digest is that of the whole one"},
    Option{"json-compact", OptionType::flag, "", "", "the JSON document on one line, without spaces"},
    Option{"update-baseline", OptionType::flag, "", "", "write the run as the new baseline"},
    Option{"update-metrics-baseline", OptionType::flag, "", "", "write metrics and API alone"},
};
inline constexpr std::array kGatesOptions{
    Option{"run", OptionType::text, "RUN", "latest", "latest, previous, a run id or its beginning, or a revision", "", Completes::ref},
    kStructuralBaseline,
    kMetricsBaseline,
    kCoverageMin,
    kFailComplexity,
    kFailCoupling,
    kFailCohesion,
    kFailHealth,
    kFailCycles,
    kFailDeadCode,
    kFailOnNewMetrics,
    kMinTypingCoverage,
    kMinDocstringCoverage,
    kFailOnTypingRegression,
    kFailOnDocstringRegression,
    kFailOnApiBreak,
    kFailOnUntestedHotspots,
    kFailOnNew,
    kFailThreshold,
};
inline constexpr std::array kGatesExamples{
    Example{"gatehouse gates --fail-complexity 40 --fail-cycles", "Would the latest run be let through by these gates?"},
    Example{"gatehouse gates --run previous --fail-health 10 --json", "The same question about the run before, as a document."},
};
inline constexpr std::array kBaselineWriteOptions{kAnalyzeRev, kStaged, kAnalyzeJobs, kMinLoc, kMinStmt, kWrittenBaseline, kSkipMetrics, kApiSurface};
inline constexpr std::array kBaselineUpdateOptions{kAnalyzeRev, kStaged, kAnalyzeJobs, kMinLoc, kMinStmt, kWrittenBaseline, kSkipMetrics, kApiSurface,
    Option{"metrics-only", OptionType::flag, "", "", "keep the clone keys that the file has"}};
inline constexpr std::array kBaselineReadOptions{kStructuralBaseline};
inline constexpr std::array kBaselineDiffOptions{kAnalyzeRev, kStaged, kAnalyzeJobs, kMinLoc, kMinStmt, kStructuralBaseline,
    Option{"check", OptionType::flag, "", "", "exit 1 when the code is worse than the baseline"}};
inline constexpr std::array kBaselineSaveExamples{
    Example{"gatehouse baseline save", "Accept the code as it is; commit the file that this writes."},
    Example{"gatehouse baseline save --rev HEAD --baseline other.json", "Of the last commit, into another file."},
};
inline constexpr std::array kBaselineUpdateExamples{
    Example{"gatehouse baseline update", "Accept what changed since; review the diff of the file."},
    Example{"gatehouse baseline update --metrics-only", "Accept metrics, and not the clones."},
};
inline constexpr std::array kBaselineShowExamples{
    Example{"gatehouse baseline show", "What the baseline holds, and whether it can be trusted."},
    Example{"gatehouse baseline show --json", "The same as a document."},
};
inline constexpr std::array kBaselineVerifyExamples{
    Example{"gatehouse baseline verify", "Exit 0 when the file can be trusted, else 1 with the state it is in."},
    Example{"gatehouse baseline verify --field status", "The state as one word."},
};
inline constexpr std::array kBaselineDiffExamples{
    Example{"gatehouse baseline diff", "What is new since the baseline."},
    Example{"gatehouse baseline diff --check", "Exit 1 when the code is worse."},
};
inline constexpr std::array kAnalyzeExamples{
    Example{"gatehouse analyze", "The shape of the code as it is on disk."},
    Example{"gatehouse analyze --rev HEAD --json", "Of the last commit, as a document with its digest."},
    Example{"gatehouse analyze --html --sarif", "Also as a page to look at and as SARIF, below gatehouse-reports."},
    Example{"gatehouse analyze --html --md --out build/reports", "The same, below another folder."},
    Example{"gatehouse analyze --staged --no-store", "Of what is staged; nothing is kept."},
    Example{"gatehouse analyze --fail-complexity 40 --fail-cycles", "Exit 1 when a function is too complex or modules import in a circle."},
    Example{"gatehouse analyze --paths-from-git-diff HEAD --fail-threshold 0", "Exit 1 when a changed file holds a copy."},
};
inline constexpr Operand kMaybeRun{"RUN", Arity::optional, "latest, previous, a run id or its beginning, or a revision (default: latest)", Completes::ref};
inline constexpr Option kOfRun{"run", OptionType::text, "RUN", "", "latest, previous, a run id or its beginning, or a revision (default: latest)", "", Completes::ref};
inline constexpr Option kRunLimit{"limit", OptionType::integer, "N", "20", "how many runs at most, the latest ones"};
inline constexpr std::array kRunsListOptions{kRunLimit};
inline constexpr std::array kRunsListExamples{
    Example{"gatehouse runs list", "The runs of this repository, the latest first."},
    Example{"gatehouse runs list --limit 1 --field runs.0.run_id", "The id of the latest run."},
};
inline constexpr std::array kRunsShowOperands{kMaybeRun};
inline constexpr std::array kRunsShowExamples{
    Example{"gatehouse runs show", "The latest run: metrics, top risks, where to begin."},
    Example{"gatehouse runs show previous --json", "The whole report of the run before."},
};
inline constexpr std::array kRunsCompareOperands{
    Operand{"BEFORE", Arity::optional, "latest, previous, a run id or its beginning, or a revision (default: previous)", Completes::ref},
    Operand{"AFTER", Arity::optional, "likewise (default: latest)", Completes::ref},
};
inline constexpr std::array kRunsCompareOptions{
    Option{"focus", OptionType::choice, "WHAT", "all", "families of findings that are compared", "all clones structural metrics"},
    Option{"check", OptionType::flag, "", "", "exit 1 when the later run is worse, or cannot be compared"},
};
inline constexpr std::array kRunsCompareExamples{
    Example{"gatehouse runs compare", "What came and what went between the last two runs."},
    Example{"gatehouse runs compare HEAD~1 HEAD --json", "Between two revisions, which are analysed now."},
};
inline constexpr std::array kRunsTrendExamples{
    Example{"gatehouse runs trend", "Health, complexity and findings over the stored runs."},
    Example{"gatehouse runs trend --limit 100 --json", "The same as a document."},
};
inline constexpr std::array kDocumentOperands{Operand{"DOCUMENT", Arity::required, "digest of a kept document or report, id of a blast artifact, or a run: latest, an id or its beginning"}};
inline constexpr std::array kDocumentOptions{
    Option{"section", OptionType::text, "PATH", "", "a member, by names with dots between them, e.g. findings.summary"},
};
inline constexpr std::array kDocumentExamples{
    Example{"gatehouse runs document latest", "Which parts has the report of the latest run?"},
    Example{"gatehouse runs document latest --section findings.summary --json", "One of them."},
};

inline constexpr std::array kFindingsOptions{
    kOfRun,
    Option{"family", OptionType::choice, "NAME", "", "only this family", "clone structural dead_code design"},
    Option{"severity", OptionType::choice, "NAME", "", "only this severity", "critical warning info"},
    Option{"path", OptionType::text, "PATH", "", "only what touches this file or folder, from the root, or matches this pattern"},
    Option{"kind", OptionType::text, "NAME", "", "only this kind, e.g. function_clone"},
    Option{"id", OptionType::text, "ID", "", "only this finding, by its short or its whole id"},
    Option{"new", OptionType::flag, "", "", "only what the run before had not"},
    Option{"since", OptionType::text, "RUN", "", "only what that run or revision had not", "", Completes::ref},
};
inline constexpr std::array kFindingsExamples{
    Example{"gatehouse findings", "Everything that the latest run found."},
    Example{"gatehouse findings --severity critical --path src", "What is worst below src."},
    Example{"gatehouse findings --since HEAD~1 --json", "What the last commit and the work tree brought, as a document."},
};
inline constexpr std::array kClonesOperands{Operand{"ID", Arity::optional, "one group, by its short or its whole id"}};
inline constexpr std::array kOfRunOptions{kOfRun};
inline constexpr std::array kClonesExamples{
    Example{"gatehouse clones", "Groups of equal functions and equal runs of statements."},
    Example{"gatehouse clones --run HEAD --json", "Of the last commit, as a document."},
};
inline constexpr std::array kHotspotsOptions{kOfRun, Option{"limit", OptionType::integer, "N", "10", "how many of each"}};
inline constexpr std::array kHotspotsExamples{
    Example{"gatehouse hotspots", "The functions, classes and folders that weigh most."},
    Example{"gatehouse hotspots --limit 3 --json", "Three of each, as a document."},
};
inline constexpr std::array kBlastOperands{Operand{"PATH", Arity::many, "files or folders, from the root of the repository", Completes::file}};
inline constexpr std::array kBlastOptions{
    kOfRun,
    kSession,
    Option{"transitive", OptionType::flag, "", "", "also whoever imports those, over any number of steps"},
    Option{"symbols", OptionType::flag, "", "", "also the functions that call or name something in these files; reads the sources again"},
    Option{"include", OptionType::text_list, "LANE", "", "only this part of the answer: imports, clone_cohorts, coverage, risk_signals, do_not_touch, review_context, cycles"},
};
inline constexpr std::array kBlastExamples{
    Example{"gatehouse blast pkg/core.py", "Which files import it or share code with it?"},
    Example{"gatehouse blast pkg/core.py --transitive --symbols", "Through any number of steps, and which functions use it."},
    Example{"gatehouse blast pkg --json", "The same of a folder, as a document."},
};

inline constexpr std::array kAnalysisRows{
    Operation{
        .name = "doctor", .words = "doctor", .group = kStart,
        .summary = "Is everything the gate needs in order here?",
        .description =
            "Checks git's version, the repository, gatehouse.yaml, the state folder, the ledger, the hooks of git and the "
            "files of every agent host that is set up here, and has each host's hook refuse a write for real. Each "
            "line says ok, warn or fail, what was looked at, and the command that mends it.",
        .examples = kDoctorExamples,
        .exit_codes = "0 1", .run = doctor},
    Operation{
        .name = "analyze", .words = "analyze", .group = kCode, .effect = Effect::writes_tree,
        .summary = "Measure the shape of the code",
        .description =
            "Reads every source file that git tracks or would track (in a folder outside a repository: every one), and says how complex its functions are, how its classes hold together, which modules need each other, and which functions are copies. Equal sources give an equal digest, on every machine and with any number of threads.\n\nOptions that begin with fail or min are gates: when one fires, the exit code is 1 and every reason is told. They may also stand in the analysis block of gatehouse.yaml; the command line wins.",
        .operands = kAnalyzeOperands, .options = kAnalyzeOptions, .examples = kAnalyzeExamples,
        .exit_codes = "0 1 2 3 4 5", .run = analyze},
    Operation{
        .name = "save_baseline", .words = "baseline save", .group = kCode, .effect = Effect::writes_tree,
        .summary = "Accept the code as it is: write the structural baseline",
        .description =
            "Analyses the code and writes gatehouse.baseline.json with the keys of its clones, its metrics and, with --api-surface, its API. Gates of analyze compare with it. Refuses to replace a file; 'baseline update' does that.",
        .operands = kAnalyzeOperands, .options = kBaselineWriteOptions, .examples = kBaselineSaveExamples,
        .exit_codes = "0 2 3 4 5", .run = baseline_save, .writes = "gatehouse.baseline.json"},
    Operation{
        .name = "show_baseline", .words = "baseline show", .group = kCode,
        .summary = "What the structural baseline holds",
        .description =
            "Reads the file alone. Of a file that cannot be trusted only its state and what it says of itself are shown.",
        .operands = kAnalyzeOperands, .options = kBaselineReadOptions, .examples = kBaselineShowExamples,
        .exit_codes = "0 2 3 4 5", .run = baseline_show},
    Operation{
        .name = "diff_baseline", .words = "baseline diff", .group = kCode,
        .summary = "What is new since the structural baseline",
        .description =
            "Analyses the code and names what the baseline does not hold: groups of clones, complex functions, coupled classes, cycles, dead code, breaks of the API where the baseline holds one, and how health changed.",
        .operands = kAnalyzeOperands, .options = kBaselineDiffOptions, .examples = kBaselineDiffExamples,
        .exit_codes = "0 1 2 3 4 5", .run = baseline_diff},
    Operation{
        .name = "verify_baseline", .words = "baseline verify", .group = kCode,
        .summary = "Can the structural baseline be trusted?",
        .description =
            "Checks size, shape, versions and hashes of the file, in that order, and names the first thing that is wrong.",
        .operands = kAnalyzeOperands, .options = kBaselineReadOptions, .examples = kBaselineVerifyExamples,
        .exit_codes = "0 1 2 3 4 5", .run = baseline_verify},
    Operation{
        .name = "update_baseline", .words = "baseline update", .group = kCode, .effect = Effect::writes_tree,
        .summary = "Accept what changed: replace the structural baseline",
        .description =
            "Analyses the code and writes the file anew. Parts that are switched off are removed, not kept stale. With --metrics-only the clone keys stay as they are.",
        .operands = kAnalyzeOperands, .options = kBaselineUpdateOptions, .examples = kBaselineUpdateExamples,
        .exit_codes = "0 2 3 4 5", .run = baseline_update, .writes = "gatehouse.baseline.json"},
    Operation{
        .name = "list_runs", .words = "runs list", .group = kCode, .effect = Effect::writes_state,
        .summary = "The analyses that were kept",
        .description =
            "One line per run of this root, the latest first. A run that was met again stands where it was met last.",
        .options = kRunsListOptions, .examples = kRunsListExamples,
        .exit_codes = "0 2 4 5", .run = runs_list, .paged = true},
    Operation{
        .name = "show_run", .words = "runs show", .group = kCode, .effect = Effect::writes_state,
        .summary = "One run: metrics, top risks, where to begin",
        .description =
            "A stored run, or a revision that is analysed for the question and not kept. The document is the whole report.",
        .operands = kRunsShowOperands, .examples = kRunsShowExamples,
        .exit_codes = "0 2 3 4 5", .run = runs_show, .paged = true},
    Operation{
        .name = "compare_runs", .words = "runs compare", .group = kCode, .effect = Effect::writes_state,
        .summary = "What came, what went and what got worse between two runs",
        .description =
            "Findings are compared by their ids, functions and classes by their names. What stood in a file that can no longer be read whole is unknown, not gone. Baselines play no part.",
        .operands = kRunsCompareOperands, .options = kRunsCompareOptions, .examples = kRunsCompareExamples,
        .exit_codes = "0 1 2 3 4 5", .run = runs_compare, .paged = true},
    Operation{
        .name = "show_trend", .words = "runs trend", .group = kCode, .effect = Effect::writes_state,
        .summary = "Health and complexity over the stored runs",
        .description =
            "One line per run, the latest last.",
        .options = kRunsListOptions, .examples = kRunsTrendExamples,
        .exit_codes = "0 2 4 5", .run = runs_trend, .paged = true},
    Operation{
        .name = "show_document", .words = "runs document", .group = kCode,
        .summary = "A kept document or report, or a part of it",
        .description =
            "By its digest: whatever 'change start', 'analyze' and the gates kept, exactly as it was. Of a document that "
            "is too long to show the members are named with their sizes; --section chooses one.",
        .operands = kDocumentOperands, .options = kDocumentOptions, .examples = kDocumentExamples,
        .exit_codes = "0 2 4", .run = document_show},
    Operation{
        .name = "list_findings", .words = "findings", .group = kCode, .effect = Effect::writes_state,
        .summary = "What a run found, filtered",
        .description =
            "Filters combine. New is what the run before, or the one named with --since, did not have.",
        .options = kFindingsOptions, .examples = kFindingsExamples,
        .exit_codes = "0 2 3 4 5", .run = findings, .paged = true},
    Operation{
        .name = "list_clones", .words = "clones", .group = kCode, .effect = Effect::writes_state,
        .summary = "Copies in the code, with every place",
        .description =
            "Groups of functions that differ in names and literals alone, and of equal runs of statements.",
        .operands = kClonesOperands, .options = kOfRunOptions, .examples = kClonesExamples,
        .exit_codes = "0 2 3 4 5", .run = clones, .paged = true},
    Operation{
        .name = "evaluate_gates", .words = "gates", .group = kCode, .effect = Effect::writes_state,
        .summary = "Would a stored run be let through?",
        .description =
            "The gates of 'analyze', asked of a run that was made already; nothing is measured. Those of gatehouse.yaml "
            "count too, and an option wins over them. A gate that the run or the baseline has no data for is an error, "
            "never a yes: coverage_required for --fail-on-untested-hotspots without coverage, baseline_untrusted for "
            "what is compared with a baseline.",
        .options = kGatesOptions, .examples = kGatesExamples,
        .exit_codes = "0 1 2 3 4", .run = evaluate_gates},
    Operation{
        .name = "list_hotspots", .words = "hotspots", .group = kCode, .effect = Effect::writes_state,
        .summary = "The functions, classes and folders that weigh most",
        .description =
            "The worst of each metric, whether or not it is above a threshold, and the folders with most findings.",
        .options = kHotspotsOptions, .examples = kHotspotsExamples,
        .exit_codes = "0 2 3 4 5", .run = hotspots, .paged = true},
    Operation{
        .name = "show_blast", .words = "blast", .group = kCode, .effect = Effect::writes_state,
        .summary = "Who is concerned when these files change?",
        .description =
            "Follows the imports of a run against their direction and looks for copies: which files depend on these or share code with them, how far a change reaches, what is risky there, and what must not be touched. With --symbols the functions that use them, as long as the sources are those of the run.",
        .operands = kBlastOperands, .options = kBlastOptions, .examples = kBlastExamples,
        .exit_codes = "0 2 3 4 5", .run = blast, .paged = true},
};
// clang-format on

}  // namespace gh::ops
