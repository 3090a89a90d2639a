#include "analysis/blast_radius.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "analysis/project.h"
#include "analysis/report_view.h"

namespace gh::analysis {
namespace {

using Paths = std::set<std::string, std::less<>>;
using Texts = std::vector<std::string>;

// table: blast lanes
constexpr std::array<std::string_view, kBlastLaneCount> kLanes{
    "imports",      "clone_cohorts",  "coverage", "risk_signals",
    "do_not_touch", "review_context", "cycles"};
// table: radius levels
constexpr std::array<std::string_view, 3> kLevels{"low", "medium", "high"};
constexpr std::size_t kMediumFrom = 1, kHighFrom = 6;
// table: state artifacts
constexpr std::array<std::string_view, 7> kStateArtifacts{
    "gatehouse.baseline.json", "gatehouse.release-baseline*", ".gatehouse/**",
    ".agents-shipgate/**",     "codeclone.baseline.json",     ".codeclone/**",
    ".cache/codeclone/**"};
// table: clone lists of a cohort
constexpr std::array<std::string_view, 3> kCloneLists{"functions", "blocks", "segments"};

struct EntryKind {
  std::string_view category, severity, reason;
};
// clang-format off
// table: blast boundaries
constexpr EntryKind
    kState     {"baseline_or_generated_state", "hard",               "holds state or decisions; only its own command writes it"},
    kForbidden {"explicit_forbidden",          "hard",               "declared as forbidden"},
    kNotAllowed{"affected_but_not_allowed",    "requires_expansion", "concerned, but outside of the declared scope"},
    kDebt      {"known_baseline_debt",         "context",            "carries findings that the baseline knows"},
    kGolden    {"golden_fixture_surface",      "context",            "belongs to clones that are kept on purpose"},
    kSecurity  {"security_boundary_context",   "context",            "touches a security surface"},
    kReportOnly{"report_only_context",         "context",            "an overloaded module"};
// table: blast guardrails
constexpr Guardrail
    kReviewDependents{"review_dependents",                "look at the files that depend on the change"},
    kCohortIsContext {"clone_cohort_is_context",          "files that share code are to be looked at, not to be edited without need"},
    kHighRadius      {"high_radius_needs_human_approval", "so many files are concerned that a person should agree first"},
    kNeedsApproval   {"do_not_touch_needs_approval",      "what is not to be touched needs a person's word"};
// clang-format on

std::string candidate_path(std::string_view module) {
  std::string out(module);
  std::ranges::replace(out, '.', '/');
  return out + ".py";
}

Paths texts_of(const List& list) {
  Paths out;
  for (const Value& value : list)
    if (value.as_string() != nullptr) out.insert(*value.as_string());
  return out;
}

/// Files of each clone group, of those that count or of those that were set aside.
std::vector<Paths> clone_groups(const Value& report, bool suppressed) {
  std::vector<Paths> out;
  const auto add = [&](const List& groups) {
    for (const Value& group : groups) {
      const Texts paths = paths_of(group);
      if (text_in(group, "source") != "inline") out.emplace_back(paths.begin(), paths.end());
    }
  };
  for (const std::string_view name : kCloneLists)
    if (suppressed)
      add(list_in(report, {"findings", "groups", "clones", "suppressed", name}));
    else
      add(list_in(report, {"findings", "groups", "clones", name}));
  return out;
}

class Blast {
 public:
  Blast(const Value& report, const BlastQuestion& question)
      : report_(report),
        question_(question),
        modules_(report),
        origin_(question.files.begin(), question.files.end()) {}

  BlastRadius run() {
    follow_imports();
    find_cohort();
    zone_ = origin_;
    for (const Paths* part : {&direct_, &transitive_, &cohort_})
      zone_.insert(part->begin(), part->end());
    out_.origin = sorted(origin_);
    out_.transitive = question_.transitive;
    out_.direct_dependents = sorted(direct_);
    out_.transitive_dependents = sorted(transitive_);
    out_.clone_cohort_members = sorted(cohort_);
    out_.level = radius_level(direct_.size() + cohort_.size());
    find_cycles();
    find_risks();
    draw_boundaries();
    find_context();
    add_guardrails();
    leave_out();
    return std::move(out_);
  }

