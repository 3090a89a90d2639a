#include "analysis/amend.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "analysis/adoption_of_file.h"
#include "analysis/amend_conditions.h"
#include "analysis/metric_families.h"
#include "analysis/ratio.h"
#include "analysis/report_digest.h"
#include "analysis/report_view.h"
#include "analysis/rows.h"
#include "base/digest.h"
#include "base/digesting.h"
#include "wire/json.h"

namespace gh::analysis {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr std::string_view kUnitItems = "metrics/families/complexity/items",
                           kAdoptionItems = "metrics/families/coverage_adoption/items",
                           kLoadItems = "metrics/families/overloaded_modules/items",
                           kDeadItems = "metrics/families/dead_code/items",
                           kDeadGroups = "findings/groups/dead_code/groups",
                           kCouplingItems = "metrics/families/coupling/items",
                           kCohesionItems = "metrics/families/cohesion/items";

// Members of the report, which is as a run wrote it: what is not there is made, and then the text
// has another digest than any run would give it.

Map& map_at(Value& document, std::initializer_list<std::string_view> path) {
  Value* at = &document;
  for (const std::string_view key : path) {
    if (at->as_map() == nullptr) *at = Map{};
    Map& map = *at->as_map();
    if (map.find(key) == nullptr) map.set(std::string(key), Map{});
    at = map.find(key);
  }
  if (at->as_map() == nullptr) *at = Map{};
  return *at->as_map();
}

Map& family_at(Value& report, std::string_view name) {
  return map_at(report, {"metrics", "families", name});
}

void set_digest(Map& of, std::string_view list, std::string hex) {
  of.set(std::string(list), List{Value(std::move(hex))});
}

/// All summaries stand in one place too.
void set_summary(Value& report, std::string_view name, Map summary) {
  map_at(report, {"metrics", "summary"}).set(std::string(name), summary);
  family_at(report, name).set("summary", std::move(summary));
}

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

class Amending {
 public:
  Amending(KeptRun& kept, const Profile& profile) : kept_(kept), profile_(profile) {}

  std::optional<AmendedRun> run(const std::vector<ChangedFile>& changes,
                                std::string_view& why_not) {
    auto report = wire::read_own_json(kept_.digested, "a kept report");
    why_not = "the memory cannot be read";
    if (!report) return std::nullopt;
    out_.report = std::move(*report);
    for (const DeadItem& item : dead_items(kept_))
      count_dead(item, -1);
    for (const ChangedFile& change : changes) {
      changed_.insert(change.file);
      out_.change.files.push_back(change.after.path);
    }
    note_dead(&ListChange::before);
    for (const ChangedFile& change : changes)
      if (why_not = take(change); !why_not.empty()) return std::nullopt;
    std::ranges::sort(lost_);
    why_not = "something may be used no more";
    if (!stays_alive(kept_.uses, lost_)) return std::nullopt;
    tell_units();
    tell_classes();
    tell_adoption();
    tell_modules();
    tell_dead_code();
    tell_health();
    return finish();
  }

 private:
  using Fresh = std::vector<std::uint32_t>;

  /// Empty, or why it cannot be told.
  std::string_view take(const ChangedFile& change) {
    if (const auto why = touches_others(kept_, change, profile_); !why.empty()) return why;
    const LifeChange life = life_change(kept_, change);
    if (!life.why_not.empty()) return life.why_not;
    lost_.insert(lost_.end(), life.lost.begin(), life.lost.end());
    if (!take_dead_code(change, life.fresh)) return "dead code stands in the file";
    if (!take_load(change)) return "its module has several files";
    if (!take_units(change)) return "a function is too complex";
    take_classes(change);
    Map& code = map_at(out_.report, {"inventory", "code"});
    count_code(code, change.before.facts, -1);
    count_code(code, change.after.facts, 1);
    kept_.lines += change.after.facts.lines - std::uint64_t{change.before.facts.lines};
    kept_.units += change.after.facts.units.size() - change.before.facts.units.size();
    kept_.measures.statements +=
        counted_statements(change.after) - counted_statements(change.before);
    take_adoption(change);
    add_names(change.after.facts, kept_.names, kept_.asked);
    return {};
  }

