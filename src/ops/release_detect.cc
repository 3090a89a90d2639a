// `release detect` and `release doctor`.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "ops/release_diagnostics.h"
#include "ops/release_files.h"
#include "ops/release_ops.h"
#include "ops/release_session.h"
#include "ops/release_setup.h"
#include "ops/workspace_files.h"
#include "policy/redact.h"
#include "report/columns.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

Value redacted(Map document) { return policy::redact_document(Value(std::move(document))).value; }

Map tool_document() { return {{"name", kProduct}, {"version", kVersion}}; }

List source_rows(const surface::Suggestions& found) {
  List out;
  for (const surface::Suggestion& s : found.sources)
    out.emplace_back(Map{{"type", s.type},
                         {"path", s.path},
                         {"tool_count", s.tool_count},
                         {"weak_tool_count", s.weak_count},
                         {"why", s.why}});
  return out;
}

std::string detect_text(const Value& document) {
  const Peek d(document);
  std::string out = d["is_agent_project"].is_true() ? "This holds an agent.\n"
                                                    : "Nothing here looks like an agent.\n";
  for (const Value& value : d["suggested_sources"].list()) {
    const Peek s(value);
    out += fmt::format("{}  {}  {} tools\n", report::padded(s["type"].text(), 18),
                       printable(s["path"].text(), 200), s["tool_count"].number());
  }
  if (d["projects"].list().size() > 1)
    out += fmt::format(
        "These are {} projects; an agent of its own gets a manifest of its own, e.g. in {}.\n",
        d["projects"].list().size(), printable(Peek(d["projects"].list().front()).text(), 200));
  return out + text_of(Value(d["diagnostics"].list()));
}

std::string doctor_text(const Value& document) {
  const Peek d(document);
  std::string out =
      fmt::format("{}: {} tools\n", printable(d["manifest"].text(), 400), d["tool_count"].number());
  for (const Value& value : d["unresolved_sources"].list()) {
    const Peek s(value);
    out += fmt::format("{}  {} at line {}: {}\n", printable(s["id"].text(), 80),
                       printable(s["declared_path"].text(), 200), s["line"].number(),
                       s["reason"].text());
  }
  for (const Value& warning : d["source_warnings"].list())
    out += fmt::format("warning: {}\n", printable(Peek(warning).text(), 400));
  out += text_of(Value(d["diagnostics"].list()));
  return out;
}

/// The nearest folder above each source that is a package.
std::vector<std::string> projects_of(const std::vector<std::string>& paths,
                                     const surface::Suggestions& found) {
  std::set<std::string> packages, out;
  for (const std::string& path : paths) {
    const std::size_t slash = path.rfind('/');
    const std::string name = path.substr(slash == path.npos ? 0 : slash + 1);
    if (name == "pyproject.toml" || name == "package.json" || name == "go.mod")
      packages.insert(slash == path.npos ? "" : path.substr(0, slash));
  }
  for (const surface::Suggestion& s : found.sources)
    for (std::string at = s.path; !at.empty();) {
      at = at.find('/') == at.npos ? "" : at.substr(0, at.rfind('/'));
      if (!packages.contains(at)) continue;
      out.insert(at.empty() ? "." : at);
      break;
    }
  return {out.begin(), out.end()};
}

}  // namespace

Result<DetectedFolder> detect_folder(const std::string& folder) {
  GH_TRY(root, sys::real_path(folder));
  GH_TRY(listed, workspace_files(root));
  DiskFiles files(root);
  DetectedFolder out{.root = root, .found = surface::suggest_sources(listed.paths, files)};
  out.found.was_cut = out.found.was_cut || listed.was_cut;
  out.projects = projects_of(listed.paths, out.found);
  for (const std::string& path : listed.paths)
    if (path.substr(path.rfind('/') + 1) == surface::kStandAloneName) out.manifests.push_back(path);
  const auto yaml =
      sys::read_file(fmt::format("{}/{}", root, surface::kEmbeddedName), surface::kMaxManifest);
  if (yaml && surface::has_embedded_manifest(*yaml))
    out.manifests.emplace_back(surface::kEmbeddedName);
  return out;
}

