#pragma once
// Patches that are almost right: bytes changed at random, and the grammar's own parts exchanged.
#include <string>
#include <vector>

#include "fuzz/differential/chance.h"

namespace gh::fuzz {

/// One to three random changes of bytes and lines.
std::string mutate_bytes(std::string patch, Chance&);

/// One to three changes that know sections, headers, names, hunks and counts; often repaired so
/// that counts and positions agree again. `others` lend sections and hunks.
std::string mutate_grammar(const std::string& patch, const std::vector<std::string>& others,
                           Chance&);

/// Another spelling of the same change: order of sections, index lines, headings, quoting, counts.
std::string respell(const std::string& patch, Chance&);

}  // namespace gh::fuzz
