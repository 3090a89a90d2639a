#include "ops/amended_analysis.h"

#include <algorithm>
#include <array>
#include <atomic>

#include <fmt/format.h>

#include "analysis/amend.h"
#include "analysis/known_facts.h"
#include "analysis/manifests.h"
#include "analysis/report_view.h"
#include "base/text.h"
#include "ops/analysis_settings.h"
#include "ops/kept_runs.h"
#include "ops/run_text.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using analysis::AnalysedFile;
using analysis::ChangedFile;
using analysis::KeptRun;
using analysis::RunInput;
using analysis::SourceEntry;

constexpr std::size_t kMaxChanged = 64;  // more of them are a run of their own

/// Takes one line of inputs_text.
struct KeptInput {
  std::string_view path, mode, blob;

  static std::optional<KeptInput> take(std::string_view& text) {
    const std::size_t zero = text.find('\0'), end = text.find('\n', std::min(zero, text.size()));
    const std::size_t space = text.find(' ', std::min(zero, text.size()));
    if (end == std::string_view::npos || space > end) return std::nullopt;
    const KeptInput out{text.substr(0, zero), text.substr(zero + 1, space - zero - 1),
                        text.substr(space + 1, end - space - 1)};
    text.remove_prefix(end + 1);
    return out;
  }
};

/// One that is another one than before, or not there on one side: then without a path.
using InputPair = std::pair<RunInput, RunInput>;

/// nullopt when a file became something else, or when too many are other ones.
std::optional<std::vector<InputPair>> changed_inputs(std::string_view before,
                                                     const std::vector<RunInput>& after) {
  std::vector<InputPair> out;
  auto then = KeptInput::take(before);
  auto now = after.begin();
  while (then || now != after.end()) {
    const bool is_gone = then && (now == after.end() || then->path < now->path);
    const bool is_new = !then || (now != after.end() && now->path < then->path);
    if (!is_gone && now->blob.empty()) return std::nullopt;
    if (!is_gone && !is_new && then->mode != now->mode) return std::nullopt;
    if (is_gone || is_new || then->blob != now->blob) {
      if (out.size() == kMaxChanged) return std::nullopt;
      InputPair& pair = out.emplace_back();
      if (!is_new)
        pair.first = {std::string(then->path), std::string(then->mode), std::string(then->blob)};
      if (!is_gone) pair.second = *now;
    }
    if (!is_new) then = KeptInput::take(before);
    if (!is_gone) ++now;
  }
  if (!before.empty() || out.empty()) return std::nullopt;
  return out;
}

/// These files alone.
class Only final : public analysis::FileSource {
 public:
  Only(analysis::FileSource& inner, std::vector<SourceEntry> entries)
      : inner_(inner), entries_(std::move(entries)) {}
  Result<std::vector<SourceEntry>> list() override { return entries_; }
  Result<std::string> read(const SourceEntry& entry) override { return inner_.read(entry); }
  std::string id_of(const SourceEntry& entry) override { return inner_.id_of(entry); }

 private:
  analysis::FileSource& inner_;
  std::vector<SourceEntry> entries_;
};

bool is_cpp(std::string_view path) {
  return syntax::language_of_path(path) == syntax::Language::cpp;
}

/// Whether a header is C++ depends on what else there is.
bool has_cpp(const KeptRun& kept) {
  for (std::size_t f = 0; f < kept.path_ends.size(); ++f)
    if (is_cpp(kept.path(f))) return true;
  return false;
}

/// Text of what no change touched as it was kept, and of what was made again anew.
struct LastingParts {
  LastingText text{};
  LastingLines lines{};
};

