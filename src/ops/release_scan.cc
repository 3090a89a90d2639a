// `release scan`, `release list-checks`, `release explain`.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "checks/catalogue.h"
#include "model/peek.h"
#include "ops/release_baseline.h"
#include "ops/release_files.h"
#include "ops/release_ops.h"
#include "ops/release_session.h"
#include "release/scan.h"
#include "report/columns.h"
#include "report/release_report.h"
#include "sys/files.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

namespace gh::ops {
namespace {

using surface::FindingSeverity;
using Texts = std::vector<std::string>;

struct ReportFile {
  std::string_view format, name;
};
// table: files of the release report
constexpr std::array<ReportFile, 3> kReportFiles{
    {{"markdown", "report.md"}, {"json", "report.json"}, {"sarif", "report.sarif"}}};

Texts listed(const std::string& text) {
  Texts out;
  for (const std::string_view part : split(text, ','))
    if (!surface::trimmed(part).empty()) out.emplace_back(surface::trimmed(part));
  return out;
}

Result<std::optional<std::vector<FindingSeverity>>> fail_on(const Request& request) {
  if (!request.has("fail-on")) return std::nullopt;
  std::vector<FindingSeverity> out;
  for (const std::string& word : listed(request.text("fail-on"))) {
    const auto severity = surface::severity_named(word);
    if (!severity)
      return fail(Code::bad_argument, fmt::format("'{}' is no severity", printable(word, 60)));
    out.push_back(*severity);
  }
  return out;
}

Result<Texts> formats(const Request& request, const surface::Manifest& manifest) {
  if (!request.has("reports")) return manifest.formats;
  const std::string given = request.text("reports");
  if (given == "none") return Texts{};
  Texts out = listed(given);
  for (const std::string& format : out)
    if (std::ranges::find(kReportFiles, format, &ReportFile::format) == kReportFiles.end())
      return fail(Code::bad_argument,
                  fmt::format("'{}' is no form of report", printable(format, 60)));
  return out;
}

/// Where the reports go, and under which names the report speaks of them.
struct Outputs {
  std::string folder;                                        // absolute
  std::vector<std::pair<std::string, std::string>> shown{};  // format -> path
};

Result<Outputs> outputs(const Request& request, const LoadedManifest& loaded,
                        const Context& context) {
  GH_TRY(chosen, formats(request, loaded.manifest));
  Outputs out{request.has("out") ? joined_path(context.cwd, request.text("out"))
                                 : joined_path(loaded.folder, loaded.manifest.output_directory)};
  for (const ReportFile& file : kReportFiles) {
    if (std::ranges::find(chosen, file.format) == chosen.end()) continue;
    const std::string path = fmt::format("{}/{}", out.folder, file.name);
    const bool is_inside = path.starts_with(loaded.folder + "/");
    out.shown.emplace_back(file.format, is_inside ? path.substr(loaded.folder.size() + 1) : path);
  }
  return out;
}

std::string rendered(std::string_view format, const Value& report) {
  if (format == "json") return wire::report_json(report);
  if (format == "markdown") return report::release_markdown(report);
  return wire::sorted_json(report::release_sarif(report));
}

Status write_reports(const Outputs& where, const Value& report) {
  if (where.shown.empty()) return {};
  GH_DO(sys::make_folders(where.folder));
  for (const auto& [format, path] : where.shown) {
    const auto file = std::ranges::find(kReportFiles, format, &ReportFile::format);
    GH_DO(sys::write_file_atomic(fmt::format("{}/{}", where.folder, file->name),
                                 rendered(format, report)));
  }
  return {};
}

Status take_baseline(release::ScanOptions& options, const Request& request,
                     const surface::Manifest& manifest, const Context& context) {
  if (!request.has("baseline")) return {};
  GH_TRY(file, read_baseline_file(joined_path(context.cwd, request.text("baseline")),
                                  request.text("baseline"), manifest));
  options.baseline = std::move(file);
  return {};
}

Result<release::ScanOptions> scan_options(const Request& request, const LoadedManifest& loaded,
                                          const Outputs& where, const Context& context) {
  release::ScanOptions out;
  const std::string mode = request.text("ci-mode"), profile = request.text("profile");
  if (!mode.empty())
    out.ci_mode = mode == "strict" ? release::CiMode::strict : release::CiMode::advisory;
  if (!profile.empty())
    out.profile = profile == "compat" ? surface::Profile::compat : surface::Profile::extended;
  GH_TRY(severities, fail_on(request));
  out.fail_on = std::move(severities);
  out.no_heuristics = !request.flag("heuristics");
  out.today = to_string(context.env.now()).substr(0, 10);
  out.manifest_dir = loaded.folder;
  out.outputs = where.shown;
  if (request.flag("suggest-patches"))
    out.patch_target = release::PatchTarget{
        fmt::format("{}/{}", loaded.folder, loaded.manifest.file), loaded.sha256};
  for (const std::string& path : request.list("policy-pack"))
    out.policy_packs.push_back(joined_path(context.cwd, path));
  GH_DO(take_baseline(out, request, loaded.manifest, context));
  if (request.has("diff-from")) {
    constexpr std::size_t kMaxReference = 64u << 20;
    const std::string shown = request.text("diff-from");
    GH_TRY(bytes, sys::read_file(joined_path(context.cwd, shown), kMaxReference));
    GH_TRY(reference, release::read_diff_reference(bytes, shown));
    out.diff_from = std::move(reference);
  }
  return out;
}

std::vector<const checks::Check*> checks_by_id() {
  std::vector<const checks::Check*> out;
  for (const checks::Check& check : checks::catalogue())
    out.push_back(&check);
  std::ranges::sort(out, {}, [](const checks::Check* c) { return c->id; });
  return out;
}

}  // namespace

Result<Reply> release_scan(const Request& request, Context& context) {
  GH_TRY(loaded, load_manifest(request, context));
  GH_TRY(where, outputs(request, loaded, context));
  GH_TRY(options, scan_options(request, loaded, where, context));
  DiskFiles files(loaded.folder);
  GH_TRY(scanned, release::scan(loaded.manifest, files, options));
  GH_DO(write_reports(where, scanned.document));
  Reply reply;
  reply.exit = scanned.decision.exit_code == 0 ? ExitCode::done : ExitCode::denied;
  if (reply.exit != ExitCode::done)
    reply.why = fmt::format("{}: {}", to_string(scanned.decision.outcome), scanned.decision.reason);
  reply.document = std::move(scanned.document);
  reply.text = [report = reply.document](const report::Look& look) {
    return report::release_text(report, look);
  };
  return reply;
}

Result<Reply> release_list_checks(const Request&, Context&) {
  List rows;
  for (const checks::Check* check : checks_by_id()) {
    GH_TRY(row, report::check_document(*check));
    rows.emplace_back(std::move(row));
  }
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.release_checks/1"},
                       {"checks", std::move(rows)},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [document = reply.document](const report::Look& look) {
    std::string out;
    for (const Value& row : Peek(document)["checks"].list())
      out += fmt::format("{}  {}\n          {}\n",
                         report::padded(Peek(row)["default_severity"].text(), 8),
                         Peek(row)["id"].text(),
                         report::folded(Peek(row)["recommendation"].text(), look.width - 10, 10));
    return out;
  };
  return reply;
}

Result<Reply> release_explain(const Request& request, Context&) {
  const std::string id = request.text("CHECK_ID");
  const checks::Check* check = checks::find_check(id);
  if (check == nullptr) {
    Texts known;
    for (const checks::Check* c : checks_by_id())
      known.emplace_back(c->id);
    const auto near = did_you_mean(id, known);
    return fail(Code::unknown_id,
                fmt::format("there is no check '{}'{}", printable(id, 80),
                            near ? fmt::format("; did you mean '{}'?", *near) : ""));
  }
  GH_TRY(document, report::check_document(*check));
  Reply reply;
  reply.document = document;
  reply.document.as_map()->set("schema", "gatehouse.release_check/1");
  reply.document.as_map()->set("tool", Map{{"name", kProduct}, {"version", kVersion}});
  reply.text = [document](const report::Look& look) { return report::check_text(document, look); };
  return reply;
}

}  // namespace gh::ops
