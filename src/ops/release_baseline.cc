// `release baseline save` and `release baseline verify`.
#include "ops/release_baseline.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "base/time.h"
#include "model/actor.h"
#include "model/peek.h"
#include "ops/analysis_scope.h"
#include "ops/patch_session.h"
#include "ops/release_files.h"
#include "ops/release_ops.h"
#include "ops/release_session.h"
#include "policy/redact.h"
#include "release/scan.h"
#include "report/columns.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::string_view kSaved = "release.baseline_saved";

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

std::string usual_baseline(const LoadedManifest& loaded) {
  return joined_path(loaded.folder, std::string(usual_baseline_name(loaded.manifest)));
}

std::string baseline_path(const Request& request, std::string_view option,
                          const LoadedManifest& loaded, const Context& context) {
  return request.has(option) ? joined_path(context.cwd, request.text(option))
                             : usual_baseline(loaded);
}

std::string shown_path(const std::string& path, const LoadedManifest& loaded) {
  return path.starts_with(loaded.folder + "/") ? path.substr(loaded.folder.size() + 1) : path;
}

std::set<std::string> fingerprints(const release::Baseline& baseline) {
  std::set<std::string> out;
  for (const release::BaselineEntry& entry : baseline.entries)
    out.insert(entry.fingerprint);
  return out;
}

std::vector<std::string> only_in(const std::set<std::string>& one,
                                 const std::set<std::string>& other) {
  std::vector<std::string> out;
  std::ranges::set_difference(one, other, std::back_inserter(out));
  return out;
}

/// A day of the calendar that is not over.
Status check_expiry(const std::string& day, std::string_view today) {
  constexpr std::size_t kLength = std::string_view("YYYY-MM-DD").size();
  if (day.size() != kLength || !parse_timestamp(fmt::format("{}T00:00:00Z", day)))
    return fail(Code::bad_argument,
                fmt::format("--expires takes a day as YYYY-MM-DD, not '{}'", printable(day, 60)));
  if (day < today)
    return fail(Code::bad_argument,
                fmt::format("--expires takes a day that is not over: {} is before {}", day, today));
  return {};
}

Map issue_document(const release::BaselineIssue& issue) {
  const auto of_entry = [&](auto member) {
    return issue.entry == nullptr || (issue.entry->*member).empty() ? Value()
                                                                    : Value(issue.entry->*member);
  };
  return {{"kind", issue.kind},
          {"default_severity", to_string(issue.severity)},
          {"title", issue.title},
          {"fingerprint", of_entry(&release::BaselineEntry::fingerprint)},
          {"check_id", of_entry(&release::BaselineEntry::check_id)},
          {"tool_name", of_entry(&release::BaselineEntry::tool_name)},
          {"evidence", issue.evidence}};
}

/// The prior file, when it can be read; a broken one is as good as none.
std::optional<release::BaselineFile> prior_of(const std::string& path,
                                              const surface::Manifest& manifest) {
  auto file = read_baseline_file(path, path, manifest);
  return file ? std::optional(std::move(*file)) : std::nullopt;
}

/// The baseline and its log can be rewritten together; the chain of the repository around them
/// cannot, unseen. A folder without a repository has none.
Status tell_chain(const release::AuditRow& row, const LoadedManifest& loaded, Context& context) {
  auto repo = repo_around(loaded.folder, context);
  if (!repo) return {};
  GH_TRY(ledger, open_ledger(*repo, context.env));
  const Map payload{{"baseline_path", row.baseline_path},
                    {"hash_before", row.hash_before.empty() ? Value() : Value(row.hash_before)},
                    {"hash_after", row.hash_after},
                    {"added_count", static_cast<std::int64_t>(row.added.size())},
                    {"removed_count", static_cast<std::int64_t>(row.removed.size())}};
  return ledger->append({.ts = context.env.now(),
                         .event = std::string(kSaved),
                         .actor = to_value(local_actor(context.env.user_id())),
                         .surface = context.surface,
                         .subject = Map{{"run_id", row.run_id}},
                         .payload = policy::redact_document(payload).value},
                        store::Durability::durable);
}

}  // namespace

