#pragma once
// Rows of the operation table: doors for agents and other programs. They lie above this module, so
// their rows have no function and the program itself opens them. Included by operations.cc alone.
#include <array>

#include "ops/ci.h"
#include "ops/operation.h"
#include "ops/shared_rows.h"

namespace gh::ops {

// clang-format off
inline constexpr std::array kMcpOptions{
    Option{"stdio", OptionType::flag, "", "", "talk over standard input and output, one JSON message a line"},
    Option{"profile", OptionType::choice, "NAME", "standard", "which tools are offered: six, those of an agent, or also those of reviewers and promoters", "minimal standard full"},
    Option{"repo", OptionType::path, "DIR", "", "serve this repository and no other (default: a root of the client, else the one around the current folder)", "", Completes::folder},
    Option{"print-config", OptionType::choice, "HOST", "", "print what this host wants in its settings, and do no more", "claude codex cursor vscode gemini"},
    Option{"log-file", OptionType::path, "FILE", "", "append what would go to standard error to this file", "", Completes::written_file},
};
inline constexpr std::array kMcpExamples{
    Example{"gatehouse mcp --stdio < /dev/null", "Serve the host that started this program, until it hangs up."},
    Example{"gatehouse mcp --print-config claude", "The entry for .mcp.json of Claude Code."},
    Example{"gatehouse mcp --stdio --profile minimal --log-file mcp.log < /dev/null", "The six tools that a change needs; what is said meanwhile goes to a file."},
};
inline constexpr std::array kCiOptions{
    Option{"provider", OptionType::choice, "NAME", "auto", "the system that runs this (default: the one whose variables are there)", "auto github gitlab circleci jenkins azure buildkite drone generic local"},
    Option{"base", OptionType::text, "REV", "", "what the change goes into (default: what the system says, else the default branch)", "", Completes::ref},
    Option{"head", OptionType::text, "REV", "", "the change (default: what the system says, else HEAD)", "", Completes::ref},
    Option{"mode", OptionType::choice, "MODE", "enforce", "advise: exit 0 whatever the gates say; faults keep their code", "enforce advise"},
    Option{"out", OptionType::path, "DIR", "gatehouse-reports", "the folder of all reports", "", Completes::written_folder},
    kReportFiles,
    Option{"fetch", OptionType::flag, "", "", "let git fetch what is missing, once (default: say how, and exit 4)"},
    Option{"gates", OptionType::text, "LIST", "", "as of 'check': only these gates"},
    kStrictness,
    Option{"strict", OptionType::flag, "", "", "count review as no"},
    Option{"exit-review", OptionType::flag, "", "", "exit 10 for review and 11 for unverified"},
    Option{"release", OptionType::choice, "WHEN", "auto", "ask the release gate (auto: where base or head has a manifest)", "auto on off"},
    Option{"release-mode", OptionType::choice, "WORD", "verify", "which command of it: the change, or the work tree as it is", "verify scan"},
    Option{"config", OptionType::path, "FILE", "", "its manifest", "", Completes::file, 'c'},
    Option{"ci-mode", OptionType::choice, "MODE", "", "as of 'release verify'", "advisory strict"},
    Option{"fail-on", OptionType::text, "LIST", "", "as of 'release verify'"},
    Option{"baseline", OptionType::path, "FILE", "", "findings of the release gate that were accepted earlier; default: the file that 'release baseline save' writes", "", Completes::file},
    Option{"baseline-mode", OptionType::choice, "MODE", "", "how --baseline counts; there is one way", "new-findings"},
    Option{"diff-from", OptionType::path, "FILE", "", "as of 'release verify'", "", Completes::file},
    Option{"policy-pack", OptionType::path_list, "FILE", "", "as of 'release verify'", "", Completes::file},
    Option{"pr-comment-style", OptionType::choice, "STYLE", "capability-review", "what the part of the release gate leads with", "capability-review findings"},
    Option{"suggest-patches", OptionType::flag, "", "", "as of 'release verify'"},
    Option{"job", OptionType::text, "KEY", "check", "tells several runs for one change apart: comments, SARIF uploads"},
    Option{"summary", OptionType::flag, "", "true", "append to the summary of the step, where there is one"},
    Option{"annotations", OptionType::flag, "", "true", "mark the places in the change, where the system can"},
    Option{"annotation-limit", OptionType::integer, "N", "50", "so many at most", "", Completes::nothing, 0, "", 0},
};
inline constexpr std::array kCiExamples{
    Example{"gatehouse ci", "On a runner: judge the change and leave every report. At a desk: HEAD against the default branch."},
    Example{"gatehouse ci --base HEAD --mode advise --out reports", "Judge by hand; never fail the job."},
};
inline constexpr std::array kRenderOperands{Operand{"FILE", Arity::optional, "a Verdict as JSON (default: gatehouse-reports/verdict.json)", Completes::file}};
inline constexpr std::array kRenderOptions{
    Option{"job", OptionType::text, "KEY", "check", "tells the comments of several runs apart"},
    Option{"style", OptionType::choice, "STYLE", "comment", "a comment with its hidden lines, or the summary of a step", "comment summary"},
};
inline constexpr std::array kRenderExamples{
    Example{"gatehouse check HEAD~1..HEAD --format json > verdict.json; gatehouse comment render verdict.json", "What would stand below the pull request?"},
    Example{"gatehouse check HEAD~1..HEAD --report json=verdict.json; gatehouse comment render verdict.json --style summary", "Every finding, as the summary of a step."},
};
inline constexpr std::array kPostOperands{Operand{"FILE", Arity::optional, "the comment (default: gatehouse-reports/comment.md)", Completes::file}};
inline constexpr std::array kPostOptions{
    Option{"forge", OptionType::choice, "NAME", "auto", "where the change lies (default: as the variables of the CI system say)", "auto github gitlab"},
    Option{"repo", OptionType::text, "OWNER/NAME", "", "the repository there (default: likewise)"},
    Option{"change", OptionType::text, "NUMBER", "", "the pull or merge request (default: likewise; without one nothing is posted)"},
    Option{"api", OptionType::text, "URL", "", "the address of its REST interface (default: likewise)"},
    Option{"token-env", OptionType::text, "NAME", "", "the variable that holds the token (default: GITHUB_TOKEN, GH_TOKEN; GITLAB_TOKEN); the token itself is shown nowhere"},
    Option{"on-change", OptionType::flag, "", "", "edit only where the verdict is another one"},
    Option{"check-run", OptionType::text, "NAME", "", "also make a check run of this name (GitHub): success, failure or neutral"},
    Option{"only-check-run", OptionType::flag, "", "", "and no comment"},
    Option{"head", OptionType::text, "ID", "", "the commit of the check run (default: as the variables say)"},
    Option{"ca-file", OptionType::path, "FILE", "", "certificates that the forge is believed by (default: the system's)", "", Completes::file},
};
inline constexpr std::array kPostExamples{
    Example{"gatehouse check HEAD~1..HEAD --report json=verdict.json; gatehouse comment render verdict.json > comment.md; gatehouse comment post comment.md --forge github --repo octo/app --change 7", "Without a token in the environment it says so and posts nothing."},
    Example{"gatehouse ci --base HEAD; gatehouse comment post --forge github --repo octo/app", "What 'ci' wrote; a run for no pull request posts nothing."},
};
inline constexpr std::array kIntegrationRows{
    Operation{
        .name = "ci", .words = "ci", .group = kIntegration, .effect = Effect::writes_tree,
        .summary = "Judge the change that a CI system runs for, and leave every report",
        .description =
            "Finds out which system runs it and which change it runs for, asks 'check' about the commits since head left base, and "
            "the release gate where an agent is declared. Writes the Verdict in every format, a comment and the reports of the "
            "release gate into one folder, sets the outputs of the step, marks places and prints one line.\n\nA base that is not "
            "in the clone is never guessed: the fetch that brings it is printed, and the exit code is 4. What the change does to "
            "the powers of coding agents is told in the comment. docs/ci.md has a recipe for each system.",
        .options = kCiOptions, .examples = kCiExamples,
        .exit_codes = "0 1 2 3 4 5 10 11", .run = run_ci, .writes = "gatehouse-reports"},
    Operation{
        .name = "comment_render", .words = "comment render", .group = kIntegration,
        .summary = "Print the comment that a Verdict becomes below a change",
        .description =
            "From a stored Verdict, and what 'ci' left beside it. Nothing is judged again. Text of the change is escaped: it mentions "
            "nobody, links nowhere and breaks no table.",
        .operands = kRenderOperands, .options = kRenderOptions, .examples = kRenderExamples,
        .exit_codes = "0 2 3", .run = comment_render},
    Operation{
        .name = "comment_post", .words = "comment post", .group = kIntegration, .effect = Effect::writes_state,
        .summary = "Put the comment below the pull request, once, and edit it from then on",
        .description =
            "The comment is found again by its first line, which names repository and job. After a failure a change that passes "
            "leaves one line of it. A token that may not write, as in runs for forks, is said, and is no failure. With 'serve' and "
            "'release inventory' the only command that uses the network.",
        .operands = kPostOperands, .options = kPostOptions, .examples = kPostExamples,
        .exit_codes = "0 2 3 4", .audience = Audience::people},
    Operation{
        .name = "mcp", .words = "mcp", .group = kIntegration, .effect = Effect::writes_state,
        .summary = "Serve an agent over the Model Context Protocol",
        .description =
            "Started by an agent host: standard output carries protocol frames and nothing else. One connection is one "
            "agent, and holds its intents for as long as it lives. Tools are the operations of this program; "
            "docs/mcp.md lists them. Ends when the host closes standard input.",
        .options = kMcpOptions, .examples = kMcpExamples,
        .exit_codes = "0 2 4"},
};
// clang-format on

}  // namespace gh::ops
