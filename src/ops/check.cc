// `check`, the front door: one change, every gate that applies, one Verdict (interfaces 0.1, 5.3).
#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/sorted.h"
#include "base/text.h"
#include "control/scope_paths.h"
#include "diff/patch.h"
#include "git/dirty_snapshot.h"
#include "ops/candidate_tree.h"
#include "ops/change_runs.h"
#include "ops/check_orders.h"
#include "ops/check_scope.h"
#include "ops/check_structure.h"
#include "ops/check_surface.h"
#include "ops/check_target.h"
#include "ops/patch_ops.h"
#include "ops/patch_submit.h"
#include "ops/proposal_ops.h"
#include "ops/real_place.h"
#include "ops/repo_config.h"
#include "ops/verdict_reports.h"
#include "ops/verify_change.h"
#include "report/check_text.h"
#include "report/leading_reason.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

// table: gates that check can be asked for
constexpr std::array<std::string_view, 4> kGates{"patch", "scope", "structure", "surface"};

struct Asked {
  bool patch = true, scope = true, structure = true, surface = true;
};

constexpr std::string_view kNotAsked = "not asked for";

/// --gates; all of them without it.
Result<Asked> asked_gates(const Request& request) {
  if (!request.has("gates")) return Asked{};
  const std::string text = request.text("gates");
  std::vector<std::string_view> words = split(text, ',');
  for (const std::string_view word : words)
    if (std::ranges::find(kGates, word) == kGates.end())
      return fail(Code::bad_argument,
                  fmt::format("--gates takes {} with commas between them, not '{}'",
                              join({kGates.begin(), kGates.end()}, ", "), printable(word, 60)));
  const auto has = [&](std::string_view gate) {
    return std::ranges::find(words, gate) != words.end();
  };
  return Asked{has("patch"), has("scope"), has("structure"), has("surface")};
}

/// Everything that is known of one check, from its arguments to its answers.
struct Checking {
  const Request& request;
  Context& context;
  Asked asked{};
  PatchSession session;
  policy::Config config{};  // at the base
  PatchAnswer answer{};
  DeclaredHere declared{};
  CheckTarget target{};
  std::vector<TouchedPath> touched{};
  bool is_readable = true;  // what it touches could be told
  std::string_view why_no_patch = kNotAsked;
  GateAnswer scope{}, structure{}, surface{};
  AddedLines added{};
  ShownSource source{};
  std::optional<Code> fault{};  // the first one met
  const CheckOrders& orders;

  bool has_patch_answer() const { return asked.patch; }
  bool is_patch_refused() const { return asked.patch && !answer.outcome.ok(); }
};

GateAnswer skipped(std::string_view gate, std::string_view why) {
  return {.part = {.gate = std::string(gate), .why = std::string(why)}};
}
std::string baseline_of(const Checking& c) {
  return c.request.has("baseline") ? c.request.text("baseline") : std::string();
}

/// The paths of a diff that git made, as records name them; nothing where it cannot be read.
std::optional<std::vector<std::string>> paths_of(const CheckTarget& target) {
  const auto patch = diff::parse(target.bytes, diff::Profile::git, diff::Position::exact);
  if (!patch) return std::nullopt;
  std::vector<std::string> out;
  for (const diff::Section& section : patch->sections)
    for (const std::string* path : {&section.old_path, &section.new_path})
      if (!path->empty()) out.push_back(control::path_from_git(*path));
  sort_unique(out);
  return out;
}

/// What a verdict would be worth without the intent that it is measured against.
Status read_intents(Checking& c, bool knows_target) {
  if (!c.asked.scope && !c.asked.structure) return {};
  const auto changed = knows_target && c.target.from_git() ? paths_of(c.target) : std::nullopt;
  auto declared = read_declared(c.request, c.context, c.session, c.config.control,
                                changed ? &*changed : nullptr);
  if (declared) {
    c.declared = std::move(*declared);
    if (c.orders.intent_required) c.declared.facts.intent_required = true;
    return {};
  }
  if (declared.error().code == Code::unknown_intent || !c.asked.scope)
    return tl::make_unexpected(std::move(declared).error());
  c.scope = undecided("scope", declared.error());
  c.fault = declared.error().code;
  return {};
}

