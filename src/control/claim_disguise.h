#pragma once
// What a text hides from a program and shows to a reader: letters of other scripts that look like
// Latin ones, HTML between letters, characters that are written as entities. Internal to the claim
// guard.
#include <string>
#include <string_view>

#include "control/claim_reading.h"

namespace gh::control {

/// The letter as a reader takes it, case-folded: of another script, of another width or style, with
/// a mark above it. Nothing for a mark alone.
void append_as_seen(std::string_view one, char32_t point, std::u32string& out);

/// Without tags and comments, and with entities as what they stand for. A tag that begins a line or
/// a cell leaves white space, one that begins a paragraph the end of one.
Folded without_markup(const Folded&);

}  // namespace gh::control
