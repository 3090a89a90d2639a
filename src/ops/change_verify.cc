#include "ops/change_verify.h"

#include <fmt/format.h>

#include "base/text.h"
#include "control/scope_paths.h"
#include "git/dirty_snapshot.h"
#include "model/peek.h"
#include "ops/analysis_run.h"
#include "ops/analysis_scope.h"
#include "ops/analyze_judgement.h"
#include "ops/base_run.h"
#include "ops/change_blocked.h"
#include "ops/change_evidence.h"
#include "ops/change_land.h"
#include "ops/change_ops.h"
#include "ops/change_payload.h"
#include "ops/change_receipt.h"
#include "ops/change_text.h"
#include "ops/committed_baseline.h"
#include "ops/members.h"
#include "ops/repo_config.h"
#include "ops/run_text.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

/// A submodule, or a repository that somebody put there, or a file of one: git tells no more of it
/// than its name.
bool is_of_repository(const git::Repo& repo, const std::string& path) {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string folder = path.substr(0, end);
    if (sys::info(fmt::format("{}/{}/.git", repo.root(), folder)).kind != sys::FileKind::missing)
      return true;
    if (end == path.npos) return false;
  }
}

std::vector<control::ChangedFile> changed_files(ChangeSession& session,
                                                const std::vector<std::string>& paths,
                                                const std::vector<std::string>& baselines,
                                                const std::vector<std::string>& ignored) {
  std::vector<control::ChangedFile> out;
  std::vector<std::string> names;
  for (const std::string& path : paths)
    names.push_back(control::bytes_of_path(path));
  for (const git::WorkFile& file : git::ids_of_files(session.repo, names)) {
    const bool is_special =
        file.mode && (*file.mode == FileMode::executable || *file.mode == FileMode::symlink);
    const bool is_link = file.mode && *file.mode == FileMode::symlink;
    std::string path = control::path_from_git(file.path);
    const bool is_baseline = std::ranges::find(baselines, path) != baselines.end();
    const bool is_ignored = std::ranges::binary_search(ignored, path);
    out.push_back({std::move(path), is_special, is_analysed(file.path),
                   left_out_of_runs(file.path, session.config.analysis,
                                    is_of_repository(session.repo, file.path), is_ignored),
                   is_link && leads_out(session, file.path), is_baseline});
  }
  return out;
}

/// Where the base, and the work tree as it is now, have their baselines.
std::vector<std::string> baselines_of(ChangeSession& session) {
  std::vector<std::string> out;
  const auto add = [&](const policy::AnalysisPolicy& analysis) {
    for (const std::string* path : {&analysis.baseline, &analysis.metrics_baseline})
      if (!path->empty()) out.push_back(control::path_from_git(*path));
  };
  add(session.config.analysis);
  if (const auto now = config_in_work_tree(session.repo)) add(now->analysis);
  return out;
}

control::VerifyProfile for_verify(const control::ProfileFacts& profile) {
  std::vector<std::string> limitations(profile.limitations.begin(), profile.limitations.end());
  return {.profile = std::string(to_string(profile.profile)),
          .after_run_required = profile.after_run_required,
          .structural = profile.structural_checks_applicable,
          .state_artifact_touched = profile.state_artifact_touched,
          .governance_config_touched = profile.governance_config_touched,
          .runs_see_it = profile.runs_see_it,
          .unread_links = profile.unread_links,
          .payload = control::profile_fields(profile),
          .limitations = std::move(limitations)};
}

control::RunFacts run_facts(const ControlRun& run, const Value& report, const std::string& root) {
  return {.run_id = run.id(),
          .root = root.empty() ? run.row.root : root,
          .report_digest = run.row.report_digest,
          .report = &report};
}

constexpr std::size_t kStaleShown = 20;

/// What differs between the two, or both as a whole where gates compare them with a baseline.
Status read_reports(ChangeSession& session, const Intent* intent, control::Strictness strictness,
                    VerifyGathered& g) {
  GH_TRY(after, compared_run(session, g.after->row, strictness, intent));
  if (after.used() != nullptr) {
    Result<Value> before =
        g.base_report ? std::move(*g.base_report) : load_report(*session.ledger, g.began()->row);
    if (before) {
      g.reports = {std::move(*before), std::move(*after.report)};
      g.baseline = std::move(after.baseline);
      return {};
    }
  }
  GH_TRY(reports, analysis::RunExtract::differences(g.began()->extract, g.after->extract));
  g.reports = std::move(reports);
  return {};
}

