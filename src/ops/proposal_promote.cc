// `proposal promote`, `proposal rollback` and `proposal recover`: the change is made again from the
// base commit in a place of its own, and one compare-and-swap of the target ref is the commit
// point.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "landing/on_ref.h"
#include "ops/members.h"
#include "ops/patch_session.h"
#include "ops/promotion_lock.h"
#include "ops/proposal_judge.h"
#include "ops/proposal_ops.h"
#include "ops/proposal_record.h"
#include "ops/signing.h"
#include "proposal/lifecycle.h"
#include "proposal/meta.h"
#include "report/proposal_report.h"
#include "report/verdict_document.h"
#include "runs/receipt.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using proposal::Admission;
using proposal::CheckRow;
using proposal::Finding;
using proposal::PropCode;
using proposal::Staleness;

constexpr std::size_t kMaxDiff = 64u << 20;
constexpr std::size_t kMaxSignatureBytes = 16'384;

git::Identity identity_of(const std::string& actor) {
  std::string mail;
  for (const char c : actor)
    mail += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ? c : '.';
  std::string name = printable(actor, 100);
  std::erase_if(name, [](char c) { return c == '<' || c == '>'; });
  return {name, mail + "@gatehouse.invalid"};
}

// ----------------------------------------------------------------------------- who asks, and how

struct Asked {
  Actor actor;
  bool may_promote = false, confirmed = false;
};

/// A request signed by a registered human, or the id typed at a terminal (7).
Result<Asked> who_asks(ProposalSession& session, const Request& request, Context& context,
                       const Stored& stored) {
  const policy::ProposalPolicy& policy = session.policy();
  Asked asked{.actor = session.actor};
  if (request.has("confirmation")) {
    GH_TRY(armoured, sys::read_file(request.text("confirmation"), kMaxSignatureBytes));
    GH_TRY(signer, signer_among(policy, armoured,
                                signed_payload(stored.row.digest, session.repo_id, "promoter",
                                               stored.meta.created_utc),
                                kPromotionNamespace, context.env.now()));
    asked.actor = {.name = signer->name, .kind = signer->kind, .via = "key"};
    asked.confirmed = signer->kind == "human";
  }
  asked.may_promote =
      holds_role(policy, asked.actor, "promoter") || holds_role(policy, asked.actor, "admin");
  if (!policy.requires_human || asked.confirmed || request.flag("dry-run") || !context.ask)
    return asked;
  const auto typed = context.ask(
      fmt::format("type the id '{}' to promote it: ", printable(stored.row.patch_id, 100)));
  asked.confirmed = typed && *typed == stored.row.patch_id && asked.actor.kind == "human";
  return asked;
}

// ------------------------------------------------------------------------------------- the result

/// The tree that will stand on the target, built by git in quarantine.
struct Built {
  patch::Outcome outcome;
  git::Quarantine quarantine;
};

/// No tree when it does not apply exactly, or when git and this gate disagree about the result.
Result<std::optional<Built>> build_on(ProposalSession& session, std::string_view patch,
                                      const git::Commit& onto) {
  git::Repo& repo = session.repo;
  GH_TRY(wanted, applies_on(session, patch, onto));
  if (!wanted) return std::nullopt;
  GH_TRY(quarantine, repo.quarantine());
  GH_DO(repo.read_tree(quarantine, onto.tree));
  GH_TRY(applied, repo.apply_cached(quarantine, patch));
  if (!applied.ok()) return std::nullopt;
  GH_TRY(tree, repo.write_tree(quarantine));
  if (tree != *wanted) return std::nullopt;
  GH_DO(quarantine.migrate());
  patch::Outcome outcome;
  outcome.canonical = patch;
  outcome.candidate =
      patch::Candidate{.base_commit = onto.id, .base_tree = onto.tree, .tree = tree, .entries = {}};
  return Built{std::move(outcome), std::move(quarantine)};
}

std::string log_tail(const patch::VerifyReport& report) {
  for (const patch::VerifyResult& r : report.results)
    if (!r.error.empty() || r.rc.value_or(1) != 0)
      return fmt::format("{}: {}", r.name,
                         r.error.empty() ? fmt::format("exit {}", r.rc.value_or(-1)) : r.error);
  return "a verify command failed";
}

