#include "ops/check_structure.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "analysis/patch_answers.h"
#include "analysis/report_view.h"
#include "analysis/run_extract.h"
#include "base/digest.h"
#include "base/parallel.h"
#include "base/product.h"
#include "base/text.h"
#include "control/verify.h"
#include "ops/analysis_settings.h"
#include "ops/analyze_judgement.h"
#include "ops/change_text.h"
#include "ops/committed_baseline.h"
#include "ops/structure_reasons.h"
#include "patch/gates.h"
#include "report/analysis_findings.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using analysis::ComparedFinding;
using control::Profile;

constexpr std::size_t kShownSources = 50;
constexpr std::int64_t kContextLines = 1;

// ------------------------------------------------------------------------------------- two sides

/// The tree before the change, or after it.
struct Side {
  AnalysisRun run{};
  std::vector<analysis::RunInput> inputs{};
  RunJudgement judgement{};
  Value report{};
};

/// Settings as the base has them. Coverage is a file of nobody's tree, and so no part of this.
Result<AnalysisRun> settings_of(const StructureQuestion& q) {
  AnalysisRun out;
  policy::AnalysisPolicy policy = q.config.analysis;
  policy.coverage_xml.clear();
  policy.fail_on_untested_hotspots = false;
  out.policy = settled(std::move(policy));
  const policy::AnalysisPolicy& p = out.policy;
  GH_DO(analysis::check_golden_patterns(p.golden_fixture_paths));
  GH_TRY(baselines, committed_baselines(q.repo, q.base, p));
  out.baseline = std::move(baselines.clones);
  out.metrics_baseline = std::move(baselines.metrics);
  out.gates = gates_of(p);
  if (p.ci)
    out.gates = analysis::for_ci(
        out.gates, !p.skip_metrics && out.metrics_baseline.read.content.metrics.has_value());
  return out;
}

Status read_side(RunSource& source, const analysis::ReadFiles* known, Context& context, Side& out) {
  std::function<void(std::size_t, std::size_t)> progress;
  if (context.advance)
    progress = [&context](std::size_t done, std::size_t of) {
      context.advance("reading", done, of);
    };
  GH_TRY(project, read_project(source, out.run.policy, {.known = known, .progress = progress}));
  out.run.project = std::move(project);
  GH_TRY(inputs, source.inputs());
  out.inputs = std::move(inputs);
  std::ranges::sort(out.inputs, {}, &analysis::RunInput::path);
  return {};
}

analysis::ReadFiles read_files(const Side& side) {
  analysis::ReadFiles out;
  for (const analysis::AnalysedFile& file : side.run.project.files) {
    const auto at = std::ranges::lower_bound(side.inputs, file.path, {}, &analysis::RunInput::path);
    const bool was_read = file.facts.status != analysis::FileStatus::source_read_error;
    if (was_read && at != side.inputs.end() && at->path == file.path) out.add(at->blob, file);
  }
  return out;
}

void measure_side(Side& side) {
  AnalysisRun& run = side.run;
  run.findings = findings_of(run.project, run.policy);
  run.measures = analysis::measure(run.project, run.findings);
  run.health = analysis::health_of(run.measures);
  run.compatible = analysis::compatible_health_of(run.measures);
}

analysis::RunReport reported(Side& side) {
  side.judgement = judge(side.run);
  return analysis::run_report(side.run.project, side.run.findings, side.judgement.annotations,
                              static_cast<unsigned>(side.run.policy.jobs));
}

void report_side(Side& side) { side.report = analysis::whole_report(reported(side)); }

struct Sides {
  Side before{}, after{};
  bool differ() const {
    return analysis::inputs_digest(before.inputs) != analysis::inputs_digest(after.inputs);
  }
  /// Is there a baseline at the base? It is compared with everything that a side has.
  bool have_baseline() const {
    return !before.run.baseline.sha256.empty() || !before.run.metrics_baseline.sha256.empty();
  }
};