/// A change is judged from the commit that it began from, whatever the run before it has read.
Status settle_base(ChangeSession& session, const VerifyWish& wish,
                   const std::vector<std::string>& judged, VerifyGathered& g) {
  if (wish.intent == nullptr || !g.facts.profile.after_run_required) return {};
  GH_TRY(look, look_at_base(session, *wish.intent, *g.before, *g.after, judged));
  if (look.differs.empty()) return {};
  g.facts.base_commit = look.commit;
  g.facts.not_of_base = look.differs;
  GH_TRY(kept, kept_base(session, look));
  g.base = std::move(kept);
  if (g.base || wish.analyses == nullptr || look.inputs_sha256.empty()) return {};
  GH_TRY(made, read_base(session, *wish.analyses, look));
  g.base = std::move(made.run);
  g.base_report = std::move(made.report);
  return {};
}

/// The row of a look at a change: with the record, where there is one, it renews its lease.
Status record_look(ChangeSession& session, Context& context,
                   const std::optional<NamedIntent>& named, store::Durability durability,
                   ChangeEvent event) {
  if (!named || named->is_blocked) {
    GH_DO(session.ledger->append(audit_event(session, context, std::move(event)), durability));
    return {};
  }
  const Intent& intent = named->intent;
  const auto renew = [&](Registry& registry) -> Status {
    GH_TRY(held, still_held(registry, intent, session));
    const Intent now_held = control::renewed(std::move(held), registry.now());
    event.intent = &now_held;
    registry.put(now_held);
    registry.tell(event);
    return {};
  };
  GH_DO(durability == store::Durability::soft ? renew_softly(session, context, intent.id, renew)
                                              : change_registry_as_it_is(session, context, renew));
  return {};
}

}  // namespace

Result<std::unique_ptr<VerifyGathered>> gather_verification(ChangeSession& session,
                                                            Context& context,
                                                            const VerifyWish& wish) {
  auto out = std::make_unique<VerifyGathered>();
  VerifyGathered& g = *out;
  const std::string before = !wish.before_run.empty() ? wish.before_run
                             : wish.intent != nullptr ? wish.intent->run_id
                                                      : std::string();
  if (!before.empty()) {
    GH_TRY(found, run_named(session, before));
    g.before = std::move(found);
  }
  if (!wish.after_run.empty()) {
    GH_TRY(found, run_named(session, wish.after_run));
    g.after = std::move(found);
  }
  // A source that is a link is changed by whoever changes what it leads to.
  const std::vector<std::string> baselines = baselines_of(session);
  GH_TRY(links, links_to(session, wish.changed, baselines));
  std::vector<std::string> judged = wish.changed;
  judged.insert(judged.end(), links.begin(), links.end());
  GH_TRY(ignored, ignored_of(session, wish.changed));
  g.profile = control::profile_of(changed_files(session, judged, baselines, ignored));
  std::erase_if(judged, [&](const std::string& path) {  // no run can know it
    return std::ranges::binary_search(ignored, path);
  });
  if (wish.intent != nullptr) g.scope = control::check_scope(wish.intent->scope, wish.changed);

  control::VerifyFacts& facts = g.facts;
  facts.after_named = !wish.after_run.empty();
  facts.evidence_given = wish.evidence_given;
  facts.changed_files = wish.changed;
  facts.profile = for_verify(g.profile);
  facts.strictness = *control::strictness_named(wish.strictness);
  if (g.scope)
    facts.scope = control::ScopeFacts{std::string(to_string(g.scope->status)),
                                      *to_value(*g.scope, wish.intent->id).as_map()};
  if (wish.intent != nullptr)
    facts.intent = control::VerifyIntent{
        wish.intent->id,
        wish.is_blocked ? std::string("blocked") : std::string(to_string(wish.intent->status)),
        wish.intent->report_digest, wish.intent->scope};
  if (facts.intent) {  // what is found there is found in a file of the scope
    std::vector<std::string>& related = facts.intent->scope.allowed_related;
    related.insert(related.end(), links.begin(), links.end());
  }
  // A tree of its own is another place for the same code.
  const bool moved = wish.intent != nullptr && is_isolated(*wish.intent);
  const std::string root = moved ? session.root : std::string();
  const bool compares = g.before && g.after;
  if (compares) {
    GH_TRY(stale, changed_since(session, *g.after, judged, kStaleShown));
    facts.stale_paths = std::move(stale);
    if (facts.stale_paths.empty() && wish.intent != nullptr) {
      GH_TRY(gone,
             gone_since(session, context, *wish.intent, *g.before, *g.after, judged, wish.seen));
      facts.stale_paths = std::move(gone);
    }
    if (facts.stale_paths.empty()) GH_DO(settle_base(session, wish, judged, g));
    GH_DO(read_reports(session, wish.intent, facts.strictness, g));
    control::add_unread(g.profile, wish.changed, g.reports.before, g.reports.after);
    facts.profile = for_verify(g.profile);
    if (wish.intent != nullptr &&
        control::is_baseline_updated(g.reports.before, g.reports.after, {})) {
      GH_TRY(is_of_others,
             baseline_is_of_others(session, context, *wish.intent, g.reports.after, wish.changed));
      facts.is_baseline_of_others = is_of_others;
    }
  }
  if (g.began() && !is_measured_by(*g.began(), session.config.analysis))
    facts.measured_otherwise.emplace_back("before");
  if (g.after && !is_measured_by(*g.after, session.config.analysis))
    facts.measured_otherwise.emplace_back("after");
  const bool is_replaced = g.base.has_value();
  if (g.before)
    facts.before = run_facts(
        *g.before, compares && !is_replaced ? g.reports.before : g.before->extract.head(), root);
  if (is_replaced)
    facts.base = run_facts(*g.base, g.reports.before, root.empty() ? g.after->row.root : root);
  if (g.after)
    facts.after = run_facts(*g.after, compares ? g.reports.after : g.after->extract.head(), root);
  if (g.baseline) (is_replaced ? facts.base : facts.before)->baseline = &*g.baseline;
  if (g.baseline) facts.after->baseline = &*g.baseline;
  return out;
}

