#include <array>

#include "ops/analysis_ops.h"
#include "ops/change_rows.h"
#include "ops/operation.h"
#include "ops/patch_ops.h"
#include "ops/proposal_ops.h"
#include "ops/support_ops.h"

namespace gh::ops {
namespace {

constexpr std::string_view kStart = "START HERE";
constexpr std::string_view kPatches = "PATCHES";
constexpr std::string_view kProposals = "PROPOSALS";
constexpr std::string_view kCode = "CODE";
constexpr std::string_view kPolicy = "POLICY";
constexpr std::string_view kEvidence = "EVIDENCE";
constexpr std::string_view kHelp = "HELP";

// clang-format off
constexpr Operand kPatchFile{"FILE", Arity::optional, "patch file, or - for standard input", Completes::file};
constexpr Operand kNeededPatchFile{"FILE", Arity::required, "patch file, or - for standard input", Completes::file};
constexpr Operand kRuleId{"ID", Arity::required, "rule id or error code, e.g. max_files", Completes::rule};

constexpr Option kBase{"base", OptionType::text, "REV", "HEAD", "commit that the change is judged against", "", Completes::ref};
constexpr Option kProfile{"profile", OptionType::choice, "NAME", "", "grammar: strict wants hunks in every section, git also takes pure renames, mode changes and empty files (default: the policy's)", "strict git"};
constexpr Option kRun{"run", OptionType::text, "ID", "", "patch run that this submission belongs to", "", Completes::run};
constexpr Option kNeededRun{"run", OptionType::text, "ID", "", "patch run, e.g. prun-0123456789abcdef", "", Completes::run};
constexpr Option kNarrow{"narrow", OptionType::path, "FILE", "", "JSON with keys of the patch block; may only narrow the policy", "", Completes::file};
constexpr Option kExpect{"expect", OptionType::text, "DIGEST", "", "refuse to go on unless the submitted bytes, or their canonical form, have this SHA-256"};
constexpr Option kMaxFiles{"max-files", OptionType::integer, "N", "", "lower the policy's max_files for this patch"};
constexpr Option kMaxAdded{"max-added", OptionType::integer, "N", "", "lower the policy's max_added_lines for this patch"};

constexpr std::array kCheckOperands{Operand{"TARGET", Arity::optional, "patch file, - for standard input, or a range A..B; nothing: staged changes, else the work tree, else the commits since upstream", Completes::file}};
constexpr std::array kCheckOptions{
    Option{"staged", OptionType::flag, "", "", "judge what is staged"},
    Option{"proposal", OptionType::text, "ID", "", "judge a proposal: what would its promotion say now?"},
    kBase,
    kProfile,
    Option{"exit-zero", OptionType::flag, "", "", "exit 0 whatever the gates say; faults keep their code"},
    Option{"exit-review", OptionType::flag, "", "", "exit 10 for review and 11 for unverified"},
    Option{"strict", OptionType::flag, "", "", "count review as no"},
};
constexpr std::array kCheckExamples{
    Example{"gatehouse check fix.patch", "Would this patch be accepted on top of HEAD?"},
    Example{"gatehouse check --staged", "The same question about what is staged."},
    Example{"gatehouse check HEAD~1..HEAD --json", "One Verdict about the last commit, for a program."},
};

constexpr std::array kPatchCheckOperands{kPatchFile};
constexpr std::array kPatchCheckOptions{kBase, kProfile, kRun, kNarrow, kExpect, kMaxFiles, kMaxAdded,
    Option{"batch", OptionType::path, "DIR", "", "check every file of the folder in one process, one JSON line each", "", Completes::folder},
};
constexpr std::array kPatchCheckExamples{
    Example{"gatehouse patch check fix.patch", "Judge a patch against HEAD; nothing changes."},
    Example{"git diff --no-renames | gatehouse patch check -", "Judge the work-tree changes of the repository you are in."},
    Example{"gatehouse patch check fix.patch --max-files 2 --json", "Judge under a tighter budget; print the document."},
    Example{"gatehouse patch check --batch patches/", "One result line per file of the folder."},
};

constexpr std::array kPatchApplyOptions{kBase, kProfile, kRun, kNarrow, kExpect, kMaxFiles, kMaxAdded,
    Option{"land", OptionType::choice, "MODE", "worktree", "where the change goes: the work tree and index, or a commit on --ref", "worktree commit"},
    Option{"ref", OptionType::text, "REF", "", "branch that moves with --land commit, made if it does not exist (default: the current one)", "", Completes::ref},
    Option{"message", OptionType::text, "TEXT", "", "subject of the commit that --land commit makes"},
    Option{"run-dir", OptionType::path, "DIR", "", "folder for the evidence (default: below the git directory)", "", Completes::folder},
};
constexpr std::array kPatchApplyExamples{
    Example{"gatehouse patch apply fix.patch", "Check, then land in work tree and index, or leave all as it was."},
    Example{"gatehouse patch apply - --land commit --ref refs/heads/agent/fix --base HEAD < fix.patch", "Make a commit on a branch without touching the work tree."},
};

constexpr std::array kOnePatch{kNeededPatchFile};
constexpr std::array kParseOptions{kProfile};
constexpr std::array kPatchExplainExamples{
    Example{"gatehouse patch explain fix.patch", "What the gate reads in the patch: files, operations, counts."},
    Example{"gatehouse patch explain fix.patch --profile git --json", "The same model as a document."},
};
constexpr std::array kPatchImpactOptions{kBase, kProfile,
    Option{"coverage", OptionType::path, "FILE", "", "a Cobertura report of the base: changed functions that no test enters are named", "", Completes::file},
};
constexpr std::array kPatchImpactExamples{
    Example{"gatehouse patch impact fix.patch", "Does the patch copy code, leave a copy behind, or make a function harder to read?"},
    Example{"gatehouse patch impact fix.patch --json", "The same as a document."},
};
constexpr std::array kPatchCanonExamples{
    Example{"gatehouse patch canon fix.patch", "The exact bytes that git would be given."},
    Example{"gatehouse patch canon fix.patch | sha256sum", "The id of the change across cosmetic differences."},
};
constexpr std::array kRunOptions{kNeededRun};
constexpr std::array kPatchBundleExamples{
    Example{"gatehouse patch bundle --run prun-0123456789abcdef", "Build the failure bundle, or check the one that is there."},
    Example{"gatehouse patch bundle --run prun-0123456789abcdef --json", "The same, with the list of entries."},
};
constexpr std::array kCalibrateOptions{Option{"commits", OptionType::integer, "N", "1000", "how many past non-merge commits to read"}};
constexpr std::array kCalibrateExamples{
    Example{"gatehouse patch calibrate", "Propose max_files and max_added_lines from the last 1000 commits."},
    Example{"gatehouse patch calibrate --commits 200 --json", "The same figures as a document."},
};
constexpr std::array kUnfreezeOptions{kNeededRun, Option{"reason", OptionType::text, "TEXT", "", "why the alarm is cleared; kept in the audit chain"}};
constexpr std::array kUnfreezeExamples{
    Example{"gatehouse patch unfreeze --run prun-0123456789abcdef --reason 'git upgraded, disagreement gone'", "Let a frozen run, or one whose attempts are used up, be retried."},
    Example{"gatehouse patch unfreeze --run prun-0123456789abcdef --reason 'reviewed by hand' --json", "The same, with the new state as a document."},
};

constexpr std::array kExplainOperands{kRuleId};
constexpr std::array kExplainExamples{
    Example{"gatehouse explain max_files", "Why the rule exists, what fires it, how to fix it."},
    Example{"gatehouse explain lock_busy", "The same for an error code."},
    Example{"gatehouse explain PROP_TESTS_EMPTY", "The same for a reason why a proposal is refused."},
};
constexpr std::array kRuleListOptions{Option{"gate", OptionType::choice, "GATE", "", "only the rules of one step, of one check of proposals, of one family of findings, or of one part of change control; gate: why an analysis is refused", "shape path policy tree git apply A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 A16 A17 A18 A19 A20 review after clone structural dead_code design gate start warning verify finish hygiene scope write recover lease ownership claim receipt"}};
constexpr std::array kRuleListExamples{
    Example{"gatehouse rule list", "Every rule id with its gate and one line of advice."},
    Example{"gatehouse rule list --gate policy --json", "The policy rules as a document."},
};
constexpr std::array kRuleShowExamples{
    Example{"gatehouse rule show hunk_position_mismatch", "The full text of one rule."},
    Example{"gatehouse rule show deny_prefixes --json", "The same as a document."},
};

constexpr std::array kConfigOptions{
    Option{"base", OptionType::text, "REV", "", "read gatehouse.yaml at this commit (default: the work tree)", "", Completes::ref},
};
constexpr std::array kConfigShowExamples{
    Example{"gatehouse config show", "The effective policy and where it came from."},
    Example{"gatehouse config show --base HEAD --json", "The policy that a change on HEAD is judged by."},
};
constexpr std::array kConfigValidateOperands{Operand{"FILE", Arity::optional, "file to check (default: gatehouse.yaml of the repository)", Completes::file}};
constexpr std::array kConfigValidateExamples{
    Example{"gatehouse config validate", "Is this repository's gatehouse.yaml valid?"},
    Example{"gatehouse config validate gatehouse.yaml --json", "The same for a named file, as a document."},
};

constexpr std::array kAuditLogOptions{
    Option{"from", OptionType::integer, "SEQ", "", "first row to show (default: the newest rows)"},
    Option{"limit", OptionType::integer, "N", "50", "how many rows at most"},
};
constexpr std::array kAuditLogExamples{
    Example{"gatehouse audit log", "The newest 50 rows of the audit chain."},
    Example{"gatehouse audit log --from 1 --limit 10 --json", "The first ten rows as a document."},
};
constexpr std::array kAuditExportOptions{
    Option{"from", OptionType::integer, "SEQ", "1", "first row to print"},
};
constexpr std::array kAuditExportExamples{
    Example{"gatehouse audit export > audit.jsonl", "The whole chain, one JSON object per line."},
    Example{"gatehouse audit export --from 1 | head -n 1", "Only the first row."},
};
constexpr std::array kAuditVerifyExamples{
    Example{"gatehouse audit verify", "Recompute the hash chain; exit 1 names the first broken row or the promotion that does not hold."},
    Example{"gatehouse audit verify --json", "The same as a document."},
};

constexpr std::array kDbCheckExamples{
    Example{"gatehouse db check", "Is the database whole, and does the audit chain hold?"},
    Example{"gatehouse db check --json", "The same as a document."},
};
constexpr std::array kDbBackupOperands{Operand{"FILE", Arity::required, "new file for the copy", Completes::file}};
constexpr std::array kDbBackupExamples{
    Example{"gatehouse db backup ledger-copy.db", "A copy in one file, while others go on writing."},
    Example{"gatehouse db backup ledger-copy.db --json", "The same, with the number of rows in it."},
};
constexpr std::array kDbMigrateExamples{
    Example{"gatehouse db migrate", "Bring the tables to this version, and say what was done."},
    Example{"gatehouse db migrate --field schema_version", "The version of the tables, as a number."},
};
constexpr std::array kDbVacuumExamples{
    Example{"gatehouse db vacuum", "Drop old payloads and give the room back."},
    Example{"gatehouse db vacuum --json", "The same as a document."},
};

constexpr std::array kInitOptions{
    Option{"yes", OptionType::flag, "", "", "write without asking", "", Completes::nothing, 'y'},
    Option{"dry-run", OptionType::flag, "", "", "show what would be written, as a diff"},
    Option{"check", OptionType::flag, "", "", "exit 1 when something would be written"},
};
constexpr std::array kInitExamples{
    Example{"gatehouse init --dry-run", "What would be copied from pyproject.toml?"},
    Example{"gatehouse init --yes", "Copy it into gatehouse.yaml."},
};

constexpr std::array kDoctorExamples{
    Example{"gatehouse doctor", "Is everything the gate needs in order here?"},
    Example{"gatehouse doctor --json", "The same as a document."},
};
constexpr std::array kAnalyzeOperands{
    Operand{"PATH", Arity::optional, "a folder; inside a repository only what lies below it is read (default: the repository around the current folder)", Completes::folder}};
constexpr Option kAnalyzeRev{"rev", OptionType::text, "REV", "", "a revision, read straight from git", "", Completes::ref};
constexpr Option kAnalyzeJobs{"jobs", OptionType::integer, "N", "0", "threads (0: one per core)", "", Completes::nothing, 0, "", 0};
constexpr Option kStructuralBaseline{"baseline", OptionType::path, "FILE", "", "the baseline (default: the one of gatehouse.yaml, gatehouse.baseline.json)", "", Completes::file};
constexpr Option kSkipMetrics{"skip-metrics", OptionType::flag, "", "", "clones alone"};
constexpr Option kApiSurface{"api-surface", OptionType::flag, "", "", "measure the API"};
constexpr Option kMinLoc{"min-loc", OptionType::integer, "N", "", "lines of a function before it can be a clone"};
constexpr Option kMinStmt{"min-stmt", OptionType::integer, "N", "", "statements of a function before it can be a clone"};
constexpr Option kStaged{"staged", OptionType::flag, "", "", "what is staged, read straight from git"};
constexpr Option kFailComplexity{"fail-complexity", OptionType::integer, "[N]", "", "refuse a complexity above N (alone: 20; -1: off)", "", Completes::nothing, 0, "20", -1};
constexpr Option kFailCoupling{"fail-coupling", OptionType::integer, "[N]", "", "refuse a coupling above N (alone: 10; -1: off)", "", Completes::nothing, 0, "10", -1};
constexpr Option kFailCohesion{"fail-cohesion", OptionType::integer, "[N]", "", "refuse an LCOM4 above N (alone: 4; -1: off)", "", Completes::nothing, 0, "4", -1};
constexpr Option kFailHealth{"fail-health", OptionType::integer, "[N]", "", "refuse a health below N (alone: 60; -1: off)", "", Completes::nothing, 0, "60", -1, 100};
constexpr Option kFailCycles{"fail-cycles", OptionType::flag, "", "", "refuse cycles of modules"};
constexpr Option kFailDeadCode{"fail-dead-code", OptionType::flag, "", "", "refuse what is dead with high confidence"};
constexpr Option kFailOnNewMetrics{"fail-on-new-metrics", OptionType::flag, "", "", "refuse functions, classes, cycles, dead code and a health that are worse than the baseline"};
constexpr Option kMinTypingCoverage{"min-typing-coverage", OptionType::integer, "P", "", "refuse fewer than P percent of parameters with types (-1: off)", "", Completes::nothing, 0, "", -1, 100};
constexpr Option kMinDocstringCoverage{"min-docstring-coverage", OptionType::integer, "P", "", "refuse less than P percent of documentation (-1: off)", "", Completes::nothing, 0, "", -1, 100};
constexpr Option kFailOnTypingRegression{"fail-on-typing-regression", OptionType::flag, "", "", "refuse lost types"};
constexpr Option kFailOnDocstringRegression{"fail-on-docstring-regression", OptionType::flag, "", "", "refuse lost documentation"};
constexpr Option kFailOnApiBreak{"fail-on-api-break", OptionType::flag, "", "", "refuse breaking changes of the API"};
constexpr Option kFailOnUntestedHotspots{"fail-on-untested-hotspots", OptionType::flag, "", "", "refuse complex functions that are hardly tested; needs --coverage"};
constexpr Option kFailOnNew{"fail-on-new", OptionType::flag, "", "", "refuse groups of clones that the baseline does not hold"};
constexpr Option kFailThreshold{"fail-threshold", OptionType::integer, "N", "", "refuse more than N groups of clones (-1: off)", "", Completes::nothing, 0, "", -1};
constexpr Option kMetricsBaseline{"metrics-baseline", OptionType::path, "FILE", "", "the baseline of metrics and API, when it is another file", "", Completes::file};
constexpr Option kCoverageMin{"coverage-min", OptionType::integer, "P", "", "percent below which a complex function is hardly tested", "", Completes::nothing, 0, "", 0, 100};
constexpr std::array kAnalyzeOptions{
    kAnalyzeRev,
    kStaged,
    Option{"store", OptionType::flag, "", "true", "keep the run in the ledger, so that others can be compared with it"},
    kAnalyzeJobs,
    kMinLoc,
    kMinStmt,
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
    Option{"paths-from-git-diff", OptionType::text, "REV", "", "the same as --changed-only --diff-against REV", "", Completes::ref},
    Option{"html", OptionType::path, "[FILE]", "", "write one page with charts and clones side by side (alone: gatehouse-reports/analysis.html)", "", Completes::file, 0, "gatehouse-reports/analysis.html"},
    Option{"md", OptionType::path, "[FILE]", "", "write Markdown (alone: gatehouse-reports/analysis.md)", "", Completes::file, 0, "gatehouse-reports/analysis.md"},
    Option{"sarif", OptionType::path, "[FILE]", "", "write SARIF 2.1.0 (alone: gatehouse-reports/analysis.sarif)", "", Completes::file, 0, "gatehouse-reports/analysis.sarif"},
    Option{"text", OptionType::path, "[FILE]", "", "write everything as text (alone: gatehouse-reports/analysis.txt)", "", Completes::file, 0, "gatehouse-reports/analysis.txt"},
    Option{"json-file", OptionType::path, "[FILE]", "", "write the document (alone: gatehouse-reports/analysis.json)", "", Completes::file, 0, "gatehouse-reports/analysis.json"},
    Option{"out", OptionType::path, "DIR", "", "the folder of report files that are asked for without a name (default: gatehouse-reports)", "", Completes::folder},
    Option{"report-items", OptionType::integer, "N", "", "at most N items of each metric in the JSON document; the digest is that of the whole one"},
    Option{"json-compact", OptionType::flag, "", "", "the JSON document on one line, without spaces"},
    Option{"update-baseline", OptionType::flag, "", "", "write the run as the new baseline"},
    Option{"update-metrics-baseline", OptionType::flag, "", "", "write metrics and API alone"},
};
constexpr std::array kGatesOptions{
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
constexpr std::array kGatesExamples{
    Example{"gatehouse gates --fail-complexity 40 --fail-cycles", "Would the latest run be let through by these gates?"},
    Example{"gatehouse gates --run previous --fail-health 10 --json", "The same question about the run before, as a document."},
};
constexpr std::array kBaselineWriteOptions{kAnalyzeRev, kStaged, kAnalyzeJobs, kMinLoc, kMinStmt, kStructuralBaseline, kSkipMetrics, kApiSurface};
constexpr std::array kBaselineUpdateOptions{kAnalyzeRev, kStaged, kAnalyzeJobs, kMinLoc, kMinStmt, kStructuralBaseline, kSkipMetrics, kApiSurface,
    Option{"metrics-only", OptionType::flag, "", "", "keep the clone keys that the file has"}};
constexpr std::array kBaselineReadOptions{kStructuralBaseline};
constexpr std::array kBaselineDiffOptions{kAnalyzeRev, kStaged, kAnalyzeJobs, kMinLoc, kMinStmt, kStructuralBaseline,
    Option{"check", OptionType::flag, "", "", "exit 1 when the code is worse than the baseline"}};
constexpr std::array kBaselineSaveExamples{
    Example{"gatehouse baseline save", "Accept the code as it is; commit the file that this writes."},
    Example{"gatehouse baseline save --rev HEAD --baseline other.json", "Of the last commit, into another file."},
};
constexpr std::array kBaselineUpdateExamples{
    Example{"gatehouse baseline update", "Accept what changed since; review the diff of the file."},
    Example{"gatehouse baseline update --metrics-only", "Accept metrics, and not the clones."},
};
constexpr std::array kBaselineShowExamples{
    Example{"gatehouse baseline show", "What the baseline holds, and whether it can be trusted."},
    Example{"gatehouse baseline show --json", "The same as a document."},
};
constexpr std::array kBaselineVerifyExamples{
    Example{"gatehouse baseline verify", "Exit 0 when the file can be trusted, else 1 with the state it is in."},
    Example{"gatehouse baseline verify --field status", "The state as one word."},
};
constexpr std::array kBaselineDiffExamples{
    Example{"gatehouse baseline diff", "What is new since the baseline."},
    Example{"gatehouse baseline diff --check", "Exit 1 when the code is worse."},
};
constexpr std::array kAnalyzeExamples{
    Example{"gatehouse analyze", "The shape of the code as it is on disk."},
    Example{"gatehouse analyze --rev HEAD --json", "Of the last commit, as a document with its digest."},
    Example{"gatehouse analyze --html --sarif", "Also as a page to look at and as SARIF, below gatehouse-reports."},
    Example{"gatehouse analyze --html --md --out build/reports", "The same, below another folder."},
    Example{"gatehouse analyze --staged --no-store", "Of what is staged; nothing is kept."},
    Example{"gatehouse analyze --fail-complexity 40 --fail-cycles", "Exit 1 when a function is too complex or modules import in a circle."},
    Example{"gatehouse analyze --paths-from-git-diff HEAD --fail-threshold 0", "Exit 1 when a changed file holds a copy."},
};
constexpr Operand kMaybeRun{"RUN", Arity::optional, "latest, previous, a run id or its beginning, or a revision (default: latest)", Completes::ref};
constexpr Option kOfRun{"run", OptionType::text, "RUN", "", "latest, previous, a run id or its beginning, or a revision (default: latest)", "", Completes::ref};
constexpr Option kRunLimit{"limit", OptionType::integer, "N", "20", "how many runs at most, the latest ones"};
constexpr std::array kRunsListOptions{kRunLimit};
constexpr std::array kRunsListExamples{
    Example{"gatehouse runs list", "The runs of this repository, the latest first."},
    Example{"gatehouse runs list --limit 1 --field runs.0.run_id", "The id of the latest run."},
};
constexpr std::array kRunsShowOperands{kMaybeRun};
constexpr std::array kRunsShowExamples{
    Example{"gatehouse runs show", "The latest run: metrics, top risks, where to begin."},
    Example{"gatehouse runs show previous --json", "The whole report of the run before."},
};
constexpr std::array kRunsCompareOperands{
    Operand{"BEFORE", Arity::optional, "latest, previous, a run id or its beginning, or a revision (default: previous)", Completes::ref},
    Operand{"AFTER", Arity::optional, "likewise (default: latest)", Completes::ref},
};
constexpr std::array kRunsCompareOptions{
    Option{"focus", OptionType::choice, "WHAT", "all", "families of findings that are compared", "all clones structural metrics"},
    Option{"check", OptionType::flag, "", "", "exit 1 when the later run is worse, or cannot be compared"},
};
constexpr std::array kRunsCompareExamples{
    Example{"gatehouse runs compare", "What came and what went between the last two runs."},
    Example{"gatehouse runs compare HEAD~1 HEAD --json", "Between two revisions, which are analysed now."},
};
constexpr std::array kRunsTrendExamples{
    Example{"gatehouse runs trend", "Health, complexity and findings over the stored runs."},
    Example{"gatehouse runs trend --limit 100 --json", "The same as a document."},
};
constexpr std::array kFindingsOptions{
    kOfRun,
    Option{"family", OptionType::choice, "NAME", "", "only this family", "clone structural dead_code design"},
    Option{"severity", OptionType::choice, "NAME", "", "only this severity", "critical warning info"},
    Option{"path", OptionType::text, "PATH", "", "only what touches this file or folder, from the root"},
    Option{"new", OptionType::flag, "", "", "only what the run before had not"},
    Option{"since", OptionType::text, "RUN", "", "only what that run or revision had not", "", Completes::ref},
};
constexpr std::array kFindingsExamples{
    Example{"gatehouse findings", "Everything that the latest run found."},
    Example{"gatehouse findings --severity critical --path src", "What is worst below src."},
    Example{"gatehouse findings --since HEAD~1 --json", "What the last commit and the work tree brought, as a document."},
};
constexpr std::array kClonesOperands{Operand{"ID", Arity::optional, "one group, by its short or its whole id"}};
constexpr std::array kOfRunOptions{kOfRun};
constexpr std::array kClonesExamples{
    Example{"gatehouse clones", "Groups of equal functions and equal runs of statements."},
    Example{"gatehouse clones --run HEAD --json", "Of the last commit, as a document."},
};
constexpr std::array kHotspotsOptions{kOfRun, Option{"limit", OptionType::integer, "N", "10", "how many of each"}};
constexpr std::array kHotspotsExamples{
    Example{"gatehouse hotspots", "The functions, classes and folders that weigh most."},
    Example{"gatehouse hotspots --limit 3 --json", "Three of each, as a document."},
};
constexpr std::array kBlastOperands{Operand{"PATH", Arity::many, "files or folders, from the root of the repository", Completes::file}};
constexpr std::array kBlastOptions{
    kOfRun,
    Option{"transitive", OptionType::flag, "", "", "also whoever imports those, over any number of steps"},
    Option{"symbols", OptionType::flag, "", "", "also the functions that call or name something in these files; reads the sources again"},
    Option{"include", OptionType::text_list, "LANE", "", "only this part of the answer: imports, clone_cohorts, coverage, risk_signals, do_not_touch, review_context, cycles"},
};
constexpr std::array kBlastExamples{
    Example{"gatehouse blast pkg/core.py", "Which files import it or share code with it?"},
    Example{"gatehouse blast pkg/core.py --transitive --symbols", "Through any number of steps, and which functions use it."},
    Example{"gatehouse blast pkg --json", "The same of a folder, as a document."},
};
constexpr std::array kContractExamples{
    Example{"gatehouse contract --json", "Versions, schemas, exit codes, rules, commands: read this first."},
    Example{"gatehouse contract --field tool.version", "One value of it."},
};
constexpr std::array kSchemaOperands{Operand{"NAME", Arity::optional, "schema name, e.g. verdict; nothing: the list", Completes::schema}};
constexpr std::array kSchemaExamples{
    Example{"gatehouse schema", "The names of the schemas that are compiled in."},
    Example{"gatehouse schema verdict", "The JSON Schema of the Verdict."},
};
constexpr std::array kCompletionOperands{Operand{"SHELL", Arity::required, "bash, zsh or fish", Completes::nothing, "bash zsh fish"}};
constexpr std::array kCompletionExamples{
    Example{"gatehouse completion bash > gatehouse.bash", "Then: source gatehouse.bash"},
    Example{"gatehouse completion zsh > _gatehouse", "Then: put it in a folder of $fpath."},
    Example{"gatehouse completion fish > gatehouse.fish", "Then: put it in ~/.config/fish/completions/"},
};
constexpr std::array kManExamples{
    Example{"gatehouse man > gatehouse.1", "Then: man -l gatehouse.1"},
    Example{"gatehouse man | head -n 1", "The manual page starts with its title line."},
};
constexpr std::array kVersionExamples{
    Example{"gatehouse version", "Version, Unicode data, git minimum."},
    Example{"gatehouse version --json", "The same as a document."},
};
constexpr std::array kHelpOperands{Operand{"COMMAND", Arity::many, "command to explain", Completes::command}};
constexpr std::array kHelpOptions{Option{"all", OptionType::flag, "", "", "every command"}};
constexpr std::array kHelpExamples{
    Example{"gatehouse help patch apply", "Everything about one command."},
    Example{"gatehouse help --all", "Every command, one line each."},
};

constexpr std::array kValueKinds{Operand{"KIND", Arity::required, "what is wanted", Completes::nothing, "rule run ref schema command"}};
constexpr std::array kValuesExamples{
    Example{"gatehouse __complete rule", "Every rule id and error code."},
    Example{"gatehouse __complete ref", "The branches and tags of this repository."},
};

constexpr Operand kProposalId{"ID", Arity::required, "patch_id of the proposal", Completes::nothing};
constexpr std::array kOneProposal{kProposalId};
constexpr Option kKey{"key", OptionType::path, "FILE", "", "OpenSSH Ed25519 private key of the actor who speaks", "", Completes::file};
constexpr Option kExitReview{"exit-review", OptionType::flag, "", "", "exit 10 for review and 11 for unverified"};

constexpr std::array kProposalNewOptions{
    Option{"agent", OptionType::text, "MODEL / ROLE", "", "who wrote the change, e.g. 'deepseek-coder-v2 / drafter'"},
    Option{"gap", OptionType::text, "ID", "", "what the change is for, e.g. kb:4400"},
    Option{"base", OptionType::text, "REV", "HEAD", "commit that the change applies to", "", Completes::ref},
    Option{"id", OptionType::text, "ID", "", "patch_id (default: made from the gap and the time)"},
    Option{"title", OptionType::text, "TEXT", "", "one line for the list and the commit"},
    Option{"risk", OptionType::text, "TEXT", "", "risk_notes: failure, blast radius, data, idempotent"},
    Option{"rollback", OptionType::text, "TEXT", "", "rollback_notes: how it is undone"},
    Option{"command", OptionType::text_list, "TEXT", "", "one entry of commands_run, e.g. 'make test => exit 0'"},
    Option{"out", OptionType::path, "DIR", "", "folder for the files (default: patches at the top of the work tree)", "", Completes::folder},
};
constexpr std::array kProposalNewExamples{
    Example{"gatehouse proposal new --agent 'deepseek-coder-v2 / drafter' --gap kb:4400", "Write the pair for the change in the work tree; fill in the notes."},
    Example{"gatehouse proposal new --agent 'm / author' --gap GAP-X --id fix-x-001 --title 'fix x' --json", "The same under an id of your own, as a document."},
};
constexpr std::array kProposalPairOperands{Operand{"DIR", Arity::optional, "folder with the pair, or with a folder patches", Completes::folder}};
constexpr std::array kProposalPairOptions{
    Option{"diff", OptionType::path, "FILE", "", "the diff, when there is no DIR", "", Completes::file},
    Option{"meta", OptionType::path, "FILE", "", "its metadata", "", Completes::file},
    Option{"id", OptionType::text, "ID", "", "which pair, when DIR holds several"},
};
constexpr std::array kProposalLintOptions{kProposalPairOptions[0], kProposalPairOptions[1], kProposalPairOptions[2],
    Option{"payload", OptionType::flag, "", "", "print the bytes that the author signs, and nothing else"},
};
constexpr std::array kProposalSubmitExamples{
    Example{"gatehouse proposal submit patches/", "Check the pair and take it in, or say everything that is wrong with it."},
    Example{"gatehouse proposal submit --diff fix.patch.diff --meta fix.patch.meta.yaml --json", "The same for two files, as a document."},
};
constexpr std::array kProposalLintExamples{
    Example{"gatehouse proposal lint patches/", "The same checks as submit; nothing is kept."},
    Example{"gatehouse proposal lint patches/ --id fix-x-001 --json", "One of several pairs, as a document."},
};
constexpr std::array kProposalListOptions{
    Option{"status", OptionType::choice, "STATUS", "", "only proposals in this state", "sandbox proposed promoted rejected"},
    Option{"author", OptionType::text, "AGENT", "", "only those of this author_agent"},
    Option{"file", OptionType::text, "PATH", "", "only those that touch this path"},
    Option{"stale", OptionType::flag, "", "", "only those whose base is no longer the head"},
    Option{"conflicts", OptionType::flag, "", "", "pairs of open proposals that get in each other's way"},
    Option{"after", OptionType::text, "ID", "", "the page behind this id"},
    Option{"limit", OptionType::integer, "N", "50", "how many at most"},
};
constexpr std::array kProposalListExamples{
    Example{"gatehouse proposal list", "What agents want to change, and where each proposal stands."},
    Example{"gatehouse proposal list --status proposed --json", "The open ones as a document."},
};
constexpr std::array kProposalShowOptions{
    Option{"diff", OptionType::flag, "", "", "the diff as git derives it from base and result"},
    Option{"checks", OptionType::flag, "", "", "every admission so far"},
    Option{"audit", OptionType::flag, "", "", "its rows of the audit chain"},
    Option{"as", OptionType::text, "NAME", "", "reviewer who looks; with an open review the other verdicts stay hidden"},
    Option{"payload", OptionType::choice, "ROLE", "", "print the bytes that this role signs, and nothing else", "author reviewer promoter"},
};
constexpr std::array kProposalShowExamples{
    Example{"gatehouse proposal show fix-x-001", "One proposal: what it claims, what the gate found, where it stands."},
    Example{"gatehouse proposal show fix-x-001 --diff --checks --json", "With diff and admissions, as a document."},
};
constexpr std::array kProposalDiffOptions{Option{"from", OptionType::integer, "REV", "", "what changed since this revision, for an id that was submitted again"}};
constexpr std::array kProposalDiffExamples{
    Example{"gatehouse proposal diff fix-x-001", "The diff that reviewers judge, derived by git."},
    Example{"gatehouse proposal diff fix-x-001 --json", "The same as a document."},
};
constexpr std::array kProposalReviewOptions{
    Option{"as", OptionType::text, "NAME", "", "reviewer, a name of proposals.reviewers.required"},
    Option{"verdict", OptionType::choice, "VERDICT", "", "what the reviewer says", "ok changes"},
    Option{"reason", OptionType::text_list, "CODE:TEXT", "", "why changes are wanted; CODE:FILE:LINE:TEXT names a place"},
    Option{"waive", OptionType::text_list, "CODE:REASON", "", "let PROP_COMMANDS_FAILED pass, and say why; goes with --verdict ok, also on a pair that was refused for nothing else"},
    Option{"checked", OptionType::text_list, "WHAT", "", "what was looked at: diff, tests, risk, rollback, scope"},
    Option{"digest", OptionType::text, "DIGEST", "", "proposal digest that the reviewer saw; refused when it is no longer current"},
    Option{"confirm", OptionType::flag, "", "", "raise the trust level to reviewed, after all reviews are ok"},
    kKey,
    Option{"out", OptionType::path, "DIR", "", "also write the review file there", "", Completes::folder},
};
constexpr std::array kProposalReviewExamples{
    Example{"gatehouse proposal review fix-x-001 --as gemini --verdict ok", "A reviewer agrees with exactly this digest."},
    Example{"gatehouse proposal review fix-x-001 --as codex --verdict changes --reason 'vague_risk:say what happens on failure'", "A reviewer wants changes and says why."},
};
constexpr std::array kProposalWithdrawOptions{Option{"reason", OptionType::text, "TEXT", "", "kept in the audit chain"}, kKey};
constexpr std::array kProposalWithdrawExamples{
    Example{"gatehouse proposal withdraw fix-x-001", "The author takes it back."},
    Example{"gatehouse proposal withdraw fix-x-001 --reason 'done elsewhere' --json", "With a reason, as a document."},
};
constexpr std::array kProposalRejectOptions{Option{"reason", OptionType::text, "CODE:TEXT", "", "why; kept in the audit chain"}, kKey};
constexpr std::array kProposalRejectExamples{
    Example{"gatehouse proposal reject fix-x-001 --reason 'unwanted:out of scope for this release'", "An operator asks, the promotion gate writes."},
    Example{"gatehouse proposal reject fix-x-001 --reason 'unwanted:no' --json", "The same as a document."},
};
constexpr std::array kProposalPromoteOptions{
    Option{"dry-run", OptionType::flag, "", "", "run the checks, change nothing"},
    Option{"integrate", OptionType::choice, "HOW", "", "how the commit gets into the target (default: the policy's)", "ff merge branch-only"},
    Option{"confirmation", OptionType::path, "FILE", "", "SSH signature of a registered human over 'proposal show ID --payload promoter'", "", Completes::file},
    kExitReview,
};
constexpr std::array kProposalPromoteExamples{
    Example{"gatehouse proposal promote fix-x-001", "Check everything again, make the commit anew from its base, move the target."},
    Example{"gatehouse proposal promote fix-x-001 --dry-run --json", "What would it say?"},
};
constexpr std::array kProposalQueueOptions{
    Option{"dry-run", OptionType::flag, "", "", "show the order and what each promotion would say, change nothing"},
    Option{"target", OptionType::text, "REF", "", "branch whose queue is meant, refs/heads/... (default: the policy's default_target)", "", Completes::ref},
    Option{"first", OptionType::text, "ID", "", "put this proposal in front of the others first; it stays there"},
    kExitReview,
};
constexpr std::array kProposalQueueExamples{
    Example{"gatehouse proposal queue --dry-run", "What is approved, in the order it would land, and what stands in the way."},
    Example{"gatehouse proposal queue --json", "Promote what is approved, one after the other; the answer as a document."},
};
constexpr std::array kProposalRollbackOptions{Option{"reason", OptionType::text, "TEXT", "", "why; kept in the audit chain and the commit"}, kKey};
constexpr std::array kProposalRollbackExamples{
    Example{"gatehouse proposal rollback fix-x-001 --reason 'breaks the import'", "A commit that undoes the promotion exactly."},
    Example{"gatehouse proposal rollback fix-x-001 --reason 'breaks the import' --json", "The same as a document."},
};
constexpr std::array kProposalRecoverExamples{
    Example{"gatehouse proposal recover", "Finish or undo what a killed promotion left."},
    Example{"gatehouse proposal recover --json", "The same as a document."},
};
constexpr std::array kMaybeProposal{Operand{"ID", Arity::optional, "patch_id of the proposal", Completes::nothing}};
constexpr std::array kProposalVerifyOptions{Option{"all", OptionType::flag, "", "", "every proposal, and the audit chain"}};
constexpr std::array kProposalVerifyExamples{
    Example{"gatehouse proposal verify fix-x-001", "Recompute every decision about it from what was kept."},
    Example{"gatehouse proposal verify --all --json", "All of them; in a clone without a database from refs/gatehouse."},
};
constexpr std::array kProposalExportExamples{
    Example{"gatehouse proposal export", "Bring refs/gatehouse/* up to date with the ledger."},
    Example{"gatehouse proposal export --json", "The same as a document."},
};
constexpr std::array kProposalImportExamples{
    Example{"gatehouse proposal import", "Take records from refs/gatehouse that the ledger lacks."},
    Example{"gatehouse proposal import --json", "The same as a document."},
};
constexpr std::array kProposalSyncOperands{Operand{"DIR", Arity::required, "folder with pairs, or with a folder patches", Completes::folder}};
constexpr std::array kProposalSyncExamples{
    Example{"gatehouse proposal sync patches/", "Write the ledger's statuses into the files, and name those that were forged."},
    Example{"gatehouse proposal sync patches/ --json", "The same as a document."},
};
constexpr std::array kProposalRebaseOptions{
    Option{"onto", OptionType::text, "REV", "", "commit of the target to build on (default: its head)", "", Completes::ref},
    Option{"out", OptionType::path, "DIR", "", "folder for a pair that its author has to sign (default: patches at the top of the work tree)", "", Completes::folder},
};
constexpr std::array kProposalRebaseExamples{
    Example{"gatehouse proposal rebase fix-x-001", "The same change on the target's head, as a new proposal fix-x-001-r2."},
    Example{"gatehouse proposal rebase fix-x-001 --onto HEAD --json", "The same, as a document."},
};
constexpr std::array kReceiptOperands{Operand{"RECEIPT", Arity::required, "digest of a receipt, or a commit whose trailer or note names one", Completes::ref}};
constexpr std::array kMaybeReceipt{Operand{"RECEIPT", Arity::optional, "digest of a receipt, or a commit whose trailer or note names one", Completes::ref}};
constexpr std::array kReceiptShowOptions{
    Option{"run", OptionType::text, "RUN", "", "the receipt of a change that ended with this run", "", Completes::run},
    Option{"intent", OptionType::text, "ID", "", "the receipt of this intent"},
    Option{"trail", OptionType::flag, "", "", "the patch trail of the finish that made it, instead"},
    Option{"format", OptionType::choice, "FORMAT", "structured", "the document, or the page for people", "structured markdown"},
};
constexpr std::array kReceiptCreateOptions{
    Option{"run", OptionType::text, "RUN", "", "run to tell of (default: the latest one)", "", Completes::run},
    Option{"intent", OptionType::text, "ID", "", "intent to tell of (default: the newest one of this session on that run)"},
    Option{"format", OptionType::choice, "FORMAT", "markdown", "a page for people, or the document", "markdown json"},
    Option{"blast-radius", OptionType::flag, "", "true", "say who is concerned"},
    Option{"patch-contract", OptionType::flag, "", "true", "say what is known of the judgement"},
    kSession,
};
constexpr std::array kReceiptCreateExamples{
    Example{"gatehouse receipt create", "What is known of the latest run, as a page for a reviewer."},
    Example{"gatehouse receipt create --run latest --format json --no-blast-radius", "The same as a document, without one of its parts."},
};
constexpr std::array kAttachOperands{Operand{"COMMIT", Arity::optional, "commit that holds the change (default: HEAD)", Completes::ref}};
constexpr std::array kReceiptAttachOptions{
    Option{"receipt", OptionType::text, "DIGEST", "", "this receipt (default: the one that the commit names, or that was given for what it changes)"},
    kSession,
};
constexpr std::array kReceiptAttachExamples{
    Example{"gatehouse receipt attach", "The last commit is the change that was finished: put its receipt beside it."},
    Example{"gatehouse receipt attach HEAD --json", "The same, with the note that was written."},
};
constexpr std::array kReceiptTrailersOptions{kSession};
constexpr std::array kReceiptTrailersExamples{
    Example{"git add -A && git commit -q -m 'say it better' -m \"$(gatehouse receipt trailers)\"", "Commit what was finished, with lines that name its receipt."},
    Example{"git add -A && gatehouse receipt trailers --json", "The lines as a document."},
};
constexpr std::array kReceiptShowExamples{
    Example{"gatehouse receipt show HEAD", "The receipt that the last commit names."},
    Example{"gatehouse receipt show HEAD --field body.proposal_digest", "One member of it."},
};
constexpr std::array kReceiptVerifyOptions{
    Option{"file", OptionType::path, "FILE", "", "a receipt in a file, from anywhere", "", Completes::file},
    Option{"allowed", OptionType::path, "FILE", "", "public keys that may sign, one a line", "", Completes::file},
};
constexpr std::array kReceiptVerifyExamples{
    Example{"gatehouse receipt verify HEAD", "Does the receipt of the last commit hold together?"},
    Example{"gatehouse receipt verify --file receipt.json --allowed keys.txt", "Was this receipt signed by one of these keys?"},
};
constexpr std::array kReceiptExportOptions{
    Option{"format", OptionType::choice, "FORMAT", "in-toto", "the form that another tool reads", "json in-toto dsse slsa-vsa"},
    Option{"sign", OptionType::flag, "", "", "put it in a DSSE envelope, signed with store.signing_key"},
};
constexpr std::array kReceiptExportExamples{
    Example{"gatehouse receipt export HEAD --format in-toto", "An in-toto Statement whose predicate is the receipt."},
    Example{"gatehouse receipt export HEAD --format slsa-vsa", "A SLSA verification summary."},
};

constexpr std::array kFirstRows{
    Operation{
        .name = "check", .words = "check", .group = kStart, .effect = Effect::writes_state,
        .summary = "Would this change be accepted?  (file.patch, -, A..B, --staged)",
        .description =
            "Runs every gate that applies to the change and answers with one Verdict: allow, review, "
            "unverified or deny. Nothing is changed.\n\n"
            "Without a TARGET the command chooses by itself and says so on its first line: what is "
            "staged if anything is, else the work tree against HEAD, else HEAD against its upstream.",
        .operands = kCheckOperands, .options = kCheckOptions, .examples = kCheckExamples,
        .exit_codes = "0 1 2 3 4 5 10 11", .run = check_change},
    Operation{
        .name = "check_patch", .words = "patch check", .group = kPatches, .effect = Effect::writes_state,
        .summary = "Judge a patch; nothing changes",
        .description =
            "Reads a unified diff and judges it in six steps: shape, paths, policy, base tree, "
            "git apply --check. The first step that finds a fault ends the walk; the answer names the "
            "rule, the place and the repair.\n\n"
            "A check that names no run is a question: it uses up no attempt. A refusal keeps the "
            "submitted bytes and the rejection document in a run folder below the git directory. "
            "With --batch nothing is kept but the result lines.",
        .operands = kPatchCheckOperands, .options = kPatchCheckOptions, .examples = kPatchCheckExamples,
        .exit_codes = "0 1 2 3 4 5", .run = patch_check, .ctcp = true},
    Operation{
        .name = "apply_patch", .words = "patch apply", .group = kPatches, .effect = Effect::writes_tree,
        .summary = "Judge a patch and land it, or leave everything as it was",
        .description =
            "Runs all gates, builds the result in a private index and a quarantined object store, "
            "compares it with the tree that Gatehouse computed itself, and only then lands it: in work "
            "tree and index (journalled, rolled back on any failure) or as a commit on a ref "
            "(compare-and-swap). The policy's verify commands run before the answer; when one fails "
            "the change is taken back.\n\n"
            "A rejected patch may be resubmitted only as a corrected unified diff in the same run. "
            "Without --run a new submission by the same actor on the same base joins the open run.",
        .operands = kPatchCheckOperands, .options = kPatchApplyOptions, .examples = kPatchApplyExamples,
        .exit_codes = "0 1 2 3 4 5 130 143", .run = patch_apply, .ctcp = true},
    Operation{
        .name = "explain_patch", .words = "patch explain", .group = kPatches,
        .summary = "Show what the gate reads in a patch",
        .description =
            "Prints the parsed model: sections, operations, modes, hunks, counts and notes. Needs no "
            "repository and judges nothing but the shape.",
        .operands = kOnePatch, .options = kParseOptions, .examples = kPatchExplainExamples,
        .exit_codes = "0 1 2 3", .run = patch_explain},
    Operation{
        .name = "patch_impact", .words = "patch impact", .group = kPatches, .effect = Effect::writes_state,
        .summary = "What a patch would do to the shape of the code",
        .description =
            "Judges the patch as 'patch check' does and analyses the base; then tells, by name and before anything is applied: code that the patch copies, copies that it edits without their peers, clone groups that grow, functions that become more complex with the statement that does it, new reach beyond the project, and with --coverage changed functions that no test enters. Advice: whatever it tells, the exit code is 0 unless the gate refuses the patch. For changes that are made already: 'analyze --diff-against REV'.",
        .operands = kOnePatch, .options = kPatchImpactOptions, .examples = kPatchImpactExamples,
        .exit_codes = "0 1 2 3 4 5", .run = patch_impact, .paged = true},
    Operation{
        .name = "canonical_patch", .words = "patch canon", .group = kPatches,
        .summary = "Print the canonical form of a patch",
        .description =
            "The canonical patch is what git is given: sections sorted, headers in a fixed order, both "
            "counts written, no index lines. Its SHA-256 names the change whatever its cosmetic form.",
        .operands = kOnePatch, .options = kParseOptions, .examples = kPatchCanonExamples,
        .exit_codes = "0 1 2 3", .run = patch_canon},
    Operation{
        .name = "bundle_patch_run", .words = "patch bundle", .group = kPatches, .effect = Effect::writes_state,
        .summary = "Build or check the failure bundle of a run",
        .description =
            "A failure bundle is one ZIP with everything needed to understand a rejection: the patch, "
            "the rejection document, reviews, prompts, logs and a manifest of digests.",
        .options = kRunOptions, .examples = kPatchBundleExamples,
        .exit_codes = "0 2 3 4", .run = patch_bundle},
    Operation{
        .name = "calibrate_patch_policy", .words = "patch calibrate", .group = kPatches,
        .summary = "Propose budgets from this repository's history",
        .description =
            "Reads past non-merge commits and shows, for candidate values of max_files and "
            "max_added_lines, the share of those commits that each would have admitted. Writes nothing.",
        .options = kCalibrateOptions, .examples = kCalibrateExamples,
        .exit_codes = "0 2 4", .run = patch_calibrate},
    Operation{
        .name = "unfreeze_patch_run", .words = "patch unfreeze", .group = kPatches, .effect = Effect::writes_state,
        .summary = "Clear an alarm so that a run may be retried",
        .description =
            "A run is frozen when git and Gatehouse disagree about a patch. A person with the role "
            "admin clears it here; the reason goes into the audit chain.",
        .options = kUnfreezeOptions, .examples = kUnfreezeExamples,
        .exit_codes = "0 2 4", .run = patch_unfreeze},
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
    Operation{
        .name = "config_show", .words = "config show", .group = kPolicy,
        .summary = "Print the effective configuration and its source",
        .description =
            "The values in force after gatehouse.yaml is laid over the defaults. Gates that judge a "
            "change read the file at the base commit (--base REV shows that one), never in the work tree.",
        .options = kConfigOptions, .examples = kConfigShowExamples,
        .exit_codes = "0 2 4", .run = config_show, .paged = true},
    Operation{
        .name = "config_validate", .words = "config validate", .group = kPolicy,
        .summary = "Check gatehouse.yaml, with file:line:column of what is wrong",
        .description = "Unknown keys, wrong types and values out of range are errors; nothing is replaced silently by a default.",
        .operands = kConfigValidateOperands, .examples = kConfigValidateExamples,
        .exit_codes = "0 2 3 4", .run = config_validate},
    Operation{
        .name = "rule_list", .words = "rule list", .group = kPolicy,
        .summary = "List every rule id",
        .description = "Rule ids are stable: never renamed, never reused.",
        .options = kRuleListOptions, .examples = kRuleListExamples,
        .exit_codes = "0 2", .run = rule_list, .paged = true},
    Operation{
        .name = "rule_show", .words = "rule show", .group = kPolicy,
        .summary = "Show one rule (same as explain)",
        .description = "Why the rule exists, what fires it, a bad and a good example, the repair, and who may switch it off.",
        .operands = kExplainOperands, .examples = kRuleShowExamples,
        .exit_codes = "0 2", .run = rule_show, .paged = true},
    Operation{
        .name = "init", .words = "init", .group = kCode, .effect = Effect::writes_tree,
        .summary = "Bring settings of [tool.codeclone] into gatehouse.yaml",
        .description =
            "Copies the table [tool.codeclone] of pyproject.toml into the analysis block of gatehouse.yaml, which is made when it is missing. Lines are only added: what stands in the file stays, comments included, and a key that is there already wins. Settings that Gatehouse does not know are named and left out. The file as it was is kept once as gatehouse.yaml.gatehouse.bak. Running it again changes nothing.\n\nThis is all that init does today; it sets up no hooks and no CI.",
        .options = kInitOptions, .examples = kInitExamples,
        .exit_codes = "0 1 2 3 4 5", .run = init},
    Operation{
        .name = "doctor", .words = "doctor", .group = kStart,
        .summary = "Is everything the gate needs in order here?",
        .description =
            "Checks git's version, the repository, gatehouse.yaml, the state folder and the ledger. Each "
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
        .exit_codes = "0 2 3 4 5", .run = baseline_save},
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
            "Analyses the code and names what the baseline does not hold: groups of clones, complex functions, coupled classes, cycles, dead code, and how health changed.",
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
        .exit_codes = "0 2 3 4 5", .run = baseline_update},
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

constexpr std::array kLastRows{
    Operation{
        .name = "new_proposal", .words = "proposal new", .group = kProposals, .effect = Effect::writes_tree,
        .summary = "Write the pair of a proposal for the change in the work tree",
        .description =
            "Takes what is staged, else the work tree, against --base, and writes <patch_id>.patch.diff and <patch_id>.patch.meta.yaml with everything that can be computed: files, base, time, tests, digest. What only the author knows is asked for in the file.",
        .options = kProposalNewOptions, .examples = kProposalNewExamples,
        .exit_codes = "0 2 3 4 5", .run = proposal_new},
    Operation{
        .name = "submit_proposal", .words = "proposal submit", .group = kProposals, .effect = Effect::writes_state,
        .summary = "Check a proposal and take it in, or say all that is wrong",
        .description =
            "Reads the metadata first; the diff is not opened before it passes. Checks A1 to A12 run together and every failure is named. An admitted proposal is information: nothing of the repository changes until it is promoted.",
        .operands = kProposalPairOperands, .options = kProposalPairOptions, .examples = kProposalSubmitExamples,
        .exit_codes = "0 1 2 3 4 5", .run = proposal_submit},
    Operation{
        .name = "lint_proposal", .words = "proposal lint", .group = kProposals, .effect = Effect::writes_state,
        .summary = "The checks of submit, nothing is kept",
        .description =
            "The same answer as submit would give, without a record.",
        .operands = kProposalPairOperands, .options = kProposalLintOptions, .examples = kProposalLintExamples,
        .exit_codes = "0 1 2 3 4 5", .run = proposal_lint},
    Operation{
        .name = "list_proposals", .words = "proposal list", .group = kProposals, .effect = Effect::writes_state,
        .summary = "What is proposed, and where each proposal stands",
        .description =
            "One line per proposal, in the order of their ids. Filters combine.",
        .options = kProposalListOptions, .examples = kProposalListExamples,
        .exit_codes = "0 2 4 5", .run = proposal_list, .paged = true},
    Operation{
        .name = "show_proposal", .words = "proposal show", .group = kProposals, .effect = Effect::writes_state,
        .summary = "One proposal: claims, facts, reviews, state",
        .description =
            "What the author claims and what the gate measured are kept apart. With --diff the diff is the one that git derives from base and result.",
        .operands = kOneProposal, .options = kProposalShowOptions, .examples = kProposalShowExamples,
        .exit_codes = "0 2 4 5", .run = proposal_show, .paged = true},
    Operation{
        .name = "diff_proposal", .words = "proposal diff", .group = kProposals, .effect = Effect::writes_state,
        .summary = "The diff that reviewers judge",
        .description =
            "Derived by git from the base commit and the tree that the proposal gives. With --from between the trees of an earlier revision of the id and of the present one.",
        .operands = kOneProposal, .options = kProposalDiffOptions, .examples = kProposalDiffExamples,
        .exit_codes = "0 2 4 5", .run = proposal_diff, .paged = true},
    Operation{
        .name = "review_proposal", .words = "proposal review", .group = kProposals, .effect = Effect::writes_state,
        .summary = "Give a verdict on exactly this digest",
        .description =
            "A verdict is bound to digest, base and tree: a changed proposal needs a new one. With --confirm a human or the trust reviewer raises the trust level to reviewed.",
        .operands = kOneProposal, .options = kProposalReviewOptions, .examples = kProposalReviewExamples,
        .exit_codes = "0 1 2 3 4 5", .run = proposal_review},
    Operation{
        .name = "withdraw_proposal", .words = "proposal withdraw", .group = kProposals, .effect = Effect::writes_state,
        .summary = "The author takes a proposal back",
        .description =
            "It is rejected with the reason withdrawn; a new patch_id is needed to try again.",
        .operands = kOneProposal, .options = kProposalWithdrawOptions, .examples = kProposalWithdrawExamples,
        .exit_codes = "0 1 2 3 4 5", .run = proposal_withdraw},
    Operation{
        .name = "reject_proposal", .words = "proposal reject", .group = kProposals, .effect = Effect::writes_state,
        .summary = "Say no to an open proposal",
        .description =
            "Asked by a promoter or admin, written by the promotion gate; the audit row names both.",
        .operands = kOneProposal, .options = kProposalRejectOptions, .examples = kProposalRejectExamples,
        .exit_codes = "0 1 2 3 4 5", .run = proposal_reject},
    Operation{
        .name = "promote_proposal", .words = "proposal promote", .group = kProposals, .effect = Effect::writes_tree,
        .summary = "Make the change anew on its base and move the target",
        .description =
            "Runs A1 to A20 from the stored bytes, builds the tree in a place of its own, runs the verify commands, commits with trailers and moves the target by compare-and-swap. By default a human confirms: the id typed at a terminal, or a signed request.",
        .operands = kOneProposal, .options = kProposalPromoteOptions, .examples = kProposalPromoteExamples,
        .exit_codes = "0 1 2 3 4 5 10 11", .run = proposal_promote},
    Operation{
        .name = "run_queue", .words = "proposal queue", .group = kProposals, .effect = Effect::writes_tree,
        .summary = "Promote what is approved, in the order of the queue",
        .description =
            "Dependencies first, then what was put first, then by the time of approval. The first promotion.batch of them are tried together with the verify commands; when they fail, the one at fault is found and rejected, and nobody else. Every promotion is the one of 'proposal promote'. With promotion.requires: human the queue stops before each and waits for the id to be typed.",
        .options = kProposalQueueOptions, .examples = kProposalQueueExamples,
        .exit_codes = "0 1 2 4 5 10 11", .run = proposal_queue},
    Operation{
        .name = "rollback_proposal", .words = "proposal rollback", .group = kProposals, .effect = Effect::writes_tree,
        .summary = "Undo a promotion exactly",
        .description =
            "The inverse of the promoted patch on the head of the target, as a commit of its own. Refused when later commits changed the same lines.",
        .operands = kOneProposal, .options = kProposalRollbackOptions, .examples = kProposalRollbackExamples,
        .exit_codes = "0 1 2 3 4 5", .run = proposal_rollback},
    Operation{
        .name = "recover_proposals", .words = "proposal recover", .group = kProposals, .effect = Effect::writes_tree,
        .summary = "Finish or undo what a killed promotion left",
        .description =
            "Compares refs with the ledger. What reached its commit point is completed, the rest is undone.",
        .examples = kProposalRecoverExamples,
        .exit_codes = "0 2 4 5", .run = proposal_recover},
    Operation{
        .name = "verify_proposals", .words = "proposal verify", .group = kProposals, .effect = Effect::writes_state,
        .summary = "Recompute every decision from what was kept",
        .description =
            "Digests, reviews, admissions, trees, receipts and trailers, from the ledger or, in a clone without one, from refs/gatehouse/*. A copy that disagrees with the ledger is named.",
        .operands = kMaybeProposal, .options = kProposalVerifyOptions, .examples = kProposalVerifyExamples,
        .exit_codes = "0 1 2 4 5", .run = proposal_verify},
    Operation{
        .name = "export_proposals", .words = "proposal export", .group = kProposals, .effect = Effect::writes_state,
        .summary = "Bring refs/gatehouse up to date",
        .description =
            "Each ledger transaction is mirrored at once; this makes good what a crash left out.",
        .examples = kProposalExportExamples,
        .exit_codes = "0 2 4 5", .run = proposal_export},
    Operation{
        .name = "rebase_proposal", .words = "proposal rebase", .group = kProposals, .effect = Effect::writes_state,
        .summary = "The same change on a newer base, as a new proposal",
        .description =
            "Places every hunk on --onto where it fits in exactly one place, and submits the result under the id with -r2, -r3 and so on. It supersedes the old one and needs reviews of its own, unless the policy carries them over. What was signed is written out instead: its author signs and submits.",
        .operands = kOneProposal, .options = kProposalRebaseOptions, .examples = kProposalRebaseExamples,
        .exit_codes = "0 1 2 3 4 5", .run = proposal_rebase},
    Operation{
        .name = "import_proposals", .words = "proposal import", .group = kProposals, .effect = Effect::writes_state,
        .summary = "Take in records that came with git",
        .description =
            "Reads refs/gatehouse/*, verifies each record as 'proposal verify' does, and stores those that the ledger lacks.",
        .examples = kProposalImportExamples,
        .exit_codes = "0 1 2 4 5", .run = proposal_import},
    Operation{
        .name = "sync_proposals", .words = "proposal sync", .group = kProposals, .effect = Effect::writes_tree,
        .summary = "Bring metadata files in line with the ledger",
        .description =
            "Statuses in files are copies. Where a file says something else than the ledger, the ledger stands: the file is written anew and the difference is named.",
        .operands = kProposalSyncOperands, .examples = kProposalSyncExamples,
        .exit_codes = "0 1 2 3 4 5", .run = proposal_sync},
    Operation{
        .name = "create_receipt", .words = "receipt create", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Write down what is known of a run or an intent",
        .description =
            "Composes what is stored; nothing is analysed and nothing is judged anew. `patch_contract` is not_checked "
            "without an intent; with one it is violated when its last scope check was, when the gates of the run "
            "would fail as they were asked last, or when the run has findings that the run before it had not. A "
            "finish makes its own receipt; this one is for a change that has not come that far. It is kept, and "
            "'receipt show' finds it again; it goes with no commit.",
        .options = kReceiptCreateOptions, .examples = kReceiptCreateExamples,
        .exit_codes = "0 2 4", .run = receipt_create},
    Operation{
        .name = "attach_receipt", .words = "receipt attach", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Put the receipt of a change beside its commit",
        .description =
            "Writes the receipt into the commit's note in refs/notes/gatehouse, one line of JSON, so that it travels "
            "with git: push and fetch that ref, unite two of them with 'git notes merge -s cat_sort_uniq', and set "
            "notes.rewriteRef to it so that an amended or rebased commit keeps its note. The commit must hold just "
            "what was finished: git patch-id --stable is compared, and every changed line.",
        .operands = kAttachOperands, .options = kReceiptAttachOptions, .examples = kReceiptAttachExamples,
        .exit_codes = "0 2 3 4", .run = receipt_attach},
    Operation{
        .name = "receipt_trailers", .words = "receipt trailers", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Lines for a commit message that name the receipt",
        .description =
            "Gatehouse-Intent, Gatehouse-Receipt, Gatehouse-Decision and Gatehouse-Agent, for 'git commit' or 'git "
            "interpret-trailers'. Without a RECEIPT it is the one that was given for what is staged, else for what "
            "the last commit changes.",
        .operands = kMaybeReceipt, .options = kReceiptTrailersOptions, .examples = kReceiptTrailersExamples,
        .exit_codes = "0 2 3 4", .run = receipt_trailers},
    Operation{
        .name = "show_receipt", .words = "receipt show", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Print a receipt",
        .description =
            "By its digest, by a commit whose trailer or note names it, by the run that a change ended with, or by "
            "its intent. --trail prints the patch trail instead: what was declared, what was changed, how it was "
            "judged. --format markdown is the page for a reviewer. What cannot be shown has a status: not_found, "
            "ambiguous, digest_mismatch, malformed_stored_receipt, malformed_stored_patch_trail or "
            "unsupported_format.",
        .operands = kMaybeReceipt, .options = kReceiptShowOptions, .examples = kReceiptShowExamples,
        .exit_codes = "0 2 3 4 5", .run = receipt_show},
    Operation{
        .name = "verify_receipt", .words = "receipt verify", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Check a receipt and its signature",
        .description =
            "Recomputes the digest; with --allowed the signature must hold and be by one of those keys. Works offline on a file.\n\n"
            "Of a commit it is also asked whether it holds the change that the receipt was given for: the same tree on "
            "the same base (exact), or the same patch on another one (rebound), as after an amended message or a "
            "rebase. In a clone the receipt comes from the commit's note in refs/notes/gatehouse; unsigned, nothing "
            "vouches for it there.",
        .operands = kMaybeReceipt, .options = kReceiptVerifyOptions, .examples = kReceiptVerifyExamples,
        .exit_codes = "0 1 2 3 4 5", .run = receipt_verify},
    Operation{
        .name = "export_receipt", .words = "receipt export", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "A receipt in the form that other tools read",
        .description =
            "in-toto Statement, SLSA verification summary, or either of them in a signed DSSE envelope.",
        .operands = kReceiptOperands, .options = kReceiptExportOptions, .examples = kReceiptExportExamples,
        .exit_codes = "0 2 3 4 5", .run = receipt_export},
    Operation{
        .name = "explain", .words = "explain", .group = kStart,
        .summary = "What does this rule or error code mean, and how do I fix it?",
        .description = "The texts are compiled in and work offline.",
        .operands = kExplainOperands, .examples = kExplainExamples,
        .exit_codes = "0 2", .run = explain, .paged = true},
    Operation{
        .name = "contract", .words = "contract", .group = kHelp,
        .summary = "Describe this version for programs (use --json)",
        .description = "Versions, schemas, exit codes, rule catalogue, formats and commands in one document, so that integrations test against data.",
        .examples = kContractExamples,
        .exit_codes = "0", .run = contract, .paged = true},
    Operation{
        .name = "schema", .words = "schema", .group = kHelp,
        .summary = "Print a JSON Schema of our documents",
        .description = "JSON Schema draft 2020-12, as compiled into this binary.",
        .operands = kSchemaOperands, .examples = kSchemaExamples,
        .exit_codes = "0 2", .run = schema},
    Operation{
        .name = "completion", .words = "completion", .group = kHelp,
        .summary = "Print the completion script of a shell",
        .description = "Generated from the same table as this help. Rule ids, run ids and refs are completed by asking gatehouse.",
        .operands = kCompletionOperands, .examples = kCompletionExamples,
        .exit_codes = "0 2", .run = completion},
    Operation{
        .name = "man", .words = "man", .group = kHelp,
        .summary = "Print the manual page (roff)",
        .description = "Generated from the same table as this help.",
        .examples = kManExamples,
        .exit_codes = "0", .run = man},
    Operation{
        .name = "version", .words = "version", .group = kHelp,
        .summary = "Print versions",
        .description = "The tool, the Unicode data compiled in, and the oldest git that is accepted.",
        .examples = kVersionExamples,
        .exit_codes = "0", .run = version},
    Operation{
        .name = "help", .words = "help", .group = kHelp,
        .summary = "Explain a command",
        .description = "Without a command: the short overview. With --all: every command.",
        .operands = kHelpOperands, .options = kHelpOptions, .examples = kHelpExamples,
        .exit_codes = "0 2", .run = help, .paged = true},
    Operation{
        .name = "complete_values", .words = "__complete", .group = kHelp,
        .summary = "Values for shell completion",
        .description = "Asked by the completion scripts; prints one value per line and never complains.",
        .operands = kValueKinds, .examples = kValuesExamples,
        .exit_codes = "0 2", .run = complete_values, .hidden = true},
};
// clang-format on

template <std::size_t... N>
constexpr auto joined(const std::array<Operation, N>&... parts) {
  std::array<Operation, (N + ...)> out{};
  std::size_t at = 0;
  const auto add = [&](const auto& part) {
    for (const Operation& row : part)
      out[at++] = row;
  };
  (add(parts), ...);
  return out;
}
constexpr auto kOperations = joined(kFirstRows, kChangeRows, kLastRows);

constexpr bool rows_are_complete() {
  for (std::size_t i = 0; i < kOperations.size(); ++i) {
    const Operation& op = kOperations[i];
    if (op.run == nullptr || op.summary.empty() || op.description.empty()) return false;
    if (op.examples.size() < 2 || op.exit_codes.empty()) return false;
    for (std::size_t j = i + 1; j < kOperations.size(); ++j)
      if (op.name == kOperations[j].name || op.words == kOperations[j].words) return false;
  }
  return true;
}
static_assert(rows_are_complete());

}  // namespace

std::span<const Operation> operations() { return kOperations; }

}  // namespace gh::ops
