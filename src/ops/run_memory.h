// The last plain run by the same settings: what it read, what `analyze` said of it, and the tables
// from which the next one is told when few files changed. A file of its own for each of a few
// settings; what is damaged is nothing at all.
#pragma once

#include <optional>
#include <string>

#include "analysis/kept_run.h"
#include "analysis/run_identity.h"
#include "ops/analysis_scope.h"
#include "policy/analysis_policy.h"
#include "sys/data_file.h"

namespace gh::ops {

struct RememberedRun {
  std::string_view run_id{};
  std::string_view inputs{};   // inputs_text
  std::string_view lasting{};  // text that no such change changes, as JSON
  analysis::KeptRun kept{};
};
/// One that was found, and the bytes that it lies in.
struct FoundRun {
  sys::FileBytes bytes{};
  RememberedRun run{};
};

/// Where a run finds what earlier ones left; empty: nowhere.
std::string cache_folder(const Scope&, const policy::AnalysisPolicy&);

std::string inputs_text(const std::vector<analysis::RunInput>&);
/// A name for them, to find again what was made from the same.
std::string inputs_key(const std::vector<analysis::RunInput>&);

class RunMemory {
 public:
  /// `made_by`: everything but the files that an answer depends on.
  RunMemory(std::string folder, std::string_view made_by);

  std::optional<FoundRun> find() const;
  void keep(const RememberedRun&) const;

 private:
  void drop_old() const;
  std::string folder_, path_, key_;
};

}  // namespace gh::ops
