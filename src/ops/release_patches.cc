// `release apply-patches`: changes of the manifest that an earlier scan suggested, made after all.
// Everything is read, checked and worked out first; nothing is written before all of it held.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "ops/release_ops.h"
#include "ops/release_outputs.h"
#include "ops/release_session.h"
#include "policy/redact.h"
#include "release/schema_version.h"
#include "setup/line_diff.h"
#include "setup/yaml_pointer.h"
#include "sys/files.h"
#include "wire/json.h"
#include "wire/spaced_json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxReport = 64u << 20, kMaxTarget = 10'485'760, kMaxPatches = 100'000;
constexpr int kWithPatches = 6;
constexpr int kShipgateOutside = 5;
using setup::EditKind;
using setup::PointerEdit;

struct KindRow {
  std::string_view word;
  EditKind kind;
};
// table: kinds of patches that are applied
constexpr std::array<KindRow, 3> kKinds{{{"set_pointer", EditKind::set},
                                         {"append_pointer", EditKind::append},
                                         {"remove_pointer", EditKind::remove}}};
// table: confidences of patches, weakest first
constexpr std::array<std::string_view, 3> kConfidences{"low", "medium", "high"};

std::size_t rank_of(std::string_view confidence) {
  return static_cast<std::size_t>(std::ranges::find(kConfidences, confidence) -
                                  kConfidences.begin());
}

struct Patch {
  std::string finding_id, file, sha256, confidence;
  bool is_json = false;
  PointerEdit edit{};
  std::vector<std::string> parts{};
};

struct FileResult {
  std::string path;    // as the patches name it
  std::string status;  // applied, dry_run, skipped_drift, error
  std::vector<Patch> patches{};
  std::string diff{}, error{}, after{};
};

tl::unexpected<Error> malformed(Context& context, const std::string& path, std::string_view what) {
  context.fault =
      report::AgentFault{.kind = "malformed_patch",
                         .facts = {{"source_report", path}},
                         .next_actions = {report::next_action(
                             "command", fmt::format("{} scan --suggest-patches", context.program),
                             "Writes a report with patches that are well-formed.", "report.json")}};
  return fail(Code::bad_argument, fmt::format("{}: {}", printable(path, 400), what));
}

/// Filters of the command line.
struct Wanted {
  std::size_t least = 2;
  std::vector<std::string> kinds{};
  bool takes(const Patch& patch, std::string_view kind) const {
    return rank_of(patch.confidence) >= least &&
           (kinds.empty() || std::ranges::find(kinds, kind) != kinds.end());
  }
};

Result<Wanted> wanted_of(const Request& request) {
  Wanted out{rank_of(request.text("confidence"))};
  const std::string given = request.text("kinds");
  for (const std::string_view word : split(given, ',')) {
    const std::string_view kind = surface::trimmed(word);
    if (kind.empty()) continue;
    if (std::ranges::find(kKinds, kind, &KindRow::word) == kKinds.end())
      return fail(Code::bad_argument,
                  fmt::format("--kinds takes set_pointer, append_pointer and remove_pointer, not "
                              "'{}'",
                              printable(kind, 60)));
    out.kinds.emplace_back(kind);
  }
  return out;
}

/// What is wrong with a patch; empty: nothing.
std::string fault_of(const Peek& p) {
  for (const char* key : {"target_file", "pointer", "target_format", "confidence", "target_sha256"})
    if (!p[key].exists()) return fmt::format("a patch without {}", key);
  if (rank_of(p["confidence"].text()) == kConfidences.size()) return "an unknown confidence";
  const std::string_view format = p["target_format"].text();
  if (format != "yaml" && format != "json") return "an unknown target_format";
  if (!p["target_file"].text().starts_with('/')) return "a target_file that is not absolute";
  return {};
}

