#include "ops/proposal_pair.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "proposal/meta.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using proposal::Finding;
using proposal::PropCode;

constexpr std::string_view kDiffEnd = ".patch.diff", kReportEnd = ".report.md",
                           kSignatureEnd = ".patch.sig";
constexpr std::size_t kMaxSignatureBytes = 16'384;
constexpr std::size_t kMaxTexts = 32u << 20;

std::string stem_of(std::string_view file, std::string_view end) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name.ends_with(end) ? std::string(name.substr(0, name.size() - end.size()))
                             : std::string();
}

std::optional<Finding> not_a_file(const std::string& file, PropCode missing, PropCode wrong) {
  switch (sys::info(file).kind) {
    case sys::FileKind::file:
      return std::nullopt;
    case sys::FileKind::missing:
      return Finding{missing, fmt::format("there is no file '{}'", printable(file, 300))};
    default:
      return Finding{wrong, fmt::format("'{}' is not a regular file", printable(file, 300))};
  }
}

void read_meta_file(Pair& pair, const std::string& file) {
  pair.meta_name = file.substr(file.rfind('/') + 1);
  pair.fault = not_a_file(file, PropCode::PROP_META_MISSING, PropCode::PROP_META_INVALID);
  if (pair.fault) return;
  auto bytes = sys::read_file(file, proposal::kMaxMetaBytes);
  if (bytes) {
    pair.meta = std::move(*bytes);
  } else {
    pair.fault = Finding{PropCode::PROP_META_INVALID,
                         fmt::format("{}: {} (at most {} bytes)", printable(pair.meta_name, 120),
                                     bytes.error().message, proposal::kMaxMetaBytes)};
  }
}

void find_diff_file(Pair& pair, const std::string& file) {
  pair.diff_file = file;
  if (!pair.fault)
    pair.fault = not_a_file(file, PropCode::PROP_DIFF_MISSING, PropCode::PROP_DIFF_MISSING);
}

void read_companions(Pair& pair, const std::string& stem_path) {
  const std::string report = stem_path + std::string(kReportEnd);
  if (sys::info(report).kind != sys::FileKind::missing) {
    auto bytes = sys::read_file(report, proposal::kMaxReportBytes);
    if (bytes && sys::info(report).kind == sys::FileKind::file && is_utf8(*bytes)) {
      pair.report = std::move(*bytes);
    } else {
      pair.report_fault =
          Finding{PropCode::PROP_REPORT_INVALID,
                  fmt::format("the report is not UTF-8 text of at most {} bytes in a regular file",
                              proposal::kMaxReportBytes)};
    }
  }
  const std::string signature = stem_path + std::string(kSignatureEnd);
  if (sys::info(signature).kind == sys::FileKind::file) {
    auto bytes = sys::read_file(signature, kMaxSignatureBytes);
    pair.signature = bytes ? std::move(*bytes) : std::string("unreadable");
  }
}

Result<std::string> choose_stem(const std::string& folder, const Request& request) {
  GH_TRY(names, sys::list_folder(folder));
  std::set<std::string> stems;
  for (const std::string& name : names)
    for (const std::string_view end : {kMetaEnd, kDiffEnd})
      if (std::string stem = stem_of(name, end); !stem.empty()) stems.insert(std::move(stem));
  if (request.has("id")) return request.text("id");
  if (stems.size() == 1) return *stems.begin();
  if (stems.empty())
    return fail(Code::input_unreadable, fmt::format("'{}' holds no file named <patch_id>{}",
                                                    printable(folder, 300), kMetaEnd));
  return fail(Code::bad_argument,
              fmt::format("'{}' holds {} proposals; choose one with --id, e.g. --id {}",
                          printable(folder, 300), stems.size(), *stems.begin()));
}