/// An intent that works in a tree of its own is looked at there.
Status follow_intent(Checking& c) {
  if (c.declared.folder.empty() || c.declared.folder == c.session.repo.root()) {
    if (c.declared.base.empty() || c.request.has("base")) return {};
  }
  Context there = c.context;
  if (!c.declared.folder.empty()) there.cwd = c.declared.folder;
  GH_TRY(session, open_patch_session(c.request, there,
                                     c.request.has("base") ? std::string() : c.declared.base));
  c.session = std::move(session);
  GH_TRY(config, config_at(c.session.repo, c.session.base));
  c.config = std::move(config);
  return {};
}

Result<CheckTarget> work_tree_of_intent(Checking& c) {
  GH_DO(follow_intent(c));
  GH_TRY(target, work_tree_target(c.session, &c.declared.only()->scope));
  target.name += fmt::format(", intent {}", c.declared.only()->id);
  return std::move(target);
}

/// --files: of the tree that the intent works in.
Result<CheckTarget> named_files(Checking& c) {
  GH_DO(follow_intent(c));
  GH_TRY(paths, control::normalise_evidence(
                    by_real_root(c.session.repo.root(),
                                 by_letter(c.session.repo, c.request.list("files"))),
                    c.session.repo.root()));
  for (std::string& path : paths)
    path = control::bytes_of_path(path);
  std::ranges::sort(paths);
  return files_target(c.session, paths);
}

/// `submitted`: the bytes of a named patch.
Result<CheckTarget> target_of(Checking& c, const std::string& named, std::string submitted) {
  if (const auto range = as_range(named)) return range_target(c.session, range->second, named);
  if (!named.empty()) return CheckTarget{.bytes = std::move(submitted), .name = named};
  if (c.session.repo.is_bare())
    return fail(Code::bad_argument,
                "a bare repository has no work tree; name a patch file or a range A..B");
  if (c.request.flag("staged")) return staged_target(c.session);
  if (c.request.has("files")) return named_files(c);
  auto target = c.declared.only() != nullptr ? work_tree_of_intent(c)
                                             : chosen_target(c.session, c.request, c.context);
  if (target) target->is_chosen = true;
  return target;
}

Status judge_patch(Checking& c) {
  GH_TRY(quarantine, c.session.repo.quarantine());
  const diff::Profile profile =
      c.target.from_git() && !c.request.has("profile") ? diff::Profile::git : c.session.profile;
  patch::Outcome& outcome = c.answer.outcome;
  outcome = patch::judge(
      c.target.bytes,
      {c.session.repo, quarantine, c.session.base.id, c.session.base.tree, c.session.policy},
      {.profile = profile});
  outcome.repo = c.session.facts();
  if (c.target.tree && outcome.ok() && outcome.candidate->tree != *c.target.tree)
    patch::refuse(outcome,
                  {.rule = Rule::result_tree_mismatch,
                   .message = fmt::format("the diff of {} gives tree {}, the commit holds {}",
                                          printable(c.target.name, 60),
                                          outcome.candidate->tree.hex(), c.target.tree->hex())});
  if (outcome.error) {
    c.fault = outcome.error->code;
    return {};
  }
  return file_question(c.session, c.request, c.target.bytes, c.answer, c.context);
}

Status find_touched(Checking& c) {
  if (c.asked.patch && c.answer.outcome.error) {
    c.is_readable = false;
    return {};
  }
  GH_TRY(touched,
         touched_paths(c.session, c.target, c.has_patch_answer() ? &c.answer.outcome : nullptr));
  c.is_readable = touched.has_value();
  if (touched) c.touched = std::move(*touched);
  return {};
}

