#include "analysis/amend.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "analysis/adoption_of_file.h"
#include "analysis/amend_conditions.h"
#include "analysis/amend_life.h"
#include "analysis/amend_parts.h"
#include "analysis/amend_report.h"
#include "analysis/metric_families.h"
#include "analysis/ratio.h"
#include "analysis/report_digest.h"
#include "analysis/report_view.h"
#include "analysis/rows.h"
#include "analysis/thin_project.h"
#include "base/digest.h"
#include "base/digesting.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;

template <class Items, class Write>
std::string digest_of_list(const Items& items, Write write) {
  Digesting digest;
  std::string piece = "[";
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) piece += ',';
    is_first = false;
    write(item, piece);
    if (piece.size() < kPiece) continue;
    digest.add(piece);
    piece.clear();
  }
  digest.add(piece + "]");
  return digest.hex();
}

/// What is counted of a file: added for what it is now, taken off for what it was.
void count(Map& counts, std::string_view key, std::int64_t change) {
  const Value* known = counts.find(key);
  const std::int64_t sum =
      (known == nullptr || known->as_int() == nullptr ? 0 : *known->as_int()) + change;
  counts.set(std::string(key), sum);
}

void count_code(Map& code, const FileFacts& facts, std::int64_t sign) {
  count(code, "parsed_lines", sign * facts.lines);
  count(code, "statements", sign * facts.statements);
  for (const ClassFact& fact : facts.classes)
    count(code, "classes", fact.incomplete || fact.extension ? 0 : sign);
  static constexpr std::array<std::string_view, 3> kUnits{"functions", "methods",
                                                          "nested_functions"};
  for (const UnitFact& unit : facts.units)
    if (!unit.incomplete) count(code, kUnits[static_cast<std::size_t>(unit.kind)], sign);
}

void load(KeptLoad& to, const FileFacts& facts, std::int32_t sign) {
  const auto add = [&](std::uint32_t& n, std::uint32_t value) {
    n = sign > 0 ? n + value : n - value;
  };
  add(to.loc, facts.lines);
  for (const ClassFact& fact : facts.classes)
    add(to.classes, fact.incomplete || fact.extension ? 0 : 1);
  for (const UnitFact& unit : facts.units) {
    if (unit.incomplete) continue;
    add(to.callables, 1);
    add(to.functions, unit.kind == UnitKind::function ? 1 : 0);
    add(to.methods, unit.kind == UnitKind::method ? 1 : 0);
    add(to.complexity_total, unit.complexity.cyclomatic);
  }
}

std::uint32_t highest(const FileFacts& facts) {
  std::uint32_t out = 0;
  for (const UnitFact& unit : facts.units)
    if (!unit.incomplete) out = std::max(out, unit.complexity.cyclomatic);
  return out;
}

void take_off(AdoptionCounts& from, const AdoptionCounts& counts) {
  from.callables -= counts.callables;
  from.params -= counts.params;
  from.params_annotated -= counts.params_annotated;
  from.returns_annotated -= counts.returns_annotated;
  from.any_annotations -= counts.any_annotations;
  from.public_symbols -= counts.public_symbols;
  from.public_documented -= counts.public_documented;
}

/// The order of dead code in a report.
bool stands_before(const DeadItem& a, const DeadItem& b) {
  const auto key = [](const DeadItem& item) {
    return std::tuple(item.place.path, item.place.start_line, item.place.end_line,
                      std::string_view(item.place.qualname), item.kind);
  };
  return key(a) < key(b);
}

DeadItem dead_item(const KeptRun& kept, const KeptDead& item) {
  return {{item.qualname, kept.path(item.file), item.start_line, item.end_line},
          item.kind,
          item.reason};
}

