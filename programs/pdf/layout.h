#pragma once
// Lays a document out on A4 pages and draws it.
#include <cstdint>
#include <string>

#include <cairo.h>

#include "fonts.h"
#include "pdf/document.h"

namespace gh::pdf {

inline constexpr double kPageWidth = 595.28, kPageHeight = 841.89;  // A4 in points
inline constexpr int kMaxPages = 2000;  // the last one says that the rest is missing

/// Draws on a surface of that size; returns how many pages it took. `of_pages` is printed in the
/// footer: draw once to learn it, and again to show it.
int draw(const Document&, const Fonts&, cairo_surface_t*, int of_pages);

}  // namespace gh::pdf
