#pragma once
// What keeps a scan from a good answer (release-gate 24): for detect, doctor and errors.
// Diagnostics never enter a report and never decide.
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "ops/operation.h"
#include "surface/manifest.h"
#include "surface/suggest.h"
#include "surface/surface.h"

namespace gh::ops {

struct ReleaseDiagnostic {
  std::string_view id, severity, title;
  List next_actions{};
};
using ReleaseDiagnostics = std::vector<ReleaseDiagnostic>;
Value document_of(const ReleaseDiagnostics&);
std::string text_of(const Value& diagnostics);

/// What a folder without, or beside, a manifest says. Of "nothing to scan" only the most specific.
ReleaseDiagnostics diagnose_folder(const surface::Suggestions&, bool has_manifest,
                                   const std::string& program);

struct UnresolvedSource {
  std::string id, declared_path;
  std::int64_t line = 0;
  std::string reason;  // missing, outside_manifest_dir
};
/// Sources and artifacts of a manifest that are not there. Optional ones are left out.
std::vector<UnresolvedSource> unresolved_sources(const surface::Manifest&, surface::Files&);

/// What a manifest and its tools say; `surface` is null when they could not be loaded.
ReleaseDiagnostics diagnose_manifest(const surface::Manifest&, const surface::Surface*,
                                     const std::vector<UnresolvedSource>&,
                                     const std::string& program);
ReleaseDiagnostic invalid_manifest(std::string_view place);

}  // namespace gh::ops
