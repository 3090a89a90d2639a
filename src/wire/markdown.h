#pragma once
// Markdown for text that an agent wrote. A path or message from a patch can neither make a link,
// image, HTML, heading, list or table, nor hide anything by control or invisible characters.
#include <cstddef>
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::wire {

/// One line of running text: printable form, Markdown syntax escaped by backslash.
std::string md_text(std::string_view bytes, std::size_t max = 240);

/// A code span of the printable form, fenced by more backquotes than it holds in a row.
std::string md_code(std::string_view bytes, std::size_t max = 1024);

/// A fenced block of indented JSON; invisible code points are written as \u escapes.
std::string md_json(const Value&);

}  // namespace gh::wire