LastingParts parts_of(const Value& kept, const analysis::AmendedRun& amended) {
  const auto part = [&](std::string_view key) {
    const Value* found = analysis::member(kept, {key});
    return found == nullptr ? report::Styled() : report::Styled::from_value(*found);
  };
  const auto line = [&](std::string_view key) { return std::string(analysis::text_in(kept, key)); };
  LastingParts out{
      .text = {part("unclear"), part("modules"), part("reach"), part("clones"), part("rest")},
      .lines = {line("partial"), line("clone_line"), line("dependency_line"),
                line("security_line")}};
  if (amended.dependencies) {
    out.text.modules = modules_text(*amended.dependencies);
    out.lines.dependencies = dependency_line(*amended.dependencies);
  }
  if (amended.surfaces) {
    out.text.reach = reach_text(*amended.surfaces);
    out.lines.security = security_line(*amended.surfaces);
  }
  if (amended.clones) {
    out.text.clones = clones_text(*amended.clones->project, amended.clones->findings);
    const std::size_t groups =
        amended.measures.clones.functions.size() + amended.measures.clones.blocks.size();
    out.lines.clones = clone_line(amended.measures.clones, amended.clones->findings, groups);
  }
  return out;
}

class Amendment {
 public:
  Amendment(Scope& scope, AnalysisRun& run, RememberedRun& memory, std::vector<RunInput> inputs)
      : scope_(scope),
        run_(run),
        memory_(memory),
        profile_(profile_of(run.policy)),
        inputs_(std::move(inputs)) {}

  std::optional<AmendedAnalysis> make(std::string_view& why_not) {
    why_not = "too many files changed, or one that governs others";
    if (!read_changes()) return std::nullopt;
    const analysis::GoldenFixtures golden = golden_of(run_.policy);
    auto amended = analysis::amend(memory_.kept, changes_,
                                   {profile_, golden, [&] { return whole(); },
                                    [&](std::string_view path) { return facts_at(path); }},
                                   why_not);
    if (!amended) return std::nullopt;
    const auto lasting = wire::read_own_json(memory_.lasting, "a kept text");
    if (!lasting || !tell_worst()) return std::nullopt;
    text_.files = memory_.kept.path_ends.size();
    text_.lines = memory_.kept.lines;
    text_.functions = memory_.kept.units;
    text_.files_analysed = amended->measures.files_analysed;
    text_.health = amended->health;
    text_.compatible = amended->compatible;
    text_.complexity = amended->measures.complexity;
    tell_classes(text_, amended->measures);
    tell_dead(text_, dead_items(memory_.kept));
    text_.digest = analysis::stated_digest(amended->report);
    text_.run_id = analysis::run_id_of(amended->report, inputs_, run_.baseline.sha256);
    AmendedAnalysis out{.run_id = text_.run_id,
                        .base_run_id = std::string(memory_.run_id),
                        .inputs = std::move(inputs_),
                        .changed = std::move(changed_)};
    const LastingParts parts = parts_of(*lasting, *amended);
    out.told.whole = analysis_text(text_, parts.text);
    out.told.brief.add(short_text(amended->measures, amended->health, parsed_, parts.lines));
    out.run = std::move(*amended);
    return out;
  }

 private:
  /// Everything as it is now; nullopt when that is not what was found before.
  std::optional<analysis::Project> whole() {
    auto project = read_project(*scope_.files, run_.policy,
                                {.store = run_.cache->is_of_use() ? run_.cache.get() : nullptr});
    const auto inputs = scope_.files->inputs();
    if (!project || !inputs || inputs_text(*inputs) != inputs_text(inputs_)) return std::nullopt;
    return std::move(*project);
  }

  bool read_changes() {
    const auto all = changed_inputs(memory_.inputs, inputs_);
    if (!all) return false;
    for (const InputPair& pair : *all)
      if (!read_before(pair)) return false;
    return read_after();
  }

