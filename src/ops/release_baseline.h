#pragma once
// Baselines of the release gate on disk: the file and the log beside it.
#include <string>
#include <string_view>

#include "base/error.h"
#include "ops/release_session.h"
#include "release/baseline_audit.h"
#include "surface/manifest.h"

namespace gh::ops {

/// `shown` is how reports name it. input_unreadable or json_invalid.
Result<release::BaselineFile> read_baseline_file(const std::string& path, const std::string& shown,
                                                 const surface::Manifest&);

/// What the audit chain of the repository around the manifest says of its saves. A folder without
/// repository or ledger has none.
Status take_chained_saves(release::BaselineFile&, const std::string& path, const LoadedManifest&,
                          Context&);

inline constexpr std::size_t kMaxBaseline = 64u << 20;

/// The log beside a baseline: what the manifest says, else its name with -audit.log for its
/// extension.
std::string audit_log_of(const std::string& baseline, const surface::Manifest&);
/// A log that the manifest names lies in its folder or beside the baseline, links followed: what is
/// scanned does not say which files of others are written or read. input_unreadable.
Status check_audit_log(const std::string& baseline, const surface::Manifest&,
                       const std::string& manifest_folder);
/// What --baseline says for the file that 'baseline save' writes without --out. `./default` is a
/// file of that name.
inline constexpr std::string_view kUsualBaseline = "default";
/// Where --baseline leads, from the folder the command runs in.
std::string given_baseline_path(const Request&, const std::string& manifest_folder,
                                const surface::Manifest&, const Context&);
/// What helps an agent where that file is not there.
report::AgentFault no_baseline(const std::string& path, const Context&);
/// Where a baseline is kept when nobody says otherwise, from the folder of the manifest.
std::string_view usual_baseline_name(const surface::Manifest&);

}  // namespace gh::ops