Result<control::VerifyProfile> profile_for(ChangeSession& session, std::vector<std::string> paths) {
  const std::vector<std::string> baselines = baselines_of(session);
  GH_TRY(links, links_to(session, paths, baselines));
  GH_TRY(ignored, ignored_of(session, paths));
  paths.insert(paths.end(), links.begin(), links.end());
  return for_verify(control::profile_of(changed_files(session, paths, baselines, ignored)));
}

ChangeEvent verification_event(const control::Verification& v, const Intent* intent,
                               const std::string& run_id) {
  const bool accepted = control::is_accepted(v.status);
  const std::string_view status = to_string(v.status);
  return {.event = accepted                                      ? "patch_contract.verified"
                   : v.status == control::VerifyStatus::violated ? "patch_contract.violated"
                   : v.status == control::VerifyStatus::expired  ? "patch_contract.expired"
                                                                 : "patch_contract.unverified",
          .severity = accepted ? "info" : "warn",
          .intent = intent,
          .run_id = run_id,
          .status = std::string(status),
          .summary = v.reason,
          .facts = Map{{"contract_violations", string_list(v.contract_violations)},
                       {"structural_verdict", v.structural_verdict},
                       {"health_delta", v.health_delta ? Value(*v.health_delta) : Value()}}};
}

std::vector<ChangeEvent> abuse_events(const control::Verification& v, const Intent* intent,
                                      const std::string& run_id) {
  std::vector<ChangeEvent> out;
  for (const std::string& trigger : v.abuse_triggers)
    out.push_back({.event = "baseline_abuse.detected",
                   .severity = "error",
                   .intent = intent,
                   .run_id = run_id,
                   .status = trigger});
  return out;
}

Status use_policy_of_base(ChangeSession& session, const Intent& intent) {
  if (base_commit_of(intent).empty()) return {};
  GH_TRY(from, change_base(session, intent));
  const auto base = session.repo.objects().commit(from);
  if (!base) return {};  // it is gone, as after a rewritten history
  GH_TRY(config, config_at(session.repo, *base));
  session.config = std::move(config);
  return {};
}

Result<std::string> analyse_now(ChangeSession& session, Context& context) {
  GH_TRY(scope, open_scope({.path = session.repo.root()}, context));
  GH_TRY(measured, run_analysis(scope, session.config.analysis, context));
  GH_TRY(run, finished(scope, measured, judge(measured).annotations));
  GH_DO(store_run(scope, run, context));
  return run.run_id;
}

