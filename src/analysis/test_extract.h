#pragma once
// Runs of sources in memory, and their extracts, for tests.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/annotations.h"
#include "analysis/measures.h"
#include "analysis/memory_source.h"
#include "analysis/run_extract.h"

namespace gh::analysis::testing {

/// The report points into the rest.
struct Made {
  Project project;
  Findings findings;
  RunReport report;
  explicit Made(const std::map<std::string, std::string>& files) {
    MemorySource source(files);
    project = *analyse(source, {.jobs = 1});
    findings = find_all(project, {});
    report = run_report(project, findings, plain_annotations(measure(project, findings)));
  }
};

/// Kept in memory and read again; `read` counts the parts that were asked for.
inline RunExtract extract_of(const RunReport& report, const std::vector<RunInput>& inputs = {},
                             std::size_t* read = nullptr) {
  const auto bytes = std::make_shared<const ExtractBytes>(extract_bytes(report, inputs));
  return RunExtract::open(bytes->head,
                          [bytes, read](std::size_t part, std::string_view) -> Result<std::string> {
                            if (read != nullptr) ++*read;
                            return bytes->parts[part];
                          })
      .value();
}

}  // namespace gh::analysis::testing