Result<std::vector<Patch>> patches_of(const Value& report, const std::string& path,
                                      const Wanted& wanted, Context& context) {
  std::vector<Patch> out;
  std::size_t seen = 0;
  for (const Value& finding : Peek(report)["findings"].list())
    for (const Value& value : Peek(finding)["patches"].list()) {
      const Peek p(value);
      if (++seen > kMaxPatches) return malformed(context, path, "too many patches");
      const std::string_view kind = p["kind"].text();
      if (kind == "manual") continue;
      const auto row = std::ranges::find(kKinds, kind, &KindRow::word);
      if (row == kKinds.end()) return malformed(context, path, "a patch of an unknown kind");
      if (const std::string fault = fault_of(p); !fault.empty())
        return malformed(context, path, fault);
      const Value* set_to = value.as_map()->find("value");
      if (row->kind != EditKind::remove && set_to == nullptr)
        return malformed(context, path, "a patch without value");
      Patch patch{.finding_id = std::string(Peek(finding)["id"].text()),
                  .file = std::string(p["target_file"].text()),
                  .sha256 = std::string(p["target_sha256"].text()),
                  .confidence = std::string(p["confidence"].text()),
                  .is_json = p["target_format"].text() == "json",
                  .edit = {row->kind, std::string(p["pointer"].text()),
                           set_to != nullptr ? *set_to : Value()}};
      auto parts = setup::pointer_parts(patch.edit.pointer);
      if (!parts || parts->empty()) return malformed(context, path, "a pointer to nothing");
      patch.parts = std::move(*parts);
      if (wanted.takes(patch, kind)) out.push_back(std::move(patch));
    }
  return out;
}

/// Sets and appends first, then removals: deeper ones first, and of a list the last first.
void put_in_order(std::vector<Patch>& patches) {
  const auto before = [](const Patch& a, const Patch& b) {
    const bool a_removes = a.edit.kind == EditKind::remove,
               b_removes = b.edit.kind == EditKind::remove;
    if (a_removes != b_removes) return b_removes;
    if (!a_removes) return false;
    if (a.parts.size() != b.parts.size()) return a.parts.size() > b.parts.size();
    const auto number = [](const std::string& part) {
      return std::tuple(part.size(), part);  // of two indexes the longer is the larger
    };
    return number(a.parts.back()) > number(b.parts.back());
  };
  std::ranges::stable_sort(patches, before);
}

Result<std::string> edited_bytes(const FileResult& file, const std::string& before) {
  std::string text = before;
  for (const Patch& patch : file.patches) {
    if (!patch.is_json) {
      GH_TRY(next, setup::edited_yaml(text, file.path, patch.edit));
      text = std::move(next);
      continue;
    }
    GH_TRY(root, wire::read_json(text, file.path));
    GH_TRY(next, setup::edited(root, patch.edit));
    text = wire::report_json(next) + "\n";
  }
  return text;
}

/// What would become of one file.
void work_out(FileResult& file, const std::string& real) {
  const auto bytes = sys::read_file(real, kMaxTarget);
  if (!bytes) {
    file.status = "error";
    file.error = bytes.error().message;
    return;
  }
  const std::string now = digest_of(*bytes).hex();
  if (std::ranges::any_of(file.patches, [&](const Patch& p) { return p.sha256 != now; })) {
    file.status = "skipped_drift";
    file.error = "the file is no longer the one that was scanned; scan again";
    return;
  }
  put_in_order(file.patches);
  auto after = edited_bytes(file, *bytes);
  if (!after) {
    file.status = "error";
    file.error = after.error().message;
    return;
  }
  file.status = "dry_run";
  file.after = std::move(*after);
  file.diff = setup::unified_diff(real.substr(real.rfind('/') + 1), &*bytes, &file.after);
}

Map document_of(const FileResult& file) {
  List patches;
  for (const Patch& patch : file.patches) {
    const auto row = std::ranges::find(kKinds, patch.edit.kind, &KindRow::kind);
    patches.emplace_back(Map{{"finding_id", patch.finding_id},
                             {"kind", row->word},
                             {"pointer", patch.edit.pointer},
                             {"confidence", patch.confidence}});
  }
  return {{"status", file.status},
          {"patches", std::move(patches)},
          {"diff", file.diff},
          {"error", file.error.empty() ? Value() : Value(file.error)}};
}

