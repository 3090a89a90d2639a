#pragma once
// What the options of a command ask of a scan.
#include "ops/release_outputs.h"
#include "ops/release_session.h"
#include "release/scan.h"

namespace gh::ops {

/// Everything that stands on the command line itself: no file is read for it.
Result<release::ScanOptions> plain_scan_options(const Request&, const LoadedManifest&,
                                                const ReleaseOutputs&, const Context&);
/// The report or baseline that --diff-from names.
Result<release::DiffReference> given_reference(const Request&, const Context&);

}  // namespace gh::ops