  /// Those that the file had stand where they stand now; those that are new are dead unless used.
  bool take_dead_code(const ChangedFile& change, const Fresh& fresh) {
    const FileFacts& facts = change.after.facts;
    for (const Value& registration :
         list_in(out_.report, {"metrics", "families", "dead_code", "registrations"}))
      if (text_in(registration, "relative_path") == change.after.path) return false;
    std::map<std::string, std::vector<const DeclarationFact*>> named;
    for (const DeclarationFact& fact : facts.declarations.all)
      named[qualname_of(change.after, facts.names[fact.local_name])].push_back(&fact);
    std::set<std::string, std::less<>> dead;
    for (KeptDead& item : kept_.dead) {
      if (item.file != change.file) continue;
      const auto at = named.find(item.qualname);
      if (at == named.end() || at->second.size() != 1) return false;
      item.start_line = at->second.front()->start_line;
      item.end_line = at->second.front()->end_line;
      dead.insert(item.qualname);
    }
    if (fresh.empty()) return true;
    return std::ranges::find(kept_.entry_files, change.after.path) == kept_.entry_files.end() &&
           take_fresh(change, fresh, dead);
  }

  bool take_fresh(const ChangedFile& change, const Fresh& fresh,
                  const std::set<std::string, std::less<>>& dead) {
    const FileFacts& facts = change.after.facts;
    const DeadCode alone = dead_code_of(project_of(change.after));
    const DeadCode alone_before = dead_code_of(project_of(change.before));
    kept_.candidates += alone.candidates - alone_before.candidates;
    if (is_test_file(change.after.path)) return true;  // all of it lives
    for (const std::uint32_t d : fresh) {
      const NameId name = facts.declarations.all[d].name;
      bool is_used = false, is_alive = false;
      for (const Use& use : facts.references.uses) {
        if (use.name != name || use.owner == d) continue;
        is_used = true;
        is_alive = is_alive || is_alive_there(change.after, use.owner, fresh, dead);
      }
      if (is_used && !is_alive) return false;
      if (is_used) continue;
      const std::string qualname =
          qualname_of(change.after, facts.names[facts.declarations.all[d].local_name]);
      for (const DeadItem& item : alone.items)
        if (item.place.qualname == qualname)
          kept_.dead.push_back({change.file, item.place.start_line, item.place.end_line, item.kind,
                                item.reason, qualname});
      const std::string text(facts.names[name]);
      kept_.doubtful.insert(std::ranges::lower_bound(kept_.doubtful, text), text);
    }
    return true;
  }

  /// Is the code that stands in that declaration reached, as far as was known before?
  static bool is_alive_there(const AnalysedFile& file, std::uint32_t owner, const Fresh& fresh,
                             const std::set<std::string, std::less<>>& dead) {
    const auto& all = file.facts.declarations.all;
    for (; owner != kNone; owner = all[owner].parent)
      if (std::ranges::find(fresh, owner) != fresh.end() ||
          dead.contains(qualname_of(file, file.facts.names[all[owner].local_name])))
        return false;
    return true;
  }

  /// The file with nothing around it but what the manifests say of all.
  Project project_of(const AnalysedFile& file) const {
    Project out{.files = {file}, .profile = profile_};
    if (kept_.keeps_public_api) out.profile.dead_code_public_api = PublicApi::keep;
    return out;
  }

  bool take_load(const ChangedFile& change) {
    const std::string name = module_of(change.after);
    std::size_t low = 0, high = kept_.loads.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      (kept_.module(middle) < name ? low : high) =
          kept_.module(middle) < name ? middle + 1 : middle;
    }
    if (low == kept_.loads.size() || kept_.module(low) != name) return false;
    KeptLoad& to = kept_.loads[low];
    moved_.insert(low);
    const std::uint32_t before = highest(change.before.facts), after = highest(change.after.facts);
    if (to.files > 1 && before == to.complexity_max && after < before) return false;
    to.complexity_max = to.files > 1 ? std::max(to.complexity_max, after) : after;
    load(to, change.before.facts, -1);
    load(to, change.after.facts, 1);
    return true;
  }