void judge_scope_of(Checking& c) {
  if (c.scope.part.ran) return;  // it could not decide
  if (!c.asked.scope) {
    c.scope = skipped("scope", kNotAsked);
    return;
  }
  if (!c.is_readable) {
    c.scope = skipped("scope", c.answer.outcome.error ? "the patch gate could not decide"
                                                      : "the patch could not be read");
    return;
  }
  c.declared.is_work_tree = c.target.kind == TargetKind::work_tree;
  for (const TouchedPath& touched : c.touched)
    c.declared.facts.changed.push_back(control::path_from_git(touched.path));
  control::ScopeGate gate = control::judge_scope(c.declared.facts);
  if (!gate.refusals.empty() && c.orders.is_accepted && c.orders.is_accepted()) {
    c.declared.facts.is_accepted = true;
    gate = control::judge_scope(c.declared.facts);
  }
  if (!gate.refusals.empty()) c.added = first_added_lines(c.target.bytes);
  c.scope = scope_answer(gate, c.declared, c.added);
}

/// The tree that a change gives, with whatever it is read through.
struct AfterTree {
  std::optional<git::Quarantine> quarantine{};
  std::unique_ptr<git::Objects> objects{};
  std::unique_ptr<RunSource> files{};
};

Result<AfterTree> after_tree(Checking& c) {
  AfterTree out;
  switch (c.target.kind) {
    case TargetKind::patch:
    case TargetKind::files: {
      if (!c.answer.outcome.candidate) {  // nothing differs
        out.files = files_of_tree(c.session.repo, c.session.base.tree);
        break;
      }
      GH_TRY(quarantine, c.session.repo.quarantine());
      out.quarantine = std::move(quarantine);
      GH_DO(write_candidate(c.session, *out.quarantine, c.answer.outcome));
      GH_TRY(objects, c.session.repo.objects_in(*out.quarantine));
      out.objects = std::make_unique<git::Objects>(std::move(objects));
      out.files = files_of_tree(*out.objects, c.answer.outcome.candidate->tree);
      break;
    }
    case TargetKind::range:
      out.files = files_of_tree(c.session.repo, *c.target.tree);
      break;
    case TargetKind::staged:
      out.files = files_of_index(c.session.repo);
      break;
    case TargetKind::work_tree:
      out.files = tracked_files_on_disk(c.session.repo, c.target.untracked);
      break;
  }
  return out;
}

std::string strictness_of(const Checking& c) {
  return std::string(
      policy::at_least(c.config.control.min_strictness, c.request.text("strictness")));
}

/// What lies outside of an intent is somebody else's doing only where the scope gate looks at the
/// paths too, and in a work tree, which others change as well. A change that was named is all there
/// is.
const Intent* excusing_intent(const Checking& c) {
  const bool may_excuse = c.asked.scope || c.target.kind == TargetKind::work_tree;
  return may_excuse ? c.declared.only() : nullptr;
}

Result<StructureAnswer> structure_of(Checking& c) {
  GH_TRY(after, after_tree(c));
  StructureQuestion question{.repo = c.session.repo,
                             .base = c.session.base,
                             .config = c.config,
                             .after = *after.files,
                             .intent = excusing_intent(c),
                             .strictness = strictness_of(c),
                             .baseline = baseline_of(c)};
  for (const TouchedPath& touched : c.touched)
    question.changed.push_back(
        {utf8_or_escaped(touched.path), touched.executable_or_symlink, is_analysed(touched.path),
         left_out_of_runs(touched.path, c.config.analysis, touched.is_repository, false),
         touched.is_link});
  question.is_protection_told = c.scope.part.ran && c.declared.only() != nullptr;
  c.context.may_stop(true);
  auto answer = judge_structure(question, c.context);
  c.context.may_stop(false);
  return answer;
}

Status judge_structure_of(Checking& c) {
  if (!c.asked.structure) {
    c.structure = skipped("structure", kNotAsked);
    return {};
  }
  if (c.is_patch_refused()) {
    c.structure =
        skipped("structure", c.answer.outcome.error ? "the patch gate could not decide"
                                                    : "the patch gate did not allow the change");
    return {};
  }
  auto answer = structure_of(c);
  if (answer) {
    c.structure = std::move(answer->answer);
    c.source = std::move(answer->source);
    return {};
  }
  if (!baseline_of(c).empty()) return tl::make_unexpected(std::move(answer).error());
  c.structure = undecided("structure", answer.error());
  if (!c.fault) c.fault = answer.error().code;
  return {};
}

