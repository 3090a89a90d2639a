#include "ops/release_outputs.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "ops/release_files.h"
#include "pdf/engine.h"
#include "release/packet.h"
#include "report/release_packet.h"
#include "report/release_report.h"
#include "report/release_summary.h"
#include "sys/files.h"
#include "sys/renamed_file.h"
#include "wire/spaced_json.h"

namespace gh::ops {
namespace {

using Texts = std::vector<std::string>;

struct ReportFile {
  std::string_view format, name;
};
// table: files of the release report
constexpr std::array<ReportFile, 3> kReportFiles{
    {{"markdown", "report.md"}, {"json", "report.json"}, {"sarif", "report.sarif"}}};
// table: files of the packet
constexpr std::array<PacketForm, 4> kPacketForms{
    {{"md", "packet.md"}, {"json", "packet.json"}, {"html", "packet.html"}, {"pdf", "packet.pdf"}}};
// table: files of a verification beside those
constexpr std::array<std::string_view, 2> kVerifyFiles{"verifier.json", "pr-comment.md"};
constexpr std::string_view kNothing = "none", kPacketPrefix = "packet_";
constexpr std::string_view kStepSummary = "GITHUB_STEP_SUMMARY";
constexpr std::string_view kOldFolder = "agents-shipgate-reports", kFolder = "gatehouse-reports";

Texts listed(const std::string& text) {
  Texts out;
  for (const std::string_view part : split(text, ','))
    if (!surface::trimmed(part).empty()) out.emplace_back(surface::trimmed(part));
  return out;
}

Result<Texts> report_words(const Request& request, const surface::Manifest& manifest) {
  if (!request.has("format")) return manifest.formats;
  const std::string given = request.text("format");
  if (given == kNothing) return Texts{};
  Texts out = listed(given);
  for (const std::string& format : out)
    if (std::ranges::find(kReportFiles, format, &ReportFile::format) == kReportFiles.end())
      return fail(Code::bad_argument,
                  fmt::format("--format takes markdown, json and sarif, with commas between them, "
                              "or none; not '{}'; the answer itself as JSON is --json",
                              printable(format, 60)));
  return out;
}

Result<Texts> wanted_packet(const Request& request, const surface::Manifest& manifest) {
  const bool wanted = request.has("packet") ? request.flag("packet") : manifest.packet_enabled;
  if (!wanted || request.text("format") == kNothing) return Texts{};
  if (request.has("packet-format")) return packet_words(request.text("packet-format"));
  return manifest.packet_formats;
}

/// Where the manifest lies in its repository, and which state of it a service is told about. Who
/// runs the gate elsewhere than in a job of GitHub knows that without us.
report::SarifFrame sarif_frame(const LoadedManifest& loaded, const Context& context) {
  report::SarifFrame out{.job = "release", .manifest = loaded.manifest.file};
  const std::string root = repository_root(loaded.folder);
  if (loaded.folder.starts_with(root + "/")) out.folder = loaded.folder.substr(root.size() + 1);
  const auto variable = [&](const char* name) { return context.env.variable(name); };
  if (const std::string name = variable("GITHUB_REPOSITORY"); !name.empty()) {
    out.repository_uri = fmt::format("{}/{}", variable("GITHUB_SERVER_URL"), name);
    out.revision = variable("GITHUB_SHA");
    out.branch = variable("GITHUB_REF_NAME");
  }
  return out;
}

}  // namespace

Result<std::string> folder_of(const LoadedManifest& loaded, const Context& context) {
  const bool is_named = Peek(loaded.manifest.document)["output"]["directory"].exists();
  const std::string wanted = context.program == kOldName && !is_named
                                 ? std::string(kOldFolder)
                                 : loaded.manifest.output_directory;
  const std::string path = joined_path(loaded.folder, wanted);
  if (const std::string place = real_place(path); !is_in_folder(place, real_place(loaded.folder)))
    return fail(Code::input_unreadable,
                fmt::format("output.directory '{}' resolves outside manifest directory: {}; only "
                            "--out may lead there",
                            printable(wanted, 400), printable(place, 400)));
  return path;
}

Result<std::string> usual_report_folder(const Request& request, Context& context) {
  auto loaded = load_manifest(request, context);
  if (loaded) return folder_of(*loaded, context);
  const auto is_folder = [](const std::string& path) {
    return sys::info_follow(path).kind == sys::FileKind::folder;
  };
  // The old name looks for its folder even where no manifest can be read.
  const std::string usual = joined_path(context.cwd, std::string(kOldFolder));
  if (context.program == kOldName && is_folder(usual)) return usual;
  // A reader of reports needs no manifest: where none is, a report may be, or is what is missing.
  if (has_manifest(request, context)) return tl::make_unexpected(std::move(loaded.error()));
  context.fault.reset();  // what is missing is a report
  const std::string own = joined_path(context.cwd, std::string(kFolder));
  return is_folder(own) ? own : usual;
}

std::span<const PacketForm> packet_forms() { return kPacketForms; }

Result<Texts> packet_words(const std::string& list) {
  Texts out = listed(list);
  for (const std::string& word : out)
    if (std::ranges::find(kPacketForms, word, &PacketForm::word) == kPacketForms.end())
      return fail(Code::bad_argument, fmt::format("'{}' is no form of packet: md, json, html, pdf",
                                                  printable(word, 60)));
  return out;
}

std::optional<std::string> printing_program() {
  const auto self = sys::real_path("/proc/self/exe");
  return self ? pdf::find_engine(*self) : std::nullopt;
}

Result<std::string> PacketWriter::bytes(std::string_view word, const std::string& printer,
                                        const Context& context) {
  if (word == "json") return wire::sorted_json(packet_);
  if (!page_) page_ = report::packet_page(packet_);
  if (word == "md") return report::page_markdown(*page_);
  if (word == "html") return report::page_html(*page_);
  return pdf::render(printer, *page_, context.interrupted);
}

Result<ReleaseOutputs> release_outputs(const Request& request, const LoadedManifest& loaded,
                                       const Context& context) {
  GH_TRY(reports, report_words(request, loaded.manifest));
  GH_TRY(packets, wanted_packet(request, loaded.manifest));
  ReleaseOutputs out;
  out.sarif = sarif_frame(loaded, context);
  if (request.has("out")) {
    out.folder = joined_path(context.cwd, request.text("out"));
  } else if (!reports.empty() || !packets.empty()) {
    GH_TRY(folder, folder_of(loaded, context));
    out.folder = std::move(folder);
  }
  const auto show = [&](std::string kind, std::string_view file) {
    const std::string path = fmt::format("{}/{}", out.folder, file);
    const bool is_inside = path.starts_with(loaded.folder + "/");
    out.shown.emplace_back(std::move(kind),
                           is_inside ? path.substr(loaded.folder.size() + 1) : path);
  };
  for (const ReportFile& file : kReportFiles)
    if (std::ranges::find(reports, file.format) != reports.end())
      show(std::string(file.format), file.name);
  for (const PacketForm& form : kPacketForms) {
    if (std::ranges::find(packets, form.word) == packets.end()) continue;
    if (form.word == "pdf") {
      out.printer = printing_program().value_or("");
      if (out.printer.empty()) {
        if (context.notice) context.notice(kNoPrinter);
        continue;
      }
    }
    show(fmt::format("{}{}", kPacketPrefix, form.word), form.file);
  }
  return out;
}

ReleaseOutputs verification_outputs(std::string folder, const LoadedManifest& loaded,
                                    const Context& context) {
  ReleaseOutputs out{.folder = std::move(folder), .sarif = sarif_frame(loaded, context)};
  for (const auto& [kind, file] :
       {std::pair{"markdown", "report.md"}, std::pair{"json", "report.json"},
        std::pair{"sarif", "report.sarif"}, std::pair{"packet_json", "packet.json"}}) {
    const std::string path = fmt::format("{}/{}", out.folder, file);
    out.shown.emplace_back(
        kind, path.starts_with(loaded.folder + "/") ? path.substr(loaded.folder.size() + 1) : path);
  }
  return out;
}

bool tells_step(const Context& context) {
  return context.surface == "cli" && !context.env.variable(kStepSummary).empty();
}

void tell_step(const Value& report, const Context& context) {
  if (!tells_step(context)) return;
  const std::string path = context.env.variable(kStepSummary);
  const Map packet = release::packet_of(report, {});
  const Value* diff = packet.find("tool_surface_diff");
  const std::string text = report::release_step_summary(
      report, diff != nullptr ? Peek(*diff)["highlights"].list() : List{});
  if (!sys::append_line(path, text) && context.notice)
    context.notice("the summary of the step could not be written");
}

/// In a folder that somebody chose, a file of such a name may be somebody's own.
bool is_folder_of_ours(std::string_view folder) {
  return folder.ends_with(kFolder) || folder.ends_with(kOldFolder);
}

Status drop_other_reports(const std::string& folder, const Texts& written) {
  if (!is_folder_of_ours(folder)) return {};
  Texts names(kVerifyFiles.begin(), kVerifyFiles.end());
  for (const ReportFile& file : kReportFiles)
    names.emplace_back(file.name);
  for (const PacketForm& form : kPacketForms)
    names.emplace_back(form.file);
  for (const std::string& name : names)
    if (std::ranges::find(written, name) == written.end())
      GH_DO(sys::remove_file(fmt::format("{}/{}", folder, name)));
  return {};
}

Status write_outputs(const ReleaseOutputs& where, const release::ScanReport& scanned,
                     const Context& context) {
  if (where.shown.empty()) return {};
  GH_DO(sys::make_folders(where.folder));
  report::SarifFrame frame = where.sarif;
  frame.exit_code = scanned.decision.exit_code;
  const auto name_of = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  Texts names;
  for (const auto& [kind, path] : where.shown)
    names.push_back(name_of(path));
  GH_DO(drop_other_reports(where.folder, names));
  std::optional<PacketWriter> packet;
  for (const auto& [kind, path] : where.shown) {
    const std::string file = fmt::format("{}/{}", where.folder, name_of(path));
    if (kind.starts_with(kPacketPrefix)) {
      if (!packet)
        packet.emplace(
            release::packet_of(scanned.document, {.provenance = scanned.evidence_sources}));
      GH_TRY(bytes, packet->bytes(kind.substr(kPacketPrefix.size()), where.printer, context));
      GH_DO(sys::write_file_renamed(file, bytes));
    } else if (kind == "json") {
      sys::RenamedFile out(file);
      release::write_report(scanned, [&](std::string_view piece) { out.add(piece); });
      GH_DO(out.finish());
    } else {
      GH_DO(sys::write_file_renamed(
          file, kind == "markdown"
                    ? report::release_markdown(scanned.document)
                    : wire::sorted_json(report::release_sarif(scanned.document, frame))));
    }
  }
  return {};
}

}  // namespace gh::ops