  bool take_units(const ChangedFile& change) {
    const auto values = unit_complexities(change.after.facts);
    if (!values) return false;
    replace(kept_.complexity, kept_.unit_ends, change.file, *values);
    ListChange& list = out_.change.list(kUnitItems);
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
    ListChange& list = out_.change.list(kAdoptionItems);
    list.before.emplace_back(item_of(adoption_columns(), before));
    list.after.emplace_back(item_of(adoption_columns(), after));
    take_off(kept_.adoption, before.counts);
    kept_.adoption += after.counts;
    set_file_digest(kept_.adoption_digests, change.file, adoption_digest(after));
  }

  void take_classes(const ChangedFile& change) {
    take_classes(change, ClassMeasure::coupling, kCouplingItems, kept_.coupling);
    take_classes(change, ClassMeasure::cohesion, kCohesionItems, kept_.cohesion);
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
    set_summary(out_.report, "complexity",
                Map{{"total", number(spread.count)},
                    {"average", ratio(spread.sum, spread.count, 2)},
                    {"max", number(spread.max)},
                    {"high_risk", number(spread.high)}});
    set_digest(family_at(out_.report, "complexity"), "items",
               digest_over_files(kept_.unit_digests));
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
    set_summary(out_.report, name,
                Map{{"total", number(spread.count)},
                    {"average", ratio(spread.sum, spread.count, 2)},
                    {"max", number(spread.max)},
                    {high, number(spread.high)}});
    set_digest(family_at(out_.report, name), "items", digest_over_files(digests));
  }

  void tell_adoption() {
    const Map told = adoption_family({{}, kept_.adoption});
    Map summary = *told.find("summary")->as_map();
    const Map& known = map_at(out_.report, {"metrics", "families", "coverage_adoption", "summary"});
    if (const Value* modules = known.find("modules")) summary.set("modules", *modules);
    set_summary(out_.report, "coverage_adoption", std::move(summary));
    set_digest(family_at(out_.report, "coverage_adoption"), "items",
               digest_over_files(kept_.adoption_digests));
  }

  void tell_modules() {
    std::vector<ModuleLoad> loads;
    loads.reserve(kept_.loads.size());
    for (std::size_t i = 0; i < kept_.loads.size(); ++i) {
      const KeptLoad& l = kept_.loads[i];
      loads.push_back({.module = std::string(kept_.module(i)),
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
                       .import_edges = l.import_edges});
    }
    const OverloadedModules all = overloaded_modules(std::move(loads));
    note_loads(all);
    const Map told = overloaded_family(all);
    set_summary(out_.report, "overloaded_modules", *told.find("summary")->as_map());
    set_digest(family_at(out_.report, "overloaded_modules"), "items",
               digest_of_list(all.modules, [](const ScoredModule& module, std::string& to) {
                 append_row(overloaded_columns(), module, to);
               }));
  }

  void note_loads(const OverloadedModules& all) {
    std::set<std::string_view> moved, before, after;
    for (const std::size_t i : moved_)
      moved.insert(kept_.module(i));
    for (std::size_t i = 0; i < kept_.loads.size(); ++i)
      if (kept_.loads[i].is_candidate != 0) before.insert(kept_.path(kept_.loads[i].first_file));
    for (const ScoredModule& module : all.modules) {
      if (module.status == Overload::candidate) after.insert(module.load.path);
      if (moved.contains(module.load.module))
        out_.change.loads.emplace_back(item_of(overloaded_columns(), module));
    }
    out_.candidates.path = kLoadItems;
    const auto note = [](const std::set<std::string_view>& of,
                         const std::set<std::string_view>& others, List& to) {
      for (const std::string_view path : of)
        if (!others.contains(path))
          to.emplace_back(
              Map{{"relative_path", path}, {"candidate_status", to_string(Overload::candidate)}});
    };
    note(before, after, out_.candidates.before);
    note(after, before, out_.candidates.after);
  }

