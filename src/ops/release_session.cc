#include "ops/release_session.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "ops/release_files.h"
#include "ops/workspace_files.h"
#include "policy/glob.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

bool has_block_in(const std::string& path) {
  const auto yaml = sys::read_file(path, surface::kMaxManifest);
  return yaml && surface::has_embedded_manifest(*yaml);
}

/// The manifest that was named, or the one that the folder has, or the repository around it.
Result<std::string> manifest_path(const Request& request, const Context& context) {
  if (request.has("config")) return joined_path(context.cwd, request.text("config"));
  std::string embedded = joined_path(context.cwd, std::string(surface::kEmbeddedName));
  const std::string alone = joined_path(context.cwd, std::string(surface::kStandAloneName));
  bool has_block = has_block_in(embedded);
  const bool has_file = sys::info_follow(alone).kind == sys::FileKind::file;
  if (!has_block && !has_file) {
    embedded = joined_path(repository_root(context.cwd), std::string(surface::kEmbeddedName));
    has_block = has_block_in(embedded);
  }
  if (has_block && has_file)
    return fail(
        Code::policy_bad_value,
        fmt::format("both {} and the block {} of {} are there; keep one", surface::kStandAloneName,
                    surface::kEmbeddedBlock, surface::kEmbeddedName));
  return has_block ? embedded : alone;
}

bool is_pattern(std::string_view path) { return path.find_first_of("*?[") != path.npos; }

/// Manifests below a folder: the block of its own gatehouse.yaml, then every shipgate.yaml.
Result<std::vector<std::string>> below(const std::string& folder) {
  GH_TRY(files, workspace_files(folder));
  std::vector<std::string> out;
  const std::string own = joined_path(folder, std::string(surface::kEmbeddedName));
  if (const auto yaml = sys::read_file(own, surface::kMaxManifest);
      yaml && surface::has_embedded_manifest(*yaml))
    out.push_back(own);
  for (const std::string& path : files.paths)
    if (path == surface::kStandAloneName ||
        path.ends_with(fmt::format("/{}", surface::kStandAloneName)))
      out.push_back(joined_path(folder, path));
  return out;
}

Result<std::vector<std::string>> matching(const std::string& pattern) {
  const std::size_t fixed = pattern.rfind('/', pattern.find_first_of("*?["));
  const std::string folder = fixed == 0 ? "/" : pattern.substr(0, fixed);
  GH_TRY(files, workspace_files(folder));
  std::vector<std::string> out;
  for (const std::string& path : files.paths)
    if (policy::matches_pathglob(path, std::string_view(pattern).substr(fixed + 1)))
      out.push_back(joined_path(folder, path));
  return out;
}

report::AgentFault no_manifest(const Context& context) {
  return {.next_actions = {
              report::next_action(
                  "command", fmt::format("{} init --workspace . --write", context.program),
                  "There is no manifest yet; this drafts one from what is here.", "shipgate.yaml"),
              report::next_action("command",
                                  fmt::format("{} detect --workspace . --json", context.program),
                                  "Shows what could be scanned.")}};
}

/// "- key: FILE:LINE:COLUMN: what" names the place.
report::AgentFault bad_manifest(const std::string& path, std::string_view message) {
  const std::string name = path.substr(path.rfind('/') + 1) + ":";
  std::string place = path;
  if (const std::size_t at = message.find(name); at != message.npos) {
    const std::string_view rest = message.substr(at + name.size());
    const std::string_view line = rest.substr(0, rest.find_first_not_of("0123456789"));
    if (!line.empty()) place += fmt::format(":{}", line);
  }
  return {.next_actions = {report::next_action("edit", place, "The manifest is not valid.",
                                               "a manifest that every key of is known")}};
}

/// Something is there, and it is no file: to draft a manifest would not help.
tl::unexpected<Error> refuse_no_file(const std::string& path, sys::FileKind kind,
                                     Context& context) {
  const std::string_view what = kind == sys::FileKind::folder    ? "a folder"
                                : kind == sys::FileKind::missing ? "a link that leads nowhere"
                                                                 : "no regular file";
  context.fault = report::AgentFault{
      .next_actions = {report::next_action(
          "review", {},
          fmt::format("Put a manifest in the place of {}, or name another with --config.", path))}};
  return fail(Code::policy_unreadable, fmt::format("the manifest {} is {}, and a file is expected",
                                                   printable(path, 400), what));
}

/// Whoever calls a tool names files of the repository that it is called for; whoever types a
/// command may read what he names.
std::optional<std::string> bounds_of(const Context& context) {
  if (context.surface != "mcp") return std::nullopt;
  return real_place(repository_root(context.cwd));
}

}  // namespace

std::string repository_root(const std::string& folder) {
  for (std::string at = folder; !at.empty(); at = at.substr(0, at.rfind('/')))
    if (sys::info_follow(at + "/.git").kind != sys::FileKind::missing) return at;
  return folder;
}

std::string joined_path(const std::string& folder, const std::string& path) {
  return normal_path(path.starts_with('/') ? path : folder + "/" + path);
}

