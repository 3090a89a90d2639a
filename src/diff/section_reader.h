#pragma once
// Reads one file section: git line, extended headers, --- and +++ lines, hunks.
#include "diff/hunk_reader.h"
#include "diff/lines.h"
#include "diff/patch.h"

namespace gh::diff {

inline constexpr std::string_view kGitLine = "diff --git ";

struct Grammar {
  Profile profile = Profile::strict;
  Position position = Position::exact;
};

/// `section` is filled as far as the input was read, also on refusal: both names are there as soon
/// as the git line was understood (section.line > 0).
Checked<void> read_section(Lines& lines, Section& section, const Grammar& grammar,
                           std::vector<Note>& notes);

}  // namespace gh::diff