void report_whole(Sides& sides, unsigned jobs) {
  const std::function<void()> reporting[] = {[&] { report_side(sides.before); },
                                             [&] { report_side(sides.after); }};
  run_all(jobs, reporting);
}

/// The reports so far as they differ: those of a large project take ten times the room of its
/// sources.
Status report_differences(Sides& sides, unsigned jobs) {
  analysis::ExtractBytes before, after;
  const std::function<void()> extracting[] = {
      [&] { before = analysis::extract_bytes(reported(sides.before), sides.before.inputs); },
      [&] { after = analysis::extract_bytes(reported(sides.after), sides.after.inputs); }};
  run_all(jobs, extracting);
  const auto opened = [](const analysis::ExtractBytes& bytes) {
    return analysis::RunExtract::open(
        bytes.head, [&](std::size_t part, std::string_view) -> Result<std::string> {
          return bytes.parts.at(part);
        });
  };
  GH_TRY(then, opened(before));
  GH_TRY(now, opened(after));
  GH_TRY(pair, analysis::RunExtract::differences(then, now));
  sides.before.report = std::move(pair.before);
  sides.after.report = std::move(pair.after);
  return {};
}

/// A file that is the same on both sides is read once.
Status read_sides(const StructureQuestion& q, Context& context, Sides& out) {
  GH_TRY(settings, settings_of(q));
  out.before.run = settings;
  out.after.run = std::move(settings);
  const auto base = files_of_tree(q.repo, q.base.tree);
  context.progress("reading the base");
  GH_DO(read_side(*base, nullptr, context, out.before));
  const analysis::ReadFiles known = read_files(out.before);
  context.progress("reading what the change gives");
  return read_side(q.after, &known, context, out.after);
}

Status measure_sides(Sides& sides) {
  Side &before = sides.before, &after = sides.after;
  const auto jobs = static_cast<unsigned>(before.run.policy.jobs);
  const std::function<void()> measuring[] = {[&] { measure_side(before); },
                                             [&] { measure_side(after); }};
  run_all(jobs, measuring);
  // What the base has is no news to it.
  before.run.before = before.run.measures;
  after.run.before = before.run.measures;
  set_added_aside(after.run, before.run.project);
  if (!sides.have_baseline()) return report_differences(sides, jobs);
  report_whole(sides, jobs);
  return {};
}

// ----------------------------------------------------------------------------------- the verdict

std::vector<std::string> paths_of(const StructureQuestion& q) {
  std::vector<std::string> out;
  for (const control::ChangedFile& file : q.changed)
    out.push_back(file.path);
  std::ranges::sort(out);
  return out;
}

control::VerifyProfile for_verify(const control::ProfileFacts& profile) {
  return {.profile = std::string(to_string(profile.profile)),
          .after_run_required = profile.after_run_required,
          .structural = profile.structural_checks_applicable,
          .runs_see_it = profile.runs_see_it,
          .unread_links = profile.unread_links,
          .payload = control::profile_fields(profile)};
}

std::vector<std::string> told_gates(const Side& side) {
  std::vector<std::string> out;
  for (const analysis::GateReason& reason : side.judgement.annotations.gate_reasons)
    out.push_back(control::told(reason));
  return out;
}

control::Verification verified(const StructureQuestion& q, const control::ProfileFacts& profile,
                               const Sides& sides) {
  // Both runs were made for this question, so that neither can be stale or another one's.
  constexpr std::string_view kSame = "read here";
  const analysis::Baseline then =
      content_of(sides.before.run.baseline, sides.before.run.metrics_baseline);
  const auto facts_of = [&](const Side& side) {
    return control::RunFacts{.run_id = analysis::inputs_digest(side.inputs),
                             .report_digest = std::string(kSame),
                             .report = &side.report,
                             .baseline = sides.have_baseline() ? &then : nullptr};
  };
  control::VerifyFacts facts{.before = facts_of(sides.before),
                             .after = facts_of(sides.after),
                             .after_named = true,
                             .evidence_given = true,
                             .changed_files = paths_of(q),
                             .profile = for_verify(profile),
                             .strictness = *control::strictness_named(q.strictness),
                             .is_whole_delta = true,
                             .configured_before = told_gates(sides.before),
                             .configured_after = told_gates(sides.after)};
  // A link that was read leads to a file of the tree.
  std::erase_if(facts.profile.unread_links, [&](const std::string& path) {
    return std::ranges::any_of(sides.after.inputs, [&](const analysis::RunInput& input) {
      return utf8_or_escaped(input.path) == path;
    });
  });
  if (q.intent != nullptr)
    facts.intent = control::VerifyIntent{q.intent->id, std::string(to_string(IntentStatus::active)),
                                         std::string(kSame), q.intent->scope};
  return control::verify(facts);
}

