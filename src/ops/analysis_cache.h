// What earlier runs of a repository left behind to make the next one fast. All of it may be gone or
// damaged at any time; then it is made again.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "analysis/run.h"
#include "cache/pack.h"
#include "ops/analysis_scope.h"
#include "ops/file_stamps.h"
#include "policy/analysis_policy.h"

namespace gh::ops {

class AnalysisCache final : public analysis::FactStore {
 public:
  /// None at all: nothing is found, nothing is kept.
  AnalysisCache() = default;
  AnalysisCache(const Scope&, const policy::AnalysisPolicy&);

  std::optional<std::string> find(const analysis::Hash&) override;
  void keep(const analysis::Hash&, std::string bytes) override;

  /// Which files of the work tree are still as they were.
  FileStamps& stamps() { return stamps_; }
  /// A whole answer, by everything that it was made from.
  std::optional<Value> answer(std::string_view made_from);
  void remember(std::string_view made_from, const Value& answer);

  bool exists() const { return pack_ != nullptr; }
  std::string status() const { return pack_ ? std::string(to_string(pack_->status())) : "off"; }
  void save();

 private:
  std::unique_ptr<cache::Pack> pack_{};
  analysis::Hash stamps_key_{};
  FileStamps stamps_{};
};

}  // namespace gh::ops
