#pragma once
// Rows of the operation table: what a patch or a change is judged by. Included by operations.cc
// alone.
#include <array>

#include "ops/operation.h"
#include "ops/patch_ops.h"
#include "ops/shared_rows.h"

namespace gh::ops {

// clang-format off
inline constexpr std::string_view kPatches = "PATCHES";

inline constexpr Operand kPatchFile{"FILE", Arity::optional, "patch file, or - for standard input", Completes::file};
inline constexpr Operand kNeededPatchFile{"FILE", Arity::required, "patch file, or - for standard input", Completes::file};

inline constexpr Option kBase{"base", OptionType::text, "REV", "HEAD", "commit that the change is judged against", "", Completes::ref};
inline constexpr Option kProfile{"profile", OptionType::choice, "NAME", "", "grammar: strict wants hunks in every section, git also takes pure renames, mode changes and empty files (default: the policy's)", "strict git"};
inline constexpr Option kRun{"run", OptionType::text, "ID", "", "patch run that this submission belongs to", "", Completes::run};
inline constexpr Option kNeededRun{"run", OptionType::text, "ID", "", "patch run, e.g. prun-0123456789abcdef", "", Completes::run};
inline constexpr Option kNarrow{"narrow", OptionType::path, "FILE", "", "JSON with keys of the patch block; may only narrow the policy", "", Completes::file};
inline constexpr Option kExpect{"expect", OptionType::text, "DIGEST", "", "refuse to go on unless the submitted bytes, or their canonical form, have this SHA-256"};
inline constexpr Option kMaxFiles{"max-files", OptionType::integer, "N", "", "lower the policy's max_files for this patch"};
inline constexpr Option kMaxAdded{"max-added", OptionType::integer, "N", "", "lower the policy's max_added_lines for this patch"};

inline constexpr std::array kCheckOperands{Operand{"TARGET", Arity::optional, "patch file, - for standard input, or a range A..B; nothing: staged changes, else the work tree, else the commits since upstream", Completes::file}};
inline constexpr std::array kCheckOptions{
    Option{"staged", OptionType::flag, "", "", "judge what is staged"},
    Option{"files", OptionType::path_list, "FILE", "", "judge these files of the work tree and nothing else, new ones too", "", Completes::file},
    Option{"proposal", OptionType::text, "ID", "", "judge a proposal: what would its promotion say now?"},
    Option{"gates", OptionType::text, "LIST", "", "only these gates, with commas between them: patch, scope, structure, surface (default: all)"},
    Option{"intent", OptionType::text, "ID", "", "measure the change against this intent (default: the one that the session holds)"},
    kSession,
    kBase,
    kProfile,
    kStrictness,
    Option{"baseline", OptionType::path, "FILE", "", "let the structure gate compare the tree with this baseline and not with the base", "", Completes::file},
    kVerdictFormat,
    kReportFiles,
    Option{"exit-zero", OptionType::flag, "", "", "exit 0 whatever the gates say; faults keep their code"},
    Option{"exit-review", OptionType::flag, "", "", "exit 10 for review and 11 for unverified"},
    Option{"strict", OptionType::flag, "", "", "count review as no"},
};
inline constexpr std::array kCheckExamples{
    Example{"gatehouse check fix.patch", "Would this patch be accepted on top of HEAD?"},
    Example{"gatehouse check --staged", "The same question about what is staged."},
    Example{"gatehouse check HEAD~1..HEAD --json", "One Verdict about the last commit, for a program."},
    Example{"gatehouse check HEAD~1..HEAD --gates structure --strictness strict", "What did the last commit do to the shape of the code?"},
    Example{"gatehouse check HEAD~1..HEAD --report sarif=out.sarif --report junit=out.xml", "The answer for people, and two files for other programs."},
};

inline constexpr std::array kPatchCheckOperands{kPatchFile};
inline constexpr std::array kPatchCheckOptions{kBase, kProfile, kRun, kNarrow, kExpect, kMaxFiles, kMaxAdded,
    Option{"batch", OptionType::path, "DIR", "", "check every file of the folder in one process, one JSON line each", "", Completes::folder},
};
inline constexpr std::array kPatchCheckExamples{
    Example{"gatehouse patch check fix.patch", "Judge a patch against HEAD; nothing changes."},
    Example{"git diff --no-renames | gatehouse patch check -", "Judge the work-tree changes of the repository you are in."},
    Example{"gatehouse patch check fix.patch --max-files 2 --json", "Judge under a tighter budget; print the document."},
    Example{"gatehouse patch check --batch patches/", "One result line per file of the folder."},
};

inline constexpr std::array kPatchApplyOptions{kBase, kProfile, kRun, kNarrow, kExpect, kMaxFiles, kMaxAdded,
    Option{"land", OptionType::choice, "MODE", "worktree", "where the change goes: the work tree and index, or a commit on --ref", "worktree commit"},
    Option{"ref", OptionType::text, "REF", "", "branch that moves with --land commit, made if it does not exist (default: the current one)", "", Completes::ref},
    Option{"message", OptionType::text, "TEXT", "", "subject of the commit that --land commit makes"},
    Option{"run-dir", OptionType::path, "DIR", "", "folder for the evidence (default: below the git directory)", "", Completes::written_folder},
};
inline constexpr std::array kPatchApplyExamples{
    Example{"gatehouse patch apply fix.patch", "Check, then land in work tree and index, or leave all as it was."},
    Example{"gatehouse patch apply - --land commit --ref refs/heads/agent/fix --base HEAD < fix.patch", "Make a commit on a branch without touching the work tree."},
};

inline constexpr std::array kOnePatch{kNeededPatchFile};
inline constexpr std::array kParseOptions{kProfile};
inline constexpr std::array kPatchExplainExamples{
    Example{"gatehouse patch explain fix.patch", "What the gate reads in the patch: files, operations, counts."},
    Example{"gatehouse patch explain fix.patch --profile git --json", "The same model as a document."},
};
inline constexpr std::array kPatchImpactOptions{kBase, kProfile,
    Option{"coverage", OptionType::path, "FILE", "", "a Cobertura report of the base: changed functions that no test enters are named", "", Completes::file},
};
inline constexpr std::array kPatchImpactExamples{
    Example{"gatehouse patch impact fix.patch", "Does the patch copy code, leave a copy behind, or make a function harder to read?"},
    Example{"gatehouse patch impact fix.patch --json", "The same as a document."},
};
inline constexpr std::array kPatchCanonExamples{
    Example{"gatehouse patch canon fix.patch", "The exact bytes that git would be given."},
    Example{"gatehouse patch canon fix.patch | sha256sum", "The id of the change across cosmetic differences."},
};
inline constexpr std::array kRunOptions{kNeededRun};
inline constexpr std::array kPatchBundleExamples{
    Example{"gatehouse patch bundle --run prun-0123456789abcdef", "Build the failure bundle, or check the one that is there."},
    Example{"gatehouse patch bundle --run prun-0123456789abcdef --json", "The same, with the list of entries."},
};
inline constexpr std::array kCalibrateOptions{Option{"commits", OptionType::integer, "N", "1000", "how many past non-merge commits to read"}};
inline constexpr std::array kCalibrateExamples{
    Example{"gatehouse patch calibrate", "Propose max_files and max_added_lines from the last 1000 commits."},
    Example{"gatehouse patch calibrate --commits 200 --json", "The same figures as a document."},
};
inline constexpr std::array kUnfreezeOptions{kNeededRun, Option{"reason", OptionType::text, "TEXT", "", "why the alarm is cleared; kept in the audit chain"}};
inline constexpr std::array kUnfreezeExamples{
    Example{"gatehouse patch unfreeze --run prun-0123456789abcdef --reason 'git upgraded, disagreement gone'", "Let a frozen run, or one whose attempts are used up, be retried."},
    Example{"gatehouse patch unfreeze --run prun-0123456789abcdef --reason 'reviewed by hand' --json", "The same, with the new state as a document."},
};

inline constexpr std::array kPatchRows{
    Operation{
        .name = "check", .words = "check", .group = kStart, .effect = Effect::writes_state,
        .summary = "Would this change be accepted?  (file.patch, -, A..B, --staged)",
        .description =
            "Runs every gate that applies to the change and answers with one Verdict: allow, review, "
            "unverified or deny. Nothing is changed. A gate that does not apply is named with its reason.\n\n"
            "patch: shape, paths, policy, and git's own word. scope: the changed paths against what the session "
            "declared with 'change start', and what others hold. structure: the code before and after the change, "
            "read anew on both sides; findings that the base does not have, gates that fail, a baseline that moves "
            "along. surface: what agent hosts may do now, and what 'release verify' says of each manifest concerned. "
            "Policy, thresholds and baseline are those of the base, never of the change.\n\n"
            "Without a TARGET the command chooses by itself and says so on its first line: the work tree when the "
            "session holds an intent, else what is staged if anything is, else the work tree against HEAD, else "
            "the commits since HEAD and its upstream parted. In a tree that others work in too, --files names "
            "what is one's own. With --baseline the structure gate compares the whole "
            "tree with that file: clones that it does not hold, and the gates of the configuration.",
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
        .exit_codes = "0 2 4", .run = patch_unfreeze, .audience = Audience::people},
};
// clang-format on

}  // namespace gh::ops
