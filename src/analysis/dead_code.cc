#include "analysis/dead_code.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "analysis/api_surface.h"
#include "analysis/language_traits.h"
#include "analysis/liveness.h"
#include "analysis/metric_families.h"
#include "analysis/name_stems.h"
#include "analysis/offers.h"

namespace gh::analysis {
namespace {

// table: reasons of dead code
constexpr std::array<std::string_view, 8> kReasons{
    "unreferenced", "unreachable_cycle", "only_used_by_dead_code", "unknown_decorator",
    "property",     "external_base",     "named_in_string",        "interface_method"};

// Bases that call no method of a subclass by a name of their own.
// table: bases without callbacks
constexpr std::array<std::string_view, 13> kPlainBases{"object",
                                                       "abc.ABC",
                                                       "typing.Protocol",
                                                       "typing.Generic",
                                                       "typing.NamedTuple",
                                                       "typing.TypedDict",
                                                       "typing_extensions.Protocol",
                                                       "typing_extensions.Generic",
                                                       "typing_extensions.NamedTuple",
                                                       "typing_extensions.TypedDict",
                                                       "enum.Enum",
                                                       "enum.IntEnum",
                                                       "Exception"};
// table: builtin exceptions
constexpr std::array<std::string_view, 64> kExceptions{"ArithmeticError",
                                                       "AssertionError",
                                                       "AttributeError",
                                                       "BlockingIOError",
                                                       "BrokenPipeError",
                                                       "BufferError",
                                                       "BytesWarning",
                                                       "ChildProcessError",
                                                       "ConnectionAbortedError",
                                                       "ConnectionError",
                                                       "ConnectionRefusedError",
                                                       "ConnectionResetError",
                                                       "DeprecationWarning",
                                                       "EOFError",
                                                       "EncodingWarning",
                                                       "EnvironmentError",
                                                       "ExceptionGroup",
                                                       "FileExistsError",
                                                       "FileNotFoundError",
                                                       "FloatingPointError",
                                                       "FutureWarning",
                                                       "IOError",
                                                       "ImportError",
                                                       "ImportWarning",
                                                       "IndentationError",
                                                       "IndexError",
                                                       "InterruptedError",
                                                       "IsADirectoryError",
                                                       "KeyError",
                                                       "LookupError",
                                                       "MemoryError",
                                                       "ModuleNotFoundError",
                                                       "NameError",
                                                       "NotADirectoryError",
                                                       "NotImplementedError",
                                                       "OSError",
                                                       "OverflowError",
                                                       "PendingDeprecationWarning",
                                                       "PermissionError",
                                                       "ProcessLookupError",
                                                       "PythonFinalizationError",
                                                       "RecursionError",
                                                       "ReferenceError",
                                                       "ResourceWarning",
                                                       "RuntimeError",
                                                       "RuntimeWarning",
                                                       "StopAsyncIteration",
                                                       "StopIteration",
                                                       "SyntaxError",
                                                       "SyntaxWarning",
                                                       "SystemError",
                                                       "TabError",
                                                       "TimeoutError",
                                                       "TypeError",
                                                       "UnboundLocalError",
                                                       "UnicodeDecodeError",
                                                       "UnicodeEncodeError",
                                                       "UnicodeError",
                                                       "UnicodeTranslateError",
                                                       "UnicodeWarning",
                                                       "UserWarning",
                                                       "ValueError",
                                                       "Warning",
                                                       "ZeroDivisionError"};

// table: bases without callbacks, other languages
constexpr std::array<std::string_view, 11> kOtherPlainBases{
    "Object",         "Error",
    "TypeError",      "RangeError",
    "Exception",      "RuntimeException",
    "Throwable",      "IllegalArgumentException",
    "std.exception",  "std.runtime_error",
    "std.logic_error"};

template <class Table>
bool is_in(const Table& table, std::string_view word) {
  return std::ranges::find(table, word) != table.end();
}

bool is_dunder(std::string_view name) {
  return name.size() > 4 && name.starts_with("__") && name.ends_with("__");
}

template <class Table>
bool begins_with_one(const Table& table, std::string_view name) {
  return std::ranges::any_of(table, [&](std::string_view p) { return name.starts_with(p); });
}

/// Called by convention, once whatever it stands in is used.
bool is_hook(const LanguageTraits& traits, DeclarationKind kind, std::string_view name) {
  if (kind == DeclarationKind::function) return is_in(traits.hook_functions, name);
  if (kind != DeclarationKind::method) return false;
  return (traits.dunders_are_hooks && is_dunder(name)) ||
         begins_with_one(traits.hook_method_prefixes, name) || is_in(traits.hook_methods, name);
}

/// What all declarations of a symbol say together.
struct State {
  bool is_candidate = false;  // of what may be reported at all
  bool is_asked_for = false;  // by a protocol
  bool has_unknown_decorator = false, is_property = false, is_suppressed = false;
  bool is_hook = false;  // alive by its name
  bool is_kept = false;  // alive for another reason than being used
};

class Finder {
 public:
  Finder(const Project& project, UseGraph* graph)
      : project_(project),
        graph_(graph),
        index_(project),
        ancestry_(project, index_),
        offers_(project),
        states_(index_.all().size()) {
    for (std::uint32_t s = 0; s < states_.size(); ++s)
      if (index_.declaration(s).kind == DeclarationKind::class_)
        classes_[last_part(index_.all()[s].qualname)].push_back(s);
  }