  /// Dead code of the changed files, as it is at the moment.
  void note_dead(List ListChange::*to) {
    ListChange &items = out_.change.list(kDeadItems), &groups = out_.change.list(kDeadGroups);
    for (const KeptDead& kept : kept_.dead) {
      if (!changed_.contains(kept.file)) continue;
      const DeadItem item = dead_item(kept_, kept);
      (items.*to).emplace_back(dead_code_item(item));
      (groups.*to).emplace_back(group_document(dead_code_group(item)));
    }
  }

  void count_dead(const DeadItem& item, std::int64_t sign) {
    Map& summary = map_at(out_.report, {"findings", "summary"});
    count(summary, "total", sign);
    count(map_at(out_.report, {"findings", "summary", "families"}), "dead_code", sign);
    const bool is_production = source_kind_of(item.place.path) == SourceKind::production;
    count_word("severity", to_string(severity_of(item)), sign);
    count_word("impact_scope", impact_scope(is_production ? 1 : 0, 1), sign);
  }

  void count_word(std::string_view key, std::string_view word, std::int64_t sign) {
    count(map_at(out_.report, {"findings", "summary", key}), word, sign);
  }

  void tell_dead_code() {
    std::ranges::sort(kept_.dead, [&](const KeptDead& a, const KeptDead& b) {
      return stands_before(dead_item(kept_, a), dead_item(kept_, b));
    });
    const std::vector<DeadItem> items = dead_items(kept_);
    note_dead(&ListChange::after);
    for (const DeadItem* item : ranked_dead_code(items))
      out_.dead_ids.push_back("dead_code:" + item->place.qualname);
    std::uint64_t high = 0;
    for (const DeadItem& item : items) {
      count_dead(item, 1);
      high += item.is_high() ? 1 : 0;
      out_.dead_code.emplace_back(dead_code_item(item));
      out_.measures.dead.any.push_back(item.place.qualname);
      if (item.is_high()) out_.measures.dead.high.push_back(item.place.qualname);
    }
    for (Names* names : {&out_.measures.dead.any, &out_.measures.dead.high}) {
      std::ranges::sort(*names);
      names->erase(std::unique(names->begin(), names->end()), names->end());
    }
    out_.measures.dead.candidates = kept_.candidates;
    Map summary = map_at(out_.report, {"metrics", "families", "dead_code", "summary"});
    summary.set("total", number(items.size()));
    summary.set("candidates", number(kept_.candidates));
    summary.set("high_confidence", number(high));
    summary.set("medium_confidence", number(items.size() - high));
    set_summary(out_.report, "dead_code", std::move(summary));
    set_digest(family_at(out_.report, "dead_code"), "items",
               digest_of_list(items, [](const DeadItem& item, std::string& to) {
                 to += wire::canonical_json(dead_code_item(item));
               }));
    set_digest(map_at(out_.report, {"findings", "groups", "dead_code"}), "groups",
               digest_of_list(ranked_dead_code(items), [](const DeadItem* item, std::string& to) {
                 to += wire::canonical_json(group_document(dead_code_group(*item)));
               }));
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
    set_summary(out_.report, "health", *told.find("summary")->as_map());
    out_.change.health = *told.find("items")->as_list();
    set_digest(
        family_at(out_.report, "health"), "items",
        digest_of_list(*told.find("items")->as_list(), [](const Value& item, std::string& to) {
          to += wire::canonical_json(item);
        }));
  }

  std::optional<AmendedRun> finish() {
    kept_.digested = wire::canonical_json(out_.report);
    out_.report.as_map()->set("integrity", integrity_document(digest_of(kept_.digested).hex()));
    return std::move(out_);
  }

  KeptRun& kept_;
  const Profile& profile_;
  std::set<std::uint32_t> changed_{};  // files
  std::set<std::size_t> moved_{};      // modules whose load is another one
  std::vector<LostUse> lost_{};
  AmendedRun out_{};
};

}  // namespace

std::optional<AmendedRun> amend(KeptRun& kept, const std::vector<ChangedFile>& changes,
                                const Profile& profile, std::string_view& why_not) {
  return Amending(kept, profile).run(changes, why_not);
}

std::vector<DeadItem> dead_items(const KeptRun& kept) {
  std::vector<DeadItem> out;
  for (const KeptDead& item : kept.dead)
    out.push_back(dead_item(kept, item));
  return out;
}

}  // namespace gh::analysis
