// What a run is known by (analysis reference, "Runs"): another id whenever an input is another one,
// the same id for the same inputs wherever they were read from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::analysis {

/// A file that takes part in the id: an analysed one, or one that governs.
struct RunInput {
  std::string path, mode, blob;  // mode as git writes it; id of the bytes as a blob
};

/// Files that decide how code is built, checked or owned: they are no code, and a change of one is
/// a new run all the same.
bool is_governance(std::string_view path);

std::string settings_digest(const Value& report);
/// SHA-256 of the sorted inputs alone: what was read.
std::string inputs_digest(const std::vector<RunInput>&);
/// 64 hex digits. `baseline_sha256` is empty without a baseline.
std::string run_id_of(const Value& report, const std::vector<RunInput>&,
                      std::string_view baseline_sha256);

}  // namespace gh::analysis
