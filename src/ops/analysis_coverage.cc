#include "ops/analysis_coverage.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using analysis::AnalysedFile;
using analysis::CoverageJoin;

/// Messages name the file as the report does: absolute paths differ between machines.
Result<std::string> bytes_of(const std::string& path, const std::string& shown) {
  const sys::FileInfo info = sys::info_follow(path);
  if (info.kind == sys::FileKind::missing)
    return fail(Code::input_unreadable, fmt::format("{} is not there", shown));
  if (info.kind == sys::FileKind::file &&
      static_cast<std::uint64_t>(info.size) > analysis::kMaxCoverageBytes)
    return fail(Code::document_too_large,
                fmt::format("{} is larger than {} bytes", shown, analysis::kMaxCoverageBytes));
  auto bytes = sys::read_file(path, analysis::kMaxCoverageBytes);
  if (!bytes) return fail(Code::input_unreadable, fmt::format("{} cannot be read", shown));
  return bytes;
}

/// Files that are analysed are those that are there: the same for a work tree and a revision.
analysis::CoverageRoot root_of(const analysis::Project& project, const std::string& root) {
  return {root, [&project](std::string_view path) {
            const auto at = std::ranges::lower_bound(project.files, path, {}, &AnalysedFile::path);
            return at != project.files.end() && at->path == path;
          }};
}

Result<CoverageJoin> joined(const analysis::Project& project, const CoverageWish& wish,
                            const std::string& path, const std::string& shown) {
  GH_TRY(bytes, bytes_of(path, shown));
  GH_TRY(report, analysis::read_cobertura(bytes, shown));
  const auto files = analysis::covered_files(report, root_of(project, wish.root));
  return analysis::join_coverage(project, files, static_cast<std::uint32_t>(wish.min_percent));
}

}  // namespace

CoverageJoin coverage_of(const analysis::Project& project, const CoverageWish& wish) {
  const std::string path = normal_path(
      wish.file.starts_with('/') ? wish.file : fmt::format("{}/{}", wish.from, wish.file));
  const std::string shown =
      utf8_or_escaped(analysis::below(wish.root, path).value_or(path.substr(path.rfind('/') + 1)));
  auto join = joined(project, wish, path, shown);
  CoverageJoin out =
      join ? std::move(*join)
           : CoverageJoin{.threshold_percent = static_cast<std::uint32_t>(wish.min_percent),
                          .invalid = std::move(join.error())};
  out.source = shown;
  return out;
}

}  // namespace gh::ops