/// The branch that the change goes into, where the question names one.
std::string aimed_at(const Checking& c) {
  if (const auto range = as_range(c.request.text("TARGET"))) return target_branch_of(range->first);
  return c.request.has("base") ? target_branch_of(c.request.text("base")) : std::string();
}

void judge_surface_of(Checking& c) {
  if (c.surface.part.ran) return;  // it was asked before anything else
  if (!c.asked.surface) {
    c.surface = skipped("surface", kNotAsked);
    return;
  }
  SurfaceQuestion question{.session = c.session,
                           .target = c.target,
                           .outcome = c.answer.outcome,
                           .approved = c.orders.approved,
                           .target_branch = aimed_at(c)};
  for (const TouchedPath& touched : c.touched)
    question.changed.push_back(touched.path);
  c.surface = judge_surface(question, c.context, c.fault);
}

/// Files that git does not track yet are no part of a change, but hosts read them already.
bool has_new_powers(Checking& c) {
  if (!c.asked.surface || c.target.kind != TargetKind::work_tree || c.target.untracked_left == 0)
    return false;
  const std::optional<Code> fault = c.fault;
  judge_surface_of(c);
  if (c.surface.part.ran && c.surface.part.decision != Decision::allow) return true;
  c.fault = fault;
  return false;
}

// ---------------------------------------------------------------------------------- the verdict

/// Everything of the base's configuration that had a say.
std::string policy_digest_of(const Checking& c) {
  if (!c.asked.scope && !c.asked.structure) return c.session.policy_sha256;
  return digest_of(wire::canonical_json(Map{{"patch", c.session.policy_sha256},
                                            {"analysis", to_value(c.config.analysis)},
                                            {"change_control", to_value(c.config.control)}}))
      .hex();
}

/// Of the diff, and of the files beside it.
std::string input_digest_of(const Checking& c) {
  if (c.target.untracked.empty()) return digest_of(c.target.bytes).hex();
  std::string all = digest_of(c.target.bytes).hex();
  for (const git::WorkFile& file : git::ids_of_files(c.session.repo, c.target.untracked))
    all.append(1, '\0').append(file.path).append(1, '\0').append(file.id ? file.id->hex() : "");
  return digest_of(all).hex();
}

void put(Verdict& verdict, GateAnswer answer) {
  *std::ranges::find(verdict.parts, answer.part.gate, &Part::gate) = answer.part;
  std::ranges::stable_sort(answer.reasons, {}, [](const Reason& r) {
    return std::tuple(r.severity, std::string_view(r.path), r.line, std::string_view(r.id));
  });
  std::ranges::move(answer.reasons, std::back_inserter(verdict.reasons));
}

std::string headline_of(const Checking& c, const Verdict& verdict) {
  const auto part = std::ranges::find_if(verdict.parts, [&](const Part& p) {
    return p.ran && p.decision == verdict.decision && p.decision != Decision::allow;
  });
  if (part == verdict.parts.end() || part->gate == "patch")
    return c.asked.patch ? report::patch_message(c.answer.outcome) : "nothing stands in the way";
  const Reason* reason = report::leading_reason(verdict, part->gate);
  return fmt::format("{}: {}", part->gate, reason == nullptr ? part->status : reason->message);
}

Verdict verdict_of(Checking& c) {
  Verdict out = report::patch_verdict(c.answer.outcome, c.answer.document,
                                      {.gate = "check",
                                       .repo_id = c.session.repo_id,
                                       .head = c.target.head,
                                       .started = "",
                                       .duration_ms = 0});
  out.started = to_string(c.answer.started);
  if (!c.asked.patch) out.parts.front() = skipped("patch", c.why_no_patch).part;
  put(out, std::move(c.scope));
  put(out, std::move(c.structure));
  put(out, std::move(c.surface));
  out.decision = worst(out.parts);
  if (out.decision != Decision::allow && c.answer.outcome.ok())
    out.parts.back().why = "the change was not allowed";
  out.headline = headline_of(c, out);
  out.base = c.session.base.id.hex();
  if (const Intent* intent = c.declared.only()) out.intent_id = intent->id;
  out.policy_digest = policy_digest_of(c);
  out.input_digest = input_digest_of(c);
  out.duration_ms = c.context.env.monotonic_ms() - c.answer.started_ms;
  return out;
}