std::string audit_log_of(const std::string& path, const surface::Manifest& manifest) {
  if (!manifest.audit_log.empty()) return joined_path(folder_of(path), manifest.audit_log);
  const std::size_t slash = path.rfind('/'), dot = path.rfind('.');
  const bool has_extension =
      dot != std::string::npos && (slash == std::string::npos || dot > slash);
  return path.substr(0, has_extension ? dot : path.size()) + "-audit.log";
}

Status check_audit_log(const std::string& baseline, const surface::Manifest& manifest,
                       const std::string& folder) {
  const std::string place = real_place(audit_log_of(baseline, manifest));
  if (is_in_folder(place, real_place(folder)) ||
      is_in_folder(place, real_place(folder_of(baseline))))
    return {};
  return fail(Code::input_unreadable,
              fmt::format("baseline.audit_log '{}' resolves outside manifest directory: {}",
                          printable(manifest.audit_log, 400), printable(place, 400)));
}

std::string_view usual_baseline_name(const surface::Manifest& manifest) {
  return manifest.file == surface::kStandAloneName ? ".agents-shipgate/baseline.json"
                                                   : "gatehouse.release-baseline.json";
}

std::string given_baseline_path(const Request& request, const std::string& manifest_folder,
                                const surface::Manifest& manifest, const Context& context) {
  const std::string given = request.text("baseline");
  return given == kUsualBaseline
             ? joined_path(manifest_folder, std::string(usual_baseline_name(manifest)))
             : joined_path(context.cwd, given);
}

report::AgentFault no_baseline(const std::string& path, const Context& context) {
  return {.next_actions = {report::next_action(
              "command", fmt::format("{} baseline save", context.program),
              "Nothing was accepted yet; this accepts what there is. Commit the files that it "
              "writes.",
              path)}};
}

Result<release::BaselineFile> read_baseline_file(const std::string& path, const std::string& shown,
                                                 const surface::Manifest& manifest) {
  GH_TRY(bytes, read_needed(path, kMaxBaseline));
  GH_TRY(baseline, release::read_baseline(bytes, shown));
  release::BaselineFile out{std::move(baseline), std::move(bytes), shown, std::nullopt,
                            audit_log_of(shown, manifest)};
  const std::string log = audit_log_of(path, manifest);
  if (sys::info_follow(log).kind == sys::FileKind::file) {
    GH_TRY(text, sys::read_file(log, kMaxBaseline));
    out.log = std::move(text);
  }
  return out;
}

Status take_chained_saves(release::BaselineFile& file, const std::string& path,
                          const LoadedManifest& loaded, Context& context) {
  auto repo = repo_around(loaded.folder, context);
  if (!repo) return {};
  GH_TRY(ledger, open_ledger_to_read(*repo, context.env));
  if (ledger == nullptr) return {};
  GH_TRY(rows, ledger->audit_of_event(kSaved));
  const std::string shown = shown_path(path, loaded);
  for (const store::AuditRow& row : rows) {
    const Peek payload(row.event.payload);
    if (payload["baseline_path"].text() == shown)
      file.chain.push_back({std::string(Peek(row.event.subject)["run_id"].text()),
                            std::string(payload["hash_after"].text())});
  }
  return {};
}

