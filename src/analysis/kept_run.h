// What a run leaves behind so that the next one, in which few files changed, need not begin anew:
// flat tables by file, and the text of the report that its digest is taken of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/adoption.h"
#include "analysis/archive.h"
#include "analysis/canonical_report.h"
#include "analysis/health.h"
#include "analysis/measures.h"
#include "analysis/overloaded_modules.h"
#include "analysis/project.h"
#include "analysis/report_digest.h"
#include "analysis/text_list.h"
#include "analysis/thin_project.h"
#include "analysis/use_graph.h"

namespace gh::analysis {

/// Which names were seen: never says no to one that was, seldom yes to one that was not.
struct NameSieve {
  std::vector<std::uint64_t> bits{};  // a power of two

  static NameSieve for_names(std::size_t count);
  void add(std::string_view name);
  bool may_hold(std::string_view name) const;
  bool is_whole() const;
};

/// A module's load, flat; the path is that of its first file.
struct KeptLoad {
  std::uint32_t first_file = 0, files = 0;
  std::uint32_t loc = 0, functions = 0, methods = 0, classes = 0, callables = 0;
  std::uint32_t complexity_total = 0, complexity_max = 0;
  std::uint32_t fan_in = 0, fan_out = 0, import_edges = 0;
  std::uint32_t is_candidate = 0;  // is it overloaded?
  bool operator==(const KeptLoad&) const = default;
};

/// Numbers of classes by file, without those that ask to be left out.
struct KeptClass {
  std::uint32_t value = 0;     // names it is coupled to, or parts it falls into
  std::uint32_t in_graph = 0;  // of cohesion: could it fall apart?
  bool operator==(const KeptClass&) const = default;
};
struct KeptClasses {
  std::vector<std::uint32_t> ends{};
  std::vector<KeptClass> all{};
  std::string digests{};  // of their items, as in RunDigests
  bool is_whole(std::size_t files) const;
};

struct KeptDead {
  std::uint32_t file = 0, start_line = 0, end_line = 0;
  std::uint32_t symbol = kNone;  // of the kept graph
  DeclarationKind kind = DeclarationKind::function;
  DeadReason reason = DeadReason::unreferenced;
  std::string qualname{};
};

/// What health asks for of everything that a change of few files leaves as it is.
struct KeptMeasures {
  std::uint64_t files_found = 0, files_analysed = 0, files_skipped = 0;
  std::uint64_t cycles = 0, modules = 0, modules_in_cycles = 0, max_depth = 0, p95_depth = 0;
  Decimal average_depth{};
  Names functions{}, blocks{};  // keys of clones
  std::uint64_t statements = 0, duplicated_statements = 0;
};

/// One of the edges between modules, which stand in the order of their names.
struct KeptEdge {
  std::uint32_t from = 0, to = 0, line = 0, statements = 0;
  std::uint8_t is_from = 0, typing_only = 0, deferred = 0, unused = 0;
  bool operator==(const KeptEdge&) const = default;
};

/// What parts of a report are made from again; each is read when it is asked for.
struct KeptTables {
  Late<std::vector<ThinImports>> imports{};  // by file
  Late<std::vector<std::vector<UnitFact>>> units{};
  Late<std::vector<KeptEdge>> edges{};  // as the report lists them
  bool has_edges = false;               // no: a module that imports has several files
  std::vector<GoModule> go_modules{};
  bool has_directives = false;  // does any file ask that a rule leave it alone?
};

struct KeptRun {
  std::string paths{};  // of the files, one after the other
  std::vector<std::uint32_t> path_ends{};
  std::vector<std::uint8_t> languages{};
  std::vector<std::uint8_t> is_told{};  // is it a place of a finding that is no dead code?
  // Of every unit, by file: its cyclomatic complexity; 0: it does not count.
  std::vector<std::uint32_t> unit_ends{};
  std::vector<std::uint16_t> complexity{};
  std::string unit_digests{}, adoption_digests{};  // as in RunDigests
  std::string module_names{};                      // sorted, one after the other
  std::vector<std::uint32_t> module_ends{};
  std::vector<KeptLoad> loads{};
  AdoptionCounts adoption{};
  std::uint64_t lines = 0, units = 0;
  std::vector<KeptDead> dead{};
  std::uint64_t candidates = 0;
  NameSieve names{};  // that any file speaks of
  // What files ask others for: "module:name" with the last part of the module's name, "module:*"
  // where any name of it may be meant; and the names alone.
  NameSieve asked{};
  std::vector<std::string> stems{}, entry_symbols{}, entry_files{};
  bool keeps_public_api = false;
  Late<UseGraph> uses{};
  KeptClasses coupling{}, cohesion{};
  KeptMeasures measures{};
  std::string digested{};               // RunDigests::text
  std::vector<Late<TextList>> lists{};  // of the report, as kept_list_paths has them
  KeptTables tables{};

  /// Where a module of that name stands, or would.
  std::size_t module_place(std::string_view name) const;
  /// One of kept_list_paths.
  const TextList& list(std::string_view path) const;
  /// Who uses whom in the files that there were; nullptr: that does not fit together.
  const UseGraph* graph(std::size_t files_then) const;
  /// May a file ask for that name of the module?
  bool may_be_asked(std::string_view module, std::string_view name) const;
  /// A file that says nothing, in front of the one with that number; and the other way round. Of
  /// UseGraph they know nothing.
  void insert_file(std::uint32_t at, std::string_view path, syntax::Language);
  void erase_file(std::uint32_t at);

  std::string_view path(std::size_t file) const {
    const std::uint32_t from = file == 0 ? 0 : path_ends[file - 1];
    return std::string_view(paths).substr(from, path_ends[file] - from);
  }
  std::string_view module(std::size_t i) const {
    const std::uint32_t from = i == 0 ? 0 : module_ends[i - 1];
    return std::string_view(module_names).substr(from, module_ends[i] - from);
  }
  bool is_whole() const;  // do its tables fit together? Late parts are looked at on their own.
};

/// nullopt for a run that has what is not kept: coverage, the interface, parts that were skipped.
std::optional<KeptRun> kept_run(const Project&, const Findings&, const Measures&, const RunReport&,
                                const RunDigests&, const UseGraph&);

std::string to_bytes(const KeptRun&);
/// nullopt for what to_bytes never gave. Parts of it lie in the bytes, which must stay.
std::optional<KeptRun> kept_run_from(std::string_view bytes);

/// The long lists of a report that are kept as text.
std::span<const std::string_view> kept_list_paths();

/// All that a file speaks of, and what of it others are asked for.
void add_names(const FileFacts&, NameSieve& names);
void add_asked(const AnalysedFile&, NameSieve& asked);
/// Cyclomatic complexity by unit of one file, as a KeptRun has it; nullopt when one is too high.
std::optional<std::vector<std::uint16_t>> unit_complexities(const FileFacts&);
/// Numbers and items of the classes of one file, or of a project.
struct ClassList {
  std::vector<KeptClass> values{};
  List items{};  // in the order of the report
};
enum class ClassMeasure : std::uint8_t { coupling, cohesion };
ClassList classes_of(const Project&, ClassMeasure);
/// The digest of what one file says in such a list.
std::string items_digest(const List& items);

/// Statements of a file as the share of clones counts them; 0 unless it is production code.
std::uint64_t counted_statements(const AnalysedFile&);

}  // namespace gh::analysis
