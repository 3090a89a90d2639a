#pragma once
// Rows of the operation table: proposals. Included by operations.cc alone.
#include <array>

#include "ops/operation.h"
#include "ops/proposal_ops.h"
#include "ops/shared_rows.h"

namespace gh::ops {

// clang-format off
inline constexpr std::string_view kProposals = "PROPOSALS";

inline constexpr Operand kProposalId{"ID", Arity::required, "patch_id of the proposal", Completes::nothing};
inline constexpr std::array kOneProposal{kProposalId};
inline constexpr Option kKey{"key", OptionType::path, "FILE", "", "OpenSSH Ed25519 private key of the actor who speaks", "", Completes::file};
inline constexpr Option kExitReviewUnverified{"exit-review", OptionType::flag, "", "", "exit 10 for review and 11 for unverified"};

inline constexpr std::array kProposalNewOptions{
    Option{"agent", OptionType::text, "MODEL / ROLE", "", "who wrote the change, e.g. 'deepseek-coder-v2 / drafter'"},
    Option{"gap", OptionType::text, "ID", "", "what the change is for, e.g. kb:4400"},
    Option{"base", OptionType::text, "REV", "HEAD", "commit that the change applies to", "", Completes::ref},
    Option{"id", OptionType::text, "ID", "", "patch_id (default: made from the gap and the time)"},
    Option{"title", OptionType::text, "TEXT", "", "one line for the list and the commit"},
    Option{"risk", OptionType::text, "TEXT", "", "risk_notes: failure, blast radius, data, idempotent"},
    Option{"rollback", OptionType::text, "TEXT", "", "rollback_notes: how it is undone"},
    Option{"command", OptionType::text_list, "TEXT", "", "one entry of commands_run, e.g. 'make test => exit 0'"},
    Option{"out", OptionType::path, "DIR", "", "folder for the files (default: patches at the top of the work tree)", "", Completes::written_folder},
};
inline constexpr std::array kProposalNewExamples{
    Example{"gatehouse proposal new --agent 'deepseek-coder-v2 / drafter' --gap kb:4400", "Write the pair for the change in the work tree; fill in the notes."},
    Example{"gatehouse proposal new --agent 'm / author' --gap GAP-X --id fix-x-001 --title 'fix x' --json", "The same under an id of your own, as a document."},
};
inline constexpr std::array kProposalPairOperands{Operand{"DIR", Arity::optional, "folder with the pair, or with a folder patches; - for one JSON object with the texts diff, meta, report and signature on standard input", Completes::folder}};
inline constexpr std::array kProposalPairOptions{
    Option{"diff", OptionType::path, "FILE", "", "the diff, when there is no DIR", "", Completes::file},
    Option{"meta", OptionType::path, "FILE", "", "its metadata", "", Completes::file},
    Option{"id", OptionType::text, "ID", "", "which pair, when DIR holds several"},
};
inline constexpr std::array kProposalLintOptions{kProposalPairOptions[0], kProposalPairOptions[1], kProposalPairOptions[2],
    Option{"payload", OptionType::flag, "", "", "print the bytes that the author signs, and nothing else"},
};
inline constexpr std::array kProposalSubmitExamples{
    Example{"gatehouse proposal submit patches/", "Check the pair and take it in, or say everything that is wrong with it."},
    Example{"gatehouse proposal submit --diff fix.patch.diff --meta fix.patch.meta.yaml --json", "The same for two files, as a document."},
};
inline constexpr std::array kProposalLintExamples{
    Example{"gatehouse proposal lint patches/", "The same checks as submit; nothing is kept."},
    Example{"gatehouse proposal lint patches/ --id fix-x-001 --json", "One of several pairs, as a document."},
};
inline constexpr std::array kProposalListOptions{
    Option{"status", OptionType::choice, "STATUS", "", "only proposals in this state", "sandbox proposed promoted rejected"},
    Option{"author", OptionType::text, "AGENT", "", "only those of this author_agent"},
    Option{"file", OptionType::text, "PATH", "", "only those that touch this path"},
    Option{"stale", OptionType::flag, "", "", "only those whose base is no longer the head"},
    Option{"conflicts", OptionType::flag, "", "", "pairs of open proposals that get in each other's way"},
    Option{"after", OptionType::text, "ID", "", "the page behind this id"},
    Option{"limit", OptionType::integer, "N", "50", "how many at most"},
};
inline constexpr std::array kProposalListExamples{
    Example{"gatehouse proposal list", "What agents want to change, and where each proposal stands."},
    Example{"gatehouse proposal list --status proposed --json", "The open ones as a document."},
};
inline constexpr std::array kProposalShowOptions{
    Option{"diff", OptionType::flag, "", "", "the diff as git derives it from base and result"},
    Option{"checks", OptionType::flag, "", "", "every admission so far"},
    Option{"audit", OptionType::flag, "", "", "its rows of the audit chain"},
    Option{"as", OptionType::text, "NAME", "", "reviewer who looks; with an open review the other verdicts stay hidden"},
    Option{"payload", OptionType::choice, "ROLE", "", "print the bytes that this role signs, and nothing else", "author reviewer promoter"},
};
inline constexpr std::array kProposalShowExamples{
    Example{"gatehouse proposal show fix-x-001", "One proposal: what it claims, what the gate found, where it stands."},
    Example{"gatehouse proposal show fix-x-001 --diff --checks --json", "With diff and admissions, as a document."},
};
inline constexpr std::array kProposalDiffOptions{Option{"from", OptionType::integer, "REV", "", "what changed since this revision, for an id that was submitted again"}};
inline constexpr std::array kProposalDiffExamples{
    Example{"gatehouse proposal diff fix-x-001", "The diff that reviewers judge, derived by git."},
    Example{"gatehouse proposal diff fix-x-001 --json", "The same as a document."},
};
inline constexpr std::array kProposalReviewOptions{
    Option{"as", OptionType::text, "NAME", "", "reviewer, a name of proposals.reviewers.required"},
    Option{"verdict", OptionType::choice, "VERDICT", "", "what the reviewer says", "ok changes"},
    Option{"reason", OptionType::text_list, "CODE:TEXT", "", "why changes are wanted; CODE:FILE:LINE:TEXT names a place"},
    Option{"waive", OptionType::text_list, "CODE:REASON", "", "let PROP_COMMANDS_FAILED pass, and say why; goes with --verdict ok, also on a pair that was refused for nothing else"},
    Option{"checked", OptionType::text_list, "WHAT", "", "what was looked at: diff, tests, risk, rollback, scope"},
    Option{"digest", OptionType::text, "DIGEST", "", "proposal digest that the reviewer saw; refused when it is no longer current"},
    Option{"confirm", OptionType::flag, "", "", "raise the trust level to reviewed, after all reviews are ok"},
    kKey,
    Option{"out", OptionType::path, "DIR", "", "also write the review file there", "", Completes::written_folder},
};
inline constexpr std::array kProposalReviewExamples{
    Example{"gatehouse proposal review fix-x-001 --as gemini --verdict ok", "A reviewer agrees with exactly this digest."},
    Example{"gatehouse proposal review fix-x-001 --as codex --verdict changes --reason 'vague_risk:say what happens on failure'", "A reviewer wants changes and says why."},
};
inline constexpr std::array kProposalWithdrawOptions{Option{"reason", OptionType::text, "TEXT", "", "kept in the audit chain"}, kKey};
inline constexpr std::array kProposalWithdrawExamples{
    Example{"gatehouse proposal withdraw fix-x-001", "The author takes it back."},
    Example{"gatehouse proposal withdraw fix-x-001 --reason 'done elsewhere' --json", "With a reason, as a document."},
};
inline constexpr std::array kProposalRejectOptions{Option{"reason", OptionType::text, "CODE:TEXT", "", "why; kept in the audit chain"}, kKey};
inline constexpr std::array kProposalRejectExamples{
    Example{"gatehouse proposal reject fix-x-001 --reason 'unwanted:out of scope for this release'", "An operator asks, the promotion gate writes."},
    Example{"gatehouse proposal reject fix-x-001 --reason 'unwanted:no' --json", "The same as a document."},
};
inline constexpr std::array kProposalPromoteOptions{
    Option{"dry-run", OptionType::flag, "", "", "run the checks, change nothing"},
    Option{"integrate", OptionType::choice, "HOW", "", "how the commit gets into the target (default: the policy's)", "ff merge branch-only"},
    Option{"confirmation", OptionType::path, "FILE", "", "SSH signature of a registered human over 'proposal show ID --payload promoter'", "", Completes::file},
    kExitReviewUnverified,
};
inline constexpr std::array kProposalPromoteExamples{
    Example{"gatehouse proposal promote fix-x-001", "Check everything again, make the commit anew from its base, move the target."},
    Example{"gatehouse proposal promote fix-x-001 --dry-run --json", "What would it say?"},
};
inline constexpr std::array kProposalQueueOptions{
    Option{"dry-run", OptionType::flag, "", "", "show the order and what each promotion would say, change nothing"},
    Option{"target", OptionType::text, "REF", "", "branch whose queue is meant, refs/heads/... (default: the policy's default_target)", "", Completes::ref},
    Option{"first", OptionType::text, "ID", "", "put this proposal in front of the others first; it stays there"},
    kExitReviewUnverified,
};
inline constexpr std::array kProposalQueueExamples{
    Example{"gatehouse proposal queue --dry-run", "What is approved, in the order it would land, and what stands in the way."},
    Example{"gatehouse proposal queue --json", "Promote what is approved, one after the other; the answer as a document."},
};
inline constexpr std::array kProposalRollbackOptions{Option{"reason", OptionType::text, "TEXT", "", "why; kept in the audit chain and the commit"}, kKey};
inline constexpr std::array kProposalRollbackExamples{
    Example{"gatehouse proposal rollback fix-x-001 --reason 'breaks the import'", "A commit that undoes the promotion exactly."},
    Example{"gatehouse proposal rollback fix-x-001 --reason 'breaks the import' --json", "The same as a document."},
};
inline constexpr std::array kProposalRecoverExamples{
    Example{"gatehouse proposal recover", "Finish or undo what a killed promotion left."},
    Example{"gatehouse proposal recover --json", "The same as a document."},
};
inline constexpr std::array kMaybeProposal{Operand{"ID", Arity::optional, "patch_id of the proposal", Completes::nothing}};
inline constexpr std::array kProposalVerifyOptions{Option{"all", OptionType::flag, "", "", "every proposal, and the audit chain"}};
inline constexpr std::array kProposalVerifyExamples{
    Example{"gatehouse proposal verify fix-x-001", "Recompute every decision about it from what was kept."},
    Example{"gatehouse proposal verify --all --json", "All of them; in a clone without a database from refs/gatehouse."},
};
inline constexpr std::array kProposalExportExamples{
    Example{"gatehouse proposal export", "Bring refs/gatehouse/* up to date with the ledger."},
    Example{"gatehouse proposal export --json", "The same as a document."},
};
inline constexpr std::array kProposalImportExamples{
    Example{"gatehouse proposal import", "Take records from refs/gatehouse that the ledger lacks."},
    Example{"gatehouse proposal import --json", "The same as a document."},
};
inline constexpr std::array kProposalSyncOperands{Operand{"DIR", Arity::required, "folder with pairs, or with a folder patches", Completes::written_folder}};
inline constexpr std::array kProposalSyncExamples{
    Example{"gatehouse proposal sync patches/", "Write the ledger's statuses into the files, and name those that were forged."},
    Example{"gatehouse proposal sync patches/ --json", "The same as a document."},
};
inline constexpr std::array kProposalRebaseOptions{
    Option{"onto", OptionType::text, "REV", "", "commit of the target to build on (default: its head)", "", Completes::ref},
    Option{"out", OptionType::path, "DIR", "", "folder for a pair that its author has to sign (default: patches at the top of the work tree)", "", Completes::written_folder},
};
inline constexpr std::array kProposalRebaseExamples{
    Example{"gatehouse proposal rebase fix-x-001", "The same change on the target's head, as a new proposal fix-x-001-r2."},
    Example{"gatehouse proposal rebase fix-x-001 --onto HEAD --json", "The same, as a document."},
};


inline constexpr std::array kProposalRows{
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
        .exit_codes = "0 1 2 3 4 5", .run = proposal_reject, .audience = Audience::people},
    Operation{
        .name = "promote_proposal", .words = "proposal promote", .group = kProposals, .effect = Effect::writes_tree,
        .summary = "Make the change anew on its base and move the target",
        .description =
            "Runs A1 to A20 from the stored bytes, builds the tree in a place of its own, runs the verify commands, commits with trailers and moves the target by compare-and-swap. By default a human confirms: the id typed at a terminal, or a signed request.",
        .operands = kOneProposal, .options = kProposalPromoteOptions, .examples = kProposalPromoteExamples,
        .exit_codes = "0 1 2 3 4 5 10 11", .run = proposal_promote, .audience = Audience::people},
    Operation{
        .name = "run_queue", .words = "proposal queue", .group = kProposals, .effect = Effect::writes_tree,
        .summary = "Promote what is approved, in the order of the queue",
        .description =
            "Dependencies first, then what was put first, then by the time of approval. The first promotion.batch of them are tried together with the verify commands; when they fail, the one at fault is found and rejected, and nobody else. Every promotion is the one of 'proposal promote'. With promotion.requires: human the queue stops before each and waits for the id to be typed.",
        .options = kProposalQueueOptions, .examples = kProposalQueueExamples,
        .exit_codes = "0 1 2 4 5 10 11", .run = proposal_queue, .audience = Audience::people},
    Operation{
        .name = "rollback_proposal", .words = "proposal rollback", .group = kProposals, .effect = Effect::writes_tree,
        .summary = "Undo a promotion exactly",
        .description =
            "The inverse of the promoted patch on the head of the target, as a commit of its own. Refused when later commits changed the same lines.",
        .operands = kOneProposal, .options = kProposalRollbackOptions, .examples = kProposalRollbackExamples,
        .exit_codes = "0 1 2 3 4 5", .run = proposal_rollback, .audience = Audience::people},
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
};
// clang-format on

}  // namespace gh::ops
