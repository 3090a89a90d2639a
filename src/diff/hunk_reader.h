#pragma once
// Reads the hunks of one section: header line, arithmetic against the earlier hunks, body.
#include <vector>

#include "diff/defect.h"
#include "diff/lines.h"
#include "diff/patch.h"

namespace gh::diff {

/// Reads one hunk of `section` from `lines`, whose current line begins with "@@", and appends it.
Checked<void> read_hunk(Lines& lines, Section& section, Position position,
                        std::vector<Note>& notes);

}  // namespace gh::diff
