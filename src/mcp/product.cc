// What the product offers over MCP (interfaces 1.9, 1.10).
#include "mcp/catalogue.h"
#include "mcp/product_tools.h"

namespace gh::mcp {
namespace {

constexpr std::string_view kJson = "application/json", kText = "text/plain";

constexpr std::array kTopicVariable{Argument{.name = "topic", .to = "COMMAND"}};
constexpr std::array kProposalVariable{Argument{.name = "id", .to = "ID"}};
constexpr std::array kIntentVariable{Argument{.name = "id", .to = "ID"}};
constexpr std::array kRunVariable{Argument{.name = "run_id", .to = "RUN"}};
constexpr std::array kFindingsVariable{Argument{.name = "run_id", .to = "run"}};
constexpr std::array kReceiptVariable{Argument{.name = "digest", .to = "RECEIPT"}};
constexpr std::array kReportVariable{Argument{.name = "digest", .to = "DOCUMENT"}};
constexpr std::array kRuleVariable{Argument{.name = "rule_id", .to = "ID"}};

// clang-format off
// table: mcp_resources
constexpr std::array kResources{
    Resource{.uri = "gatehouse://policy", .name = "policy", .title = "Policy in force", .description = "The effective configuration and where it came from", .mime_type = kJson, .operation = "config_show"},
    Resource{.uri = "gatehouse://status", .name = "status", .title = "Status", .description = "What may be done here now", .mime_type = kJson, .operation = "status"},
    Resource{.uri = "gatehouse://intents", .name = "intents", .title = "Open intents", .description = "Who holds what in this repository", .mime_type = kJson, .operation = "list_intents", .can_change = true},
    Resource{.uri = "gatehouse://proposals", .name = "proposals", .title = "Proposals", .description = "What is proposed, and where each proposal stands", .mime_type = kJson, .operation = "list_proposals", .can_change = true},
    Resource{.uri = "gatehouse://help/{topic}", .name = "help", .title = "Help", .description = "One command explained", .mime_type = kText, .operation = "help", .arguments = kTopicVariable, .completer = Completer::topic},
    Resource{.uri = "gatehouse://proposal/{id}", .name = "proposal", .title = "Proposal", .description = "Claims, facts, reviews and state of one proposal", .mime_type = kJson, .operation = "show_proposal", .arguments = kProposalVariable, .completer = Completer::proposal, .can_change = true},
    Resource{.uri = "gatehouse://proposal/{id}/diff", .name = "proposal-diff", .title = "Diff of a proposal", .description = "The diff that reviewers judge", .mime_type = "text/x-diff", .operation = "diff_proposal", .arguments = kProposalVariable, .completer = Completer::proposal},
    Resource{.uri = "gatehouse://intent/{id}", .name = "intent", .title = "Intent", .description = "One intent of this session", .mime_type = kJson, .operation = "change_status", .arguments = kIntentVariable, .completer = Completer::intent},
    Resource{.uri = "gatehouse://run/{run_id}", .name = "run", .title = "Analysis run", .description = "The report of a run; 'latest' is one", .mime_type = kJson, .operation = "show_run", .arguments = kRunVariable, .completer = Completer::run},
    Resource{.uri = "gatehouse://run/{run_id}/findings", .name = "run-findings", .title = "Findings of a run", .description = "What a run found", .mime_type = kJson, .operation = "list_findings", .arguments = kFindingsVariable, .completer = Completer::run},
    Resource{.uri = "gatehouse://receipt/{digest}", .name = "receipt", .title = "Receipt", .description = "A receipt by its digest", .mime_type = kJson, .operation = "show_receipt", .arguments = kReceiptVariable, .is_named_by_digest = true},
    Resource{.uri = "gatehouse://report/{digest}", .name = "report", .title = "Stored document", .description = "A report or artifact by its digest", .mime_type = kJson, .operation = "show_document", .arguments = kReportVariable, .is_named_by_digest = true},
    Resource{.uri = "gatehouse://explain/{rule_id}", .name = "explain", .title = "Explanation", .description = "What a rule means and how to fix it", .mime_type = kJson, .operation = "explain", .arguments = kRuleVariable, .completer = Completer::rule},
};

constexpr std::array kStartChangeArguments{PromptArgument{"goal", "what the change is for", true}, PromptArgument{"paths", "files that it will touch", false, Completer::path}};
constexpr std::array kRejectionArguments{PromptArgument{"verdict_id", "digest of the verdict, or the id of a reason in it", true, Completer::rule}};
constexpr std::array kReviewProposalArguments{PromptArgument{"id", "patch_id of the proposal", true, Completer::proposal}};
constexpr std::array kFindingArguments{PromptArgument{"fingerprint", "id of the finding", true}};
// table: mcp_prompts
constexpr std::array kPrompts{
    Prompt{.name = "start_change", .title = "Start a change", .description = "Declare a change and make it under control", .arguments = kStartChangeArguments,
           .text = "Make this change under Gatehouse's control: {goal}\nFiles: {paths}\n\n1. Call status. 2. Call start_controlled_change with the literal paths of all files that you will touch; when it answers needs_analysis, call analyze_repository first. 3. Edit only when edit_allowed is true, and only files in the returned scope; to touch another file call manage_change_intent with action declare and the wider scope. 4. After editing code call analyze_repository. 5. Call finish_controlled_change with every changed path and after_run_id. Report done only when it answers accepted."},
    Prompt{.name = "fix_rejection", .title = "Fix a rejection", .description = "Understand a no and repair the change", .arguments = kRejectionArguments,
           .text = "A gate of Gatehouse refused a change: {verdict_id}.\n\nCall explain for the id of each reason, look at path, line and evidence, make the smallest repair that satisfies the rule, and check again. Do not switch a rule off, do not widen a baseline, and do not split the change to get below a limit."},
    Prompt{.name = "review_proposal", .title = "Review a proposal", .description = "Judge a proposal by its diff", .arguments = kReviewProposalArguments,
           .text = "Review the proposal {id}.\n\nCall proposal_get with diff and checks. Judge the diff that Gatehouse derived, not what the author says of it: is it what source_gap asks for, are its tests real, are risk and rollback told truthfully, does it touch more than it needs? Answer with ok or changes, and for changes name code, file and line."},
    Prompt{.name = "explain_finding", .title = "Explain a finding", .description = "What a finding means and what to do about it", .arguments = kFindingArguments,
           .text = "Explain the finding {fingerprint}.\n\nOver MCP the facts are what explain answers for that id; of a finding of the analysis, findings with finding_id and detail_level full.\n\n",
           .file = "release/explain-finding-to-user.md"},
    Prompt{.name = "release_readiness", .title = "Release readiness", .description = "Is what is here ready to be released?",
           .text = "Is this repository ready to be released?\n\nCall status, check, release_scan, release_verify with the base that it goes into, and findings with severity critical. Sum up decisions and reasons as they are, without weighing them anew, and name what is missing before a release."},
};
// clang-format on

constexpr std::string_view kInstructions =
    "Gatehouse decides whether a change may enter this repository. Call status first. Before any "
    "write call start_controlled_change with the literal paths you will touch (after "
    "analyze_repository when it answers needs_analysis) and edit only when edit_allowed is true, "
    "only inside the returned scope. To touch another file call manage_change_intent with action "
    "declare and the wider scope. After editing code call analyze_repository, then "
    "finish_controlled_change with every changed path and after_run_id. A denial carries its "
    "reasons and the next step: do that. Never claim to be done before the answer is accepted.";
static_assert(kInstructions.size() <= 900);

constexpr Catalogue kCatalogue{.server_name = "gatehouse",
                               .title = "Gatehouse",
                               .instructions = kInstructions,
                               .tools = kProductTools,
                               .resources = kResources,
                               .prompts = kPrompts};

}  // namespace

const Catalogue& product_catalogue() { return kCatalogue; }

}  // namespace gh::mcp
