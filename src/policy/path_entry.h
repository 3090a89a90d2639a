#pragma once
// What an entry of a policy list may look like. An entry that no accepted path can ever match is a
// mistake that would go unnoticed, so it is refused at load (patch-gate 6).
#include <cstdint>
#include <string>
#include <string_view>

namespace gh::policy {

enum class EntryKind : std::uint8_t {
  root,       // folder or file; "." is the whole repository; one trailing '/' is dropped
  prefix,     // likewise, without "."
  component,  // one path component
  suffix,     // the end of a path
  pattern,    // PATHGLOB; a trailing '/' has a meaning and stays
  path,       // one exact path
};

/// Drops the one trailing '/' that roots and prefixes may have.
std::string normal_entry(EntryKind, std::string_view entry);

/// What is wrong with a normalised entry; empty: nothing.
std::string_view entry_defect(EntryKind, std::string_view entry);

}  // namespace gh::policy
