#include "ops/amended_analysis.h"

#include <algorithm>
#include <atomic>

#include "analysis/amend.h"
#include "analysis/known_facts.h"
#include "analysis/report_view.h"
#include "ops/analysis_settings.h"
#include "ops/kept_runs.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using analysis::AnalysedFile;
using analysis::ChangedFile;
using analysis::KeptRun;
using analysis::RunInput;
using analysis::SourceEntry;

constexpr std::size_t kMaxChanged = 16;  // more of them are a run of their own

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

/// nullopt when a file came, went or became something else, or when too many are other ones.
std::optional<std::vector<RunInput>> changed_inputs(std::string_view before,
                                                    const std::vector<RunInput>& after) {
  std::vector<RunInput> out;  // as they were
  for (const RunInput& now : after) {
    const auto then = KeptInput::take(before);
    if (!then || then->path != now.path || then->mode != now.mode || now.blob.empty())
      return std::nullopt;
    if (then->blob == now.blob) continue;
    if (out.size() == kMaxChanged) return std::nullopt;
    out.push_back({now.path, now.mode, std::string(then->blob)});
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

/// The number of a file; nullopt when it is none that was analysed.
std::optional<std::uint32_t> file_named(const KeptRun& kept, std::string_view path) {
  std::uint32_t low = 0, high = static_cast<std::uint32_t>(kept.path_ends.size());
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (kept.path(middle) < path)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == kept.path_ends.size() || kept.path(low) != path) return std::nullopt;
  return low;
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
    why_not = "files came or went, or many changed";
    if (!read_changes()) return std::nullopt;
    auto amended = analysis::amend(memory_.kept, changes_, profile_, why_not);
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
    const auto part = [&](std::string_view key) {
      const Value* found = analysis::member(*lasting, {key});
      return found == nullptr ? report::Styled() : report::Styled::from_value(*found);
    };
    const auto line = [&](std::string_view key) {
      return std::string(analysis::text_in(*lasting, key));
    };
    AmendedAnalysis out{.run_id = text_.run_id,
                        .base_run_id = memory_.run_id,
                        .inputs = std::move(inputs_),
                        .changed = std::move(changed_)};
    out.told.whole = analysis_text(text_, {part("unclear"), part("modules"), part("rest")});
    out.told.brief.add(short_text(amended->measures, amended->health, parsed_,
                                  {line("partial"), line("clones"), line("reach")}));
    out.run = std::move(*amended);
    return out;
  }

 private:
  bool read_changes() {
    std::vector<SourceEntry> entries;
    const analysis::KnownFacts known(run_.cache.get());
    const auto all = changed_inputs(memory_.inputs, inputs_);
    if (!all) return false;
    for (const RunInput& changed : *all) {
      const auto file = file_named(memory_.kept, changed.path);
      if (!file) return false;
      const auto language = static_cast<syntax::Language>(memory_.kept.languages[*file]);
      auto before = known.find(changed.blob, language);
      if (!before) return false;
      changes_.push_back({*file, {changed.path, language, std::move(*before)}, {}});
      entries.push_back({.path = changed.path});
      changed_.emplace_back(changed, RunInput{});
    }
    return analyse(std::move(entries));
  }

  bool analyse(std::vector<SourceEntry> entries) {
    Only source(*scope_.files, std::move(entries));
    std::atomic<std::uint64_t> parsed{0};
    auto project = analysis::analyse(
        source, {.profile = profile_, .jobs = 1, .store = run_.cache.get(), .parsed = &parsed});
    if (!project || project->files.size() != changes_.size()) return false;
    parsed_ = parsed;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      ChangedFile& change = changes_[i];
      change.after = std::move(project->files[i]);
      if (change.after.path != change.before.path ||
          change.after.language != change.before.language)
        return false;
      // Of what was read just now.
      RunInput& input = *std::ranges::lower_bound(inputs_, change.after.path, {}, &RunInput::path);
      input.blob = source.id_of({.path = input.path});
      if (input.blob.empty()) return false;
      changed_[i].second = input;
    }
    return true;
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
      if (change.file == f) return change.after;
    const std::string path(memory_.kept.path(f));
    const auto input = std::ranges::lower_bound(inputs_, path, {}, &RunInput::path);
    if (input == inputs_.end() || input->path != path) return std::nullopt;
    const auto language = static_cast<syntax::Language>(memory_.kept.languages[f]);
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
  std::vector<std::pair<RunInput, RunInput>> changed_{};  // the same, as inputs
  std::uint64_t parsed_ = 0;
  ChangingText text_{};
};

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
  return Amendment(scope, run, *remembered, std::move(inputs)).make(why_not);
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
  const Map lasting{{"unclear", text.unclear.to_value()},
                    {"modules", text.modules.to_value()},
                    {"rest", text.rest.to_value()},
                    {"partial", lines.partial},
                    {"clones", lines.clones},
                    {"reach", lines.reach}};
  memory.keep({finished.run_id, inputs_text(finished.inputs), wire::canonical_json(lasting),
               std::move(*kept)});
}

}  // namespace gh::ops
