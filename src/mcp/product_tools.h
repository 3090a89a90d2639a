#pragma once
// Rows of the product's tools, in the order of interfaces 1.10. Included by product.cc alone.
#include <array>

#include "mcp/catalogue.h"
#include "mcp/shapes.h"

namespace gh::mcp {

// clang-format off
inline constexpr Argument kIntentArgument{.name = "intent_id", .to = "ID"};
inline constexpr Argument kRunArgument{.name = "run_id", .to = "run"};
inline constexpr Argument kStrictnessArgument{.name = "strictness", .to = "strictness"};
inline constexpr Argument kChangedFiles{.name = "changed_files", .to = "files"};
inline constexpr Argument kDiffRef{.name = "diff_ref", .to = "diff"};

inline constexpr std::array kStatusCases{Case{.operation = "status"}};

inline constexpr std::array kCheckArguments{
    Argument{.name = "target", .to = "staged", .words = "worktree= staged=true"},
    Argument{.name = "range", .to = "TARGET", .help = "A..B"},
    Argument{.name = "patch", .to = "TARGET", .help = "unified diff", .is_input = true},
    Argument{.name = "base", .to = "base"},
    Argument{.name = "gates", .to = "gates", .help = "patch,scope,structure,surface"},
    Argument{.name = "intent_id", .to = "intent"},
    kStrictnessArgument,
};
inline constexpr std::array kCheckCases{Case{.operation = "check", .arguments = kCheckArguments}};

inline constexpr Argument kPatchText{.name = "patch", .to = "FILE", .is_required = true, .help = "unified diff", .is_input = true};
inline constexpr Argument kPatchRun{.name = "run_id", .to = "run", .help = "patch run to resubmit in"};
inline constexpr Argument kExpectDigest{.name = "expect_input_digest", .to = "expect", .help = "SHA-256 of the patch that was checked before"};
inline constexpr std::array kPatchCheckArguments{kPatchText, kPatchRun, kExpectDigest,
    Argument{.name = "base", .to = "base"},
    Argument{.name = "profile", .to = "profile"},
    Argument{.name = "max_files", .to = "max-files"},
    Argument{.name = "max_added_lines", .to = "max-added"},
};
inline constexpr std::array kPatchCheckCases{Case{.operation = "check_patch", .arguments = kPatchCheckArguments}};
inline constexpr std::array kPatchApplyArguments{kPatchText, kPatchRun, kExpectDigest,
    Argument{.name = "base", .to = "base"},
    Argument{.name = "profile", .to = "profile"},
    Argument{.name = "land", .to = "land"},
    Argument{.name = "ref", .to = "ref", .help = "branch that moves with land=commit"},
    Argument{.name = "message", .to = "message", .help = "subject of that commit"},
};
inline constexpr std::array kPatchApplyCases{Case{.operation = "apply_patch", .arguments = kPatchApplyArguments}};

inline constexpr std::array kAnalyzeArguments{
    Argument{.name = "analysis_mode", .to = "skip-metrics", .words = "full= clones_only=true"},
    Argument{.name = "changed_paths", .to = "changed-paths"},
    Argument{.name = "git_diff_ref", .to = "paths-from-git-diff"},
    Argument{.name = "min_loc", .to = "min-loc"},
    Argument{.name = "min_stmt", .to = "min-stmt"},
    Argument{.name = "block_min_loc", .to = "block-min-loc"},
    Argument{.name = "block_min_stmt", .to = "block-min-stmt"},
    Argument{.name = "segment_min_loc", .to = "segment-min-loc"},
    Argument{.name = "segment_min_stmt", .to = "segment-min-stmt"},
    Argument{.name = "complexity_threshold", .to = "complexity-threshold"},
    Argument{.name = "coupling_threshold", .to = "coupling-threshold"},
    Argument{.name = "cohesion_threshold", .to = "cohesion-threshold"},
    Argument{.name = "coverage_min", .to = "coverage-min"},
    Argument{.name = "coverage_xml", .to = "coverage"},
    Argument{.name = "api_surface", .to = "api-surface"},
    Argument{.name = "baseline_path", .to = "baseline"},
    Argument{.name = "cache_policy", .to = "cache", .words = "reuse= off=false"},
    Argument{.name = "processes", .to = "jobs"},
    Argument{.name = "rev", .to = "rev", .help = "instead of the work tree"},
};
inline constexpr std::array kAnalyzeCases{Case{.operation = "analyze", .arguments = kAnalyzeArguments}};

inline constexpr Argument kExpectedEffects{.name = "expected_effects", .to = "expect"};
inline constexpr Argument kOnConflict{.name = "on_conflict", .to = "on-conflict", .words = "queue=queue"};
inline constexpr Argument kTtl{.name = "ttl_seconds", .to = "ttl"};
inline constexpr Argument kAllowedFiles{.name = "scope.allowed_files", .to = "allow", .is_required = true};
inline constexpr Argument kAllowedRelated{.name = "scope.allowed_related", .to = "related"};
inline constexpr Argument kForbidden{.name = "scope.forbidden", .to = "forbid"};
inline constexpr Argument kIntentText{.name = "intent", .to = "goal", .is_required = true, .help = "what for"};
inline constexpr std::array kStartArguments{
    kAllowedFiles, kAllowedRelated, kForbidden, kIntentText, kExpectedEffects, kOnConflict, kStrictnessArgument, kTtl,
    Argument{.name = "blast_radius_depth", .to = "depth"},
    Argument{.name = "blast_radius_detail", .to = "full", .words = "summary= full=true"},
    Argument{.name = "dirty_scope_policy", .to = "continue-own-wip", .words = "block= continue_own_wip=true"},
    Argument{.name = "isolation", .to = "worktree", .words = "worktree=true"},
    Argument{.name = "analyze", .to = "analyze"},
};
inline constexpr std::array kStartCases{Case{.operation = "start_change", .arguments = kStartArguments}};

inline constexpr std::array kIntentOnly{kIntentArgument};
inline constexpr std::array kIntentCheckArguments{kIntentArgument, kChangedFiles, kDiffRef};
inline constexpr std::array kDeclareArguments{
    Argument{.name = "run_id", .to = "run"},
    kAllowedFiles, kAllowedRelated, kForbidden, kIntentText, kExpectedEffects, kOnConflict, kTtl,
};
inline constexpr std::array kRenewArguments{kIntentArgument, Argument{.name = "lease_seconds", .to = "lease"}};
inline constexpr std::array kPromoteArguments{kIntentArgument, kRunArgument};
inline constexpr std::array kRecoverArguments{kIntentArgument, kRunArgument};
inline constexpr std::array kClearGiven{Given{"all", "true", "intent_id"}};
inline constexpr std::array kManageCases{
    Case{.when = "get", .operation = "change_status", .arguments = kIntentOnly},
    Case{.when = "list_workspace", .operation = "list_intents"},
    Case{.when = "declare", .operation = "declare_change", .arguments = kDeclareArguments},
    Case{.when = "check", .operation = "check_scope", .arguments = kIntentCheckArguments},
    Case{.when = "renew", .operation = "renew_change", .arguments = kRenewArguments},
    Case{.when = "promote", .operation = "promote_change", .arguments = kPromoteArguments},
    Case{.when = "clear", .operation = "abandon_change", .arguments = kIntentOnly, .given = kClearGiven},
    Case{.when = "recover", .operation = "recover_change", .arguments = kRecoverArguments},
    Case{.when = "reset_workspace", .operation = "reset_change", .arguments = kIntentOnly},
    Case{.when = "gc_workspace", .operation = "reap_changes"},
};

inline constexpr std::array kBudgetArguments{kIntentArgument, kRunArgument, kStrictnessArgument};
inline constexpr std::array kVerifyArguments{
    kIntentArgument,
    Argument{.name = "before_run_id", .to = "before-run"},
    Argument{.name = "after_run_id", .to = "after-run"},
    kStrictnessArgument, kDiffRef, kChangedFiles,
};
inline constexpr std::array kContractCases{
    Case{.when = "budget", .operation = "change_budget", .arguments = kBudgetArguments},
    Case{.when = "verify", .operation = "verify_change", .arguments = kVerifyArguments},
};

inline constexpr std::array kFinishArguments{
    Argument{.name = "intent_id", .to = "ID", .is_required = true},
    kChangedFiles, kDiffRef,
    Argument{.name = "after_run_id", .to = "after-run"},
    Argument{.name = "analyze", .to = "analyze"},
    Argument{.name = "review_text", .to = "note"},
    Argument{.name = "claims_text", .to = "claims", .is_input = true},
    Argument{.name = "create_receipt", .to = "receipt"},
    Argument{.name = "auto_clear", .to = "clear"},
    kStrictnessArgument,
    Argument{.name = "propose_memory", .to = "", .type = "boolean"},
    Argument{.name = "detail_level", .to = "detail-level"},
    Argument{.name = "patch_trail_detail", .to = "trail"},
    Argument{.name = "land", .to = "land"},
};
inline constexpr std::array kFinishCases{Case{.operation = "finish_change", .arguments = kFinishArguments}};

inline constexpr std::array kCompareArguments{
    Argument{.name = "run_id_before", .to = "BEFORE", .is_required = true},
    Argument{.name = "run_id_after", .to = "AFTER"},
    Argument{.name = "focus", .to = "focus"},
};
inline constexpr std::array kCompareCases{Case{.operation = "compare_runs", .arguments = kCompareArguments}};
inline constexpr std::array kBlastArguments{
    Argument{.name = "files", .to = "PATH", .is_required = true},
    kRunArgument,
    Argument{.name = "depth", .to = "transitive", .words = "direct= transitive=true"},
    Argument{.name = "include", .to = "include"},
};
inline constexpr std::array kBlastCases{Case{.operation = "show_blast", .arguments = kBlastArguments}};
inline constexpr std::array kClaimArguments{
    Argument{.name = "text", .to = "FILE", .is_required = true, .is_input = true},
    kRunArgument,
    Argument{.name = "require_citations", .to = "require-citations"},
    Argument{.name = "patch_health_delta", .to = "health-delta", .type = "integer"},
};
inline constexpr std::array kClaimCases{Case{.operation = "check_claims", .arguments = kClaimArguments}};
inline constexpr std::array kReceiptArguments{
    kRunArgument,
    Argument{.name = "intent_id", .to = "intent"},
    Argument{.name = "format", .to = "format"},
    Argument{.name = "include_blast_radius", .to = "blast-radius"},
    Argument{.name = "include_patch_contract", .to = "patch-contract"},
};
inline constexpr std::array kReceiptCases{Case{.operation = "create_receipt", .arguments = kReceiptArguments}};

inline constexpr std::array kFindingsArguments{
    kRunArgument,
    Argument{.name = "family", .to = "family"},
    Argument{.name = "severity", .to = "severity"},
    Argument{.name = "path", .to = "path", .help = "file, folder or glob"},
    Argument{.name = "kind", .to = "kind"},
    Argument{.name = "novelty", .to = "new", .words = "new=true all=", .help = "new: what the run before had not"},
    Argument{.name = "since", .to = "since", .help = "run or revision to compare with"},
    Argument{.name = "finding_id", .to = "id"},
};
inline constexpr std::array kReleaseFindingsArguments{
    Argument{.name = "report", .to = "from", .help = "report.json of a scan"},
    Argument{.name = "provenance_kind", .to = "provenance-kind"},
    Argument{.name = "include_suppressed", .to = "include-suppressed"},
};
inline constexpr std::array kFindingsCases{
    Case{.when = "false", .operation = "list_findings", .arguments = kFindingsArguments},
    Case{.when = "true", .operation = "release_findings", .arguments = kReleaseFindingsArguments},
};

inline constexpr std::array kSubmitArguments{
    Argument{.name = "diff", .to = "DIR", .is_required = true, .help = "text of <patch_id>.patch.diff", .is_input = true},
    Argument{.name = "meta", .to = "DIR", .is_required = true, .help = "text of <patch_id>.patch.meta.yaml", .is_input = true},
    Argument{.name = "report", .to = "DIR", .help = "text of <patch_id>.report.md", .is_input = true},
    Argument{.name = "signature", .to = "DIR", .is_input = true},
};
inline constexpr std::array kSubmitCases{
    Case{.when = "false", .operation = "submit_proposal", .arguments = kSubmitArguments},
    Case{.when = "true", .operation = "lint_proposal", .arguments = kSubmitArguments},
};
inline constexpr std::array kProposalListArguments{
    Argument{.name = "status", .to = "status"},
    Argument{.name = "author", .to = "author"},
    Argument{.name = "file", .to = "file"},
    Argument{.name = "stale", .to = "stale"},
};
inline constexpr std::array kWholeList{Given{"limit", "1000"}};
inline constexpr std::array kProposalListCases{Case{.operation = "list_proposals", .arguments = kProposalListArguments, .given = kWholeList}};
inline constexpr Argument kProposalArgument{.name = "id", .to = "ID", .is_required = true, .help = "patch_id"};
inline constexpr std::array kProposalGetArguments{
    kProposalArgument,
    Argument{.name = "diff", .to = "diff"},
    Argument{.name = "checks", .to = "checks"},
    Argument{.name = "audit", .to = "audit"},
};
inline constexpr std::array kProposalGetCases{Case{.operation = "show_proposal", .arguments = kProposalGetArguments}};
inline constexpr std::array kReviewArguments{
    kProposalArgument,
    Argument{.name = "as", .to = "as", .help = "name of the reviewer"},
    Argument{.name = "verdict", .to = "verdict", .is_required = true},
    Argument{.name = "comments", .to = "reason", .help = "CODE:TEXT or CODE:FILE:LINE:TEXT"},
    Argument{.name = "checked", .to = "checked"},
    Argument{.name = "digest", .to = "digest", .help = "proposal digest that was looked at"},
};
inline constexpr std::array kReviewCases{Case{.operation = "review_proposal", .arguments = kReviewArguments}};
inline constexpr std::array kPromoteProposalArguments{
    kProposalArgument,
    Argument{.name = "dry_run", .to = "dry-run"},
    Argument{.name = "integrate", .to = "integrate"},
};
inline constexpr std::array kPromoteCases{Case{.operation = "promote_proposal", .arguments = kPromoteProposalArguments}};

inline constexpr std::array kReleaseScanArguments{
    Argument{.name = "config", .to = "config", .help = "the manifest"},
    Argument{.name = "baseline", .to = "baseline"},
    Argument{.name = "diff_from", .to = "diff-from"},
    Argument{.name = "profile", .to = "profile"},
    Argument{.name = "suggest_patches", .to = "suggest-patches"},
};
inline constexpr std::array kNoReports{Given{"format", "none"}};
inline constexpr std::array kReleaseScanCases{Case{.operation = "release_scan", .arguments = kReleaseScanArguments, .given = kNoReports}};
inline constexpr std::array kReleaseVerifyArguments{
    Argument{.name = "base", .to = "base"},
    Argument{.name = "head", .to = "head"},
    Argument{.name = "config", .to = "config", .help = "the manifest"},
    Argument{.name = "preview", .to = "preview"},
};
inline constexpr std::array kNothingWritten{Given{"reports", "false"}};
inline constexpr std::array kReleaseVerifyCases{Case{.operation = "release_verify", .arguments = kReleaseVerifyArguments, .given = kNothingWritten}};

inline constexpr Argument kReceiptDigest{.name = "receipt_digest", .to = "RECEIPT", .is_digest = true};
inline constexpr Argument kReceiptCommit{.name = "commit", .to = "RECEIPT"};
inline constexpr std::array kReceiptGetArguments{
    kReceiptDigest, kReceiptCommit, kRunArgument,
    Argument{.name = "intent_id", .to = "intent"},
    Argument{.name = "part", .to = "trail", .words = "receipt= patch_trail=true"},
    Argument{.name = "format", .to = "format"},
};
inline constexpr std::array kReceiptGetCases{Case{.operation = "show_receipt", .arguments = kReceiptGetArguments}};
inline constexpr std::array kReceiptVerifyArguments{kReceiptDigest, kReceiptCommit};
inline constexpr std::array kReceiptVerifyCases{Case{.operation = "verify_receipt", .arguments = kReceiptVerifyArguments}};
inline constexpr std::array kExplainArguments{Argument{.name = "id", .to = "ID", .is_required = true, .help = "rule id, check id, error code or finding id"}};
inline constexpr std::array kExplainCases{Case{.operation = "explain", .arguments = kExplainArguments}};
inline constexpr std::array kReportArguments{
    Argument{.name = "digest", .to = "DOCUMENT", .is_required = true, .help = "digest of a report, run id, or id of a blast artifact"},
    Argument{.name = "section", .to = "section", .help = "member to show, e.g. findings.groups.clones; left out: what there is"},
};
inline constexpr std::array kReportCases{Case{.operation = "show_document", .arguments = kReportArguments}};

// table: mcp_tools
inline constexpr std::array kProductTools{
    Tool{.name = "status", .title = "Status",
         .description = "Policy, intents, dirty paths, next step. Call it first.",
         .profile = Profile::minimal, .is_read_only = true, .is_idempotent = true, .cases = kStatusCases},
    Tool{.name = "check", .title = "Check",
         .description = "All gates on work tree, index, range or patch. Read-only.",
         .profile = Profile::minimal, .is_read_only = true, .is_idempotent = true, .cases = kCheckCases},
    Tool{.name = "patch_check", .title = "Judge a patch",
         .description = "Answer of the patch gate for a unified diff. Changes nothing.",
         .is_read_only = true, .is_idempotent = true, .cases = kPatchCheckCases},
    Tool{.name = "patch_apply", .title = "Judge a patch and apply it",
         .description = "Applies a unified diff if the gate lets it through, else leaves everything as it was. Needs an active intent that covers its files.",
         .cases = kPatchApplyCases, .fails_when_refused = true, .needs_intent = true, .waits_for_others = true},
    Tool{.name = "analyze_repository", .title = "Analyse",
         .description = "Analyses the code, stores a run. Needed before a change and after edits of code.",
         .profile = Profile::minimal, .is_idempotent = true, .cases = kAnalyzeCases, .shape = run_summary},
    Tool{.name = "start_controlled_change", .title = "Start change",
         .description = "Declares intent and scope. Edit when edit_allowed. Paths are literal.",
         .profile = Profile::minimal, .cases = kStartCases, .waits_for_others = true},
    Tool{.name = "manage_change_intent", .title = "Manage intent",
         .description = "Acts on an intent; declare widens it; list_workspace: who holds what.",
         .profile = Profile::minimal, .is_destructive = true,
         .selector = "action", .cases = kManageCases, .waits_for_others = true},
    Tool{.name = "check_patch_contract", .title = "Budget or verdict of a change",
         .description = "budget: room before a gate fails. verify: what finish would say; closes nothing.",
         .is_read_only = true, .is_idempotent = true, .selector = "mode", .cases = kContractCases},
    Tool{.name = "finish_controlled_change", .title = "Finish change",
         .description = "Name every changed path. Code needs after_run_id or analyze. Done when accepted.",
         .profile = Profile::minimal, .cases = kFinishCases,
         .fails_when_refused = true, .waits_for_others = true},
    Tool{.name = "compare_runs", .title = "Compare two runs",
         .description = "Findings that came, went or got worse between two runs.",
         .is_read_only = true, .is_idempotent = true, .cases = kCompareCases},
    Tool{.name = "get_blast_radius", .title = "Who depends on these files?",
         .description = "Files and functions that a change of these files concerns, and what not to touch.",
         .is_read_only = true, .is_idempotent = true, .cases = kBlastCases},
    Tool{.name = "validate_review_claims", .title = "Check claims of a review text",
         .description = "Does the text claim more than the run shows?",
         .is_read_only = true, .is_idempotent = true, .cases = kClaimCases},
    Tool{.name = "create_review_receipt", .title = "Compose a receipt",
         .description = "Writes down what is stored of a run or an intent; judges nothing anew.",
         .is_idempotent = true, .cases = kReceiptCases, .waits_for_others = true},
    Tool{.name = "findings", .title = "Findings of a run",
         .description = "Queries the findings of a stored run, or with release those of a release report. Pages: limit, cursor.",
         .is_read_only = true, .is_idempotent = true, .selector = "release",
         .cases = kFindingsCases, .pages = "findings", .shape = finding_cards},
    Tool{.name = "proposal_submit", .title = "Propose a change",
         .description = "Takes in a diff with its metadata as untrusted, or says everything that is wrong. dry_run keeps nothing.",
         .selector = "dry_run", .cases = kSubmitCases, .waits_for_others = true},
    Tool{.name = "proposal_list", .title = "List proposals",
         .description = "What is proposed, and where each proposal stands.",
         .is_read_only = true, .is_idempotent = true,
         .cases = kProposalListCases, .pages = "proposals"},
    Tool{.name = "proposal_get", .title = "Show a proposal",
         .description = "Claims, facts, reviews and state of one proposal.",
         .is_read_only = true, .is_idempotent = true, .cases = kProposalGetCases},
    Tool{.name = "proposal_review", .title = "Review a proposal",
         .description = "A verdict on exactly one digest.",
         .role = Role::reviewer, .profile = Profile::full, .cases = kReviewCases, .waits_for_others = true},
    Tool{.name = "proposal_promote", .title = "Promote a proposal",
         .description = "Asks the promotion gate to land a proposal. Without a signed request of a person the answer is defer.",
         .role = Role::promoter, .profile = Profile::full, .is_destructive = true, .cases = kPromoteCases,
         .fails_when_refused = true, .waits_for_others = true},
    Tool{.name = "release_scan", .title = "Scan the tools of the agent",
         .description = "What the declared tools may do, and the release decision. Writes nothing.",
         .is_read_only = true, .is_idempotent = true,
         .cases = kReleaseScanCases, .pages = "findings", .shape = release_report},
    Tool{.name = "release_verify", .title = "Verify a change of the agent",
         .description = "What base..head changes in what the agent may do, and the release decision. Writes nothing.",
         .is_read_only = true, .is_idempotent = true,
         .cases = kReleaseVerifyCases, .pages = "changed_files", .shape = release_verification},
    Tool{.name = "receipt_get", .title = "Show a receipt",
         .description = "By digest, commit, run or intent; part patch_trail is what was declared, changed and judged.",
         .is_read_only = true, .is_idempotent = true, .cases = kReceiptGetCases},
    Tool{.name = "receipt_verify", .title = "Verify a receipt",
         .description = "Recomputes digest and signature, and whether a commit holds what was finished.",
         .is_read_only = true, .is_idempotent = true, .cases = kReceiptVerifyCases},
    Tool{.name = "explain", .title = "Explain a rule",
         .description = "What a rule id, check id or error code means, and how to fix it.",
         .is_read_only = true, .is_idempotent = true, .cases = kExplainCases},
    Tool{.name = "report_get", .title = "Fetch a stored document",
         .description = "A stored report, a section of it, or a blast artifact, by its digest.",
         .is_read_only = true, .is_idempotent = true,
         .cases = kReportCases, .pages = "items"},
};
// clang-format on

}  // namespace gh::mcp