Verdict nothing_changed(Checking& c) {
  Verdict out;
  out.gate = "check";
  out.headline = "nothing changed, nothing to check";
  for (const char* gate : {"patch", "scope", "structure", "surface", "admission", "landing"})
    out.parts.push_back({.gate = gate, .why = "nothing changed"});
  out.repo = c.session.repo_id;
  out.base = c.session.base.id.hex();
  out.head = c.target.head;
  out.policy_digest = policy_digest_of(c);
  out.started = to_string(c.answer.started);
  out.duration_ms = c.context.env.monotonic_ms() - c.answer.started_ms;
  return out;
}

// -------------------------------------------------------------------------------------- answers

/// Files that no diff shows, because git does not know them.
std::string untracked_words(std::size_t count) {
  if (count == 0) return {};
  const bool one = count == 1;
  return fmt::format("{} untracked {} not looked at ('git add' makes {} part of the change)", count,
                     one ? "file was" : "files were", one ? "it" : "them");
}

Reply nothing_reply(Checking& c) {
  const Verdict verdict = nothing_changed(c);
  std::string line = fmt::format("{}: {}", c.target.name, verdict.headline);
  std::size_t left = c.target.untracked_left;
  if (c.target.kind != TargetKind::work_tree && !c.session.repo.is_bare())
    left = c.session.repo.untracked_files().value_or(std::vector<std::string>{}).size();
  if (const std::string untracked = untracked_words(left); !untracked.empty())
    line += "; " + untracked;
  return Reply{.document = report::verdict_document(verdict),
               .text = [line](const report::Look&) { return line + "\n"; }};
}

/// What the text is drawn from after the session has ended.
struct Drawn {
  Verdict verdict;
  patch::Outcome outcome;
  bool has_outcome = true, is_chosen = false;
  std::string name, submission, run_folder, run_id, remark;
  AddedLines added;
  ShownSource source;

  std::string text(const report::Look& look) const {
    const auto lines = [this](const Reason& reason) -> std::vector<report::SourceLine> {
      if (reason.gate == "scope") {
        const auto at = added.find(reason.path);
        return at == added.end() ? std::vector<report::SourceLine>{} : at->second;
      }
      const auto at = source.find({reason.path, reason.line});
      return at == source.end() ? std::vector<report::SourceLine>{} : at->second;
    };
    const std::string shown = name == "-" ? "standard input" : name;
    const std::string answer = report::render_check(verdict,
                                                    {.outcome = has_outcome ? &outcome : nullptr,
                                                     .patch = {.name = shown,
                                                               .submission = submission,
                                                               .run_folder = run_folder,
                                                               .run_id = run_id},
                                                     .source = lines,
                                                     .remark = remark},
                                                    look);
    return is_chosen ? fmt::format("checking: {}\n{}", printable(shown, 200), answer) : answer;
  }
};

Reply reply_of(Checking& c) {
  const Verdict verdict = verdict_of(c);
  const ExitWishes wishes{.exit_zero = c.request.flag("exit-zero"),
                          .exit_review = c.request.flag("exit-review"),
                          .strict = c.request.flag("strict")};
  Reply reply;
  reply.exit = exit_code(verdict.decision, c.fault, wishes);
  const bool warns = std::ranges::any_of(
      verdict.reasons, [](const Reason& r) { return r.severity == Severity::warning; });
  if (verdict.decision == Decision::allow && wishes.strict && warns && !wishes.exit_zero) {
    reply.exit = ExitCode::denied;
    reply.why = "allowed with warnings, and --strict counts them";
  } else if (reply.exit != ExitCode::done) {
    reply.why = report::why_not_allowed(verdict);
  }
  if (c.context.wants_document) reply.document = report::verdict_document(verdict);
  Drawn drawn{.verdict = verdict,
              .outcome = std::move(c.answer.outcome),
              .has_outcome = c.asked.patch,
              .is_chosen = c.target.is_chosen,
              .name = std::move(c.target.name),
              .submission = std::move(c.target.bytes),
              .run_folder = std::move(c.answer.run_folder),
              .run_id = std::move(c.answer.document.run_id),
              .remark = untracked_words(c.target.untracked_left),
              .added = std::move(c.added),
              .source = std::move(c.source)};
  reply.text = [drawn = std::move(drawn)](const report::Look& look) { return drawn.text(look); };
  return reply;
}

