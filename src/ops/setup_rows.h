#pragma once
// Rows of the operation table: setting a repository up, and the hooks of git. Included by
// operations.cc alone.
#include <array>

#include "ops/git_hook_ops.h"
#include "ops/operation.h"
#include "ops/shared_rows.h"
#include "ops/support_ops.h"

namespace gh::ops {

// clang-format off

inline constexpr std::array kHookGitOperands{
    Operand{"NAME", Arity::required, "name of the hook", Completes::nothing,
            "pre-commit prepare-commit-msg commit-msg post-commit pre-push pre-receive update post-receive reference-transaction"},
    Operand{"ARG", Arity::many, "what git hands to it", Completes::nothing},
};
inline constexpr std::array kHookGitExamples{
    Example{"gatehouse hook git pre-commit", "What git asks before it commits: may what is staged be committed?"},
    Example{"gatehouse hook git pre-push origin https://example.org/r.git < /dev/null", "The same before a push; git sends one line for each ref."},
};
inline constexpr std::array kHookInstallOptions{
    Option{"git", OptionType::flag, "", "true", "the hooks of git"},
    Option{"shared", OptionType::flag, "", "", "in .githooks, to be committed; core.hooksPath of this clone is set to it"},
    Option{"local", OptionType::flag, "", "", "in this clone alone (the default)"},
    Option{"absolute", OptionType::flag, "", "", "write where this program is instead of its bare name"},
    Option{"dry-run", OptionType::flag, "", "", "only say what would be done", "", Completes::nothing, 'n'},
};
inline constexpr std::array kHookInstallExamples{
    Example{"gatehouse hook install --dry-run", "What would be written, and what is there already."},
    Example{"gatehouse hook install", "Install them. A hook that is there already is kept and runs first."},
};
inline constexpr std::array kHookUninstallExamples{
    Example{"gatehouse hook uninstall", "Take them away; whatever stood there before is back."},
    Example{"gatehouse hook uninstall --json", "The same as a document."},
};
inline constexpr std::array kHookStatusExamples{
    Example{"gatehouse hook status", "Which hooks are ours, chained, or missing."},
    Example{"gatehouse hook status --json", "The same as a document."},
};

inline constexpr std::array kHookApproveOperands{
    Operand{"COMMIT", Arity::required, "all digits of its id, also of one that was not pushed yet", Completes::ref},
};
inline constexpr std::array kHookApproveOptions{
    Option{"reason", OptionType::text, "TEXT", "", "why, for the audit (required)"},
};
inline constexpr std::array kHookApproveExamples{
    Example{"gatehouse hook approve HEAD --reason 'policy agreed in the meeting'", "Let the control files of one commit in."},
    Example{"gatehouse hook approve HEAD --reason 'new CI' --json", "The same as a document."},
};

inline constexpr std::array kInitOperands{
    Operand{"DIR", Arity::optional, "folder of the plugin (with --plugin)", Completes::folder},
};
inline constexpr std::array kInitOptions{
    Option{"yes", OptionType::flag, "", "", "write without asking, in mode enforce", "", Completes::nothing, 'y'},
    Option{"mode", OptionType::choice, "MODE", "", "what the hooks do with their answer: only say it, or stop what it is about", "advise enforce"},
    Option{"host", OptionType::text, "NAMES", "", "hosts to set up, with commas: claude, codex, cursor, vscode, gemini (default: those that are found)"},
    Option{"all", OptionType::flag, "", "", "every host, found or not"},
    Option{"git", OptionType::flag, "", "true", "install the hooks of git as well"},
    Option{"ci", OptionType::flag, "", "", "write the file of the CI that is found here as well"},
    Option{"policy", OptionType::flag, "", "", "write a policy of Gemini CLI as well, which denies edits of .git and .gatehouse without asking the hook"},
    Option{"share-receipts", OptionType::flag, "", "", "have git fetch and push receipts (refs/notes/gatehouse) with the remote origin"},
    Option{"plugin", OptionType::choice, "HOST", "", "write a plugin for a marketplace into DIR, and nothing else", "claude codex"},
    Option{"absolute", OptionType::flag, "", "", "write where this program is instead of its bare name"},
    Option{"dry-run", OptionType::flag, "", "", "show what would be written, as a diff", "", Completes::nothing, 'n'},
    Option{"check", OptionType::flag, "", "", "exit 1 when something would be written"},
    Option{"uninstall", OptionType::flag, "", "", "take away what init wrote, and nothing else"},
};
inline constexpr std::array kInitExamples{
    Example{"gatehouse init --dry-run", "What would be written, as a diff?"},
    Example{"gatehouse init --mode advise", "Set it up; the hooks only say what they would refuse."},
    Example{"gatehouse init --yes", "Set it up for every host that is found here, enforcing."},
    Example{"gatehouse init --plugin claude plugin --dry-run", "Which files a plugin for Claude Code has."},
};

inline constexpr std::array kSetupRows{
    Operation{
        .name = "init", .words = "init", .group = kStart, .effect = Effect::writes_tree,
        .summary = "Set up this repository: policy, agent hooks, git hooks",
        .description =
            "Writes gatehouse.yaml (with limits that most past commits keep within), tells each agent host that is in use "
            "here about the gate, and installs the hooks of git. Then it has each host's hook refuse a write, and says "
            "host by host what is enforced and what is only advice.\n\n"
            "In files that are there already, only what is ours is put in or brought up to date: comments, order and every "
            "other byte stay. A file that cannot be read is left alone, and what to add is printed. The file as it was is "
            "kept once as FILE.gatehouse.bak, which git is told to overlook. Running it again changes nothing; --uninstall gives "
            "the old bytes back.\n\n"
            "What it wrote passes the pre-commit hook once, in whatever commit brings it in: whoever ran init has let it in. "
            "The last lines name the two commands.\n\n"
            "The table [tool.codeclone] of pyproject.toml is copied into the analysis block.",
        .operands = kInitOperands, .options = kInitOptions, .examples = kInitExamples,
        .exit_codes = "0 1 2 3 4 5", .run = init, .audience = Audience::people},
    Operation{
        .name = "git_hook", .words = "hook git", .group = kIntegration, .effect = Effect::writes_state,
        .summary = "What git calls before and after a commit and a push",
        .description =
            "'gatehouse hook install' has git call it; nobody else needs to. It reads what git hands to the hook of that "
            "name and ends with 0 (go on) or 1 (stop).\n\n"
            "pre-commit judges what is staged and leaves a stamp; prepare-commit-msg and commit-msg write and check the "
            "trailers; post-commit binds the receipt to the commit. pre-push, pre-receive and update judge every pushed ref "
            "from objects, all or none. reference-transaction keeps commits without a stamp off protected branches, also "
            "under --no-verify, when hooks.local_ref_guard is on or an agent runs git. A person may set "
            "GATEHOUSE_BYPASS_REASON, which is written down; pre-receive and update take no such word.",
        .operands = kHookGitOperands, .examples = kHookGitExamples,
        .exit_codes = "0 1 2", .run = hook_git},
    Operation{
        .name = "install_git_hooks", .words = "hook install", .group = kIntegration, .effect = Effect::writes_tree,
        .summary = "Have git call Gatehouse",
        .description =
            "Writes a small script for each hook where git looks for hooks (core.hooksPath counts; linked worktrees share "
            "them). A hook that stands there already is moved to NAME.local and runs first. husky, lefthook and pre-commit "
            "get an entry in their own files instead. In a bare repository the hooks of a server are installed.",
        .options = kHookInstallOptions, .examples = kHookInstallExamples,
        .exit_codes = "0 1 2 4", .run = hook_install},
    Operation{
        .name = "uninstall_git_hooks", .words = "hook uninstall", .group = kIntegration, .effect = Effect::writes_tree,
        .summary = "Take our git hooks away",
        .description = "Removes what 'hook install' wrote, and puts back what stood there before, byte for byte.",
        .examples = kHookUninstallExamples,
        .exit_codes = "0 2 4", .run = hook_uninstall, .audience = Audience::people},
    Operation{
        .name = "approve_commit", .words = "hook approve", .group = kIntegration, .effect = Effect::writes_state,
        .summary = "Let the control files of one commit in",
        .description =
            "The policy, CI files and agent settings are control files, and no push changes them by itself. Where the commit "
            "shall be received, a person with the role admin names it: its control files may pass, and what it changes counts "
            "for no limit. It holds for this commit alone, every other rule holds for it too, and the reason goes to the "
            "audit. Agents may not.",
        .operands = kHookApproveOperands, .options = kHookApproveOptions, .examples = kHookApproveExamples,
        .exit_codes = "0 2 4", .run = hook_approve, .audience = Audience::people},
    Operation{
        .name = "git_hook_status", .words = "hook status", .group = kIntegration,
        .summary = "Show which git hooks are ours",
        .description = "For each hook: ours, chained (another one runs first), entry (a manager calls it), foreign or missing.",
        .examples = kHookStatusExamples,
        .exit_codes = "0 2 4", .run = hook_status},
};
// clang-format on

}  // namespace gh::ops