/// The commands run in a worktree of their own; says what went wrong.
Result<std::optional<Finding>> verify(ProposalSession& session, Context& context, Built& built,
                                      const std::string& patch_id,
                                      const std::vector<policy::VerifyCommand>& commands) {
  policy::PatchPolicy policy = session.config.patch;
  policy.verify = commands;
  GH_TRY(self, sys::real_path("/proc/self/exe"));
  const landing::Place place{session.repo,
                             built.quarantine,
                             policy,
                             patch_id,
                             session.repo.state_dir() + "/runs/" + patch_id,
                             self,
                             context.interrupted};
  GH_DO(landing::prepare_for_ref(place, built.outcome, context.env));
  if (built.outcome.ok()) return std::nullopt;
  const auto& report = built.outcome.verify;
  const bool dirty = report && !report->changed_paths.empty();
  return Finding{
      dirty ? PropCode::PROP_VERIFY_DIRTY : PropCode::PROP_VERIFY_FAILED,
      report ? (dirty ? "a verify command changed " + printable(report->changed_paths.front(), 200)
                      : log_tail(*report))
             : built.outcome.violations.front().message};
}

/// The patch with nothing but its tests (3.5, must_fail_before).
std::string tests_of(const std::string& canonical, const policy::ProposalPolicy& policy) {
  auto patch = diff::parse(canonical, diff::Profile::git, diff::Position::exact);
  if (!patch) return {};
  const std::vector<std::string> tests = proposal::test_paths(*patch, policy);
  std::erase_if(patch->sections, [&](const diff::Section& s) {
    return !std::ranges::binary_search(tests, s.new_path);
  });
  return patch->sections.empty() ? std::string() : diff::print_canonical(*patch);
}

/// Tests that pass without the change prove nothing about it.
Result<std::optional<Finding>> check_tests_discriminate(ProposalSession& session, Context& context,
                                                        const Stored& stored,
                                                        const git::Commit& base, Built& candidate) {
  const policy::ProposalPolicy& policy = session.policy();
  if (!policy.tests_must_fail_before || stored.row.docs_only) return std::nullopt;
  const auto bad = [](std::string message) {
    return Finding{PropCode::PROP_TESTS_DO_NOT_DISCRIMINATE, std::move(message)};
  };
  if (policy.test_command.empty()) return bad("the policy names no tests.command");
  const std::vector<policy::VerifyCommand> run{{.name = "tests", .argv = policy.test_command}};
  const std::string tests = tests_of(stored.canonical, policy);
  if (tests.empty()) return bad("the patch adds no test");
  GH_TRY(before, build_on(session, tests, base));
  if (!before) return bad("the tests do not apply by themselves");
  GH_TRY(without, verify(session, context, *before, stored.row.patch_id, run));
  if (!without) return bad("the tests pass on the base too");
  GH_TRY(with, verify(session, context, candidate, stored.row.patch_id, run));
  if (with) return bad("the tests fail with the change: " + with->message);
  return std::nullopt;
}

void add_finding(Admission& admission, std::string_view id, std::optional<Finding> finding) {
  for (CheckRow& row : admission.rows)
    if (row.id == id) {
      row.ok = !finding.has_value();
      row.finding = finding;
    }
  if (!finding) return;
  admission.decision = proposal::weight_of(finding->code) == proposal::Weight::defer
                           ? proposal::Decision::defer
                           : proposal::Decision::reject;
  admission.only_reviews_missing = false;
}

// ---------------------------------------------------------------------------- message and receipt

std::string subject_of(const ProposalMeta& meta) {
  return printable(
      fmt::format("{}: {}", meta.patch_id, meta.title.empty() ? meta.source_gap : meta.title), 200);
}

std::string safe_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    out += printable(line, 2000) + "\n";
  return out;
}

struct Signed {
  std::string reviewer, sha256;
};
std::vector<Signed> review_digests(const Stored& stored, const policy::ProposalPolicy& policy) {
  std::vector<Signed> out;
  for (const std::string& name : policy.required_reviewers)
    for (auto it = stored.reviews.rbegin(); it != stored.reviews.rend(); ++it)
      if (it->reviewer == name && it->proposal_digest == stored.row.digest) {
        out.push_back({name, digest_of(wire::canonical_json(proposal::to_document(*it))).hex()});
        break;
      }
  return out;
}

std::string commit_message(const Stored& stored, const policy::ProposalPolicy& policy,
                           const std::string& receipt, const std::string& promoter) {
  std::string out =
      fmt::format("{}\n\n{}\n", subject_of(stored.meta), safe_lines(stored.meta.risk_notes));
  out += fmt::format("Gatehouse-Proposal: {}\n", stored.row.patch_id);
  out += fmt::format("Gatehouse-Receipt: {}\n", receipt);
  out += "Gatehouse-Decision: promoted\n";
  out += fmt::format("Gatehouse-Agent: {}\n", printable(stored.row.author_agent, 200));
  for (const Signed& review : review_digests(stored, policy))
    out += fmt::format("Reviewed-By: {} {}\n", review.reviewer, review.sha256);
  out += fmt::format("Promoted-By: {}\n", printable(promoter, 100));
  return out;
}