Status check_options(const Request& request, const Asked& asked) {
  if (request.has("TARGET") && request.flag("staged"))
    return fail(Code::bad_argument, "give a TARGET or --staged, not both");
  if (request.has("files") && (request.has("TARGET") || request.flag("staged")))
    return fail(Code::bad_argument, "--files names what is judged: no TARGET, and no --staged");
  for (const char* option : {"strictness", "baseline"})
    if (request.has(option) && !asked.structure)
      return fail(
          Code::bad_argument,
          fmt::format("--{} is about the structure gate, and --gates leaves it out", option));
  return {};
}

}  // namespace

Result<Reply> check_change(const Request& request, Context& context) {
  return with_reports(request, context,
                      [](const Request& r, Context& c) { return check_as_ordered(r, c, {}); });
}

Result<Reply> check_as_ordered(const Request& request, Context& context,
                               const CheckOrders& orders) {
  if (request.has("proposal")) return check_proposal(request, context);
  GH_TRY(asked, asked_gates(request));
  GH_DO(check_options(request, asked));
  PatchAnswer answer{
      .started = context.env.now(), .started_ms = context.env.monotonic_ms(), .gate = "check"};
  answer.document.created_utc = to_string(answer.started);
  const std::string named = request.has("TARGET") ? request.text("TARGET") : "";
  const auto range = as_range(named);
  std::string submitted;
  if (!named.empty() && !range) {
    GH_TRY(bytes, read_submission(named, context));
    submitted = std::move(bytes);
  }
  auto session = open_patch_session(request, context, range ? range->first : "", orders.policy_at);
  if (!session) {
    if (!report::is_patch_fault(session.error().code)) return tl::make_unexpected(session.error());
    answer.outcome.error = session.error();
    return make_reply(std::move(answer), "", context);
  }
  // A git that waits for its hook holds the index that a recovery would have to write.
  if (context.given == nullptr) GH_DO(recover_landing(*session, context, false));
  Checking c{.request = request,
             .context = context,
             .asked = asked,
             .session = std::move(*session),
             .orders = orders};
  c.answer = std::move(answer);
  GH_TRY(config, orders.policy_at.empty() ? config_at(c.session.repo, c.session.base)
                                          : config_of(c.session.repo, orders.policy_at));
  c.config = std::move(config);
  // What was named or staged is what it is, whoever declared what; the work tree is seen through an
  // intent.
  const bool is_named = !named.empty() || request.flag("staged");
  if (!is_named) GH_DO(read_intents(c, false));
  GH_TRY(target, target_of(c, named, std::move(submitted)));
  c.target = std::move(target);
  if (is_named) GH_DO(read_intents(c, true));
  GH_DO(let_in(c.session, c.target, orders.approved));
  // Nothing but the patch gate can say what the bytes of a patch give.
  if (c.target.is_patch()) c.asked.patch = true;
  c.answer.document = document_context(c.session, c.answer.started);
  if (c.target.is_empty() && baseline_of(c).empty()) {
    // What the index hides, or holds and the disk does not, no diff shows.
    if (c.target.kind == TargetKind::work_tree) GH_DO(find_touched(c));
    if (c.touched.empty() && !has_new_powers(c)) return nothing_reply(c);
  }
  if (c.asked.patch && c.target.from_git() && c.target.bytes.empty()) {
    c.asked.patch = false;
    c.why_no_patch = "git shows no difference";
  }
  if (c.asked.patch) GH_DO(judge_patch(c));
  GH_DO(find_touched(c));
  judge_scope_of(c);
  GH_DO(judge_structure_of(c));
  judge_surface_of(c);
  return reply_of(c);
}

}  // namespace gh::ops