 private:
  static Texts sorted(const Paths& paths) { return {paths.begin(), paths.end()}; }
  using Importers = std::map<std::string, Paths, std::less<>>;  // module -> files that import it

  Importers importers() const {
    Importers out;
    for (const Value& edge : metric_items(report_, "dependencies")) {
      Paths& files = out[std::string(text_in(edge, "target"))];
      Paths named = texts_of(list_in(edge, {"paths"}));
      if (named.empty())
        for (std::string& path : modules_.files_of(text_in(edge, "source")))
          named.insert(std::move(path));
      files.merge(named);
    }
    return out;
  }

  void follow_imports() {
    const Importers importers = this->importers();
    Paths ring = origin_;
    std::set<std::string> seen;  // modules
    for (bool is_first = true; !ring.empty(); is_first = false) {
      Paths next;
      for (const std::string& path : ring) {
        const std::string& module = modules_.module_of(path);
        const auto found = importers.find(module);
        if (module.empty() || !seen.insert(module).second || found == importers.end()) continue;
        for (const std::string& file : found->second)
          if (!origin_.contains(file) && !direct_.contains(file) && !transitive_.contains(file))
            next.insert(file);
      }
      (is_first ? direct_ : transitive_).insert(next.begin(), next.end());
      if (is_first && !question_.transitive) return;
      ring = std::move(next);
    }
  }

  void find_cohort() {
    for (const Paths& group : clone_groups(report_, false)) {
      const bool is_ours = std::ranges::any_of(
          group, [&](const std::string& path) { return origin_.contains(path); });
      if (!is_ours) continue;
      for (const std::string& path : group)
        if (!origin_.contains(path)) cohort_.insert(path);
    }
  }

  void find_cycles() {
    Paths members;
    for (const Value& cycle : list_in(report_, {"metrics", "families", "dependencies", "cycles"}))
      members.merge(texts_of(list_in(cycle, {"members"})));
    for (const std::string& path : origin_)
      if (const std::string& module = modules_.module_of(path);
          !module.empty() && members.contains(module))
        out_.in_dependency_cycle.push_back(path);
  }

  template <class Wanted>
  Texts in_zone(std::string_view family, Wanted&& is_wanted) const {
    Paths out;
    for (const Value& item : metric_items(report_, family))
      if (const std::string_view path = text_in(item, "relative_path");
          zone_.contains(path) && is_wanted(item))
        out.emplace(path);
    return sorted(out);
  }
  static bool is_true(const Value& item, std::string_view key) {
    const Value* value = member(item, {key});
    return value != nullptr && value->as_bool() != nullptr && *value->as_bool();
  }
  static bool is_candidate(const Value& item) {
    return text_in(item, "candidate_status") == "candidate";
  }

  void find_risks() {
    const auto is_high = [](const Value& item) { return text_in(item, "risk") == "high"; };
    out_.high_complexity = in_zone("complexity", is_high);
    out_.high_coupling = in_zone("coupling", is_high);
    out_.low_coverage = in_zone("coverage_join", [](const Value& item) {
      return is_true(item, "coverage_hotspot") || is_true(item, "scope_gap_hotspot");
    });
    out_.overloaded = in_zone("overloaded_modules", is_candidate);
  }

  /// A path that is told already keeps its first entry.
  void forbid(std::string path, const EntryKind& kind) {
    if (std::ranges::find(out_.do_not_touch, path, &BlastEntry::path) == out_.do_not_touch.end())
      out_.do_not_touch.push_back({std::move(path), kind.reason, kind.category, kind.severity});
  }

  void draw_boundaries() {
    for (const std::string_view pattern : kStateArtifacts)
      forbid(std::string(pattern), kState);
    for (const std::string& pattern : question_.forbidden)
      forbid(pattern, kForbidden);
    if (question_.allowed)
      for (const std::string& path : zone_)
        if (std::ranges::find(*question_.allowed, path) == question_.allowed->end())
          forbid(path, kNotAllowed);
    std::ranges::sort(out_.do_not_touch, {}, &BlastEntry::path);
  }

  void note(const Texts& paths, const EntryKind& kind, bool and_origin) {
    for (const std::string& path : paths) {
      if (!zone_.contains(path) || (!and_origin && origin_.contains(path))) continue;
      const bool is_forbidden =
          std::ranges::find(out_.do_not_touch, path, &BlastEntry::path) != out_.do_not_touch.end();
      if (!is_forbidden)
        out_.review_context.push_back({path, kind.reason, kind.category, kind.severity});
    }
  }

