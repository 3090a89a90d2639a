#pragma once
// failure_bundle.zip: everything a person or agent needs to repair a rejected patch, in one file
// whose bytes follow from its content (docs/formats/run-folder.md).
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "runs/run_folder.h"

namespace gh::runs {

inline constexpr std::size_t kMaxBundleBytes = 64u << 20;

struct Bundle {
  std::string mode;  // created, recreated, validated
  std::string sha256;
  std::int64_t bytes = 0, entries = 0;
  bool contains_secret_candidate = false;  // something was masked in a log
};

/// Builds the bundle, or finds that the one that is there still says the same. Reopened and checked
/// after writing; event BUNDLE_CREATED. bad_argument when the run has no rejection to show. Over
/// `max_bytes` large logs are cut to head and tail, then other files left out, last the patch cut.
Result<Bundle> make_bundle(RunFolder&, std::size_t max_bytes = kMaxBundleBytes);

}  // namespace gh::runs