Result<Reply> release_baseline_save(const Request& request, Context& context) {
  const std::string now = to_string(context.env.now());
  if (request.has("expires")) GH_DO(check_expiry(request.text("expires"), now.substr(0, 10)));
  GH_TRY(loaded, load_manifest(request, context));
  const std::string path = baseline_path(request, "out", loaded, context);
  GH_DO(check_audit_log(path, loaded.manifest, loaded.folder));
  if (!request.has("out") && !is_in_folder(real_place(path), loaded.folder))
    return surface::refuse_outside(shown_path(path, loaded), real_place(path));
  DiskFiles files(loaded.folder);
  release::ScanOptions options;
  options.ci_mode = release::CiMode::advisory;
  options.today = now.substr(0, 10);
  GH_TRY(scanned, release::scan(loaded.manifest, files, options));
  const auto prior = prior_of(path, loaded.manifest);
  const auto member = [&](std::string_view key) { return *scanned.document.as_map()->find(key); };
  const std::string run_id(Peek(scanned.document)["run_id"].text());
  const std::string bytes = release::write_baseline(
      scanned.findings, {.project = member("project"),
                         .agent = member("agent"),
                         .created_at = now,
                         .run_id = run_id,
                         .scanner_version = std::string(kVersion),
                         .tool_surface_facts = member("tool_surface_facts"),
                         .action_surface_facts = member("action_surface_facts"),
                         .prior = prior ? &prior->baseline : nullptr,
                         .reason = request.text("reason"),
                         .expires = request.text("expires"),
                         .fills_existing = request.flag("apply-to-existing")});
  GH_TRY(saved, release::read_baseline(bytes, path));
  const auto before = prior ? fingerprints(prior->baseline) : std::set<std::string>();
  const auto after = fingerprints(saved);
  GH_DO(sys::make_folders(folder_of(path)));
  GH_DO(sys::write_file_atomic(path, bytes));
  const std::string log = audit_log_of(path, loaded.manifest);
  const release::AuditRow row{now,
                              run_id,
                              std::string(kVersion),
                              shown_path(path, loaded),
                              prior ? digest_of(prior->bytes).tagged() : "",
                              digest_of(bytes).tagged(),
                              only_in(after, before),
                              only_in(before, after)};
  GH_DO(sys::append_line(log, release::audit_line(row)));
  GH_DO(tell_chain(row, loaded, context));
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.release_baseline_saved/1"},
                       {"path", shown_path(path, loaded)},
                       {"finding_count", static_cast<std::int64_t>(saved.entries.size())},
                       {"audit_log_path", shown_path(log, loaded)},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [document = reply.document](const report::Look&) {
    const Peek d(document);
    const auto count = d["finding_count"].number();
    return fmt::format("{}: {} finding{} accepted\n{}\n", printable(d["path"].text(), 200), count,
                       count == 1 ? "" : "s", printable(d["audit_log_path"].text(), 200));
  };
  return reply;
}

Result<Reply> release_baseline_verify(const Request& request, Context& context) {
  auto found = load_manifest(request, context);
  // A baseline that is named can be held against its log without a manifest.
  const bool is_alone = !found && request.has("baseline") && !request.has("config");
  if (!found && !is_alone) return tl::make_unexpected(std::move(found.error()));
  LoadedManifest loaded = found ? std::move(*found) : LoadedManifest{.folder = context.cwd};
  const std::string path = baseline_path(request, "baseline", loaded, context);
  if (request.has("audit-log"))
    loaded.manifest.audit_log = joined_path(context.cwd, request.text("audit-log"));
  else
    GH_DO(check_audit_log(path, loaded.manifest, loaded.folder));
  GH_TRY(file, read_baseline_file(path, shown_path(path, loaded), loaded.manifest));
  const bool strict = request.flag("strict") || loaded.manifest.integrity_mode == "strict";
  if (strict) GH_DO(take_chained_saves(file, path, loaded, context));
  const auto issues = release::baseline_issues(file, to_string(context.env.now()).substr(0, 10));
  List rows;
  bool is_broken = false;
  for (const release::BaselineIssue& issue : issues) {
    rows.emplace_back(issue_document(issue));
    is_broken = is_broken || issue.check_id == "SHIP-BASELINE-INTEGRITY-MISMATCH";
  }
  Reply reply;
  if (strict && is_broken) {
    reply.exit = ExitCode::denied;
    reply.why = "the baseline cannot be trusted";
    constexpr int kShipgateBroken = 6;
    reply.shipgate_exit = kShipgateBroken;
  }
  // A baseline of an earlier version may hold names as they are.
  reply.document =
      policy::redact_document(Value(Map{{"schema", "gatehouse.release_baseline_check/1"},
                                        {"baseline_path", file.path},
                                        {"audit_log_path", file.log_path},
                                        {"issue_count", static_cast<std::int64_t>(rows.size())},
                                        {"issues", std::move(rows)},
                                        {"tool", Map{{"name", kProduct}, {"version", kVersion}}}}))
          .value;
  reply.text = [document = reply.document](const report::Look&) {
    std::string out = fmt::format("{} issue(s)\n", Peek(document)["issue_count"].number());
    for (const Value& row : Peek(document)["issues"].list())
      out += fmt::format("{}  {}  {}\n", report::padded(Peek(row)["default_severity"].text(), 8),
                         Peek(row)["kind"].text(), printable(Peek(row)["title"].text(), 200));
    return out;
  };
  return reply;
}

}  // namespace gh::ops