/// Every target, by its real path. Whatever leads out of the manifest's folder stops all of it.
Result<std::map<std::string, FileResult>> by_file(std::vector<Patch> patches,
                                                  const std::string& folder, Context& context) {
  std::map<std::string, FileResult> out;
  for (Patch& patch : patches) {
    const auto real = sys::real_path(patch.file);
    const std::string place = real ? *real : normal_path(patch.file);
    if (!place.starts_with(folder == "/" ? folder : folder + "/")) {
      context.fault = report::AgentFault{
          .kind = "other_error",
          .facts = {{"path", printable(patch.file, 400)}},
          .next_actions = {report::next_action(
              "stop", {}, "A patch leads out of the folder of the manifest; tell a person.")},
          .shipgate_exit = kShipgateOutside};
      return fail(Code::input_unreadable,
                  fmt::format("{} lies outside of {}; nothing was changed",
                              printable(patch.file, 400), printable(folder, 400)));
    }
    FileResult& file = out[place];
    file.path = patch.file;
    file.patches.push_back(std::move(patch));
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  constexpr std::size_t kMaxLine = 1000;
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    out += printable(line, kMaxLine) + "\n";
  return out;
}

std::string text_of_patches(const Value& document) {
  std::string out;
  const Map& files = Peek(document)["files"].map();
  for (const auto& [path, value] : files.entries()) {
    const Peek file(value);
    out += fmt::format("{}  {}: {} patch(es)\n", file["status"].text(), printable(path, 400),
                       file["patches"].list().size());
    if (file["error"].exists()) out += fmt::format("  {}\n", printable(file["error"].text(), 400));
    if (!file["diff"].text().empty()) out += printable_lines(file["diff"].text());
  }
  if (files.empty())
    out += "no patch fits; scan with --suggest-patches, or lower --confidence\n";
  else if (!Peek(document)["applied"].is_true())
    out += "nothing was written; --apply writes\n";
  return out;
}

}  // namespace

Result<Reply> release_apply_patches(const Request& request, Context& context) {
  GH_TRY(wanted, wanted_of(request));
  std::string path;
  if (request.has("from")) {
    path = joined_path(context.cwd, request.text("from"));
  } else {
    GH_TRY(folder, usual_report_folder(request, context));
    path = folder + "/report.json";
  }
  context.fault = report::AgentFault{.facts = {{"source_report", path}}};
  GH_TRY(bytes, read_report_file(path, kMaxReport, context));
  GH_TRY(report, wire::read_json(bytes, path));
  const Peek r(report);
  if (!release::is_schema_at_least(r["report_schema_version"].text(), kWithPatches) ||
      !r["manifest_dir"].exists())
    return fail(Code::json_invalid, fmt::format("{}: no release report that names its manifest_dir",
                                                printable(path, 400)));
  GH_TRY(patches, patches_of(report, path, wanted, context));
  const auto folder = sys::real_path(std::string(r["manifest_dir"].text()));
  if (!folder)
    return fail(Code::input_unreadable,
                fmt::format("there is no folder {}", printable(r["manifest_dir"].text(), 400)));
  GH_TRY(files, by_file(std::move(patches), *folder, context));
  const bool applies = request.flag("apply");
  Map rows;
  Reply reply;
  for (auto& [real, file] : files)
    work_out(file, real);
  for (auto& [real, file] : files) {
    if (file.status == "dry_run" && applies) {
      GH_DO(sys::write_file_atomic(real, file.after, sys::info(real).mode & 07777));
      file.status = "applied";
    }
    if (file.status == "error" && reply.exit == ExitCode::done) {
      reply.exit = ExitCode::input;
      reply.why = file.error;
    }
    rows.set(file.path, document_of(file));
  }
  reply.document =
      policy::redact_document(Value(Map{{"schema", "gatehouse.release_patches/1"},
                                        {"source_report", path},
                                        {"applied", applies},
                                        {"files", std::move(rows)},
                                        {"tool", Map{{"name", kProduct}, {"version", kVersion}}}}))
          .value;
  reply.text = [document = reply.document](const report::Look&) { return text_of_patches(document); };
  return reply;
}

}  // namespace gh::ops
