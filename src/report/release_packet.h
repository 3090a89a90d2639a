#pragma once
// The release packet for people: one page, written as Markdown, as HTML and, by the program that
// prints, as PDF. All from packet.json's own document (release-gate 20).
#include <string>

#include "model/value.h"
#include "pdf/document.h"

namespace gh::report {

/// What stands on the page, section by section; all three forms are made from it.
pdf::Document packet_page(const Value& packet);

std::string page_markdown(const pdf::Document&);
/// Self-contained: no script, nothing from elsewhere.
std::string page_html(const pdf::Document&);

}  // namespace gh::report
