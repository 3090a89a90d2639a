#pragma once
// Rows of the operation table: change control (change-control 20.4). Included by operations.cc
// alone.
#include <array>

#include "ops/agent_ops.h"
#include "ops/change_ops.h"
#include "ops/operation.h"
#include "ops/shared_rows.h"

namespace gh::ops {

// clang-format off
inline constexpr std::string_view kChanges = "CHANGES";

inline constexpr Operand kIntentId{"ID", Arity::optional, "intent (default: the newest one of this session)", Completes::nothing};
inline constexpr Operand kNeededIntentId{"ID", Arity::required, "intent, as 'gatehouse change list' shows it", Completes::nothing};

inline constexpr Option kFiles{"files", OptionType::path_list, "FILE", "", "every path that was made, changed or deleted", "", Completes::file};
inline constexpr Option kFilesFrom{"files-from", OptionType::path, "FILE", "", "the same, one a line, or separated by NUL; - for standard input", "", Completes::file};
inline constexpr Option kDiff{"diff", OptionType::text, "REF", "", "take them from git: what differs from this revision, or a range A..B", "", Completes::ref};

inline constexpr Option kExitReview{"exit-review", OptionType::flag, "", "", "exit 11 for unverified"};

inline constexpr std::array kChangeStartOptions{
    Option{"goal", OptionType::text, "TEXT", "", "what the change is for, in a sentence"},
    Option{"allow", OptionType::path_list, "FILE", "", "files that the change may touch, from the repository root", "", Completes::file},
    Option{"related", OptionType::path_list, "FILE", "", "files that it may touch if it must: accepted, and told to the reviewer", "", Completes::file},
    Option{"forbid", OptionType::path_list, "PATTERN", "", "files that it must not touch, whatever else is said"},
    Option{"expect", OptionType::text_list, "TEXT", "", "an effect that is expected"},
    Option{"on-conflict", OptionType::choice, "WHAT", "block", "when somebody else holds a file: refuse, or stand in line", "block queue"},
    Option{"continue-own-wip", OptionType::flag, "", "", "the uncommitted changes in these files are yours: go on with them"},
    Option{"analyze", OptionType::flag, "", "", "make the run that the change begins with, when there is none that will do"},
    kStrictness,
    Option{"ttl", OptionType::duration, "TIME", "", "how long the intent lives at most (default: change_control.ttl_seconds)"},
    Option{"depth", OptionType::choice, "DEPTH", "auto", "who is concerned: files that import these, or also those behind them", "auto direct transitive"},
    Option{"full", OptionType::flag, "", "", "the whole blast radius instead of its summary"},
    Option{"worktree", OptionType::flag, "", "", "work in a git worktree of your own; finish lands the result"},
    Option{"agent-label", OptionType::text, "NAME", "", "what others see as your name (default: cli/USER)"},
    kExitReview,
    kSession,
};
inline constexpr std::array kChangeStartExamples{
    Example{"gatehouse change start --goal 'fix the parser' --allow src/parser.py", "May I edit this file now?"},
    Example{"gatehouse change start --analyze --goal 'fix the parser' --allow src/parser.py", "The same where nothing was analysed yet."},
    Example{"gatehouse change start --goal 'fix the parser' --allow src/parser.py src/lexer.py --on-conflict queue --json", "The same for two files; if somebody holds one, wait for it."},
};
inline constexpr std::array kOneIntent{kIntentId};
inline constexpr std::array kNeededIntent{kNeededIntentId};
inline constexpr std::array kSessionOnly{kSession};
inline constexpr std::array kChangeStatusExamples{
    Example{"gatehouse change status", "What this session holds, and until when."},
    Example{"gatehouse change status --json", "The record of the newest intent."},
};
inline constexpr std::array kChangeListExamples{
    Example{"gatehouse change list", "Who holds what in this repository."},
    Example{"gatehouse change list --json", "The same with every field."},
};
inline constexpr std::array kEvidenceOptions{kFiles, kFilesFrom, kDiff, kSession};
inline constexpr std::array kChangeCheckExamples{
    Example{"gatehouse change check --files src/parser.py", "Are these files inside what was declared?"},
    Example{"gatehouse change check --diff HEAD --json", "The same for whatever differs from HEAD."},
};
inline constexpr std::array kStatusExamples{
    Example{"gatehouse status", "What may I do here, who else is at work, and what comes next?"},
    Example{"gatehouse status --field next.command", "The next command alone."},
};
inline constexpr std::array kChangeDeclareOptions{
    Option{"goal", OptionType::text, "TEXT", "", "what the change is for, in a sentence"},
    Option{"allow", OptionType::path_list, "FILE", "", "all files that the change may touch, from the repository root", "", Completes::file},
    Option{"related", OptionType::path_list, "FILE", "", "files that it may touch if it must", "", Completes::file},
    Option{"forbid", OptionType::path_list, "PATTERN", "", "files that it must not touch, whatever else is said"},
    Option{"expect", OptionType::text_list, "TEXT", "", "an effect that is expected"},
    Option{"on-conflict", OptionType::choice, "WHAT", "block", "when somebody else holds a file: refuse, or stand in line", "block queue"},
    Option{"run", OptionType::text, "RUN", "latest", "run that the change begins with; that of an own intent replaces its scope"},
    Option{"ttl", OptionType::duration, "TIME", "", "how long the intent lives at most (default: change_control.ttl_seconds)"},
    kSession,
};
inline constexpr std::array kChangeDeclareExamples{
    Example{"gatehouse change declare --goal 'fix the parser' --allow src/parser.py", "Take the file, whatever is uncommitted in it."},
    Example{"gatehouse change declare --goal 'fix the parser' --allow src/parser.py src/lexer.py --json", "Said again on the same run: a wider scope."},
};
inline constexpr std::array kChangeExtendOptions{
    Option{"add", OptionType::path_list, "FILE", "", "further files that the change may touch", "", Completes::file},
    Option{"add-related", OptionType::path_list, "FILE", "", "further files that it may touch if it must", "", Completes::file},
    kSession,
};
inline constexpr std::array kChangeExtendExamples{
    Example{"gatehouse change extend --add src/lexer.py", "The change needs one file more."},
    Example{"gatehouse change extend --add src/lexer.py --json", "The same; the answer says whether somebody else holds it."},
};
inline constexpr std::array kChangeRenewOptions{
    Option{"lease", OptionType::duration, "TIME", "", "length of the lease, 60s to 10m (default: as it is)"},
    kSession,
};
inline constexpr std::array kChangeRenewExamples{
    Example{"gatehouse change renew", "I am still at it."},
    Example{"gatehouse change renew --lease 10m --json", "The same for ten minutes."},
};
inline constexpr std::array kChangePromoteOptions{
    Option{"run", OptionType::text, "RUN", "", "bind the intent to this newer run"},
    kSession,
};
inline constexpr std::array kChangePromoteExamples{
    Example{"gatehouse change promote ID", "Is it my turn?"},
    Example{"gatehouse change promote ID --run latest --json", "The same, judged from the latest run on."},
};
inline constexpr std::array kChangeAbandonOptions{
    Option{"all", OptionType::flag, "", "", "every intent of this session"},
    kSession,
};
inline constexpr std::array kChangeAbandonExamples{
    Example{"gatehouse change abandon", "Give the files back without finishing."},
    Example{"gatehouse change abandon --all --json", "The same for everything this session holds."},
};
inline constexpr std::array kChangeRecoverOptions{
    Option{"run", OptionType::text, "RUN", "", "the run that the intent began with (default: the one it names)"},
    Option{"agent-label", OptionType::text, "NAME", "", "what others see as your name (default: cli/USER)"},
    kSession,
};
inline constexpr std::array kChangeRecoverExamples{
    Example{"gatehouse change recover ID", "Take over the intent of an agent that is gone."},
    Example{"gatehouse change recover ID --run latest --json", "The same, with the run named."},
};
inline constexpr std::array kChangeResetOptions{
    Option{"reason", OptionType::text, "TEXT", "", "why; kept in the audit chain"},
    kSession,
};
inline constexpr std::array kChangeResetExamples{
    Example{"gatehouse change reset ID", "Remove a dead record, or start your own one afresh."},
    Example{"gatehouse change reset ID --json", "The same as a document."},
};
inline constexpr std::array kChangeReapExamples{
    Example{"gatehouse change reap", "Close what ran out or whose owner is gone."},
    Example{"gatehouse change reap --json", "The same, with ids and reasons."},
};
inline constexpr std::array kChangeQueueExamples{
    Example{"gatehouse change queue", "Who waits for what, in order."},
    Example{"gatehouse change queue --json", "The same as a document."},
};
inline constexpr std::array kChangeWatchOptions{
    Option{"interval", OptionType::duration, "TIME", "2s", "how often to look"},
    Option{"count", OptionType::integer, "N", "", "stop after so many looks (default: until interrupted)"},
    kSession,
};
inline constexpr std::array kChangeWatchExamples{
    Example{"gatehouse change watch --count 1", "One look at who holds what."},
    Example{"gatehouse change watch --count 2 --interval 1s --json", "Two looks, a line of JSON each."},
};
inline constexpr std::array kChangeFinishOptions{
    kFiles, kFilesFrom, kDiff,
    Option{"after-run", OptionType::text, "RUN", "", "run made after the edit; 'latest' is the newest one"},
    Option{"analyze", OptionType::flag, "", "", "make that run now"},
    Option{"claims", OptionType::path, "FILE", "", "review text whose claims are checked; - for standard input", "", Completes::file},
    Option{"note", OptionType::text, "TEXT", "", "a note for people; never checked"},
    Option{"receipt", OptionType::flag, "", "true", "write a receipt"},
    Option{"clear", OptionType::flag, "", "true", "close the intent when the change is accepted"},
    kStrictness,
    Option{"detail-level", OptionType::choice, "LEVEL", "summary", "how much to tell of the work tree", "summary normal full"},
    Option{"trail", OptionType::choice, "LEVEL", "summary", "how much to tell of the patch trail", "summary full"},
    Option{"land", OptionType::flag, "", "true", "land what was made in a worktree of its own"},
    Option{"commit", OptionType::flag, "", "", "commit what has landed, with trailers and a note that name its receipt"},
    Option{"message", OptionType::text, "TEXT", "", "subject of that commit (default: the goal of the change)"},
    kExitReview,
    kSession,
};
inline constexpr std::array kChangeFinishExamples{
    Example{"gatehouse change finish --files docs/guide.md", "These files were changed; is that what was declared?"},
    Example{"gatehouse change finish --diff HEAD --analyze --json", "Whatever differs from HEAD, with a run made now."},
};
inline constexpr std::array kChangeBudgetOptions{
    Option{"run", OptionType::text, "RUN", "latest", "run to read"},
    kStrictness, kSession,
};
inline constexpr std::array kChangeBudgetExamples{
    Example{"gatehouse change budget", "How much room is there before a gate fails?"},
    Example{"gatehouse change budget --strictness strict --json", "The same under strict budgets."},
};
inline constexpr std::array kChangeVerifyOptions{
    kFiles, kFilesFrom, kDiff,
    Option{"before-run", OptionType::text, "RUN", "", "run to compare with (default: the one the intent began with)"},
    Option{"after-run", OptionType::text, "RUN", "", "run made after the edit; 'latest' is the newest one"},
    kExitReview,
    kStrictness, kSession,
};
inline constexpr std::array kChangeVerifyExamples{
    Example{"gatehouse change verify --files docs/guide.md", "What would finish say? Nothing is closed."},
    Example{"gatehouse change verify --diff HEAD --after-run latest --json", "The same with the run that was made after the edit."},
};
inline constexpr std::array kClaimOperands{Operand{"FILE", Arity::required, "review text, or - for standard input", Completes::file}};
inline constexpr std::array kClaimOptions{
    Option{"run", OptionType::text, "RUN", "latest", "run that the text speaks of"},
    Option{"health-delta", OptionType::text, "N", "", "what the change did to the health score, e.g. -2"},
    Option{"require-citations", OptionType::flag, "", "true", "warn when the text cites nothing"},
};
inline constexpr std::array kClaimExamples{
    Example{"gatehouse claim check review.md", "Does the text claim more than the run shows?"},
    Example{"gatehouse claim check review.md --health-delta=-2 --json", "The same for a change that cost two points of health."},
};

inline constexpr std::array kHookTestOptions{
    Option{"path", OptionType::path_list, "FILE", "", "files that are to be written; without any: may anything be?", "", Completes::file},
    kSession,
};
inline constexpr std::array kHookTestExamples{
    Example{"gatehouse hook test --path src/parser.py", "May this file be written now?"},
    Example{"gatehouse hook test --path src/parser.py docs/guide.md --json", "The same of two, as a document."},
};

inline constexpr std::array kChangeRows{
    Operation{
        .name = "start_change", .words = "change start", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Declare what you are going to change, and ask whether you may",
        .description =
            "Says which files a change may touch. The answer is `active` with edit_allowed true, or it says why "
            "not: another agent holds one of the files (blocked, or queued with --on-conflict queue), the files "
            "have uncommitted changes, or no analysis was made yet (needs_analysis: say --analyze, or run 'gatehouse analyze' first).\n\n"
            "Paths are literal and relative to the repository root: a folder or a pattern is accepted, with a "
            "warning, but finish compares paths exactly. The answer also says who is concerned by a change of "
            "these files, what not to touch, and how much room the budgets leave.",
        .options = kChangeStartOptions, .examples = kChangeStartExamples,
        .exit_codes = "0 1 2 4 11", .run = change_start},
    Operation{
        .name = "status", .words = "status", .group = kStart,
        .summary = "What may I do here now?  (intents, queue, dirty paths, next step)",
        .description =
            "The repository, the policy in force, what this session holds, who else is at work, the latest run, what is "
            "uncommitted, and the next step. Nothing is changed and no lease is renewed.",
        .options = kSessionOnly, .examples = kStatusExamples,
        .exit_codes = "0 2 4", .run = status},
    Operation{
        .name = "declare_change", .words = "change declare", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Declare a scope without the questions of start",
        .description =
            "The bare form of 'change start': the scope is taken if nobody else holds a file of it. Uncommitted changes "
            "are not asked about, and no budget is computed. Declared again on the run of an own intent, the scope "
            "replaces the one before, and everything else of the intent stays.",
        .options = kChangeDeclareOptions, .examples = kChangeDeclareExamples,
        .exit_codes = "0 1 2 4", .run = change_declare},
    Operation{
        .name = "change_status", .words = "change status", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Show one intent of this session",
        .description = "The record of an intent, and how long its lease and its life last. Asking renews the lease.",
        .operands = kOneIntent, .options = kSessionOnly, .examples = kChangeStatusExamples,
        .exit_codes = "0 2 4", .run = change_status},
    Operation{
        .name = "list_intents", .words = "change list", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Show who holds what in this repository",
        .description =
            "Every open intent of every agent, with its owner, what that owner may expect of you, and what can be "
            "recovered. Intents whose time ran out are closed on the way.",
        .options = kSessionOnly, .examples = kChangeListExamples,
        .exit_codes = "0 2 4", .run = change_list},
    Operation{
        .name = "check_scope", .words = "change check", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Compare changed files with what was declared",
        .description = "Each file must stand literally in the declared lists and match no forbidden pattern.",
        .operands = kOneIntent, .options = kEvidenceOptions, .examples = kChangeCheckExamples,
        .exit_codes = "0 1 2 3 4", .run = change_check},
    Operation{
        .name = "extend_change", .words = "change extend", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Declare further files for an intent",
        .description =
            "Replaces the declaration in one step and keeps everything else: the run it began with, the time it "
            "has, and what was dirty then. Refused when another agent holds one of the new files.",
        .operands = kOneIntent, .options = kChangeExtendOptions, .examples = kChangeExtendExamples,
        .exit_codes = "0 1 2 4", .run = change_extend},
    Operation{
        .name = "renew_change", .words = "change renew", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Say that you are still at work",
        .description = "Renews the lease, never the life of the intent. Every other command on an intent renews it too.",
        .operands = kOneIntent, .options = kChangeRenewOptions, .examples = kChangeRenewExamples,
        .exit_codes = "0 1 2 4", .run = change_renew},
    Operation{
        .name = "promote_change", .words = "change promote", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Turn a queued intent into an active one, if nobody is in the way",
        .description =
            "When whoever held the files is done, the intent becomes active and its files are yours. If that one "
            "changed files of yours, name the latest run with --run: otherwise those changes are counted as yours.",
        .operands = kNeededIntent, .options = kChangePromoteOptions, .examples = kChangePromoteExamples,
        .exit_codes = "0 1 2 4", .run = change_promote},
    Operation{
        .name = "finish_change", .words = "change finish", .group = kChanges, .effect = Effect::writes_tree,
        .summary = "Hand in what was changed, have it judged, get a receipt",
        .description =
            "Name every path that you made, changed or deleted. In this order: uncommitted changes inside the "
            "declared files must all be named; every named path must have been declared; code and configuration "
            "need a run made after the edit (--after-run, or --analyze makes it now), which is compared with the one "
            "before it. Only what happened inside your scope is held against you. An accepted change gets a "
            "receipt, and the files are free again; otherwise the intent stays open and finish may be called again.",
        .operands = kOneIntent, .options = kChangeFinishOptions, .examples = kChangeFinishExamples,
        .exit_codes = "0 1 2 3 4 11", .run = change_finish},
    Operation{
        .name = "abandon_change", .words = "change abandon", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Give an intent up",
        .description = "Closes an intent of this session without judging anything. There is no receipt, and the audit chain says so.",
        .operands = kOneIntent, .options = kChangeAbandonOptions, .examples = kChangeAbandonExamples,
        .exit_codes = "0 2 4", .run = change_abandon},
    Operation{
        .name = "list_queue", .words = "change queue", .group = kChanges,
        .summary = "Show who waits for what",
        .description = "Queued intents in order, with their position and who holds their files. Nothing is changed.",
        .options = kSessionOnly, .examples = kChangeQueueExamples,
        .exit_codes = "0 2 4", .run = change_queue},
    Operation{
        .name = "watch_changes", .words = "change watch", .group = kChanges,
        .summary = "A live table of who holds what",
        .description = "Looks every two seconds and draws the table anew; with --json one line for each look. Nothing is changed.",
        .options = kChangeWatchOptions, .examples = kChangeWatchExamples,
        .exit_codes = "0 2 4 130", .run = change_watch},
    Operation{
        .name = "recover_change", .words = "change recover", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Take over the intent of an agent that is gone",
        .description =
            "Possible when its owner is dead, or it is your own and its lease ran out. The run and the scope must "
            "still be what they were, and nobody else may hold the files meanwhile.",
        .operands = kOneIntent, .options = kChangeRecoverOptions, .examples = kChangeRecoverExamples,
        .exit_codes = "0 1 2 4", .run = change_recover},
    Operation{
        .name = "reset_change", .words = "change reset", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Remove a dead intent, or start an own one afresh",
        .description = "An expired or orphaned intent is removed; an own one gets its whole time again; a live one of others is left alone.",
        .operands = kNeededIntent, .options = kChangeResetOptions, .examples = kChangeResetExamples,
        .exit_codes = "0 1 2 4", .run = change_reset},
    Operation{
        .name = "reap_changes", .words = "change reap", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Close intents that ran out or whose owner is gone",
        .description = "Also removes damaged records, and closed ones after change_control.retention_days.",
        .options = kSessionOnly, .examples = kChangeReapExamples,
        .exit_codes = "0 2 4", .run = change_reap},
    Operation{
        .name = "change_budget", .words = "change budget", .group = kChanges, .effect = Effect::writes_state,
        .summary = "How much room the budgets leave",
        .description = "What a run measures beside what a strictness allows, and whether its gates would fail now.",
        .operands = kOneIntent, .options = kChangeBudgetOptions, .examples = kChangeBudgetExamples,
        .exit_codes = "0 1 2 4", .run = change_budget},
    Operation{
        .name = "verify_change", .words = "change verify", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Judge a change without closing it",
        .description =
            "Compares the run before with the run after, and tells what the change itself made worse from what "
            "others did meanwhile. Without an intent everything counts as the change's own.",
        .operands = kOneIntent, .options = kChangeVerifyOptions, .examples = kChangeVerifyExamples,
        .exit_codes = "0 1 2 3 4 11", .run = change_verify},
    Operation{
        .name = "test_write_gate", .words = "hook test", .group = kIntegration,
        .summary = "May this be written now?",
        .description =
            "The question that the hook of an agent puts before a write, by hand. An active intent must cover it, its "
            "lease must run, and every path must stand literally in its scope and match no forbidden pattern. With a "
            "session (--session, GATEHOUSE_SESSION) only its own intents count; a caller that does not know its "
            "session is let through by anybody's, unless GATEHOUSE_HOOK_AUTHORIZE_FOREIGN says no. Nothing is "
            "written, made or moved on, and no lock is waited for longer than 250 ms. Exit 4 when the registry "
            "cannot be read: then nothing may be written.",
        .options = kHookTestOptions, .examples = kHookTestExamples,
        .exit_codes = "0 1 2 4", .run = hook_test},
    Operation{
        .name = "check_claims", .words = "claim check", .group = kChanges, .effect = Effect::writes_state,
        .summary = "Does a review text claim more than the run shows?",
        .description =
            "Looks at what stands around each finding or metric that the text names: a known finding called new, a "
            "report-only metric said to block, code called dead that something reaches at run time. No language "
            "model; the same text and run always give the same answer.",
        .operands = kClaimOperands, .options = kClaimOptions, .examples = kClaimExamples,
        .exit_codes = "0 1 2 3 4", .run = check_claims},
};
// clang-format on

}  // namespace gh::ops