std::string rollback_kind(const ProposalMeta& meta) {
  const std::string& notes = meta.rollback_notes;
  for (const char* word : {"revert", "inverse", "restore"})
    if (notes.find(word) != std::string::npos) return word;
  return notes.find("N/A") != std::string::npos ? "n/a" : "command";
}

struct Landing {
  std::string kind = "promote";  // promote, rollback
  std::string commit, branch, target_ref, old_head, new_head, promoter, receipt, admission;
  std::string reason{};
  bool rollback_proven = false;
};

Map plan_value(const Landing& plan) {
  return Map{{"kind", plan.kind},
             {"commit", plan.commit},
             {"branch", plan.branch},
             {"target_ref", plan.target_ref},
             {"old_head", plan.old_head},
             {"new_head", plan.new_head},
             {"promoter", plan.promoter},
             {"receipt", plan.receipt},
             {"admission", plan.admission},
             {"reason", plan.reason},
             {"rollback_proven", plan.rollback_proven}};
}

std::optional<Landing> pending_plan(const store::ProposalRow& row) {
  const Map* body = row.body.as_map();
  const Value* plan = body == nullptr ? nullptr : body->find("plan");
  const Map* map = plan == nullptr ? nullptr : plan->as_map();
  if (map == nullptr) return std::nullopt;
  return Landing{.kind = text_in(*map, "kind"),
                 .commit = text_in(*map, "commit"),
                 .branch = text_in(*map, "branch"),
                 .target_ref = text_in(*map, "target_ref"),
                 .old_head = text_in(*map, "old_head"),
                 .new_head = text_in(*map, "new_head"),
                 .promoter = text_in(*map, "promoter"),
                 .receipt = text_in(*map, "receipt"),
                 .admission = text_in(*map, "admission"),
                 .reason = text_in(*map, "reason"),
                 .rollback_proven = map->find("rollback_proven") != nullptr &&
                                    *map->find("rollback_proven") == Value(true)};
}

Result<store::Document> make_receipt(ProposalSession& session, Context& context,
                                     const Stored& stored, const Built& built,
                                     const std::string& admission_digest, const Actor& actor,
                                     const Verdict& verdict, bool rollback_proven) {
  List reviews;
  for (const Signed& r : review_digests(stored, session.policy()))
    reviews.emplace_back(Map{{"reviewer", r.reviewer}, {"sha256", r.sha256}});
  GH_TRY(patch_id, session.repo.stable_patch_id(stored.canonical));
  const Map verdict_document = report::verdict_document(verdict);
  const std::string tree = built.outcome.candidate->tree.hex();
  Map receipt{
      {"schema", "gatehouse.receipt/1"},
      {"kind", "promotion"},
      {"decision", "allow"},
      {"status", "promoted"},
      {"repo_id", session.repo_id},
      {"subject",
       Map{{"base", stored.row.base_commit},
           {"tree", tree},
           {"intent_id", stored.meta.intent_id.empty() ? Value() : Value(stored.meta.intent_id)},
           {"proposal_id", stored.row.patch_id}}},
      {"inputs",
       Map{{"before_run_id", nullptr},
           {"after_run_id", nullptr},
           {"report_digest", stored.report_sha256.empty() ? Value() : Value(stored.report_sha256)},
           {"canonical_sha256", stored.row.canonical_sha256},
           {"candidate_tree", stored.row.candidate_tree},
           {"stable_patch_id", patch_id}}},
      {"digests", Map{{"verdict", *verdict_document.find("digests")->as_map()->find("verdict")},
                      {"policy", "sha256:" + session.policy_sha256}}},
      {"actor", to_value(actor)},
      {"body", Map{{"proposal_digest", stored.row.digest},
                   {"admission", admission_digest},
                   {"reviews", std::move(reviews)},
                   {"rollback_proven", rollback_proven},
                   {"rollback_kind", rollback_kind(stored.meta)},
                   {"source_gap", stored.meta.source_gap},
                   {"target_ref", stored.row.target_ref},
                   {"author_agent", stored.row.author_agent}}},
      {"meta", Map{{"created_utc", to_string(context.env.now())},
                   {"audit_seq", nullptr},
                   {"tool_version", kVersion}}},
      {"signature", nullptr}};
  GH_TRY(key, read_signing_key(session.repo, session.config.store));
  if (key) GH_DO(runs::sign_receipt(receipt, *key));
  return runs::receipt_record(std::move(receipt));
}

// ------------------------------------------------------------------------------------- the ledger

