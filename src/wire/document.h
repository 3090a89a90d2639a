#pragma once
// A document that somebody else wrote, JSON or YAML 1.1, with the place of its keys and items.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "wire/json_marks.h"
#include "wire/yaml.h"
#include "wire/yaml_split.h"

namespace gh::wire {

using Document = YamlDocument;

enum class DocumentFormat : std::uint8_t { json, yaml };

/// JSON when the name says so, or when the first character that is no blank opens one.
DocumentFormat format_of(std::string_view name, std::string_view text);

struct DocumentLimits {
  std::size_t max_bytes = 10'485'760;
  std::size_t max_depth = 200;
  std::size_t max_nodes = 1'000'000;  // of YAML, after alias expansion
  std::size_t marked_depth = 6;       // what is deeper stands where its ancestor stands
};

/// A byte order mark is skipped, the last of equal keys counts, numbers are finite. Errors read
/// "NAME:LINE:COLUMN: what".
Result<Document> read_document(std::string_view text, std::string_view name, DocumentLimits = {});

/// One line of a file of JSON texts, the line of that number. Its errors name that place.
Result<Value> read_json_line(std::string_view text, std::string_view name, std::int64_t line);

/// One of those of split_json as a document of its own, with the places that it has in the whole.
Result<Document> read_member(const JsonMember&, std::string_view name, DocumentLimits = {});

/// One of those of split_yaml: a mapping of one key, with the places that it has in the whole.
Result<Document> read_member(const YamlMember&, std::string_view name, DocumentLimits = {});

/// One part of an RFC 6901 pointer.
std::string pointer_part(std::string_view key);

}  // namespace gh::wire
