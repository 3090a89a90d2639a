// A whole analysis of hostile sources: two files of one language, the second with what follows the
// first NUL. No crash, one digest for one content, and every finding names a file that is there.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "analysis/canonical_report.h"
#include "analysis/memory_source.h"
#include "analysis/report_view.h"
#include "fuzz/require.h"

namespace {

using namespace gh::analysis;

// The first byte says which language.
constexpr std::string_view kEndings[] = {".py",  ".c",  ".cc", ".js",  ".ts",
                                         ".tsx", ".go", ".rs", ".java"};

std::string digest(const std::map<std::string, std::string>& files, unsigned jobs) {
  MemorySource source(files);
  RunOptions options;
  options.jobs = jobs;
  options.profile.min_loc = options.profile.min_stmt = 1;
  options.profile.block_min_loc = options.profile.block_min_stmt = 1;
  options.profile.segment_min_loc = options.profile.segment_min_stmt = 1;
  options.profile.api_surface = options.profile.structural_shape_groups = true;
  options.profile.instance_independent_methods = true;
  const auto project = analyse(source, options);
  REQUIRE(project && project->files.size() == files.size());
  const Findings findings = find_all(*project);
  const gh::Value report = canonical_report(*project, findings);
  const std::string stated = stated_digest(report);
  REQUIRE(stated.size() == 64);
  return stated;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1 || size > (1u << 14)) return 0;
  const std::string ending(kEndings[data[0] % std::size(kEndings)]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = text.find('\0');
  std::map<std::string, std::string> files;
  files["pkg/a" + ending] = std::string(text.substr(0, cut));
  files["pkg/b" + ending] =
      std::string(cut == std::string_view::npos ? text : text.substr(cut + 1));
  REQUIRE(digest(files, 1) == digest(files, 2));
  return 0;
}