  DeadCode run() {
    read_declarations();
    keep_registered();
    keep_entry_points();
    note_strings();
    note_external_bases();
    note_unknown_bases();
    std::vector<bool> candidates(states_.size());
    for (std::size_t s = 0; s < states_.size(); ++s) {
      candidates[s] = states_[s].is_candidate;
      out_.candidates += candidates[s] ? 1 : 0;
    }
    judge(Liveness(project_, index_, candidates));
    for (auto* list : {&out_.items, &out_.suppressed})
      std::ranges::sort(*list, [](const DeadItem& a, const DeadItem& b) {
        return std::tuple(a.place.path, a.place.start_line, a.place.end_line,
                          std::string_view(a.place.qualname),
                          a.kind) < std::tuple(b.place.path, b.place.start_line, b.place.end_line,
                                               std::string_view(b.place.qualname), b.kind);
      });
    return std::move(out_);
  }

 private:
  void read_declarations() {
    const bool keeps_public = keeps_public_api(project_);
    const bool keeps_offered = project_.profile.dead_code_public_api != PublicApi::report;
    const EntryPoints entries = entry_points_of(project_.manifests);
    for (std::uint32_t f = 0; f < project_.files.size(); ++f) {
      const AnalysedFile& file = project_.files[f];
      if (is_skipped(file.facts.status)) continue;
      const std::vector<Export> exported = exported_declarations(file);
      const bool is_test = !index_.uses_count(f);
      const bool is_started = std::ranges::binary_search(entries.files, file.path);
      for (std::uint32_t d = 0; d < file.facts.declarations.all.size(); ++d) {
        State& state = states_[index_.of(f, d)];
        read_declaration(file, d, state);
        state.is_kept |= is_test;
        state.is_kept |= (keeps_public || is_started) && exported[d] != Export::none;
        state.is_kept |= (keeps_offered || is_started) && offers_.is_offered(f, d);
        state.is_hook |= offers_.is_called_unseen(f, d);
        state.is_asked_for |= offers_.is_asked_for(f, d);
        if (is_entry(file, d)) keep_with_owners(index_.of(f, d));
      }
    }
  }

  static bool is_entry(const AnalysedFile& file, std::uint32_t d) {
    const DeclarationFact& fact = file.facts.declarations.all[d];
    return fact.kind == DeclarationKind::method &&
           is_in(traits_of(file.language).entry_methods, file.facts.names[fact.name]);
  }

  void keep_with_owners(std::uint32_t s) {
    for (; s != kNone; s = index_.all()[s].parent)
      states_[s].is_kept = true;
  }

  /// A file that could not be read as a whole might use or export all that it declares.
  void read_declaration(const AnalysedFile& file, std::uint32_t d, State& state) const {
    const DeclarationFact& fact = file.facts.declarations.all[d];
    const LanguageTraits& traits = traits_of(file.language);
    const std::string_view name = file.facts.names[fact.name];
    state.is_candidate |= !fact.is_exempt && !fact.inside_function && traits.finds_dead_code &&
                          file.facts.status == FileStatus::ok;
    state.has_unknown_decorator |= fact.has_unknown_decorator;
    state.is_property |= fact.is_property;
    state.is_suppressed |= is_suppressed(file.facts, d, Rule::dead_code);
    state.is_hook |= is_hook(traits, fact.kind, name);
    state.is_kept |= begins_with_one(traits.hook_prefixes, name);
  }

  void keep_registered() {
    for (const Registration& registration : registrations_of(project_, index_, ancestry_)) {
      states_[registration.target].is_kept = true;
      out_.registrations.emplace_back(registration_document(project_, index_, registration));
    }
  }

  void keep_entry_points() {
    for (const std::string& entry : entry_points_of(project_.manifests).symbols)
      if (const std::uint32_t symbol = entry_symbol(entry); symbol != kNone)
        states_[symbol].is_kept = true;
  }