void add_receipt(store::ProposalRow& row, const std::string& digest) {
  Map& body = *row.body.as_map();
  Value* list = body.find("receipts");
  if (list == nullptr || list->as_list() == nullptr) {
    body.set("receipts", List());
    list = body.find("receipts");
  }
  list->as_list()->emplace_back(digest);
}

/// Written and flushed before any ref moves, so that whoever comes after a crash knows what was
/// meant.
Status write_plan(ProposalSession& session, Context& context, Stored& stored, const Landing& plan,
                  const store::Document* receipt, const store::Document* admission,
                  const Admission* judged, const store::Lease& lease) {
  stored.row.body.as_map()->set("plan", plan_value(plan));
  store::Change change;
  change.fence = lease;
  if (receipt != nullptr) change.document = *receipt;
  if (admission != nullptr) {
    change.more_documents.push_back(*admission);
    change.admission = admission_row(*judged, *admission, stored.row.patch_id, context.env.now());
  }
  change.proposal = stored.row;
  change.events.push_back(proposal_event(
      session, context, "promotion_started", stored.row,
      Map{{"kind", plan.kind}, {"commit", plan.commit}, {"admission", plan.admission}}));
  GH_DO(session.ledger->commit(change, store::Durability::durable));
  ++stored.row.rev;
  return {};
}

/// Proposals that this one supersedes are rejected with it (4).
Status reject_superseded(ProposalSession& session, Context& context, const Stored& stored,
                         store::Change& change) {
  for (const std::string& id : stored.meta.supersedes) {
    auto old = load_proposal(*session.ledger, id);
    if (!old || old->row.promotion_status != "proposed") continue;
    set_status(*old, PromotionStatus::rejected, "superseded", old->row.trust_level);
    old->row.updated_utc = to_string(context.env.now());
    change.more_proposals.push_back(old->row);
    change.events.push_back(
        proposal_event(session, context, "superseded", old->row,
                       Map{{"from", "proposed"}, {"to", "rejected"}, {"by", stored.row.patch_id}}));
  }
  return {};
}

Status finish_landing_of(ProposalSession& session, Context& context, Stored& stored,
                         const Landing& plan, const std::optional<store::Lease>& lease) {
  const bool promote = plan.kind == "promote";
  stored.row.body.as_map()->erase("plan");
  stored.row.updated_utc = to_string(context.env.now());
  set_status(stored, PromotionStatus::promoted, promote ? "" : "rolled_back",
             promote ? "promoted" : "reviewed");
  if (promote) add_receipt(stored.row, plan.receipt);
  store::Change change;
  change.fence = lease;
  change.proposal = stored.row;
  GH_TRY(before, session.ledger->promotion(stored.row.patch_id));
  store::PromotionRow row = before.value_or(store::PromotionRow{});
  if (promote) {
    row = {.patch_id = stored.row.patch_id,
           .commit_id = plan.commit,
           .branch = plan.branch,
           .target_ref = plan.target_ref,
           .old_head = plan.old_head,
           .new_head = plan.new_head,
           .promoter = plan.promoter,
           .rollback_commit = "",
           .created_utc = to_string(context.env.now())};
    change.conflicts_of = {stored.row.patch_id, {}};
    GH_DO(reject_superseded(session, context, stored, change));
  } else {
    row.rollback_commit = plan.commit;
  }
  change.promotion = row;
  Map payload{
      {"from", promote ? "proposed" : "promoted"},
      {"to", "promoted"},
      {"admission", plan.admission},
      {"refs", Map{{"ref", plan.target_ref}, {"old", plan.old_head}, {"new", plan.new_head}}},
      {"commit", plan.commit},
      {"asked_by", plan.promoter},
      {"gate", session.policy().promotion_gate},
      {"evidence", string_list({plan.receipt})}};
  if (promote) payload.set("rollback_proven", plan.rollback_proven);
  if (!promote) payload.set("reason", plan.reason);
  store::AuditEvent event = proposal_event(session, context, promote ? "promoted" : "rolled_back",
                                           stored.row, std::move(payload));
  event.subject.set("commit", plan.commit);
  event.subject.set("ref", plan.target_ref);
  if (promote) event.subject.set("receipt_digest", plan.receipt);
  change.events.insert(change.events.begin(), std::move(event));
  return record(session, context, change, stored.row.patch_id);
}