// ------------------------------------------------------------------------------------ answers

struct SkippedRow {
  Profile profile;
  std::string_view why;
};
// table: profiles without a structural check
constexpr std::array<SkippedRow, 2> kSkipped{{
    {Profile::documentation_only, "not applicable: only documentation is changed"},
    {Profile::non_python_patch, "not applicable: no analysed source is changed"},
}};
constexpr std::string_view kNothingRead = "not applicable: no file that is analysed differs";

StructureAnswer skipped(std::string_view why) {
  return {.answer = {.part = {.gate = "structure", .why = std::string(why)}}};
}

/// Nothing that the analysis reads was changed; code that it leaves out may have been.
StructureAnswer unread_only(const StructureQuestion& q, const control::ProfileFacts& profile,
                            std::string_view why) {
  StructureAnswer out = skipped(why);
  const Value none;
  StructureReasons reasons(paths_of(q), none);
  reasons.add_left_out(profile.not_analysed);
  out.answer.reasons = std::move(reasons).take();
  return out;
}

StructureAnswer decided(std::string_view status, std::vector<Reason> reasons) {
  return {.answer = {.part = {.gate = "structure",
                              .ran = true,
                              .decision = decision_of(status),
                              .status = std::string(status)},
                     .reasons = std::move(reasons)}};
}

StructureAnswer protected_answer(const StructureQuestion& q) {
  std::vector<Reason> reasons;
  for (const control::ChangedFile& file : q.changed)
    if (!q.is_protection_told && control::is_state_artifact(file.path))
      reasons.push_back(
          {.id = std::string(rule_of("state_artifact_mutation")),
           .gate = "structure",
           .message =
               fmt::format("{} is protected: no change may carry it", printable(file.path, 160)),
           .path = file.path,
           .evidence = Map{{"rule", "state_artifact"}, {"code", "state_artifact_mutation"}},
           .next = {.kind = "human",
                    .why = std::string(control::next_step_for("state_artifact_mutation"))}});
  return decided(to_string(control::VerifyStatus::violated), std::move(reasons));
}

/// The changed files as they will be, for questions about copies.
analysis::Change change_of(const Sides& sides, const std::vector<std::string>& paths) {
  analysis::Change out;
  const auto file_at = [](const analysis::Project& project, const std::string& path) {
    const auto at =
        std::ranges::lower_bound(project.files, path, {}, &analysis::AnalysedFile::path);
    return at != project.files.end() && at->path == path ? &*at : nullptr;
  };
  for (const std::string& path : paths)
    if (const auto* file = file_at(sides.after.run.project, path))
      out.files.push_back(*file);
    else if (file_at(sides.before.run.project, path) != nullptr)
      out.deleted.push_back(path);
  return out;
}

void show_source(const StructureQuestion& q, const Side& after, StructureAnswer& out) {
  const auto& files = after.run.project.files;
  for (const Reason& reason : out.answer.reasons) {
    if (out.source.size() == kShownSources) return;
    const auto at = std::ranges::lower_bound(files, reason.path, {}, &analysis::AnalysedFile::path);
    if (reason.line < 1 || at == files.end() || at->path != reason.path) continue;
    if (const auto text = q.after.read({.path = reason.path}))
      out.source.emplace(std::pair(reason.path, reason.line),
                         report::source_around(*text, reason.line, kContextLines));
  }
}