  /// As written, where it is imported from, or the only module whose name ends so.
  std::uint32_t entry_symbol(const std::string& entry) const {
    if (const std::uint32_t exact = index_.named(entry); exact != kNone) return exact;
    std::string dotted = entry;
    std::ranges::replace(dotted, ':', '.');
    if (const std::uint32_t followed = index_.find_as_written(dotted); followed != kNone)
      return followed;
    std::uint32_t found = kNone;
    for (std::uint32_t s = 0; s < states_.size(); ++s)
      if (states_[s].is_candidate && index_.all()[s].qualname.ends_with("." + entry)) {
        if (found != kNone) return kNone;
        found = s;
      }
    return found;
  }

  void note_strings() {
    for (std::uint32_t f = 0; f < project_.files.size(); ++f) {
      if (!index_.uses_count(f)) continue;
      const FileFacts& facts = project_.files[f].facts;
      for (const NameId name : facts.references.strings)
        strings_.insert(facts.names[name]);
      for (const NameId name : facts.references.stems)
        stems_.add(facts.names[name]);
    }
  }

  bool is_named_in_string(std::uint32_t s) const {
    const Symbol& symbol = index_.all()[s];
    const FileFacts& facts = project_.files[symbol.file].facts;
    const DeclarationFact& fact = index_.declaration(s);
    std::string dotted(symbol.qualname);
    std::ranges::replace(dotted, ':', '.');
    return strings_.contains(facts.names[fact.name]) ||
           strings_.contains(facts.names[fact.local_name]) || strings_.contains(dotted) ||
           strings_.contains(symbol.qualname) || stems_.matches(facts.names[fact.name]);
  }

  /// A base outside of the run may call any method of its subclasses.
  bool has_external_base(std::uint32_t s) const {
    const std::uint32_t owner = index_.all()[s].parent;
    if (index_.declaration(s).kind != DeclarationKind::method || owner == kNone) return false;
    if (project_.files[index_.all()[s].file].language == syntax::Language::python)
      return has_external_base_[owner];
    const std::string_view name = last_part(index_.all()[owner].qualname);
    return !classes_.contains(name) || unknown_.contains(name);
  }

  static std::string_view last_part(std::string_view name) {
    return name.substr(name.find_last_of(".:") + 1);
  }

  void note_external_bases() {
    const auto bases = ancestry_.outer_bases([](std::string_view base) {
      return !is_in(kPlainBases, base) && !is_in(kExceptions, base);
    });
    for (const auto* base : bases)
      has_external_base_.push_back(base != nullptr);
  }

  /// Where files do not say which class they mean, a class of that name is meant.
  void note_unknown_bases() {
    std::unordered_map<std::string_view, std::vector<std::string_view>> derived;
    std::vector<std::string_view> open;
    for (const auto& [name, symbols] : classes_)
      for (const std::uint32_t s : symbols) {
        const DeclarationFact& fact = index_.declaration(s);
        const FileFacts& facts = project_.files[index_.all()[s].file].facts;
        for (std::uint32_t b = fact.bases_from; b < fact.bases_to; ++b) {
          const std::string_view base = facts.names[facts.declarations.bases[b]];
          if (is_in(kOtherPlainBases, base)) continue;
          derived[last_part(base)].push_back(name);
          if (!classes_.contains(last_part(base))) open.push_back(name);
        }
      }
    unknown_.insert(open.begin(), open.end());
    while (!open.empty()) {
      const std::string_view name = open.back();
      open.pop_back();
      if (const auto below = derived.find(name); below != derived.end())
        for (const std::string_view next : below->second)
          if (unknown_.insert(next).second) open.push_back(next);
    }
  }

  DeadReason doubt(std::uint32_t s) const {
    if (states_[s].has_unknown_decorator) return DeadReason::unknown_decorator;
    if (states_[s].is_property) return DeadReason::property;
    if (states_[s].is_asked_for) return DeadReason::interface_method;
    if (has_external_base(s)) return DeadReason::external_base;
    if (is_named_in_string(s)) return DeadReason::named_in_string;
    return DeadReason::unreferenced;
  }

  Way way_of(std::uint32_t s) const {
    const State& state = states_[s];
    if (state.is_kept) return Way::root;
    const bool by_convention = !state.is_candidate || state.is_hook;
    if (state.is_suppressed) return by_convention ? Way::root : Way::silenced;
    if (!by_convention) return Way::judged;
    return index_.all()[s].parent == kNone ? Way::root : Way::follows_parent;
  }