/// A decision against promotion: rejected for good, or as it was with an audit row.
Status record_refusal(ProposalSession& session, Context& context, Stored& stored,
                      const Admission& admission, const store::Document& document,
                      const std::vector<std::string>& failed_inputs, const Actor& asker) {
  const bool reject = admission.decision == proposal::Decision::reject;
  const bool open = stored.row.promotion_status == "proposed";
  store::Change change;
  change.document = document;
  change.admission = admission_row(admission, document, stored.row.patch_id, context.env.now());
  if (reject && open) {
    stored.row.updated_utc = to_string(context.env.now());
    set_status(stored, PromotionStatus::rejected, "", stored.row.trust_level);
    stored.row.body.as_map()->set("failed_inputs", string_list(failed_inputs));
    change.proposal = stored.row;
    change.conflicts_of = {stored.row.patch_id, {}};
  }
  change.events.push_back(
      proposal_event(session, context, reject && open ? "rejected" : "deferred", stored.row,
                     Map{{"from", open ? "proposed" : stored.row.promotion_status},
                         {"to", stored.row.promotion_status},
                         {"admission", document.digest},
                         {"asked_by", asker.name},
                         {"gate", session.policy().promotion_gate}}));
  return record(session, context, change, stored.row.patch_id);
}

// -------------------------------------------------------------------------------------- recovery

/// Compares refs with the ledger: what reached its commit point is finished, the rest undone.
Result<std::string> settle(ProposalSession& session, Context& context,
                           const std::string& patch_id) {
  auto stored = load_proposal(*session.ledger, patch_id);
  if (!stored) return std::string();
  const auto plan = pending_plan(stored->row);
  if (!plan) return std::string();
  // A record may have come from elsewhere: a plan reaches no ref but the proposal's own.
  if ((!plan->branch.empty() && plan->branch != branch_of(patch_id)) ||
      plan->target_ref != stored->row.target_ref)
    return fail(Code::ledger_unavailable,
                fmt::format("the plan of {} names refs that are not its own", patch_id));
  const bool branch_only = plan->new_head == plan->old_head;
  const std::string& ref = branch_only ? plan->branch : plan->target_ref;
  const std::string& wanted = branch_only ? plan->commit : plan->new_head;
  GH_TRY(landed, session.repo.contains(ref, wanted));
  if (landed) {
    GH_TRY(commit, session.repo.objects().commit(plan->commit));
    const bool ours =
        plan->kind == "promote"
            ? commit.tree.hex() == stored->row.candidate_tree &&
                  trailers(commit.message, "Gatehouse-Proposal") == std::vector{patch_id} &&
                  trailers(commit.message, "Gatehouse-Receipt") == std::vector{plan->receipt}
            : trailers(commit.message, "Gatehouse-Rollback") == std::vector{patch_id};
    if (!ours)
      return fail(Code::ledger_unavailable,
                  fmt::format("the plan of {} names a commit that is not its own", patch_id));
    GH_DO(finish_landing_of(session, context, *stored, *plan, std::nullopt));
    return fmt::format("finished: {}", patch_id);
  }
  if (!plan->branch.empty())
    if (const auto branch = session.repo.objects().commit(plan->branch);
        branch && branch->id.hex() == plan->commit)
      GH_DO(session.repo.delete_ref(plan->branch, branch->id));
  stored->row.body.as_map()->erase("plan");
  store::Change change;
  change.proposal = stored->row;
  change.events.push_back(proposal_event(session, context, "deferred", stored->row,
                                         Map{{"reason", "interrupted"}, {"commit", plan->commit}}));
  GH_DO(record(session, context, change, patch_id));
  (void)session.repo.remove_worktree(session.repo.state_dir() + "/worktrees/" + patch_id);
  return fmt::format("undone: {}", patch_id);
}

Result<policy::Integration> integration_of(const Request& request, const ProposalSession& session,
                                           Staleness staleness) {
  using enum policy::Integration;
  const std::string word = request.text("integrate");
  const policy::Integration wanted = word == "merge"         ? merge
                                     : word == "branch-only" ? branch_only
                                     : word == "ff"          ? ff
                                                             : session.policy().integrate;
  return wanted == ff && staleness == Staleness::disjoint ? merge : wanted;
}

struct Promotion {
  ProposalSession& session;
  Context& context;
  Stored& stored;
  const PromotionLock& lock;
  Asked asked;
};

