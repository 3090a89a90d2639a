// What others may call from outside: names, kinds and parameters (analysis reference, "Public
// API").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/project.h"
#include "base/error.h"
#include "model/value.h"

namespace gh::analysis {

enum class ApiKind : std::uint8_t { function, class_, method, constant };
std::string_view to_string(ApiKind);

struct ApiParam {
  std::string name;
  syntax::ParamKind kind = syntax::ParamKind::pos_or_kw;
  bool has_default = false;
  std::string annotation{};  // a hash; empty: none
  bool operator==(const ApiParam&) const = default;
};

struct ApiSymbol {
  std::string local_name;
  ApiKind kind = ApiKind::function;
  std::uint32_t start_line = 0, end_line = 0;
  bool is_in_all = false;  // exported by the module's own list, else by its name
  std::string returns{};   // a hash of the annotation; empty: none
  std::vector<ApiParam> params{};
};

struct ApiModule {
  std::string module, path;
  std::vector<std::string> all_declared{};
  std::vector<ApiSymbol> symbols{};  // by line, then name
};

struct ApiSurface {
  std::vector<ApiModule> modules{};      // in the order of files; only those with symbols
  std::vector<std::string> reexports{};  // `module:name` of what modules have from others, sorted
};
ApiSurface api_surface_of(const Project&);

/// As a baseline keeps it.
std::string_view to_word(syntax::ParamKind);
Value api_surface_document(const ApiSurface&);
Result<ApiSurface> api_surface_from(const Value&);
/// As the report tells it.
Map api_surface_family(const ApiSurface&);

enum class Export : std::uint8_t { none, by_name, by_all };
/// For each declaration of a file: is it part of the surface?
std::vector<Export> exported_declarations(const AnalysedFile&);
/// Those that are, one per name (and types, where a language tells functions of one name apart by
/// them): the first that is no overload.
std::vector<std::uint32_t> public_declarations(const AnalysedFile&,
                                               const std::vector<Export>& exported);

}  // namespace gh::analysis
