// What a file lets others name, in languages that say so by a word, a capital or a header (analysis
// reference, "Public API").
#pragma once

#include "analysis/project.h"

namespace gh::analysis {

bool is_header(std::string_view path);

/// `export {f}`, `module.exports = {f}`.
bool is_listed(const FileFacts&, NameId name);

/// Tests offer nothing, and neither do classes inside classes.
bool is_offered_here(const AnalysedFile&, std::uint32_t declaration);
bool is_offered_here(const AnalysedFile&, const ConstantFact&);

}  // namespace gh::analysis
