#include "serve/api_table.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "mcp/inside.h"
#include "mcp/opaque.h"
#include "serve/diff_rows.h"

namespace gh::serve {
namespace {

using mcp::Argument;
using mcp::Given;

// clang-format off
// table: api_roles
constexpr std::array<std::string_view, 4> kAgentAndUp{"agent", "reviewer", "promoter", "admin"};
constexpr std::array<std::string_view, 3> kReviewerAndUp{"reviewer", "promoter", "admin"};
constexpr std::array<std::string_view, 2> kPromoterAndUp{"promoter", "admin"};
constexpr std::array<std::string_view, 1> kAdmin{"admin"};

constexpr Argument kId{.name = "id", .to = "ID", .is_required = true};
constexpr std::array kOnlyId{kId};

constexpr std::array kList{
    Argument{.name = "status", .to = "status"}, Argument{.name = "author", .to = "author"},
    Argument{.name = "file", .to = "file"}, Argument{.name = "stale", .to = "stale"},
    Argument{.name = "cursor", .to = "after", .help = "next_cursor of the page before"},
    Argument{.name = "limit", .to = "limit"}};
constexpr std::array kSubmit{
    Argument{.name = "diff", .to = "DIR", .is_required = true, .help = "text of <patch_id>.patch.diff", .is_input = true},
    Argument{.name = "meta", .to = "DIR", .is_required = true, .help = "text of <patch_id>.patch.meta.yaml", .is_input = true},
    Argument{.name = "report", .to = "DIR", .help = "text of <patch_id>.report.md", .is_input = true},
    Argument{.name = "signature", .to = "DIR", .is_input = true}};
constexpr std::array kShowAll{Given{"checks", "true"}, Given{"audit", "true"}};
constexpr std::array kShowChecks{Given{"checks", "true"}};
constexpr std::array kShowAudit{Given{"audit", "true"}};
constexpr std::array kShow{kId, Argument{.name = "as", .to = "as", .help = "reviewer who looks"}};
constexpr std::array kDiff{kId,
    Argument{.name = "from", .to = "from", .help = "what changed since this revision"},
    Argument{.name = "file", .to = "", .help = "rows of this file alone", .type = "string"}};
constexpr std::array kVerdictNow{Argument{.name = "id", .to = "proposal", .is_required = true}};
constexpr std::array kReview{kId,
    Argument{.name = "as", .to = "as", .help = "reviewer of the policy; a token speaks under its own name alone"},
    Argument{.name = "verdict", .to = "verdict"},
    Argument{.name = "reasons", .to = "reason", .help = "CODE:TEXT, or CODE:FILE:LINE:TEXT"},
    Argument{.name = "waive", .to = "waive"}, Argument{.name = "checked", .to = "checked"},
    Argument{.name = "digest", .to = "digest", .help = "proposal digest that was looked at"},
    Argument{.name = "confirm", .to = "confirm", .help = "raise the trust level to reviewed"}};
constexpr std::array kPromote{kId,
    Argument{.name = "confirm", .to = "", .help = "the id again, typed by a person", .type = "string"},
    Argument{.name = "integrate", .to = "integrate"}, Argument{.name = "dry_run", .to = "dry-run"}};
constexpr std::array kReject{kId, Argument{.name = "reason", .to = "reason", .is_required = true, .help = "CODE:TEXT"}};
constexpr std::array kWithdraw{kId, Argument{.name = "reason", .to = "reason"}};
constexpr Argument kChangedFiles{.name = "changed_files", .to = "files"};
constexpr Argument kDiffRef{.name = "diff_ref", .to = "diff"};
constexpr Argument kStrictness{.name = "strictness", .to = "strictness"};
constexpr std::array kStart{
    Argument{.name = "intent", .to = "goal", .is_required = true, .help = "what for"},
    Argument{.name = "scope.allowed_files", .to = "allow", .is_required = true},
    Argument{.name = "scope.allowed_related", .to = "related"}, Argument{.name = "scope.forbidden", .to = "forbid"},
    Argument{.name = "expected_effects", .to = "expect"}, Argument{.name = "on_conflict", .to = "on-conflict"},
    Argument{.name = "ttl_seconds", .to = "ttl"}, Argument{.name = "analyze", .to = "analyze"}, kStrictness};
constexpr std::array kExtend{kId, Argument{.name = "add", .to = "add"}, Argument{.name = "add_related", .to = "add-related"}};
constexpr std::array kCheckScope{kId, kChangedFiles, kDiffRef};
constexpr std::array kVerify{kId, kChangedFiles, kDiffRef, kStrictness, Argument{.name = "after_run_id", .to = "after-run"}};
constexpr std::array kFinish{kId, kChangedFiles, kDiffRef, kStrictness,
    Argument{.name = "after_run_id", .to = "after-run"}, Argument{.name = "analyze", .to = "analyze"},
    Argument{.name = "note", .to = "note"}};
constexpr std::array kRenew{kId, Argument{.name = "lease_seconds", .to = "lease"}};
constexpr std::array kPromoteIntent{kId, Argument{.name = "run_id", .to = "run"}};
constexpr std::array kEvict{kId, Argument{.name = "reason", .to = "reason", .is_required = true, .help = "why; kept in the audit chain"}};
constexpr std::array kRuns{Argument{.name = "limit", .to = "limit"}};
constexpr std::array kRun{Argument{.name = "id", .to = "RUN", .is_required = true, .help = "latest, previous, or digits of a run id"}};
constexpr std::array kFindings{
    Argument{.name = "id", .to = "run", .is_required = true, .help = "latest, previous, or digits of a run id"},
    Argument{.name = "family", .to = "family"}, Argument{.name = "severity", .to = "severity"},
    Argument{.name = "path", .to = "path"}, Argument{.name = "kind", .to = "kind"}, Argument{.name = "new", .to = "new"}};
constexpr std::array kCompare{
    Argument{.name = "a", .to = "BEFORE", .is_required = true, .help = "a run"},
    Argument{.name = "b", .to = "AFTER", .is_required = true, .help = "a run"},
    Argument{.name = "focus", .to = "focus"}};
constexpr std::array kOfRun{Argument{.name = "run", .to = "run"}};
constexpr std::array kHotspots{Argument{.name = "run", .to = "run"}, Argument{.name = "limit", .to = "limit"}};
constexpr std::array kReceipt{Argument{.name = "digest", .to = "RECEIPT", .is_required = true}};
constexpr std::array kAudit{
    Argument{.name = "cursor", .to = "from", .help = "next_cursor of the page before: rows older than this one"},
    Argument{.name = "limit", .to = "limit"}};
constexpr std::array kPolicy{Argument{.name = "base", .to = "base", .help = "a commit; default: the work tree"}};
constexpr std::array kCheck{
    Argument{.name = "target", .to = "staged", .words = "worktree= staged=true"},
    Argument{.name = "range", .to = "TARGET", .help = "A..B"},
    Argument{.name = "patch", .to = "TARGET", .help = "unified diff", .is_input = true},
    Argument{.name = "base", .to = "base"}, Argument{.name = "gates", .to = "gates"},
    Argument{.name = "intent", .to = "intent"}, Argument{.name = "strictness", .to = "strictness"}};
constexpr std::array kPatch{
    Argument{.name = "patch", .to = "FILE", .is_required = true, .is_input = true},
    Argument{.name = "base", .to = "base"}, Argument{.name = "run", .to = "run"},
    Argument{.name = "profile", .to = "profile"}, Argument{.name = "expect", .to = "expect"}};
constexpr std::array kRule{Argument{.name = "id", .to = "ID", .is_required = true}};

Map only(Map document, std::string_view member) {
  Map out;
  for (const std::string_view name : {std::string_view("schema"), std::string_view("patch_id"), member})
    if (const Value* value = document.find(name)) out.set(std::string(name), *value);
  return out;
}
Map timeline(Map document, const Map&) { return only(std::move(document), "audit"); }
Map verdicts(Map document, const Map&) { return only(std::move(document), "admissions"); }

constexpr std::int64_t kAuditPage = 50;

/// Pages go back in time: the rows before the one that the cursor names.
Map older_rows(Map given) {
  const Value* cursor = given.find("cursor");
  if (cursor == nullptr || cursor->as_int() == nullptr) return given;
  const Value* limit = given.find("limit");
  const std::int64_t count = limit != nullptr && limit->as_int() ? *limit->as_int() : kAuditPage;
  const std::int64_t from = std::max<std::int64_t>(1, *cursor->as_int() - count);
  const std::int64_t left = std::max<std::int64_t>(1, *cursor->as_int() - from);
  given.set("cursor", from);
  given.set("limit", left);
  return given;
}

// interfaces 6.1. The order is that of the OpenAPI document.
// table: api_endpoints
constexpr std::array kEndpoints{
    Endpoint{.method = "GET", .path = "/openapi.json", .access = Access::open, .summary = "This interface as an OpenAPI document", .own = Own::openapi},
    Endpoint{.method = "GET", .path = "/health/live", .access = Access::open, .summary = "The process answers", .own = Own::live},
    Endpoint{.method = "GET", .path = "/health/ready", .access = Access::open, .summary = "Every ledger can be read", .own = Own::ready},
    Endpoint{.method = "GET", .path = "/status", .access = Access::agent, .summary = "Version, repositories, and who asks", .own = Own::status},
    Endpoint{.method = "GET", .path = "/contract", .access = Access::agent, .summary = "Versions, schemas, exit codes, rules", .call = {.operation = "contract"}, .answer = "contract"},
    Endpoint{.method = "GET", .path = "/session", .access = Access::agent, .summary = "Who asks, and the CSRF token of a browser", .own = Own::session},
    Endpoint{.method = "POST", .path = "/session", .access = Access::open, .summary = "Log a browser in, by a nonce or a token", .own = Own::login},
    Endpoint{.method = "DELETE", .path = "/session", .access = Access::agent, .summary = "Log a browser out", .own = Own::logout},
    Endpoint{.method = "GET", .path = "/repos", .access = Access::agent, .summary = "Repositories that are served", .own = Own::repos},
    Endpoint{.method = "GET", .path = "/repos/{r}", .access = Access::agent, .summary = "One repository", .own = Own::repo},
    Endpoint{.method = "POST", .path = "/repos/{r}/check", .access = Access::agent, .summary = "May this go in?", .call = {.operation = "check", .arguments = kCheck}, .answer = "verdict", .only_asks = true},
    Endpoint{.method = "POST", .path = "/repos/{r}/patches/check", .access = Access::agent, .summary = "Judge a patch; nothing changes", .call = {.operation = "check_patch", .arguments = kPatch}, .answer = "patch_result", .media = "text/x-diff", .only_asks = true},
    Endpoint{.method = "GET", .path = "/repos/{r}/proposals", .access = Access::agent, .summary = "What agents want to change", .call = {.operation = "list_proposals", .arguments = kList}, .answer = "proposal_list", .items = "proposals", .cursor = "patch_id"},
    Endpoint{.method = "POST", .path = "/repos/{r}/proposals", .access = Access::agent, .summary = "Propose a change", .call = {.operation = "submit_proposal", .arguments = kSubmit}, .answer = "admission"},
    Endpoint{.method = "GET", .path = "/proposals/{id}", .access = Access::agent, .summary = "One proposal with its checks, reviews and events", .call = {.operation = "show_proposal", .arguments = kShow, .given = kShowAll}, .answer = "proposal_record", .speaks_for_caller = true},
    Endpoint{.method = "GET", .path = "/proposals/{id}/diff", .access = Access::agent, .summary = "The change as git derives it, in rows", .call = {.operation = "diff_proposal", .arguments = kDiff}, .answer = "proposal_diff", .shape = with_rows},
    Endpoint{.method = "GET", .path = "/proposals/{id}/timeline", .access = Access::agent, .summary = "Its rows of the audit chain", .call = {.operation = "show_proposal", .arguments = kOnlyId, .given = kShowAudit}, .answer = "proposal_record", .shape = timeline},
    Endpoint{.method = "GET", .path = "/proposals/{id}/verdicts", .access = Access::agent, .summary = "Every admission so far", .call = {.operation = "show_proposal", .arguments = kOnlyId, .given = kShowChecks}, .answer = "proposal_record", .shape = verdicts},
    Endpoint{.method = "GET", .path = "/proposals/{id}/verdict", .access = Access::agent, .summary = "What its promotion would say now", .call = {.operation = "check", .arguments = kVerdictNow}, .answer = "verdict"},
    Endpoint{.method = "GET", .path = "/proposals/{id}/findings", .access = Access::agent, .summary = "What it does to the shape of the code, at its lines", .call = {.operation = "diff_proposal", .arguments = kOnlyId}, .own = Own::findings},
    Endpoint{.method = "POST", .path = "/proposals/{id}/reviews", .access = Access::reviewer, .summary = "A verdict on exactly one digest", .call = {.operation = "review_proposal", .arguments = kReview}, .answer = "proposal_status", .object = "/proposals/{id}", .speaks_for_caller = true},
    Endpoint{.method = "POST", .path = "/proposals/{id}/promote", .access = Access::promoter, .summary = "Ask the promotion gate", .call = {.operation = "promote_proposal", .arguments = kPromote}, .answer = "admission", .object = "/proposals/{id}"},
    Endpoint{.method = "POST", .path = "/proposals/{id}/reject", .access = Access::promoter, .summary = "End it, with a reason", .call = {.operation = "reject_proposal", .arguments = kReject}, .answer = "proposal_status", .object = "/proposals/{id}"},
    Endpoint{.method = "POST", .path = "/proposals/{id}/withdraw", .access = Access::agent, .summary = "Its author takes it back", .call = {.operation = "withdraw_proposal", .arguments = kWithdraw}, .answer = "proposal_status", .object = "/proposals/{id}"},
    Endpoint{.method = "GET", .path = "/repos/{r}/intents", .access = Access::agent, .summary = "Who holds what, and who waits", .call = {.operation = "list_intents"}, .answer = "workspace"},
    Endpoint{.method = "GET", .path = "/intents/{id}", .access = Access::agent, .summary = "One intent", .call = {.operation = "change_status", .arguments = kOnlyId}, .answer = "intent"},
    Endpoint{.method = "POST", .path = "/repos/{r}/intents", .access = Access::agent, .summary = "Declare a change and its scope", .call = {.operation = "start_change", .arguments = kStart}, .answer = "change_start"},
    Endpoint{.method = "POST", .path = "/intents/{id}/extend", .access = Access::agent, .summary = "Widen an own scope", .call = {.operation = "extend_change", .arguments = kExtend}, .answer = "intent"},
    Endpoint{.method = "POST", .path = "/intents/{id}/check", .access = Access::agent, .summary = "Are these files inside what was declared?", .call = {.operation = "check_scope", .arguments = kCheckScope}, .answer = "scope_check", .only_asks = true},
    Endpoint{.method = "POST", .path = "/intents/{id}/verify", .access = Access::agent, .summary = "What would finish say?", .call = {.operation = "verify_change", .arguments = kVerify}, .answer = "change_verification", .only_asks = true},
    Endpoint{.method = "POST", .path = "/intents/{id}/finish", .access = Access::agent, .summary = "Finish an own change", .call = {.operation = "finish_change", .arguments = kFinish}, .answer = "change_finish"},
    Endpoint{.method = "POST", .path = "/intents/{id}/abandon", .access = Access::agent, .summary = "Give the files back", .call = {.operation = "abandon_change", .arguments = kOnlyId}, .answer = "change_cleared"},
    Endpoint{.method = "POST", .path = "/intents/{id}/promote", .access = Access::agent, .summary = "Is it my turn?", .call = {.operation = "promote_change", .arguments = kPromoteIntent}, .answer = "change_promotion"},
    Endpoint{.method = "POST", .path = "/intents/{id}/renew", .access = Access::agent, .summary = "I am still at it", .call = {.operation = "renew_change", .arguments = kRenew}, .answer = "intent_renewal"},
    Endpoint{.method = "POST", .path = "/intents/{id}/evict", .access = Access::admin, .summary = "Clear a dead holder", .call = {.operation = "reset_change", .arguments = kEvict}, .answer = "change_reset"},
    Endpoint{.method = "GET", .path = "/repos/{r}/map", .access = Access::reviewer, .summary = "Paths with their holders, what is dirty, who waits", .call = {.operation = "list_intents"}, .answer = "workspace"},
    Endpoint{.method = "GET", .path = "/repos/{r}/runs", .access = Access::agent, .summary = "Stored analyses, the latest first", .call = {.operation = "list_runs", .arguments = kRuns}, .answer = "run_list"},
    Endpoint{.method = "GET", .path = "/runs/compare", .access = Access::agent, .summary = "What came and went between two runs", .call = {.operation = "compare_runs", .arguments = kCompare}, .answer = "run_comparison"},
    Endpoint{.method = "GET", .path = "/runs/{id}", .access = Access::agent, .summary = "One analysis", .call = {.operation = "show_run", .arguments = kRun}, .answer = "analysis_report"},
    Endpoint{.method = "GET", .path = "/runs/{id}/findings", .access = Access::agent, .summary = "What it found", .call = {.operation = "list_findings", .arguments = kFindings}, .answer = "finding_list"},
    Endpoint{.method = "GET", .path = "/repos/{r}/trend", .access = Access::agent, .summary = "Health and findings over the stored runs", .call = {.operation = "show_trend", .arguments = kRuns}, .answer = "run_trend"},
    Endpoint{.method = "GET", .path = "/repos/{r}/clones", .access = Access::agent, .summary = "Copies in the code", .call = {.operation = "list_clones", .arguments = kOfRun}},
    Endpoint{.method = "GET", .path = "/repos/{r}/hotspots", .access = Access::agent, .summary = "What weighs most", .call = {.operation = "list_hotspots", .arguments = kHotspots}, .answer = "hotspots"},
    Endpoint{.method = "GET", .path = "/receipts/{digest}", .access = Access::agent, .summary = "A receipt", .call = {.operation = "show_receipt", .arguments = kReceipt}},
    Endpoint{.method = "GET", .path = "/audit", .access = Access::reviewer, .summary = "The audit chain, page by page from its end", .call = {.operation = "audit_log", .arguments = kAudit}, .answer = "audit_log", .items = "rows", .cursor = "seq", .prepare = older_rows},
    Endpoint{.method = "GET", .path = "/audit/verify", .access = Access::reviewer, .summary = "Does the chain hold?", .call = {.operation = "audit_verify"}, .answer = "audit_check"},
    Endpoint{.method = "GET", .path = "/repos/{r}/policy", .access = Access::agent, .summary = "The policy in force", .call = {.operation = "config_show", .arguments = kPolicy}, .answer = "config"},
    Endpoint{.method = "GET", .path = "/repos/{r}/doctor", .access = Access::agent, .summary = "Is everything in order?", .call = {.operation = "doctor"}, .answer = "doctor"},
    Endpoint{.method = "GET", .path = "/rules/{id}", .access = Access::agent, .summary = "What a rule id or error code means", .call = {.operation = "explain", .arguments = kRule}},
    Endpoint{.method = "GET", .path = "/events", .access = Access::agent, .summary = "What changes, as server-sent events", .own = Own::events},
};
// clang-format on

/// Segments of a path, variables in braces.
bool fits(std::string_view pattern, std::string_view path, Matched& out) {
  const auto wanted = split(pattern, '/'), given = split(path, '/');
  if (wanted.size() != given.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].starts_with('{')) {
      if (wanted[i] != given[i]) return false;
      continue;
    }
    auto value = mcp::percent_decoded(given[i]);
    if (!value || value->empty() || !is_utf8(*value)) return false;
    out.variables[std::string(wanted[i].substr(1, wanted[i].size() - 2))] = std::move(*value);
  }
  return true;
}

}  // namespace