/// Where it stands, or would.
std::uint32_t place_of_file(const KeptRun& kept, std::string_view path) {
  std::uint32_t low = 0, high = static_cast<std::uint32_t>(kept.path_ends.size());
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (kept.path(middle) < path)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Imports or functions of all files as they are now.
class ThinProjects {
 public:
  ThinProjects(const KeptRun& kept, const std::vector<ChangedFile>& changes, const Profile& profile,
               std::size_t files_then)
      : kept_(kept), changes_(changes), profile_(profile), files_then_(files_then) {}

  std::shared_ptr<Project> of_imports() const {
    const auto* rows = kept_.tables.imports.get();
    if (rows == nullptr || rows->size() != files_then_) return nullptr;
    return made([&](std::uint32_t then, FileFacts& facts) {
      facts.status = (*rows)[then].status;
      facts.package = (*rows)[then].package;
      facts.imports = (*rows)[then].imports;
    });
  }

  std::shared_ptr<Project> of_units() const {
    const auto* rows = kept_.tables.units.get();
    if (rows == nullptr || rows->size() != files_then_ || !are_sound(*rows)) return nullptr;
    return made([&](std::uint32_t then, FileFacts& facts) { facts.units = (*rows)[then]; });
  }

 private:
  /// Changed files with all their facts.
  template <class Fill>
  std::shared_ptr<Project> made(Fill fill) const {
    auto out = std::make_shared<Project>(
        Project{.files = {}, .go_modules = kept_.tables.go_modules, .profile = profile_});
    std::map<std::uint32_t, const ChangedFile*> changed;
    for (const ChangedFile& change : changes_)
      changed.emplace(change.file, &change);
    std::uint32_t then = 0;
    for (std::uint32_t f = 0; f < kept_.path_ends.size(); ++f) {
      const auto at = changed.find(f);
      const bool is_new = at != changed.end() && at->second->fate == FileFate::added;
      const bool is_gone = at != changed.end() && at->second->fate == FileFate::removed;
      if (!is_gone && at != changed.end()) out->files.push_back(at->second->after);
      if (at == changed.end()) {
        AnalysedFile& file = out->files.emplace_back(AnalysedFile{
            std::string(kept_.path(f)), static_cast<syntax::Language>(kept_.languages[f]), {}});
        fill(then, file.facts);
      }
      then += is_new ? 0 : 1;
    }
    return out;
  }

  const KeptRun& kept_;
  const std::vector<ChangedFile>& changes_;
  const Profile& profile_;
  std::size_t files_then_;
};

class Amending {
 public:
  Amending(KeptRun& kept, std::vector<ChangedFile>& changes, const AmendSource& source)
      : kept_(kept),
        changes_(changes),
        source_(source),
        profile_(source.profile),
        files_then_(kept.path_ends.size()) {}

  std::optional<AmendedRun> run(std::string_view& why_not) {
    why_not = "the memory cannot be read";
    auto report = wire::read_own_json(kept_.digested, "a kept report");
    if (!report) return std::nullopt;
    out_.report = std::move(*report);
    loads_then_ = kept_.loads;
    modules_then_ = {kept_.module_names, kept_.module_ends};
    for (std::size_t i = 0; i < kept_.loads.size(); ++i)
      if (kept_.loads[i].is_candidate != 0)
        candidates_then_.emplace(kept_.path(kept_.loads[i].first_file));
    if (!number_files()) return std::nullopt;
    PartsTouched& touched = out_.made_again;
    for (const ChangedFile& change : changes_) {
      if (why_not = stands_against(kept_, change, profile_); !why_not.empty()) return std::nullopt;
      const PartsTouched parts = parts_touched(kept_, change, profile_);
      touched.clones |= parts.clones;
      touched.imports |= parts.imports;
      touched.surfaces |= parts.surfaces;
      touched.hotspots |= parts.hotspots;
      add_asked(change.after, kept_.asked);
    }
    // Those that went make room first: another file may be the same module now.
    for (const bool is_gone : {true, false})
      for (const ChangedFile& change : changes_) {
        if ((change.fate == FileFate::removed) != is_gone) continue;
        touched.life = !take_life(change) || touched.life;
        if (why_not = take(change); !why_not.empty()) return std::nullopt;
      }
    touched.life = touched.life || !make_life();
    why_not = "what was kept does not fit";
    if (!make_parts()) return std::nullopt;
    tell_files();
    drop_gone();
    tell_units();
    tell_classes();
    tell_adoption();
    tell_modules();
    tell_dead_code();
    tell_health();
    return finish();
  }

 private:
  /// Files that came get their place among the others; false when one is not what it is said to be.
  bool number_files() {
    for (ChangedFile& change : changes_) {
      const std::string& path = change.here().path;
      const auto known = file_named(kept_, path);
      if (known.has_value() == (change.fate == FileFate::added)) return false;
      if (known) change.kept_file = *known;
      AnalysedFile& other = change.fate == FileFate::added ? change.before : change.after;
      if (change.fate != FileFate::edited) other = {path, change.here().language, {}};
      out_.change.files.push_back(path);
      if (change.fate == FileFate::edited) continue;
      then_.came_or_went.push_back(path);
      if (change.fate == FileFate::removed) then_.gone.push_back(path);
    }
    if (!then_.came_or_went.empty())
      for (std::size_t f = 0; f < kept_.path_ends.size(); ++f)
        then_.paths.emplace_back(kept_.path(f));
    for (const ChangedFile& change : changes_)
      if (change.fate == FileFate::added)
        kept_.insert_file(place_of_file(kept_, change.after.path), change.after.path,
                          change.after.language);
    for (ChangedFile& change : changes_)
      change.file = *file_named(kept_, change.here().path);
    return true;
  }

  void drop_gone() {
    for (const std::string& path : then_.gone)
      kept_.erase_file(*file_named(kept_, path));
  }

  /// Empty, or why it cannot be told.
  std::string_view take(const ChangedFile& change) {
    if (!take_load(change)) return "its module has several files";
    if (!take_units(change)) return "a function is too complex";
    take_classes(change);
    Map& code = report_.at({"inventory", "code"});
    count_code(code, change.before.facts, -1);
    count_code(code, change.after.facts, 1);
    kept_.lines += change.after.facts.lines - std::uint64_t{change.before.facts.lines};
    kept_.units += change.after.facts.units.size() - change.before.facts.units.size();
    kept_.measures.statements +=
        counted_statements(change.after) - counted_statements(change.before);
    take_adoption(change);
    return {};
  }

  /// Is it known what of the file decides over who is alive?
  bool take_life(const ChangedFile& change) {
    const std::string& path = change.here().path;
    for (const Value& registration :
         list_in(out_.report, {"metrics", "families", "dead_code", "registrations"}))
      if (text_in(registration, "relative_path") == path) return false;
    LifeChange life = life_change(kept_, change);
    add_names(change.after.facts, kept_.names);
    if (!life.is_known) return false;
    if (is_test_file(path) || !life.gone.empty() || !life.come.empty())
      kept_.candidates += dead_code_of(alone(kept_, change.after, profile_)).candidates -
                          dead_code_of(alone(kept_, change.before, profile_)).candidates;
    if (!life.is_none()) lives_.push_back({&change, std::move(life)});
    return true;
  }

  /// False when the facts of all files must be asked.
  bool make_life() {
    if (!lives_.empty()) {
      std::vector<std::uint32_t> added;
      for (const ChangedFile& change : changes_)
        if (change.fate == FileFate::added) added.push_back(change.file);
      std::ranges::sort(added);
      auto dead = life_again(kept_, lives_, added, source_);
      if (!dead) return false;
      kept_.dead = std::move(*dead);
    }
    return std::ranges::all_of(changes_,
                               [&](const ChangedFile& change) { return place_dead_code(change); });
  }

  /// What is dead as before stands where it stands now.
  bool place_dead_code(const ChangedFile& change) {
    const FileFacts& facts = change.after.facts;
    std::map<std::string, const DeclarationFact*> named;  // the first of each name
    for (const DeclarationFact& fact : facts.declarations.all)
      named.emplace(qualname_of(change.after, facts.names[fact.local_name]), &fact);
    for (KeptDead& item : kept_.dead) {
      if (item.file != change.file) continue;
      const auto at = named.find(item.qualname);
      if (at == named.end()) return false;
      item.start_line = at->second->start_line;
      item.end_line = at->second->end_line;
    }
    return true;
  }

  /// Of a module that has no files any more nothing is left.
  bool take_load(const ChangedFile& change) {
    const std::string then = module_of(change.before), now = module_of(change.after);
    const bool leaves = change.fate == FileFate::removed || then != now;
    const bool comes = change.fate == FileFate::added || then != now;
    if (change.fate != FileFate::added && !take_off_load(change, then, leaves)) return false;
    if (change.fate != FileFate::removed) add_load(change, now, comes);
    return true;
  }

  bool take_off_load(const ChangedFile& change, const std::string& name, bool leaves) {
    const std::size_t at = kept_.module_place(name);
    if (at == kept_.loads.size() || kept_.module(at) != name) return false;
    KeptLoad& from = kept_.loads[at];
    const std::uint32_t before = highest(change.before.facts);
    const std::uint32_t after = leaves ? 0 : highest(change.after.facts);
    const bool is_first = leaves && from.first_file == change.file;
    if (from.files > 1 && (is_first || (before == from.complexity_max && after < before)))
      return false;
    if (from.files == 1) from.complexity_max = 0;
    load(from, change.before.facts, -1);
    moved_.insert(name);
    from.files -= leaves ? 1 : 0;
    if (from.files != 0) return true;
    const std::size_t start = at == 0 ? 0 : kept_.module_ends[at - 1];
    kept_.module_names.erase(start, name.size());
    kept_.module_ends.erase(kept_.module_ends.begin() + static_cast<std::ptrdiff_t>(at));
    for (std::size_t i = at; i < kept_.module_ends.size(); ++i)
      kept_.module_ends[i] -= static_cast<std::uint32_t>(name.size());
    kept_.loads.erase(kept_.loads.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  void add_load(const ChangedFile& change, const std::string& name, bool comes) {
    const std::size_t at = kept_.module_place(name);
    const auto place = static_cast<std::ptrdiff_t>(at);
    if (at == kept_.loads.size() || kept_.module(at) != name) {
      const std::uint32_t start = at == 0 ? 0 : kept_.module_ends[at - 1];
      kept_.module_names.insert(start, name);
      kept_.module_ends.insert(kept_.module_ends.begin() + place, start);
      for (std::size_t i = at; i < kept_.module_ends.size(); ++i)
        kept_.module_ends[i] += static_cast<std::uint32_t>(name.size());
      kept_.loads.insert(kept_.loads.begin() + place, KeptLoad{.first_file = change.file});
    }
    KeptLoad& to = kept_.loads[at];
    to.files += comes ? 1 : 0;
    to.first_file = std::min(to.first_file, change.file);
    load(to, change.after.facts, 1);
    to.complexity_max = std::max(to.complexity_max, highest(change.after.facts));
    moved_.insert(name);
  }

  bool take_units(const ChangedFile& change) {
    const auto values = unit_complexities(change.after.facts);
    if (!values) return false;
    replace(kept_.complexity, kept_.unit_ends, change.file, *values);
    ListChange& list = out_.change.list(report_path::kUnits);
    list.files.push_back(change.here().path);
    add_units(change.before, list.before);
    const std::string digest = add_units(change.after, list.after);
    set_file_digest(kept_.unit_digests, change.file, digest);
    return true;
  }

  /// Its items, and what a digest knows of them.
  static std::string add_units(const AnalysedFile& file, List& to) {
    const Project one{.files = {file}};
    std::vector<ScoredUnit> units = scored_units(one);
    keep_counted(units);
    ItemsDigest items;
    for (const ScoredUnit& unit : units) {
      append_item(complexity_columns(), unit, items.text());
      items.end_item();
      to.emplace_back(item_of(complexity_columns(), unit));
    }
    return units.empty() ? std::string(kDigestBytes, '\0') : items.finish();
  }

  static void set_file_digest(std::string& digests, std::uint32_t file, const std::string& digest) {
    digests.replace(file * kDigestBytes, kDigestBytes, digest);
  }

  void take_adoption(const ChangedFile& change) {
    const ModuleAdoption after = adoption_of(change.after), before = adoption_of(change.before);
    ListChange& list = out_.change.list(report_path::kAdoption);
    list.files.push_back(change.here().path);
    take_off(kept_.adoption, before.counts);
    kept_.adoption += after.counts;
    if (change.fate != FileFate::added)
      list.before.emplace_back(item_of(adoption_columns(), before));
    if (change.fate == FileFate::removed) return;
    list.after.emplace_back(item_of(adoption_columns(), after));
    set_file_digest(kept_.adoption_digests, change.file, adoption_digest(after));
  }

  void take_classes(const ChangedFile& change) {
    take_classes(change, ClassMeasure::coupling, report_path::kCoupling, kept_.coupling);
    take_classes(change, ClassMeasure::cohesion, report_path::kCohesion, kept_.cohesion);
  }

  void take_classes(const ChangedFile& change, ClassMeasure measure, std::string_view path,
                    KeptClasses& to) {
    if (has_no_classes(change)) return;
    ClassList before = classes_of(Project{.files = {change.before}}, measure);
    ClassList after = classes_of(Project{.files = {change.after}}, measure);
    // The same, also where other files hold parts of them.
    if (before.items == after.items && before.values == after.values) return;
    replace(to.all, to.ends, change.file, after.values);
    set_file_digest(to.digests, change.file, items_digest(after.items));
    ListChange& list = out_.change.list(path);
    list.files.push_back(change.here().path);
    std::ranges::move(before.items, std::back_inserter(list.before));
    std::ranges::move(after.items, std::back_inserter(list.after));
  }

  static bool has_no_classes(const ChangedFile& change) {
    return change.before.facts.classes.empty() && change.after.facts.classes.empty();
  }

  /// The rows of one file become others.
  template <class T>
  static void replace(std::vector<T>& rows, std::vector<std::uint32_t>& ends, std::uint32_t file,
                      const std::vector<T>& now) {
    const std::uint32_t from = file == 0 ? 0 : ends[file - 1], to = ends[file];
    const auto at = rows.erase(rows.begin() + from, rows.begin() + to);
    rows.insert(at, now.begin(), now.end());
    const std::uint32_t grown = static_cast<std::uint32_t>(now.size()) - (to - from);
    for (std::size_t f = file; f < ends.size(); ++f)
      ends[f] += grown;
  }

  void tell_units() {
    Spread& spread = out_.measures.complexity;
    for (const std::uint16_t cc : kept_.complexity) {
      if (cc == 0) continue;
      const Risk risk = complexity_risk(cc);
      ++spread.count;
      spread.sum += cc;
      spread.max = std::max<std::uint64_t>(spread.max, cc);
      spread.medium += risk == Risk::medium ? 1 : 0;
      spread.high += risk == Risk::high ? 1 : 0;
    }
    report_.set_summary("complexity", Map{{"total", number(spread.count)},
                                          {"average", ratio(spread.sum, spread.count, 2)},
                                          {"max", number(spread.max)},
                                          {"high_risk", number(spread.high)}});
    report_.set_digest(report_path::kUnits, digest_over_files(kept_.unit_digests));
  }

  void tell_classes() {
    Measures& m = out_.measures;
    for (const KeptClass& one : kept_.coupling.all)
      count_class(m.coupling, one.value, coupling_risk(one.value));
    for (const KeptClass& one : kept_.cohesion.all) {
      const Risk risk = cohesion_risk(one.value);
      count_class(m.cohesion, one.value, risk);
      m.graph_classes += one.in_graph;
      m.low_cohesion_graph_classes += one.in_graph != 0 && risk == Risk::high ? 1 : 0;
    }
    tell_class_family("coupling", m.coupling, "high_risk", kept_.coupling.digests);
    tell_class_family("cohesion", m.cohesion, "low_cohesion", kept_.cohesion.digests);
  }

  static void count_class(Spread& spread, std::uint32_t value, Risk risk) {
    ++spread.count;
    spread.sum += value;
    spread.max = std::max<std::uint64_t>(spread.max, value);
    spread.medium += risk == Risk::medium ? 1 : 0;
    spread.high += risk == Risk::high ? 1 : 0;
  }

  void tell_class_family(std::string_view name, const Spread& spread, const std::string& high,
                         const std::string& digests) {
    report_.set_summary(name, Map{{"total", number(spread.count)},
                                  {"average", ratio(spread.sum, spread.count, 2)},
                                  {"max", number(spread.max)},
                                  {high, number(spread.high)}});
    report_.set_digest("metrics/families/" + std::string(name) + "/items",
                       digest_over_files(digests));
  }

  void tell_adoption() {
    const Map told = adoption_family({{}, kept_.adoption});
    Map summary = *told.find("summary")->as_map();
    const auto known =
        int_in(report_.at({"metrics", "families", "coverage_adoption", "summary"}), "modules");
    summary.set("modules", known.value_or(0) + came_);
    report_.set_summary("coverage_adoption", std::move(summary));
    report_.set_digest(report_path::kAdoption, digest_over_files(kept_.adoption_digests));
  }

  /// What is made again, from as little as will do.
  bool make_parts() {
    const PartsTouched& touched = out_.made_again;
    const bool needs_all = touched.life || (touched.clones && kept_.tables.has_directives);
    std::shared_ptr<const Project> whole, imports, units;
    if (needs_all) {
      auto project = source_.whole ? source_.whole() : std::nullopt;
      if (!project || !is_of_these_files(*project)) return false;
      whole = std::make_shared<const Project>(std::move(*project));
    }
    const ThinProjects thin(kept_, changes_, profile_, files_then_);
    std::optional<EdgesNow> edges;
    if (touched.imports && !whole) edges = edges_again(kept_, changes_, modules_then_);
    if (touched.imports) {
      // Circles are told by the files that they go through.
      imports = whole                                         ? whole
                : edges && edges->dependencies.cycles.empty() ? std::make_shared<const Project>()
                                                              : thin.of_imports();
      if (!imports) return false;
      if (!edges) edges = EdgesNow{dependencies_of(*imports), {}};
    }
    if (touched.clones && !(units = whole ? whole : thin.of_units())) return false;
    const std::vector<KeptLoad> loads_then = kept_.loads;
    if (touched.imports) amend_dependencies(*std::move(edges), then_, kept_, report_, out_);
    for (std::size_t i = 0; i < loads_then.size(); ++i)
      if (!(loads_then[i] == kept_.loads[i])) moved_.emplace(kept_.module(i));
    if (touched.clones) amend_clones(units, source_.golden, kept_, report_, out_);
    if (touched.hotspots || touched.imports)
      amend_design(changes_, profile_, imports.get(), kept_, report_, out_);
    if (touched.surfaces) amend_surfaces(changes_, kept_, report_, out_);
    if (touched.life) amend_life(*whole, kept_, report_, out_);
    return true;
  }

  bool is_of_these_files(const Project& project) const {
    std::size_t at = 0;
    for (std::size_t f = 0; f < kept_.path_ends.size(); ++f) {
      if (std::ranges::find(then_.gone, kept_.path(f)) != then_.gone.end()) continue;
      if (at == project.files.size() || project.files[at].path != kept_.path(f) ||
          static_cast<std::uint8_t>(project.files[at].language) != kept_.languages[f])
        return false;
      ++at;
    }
    return at == project.files.size();
  }

  /// Which files there are.
  void tell_files() {
    if (then_.came_or_went.empty()) return;
    Map& files = report_.at({"inventory", "files"});
    Map &statuses = report_.at({"inventory", "files", "by_status"}),
        &languages = report_.at({"inventory", "code", "by_language"});
    for (const ChangedFile& change : changes_) {
      const std::int64_t sign = change.fate == FileFate::added     ? 1
                                : change.fate == FileFate::removed ? -1
                                                                   : 0;
      came_ += sign;
      report_.count(statuses, to_string(FileStatus::ok), sign);
      report_.count(languages, to_string(change.here().language), sign);
    }
    count(files, "total_found", came_);
    count(files, "analyzed_or_cached", came_);
    kept_.measures.files_found += static_cast<std::uint64_t>(came_);
    kept_.measures.files_analysed += static_cast<std::uint64_t>(came_);
    TextList before, after;
    for (const std::string& path : then_.paths)
      before.add(wire::canonical_json(path));
    for (std::size_t f = 0; f < kept_.path_ends.size(); ++f)
      if (std::ranges::find(then_.gone, kept_.path(f)) == then_.gone.end())
        after.add(wire::canonical_json(kept_.path(f)));
    report_.set_list(report_path::kFiles, before, after);
  }

  /// Ranks of all of them, unless every load is what it was.
  void tell_modules() {
    if (then_.came_or_went.empty() && kept_.loads == loads_then_ &&
        kept_.module_names == modules_then_.names)
      return;
    std::vector<ScoredModule> modules(kept_.loads.size());
    for (std::size_t i = 0; i < kept_.loads.size(); ++i) {
      const KeptLoad& l = kept_.loads[i];
      modules[i].load = {.module = std::string(kept_.module(i)),
                         .path = kept_.path(l.first_file),
                         .loc = l.loc,
                         .functions = l.functions,
                         .methods = l.methods,
                         .classes = l.classes,
                         .callables = l.callables,
                         .complexity_total = l.complexity_total,
                         .complexity_max = l.complexity_max,
                         .fan_in = l.fan_in,
                         .fan_out = l.fan_out,
                         .import_edges = l.import_edges};
    }
    const OverloadedModules all = ranked_modules(std::move(modules));
    note_loads(all);
    const Map told = overloaded_family(all);
    report_.set_summary("overloaded_modules", *told.find("summary")->as_map());
    report_.set_digest(report_path::kLoads,
                       digest_of_list(all.modules, [](const ScoredModule& module, std::string& to) {
                         append_row(overloaded_columns(), module, to);
                       }));
  }

  void note_loads(const OverloadedModules& all) {
    std::set<std::string, std::less<>> gone = moved_, after;
    for (const ScoredModule& module : all.modules) {
      if (module.status == Overload::candidate) after.emplace(module.load.path);
      gone.erase(module.load.module);
      if (moved_.contains(module.load.module))
        out_.change.loads.emplace_back(item_of(overloaded_columns(), module));
    }
    out_.change.gone_modules.assign(gone.begin(), gone.end());
    ListChange& candidates =
        out_.extract.emplace_back(ListChange{std::string(report_path::kLoads)});
    const auto note = [](const auto& of, const auto& others, List& to) {
      for (const std::string& path : of)
        if (!others.contains(path))
          to.emplace_back(
              Map{{"relative_path", path}, {"candidate_status", to_string(Overload::candidate)}});
    };
    note(candidates_then_, after, candidates.before);
    note(after, candidates_then_, candidates.after);
  }

  void tell_dead_code() {
    std::ranges::sort(kept_.dead, [&](const KeptDead& a, const KeptDead& b) {
      return stands_before(dead_item(kept_, a), dead_item(kept_, b));
    });
    const std::vector<DeadItem> items = dead_items(kept_);
    TextList list, groups;
    std::uint64_t high = 0;
    for (const DeadItem& item : items) {
      high += item.is_high() ? 1 : 0;
      list.add(wire::canonical_json(out_.dead_code.emplace_back(dead_code_item(item))));
      out_.measures.dead.any.push_back(item.place.qualname);
      if (item.is_high()) out_.measures.dead.high.push_back(item.place.qualname);
    }
    for (const DeadItem* item : ranked_dead_code(items))
      groups.add(wire::canonical_json(group_document(dead_code_group(*item))));
    for (Names* names : {&out_.measures.dead.any, &out_.measures.dead.high}) {
      std::ranges::sort(*names);
      names->erase(std::unique(names->begin(), names->end()), names->end());
    }
    out_.measures.dead.candidates = kept_.candidates;
    Map summary = report_.at({"metrics", "families", "dead_code", "summary"});
    summary.set("total", number(items.size()));
    summary.set("candidates", number(kept_.candidates));
    summary.set("high_confidence", number(high));
    summary.set("medium_confidence", number(items.size() - high));
    report_.set_summary("dead_code", std::move(summary));
    report_.set_list(report_path::kDead, list);
    report_.set_list(report_path::kDeadGroups, groups);
    report_.count_suppressed();
  }

  void tell_health() {
    const KeptMeasures& k = kept_.measures;
    Measures& m = out_.measures;
    m.files_found = k.files_found;
    m.files_analysed = k.files_analysed;
    m.files_skipped = k.files_skipped;
    m.cycles.resize(k.cycles);
    m.modules = k.modules;
    m.modules_in_cycles = k.modules_in_cycles;
    m.max_depth = k.max_depth;
    m.p95_depth = k.p95_depth;
    m.average_depth = k.average_depth;
    m.clones = {k.functions, k.blocks};
    m.statements = k.statements;
    m.duplicated_statements = k.duplicated_statements;
    m.adoption = adoption_measures(kept_.adoption);
    out_.health = health_of(m);
    out_.compatible = compatible_health_of(m);
    const Map told = health_family(out_.health, out_.compatible);
    report_.set_summary("health", *told.find("summary")->as_map());
    out_.change.health = *told.find("items")->as_list();
    report_.set_digest("metrics/families/health/items", text_list(out_.change.health).digest());
  }

  std::optional<AmendedRun> finish() {
    kept_.digested = wire::canonical_json(out_.report);
    out_.report.as_map()->set("integrity", integrity_document(digest_of(kept_.digested).hex()));
    return std::move(out_);
  }

  KeptRun& kept_;
  std::vector<ChangedFile>& changes_;
  const AmendSource& source_;
  const Profile& profile_;
  std::size_t files_then_;
  FilesThen then_{};
  std::int64_t came_ = 0;  // files, less those that went
  std::vector<KeptLoad> loads_then_{};
  ModulesThen modules_then_{};
  std::set<std::string, std::less<>> candidates_then_{};  // paths of overloaded modules
  std::set<std::string, std::less<>> moved_{};            // modules whose load is another one
  std::vector<LifeOfFile> lives_{};
  AmendedRun out_{};
  AmendedReport report_{kept_, out_};
};

}  // namespace

std::optional<AmendedRun> amend(KeptRun& kept, std::vector<ChangedFile>& changes,
                                const AmendSource& source, std::string_view& why_not) {
  return Amending(kept, changes, source).run(why_not);
}

std::vector<DeadItem> dead_items(const KeptRun& kept) {
  std::vector<DeadItem> out;
  for (const KeptDead& item : kept.dead)
    out.push_back(dead_item(kept, item));
  return out;
}

std::optional<std::uint32_t> file_named(const KeptRun& kept, std::string_view path) {
  const std::uint32_t at = place_of_file(kept, path);
  if (at == kept.path_ends.size() || kept.path(at) != path) return std::nullopt;
  return at;
}

}  // namespace gh::analysis
