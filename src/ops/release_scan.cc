// `release scan`, `release list-checks`, `release explain`.
#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "checks/catalogue.h"
#include "model/peek.h"
#include "ops/release_baseline.h"
#include "ops/release_files.h"
#include "ops/release_ops.h"
#include "ops/release_options.h"
#include "ops/release_outputs.h"
#include "ops/release_session.h"
#include "ops/verdict_reports.h"
#include "ops/verify_change.h"
#include "policy/redact.h"
#include "release/scan.h"
#include "report/columns.h"
#include "report/release_report.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using surface::FindingSeverity;
using Texts = std::vector<std::string>;

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

Status take_baseline(release::ScanOptions& options, const Request& request,
                     const LoadedManifest& loaded, Context& context) {
  if (!request.has("baseline")) return {};
  const std::string path = given_baseline_path(request, loaded.folder, loaded.manifest, context);
  const std::string given = request.text("baseline");
  const std::string shown =
      given == kUsualBaseline ? std::string(usual_baseline_name(loaded.manifest)) : given;
  GH_DO(check_audit_log(path, loaded.manifest, loaded.folder));
  if (sys::info_follow(path).kind == sys::FileKind::missing)
    context.fault = no_baseline(shown, context);
  GH_TRY(file, read_baseline_file(path, shown, loaded.manifest));
  if (loaded.manifest.integrity_mode == "strict")
    GH_DO(take_chained_saves(file, path, loaded, context));
  options.baseline = std::move(file);
  return {};
}

Result<release::ScanOptions> scan_options(const Request& request, const LoadedManifest& loaded,
                                          const ReleaseOutputs& where, Context& context) {
  GH_TRY(out, plain_scan_options(request, loaded, where, context));
  for (const std::string& path : request.list("policy-pack"))
    out.policy_packs.push_back(joined_path(context.cwd, path));
  GH_DO(take_baseline(out, request, loaded, context));
  if (request.has("diff-from")) {
    GH_TRY(reference, given_reference(request, context));
    out.diff_from = std::move(reference);
  }
  if (request.has("changed-files")) {
    GH_TRY(paths, given_paths(request, context));
    GH_TRY(change, named_change(paths, loaded, context));
    out.change = std::move(change);
  }
  return std::move(out);
}

/// What release_text reads; the facts of thousands of tools are not copied for it.
Value shown_part(const Value& report) {
  Map out;
  for (const char* key : {"release_decision", "tool_surface", "summary", "findings",
                          "source_warnings", "generated_reports"})
    if (const Value* part = report.as_map()->find(key)) out.set(key, *part);
  return out;
}

/// The scan of one manifest with its files written.
Result<release::ScanReport> scanned_at(const std::string& path, const Request& request,
                                       Context& context) {
  GH_TRY(loaded, load_manifest_at(path, context));
  GH_TRY(where, release_outputs(request, loaded, context));
  GH_TRY(options, scan_options(request, loaded, where, context));
  options.may_leave_rows = !context.wants_document;
  options.has_step_summary = tells_step(context);
  DiskFiles files(loaded.folder);
  GH_TRY(scanned, release::scan(loaded.manifest, files, options));
  GH_DO(write_outputs(where, scanned, context));
  tell_step(scanned.document, context);
  return std::move(scanned);
}

Result<Reply> scan_one(const std::string& path, const Request& request, Context& context) {
  GH_TRY(scanned, scanned_at(path, request, context));
  Reply reply;
  reply.exit = scanned.decision.exit_code == 0 ? ExitCode::done : ExitCode::denied;
  if (reply.exit != ExitCode::done)
    reply.why = fmt::format("{}: {}", to_string(scanned.decision.outcome), scanned.decision.reason);
  reply.document = std::move(scanned.document);
  reply.text = [report = shown_part(reply.document), workings = std::move(scanned.workings)](
                   const report::Look& look) { return report::release_text(report, look); };
  return reply;
}

