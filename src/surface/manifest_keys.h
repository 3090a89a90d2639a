#pragma once
// Every key of the manifest as a row, and the walk that holds a document against the rows
// (tool-surface 2.3). Private to surface.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::surface {

enum class KeyType : std::uint8_t {
  text,     // a string
  filled,   // a string that is more than blanks
  date,     // YYYY-MM-DD, a day that there is
  flag,     // true or false
  number,   // whole or not
  choice,   // one of the words in `of`
  texts,    // a list of strings
  filleds,  // a list of strings that are more than blanks
  choices,  // a list of words in `of`
  record,   // a mapping with the keys of the record `of`
  records,  // a list of them
  named,    // a mapping from any name to such records
  values,   // a mapping from any name to anything
};
enum class Need : std::uint8_t { optional, required, nullable };

struct KeyRow {
  std::string_view record, key;
  KeyType type;
  std::string_view of;
  Need need;
};
std::span<const KeyRow> manifest_keys();

struct Violation {
  std::string name;     // dotted, with list indexes; "<root>" for rules about the whole
  std::string pointer;  // from the mapping
  std::string message;
};

/// The same walk over other rows, from one of their records.
std::vector<Violation> check_record(std::span<const KeyRow> rows, std::string_view record,
                                    const Value& mapping, Value& expanded);

/// Violations in the order of the document. `expanded` becomes the document with short forms
/// written out.
std::vector<Violation> check_keys(const Value& mapping, Value& expanded);

}  // namespace gh::surface
