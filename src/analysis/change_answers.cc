#include "analysis/change_answers.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "analysis/coverage.h"
#include "analysis/surfaces.h"
#include "analysis/unit_ids.h"
#include "base/text.h"
#include "syntax/front_end.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kMaxDecisions = 5, kMaxText = 100;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) { return split(text, '\n'); }

/// Statements of the function at that line that decide.
std::vector<AddedDecision> decisions_in(std::string_view source, syntax::Language language,
                                        std::uint32_t start_line) {
  std::vector<AddedDecision> out;
  syntax::FrontEnd front_end;
  syntax::Tree tree;
  if (!front_end.read(language, source, tree)) return out;
  const std::vector<std::string_view> lines = lines_of(source);
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree[i].kind != syntax::Kind::Function || tree.start_line(i) != start_line) continue;
    for (const Decision& decision : decisions_of(tree, i)) {
      const std::uint32_t line = tree.start_line(decision.statement);
      const std::string_view text = line <= lines.size() ? trimmed(lines[line - 1]) : "";
      out.push_back({line, decision.count, printable(text, kMaxText)});
    }
    break;
  }
  std::ranges::stable_sort(out, {}, &AddedDecision::line);
  return out;
}

/// Those of `after` that `before` does not have, or has with less.
std::vector<AddedDecision> fresh_ones(const std::vector<AddedDecision>& before,
                                      std::vector<AddedDecision> after) {
  std::map<std::pair<std::string_view, std::uint32_t>, std::size_t> had;
  for (const AddedDecision& one : before)
    ++had[{one.text, one.count}];
  std::erase_if(after, [&](const AddedDecision& one) {
    const auto found = had.find({one.text, one.count});
    if (found == had.end() || found->second == 0) return false;
    --found->second;
    return true;
  });
  if (after.size() > kMaxDecisions) after.resize(kMaxDecisions);
  return after;
}

/// A unit of a changed file, with what it was before.
struct ChangedUnit {
  const AnalysedFile* file = nullptr;
  const UnitFact *now = nullptr, *was = nullptr;  // no `was`: it is new
};

Place place_in(const AnalysedFile& file, const UnitFact& unit) {
  return {module_of(file) + ":" + unit.local_name, file.path, unit.start_line, unit.end_line};
}

const AnalysedFile* file_before(const PatchIndex& index, std::string_view path) {
  const std::int64_t at = index.file_at(path);
  return at < 0 ? nullptr : &index.before().files[static_cast<std::size_t>(at)];
}

std::vector<ChangedUnit> changed_units(const PatchIndex& index, const Change& change) {
  std::vector<ChangedUnit> out;
  for (const AnalysedFile& file : change.files) {
    std::map<std::pair<std::string_view, std::uint32_t>, const UnitFact*> known;
    if (const AnalysedFile* before = file_before(index, file.path)) {
      const std::vector<std::uint32_t> numbers = numbers_of_names(before->facts);
      for (std::size_t u = 0; u < numbers.size(); ++u)
        known[{before->facts.units[u].local_name, numbers[u]}] = &before->facts.units[u];
    }
    const std::vector<std::uint32_t> numbers = numbers_of_names(file.facts);
    for (std::size_t u = 0; u < numbers.size(); ++u) {
      const UnitFact& unit = file.facts.units[u];
      const auto was = known.find({unit.local_name, numbers[u]});
      const UnitFact* earlier = was == known.end() ? nullptr : was->second;
      const bool is_same = earlier != nullptr && earlier->raw == unit.raw;
      if (!unit.incomplete && !is_same) out.push_back({&file, &unit, earlier});
    }
  }
  return out;
}

std::vector<AddedDecision> decisions_on(const SideText& side, const AnalysedFile& file,
                                        std::uint32_t line) {
  const auto text = side ? side(file.path) : std::nullopt;
  return text ? decisions_in(*text, file.language, line) : std::vector<AddedDecision>();
}

std::optional<RaisedComplexity> raised_by(const ChangedUnit& unit, const ChangeSides& sides) {
  const bool is_known = unit.was != nullptr && !unit.was->incomplete;
  const std::uint32_t now = unit.now->complexity.cyclomatic;
  const std::uint32_t was = is_known ? unit.was->complexity.cyclomatic : 0;
  // A new function is told once it is more than simple.
  if (is_known ? now <= was : complexity_risk(now) == Risk::low) return std::nullopt;
  RaisedComplexity out{.place = place_in(*unit.file, *unit.now), .after = now};
  if (is_known) {
    out.before = was;
    out.added = fresh_ones(decisions_on(sides.before, *unit.file, unit.was->start_line),
                           decisions_on(sides.after, *unit.file, unit.now->start_line));
  }
  return out;
}

using SurfaceKey = std::tuple<std::string_view, std::string, std::string_view, std::string_view,
                              std::string>;  // path, name, category, capability, evidence

SurfaceKey key_of(const Surface& s) {
  return {s.path, s.qualname, to_string(s.row->category), s.row->capability, s.evidence_symbol};
}

/// The same path, as long as the change lives.
std::string_view path_in(const Change& change, std::string_view path) {
  const auto found = std::ranges::find(change.files, path, &AnalysedFile::path);
  return found == change.files.end() ? std::string_view() : found->path;
}

