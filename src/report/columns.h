#pragma once
// Text measured in terminal columns, and cut or folded to fit.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gh::report {

/// Printable form of `bytes`, at most `max` characters; a cut ends with "…".
std::string clipped(std::string_view bytes, std::size_t max);

/// Columns that printable UTF-8 `text` takes.
int columns(std::string_view text);

std::string padded(std::string_view text, int width);  // spaces on the right

/// One unit of a source line as drawn: a character, an escape, the spaces of a tab.
struct Cell {
  std::string text;
  int width = 1;
  std::size_t byte = 0;  // where it starts in the source line
};

/// Tabs go to the next multiple of 4; control, invalid and invisible code points become escapes;
/// combining marks join the cell before them.
std::vector<Cell> cells_of(std::string_view line);

/// Words of `text` folded to lines of `width` columns; what stands between backquotes is never
/// broken. Lines after the first begin with `indent` spaces, which `width` does not count.
std::string folded(std::string_view text, int width, int indent);

}  // namespace gh::report