/// Steps 3 to 7, once A1 to A18 hold. The finding says why nothing was promoted.
Result<std::optional<Finding>> carry_out(Promotion& p, Admission& admission,
                                         policy::Integration how, Judgement& judged,
                                         store::Document& document) {
  ProposalSession& session = p.session;
  git::Repo& repo = session.repo;
  const std::string& id = p.stored.row.patch_id;
  GH_TRY(base, repo.objects().commit(p.stored.row.base_commit));
  GH_TRY(on_base, build_on(session, p.stored.canonical, base));
  if (!on_base || on_base->outcome.candidate->tree.hex() != p.stored.row.candidate_tree)
    return Finding{PropCode::PROP_TREE_CHANGED,
                   "the patch no longer gives the tree that was reviewed"};
  Built& built = *on_base;
  const bool merges = how == policy::Integration::merge && base.id != session.head.id;
  std::optional<Built> merged;
  if (merges) {
    GH_TRY(on_head, build_on(session, p.stored.canonical, session.head));
    if (!on_head)
      return Finding{PropCode::PROP_CONFLICT,
                     fmt::format("the patch does not apply on {}", session.head.id.hex())};
    merged = std::move(on_head);
  }
  Built& result = merged ? *merged : built;
  p.context.progress("running verify commands on the candidate");
  GH_TRY(idle_tests, check_tests_discriminate(session, p.context, p.stored, base, built));
  if (idle_tests) return idle_tests;
  GH_TRY(verify_fault, verify(session, p.context, result, id, session.policy().verify_commands));
  add_finding(admission, "A19", verify_fault);
  if (verify_fault) return verify_fault;
  GH_TRY(inverse, repo.diff_trees(built.outcome.candidate->tree, base.tree, kMaxDiff));
  git::Commit candidate = base;
  candidate.tree = built.outcome.candidate->tree;
  GH_TRY(undone, applies_on(session, inverse, candidate));
  document = admission_record(admission, id, p.stored.row.digest, p.context.env.now());
  const Verdict verdict =
      report::admission_verdict(admission, {.patch_id = id,
                                            .base = p.stored.row.base_commit,
                                            .repo_id = session.repo_id,
                                            .policy_digest = session.policy_sha256,
                                            .digest = p.stored.row.digest});
  GH_TRY(receipt, make_receipt(session, p.context, p.stored, result, document.digest, p.asked.actor,
                               verdict, undone && *undone == base.tree));
  const git::Identity who = identity_of(
      session.policy().requires_human ? p.asked.actor.name : session.policy().promotion_gate);
  const Timestamp now = p.context.env.now();
  const std::string message =
      commit_message(p.stored, session.policy(), receipt.digest, p.asked.actor.name);
  GH_TRY(commit, repo.commit_tree({.tree = built.outcome.candidate->tree,
                                   .parents = {base.id},
                                   .message = message,
                                   .author = who,
                                   .committer = who,
                                   .time = now}));
  ObjectId new_head = commit;
  if (merges) {
    GH_TRY(merge, repo.commit_tree({.tree = result.outcome.candidate->tree,
                                    .parents = {session.head.id, commit},
                                    .message = message,
                                    .author = who,
                                    .committer = who,
                                    .time = now}));
    new_head = merge;
  }
  const bool branch_only = how == policy::Integration::branch_only;
  const Landing plan{.commit = commit.hex(),
                     .branch = branch_of(id),
                     .target_ref = p.stored.row.target_ref,
                     .old_head = session.head.id.hex(),
                     .new_head = branch_only ? session.head.id.hex() : new_head.hex(),
                     .promoter = p.asked.actor.name,
                     .receipt = receipt.digest,
                     .admission = document.digest,
                     .rollback_proven = undone && *undone == base.tree};
  GH_DO(write_plan(session, p.context, p.stored, plan, &receipt, &document, &admission,
                   p.lock.lease()));
  const std::string reason = "gatehouse: promote " + id;
  GH_TRY(branch, repo.create_ref(plan.branch, commit, who, now, reason));
  if (branch == git::RefUpdate::moved) {
    GH_DO(settle(session, p.context, id));
    GH_TRY(again, load_proposal(*session.ledger, id));
    p.stored = std::move(again);
    return Finding{PropCode::PROP_TARGET_MOVED,
                   plan.branch + " exists already; whoever made it must remove it"};
  }
  if (!branch_only) {
    GH_TRY(moved, repo.update_ref(plan.target_ref, new_head, session.head.id, who, now, reason));
    if (moved == git::RefUpdate::moved) {
      GH_DO(settle(session, p.context, id));
      GH_TRY(again, load_proposal(*session.ledger, id));
      p.stored = std::move(again);
      return Finding{PropCode::PROP_TARGET_MOVED,
                     fmt::format("{} moved away from {} meanwhile", plan.target_ref,
                                 session.head.id.hex().substr(0, 12))};
    }
  }
  judged.target_ref = plan.target_ref;
  GH_DO(finish_landing_of(session, p.context, p.stored, plan, p.lock.lease()));
  return std::nullopt;
}