  /// What was known of it, and whether it came, went or changed. False for one that others depend
  /// on as a whole: a manifest, or a file that decides what the language of headers is.
  bool read_before(const InputPair& pair) {
    const auto& [then, now] = pair;
    const std::string& path = then.path.empty() ? now.path : then.path;
    const auto file = file_named(memory_.kept, path);
    const bool is_added = then.path.empty(), is_gone = now.path.empty();
    changed_.push_back(pair);
    if (analysis::is_manifest(path) || path.ends_with("go.mod")) return false;
    if (!file && !is_analysed(path)) return true;  // it governs people, and no analysis
    if (file.has_value() == is_added || ((is_added || is_gone) && is_cpp(path))) return false;
    ChangedFile& change = changes_.emplace_back();
    change.fate = is_added  ? analysis::FileFate::added
                  : is_gone ? analysis::FileFate::removed
                            : analysis::FileFate::edited;
    change.after.path = path;
    if (is_added) return true;
    const auto language = static_cast<syntax::Language>(memory_.kept.languages[*file]);
    auto before = analysis::KnownFacts(run_.cache.get()).find(then.blob, language);
    if (!before) return false;
    change.before = {path, language, std::move(*before)};
    return true;
  }

  bool is_analysed(const std::string& path) const {
    return syntax::language_of_path(path).has_value() && !analysis::is_excluded(path) &&
           is_chosen_by(run_.policy, path);
  }

  bool read_after() {
    std::vector<SourceEntry> entries;
    for (const ChangedFile& change : changes_)
      if (change.fate != analysis::FileFate::removed)
        entries.push_back({.path = change.after.path});
    Only source(*scope_.files, std::move(entries));
    std::atomic<std::uint64_t> parsed{0};
    auto project = analysis::analyse(source, {.profile = profile_,
                                              .jobs = 1,
                                              .store = run_.cache.get(),
                                              .has_cpp = has_cpp(memory_.kept),
                                              .parsed = &parsed});
    if (!project) return false;
    parsed_ = parsed;
    auto read = project->files.begin();
    for (ChangedFile& change : changes_) {
      if (change.fate == analysis::FileFate::removed) continue;
      if (read == project->files.end() || read->path != change.after.path) return false;
      change.after = std::move(*read++);
      if (change.fate == analysis::FileFate::edited &&
          change.after.language != change.before.language)
        return false;
      // Of what was read just now.
      RunInput& input = *std::ranges::lower_bound(inputs_, change.after.path, {}, &RunInput::path);
      input.blob = source.id_of({.path = input.path});
      if (input.blob.empty()) return false;
      std::ranges::find(changed_, input.path, [](const InputPair& pair) {
        return pair.second.path;
      })->second = input;
    }
    return read == project->files.end();
  }

  /// By complexity, then in the order of the files.
  bool tell_worst() {
    struct Unit {
      std::uint16_t complexity;
      std::uint32_t file, unit;
    };
    const KeptRun& kept = memory_.kept;
    std::vector<Unit> worst;  // at most kShownInText, the worst first
    text_.threshold = profile_.design_complexity;
    for (std::uint32_t f = 0, i = 0; f < kept.unit_ends.size(); ++f)
      for (std::uint32_t u = 0; i < kept.unit_ends[f]; ++i, ++u) {
        const std::uint16_t cc = kept.complexity[i];
        text_.above += cc > text_.threshold ? 1 : 0;
        if (cc == 0 || (worst.size() == kShownInText && worst.back().complexity >= cc)) continue;
        if (worst.size() == kShownInText) worst.pop_back();
        const auto at =
            std::ranges::upper_bound(worst, cc, std::ranges::greater(), &Unit::complexity);
        worst.insert(at, {cc, f, u});
      }
    return std::ranges::all_of(worst, [&](const Unit& unit) { return tell(unit.file, unit.unit); });
  }

  bool tell(std::uint32_t f, std::uint32_t u) {
    const auto file = facts_of(f);
    if (!file || u >= file->facts.units.size()) return false;
    const analysis::Project one{.files = {*file}};
    const analysis::UnitFact& unit = file->facts.units[u];
    text_.worst.push_back({unit.complexity.cyclomatic, analysis::qualname_of(one, {0, u}),
                           place_text(file->path, unit.start_line)});
    return true;
  }

  std::optional<AnalysedFile> facts_of(std::uint32_t f) const {
    for (const ChangedFile& change : changes_)
      if (change.here().path == memory_.kept.path(f)) return change.after;
    return facts_at(memory_.kept.path(f));
  }