  void find_context() {
    Paths debt, golden;
    for (const Value* group : finding_groups(report_))
      if (text_in(*group, "novelty") == "known")
        for (std::string& path : paths_of(*group))
          debt.insert(std::move(path));
    for (Paths& group : clone_groups(report_, true))
      golden.merge(group);
    note(sorted(debt), kDebt, false);
    note(sorted(golden), kGolden, true);
    note(in_zone("security_surfaces", [](const Value&) { return true; }), kSecurity, false);
    note(in_zone("overloaded_modules", is_candidate), kReportOnly, false);
    std::ranges::sort(out_.review_context, [](const BlastEntry& a, const BlastEntry& b) {
      return std::tie(a.path, a.category, a.reason) < std::tie(b.path, b.category, b.reason);
    });
  }

  void add_guardrails() {
    out_.guardrails = {kReviewDependents, kCohortIsContext};
    if (out_.level == RadiusLevel::high) out_.guardrails.push_back(kHighRadius);
    if (!out_.do_not_touch.empty()) out_.guardrails.push_back(kNeedsApproval);
  }

  void leave_out() {
    const auto is_out = [&](BlastLane lane) {
      return question_.include && !question_.include->contains(lane);
    };
    if (is_out(BlastLane::imports)) out_.direct_dependents = out_.transitive_dependents = {};
    if (is_out(BlastLane::clone_cohorts)) out_.clone_cohort_members = {};
    if (is_out(BlastLane::coverage)) out_.low_coverage = {};
    if (is_out(BlastLane::risk_signals))
      out_.high_complexity = out_.high_coupling = out_.overloaded = {};
    if (is_out(BlastLane::do_not_touch)) out_.do_not_touch = {};
    if (is_out(BlastLane::review_context)) out_.review_context = {};
    if (is_out(BlastLane::cycles)) out_.in_dependency_cycle = {};
  }

  const Value& report_;
  const BlastQuestion& question_;
  ModuleFiles modules_;
  Paths origin_, direct_{}, transitive_{}, cohort_{}, zone_{};
  BlastRadius out_{};
};

}  // namespace

std::string_view to_string(BlastLane lane) { return kLanes[static_cast<std::size_t>(lane)]; }
std::string_view to_string(RadiusLevel level) { return kLevels[static_cast<std::size_t>(level)]; }

RadiusLevel radius_level(std::size_t concerned) {
  if (concerned >= kHighFrom) return RadiusLevel::high;
  return concerned >= kMediumFrom ? RadiusLevel::medium : RadiusLevel::low;
}

std::string module_at(const std::string& path) {
  const auto language = syntax::language_of_path(path);
  return language ? module_of(AnalysedFile{.path = path, .language = *language}) : std::string();
}

ModuleFiles::ModuleFiles(const Value& report) {
  for (const Value& item : list_in(report, {"inventory", "file_registry", "items"})) {
    if (item.as_string() == nullptr) continue;
    const std::string& path = *item.as_string();
    std::string module = module_at(path);
    files_[module].push_back(path);
    modules_.emplace(path, std::move(module));
  }
}

ModuleFiles::ModuleFiles(const std::vector<std::string>& paths,
                         const std::set<std::string, std::less<>>& modules) {
  for (const std::string& path : paths) {
    std::string module = module_at(path);
    if (!modules.contains(module)) continue;
    files_[module].push_back(path);
    modules_.emplace(path, std::move(module));
  }
}

const std::string& ModuleFiles::module_of(const std::string& path) const {
  static const std::string none;
  const auto found = modules_.find(path);
  return found == modules_.end() ? none : found->second;
}

std::vector<std::string> ModuleFiles::files_of(std::string_view module) const {
  const auto found = files_.find(module);
  return found == files_.end() ? Texts{candidate_path(module)} : found->second;
}

std::vector<std::string_view> state_artifacts() {
  return {kStateArtifacts.begin(), kStateArtifacts.end()};
}

BlastRadius blast_radius(const Value& report, const BlastQuestion& question) {
  return Blast(report, question).run();
}

}  // namespace gh::analysis