std::span<const std::string_view> roles_of(Access access) {
  switch (access) {
    case Access::open:
      return {};
    case Access::agent:
      return kAgentAndUp;
    case Access::reviewer:
      return kReviewerAndUp;
    case Access::promoter:
      return kPromoterAndUp;
    case Access::admin:
      return kAdmin;
  }
  return kAdmin;
}

std::span<const Endpoint> endpoints() { return kEndpoints; }

Matched match(std::string_view method, std::string_view path, std::vector<std::string>& allowed) {
  if (!path.starts_with(kApi)) return {};
  path.remove_prefix(kApi.size());
  Matched found;
  std::string_view pattern;  // the first that fits: whole words stand before variables
  for (const Endpoint& row : kEndpoints) {
    if (!pattern.empty() && row.path != pattern) continue;
    Matched here{&row};
    if (!fits(row.path, path, here)) continue;
    pattern = row.path;
    allowed.emplace_back(row.method);
    if (row.method == method) found = std::move(here);
  }
  return found;
}

bool changes_state(const Endpoint& endpoint) {
  return endpoint.method != "GET" && !endpoint.only_asks;
}

bool names_run(const Argument& argument) {
  constexpr std::array<std::string_view, 4> kOfRuns{"RUN", "BEFORE", "AFTER", "run"};
  return std::ranges::find(kOfRuns, argument.to) != kOfRuns.end();
}

mcp::Tool tool_of(const Endpoint& endpoint) {
  return {.name = endpoint.path, .title = {}, .description = {}, .cases = {&endpoint.call, 1}};
}

Map arguments_of(const Endpoint& endpoint) {
  if (endpoint.call.operation.empty()) return {};
  const mcp::Tool tool = tool_of(endpoint);
  Map schema = *mcp::input_schema(tool).as_map();
  schema.find("properties")->as_map()->erase("root");
  return schema;
}

}  // namespace gh::serve