  /// Of a file that is as it was.
  std::optional<AnalysedFile> facts_at(std::string_view named) const {
    const std::string path(named);
    const auto file = file_named(memory_.kept, path);
    const auto input = std::ranges::lower_bound(inputs_, path, {}, &RunInput::path);
    if (!file || input == inputs_.end() || input->path != path) return std::nullopt;
    const auto language = static_cast<syntax::Language>(memory_.kept.languages[*file]);
    auto facts = analysis::KnownFacts(run_.cache.get()).find(input->blob, language);
    if (!facts) return std::nullopt;
    return AnalysedFile{path, language, std::move(*facts)};
  }

  Scope& scope_;
  AnalysisRun& run_;
  RememberedRun& memory_;
  analysis::Profile profile_;
  std::vector<RunInput> inputs_;
  std::vector<ChangedFile> changes_{};
  std::vector<InputPair> changed_{};  // the same, as inputs
  std::uint64_t parsed_ = 0;
  ChangingText text_{};
};

struct PartName {
  bool analysis::PartsTouched::*part;
  std::string_view name;
};
// table: parts made again
constexpr std::array<PartName, 5> kParts{{{&analysis::PartsTouched::clones, "clones"},
                                          {&analysis::PartsTouched::imports, "imports"},
                                          {&analysis::PartsTouched::surfaces, "surfaces"},
                                          {&analysis::PartsTouched::hotspots, "limits"},
                                          {&analysis::PartsTouched::life, "dead code"}}};

bool is_kept_by(const AnalysisRun& run) {
  const policy::AnalysisPolicy& p = run.policy;
  return !p.skip_metrics && !p.skip_dependencies && !p.skip_dead_code && !p.api_surface &&
         run.baseline.read.trust == analysis::Trust::missing &&
         run.metrics_baseline.read.trust == analysis::Trust::missing;
}

}  // namespace

std::optional<AmendedAnalysis> amended_analysis(Scope& scope, AnalysisRun& run,
                                                const RunMemory& memory,
                                                std::vector<RunInput> inputs,
                                                std::string_view& why_not) {
  why_not = "by these settings nothing is kept";
  if (!is_kept_by(run)) return std::nullopt;
  why_not = "no earlier run is remembered";
  auto remembered = memory.find();
  if (!remembered) return std::nullopt;
  return Amendment(scope, run, remembered->run, std::move(inputs)).make(why_not);
}

std::string amended_text(const AmendedAnalysis& amended) {
  std::vector<std::string> parts;
  for (const PartName& part : kParts)
    if (amended.run.made_again.*part.part) parts.emplace_back(part.name);
  return fmt::format("amended: {} changed{}{}", counted_text(amended.changed.size(), "file"),
                     parts.empty() ? "" : "; made again: ", join(parts, ", "));
}

void remember_run(const RunMemory& memory, const ToldRun& told, const FinishedRun& finished,
                  const analysis::RunDigests& digests) {
  const AnalysisRun& run = told.run;
  if (!is_kept_by(run) || !run.cache->uses()) return;
  auto kept = analysis::kept_run(run.project, run.findings, run.measures, finished.report, digests,
                                 *run.cache->uses());
  if (!kept) return;
  const LastingText text = lasting_text(told);
  const LastingLines lines = lasting_lines(run, told.judgement);
  const Map lasting{{"unclear", text.unclear.to_value()}, {"modules", text.modules.to_value()},
                    {"reach", text.reach.to_value()},     {"clones", text.clones.to_value()},
                    {"rest", text.rest.to_value()},       {"partial", lines.partial},
                    {"clone_line", lines.clones},         {"dependency_line", lines.dependencies},
                    {"security_line", lines.security}};
  const std::string inputs = inputs_text(finished.inputs), texts = wire::canonical_json(lasting);
  memory.keep({finished.run_id, inputs, texts, std::move(*kept)});
}

}  // namespace gh::ops