Status check_bounds(const Context& context, const std::string& path) {
  const auto bounds = bounds_of(context);
  if (!bounds || is_within(path, *bounds)) return {};
  return fail(Code::bad_argument, fmt::format("{} is outside of the repository",
                                              printable(path.substr(path.rfind('/') + 1), 400)));
}

Status check_bounds(const Context& context, const Request& request) {
  const auto bounds = bounds_of(context);
  if (!bounds) return {};
  for (const Option& option : request.operation().options) {
    // Lists name files of the tree, and whoever takes them has rules for those.
    if (option.type != OptionType::path || !request.has(option.name)) continue;
    const std::string path = request.text(option.name);
    if (!is_within(joined_path(context.cwd, path), *bounds))
      return fail(Code::bad_argument,
                  fmt::format("{} is outside of the repository", printable(path, 400)));
  }
  return {};
}

Result<LoadedManifest> load_manifest_at(const std::string& path, Context& context) {
  GH_DO(check_bounds(context, path));
  const sys::FileKind kind = sys::info_follow(path).kind;
  const bool is_there = sys::info(path).kind != sys::FileKind::missing;
  const bool is_usual = path.ends_with(fmt::format("/{}", surface::kStandAloneName));
  if (kind != sys::FileKind::file && is_there) return refuse_no_file(path, kind, context);
  if (kind != sys::FileKind::file && is_usual) {
    context.fault = no_manifest(context);
    return fail(Code::policy_unreadable,
                fmt::format("there is no manifest {}; draft one with: {} init --write",
                            printable(path, 400), context.program));
  }
  if (kind != sys::FileKind::file) {
    context.fault = report::AgentFault{
        .next_actions = {report::next_action(
            "review", {}, fmt::format("Name a manifest that is there; {} is not.", path))}};
    return fail(Code::policy_unreadable,
                fmt::format("there is no manifest {}", printable(path, 400)));
  }
  auto yaml = sys::read_file(path, surface::kMaxManifest);
  if (!yaml) {
    context.fault =
        report::AgentFault{.next_actions = {report::next_action(
                               "edit", path,
                               fmt::format("A manifest is a readable file of at most {} bytes.",
                                           surface::kMaxManifest),
                               "a manifest that can be read")}};
    return fail(Code::policy_unreadable, std::move(yaml.error().message));
  }
  auto manifest = surface::read_manifest(*yaml, path);
  if (!manifest) {
    context.fault = bad_manifest(path, manifest.error().message);
    return tl::make_unexpected(std::move(manifest.error()));
  }
  const std::size_t slash = path.rfind('/');
  GH_TRY(folder, sys::real_path(slash == 0 ? "/" : path.substr(0, slash)));
  return LoadedManifest{std::move(*manifest), std::move(folder), digest_of(*yaml).hex()};
}

bool has_manifest(const Request& request, const Context& context) {
  if (request.has("config")) return true;
  const auto path = manifest_path(request, context);
  return !path || sys::info_follow(*path).kind != sys::FileKind::missing;
}

Result<LoadedManifest> load_manifest(const Request& request, Context& context) {
  GH_TRY(path, manifest_path(request, context));
  return load_manifest_at(path, context);
}

Result<std::vector<std::string>> manifest_paths(const Request& request, Context& context) {
  if (request.has("workspace") && request.has("config"))
    return fail(Code::bad_argument, "--workspace and --config exclude each other");
  std::vector<std::string> out;
  if (request.has("workspace")) {
    GH_TRY(found, below(joined_path(context.cwd, request.text("workspace"))));
    out = std::move(found);
  } else if (const std::string config = request.text("config"); is_pattern(config)) {
    GH_TRY(found, matching(joined_path(context.cwd, config)));
    out = std::move(found);
  } else {
    GH_TRY(path, manifest_path(request, context));
    return std::vector{std::move(path)};
  }
  if (!out.empty()) return out;
  context.fault = no_manifest(context);
  return fail(Code::policy_unreadable, "there is no manifest there");
}

Result<std::string> read_needed(const std::string& path, std::size_t max_bytes) {
  auto bytes = sys::read_file(path, max_bytes);
  if (!bytes && class_of(bytes.error().code) == CodeClass::environment)
    bytes.error().code = Code::input_unreadable;
  return bytes;
}

Result<std::string> read_report_file(const std::string& path, std::size_t max_bytes,
                                     Context& context) {
  GH_DO(check_bounds(context, path));
  if (sys::info_follow(path).kind == sys::FileKind::missing) {
    if (!context.fault || context.fault->next_actions.empty())
      context.fault = report::AgentFault{.facts = {{"source_report", path}},
                                         .next_actions = {report::next_action(
                                             "command", fmt::format("{} scan", context.program),
                                             "There is no report yet; a scan writes one.", path)}};
    return fail(Code::input_unreadable,
                fmt::format("there is no report {}; write one with: {} scan", printable(path, 400),
                            context.program));
  }
  return read_needed(path, max_bytes);
}

}  // namespace gh::ops