Result<Reply> promote_locked(const Request& request, Context& context, ProposalSession& session,
                             Stored& stored, const PromotionLock& lock) {
  GH_TRY(asked, who_asks(session, request, context, stored));
  if (!asked.may_promote)  // whoever may not ask must not be able to get it rejected either
    return fail(Code::not_permitted,
                fmt::format("{} holds neither the role promoter nor admin", asked.actor.name));
  context.progress("checking the proposal again");
  GH_TRY(judged, judge_promotion(session, context, stored,
                                 {.asker = asked.actor.name,
                                  .asker_may_promote = asked.may_promote,
                                  .confirmed_by_human = asked.confirmed}));
  Admission& admission = judged.judgement.admission;
  store::Document document =
      admission_record(admission, stored.row.patch_id, stored.row.digest, context.env.now());
  const bool exit_review = request.flag("exit-review");
  if (request.flag("dry-run"))
    return admission_reply(session, context, admission, document, judged.judgement, exit_review);
  session.actor = asked.actor;
  if (admission.decision == proposal::Decision::admit) {
    GH_TRY(how, integration_of(request, session, judged.staleness));
    Promotion promotion{session, context, stored, lock, asked};
    GH_TRY(fault, carry_out(promotion, admission, how, judged.judgement, document));
    if (!fault) {
      Reply reply =
          admission_reply(session, context, admission, document, judged.judgement, exit_review);
      GH_TRY(row, session.ledger->promotion(stored.row.patch_id));
      const std::string line =
          fmt::format("promoted as {} on {}\n", row ? row->commit_id : "", stored.row.target_ref);
      if (reply.document.as_map() != nullptr && row)
        reply.document.as_map()->set("promotion", Map{{"commit", row->commit_id},
                                                      {"branch", row->branch},
                                                      {"target_ref", row->target_ref},
                                                      {"new_head", row->new_head}});
      reply.text = [rest = std::move(reply.text), line](const report::Look& look) {
        return rest(look) + line;
      };
      return reply;
    }
    const std::string_view check = proposal::check_of(fault->code);
    add_finding(admission, check.empty() ? "A16" : check, *fault);
    document =
        admission_record(admission, stored.row.patch_id, stored.row.digest, context.env.now());
  }
  GH_DO(record_refusal(session, context, stored, admission, document,
                       judged.judgement.failed_inputs, asked.actor));
  return admission_reply(session, context, admission, document, judged.judgement, exit_review);
}

Reply settled_reply(const std::vector<std::string>& settled) {
  List list;
  std::string text;
  for (const std::string& line : settled) {
    list.emplace_back(line);
    text += line + "\n";
  }
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.proposal_recovery/1"}, {"settled", std::move(list)}};
  reply.text = [text](const report::Look&) {
    return text.empty() ? "nothing was left half done\n" : text;
  };
  return reply;
}

}  // namespace

Result<Reply> proposal_promote(const Request& request, Context& context) {
  const std::string id = request.text("ID");
  GH_TRY(session, open_proposal_session(context));
  GH_DO(load_proposal(*session.ledger, id));
  GH_TRY(lock, PromotionLock::take(session, context, id));
  for (const std::string& left : {lock.left_by(), id}) {
    if (left.empty()) continue;
    GH_TRY(says, settle(session, context, left));
    if (!says.empty()) context.notice("an interrupted promotion was settled first: " + says);
  }
  // The target is the proposal's own, and it may have moved while we waited.
  GH_TRY(stored, load_proposal(*session.ledger, id));
  GH_DO(aim_at(session, stored.row.target_ref));
  return promote_locked(request, context, session, stored, lock);
}

Result<Reply> proposal_recover(const Request&, Context& context) {
  GH_TRY(session, open_proposal_session(context));
  GH_TRY(lock, PromotionLock::take(session, context, "recover"));
  if (!lock.left_by().empty()) GH_DO(settle(session, context, lock.left_by()));
  std::vector<std::string> settled;
  for (const char* status : {"proposed", "promoted"}) {
    for (std::string after;;) {
      GH_TRY(rows, session.ledger->proposals({.status = status, .after = after, .limit = 500}));
      for (const store::ProposalRow& row : rows) {
        after = row.patch_id;
        if (!pending_plan(row)) continue;
        GH_TRY(says, settle(session, context, row.patch_id));
        if (!says.empty()) settled.push_back(says);
      }
      if (rows.size() < 500) break;
    }
  }
  return settled_reply(settled);
}

