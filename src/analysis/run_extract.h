// What a declared change asks of a run, and no more. The head is read by everybody: the report
// without its long lists. Their items are lines about one file, module or finding each, kept in
// parts by the hash of what they are about: a reader takes the parts that it asks for, and what two
// runs have in common need not be read to compare them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/canonical_report.h"
#include "analysis/run_identity.h"
#include "base/error.h"
#include "model/value.h"

namespace gh::analysis {

inline constexpr std::size_t kLineParts = 256;
inline constexpr std::size_t kIdsPart = kLineParts;  // ids of all findings, as the report has them
inline constexpr std::size_t kExtractParts = kLineParts + 1;

/// As it is kept: canonical JSON that names the digest of each part, and the parts. Many are empty.
struct ExtractBytes {
  std::string head{};
  std::vector<std::string> parts{};
};
ExtractBytes extract_bytes(const RunReport&, const std::vector<RunInput>&);

/// An extract that is read. What it gives has the report's shape, so that whatever reads reports
/// reads it too.
class RunExtract {
 public:
  /// The bytes with that SHA-256, or an error.
  using ReadPart = std::function<Result<std::string>(std::size_t part, std::string_view sha256)>;
  /// json_invalid for what is no head of this version.
  RunExtract() = default;
  static Result<RunExtract> open(std::string_view head, ReadPart);

  /// Enough for gates without a baseline, for budgets and for health.
  const Value& head() const { return report_; }
  /// The file as the run read it; nullopt when it did not.
  Result<std::optional<RunInput>> input(const std::string& path);
  /// Was it analysed? A file may be an input and yet be left out by the settings of the run.
  Result<bool> analysed(const std::string& path);
  /// Enough for the direct blast radius of these files.
  Result<Value> around(const std::vector<std::string>& files);
  /// Enough for the transitive dependents of these files, and for nothing else.
  Result<Value> dependents(const std::vector<std::string>& files);
  /// The head and every finding in one of these files.
  Result<Value> findings_in(const std::vector<std::string>& files);
  /// Every line.
  Result<Value> whole();

  /// Two reports that differ as the runs do: enough for what a verification reads of their
  /// comparison. Counts of what is unchanged, and inventories, are not.
  struct Pair {
    Value before{}, after{};
  };
  static Result<Pair> differences(RunExtract& before, RunExtract& after);
  /// Files that one of them has read and the other has not, or not so.
  static Result<std::set<std::string>> changed_inputs(RunExtract& before, RunExtract& after);

 private:
  using Lines = std::vector<std::string_view>;
  struct Part {
    std::string text{};
    Lines lines{};  // sorted
  };
  /// A report in the making.
  struct Partial {
    Value report{};
    std::set<std::string, std::less<>> findings{};  // ids that are in it
  };

  Result<const Part*> part(std::size_t);
  /// Items of that row about `key`.
  Result<std::vector<Value>> items(std::string_view key, std::string_view row);
  static Status add_line(Partial&, std::string_view line);
  Status add_about(Partial&, std::string_view key);
  /// Those in the file, or those of a novelty.
  Status add_findings(Partial&, const std::string& path, std::string_view novelty = {});
  /// Who imports one of the files, ring by ring. The files with all that were found.
  Result<std::set<std::string>> add_importers(Partial&, const std::vector<std::string>& files,
                                              bool transitive);
  /// Findings in the order of the report, and the ids of all.
  Status settle(Partial&);

  Value report_{};
  std::vector<std::string> digests_{};
  ReadPart read_{};
  std::map<std::size_t, std::shared_ptr<const Part>> parts_{};  // copies share what they point into
};

}  // namespace gh::analysis