Result<StructureAnswer> against_base(const StructureQuestion& q, control::ProfileFacts profile,
                                     Context& context) {
  Sides sides;
  GH_DO(read_sides(q, context, sides));
  if (!sides.differ()) return unread_only(q, profile, kNothingRead);
  context.progress("comparing");
  GH_DO(measure_sides(sides));
  GH_DO(check_contract(sides.after.run));
  control::add_unread(profile, paths_of(q), sides.before.report, sides.after.report);
  const control::Verification v = verified(q, profile, sides);
  const analysis::PatchIndex index(sides.before.run.project);
  const analysis::Change change = change_of(sides, paths_of(q));
  const analysis::PatchAnswers answers = analysis::patch_answers(index, change);
  StructureReasons reasons(paths_of(q), sides.after.report);
  reasons.add_verification(v, q.intent == nullptr ? "change" : "intent");
  reasons.add_answers(answers, v.intent_regressions);
  reasons.add_left_out(profile.not_analysed);
  reasons.add_health(v);
  StructureAnswer out = decided(to_string(v.status), std::move(reasons).take());
  show_source(q, sides.after, out);
  return out;
}

/// Groups of functions and blocks that the baseline does not hold.
std::vector<ComparedFinding> new_clones_in(const Value& report) {
  std::vector<ComparedFinding> out;
  for (const std::string_view kind : {"functions", "blocks"})
    for (const Value& group : analysis::list_in(report, {"findings", "groups", "clones", kind}))
      if (analysis::text_in(group, "novelty") == "new")
        out.push_back({.id = std::string(analysis::text_in(group, "id")),
                       .short_id = {},
                       .family = std::string(analysis::text_in(group, "family")),
                       .kind = std::string(analysis::text_in(group, "kind")),
                       .severity = std::string(analysis::text_in(group, "severity"))});
  return out;
}

/// Where a named baseline lies in this repository; nullopt: it lies elsewhere.
std::optional<std::string> place_in_repository(const git::Repo& repo, const std::string& named) {
  const std::size_t slash = named.rfind('/');
  const auto folder = sys::real_path(slash == named.npos ? "." : named.substr(0, slash + 1));
  const std::string below = repo.root() + "/";
  // First by its folder: a link that the change brings leads wherever the change likes.
  const std::string by_folder =
      folder ? *folder + "/" + (slash == named.npos ? named : named.substr(slash + 1)) : "";
  if (by_folder.starts_with(below)) return by_folder.substr(below.size());
  const auto whole = sys::real_path(named);
  if (whole && whole->starts_with(below)) return whole->substr(below.size());
  return std::nullopt;
}

/// A baseline of this repository is read as the base has it: a change brings none for its own
/// judgement.
Result<BaselineAt> named_baseline(const StructureQuestion& q, std::int64_t max_mb) {
  if (const auto place = place_in_repository(q.repo, q.baseline)) {
    GH_TRY(out, committed_baseline(q.repo, q.base, *place, max_mb));
    if (out.sha256.empty())
      return fail(Code::baseline_untrusted,
                  fmt::format("{} lies in this repository, and the base {} has no such file",
                              printable(*place, 200), q.base.id.hex().substr(0, 12)));
    return out;
  }
  GH_TRY(bytes, sys::read_named_file(q.baseline, (static_cast<std::size_t>(max_mb) << 20) + 1));
  return BaselineAt{.shown = q.baseline.substr(q.baseline.rfind('/') + 1),
                    .path = q.baseline,
                    .read = analysis::read_baseline(bytes, max_mb),
                    .sha256 = digest_of(bytes).hex()};
}

/// These files of a source and no others.
class Few final : public analysis::FileSource {
 public:
  Few(analysis::FileSource& inner, std::vector<std::string> paths)
      : inner_(inner), paths_(std::move(paths)) {}
  Result<std::vector<analysis::SourceEntry>> list() override {
    GH_TRY(all, inner_.list());
    std::erase_if(all, [&](const analysis::SourceEntry& entry) {
      return !std::ranges::binary_search(paths_, utf8_or_escaped(entry.path));
    });
    return std::move(all);
  }
  Result<std::string> read(const analysis::SourceEntry& entry) override {
    return inner_.read(entry);
  }

