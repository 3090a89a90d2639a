#include "ops/release_session.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

/// The manifest that was named, or the one that the folder has.
Result<std::string> manifest_path(const Request& request, const Context& context) {
  if (request.has("config")) return joined_path(context.cwd, request.text("config"));
  const std::string embedded = joined_path(context.cwd, std::string(surface::kEmbeddedName));
  const std::string alone = joined_path(context.cwd, std::string(surface::kStandAloneName));
  const auto yaml = sys::read_file(embedded, surface::kMaxManifest);
  const bool has_block = yaml && surface::has_embedded_manifest(*yaml);
  const bool has_file = sys::info_follow(alone).kind == sys::FileKind::file;
  if (has_block && has_file)
    return fail(
        Code::policy_bad_value,
        fmt::format("both {} and the block {} of {} are there; keep one", surface::kStandAloneName,
                    surface::kEmbeddedBlock, surface::kEmbeddedName));
  return has_block ? embedded : alone;
}

Result<LoadedManifest> load_at(const std::string& path) {
  if (sys::info_follow(path).kind != sys::FileKind::file)
    return fail(Code::policy_unreadable,
                fmt::format("there is no manifest {}; a first one needs version, project, agent, "
                            "environment and tool_sources",
                            printable(path, 400)));
  auto yaml = sys::read_file(path, surface::kMaxManifest);
  if (!yaml) return fail(Code::policy_unreadable, std::move(yaml.error().message));
  GH_TRY(manifest, surface::read_manifest(*yaml, path));
  const std::size_t slash = path.rfind('/');
  GH_TRY(folder, sys::real_path(slash == 0 ? "/" : path.substr(0, slash)));
  return LoadedManifest{std::move(manifest), std::move(folder), digest_of(*yaml).hex()};
}

}  // namespace

std::string joined_path(const std::string& folder, const std::string& path) {
  return normal_path(path.starts_with('/') ? path : folder + "/" + path);
}

Result<LoadedManifest> load_manifest(const Request& request, const Context& context) {
  GH_TRY(path, manifest_path(request, context));
  return load_at(path);
}

}  // namespace gh::ops