Result<Reply> change_budget(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  GH_TRY(run, needed_run(session, request.text("run")));
  GH_TRY(workspace, read_workspace(session, context));
  std::optional<NamedIntent> named;
  if (request.has("ID")) {
    GH_TRY(found, named_intent(session, workspace, request.text("ID")));
    named = std::move(found);
  } else if (const auto own = workspace.own(run.id()); !own.empty()) {
    named = NamedIntent{*own.front()->intent};
  }
  const Intent* intent = named ? &named->intent : nullptr;
  const control::Strictness strictness = *control::strictness_named(
      policy::at_least(session.policy().min_strictness, request.text("strictness")));
  GH_TRY(compared, compared_run(session, run.row, strictness, intent));
  control::BudgetFacts facts{
      .run_id = run.id(),
      .strictness = strictness,
      .report = compared.used() != nullptr ? *compared.report : run.extract.head(),
      .baseline = compared.used()};
  if (intent != nullptr) {
    facts.intent_id = intent->id;
    facts.intent_status = named->status();
    facts.declared_scope = intent->scope.allowed_files;
    facts.blast_radius_summary = intent->blast_radius_summary;
  }
  Reply reply;
  reply.document = framed("gatehouse.change_budget/1", control::budget_answer(facts));
  const bool would_fail = Peek(reply.document)["gate_preview"]["would_fail"].is_true();
  GH_DO(record_look(session, context, named, store::Durability::soft,
                    {.event = "patch_budget.computed",
                     .severity = would_fail ? "warn" : "info",
                     .intent = intent,
                     .run_id = run.id(),
                     .status = would_fail ? "outside" : "within"}));
  reply.text = [copy = reply.document](const report::Look& look) {
    return budget_text(copy, look);
  };
  return reply;
}

Result<Reply> change_verify(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context));
  GH_TRY(workspace, read_workspace(session, context));
  std::optional<NamedIntent> named;
  if (request.has("ID")) {
    GH_TRY(found, named_intent(session, workspace, request.text("ID")));
    named = std::move(found);
  } else if (!request.has("before-run")) {
    if (const auto own = workspace.own(); !own.empty()) named = NamedIntent{*own.front()->intent};
  } else {
    GH_TRY(run, run_named(session, request.text("before-run")));
    const auto own = run ? workspace.own(run->id()) : std::vector<const control::Held*>{};
    if (!own.empty()) named = NamedIntent{*own.front()->intent};
  }
  const Intent* intent = named ? &named->intent : nullptr;
  if (intent != nullptr) GH_DO(enter_tree_of(session, context, *intent));
  if (intent != nullptr) GH_DO(use_policy_of_base(session, *intent));
  GH_TRY(changed,
         changed_paths(request, session, context, intent == nullptr ? nullptr : &intent->scope));
  if (!changed.given) {
    GH_TRY(after, run_row(session, request.text("after-run")));
    if (after) changed.paths = recorded_changes(*after);
  }
  VerifyWish wish{.before_run = request.text("before-run"),
                  .after_run = request.text("after-run"),
                  .intent = intent,
                  .is_blocked = named && named->may_not_edit(),
                  .changed = changed.paths,
                  .evidence_given = changed.given,
                  .strictness = std::string(policy::at_least(session.policy().min_strictness,
                                                             request.text("strictness")))};
  GH_TRY(gathered, gather_verification(session, context, wish));
  const control::Verification v = control::verify(gathered->facts);
  const std::string run_id = gathered->before ? gathered->before->id() : std::string();
  GH_DO(record_look(session, context, named, store::Durability::durable,
                    verification_event(v, intent, run_id)));
  for (ChangeEvent& abuse : abuse_events(v, intent, run_id))
    GH_DO(session.ledger->append(audit_event(session, context, std::move(abuse)),
                                 store::Durability::durable));
  Map document = v.payload;
  if (List rewritten = rewriting_warnings(request, {"files"}, changed.paths); !rewritten.empty())
    document.set("warnings", std::move(rewritten));
  hint_session(document, request);
  if (document.find("next_step") != nullptr)
    document.set("next_step", with_tree(text_in(document, "next_step"), session, context));
  const Value* next = document.find("next_step");
  document.set("verdict",
               change_verdict(
                   session, context,
                   {.gate = "structure",
                    .status = std::string(to_string(v.status)),
                    .codes = v.reason.empty() ? std::vector<std::string>{} : std::vector{v.reason},
                    .message = text_in(document, "message"),
                    .next_step = next == nullptr ? "" : text_in(document, "next_step"),
                    .intent_id = intent == nullptr ? "" : intent->id}));
  Reply reply;
  reply.document = framed("gatehouse.change_verification/1", std::move(document));
  const Decision decision = decision_of(to_string(v.status));
  reply.exit = exit_code(decision, {}, {.exit_review = request.flag("exit-review")});
  if (decision != Decision::allow) reply.why = v.reason;
  reply.text = [copy = reply.document](const report::Look& look) {
    return verify_text(copy, look);
  };
  return reply;
}

}  // namespace gh::ops