Result<Reply> proposal_rollback(const Request& request, Context& context) {
  if (!request.has("reason")) return fail(Code::missing_argument, "a rollback needs --reason TEXT");
  const std::string id = request.text("ID");
  GH_TRY(session, open_proposal_session(context));
  GH_DO(load_proposal(*session.ledger, id));
  GH_TRY(lock, PromotionLock::take(session, context, id));
  GH_DO(settle(session, context, id));
  GH_TRY(stored, load_proposal(*session.ledger, id));
  GH_DO(aim_at(session, stored.row.target_ref));
  const auto refuse = [&](PropCode code, const std::string& message, Map details) -> Reply {
    Reply reply;
    reply.document = Map{{"schema", "gatehouse.proposal_status/1"},
                         {"patch_id", id},
                         {"promotion_status", stored.row.promotion_status},
                         {"ok", false},
                         {"reasons", List{Map{{"code", to_string(code)},
                                              {"message", message},
                                              {"details", std::move(details)},
                                              {"next", proposal::help(code)}}}}};
    const std::string text =
        fmt::format("{}: {}\n  next: {}\n", to_string(code), message, proposal::help(code));
    reply.text = [text](const report::Look&) { return text; };
    reply.exit = ExitCode::denied;
    reply.why = fmt::format("{}: {}", to_string(code), message);
    return reply;
  };
  const bool may = holds_role(session.policy(), session.actor, "promoter") ||
                   holds_role(session.policy(), session.actor, "admin");
  const auto state = promotion_status_of(stored.row.promotion_status);
  if (!may) return refuse(PropCode::PROP_NOT_PROMOTER, "only a promoter or an admin may ask", {});
  if (!proposal::transition(state, proposal::Event::rollback, proposal::Asker::gate) ||
      stored.row.sub_state == "rolled_back")
    return refuse(
        PropCode::PROP_STATE_INVALID,
        fmt::format("{} is {}{}; there is nothing to roll back", id, stored.row.promotion_status,
                    stored.row.sub_state.empty() ? "" : ", " + stored.row.sub_state),
        {});
  GH_TRY(promotion, session.ledger->promotion(id));
  GH_TRY(base, session.repo.objects().commit(stored.row.base_commit));
  const auto tree = ObjectId::parse(stored.row.candidate_tree);
  if (!promotion || !tree)
    return fail(Code::ledger_unavailable, "the ledger's record of the promotion is damaged");
  GH_TRY(inverse, session.repo.diff_trees(*tree, base.tree, kMaxDiff));
  GH_TRY(built, build_on(session, inverse, session.head));
  if (!built) {
    GH_TRY(landed, session.repo.objects().commit(promotion->new_head));
    GH_TRY(later,
           session.repo.commits_touching(landed.id, session.head.id, stored.meta.affected_files));
    List commits;
    for (const ObjectId& commit : later)
      commits.emplace_back(commit.hex());
    return refuse(PropCode::PROP_ROLLBACK_CONFLICT,
                  fmt::format("later commits changed the same lines: {}",
                              later.empty() ? "unknown" : later.front().hex().substr(0, 12)),
                  Map{{"commits", std::move(commits)}});
  }
  const git::Identity who = identity_of(session.actor.name);
  const Timestamp now = context.env.now();
  GH_TRY(commit,
         session.repo.commit_tree(
             {.tree = built->outcome.candidate->tree,
              .parents = {session.head.id},
              .message = fmt::format("Revert \"{}\"\n\n{}\nGatehouse-Rollback: {}\nReverts: {}\n",
                                     subject_of(stored.meta), safe_lines(request.text("reason")),
                                     id, promotion->commit_id),
              .author = who,
              .committer = who,
              .time = now}));
  const Landing plan{.kind = "rollback",
                     .commit = commit.hex(),
                     .branch = "",
                     .target_ref = session.target_ref,
                     .old_head = session.head.id.hex(),
                     .new_head = commit.hex(),
                     .promoter = session.actor.name,
                     .receipt = "",
                     .admission = "",
                     .reason = printable(request.text("reason"), 2000)};
  GH_DO(write_plan(session, context, stored, plan, nullptr, nullptr, nullptr, lock.lease()));
  GH_TRY(moved, session.repo.update_ref(plan.target_ref, commit, session.head.id, who, now,
                                        "gatehouse: roll back " + id));
  if (moved == git::RefUpdate::moved) {
    GH_DO(settle(session, context, id));
    return refuse(PropCode::PROP_TARGET_MOVED, plan.target_ref + " moved meanwhile", {});
  }
  GH_DO(finish_landing_of(session, context, stored, plan, lock.lease()));
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.proposal_status/1"},
                       {"patch_id", id},
                       {"promotion_status", stored.row.promotion_status},
                       {"sub_state", stored.row.sub_state},
                       {"trust_level", stored.row.trust_level},
                       {"rollback_commit", plan.commit},
                       {"ok", true},
                       {"reasons", List()}};
  const std::string line = fmt::format("{} is rolled back by {}\n", id, plan.commit);
  reply.text = [line](const report::Look&) { return line; };
  return reply;
}

}  // namespace gh::ops
