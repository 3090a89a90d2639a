#pragma once
// A tool that an agent may call, as static evidence shows it (tool-surface 4).
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "surface/schema.h"
#include "surface/words.h"

namespace gh::surface {

/// Where something stands. What is unknown is empty or 0; the empty pointer is a whole document.
struct Place {
  std::string path{};  // from the folder of the manifest
  std::int64_t start_line = 0, end_line = 0, start_column = 0;
  std::optional<std::string> pointer{};  // RFC 6901
};

struct Hint {
  std::string tag, source;
  Confidence confidence = Confidence::low;
  Map evidence{};
};

/// A null member was not given.
struct Parameter {
  std::string name;
  std::string type{};  // empty: unknown
  bool required = false;
  Value description{}, enumeration{}, minimum{}, maximum{}, format{}, fallback{};
};
Map document_of(const Parameter&);  // every member, nulls too
/// The JSON type that a type means: `Optional[float]` is a number. One that is none, that is
/// bounded by its annotation or that nobody here knows stays as it is; `Any` is no type.
std::string json_type_of(std::string_view type);

struct Auth {
  std::string type{}, credential_mode{}, source{};
  std::vector<std::string> scopes{};
};

/// What is hashed of the schema and the parameters of a tool, for facts and actions.
struct ToolHashes {
  std::string schema, parameters;
};

/// Texts that are unknown are empty.
struct Tool {
  std::string id{}, name{}, description{};
  std::string source_type{}, source_id{}, source_ref{};
  std::string source_location{};  // legacy "path:line" of source code
  Place place{};
  Schema input_schema{}, output_schema{};
  std::vector<Parameter> parameters{};
  ToolHashes hashes{};  // empty: nobody has asked yet (hashes_of)
  std::string signature{};
  Map annotations{};
  Auth auth{};
  std::vector<Hint> hints{};
  std::string owner{};
  Confidence confidence = Confidence::high;
  std::string method{};  // of extraction
};

/// What is known about tools of one origin (tool-surface 4.3, 7.1).
struct SourceType {
  std::string_view name;
  Confidence confidence;
  std::string_view method;
  int priority;              // the higher one is kept when two tools have one id
  std::string_view keyword;  // source of READ and WRITE hints; empty: they do not apply
};
/// nullptr for a type that no loader gives.
const SourceType* source_type_named(std::string_view);

/// A tool of that type with what its row says.
Tool make_tool(std::string_view source_type, std::string_view name);

/// The parameters that a schema describes (tool-surface 4.2).
std::vector<Parameter> parameters_of(const Value& schema);

/// Fewer tools than that are not worth a thread.
inline constexpr std::size_t kToolsOfAThread = 100;

/// Hashes of what a model sees of a tool, by field, as the facts of a report have them.
Map contract_of(const Tool&);

bool annotation_is_true(const Tool&, std::string_view key);
bool is_truthy(const Value*);          // absent, null, false, 0 and what is empty are not
std::string http_method(const Tool&);  // upper case; empty when unknown

/// The warning about a name that hosts may not take; nullopt when it is conventional.
std::optional<std::string> name_warning(std::string_view name);

// ------------------------------------------------------------------ predicates (tool-surface 7.3)

using Tags = std::initializer_list<std::string_view>;
Confidence best(const Tool&, Tags);
inline bool has(const Tool& tool, Tags tags) { return best(tool, tags) >= Confidence::medium; }
/// Sorted and unique.
std::vector<std::string> risk_tags(const Tool&, Confidence least = Confidence::medium);
bool is_read_only(const Tool&);
bool is_write(const Tool&);
bool is_high_risk(const Tool&);
bool is_wildcard(const Tool&);
bool is_broad_scope(std::string_view scope);
bool is_covered(std::string_view scope, const std::vector<std::string>& declared);
/// The manifest says so, or the tool itself does.
bool has_idempotency_evidence(const Tool&, const std::set<std::string>& declared);

}  // namespace gh::surface
