// What a baseline file must be before anything of it is believed. Private to the file's reader.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/baseline_file.h"
#include "model/value.h"

namespace gh::analysis {

struct Defect {
  Trust trust;
  std::string detail;
};

/// The first thing that is wrong with a document, in the order of the checks.
std::optional<Defect> first_defect(const Map& file);
/// A file of another tool whose metrics and API can be read.
bool is_migrating(const Map& file);
bool has_metrics_shape(const Map& metrics);
/// Made of values that we write ourselves: anything else has no canonical form.
bool is_ours(const Value&);

/// A hash of `meta` and the section it seals.
struct Seal {
  std::string_view hash, section;
};
std::span<const Seal> seals();
/// SHA-256 of what the hash of the section covers; the section must be there.
std::string sealed_digest(const Map& file, std::string_view section);

}  // namespace gh::analysis
