// All files of one run, in the order of their paths, and the names that depend on paths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts.h"
#include "analysis/manifests.h"

namespace gh::analysis {

/// Are public symbols of a library alive although nothing here uses them?
enum class PublicApi : std::uint8_t { by_manifest, keep, report };

/// An object that registers what it decorates, beside those of the table.
struct RegistrationRule {
  std::string constructor;  // dotted
  std::vector<std::string> methods;
};

/// Thresholds; they are applied to facts, never recorded in them.
struct Profile {
  std::uint32_t min_loc = 10, min_stmt = 6;
  std::uint32_t block_min_loc = 20, block_min_stmt = 8, block_min_run = 4;
  std::uint32_t segment_min_loc = 20, segment_min_stmt = 10;
  std::uint32_t near_miss_similarity = 80;    // percent
  bool structural_shape_groups = false;       // also arms that only look alike
  bool instance_independent_methods = false;  // methods that could be functions
  std::uint32_t design_complexity = 20, design_coupling = 10, design_cohesion = 4;
  PublicApi dead_code_public_api = PublicApi::by_manifest;
  std::vector<RegistrationRule> dead_code_registrations{};
  bool api_surface = false, api_strict_types = false;
};

struct AnalysedFile {
  std::string path;  // relative to the root, with '/'
  syntax::Language language = syntax::Language::python;
  FileFacts facts{};
  bool is_test_module = false;  // another file says that it is there to test (mark_test_modules)
};

/// One that lets nobody look into it stands among the files as "folder/", skipped and of no
/// language.
inline bool is_folder(const AnalysedFile& file) { return file.path.ends_with('/'); }

/// A folder whose packages are imported by a path of its own.
struct GoModule {
  std::string folder, path;
  bool operator==(const GoModule&) const = default;
};

struct Project {
  std::vector<AnalysedFile> files{};  // sorted by path, bytewise
  std::vector<GoModule> go_modules{};
  Profile profile{};
  Manifests manifests{};
};

struct UnitRef {
  std::uint32_t file = 0, unit = 0;
  bool operator==(const UnitRef&) const = default;
};

inline const UnitFact& unit_of(const Project& project, UnitRef ref) {
  return project.files[ref.file].facts.units[ref.unit];
}

/// Dotted, without extension; a package is its folder.
std::string module_of(std::string_view path);
/// By the rules of its language: a Go package is its folder, a Rust module a path in its crate, one
/// of Java a path below the sources, C and C++ have files only.
std::string module_of(const AnalysedFile&);
std::string qualname_of(const Project&, UnitRef);
std::string qualname_of(const AnalysedFile&, const ClassFact&);
/// Of any name in the file; of the module itself when it is empty.
std::string qualname_of(const AnalysedFile&, std::string_view local);

enum class SourceKind : std::uint8_t { production, tests, fixtures, other };
std::string_view to_string(SourceKind);
SourceKind source_kind_of(std::string_view path);
/// What is there to test: by its kind, or by a name of its language.
bool is_test_file(std::string_view path);
bool is_test_file(const AnalysedFile&);

enum class Risk : std::uint8_t { low, medium, high };
std::string_view to_string(Risk);
Risk complexity_risk(std::uint32_t cyclomatic);
Risk cohesion_risk(std::uint32_t lcom4);
Risk coupling_risk(std::size_t names);

}  // namespace gh::analysis