/// The pair in one JSON object, for callers that have no files.
Result<Pair> read_texts(Context& context) {
  GH_TRY(bytes, context.read_input(kMaxTexts));
  GH_TRY(value, wire::read_json(bytes, "pair", {.max_bytes = kMaxTexts}));
  const auto text = [&](std::string_view key) -> std::optional<std::string> {
    const Map* map = value.as_map();
    const Value* member = map == nullptr ? nullptr : map->find(key);
    return member == nullptr || member->as_string() == nullptr
               ? std::nullopt
               : std::optional(*member->as_string());
  };
  Pair pair;
  pair.meta_name = "meta";
  pair.meta = text("meta").value_or("");
  pair.diff = text("diff").value_or("");
  pair.report = text("report");
  pair.signature = text("signature");
  if (pair.meta.empty())
    pair.fault = Finding{PropCode::PROP_META_MISSING, "there is no text 'meta'"};
  else if (pair.diff->empty())
    pair.fault = Finding{PropCode::PROP_DIFF_MISSING, "there is no text 'diff'"};
  else if (pair.meta.size() > proposal::kMaxMetaBytes)
    pair.fault = Finding{PropCode::PROP_META_INVALID,
                         fmt::format("meta has more than {} bytes", proposal::kMaxMetaBytes)};
  if (pair.report && pair.report->size() > proposal::kMaxReportBytes)
    pair.report_fault =
        Finding{PropCode::PROP_REPORT_INVALID,
                fmt::format("the report has more than {} bytes", proposal::kMaxReportBytes)};
  return pair;
}

}  // namespace

Result<Pair> read_pair(const Request& request, Context& context) {
  if (request.text("DIR") == "-") return read_texts(context);
  Pair pair;
  const bool by_file = request.has("diff") || request.has("meta");
  if (by_file == request.has("DIR"))
    return fail(Code::missing_argument, "name a folder, or --diff FILE with --meta FILE");
  if (by_file) {
    if (!request.has("diff") || !request.has("meta"))
      return fail(Code::missing_argument, "--diff FILE and --meta FILE go together");
    const std::string meta = request.text("meta"), diff = request.text("diff");
    pair.stem = stem_of(meta, kMetaEnd);
    read_meta_file(pair, meta);
    find_diff_file(pair, diff);
    if (!pair.stem.empty()) read_companions(pair, meta.substr(0, meta.size() - kMetaEnd.size()));
    if (const std::string other = stem_of(diff, kDiffEnd);
        !pair.fault && !other.empty() && !pair.stem.empty() && other != pair.stem)
      pair.fault = Finding{PropCode::PROP_ID_MISMATCH,
                           fmt::format("the files carry two ids, {} and {}",
                                       printable(pair.stem, 100), printable(other, 100))};
    return pair;
  }
  std::string folder = request.text("DIR");
  if (sys::info(folder + "/patches").kind == sys::FileKind::folder) folder += "/patches";
  GH_TRY(stem, choose_stem(folder, request));
  pair.stem = stem;
  const std::string path = folder + "/" + stem;
  read_meta_file(pair, path + std::string(kMetaEnd));
  find_diff_file(pair, path + std::string(kDiffEnd));
  read_companions(pair, path);
  return pair;
}

Result<std::string> read_diff_of(const Pair& pair, std::size_t max_bytes) {
  if (pair.diff && pair.diff->size() > max_bytes)
    return fail(Code::document_too_large,
                fmt::format("the diff has more than {} bytes", max_bytes));
  if (pair.diff) return *pair.diff;
  return sys::read_file(pair.diff_file, max_bytes);
}

std::string draft_folder(const Request& request, const std::string& root) {
  return request.has("out") ? request.text("out") : root + "/patches";
}

Result<Draft> write_pair(const Request& request, const std::string& root, const ProposalMeta& meta,
                         std::string_view diff, const std::optional<std::string>& report) {
  const std::string folder = draft_folder(request, root);
  GH_DO(sys::make_folders(folder));
  const std::string stem = folder + "/" + meta.patch_id;
  Draft draft{.diff_file = stem + std::string(kDiffEnd), .meta_file = stem + std::string(kMetaEnd)};
  GH_DO(sys::write_file_atomic(draft.diff_file, diff));
  GH_DO(sys::write_file_atomic(draft.meta_file, proposal::print_meta(meta)));
  if (report) GH_DO(sys::write_file_atomic(stem + std::string(kReportEnd), *report));
  draft.document = Map{{"schema", "gatehouse.proposal_draft/1"},
                       {"patch_id", meta.patch_id},
                       {"diff", draft.diff_file},
                       {"meta", draft.meta_file},
                       {"metadata", proposal::to_document(meta)}};
  return draft;
}

}  // namespace gh::ops