/// Of several exits the one that weighs most: 5, 4, 3, 2, 1.
Result<Reply> scan_all(const Texts& paths, const Request& request, Context& context) {
  if (request.has("out"))
    return fail(Code::bad_argument,
                "--out is for one manifest; each of several has its own folder");
  List rows;
  Reply reply;
  for (const std::string& path : paths) {
    auto scanned = scanned_at(path, request, context);
    const ExitCode exit = !scanned ? exit_code(class_of(scanned.error().code))
                          : scanned->decision.exit_code == 0 ? ExitCode::done
                                                             : ExitCode::denied;
    Map row{{"manifest", path}, {"exit_code", mapped(exit, context.exits)}};
    row.set("decision", scanned ? Value(to_string(scanned->decision.outcome)) : Value());
    row.set("reason",
            scanned ? scanned->decision.reason : printable(scanned.error().message, 1000));
    row.set("generated_reports",
            scanned ? *scanned->document.as_map()->find("generated_reports") : Value(Map{}));
    rows.emplace_back(std::move(row));
    if (exit > reply.exit) {
      reply.exit = exit;
      reply.why = fmt::format("{}: {}", printable(path, 200), Peek(rows.back())["reason"].text());
    }
  }
  reply.document =
      policy::redact_document(Value(Map{{"schema", "gatehouse.release_workspace/1"},
                                        {"scans", std::move(rows)},
                                        {"tool", Map{{"name", kProduct}, {"version", kVersion}}}}))
          .value;
  reply.text = [document = reply.document](const report::Look&) {
    std::string out;
    for (const Value& row : Peek(document)["scans"].list())
      out += fmt::format(
          "{}  {}\n    {}\n",
          report::padded(Peek(row)["decision"].exists() ? Peek(row)["decision"].text() : "failed",
                         21),
          printable(Peek(row)["manifest"].text(), 400), printable(Peek(row)["reason"].text(), 400));
    return out;
  };
  return reply;
}

std::vector<const checks::Check*> checks_by_id() {
  std::vector<const checks::Check*> out;
  for (const checks::Check& check : checks::catalogue())
    out.push_back(&check);
  std::ranges::sort(out, {}, [](const checks::Check* c) { return c->id; });
  return out;
}

}  // namespace

Result<release::ScanOptions> plain_scan_options(const Request& request,
                                                const LoadedManifest& loaded,
                                                const ReleaseOutputs& where,
                                                const Context& context) {
  release::ScanOptions out;
  const std::string mode = request.text("ci-mode");
  const std::string profile =
      find_option(request.operation(), "profile") != nullptr ? request.text("profile") : "";
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
  out.program = context.program;
  constexpr int kShipgateFailure = 20;
  if (context.exits == ExitMap::shipgate) out.gate_failure_exit = kShipgateFailure;
  if (request.flag("suggest-patches"))
    out.patch_target = release::PatchTarget{
        fmt::format("{}/{}", loaded.folder, loaded.manifest.file), loaded.sha256};
  return out;
}

Result<release::DiffReference> given_reference(const Request& request, const Context& context) {
  constexpr std::size_t kMaxReference = 64u << 20;
  const std::string shown = request.text("diff-from");
  GH_TRY(bytes, read_needed(joined_path(context.cwd, shown), kMaxReference));
  return release::read_diff_reference(bytes, shown);
}

namespace {
Result<Reply> scan_asked(const Request& request, Context& context) {
  GH_TRY(paths, manifest_paths(request, context));
  return paths.size() == 1 && !request.has("workspace") ? scan_one(paths.front(), request, context)
                                                        : scan_all(paths, request, context);
}
}  // namespace

Result<Reply> release_scan(const Request& request, Context& context) {
  return with_reports(request, context, scan_asked);
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

Result<Reply> release_explain(const Request& request, Context& context) {
  const std::string id = request.text("CHECK_ID");
  // An old id of one check is explained as that check.
  const auto targets = checks::expanded(id);
  const auto* covered = checks::find_covered_check(id);
  const checks::Check* check = checks::find_check(covered != nullptr    ? covered->by
                                                  : targets.size() == 1 ? targets.front()
                                                                        : id);
  if (check == nullptr) {
    Texts known;
    for (const checks::Check* c : checks_by_id())
      known.emplace_back(c->id);
    const auto near = did_you_mean(id, known);
    context.fault = report::AgentFault{
        .kind = "unknown_check_id",
        .facts = {{"check_id", printable(id, 80)}, {"suggestion", near ? Value(*near) : Value()}},
        .next_actions = {
            report::next_action("command",
                                near ? fmt::format("{} explain {}", context.program, *near)
                                     : fmt::format("{} list-checks --json", context.program),
                                "No check has that id.")}};
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