/// What the changed files reach that they did not reach before, each once.
std::vector<AddedSurface> added_surfaces(const PatchIndex& index, const Change& change) {
  Project before{.profile = index.before().profile}, after{.profile = index.before().profile};
  before.go_modules = after.go_modules = index.before().go_modules;
  after.files = change.files;
  for (const AnalysedFile& file : change.files)
    if (const AnalysedFile* was = file_before(index, file.path)) before.files.push_back(*was);
  std::set<SurfaceKey> known;
  for (const Surface& surface : surfaces_of(before))
    known.insert(key_of(surface));
  std::vector<AddedSurface> out;
  for (const Surface& surface : surfaces_of(after))
    if (known.insert(key_of(surface)).second)
      out.push_back(
          {{surface.qualname, path_in(change, surface.path), surface.start_line, surface.end_line},
           to_string(surface.row->category),
           surface.row->capability,
           surface.evidence_symbol});
  return out;
}

std::vector<TestGap> gaps_of(const std::vector<ChangedUnit>& units, const EnteredUnits& entered) {
  std::vector<TestGap> out;
  for (const ChangedUnit& unit : units) {
    const std::uint32_t complexity = unit.now->complexity.cyclomatic;
    const Place place = place_in(*unit.file, *unit.now);
    const bool is_risky = complexity_risk(complexity) != Risk::low;
    if (is_risky && !entered.contains({std::string(place.path), place.qualname}))
      out.push_back({place, complexity});
  }
  return out;
}

template <class T, class Of>
List each(const std::vector<T>& all, Of of) {
  List out;
  for (const T& one : all)
    out.emplace_back(of(one));
  return out;
}

Map with_message(const Place& place, std::string message) {
  Map out = place.document();
  out.set("message", std::move(message));
  return out;
}

Map complexity_document(const RaisedComplexity& raised) {
  Map out = with_message(raised.place, sentence(raised));
  out.set("before", raised.before ? number(*raised.before) : Value());
  out.set("after", number(raised.after));
  out.set(
      "added", each(raised.added, [](const AddedDecision& one) {
        return Map{{"line", number(one.line)}, {"count", number(one.count)}, {"text", one.text}};
      }));
  return out;
}

Map surface_document(const AddedSurface& added) {
  Map out = with_message(added.place, sentence(added));
  out.set("category", added.category);
  out.set("capability", added.capability);
  out.set("evidence_symbol", added.evidence);
  return out;
}

}  // namespace

EnteredUnits entered_units(const Project& project, const CoverageJoin& join) {
  EnteredUnits out;
  for (const UnitCoverage& unit : join.units)
    if (unit.covered > 0)
      out.emplace(project.files[unit.ref.file].path, qualname_of(project, unit.ref));
  return out;
}

bool ChangeAnswers::is_empty() const {
  return clones.copies.empty() && clones.partial_edits.empty() && clones.grown.empty() &&
         complexity.empty() && surfaces.empty() && (!test_gaps || test_gaps->empty());
}

ChangeAnswers change_answers(const PatchIndex& index, const Change& change,
                             const ChangeSides& sides) {
  ChangeAnswers out{.clones = patch_answers(index, change)};
  const std::vector<ChangedUnit> units = changed_units(index, change);
  for (const ChangedUnit& unit : units)
    if (auto raised = raised_by(unit, sides)) out.complexity.push_back(*std::move(raised));
  std::ranges::stable_sort(out.complexity, std::ranges::greater(), [](const RaisedComplexity& r) {
    return r.after - r.before.value_or(0);
  });
  out.surfaces = added_surfaces(index, change);
  if (sides.entered != nullptr) out.test_gaps = gaps_of(units, *sides.entered);
  return out;
}

std::string sentence(const RaisedComplexity& raised) {
  if (!raised.before)
    return fmt::format("{} is new, with complexity {}", raised.place.qualname, raised.after);
  std::string out = fmt::format("{} is more complex than before: {}, now {}", raised.place.qualname,
                                *raised.before, raised.after);
  std::string why;
  for (const AddedDecision& one : raised.added)
    why += fmt::format("{}line {}: {}", why.empty() ? "" : "; ", one.line, one.text);
  return why.empty() ? out : fmt::format("{} ({})", out, why);
}

std::string sentence(const AddedSurface& added) {
  return fmt::format("{} now reaches {} by {} ({}, line {})", added.place.qualname, added.category,
                     added.evidence, added.capability, added.place.start_line);
}

std::string sentence(const TestGap& gap) {
  return fmt::format("no test enters {}, whose complexity is {}", gap.place.qualname,
                     gap.complexity);
}

std::vector<std::string> sentences(const ChangeAnswers& answers) {
  std::vector<std::string> out;
  const auto add = [&](const auto& all) {
    for (const auto& one : all)
      out.push_back(sentence(one));
  };
  add(answers.clones.partial_edits);
  add(answers.clones.copies);
  add(answers.clones.grown);
  add(answers.surfaces);
  add(answers.complexity);
  if (answers.test_gaps) add(*answers.test_gaps);
  return out;
}

Value document(const ChangeAnswers& answers) {
  Value out = document(answers.clones);
  Map& map = *out.as_map();
  map.set("complexity", each(answers.complexity, complexity_document));
  map.set("security_surfaces", each(answers.surfaces, surface_document));
  map.set("test_gaps", answers.test_gaps
                           ? Value(each(*answers.test_gaps,
                                        [](const TestGap& gap) {
                                          Map one = with_message(gap.place, sentence(gap));
                                          one.set("complexity", number(gap.complexity));
                                          return one;
                                        }))
                           : Value());
  return out;
}

}  // namespace gh::analysis