Result<Reply> release_detect(const Request& request, Context& context) {
  const std::string folder = joined_path(context.cwd, request.text("workspace"));
  if (sys::info_follow(folder).kind != sys::FileKind::folder)
    return fail(Code::bad_argument, fmt::format("there is no folder {}", printable(folder, 400)));
  GH_TRY(detected, detect_folder(folder));
  const surface::Suggestions& found = detected.found;
  const bool is_agent =
      !found.sources.empty() || !found.frameworks.empty() || !found.codex_plugins.empty();
  Reply reply;
  reply.document = redacted(
      Map{{"schema", "gatehouse.release_detection/1"},
          {"workspace", detected.root},
          {"is_agent_project", is_agent},
          {"manifests", string_list(detected.manifests)},
          {"frameworks", string_list({found.frameworks.begin(), found.frameworks.end()})},
          {"suggested_sources", source_rows(found)},
          {"codex_plugin_candidates", string_list(found.codex_plugins)},
          {"projects", string_list(detected.projects)},
          {"prompts", string_list(found.prompts)},
          {"was_cut", found.was_cut},
          {"diagnostics",
           document_of(diagnose_folder(found, !detected.manifests.empty(), context.program))},
          {"tool", tool_document()}});
  reply.text = [document = reply.document](const report::Look&) { return detect_text(document); };
  return reply;
}

Result<Reply> release_doctor(const Request& request, Context& context) {
  Context at_folder = context;
  if (request.has("workspace")) at_folder.cwd = joined_path(context.cwd, request.text("workspace"));
  auto loaded = load_manifest(request, at_folder);
  context.fault = at_folder.fault;
  if (!loaded && !context.wants_document) return tl::make_unexpected(std::move(loaded.error()));
  Map document{{"schema", "gatehouse.release_doctor/1"},
               {"manifest", nullptr},
               {"tool_count", 0},
               {"unresolved_sources", List{}},
               {"source_warnings", List{}},
               {"error", nullptr},
               {"diagnostics", List{}},
               {"tool", tool_document()}};
  Reply reply;
  if (!loaded) {
    const bool is_missing = contains(loaded.error().message, "there is no manifest");
    document.set("error", printable(loaded.error().message, 1000));
    ReleaseDiagnostics diagnostics;
    if (is_missing) {
      GH_TRY(detected, detect_folder(at_folder.cwd));
      diagnostics = diagnose_folder(detected.found, false, context.program);
    } else {
      diagnostics.push_back(invalid_manifest(surface::kStandAloneName));
    }
    document.set("diagnostics", document_of(diagnostics));
    reply.document = redacted(std::move(document));
    return reply;
  }
  DiskFiles files(loaded->folder);
  const auto unresolved = unresolved_sources(loaded->manifest, files);
  const auto surface = surface::load_surface(loaded->manifest, files);
  document.set("manifest", fmt::format("{}/{}", loaded->folder, loaded->manifest.file));
  List rows;
  for (const UnresolvedSource& u : unresolved)
    rows.emplace_back(Map{
        {"id", u.id}, {"declared_path", u.declared_path}, {"line", u.line}, {"reason", u.reason}});
  document.set("unresolved_sources", std::move(rows));
  if (surface) {
    document.set("tool_count", static_cast<std::int64_t>(surface->tools.size()));
    document.set("source_warnings", string_list(surface->warnings));
  } else {
    document.set("error", printable(surface.error().message, 1000));
  }
  document.set("diagnostics",
               document_of(diagnose_manifest(loaded->manifest, surface ? &*surface : nullptr,
                                             unresolved, context.program)));
  if (!context.wants_document && !surface) {
    reply.exit = ExitCode::input;
    reply.why = unresolved.empty() ? printable(surface.error().message, 400)
                                   : fmt::format("{} source(s) cannot be found", unresolved.size());
  }
  reply.document = redacted(std::move(document));
  reply.text = [document = reply.document](const report::Look&) { return doctor_text(document); };
  return reply;
}

}  // namespace gh::ops
