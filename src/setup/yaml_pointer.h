#pragma once
// Changes of a YAML file that somebody else writes, at a place that an RFC 6901 pointer names.
// Bytes are only put in and taken out: comments, quotes and the order of keys stay. What comes out
// is read again and held against the value that was wanted; a file whose form does not allow the
// change by lines is refused, never guessed at.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/value.h"

namespace gh::setup {

enum class EditKind : std::uint8_t { set, append, remove };

struct PointerEdit {
  EditKind kind = EditKind::set;
  std::string pointer;
  Value value{};  // not of a removal
};

/// The value with the edit made: `append` adds to the list there and makes it when it is absent,
/// `set` replaces or adds a member, `remove` takes a member or item away. bad_argument when there
/// is no such place.
Result<Value> edited(const Value& root, const PointerEdit&);

/// The text with the edit made. input_unreadable when it is no YAML, bad_argument when there is no
/// such place, conflict when only a person can make the change.
Result<std::string> edited_yaml(std::string_view text, std::string_view name, const PointerEdit&);

/// The parts of a pointer, unescaped. bad_argument when it is none.
Result<std::vector<std::string>> pointer_parts(std::string_view pointer);

}  // namespace gh::setup