  void judge(const Liveness& liveness) {
    std::vector<Way> ways;
    for (std::uint32_t s = 0; s < states_.size(); ++s)
      ways.push_back(way_of(s));
    const JudgedLife judged = judge_life(liveness, ways, [&](std::uint32_t s) { return doubt(s); });
    for (const DeadSymbol& dead : judged.dead)
      add(out_.items, dead);
    for (const DeadSymbol& silenced : judged.silenced)
      add(out_.suppressed, silenced);
    if (graph_ == nullptr) return;
    *graph_ = liveness.graph(project_, index_);
    for (std::uint32_t s = 0; s < states_.size(); ++s)
      graph_->doubts.push_back(
          static_cast<std::uint8_t>(ways[s] == Way::judged ? doubt(s) : DeadReason::unreferenced));
    graph_->ways = std::move(ways);
  }

  void add(std::vector<DeadItem>& list, const DeadSymbol& dead) const {
    const AnalysedFile& file = project_.files[index_.all()[dead.symbol].file];
    const DeclarationFact& fact = index_.declaration(dead.symbol);
    list.push_back({{qualname_of(file, file.facts.names[fact.local_name]), file.path,
                     fact.start_line, fact.end_line},
                    fact.kind,
                    dead.reason});
  }

  const Project& project_;
  UseGraph* graph_;  // null: not asked for
  SymbolIndex index_;
  Ancestry ancestry_;
  Offers offers_;
  std::vector<State> states_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> classes_{};  // by last name
  std::vector<bool> has_external_base_{};           // by symbol of a class
  std::unordered_set<std::string_view> unknown_{};  // names of classes with a base that is not seen
  std::unordered_set<std::string_view> strings_{};
  StemSet stems_{};
  DeadCode out_{};
};

}  // namespace

Map dead_code_item(const DeadItem& item) {
  Map out = item.place.document();
  out.set("kind", to_string(item.kind));
  out.set("confidence", item.is_high() ? "high" : "medium");
  out.set("reason", to_string(item.reason));
  return out;
}

std::string_view to_string(DeadReason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

std::uint64_t DeadCode::high_confidence() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(items, &DeadItem::is_high));
}

DeadCode dead_code_of(const Project& project) { return Finder(project, nullptr).run(); }
DeadCode dead_code_of(const Project& project, UseGraph& graph) {
  return Finder(project, &graph).run();
}

bool keeps_public_api(const Project& project) {
  if (project.profile.dead_code_public_api != PublicApi::by_manifest)
    return project.profile.dead_code_public_api == PublicApi::keep;
  const auto has_file = [&](std::string_view path) {
    return std::ranges::find(project.files, path, &AnalysedFile::path) != project.files.end();
  };
  const auto has_go_main = [&] {
    for (const AnalysedFile& file : project.files)
      if (file.language == syntax::Language::go)
        for (const UnitFact& unit : file.facts.units)
          if (unit.local_name == "main") return true;
    return false;
  };
  return names_a_package(project.manifests) ||
         (has_manifest(project.manifests, "Cargo.toml") && has_file("src/lib.rs")) ||
         (has_manifest(project.manifests, "go.mod") && !has_go_main());
}

Map dead_code_family(const DeadCode& dead) {
  List suppressed;
  for (const DeadItem& item : dead.suppressed) {
    Map document = dead_code_item(item);
    document.set("rule", to_string(Rule::dead_code));
    document.set("source", "inline");
    suppressed.emplace_back(std::move(document));
  }
  Map out = family(Map{{"total", number(dead.items.size())},
                       {"candidates", number(dead.candidates)},
                       {"high_confidence", number(dead.high_confidence())},
                       {"medium_confidence", number(dead.items.size() - dead.high_confidence())},
                       {"suppressed", number(dead.suppressed.size())},
                       {"registrations", number(dead.registrations.size())}},
                   {});
  out.set("suppressed", std::move(suppressed));
  out.set("registrations", dead.registrations);
  return out;
}

std::vector<const DeadItem*> ranked_dead_code(const std::vector<DeadItem>& items) {
  std::vector<const DeadItem*> out;
  for (const DeadItem& item : items)
    out.push_back(&item);
  // All are equally easy to mend: what is sure comes first.
  std::ranges::stable_sort(out, [](const DeadItem* a, const DeadItem* b) {
    if (a->is_high() != b->is_high()) return a->is_high();
    return a->place.qualname < b->place.qualname;
  });
  return out;
}

Severity severity_of(const DeadItem& item) {
  return item.is_high() ? Severity::warning : Severity::info;
}

Group dead_code_group(const DeadItem& item) {
  return {.id = "dead_code:" + item.place.qualname,
          .family = "dead_code",
          .category = to_string(item.kind),
          .kind = "unused_symbol",
          .severity = severity_of(item),
          .effort = Effort::easy,
          .confidence = item.is_high() ? "high" : "medium",
          .places = {item.place},
          .facts = Map{{"reason", to_string(item.reason)}}};
}

}  // namespace gh::analysis