 private:
  analysis::FileSource& inner_;
  std::vector<std::string> paths_;  // sorted, as reports name them
};

/// Changed files that can be read less well than at the base: a baseline says nothing of that.
Result<std::vector<ComparedFinding>> unread_by_change(const StructureQuestion& q,
                                                      const Value& report) {
  const std::vector<std::string> changed = paths_of(q);
  const auto is_changed = [&](const std::string& path) {
    return std::ranges::binary_search(changed, path);
  };
  std::vector<std::string> unread;
  for (const std::string_view list : {"partial", "unread"})
    for (const Value& file : analysis::list_in(report, {"inventory", "files", list}))
      if (std::string path(analysis::text_in(file, "path")); is_changed(path))
        unread.push_back(std::move(path));
  std::vector<ComparedFinding> out;
  if (unread.empty()) return out;
  std::ranges::sort(unread);
  Side before;
  GH_TRY(settings, settings_of(q));
  before.run = std::move(settings);
  const auto base = files_of_tree(q.repo, q.base.tree);
  Few few(*base, unread);
  GH_TRY(project, read_project(few, before.run.policy, {}));
  before.run.project = std::move(project);
  measure_side(before);
  report_side(before);
  analysis::RunComparison compared =
      analysis::compare_runs({.run_id = "", .root = "", .report = before.report},
                             {.run_id = "", .root = "", .report = report});
  for (ComparedFinding& finding : compared.regressions)
    if (!finding.unread.empty() && is_changed(finding.paths.front()))
      out.push_back(std::move(finding));
  return out;
}

/// --baseline: the tree as it will be, against a file that its owner agreed to.
Result<StructureAnswer> against_baseline(const StructureQuestion& q, Context& context) {
  Side side;
  GH_TRY(settings, settings_of(q));
  side.run = std::move(settings);
  GH_TRY(baseline, named_baseline(q, side.run.policy.max_baseline_size_mb));
  side.run.baseline = std::move(baseline);
  side.run.metrics_baseline = side.run.baseline;
  side.run.gates.fail_on_new = true;
  context.progress("reading the tree");
  GH_DO(read_side(q.after, nullptr, context, side));
  measure_side(side);
  GH_DO(check_contract(side.run));
  report_side(side);
  const std::vector<analysis::GateReason>& gates = side.judgement.annotations.gate_reasons;
  StructureReasons reasons(paths_of(q), side.report);
  GH_TRY(unread, unread_by_change(q, side.report));
  reasons.add_regressions(unread, "change", Severity::error);
  reasons.add_regressions(new_clones_in(side.report), "baseline", Severity::error);
  for (const analysis::GateReason& gate : gates)
    reasons.add({.id = "gate_failures",
                 .message = printable(fmt::format("{}: {}", gate.key, gate.message), 240),
                 .evidence = Map{{"gate", gate.key}, {"baseline", side.run.baseline.sha256}},
                 .next = explained(gate.key, "Fix what is new; the baseline stays."),
                 .context = gate.key});
  StructureAnswer out =
      decided(to_string(gates.empty() && unread.empty() ? control::VerifyStatus::accepted
                                                        : control::VerifyStatus::violated),
              std::move(reasons).take());
  show_source(q, side, out);
  return out;
}

}  // namespace

Result<StructureAnswer> judge_structure(const StructureQuestion& q, Context& context) {
  if (!q.baseline.empty()) return against_baseline(q, context);
  const control::ProfileFacts profile = control::profile_of(q.changed);
  if (profile.state_artifact_touched) return protected_answer(q);
  if (!profile.after_run_required)
    return unread_only(q, profile,
                       std::ranges::find(kSkipped, profile.profile, &SkippedRow::profile)->why);
  return against_base(q, profile, context);
}

}  // namespace gh::ops
